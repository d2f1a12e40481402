"""
The data files that come with the package.

The readers are imported when a file is first needed: `importlib.resources` and
`tomllib` take longer to import than everything that a game needs.
"""

from __future__ import annotations

from typing import Any


def packaged_text(*path: str) -> str:
    """
    A data file as text.

    Args:
        path: Its folders and its name, below the folder ``data``.
    """
    from importlib import resources

    file = resources.files("rummyvariants").joinpath("data", *path)
    return file.read_text(encoding="utf-8")


def packaged_table(*path: str) -> dict[str, Any]:
    """
    A TOML data file as a dictionary.
    """
    import tomllib

    return tomllib.loads(packaged_text(*path))


def packaged_names(folder: str) -> list[str]:
    """
    The names of the TOML files of a folder, without the ending.
    """
    from importlib import resources

    files = resources.files("rummyvariants").joinpath("data", folder).iterdir()
    return sorted(
        one.name.removesuffix(".toml") for one in files if one.name.endswith(".toml")
    )

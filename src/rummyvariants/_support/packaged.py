"""
The data files that come with the package.

What a TOML file holds is kept as bytecode is: Python writes it beside the file when it
may, and reads the file again when that has changed. `tomllib` alone takes longer to
import than a preset may take.
"""

from __future__ import annotations

import marshal
import os

from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any, Final


_DATA: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data")


class _Tables(SourceFileLoader):
    """
    What compiles a TOML file, to the bytes of its table.
    """

    def source_to_code(  # type: ignore[override]  # it is given only what it has read
        self, data: bytes, path: str, *, _optimize: int = -1
    ) -> CodeType:
        """
        An expression for those bytes.
        """
        import tomllib

        table = tomllib.loads(data.decode())
        return compile(repr(marshal.dumps(table)), path, "eval")


def packaged_text(*path: str) -> str:
    """
    A data file as text.

    Args:
        path: Its folders and its name, below the folder ``data``.
    """
    with open(os.path.join(_DATA, *path), encoding="utf-8") as file:
        return file.read()


def packaged_table(*path: str) -> dict[str, Any]:
    """
    A TOML data file as a dictionary.
    """
    code: Any = _Tables(path[-1], os.path.join(_DATA, *path)).get_code(path[-1])
    # As trustworthy as the package's own bytecode.
    found: dict[str, Any] = marshal.loads(eval(code))  # noqa: S302, S307
    return found


def packaged_names(folder: str) -> list[str]:
    """
    The names of the TOML files of a folder, without the ending.
    """
    names = os.listdir(os.path.join(_DATA, folder))
    return sorted(one.removesuffix(".toml") for one in names if one.endswith(".toml"))

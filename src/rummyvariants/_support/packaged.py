"""
The data files that come with the package.

What a TOML file holds is kept as bytecode is: Python writes it beside the file when it
may, and reads the file again when that has changed. `tomllib` alone takes longer to
import than a preset may take.
"""

from __future__ import annotations

import marshal
import os

from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any, Final


_PACKAGE: Final = os.path.dirname(os.path.dirname(__file__))


_ENDING: Final = ".table"


class _Tables(SourceFileLoader):
    """
    What compiles a TOML file, to the bytes of its table.

    Bytecode is named after a file without its last ending, and beside ``tonk.toml``
    there may be ``tonk.py``. So the table seems to have one more.
    """

    def get_filename(self, name: str | None = None) -> str:
        """
        The path of the table with the additional ending.
        """
        return super().get_filename(name) + _ENDING

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """
        When the file was changed, and its size.
        """
        return super().path_stats(path.removesuffix(_ENDING))

    def get_data(self, path: str) -> bytes:
        """
        The bytes of the file, or of its bytecode.
        """
        return super().get_data(path.removesuffix(_ENDING))

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
        path: Its folders and its name, below the package.
    """
    with open(os.path.join(_PACKAGE, *path), encoding="utf-8") as file:
        return file.read()


def packaged_table(*path: str) -> dict[str, Any]:
    """
    A TOML data file as a dictionary.
    """
    code: Any = _Tables(path[-1], os.path.join(_PACKAGE, *path)).get_code(path[-1])
    # As trustworthy as the package's own bytecode.
    found: dict[str, Any] = marshal.loads(eval(code))  # noqa: S302, S307
    return found


def packaged_names(folder: str) -> list[str]:
    """
    The names of the TOML files of a folder, without the ending.
    """
    names = os.listdir(os.path.join(_PACKAGE, folder))
    return sorted(one.removesuffix(".toml") for one in names if one.endswith(".toml"))

"""
Modules of rules that stand beside a file, on no path of Python.

Such a module is imported under a name made of its whole path. So modules of one name in
two folders are two, and a process that is sent one of their rules finds it again.
"""

from __future__ import annotations

import os
import sys

from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType
from typing import TYPE_CHECKING, Final


if TYPE_CHECKING:
    from pathlib import Path


_END: Final = "%2Epy"


class _Beside:
    """
    Finds modules by the names that `name_of` gives them.
    """

    @staticmethod
    def find_spec(
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """
        The module of a name; None if another finder knows it.
        """
        del target
        if path is not None or not name.endswith(_END):
            return None
        import urllib.parse

        file = os.fsdecode(urllib.parse.unquote_to_bytes(name))
        folder, last = os.path.split(file)
        inside = [folder] if last == "__init__.py" else None
        return spec_from_file_location(name, file, submodule_search_locations=inside)


sys.meta_path.append(_Beside)


def name_of(file: Path) -> str:
    """
    The name under which a file is imported, or has been imported already.
    """
    real = os.path.realpath(file)
    for name, module in [*sys.modules.items()]:
        known = getattr(module, "__dict__", {}).get("__file__")
        # To follow the links of every path would take long.
        if isinstance(known, str) and known.endswith(file.name):
            if os.path.realpath(known) == real:
                return name
    import urllib.parse

    return urllib.parse.quote(os.fsencode(real)).replace(".", "%2E")


def beside(name: str, folder: Path) -> str | None:
    """
    The name under which a module in a folder is imported; None if it is not there.

    Args:
        name: Its name in that folder; dots lead into packages.
        folder: The folder.
    """
    first, dot, rest = name.partition(".")
    for file in (folder / first / "__init__.py", folder / f"{first}.py"):
        if file.is_file():
            return name_of(file) + dot + rest
    return None


def given_as(kind: type) -> str:
    """
    The module of a class as a command takes it: a name, or a path.
    """
    return home(kind) if _END in kind.__module__ else kind.__module__


def home(kind: type) -> str:
    """
    Where a class is written: the file of its module, or else the module's name.
    """
    return file_of(kind.__module__)


def file_of(name: str) -> str:
    """
    The file of a module, or else its name.
    """
    file = getattr(sys.modules.get(name), "__file__", None)
    return os.path.realpath(file) if file else name


def is_again(kind: type, known: type) -> bool:
    """
    Whether a class is another one that was made once more: its module was read twice.
    """
    return kind.__qualname__ == known.__qualname__ and (
        kind.__module__ == known.__module__ or home(kind) == home(known)
    )

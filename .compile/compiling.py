"""
Compile the hot modules of the package with mypyc, from a copy that suits mypyc.

``python compiling.py SOURCE WORK`` leaves the compiled modules in ``WORK/compiled``,
each at the same place as below the directory ``SOURCE``.
"""

from __future__ import annotations

import os
import shutil
import sys

from pathlib import Path
from typing import Any, Final

from classes import with_drafts, written_out
from memos import with_memos
from mypyc.build import mypycify
from setuptools import setup


PACKAGE: Final = "rummyvariants"
COMPILED: Final = (
    "actions.py",
    "cards.py",
    "rulings.py",
    "melds/_*.py",
    "policies/_duties.py",
    "rules/_ruleset.py",
    "rules/_settled.py",
    "game/*.py",
    "game/_engine/*.py",
    "game/verbs/_*.py",
    "learning/_flat.py",
    "learning/_packing.py",
    "learning/_planes.py",
    "learning/_steps.py",
    "learning/_stepwise.py",
    "melds/cover/_*.py",
    "melds/shapes/_*.py",
    "solver/_*.py",
)
"""What is compiled: what works an action out, and the search for the best arrangement,
but no class from which third parties derive their own, such as policies or `Verb`."""

LEFT: Final = {
    "__init__",
    *("_asking", "_questions", "effects", "naming", "steps"),
    *("_card_moves", "_chooser", "_listing", "_views"),
    *("_events", "_verb"),
    *("_arrangements", "_turns"),
}
"""Those of them that stay as they are: they are seldom called, or gain nothing. If they
were compiled, arrangements would compare their `Cards` by identity."""

_MYPY: Final = """
[mypy]
python_version = {}.{}
follow_imports = silent
"""


def main() -> None:
    """
    Copy, write out, compile.
    """
    source, work = map(Path, sys.argv[1:])
    shutil.copytree(source / PACKAGE, work / PACKAGE)
    for package in (work / PACKAGE, work / "compiled" / PACKAGE):
        support = package / "_support"
        support.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(__file__).with_name("described.py"), support)
    # Both mypy and setuptools look for files in the current directory.
    os.chdir(work)
    names = [
        file.as_posix()
        for pattern in COMPILED
        for file in sorted(Path().glob(f"{PACKAGE}/{pattern}"))
        if file.stem not in LEFT
    ]
    for name in names:
        file = Path(name)
        text = file.read_text(encoding="utf-8")
        text = written_out(with_drafts(with_memos(text)))
        file.write_text(text, encoding="utf-8")
    Path("mypy.ini").write_text(_MYPY.format(*sys.version_info), encoding="utf-8")
    if os.name != "nt":
        # No other library replaces our functions, so calls among them are direct.
        os.environ["CFLAGS"] = f"-fno-semantic-interposition {os.getenv('CFLAGS', '')}"
    # Typed by mypyc as any of two kinds of extension.
    modules: Any = mypycify(names, opt_level="3", debug_level="0")
    setup(
        name="compiled",
        packages=[],
        ext_modules=modules,
        script_args=["build_ext", "--build-lib", "compiled"],
    )


if __name__ == "__main__":
    main()

"""
Compile the hot modules of the package with mypyc, from a copy that mypyc does well by.

``python compiling.py SOURCE WORK`` leaves the compiled modules in ``WORK/compiled``,
each at the place that it has below the directory ``SOURCE``.
"""

from __future__ import annotations

import os
import shutil
import sys

from pathlib import Path
from typing import Any, Final

from classes import with_drafts, written_out
from mypyc.build import mypycify
from setuptools import setup


PACKAGE: Final = "rummyvariants"
MODULES: Final = (
    "game/actions",
    "game/_notation",
    "cards",
    "game/_chance",
    "melds/_choices",
    "melds/_combos",
    "melds/_filling",
    "melds/_layoff_reading",
    "melds/_layoffs",
    "melds/_meld",
    "game/_moves",
    "game/_locations",
    "game/_round",
    "game/_playouts",
    "melds/_reading",
    "rules/_ruleset",
    "rulings",
    "game/_scoring",
    "game/_state",
    "melds/_suit_tables",
    "melds/_tables",
    "melds/_tree",
    "melds/_deadwood",
    "game/_engine/beginning",
    "game/_engine/calls",
    "game/_engine/candidates",
    "game/_engine/dealing",
    "game/_engine/draws",
    "game/_engine/endings",
    "game/_engine/phases",
    "game/_engine/rounds",
    "game/_engine/game",
    "game/_engine/knocks",
    "game/_engine/offers",
    "game/_engine/acts",
    "game/_engine/verbs",
    "game/_engine/plays",
    "melds/dividing/_runs",
    "melds/dividing/_search",
    "melds/dividing/_searcher",
    "melds/dividing/_sets",
    "melds/dividing/_wilds",
)
"""What is compiled: all that an action comes through, and the search for the best of a
hand, but no class that third parties derive theirs from."""

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
    # Both mypy and setuptools look for things where they are run.
    os.chdir(work)
    names = [f"{PACKAGE}/{module}.py" for module in MODULES]
    for name in names:
        file = Path(name)
        text = file.read_text(encoding="utf-8")
        file.write_text(written_out(with_drafts(text)), encoding="utf-8")
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

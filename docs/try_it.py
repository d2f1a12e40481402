"""
The page "Try it": a folder with Python for the browser, the library, and the page.

`conf.py` has it made beside the built pages. By hand: ``python docs/try_it.py FOLDER``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from collections.abc import Sequence
from pathlib import Path
from typing import Final


ROOT: Final = Path(__file__).parents[1]
SOURCE: Final = Path(__file__).parent / "try-it"
TABLE: Final = ROOT / "examples" / "web_table" / "static"
"""Where the table component is; the page shows its games with it."""
RUNTIME: Final = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
"""The files of Pyodide that a browser loads."""
_ENOUGH: Final = 400
"""How much is told of the first and of the last words of a program that has failed."""
LIST: Final = "python/files.json"
"""The file of the page that lists what it loads."""
_STAMP: Final = (1980, 1, 1, 0, 0, 0)


class LeftOut(Exception):  # noqa: N818 -- no error where the page may be left out
    """
    The page cannot be made; the text says why.
    """


def make(target: Path) -> None:
    """
    Make the page.

    Args:
        target: The folder to put it into; what is there is replaced.

    Raises:
        LeftOut: If the folder holds something else; if npm is missing; if npm or pip
            cannot fetch or build what is needed.
    """
    if target.exists() and any(target.iterdir()) and not (target / LIST).exists():
        msg = f"{target} holds something else"
        raise LeftOut(msg)
    with tempfile.TemporaryDirectory() as made:
        here = Path(made)
        runtime = _runtime(here / "npm")
        wheels = _wheels(here / "wheels")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(SOURCE / "page", target)
        for file in TABLE.glob("table*"):
            shutil.copy(file, target)
        for name in RUNTIME:
            (target / "python").mkdir(exist_ok=True)
            shutil.copyfile(runtime / name, target / "python" / name)
        for wheel in wheels:
            shutil.copy(wheel, target / "python")
    _zip(sorted(SOURCE.glob("*.py")), target / "python" / "answers.zip")
    packages = [*(one.name for one in wheels), "answers.zip"]
    sizes = {
        name: (target / "python" / name).stat().st_size
        for name in (*RUNTIME, *packages)
    }
    manifest = {"packages": packages, "sizes": sizes}
    (target / LIST).write_text(json.dumps(manifest), "utf-8")


def _runtime(folder: Path) -> Path:
    """
    Pyodide from the npm registry, as package-lock.json pins it.
    """
    npm = shutil.which("npm")
    if npm is None:
        msg = "npm is not on this machine"
        raise LeftOut(msg)
    folder.mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(SOURCE / name, folder)
    quiet = ("--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund")
    _run([npm, "ci", *quiet], folder)
    return folder / "node_modules" / "pyodide"


def _wheels(folder: Path) -> list[Path]:
    """
    The library, built from this checkout in pure Python, and what it needs.
    """
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    pinned = ["--require-hashes", "--only-binary", ":all:", "--no-deps"]
    needed = str(SOURCE / "requirements.txt")
    _run([*pip, "download", *pinned, "--dest", str(folder), "-r", needed], ROOT)
    _run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], ROOT)
    return sorted(folder.glob("*.whl"))


def _run(command: Sequence[str], folder: Path) -> None:
    """
    Run a program, without asking for compiled modules.
    """
    env = {
        key: value for key, value in os.environ.items() if not key.startswith("HATCH_")
    }
    done = subprocess.run(  # noqa: S603 -- npm and pip with our own words
        command, cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = re.sub(r"\s+", " ", done.stderr or done.stdout).strip()
        if len(said) > 2 * _ENOUGH:
            said = f"{said[:_ENOUGH]} ... {said[-_ENOUGH:]}"
        msg = f"{' '.join(command)} failed: {said}"
        raise LeftOut(msg)


def _zip(files: Sequence[Path], target: Path) -> None:
    """
    Files as an archive that is the same whenever it is made.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.name, _STAMP)
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Use: python docs/try_it.py FOLDER")
    try:
        make(Path(sys.argv[1]))
    except LeftOut as why:
        sys.exit(str(why))

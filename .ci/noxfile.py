"""
Every check of a change, each a command of its own.

``pipx run nox -f .ci/noxfile.py -l`` lists them, ``-s NAME`` runs one of them on a
fresh clone, and what follows ``--`` goes to pytest. `.ci/run` runs them all. They need
Python 3.11 or later and the package index; `page` needs npm and a browser as well,
`compiled` a C compiler.
"""

from __future__ import annotations

import functools
import itertools
import os
import re
import shutil
import subprocess
import sys

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nox


ROOT = Path(__file__).resolve().parent.parent
REST = [f"tests/{one}" for one in ("bots", "simulation", "learning", "cli", "project")]
"""What the README's command leaves out."""
VERSIONS = ("3.12", "3.13", "3.14")
COVERING = [
    *("tests/rules/test_gin.py", "tests/rules/test_perft.py"),
    *("tests/rules/test_scenarios.py", "tests/legality/test_arrange.py"),
    *("tests/legality/test_chooser.py", "tests/legality/test_playouts.py"),
    *("tests/legality/test_random_games.py", "tests/legality/test_tiny_decks.py"),
    *("tests/legality/test_tree.py", "tests/states/test_records.py"),
    *("tests/states/test_views.py", "tests/project/test_compiled.py"),
]
"""The tests that cover most of the library."""
STEPS = [
    f"tests/learning/test_{one}.py" for one in ("encoding", "observation", "vector")
]
"""The tests of what a learner asks at each step, which need numpy."""

nox.options.reuse_venv = "yes"
os.environ.pop("PYTHONPATH", None)
os.environ.setdefault("CI", "true")


def check(
    function: Callable[..., None] | None = None, **options: Any
) -> Callable[..., Any]:
    """
    Make a session of a function, which runs in the root of the checkout.
    """
    if function is None:
        return functools.partial(check, **options)

    @functools.wraps(function)
    def there(session: nox.Session, *values: str, **named: str) -> None:
        with session.chdir(ROOT):  # nox goes where this file is
            function(session, *values, **named)

    return nox.session(there, **options)


def counted(session: nox.Session, **variables: str) -> dict[str, str]:
    """
    The environment in which tests leave their report where `.ci/run` looks for it.
    """
    folder = os.environ.get("REPORTS")
    if folder is None:
        return variables
    name = re.sub(r"\W+", "-", session.name)
    return {"PYTEST_ADDOPTS": f"--junitxml={folder}/{name}.xml", **variables}


def pytest(session: nox.Session, *words: str) -> None:
    """
    Run tests on all cores.
    """
    words = ("-n", "auto", "--dist", "loadgroup", *words, *session.posargs)
    session.run("pytest", *words, env=counted(session))


def from_readme(session: nox.Session, heading: str) -> None:
    """
    Run what stands in the first fence below a heading of the README.
    """
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    fence = rf"(?ms)^## {heading}$[^`]*^```shell\n(.*?)^```"
    found = re.search(fence, text)
    if found is None:
        session.error(f"README.md has no fence of shell below {heading}")
    words = ("bash", "-euo", "pipefail", "-c", found[1])
    session.run(*words, env=counted(session), external=True)


# ----------------------------------------------------------------- what speaks first


@check
def lint(session: nox.Session) -> None:
    """
    The linter, the formatter, the spelling.
    """
    session.install("--group", "lint")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("codespell")


@check
def types(session: nox.Session) -> None:
    """
    The type checker, over the package, the scripts and the examples of types.
    """
    session.install("--editable", ".", "--group", "typing")
    session.run("mypy")


# --------------------------------------------------------------------------- tests


@check(python=False)
def play(session: nox.Session) -> None:
    """
    The README's command that plays.
    """
    from_readme(session, "Play")


@check(python=False)
def test(session: nox.Session) -> None:
    """
    The README's command that tests the rules.
    """
    from_readme(session, "Test")


@check
def extras(session: nox.Session) -> None:
    """
    The quick tests of all that is built on the rules, with every extra.
    """
    session.install("--editable", ".", "--group", "all-tests")
    pytest(session, *REST)


@check(default=False)
def long(session: nox.Session) -> None:
    """
    The tests that take longer, of everything: for the night.
    """
    session.install("--editable", ".", "--group", "all-tests")
    pytest(session, "tests", "-m", "long and not slow")


@check(default=False)
def slow(session: nox.Session) -> None:
    """
    The tests that take minutes, and the rest of wide sweeps: for the night.
    """
    session.install("--editable", ".", "--group", "all-tests")
    pytest(session, "tests", "-m", "slow")


@check
def learn(session: nox.Session) -> None:
    """
    The example that learns, in a short form, with a torch for machines without a GPU.
    """
    session.install("--editable", ".", "--group", "tests")
    # The package index has the other one, which is ten times as large.
    index = ("--extra-index-url", "https://download.pytorch.org/whl/cpu")
    wanted = ("torch==2.13.0+cpu", "--group", "learn")
    session.install("--retries", "1", *index, *wanted)
    words = ("-m", "long or not long", "-k", "learn_gin")
    file = "tests/project/test_examples.py"
    session.run("pytest", file, *words, env=counted(session))


@check(default=False)
def memory(session: nox.Session) -> None:
    """
    Whether memory stays flat over thousands of requests: for the night.
    """
    session.install("--editable", ".", "--group", "all-tests")
    session.run("python", "bench/memory.py")


@check(python=False)
@nox.parametrize("version", VERSIONS)
def versions(session: nox.Session, version: str) -> None:
    """
    A selection of the quick tests on other versions of Python.
    """
    python = python_of(version) or session.skip(f"there is no Python {version}")
    there = Path(session.create_tmp(), f"python-{version}")
    session.run(python, "-m", "venv", str(there), external=True)
    pip = [str(there / "bin" / "pip"), "install", "--quiet"]
    session.run(*pip, "--upgrade", "pip", external=True)
    session.run(*pip, ".[cli]", "--group", "tests", external=True)
    words = ["-q", "-n", "auto", "-p", "no:cacheprovider", *COVERING]
    words.append("tests/cli/test_cli.py")
    tests = str(there / "bin" / "pytest")
    session.run(tests, *words, env=counted(session), external=True)


def python_of(version: str) -> str | None:
    """
    A Python of a version that really runs; one of pyenv may be there but switched off.
    """
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    named = [shutil.which(f"python{version}")]
    for one in itertools.chain(named, pyenv.glob(f"{version}.*/bin/python")):
        if one and run_quietly(str(one), "-c", ask) == version:
            return str(one)
    return None


def run_quietly(*words: str) -> str:
    """
    What a command prints.
    """
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.strip()


@check
def lockstep(session: nox.Session) -> None:
    """
    Gin beside OpenSpiel, and our games as games of OpenSpiel, where it can be had.
    """
    session.install(".[cli]", "--group", "tests")
    if sys.version_info >= (3, 14):
        session.skip("OpenSpiel cannot be had for this Python")
    session.install("--only-binary", ":all:", "--group", "lockstep")
    files = (f"tests/learning/test_{one}.py" for one in ("lockstep", "envs_openspiel"))
    pytest(session, *files)
    session.run("python", "bench/gin_duel.py", "--check", "30")


@check
def compiled(session: nox.Session) -> None:
    """
    The wheel with compiled modules, and the tests that cover most of them.
    """
    with_compiled(session)


@check(default=False)
def compiled_long(session: nox.Session) -> None:
    """
    The long ones of these tests: for the night.
    """
    with_compiled(session, "-m", "long and not slow")


def with_compiled(session: nox.Session, *words: str) -> None:
    """
    Build and install the package compiled, and run tests with it.
    """
    if shutil.which(os.environ.get("CC", "cc")) is None:
        session.skip("there is no C compiler")
    hooks = {"HATCH_BUILD_HOOKS_ENABLE": "1"}
    session.install(".[learning]", "--group", "tests", env=hooks)
    session.run("python", "-c", "import rummyvariants as rv; assert rv.IS_COMPILED")
    pytest(session, "-q", "-p", "no:cacheprovider", *COVERING, *STEPS, *words)


# --------------------------------------------------------------------------- pages


@check
@nox.parametrize("builder", ["html", "doctest"])
def docs(session: nox.Session, builder: str) -> None:
    """
    The pages, with warnings as errors, and their examples.
    """
    # No -n (nitpicky): without the inventory of Python's docs every `int` is unknown.
    session.install("--editable", ".", "--group", "docs")
    words = ["-W", "--keep-going", "-q", "-D", "try_it=always", "-b", builder]
    built = f"docs/_build/{builder}"
    session.run("sphinx-build", *words, "docs", built)
    if builder == "html":
        session.install("--group", "tests", "--group", "browser")
        there = counted(session, SITE=built)
        session.run("pytest", "tests/project/test_site.py", env=there)


@check
def page(session: nox.Session) -> None:
    """
    The page "Try it" and the web table: the types of their scripts, and in a browser.
    """
    session.install("--editable", ".", "--group", "all-tests", "--group", "browser")
    made = Path(session.create_tmp()).resolve() / "page"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    session.run("python", "docs/try_it.py", str(made / "page"))
    for one in (ROOT / "docs" / "try-it").glob("package*.json"):
        shutil.copy(one, made)
    with session.chdir(made):
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--silent")
        session.run("npm", "ci", *quiet, external=True)
        session.run("npm", "run", "--silent", "check", external=True)
    there = counted(session, TRY_IT=str(made / "page"))
    if not os.environ.get("CHROMIUM") and shutil.which("chromium") is None:
        session.error("there is no Chromium: install it, or name it in CHROMIUM")
    files = [f"tests/project/test_{one}.py" for one in ("try_it", "web_table")]
    session.run("pytest", "-p", "no:cacheprovider", *files, env=there)


# --------------------------------------------------------------- what is published


@check
def package(session: nox.Session) -> None:
    """
    What would be published, and the files that the forge and its services read.
    """
    session.install("--group", "package")
    built = Path(session.create_tmp()).resolve() / "dist"
    shutil.rmtree(built, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(built), silent=True)
    (wheel,), (source,) = built.glob("*.whl"), built.glob("*.tar.gz")
    straight = built / "straight"
    session.run(
        "python", "-m", "build", "--wheel", "--outdir", str(straight), silent=True
    )
    session.run("cmp", str(wheel), str(straight / wheel.name), external=True)
    session.run("twine", "check", "--strict", str(wheel), str(source))
    session.run("check-wheel-contents", "--package", "src/rummyvariants", str(wheel))
    session.run("validate-pyproject", "pyproject.toml")
    session.run("pyroma", "--min=8", str(source))  # two marks are for addresses
    for schema, files in (
        ("github-workflows", (ROOT / ".github" / "workflows").glob("*.yml")),
        ("dependabot", [ROOT / ".github" / "dependabot.yml"]),
        ("github-issue-config", [ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"]),
        ("github-issue-forms", (ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")),
        ("readthedocs", [ROOT / ".readthedocs.yaml"]),
        ("citation-file-format", [ROOT / "CITATION.cff"]),
    ):
        words = ("--builtin-schema", f"vendor.{schema}", *map(str, files))
        session.run("check-jsonschema", *words)
    session.run("zizmor", "--quiet", "--offline", "--persona", "auditor", ".")


@check
def wheel(session: nox.Session) -> None:
    """
    The wheel where it is installed: the core alone, then with the command line.
    """
    session.install(".")
    elsewhere = Path(session.create_tmp()).resolve()
    with session.chdir(elsewhere):
        describe = "rv.preset('rummy-5000').describe()[:200]"
        session.run("python", "-c", f"import rummyvariants as rv; print({describe})")
        # Without the extra one sentence says what to install.
        words = ("rummyvariants", "presets")
        said = session.run(*words, silent=True, success_codes=[1, 2]) or ""
        if "pip install 'rummyvariants[cli]'" not in said or "Traceback" in said:
            session.error(f"without the extra the command says: {said}")
    session.install(".[cli]")
    scenarios = sorted(map(str, (ROOT / "tests" / "scenarios").rglob("*.toml")))
    if not scenarios:
        session.error("there are no scenarios")
    with session.chdir(elsewhere):
        game = ("rummy-5000", "--players", "4", "--seed", "7", "--plain")
        session.run("rummyvariants", "watch", *game, silent=True)
        session.run("rummyvariants", "check", *scenarios, silent=True)

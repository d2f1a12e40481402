"""How Sphinx builds these pages."""

from __future__ import annotations

import doctest
import re
import sys

from importlib import metadata
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import ENUM
from sphinx.errors import ExtensionError
from sphinx.util import logging


sys.path.insert(0, str(Path(__file__).parent))

import pages

from api_lists import expanded
from try_it import LeftOut, make


project = "rummyvariants"
author = "The rummyvariants contributors"
copyright = "The rummyvariants contributors"
version = release = metadata.version("rummyvariants")

# No intersphinx: the pages must build on a machine that reaches no other site.
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build", "parts", "try-it"]

myst_enable_extensions = ["colon_fence", "deflist", "tasklist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = True
napoleon_numpy_docstring = False

doctest_default_flags = doctest.ELLIPSIS
doctest_global_setup = "import rummyvariants as rv"

html_theme = "furo"
html_title = "rummyvariants"
html_show_sphinx = False
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_search_scorer = str(Path(__file__).with_name("ranking.js"))


def _fences(_app: Sphinx, doctree: nodes.document) -> None:
    """
    Let the doctest builder run each fence with a Python prompt, in any page.

    Left alone it runs its own directives only, and a plain fence goes stale unseen.
    Empty lines at the end of a fence are not shown.
    """
    for block in doctree.findall(nodes.literal_block):
        block.rawsource = block.astext().rstrip()
        block[:] = [nodes.Text(block.rawsource)]
        if block.rawsource.lstrip().startswith(">>> "):
            block["testnodetype"] = "doctest"


def _lists(_app: Sphinx, _page: str, source: list[str]) -> None:
    """
    Write out the lists of names on the pages of the API.
    """
    source[0] = expanded(source[0])


def _types_are_short(*event: Any) -> None:
    """
    Show the types of attributes without their modules, as in signatures.
    """
    lines: list[str] = event[-1]
    for at, line in enumerate(lines):
        if line.lstrip().startswith(":type:"):
            lines[at] = re.sub(r"(?<![\w.~])rummyvariants\.", "~rummyvariants.", line)


def _try_it(app: Sphinx) -> None:
    """
    Put the page "Try it" beside the built pages, and tell them whether it is there.
    """
    if app.builder.name != "html" or app.config.try_it == "never":
        return
    try:
        make(Path(app.outdir) / "try")
    except LeftOut as why:
        if app.config.try_it == "always":
            msg = f'the page "Try it" cannot be made: {why}'
            raise ExtensionError(msg) from None
        logging.getLogger(__name__).info('the page "Try it" is left out: %s', why)
    else:
        app.tags.add("try_it")


def setup(app: Sphinx) -> None:
    """
    Called by Sphinx.
    """
    app.connect("source-read", _lists)
    app.connect("doctree-read", _fences)
    # Napoleon writes the types; it listens at 500.
    app.connect("autodoc-process-docstring", _types_are_short, priority=600)
    ways = ENUM("where possible", "always", "never")
    app.add_config_value("try_it", "where possible", "", ways)
    app.connect("builder-inited", lambda _: pages.make())
    app.connect("builder-inited", _try_it)
    # The page that leads there says whether it is there, whatever was built before.
    app.connect("env-get-outdated", lambda *_: ["try-it"])

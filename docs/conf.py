"""How Sphinx builds these pages."""

from __future__ import annotations

import doctest
import re

from importlib import metadata
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


project = "rummyvariants"
author = "The rummyvariants contributors"
copyright = "The rummyvariants contributors"
release = metadata.version("rummyvariants")
version = release.rsplit(".", 1)[0]

# No intersphinx: the pages must build on a machine that reaches no other site.
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]

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


def _types_are_short(*event: Any) -> None:
    """
    Show the types of attributes without their modules, as in signatures.
    """
    lines: list[str] = event[-1]
    for at, line in enumerate(lines):
        if line.lstrip().startswith(":type:"):
            lines[at] = re.sub(r"(?<![\w.~])rummyvariants\.", "~rummyvariants.", line)


def setup(app: Sphinx) -> None:
    """
    Called by Sphinx.
    """
    app.connect("doctree-read", _fences)
    # Napoleon writes the types; it listens at 500.
    app.connect("autodoc-process-docstring", _types_are_short, priority=600)

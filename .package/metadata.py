"""
The part of the metadata that depends on where the project lives.

The address of the repository is in one place, the table of this hook in
``pyproject.toml``. As long as it is empty, the metadata has no links, and the README
keeps its relative ones.
"""

from __future__ import annotations

import re

from pathlib import Path
from typing import Any, Final

from hatchling.metadata.plugin.interface import MetadataHookInterface


_FENCE: Final = re.compile(r"(?ms)(^```.*?^```$)")
_RELATIVE: Final = re.compile(
    r"""
    (?: (?P<image> !\[[^\]]*\]\( | \bsrc(?:set)?=" ) | \]\( | \bhref=" )
    (?! [a-z]+: | \# )
    """,
    re.VERBOSE,
)


class Addresses(MetadataHookInterface):
    """
    Fills in the links of the project and the README as the package index shows it.
    """

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """
        Set `urls`, if the address is known, and `readme`.
        """
        text = Path(self.root, "README.md").read_text("utf-8")
        version: str = metadata["version"]
        # A development version has no tag.
        tag = "HEAD" if ".dev" in version else f"v{version}"
        if repository := self.config["repository"]:
            metadata["urls"] = {
                "Documentation": self.config["documentation"]
                or f"{repository}/tree/{tag}/docs",
                "Source": repository,
                "Issues": f"{repository}/issues",
                "Changelog": f"{repository}/blob/{tag}/CHANGELOG.md",
            }
            text = absolute(text, repository, tag)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def absolute(text: str, repository: str, tag: str) -> str:
    """
    Make relative links and pictures absolute, outside of code blocks.

    Args:
        text: Markdown, whose links are relative to the root of the repository.
        repository: The address of the repository.
        tag: The tag, or another name of a commit, that links lead to.
    """

    def completed(found: re.Match[str]) -> str:
        kind = "raw" if found["image"] else "blob"
        return f"{found[0]}{repository}/{kind}/{tag}/"

    parts = _FENCE.split(text)
    parts[::2] = [_RELATIVE.sub(completed, part) for part in parts[::2]]
    return "".join(parts)

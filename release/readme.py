"""The README of a package index: that of the checkout, with links to the source's address in place of paths.

The build calls `AbsoluteLinks`. The address is that of `Source` in `[project.urls]`; how the host names a page and a
file is in `[tool.hatch.metadata.hooks.custom]`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")


def with_addresses(text: str, pages: str, files: str) -> str:
    """The text with links to pages, and pictures from files, below these addresses."""
    return LINK.sub(lambda found: f"{found[1]}[{found[2]}]({files if found[1] else pages}/{found[3]})", text)


class AbsoluteLinks(MetadataHookInterface):
    """Hatchling's hook that reads the README."""

    def update(self, metadata: dict[str, Any]) -> None:
        source = metadata["urls"]["Source"]
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = with_addresses(text, f"{source}/{self.config['pages']}", f"{source}/{self.config['files']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}

"""Marks the examples that can run in the page with the address of their Python, if `pentad site` has written it.

`folder` is the address of what `pentad site` wrote: a folder in docs/, or an address on the same host that begins with
`/` or `https://`.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from posixpath import relpath

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor
from zensical.extensions.context import ContextPreprocessor

WORKER = "python.js"
EXAMPLE = re.compile(r'<div class="language-py(?:thon|con)(?![^"]*(?:no-run|doc-signature))[^"]*highlight"(?=>)')


def worker_address(folder: str, docs: Path, page: str) -> str | None:
    """The address of the worker with Python, as the page at an address of the site sees it."""
    address = f"{folder.removesuffix('/')}/{WORKER}"
    if re.match(r"/|https?:", address):
        return address
    try:
        script = (docs / address).read_bytes()
    except FileNotFoundError:
        return None
    # A new site has a new address here, so that no browser takes an old one from its cache.
    return f"{relpath(address, page or '.')}?{hashlib.sha256(script).hexdigest()[:16]}"


def marked(html: str, address: str) -> str:
    """The HTML of a page, with the address of the worker at each example that can run."""
    return EXAMPLE.sub(rf'\g<0> data-python="{address}"', html)


class Marks(Postprocessor):
    def __init__(self, md: Markdown, folder: str) -> None:
        super().__init__(md)
        self.folder = folder

    def run(self, text: str) -> str:
        context = ContextPreprocessor.from_markdown(self.md)
        docs = Path(context.config["root_dir"], context.config["docs_dir"])
        address = worker_address(self.folder, docs, context.page.url)
        return text if address is None else marked(text, address)


class Playground(Extension):
    def __init__(self, folder: str) -> None:
        super().__init__()
        self.folder = folder

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        md.postprocessors.register(Marks(md, self.folder), "playground", 0)


def makeExtension(folder: str) -> Playground:  # noqa: N802
    return Playground(folder)

"""Adds the playground to the pages with examples, if `pentad site` has written its folder.

`extra: playground:` in mkdocs.yml is the address of that folder: a folder in docs/, by default `try/`, or an address
on the same host that begins with `/` or `https://`.
"""

from __future__ import annotations

import hashlib
import logging
import re
from pathlib import Path
from typing import Any

from mkdocs.utils import get_relative_url

LOG = logging.getLogger("mkdocs.plugins.playground")
DEFAULT = "try/"
SCRIPT, STYLE = "javascripts/playground.js", "stylesheets/playground.css"
WORKER = "python.js"
EXAMPLE = re.compile(r'<div class="language-py(?:thon|con)(?![^"]*(?:no-run|doc-signature))')

_workers: dict[str, str] = {}  # the address of the worker, by the folder of the pages


def on_config(config: Any) -> None:
    """Finds the worker with Python."""
    address = str(config.extra.get("playground") or DEFAULT).removesuffix("/") + "/"
    _workers.pop(config.docs_dir, None)
    if re.match(r"/|https?:", address):
        _workers[config.docs_dir] = f"{address}{WORKER}"
        return
    try:
        script = Path(config.docs_dir, address, WORKER).read_bytes()
    except FileNotFoundError:
        LOG.info("The examples cannot be run: `pentad site` has not written %s in docs/.", address)
        return
    # A new site has a new address here, so that no browser takes an old one from its cache.
    _workers[config.docs_dir] = f"{address}{WORKER}?{hashlib.sha256(script).hexdigest()[:16]}"


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Loads the playground on a page with examples."""
    worker = _workers.get(config.docs_dir)
    if worker is None or not EXAMPLE.search(output):
        return output
    place = worker if re.match(r"/|https?:", worker) else get_relative_url(worker, page.url)
    head = (
        f'<meta name="pentad-playground" content="{place}">\n'
        f'<link rel="stylesheet" href="{get_relative_url(STYLE, page.url)}">\n'
        f'<script type="module" src="{get_relative_url(SCRIPT, page.url)}"></script>\n'
    )
    return output.replace("</head>", f"{head}</head>", 1)

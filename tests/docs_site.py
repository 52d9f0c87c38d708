"""The docs site, built beside a copy of its sources, and searched for broken links and skipped headings."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

ROOT = Path(__file__).parent.parent
HOST = "https://docs.example/"
VERSION = "0.1.0"  # the built site has this version


def copy_sources(place: Path) -> None:
    shutil.copytree(ROOT / "docs", place / "docs", ignore=shutil.ignore_patterns("try"))
    shutil.copy(ROOT / "zensical.toml", place)
    (place / "src").symlink_to(ROOT / "src")


def run_zensical(place: Path) -> subprocess.CompletedProcess[str]:
    """Builds the site of a copy into its folder `site`, by the command of CONTRIBUTING.md."""
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    environment = {**os.environ, "NO_COLOR": "1", "MIKE_DOCS_VERSION": VERSION}
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)


def build(place: Path) -> Path:
    """The folder of the site, which a copy of the sources at this place makes without a warning."""
    done = run_zensical(place)
    assert done.returncode == 0, done.stdout + done.stderr
    return place / "site"


def with_versions(site: Path) -> Path:
    """The site with a list of versions, for which the theme asks."""
    (site / "versions.json").write_text('[{"version": "dev", "title": "dev", "aliases": ["latest"]}]', encoding="utf-8")
    return site


class Links(HTMLParser):
    """The addresses in a page, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.anchors = {"", "__top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.addresses.append(value)
            elif name == "id" and value is not None:
                self.anchors.add(value)


def skipped_headings(site: Path) -> list[tuple[str, str]]:
    """Headings of the pages that are more than one level below the one before them."""
    skipped = []
    for path in sorted(site.rglob("*.html")):
        before = 0
        for level, rest in re.findall(r"<h([1-6])\b([^>]*)>", path.read_text(encoding="utf-8")):
            if int(level) > before + 1:
                skipped.append((path.relative_to(site).as_posix(), f"h{level}{rest}"))
            before = int(level)
    return skipped


def broken_links(site: Path) -> list[tuple[str, str]]:
    """Links, pictures, scripts and styles of the pages that are not in the site, or have no such anchor."""
    pages = {
        path.relative_to(site).as_posix().removesuffix("index.html"): Links(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
    }
    del pages["404.html"]  # its addresses depend on where it is shown
    broken = []
    for page, links in pages.items():
        for address in links.addresses:
            target = urlsplit(urljoin(HOST + page, address))
            path, anchor = unquote(target.path).removeprefix("/"), unquote(target.fragment)
            is_here = target.geturl().startswith(HOST)
            known = pages[path].anchors if path in pages else {""} if (site / path).is_file() else set()
            if is_here and anchor not in known:
                broken.append((page, address))
    return broken

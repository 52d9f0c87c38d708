"""The README: its links lead to files, and a package index renders it with links to the source's address."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from readme_renderer import markdown

from release.readme import with_addresses

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = SETTINGS["tool"]["hatch"]["metadata"]["hooks"]["custom"]
MOST_LINES = 90  # a screen and a half


def published() -> str:
    """The README in the metadata of a package."""
    return ProjectMetadata(str(ROOT), PluginManager()).core.readme


def test_a_path_becomes_an_address() -> None:
    text = "![A](a.webp) and [b](docs/b.md#c), [d](https://d.example/) and [e](#e)"
    made = with_addresses(text, "https://x.example/pages", "https://x.example/files")
    assert made == (
        "![A](https://x.example/files/a.webp) and [b](https://x.example/pages/docs/b.md#c), "
        "[d](https://d.example/) and [e](#e)"
    )


def test_every_link_of_the_published_readme_leads_to_a_file() -> None:
    html = markdown.render(published())
    assert html is not None
    shown = {"pages": re.findall(r'<a href="([^"#][^"]*)"', html), "files": re.findall(r'<img src="([^"]*)"', html)}
    assert len(shown["pages"]) > 15
    assert shown["files"]
    for kind, addresses in shown.items():
        below = f"{SETTINGS['project']['urls']['Source']}/{HOOK[kind]}/"
        assert [each for each in addresses if not each.startswith(below)] == []
        assert [each for each in addresses if not (ROOT / each.removeprefix(below).partition("#")[0]).exists()] == []


def test_a_package_index_shows_all_of_it() -> None:
    html = markdown.render(published())
    assert html is not None
    assert html.count("<h2") == published().count("\n## ")
    assert html.count("<table>") == published().count("|---|\n")
    assert "&lt;" not in html
    assert "![" not in html


def test_it_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < MOST_LINES

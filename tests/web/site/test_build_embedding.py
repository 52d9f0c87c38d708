"""The parts of a site with which other pages show boards; its pages are made without Python and the engines."""

from __future__ import annotations

import re

import pytest

from pentad.game import GameError
from pentad.web.http import assets
from pentad.web.instant import drawings
from pentad.web.site import build
from pentad.web.site.build import Site

CONSTANTS = {"FILES": {}, "LATER": [], "LOCK": {}, "FRIENDS_SERVER": ""}


@pytest.fixture(scope="module")
def site() -> Site:
    made = Site()
    build._add_pages(made, CONSTANTS, b"")
    return made


def test_the_script_finds_the_page_beside_it(site: Site) -> None:
    script = site.files["embed.js"].decode()
    assert 'new URL("./embed/", import.meta.url)' in script
    assert "embed/index.html" in site.files
    assert not [name for name in site.files if name.startswith("static/") and name.endswith("/embed.js")]


def test_the_page_has_all_its_files(site: Site) -> None:
    page = site.files["embed/index.html"].decode()
    named = re.findall(r'(?:src|href)="\.\./(static/[^"]+)"', page)
    assert len(named) > 5
    assert [name for name in named if name not in site.files] == []
    assert 'href="../" target="_blank"' in page
    assert "first-state" not in page


def test_the_play_page_begins_before_its_other_scripts(site: Site) -> None:
    page = site.files["play/index.html"].decode()
    assert page.index('async src="../static/') < page.index('rel="modulepreload"')
    named = re.findall(r'modulepreload" href="\.\./(static/[^"]+)"', page)
    assert {f"instant/{name}.js" for name in ("begin", "relay")} <= {name.split("/", 2)[2] for name in named}
    assert [name for name in named if name not in site.files] == []
    new_games = {name.split("/")[-1] for name in site.files if "/instant/new/" in name}
    assert new_games == {f"{name}.json" for name in drawings.covered()}


def test_the_service_worker_keeps_both(site: Site) -> None:
    worker = site.files["worker.js"].decode()
    assert '"embed/"' in worker
    assert '"embed.js"' in worker


def test_addresses_of_the_page_are_known_to_the_site(site: Site) -> None:
    scripts = [
        data.decode() for name, data in site.files.items() if name.startswith("static/") and name.endswith(".js")
    ]
    assert any(re.search(r'const PAGES = \[.*"embed".*\]', script) for script in scripts)


def test_a_script_without_the_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "EMBEDDED", '"./other"')
    with pytest.raises(GameError, match=r"once in embed\.js"):
        build._embedding_script()


def test_the_address_is_in_the_script_once() -> None:
    assert (assets.STATIC / "embed.js").read_text(encoding="utf-8").count(build.EMBEDDED) == 1


def test_the_package_for_pages_has_no_widget() -> None:
    assert not [name for name in build.package_files() if name.startswith("notebook/")]

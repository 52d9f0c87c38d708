"""The docs site in a browser: search, copy buttons, the links to the next page, both colour schemes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.docs_site import build, copy_sources, with_versions
from tests.folder_server import served
from tests.web.browser_helpers import AXE, NewPage

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("docs")
    copy_sources(place)
    return with_versions(build(place))


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with served(folder) as address:
        yield address


def test_the_title_of_a_page_finds_it_first(new_page: NewPage, folder: Path) -> None:
    found = json.loads((folder / "search.json").read_text(encoding="utf-8"))["items"]
    titles = {each["title"] for each in found if each["level"] == 1}
    page = new_page()
    page.goto("/")
    page.get_by_role("button", name="Search").click()
    first = page.locator("a[href*='?h=']").first
    for title in titles:
        page.locator("input:visible").fill(title)
        expect(first.get_by_role("heading")).to_have_text(title)


def test_copy_buttons_copy_what_is_typed(new_page: NewPage) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto("reference/api/pentad/")
    session = page.locator(".language-pycon.highlight").first
    session.hover()
    session.locator("button[data-md-type=copy]").click()
    expect(page.get_by_text("Copied to clipboard")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[:2] == ["import pentad", 'position = pentad.new("pentago")']
    assert ">>>" not in copied


def test_a_page_leads_to_the_next_one(new_page: NewPage) -> None:
    page = new_page()
    page.goto("reference/api/pentad/")
    page.get_by_role("link", name="Next:").click()
    page.get_by_role("link", name="Previous:").click()
    expect(page).to_have_url(re.compile("/api/pentad/$"))


@pytest.mark.parametrize(("scheme", "name"), [("light", "default"), ("dark", "slate")])
def test_a_page_has_the_colours_of_the_system_and_our_fonts(new_page: NewPage, scheme: Any, name: str) -> None:
    page = new_page(color_scheme=scheme)
    page.goto("reference/api/pentad/")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", name)
    page.evaluate("document.fonts.ready.then(() => null)")
    loaded = page.evaluate("[...document.fonts].filter(each => each.status == 'loaded').map(each => each.family)")
    assert {"Fraunces", "Inter"} <= {*loaded}
    found = Axe().run(page, context=".md-content", options={**AXE, "runOnly": ["color-contrast"]})
    assert found.violations_count == 0, found.generate_report()


def test_axe_finds_no_violations_on_five_kinds_of_pages(new_page: NewPage) -> None:
    page = new_page()
    options = {**AXE, "rules": {"landmark-unique": {"enabled": False}}}  # the theme's tools of all blocks have one name
    for path in ("", "install/", "tutorials/bot/", "reference/commands/", "reference/api/pentad/"):
        page.goto(path)
        found = Axe().run(page, context=".md-content", options=options)
        assert found.violations_count == 0, (path, found.generate_report())

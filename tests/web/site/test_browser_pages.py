"""All pages of the site: they are accessible, and their links work for others."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser_helpers import NewPage, accessible, place, play, read_gif, targets
from tests.web.site.host import Host
from tests.web.site.page_helpers import PHONE, api, before_python, note, open_room

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = {  # each with something that it shows
    "": "[data-against=here]",
    "games/": "#first-game",
    "analyse/": "#board .can",
    "puzzles/": "#today a",
    "learn/": "#lessons a",
    "models/": "#list li",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violations_on_any_page(new_page: NewPage, scheme: str) -> None:
    page = new_page(color_scheme=scheme, **PHONE)
    for path, shown in PAGES.items():
        page.goto(path)
        expect(page.locator(shown).first).to_be_visible()
        api(page, "/api/games")
        accessible(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violations_in_the_sites_own_notes(new_page: NewPage, own_host: Host, scheme: str) -> None:
    waiting = [True]

    def slowly(data: bytes) -> bytes | None:
        while waiting:
            time.sleep(0.05)
        return None

    own_host.damage["python_stdlib.zip.gz"] = slowly
    page = new_page(color_scheme=scheme, expected=("Failed to load resource", "cannot be loaded"), **PHONE)
    page.goto("")
    expect(page.locator(".loading")).to_be_visible()
    accessible(page)
    waiting.clear()
    expect(note(page)).to_have_count(1)
    accessible(page)


@pytest.mark.parametrize("path", ["puzzles/?/pente-0369a555", "learn/?/pente", "analyse/"])
def test_a_page_says_that_python_starts(new_page: NewPage, own_host: Host, path: str) -> None:
    before_python(own_host, "await new Promise(done => { new BroadcastChannel('go').onmessage = done; });")
    page = new_page()
    page.goto(path)
    expect(page.locator(".loading")).to_contain_text("Starting pentad")
    expect(page.locator(".loading progress")).to_be_visible()
    page.evaluate("new BroadcastChannel('go').postMessage(true)")
    api(page, "/api/games")
    expect(page.locator(".loading")).to_have_count(0)


def shared_link(page: Page) -> str:
    page.get_by_role("button", name="Share…").click()
    return page.locator("#link").input_value()


def test_a_link_to_a_position(new_page: NewPage) -> None:
    page = new_page()
    page.goto("analyse/?game=pentago")
    for move in ("a2 1C", "b3 2A"):
        for target in move.split():
            place(page, target).and_(targets(page)).click()
    expect(page.locator("#tree")).to_contain_text("b3 2A")
    other = new_page()
    other.goto(shared_link(page))
    expect(other.locator("#tree")).to_contain_text("a2 1C")
    expect(other.locator("#tree")).to_contain_text("b3 2A")
    expect(place(other, "c4")).to_have_attribute("aria-label", "c4, white, played last")


def test_a_link_to_the_analysis_of_a_game(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, options={"line": 3})
    play(page, "a0 4C", "f0 4C", "b0 4C", "f1 4C")
    place(page, "c0").click()
    page.get_by_role("link", name="Review this game").click()
    page.get_by_role("link", name="Analyse this game").click()
    expect(page.locator("#tree")).to_contain_text("f1 4C")
    other = new_page()
    other.goto(shared_link(page))
    expect(other.locator("#tree")).to_contain_text("a0 4C")
    expect(other.locator("#tree")).to_contain_text("f1 4C")


def test_a_game_is_saved_as_a_gif(new_page: NewPage, tmp_path: Path) -> None:
    page = new_page()
    open_room(page, options={"line": 3})
    play(page, "a0 4C", "f0 4C", "b0 4C", "f1 4C")
    place(page, "c0").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="Save as GIF").click()
    found.value.save_as(tmp_path / "game.gif")
    assert read_gif(page, tmp_path / "game.gif")["frames"] == [800_000] * 5 + [3_000_000]


def test_a_link_to_a_puzzle(new_page: NewPage) -> None:
    page = new_page()
    page.goto("puzzles/")
    page.locator("#today a").first.click()
    expect(page.locator("#headline")).not_to_be_empty()
    link, headline = page.url, page.locator("#headline").inner_text()
    assert "puzzles/?/" in link
    other = new_page()
    other.goto(link)
    expect(other.locator("#headline")).to_have_text(headline)
    expect(other.locator("#board svg")).to_be_visible()


def test_a_link_to_a_game_that_is_not_here(new_page: NewPage) -> None:
    page = new_page()
    page.goto("play/?/nothing")
    expect(page.locator("#headline")).to_have_text("Game not found")

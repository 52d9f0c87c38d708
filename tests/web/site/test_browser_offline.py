"""The site without a network, and a new version of it while an old page is open."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

import pentad
from tests.web.browser_helpers import NewPage, moves, place, targets
from tests.web.site.host import FOLDER, Host
from tests.web.site.kept_site import make_site
from tests.web.site.page_helpers import analyse, api, link_to, note, open_room, wait_until_kept

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LATE = pentad.load("pentago bwbwbw/.b..wb/wbwb../.wbw../bw.b../wbw..b")  # white to move, 23 marbles
GONE = ("ERR_CONNECTION_REFUSED", "ERR_INTERNET_DISCONNECTED", "Failed to update a ServiceWorker", "worker.js")

VERSION = """document.querySelector("script[src$='offline.js']")?.src.split("/").at(-2)"""


def test_everything_goes_on_without_a_network(new_page: NewPage, own_host: Host) -> None:
    page = new_page(expected=GONE)
    open_room(page, game="pente", seats=["human", "engine@1"])
    wait_until_kept(page)
    own_host.stop()
    page.context.set_offline(True)
    page.reload()
    place(page, "K10").and_(targets(page)).click()
    expect(moves(page)).to_have_count(2)
    for game, who in (("pentago", "engine@1"), ("pentagame", "tree@1")):
        made = api(page, "/api/rooms", {"game": game, "seats": [who, "human"]})
        page.goto(link_to(page, made["page"]))
        expect(moves(page)).to_have_count(1)
    analyse(page, LATE)
    expect(page.locator("#values-note")).to_contain_text("Exact value: ")
    page.goto("puzzles/")
    page.locator("#today a").first.click()
    expect(page.locator("#board svg")).to_be_visible()
    page.get_by_role("button", name="Solution").click()
    expect(page.locator("#line li").first).to_be_visible()
    page.goto("learn/")
    page.locator("#lessons a").first.click()
    expect(page.locator("#headline")).to_have_text("A turn has two parts")
    page.goto("models/")
    page.get_by_role("link", name="The ferry").click()
    expect(page.locator("#start-picture [data-node]")).to_have_count(6)
    page.get_by_role("tab", name="Step").click()
    page.get_by_role("button", name="Random", exact=True).click()
    expect(page.locator("#trace li:not(.none)")).to_have_count(1)
    expect(note(page)).to_have_count(0)


def version(page: Page) -> str:
    """The version of the page's scripts."""
    return str(page.evaluate(VERSION))


def test_a_new_version_while_an_old_page_is_open(new_page: NewPage, own_host: Host) -> None:
    page = new_page(expected=GONE)
    open_room(page, game="pente", seats=["human", "engine@1"])
    wait_until_kept(page)
    page.reload()  # now the service worker answers
    expect(targets(page).first).to_be_visible()
    old = version(page)
    make_site(own_host.folder / FOLDER, "--server", "https://friends.example")
    page.evaluate("navigator.serviceWorker.getRegistration().then((registration) => registration.update())")
    expect(note(page)).to_contain_text("A new version of pentad is available.")
    assert version(page) == old
    place(page, "K10").and_(targets(page)).click()
    expect(moves(page)).to_have_count(2)
    kept = moves(page).all_inner_texts()
    note(page).get_by_role("button", name="Reload").click()
    page.wait_for_function(
        "(old) => document.querySelector(\"script[src$='offline.js']\")?.src.split('/').at(-2) !== old", arg=old
    )
    expect(moves(page)).to_have_text(kept)
    expect(targets(page).first).to_be_visible()
    expect(note(page)).to_have_count(0)
    assert api(page, "/api/games")["friends_server"] == "https://friends.example"
    wait_until_kept(page)
    names = page.evaluate("caches.keys()")
    assert len(names) == 2
    assert not [each for each in names if old in each]
    place(page, "A1").and_(targets(page)).click()
    expect(moves(page)).to_have_count(4)

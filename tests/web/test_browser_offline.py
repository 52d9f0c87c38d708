"""The Play page offline, during compilation of the engines, and after an upgrade."""

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from pentad.web.service.pages import ASSETS
from tests.waiting import wait_until
from tests.web.browser_helpers import NewPage, moves, open_room, place, play, targets
from tests.web.server_process import Server

pytestmark = pytest.mark.browser

GONE = ("CONNECTION_RE", "WebSocket", "Failed to load", "sw.js")


# What all caches hold of this page and its files: name → path → text.
# `caches.open` would create a cache anew that the service worker has just deleted.
CACHES = """async () => {
    const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    const sets = {};
    for (const name of await caches.keys()) {
        sets[name] = {};
        for (const path of [`/${location.pathname.split("/")[1]}`, ...files]) {
            const cached = await caches.match(path, { cacheName: name });
            if (cached) sets[name][path] = await cached.text();
        }
    }
    return sets; }"""


def cached(page: Page, *, new: bool = True) -> dict[str, str]:
    """The cached files of a page, once its cache is complete; `new` waits for one without old files."""
    sets: list[dict[str, str]] = []

    address = f"/{urlsplit(page.url).path.split('/')[1]}"  # the last file of a cache

    def is_complete() -> bool:
        sets[:] = page.evaluate(CACHES).values()
        return len(sets) == 1 and address in sets[0] and not (new and "old" in sets[0].values())

    wait_until(is_complete, "the page's cache")
    return sets[0]


def placed(name: str) -> str:
    """The current path of a file."""
    return f"/static/{ASSETS.hash}/{name}"


def file_of(found: dict[str, str], name: str) -> str:
    """The cached text of a file."""
    return found[placed(name)]


@pytest.fixture(scope="module")
def service_workers() -> str:
    return "allow"


@pytest.mark.slow
def test_offline_the_page_opens_and_shows_the_saved_game(new_page: NewPage) -> None:
    with Server() as server:
        page = new_page(base_url=server.url, expected=GONE)
        address = open_room(page, seats=["human", "human"])
        play(page, "a2 1C", "b3 2A")
        cached(page)
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        assert server.stop()[0] == 0
    for path in (address, "/play"):
        page.goto(path)
        expect(page.locator("#connection")).to_have_text("Connection lost. Reconnecting…")
        expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])
        expect(place(page, "c4")).to_have_attribute("aria-label", "c4, white, played last")  # its space after the twist
        assert page.url.endswith(address)
        assert targets(page).count() == 0
        expect(page.locator("#undo")).to_be_disabled()
        assert page.evaluate("getComputedStyle(document.querySelector('.top')).display") == "flex"  # it has its styles


@pytest.mark.slow
def test_a_game_continues_after_a_restart_of_the_server(new_page: NewPage) -> None:
    with Server() as first:
        page = new_page(base_url=first.url, expected=GONE)
        open_room(page, seats=["human", "human"])
        play(page, "a2 1C")
        place(page, "b3").click()
        first.kill()
        expect(page.locator("#connection")).to_be_visible()
        with Server(first.port, first.database):
            expect(page.locator("#connection")).to_be_hidden()
            expect(place(page, "b3")).to_have_attribute("aria-label", "b3, white, played last")
            place(page, "2A").click()
            expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])


@pytest.mark.slow
def test_a_touch_during_a_lost_connection_is_not_lost(new_page: NewPage) -> None:
    with Server() as first:
        page = new_page(base_url=first.url, expected=GONE)
        open_room(page, seats=["human", "human"])
        play(page, "a2 1C")
        first.kill()
        expect(page.locator("#connection")).to_be_visible()
        place(page, "b3").click()
        with Server(first.port, first.database):
            expect(place(page, "b3")).to_have_attribute("aria-label", "b3, white, played last")
            place(page, "2A").click()
            expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])


def test_a_cache_is_never_mixed_with_new_files(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    cached(page)
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.evaluate(
        """async () => { for (const name of await caches.keys()) {
            const cache = await caches.open(name);
            for (const request of await cache.keys()) await cache.put(request, new Response("old")); } }"""
    )
    page.reload()  # online, nothing comes from the cache
    expect(targets(page).first).to_be_visible()
    assert file_of(cached(page), "dom.js").startswith("//")


@pytest.mark.slow
def test_a_page_is_cached_with_all_its_files(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/learn")
    files = {"/learn", *map(placed, ("learn/style.css", "dom.js", "learn/page.js"))}
    assert files <= set(cached(page))


@pytest.mark.slow
def test_the_page_can_be_installed(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    cached(page)
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["display"] == "standalone"
    errors: list[dict[str, Any]] = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each for each in errors if each["errorId"] != "in-incognito"] == []  # true of every test context


@pytest.mark.slow
def test_the_progress_of_compilation_is_shown(new_page: NewPage) -> None:
    page = new_page()
    health: dict[str, Any] = {"ready": False, "compiling": "pente", "share": 0.45, "waiting": 0, "running": 0}
    page.route("**/api/health", lambda route: route.fulfill(json={**health, "version": "1"}))
    page.route_web_socket("**/api/rooms/*", lambda socket: silence_after_first_move(page, socket))
    page.goto("/play")
    place(page, "a0").and_(targets(page)).click()
    place(page, "1C").and_(targets(page)).click()
    expect(page.locator("#detail")).to_have_text("Preparing the Pente engine (45%). This happens only once.")
    expect(page.locator("#headline")).to_contain_text("is thinking")
    health.update(ready=True, compiling=None, share=None)
    expect(page.locator("#detail")).to_have_text("You play Black.")


@pytest.mark.slow
def test_a_move_of_the_warm_up_bot_has_a_note(new_page: NewPage) -> None:
    page = new_page()
    note = "A simpler bot played this move: the engine was still being prepared."

    def answer(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            state = json.loads(text)
            for move in [*state.get("moves", []), *([state["move"]] if "move" in state else [])]:
                move["note"] = note if move["seat"] == 1 else ""
            socket.send(json.dumps(state))

        server.on_message(pass_on)

    page.route_web_socket("**/api/rooms/*", answer)
    page.goto("/play")
    place(page, "a0").and_(targets(page)).click()
    place(page, "1C").and_(targets(page)).click()
    expect(page.locator("#detail")).to_have_text(re.compile(f"^{re.escape(note)} "))
    row = page.locator("#moves li").nth(1)
    expect(row).to_have_attribute("title", re.compile(re.escape(note)))
    expect(page.locator("#moves li").first).not_to_have_attribute("title", re.compile("simpler"))


def silence_after_first_move(page: Page, socket: Any) -> None:
    """Drops the computer's answer to the first move."""
    server = socket.connect_to_server()

    def pass_on(message: str | bytes) -> None:
        state = json.loads(message)
        if state["type"] == "played" and state["move"]["seat"] == 1:
            return
        socket.send(message)

    server.on_message(pass_on)

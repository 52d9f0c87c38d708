"""Helpers of the site's browser tests: requests to the page's own server, and what its caches keep."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

import pentad
from pentad.game import Position
from pentad.web import view
from tests.waiting import wait_until
from tests.web.browser_helpers import targets
from tests.web.site.host import Host

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
HERE = ("human", "human")

SERVER = """new URL("server.js", document.querySelector("script[src$='offline.js']").src).href"""
FETCH = f"""async (request) => (await import({SERVER})).fetchJson(...request)"""
LINK = f"""async (path) => (await import({SERVER})).linkTo(path)"""
MISSING = f"""async () => {{
    const {{ FILES, VERSION }} = await import(new URL("python/version.js", {SERVER}));
    const site = new URL("../../", {SERVER});
    const wanted = [...Object.values(FILES).map((each) => each.path), `python/snapshot-${{VERSION}}`];
    const kept = new Set((await (await caches.open("pentad python")).keys()).map((each) => each.url));
    const worker = (await navigator.serviceWorker.getRegistration())?.active?.state;
    const missing = wanted.filter((each) => !kept.has(new URL(each, site).href));
    return worker === "activated" ? missing : [...missing, "the service worker"]; }}"""
CENTRE = """(name) => {
    const target = document.querySelector(`#board [data-target="${name}"] .touch`);
    target.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = target.getBoundingClientRect();
    return [left + width / 2, top + height / 2]; }"""
GAME = """async (room) => JSON.parse(localStorage.getItem(`game ${room}`))"""


def api(page: Page, *request: Any) -> Any:
    """The answer of the page's server to a request: a path, and perhaps a body."""
    return page.evaluate(FETCH, list(request))


def link_to(page: Page, path: str) -> str:
    """The address of a page of pentad."""
    return str(page.evaluate(LINK, path))


def open_room(page: Page, **request: Any) -> str:
    """Makes a game and opens it; returns its name."""
    if page.url == "about:blank":
        page.goto("")
    made = api(page, "/api/rooms", {"game": "pentago", "seats": HERE, **request})
    page.goto(link_to(page, made["page"]))
    expect(targets(page).first).to_be_visible()
    return str(made["room"])


def analyse(page: Page, position: Position) -> None:
    """Opens the Analysis page with a position, and starts the engine."""
    page.goto(f"analyse/?start={quote(position.text)}")
    expect(page.locator("#engine-on")).to_be_checked()


def wait_until_kept(page: Page) -> None:
    """Waits until the browser keeps everything that the site needs without a network."""
    wait_until(lambda: page.evaluate(MISSING) == [] or page.wait_for_timeout(200), "keeping all files")


def before_python(host: Host, script: str) -> None:
    """Runs a script before all else in the workers with Python."""
    host.damage["python/python.js"] = lambda data: script.encode() + b"\n" + data


def note(page: Page) -> Locator:
    """The site's own notes."""
    return page.locator(".site-note")


def tap(page: Page, name: str) -> None:
    """Taps a target that can be chosen, where a finger would; a small one is aimed at first."""
    expect(page.locator(f"#board [data-target='{name}'].can")).to_have_count(1)
    page.touchscreen.tap(*page.evaluate(CENTRE, name))
    if page.locator("#board .aim").count():
        page.touchscreen.tap(*page.evaluate(CENTRE, name))


def saved_game(page: Page) -> dict[str, Any]:
    """The state of the game on the page, as the page has last shown it."""
    game: dict[str, Any] = page.evaluate(GAME, page.url.rpartition("/")[2])
    return game


def position_of(game: dict[str, Any]) -> Position:
    """The position of a game in such a state."""
    position = pentad.new(game["game"])
    for move in game["moves"]:
        position = position.play(position.parse(move["text"]))
    return position


def touches(position: Position, move: str) -> list[str]:
    """The targets to touch for a move."""
    return [name for step in view.touches(position, position.parse(move)) for name in step.targets]

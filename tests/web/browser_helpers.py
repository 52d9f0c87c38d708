"""Helpers of browser tests: locators, and games made by a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

# Options that keep the browser from contacting other servers.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NewPage = Callable[..., Page]

# Axe lists violations alone. With all that is as it should be, its answers are megabytes.
VIOLATIONS = {"resultTypes": ["violations"]}

_MAKE = """request => fetch("/api/rooms", {method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify(request)}).then(response => response.json())"""


def targets(page: Page, kind: str = "") -> Locator:
    """The targets that can be chosen now."""
    return page.locator(f"#board {kind}.can")


def place(page: Page, name: str) -> Locator:
    return page.locator(f"#board [data-target='{name}']")


def moves(page: Page) -> Locator:
    return page.locator("#moves li")


def open_room(page: Page, **request: Any) -> str:
    """Makes a game as the user of this page and opens it; returns its address."""
    page.goto("/static/icon.svg")
    made = page.evaluate(_MAKE, {"game": "pentago", **request})
    assert "page" in made, made
    page.goto(made["page"])
    return str(made["page"])


def play(page: Page, *turns: str, shown: str | None = None) -> None:
    """Plays whole turns by clicks; each appears in the list of moves as written, or as `shown`."""
    for turn in turns:
        for step in turn.split():
            place(page, step).and_(targets(page)).click()
        expect(moves(page).last).to_have_text(shown or turn)


def join(page: Page, address: str, name: str) -> None:
    """Opens a game by its link and takes a seat."""
    page.goto(address)
    page.locator("#join-name").fill(name)
    page.get_by_role("button", name="Join game").click()
    expect(page.locator("#join")).to_be_hidden()

"""What tests in a real browser share: how to find things on the page, and rooms made as a page makes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

# What keeps a browser from asking anybody but the page's own server.
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

_MAKE = """wish => fetch("/api/rooms", {method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify(wish)}).then(answer => answer.json())"""


def targets(page: Page, kind: str = "") -> Locator:
    """What can be chosen now."""
    return page.locator(f"#board {kind}.can")


def place(page: Page, name: str) -> Locator:
    return page.locator(f"#board [data-target='{name}']")


def moves(page: Page) -> Locator:
    return page.locator("#moves li")


def open_room(page: Page, **wish: Any) -> str:
    """A game that whoever looks at this page has wished for; the address of its page, which is opened."""
    page.goto("/static/icon.svg")
    made = page.evaluate(_MAKE, {"game": "pentago", **wish})
    assert "page" in made, made
    page.goto(made["page"])
    return str(made["page"])


def play(page: Page, *turns: str, shown: str | None = None) -> None:
    """Click whole turns; each is shown as it was clicked, or otherwise."""
    for turn in turns:
        for step in turn.split():
            place(page, step).and_(targets(page)).click()
        expect(moves(page).last).to_have_text(shown or turn)


def sit(page: Page, address: str, name: str) -> None:
    """Come to a game by its link and take a seat there."""
    page.goto(address)
    page.locator("#join-name").fill(name)
    page.get_by_role("button", name="Join game").click()
    expect(page.locator("#join")).to_be_hidden()

"""Helpers of browser tests: locators, and games made by a page."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
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
BLANK = "/worker.js"  # an address of the site without a page's scripts, to ask the server from

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


def act(page: Page, name: str) -> None:
    """Presses a button of the game, one in the menu "More" after opening that; waits for the form for a new game."""
    menu = page.locator("#more-menu")
    if menu.locator(f"#{name}").count() and menu.get_attribute("open") is None:
        menu.locator("summary").click()
    page.locator(f"#{name}").click()
    if name == "new":  # the page loads the form first
        expect(page.locator("#new-dialog")).to_be_visible()


def open_room(page: Page, **request: Any) -> str:
    """Makes a game as the user of this page and opens it; returns its address."""
    page.goto(BLANK)
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


# The size of a GIF, the durations of its frames in microseconds, and some frames as PNG.
_DECODE = """async ({ text, shown }) => {
  const data = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: "image/gif" });
  await decoder.tracks.ready;
  const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
  const frames = [], pictures = [];
  let size;
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    size = [image.displayWidth, image.displayHeight];
    frames.push(image.duration);
    if (!shown.includes(frameIndex)) continue;
    const canvas = Object.assign(document.createElement("canvas"), { width: size[0], height: size[1] });
    canvas.getContext("2d").drawImage(image, 0, 0);
    pictures.push(canvas.toDataURL().split(",")[1]);
  }
  return { size, repetitionCount, frames, pictures };
}"""


def read_gif(page: Page, file: Path, *shown: int) -> dict[str, Any]:
    """A GIF as the browser decodes it: its size, the durations of its frames, and some frames as PNG in base64."""
    text = base64.b64encode(file.read_bytes()).decode()
    return dict(page.evaluate(_DECODE, {"text": text, "shown": list(shown)}))

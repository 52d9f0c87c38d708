"""Helpers of browser tests: locators, and games made by a page."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
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
MOST_TABS = 60

# Axe lists violations alone: with all that is as it should be, its answers are megabytes. No rule reads style sheets.
AXE = {"resultTypes": ["violations"], "preload": False}

_MAKE = """request => fetch("/api/rooms", {method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify(request)}).then(response => response.json())"""


def targets(page: Page, kind: str = "") -> Locator:
    """The targets that can be chosen now."""
    return page.locator(f"#board {kind}.can")


def place(page: Page, name: str) -> Locator:
    return page.locator(f"#board [data-target='{name}']")


def moves(page: Page) -> Locator:
    return page.locator("#moves li")


def opener(page: Page, name: str) -> Locator:
    """What leads to a button of the game, and has the focus after its dialog: itself, or the menu "More" around it."""
    menu = page.locator("#more-menu")
    return menu.locator("summary") if menu.locator(f"#{name}").count() else page.locator(f"#{name}")


def act(page: Page, name: str) -> None:
    """Presses a button, one in the menu "More" after opening that; waits for dialogs that are loaded first."""
    menu = page.locator("#more-menu")
    if menu.locator(f"#{name}").count() and menu.get_attribute("open") is None:
        opener(page, name).click()
    page.locator(f"#{name}").click()
    if name in ("new", "settings"):
        expect(page.locator(f"#{name}-dialog")).to_be_visible()


def choose_setting(page: Page, name: str) -> None:
    """Turns a setting on."""
    act(page, "settings")
    page.locator(f"[data-setting={name}]").check()
    page.keyboard.press("Escape")
    expect(dialogs(page)).to_have_count(0)


def dialogs(page: Page) -> Locator:
    return page.locator("dialog[open]")


def set_theme(page: Page, theme: str) -> None:
    page.add_init_script(f"localStorage.setItem('theme', '{theme}')")


def leave_engine_off(page: Page) -> None:
    """Boards that are opened on the Analysis page start no engine."""
    page.add_init_script("localStorage.setItem('autostart', 'false')")


def open_room(page: Page, **request: Any) -> str:
    """Makes a game as the user of this page and opens it; returns its address."""
    page.goto(BLANK)
    made = page.evaluate(_MAKE, {"game": "pentago", **request})
    assert "page" in made, made
    page.goto(made["page"])
    return str(made["page"])


def without_rules(page: Page) -> None:
    """The page gets no rules of games, as from a server whose installation lacks them."""
    page.route("**/rules/*.json", lambda route: route.fulfill(body="null"))


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


def rematch(asker: Page, other: Page) -> None:
    """Asks for the next game; the other player accepts, and both go there."""
    asker.locator("#again").click()
    other.locator("#offer-yes").click()
    expect(asker.locator("#again")).to_have_text("Rematch accepted. Go to the game")
    asker.locator("#again").click()
    asker.wait_for_url(other.url)


# ── looks and the keyboard ────────────────────────────────────────────────────────────────────────


def accessible(page: Page, part: str | None = None) -> None:
    """Axe finds no violation on the page, or in a part of it."""
    found = Axe().run(page, context=part, options=AXE)
    assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and no dialog scrolls sideways."""
    wide = page.evaluate(
        """() => [document.documentElement,
                ...document.querySelectorAll("dialog[open], .pages, .side, .panel, .presets")]
            .filter(each => each.scrollWidth > each.clientWidth + 1 && each.checkVisibility())
            .map(each => each.id || each.className || each.tagName)"""
    )
    assert not wide, f"{page.url}: wider than the screen: {wide}"


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    for _ in range(MOST_TABS):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} cannot be reached")


_WAY = """name => {
    const centre = element => { const box = element.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2]; };
    const touch = element => element.querySelector(".touch");
    const [x, y] = centre(touch(document.activeElement));
    const [a, b] = centre(touch(document.querySelector(`#board [data-target="${name}"]`)));
    return [Math.round(a - x), Math.round(b - y)]; }"""


def go(page: Page, name: str) -> None:
    """Moves over the board with the arrow keys until a target has the focus."""
    for _ in range(30):
        right, down = page.evaluate(_WAY, name)
        if page.evaluate("document.activeElement.dataset.target") == name:
            return
        sideways = abs(right) > abs(down)
        page.keyboard.press(
            ("ArrowRight" if right > 0 else "ArrowLeft") if sideways else "ArrowDown" if down > 0 else "ArrowUp"
        )
    raise AssertionError(f"{name} cannot be reached")


# ── GIF ──────────────────────────────────────────────────────────────────────────────────────────

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
    if (shown.includes(frameIndex)) {
      const canvas = Object.assign(document.createElement("canvas"), { width: size[0], height: size[1] });
      canvas.getContext("2d").drawImage(image, 0, 0);
      pictures.push(canvas.toDataURL().split(",")[1]);
    }
    image.close(); // the browser complains about a frame that is left to the garbage collector
  }
  decoder.close();
  return { size, repetitionCount, frames, pictures };
}"""


def read_gif(page: Page, file: Path, *shown: int) -> dict[str, Any]:
    """A GIF as the browser decodes it: its size, the durations of its frames, and some frames as PNG in base64."""
    text = base64.b64encode(file.read_bytes()).decode()
    return dict(page.evaluate(_DECODE, {"text": text, "shown": list(shown)}))

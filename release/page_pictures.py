"""Pictures of the pages for the docs: stills, and a film of all three games, taken from a server in Debian's chromium.

`python -m release.page_pictures` makes them all, `python -m release.page_pictures pente.png games.webp` some of them.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

import pentad
from release.pictures import BOARDS
from tests.web.server_process import Player, Server

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
TIMEOUT_MILLISECONDS = 300_000  # an engine may have to be compiled first
WINDOW = ViewportSize(width=1120, height=680)
COLOURS_OF_STILL = 256

FILM, FILM_WIDTH = "games.webp", 900
FRAME_MILLISECONDS = 40
OPENING_MILLISECONDS, ENDING_MILLISECONDS = 600, 1100  # a scene stands still before its first turn and after each one
QUALITY = 82

ANIMATIONS = "document.getAnimations().map(each => each.effect.getComputedTiming().endTime)"
END = "for (const each of document.getAnimations()) each.finish()"
SHOW_AT = "time => { for (const each of document.getAnimations()) each.currentTime = time; }"


class Scene(NamedTuple):
    """A position of a game, and the turns that are played from it."""

    position: str
    turns: Sequence[str]


# A twist that makes a line of five, two captures, and a piece that takes the place of another.
SCENES = {
    "pentago": Scene("pentago ..bbbw/b.b..w/w..w../..w.b./.bw..w/......", ["c2 1A"]),
    "pente": Scene("pente size=13 13/13/13/13/13/2b5w4/3wbww6/3b1wbb5/5w7/6w6/7b5/13/13 2,2", ["H7", "J6"]),
    "pentagame": Scene(BOARDS["pentagame"], ["[0,4,9,2,5] [0,11,1,3,0]"]),
}
ANALYSED = "pentago bbwwb./..w.../.bbw.b/bww.bw/bwb.../wb...w"  # a win, a draw or a loss by where the marble goes


class Room(NamedTuple):
    """A game of two people on a server, and the sockets of both."""

    name: str
    players: Sequence[Player]

    def play(self, turn: str) -> None:
        """Plays a turn for the player whose turn it is."""
        seat = self.players[0].state["turn"]
        answer = self.players[seat].play(turn)
        if answer["type"] != "played":
            raise ValueError(f"{turn!r} is not played: {answer}")
        self.players[1 - seat].receive("played")


class Studio(NamedTuple):
    """A server and a browser."""

    server: Server
    browser: Browser

    def page(self, scale: float = 1, theme: str = "light", looks: Mapping[str, str] = {}) -> Page:
        """An empty page, with looks for `board` and `pieces`."""
        context = self.browser.new_context(
            base_url=self.server.url, viewport=WINDOW, device_scale_factor=scale, service_workers="block"
        )
        context.set_default_timeout(TIMEOUT_MILLISECONDS)
        page = context.new_page()
        stored = {"theme": theme, "autostart": "false"} | {
            f"look-{kind}": json.dumps(look) for kind, look in looks.items()
        }
        page.add_init_script(f"Object.assign(localStorage, {json.dumps(stored)})")
        return page

    @contextlib.contextmanager
    def room(self, scene: Scene) -> Iterator[Room]:
        """A new game with the position of a scene."""
        game = pentad.load(scene.position).game
        name, host = self.server.make(game=game, position=scene.position, seats=["human", "open"], name="Ada")
        guest = self.server.sit(name, name="Ben")
        with self.server.join(name, host) as one, self.server.join(name, guest) as other:
            for player in (one, other):
                player.receive("state")
            yield Room(name, (one, other))

    def watch(self, page: Page, room: Room) -> None:
        """Shows a game as a spectator sees it."""
        page.goto(f"/play/{room.name}")
        expect(page.locator("#board svg")).to_be_visible()
        settle(page)

    def analyse(self, page: Page, position: str) -> None:
        """Shows a position on the Analysis page, with the engine off."""
        page.goto(f"/analyse?{urlencode({'start': position})}")
        expect(page.locator("#board svg")).to_be_visible()
        settle(page)


def settle(page: Page) -> None:
    """Waits for fonts and animations."""
    page.evaluate("document.fonts.ready.then(() => {})")
    page.wait_for_function("() => !document.getAnimations().length")


def show_values(page: Page) -> None:
    """Turns the engine on, and waits for the exact values of the moves."""
    page.locator("#engine-on").check()
    expect(page.locator("#legend")).to_be_visible()
    settle(page)


def shot(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


# ── stills ───────────────────────────────────────────────────────────────────────────────────────


def game(name: str, theme: str = "light", looks: Mapping[str, str] = {}) -> Callable[[Studio], Image.Image]:
    """A game after the turns of its scene."""

    def take(studio: Studio) -> Image.Image:
        page = studio.page(theme=theme, looks=looks)
        with studio.room(SCENES[name]) as room:
            for turn in SCENES[name].turns:
                room.play(turn)
            studio.watch(page, room)
            return shot(page)

    return take


def analysis(studio: Studio) -> Image.Image:
    """The exact values of the moves of a position of Pentago."""
    page = studio.page()
    studio.analyse(page, ANALYSED)
    show_values(page)
    return shot(page)


def model(studio: Studio) -> Image.Image:
    """A graph grammar in the middle of a game."""
    page = studio.page()
    page.goto("/models/pentago?rows=1&cols=2&path=0.0.0.0.0.0")
    page.wait_for_load_state("networkidle")
    page.locator("#where").evaluate("each => each.scrollIntoView()")
    settle(page)
    return shot(page)


STILLS: Mapping[str, Callable[[Studio], Image.Image]] = {
    "play.png": game("pentago"),
    "pente.png": game("pente"),
    "pentagame.png": game("pentagame"),
    "analysis.png": analysis,
    "models.png": model,
    "dark.png": game("pente", theme="dark", looks={"board": "slate", "pieces": "stone"}),
    "paper.png": game("pentago", looks={"board": "paper", "pieces": "flat"}),
}


# ── the film ─────────────────────────────────────────────────────────────────────────────────────

Frame = tuple[Image.Image, int]  # with the milliseconds for which it is shown


def film(studio: Studio) -> Iterator[Frame]:
    """All frames of the film."""
    page = studio.page(FILM_WIDTH / WINDOW["width"])
    yield from played(studio, page, SCENES["pentago"])
    studio.analyse(page, ANALYSED)
    yield shot(page), OPENING_MILLISECONDS
    show_values(page)
    yield shot(page), ENDING_MILLISECONDS + OPENING_MILLISECONDS
    yield from played(studio, page, SCENES["pente"])
    yield from played(studio, page, SCENES["pentagame"])


def played(studio: Studio, page: Page, scene: Scene) -> Iterator[Frame]:
    """A scene as a spectator sees it. The time of animations stands still; each frame sets it."""
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    with studio.room(scene) as room:
        studio.watch(page, room)
        yield shot(page), OPENING_MILLISECONDS
        for turn in scene.turns:
            session.send("Animation.setPlaybackRate", {"playbackRate": 0})
            room.play(turn)
            page.wait_for_function(f"() => {ANIMATIONS}.length")
            for time in range(0, int(max(page.evaluate(ANIMATIONS))), FRAME_MILLISECONDS):
                page.evaluate(SHOW_AT, time)
                yield shot(page), FRAME_MILLISECONDS
            page.evaluate(END)
            session.send("Animation.setPlaybackRate", {"playbackRate": 1})
            settle(page)
            yield shot(page), ENDING_MILLISECONDS
    session.detach()


def save_film(frames: Sequence[Frame], path: Path) -> None:
    (first, *rest), durations = zip(*frames, strict=True)
    first.save(path, save_all=True, append_images=rest, duration=durations, loop=0, quality=QUALITY, method=6)


@contextlib.contextmanager
def studio() -> Iterator[Studio]:
    """Starts a server and a browser."""
    expect.set_options(timeout=TIMEOUT_MILLISECONDS)
    with Server() as server, sync_playwright() as playwright:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"], timeout=TIMEOUT_MILLISECONDS
        )
        yield Studio(server, browser)
        browser.close()


def main(names: Sequence[str]) -> None:
    with studio() as running:
        for name in names or [*STILLS, FILM]:
            if name == FILM:
                save_film(list(film(running)), FOLDER / name)
            else:
                STILLS[name](running).quantize(COLOURS_OF_STILL).save(FOLDER / name, optimize=True)
            print(f"{name}: {(FOLDER / name).stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

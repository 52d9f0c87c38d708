"""One's own move is drawn before the server has answered, and taken back where it refuses; a dead line is noticed."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.browsing import NewPage, moves, open_room, place, play, sit, targets

pytestmark = pytest.mark.browser

# What the page moves takes a long while once a test says so; and how much is moving so.
LONG = 1e6  # milliseconds
SLOWLY = f"""window.slowly = false;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {{
        return animate.call(this, frames, slowly ? {{...how, duration: {LONG}}} : how);
    }};"""
DROPS_SLOWLY = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".board.fresh .target:has(.last) .ball { animation-duration: 3s !important }");
    document.adoptedStyleSheets = [sheet];
}"""
MOVING = f"""document.getAnimations().filter(each => each.playState === "running" &&
    each.effect.getTiming().duration === {LONG}).length"""


class Wire:
    """The lines of a page to its room: what the page says can be held back, refused or lost, and lines can be cut."""

    def __init__(self, page: Page) -> None:
        self.page, self.holds, self.loses, self.closed = page, False, False, False
        self.refuses: str | None = None
        self.held: list[tuple[WebSocketRoute, str]] = []
        self.lines: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/api/rooms/"), self._through)

    def _through(self, line: WebSocketRoute) -> None:
        self.lines.append(line)
        if self.closed:
            line.close(code=1012)
            return
        server = line.connect_to_server()

        def forward(message: str | bytes) -> None:
            text = str(message)
            if self.loses:
                return
            if json.loads(text)["type"] != "step":
                server.send(text)
            elif self.refuses:
                line.send(json.dumps({"type": "error", "error": self.refuses}))
            elif self.holds:
                self.held.append((server, text))
            else:
                server.send(text)

        line.on_message(forward)

    def cut(self) -> None:
        self.closed = True
        self.lines[-1].close(code=1012)

    def mend(self) -> None:
        self.closed = False
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def refuse(self, why: str) -> None:
        """Answer what is held back with an error."""
        self.holds, self.held = False, []
        self.lines[-1].send(json.dumps({"type": "error", "error": why}))

    def release(self) -> None:
        self.holds = False
        for server, text in self.held:
            server.send(text)
        self.held = []


def open_wired(page: Page, **wish: Any) -> Wire:
    wire = Wire(page)
    open_room(page, seats=["human", "human"], **wish)
    expect(targets(page).first).to_be_visible()
    return wire


def cut_off(new_page: NewPage) -> tuple[Page, Page, Wire]:
    """Two people in one game; the first of them has lost the line."""
    page, other = new_page(expected=("WebSocket",)), new_page()
    wire = Wire(page)
    address = open_room(page, seats=["human", "open"], name="Ann", game="pente", options={"size": 9, "rules": "gomoku"})
    sit(other, address, "Bob")
    expect(page.locator("#share")).to_be_hidden()
    wire.cut()
    expect(page.locator("#connection")).to_have_text("Connection lost. Reconnecting…")
    return page, other, wire


def touch(page: Page, name: str) -> None:
    place(page, name).and_(targets(page)).click()


# ── at once ──────────────────────────────────────────────────────────────────────────────────────


def test_a_marble_and_its_twist_are_seen_before_the_server_has_answered(new_page: NewPage) -> None:
    page = new_page()
    wire = open_wired(page)
    wire.holds = True
    touch(page, "a0")
    expect(place(page, "a0").locator(".ball.black")).to_have_count(1)
    assert targets(page).count() == 0  # one thing after the other
    wire.release()
    expect(targets(page, ".twist")).to_have_count(8)
    expect(place(page, "a0").locator(".ball.black")).to_have_count(1)
    wire.holds = True
    before = place(page, "a0").locator(".ball").bounding_box()
    touch(page, "1C")
    after = place(page, "a0").locator(".ball").bounding_box()
    assert before
    assert after
    assert after["x"] > before["x"] + 50
    expect(moves(page)).to_have_count(0)
    wire.release()
    expect(moves(page)).to_have_text(["a0 1C"])
    expect(place(page, "a2").locator(".ball.black")).to_have_count(1)
    assert page.locator("#board .optimistic").count() == 0


def test_a_stone_is_seen_at_once_and_what_it_takes_with_the_answer(new_page: NewPage) -> None:
    page = new_page()
    wire = open_wired(page, game="pente", options={"size": 9, "tournament_rule": False})
    play(page, "E5", "D5", "A1", "C5", "A9")  # black's two are taken from B5
    play(page, "J9")
    wire.holds = True
    touch(page, "B5")
    expect(place(page, "B5").locator(".ball.white")).to_have_count(1)
    expect(place(page, "C5").locator(".ball.black")).to_have_count(1)
    wire.release()
    expect(place(page, "C5").locator(".ball")).to_have_count(0)
    expect(place(page, "B5").locator(".ball.white")).to_have_count(1)


def test_a_piece_and_its_block_move_at_once(new_page: NewPage) -> None:
    page = new_page()
    wire = open_wired(page, game="pentagame")
    wire.holds = True
    start = place(page, "piece 0.3").bounding_box()
    touch(page, "piece 0.3")
    touch(page, "[5,0,0]")
    there = place(page, "[5,0,0]").locator(".touch").bounding_box()
    piece = place(page, "piece 0.3").locator(".ball").bounding_box()
    assert start
    assert there
    assert piece
    assert abs(piece["x"] + piece["width"] / 2 - there["x"] - there["width"] / 2) < 3
    wire.release()
    expect(page.locator("#detail")).to_have_text("Put the black block on an empty field.")
    wire.holds = True
    touch(page, "[5,2,2]")
    there = place(page, "[5,2,2]").locator(".touch").bounding_box()
    block = page.locator("#board .pool .ball.black").bounding_box()
    assert there
    assert block
    assert abs(block["x"] + block["width"] / 2 - there["x"] - there["width"] / 2) < 3
    wire.release()
    expect(moves(page)).to_have_count(1)


# ── taken back ───────────────────────────────────────────────────────────────────────────────────


def test_what_is_refused_is_taken_back_and_the_reason_told(new_page: NewPage) -> None:
    page = new_page()
    wire = open_wired(page)
    wire.refuses = "the game cannot be kept now: the disk is full"
    touch(page, "a0")
    expect(page.locator("#message")).to_have_text("The game cannot be kept now: the disk is full.")
    expect(place(page, "a0").locator(".ball")).to_have_count(0)
    wire.refuses = None
    touch(page, "b0")
    expect(targets(page, ".twist")).to_have_count(8)
    wire.refuses = "the game cannot be kept now: the disk is full"
    ball = place(page, "b0").locator(".ball")
    expect(ball).to_be_visible()
    before = ball.bounding_box()
    touch(page, "1C")
    expect(page.locator("#message")).to_be_visible()
    expect(ball).to_be_visible()
    assert ball.bounding_box() == before
    wire.refuses = None
    touch(page, "1C")
    expect(moves(page)).to_have_text(["b0 1C"])


@pytest.mark.parametrize(
    ("game", "accepted", "refused"),
    [
        ("pentago", [], ["a0"]),
        ("pentago", ["a0"], ["1C"]),
        ("pentago", ["a0"], ["1A"]),
        ("pentagame", [], ["piece 0.3", "[5,0,0]"]),
        ("pente", [], ["K10"]),
    ],
)
def test_what_was_taken_back_moves_no_more(
    new_page: NewPage, game: str, accepted: list[str], refused: list[str]
) -> None:
    page = new_page(reduced_motion="no-preference")
    page.add_init_script(SLOWLY)
    wire = open_wired(page, game=game)
    for each in accepted:
        touch(page, each)
    expect(targets(page, ".twist" if accepted else "").first).to_be_visible()
    page.evaluate("slowly = true")
    wire.holds = True
    for each in refused:
        touch(page, each)
    assert page.evaluate(MOVING) > 0
    wire.refuse("the game cannot be kept now: the disk is full")
    expect(page.locator("#message")).to_have_text("The game cannot be kept now: the disk is full.")
    assert page.evaluate(MOVING) == 0


def test_a_twist_is_seen_to_turn_while_the_marble_still_drops(new_page: NewPage) -> None:
    page = new_page(reduced_motion="no-preference")
    page.add_init_script(SLOWLY)
    wire = open_wired(page)
    page.evaluate(DROPS_SLOWLY)
    touch(page, "a0")
    expect(targets(page, ".twist")).to_have_count(8)
    page.evaluate("slowly = true")
    wire.holds = True
    touch(page, "1C")
    expect(page.locator("#board")).not_to_have_class(re.compile("fresh"))  # the marble lies
    assert page.evaluate(MOVING) > 0


def test_a_move_that_nobody_heard_of_can_be_cancelled_and_else_is_sent_again(new_page: NewPage) -> None:
    page, other, wire = cut_off(new_page)
    touch(page, "E5")
    expect(place(page, "E5").locator(".ball.white")).to_have_count(1)  # drawn, and waiting
    page.locator("#cancel").click()
    expect(place(page, "E5").locator(".ball")).to_have_count(0)
    expect(page.locator("#cancel")).to_be_hidden()
    touch(page, "D5")
    expect(moves(other)).to_have_count(0)
    wire.mend()
    expect(moves(page)).to_have_text(["D5"])
    expect(moves(other)).to_have_text(["D5"])


def test_a_move_that_came_too_late_is_taken_back_when_the_line_is_there_again(new_page: NewPage) -> None:
    page, other, wire = cut_off(new_page)
    touch(page, "E5")
    expect(place(page, "E5").locator(".ball.white")).to_have_count(1)
    other.locator("#resign").click()
    other.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    wire.mend()
    expect(page.locator("#headline")).to_have_text("You win")
    expect(place(page, "E5").locator(".ball")).to_have_count(0)
    expect(moves(page)).to_have_count(0)


# ── a line that is dead without saying so ────────────────────────────────────────────────────────


def test_any_touch_finds_out_within_three_seconds_that_the_line_is_dead(new_page: NewPage) -> None:
    page = new_page(expected=("WebSocket",))
    wire = Wire(page)
    page.clock.install()
    open_room(page, seats=["human", "human"])
    play(page, "a0 1C")
    expect(page.locator("#connection")).to_be_hidden()
    wire.loses = wire.closed = True
    page.clock.run_for(20_000)  # nobody touches anything
    expect(page.locator("#connection")).to_be_hidden()
    page.locator("#headline").click()
    page.clock.run_for(2_900)
    expect(page.locator("#connection")).to_be_hidden()
    page.clock.run_for(200)
    expect(page.locator("#connection")).to_have_text("Connection lost. Reconnecting…")
    wire.loses = wire.closed = False
    page.clock.run_for(10_000)
    expect(page.locator("#connection")).to_be_hidden()
    play(page, "b3 2A")

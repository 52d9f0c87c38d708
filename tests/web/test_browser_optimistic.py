"""Optimistic moves in a browser: drawn before the server confirms them, reverted if refused; dead connections.

The pages here have no rules of games, so that each step of a turn waits for the server.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.cases import slow
from tests.web.browser_helpers import NewPage, join, moves, open_room, place, play, targets, without_rules
from tests.web.wire import Wire

pytestmark = pytest.mark.browser

# Makes animations very long once `slowly` is set, and counts those that run.
LONG_MILLISECONDS = 1e6
SLOWLY = f"""window.slowly = false;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {{
        return animate.call(this, frames, slowly ? {{...how, duration: {LONG_MILLISECONDS}}} : how);
    }};"""
DROPS_SLOWLY = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".board.fresh .target:has(.last) .ball { animation-duration: 3s !important }");
    document.adoptedStyleSheets = [sheet];
}"""
MOVING = f"""document.getAnimations().filter(each => each.playState === "running" &&
    each.effect.getTiming().duration === {LONG_MILLISECONDS}).length"""


def open_wired(page: Page, **request: Any) -> Wire:
    wire = Wire(page)
    without_rules(page)
    open_room(page, seats=["human", "human"], **request)
    expect(targets(page).first).to_be_visible()
    return wire


def cut_off(new_page: NewPage) -> tuple[Page, Page, Wire]:
    """Two people in one game; the first has lost the connection."""
    page, other = new_page(expected=("WebSocket",)), new_page()
    wire = Wire(page)
    address = open_room(page, seats=["human", "open"], name="Ann", game="pente", options={"size": 9, "rules": "gomoku"})
    join(other, address, "Bob")
    expect(page.locator("#share")).to_be_hidden()
    wire.cut()
    expect(page.locator("#connection")).to_have_text("Connection lost. Reconnecting…")
    return page, other, wire


def touch(page: Page, name: str) -> None:
    place(page, name).and_(targets(page)).click()


# ── optimistic moves ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_marble_and_its_twist_are_shown_before_the_answer(new_page: NewPage) -> None:
    page = new_page()
    wire = open_wired(page)
    wire.holds = True
    touch(page, "a0")
    expect(place(page, "a0").locator(".ball.black")).to_have_count(1)
    assert targets(page).count() == 0  # one step at a time
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


@pytest.mark.slow
def test_a_stone_is_shown_at_once_and_its_captures_with_the_answer(new_page: NewPage) -> None:
    page = new_page()
    wire = open_wired(page, game="pente", options={"size": 9, "tournament_rule": False})
    play(page, "E5", "D5", "A1", "C5", "A9")  # a white stone on B5 captures black's two
    play(page, "J9")
    wire.holds = True
    touch(page, "B5")
    expect(place(page, "B5").locator(".ball.white")).to_have_count(1)
    expect(place(page, "C5").locator(".ball.black")).to_have_count(1)
    wire.release()
    expect(place(page, "C5").locator(".ball")).to_have_count(0)
    expect(place(page, "B5").locator(".ball.white")).to_have_count(1)


@pytest.mark.slow
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


# ── reverted moves ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_refused_step_is_reverted_and_the_reason_shown(new_page: NewPage) -> None:
    page = new_page()
    wire = open_wired(page)
    wire.refuses = "The game cannot be saved: the disk is full."
    touch(page, "a0")
    expect(page.locator("#message")).to_have_text("The game cannot be saved: the disk is full.")
    expect(place(page, "a0").locator(".ball")).to_have_count(0)
    wire.refuses = None
    touch(page, "b0")
    expect(targets(page, ".twist")).to_have_count(8)
    wire.refuses = "The game cannot be saved: the disk is full."
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "accepted", "refused"),
    [
        ("pentago", [], ["a0"]),
        slow("pentago", ["a0"], ["1C"]),
        slow("pentago", ["a0"], ["1A"]),
        ("pentagame", [], ["piece 0.3", "[5,0,0]"]),
        slow("pente", [], ["K10"]),
    ],
)
def test_a_reverted_step_is_no_longer_animated(
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
    wire.refuse("The game cannot be saved: the disk is full.")
    expect(page.locator("#message")).to_have_text("The game cannot be saved: the disk is full.")
    assert page.evaluate(MOVING) == 0


@pytest.mark.slow
def test_a_twist_is_animated_while_the_marble_still_drops(new_page: NewPage) -> None:
    page = new_page(reduced_motion="no-preference")
    page.add_init_script(SLOWLY)
    wire = open_wired(page)
    page.evaluate(DROPS_SLOWLY)
    touch(page, "a0")
    expect(targets(page, ".twist")).to_have_count(8)
    page.evaluate("slowly = true")
    wire.holds = True
    touch(page, "1C")
    expect(page.locator("#board")).not_to_have_class(re.compile("fresh"))  # the marble has dropped
    assert page.evaluate(MOVING) > 0


@pytest.mark.slow
def test_an_unsent_move_can_be_cancelled_or_is_sent_after_the_reconnect(new_page: NewPage) -> None:
    page, other, wire = cut_off(new_page)
    touch(page, "E5")
    expect(place(page, "E5").locator(".ball.white")).to_have_count(1)  # it is drawn, and waits
    page.locator("#cancel").click()
    expect(place(page, "E5").locator(".ball")).to_have_count(0)
    expect(page.locator("#cancel")).to_be_hidden()
    touch(page, "D5")
    expect(moves(other)).to_have_count(0)
    wire.mend()
    expect(moves(page)).to_have_text(["D5"])
    expect(moves(other)).to_have_text(["D5"])


@pytest.mark.slow
def test_a_move_that_is_too_late_is_reverted_after_the_reconnect(new_page: NewPage) -> None:
    page, other, wire = cut_off(new_page)
    touch(page, "E5")
    expect(place(page, "E5").locator(".ball.white")).to_have_count(1)
    other.locator("#resign").click()
    other.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    wire.mend()
    expect(page.locator("#headline")).to_have_text("You win")
    expect(place(page, "E5").locator(".ball")).to_have_count(0)
    expect(moves(page)).to_have_count(0)


# ── dead connections ────────────────────────────────────────────────────────


def test_any_touch_detects_a_dead_connection_within_three_seconds(new_page: NewPage) -> None:
    page = new_page(expected=("WebSocket",))
    wire = Wire(page)
    page.clock.install()
    open_room(page, seats=["human", "human"])
    play(page, "a0 1C")
    expect(page.locator("#connection")).to_be_hidden()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 10)  # time passes below, and only there
    wire.loses = wire.closed = True
    page.clock.run_for(20_000)  # no input comes meanwhile
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

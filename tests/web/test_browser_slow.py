"""The Play page while the server is slow or away: the page has the rules of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pentad.web.instant import engines
from tests.waiting import wait_until
from tests.web.browser_helpers import NewPage, act, join, moves, open_room, place, play, targets
from tests.web.server_process import Server
from tests.web.site.kept_site import check_tools
from tests.web.wire import Wire

pytestmark = pytest.mark.browser

LOST = "Connection lost. Reconnecting…"
HAS_RULES = """async ([game, flip]) => {
    const script = document.querySelector("script[src$='play/page.js']").src.replace("page.js", "rules.js");
    const headers = {"Content-Type": "application/json"};
    const answer = await fetch(`/api/preview?flip=${flip}`, {method: "POST", headers, body: JSON.stringify({ game })});
    return (await import(script)).earlierPosition(await answer.json(), 0) !== null; }"""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    check_tools()
    engines.folder()
    with Server() as server:
        yield server.url


def wait_for_rules(page: Page, game: str = "pentago", *, flip: bool = False) -> None:
    wait_until(lambda: page.evaluate(HAS_RULES, [game, flip]), "the rules of the game")


def open_slow(page: Page, game: str = "pentago", **request: Any) -> Wire:
    """A game in a page that has its rules."""
    wire = Wire(page)
    open_room(page, game=game, **request)
    wait_for_rules(page, game)
    return wire


def touch(page: Page, *names: str) -> None:
    for name in names:
        place(page, name).and_(targets(page)).click()


@pytest.mark.parametrize(
    ("game", "steps", "last", "move"),
    [
        ("pentago", ["a0"], "1C", "a0 1C"),
        ("pentagame", ["piece 0.3", "[5,0,0]"], "[5,2,2]", "R>w b:w2Y"),
    ],
)
def test_the_choices_of_a_turn_come_before_the_answer(
    new_page: NewPage, game: str, steps: list[str], last: str, move: str
) -> None:
    page = new_page()
    wire = open_slow(page, game, seats=["human", "human"])
    wire.holds = True
    touch(page, *steps, last)
    wait_until(lambda: wire.held, "the message of the whole turn")
    assert len(wire.held) == 1
    wire.release()
    expect(moves(page)).to_have_text([move])


def test_a_flipped_board_shows_the_choices_at_once_too(new_page: NewPage) -> None:
    page = new_page()
    wire = open_slow(page, seats=["human", "human"])
    act(page, "flip")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    wait_for_rules(page, flip=True)
    wire.holds = True
    touch(page, "a0", "1C")
    wait_until(lambda: wire.held, "the message of the whole turn")
    wire.release()
    expect(moves(page)).to_have_text(["a0 1C"])


def test_a_turn_is_finished_without_a_connection_and_played_once(new_page: NewPage) -> None:
    page = new_page(expected=("WebSocket",))
    wire = open_slow(page, seats=["human", "greedy"])
    touch(page, "a0")
    wire.cut()
    expect(page.locator("#connection")).to_have_text(LOST)
    expect(page.locator("#headline")).to_have_text("Your turn")
    touch(page, "1C")
    expect(page.locator("#detail")).to_have_text("Your move is sent when the connection is back.")
    wire.mend()
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("a0 1C")
    expect(targets(page).first).to_be_visible()
    expect(page.locator("#message")).to_have_text("")


def test_a_turn_is_dropped_with_a_word_if_the_game_has_ended(new_page: NewPage) -> None:
    page, friend = new_page(expected=("WebSocket",)), new_page()
    wire = Wire(page)
    join(friend, open_room(page, seats=["human", "open"], name="Ann"), "Bob")
    wait_for_rules(page)
    touch(page, "a0")
    wire.cut()
    expect(page.locator("#connection")).to_have_text(LOST)
    touch(page, "1C")
    friend.locator("#resign").click()
    friend.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    expect(friend.locator("#headline")).to_have_text("You lose")
    wire.mend()
    expect(page.locator("#headline")).to_have_text("You win")
    expect(page.locator("#message")).to_have_text("The game has changed. Your turn was not played.")
    expect(moves(page)).to_have_count(0)
    expect(page.locator("#board .ball:not(defs *)")).to_have_count(0)


def test_a_premove_is_read_without_the_server(new_page: NewPage) -> None:
    page, friend = new_page(), new_page()
    wire = Wire(page)
    join(friend, open_room(page, seats=["human", "open"], name="Ann"), "Bob")
    wait_for_rules(page)
    play(page, "a0 1C")
    for name in ("d3", "4A"):
        place(page, name).click()
    expect(page.locator("#detail")).to_contain_text("Premove: Black plays d3")
    play(friend, "f5 1A")
    expect(moves(page)).to_have_text(["a0 1C", "f5 1A", "d3 4A"])
    assert set(wire.sent) <= {"step", "here"}


def test_earlier_positions_are_shown_without_a_connection(new_page: NewPage) -> None:
    page = new_page(expected=("WebSocket",))
    wire = open_slow(page, seats=["human", "human"])
    play(page, "a0 1C", "d3 2A")
    wire.cut()
    expect(page.locator("#connection")).to_have_text(LOST)
    page.route("**/api/**", lambda route: route.abort())
    page.locator("#back").click()
    expect(page.locator("#detail")).to_contain_text("After move 1 of 2.")
    expect(page.locator("#board .ball:not(defs *)")).to_have_count(1)

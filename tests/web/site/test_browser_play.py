"""Games on the site: by touch on a phone, after a reload, and in two tabs."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pentad.game import names
from pentad.record.formats import format_of, read
from pentad.search.bot import bot
from pentad.web.rooms.room import STALE
from tests.web.browser_helpers import NewPage, act, moves, place, play, targets
from tests.web.site.page_helpers import PHONE, api, note, open_room, position_of, saved_game, tap, touches

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOWEST = """(select) =>
    [...select.options].map((each) => each.value).filter((each) => each.endsWith("@beginner")).at(-1)"""
TURN = """(count) => {
    const game = JSON.parse(localStorage.getItem(`game ${location.search.split("/").at(-1)}`));
    return game && (game.outcome || (game.moves.length >= count && game.turn === 0)); }"""


def start_by_touch(page: Page, name: str) -> None:
    """Starts a game against the lowest level of the strongest bot."""
    page.goto("")
    page.get_by_role("link", name=f"Play {name.capitalize()}", exact=True).tap()
    page.wait_for_url(re.compile(r"/play/\?game="))
    api(page, "/api/games")
    expect(page.locator("#title")).to_have_text(name.capitalize())
    page.locator("#more-menu summary").tap()
    page.get_by_role("button", name="New game").tap()
    page.locator("#game-choice").get_by_text(name.capitalize(), exact=True).tap()
    page.locator("#more summary").tap()
    opponent = page.locator("select[name=seat1]")
    opponent.select_option(opponent.evaluate(LOWEST))
    page.locator("#new-form .main").tap()
    page.wait_for_url(re.compile(r"/play/\?/"))


@pytest.mark.parametrize("name", names())
def test_a_whole_game_by_touch_on_a_phone(new_page: NewPage, name: str, tmp_path: Path) -> None:
    page = new_page(**PHONE)
    start_by_touch(page, name)
    player, count = bot(name, "greedy", seed=1), 0
    while True:
        page.wait_for_function(TURN, arg=count)
        game = saved_game(page)
        if game["outcome"]:
            break
        position = position_of(game)
        for target in touches(position, str(player.choose(position))):
            tap(page, target)
        count = len(game["moves"]) + 2
    end = position_of(game)
    assert end.outcome, game["outcome"]
    expect(page.locator("#headline")).to_have_text(re.compile("You win|You lose|wins|Draw"))
    # The record of the game, as a file.
    page.get_by_role("link", name="Review this game").tap()
    page.get_by_role("link", name="Analyse this game").tap()
    *earlier, last = game["moves"]
    before = position_of(game | {"moves": earlier})
    expect(page.locator("#tree")).to_contain_text(before.notation(before.parse(last["text"])).split()[0])
    page.get_by_role("button", name="Share…").tap()
    with page.expect_download() as download:
        page.locator("#share-form").get_by_role("button", name="Download").tap()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    (record,) = read(file.read_text(encoding="utf-8"), format_of(file.name), name)
    assert [str(move) for move in record.moves] == [move["text"] for move in game["moves"]]


def test_a_reload_in_the_middle_of_a_game_loses_nothing(new_page: NewPage) -> None:
    page = new_page()
    open_room(page)
    play(page, "a2 1C", "b3 2A")
    place(page, "f5").and_(targets(page)).click()  # this is half a turn
    page.reload()
    expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])
    play(page, "f5 3C")
    address = page.url
    context = page.context
    page.close()
    again = context.new_page()
    again.goto("")  # the start page lists the game
    listed = again.locator("#mine li").filter(has_text="3 moves")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("Your turn")
    listed.get_by_role("link").click()
    expect(again).to_have_url(address)
    expect(moves(again)).to_have_text(["a2 1C", "b3 2A", "f5 3C"])
    act(again, "games")
    expect(again.locator("#games-count")).to_have_text("1 game")
    again.locator(".game-list a").click()
    expect(again).to_have_url(address)
    play(again, "d0 4A")


def test_earlier_positions_are_stepped_through(new_page: NewPage) -> None:
    page = new_page()
    open_room(page)
    play(page, "a2 1C", "b3 2A")
    page.locator("#back").click()
    expect(page.locator("#detail")).to_have_text("After move 1 of 2. Black plays a2 and twists sub-board 1 clockwise.")
    marbles = page.locator("#board .ball:not(defs *)")
    expect(marbles).to_have_count(1)
    page.keyboard.press("Home")
    expect(page.locator("#detail")).to_have_text("Before move 1 of 2.")
    expect(marbles).to_have_count(0)
    moves(page).first.get_by_role("button").click()
    expect(marbles).to_have_count(1)
    page.locator("#live").click()
    play(page, "f5 3C")


def test_a_computers_turn_goes_on_after_a_reload(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, game="pente", seats=["human", "engine@1"])
    place(page, "K10").click()
    expect(moves(page).first).to_be_visible()
    page.reload()
    expect(moves(page)).to_have_count(2)
    expect(targets(page).first).to_be_visible()


def test_two_tabs_show_the_same_game(new_page: NewPage) -> None:
    page = new_page()
    open_room(page)
    other = page.context.new_page()
    other.goto(page.url)
    expect(targets(other).first).to_be_visible()
    play(page, "a2 1C")
    expect(moves(other)).to_have_text(["a2 1C"])
    play(other, "b3 2A")
    expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])
    page.get_by_role("button", name="Undo").click()
    expect(moves(other)).to_have_count(1)


CLICK_AT = """(element, time) => void setTimeout(
    () => element.dispatchEvent(new MouseEvent("click", { bubbles: true })), time - Date.now())"""


def test_moves_in_two_tabs_at_once_lose_nothing(new_page: NewPage) -> None:
    page = new_page()
    open_room(page)
    other = page.context.new_page()
    other.goto(page.url)
    expect(targets(other).first).to_be_visible()
    both = {page: ("a2", "1C"), other: ("e5", "4A")}
    for tab, (space, twist) in both.items():
        place(tab, space).click()
        expect(place(tab, twist).and_(targets(tab))).to_be_visible()
    soon = 1000 * time.time() + 500
    for tab, (_, twist) in both.items():
        # At one time, before either tab's server hears of the other's move.
        place(tab, twist).evaluate(CLICK_AT, soon)
    for tab in both:
        expect(moves(tab)).to_have_count(1)
    (first,) = moves(page).all_inner_texts()
    assert moves(other).all_inner_texts() == [first]
    loser = other if first == "a2 1C" else page
    expect(loser.locator("#message")).to_have_text(STALE)
    play(loser, "b3 2A")
    for tab in both:
        expect(moves(tab)).to_have_text([first, "b3 2A"])
        expect(note(tab)).to_have_count(0)

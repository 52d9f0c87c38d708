"""After the game in a browser: its review, learning from mistakes, and puzzles from own games."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from pentad.game import load
from tests.cases import slow
from tests.web.browser_helpers import BLANK, NewPage, accessible, fits, moves, open_room, place, play
from tests.web.test_browser_learn_puzzles import play as play_steps
from tests.web.test_browser_learn_puzzles import touches

pytestmark = pytest.mark.browser

# White and Black have a four; Black does not see it at move 14.
LOST_AT_14 = ["A1", "J1", "A3", "J3", "E5", "G5", "E6", "G6", "E7", "G7", "C9", "G8", "E8", "J9", "E9"]
SMALL_PENTE = {"game": "pente", "options": {"rules": "gomoku", "size": 9}}
SIZES = [(1280, 800), (390, 844), (320, 568), (844, 390)]

# A position of each game, with a blunder there (see the known errors of tests/play/test_game_review.py).
BLUNDERS = {
    "pentago": ("pentago .wbbbb/wwbbwb/wb.wwb/bb.wbw/..ww../b.wbww", "f1 1A"),
    "pente": (
        "pente rules=freestyle 15/15/4b10/5w9/6wb1b5/6bww1b4/5wbwwwwb3/6wwbbbwb2/5wbb5w1/4b1w8/15/15/15/15/15",
        "N13",
    ),
    "pentagame": (
        (
            "pentagame 0 22 ---,---,100,300,918/000,---,600,300,--- 513,861,433,221,938 837,---,120,---,--- "
            "1:951>600x12/2:951>600 -"
        ),
        "[0,2,2,2,1] [0,14,7,2,4]",
    ),
}


def note(page: Page) -> Locator:
    return page.locator("#review-note")


def verdict(page: Page) -> Locator:
    return page.locator("#verdict")


def kept(page: Page) -> list[dict[str, Any]]:
    return list(json.loads(page.evaluate("localStorage.getItem('mistakes')") or "[]"))


def review_blunder(page: Page, game: str) -> dict[str, Any]:
    """Opens the review of a game with one blunder; returns the puzzle that is kept of it."""
    start, move = BLUNDERS[game]
    page.goto(f"/review?{urlencode({'start': start, 'moves': move, 'seat': load(start).turn})}")
    expect(note(page)).to_contain_text("At move 1 ")
    (puzzle,) = kept(page)
    assert (puzzle["position"], puzzle["played"]) == (load(start).text, move)
    return puzzle


def play_turn(page: Page, position: str, move: str) -> None:
    steps = touches(load(position), move)
    expect(page.locator(f'#board [data-target="{steps[0]["targets"][0]}"].can')).to_be_visible()
    play_steps(page, steps)


def in_sight(page: Page, *names: str) -> None:
    """These parts are whole in the window, and none lies over another one."""
    boxes = page.evaluate(
        """names => names.map(name => { const { left, top, right, bottom } =
            document.querySelector(name).getBoundingClientRect(); return [left, top, right, bottom]; })""",
        names,
    )
    size = page.viewport_size
    assert size
    for name, (left, top, right, bottom) in zip(names, boxes, strict=True):
        assert right > left, name
        assert bottom > top, name
        assert left >= -1, name
        assert top >= -1, name
        assert right <= size["width"] + 1, (name, right, size)
        assert bottom <= size["height"] + 1, (name, bottom, size)
    for i, (left, top, right, bottom) in enumerate(boxes):
        for name, other in list(zip(names, boxes, strict=True))[:i]:
            apart = other[2] <= left + 1 or right <= other[0] + 1 or other[3] <= top + 1 or bottom <= other[1] + 1
            assert apart, (names[i], name, size)


def test_one_press_shows_why_a_game_was_lost(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 800})
    open_room(page, **SMALL_PENTE, seats=["human", "human"])
    play(page, *LOST_AT_14)
    page.get_by_role("link", name="Review this game").click()
    expect(page.locator("#headline")).to_have_text("White wins with five in a row.")
    expect(note(page)).to_contain_text("At move 14 Black missed an immediate win. ")
    expect(note(page)).to_contain_text(re.compile(r"\d blunders\.$"))
    expect(page.locator("#accuracies tbody tr")).to_have_text([re.compile(r"White\d+%"), re.compile(r"Black\d+%")])
    expect(page.locator("#finding-text")).to_have_text(
        "14. J9??: Blunder. Black missed an immediate win. After this move, White wins at once."
    )
    expect(page.locator("#board .hinted")).to_have_count(1)  # the better move is drawn
    expect(place(page, "G4").or_(place(page, "G9")).and_(page.locator(".hinted"))).to_have_count(1)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        in_sight(page, ".top", "#headline", "#board svg", "#accuracies", "#graph svg", ".move-navigation")
        fits(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    in_sight(page, "#board svg", "#graph svg", "#review-note", "#learn", "#finding")
    accessible(page)

    # A press on the graph near a marked move goes there; "Show" draws the better one.
    page.locator("#last").click()
    expect(page.locator("#finding")).to_be_hidden()
    box = page.locator("#graph svg").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * (12 + 576 * 14 / 15) / 600 + 6, box["y"] + 40)
    expect(page.locator("#graph")).to_have_attribute("aria-valuenow", "14")
    expect(page.locator("#finding-text")).to_contain_text("14. J9??")
    page.locator("#show-better").click()
    expect(page.locator("#board .hinted")).to_have_count(1)
    expect(page.locator("#graph")).to_have_attribute("aria-valuenow", "13")

    # On a phone the list is far below the board, which comes back into sight.
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#review-list li").filter(has_text="14. J9").get_by_role("button", name="Show").click()
    expect(page.locator("#board .hinted")).to_have_count(1)
    in_sight(page, "#board svg", "#graph svg")
    page.set_viewport_size({"width": 1280, "height": 800})

    # The side is asked for, as both seats are the user's.
    assert kept(page) == []
    page.locator("#learn").click()
    page.locator("#sides").get_by_role("button", name="Black").click()
    expect(page.locator("#place")).to_contain_text("Mistake 1 of ")
    assert kept(page)
    page.locator("#leave").click()
    page.get_by_role("link", name="Analyse this game").click()
    page.wait_for_url("**/analyse?*")
    expect(page.locator("#tree .marked.blunder").filter(has_text="J9??")).to_have_count(1)  # the findings come along


@pytest.mark.parametrize("game", [slow("pente"), "pentago", slow("pentagame")])
def test_a_better_move_is_learned(new_page: NewPage, game: str) -> None:
    page = new_page(viewport={"width": 1280, "height": 800})
    puzzle = review_blunder(page, game)
    start, move = BLUNDERS[game]
    first = touches(load(start), puzzle["best"])[0]["targets"][0]
    expect(page.locator(f'#board .hinted[data-target="{first}"]')).to_be_visible()
    if game == "pentago":  # the twist is drawn, too: its arrow comes from the drawing after the marble
        expect(page.locator("#board .hint > *")).not_to_have_count(0)
    page.get_by_role("button", name="Learn from your mistakes").click()
    expect(page.locator("#task-title")).to_have_text(re.compile(r"^You played .+\?\?\. Find a better move\.$"))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        in_sight(page, ".top", "#board svg", "#place", "#task-title", "#hint", "#solution")
        fits(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    accessible(page)

    play_turn(page, start, move)
    expect(verdict(page)).to_have_text("This is the move of the game. You can do better, try again.")
    expect(verdict(page)).to_have_class("bad")
    page.locator("#hint").click()
    expect(verdict(page)).to_have_text(re.compile(r"^Hint: (Look at the marked area|Move the marked piece)\.$"))
    expect(page.locator(f'#board .hinted[data-target="{first}"]')).to_be_visible()
    if game != "pentagame":
        assert page.locator("#board .hinted").count() > 1  # an area, not the place
        other = page.locator("#board .can:not(.hinted) .touch").first
        assert other.evaluate("each => getComputedStyle(each).fill") in ("none", "rgba(0, 0, 0, 0)")
    play_turn(page, start, puzzle["best"])
    expect(verdict(page)).to_have_text("Good move.")
    expect(page.locator("#next")).to_be_focused()
    page.locator("#next").click()
    expect(page.locator("#learned-text")).to_have_text("1 found after another try.")
    accessible(page)
    assert kept(page)[0]["due"] > puzzle["due"]  # it comes back tomorrow
    page.locator("#learned-back").click()
    expect(page.locator("#overview")).to_be_visible()


def test_an_answer_is_shown_and_a_mistake_skipped(new_page: NewPage) -> None:
    page = new_page()
    puzzle = review_blunder(page, "pentago")
    page.locator("#learn").click()
    page.locator("#solution").click()
    expect(verdict(page)).to_have_text("This is one solution.")
    expect(page.locator("#next")).to_be_visible()
    page.locator("#next").click()
    expect(page.locator("#learned-text")).to_have_text("1 answer shown.")
    page.locator("#learn-again").click()
    expect(page.locator("#task-title")).to_be_focused()
    page.locator("#skip").click()
    expect(page.locator("#learned-text")).to_have_text("1 skipped.")
    page.reload()  # the findings are there; the puzzle is kept once
    expect(note(page)).to_contain_text("At move 1 Black missed")
    assert [each["number"] for each in kept(page)] == [puzzle["number"]]


def test_a_mistake_is_a_puzzle_on_later_days(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 800})
    puzzle = review_blunder(page, "pentago")
    page.get_by_role("link", name="Puzzles from your games").click()
    expect(page.locator("#own-count")).to_have_text("1 due, 0 later, 0 learned. They stay in this browser.")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        in_sight(page, ".top", "#overview h1", "#own-title", "#own-count") if height > 400 else None
        fits(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    in_sight(page, "#own-list a")
    accessible(page)
    page.locator("#own-list a").click()
    expect(page.locator("#headline")).to_have_text("Find a better move")
    expect(page.locator("#task-text")).to_have_text("You played f1 1A??.")
    play_turn(page, puzzle["position"], puzzle["best"])
    expect(verdict(page)).to_have_text("Good move.")
    expect(page.locator("#next")).to_have_text("Back to the list")
    assert page.locator("#analyse").get_attribute("href") == puzzle["link"]
    page.locator("#next").click()
    expect(page.locator("#own-list")).to_contain_text("Due in 1 day")
    page.evaluate(
        """() => localStorage.setItem("mistakes", JSON.stringify(JSON.parse(localStorage.getItem("mistakes"))
            .map(each => ({ ...each, due: each.due - 2 * 86400000 }))))"""
    )
    page.reload()
    expect(page.locator("#own-list")).to_contain_text("Due now")
    page.locator("#own-list a").click()
    page.locator("#hint").click()
    expect(verdict(page)).to_contain_text("Hint")
    play_turn(page, puzzle["position"], puzzle["best"])
    expect(verdict(page)).to_have_text("Good move.")
    assert kept(page)[0]["stage"] == 0  # a hint was needed
    page.locator("#others").click()
    page.get_by_role("button", name="Remove Pentago").click()
    expect(page.locator("#own-list li")).to_have_count(0)
    assert kept(page) == []


def test_a_puzzle_from_an_own_game_is_three_presses_away(new_page: NewPage) -> None:
    page = new_page()
    start, move = BLUNDERS["pentago"]
    open_room(page, position=start, seats=["human", "engine@1"])
    play_turn(page, start, move)
    expect(moves(page)).to_have_count(2)  # the computer answers, and perhaps wins
    if page.locator("#review-link").is_hidden():
        expect(page.locator("#resign")).to_be_enabled()
        page.locator("#resign").click()
        page.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#headline")).to_have_text("You lose")
    page.get_by_role("link", name="Review this game").click()
    expect(note(page)).to_contain_text("At move 1 Black missed an immediate win.")
    page.get_by_role("link", name="Puzzles from your games").click()
    page.locator("#own-list a").first.click()
    expect(page.locator("#task-text")).to_have_text("You played f1 1A??.")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", "The puzzles from your games cannot be read. Remove them to start anew."),
        ('[{"number": 1}]', "The puzzles from your games cannot be read. Remove them to start anew."),
        ("[" + " " * 1_100_000 + "]", "The puzzles from your games take too much room. Remove them to start anew."),
    ],
)
def test_a_broken_storage_is_reported_and_left_until_it_is_removed(new_page: NewPage, text: str, line: str) -> None:
    page = new_page()
    page.goto(BLANK)
    page.evaluate("text => localStorage.setItem('mistakes', text)", text)
    page.goto("/puzzles?mine=1")
    expect(page.locator("#message")).to_have_text(line)
    expect(page.locator("#own-count")).to_have_text(line)
    assert page.evaluate("localStorage.getItem('mistakes')") == text
    page.locator("#own-clear").click()
    expect(page.locator("#own-count")).to_contain_text("Review a game of yours")
    assert page.evaluate("localStorage.getItem('mistakes')") is None


def test_a_review_of_the_analysis_page_leads_to_its_mistakes(new_page: NewPage) -> None:
    page = new_page()
    start, move = BLUNDERS["pentago"]
    page.goto(f"/analyse?{urlencode({'start': start, 'moves': move})}")
    page.locator("#review").click()
    expect(page.locator("#accuracies")).to_be_visible()
    page.get_by_role("link", name="Learn from the mistakes").click()
    page.wait_for_url("**/review?*")
    page.locator("#sides").get_by_role("button").click()
    expect(page.locator("#task-title")).to_contain_text("You played f1 1A??.")


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("room=nothing", "This game does not exist"),
        ("start=chess&moves=e4", "chess"),
        ("start=pentago&moves=zz", "zz"),
        ("", "The position is empty"),
    ],
)
def test_an_address_without_a_game_is_reported(new_page: NewPage, query: str, line: str) -> None:
    page = new_page(expected=("404", "422"))
    page.goto(f"/review?{query}")
    expect(page.locator("#headline")).to_have_text("The game could not be opened")
    expect(page.locator("#detail")).not_to_be_empty()
    expect(page.locator("#detail")).to_contain_text(line)

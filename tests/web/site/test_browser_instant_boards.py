"""Boards of frames, lessons and puzzles that play before Python is there."""

from __future__ import annotations

import random
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from pentad.game import Position, load, new
from pentad.play import lessons, puzzles
from tests.games.looks_games import moments
from tests.waiting import wait_until
from tests.web.browser_helpers import NewPage, place, targets
from tests.web.site.host import Host, missing
from tests.web.site.page_helpers import before_python, touches
from tests.web.site.test_browser_instant import CHANGES, GAMES, PYTHON, held_back, wait_for_python

pytestmark = pytest.mark.browser

PUZZLE = next(each for each in puzzles.puzzles("pente") if each.moves == 2 and not each.start.options_text())

LISTEN = """() => {
    window.got = [];
    new BroadcastChannel("got").onmessage = ({ data }) => window.got.push(data.path); }"""


def touch(page: Page, here: Position, move: str) -> Position:
    """Plays a move by clicks; returns the position after it."""
    for target in touches(here, move):
        place(page, target).and_(targets(page)).click()
    return here.play(move)


def some_position(game: str) -> Position:
    """A position after some random turns."""
    return [each.here for each in moments(new(game), random.Random(3)) if each.here.choices().restriction == ""][6]


@pytest.mark.parametrize("game", GAMES)
def test_a_board_in_a_frame_needs_no_python(new_page: NewPage, own_host: Host, game: str) -> None:
    own_host.damage[PYTHON] = missing
    here = load(some_position(game).text)
    page = new_page()
    page.goto(f"embed/?position={quote(here.text)}")
    for move in range(2):
        expect(page.locator("#headline")).to_have_text(here.status)
        here = touch(page, here, str(here.legal_moves[move]))
    expect(page.locator("#headline")).to_have_text(here.status)
    page.locator("#undo").click()
    expect(page.locator("#undo")).to_be_enabled()
    page.locator("#restart").click()
    expect(page.locator("#undo")).to_be_disabled()
    assert not any("pyodide" in each or each.endswith(PYTHON) for each in own_host.requests)


def test_the_game_of_a_frame_may_be_named_alone(new_page: NewPage, own_host: Host) -> None:
    own_host.damage[PYTHON] = missing
    page = new_page()
    page.goto("embed/?position=pentago")
    touch(page, new("pentago"), "a0 1C")
    expect(page.locator("#headline")).to_have_text("White to place a marble.")


@pytest.mark.parametrize("game", ["pentago", "pentagame"])
def test_a_lesson_begins_without_python(new_page: NewPage, own_host: Host, game: str) -> None:
    held_back(own_host)
    page = new_page()
    page.goto(f"learn/?/{game}")
    for step in lessons.lesson(game).steps[:2]:
        expect(page.locator("#headline")).to_have_text(step.title)
        touch(page, step.start, step.answer)
        expect(page.locator("#verdict")).to_have_text(step.right)
        page.locator("#next").click()
    expect(page.locator("#headline")).to_have_text(lessons.lesson(game).steps[2].title)


def test_the_list_of_lessons_needs_no_python(new_page: NewPage, own_host: Host) -> None:
    held_back(own_host)
    page = new_page()
    page.goto("learn/")
    expect(page.locator("#lessons a")).to_have_count(len(lessons.lessons()))


@pytest.mark.parametrize("path", ["puzzles/?/", "embed/?puzzle="])
def test_a_puzzle_is_solved_without_python(new_page: NewPage, own_host: Host, path: str) -> None:
    held_back(own_host)
    page = new_page()
    page.goto(f"{path}{PUZZLE.id}")
    expect(page.locator("#headline")).to_contain_text(PUZZLE.goal)
    page.locator("#hint").click()
    expect(page.locator("#verdict")).to_contain_text("Hint: ")
    right = [str(move) for here, move in puzzles.solution(PUZZLE) if here.turn == PUZZLE.start.turn]
    wrong = next(str(move) for move in PUZZLE.start.legal_moves if str(move) not in PUZZLE.tree.right)
    touch(page, PUZZLE.start, wrong)
    expect(page.locator("#verdict")).to_have_class("bad")
    page.locator("#again").click()
    for here, move in puzzles.solution(PUZZLE):
        if str(move) in right:
            touch(page, here, str(move))
    expect(page.locator("#verdict")).to_contain_text("Solved")


def test_python_takes_a_lesson_over(new_page: NewPage, own_host: Host) -> None:
    go = held_back(own_host)
    step = lessons.lesson("pentago").steps[0]
    page = new_page()
    page.goto("learn/?/pentago")
    place, twist = step.answer.split()
    page.locator(f"#board [data-target='{place}'].can").click()
    expect(page.locator(f"#board [data-target='{twist}'].can")).to_be_visible()
    page.evaluate(CHANGES)
    go()
    wait_for_python(page)
    assert page.evaluate("window.changes") == 0
    page.locator(f"#board [data-target='{twist}'].can").click()
    expect(page.locator("#verdict")).to_have_text(step.right)


def test_python_gets_the_attempts_that_were_answered_before(new_page: NewPage, own_host: Host) -> None:
    go = held_back(own_host)
    before_python(own_host, "addEventListener('message', ({ data }) => new BroadcastChannel('got').postMessage(data));")
    of = next(each for each in puzzles.puzzles("pentago") if each.moves == 1)
    page = new_page()
    page.goto(f"puzzles/?/{of.id}")
    page.evaluate(LISTEN)
    touch(page, of.start, next(iter(of.tree.right)))
    expect(page.locator("#verdict")).to_contain_text("Solved")
    go()
    wait_for_python(page)
    wait_until(lambda: f"/api/puzzles/{of.id}/try" in page.evaluate("window.got"), "the attempt for Python")


def test_other_options_wait_for_python(new_page: NewPage, own_host: Host) -> None:
    go = held_back(own_host)
    page = new_page()
    page.goto("learn/?/pente")  # its boards are small
    expect(page.locator("#headline")).to_have_text(lessons.lesson("pente").steps[0].title)
    expect(page.locator(".loading")).to_be_visible()
    go()
    expect(targets(page).first).to_be_visible()

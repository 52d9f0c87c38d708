"""Lessons and puzzles in a browser: by mouse, touch and keyboard."""

import json
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from pentad.game import names
from pentad.play import puzzles
from pentad.web import view
from tests.cases import slow, slow_but
from tests.web.browser_helpers import BLANK, NewPage, fits
from tests.web.server_process import Server

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
SCREENS = pytest.mark.parametrize("screen", [pytest.param(PHONE, id="phone"), slow(DESKTOP, id="desk")])


def touch(page: Page, targets: list[str] | tuple[str, ...]) -> None:
    """Touches targets of the board one after the other."""
    for name in targets:
        place = page.locator(f'#board [data-target="{name}"].can')
        expect(place).to_be_visible()
        place.dispatch_event("click")


def play(page: Page, steps: list[dict[str, Any]]) -> None:
    """Plays a turn by touching the targets of its steps."""
    for number, step in enumerate(steps):
        touch(page, step["targets"])
        if number + 1 < len(steps):
            expect(page.locator("#cancel")).to_be_visible()
            expect(page.locator(f'#board [data-target="{steps[number + 1]["targets"][0]}"].can')).to_be_visible()


def touches(here: Any, move: str) -> list[dict[str, Any]]:
    return [{**vars(each), "targets": list(each.targets)} for each in view.touches(here, here.parse(move))]


# ── lessons ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@SCREENS
def test_the_lessons_are_listed(new_page: NewPage, screen: dict[str, Any]):
    page = new_page(**screen)
    page.goto("/learn")
    expect(page.locator("#lessons a")).to_have_count(len(names()))
    fits(page)
    page.locator("#lessons a").first.click()
    expect(page.locator("#headline")).to_have_text("A turn has two parts")
    expect(page.locator("#board svg")).to_be_visible()
    fits(page)


@pytest.mark.slow
@SCREENS
@pytest.mark.parametrize("name", slow_but(names(), "pentagame"))
def test_a_whole_lesson(new_page: NewPage, server: Server, name: str, screen: dict[str, Any]):
    page = new_page(**screen)
    lesson = httpx.get(f"{server.url}/api/lessons/{name}").json()
    page.goto(f"/learn/{name}")
    for number, step in enumerate(lesson["steps"]):
        expect(page.locator("#place")).to_have_text(f"{lesson['title']} · step {number + 1} of {len(lesson['steps'])}")
        expect(page.locator("#task-text")).to_have_text(step["words"])
        if step["show"]:
            page.locator("#watch").click()
        else:
            expect(page.locator(f'#board [data-target="{step["touch"][0]["targets"][0]}"].can')).to_be_visible()
            play(page, step["touch"])
        expect(page.locator("#verdict")).to_have_text(step["right"])
        expect(page.locator("#next")).to_be_focused()
        fits(page)
        page.locator("#next").click()
    expect(page.locator("#ending-title")).to_have_text(f"{lesson['title']}: lesson finished")
    assert page.locator("#ending-play").get_attribute("href") == f"/play?game={name}"
    fits(page)
    page.goto("/learn")
    expect(page.locator(f'#lessons a[href="/learn/{name}"] .done-mark')).to_have_text("Done ✓")


def test_a_wrong_move_can_be_tried_again(new_page: NewPage):
    page = new_page(**DESKTOP)
    page.goto("/learn/pentago")
    page.locator("#skip").click()
    expect(page.locator("#headline")).to_have_text("Five in a row wins")
    touch(page, ["f5"])
    expect(page.locator("#prompt")).to_have_text("Twist a sub-board.")
    touch(page, ["1C"])
    expect(page.locator("#verdict")).to_have_text("That does not make five yet. Look at the top row.")
    expect(page.locator("#verdict")).to_have_class("bad")
    page.locator("#again").click()
    expect(page.locator("#verdict")).to_be_hidden()
    touch(page, ["a4"])
    expect(page.locator("#verdict")).to_contain_text("Five in a row.")


@pytest.mark.slow
def test_the_current_step_is_stored(new_page: NewPage):
    page = new_page(**DESKTOP)
    page.goto("/learn/pente")
    page.locator("#skip").click()
    page.locator("#skip").click()
    expect(page.locator("#headline")).to_have_text("Capture a pair")
    page.reload()
    expect(page.locator("#headline")).to_have_text("Capture a pair")
    page.locator("#back").click()
    expect(page.locator("#headline")).to_have_text("Five in a row wins")
    page.locator("#progress button").nth(4).click()
    expect(page.locator("#headline")).to_have_text("Guard your pairs")


@pytest.mark.slow
def test_the_move_to_make_is_pointed_out(new_page: NewPage):
    page = new_page(**DESKTOP)
    page.goto("/learn/pentago")
    expect(page.locator("#board svg")).to_be_visible()
    page.locator("#show").click()
    expect(page.locator("#board [data-target=b1]")).to_have_class(having("hinted"))
    touch(page, ["b1"])
    expect(page.locator('#board [data-target="2C"]')).to_have_class(having("hinted"))
    page.keyboard.press("Escape")
    expect(page.locator("#cancel")).to_be_hidden()
    touch(page, ["b1"])
    touch(page, ["2C"])
    expect(page.locator("#verdict")).to_contain_text("That is a complete turn")


def having(name: str) -> re.Pattern[str]:
    """A pattern for a class among others."""
    return re.compile(rf"\b{name}\b")


@pytest.mark.slow
def test_a_lesson_by_keyboard_alone(new_page: NewPage):
    page = new_page(**DESKTOP)
    page.goto("/learn/pente")
    expect(page.locator("#board [data-target=E5].can")).to_be_visible()
    page.locator("#board [tabindex='0']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#headline")).to_be_focused()
    expect(page.locator("#headline")).to_have_text("Five in a row wins")


@pytest.mark.slow
def test_an_unknown_lesson_is_reported(new_page: NewPage):
    page = new_page(expected=("422",), **DESKTOP)
    page.goto("/learn/chess")
    expect(page.locator("#message")).to_contain_text("Unknown game 'chess'")
    expect(page.locator("#lessons a")).to_have_count(len(names()))


# ── puzzles ──────────────────────────────────────────────────────────────────────────────────────


def some(game: str, moves: int) -> puzzles.Puzzle:
    return next(each for each in puzzles.puzzles(game) if each.moves == moves and each.kind != "draw")


@pytest.mark.slow
@SCREENS
def test_the_puzzles_are_listed(new_page: NewPage, screen: dict[str, Any]):
    page = new_page(**screen)
    page.goto("/puzzles")
    expect(page.locator("#today a")).to_have_count(len(names()))
    expect(page.locator("#all .numbers a")).to_have_count(len(puzzles.puzzles("pentago")))
    fits(page)
    page.locator("#games a", has_text="Pentagame").click()
    expect(page.locator("#all .numbers a")).to_have_count(len(puzzles.puzzles("pentagame")))
    expect(page.locator("#games [aria-current]")).to_have_text("Pentagame")


@SCREENS
@pytest.mark.parametrize(("game", "moves"), [slow("pentago", 2), ("pente", 3), slow("pentagame", 2)])
def test_a_puzzle_is_solved(new_page: NewPage, game: str, moves: int, screen: dict[str, Any]):
    puzzle = some(game, moves)
    page = new_page(**screen)
    page.goto(f"/puzzles/{puzzle.id}")
    expect(page.locator("#headline")).to_contain_text(puzzle.goal)
    fits(page)
    line = list(puzzles.solution(puzzle))
    for number, (here, move) in enumerate(line[::2]):
        steps = touches(here, str(move))
        expect(page.locator(f'#board [data-target="{steps[0]["targets"][0]}"].can')).to_be_visible()
        play(page, steps)
        count = min(2 * number + 2, len(line))
        expect(page.locator("#line li")).to_have_count(count)
    expect(page.locator("#verdict")).to_have_text("That wins. Solved.")
    expect(page.locator("#next")).to_be_focused()
    fits(page)
    page.goto(f"/puzzles?game={game}")
    expect(page.locator(f'#all a[href="/puzzles/{puzzle.id}"]')).to_have_class("solved")
    expect(page.locator("#count")).to_have_text(f"1 of {len(puzzles.puzzles(game))} solved")


@pytest.mark.slow
def test_a_puzzle_is_failed_and_tried_again(new_page: NewPage):
    puzzle = some("pente", 2)
    page = new_page(**DESKTOP)
    page.goto(f"/puzzles/{puzzle.id}")
    wrong = next(str(move) for move in puzzle.start.legal_moves if str(move) not in puzzle.tree.right)
    touch(page, [wrong])
    expect(page.locator("#verdict")).to_have_text("That does not win in 2.")
    page.locator("#again").click()
    expect(page.locator("#verdict")).to_be_hidden()
    touch(page, [next(iter(puzzle.tree.right))])
    expect(page.locator("#line li")).to_have_count(2)


@pytest.mark.slow
def test_a_hint_points_at_the_board(new_page: NewPage):
    puzzle = some("pentago", 2)
    page = new_page(**DESKTOP)
    page.goto(f"/puzzles/{puzzle.id}")
    first = next(iter(puzzle.tree.right)).split()[0]
    expect(page.locator(f"#board [data-target={first}].can")).to_be_visible()
    page.locator("#hint").click()
    expect(page.locator(f"#board [data-target={first}]")).to_have_class(having("hinted"))
    expect(page.locator("#verdict")).to_have_text(f"Hint: place at {first}.")


@pytest.mark.slow
def test_a_solution_is_played_through(new_page: NewPage):
    puzzle = some("pentago", 2)
    page = new_page(**DESKTOP)
    page.goto(f"/puzzles/{puzzle.id}")
    expect(page.locator("#board svg")).to_be_visible()
    page.locator("#solution").click()
    expect(page.locator("#line li")).to_have_count(3)
    expect(page.locator("#next")).to_be_visible()
    page.goto("/puzzles?game=pentago")
    expect(page.locator("#count")).to_contain_text("0 of ")


@pytest.mark.slow
def test_the_puzzle_of_the_day_leads_to_the_puzzle(new_page: NewPage, server: Server):
    today = httpx.get(f"{server.url}/api/puzzles/daily").json()["puzzles"][1]
    page = new_page(**PHONE)
    page.goto("/puzzles")
    page.locator("#today a").nth(1).click()
    expect(page.locator("#headline")).to_contain_text(today["goal"])
    page.locator("#others").click()
    expect(page.locator("#games [aria-current]")).to_have_text(today["title"])


@pytest.mark.slow
def test_an_unknown_puzzle_is_reported(new_page: NewPage):
    page = new_page(expected=("404",), **DESKTOP)
    page.goto("/puzzles/nothing")
    expect(page.locator("#message")).to_have_text("There is no puzzle 'nothing'.")
    expect(page.locator("#today a")).to_have_count(len(names()))


@pytest.mark.slow
def test_invalid_stored_values_are_ignored(new_page: NewPage):
    page = new_page(**DESKTOP)
    page.goto(BLANK)
    for key in ("lessons", "puzzles"):
        page.evaluate(
            "([key, text]) => localStorage.setItem(key, text)", [key, json.dumps(7) if key == "lessons" else "{"]
        )
    page.goto("/learn")
    expect(page.locator("#lessons a")).to_have_count(len(names()))
    page.goto("/puzzles")
    expect(page.locator("#today a")).to_have_count(len(names()))

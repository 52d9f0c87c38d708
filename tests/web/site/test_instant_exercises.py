"""The page's own verdicts in lessons and puzzles against those of Python."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pentad.play import lessons, puzzles
from pentad.play.puzzles import Puzzle
from pentad.web.instant import drawings
from pentad.web.site.instant_exercises import lesson_data, puzzle_data
from tests.properties import some_of
from tests.web.instant.page_scripts import result, with_module
from tests.web.site.applications import PageApplication

GAMES = drawings.covered()
SCRIPT = """
const [{ Boards }, { Exercises }] = await load("boards", "exercises");
const exercises = new Exercises(new Boards(game, data.room));
const answered = ([, kind, id, query]) => {
  try {
    return exercises[kind](kind === "check" ? given.lesson : given.puzzles[id], query);
  } catch (error) {
    if (!(error instanceof NotCovered)) throw error;
    return null;
  }
};
console.log(JSON.stringify(given.asked.map(answered)));
"""
MOVES = 7  # tried in each exercise


def some_moves(here: Any, chance: random.Random) -> list[str]:
    legal = here.legal_moves
    return [str(legal[chance.randrange(len(legal))]) for _ in range(MOVES)]


def of_puzzle(of: Puzzle, chance: random.Random) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Attempts and hints along the way to the solution, each with its path."""
    path = f"/api/puzzles/{of.id}"
    found: list[str] = []
    for here, move in puzzles.solution(of):
        if here.turn != of.start.turn:
            continue
        yield f"{path}/hint", "hint", of.id, {"moves": [*found]}
        for each in (*some_moves(here, chance), str(move)):
            yield f"{path}/try", "attempt", of.id, {"moves": [*found, each]}
        found.append(str(move))
    yield f"{path}/try", "attempt", of.id, {"moves": [*found, found[-1]]}


def of_lesson(name: str, chance: random.Random) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    for number, step in enumerate(lessons.lesson(name).steps):
        answers = [step.answer or step.show[0], *step.accept]
        for move in (*some_moves(step.start, chance), *answers):
            yield "/api/lessons/check", "check", "", {"game": name, "step": number, "move": move}


def asked_of(name: str, covered: Any) -> list[Any]:
    chance = random.Random(4)
    found = [puzzles.puzzle(each) for each in covered]
    some = chance.sample(found, min(len(found), some_of(200)))
    return [*of_lesson(name, chance), *(each for of in some for each in of_puzzle(of, chance))]


def fresh(found: Any) -> dict[str, Any]:
    status, _, text = found
    return json.loads(text) if status == 200 else {}


@pytest.mark.parametrize("name", GAMES)
def test_verdicts_are_equal(name: str) -> None:
    covered = puzzle_data(name)
    asked = asked_of(name, covered)
    given = {"lesson": lesson_data(name), "puzzles": covered, "asked": asked}
    others = 0
    with PageApplication() as page:
        for (path, kind, _, query), own in zip(asked, result(SCRIPT, *with_module(name, []), **given), strict=True):
            expected = fresh(page.handle("POST", path, json.dumps(query)))
            if own is None and expected:
                others += 1
                assert kind == "check"  # a lesson's position with other options
                assert lessons.lesson(name).steps[query["step"]].start.options_text()
            else:
                assert (own or {}) == expected
        for each in list(covered)[::7]:
            assert covered[each]["puzzle"] == fresh(page.handle("GET", f"/api/puzzles/{each}"))
            assert covered[each]["solution"] == fresh(page.handle("GET", f"/api/puzzles/{each}/solution"))
        assert given["lesson"]["lesson"] == fresh(page.handle("GET", f"/api/lessons/{name}"))
    assert others < len(asked)


def test_patterns_stand_for_moves_with_the_same_verdict() -> None:
    for lesson in lessons.lessons():
        for step, check in zip(lesson.steps, lesson_data(lesson.game)["checks"], strict=True):
            right = {str(move) for move in step.start.legal_moves if step.met(move)}
            fitting = (str(move) for move in step.start.legal_moves)
            assert right == {move for move in fitting if any(puzzles.fits(move, each) for each in check["right"])}

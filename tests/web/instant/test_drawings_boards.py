"""The page's own boards against those of Python: the same answers for random positions and turns."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pentad.game import Position, game, load
from pentad.web.instant import drawings
from pentad.web.move_tree import read_line
from pentad.web.service.boards import BoardQuery, TurnQuery, answer, turn_of
from pentad.web.typed_json import written as as_json
from tests.games.looks_games import moments
from tests.properties import some_of
from tests.web.instant.page_scripts import result, with_module

GAMES = drawings.covered()
SCRIPT = """
const [{ Boards }] = await load("boards");
const boards = new Boards(game, data.room);
const answered = async ([kind, query]) => {
  try {
    await game.turn(Boolean(query.flip) && !query.isLate);
    return boards[kind](query);
  } catch (error) {
    if (!(error instanceof NotCovered)) throw error;
    return null;
  }
};
const found = [];
for (const each of given.asked) found.push(await answered(each));
console.log(JSON.stringify(found));
"""


def queries(start: Position, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The queries of a page in which a random game is played, with previews of its turns."""
    begun, before = start, start
    yield "line", {"start": start.game}
    for moment in moments(start, random.Random(seed)):
        if not moment.last:
            continue
        begun = moment.before[0]
        steps = str(moment.last)
        yield "board", {"position": begun.text, "steps": steps}
        if moment.here.ply != begun.ply or moment.here.outcome:
            move = str(begun.parse(steps))
            before, here = begun, begun.play(move)
            yield "turn", {"position": before.text, "move": move, "flip": seed % 2 == 0}
            yield "board", {"position": before.text, "steps": steps, "end": True}
            yield "board", {"position": here.text, "last": move, "flip": here.ply % 3 == 0}
            yield "line", {"start": here.text}
        elif not moment.here.text.endswith(" "):
            yield "board", {"position": moment.here.text}


REFUSED = (
    ("board", {"flip": True, "isLate": True}),
    ("board", {"end": True}),
    ("board", {"steps": "z9"}),
    ("board", {"last": "z9"}),
    ("board", {"position": "no position"}),
    ("turn", {"move": "z9"}),
    ("line", {"start": "no position"}),
    ("line", {"moves": ["z9"]}),
)
ANSWERS = {
    "board": lambda **query: answer(BoardQuery(**query)),
    "turn": lambda **query: turn_of(TurnQuery(**query)),
    "line": lambda start: read_line(start, []),
}


def comparable(found: dict[str, Any]) -> dict[str, Any]:
    """An answer with its choices in any order."""
    return found | ({"choices": sorted(found["choices"], key=json.dumps)} if "choices" in found else {})


def page_answers(name: str, asked: list[Any]) -> list[Any]:
    """The answers of the page's own boards."""
    found: list[Any] = result(SCRIPT, *with_module(name, []), asked=asked)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_answers_are_equal(name: str) -> None:
    asked = [each for seed in range(some_of(20)) for each in queries(game(name).new(), seed)]
    asked = asked[: some_of(3000)]
    for (kind, query), found in zip(asked, page_answers(name, asked), strict=True):
        if found is None:  # the end of a game as a tree, and a line before its twist
            assert kind == "line" or load(query["position"]).text.endswith("placed")
            assert load(query["start" if kind == "line" else "position"]).outcome
        else:
            assert comparable(found) == comparable(json.loads(as_json(ANSWERS[kind](**query)))), (kind, query)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_not_covered_waits_for_python(name: str) -> None:
    start = game(name).new().text
    place = {"board": {"position": start}, "turn": {"position": start}, "line": {"start": start}}
    asked = [(kind, place[kind] | more) for kind, more in REFUSED]
    assert page_answers(name, asked) == [None] * len(asked)

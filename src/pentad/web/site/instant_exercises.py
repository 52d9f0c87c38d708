"""What a page needs for lessons and puzzles before Python is there: their answers, and all verdicts on moves, as data.

`static/instant/exercises.js` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from pentad.games.parts import ANY
from pentad.play import lessons, puzzles
from pentad.play.lessons import LessonStep
from pentad.play.puzzles import Puzzle, PuzzleNode
from pentad.web.service import learn
from pentad.web.typed_json import written


def _data(answer: Any) -> Any:
    return json.loads(written(answer))


def lesson_data(name: str) -> dict[str, Any]:
    """The lesson about a game, and for each step the correct moves with the verdicts."""
    checks = [{"right": [*_right(step)], "words": [step.right, step.wrong]} for step in lessons.lesson(name).steps]
    return {"lesson": _data(learn.lesson_answer(name)), "checks": checks}


def _right(step: LessonStep) -> Iterator[str]:
    """The correct moves; one pattern for all that begin with the same step, if any other steps may follow it."""
    for first, moves in groupby(step.start.legal_moves, lambda move: move[0]):
        verdicts = {str(move): step.met(move) for move in moves}
        if len(verdicts) > 1 and all(verdicts.values()):
            yield f"{first} {ANY}"
        else:
            yield from (move for move, is_right in verdicts.items() if is_right)


def puzzle_data(name: str) -> dict[str, Any]:
    """The puzzles of a game with its default options, by their ids."""
    return {each.id: _puzzle(each) for each in puzzles.puzzles(name) if not each.start.options_text()}


def _puzzle(of: Puzzle) -> dict[str, Any]:
    return {
        "puzzle": _data(learn.puzzle_answer(of)),
        "solution": _data(learn.solution_answer(of)),
        "tree": _node(of, of.tree, ()),
    }


def _node(of: Puzzle, node: PuzzleNode, moves: tuple[str, ...]) -> dict[str, Any]:
    """A node of the tree after correct moves, with all that may be said there."""
    here, answer = puzzles.answer(of, moves)
    letters = {*node.letters} - {"r"} or {""}
    return {
        "right": {
            move: then and [then[0], puzzles.correct_words(then[1]), _node(of, then[1], (*moves, move))]
            for move, then in node.right.items()
        },
        "letters": node.letters,
        "wrong": {letter: puzzles.wrong_words(here, node, letter or of.kind) for letter in letters},
        "done": puzzles.done_words(of, node),
        "hint": _data(learn.first_step(here, answer)),
    }

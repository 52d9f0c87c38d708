"""Pentago as data for pages: the words of moments and turns, and the drawing by the page's own script."""

from __future__ import annotations

import random
from typing import Any

import pytest

import pentad
from pentad.drawing import NOTHING
from pentad.game import Move
from pentad.games.pentago import look_kernels, looks
from pentad.games.pentago.rules import PentagoPosition
from tests.drawing.test_looks import page_texts
from tests.games.looks_games import StateBeside, check_words, moments

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"rows": 3, "cols": 3, "players": 3, "line": 4},
    {"rows": 1, "cols": 3, "block": 2, "line": 3, "win_on_placement": False},
)


@pytest.mark.parametrize("options", OPTIONS)
def test_words_are_those_of_the_rules(options: dict[str, Any]) -> None:
    start = pentad.new("pentago", **options)
    words = looks.words(start)  # type: ignore[arg-type]
    for moment in moments(start, random.Random(1)):
        check_words(moment, words)


@pytest.mark.parametrize("options", OPTIONS)
def test_kernels_write_the_same_numbers(options: dict[str, Any]) -> None:
    start = pentad.new("pentago", **options)
    for seed in range(5):
        beside = StateBeside(start, look_kernels)
        for moment in moments(start, random.Random(seed)):
            beside.check(moment)


def test_the_page_draws_the_same_lines() -> None:
    *_, moment = moments(pentad.new("pentago"), random.Random(2))
    here = moment.here
    assert isinstance(here, PentagoPosition)
    lines = looks.sheet(here, True).lines
    drawn = here.svg(last=moment.last, flip=True, style=False).split("\n")
    assert page_texts(lines, looks.numbers(here, moment.last)) == drawn


def test_a_sheet_has_the_same_lines_at_every_moment() -> None:
    start = pentad.new("pentago")
    middle = start.partial("b2")
    drawings = [start.svg(), middle.svg(last="b2"), start.play("b2 1C").svg(last=Move(start.parse("b2 1C")))]
    assert len({len(drawn.split("\n")) for drawn in drawings}) == 1
    assert [drawn.count(NOTHING) for drawn in drawings] == [8, 1, 7]

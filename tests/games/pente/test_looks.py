"""Pente as data for pages: the words of moments and turns, and the drawing by the page's own script."""

from __future__ import annotations

import random
from typing import Any

import pytest

import pentad
from pentad.games.pente import look_kernels, looks
from pentad.games.pente.rules import PentePosition
from tests.drawing.test_looks import page_texts
from tests.games.looks_games import StateBeside, check_words, moments

# On small boards random games have all ends: lines, captures, a full board, no line left.
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"rules": "keryo", "size": 9, "capture_win": 4},
    {"rules": "ninuki42", "size": 7, "line": 4, "opening": "swap2"},
    {"rules": "lines", "size": 4, "line": 4},
    {"rules": "gomoku", "size": 3, "line": 3},
    {"rules": "poof", "size": 7, "opening": "free"},
)


@pytest.mark.parametrize("options", OPTIONS)
def test_words_are_those_of_the_rules(options: dict[str, Any]) -> None:
    start = pentad.new("pente", **options)
    assert isinstance(start, PentePosition)
    words = looks.words(start)
    for moment in moments(start, random.Random(1)):
        here = moment.here
        assert isinstance(here, PentePosition)
        if not here.swapped:
            check_words(moment, words)


@pytest.mark.parametrize("options", OPTIONS)
def test_kernels_write_the_same_numbers(options: dict[str, Any]) -> None:
    start = pentad.new("pente", **options)
    for seed in range(8 if options else 2):
        beside = StateBeside(start, look_kernels)
        for moment in moments(start, random.Random(seed)):
            beside.check(moment)


def test_the_page_draws_the_same_lines() -> None:
    *_, moment = moments(pentad.new("pente"), random.Random(2))
    here = moment.here
    assert isinstance(here, PentePosition)
    drawn = here.svg(last=moment.last, flip=True, style=False).split("\n")
    assert page_texts(looks.sheet(here, True).lines, looks.numbers(here, moment.last)) == drawn

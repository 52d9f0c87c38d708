"""Texts of positions by kernels, as pages without Python read and write them, beside those of the rules."""

from __future__ import annotations

import importlib
import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError, Position, bit_numbers, game, load, names
from pentad.games import encoding
from pentad.games.instant import LONGEST_TEXT
from tests.games.looks_games import looks_of, moments
from tests.properties import properties, some_of

NAMES = [name for name in names() if game(name).has("text_kernels")]


class TextState:
    """A state of a game that is read from texts."""

    def __init__(self, name: str) -> None:
        found = game(name).module("batch").kernels(pentad.new(name))
        self._name, self.rules, self._start = name, np.asarray(found.rules), np.asarray(found.start)
        self._steps = importlib.import_module(found.module)
        self._texts, self._looks = (game(name).module(part) for part in ("text_kernels", "look_kernels"))
        self._work = np.zeros(found.work, np.int64)
        self.state = self._start.copy()

    def read(self, text: str) -> bool:
        """Whether a text is read as a page does: it is written again, and compared."""
        codes = np.zeros(2 * LONGEST_TEXT, np.int64)
        own = text.removeprefix(f"{self._name} ")
        if len(own) > LONGEST_TEXT:
            return False
        codes[: len(own)] = [*map(ord, own)]
        self.state = self._start.copy()
        return bool(self._texts.read(self.rules, self.state, codes, self._work)) and self.text == text

    @property
    def text(self) -> str:
        codes = np.zeros(2 * LONGEST_TEXT, np.int64)
        length = self._texts.write(self.rules, self.state, codes)
        assert not codes[length:].any()
        return f"{self._name} {''.join(map(chr, codes[:length]))}"

    def play(self, action: int) -> None:
        self._steps.play(self.rules, self.state, action, self._work)

    def check(self, here: Position) -> None:
        """Compares the state with a position."""
        actions = game(here.game).module("encoding").actions(here)
        mask, numbers = np.zeros(actions, np.int8), np.full(len(looks_of(here).numbers(here, None)), 99)
        over = here.outcome is not None
        assert (self._steps.result(self.rules, self.state) >= 0) == over
        self._looks.look(self.rules, self.state, np.zeros(8, np.int64), 0, numbers)
        assert numbers.tolist() == looks_of(here).numbers(here, None), here.text
        if here.outcome:
            winners = self._steps.result(self.rules, self.state)
            assert (*bit_numbers(winners),) == here.outcome.winners
        else:
            self._steps.legal(self.rules, self.state, mask, self._work)
            assert mask.nonzero()[0].tolist() == sorted(encoding.steps(here))
        assert self.state[:2].tolist() == [here.turn, here.ply]


@cache
def state_of(name: str) -> TextState:
    return TextState(name)


@cache
def some_texts(name: str) -> list[str]:
    """The texts of some positions of random games, within turns too."""
    seeds = range(some_of(20))
    found = {moment.here.text for seed in seeds for moment in moments(pentad.new(name), random.Random(seed))}
    return random.Random(1).sample(sorted(found), min(len(found), some_of(2000)))


@pytest.mark.parametrize("name", NAMES)
def test_positions_of_games_are_read_and_written(name: str) -> None:
    state, refused = state_of(name), 0
    for text in some_texts(name):
        here = load(text)
        if state.read(text):
            state.check(here)
        else:
            refused += 1
            assert here.outcome is not None  # such as a line before the twist
            assert text.endswith("placed")
    assert refused < len(some_texts(name)) / 10


@pytest.mark.parametrize("name", NAMES)
def test_texts_follow_the_moves_of_a_game(name: str) -> None:
    for seed in range(some_of(7)):
        state = TextState(name)
        for moment in moments(pentad.new(name), random.Random(seed)):
            if moment.before:
                state.play(encoding.encoding(moment.here).number(moment.before[-1], moment.last[-1]))
            if not (moment.here.outcome and moment.here.text.endswith("placed")):
                assert state.text == moment.here.text


@st.composite
def changed_texts(draw: Any) -> str:
    """The text of a position, with some characters of such texts in the place of others."""
    text = draw(st.sampled_from(some_texts(draw(st.sampled_from(NAMES)))))
    letters = sorted({*text, *draw(st.sampled_from(some_texts(text.partition(" ")[0]))), *"09-+x ="})
    piece = st.text(st.sampled_from(letters), max_size=3)
    for _ in range(draw(st.integers(0, 3))):
        begin = draw(st.integers(0, len(text)))
        text = text[:begin] + draw(piece) + text[begin + draw(st.integers(0, 3)) :]
    if draw(st.integers(0, 9)) == 0:
        text = text[: draw(st.integers(0, len(text)))]
    return text


@given(changed_texts())
@properties(600)
def test_no_text_is_read_that_the_rules_read_otherwise(text: str) -> None:
    name = next((name for name in NAMES if text.startswith(f"{name} ")), "")
    if name and state_of(name).read(text):
        here = load(text)
        assert here.text == text
        assert not here.options_text()
        state_of(name).check(here)


def check_text(text: str) -> None:
    """A text that the rules refuse is not read, and one that is read has the position of the rules."""
    state = state_of(text.partition(" ")[0])
    try:
        here = load(text)
    except GameError:
        assert not state.read(text)
        return
    if state.read(text):
        state.check(here)


@st.composite
def swapped_words(draw: Any) -> str:
    """The parts of two positions of a game in one text."""
    name = draw(st.sampled_from(NAMES))
    one, other = (draw(st.sampled_from(some_texts(name))).split() for _ in range(2))
    return " ".join(draw(st.sampled_from(pair)) for pair in zip(one, other, strict=False))


@given(swapped_words())
@properties(600)
def test_parts_of_positions_are_read_only_where_they_fit_together(text: str) -> None:
    check_text(text)


RARE = (
    "pente 19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 0,0",
    "pente 19/19/19/19/19/19/19/19/19/9wwwww5/19/19/19/19/19/19/19/19/19 4,0",
    "pente 19/19/19/19/19/19/19/19/19/9w9/19/19/19/19/19/19/19/19/19 10,10",
    "pente 19/19/19/19/19/19/19/19/19/9w9/19/19/19/19/19/19/19/19/19 12,12",
    "pente 19/19/19/19/19/19/19/19/19/9w9/19/19/19/19/19/19/19/19/19 9999,9999",
    "pentago bbbbb./wwwww./....../....../....../......",
    "pentago bbbbb./wwww../....../....../....../...... placed",
    "pentago ....../....../....../....../....../...... placed",
    "pentago 2/....../....../....../....../......",
    "pentagame 1 3 ---,---,---,---,---/000,100,200,300,400 500,600,700,800,900 ---,---,---,---,--- -/- -",
    "pentagame 0 600 000,100,200,300,400/000,100,200,300,400 500,600,700,800,900 ---,---,---,---,--- -/- -",
    "pentagame 0 0 000,100,200,300,400/000,100,200,300,400 500,600,700,800,--- ---,---,---,---,--- -/- - black",
    "pentagame 0 0 000,100,200,300,400/000,100,200,300,400 500,600,700,800,900 ---,---,---,---,--- 0:000>100x00/- -",
)


@pytest.mark.parametrize("text", RARE)
def test_rare_texts(text: str) -> None:
    check_text(text)


@pytest.mark.parametrize("text", ["", "9" * LONGEST_TEXT, "0" * LONGEST_TEXT, "w" * LONGEST_TEXT, "é – ☃", "-" * 500])
@pytest.mark.parametrize("name", NAMES)
def test_rubbish_is_refused(name: str, text: str) -> None:
    assert not state_of(name).read(f"{name} {text}")

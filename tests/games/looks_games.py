"""Random games in which a game's looks are compared with its rules and its drawing."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from pentad.drawing.looks import Expression, written
from pentad.game import Choice, Move, Position, game
from pentad.games.encoding import encoding as encoding_of
from pentad.games.encoding import play
from pentad.games.parts import Batch, Looks, Told, Words

CHECKED = 12  # choices of a moment


class Moment(NamedTuple):
    """A position after some actions of a turn; `before` has the positions before each of them."""

    here: Position
    last: Move
    before: tuple[Position, ...]


def moments(start: Position, rng: random.Random) -> Iterator[Moment]:
    """The moments of a random game, each step one."""
    here, turn, before = start, Move(), tuple[Position, ...]()
    yield Moment(here, turn, before)
    while here.outcome is None:
        if not before or before[-1].ply != here.ply:
            turn, before = Move(), ()
        step = rng.choice(here.choices()).step
        turn, before = Move((*turn, step)), (*before, here)
        here = play(here, step)
        yield Moment(here, turn, before)


def looks_of(here: Position) -> Looks:
    found: Looks = game(here.game).module("looks")
    return found


def told(words: Told, offers: Sequence[list[int]]) -> str:
    """A turn as a page tells it."""
    later = words.then if words.later is None else words.later
    kinds: list[Expression] = [words.first, words.then, *[later] * len(offers)][: len(offers)]
    return "".join(written(kind, offer) for kind, offer in zip(kinds, offers, strict=True)) + words.end


def check_words(moment: Moment, words: Words) -> None:
    """Compares what a page says of a moment with the rules and the drawing."""
    here, looks = moment.here, looks_of(moment.here)
    numbers = looks.numbers(here, moment.last or None)
    assert written(words.status, numbers) == here.status
    assert words.outcomes[numbers[words.outcome]] == here.outcome
    choices = here.choices()
    if not (here.outcome and choices.may_end):  # such as a line before the twist
        assert written(words.prompt, numbers) == choices.prompt
        assert written(words.restriction, numbers) == choices.restriction
    if here.outcome is None:
        for choice in choices[:: len(choices) // CHECKED + 1]:
            check_choice(choice, looks.offer(here, choice.step), words)
    if here.outcome or (moment.before and moment.before[-1].ply != here.ply):
        check_turn(moment, words)


def check_choice(choice: Choice, offer: list[int], words: Words) -> None:
    ways = [tuple(way.split(";")) for way in written(words.ways, offer).split("|")]
    assert written(words.step, offer) == str(choice)
    assert written(words.label, offer) == (choice.near or choice.label)
    assert ways == [choice.targets, *choice.also]


def check_turn(moment: Moment, words: Words) -> None:
    first, turn = moment.before[0], moment.last
    looks = looks_of(first)
    offers = [looks.offer(here, step) for here, step in zip(moment.before, turn, strict=True)]
    assert told(words.text, offers) == str(turn)
    assert told(words.described, offers) == first.describe(turn)
    assert told(words.instruction, offers) == first.instruction(turn)
    assert told(words.notation or words.text, offers) == first.notation(turn)


class StateBeside:
    """The state of a game by kernels, beside a random game of the rules; kernels write its looks."""

    def __init__(self, start: Position, kernels: Any) -> None:
        batch: Batch = game(start.game).module("batch")
        found = batch.kernels(start)
        assert found is not None
        self._play = importlib.import_module(found.module).play
        self._kernels = kernels
        self.rules, self.state = (np.asarray(each).copy() for each in (found.rules, found.start))
        self.work = np.zeros(found.work, np.int64)

    def check(self, moment: Moment) -> None:
        """Makes the last step of a moment, and compares the numbers of the kernels with those of Python."""
        encoding, looks = encoding_of(moment.here), looks_of(moment.here)
        actions = [encoding.number(here, step) for here, step in zip(moment.before, moment.last, strict=True)]
        if actions:
            self._play(self.rules, self.state, actions[-1], self.work)
        wanted = looks.numbers(moment.here, moment.last or None)
        found = np.full(len(wanted), 99)
        self._kernels.look(self.rules, self.state, np.array([*actions, 0]), len(actions), found)
        assert found.tolist() == wanted, moment.here.text
        for choice in moment.here.choices():
            offered = looks.offer(moment.here, choice.step)
            told = np.full(len(offered), 99)
            self._kernels.offer(self.rules, self.state, offered[0], told, self.work)
            assert told.tolist() == offered

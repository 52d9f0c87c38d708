"""Turns chosen by touches."""

from __future__ import annotations

import random

import pytest

import pentad
from pentad.game import names
from pentad.web.notebook.turn import Turn
from pentad.web.view import touches


def test_steps_are_chosen_one_by_one() -> None:
    turn = Turn(pentad.new("pentago"))
    assert len(turn.open) == 36
    assert turn.touch("a2") is None
    assert (turn.steps, turn.has_begun, turn.may_end) == ("a2", True, False)
    assert turn.open == ["1C", "1A", "2C", "2A", "3C", "3A", "4C", "4A"]
    assert turn.shown.status == "Black to twist a sub-board."
    assert str(turn.touch("3A")) == "a2 3A"


def test_a_touch_without_effect_changes_nothing() -> None:
    turn = Turn(pentad.new("pentago"))
    assert turn.touch("nowhere") is None
    assert not turn.has_begun
    turn.touch("a2")
    assert turn.touch("b2") is None
    assert turn.steps == "a2"


def test_a_piece_is_touched_and_another_one_instead() -> None:
    here = pentad.new("pentagame")
    turn = Turn(here)
    first, second = (each for each in turn.open[:2])
    turn.touch(first)
    assert turn.touched == (first,)
    assert first not in turn.open
    turn.touch(first)
    assert turn.touched == ()
    turn.touch(first)
    if second not in turn.open:
        turn.touch(second)
        assert turn.touched == (second,)


@pytest.mark.parametrize("name", names())
def test_every_move_can_be_touched(name: str) -> None:
    chance = random.Random(5)
    here = pentad.new(name)
    for _ in range(6):
        move = chance.choice(here.legal_moves[:50])
        turn, made = Turn(here), None
        for step in touches(here, move):
            for target in step.targets:
                assert target in turn.open
                made = turn.touch(target)
        assert str(made or turn.end()) == str(move)
        here = here.play(move)
    assert not Turn(here).may_end

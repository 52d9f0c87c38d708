"""Positions and steps as numbers, for learners: the encoding of each game, and a general one for games without.

    >>> from pentad import new
    >>> here = new("pentago").partial("a2")
    >>> encoding(here).actions(here), [*steps(here)]  # 36 placements and 8 twists
    (44, [36, 37, 38, 39, 40, 41, 42, 43])

An action is one step of a turn: a turn of several steps is several actions of the same seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import SupportsIndex, cast

from pentad.game import GameError, IllegalMove, Position, Step, game, shown
from pentad.games.parts import Encoding
from pentad.system.words import phrase

MAX_ACTIONS = 512  # a game without an encoding has no more steps at a time
MAX_GAME_STEPS = 1_000_000  # a game without an encoding does not know its limit
SHOWN = 8  # legal actions in a message
MAX_TEXT_BYTES = 512  # a game without an encoding has the text of its position


class TextEncoding:
    """The encoding of a game that has none: steps by their order, and a position by the bits of its text."""

    def actions(self, here: Position) -> int:
        return MAX_ACTIONS

    def most_steps(self, here: Position) -> int:
        return MAX_GAME_STEPS

    def number(self, here: Position, step: Step) -> int:
        number = [choice.step for choice in here.choices()].index(step)
        if number >= MAX_ACTIONS:
            raise GameError(
                "{game} has more than {most_steps} steps here, so it needs an encoding of its own.",
                game=here.game,
                most_steps=MAX_ACTIONS,
            )
        return number

    def shape(self, here: Position) -> tuple[int, int]:
        return 1, MAX_TEXT_BYTES

    def planes(self, here: Position, seat: int) -> Mapping[str, int]:
        text = here.text.encode()
        if len(text) > MAX_TEXT_BYTES:
            raise GameError(
                "A position of {game} has {count} bytes, so it needs an encoding of its own.",
                game=here.game,
                count=len(text),
            )
        bits = range(8)
        return {f"bit {bit}": sum(1 << at for at, byte in enumerate(text) if byte >> bit & 1) for bit in bits} | {
            f"to move +{i}": (1 << MAX_TEXT_BYTES) - 1 if here.turn == (seat + i) % here.players else 0
            for i in range(here.players)
        }


def encoding(here: Position) -> Encoding:
    """The encoding of the position's game: its part `encoding`, or the general one."""
    return _encoding_of(here.game)


@cache
def _encoding_of(name: str) -> Encoding:
    kind = game(name)
    return cast(Encoding, kind.module("encoding")) if kind.has("encoding") else TextEncoding()


def steps(here: Position) -> dict[int, Step]:
    """The legal next steps by their numbers."""
    choices, number = here.choices(), encoding(here).number
    if choices.may_end and choices:
        raise GameError(
            "A turn of {game} may end before its last step. Encodings need turns with a fixed end.", game=here.game
        )
    return {number(here, choice.step): choice.step for choice in choices}


def play(here: Position, step: Step) -> Position:
    """The position after one step: in the middle of the turn, or after it."""
    return here.partial((step,)) if here.choices((step,)) else here.play((step,))


def chosen(legal: Mapping[int, Step], number: object) -> Step:
    """The step with a number among the legal ones; raises `IllegalMove` for any other number."""
    given = number.__index__() if isinstance(number, SupportsIndex) else number
    if not isinstance(given, int) or given not in legal:
        actions = ", ".join(map(str, sorted(legal)[:SHOWN]))
        if not legal:
            reason = "The game is over."
        elif len(legal) > SHOWN:
            reason = phrase("The legal actions include {actions}.", actions=actions)
        else:
            reason = phrase("The legal actions are {actions}.", actions=actions)
        raise IllegalMove("Action {given} is not legal here. {reason}", given=shown(given, 20), reason=reason)
    return legal[given]

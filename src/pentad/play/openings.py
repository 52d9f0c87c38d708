"""Openings of contests: random moves from a seed, and on request only those that the game's engine values as even."""

from __future__ import annotations

import random
from functools import lru_cache

from pentad.game import GameError, Position, load
from pentad.search.analysis import fixed_value

TRIES, BALANCED_TRIES = 1000, 200
KEPT = 256  # openings that a process remembers: a pair of games has the same


def opening(start: Position, plies: int, seed: int, number: int, balance: float | None = None) -> tuple[str, ...]:
    """The moves of an opening. The game is not over after them, and with `balance` no seat's value is farther from 0.

    The same on every machine.
    """
    return _opening(start.text, plies, seed, number, balance)


@lru_cache(maxsize=KEPT)
def _opening(start: str, plies: int, seed: int, number: int, balance: float | None) -> tuple[str, ...]:
    tries = TRIES if balance is None else BALANCED_TRIES
    for attempt in range(tries):
        rng = random.Random(f"{seed}/{number}/{attempt}")
        here = load(start)
        moves: list[str] = []
        while len(moves) < plies and here.outcome is None:
            move = rng.choice(here.legal_moves)
            moves.append(str(move))
            here = here.play(move)
        if here.outcome is None and (balance is None or max(map(abs, fixed_value(here))) <= balance):
            return tuple(moves)
    if balance is None:
        raise GameError(
            "No opening of {plies} random moves leaves {game} undecided.", plies=plies, game=load(start).game
        )
    raise GameError(
        "None of {tries} openings of {plies} random moves has a value within {balance:g} of "
        "even. Try another number of moves or a larger value.",
        tries=tries,
        plies=plies,
        balance=balance,
    )

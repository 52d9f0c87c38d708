"""Many games at once beside the same games by the rules, and random games of kernels replayed by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pentad import new
from pentad.game import Position, bit_numbers
from pentad.games import encoding
from pentad.games.batch import Games, random_games
from pentad.games.parts import RandomGames
from tests.programs import run


def planes_of(here: Position) -> Any:
    """What the seat to move sees, by the rules."""
    kind = encoding.encoding(here)
    found = kind.planes(here, here.turn)
    seen = np.zeros((len(found), np.prod(kind.shape(here))), np.int8)
    for plane, places in zip(seen, found.values(), strict=True):
        plane[list(bit_numbers(places))] = 1
    return seen.reshape(len(found), *kind.shape(here))


def check(games: Games, game: int, here: Position) -> None:
    """Checks all that the arrays show of a game."""
    legal = [] if here.outcome else sorted(encoding.steps(here))
    assert games.mask[game].nonzero()[0].tolist() == legal, here.text
    assert games.turn[game] == here.turn, here.text
    assert games.done[game] == (here.outcome is not None), here.text
    returns = here.outcome.returns if here.outcome else (0.0,) * here.players
    assert np.allclose(games.returns[game], returns), here.text
    seen = planes_of(here)
    wrong = [
        name
        for name, one, other in zip(games.planes, games.observations[game], seen, strict=True)
        if (one != other).any()
    ]
    assert wrong == [], here.text


def step_beside_rules(name: str, options: dict[str, Any], *, steps: int, count: int = 3, seed: int = 1) -> int:
    """Steps games by random actions, and the same games by the rules; returns the number of games that have ended."""
    games = Games(name, count, seed, auto_reset=True, **options)
    assert games.by == "kernels"
    positions, ended = [games.start] * count, 0
    for _ in range(steps):
        for game, here in enumerate(positions):
            check(games, game, here)
        actions = games.sample()
        games.step(actions)
        for game, here in enumerate(positions):
            if here.outcome:
                ended += 1
                positions[game] = games.start
            else:
                positions[game] = encoding.play(here, encoding.steps(here)[int(actions[game])])
    return ended


def first_turns(here: Position, games: RandomGames, count: int) -> Iterator[tuple[int, ...]]:
    """The actions of the first turns of so many random games, checked by the rules."""
    reached, legal = {(): here}, {(): encoding.steps(here)}
    for number in range(count):
        games.play(number, 1)
        turn: tuple[int, ...] = ()
        while reached[turn].ply == here.ply:
            before, turn = turn, (*turn, int(games.log[len(turn)]))
            if turn not in reached:
                reached[turn] = encoding.play(reached[before], legal[before][turn[-1]])
                legal[turn] = {} if reached[turn].ply > here.ply else encoding.steps(reached[turn])
        yield turn


def replay(here: Position, games: RandomGames, number: int) -> tuple[list[int], int]:
    """The actions of a random game, checked by the rules, and the winners as bits."""
    before, start = list(games.counts), here
    games.play(number, 1)
    moves, *winners = (after - old for after, old in zip(games.counts, before, strict=True))
    actions = []
    while here.outcome is None:
        actions.append(int(games.log[len(actions)]))
        here = encoding.play(here, encoding.steps(here)[actions[-1]])
    assert moves == here.ply - start.ply, here.text
    assert sum(winners) == 1
    assert winners.index(1) == sum(1 << seat for seat in here.outcome.winners), here.text
    return actions, winners.index(1)


def replays(name: str, options: dict[str, Any], *, games: int, seed: int = 1) -> list[tuple[list[int], int]]:
    """So many random games from the start, checked by the rules."""
    start = new(name, **options)
    kernels = random_games(start, seed)
    assert kernels
    return [replay(start, kernels, number) for number in range(games)]


def without_jit(call: str) -> str:
    """The value of a call of this module by kernels that run as Python, as text."""
    program = f"from tests.games.batch_games import *\nprint({call})"
    return run(program, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")[0]

"""Many games at once: random games to their end, by a game's kernels or by its rules.

The optional part `batch` of a game has its kernels (see `parts`). A game without that part is played by its rules.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from pentad.game import GameError, Position, bit_numbers, game_of, new, shown
from pentad.jit.program import NoMachineCode
from pentad.parts import Batch

Winners: TypeAlias = tuple[int, ...]  # the seats that won
By: TypeAlias = Literal["kernels", "rules"]

SEEDS = 1 << 64
SLICE = 0.02  # seconds: a person's interrupt waits for a call of the kernels


@dataclass(frozen=True, slots=True)
class Playouts:
    """The results of random games.

    `moves` counts whole moves. `results` has the number of games by the seats that won, `()` for a draw without
    winners. `by` says whether the game's kernels or its rules have played.
    """

    games: int
    moves: int
    players: int
    results: Mapping[Winners, int]
    seed: int
    by: By

    @property
    def draws(self) -> int:
        """The games in which all seats got the same."""
        return sum(games for winners, games in self.results.items() if len(winners) in (0, self.players))

    @property
    def wins(self) -> tuple[int, ...]:
        """For each seat the games that it won, alone or with others; without the draws."""
        decided = {winners: games for winners, games in self.results.items() if len(winners) < self.players}
        return tuple(
            sum(games for winners, games in decided.items() if seat in winners) for seat in range(self.players)
        )


def playouts(start: str | Position, /, *, games: int, seed: int | None = None, **options: object) -> Playouts:
    """Plays random games from a position, or from the start of the game with a name and options.

    Every legal whole move is equally likely. The same seed gives the same games, and the first games of a larger number
    are those of a smaller one. Without a seed, one is drawn; the result has it. Repetitions do not end a game.

    >>> found = playouts("pentago", games=1000, seed=1)
    >>> found.games, sum(found.wins) + found.draws
    (1000, 1000)
    """
    here = start if isinstance(start, Position) else new(start, **options)
    if isinstance(start, Position) and options:
        raise GameError(f"A position has its own options, so {', '.join(options)} cannot be given.")
    count = _whole("games", games)
    chosen = random.SystemRandom().randrange(SEEDS) if seed is None else _whole("seed", seed)
    if here.outcome:
        return Playouts(count, 0, here.players, {here.outcome.winners: count} if count else {}, chosen, "rules")
    return _by_kernels(here, count, chosen) or _by_rules(here, count, chosen)


def _whole(name: str, value: object) -> int:
    """Checks a whole number of 64 bits."""
    if type(value) is not int or not 0 <= value < SEEDS:
        raise GameError(f"{name} must be a whole number from 0 to 2**64 - 1, not {shown(value)}.")
    return value


def _by_kernels(here: Position, games: int, seed: int) -> Playouts | None:
    kind = game_of(here)
    if not kind.has("batch"):
        return None
    try:
        kernels = cast(Batch, kind.module("batch")).random_games(here, seed)
    except NoMachineCode:
        return None
    if kernels is None:
        return None
    for first, count in _slices(games):
        kernels.play(first, count)
    moves, *by_bits = kernels.counts
    results = {tuple(bit_numbers(bits)): count for bits, count in enumerate(by_bits) if count}
    return Playouts(games, moves, here.players, results, seed, "kernels")


def _slices(games: int) -> Iterator[tuple[int, int]]:
    """Yields the first number and the length of slices that take some milliseconds."""
    first, size = 0, 1
    while first < games:
        begun = time.perf_counter()
        yield first, min(size, games - first)
        first += size
        if time.perf_counter() - begun < SLICE / 2:
            size *= 2


def _by_rules(start: Position, games: int, seed: int) -> Playouts:
    moves, results = 0, Counter[Winners]()
    for game in range(games):
        rng = random.Random(f"{seed} {game}")
        here = start
        while not (outcome := here.outcome):
            legal = here.legal_moves
            here = here.play(legal[rng.randrange(len(legal))])
            moves += 1
        results[outcome.winners] += 1
    return Playouts(games, moves, start.players, dict(results), seed, "rules")

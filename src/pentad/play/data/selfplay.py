"""Games as tables: random games by the game's kernels, games of bots, and games of records.

The table `games` has a row for each game: its number, the numbers of its steps (see `pentad.games.encoding`), how many
moves it has, and the winners as bits by seat, none in a draw. The table `positions` has a row for each move, by key:
the key of the position and of the next one, the game, the number of moves before, and the result for the seat to move.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pentad.game import Move, Position
from pentad.games.batch import Games
from pentad.games.encoding import encoding
from pentad.play.data.dataset import Tables, require
from pentad.play.data.keys import Keys
from pentad.search.bot import bot

if TYPE_CHECKING:
    pass

RANDOM = "random"
REPLAYED_GAMES = 2  # the rules play so many games of each shard again


@dataclass
class ShardRows:
    """The rows of a shard, as columns."""

    keys: Keys
    games: list[tuple[int, Sequence[int], int, int]] = field(default_factory=list)  # number, steps, moves, winners
    key: list[NDArray[np.uint64]] = field(default_factory=list)
    following: list[NDArray[np.uint64]] = field(default_factory=list)
    game: list[NDArray[np.int64]] = field(default_factory=list)
    ply: list[NDArray[np.int16]] = field(default_factory=list)
    result: list[NDArray[np.int8]] = field(default_factory=list)

    def add(self, number: int, start: Position, moves: Iterable[Move]) -> None:
        """Adds a game by its moves."""
        line, steps, here = [start], list[int](), start
        for move in moves:
            steps += _steps(here, move)
            here = here.play(move)
            line.append(here)
        outcome = here.outcome
        returns = outcome.returns if outcome else (0.0,) * here.players
        keys = self.keys.of_all(line)
        seats = [each.turn for each in line[:-1]]
        self.games.append(
            (number, steps, len(seats), sum(1 << seat for seat, worth in enumerate(returns) if worth > 0))
        )
        self.key.append(keys[:-1])
        self.following.append(keys[1:])
        self.game.append(np.full(len(seats), number, np.int64))
        self.ply.append(np.arange(len(seats), dtype=np.int16))
        self.result.append(np.array([np.sign(returns[seat]) for seat in seats], np.int8))

    def tables(self) -> Tables:
        """The tables, the positions sorted by key."""
        pa = require("pyarrow")
        columns: dict[str, list[Any]] = {
            "key": self.key, "next": self.following, "game": self.game, "ply": self.ply, "result": self.result
        }  # fmt: skip
        whole = {name: np.concatenate(parts) if parts else np.zeros(0, KINDS[name]) for name, parts in columns.items()}
        order = np.lexsort((whole["ply"], whole["game"], whole["key"]))
        positions = pa.table({name: each[order].astype(KINDS[name]) for name, each in whole.items()})
        numbers, steps, moves, winners = zip(*self.games, strict=True) if self.games else ((), (), (), ())
        games = pa.table({
            "number": pa.array(numbers, pa.int64()),
            "steps": pa.array(steps, pa.list_(pa.uint16())),
            "moves": pa.array(moves, pa.int16()),
            "winners": pa.array(winners, pa.uint8()),
        })  # fmt: skip
        return {"games": games, "positions": positions}


KINDS = {"key": np.uint64, "next": np.uint64, "game": np.int64, "ply": np.int16, "result": np.int8}


def _steps(here: Position, move: Move) -> Iterator[int]:
    """The numbers of a move's steps."""
    number = encoding(here).number
    for place, step in enumerate(move):
        yield number(here.partial(move[:place]) if place else here, step)


def random_games(start: Position, keys: Keys, seed: int, first: int, count: int) -> ShardRows:
    """Random games with numbers from `first` on: each step is equally likely, or by the rules each whole move."""
    found = _by_kernels(start, keys, seed, first, count) if count and start.players == 2 else None
    return found or _by_rules(start, keys, seed, first, count)


def games_of(start: Position, keys: Keys, bots: Sequence[str], seed: int, numbers: Iterable[int]) -> ShardRows:
    """Games of bots by their names; they exchange seats from game to game."""
    rows = ShardRows(keys)
    for number in numbers:
        seats = [
            bot(start.game, bots[(seat + number) % len(bots)], seed=seed + number) for seat in range(start.players)
        ]
        here, moves = start, list[Move]()
        while not here.outcome:
            moves.append(seats[here.turn].choose(here))
            here = here.play(moves[-1])
        rows.add(number, start, moves)
    return rows


def _by_rules(start: Position, keys: Keys, seed: int, first: int, count: int) -> ShardRows:
    rows = ShardRows(keys)
    for number in range(first, first + count):
        rng, here, moves = random.Random(f"{seed} {number}"), start, list[Move]()
        while not here.outcome:
            legal = here.legal_moves
            moves.append(legal[rng.randrange(len(legal))])
            here = here.play(moves[-1])
        rows.add(number, start, moves)
    return rows


def _by_kernels(start: Position, keys: Keys, seed: int, first: int, count: int) -> ShardRows | None:
    """Random games, all stepped together; None without kernels, or where a seat can move twice in succession."""
    games = Games(start, count, seed)
    if games.by != "kernels":
        return None
    rows, numbers = ShardRows(keys), np.arange(first, first + count)
    here, plies, taken = keys.of_planes(games.observations), np.zeros(count, np.int16), []
    seats = list[NDArray[np.int64]]()
    while not games.done.all():
        going, seat, chosen = ~games.done, games.turn.copy(), games.sample()
        games.step(chosen)
        taken.append(np.where(going, chosen, -1))
        moved = np.flatnonzero(going & (games.done | (games.turn != seat)))
        after = keys.of_planes(games.observations[moved])
        rows.key.append(here[moved])
        rows.following.append(after)
        rows.game.append(numbers[moved])
        rows.ply.append(plies[moved])
        seats.append(seat[moved])
        here[moved] = after
        plies[moved] += 1
    signs = np.sign(games.returns).astype(np.int8)
    rows.result = [signs[game - first, seat] for game, seat in zip(rows.game, seats, strict=True)]
    winners = ((games.returns > 0) << np.arange(games.players)).sum(axis=1)
    steps = np.stack(taken, axis=1)
    lines = [line[line >= 0].tolist() for line in steps]
    rows.games = list(zip(numbers.tolist(), lines, plies.tolist(), winners.tolist(), strict=True))
    return rows if _agrees(start, rows) else None


def _agrees(start: Position, rows: ShardRows) -> bool:
    """Whether the first games are the same by the rules, with the same keys."""
    first = rows.games[:REPLAYED_GAMES]
    again = ShardRows(rows.keys)
    for number, steps, _, _ in first:
        again.add(number, start, replay(start, steps))
    if again.games != first:
        return False
    games = np.concatenate(rows.game)
    key, following = np.concatenate(rows.key), np.concatenate(rows.following)
    return all(
        np.array_equal(key[games == game[0]], own) and np.array_equal(following[games == game[0]], there)
        for game, own, there in zip(again.game, again.key, again.following, strict=True)
        if len(game)
    )


def replay(start: Position, numbers: Iterable[int]) -> Iterator[Move]:
    """The moves of a game, from the numbers of its steps."""
    here, begun = start, list[object]()
    for number in numbers:
        there = here.partial(tuple(begun)) if begun else here
        step = next(each.step for each in there.choices() if encoding(there).number(there, each.step) == number)
        begun.append(step)
        if not here.choices(tuple(begun)):
            move = Move(begun)
            yield move
            here, begun = here.play(move), []

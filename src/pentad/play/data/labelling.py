"""Labels of a bot: the positions of its games against itself, with the values and proofs of its searches.

A game begins with some random moves, and a later move is sometimes random too, so that positions differ. The features
of a position are its planes of `pentad.games.encoding`, each as bits in bytes, the first field in the lowest bit.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pentad.game import Position
from pentad.games.encoding import encoding
from pentad.play.data.dataset import require
from pentad.search.analysis import fixed_value
from pentad.search.bot import bot
from pentad.search.exact import exact_value
from pentad.search.move_limit import Limit
from pentad.search.report import Result

OPENING = 8  # random moves of an opening, at most
SHARE_OF_RANDOM_MOVES = 0.2
MAX_FRUITLESS_GAMES = 100  # after so many games without a new position there are no more


class LabelledPosition(NamedTuple):
    """A position with its value for the seat to move, from -1 to 1; exact if that is proved."""

    position: Position
    value: float
    exact: bool


def labels(start: Position, who: str, nodes: int | None, seed: int) -> Iterator[LabelledPosition]:
    """Labels of different positions, from game after game, until no game has a new one."""
    seen, fruitless, number = set[Position](), 0, 0
    while fruitless < MAX_FRUITLESS_GAMES:
        before = len(seen)
        yield from _game(start, who, nodes, random.Random(f"{seed} {number}"), seen)
        fruitless = fruitless + 1 if len(seen) == before else 0
        number += 1


def _game(
    start: Position, who: str, nodes: int | None, rng: random.Random, seen: set[Position]
) -> Iterator[LabelledPosition]:
    """The labels of a game's positions that were not seen before."""
    mover, limit = bot(start.game, who, seed=rng.getrandbits(63)), Limit(nodes=nodes)
    here, opening = start, rng.randrange(OPENING + 1)
    while not here.outcome:
        legal = here.legal_moves
        move = legal[rng.randrange(len(legal))]
        if here.ply - start.ply >= opening:
            found = mover.play(here, limit)
            if here not in seen:
                seen.add(here)
                yield _label(here, found)
            move = move if rng.random() < SHARE_OF_RANDOM_MOVES else found.move
        here = here.play(move)


def _label(here: Position, found: Result) -> LabelledPosition:
    """The label of a position: its exact value, else by the bot's search, or one of fixed work."""
    if known := exact_value(here):
        return LabelledPosition(here, known.value, True)
    if found.value is None:
        return LabelledPosition(here, fixed_value(here)[here.turn], False)
    return LabelledPosition(here, found.value, found.exact)


def columns(found: list[LabelledPosition], start: Position) -> Mapping[str, Any]:
    """The labels as columns of a table."""
    pa = require("pyarrow")
    coding = encoding(start)
    rows, width = coding.shape(start)
    size = -(-rows * width // 8)
    planes: dict[str, list[bytes]] = {}
    for label in found:
        here = label.position
        for name, bits in coding.planes(here, here.turn).items():
            planes.setdefault(name.replace(" ", "_"), []).append(bits.to_bytes(size, "little"))
    return {
        "position": pa.array([label.position.text for label in found], pa.string()),
        "ply": pa.array([label.position.ply for label in found], pa.int16()),
        "value": pa.array([label.value for label in found], pa.float32()),
        "exact": pa.array([label.exact for label in found], pa.bool_()),
        **{f"plane_{name}": pa.array(each, pa.binary(size)) for name, each in planes.items()},
    }

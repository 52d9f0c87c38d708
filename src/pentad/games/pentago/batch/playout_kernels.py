"""Kernels of many random games of classic Pentago in which every legal whole turn is equally likely."""

from __future__ import annotations

from pentad.games.pentago.playouts.classic_kernels import Bytes, Word, Words, play_game
from pentad.kernels.decorator import kernel
from pentad.kernels.random_kernels import counter_of

_0, _1, _2, _3 = (Word(each) for each in range(4))


@kernel
def play_classic(
    empty: Bytes, order: Bytes, log: Words, counts: Words, mover: Word, other: Word, seat: Word, placed: Word,
    placement_wins: Word, seed: Word, first: Word, games: Word,
) -> None:  # fmt: skip
    """Plays games to the end, from a position with these `empty` bits; `order` has room for as many.

    `counts` gets the moves, then the games by their winners as bits. `log` holds the moves of the last game, as
    `play_game` writes them.
    """
    moves = _0
    for game in range(first, first + games):
        for i in range(len(empty)):
            order[i] = empty[i]
        found = play_game(order, log, mover, other, seat, placed, placement_wins, _0, counter_of(seed, Word(game)))
        moves += found >> _2
        counts[_1 + (found & _3)] += _1
    counts[0] += moves


NATIVE = {"classic": (play_classic, f"uint8[] uint8[] uint64[] uint64[] {'uint64 ' * 8}")}

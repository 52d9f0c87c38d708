"""Kernels of many random games of classic Pentago in which every legal whole turn is equally likely."""

from __future__ import annotations

from pentad.games.pentago.batch.constants import ClassicGames
from pentad.games.pentago.playouts.classic_kernels import play_game, word
from pentad.kernels.decorator import kernel
from pentad.kernels.random_kernels import counter_of
from pentad.kernels.types import Word

_0, _1, _2, _3 = (word(each) for each in range(4))


@kernel
def play_classic(run: ClassicGames, seed: Word, first: Word, games: Word) -> None:
    """Plays the games with these numbers to the end.

    `counts` gets the moves, then the games by their winners as bits. `log` holds the moves of the last game, as
    `play_game` writes them.
    """
    empty, order, log, counts = run.empty, run.order, run.log, run.counts
    mover, other, seat, placed, placement_wins = run.mover, run.other, run.seat, run.placed, run.placement_wins
    moves = _0
    for game in range(first, first + games):
        for i in range(len(empty)):
            order[i] = empty[i]
        found = play_game(order, log, mover, other, seat, placed, placement_wins, _0, counter_of(seed, word(game)))
        moves += found >> _2
        counts[_1 + (found & _3)] += _1
    counts[0] += moves


NATIVE = {"classic": play_classic}

"""Random games of the classic board's kernels as moves of the rules."""

from __future__ import annotations

from pentad.game import Move
from pentad.games.parts import RandomGames
from pentad.games.pentago.playouts.classic_constants import BITS
from pentad.games.pentago.rules import PentagoPosition


def code_to_move(here: PentagoPosition, code: int) -> Move:
    """The move of a number in the kernels' log."""
    board = here.board
    place, twist = divmod(code, len(board.twists))
    if here.placed:
        return Move((board.twists[twist],))
    space = BITS.index(place)
    step = board.places[space]
    if here.winning_spaces >> space & 1:
        assert twist == 0
        return Move((step,))
    return Move((step, board.twists[twist]))


def played(here: PentagoPosition, games: RandomGames, number: int) -> tuple[list[Move], int]:
    """The moves of a game by its number, checked by the rules, and the winners as bits."""
    before = list(games.counts)
    games.play(number, 1)
    moves, *winners = (after - old for after, old in zip(games.counts, before, strict=True))
    made = []
    for code in list(games.log[:moves]):
        assert here.outcome is None, here.text
        made.append(code_to_move(here, int(code)))
        assert made[-1] in here.legal_moves, (here.text, str(made[-1]))
        here = here.play(made[-1])
    assert sum(winners) == 1
    assert here.outcome is not None, here.text
    assert sum(1 << seat for seat in here.outcome.winners) == winners.index(1), here.text
    return made, winners.index(1)

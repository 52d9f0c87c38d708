"""pentagraph's `SimpleBot`, whose turn is always empty there; here it plays."""

from __future__ import annotations

from pentad.bridges.pentagraph.lib.graph import Board
from pentad.bridges.pentagraph.positions import figure_fields, position_of
from pentad.games.pentagame.validation import turn_list
from pentad.search.bot import bot


class SimpleBot:
    """Chooses turns for a player on a board; without a board its turns are empty."""

    def __init__(self, board: Board | None = None, player: int | None = None, *, seed: int | None = None) -> None:
        self.board, self.player = board, player
        self.bot = bot("pentagame", "greedy", seed=seed)

    def handle_turn(self) -> tuple[tuple[int, int, int, int, int], ...]:
        """The moves of its turn, for `Board.move`; none if the game is over."""
        if self.board is None:
            return ()
        here = position_of(self.board, self.player)
        if here.outcome:
            return ()
        uids = list(dict.fromkeys(uid for uid, _ in figure_fields(self.board)[0]))
        names = self.board.names
        moves = turn_list(here, self.bot.choose(here))
        return tuple((uids[each.player], each.figure, *names.write(each.to)) for each in moves)

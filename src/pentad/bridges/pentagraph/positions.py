"""Conversion between boards of pentagraph and positions of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pentad.bridges.pentagraph.labels import DUE, MOVER, PENTAGRAPH, NamingConvention, convention
from pentad.bridges.pentagraph.lib.figures import BlackStopper, FigureType, GrayStopper, Player
from pentad.bridges.pentagraph.lib.graph import Board, Piece, fields_of
from pentad.game import GameError, load, new, shown
from pentad.games.pentagame.board import OFF_BOARD
from pentad.games.pentagame.denomination import BLACKS, GRAYS, MAX_PLAYERS, PIECES
from pentad.games.pentagame.rules import PentagamePosition
from pentad.system.words import phrase


def position_of(board: Board, turn: int | None = None) -> PentagamePosition:
    """The position of a board, with the player `turn` to move; players are seated in the order of their figures.

    A board has no history, so no player has a previous move.
    """
    pieces, blocks = figure_fields(board)
    uids = list(dict.fromkeys(uid for uid, _ in pieces))
    if not 2 <= len(uids) <= MAX_PLAYERS:
        raise GameError("A game has 2 to {max_players} players, got {count}.", max_players=MAX_PLAYERS, count=len(uids))
    missing = [
        phrase("player {uid}'s figure {piece}", uid=uid, piece=piece)
        for uid in uids
        for piece in PIECES
        if (uid, piece) not in pieces
    ]
    missing += [f"stopper {block}" for block in (*GRAYS, *BLACKS) if block not in blocks]
    if missing:
        raise GameError("A game needs every figure, but {missing} is not on this board.", missing=missing[0])
    if due := tuple(board.graph.get(DUE, ())):
        turn = board.graph[MOVER]
    elif turn is None and uids:
        turn = uids[0]
    if turn not in uids:
        raise GameError(
            "Unknown player {turn}. The players of this board are {uids}.",
            turn=shown(turn, 40),
            uids=", ".join(map(str, uids)),
        )
    here = unchecked_position(board, uids.index(turn), due)
    return cast(PentagamePosition, load(here.text))  # nothing has checked it so far


def figure_fields(board: Board) -> tuple[dict[Piece, int], dict[int, int]]:
    """The fields of the players' pieces and of the stoppers of a board, by number."""
    pieces, stoppers = board.numbered(board.as_figures())
    return fields_of(pieces), fields_of(stoppers)


def unchecked_position(board: Board, seat: int = 0, due: tuple[str, ...] = ()) -> PentagamePosition:
    """An unchecked position for drawing: missing figures are off the board, and there are at least two players."""
    pieces, blocks = figure_fields(board)
    uids = list(dict.fromkeys(uid for uid, _ in pieces))
    first = cast(PentagamePosition, new("pentagame", players=max(2, len(uids))))
    mine = [tuple(pieces.get((uid, piece), OFF_BOARD) for piece in PIECES) for uid in uids]
    mine += [(OFF_BOARD,) * len(PIECES)] * (first.players - len(mine))
    blacks, grays = (tuple(blocks.get(block, OFF_BOARD) for block in kind) for kind in (BLACKS, GRAYS))
    return PentagamePosition(first.setup, tuple(mine), blacks, grays, seat, 0, first.last, None, due)


def board_of(
    position: PentagamePosition, players: Sequence[int] | None = None, names: NamingConvention | str = PENTAGRAPH
) -> Board:
    """The board of a position; `players` are the uids of its seats, by default their numbers."""
    uids = list(range(position.players)) if players is None else list(players)
    if len(uids) != position.players or len(set(uids)) < len(uids):
        raise GameError(
            "Expected {players} different uids, got {uids}.", players=position.players, uids=shown(uids, 40)
        )
    by = convention(names)
    board = Board(generate=True, names=by)
    figures: list[FigureType] = []
    for i in range(len(GRAYS)):
        figures.append(GrayStopper(by.position(position.grays[i]), GRAYS[i], names=by))
        figures.append(BlackStopper(by.position(position.blacks[i]), BLACKS[i], names=by))
    for seat, uid in enumerate(uids):
        for piece, field in enumerate(position.pieces[seat]):
            figures.append(Player(by.position(field), uid, board.COLORS[piece][0], names=by, figure=piece))
    board.add_figures(figures)
    board.set_due(position.due, uids[position.turn])
    return board

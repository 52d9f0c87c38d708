"""From boards of pentagraph to positions of the game, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pentad.bridges.pentagraph.labels import DUE, MOVER, PENTAGRAPH, Names, convention
from pentad.bridges.pentagraph.lib.figures import BlackStopper, FigureType, GrayStopper, Player
from pentad.bridges.pentagraph.lib.graph import Board
from pentad.game import GameError, load, new, shown
from pentad.pentagame.board import OFF_BOARD
from pentad.pentagame.denomination import BLACKS, GRAYS, MOST_PLAYERS, PIECES
from pentad.pentagame.rules import PentagamePosition


def position_of(board: Board, turn: int | None = None) -> PentagamePosition:
    """The position that stands on a board, with the player `turn` to move; players sit in the order of their figures.

    A board has no history, so nobody has a previous move that he may not repeat.
    """
    pieces, blocks = standing(board)
    uids = list(dict.fromkeys(uid for uid, _ in pieces))
    if not 2 <= len(uids) <= MOST_PLAYERS:
        raise GameError(f"a game has 2 to {MOST_PLAYERS} players, not {len(uids)}")
    missing = [f"player {uid}'s figure {piece}" for uid in uids for piece in PIECES if (uid, piece) not in pieces]
    missing += [f"stopper {block}" for block in (*GRAYS, *BLACKS) if block not in blocks]
    if missing:
        raise GameError(f"a game needs every figure; {missing[0]} is not on this board")
    due = tuple(board.graph.get(DUE, ()))
    if due:
        turn = board.graph[MOVER]
    elif turn is None and uids:
        turn = uids[0]
    if turn not in uids:
        raise GameError(f"{shown(turn, 40)} is no player of this board; there are {', '.join(map(str, uids))}")
    here = drawn(board, uids.index(turn), due)
    return cast(PentagamePosition, load(here.text))  # which checks it


def standing(board: Board) -> tuple[dict[tuple[int, int], int], dict[int, int]]:
    """Where the players' pieces and the stoppers of a board are, by our numbers."""
    figures = board.as_figures()
    pieces = {piece: figure.number for piece, figure in board.numbered(figures)}
    return pieces, {block: figure.number for block, figure in board.stoppers(figures).items()}


def drawn(board: Board, seat: int = 0, due: tuple[str, ...] = ()) -> PentagamePosition:
    """A position to be drawn or checked: what is not on the board is off it, and there are two players at least."""
    pieces, blocks = standing(board)
    uids = list(dict.fromkeys(uid for uid, _ in pieces))
    first = cast(PentagamePosition, new("pentagame", players=max(2, len(uids))))
    mine = [tuple(pieces.get((uid, piece), OFF_BOARD) for piece in PIECES) for uid in uids]
    mine += [(OFF_BOARD,) * len(PIECES)] * (first.players - len(mine))
    blacks, grays = (tuple(blocks.get(block, OFF_BOARD) for block in kind) for kind in (BLACKS, GRAYS))
    return PentagamePosition(first.setup, tuple(mine), blacks, grays, seat, 0, first.last, None, due)


def board_of(
    position: PentagamePosition, players: Sequence[int] | None = None, names: Names | str = PENTAGRAPH
) -> Board:
    """The board on which a position stands; `players` are the uids of its seats, else their numbers."""
    uids = list(range(position.players)) if players is None else list(players)
    if len(uids) != position.players or len(set(uids)) < len(uids):
        raise GameError(f"{position.players} different uids are wanted, not {shown(uids, 40)}")
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
    board.owe(position.due, uids[position.turn])
    return board

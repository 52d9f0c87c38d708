"""Moves among figures that may be any: any players, any number of pieces, and nobody's turn.

A board of pentagraph is no position of a game, so what can be judged is judged: free ways, empty fields, what a
piece takes or swaps with, who is home, and which blocks are then due. Fields are our numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from pentad.game import IllegalMove
from pentad.pentagame.board import FIELDS, OFF_BOARD, goal, set_of
from pentad.pentagame.denomination import BLACKS, GRAYS, PIECES
from pentad.pentagame.paths import reach

Piece: TypeAlias = tuple[int, int]  # its player and its number, 0 to 4


class Step(NamedTuple):
    """A move of the denomination: a player's figure goes to a field, or off the board."""

    player: int
    figure: int
    to: int


@dataclass(frozen=True)
class Scene:
    """Where figures stand, and which blocks the last mover still owes."""

    pieces: dict[Piece, int]
    blocks: dict[int, int]
    due: tuple[str, ...] = ()
    mover: int | None = None
    names: dict[int, str] = field(default_factory=dict)  # of fields, for messages

    @property
    def taken(self) -> int:
        return set_of([*self.pieces.values(), *self.blocks.values()])

    def place(self, number: int) -> str:
        return self.names.get(number, str(FIELDS[number]))

    def at(self, number: int) -> list[Piece]:
        """The pieces on a field."""
        return [piece for piece, where in self.pieces.items() if where == number]

    def waiting(self, player: int) -> list[Piece]:
        """The player's pieces that others have brought to their goals."""
        return [piece for piece, where in self.pieces.items() if piece[0] == player and where == goal(piece[1])]


def play(scene: Scene, steps: Iterable[Step], validate: bool = True) -> Scene:
    """The scene after some moves: the mover, the piece that it swaps with, blocks that are put; and so on.

    What follows by itself, such as a piece that goes off the board, may be told and need not be.
    """
    rest = list(steps)
    known = len(rest) > 1
    while rest:
        step = rest.pop(0)
        if step.figure in PIECES:
            scene = _move_piece(scene, step, rest, validate, known)
        else:
            scene = _put_block(scene, step, validate, known)
    return scene


# ── pieces ───────────────────────────────────────────────────────────────────────────────────────


def _called(piece: Piece) -> str:
    return f"player {piece[0]}'s figure {piece[1]}"


def _move_piece(scene: Scene, step: Step, rest: list[Step], validate: bool, known: bool) -> Scene:
    piece = (step.player, step.figure)
    if piece not in scene.pieces:
        raise IllegalMove(f"{_called(piece)} is not on this board")
    start = scene.pieces[piece]
    if start == OFF_BOARD and step.to == OFF_BOARD and known:  # it has just been said
        return scene
    if start == OFF_BOARD:
        raise IllegalMove(f"{_called(piece)} has left the board")
    if step.to == OFF_BOARD:
        return _leave(scene, piece, validate)
    partner = _partner(scene, piece, step.to, rest)
    if validate:
        _check_way(scene, piece, step.to)
    return _moved(scene, piece, step.to, partner)


def _check_due(scene: Scene) -> None:
    if scene.due:
        raise IllegalMove(f"player {scene.mover} must put a {scene.due[0]} block on an empty field first")


def _check_way(scene: Scene, piece: Piece, to: int) -> None:
    """Refuse a move that the rules do not allow."""
    _check_due(scene)
    start = scene.pieces[piece]
    if waiting := scene.waiting(piece[0]):
        raise IllegalMove(f"{_called(waiting[0])} was brought to its goal, so it leaves first")
    if start == to:
        raise IllegalMove(f"{_called(piece)} stands on {scene.place(to)} already")
    if not reach(start, scene.taken) >> to & 1:
        raise IllegalMove(f"{_called(piece)} has no free way from {scene.place(start)} to {scene.place(to)}")


def _leave(scene: Scene, piece: Piece, validate: bool) -> Scene:
    """A piece that another player brought to its goal leaves."""
    if validate:
        _check_due(scene)
        if piece not in scene.waiting(piece[0]):
            raise IllegalMove(f"{_called(piece)} stands on {scene.place(scene.pieces[piece])}, not at its goal")
    return replace(scene, pieces=scene.pieces | {piece: OFF_BOARD}, due=("gray",), mover=piece[0])


def _partner(scene: Scene, piece: Piece, to: int, rest: list[Step]) -> Piece | None:
    """The piece that is swapped with: the one that is named next, or the only one that stands there."""
    standing = [each for each in scene.at(to) if each != piece]
    start = scene.pieces[piece]
    if rest and rest[0].figure in PIECES and rest[0].to == start:
        named = (rest[0].player, rest[0].figure)
        if named not in standing:
            raise IllegalMove(f"{_called(named)} does not stand on {scene.place(to)}")
        rest.pop(0)
        return named
    if len(standing) > 1:
        raise IllegalMove(f"several pieces stand on {scene.place(to)}; say which one comes back, in a move after it")
    return standing[0] if standing else None


def _moved(scene: Scene, piece: Piece, to: int, partner: Piece | None) -> Scene:
    start = scene.pieces[piece]
    pieces = scene.pieces | {piece: to} | ({partner: start} if partner else {})
    home = [piece] if to == goal(piece[1]) else []
    # another player's piece leaves only together with the mover's
    if partner and start == goal(partner[1]) and (home or partner[0] == piece[0]):
        home.append(partner)
    taken = [block for block, where in scene.blocks.items() if where == to]
    due = ("black",) * any(block in BLACKS for block in taken) + ("gray",) * len(home)
    return replace(
        scene,
        pieces=pieces | dict.fromkeys(home, OFF_BOARD),
        blocks=scene.blocks | dict.fromkeys(taken, OFF_BOARD),
        due=due,
        mover=piece[0] if due else None,
    )


# ── blocks ───────────────────────────────────────────────────────────────────────────────────────


def _put_block(scene: Scene, step: Step, validate: bool, known: bool) -> Scene:
    kind, figures = ("gray", GRAYS) if step.figure in GRAYS else ("black", BLACKS)
    block = f"the {kind} block {step.figure}"
    if step.figure not in scene.blocks:
        raise IllegalMove(f"{block} is not on this board")
    if step.to == OFF_BOARD:
        if known and scene.blocks[step.figure] == OFF_BOARD:  # it has just been taken
            return scene
        if validate:
            raise IllegalMove(f"{block} goes off the board only when a piece takes it")
    elif validate:
        _check_put(scene, step, kind, figures)
    due = scene.due[1:] if scene.due[:1] == (kind,) else scene.due
    return replace(scene, blocks=scene.blocks | {step.figure: step.to}, due=due, mover=scene.mover if due else None)


def _check_put(scene: Scene, step: Step, kind: str, figures: Sequence[int]) -> None:
    """Refuse to put a block that is not due, or on a field that is not empty."""
    if not scene.due:
        raise IllegalMove("no block is due; a block is put when a piece has taken one or reached its goal")
    if scene.due[0] != kind:
        raise IllegalMove(f"a {scene.due[0]} block is to be put first")
    if step.player != scene.mover:
        raise IllegalMove(f"it is for player {scene.mover} to put the block, not for player {step.player}")
    in_hand = [figure for figure in figures if scene.blocks.get(figure) == OFF_BOARD]
    if in_hand and step.figure not in in_hand:
        raise IllegalMove(f"{kind} block {' or '.join(map(str, in_hand))} is to be put, not {step.figure}")
    if scene.taken >> step.to & 1:
        raise IllegalMove(f"{scene.place(step.to)} is not empty")

"""Moves on arbitrary boards: any players, any number of pieces, no turn order.

A board of pentagraph need not be a position of a game. Validation covers free paths, empty fields, captures, swaps,
finished pieces and the blocks that are due after them. Fields are numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from pentad.game import IllegalMove
from pentad.pentagame.board import FIELDS, OFF_BOARD, goal, reach, set_of
from pentad.pentagame.denomination import BLACKS, GRAYS, PIECES

Piece: TypeAlias = tuple[int, int]  # its player and its number, 0 to 4


class Step(NamedTuple):
    """A move of the denomination: a player's figure goes to a field or off the board."""

    player: int
    figure: int
    to: int


@dataclass(frozen=True)
class Scene:
    """The fields of all figures, and the blocks that the last player must still put."""

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
        """The player's pieces that others brought to their goals."""
        return [piece for piece, where in self.pieces.items() if piece[0] == player and where == goal(piece[1])]


def play(scene: Scene, steps: Iterable[Step], validate: bool = True) -> Scene:
    """The scene after moves: a piece, its swap partner, blocks, and so on.

    Automatic consequences, such as a piece that leaves the board, are optional.
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


def _name(piece: Piece) -> str:
    return f"Player {piece[0]}'s figure {piece[1]}"


def _move_piece(scene: Scene, step: Step, rest: list[Step], validate: bool, known: bool) -> Scene:
    piece = (step.player, step.figure)
    if piece not in scene.pieces:
        raise IllegalMove(f"{_name(piece)} is not on this board.")
    start = scene.pieces[piece]
    if start == OFF_BOARD and step.to == OFF_BOARD and known:  # an explicit consequence
        return scene
    if start == OFF_BOARD:
        raise IllegalMove(f"{_name(piece)} has left the board.")
    if step.to == OFF_BOARD:
        return _leave(scene, piece, validate)
    partner = _partner(scene, piece, step.to, rest)
    if validate:
        _check_path(scene, piece, step.to)
    return _moved(scene, piece, step.to, partner)


def _check_due(scene: Scene) -> None:
    if scene.due:
        raise IllegalMove(f"Player {scene.mover} must put a {scene.due[0]} block on an empty field first.")


def _check_path(scene: Scene, piece: Piece, to: int) -> None:
    """Refuses an illegal move of a piece."""
    _check_due(scene)
    start = scene.pieces[piece]
    if waiting := scene.waiting(piece[0]):
        raise IllegalMove(f"{_name(waiting[0])} was brought to its goal, so it must leave first.")
    if start == to:
        raise IllegalMove(f"{_name(piece)} is already on {scene.place(to)}.")
    if not reach(start, scene.taken) >> to & 1:
        raise IllegalMove(f"{_name(piece)} has no free path from {scene.place(start)} to {scene.place(to)}.")


def _leave(scene: Scene, piece: Piece, validate: bool) -> Scene:
    """Removes a piece that another player brought to its goal."""
    if validate:
        _check_due(scene)
        if piece not in scene.waiting(piece[0]):
            raise IllegalMove(f"{_name(piece)} is on {scene.place(scene.pieces[piece])}, not at its goal.")
    return replace(scene, pieces=scene.pieces | {piece: OFF_BOARD}, due=("gray",), mover=piece[0])


def _partner(scene: Scene, piece: Piece, to: int, rest: list[Step]) -> Piece | None:
    """The swap partner: the piece that is named next, or the only one on the field."""
    standing = [each for each in scene.at(to) if each != piece]
    start = scene.pieces[piece]
    if rest and rest[0].figure in PIECES and rest[0].to == start:
        named = (rest[0].player, rest[0].figure)
        if named not in standing:
            raise IllegalMove(f"{_name(named)} is not on {scene.place(to)}.")
        rest.pop(0)
        return named
    if len(standing) > 1:
        raise IllegalMove(f"Several pieces are on {scene.place(to)}. Name the swap partner in the next move.")
    return standing[0] if standing else None


def _moved(scene: Scene, piece: Piece, to: int, partner: Piece | None) -> Scene:
    start = scene.pieces[piece]
    pieces = scene.pieces | {piece: to} | ({partner: start} if partner else {})
    home = [piece] if to == goal(piece[1]) else []
    # Another player's piece leaves only together with the moving piece.
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
    block = f"The {kind} block {step.figure}"
    if step.figure not in scene.blocks:
        raise IllegalMove(f"{block} is not on this board.")
    if step.to == OFF_BOARD:
        if known and scene.blocks[step.figure] == OFF_BOARD:  # it has just been taken
            return scene
        if validate:
            raise IllegalMove(f"{block} leaves the board only if a piece takes it.")
    elif validate:
        _check_put(scene, step, kind, figures)
    due = scene.due[1:] if scene.due[:1] == (kind,) else scene.due
    return replace(scene, blocks=scene.blocks | {step.figure: step.to}, due=due, mover=scene.mover if due else None)


def _check_put(scene: Scene, step: Step, kind: str, figures: Sequence[int]) -> None:
    """Refuses to put a block that is not due, or on a field that is not empty."""
    if not scene.due:
        raise IllegalMove("No block is due. A block is put after a piece has taken one or reached its goal.")
    if scene.due[0] != kind:
        raise IllegalMove(f"A {scene.due[0]} block must be put first.")
    if step.player != scene.mover:
        raise IllegalMove(f"Player {scene.mover} must put the block, not player {step.player}.")
    in_hand = [figure for figure in figures if scene.blocks.get(figure) == OFF_BOARD]
    if in_hand and step.figure not in in_hand:
        raise IllegalMove(f"The {kind} block {' or '.join(map(str, in_hand))} must be put, not {step.figure}.")
    if scene.taken >> step.to & 1:
        raise IllegalMove(f"{scene.place(step.to)} is not empty.")

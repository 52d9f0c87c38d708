"""Validation of moves: whether and why a move is legal, with the piece's path or the fields that block it.

The path is found by A* with the exact distance of the empty board, and checked against the flood fill that the rules
use. Validation does not raise for an unreadable move: its verdict says which part is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, cast

from pentad.game import GameError, IllegalMove, InvalidMove, Move, Steps, shown
from pentad.games.pentagame import denomination, wording
from pentad.games.pentagame.board import (
    DISTANCE,
    FIELDS,
    NUMBER,
    OFF,
    OFF_BOARD,
    Field,
    fields_of,
    number_of,
    path,
    reach,
)
from pentad.games.pentagame.denomination import PIECES, Shift
from pentad.games.pentagame.notation import BlockStep, LeaveStep, PieceStep, TurnStep, consequences, turn_of_number
from pentad.games.pentagame.rules import PentagamePosition
from pentad.system.words import listed, phrase


def turn_list(position: PentagamePosition, move: Steps) -> tuple[Shift, ...]:
    """The moves of a legal turn: the moving piece, its swap partner, figures that leave the board, blocks.

    In the denomination a black block is never off the board: it goes from the player's hand to its field.

    >>> import pentad
    >>> start = pentad.new("pentagame")
    >>> [str(each) for each in turn_list(start, "3-5 410")]
    ['[0,3,5,0,0]', '[0,11,4,1,0]']
    """
    position.play(move)
    found: list[Shift] = []
    for step in position.steps_given(move):
        found += step.shifts
        found += (Shift(*each, OFF) for each in consequences(position, step))
    return tuple(found)


Fields: TypeAlias = tuple[Field, ...]


class Stage(NamedTuple):
    """A part of a turn with its verdict; `move` is empty if the part is missing."""

    kind: str  # piece, leave, black, gray
    move: tuple[Shift, ...]
    allowed: bool
    reason: str

    def __str__(self) -> str:
        text = " ".join(map(str, self.move))
        refused = "Not allowed: " if text and not self.allowed else ""
        return f"{self.kind:8}{text or 'missing'}: {refused}{self.reason}"


@dataclass(frozen=True, slots=True)
class Validation:
    """Whether a move is allowed, and why. A verdict is true if the move is allowed; its text has all details.

    `path` has the fields of the piece's shortest path, both ends included. If there is none, `blocking` has the
    taken fields that block the shortest paths of the empty board; if a block cannot be put, the field that is not
    empty. `turn` is the whole turn in the denomination, with its consequences.
    """

    allowed: bool
    reason: str
    readable: bool = True
    move: Move | None = None
    path: Fields = ()
    blocking: Fields = ()
    turn: tuple[Shift, ...] = ()
    stages: tuple[Stage, ...] = ()

    def __bool__(self) -> bool:
        return self.allowed

    @property
    def steps(self) -> int | None:
        """The length of the piece's path; None if there is none."""
        return len(self.path) - 1 if self.path else None

    def __str__(self) -> str:
        allowed = "Allowed" if self.allowed else "Not allowed" if self.readable else "Not readable"
        details = (("path", self.path), ("blocked", self.blocking), ("turn", self.turn))
        lines = [f"{name:8}{' '.join(map(str, things))}" for name, things in details if things]
        stages = self.stages if len(self.stages) > 1 else ()
        return "\n  ".join([f"{allowed}: {self.reason}", *map(str, stages), *lines])

    def as_dict(self) -> dict[str, Any]:
        """The verdict for JSON, with fields and moves as the denomination's lists."""
        return {
            "allowed": self.allowed,
            "readable": self.readable,
            "reason": self.reason,
            "move": None if self.move is None else str(self.move),
            "path": [list(field) for field in self.path],
            "steps": self.steps,
            "blocking": [list(field) for field in self.blocking],
            "turn": denomination.as_list(self.turn),
            "stages": [each._asdict() | {"move": denomination.as_list(each.move)} for each in self.stages],
        }


def validate(position: PentagamePosition, move: Steps | int) -> Validation:
    """Validates a move, in any form that `position.play` accepts, or as a turn's integer.

    >>> import pentad
    >>> start = pentad.new("pentagame")
    >>> print(validate(start, "[0,3,7,0,0]").reason)
    Circle's red piece has no free path from the red corner to the yellow junction. The path is blocked on the blue
    corner (circle's blue piece and square's blue piece) and the green junction (black block).
    """
    if not isinstance(position, PentagamePosition):
        raise GameError("Expected a position of Pentagame, got {position}.", position=shown(position, 40))
    moves: tuple[Shift, ...] | None = None
    try:
        moves = _moves(move)
        turn = moves or (turn_of_number(move) if type(move) is int else cast(Steps, move))
        steps = position.steps_given(turn)
        if not steps:
            raise InvalidMove("Expected a move, such as [{turn},3,5,2,2].", turn=position.turn)
    except InvalidMove as error:
        path, blocking = _path_of(position, moves[0]) if moves else ((), ())
        return Validation(False, str(error), moves is not None, None, path, blocking)
    return _verdict(position, turn, steps)


def _moves(given: object) -> tuple[Shift, ...] | None:
    """The moves of a turn in the denomination; None for another notation."""
    if isinstance(given, str):
        return denomination.turn(given) if "[" in given else None
    if isinstance(given, Shift):
        return (denomination.shift(given),)
    if isinstance(given, list | tuple) and given and not isinstance(given, TurnStep):
        if len(given) == 5 and all(type(each) is int for each in given):
            return (denomination.shift(given),)
        if all(isinstance(each, list | Shift) for each in given):
            return denomination.turn(given)
    return None


def _verdict(position: PentagamePosition, turn: Steps, steps: tuple[TurnStep, ...]) -> Validation:
    """The verdict on a turn with these steps."""
    full: tuple[Shift, ...] = ()
    refusal = ""
    try:
        full = turn_list(position, turn)
    except IllegalMove as error:
        refusal = str(error)
    head = steps[0]
    path, blocking = _path_of(position, head.shifts[0])
    if blocking and isinstance(head, PieceStep) and _may_begin(position, head):
        figures = listed(
            f"the {position.place_name(field)} ({position.figures_on(field)})" for field in map(number_of, blocking)
        )
        refusal += phrase(" The path is blocked on {figures}.", figures=figures)
    stages, there = _stages(position, steps, refusal)
    if refusal and not there.outcome and len(stages) <= len(steps):
        blocking = _occupied_target(there, steps[len(stages) - 1]) or blocking
    move = Move(steps)
    return Validation(not refusal, refusal or position.describe(move), True, move, path, blocking, full, stages)


def _may_begin(here: PentagamePosition, step: PieceStep) -> bool:
    """Whether only a blocked path can keep a piece from moving."""
    mine = step.seat == here.turn and NUMBER[step.start] == here.pieces[step.seat][step.piece]
    return mine and not (here.due or here.waiting or here.outcome)


def _occupied_target(here: PentagamePosition, step: TurnStep) -> Fields:
    """The target field of a due block, if the field is not empty."""
    if not isinstance(step, BlockStep) or step.seat != here.turn or step.figure not in here.blocks_to_put:
        return ()
    return (step.to,) if here.taken >> NUMBER[step.to] & 1 else ()


def _stages(
    position: PentagamePosition, steps: tuple[TurnStep, ...], refusal: str
) -> tuple[tuple[Stage, ...], PentagamePosition]:
    """The parts of a turn up to the one that is refused or missing, and the position before it."""
    here, stages = position, list[Stage]()
    for step in steps:
        if here.outcome or here.ply > position.ply or here.refusal(step):
            return (*stages, Stage(_kind(step), step.shifts, False, refusal)), here
        stages.append(Stage(_kind(step), step.shifts, True, f"{wording.description(here, step)}."))
        here = here.after_legal(step)
    missing = here.due if here.ply == position.ply else ()
    stages += [
        Stage(kind, (), False, phrase("A {kind} block must be put on an empty field.", kind=kind)) for kind in missing
    ]
    return tuple(stages), here


def _kind(step: TurnStep) -> str:
    if isinstance(step, BlockStep):
        return "black" if step.is_black else "gray"
    return "leave" if isinstance(step, LeaveStep) else "piece"


# ── paths ────────────────────────────────────────────────────────────────────────────────────────


def _path_of(position: PentagamePosition, move: Shift) -> tuple[Fields, Fields]:
    """The fields of the piece's path, or those that block it; neither if it stays or leaves the board."""
    if move.figure not in PIECES or move.player >= position.players or move.to == OFF:
        return (), ()
    start, to = position.pieces[move.player][move.figure], NUMBER[move.to]
    if start in (OFF_BOARD, to):
        return (), ()
    found = path(start, to, position.taken)
    assert (found is not None) == bool(reach(start, position.taken) >> to & 1), "A* and the flood fill must agree"
    if found:
        return tuple(FIELDS[field] for field in found), ()
    # Every shortest path of the empty board contains one of these: the first taken field on it.
    edge = fields_of(reach(start, position.taken) & position.taken)
    through = DISTANCE[start][to]
    return (), tuple(FIELDS[field] for field in edge if DISTANCE[start][field] + DISTANCE[field][to] == through)

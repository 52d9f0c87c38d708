"""Why a move is or is not allowed, in words, with the way of the piece or the fields that stop it.

The way is found by A* with the exact distance of the empty board, and held against the flood fill that the rules
use. A verdict never raises: a move that cannot be read gets one too, which says what part of it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from pentad.game import GameError, IllegalMove, InvalidMove, Move, Steps, shown
from pentad.pentagame import denomination, descriptions
from pentad.pentagame.board import FIELDS, NUMBER, OFF, OFF_BOARD, Field, fields_of, set_of
from pentad.pentagame.denomination import PIECES, Shift
from pentad.pentagame.move_details import turn_list
from pentad.pentagame.paths import DISTANCE, path, reach
from pentad.pentagame.rules import PentagamePosition
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep, TurnStep, turn_of_number

Fields: TypeAlias = tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a turn and what is to be said of it; `move` is empty where the part is missing."""

    kind: str  # piece, leave, black, gray
    move: tuple[Shift, ...]
    allowed: bool
    reason: str

    def __str__(self) -> str:
        told = " ".join(map(str, self.move))
        refused = "not allowed: " if told and not self.allowed else ""
        return f"{self.kind:8}{told or 'missing'}: {refused}{self.reason}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a move is allowed, and why. It is true where the move is allowed, and its text tells all.

    `path` are the fields of the piece's shortest way, both ends included. Where it has none, `blocking` are the
    taken fields that stop it on the shortest ways of the empty board; where a block cannot be put, the field
    that is not empty. `turn` is the whole turn in the denomination, with all that follows from it.
    """

    allowed: bool
    reason: str
    readable: bool = True
    move: Move | None = None  # as it was understood
    path: Fields = ()
    blocking: Fields = ()
    turn: tuple[Shift, ...] = ()
    stages: tuple[Stage, ...] = ()

    def __bool__(self) -> bool:
        return self.allowed

    @property
    def steps(self) -> int | None:
        """How many steps the piece goes; None where it has no way."""
        return len(self.path) - 1 if self.path else None

    def __str__(self) -> str:
        return "\n  ".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{'allowed' if self.allowed else 'not allowed' if self.readable else 'not readable'}: {self.reason}"
        if len(self.stages) > 1:
            yield from map(str, self.stages)
        for name, things in (("way", self.path), ("blocked", self.blocking), ("turn", self.turn)):
            if things:
                yield f"{name:8}{' '.join(map(str, things))}"

    def as_dict(self) -> dict[str, Any]:
        """The same for JSON, fields and moves as the denomination's lists."""
        return {
            "allowed": self.allowed,
            "readable": self.readable,
            "reason": self.reason,
            "move": None if self.move is None else str(self.move),
            "path": [list(field) for field in self.path],
            "steps": self.steps,
            "blocking": [list(field) for field in self.blocking],
            "turn": denomination.as_list(self.turn),
            "stages": [
                {"kind": each.kind, "move": denomination.as_list(each.move), "allowed": each.allowed}
                | {"reason": each.reason}
                for each in self.stages
            ],
        }


def validate(position: PentagamePosition, move: Steps | int) -> Verdict:
    """Whether a move is allowed, and why; it may be whatever `position.play` takes, or a turn's integer.

    >>> import pentad
    >>> start = pentad.new("pentagame")
    >>> print(validate(start, "[0,3,7,0,0]").reason)
    circle's red piece has no free way from [3,0,0] to [7,0,0]; [4,0,0] (circle's blue piece and square's blue
    piece) and [6,0,0] (black block 12) are in the way
    """
    if not isinstance(position, PentagamePosition):
        raise GameError(f"a position of Pentagame is wanted, not {shown(position, 40)}")
    moves: tuple[Shift, ...] | None = None
    try:
        moves = _moves(move)
        turn = _steps(move) if moves is None else moves
        steps = position.steps_given(turn)
        if not steps:
            raise InvalidMove(f"a move is missing; such as [{position.turn},3,5,2,2]")
    except InvalidMove as error:
        path, blocking = _way_of(position, moves[0]) if moves else ((), ())
        return Verdict(False, str(error), moves is not None, None, path, blocking)
    return _judged(position, turn, steps)


def _moves(given: object) -> tuple[Shift, ...] | None:
    """The denomination's moves, where a turn is given as those, whatever the position."""
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


def _steps(given: Steps | int) -> Steps:
    """A turn that is given otherwise."""
    return turn_of_number(given) if type(given) is int else cast(Steps, given)


def _judged(position: PentagamePosition, turn: Steps, steps: tuple[TurnStep, ...]) -> Verdict:
    """What is to be said of a turn that was read as these steps."""
    full: tuple[Shift, ...] = ()
    refusal = ""
    try:
        full = turn_list(position, turn)
    except IllegalMove as error:
        refusal = str(error)
    head = steps[0]
    path, blocking = _way_of(position, _shifts(head)[0])
    if blocking and isinstance(head, PieceStep) and _may_begin(position, head):
        refusal += _stopped_by(position, blocking)
    stages, there = _stages(position, steps, refusal)
    if refusal and not there.outcome and len(stages) <= len(steps):
        blocking = _taken_place(there, steps[len(stages) - 1]) or blocking
    move = Move(steps)
    return Verdict(not refusal, refusal or position.describe(move), True, move, path, blocking, full, stages)


def _may_begin(here: PentagamePosition, step: PieceStep) -> bool:
    """Whether nothing but its way can keep a piece from moving."""
    mine = step.seat == here.turn and NUMBER[step.start] == here.pieces[step.seat][step.piece]
    return mine and not (here.due or here.waiting or here.outcome)


def _taken_place(here: PentagamePosition, step: TurnStep) -> Fields:
    """The field that is not empty, where a block that is due cannot be put for that."""
    if not isinstance(step, BlockStep) or step.seat != here.turn or step.figure not in here.blocks_to_put:
        return ()
    return (step.to,) if here.taken >> NUMBER[step.to] & 1 else ()


def _stages(
    position: PentagamePosition, steps: tuple[TurnStep, ...], refusal: str
) -> tuple[tuple[Stage, ...], PentagamePosition]:
    """The parts of a turn up to the one that is refused or missing, and the position before that."""
    here, stages = position, list[Stage]()
    for step in steps:
        if here.outcome or here.ply > position.ply or here.refusal(step):
            return (*stages, Stage(_kind(step), _shifts(step), False, refusal)), here
        stages.append(Stage(_kind(step), _shifts(step), True, descriptions.step(here, step)))
        here = here.begun(step)
    missing = here.due if here.ply == position.ply else ()
    stages += [Stage(kind, (), False, f"a {kind} block must be put on an empty field") for kind in missing]
    return tuple(stages), here


def _kind(step: TurnStep) -> str:
    if isinstance(step, BlockStep):
        return "black" if step.is_black else "gray"
    return "leave" if isinstance(step, LeaveStep) else "piece"


def _shifts(step: TurnStep) -> tuple[Shift, ...]:
    if isinstance(step, PieceStep):
        return step.shifts
    return (Shift(*step) if isinstance(step, BlockStep) else Shift(step.seat, step.piece, OFF),)


# ── the way ──────────────────────────────────────────────────────────────────────────────────────


def _way_of(position: PentagamePosition, move: Shift) -> tuple[Fields, Fields]:
    """The fields of the piece's way, or those that stop it; neither if it goes nowhere on the board."""
    if move.figure not in PIECES or move.player >= position.players or move.to == OFF:
        return (), ()
    start, to = position.pieces[move.player][move.figure], NUMBER[move.to]
    if start in (OFF_BOARD, to):
        return (), ()
    way = path(start, to, position.taken)
    assert (way is not None) == bool(reach(start, position.taken) >> to & 1), "A* and the flood fill must agree"
    return (_named(way), ()) if way else ((), _named(stopping(position, start, to)))


def _named(fields: tuple[int, ...]) -> Fields:
    return tuple(FIELDS[field] for field in fields)


def stopping(position: PentagamePosition, start: int, to: int) -> tuple[int, ...]:
    """The taken fields at the edge of what can be reached that lie on a shortest way of the empty board.

    Every such way meets one of them: it is free up to the first taken field on it.
    """
    whole = DISTANCE[start][to]
    edge = fields_of(reach(start, position.taken) & position.taken)
    return tuple(field for field in edge if DISTANCE[start][field] + DISTANCE[field][to] == whole)


def _stopped_by(position: PentagamePosition, blocking: Fields) -> str:
    """Who stands in the way, as the end of a sentence."""
    there = descriptions.blocking(position, set_of([NUMBER[field] for field in blocking]))
    return f"; {there} {'are' if len(blocking) > 1 else 'is'} in the way"

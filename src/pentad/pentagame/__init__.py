"""Pentagame: board, denomination, paths, moves and validation."""

from pentad.pentagame.board import EDGES, FIELDS, OFF, Field, angle, neighbours, printed_angle
from pentad.pentagame.denomination import (
    Shift,
    as_json,
    as_list,
    field,
    field_number,
    legacy,
    shift,
    shift_number,
    turn,
)
from pentad.pentagame.move_details import turn_list
from pentad.pentagame.paths import distance, path, printed_heuristic, reach, reachable, shortest_way
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep, turn_number, turn_of_number
from pentad.pentagame.validation import Verdict, validate

__all__ = [
    "EDGES",
    "FIELDS",
    "OFF",
    "BlockStep",
    "Field",
    "LeaveStep",
    "PieceStep",
    "Shift",
    "Verdict",
    "angle",
    "as_json",
    "as_list",
    "distance",
    "field",
    "field_number",
    "legacy",
    "neighbours",
    "path",
    "printed_angle",
    "printed_heuristic",
    "reach",
    "reachable",
    "shift",
    "shift_number",
    "shortest_way",
    "turn",
    "turn_list",
    "turn_number",
    "turn_of_number",
    "validate",
]

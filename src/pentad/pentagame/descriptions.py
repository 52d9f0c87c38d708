"""Descriptions of Pentagame in words: pieces, fields, prompts and steps."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pentad.pentagame.board import FIELDS, JUNCTIONS, NUMBER, Field, goal
from pentad.pentagame.denomination import BLACKS, GRAYS
from pentad.pentagame.notation import SHAPES, BlockStep, LeaveStep, PieceStep, Table, TurnStep
from pentad.wording import listed


def player(here: Table, seat: int) -> str:
    """A seat's name, its shape."""
    return SHAPES[seat] if seat < here.players else f"player {seat}"


def piece(here: Table, seat: int, colour: int) -> str:
    """A piece's name, by its owner's shape and its colour."""
    return f"{player(here, seat)}'s {here.colours[colour]} piece"


def figure(number: int) -> str:
    """A figure's name, by its number."""
    kind = "gray block" if number in GRAYS else "black block" if number in BLACKS else "piece"
    return f"{kind} {number}"


def figures_on(here: Table, field: int) -> str:
    """The figures on a field."""
    things = [piece(here, *each) for each in here.pieces_on(field)]
    things += [figure(block) for block, at in here.blocks if at == field]
    return listed(things)


def partners(step: PieceStep, on_field: Iterable[tuple[int, int]]) -> str:
    """The notations of a step for each piece that it could swap with."""
    return " or ".join(str(step._replace(partner=each)) for each in on_field)


def place(here: Table, field: int) -> str:
    """A field's name, with the colour of a corner or junction."""
    return place_in(here.colours, field)


@lru_cache(maxsize=4096)
def place_in(colours: tuple[str, ...], field: int) -> str:
    """A field's name in a game of these colours."""
    if field in JUNCTIONS:
        return f"junction {field} ({colours[field - 5]})"
    return f"corner {field} ({colours[field]})" if field < 5 else str(FIELDS[field])


# ── the turn ─────────────────────────────────────────────────────────────────────────────────────


def action(here: Table) -> str:
    """The next action of the player to move, without a full stop."""
    if here.waiting:
        return "remove a piece from its goal"
    if not here.due:
        return "move a piece"
    if here.due[0] == "black":
        return "put the black block on an empty field"
    return "put a gray block on an empty field" if here.pool else "move a gray block to an empty field"


def still_due(here: Table) -> str:
    """A sentence about the blocks that are due, with an example."""
    step = next(here.block_steps())
    more = f", then {len(here.due) - 1} more" if len(here.due) > 1 else ""
    return f"A {here.due[0]} block must be put on an empty field, such as {step}{more}."


def step(here: Table, step: TurnStep) -> str:
    """The label of a step, a sentence without its full stop."""
    if isinstance(step, LeaveStep):
        return f"{piece(here, step.seat, step.piece).capitalize()} leaves the board"
    to = NUMBER[step.to]
    if isinstance(step, BlockStep):
        if not step.is_black and not here.pool:
            return f"The gray block goes from {place(here, here.grays[step.figure - GRAYS[0]])} to {place(here, to)}"
        return f"The {'black' if step.is_black else 'gray'} block goes to {place(here, to)}"
    actions = [f"goes to {place(here, to)}"]
    if step.partner:
        actions.append(f"swaps with {piece(here, *step.partner)}")
    elif here.blocked >> to & 1:
        actions.append(f"takes the {'black' if to in here.blacks else 'gray'} block")
    if to == goal(step.piece):
        actions.append("is home")
    others = "".join(f"; {piece(here, *each)} is home" for each in step.leaving if each != (step.seat, step.piece))
    return f"{piece(here, step.seat, step.piece).capitalize()} {listed(actions)}{others}"


def blocking(here: Table, fields: Iterable[Field]) -> str:
    """Some fields, each with the figures on it."""
    return listed(f"{field} ({figures_on(here, NUMBER[field])})" for field in fields)

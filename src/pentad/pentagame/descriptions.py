"""Descriptions of Pentagame in words: pieces, fields, prompts and steps."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from pentad.game import Move, Outcome
from pentad.pentagame.board import FIELDS, JUNCTIONS, NUMBER, fields_of, goal
from pentad.pentagame.denomination import BLACKS, GRAYS
from pentad.pentagame.notation import SHAPES
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep, TurnStep

if TYPE_CHECKING:
    from pentad.pentagame.rules import PentagamePosition


def player(here: PentagamePosition, seat: int) -> str:
    """A seat's name, its shape."""
    return player_of(here.players, seat)


def player_of(players: int, seat: int) -> str:
    """A seat's name in a game of so many players."""
    return SHAPES[seat] if seat < players else f"player {seat}"


def piece(here: PentagamePosition, seat: int, colour: int) -> str:
    """A piece's name, by its owner's shape and its colour."""
    return _piece(player(here, seat), here.colours[colour])


@lru_cache(maxsize=256)
def _piece(owner: str, colour: str) -> str:
    return f"{owner}'s {colour} piece"


def figure(number: int) -> str:
    """A figure's name, by its number."""
    kind = "gray block" if number in GRAYS else "black block" if number in BLACKS else "piece"
    return f"{kind} {number}"


def figures_on(here: PentagamePosition, field: int) -> str:
    """The figures on a field."""
    things = [piece(here, *each) for each in here.pieces_on(field)]
    things += [figure(BLACKS[i]) for i, at in enumerate(here.blacks) if at == field]
    things += [figure(GRAYS[i]) for i, at in enumerate(here.grays) if at == field]
    return listed(things)


def listed(things: Iterable[str]) -> str:
    """Joins a list with commas and `and`."""
    each = list(things)
    return f"{', '.join(each[:-1])} and {each[-1]}" if len(each) > 1 else "".join(each)


def partners(step: PieceStep, on_field: Iterable[tuple[int, int]]) -> str:
    """The notations of a step for each piece that it could swap with."""
    return " or ".join(str(step._replace(partner=each)) for each in on_field)


def place(here: PentagamePosition, field: int) -> str:
    """A field's name, with the colour of a corner or junction."""
    return place_in(here.colours, field)


@lru_cache(maxsize=4096)
def place_in(colours: tuple[str, ...], field: int) -> str:
    """A field's name in a game of these colours."""
    if field in JUNCTIONS:
        return f"junction {field} ({colours[field - 5]})"
    return f"corner {field} ({colours[field]})" if field < 5 else str(FIELDS[field])


# ── the turn ─────────────────────────────────────────────────────────────────────────────────────


def prompt(here: PentagamePosition) -> str:
    """The prompt for the player to move."""
    if here.waiting:
        return "a piece at its goal leaves"
    if not here.due:
        return "move a piece"
    if here.due[0] == "black":
        return "put the black block on an empty field"
    return "put a gray block on an empty field" if here.pool else "move a gray block to an empty field"


def still_due(here: PentagamePosition) -> str:
    """A sentence about the blocks that are due, with an example."""
    step = next(here.block_steps())
    more = f", then {len(here.due) - 1} more" if len(here.due) > 1 else ""
    return f"A {here.due[0]} block must be put on an empty field, such as {step}{more}."


def step(here: PentagamePosition, step: TurnStep) -> str:
    """Describes a step."""
    if isinstance(step, LeaveStep):
        return f"{piece(here, step.seat, step.piece)} leaves the board"
    to = NUMBER[step.to]
    if isinstance(step, BlockStep):
        if not step.is_black and not here.pool:
            return f"move the gray block from {place(here, here.grays[step.figure - GRAYS[0]])} to {place(here, to)}"
        return f"put the {'black' if step.is_black else 'gray'} block on {place(here, to)}"
    taken = "black" if to in here.blacks else "gray" if to in here.grays else ""
    return _moved(here.players, here.colours, step, taken)


def _moved(players: int, colours: tuple[str, ...], step: PieceStep, taken: str) -> str:
    def named(seat: int, colour: int) -> str:
        return _piece(player_of(players, seat), colours[colour])

    to = NUMBER[step.to]
    text = f"{named(step.seat, step.piece)} to {place_in(colours, to)}"
    if step.partner:
        text += f", swapped with {named(*step.partner)}"
    elif taken:
        text += f", taking the {taken} block"
    home = [each for each in step.leaving if each != (step.seat, step.piece)]
    if to == goal(step.piece):
        text += ", home"
    return text + "".join(f", {named(*each)} home" for each in home)


def describe(here: PentagamePosition, move: Move) -> str:
    """Describes a whole turn."""
    steps = []
    for each in move:
        steps.append(step(here, cast(TurnStep, each)))
        here = here.partial((each,)) if len(steps) < len(move) else here
    return "; ".join(steps)


def result(outcome: Outcome) -> str:
    """Describes an outcome."""
    if outcome.is_draw:
        return f"draw ({outcome.reason})"
    return f"{listed(SHAPES[seat] for seat in outcome.winners)} won"


def sentence(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def blocking(here: PentagamePosition, fields: int) -> str:
    """The fields of a set, each with the figures on it."""
    return listed(f"{FIELDS[field]} ({figures_on(here, field)})" for field in fields_of(fields))

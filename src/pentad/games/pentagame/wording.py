"""Steps of a Pentagame turn in words: what a step does, and what the player is asked to do.

`FigureTable` has the names of players, pieces and fields, `letters` the short notation.
"""

from __future__ import annotations

from collections.abc import Iterable

from pentad.games.pentagame.board import NUMBER, OFF_BOARD, goal
from pentad.games.pentagame.denomination import GRAYS
from pentad.games.pentagame.notation import BlockStep, FigureTable, LeaveStep, PieceStep, TurnStep, block_kind
from pentad.system.words import listed, phrase


def description(here: FigureTable, step: TurnStep) -> str:
    """What a step does, as a sentence without its full stop."""
    if isinstance(step, LeaveStep):
        return phrase("{piece} leaves the board", piece=here.piece_name(step.seat, step.piece).capitalize())
    to = NUMBER[step.to]
    place = here.place_name(to)
    if isinstance(step, BlockStep):
        if (start := start_of_gray(here, step)) != OFF_BOARD:
            start_name = here.place_name(start)
            return phrase("The gray block on the {start} goes to the {place}", start=start_name, place=place)
        return phrase("The {block} goes to the {place}", block=block_kind(step.figure), place=place)
    actions = [f"goes to the {place}"]
    if step.partner:
        actions.append(f"swaps with {here.piece_name(*step.partner)}")
    elif here.blocked >> to & 1:
        actions.append(f"takes the {here.figures_on(to)}")
    if to == goal(step.piece):
        actions.append("is home")
    others = "".join(f"; {here.piece_name(*each)} is home" for each in step.leaving if each != step[:2])
    return f"{here.piece_name(step.seat, step.piece).capitalize()} {listed(actions)}{others}"


def instruction(here: FigureTable, step: TurnStep, *, is_near: bool = False) -> str:
    """A step as an instruction to the player to move, without a full stop; near its field it says "here" instead."""
    if isinstance(step, LeaveStep):
        place = "" if is_near else f" from the {here.place_name(goal(step.piece))}"
        return phrase("Remove the {colour} piece{place}", colour=here.colours[step.piece], place=place)
    to = NUMBER[step.to]
    name = here.place_name(to)
    if isinstance(step, BlockStep):
        if (start := start_of_gray(here, step)) != OFF_BOARD:
            if is_near:
                return "Move the gray block here"
            start_name = here.place_name(start)
            return phrase("Move the gray block on the {start} to the {place}", start=start_name, place=name)
        block = "the black block" if step.is_black else "a gray block"
        return phrase("Put {block} {place}", block=block, place="here" if is_near else f"on the {name}")
    if step.partner:
        return _swap(here, step, step.partner, "" if is_near else f" on the {name}")
    piece = f"the {here.colours[step.piece]} piece"
    taken = f" and take the {here.figures_on(to)}" if here.blocked >> to & 1 else ""
    if to == goal(step.piece):
        return phrase(
            "Bring {piece} home{place}{taken}", piece=piece, place="" if is_near else f" to the {name}", taken=taken
        )
    return phrase(
        "Move {piece} {place}{taken}", piece=piece, place="here" if is_near else f"to the {name}", taken=taken
    )


def turn_instruction(moments: Iterable[tuple[FigureTable, TurnStep]]) -> str:
    """A whole turn as an instruction, without a full stop: its steps, each with the position before it.

    It is shorter than the instructions for its steps, so that it fits a phone. The black block is the one just taken.
    """
    text, is_putting = "", False
    for here, step in moments:
        if not isinstance(step, BlockStep):
            text += instruction(here, step)
            continue
        place = here.short_place_name(NUMBER[step.to])
        if (start := start_of_gray(here, step)) != OFF_BOARD:
            start_name = here.short_place_name(start)
            text += phrase(", then move the gray block from the {start} to the {place}", start=start_name, place=place)
            continue
        block = "it" if step.is_black else "a gray block"
        joint = " and" if is_putting else ", then put"
        text += phrase("{joint} {block} on the {place}", joint=joint, block=block, place=place)
        is_putting = True
    return text


def _swap(here: FigureTable, step: PieceStep, partner: tuple[int, int], place: str) -> str:
    seat, colour = partner
    piece = f"the {here.colours[step.piece]} piece"
    other = f"the {here.colours[colour]} piece" if seat == step.seat else here.piece_name(seat, colour)
    home = [piece if each == step[:2] else other for each in step.leaving]
    return phrase(
        "Swap {piece} with {other}{place}{home}",
        piece=piece,
        other=other,
        place=place,
        home=f" and bring {listed(home)} home" if home else "",
    )


def start_of_gray(here: FigureTable, step: BlockStep) -> int:
    """The field that a gray block leaves."""
    return OFF_BOARD if step.is_black or here.pool else here.grays[step.figure - GRAYS[0]]

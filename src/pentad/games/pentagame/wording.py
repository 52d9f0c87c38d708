"""Steps of a Pentagame turn in words: what a step does, and what the player is asked to do.

`FigureTable` has the names of players, pieces and fields, `letters` the short notation.
"""

from __future__ import annotations

from pentad.games.pentagame.board import NUMBER, goal
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
        if start := _start_of_gray(here, step):
            return phrase("The gray block on the {start} goes to the {place}", start=start, place=place)
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
        if start := _start_of_gray(here, step):
            if is_near:
                return "Move the gray block here"
            return phrase("Move the gray block on the {start} to the {place}", start=start, place=name)
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


def _start_of_gray(here: FigureTable, step: BlockStep) -> str:
    """The name of the field that a gray block leaves; empty for a block off the board."""
    return "" if step.is_black or here.pool else here.place_name(here.grays[step.figure - GRAYS[0]])

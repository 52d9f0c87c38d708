"""Opening rules of Pente: the points open to the first stones, and the stages of swap2."""

from __future__ import annotations

from pentad.game import shown
from pentad.pente import notation
from pentad.pente.board import Board
from pentad.pente.rulesets import FREE, PRO, SWAP2, TOURNAMENT, RuleSet

AWAY = 3  # the least distance from the centre of the first player's second stone, by the tournament rule

# The stages of swap2, each with the seat that acts; after them the colours take turns.
THREE, CHOOSE, MORE, CHOOSE_AGAIN, OVER = "three", "choose", "more", "choose-again", "-"
ACTING = {THREE: 0, CHOOSE: 1, MORE: 1, CHOOSE_AGAIN: 0}
STONES_DUE = {THREE: 3, MORE: 5}  # stones placed when the stage is done
NEXT = {THREE: CHOOSE, MORE: CHOOSE_AGAIN, OVER: OVER}
SIDES_OFFERED = {CHOOSE: notation.SIDES, CHOOSE_AGAIN: (notation.WHITE, notation.BLACK)}


def opening_points(rules: RuleSet, board: Board, placed: int) -> int:
    """The points that the opening leaves open to the next stone, by the number of stones placed."""
    opening = rules.opening
    if placed > 2 or opening in (FREE, SWAP2):
        return board.all_points
    if placed == 0:
        return 1 << board.centre
    if opening == PRO:
        return board.within(1) if placed == 1 else board.all_points & ~board.within(AWAY - 1)
    if opening == TOURNAMENT and placed == 2:
        away = board.all_points & ~board.within(AWAY - 1)
        return away & ~board.arms if rules.centre_lines else away
    return board.all_points


def opening_text(rules: RuleSet, board: Board, placed: int) -> str:
    """The opening's rule for the next stone, as a sentence."""
    centre = board.stones[board.centre]
    if placed == 0:
        return f"The first stone goes to the centre, {centre}."
    if placed == 1:
        return f"The second stone goes within 1 point of the centre, {centre}."
    if rules.centre_lines:
        return (
            f"The third stone goes at least {AWAY} points away from the centre, {centre}, "
            "but not on its row or column at distance 3 or 4."
        )
    return f"The third stone goes at least {AWAY} points away from the centre, {centre}."


def stage_error(placed: int, ply: str, stage: str, swapped: str) -> str:
    """The error in the swap2 fields of a position's text; empty if they are valid."""
    possible = {  # stage: whether the number of stones fits, and the possible plies
        THREE: (placed < 3, (0,)),
        CHOOSE: (placed == 3, (1,)),
        MORE: (placed in (3, 4), (1,)),
        CHOOSE_AGAIN: (placed == 5, (2,)),
        OVER: (placed >= 3, (placed - 1, placed - 2) if placed >= 5 else (placed - 1,)),
    }
    if stage not in possible or not possible[stage][0] or ply not in map(str, possible[stage][1]):
        return f"{placed} stones, ply {shown(ply, 12)} and stage {shown(stage, 20)} do not go together in swap2."
    if swapped not in ("", "swapped") or (swapped and stage != OVER):
        return f"The last field must be swapped, after a colour was chosen, or missing, not {shown(swapped, 20)}."
    return ""

"""Sentences for results of games, on the board or by resignation, time, forfeit and agreement."""

from __future__ import annotations

from pentad.game import Outcome, Position
from pentad.play.table import AGREED, FLAGGED, FORFEIT, RESIGNED
from pentad.record.text import REPEATED, RESULT_ONLY
from pentad.wording import listed

# Reasons are stored in records and databases, so they do not change. The sentences for those of the board are the
# position's status.
_LOSSES = {
    RESIGNED: "{losers} resigned.",
    FORFEIT: "{losers} forfeited the game.",
    FLAGGED: "{losers} ran out of time.",
}
_DRAWS = {
    AGREED: "Draw by agreement.",
    REPEATED: "Draw by threefold repetition.",
    RESULT_ONLY: "Draw.",
}


def result_text(position: Position, outcome: Outcome) -> str:
    """The result of a game in a sentence or two, with the reason.

    >>> import pentad
    >>> position = pentad.new("pentago")
    >>> result_text(position, Outcome.of((1,), 2, RESIGNED))
    'Black resigned. White wins.'
    >>> result_text(position, Outcome.of((), 2, "threefold repetition"))
    'Draw by threefold repetition.'
    """
    if outcome == position.outcome:
        return position.status
    if not outcome.winners or outcome.is_draw:
        return _DRAWS.get(outcome.reason, f"Draw: {outcome.reason}.")
    names = [position.colour_of(seat) for seat in outcome.winners]
    winners = listed(names).capitalize()
    result = f"{winners} wins." if len(names) == 1 else f"{winners} share the win."
    if outcome.reason in _LOSSES:
        losers = listed(position.colour_of(seat) for seat in range(position.players) if seat not in outcome.winners)
        return f"{_LOSSES[outcome.reason].format(losers=losers.capitalize())} {result}"
    return result if outcome.reason == RESULT_ONLY else f"{result} Reason: {outcome.reason}."

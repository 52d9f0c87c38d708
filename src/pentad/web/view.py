"""What a table looks like to those around it: the messages that a page is sent."""

from __future__ import annotations

from collections.abc import Iterator

from pentad.game import Choice, Choices, GameError, Move, Outcome, Position, Step
from pentad.play.table import Table
from pentad.record import Node
from pentad.web.api import ChoiceInfo, OutcomeInfo
from pentad.web.messages import Event, HintAnswer, MoveInfo, TurnMessage

MOST_CHOICES = 700  # steps that a turn may begin with on a board in a browser

_SAID = {
    "undone": "Taken back",
    "redone": "Played again",
    "resigned": "Resigned",
    "drawn": "A draw was agreed",
    "flagged": "The time is over",
}


def check_size(position: Position) -> None:
    """Refuse a board that is too large for a page."""
    if len(position.choices()) > MOST_CHOICES:
        raise GameError(f"this board is too large for a browser: a turn may begin in at most {MOST_CHOICES} ways")


def turn(position: Position, steps: str, choices: Choices, *, at: int, flip: bool) -> TurnMessage:
    """The board in the middle of a turn, after some of its steps."""
    here = position.partial(steps) if steps else position
    return TurnMessage(
        at=at,
        steps=steps,
        svg=here.svg(last=steps or None, flip=flip, style=False),
        prompt=choices.prompt,
        may_end=choices.may_end,
        choices=told(choices),
    )


def hint(position: Position, move: Move, claim: str, *, at: int) -> HintAnswer:
    """A move, with where to touch for each of its steps."""
    return HintAnswer(at=at, move=str(move), words=position.describe(move), claim=claim, steps=touches(position, move))


def touches(position: Position, move: Move) -> list[ChoiceInfo]:
    """The steps of a move, each with the places that are touched for it."""
    steps: list[ChoiceInfo] = []
    for i, step in enumerate(move):
        steps += map(choice_of, _chosen(position.choices(str(Move(move[:i]))), step))
    return steps


def status(position: Position, outcome: Outcome | None) -> str:
    """Who is to do what, or how the game ended."""
    if outcome is not None and position.outcome is None:  # the board does not show it
        if not outcome.winners or outcome.is_draw:
            return f"a draw: {outcome.reason}"
        losers = (i for i in range(position.players) if i not in outcome.winners)
        names, gone = (" and ".join(map(position.colour_of, some)) for some in (outcome.winners, losers))
        verb = "wins" if len(outcome.winners) == 1 else "win"
        return f"{names} {verb}: {gone} {outcome.reason}"
    return position.status


def happened(table: Table, event: Event) -> str:
    """What has just happened, in words, with a space behind."""
    if event == "played":
        node = table.record.end
        return f"{move(node).words}. " if node.move else ""
    return f"{_SAID[event]}. " if event in _SAID else ""


def told(choices: Choices) -> list[ChoiceInfo]:
    """The choices, once for every way to touch them."""
    return list(_told(choices))


def _told(choices: Choices) -> Iterator[ChoiceInfo]:
    for each in choices:
        yield choice_of(each)
        for targets in each.also:
            yield ChoiceInfo(step=str(each), targets=targets, label=each.label)


# The same choices come again and again, and to tell that they are the same costs more than to write them.
_WRITTEN: dict[int, tuple[Choice, ChoiceInfo]] = {}
_MOST_WRITTEN = 20_000


def choice_of(choice: Choice) -> ChoiceInfo:
    """One next step, as a page gets it."""
    known = _WRITTEN.get(id(choice))
    if known and known[0] is choice:
        return known[1]
    written = ChoiceInfo(step=str(choice), targets=choice.targets, label=choice.label)
    if len(_WRITTEN) >= _MOST_WRITTEN:
        _WRITTEN.clear()
    _WRITTEN[id(choice)] = (choice, written)
    return written


def _chosen(choices: Choices, step: Step) -> tuple[Choice, ...]:
    return tuple(choice for choice in choices if choice.step == step)[:1]


def move(node: Node) -> MoveInfo:
    """A move that was played."""
    assert node.parent is not None
    assert node.move is not None
    before = node.parent.position
    return MoveInfo(text=str(node.move), seat=before.turn, words=before.describe(node.move))


def outcome_of(outcome: Outcome | None) -> OutcomeInfo | None:
    """How a game ended, if it has."""
    if outcome is None:
        return None
    return OutcomeInfo(winners=outcome.winners, score=outcome.score, reason=outcome.reason)

"""What a table looks like to those around it: the messages that a page is sent."""

from __future__ import annotations

from pydantic_core import to_json

from pentad.game import Choice, Choices, GameError, Move, Outcome, Position, Step
from pentad.record import Node
from pentad.web.api import ChoiceInfo, OutcomeInfo
from pentad.web.messages import Event, HintAnswer, MoveInfo

MOST_CHOICES = 700  # steps that a turn may begin with on a board in a browser

_EVENT_TEXTS = {
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


def event_text(node: Node, event: Event) -> str:
    """What has just happened, in words, with a space behind; `node` is the last move."""
    if event == "played":
        return f"{move(node).words}. " if node.move else ""
    return f"{_EVENT_TEXTS[event]}. " if event in _EVENT_TEXTS else ""


def choice_infos(choices: Choices) -> list[ChoiceInfo]:
    """The choices, once for every way to touch them."""
    return [
        ChoiceInfo(step=str(each), targets=targets, label=each.label)
        for each in choices
        for targets in (each.targets, *each.also)
    ]


# The same choices come again and again, and to tell that they are equal costs more than to write them.
_TEXTS: dict[int, tuple[Choice, str]] = {}
_MOST_TEXTS = 1 << 16


def written(choices: Choices) -> str:
    """The same as a JSON list: there may be hundreds, and to make them one by one takes longer than all the rest."""
    if len(_TEXTS) > _MOST_TEXTS:
        _TEXTS.clear()
    texts = []
    for each in choices:
        known = _TEXTS.get(id(each))
        if known is None or known[0] is not each:
            known = _TEXTS[id(each)] = each, _write(each)
        texts.append(known[1])
    return f"[{','.join(texts)}]"


def _write(choice: Choice) -> str:
    step, label = str(choice), choice.label
    ways = [{"step": step, "targets": targets, "label": label} for targets in (choice.targets, *choice.also)]
    return to_json(ways).decode()[1:-1]


def choice_of(choice: Choice) -> ChoiceInfo:
    """One next step, as a page gets it."""
    return ChoiceInfo(step=str(choice), targets=choice.targets, label=choice.label)


def _chosen(choices: Choices, step: Step) -> tuple[Choice, ...]:
    return tuple(choice for choice in choices if choice.step == step)[:1]


def move(node: Node) -> MoveInfo:
    """A move that was played."""
    assert node.parent is not None
    assert node.move is not None
    before = node.parent.position
    return MoveInfo(text=str(node.move), seat=before.turn, words=before.describe(node.move), note=node.comment)


def outcome_of(outcome: Outcome | None) -> OutcomeInfo | None:
    """How a game ended, if it has."""
    if outcome is None:
        return None
    return OutcomeInfo(winners=outcome.winners, score=outcome.score, reason=outcome.reason)

"""Views of positions and moves: the parts of messages to a page."""

from __future__ import annotations

from collections.abc import Sequence

from pentad.game import Choice, Choices, GameError, Move, Outcome, Position, load
from pentad.play.table import Hint, result_text
from pentad.record import Node
from pentad.system.words import uncapitalized
from pentad.web.api_types import ChoiceInfo, OutcomeInfo
from pentad.web.messages import EventName, HintAnswer, MoveInfo
from pentad.web.typed_json import written as as_json

MOST_CHOICES = 700  # first steps of a turn on a board in a browser

EVENT_TEXTS = {
    "undone": "Move taken back.",
    "redone": "Move replayed.",
}


def read_position(text: str) -> Position:
    """The position in a request; `GameError` if it cannot be read or shown."""
    position = load(text)
    check_size(position)
    return position


def check_size(position: Position) -> None:
    """Refuses a board that is too large for a page."""
    if len(position.choices()) > MOST_CHOICES:
        raise GameError(
            "This board is too large for a browser. A turn may begin with at most {most_choices} different steps.",
            most_choices=MOST_CHOICES,
        )


def hint(position: Position, found: Hint, *, at: int, flip: bool) -> HintAnswer:
    """A hint: a move, with the targets of its steps."""
    move = found.move
    words = " ".join(filter(None, (f"{uncapitalized(position.instruction(move))}.", found.proof)))
    steps = touches(position, move)
    svg = later_drawing(position, move, steps, flip=flip)
    return HintAnswer(at=at, move=str(move), words=words, claim=found.claim, steps=steps, svg=svg)


def later_drawing(position: Position, move: Move, steps: Sequence[ChoiceInfo], *, flip: bool) -> str:
    """The drawing after the first step, if targets of the later ones are in it alone; else empty."""
    drawn = position.svg(flip=flip, style=False)
    has_all = all(f'data-target="{target}"' in drawn for each in steps for target in each.targets)
    return "" if has_all else position.partial(move[:1]).svg(last=Move(move[:1]), flip=flip, style=False)


def touches(position: Position, move: Move) -> list[ChoiceInfo]:
    """The steps of a move, each with its targets."""
    return [infos_of(each)[0] for each in position.choices_of(move)]


def status(position: Position, outcome: Outcome | None) -> str:
    """Who is to move, or how the game ended."""
    return position.status if outcome is None else result_text(position, outcome)


def event_text(node: Node, event: EventName) -> str:
    """The event in words, followed by a space; `node` is the last move."""
    text = move(node).words if event == "played" and node.move else EVENT_TEXTS.get(event)
    return f"{text} " if text else ""


def infos_of(choice: Choice) -> list[ChoiceInfo]:
    """A choice as pages get it, once for every way to touch it."""
    step, label = str(choice), choice.near or choice.label
    return [ChoiceInfo(step=step, targets=targets, label=label) for targets in (choice.targets, *choice.also)]


# Choices recur often, and comparing them costs more than writing them.
_TEXTS: dict[int, tuple[Choice, str]] = {}
_MOST_TEXTS = 1 << 16


def written(choices: Choices) -> str:
    """The choices as a JSON list; there may be hundreds, and models of each would be the slowest part of a message."""
    if len(_TEXTS) > _MOST_TEXTS:
        _TEXTS.clear()
    texts = []
    for each in choices:
        known = _TEXTS.get(id(each))
        if known is None or known[0] is not each:
            known = _TEXTS[id(each)] = each, as_json(infos_of(each))[1:-1]
        texts.append(known[1])
    return f"[{','.join(texts)}]"


def move(node: Node) -> MoveInfo:
    """A played move."""
    before, move = node.played
    return MoveInfo(
        text=str(move),
        notation=notation(before, move),
        seat=before.turn,
        words=before.describe(move),
        note=node.comment,
    )


def notation(position: Position, move: Move) -> str:
    """A move as people write it; empty where that is its text."""
    written = position.notation(move)
    return "" if written == str(move) else written


def outcome_of(outcome: Outcome | None) -> OutcomeInfo | None:
    """The outcome of a game, if it has ended."""
    if outcome is None:
        return None
    return OutcomeInfo(winners=outcome.winners, score=outcome.score, reason=outcome.reason)

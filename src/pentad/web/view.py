"""What a table looks like to those around it: the messages that a page is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pentad.game import Choice, Choices, Move, OptionValue, Position, Step
from pentad.play.table import Table
from pentad.record import Node
from pentad.web.api import (
    Abilities,
    ChoiceInfo,
    HintAnswer,
    MoveInfo,
    OutcomeInfo,
    SeatInfo,
    StateMessage,
    TurnMessage,
)

Event = Literal["now", "played", "undone", "redone", "resigned"]
_SAID = {"undone": "Taken back", "redone": "Played again", "resigned": "Resigned"}


def state(
    table: Table,
    mine: frozenset[int],
    *,
    at: int,
    event: Event,
    options: dict[str, OptionValue],
    flip: bool = False,
    trouble: str | None = None,
) -> StateMessage:
    """The whole game, as whoever holds the seats `mine` may see it."""
    position, seat = table.position, table.seat
    choices = position.choices() if seat in mine and not table.waits_for_bot else Choices((), "")
    said = status(table)
    return StateMessage(
        at=at,
        event=event,
        game=table.game.name,
        title=table.game.title,
        guide=table.game.guide.format(**position.options),
        options=options,
        svg=position.svg(last=table.last, flip=flip, style=False),
        flip=flip,
        seats=[
            SeatInfo(colour=position.colour_of(i), who=each.who, yours=i in mine and each.is_human)
            for i, each in enumerate(table.seats)
        ],
        turn=seat,
        prompt=choices.prompt,
        may_end=choices.may_end,
        choices=list(_told(choices)),
        status=said,
        announce=f"{_happened(table, event)}{said}.",
        moves=[_move(node) for node in table.record.main_line],
        outcome=_outcome(table),
        can=abilities(table, mine),
        trouble=trouble,
    )


def turn(position: Position, steps: str, choices: Choices, *, at: int, flip: bool) -> TurnMessage:
    """The board in the middle of a turn, after some of its steps."""
    here = position.partial(steps) if steps else position
    return TurnMessage(
        at=at,
        steps=steps,
        svg=here.svg(last=steps or None, flip=flip, style=False),
        prompt=choices.prompt,
        may_end=choices.may_end,
        choices=list(_told(choices)),
    )


def hint(position: Position, move: Move, *, at: int) -> HintAnswer:
    """A move, with where to touch for each of its steps."""
    steps: list[ChoiceInfo] = []
    for i, step in enumerate(move):
        found = _chosen(position.choices(str(Move(move[:i]))), step)
        steps += map(_choice, found)
    return HintAnswer(at=at, move=str(move), words=position.describe(move), steps=steps)


def abilities(table: Table, mine: frozenset[int]) -> Abilities:
    """What whoever holds these seats may do now."""
    humans = [i for i, seat in enumerate(table.seats) if seat.is_human]
    turns = [node.parent.position.turn for node in table.record.main_line if node.parent]
    to_play = table.seat in mine and not table.waits_for_bot
    return Abilities(
        play=to_play,
        undo=bool(mine) and any(turn in humans for turn in turns),
        redo=bool(mine) and table.can_redo,
        hint=to_play,
        resign=bool(mine) and table.outcome is None,
    )


def status(table: Table) -> str:
    """Who is to do what, or how the game ended."""
    outcome, position = table.outcome, table.position
    if outcome is not None and position.outcome is None:  # the board does not show it
        if not outcome.winners or outcome.is_draw:
            return f"a draw: {outcome.reason}"
        losers = (i for i in range(position.players) if i not in outcome.winners)
        names, gone = (" and ".join(map(position.colour_of, some)) for some in (outcome.winners, losers))
        verb = "wins" if len(outcome.winners) == 1 else "win"
        return f"{names} {verb}: {gone} {outcome.reason}"
    return next(text.strip() for line in position.spans() for text, kind in line if kind == "status")


def _happened(table: Table, event: Event) -> str:
    if event == "now":
        return ""
    if event == "played":
        node = table.record.end
        return f"{_move(node).words}. " if node.move else ""
    return f"{_SAID[event]}. "


def _told(choices: Choices) -> Iterator[ChoiceInfo]:
    """The choices, once for every way to touch them."""
    for each in choices:
        yield _choice(each)
        for targets in each.also:
            yield ChoiceInfo(step=str(each), targets=targets, label=each.label)


def _choice(choice: Choice) -> ChoiceInfo:
    return ChoiceInfo(step=str(choice), targets=choice.targets, label=choice.label)


def _chosen(choices: Choices, step: Step) -> tuple[Choice, ...]:
    return tuple(choice for choice in choices if choice.step == step)[:1]


def _move(node: Node) -> MoveInfo:
    assert node.parent is not None
    assert node.move is not None
    before = node.parent.position
    return MoveInfo(text=str(node.move), seat=before.turn, words=before.describe(node.move))


def _outcome(table: Table) -> OutcomeInfo | None:
    outcome = table.outcome
    if outcome is None:
        return None
    return OutcomeInfo(winners=outcome.winners, score=outcome.score, reason=outcome.reason)

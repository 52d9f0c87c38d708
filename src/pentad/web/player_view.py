"""How a game stands for one of those who look at it: who sits where, what may be done, and what has happened."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple, TypedDict

from pentad.game import Choices, OptionValue
from pentad.play.seats import HUMAN
from pentad.play.table import FLAGGED
from pentad.web import view
from pentad.web.api import OPEN, OutcomeInfo
from pentad.web.connection import Connection
from pentad.web.history import History
from pentad.web.messages import Abilities, ClockInfo, Declined, Event, MoveInfo, Offer, SeatInfo

# ── who plays with whom ──────────────────────────────────────────────────────────────────────────


def people(game: History) -> set[int | None]:
    """The persons who play."""
    return {seat.person for seat in game.seats if seat.who == HUMAN}


def others(game: History, mine: Collection[int]) -> set[int | None]:
    """The persons who play beside whoever holds these seats."""
    return people(game) - {game.seats[seat].person for seat in mine}


def may_ask_engine(game: History, mine: Collection[int]) -> bool:
    """Whether nobody is wronged when these seats ask an engine: no other person plays, or is expected to."""
    return not others(game, mine) and not game.waits_for_people


def missing(game: History) -> set[int | None]:
    """The persons who have not agreed yet to what is asked for."""
    return people(game) - {game.seats[seat].person for seat in game.agreed}


def moves_to_undo(game: History, seats: Collection[int]) -> int:
    """How many moves go when these seats take back; none where only a resignation does."""
    if game.table.record.ended:
        return 0
    return game.table.moves_back(seats)


def can_undo(game: History, seats: Collection[int]) -> bool:
    """Whether there is something that these seats can take back; time that is over does not come back."""
    ended = game.table.record.ended
    if not seats or (ended and ended.reason == FLAGGED):
        return False
    return bool(ended) or game.table.moves_back(seats) > 0


def can_ask(game: History, what: str, person: int | None) -> bool:
    """Whether somebody can ask the others: nothing is being asked for, nor was this since the last move."""
    return game.offer is None and (what, person) not in game.requested


def asked_by_others(game: History, what: str, mine: Collection[int]) -> bool:
    """Whether the others ask for this now."""
    return game.offer is not None and game.offer[0] == what and game.offer[1] not in mine


def can_draw(game: History) -> bool:
    """Whether a draw can be agreed: the game goes on, and no bot plays."""
    return game.outcome is None and all(seat.who == HUMAN for seat in game.seats)


def name_of(game: History, connection: Connection) -> str:
    """What somebody is called here."""
    mine = game.seats_of(connection.person)
    return (game.seats[min(mine)].name if mine else "") or connection.name or "somebody"


# ── what is told ─────────────────────────────────────────────────────────────────────────────────


class PresenceFields(TypedDict):
    """Who is here, and what they ask each other for."""

    seats: list[SeatInfo]
    offer: Offer | None
    declined: Declined | None
    can: Abilities
    watching: int
    again: str | None
    line: int


class Fields(PresenceFields):
    """How a game stands."""

    at: int
    event: Event
    turn: int | None
    prompt: str
    may_end: bool
    choices: str
    status: str
    announce: str
    outcome: OutcomeInfo | None
    clock: ClockInfo | None
    trouble: str | None


class Whole(TypedDict):
    """What else there is to know for somebody who comes."""

    game: str
    title: str
    guide: str
    terms: str
    options: dict[str, OptionValue]
    time: dict[str, float]
    start: str
    position: str
    moves: list[MoveInfo]


class Presence(NamedTuple):
    """Which persons are here, and how many of those who are only watch."""

    persons: frozenset[int]
    watching: int

    @classmethod
    def of(cls, game: History, connections: Collection[Connection]) -> Presence:
        """Who is here of these."""
        players = people(game)
        return cls(
            frozenset(connection.person for connection in connections if connection.person is not None),
            sum(connection.person not in players for connection in connections),
        )


def presence_fields(game: History, person: int | None, presence: Presence, line: int) -> PresenceFields:
    """Who is here, for one of them; `line` is the place in the line of the bot that is to move."""
    mine = game.seats_of(person)
    position = game.position
    return PresenceFields(
        seats=[
            SeatInfo(
                colour=position.colour_of(i),
                who=seat.who,
                name=seat.name,
                yours=i in mine,
                here=seat.who not in (HUMAN, OPEN) or seat.person in presence.persons,
            )
            for i, seat in enumerate(game.seats)
        ],
        offer=_offer(game, mine),
        declined=_declined(game),
        can=abilities(game, person),
        watching=presence.watching,
        again=game.again,
        line=line,
    )


def fields(
    game: History,
    person: int | None,
    presence: Presence,
    *,
    event: Event,
    now: float,
    line: int,
    trouble: str | None,
) -> Fields:
    """How a game stands, for one of those who look on."""
    choices = game.position.choices() if game.seat in game.seats_of(person) else Choices((), "")
    said = view.status(game.position, game.outcome)
    return Fields(
        **presence_fields(game, person, presence, line),
        at=game.at,
        event=event,
        turn=game.seat,
        prompt=choices.prompt,
        may_end=choices.may_end,
        choices=view.written(choices),
        status=said,
        announce=f"{view.event_text(game.end, event)}{said}.",
        outcome=view.outcome_of(game.outcome),
        clock=_clock(game, now),
        trouble=trouble,
    )


def whole(game: History) -> Whole:
    """What else there is to know for somebody who comes."""
    table = game.table
    return Whole(
        game=table.game.name,
        title=table.game.title,
        guide=table.game.guide.format(**table.position.options),
        terms=_terms(game),
        options=dict(game.row.options),
        time=dict(game.row.time),
        start=game.row.start,
        position=game.position.text,
        moves=[view.move(node) for node in table.record.main_line],
    )


def abilities(game: History, person: int | None) -> Abilities:
    """What somebody may do now."""
    mine = game.seats_of(person)
    table, alone = game.table, not others(game, mine)
    goes_on = bool(mine) and game.outcome is None
    return Abilities(
        play=game.seat in mine,
        undo=can_undo(game, mine) and (alone or (game.outcome is None and can_ask(game, "undo", person))),
        redo=bool(mine) and alone and table.can_redo,
        hint=game.seat in mine and may_ask_engine(game, mine),
        resign=goes_on,
        draw=goes_on and can_draw(game) and (can_ask(game, "draw", person) or asked_by_others(game, "draw", mine)),
        sit=not mine and game.waits_for_people and game.outcome is None,
        say=person is not None,
    )


def _terms(game: History) -> str:
    """What is unusual about a game, and its time: `rules: keryo, size: 15, 5 min + 3 s`."""
    options = (word.partition("=") for word in game.position.options_text().split())
    told = [f"{name.replace('_', ' ')}: {value}" for name, _, value in options]
    return ", ".join([*told, *([game.clock.time.label] if game.clock else [])])


def _offer(game: History, mine: frozenset[int]) -> Offer | None:
    if game.offer is None:
        return None
    what, seat = game.offer
    waits_for_me = bool(mine) and any(game.seats[each].person in missing(game) for each in mine)
    moves = moves_to_undo(game, game.seats_of(game.seats[seat].person)) if what == "undo" else 0
    return Offer(what=_what(what), seat=seat, yours=seat in mine, asked=waits_for_me, moves=moves)


def _declined(game: History) -> Declined | None:
    if game.declined is None:
        return None
    what, seat, by = game.declined
    withdrawn = game.seats[by].person == game.seats[seat].person
    return Declined(what=_what(what), seat=seat, by=seat if withdrawn else by)


def _what(word: str) -> Literal["draw", "undo"]:
    return "draw" if word == "draw" else "undo"


def _clock(game: History, now: float) -> ClockInfo | None:
    clock = game.clock
    if clock is None:
        return None
    return ClockInfo(words=clock.time.label, left=clock.left(now), running=clock.running, days=bool(clock.time.days))

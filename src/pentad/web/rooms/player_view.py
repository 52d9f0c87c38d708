"""Player view: a game as one client sees it, with its players, the client's abilities, and the last event."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple, TypedDict

from pentad.game import Choices, OptionValue
from pentad.play.seats import HUMAN
from pentad.play.table import FLAGGED
from pentad.web import view
from pentad.web.api import OPEN, OutcomeInfo
from pentad.web.messages import Abilities, ClockInfo, Declined, Event, MoveInfo, Offer, SeatInfo
from pentad.web.rooms.connection import Connection
from pentad.web.rooms.history import History

# ── players ──────────────────────────────────────────────────────────────────────────────────────


def people(game: History) -> set[int | None]:
    """The persons who play."""
    return {seat.person for seat in game.seats if seat.who == HUMAN}


def others(game: History, own_seats: Collection[int]) -> set[int | None]:
    """The other persons who play, besides the holder of these seats."""
    return people(game) - {game.seats[seat].person for seat in own_seats}


def may_ask_engine(game: History, own_seats: Collection[int]) -> bool:
    """Whether these seats may use an engine: no other person plays or is expected."""
    return not others(game, own_seats) and not game.waits_for_people


def missing(game: History) -> set[int | None]:
    """The persons who have not answered the offer yet."""
    return people(game) - {game.seats[seat].person for seat in game.agreed}


def moves_to_undo(game: History, seats: Collection[int]) -> int:
    """How many moves a takeback by these seats undoes; 0 if it undoes only a resignation."""
    if game.table.record.ended:
        return 0
    return game.table.moves_back(seats)


def can_undo(game: History, seats: Collection[int]) -> bool:
    """Whether these seats can take something back; a loss on time stays."""
    ended = game.table.record.ended
    if not seats or (ended and ended.reason == FLAGGED):
        return False
    return bool(ended) or game.table.moves_back(seats) > 0


def can_ask(game: History, what: str, person: int | None) -> bool:
    """Whether a person can make this offer: none is open, and it was not made since the last move."""
    return game.offer is None and (what, person) not in game.requested


def offered_by_others(game: History, what: str, own_seats: Collection[int]) -> bool:
    """Whether this offer by others is open."""
    return game.offer is not None and game.offer[0] == what and game.offer[1] not in own_seats


def can_draw(game: History) -> bool:
    """Whether a draw can be agreed: the game is not over, and no bot plays."""
    return game.outcome is None and all(seat.who == HUMAN for seat in game.seats)


def name_of(game: History, connection: Connection) -> str:
    """A client's name here."""
    own_seats = game.seats_of(connection.person)
    return (game.seats[min(own_seats)].name if own_seats else "") or connection.name or "Guest"


# ── parts of the view ────────────────────────────────────────────────────────────────────────────


class PresenceFields(TypedDict):
    """Presence and offers."""

    seats: list[SeatInfo]
    offer: Offer | None
    declined: Declined | None
    can: Abilities
    watching: int
    again: str | None
    line: int


class Fields(PresenceFields):
    """The state of a game."""

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
    """The parts of the state that do not change with each move, and all moves."""

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
    """The persons who are here, and the number of viewers without a seat."""

    persons: frozenset[int]
    watching: int

    @classmethod
    def of(cls, game: History, connections: Collection[Connection]) -> Presence:
        """The presence of these connections."""
        players = people(game)
        return cls(
            frozenset(connection.person for connection in connections if connection.person is not None),
            sum(connection.person not in players for connection in connections),
        )


def presence_fields(game: History, person: int | None, presence: Presence, line: int) -> PresenceFields:
    """Presence and offers for one client; `line` is the queue place of the bot to move."""
    own_seats = game.seats_of(person)
    position = game.position
    return PresenceFields(
        seats=[
            SeatInfo(
                colour=position.colour_of(i),
                who=seat.who,
                name=seat.name,
                yours=i in own_seats,
                here=seat.who not in (HUMAN, OPEN) or seat.person in presence.persons,
            )
            for i, seat in enumerate(game.seats)
        ],
        offer=_offer(game, own_seats),
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
    """The state of a game for one client."""
    choices = game.position.choices() if game.seat in game.seats_of(person) else Choices((), "")
    status = view.status(game.position, game.outcome)
    return Fields(
        **presence_fields(game, person, presence, line),
        at=game.at,
        event=event,
        turn=game.seat,
        prompt=choices.prompt,
        may_end=choices.may_end,
        choices=view.written(choices),
        status=status,
        announce=f"{view.event_text(game.end, event)}{status}",
        outcome=view.outcome_of(game.outcome),
        clock=_clock(game, now),
        trouble=trouble,
    )


def whole(game: History) -> Whole:
    """The parts of the state for a new client only."""
    table = game.table
    return Whole(
        game=table.game.name,
        title=table.game.title,
        guide=table.position.guide,
        terms=_terms(game),
        options=dict(game.row.options),
        time=dict(game.row.time),
        start=game.row.start,
        position=game.position.text,
        moves=[view.move(node) for node in table.record.main_line],
    )


def abilities(game: History, person: int | None) -> Abilities:
    """What a person may do now."""
    own_seats = game.seats_of(person)
    table, alone = game.table, not others(game, own_seats)
    goes_on = bool(own_seats) and game.outcome is None
    return Abilities(
        play=game.seat in own_seats,
        undo=can_undo(game, own_seats) and (alone or (game.outcome is None and can_ask(game, "undo", person))),
        redo=bool(own_seats) and alone and table.can_redo,
        hint=game.seat in own_seats and may_ask_engine(game, own_seats),
        resign=goes_on,
        draw=goes_on
        and can_draw(game)
        and (can_ask(game, "draw", person) or offered_by_others(game, "draw", own_seats)),
        sit=not own_seats and game.waits_for_people and game.outcome is None,
        say=person is not None,
    )


def _terms(game: History) -> str:
    """The options that are not default, and the time control: `rules: keryo, size: 15, 5 min + 3 s`."""
    options = (word.partition("=") for word in game.position.options_text().split())
    terms = [f"{name.replace('_', ' ')}: {value}" for name, _, value in options]
    return ", ".join([*terms, *([game.clock.time.label] if game.clock else [])])


def _offer(game: History, own_seats: frozenset[int]) -> Offer | None:
    if game.offer is None:
        return None
    what, seat = game.offer
    waits_for_me = bool(own_seats) and any(game.seats[each].person in missing(game) for each in own_seats)
    moves = moves_to_undo(game, game.seats_of(game.seats[seat].person)) if what == "undo" else 0
    return Offer(what=_what(what), seat=seat, yours=seat in own_seats, asked=waits_for_me, moves=moves)


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

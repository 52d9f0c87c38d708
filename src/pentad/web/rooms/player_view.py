"""Player view: a game as one client sees it, with its players, the client's abilities, and the last event."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from pentad.game import Choices
from pentad.play.seats import HUMAN
from pentad.play.table import reason_text
from pentad.search.bot import bot_title
from pentad.store.rows import SeatRow
from pentad.web import view
from pentad.web.api_types import ADAPTIVE, ADAPTIVE_TITLE, OPEN
from pentad.web.messages import Abilities, ClockInfo, Declined, EventName, Offer, SeatInfo
from pentad.web.rooms import actions
from pentad.web.rooms.state import RoomState


class Presence(NamedTuple):
    """The persons who are here, and the number of viewers without a seat."""

    persons: frozenset[int]
    watching: int

    @classmethod
    def of(cls, game: RoomState, clients: Collection[int | None]) -> Presence:
        """The presence of these clients' persons; None is a stranger."""
        players = actions.people(game)
        return cls(
            frozenset(person for person in clients if person is not None),
            sum(person not in players for person in clients),
        )


def seat_title(game: str, seat: SeatRow) -> str:
    """The name of the bot at a seat for people."""
    return ADAPTIVE_TITLE if seat.name == ADAPTIVE else bot_title(game, seat.who)


def around(game: RoomState, person: int | None, presence: Presence, line: int) -> dict[str, Any]:
    """The fields of `Around` for one client; `line` is the queue place of the bot to move."""
    own_seats = game.seats_of(person)
    position = game.position
    return {
        "seats": [
            SeatInfo(
                colour=position.colour_of(i),
                who=seat.who,
                name=seat.name,
                title="" if seat.who in (HUMAN, OPEN) else seat_title(game.game.name, seat),
                yours=i in own_seats,
                here=seat.who not in (HUMAN, OPEN) or seat.person in presence.persons,
            )
            for i, seat in enumerate(game.seats)
        ],
        "offer": _offer(game, own_seats),
        "declined": _declined(game),
        "can": abilities(game, person),
        "watching": presence.watching,
        "watchers_say": game.watchers_may_write,
        "again": game.again,
        "line": line,
    }


def view_of(game: RoomState, person: int | None, event: EventName, now: float) -> dict[str, Any]:
    """The fields of `PlayerView` for one client, besides those of `Around` and the trouble."""
    choices = game.position.choices() if game.seat in game.seats_of(person) else Choices((), "")
    status = view.status(game.position, game.outcome)
    return {
        "at": game.at,
        "event": event,
        "turn": game.seat,
        "prompt": choices.prompt,
        "may_end": choices.may_end,
        "choices": view.written(choices),
        "status": status,
        "reason": reason_text(game.position, game.outcome) if game.outcome else "",
        "announce": f"{view.event_text(game.end, event)}{status}",
        "outcome": view.outcome_of(game.outcome),
        "clock": _clock(game, now),
    }


def whole(game: RoomState) -> dict[str, Any]:
    """The fields of `StateMessage` besides those of `PlayerView` and the drawing."""
    return {
        "game": game.game.name,
        "title": game.game.title,
        "guide": game.position.guide,
        "terms": _terms(game),
        "options": dict(game.row.options),
        "time": dict(game.row.time),
        "listed": game.row.listed,
        "start": game.row.start,
        "position": game.position.text,
        "moves": [view.move(node) for node in game.line[1:]],
    }


def abilities(game: RoomState, person: int | None) -> Abilities:
    """What a person may do now."""
    own_seats = game.seats_of(person)
    alone = not actions.others(game, own_seats)
    goes_on = bool(own_seats) and game.outcome is None
    return Abilities(
        play=game.seat in own_seats,
        undo=actions.can_undo(game, own_seats)
        and (alone or (game.outcome is None and actions.can_ask(game, "undo", person))),
        redo=alone and game.can_redo,
        hint=game.seat in own_seats and actions.may_ask_engine(game, own_seats),
        resign=goes_on,
        draw=goes_on
        and actions.can_draw(game)
        and (actions.can_ask(game, "draw", person) or actions.offered_by_others(game, "draw", own_seats)),
        sit=not own_seats and game.waits_for_people and game.outcome is None,
        rematch=actions.can_rematch(game, person),
        say=person is not None and (bool(own_seats) or game.watchers_may_write),
    )


def _terms(game: RoomState) -> str:
    """The options that are not default, and the time control: `rules: keryo, size: 15, 5 min + 3 s`."""
    options = (word.partition("=") for word in game.position.options_text().split())
    terms = [f"{name.replace('_', ' ')}: {value}" for name, _, value in options]
    return ", ".join([*terms, *([game.clock.time.label] if game.clock else [])])


def _offer(game: RoomState, own_seats: frozenset[int]) -> Offer | None:
    if game.offer is None:
        return None
    what, seat = game.offer.what, game.offer.seat
    waits_for_me = bool(own_seats) and any(game.seats[each].person in actions.missing(game) for each in own_seats)
    moves = actions.moves_to_undo(game, game.seats_of(game.seats[seat].person)) if what == "undo" else 0
    return Offer(what=what, seat=seat, yours=seat in own_seats, asked=waits_for_me, moves=moves)


def _declined(game: RoomState) -> Declined | None:
    if game.declined is None:
        return None
    offer, by = game.declined
    withdrawn = game.seats[by].person == game.seats[offer.seat].person
    return Declined(what=offer.what, seat=offer.seat, by=offer.seat if withdrawn else by)


def _clock(game: RoomState, now: float) -> ClockInfo | None:
    clock = game.clock
    if clock is None:
        return None
    return ClockInfo(words=clock.time.label, left=clock.left(now), running=clock.running, days=bool(clock.time.days))

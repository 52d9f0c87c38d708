"""Conversion between the store's rows and the columns of its tables, with checks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from pentad.store import rows
from pentad.store.rows import OPEN, ChatMessage, Event, GameRow, Person, SeatRow, Turn

Columns = dict[str, Any]


def game_columns(row: GameRow) -> Columns:
    """A game as a row of `games` without events."""
    return {
        "name": rows.text("game name", row.name),
        "game": rows.text("game", row.game),
        "start": rows.text("start", row.start),
        "options": _json("options", dict(row.options)),
        "time": _json("time", {name: rows.seconds("time", value) for name, value in row.time.items()}),
        "listed": row.listed,
        "created": rows.seconds("time", row.created),
        "again": row.again if row.again is None else rows.text("game name", row.again),
        "result": result_column(row.result),
        "touched": rows.seconds("time", row.touched),
        "moves": rows.integer("number of moves", row.moves),
        "events": 0,
        "played": False,
        **turn_columns(row.turn),
        **seat_columns(row.seats),
    }


def seat_columns(seats: Sequence[SeatRow]) -> Columns:
    """The columns of `games` for its seats."""
    listed = [[seat.who, seat.person, rows.text("name", seat.name)] for seat in seats]
    return {"seats": _json("seats", listed), "open": any(seat.who == OPEN for seat in seats)}


def turn_columns(turn: Turn) -> Columns:
    """The columns of `games` for the turn."""
    return {"turn": _seat(turn.seat), "due": turn.due if turn.due is None else rows.seconds("time", turn.due)}


def result_column(result: str | None) -> str | None:
    """The column of `games` for the result."""
    return result if result is None else rows.text("result", result)


def event_columns(game: str, event: Event) -> Columns:
    """An event as a row of `events`."""
    return {
        "game": game,
        "number": rows.integer("number of the event", event.number),
        "kind": rows.text("kind", event.kind),
        "seat": _seat(event.seat),
        "body": rows.text("body", event.body),
        "at": rows.seconds("time", event.at),
        "clocks": _json("clocks", [rows.seconds("clocks", left) for left in event.clocks]),
    }


def chat_columns(game: str, message: ChatMessage) -> Columns:
    """A chat message as a row of `talk`."""
    return {
        "game": game,
        "number": rows.integer("number of the chat message", message.number),
        "seat": _seat(message.seat),
        "name": rows.text("name", message.name),
        "text": rows.text("text", message.text),
        "at": rows.seconds("time", message.at),
    }


def game(row: Row[Any]) -> GameRow:
    """A game from a row of `games`."""
    return GameRow(
        row.name,
        row.game,
        row.start,
        json.loads(row.options),
        tuple(SeatRow(*seat) for seat in json.loads(row.seats)),
        json.loads(row.time),
        row.listed,
        row.created,
        row.again,
        row.result,
        row.touched,
        row.moves,
        Turn(row.turn, row.due),
    )


def event(row: Row[Any]) -> Event:
    """An event from a row of `events`."""
    return Event(row.number, row.kind, row.seat, row.body, row.at, tuple(json.loads(row.clocks)))


def chat_message(row: Row[Any]) -> ChatMessage:
    """A chat message from a row of `talk`."""
    return ChatMessage(row.number, row.seat, row.name, row.text, row.at)


def person(row: Row[Any]) -> Person:
    """A person from a row of `persons`."""
    return Person(row.id, row.name)


def _seat(seat: int | None) -> int | None:
    return seat if seat is None else rows.integer("seat", seat)


def _json(what: str, value: object) -> str:
    # Lone surrogates stay unescaped, so that they are refused; NUL becomes an escape, which every database can store.
    return rows.text(what, json.dumps(value, ensure_ascii=False, separators=(",", ":")))

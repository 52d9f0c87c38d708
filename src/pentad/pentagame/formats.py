"""Games of Pentagame as the events that happened in them, for databases and programs.

    {"pentagame": 1, "games": [{"start": "pentagame 0 0 000,100,…", "tags": {"Seat0": "Ann"}, "result": "*",
      "events": [[1,0,0,3,5,0,0], [1,2,0,11,5,0,0], [1,3,0,11,4,1,0]]}]}

A game that has ended has a `reason`. Only what happened is kept: no variations, comments, clocks or values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from pentad.game import GameError, load, shorten
from pentad.pentagame.events import event_list, events, record_of
from pentad.pentagame.rules import GAME, PentagamePosition
from pentad.record import Record
from pentad.record.as_json import load_json, object_at, take
from pentad.record.formats import Format
from pentad.record.losses import Losses

NAME, VERSION = "events", 1


def write(records: Sequence[Record]) -> str:
    """The events of some games as JSON, an event a line."""
    losses = Losses(NAME)
    told = ",\n".join(_game(record, losses) for record in records)
    losses.warn()
    return f'{{"{GAME.name}": {VERSION}, "games": [\n{told}\n]}}\n'


def _game(record: Record, losses: Losses) -> str:
    happened = ",\n".join(json.dumps(event_list(each), separators=(",", ":")) for each in events(record))
    losses.note_beyond_moves(record)
    end = {"reason": record.outcome.reason} if record.outcome else {}
    about = {"start": record.start.text, "tags": record.tags, "result": record.result, **end}
    return f'{json.dumps(about, ensure_ascii=False)[:-1]}, "events": [\n{happened}\n]}}'


def read(text: str, game: str | None) -> list[Record]:
    """The records of the games whose events a text tells; errors say where, by line or by path."""
    if game not in (None, GAME.name):
        raise GameError(f"{NAME} holds games of {GAME.name}, not of {game}")
    top = object_at(load_json(text), "", (GAME.name, "games"))
    if take(top, GAME.name, int, "") != VERSION:
        raise GameError(f"{GAME.name}: version {VERSION} is known, not {shorten(repr(top[GAME.name]))}")
    games = take(top, "games", list, "")
    if not games:
        raise GameError("games: at least one is expected")
    return [_read(each, f"games[{i}]") for i, each in enumerate(games)]


def _read(given: object, where: str) -> Record:
    holder = object_at(given, where, ("start", "tags", "result", "reason", "events"))
    told, reason = take(holder, "events", list, where), take(holder, "reason", str, where, "")
    try:
        record = record_of(_start(holder, where), cast(Any, told), reason or None)
    except GameError as error:
        raise GameError(f"{where}: {error}") from None
    tags = take(holder, "tags", dict, where, {})
    record.tags = {name: take(tags, name, str, f"{where}.tags") for name in tags}
    if "result" in holder or "reason" in holder:
        ending = record.outcome.reason if record.outcome else ""
        if (take(holder, "result", str, where), reason) != (record.result, ending):
            raise GameError(f"{where}.result: by its events it is {record.result}{', ' if ending else ''}{ending}")
    return record


def _start(holder: dict[str, Any], where: str) -> PentagamePosition:
    start = load(take(holder, "start", str, where))
    if not isinstance(start, PentagamePosition):
        raise GameError(f"start: a position of {GAME.name} is expected, not of {start.game}")
    return start


FORMATS = (Format(NAME, (".events",), "what happened in games of Pentagame, as identifiers", read, write),)

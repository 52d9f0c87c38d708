"""File format `events`: games of Pentagame as lists of events, for databases and programs.

    {"pentagame": 1, "games": [{"start": "pentagame 0 0 000,100,…", "tags": {"Seat0": "Ann"}, "result": "*",
      "events": [[1,0,0,3,5,0,0], [1,2,0,11,5,0,0], [1,3,0,11,4,1,0]]}]}

A finished game has a `reason`. The format has no variations, comments, clocks or values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from pentad.game import GameError, load
from pentad.games.pentagame.events import events, record_of
from pentad.games.pentagame.rules import GAME, PentagamePosition
from pentad.record import Record
from pentad.record.formats import Format, Losses, object_at, read_games, take

NAME, VERSION = "events", 1


def write(records: Sequence[Record]) -> str:
    """Returns the events of games as JSON, one event a line."""
    losses = Losses(NAME)
    games = ",\n".join(_game(record, losses) for record in records)
    losses.warn()
    return f'{{"{GAME.name}": {VERSION}, "games": [\n{games}\n]}}\n'


def _game(record: Record, losses: Losses) -> str:
    lines = ",\n".join(map(str, events(record)))
    losses.note_beyond_moves(record)
    end = {"reason": record.outcome.reason} if record.outcome else {}
    header = {"start": record.start.text, "tags": record.tags, "result": record.result, **end}
    return f'{json.dumps(header, ensure_ascii=False)[:-1]}, "events": [\n{lines}\n]}}'


def read(text: str, game: str | None) -> list[Record]:
    """Reads the records of games given as events; errors name the line or the path."""
    if game not in (None, GAME.name):
        raise GameError(
            "The format {name} is for {game_name}, not for {game}.", name=NAME, game_name=GAME.name, game=game
        )
    return [_read(*each) for each in read_games(text, GAME.name, VERSION)]


def _read(entry: object, where: str) -> Record:
    holder = object_at(entry, where, ("start", "tags", "result", "reason", "events"))
    listed, reason = take(holder, "events", list, where), take(holder, "reason", str, where, "")
    try:
        start = load(take(holder, "start", str, where))
        if not isinstance(start, PentagamePosition):
            raise GameError("start: Expected a position of {name}, got one of {game}.", name=GAME.name, game=start.game)
        record = record_of(start, cast(Any, listed), reason or None)
    except GameError as error:
        raise GameError(f"{where}: {error}") from None
    tags = take(holder, "tags", dict, where, {})
    record.tags = {name: take(tags, name, str, f"{where}.tags") for name in tags}
    if "result" in holder or "reason" in holder:
        ending = record.outcome.reason if record.outcome else ""
        if (take(holder, "result", str, where), reason) != (record.result, ending):
            shown = f"{record.result}, {ending}" if ending else record.result
            raise GameError("{where}.result: The events show {result}.", where=where, result=shown)
    return record


def _recognises(text: str) -> bool:
    beginning = text[:400]
    return text.startswith("{") and f'"{GAME.name}"' in beginning and '"pentad"' not in beginning


FORMATS = (Format(NAME, (".events",), "the events of games of Pentagame", read, write, _recognises),)

"""The drawing and the words of a game as data, by which pages make the messages of a room themselves.

`static/instant/turns.js` and `room.js` read them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from pentad.drawing.looks import LookTables
from pentad.game import Outcome, Position, game, game_of, names
from pentad.games.parts import Looks, Told
from pentad.play.game_state import AGREED, RESIGNED
from pentad.play.table import reason_text
from pentad.web import view
from pentad.web.instant import engines


def covered() -> list[str]:
    """The games that pages play before Python is there."""
    return [name for name in names() if game(name).has(engines.INSTANT) and game(name).has("looks")]


def drawn(here: Position, *, flip: bool = False) -> dict[str, Any]:
    """The drawing and the words of games from a position, and what ends them."""
    looks: Looks = game_of(here).module("looks")
    words, tables = looks.words(here), LookTables()

    def told(words: Told | None) -> Any:
        return words and [*map(tables.data, (words.first, words.then, words.later or words.then)), words.end]

    return {
        "game": here.game,
        "title": game_of(here).title,
        "colours": [here.colour_of(seat) for seat in range(here.players)],
        "lines": _lines(here, flip, tables),
        "status": tables.data(words.status),
        "prompt": tables.data(words.prompt),
        "restriction": tables.data(words.restriction),
        "outcome": words.outcome,
        "outcomes": [_outcome(outcome) for outcome in words.outcomes],
        "step": tables.data(words.step),
        "label": tables.data(words.label),
        "ways": tables.data(words.ways),
        "text": told(words.text),
        "described": told(words.described),
        "instruction": told(words.instruction),
        "notation": told(words.notation),
        "resigned": [_end(here, _without(seat, here), RESIGNED) for seat in range(here.players)],
        "agreed": _end(here, (), AGREED),
        "events": view.EVENT_TEXTS,
        "tables": tables.tables,  # last, as all others fill it
    }


def flipped(name: str) -> dict[str, Any]:
    """The drawing of a game with its default options, seen from the other side."""
    tables = LookTables()
    return {"lines": _lines(game(name).new(), True, tables), "tables": tables.tables}


def _lines(here: Position, flip: bool, tables: LookTables) -> list[Any]:
    """The lines of the drawing from a side; the tables get what they need."""
    looks: Looks = game_of(here).module("looks")
    return [tables.data(line) for line in looks.sheet(here, flip).lines]


def _without(seat: int, here: Position) -> list[int]:
    return [other for other in range(here.players) if other != seat]


def _end(here: Position, winners: Iterable[int], reason: str) -> dict[str, Any]:
    """An end that is not on the board: its status and its reason as sentences, and the outcome."""
    outcome = Outcome.of(winners, here.players, reason)
    return {
        "status": view.status(here, outcome),
        "reason": reason_text(here, outcome),
        "outcome": _outcome(outcome),
    }


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    found = view.outcome_of(outcome)
    return asdict(found) if found else None


def as_json(value: object) -> bytes:
    """A value as the text of a file."""
    return json.dumps(value, separators=(",", ":")).encode()

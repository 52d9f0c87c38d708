"""What a page needs to be a room: the drawing and the words of a game, and what a new room says, as data.

`static/instant/room.js` writes the messages of a room with it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, cast

from pentad.drawing.looks import LookTables
from pentad.game import Outcome, Position, game, game_of, names
from pentad.games.parts import Looks, Told
from pentad.play.game_state import AGREED, RESIGNED
from pentad.play.seats import HUMAN
from pentad.play.table import reason_text
from pentad.search.bot import bot_title
from pentad.search.levels import RUNGS
from pentad.store.rows import GameRow, Person
from pentad.web import move_tree, view
from pentad.web.api_types import NewRoom
from pentad.web.backend import Backend
from pentad.web.engines import Engines
from pentad.web.rooms.registry import Rooms, preview, read_game
from pentad.web.rooms.room import RoomEnvironment
from pentad.web.service.router import Router
from pentad.web.service.routes import ROUTES
from pentad.web.site import engines, instant
from pentad.web.site.browser.dispatcher import Dispatcher
from pentad.web.site.instant_exercises import lesson_data, puzzle_data
from pentad.web.typed_json import written

NOBODY = Person(0, "")
FOLDER = "instant/"  # of the worker's files among those of Python
ALWAYS = ("/api/games", "/api/health", "/api/lessons")  # the requests whose answers are always the same
COMPUTED = ("svg", "position", "choices", "moves", "seats", "can")  # the fields of a state that the page writes itself


def draft(spec: NewRoom) -> GameRow:
    """The row of a new game."""
    rooms = Rooms(RoomEnvironment(None, None))  # type: ignore[arg-type]
    return asyncio.run(rooms.draft(read_game(spec), NOBODY))


def first_state(row: GameRow) -> dict[str, Any]:
    """The state that a person sees in a new room."""
    found: dict[str, Any] = json.loads(preview(row, NOBODY, time.monotonic, flip=False).written)
    return found


def covered() -> list[str]:
    """The games that pages play before Python is there."""
    return [name for name in names() if game(name).has(engines.INSTANT) and game(name).has("looks")]


def files(friends_server: str) -> tuple[dict[str, bytes], dict[str, str]]:
    """The files of the worker that plays at once: answers that are always the same, each game's module and data, and
    the data of its lesson and its puzzles.

    And for each game the file of the package that its bot needs first; empty if it needs none.
    """
    found, needed = {f"{FOLDER}answers.json": as_json(fixed_answers(friends_server))}, {}
    for name in covered():
        module, engine = instant.module_and_description(name)
        numbers = {f"{engine['bot']}@{rung}": f"{number:g}" for rung, number in RUNGS.items()}
        levels = {who: number for who, number in numbers.items() if number in engine["levels"]}
        data = {"room": described(name, levels), "engine": engine, "levels": levels | {instant.HINT: instant.HINT}}
        found |= {
            f"{FOLDER}{name}.wasm": module,
            f"{FOLDER}{name}.json": as_json(data),
            f"{FOLDER}{name}-flipped.json": as_json(flipped(name)),
            f"{FOLDER}{name}-lesson.json": as_json(lesson_data(name)),
            f"{FOLDER}{name}-puzzles.json": as_json(puzzle_data(name)),
        }
        needed[name] = engine["files"][0]["path"] if engine["files"] else ""
    return found, needed


def as_json(value: object) -> bytes:
    """A value as the text of a file."""
    return json.dumps(value, separators=(",", ":")).encode()


def fixed_answers(friends_server: str) -> dict[str, Any]:
    """The answers that are always the same, by their paths."""
    return asyncio.run(_fixed_answers(friends_server))


async def _fixed_answers(friends_server: str) -> dict[str, Any]:
    engines: Any = Engines(1, 0, ready=True)
    backend = Backend(cast(Any, None), engines, cast(Any, None), friends=False, friends_server=friends_server)
    dispatcher = Dispatcher(Router(ROUTES, backend))
    return {path: json.loads((await dispatcher.handle("GET", path))[2]) for path in ALWAYS}


def described(name: str, bots: Iterable[str]) -> dict[str, Any]:
    """The data of a game with its default options, and with these bots."""
    here = game(name).new()
    first = first_state(draft(NewRoom(game=name, seats=[HUMAN] * here.players)))
    return {
        "first": {field: value for field, value in first.items() if field not in COMPUTED},
        "bots": {who: bot_title(name, who) for who in bots},
        "line": json.loads(written(move_tree.read_line(name, []))),
        **drawn(here),
    }


def drawn(here: Position) -> dict[str, Any]:
    """The drawing and the words of games from a position, and what ends them."""
    looks: Looks = game_of(here).module("looks")
    words, tables = looks.words(here), LookTables()

    def told(words: Told | None) -> Any:
        return words and [*map(tables.data, (words.first, words.then, words.later or words.then)), words.end]

    return {
        "game": here.game,
        "title": game_of(here).title,
        "colours": [here.colour_of(seat) for seat in range(here.players)],
        "lines": [tables.data(line) for line in looks.sheet(here, False).lines],
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
    here, tables = game(name).new(), LookTables()
    looks: Looks = game(name).module("looks")
    return {"lines": [tables.data(line) for line in looks.sheet(here, True).lines], "tables": tables.tables}


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

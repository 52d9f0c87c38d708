"""What a page of a folder plays with before Python is there: games, new rooms, lessons and puzzles, as files."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable
from typing import Any, cast

from pentad.game import game
from pentad.play.seats import HUMAN
from pentad.search.bot import bot_title
from pentad.search.levels import RUNGS
from pentad.store.rows import GameRow, Person
from pentad.web import move_tree
from pentad.web.api_types import NewRoom
from pentad.web.backend import Backend
from pentad.web.engines import Engines
from pentad.web.instant import drawings, modules
from pentad.web.instant.drawings import as_json
from pentad.web.rooms.registry import Rooms, preview, read_game
from pentad.web.rooms.room import RoomEnvironment
from pentad.web.service.router import Router
from pentad.web.service.routes import ROUTES
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


def files(friends_server: str) -> tuple[dict[str, bytes], dict[str, str]]:
    """The files of the worker that plays at once: answers that are always the same, each game's module and data, and
    the data of its lesson and its puzzles.

    And for each game the file of the package that its bot needs first; empty if it needs none.
    """
    found, needed = {f"{FOLDER}answers.json": as_json(fixed_answers(friends_server))}, {}
    for name in drawings.covered():
        module, engine = modules.module_and_description(name)
        numbers = {f"{engine['bot']}@{rung}": f"{number:g}" for rung, number in RUNGS.items()}
        levels = {who: number for who, number in numbers.items() if number in engine["levels"]}
        data = {"room": described(name, levels), "engine": engine, "levels": levels | {modules.HINT: modules.HINT}}
        found |= {
            f"{FOLDER}{name}.wasm": module,
            f"{FOLDER}{name}.json": as_json(data),
            f"{FOLDER}{name}-flipped.json": as_json(drawings.flipped(name)),
            f"{FOLDER}{name}-lesson.json": as_json(lesson_data(name)),
            f"{FOLDER}{name}-puzzles.json": as_json(puzzle_data(name)),
        }
        needed[name] = engine["files"][0]["path"] if engine["files"] else ""
    return found, needed


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
        **drawings.drawn(here),
    }

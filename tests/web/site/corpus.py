"""Requests to all routes: valid ones, and each with something wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pentad
from pentad.play.puzzles import answer, puzzles

Request = tuple[str, str, str | None]

START = pentad.new("pentago").text
PUZZLE = puzzles("pentago")[0].id
TREE = {
    "start": "pentago",
    "format": "pentad",
    "tags": {"Event": "Test"},
    "comment": "ü",
    "nodes": [
        {"parent": 0, "move": "a2 1C", "clock": 1e-7, "value": 0.25, "exact": False},
        {"parent": 1, "move": "b3 2A", "comment": "x"},
    ],
}
ROOM = {
    "game": "pente",
    "options": {"rules": "keryo"},
    "seats": ["human", "open"],
    "time": {"main": 300, "increment": 1.5, "days": 0},
    "listed": True,
    "name": "Ada",
}
BODIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "name": ("PUT", "/api/me", {"name": "Ada"}),
    "preview": ("POST", "/api/preview?flip=true", ROOM),
    "room": ("POST", "/api/rooms", ROOM),
    "room at a position": ("POST", "/api/rooms", {"game": "pentago", "position": START, "seats": None}),
    "seat": ("POST", "/api/rooms/abcdefghaa/seats", {"seat": 1, "name": "Ben"}),
    "board": (
        "POST",
        "/api/board",
        {"position": START, "steps": "a2", "end": False, "last": "", "flip": True},
    ),
    "turn": ("POST", "/api/board/turn", {"position": START, "move": "a2 1C", "flip": True}),
    "text": ("POST", "/api/study/read", {"text": "a2 1C b3 2A", "game": "pentago", "number": 1}),
    "line": ("POST", "/api/study/line", {"start": "pentago", "moves": ["a2 1C", "zz"], "as_far": True}),
    "games": ("POST", "/api/study/games", {"text": "a2 1C b3 2A", "game": "pentago", "lines_before": 3}),
    "names": ("POST", "/api/study/openings/moves", {"position": START, "names": ["a0 1C", "a1 2A"]}),
    "tree": ("POST", "/api/study/write", TREE),
    "edit": (
        "POST",
        "/api/study/edit",
        {"draft": "pentago", "piece": "black", "target": "a1", "counter": "", "value": 0, "flip": False},
    ),
    "check": ("POST", "/api/lessons/check", {"game": "pentago", "step": 0, "move": "a1 1C"}),
    "try": ("POST", f"/api/puzzles/{PUZZLE}/try", {"moves": [str(answer(puzzles("pentago")[0], [])[1])]}),
    "hint": ("POST", f"/api/puzzles/{PUZZLE}/hint", {"moves": []}),
    "step": ("POST", "/api/models/ferry/step", {"options": {}, "path": [0], "chance": 0, "seed": 5}),
}
PATHS = [
    "/api/games",
    *(f"/api/games/{name}/options" for name in ("pente", "pentagame", "none")),
    "/api/health",
    "/api/me",
    "/api/mine",
    "/api/mine/found",
    "/api/lobby",
    "/api/rooms/abcdefghaa/record",
    "/api/rooms/none/record",
    "/api/rooms/none/code.svg",
    *(f"/api/rooms/{name}/positions/{moves}" for name in ("abcdefghaa", "none") for moves in ("0", "1", "-1", "x")),
    "/api/rooms/abcdefghaa/positions/0?flip=true",
    "/api/rooms/abcdefghaa/positions/0?flip=maybe",
    "/api/rooms/abcdefghaa/picture.svg",
    "/api/rooms/none/picture.svg",
    "/api/study/openings?position=pentago",
    "/api/study/openings?position=nothing",
    "/api/board.svg",
    "/api/study/pieces",
    "/api/lessons",
    *(f"/api/lessons/{name}" for name in ("pentago", "pente", "pentagame", "none", "%C3%BC", "a%2Fb", "%ff")),
    "/api/puzzles",
    "/api/puzzles/daily?day=2026-02-28",
    "/api/puzzles/solved",
    f"/api/puzzles/{PUZZLE}",
    f"/api/puzzles/{PUZZLE}/solution",
    "/api/puzzles/none",
    "/api/puzzles/none/solution",
    "/api/models",
    "/api/models/tictactoe",
    "/api/models/ferry?wolves=2",
    "/api/models/none",
    "/api/models/ferry/grammar.zip",
]
QUERIES: dict[str, dict[str, str]] = {
    "/api/mine": {"after": "0:0.0:-0.0:abcdefghaa"},
    "/api/mine/found": {
        "opponent": "é",
        "game": "pentago",
        "result": "running",
        "after": "0:0.0:-0.0:abcdefghaa",
    },
    "/api/rooms/abcdefghaa/picture.svg": {"flip": "1"},
    "/api/preview": {"flip": "1"},
    "/api/rooms/abcdefghaa/record": {"format": "json"},
    "/api/board.svg": {"position": START, "last": "", "flip": "yes"},
    "/api/study/pieces": {"position": "pentago", "flip": "off"},
    "/api/puzzles": {"game": "pente", "difficulty": "2"},
    "/api/puzzles/daily": {"day": "2026-02-28"},
    "/api/models/ferry": {"wolves": "2"},
}
# The server answers paths outside /api/ with a page; in a page they are files of the site.
UNKNOWN = ["/api/none", "/api/games/", "/api/rooms", "/api/rooms/", "/api/", "/api/board/x", "/api//games"]
WRONG: list[Any] = [
    None, True, 0, -1, 5, 10**20, 10**400, 1.5, 1.0, -0.5, 1e9, 1e300,
    "", "x", "5", "true", "x" * 5000, "é" * 41, "\ud800", "\0",
    [], ["x"], [1], [[]], [None], ["x"] * 401, {}, {"x": 1}, {"x": "y"},
    {"x" * 50: "y"}, {"x": None}, float("nan"), float("inf"),
]  # fmt: skip
TEXTS = [
    "", " ", "{", "}", "[", "null", "[]", '"x"', "5", "true", '{"a":1,}', "{'a':1}", '{"a"}', '{"a":}', "nul", "NaN",
    "-",    "01", '"\\x"', '"\x01"', '{"a":1}x', '"\\ud800"', "1e999", '{"name":"a","name":5}', "[" * 3000, "\ufeff{}",
]  # fmt: skip
VALUES = [
    "",
    "x",
    "1",
    "0",
    "6",
    "1.0",
    "1_0",
    " 2 ",
    "TRUE",
    "on",
    "no",
    "2",
    "x" * 41,
    "x" * 4001,
    "ü",
    "%",
    "+",
    "pente",
    "1e3",
]


def spoiled(value: dict[str, Any]) -> Iterator[Any]:
    """The value with one thing wrong each, also within."""
    for name, own in value.items():
        yield {key: each for key, each in value.items() if key != name}
        for wrong in WRONG:
            yield {**value, name: wrong}
        if isinstance(own, dict):
            yield from ({**value, name: each} for each in spoiled(own))
        if isinstance(own, list) and own and isinstance(own[0], dict):
            yield from ({**value, name: [each, *own[1:]]} for each in spoiled(own[0]))
        elif isinstance(own, list) and own:
            yield from ({**value, name: [*own[:-1], wrong]} for wrong in WRONG)
    yield {**value, "unknown": 1}
    yield {**value, "unknown": 1, **dict.fromkeys(list(value)[:1], 1.5)}


def of_body(name: str) -> Iterator[Request]:
    """The requests with a body, valid first."""
    method, path, value = BODIES[name]
    yield method, path, json.dumps(value)
    yield method, path, json.dumps({key: each for key, each in value.items() if key in ("game", "position", "name")})
    for each in spoiled(value):
        yield method, path, json.dumps(each)
    for text in TEXTS:
        yield method, path, text
    yield method, f"{path}/", json.dumps(value)
    for other in {"GET", "PUT", "DELETE", "PATCH"} - {method}:
        yield other, path, None


def of_path(path: str) -> Iterator[Request]:
    """The requests without a body."""
    yield "GET", path, None
    yield "GET", f"{path}?unknown=1", None
    yield "GET", f"{path}/", None
    for method in ("HEAD", "DELETE", "PUT"):
        yield method, path, None


def of_query(path: str) -> Iterator[Request]:
    """The requests with parameters."""
    method, body = ("POST", json.dumps(ROOM)) if path == "/api/preview" else ("GET", None)
    valid = QUERIES[path]
    yield method, f"{path}?{urlencode(valid)}", body
    for name, value in valid.items():
        others = {key: each for key, each in valid.items() if key != name}
        yield method, f"{path}?{urlencode(others)}", body
        yield method, f"{path}?{urlencode(valid)}&{name}={quote(value)}", body
        yield method, f"{path}?{urlencode(valid)}&{name}", body
        yield method, f"{path}?{urlencode(others)}&{name}=%ff", body
        for wrong in VALUES:
            yield method, f"{path}?{urlencode({**others, name: wrong})}", body

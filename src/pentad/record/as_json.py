"""Records as JSON, for programs that would rather not read a text format of ours.

    {"pentad": 1, "games": [{"game": "pentago", "options": {"rows": 2, …}, "tags": {"Seat0": "Ann"},
      "result": "*", "moves": [{"move": "a2 1C", "clock": 298.0, "comment": "good",
                                "value": {"number": 0.25, "exact": false},
                                "variations": [[{"move": "a1 1C"}]]}]}]}

A game that begins elsewhere has `start`, a position's text, in place of `options`; one that has ended has a
`reason`. `moves` is a line; the variations of a move are lines that replace it. What is absent is empty; a game
without a `result` ended as its moves show, or goes on.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pentad.game import GameError, Position, game, load, shorten
from pentad.record.text import MAX_DEPTH, TAG_NAME, RecordError, read_score
from pentad.record.tree import Node, Record, Value

VERSION = 1
Kind = TypeVar("Kind")

# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write_json(records: Sequence[Record]) -> str:
    """The records as one JSON object."""
    games_ = [_game(record) for record in records]
    return json.dumps({"pentad": VERSION, "games": games_}, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _game(record: Record) -> dict[str, Any]:
    start = record.start
    fresh = start == record.game.new(**start.options)
    beginning = {"options": dict(start.options)} if fresh else {"start": start.text}
    end = {"reason": record.outcome.reason} if record.outcome else {}
    about = {"game": start.game, **beginning, "tags": record.tags, "result": record.result, **end}
    return {**about, **_remark(record.root), "moves": _line(record.root, 0)}


def _remark(node: Node) -> dict[str, Any]:
    remark: dict[str, Any] = {}
    if node.comment:
        remark["comment"] = node.comment
    if node.clock is not None:
        remark["clock"] = node.clock
    if node.value is not None:
        remark["value"] = {"number": node.value.number, "exact": node.value.exact}
    return remark


def _line(node: Node, depth: int) -> list[dict[str, Any]]:
    """The moves that follow a node on its main line, each with its variations."""
    if depth > MAX_DEPTH:
        raise GameError(f"variations are nested more than {MAX_DEPTH} deep")
    line = []
    while node.children:
        main, *others = node.children
        entry = _move(main)
        if others:
            entry["variations"] = [[_move(other), *_line(other, depth + 1)] for other in others]
        line.append(entry)
        node = main
    return line


def _move(node: Node) -> dict[str, Any]:
    return {"move": str(node.move), **_remark(node)}


# ── reading ──────────────────────────────────────────────────────────────────────────────────────

_GAME = ("game", "options", "start", "tags", "result", "reason", "comment", "clock", "value", "moves")
_MOVE = ("move", "comment", "clock", "value", "variations")


def read_json(text: str) -> list[Record]:
    """The records of a JSON text that is as `write_json` writes it; errors say where, by line or by path."""
    top = object_at(load_json(text), "", ("pentad", "games"))
    if take(top, "pentad", int, "") != VERSION:
        raise GameError(f"pentad: version {VERSION} is known, not {shorten(repr(top['pentad']))}")
    games_ = take(top, "games", list, "")
    if not games_:
        raise GameError("games: at least one is expected")
    return [_read_game(each, f"games[{i}]") for i, each in enumerate(games_)]


def load_json(text: str) -> Any:
    """What a JSON text holds; no object may have a name twice."""
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_without_twins)
    except json.JSONDecodeError as error:
        raise RecordError(f"this is no JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise GameError("this JSON is nested too deep to be a record") from None
    except GameError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise GameError(f"this JSON cannot be read: {error}") from None


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise GameError(f"{shorten(repr(twin))} stands twice in one object")
    return found


def object_at(value: object, where: str, known: Iterable[str]) -> dict[str, Any]:
    """An object that has no other names than the known ones."""
    if not isinstance(value, dict):
        raise GameError(f"{where or 'the whole'}: an object is expected, not {shorten(repr(value), 30)}")
    for name in value:
        if name not in known:
            raise GameError(f"{where or 'the whole'}: {shorten(repr(name), 30)} is not known; {', '.join(known)} are")
    return value


def take(holder: Mapping[str, Any], name: str, kind: type[Kind], where: str, default: Kind | None = None) -> Kind:
    """What an object has by that name, if it is of the kind that belongs there."""
    path = f"{where}.{name}".lstrip(".")
    if name not in holder:
        if default is None:
            raise GameError(f"{path} is missing")
        return default
    value = holder[name]
    if kind is float and type(value) is int:
        value = float(value) if abs(value) < 1e300 else math.inf
    if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
        kinds = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}
        raise GameError(f"{path}: {kinds.get(kind, 'an object')} is expected, not {shorten(repr(value), 30)}")
    return value


def _read_game(given: object, where: str) -> Record:
    holder = object_at(given, where, _GAME)
    record = Record(_read_start(holder, where))
    tags = take(holder, "tags", dict, where, {})
    for name in tags:
        if not TAG_NAME.fullmatch(name):
            raise GameError(f"{where}.tags: {shorten(repr(name), 40)} is no tag's name: letters, digits and _ are")
        record.tags[name] = take(tags, name, str, f"{where}.tags")
    _read_remark(record.root, holder, where)
    _read_line(record.root, take(holder, "moves", list, where), f"{where}.moves", 0)
    if "result" not in holder and "reason" not in holder:
        return record  # it ended as its moves show, or goes on
    shown = record.shown
    result, reason = take(holder, "result", str, where), take(holder, "reason", str, where, "")
    try:
        told = read_score(result, record.start.players, reason)
    except GameError as error:
        raise GameError(f"{where}.result: {error}") from None
    if shown and (shown.score, shown.reason) != (result, reason):
        raise GameError(f"{where}.result: by the board it is {shown.score}, reason {shown.reason}")
    if (told is None) != ("reason" not in holder):
        raise GameError(f"{where}.reason: it stands where the game has ended, and only there")
    record.ended = None if shown else told
    return record


def _read_start(holder: Mapping[str, Any], where: str) -> Position:
    name = take(holder, "game", str, where)
    about = f"{where}.start" if "start" in holder else f"{where}.options"
    try:
        kind = game(name)
        if "start" not in holder:
            return kind.new(**take(holder, "options", dict, where, {}))
        if "options" in holder:
            raise GameError("start and options exclude each other: a position's text has its options")
        start = load(take(holder, "start", str, where))
    except GameError as error:
        raise GameError(str(error) if str(error).startswith(where) else f"{about}: {error}") from None
    if start.game != name:
        raise GameError(f"{about}: this is a position of {start.game} in a record of {name}")
    return start


def _read_remark(node: Node, holder: Mapping[str, Any], where: str) -> None:
    node.comment = take(holder, "comment", str, where, "")
    if "clock" in holder:
        node.clock = take(holder, "clock", float, where)
        if node.clock < 0:
            raise GameError(f"{where}.clock: seconds from 0 are expected, not {node.clock:g}")
    if "value" in holder:
        value = object_at(holder["value"], f"{where}.value", ("number", "exact"))
        number = take(value, "number", float, f"{where}.value")
        if not -1 <= number <= 1:
            raise GameError(f"{where}.value.number: a number from -1 to 1 is expected, not {number:g}")
        node.value = Value(number, take(value, "exact", bool, f"{where}.value", False))


def _read_line(node: Node, line: Sequence[object], where: str, depth: int) -> None:
    """Play a line's moves from a node, and the variations of each."""
    if depth > MAX_DEPTH:
        raise GameError(f"{where}: variations are nested more than {MAX_DEPTH} deep")
    for i, given in enumerate(line):
        here = f"{where}[{i}]"
        entry = object_at(given, here, _MOVE)
        before = len(node.children)
        try:
            child = node.play(take(entry, "move", str, here))
        except GameError as error:
            raise GameError(str(error) if str(error).startswith(where) else f"{here}.move: {error}") from None
        if len(node.children) == before:
            raise GameError(f"{here}.move: the same move stands here already")
        _read_remark(child, entry, here)
        for j, variation in enumerate(take(entry, "variations", list, here, [])):
            about = f"{here}.variations[{j}]"
            if not isinstance(variation, list) or not variation:
                raise GameError(f"{about}: a list of moves is expected, not {shorten(repr(variation), 30)}")
            _read_line(node, variation, about, depth + 1)
        node = child

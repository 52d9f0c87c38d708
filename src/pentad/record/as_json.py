"""Records as JSON, for programs that do not read pentad's text format.

    {"pentad": 1, "games": [{"game": "pentago", "options": {"rows": 2, …}, "tags": {"Seat0": "Ann"},
      "result": "*", "moves": [{"move": "a2 1C", "clock": 298.0, "comment": "good",
                                "value": {"number": 0.25, "exact": false},
                                "variations": [[{"move": "a1 1C"}]]}]}]}

A game with its own starting position has `start`, a position's text, in place of `options`; a finished game has a
`reason`. `moves` is a line; the variations of a move are lines that replace it. A missing field is empty; the moves
of a game without a `result` show whether it is over.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from pentad.game import GameError, Position, game, load, shorten, shown
from pentad.record.text import MAX_DEPTH, TAG_NAME, Node, Record, RecordError, Value, read_score

VERSION = 1
Kind = TypeVar("Kind")

# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write_json(records: Sequence[Record]) -> str:
    """Returns the records as one JSON object."""
    games_ = [_game(record) for record in records]
    return json.dumps({"pentad": VERSION, "games": games_}, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _game(record: Record) -> dict[str, Any]:
    start = record.start
    is_default = start == record.game.new(**start.options)
    beginning = {"options": dict(start.options)} if is_default else {"start": start.text}
    end = {"reason": record.outcome.reason} if record.outcome else {}
    header = {"game": start.game, **beginning, "tags": record.tags, "result": record.result, **end}
    return {**header, **_annotations(record.root), "moves": _line(record.root, 0)}


def _annotations(node: Node) -> dict[str, Any]:
    annotations: dict[str, Any] = {}
    if node.comment:
        annotations["comment"] = node.comment
    if node.clock is not None:
        annotations["clock"] = node.clock
    if node.value is not None:
        annotations["value"] = {"number": node.value.number, "exact": node.value.exact}
    return annotations


def _line(node: Node, depth: int) -> list[dict[str, Any]]:
    """The moves that follow a node on its main line, each with its variations."""
    if depth > MAX_DEPTH:
        raise GameError(f"Variations are nested more than {MAX_DEPTH} deep.")
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
    return {"move": str(node.move), **_annotations(node)}


# ── reading ──────────────────────────────────────────────────────────────────────────────────────

_GAME = ("game", "options", "start", "tags", "result", "reason", "comment", "clock", "value", "moves")
_MOVE = ("move", "comment", "clock", "value", "variations")


def read_json(text: str) -> list[Record]:
    """Reads the records of a JSON text in the form of `write_json`; errors name the line or the path."""
    top = object_at(load_json(text), "", ("pentad", "games"))
    if take(top, "pentad", int, "") != VERSION:
        raise GameError(f"pentad: Expected version {VERSION}, got {shorten(repr(top['pentad']))}.")
    games_ = take(top, "games", list, "")
    if not games_:
        raise GameError("games: Expected at least one game.")
    return [_read_game(each, f"games[{i}]") for i, each in enumerate(games_)]


def load_json(text: str) -> Any:
    """Parses a JSON text; an object must not repeat a key."""
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_without_duplicates)
    except json.JSONDecodeError as error:
        raise RecordError(f"Not valid JSON: {error.msg}.", error.lineno, error.colno) from None
    except RecursionError:
        raise GameError("The JSON is nested too deeply for a record.") from None
    except GameError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise GameError(f"Cannot read the JSON: {error}.") from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in names if names.count(name) > 1)
        raise GameError(f"Duplicate key {shorten(repr(duplicate))} in an object.")
    return found


@contextmanager
def errors_at(where: str) -> Iterator[None]:
    """Adds the path to the errors of a block."""
    try:
        yield
    except GameError as error:
        raise GameError(f"{where}: {error}") from None


def object_at(value: object, where: str, known: Sequence[str] = ()) -> dict[str, Any]:
    """Checks that a value is an object, with known keys only if there are any."""
    path = where or "top level"
    if not isinstance(value, dict):
        raise GameError(f"{path}: Expected an object, got {shown(value, 30)}.")
    for name in value if known else ():
        if name not in known:
            raise GameError(f"{path}: Unknown key {shorten(repr(name), 30)}. The known keys are {', '.join(known)}.")
    return value


def take(holder: Mapping[str, Any], name: str, kind: type[Kind], where: str, default: Kind | None = None) -> Kind:
    """Returns the value of a key, checked to be of the expected type."""
    path = f"{where}.{name}".lstrip(".")
    if name not in holder:
        if default is None:
            raise GameError(f"{path}: Missing.")
        return default
    value = holder[name]
    if kind is float and type(value) is int:
        value = float(value) if abs(value) < 1e300 else math.inf
    fits = type(value) is kind or (kind is list and isinstance(value, tuple))
    if not fits or (isinstance(value, float) and not math.isfinite(value)):
        kinds = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}
        raise GameError(f"{path}: Expected {kinds.get(kind, 'an object')}, got {shown(value, 30)}.")
    return cast(Kind, value)


def _read_game(entry: object, where: str) -> Record:
    holder = object_at(entry, where, _GAME)
    record = Record(_read_start(holder, where))
    tags = take(holder, "tags", dict, where, {})
    for name in tags:
        if not TAG_NAME.fullmatch(name):
            raise GameError(
                f"{where}.tags: Invalid tag name {shorten(repr(name), 40)}. A tag name has letters, digits and _."
            )
        record.tags[name] = take(tags, name, str, f"{where}.tags")
    _read_annotations(record.root, holder, where)
    _read_line(record.root, take(holder, "moves", list, where), f"{where}.moves", 0)
    if "result" not in holder and "reason" not in holder:
        return record  # the moves show whether the game is over
    seen = record.shown
    result, reason = take(holder, "result", str, where), take(holder, "reason", str, where, "")
    with errors_at(f"{where}.result"):
        outcome = read_score(result, record.start.players, reason)
        if seen and (seen.score, seen.reason) != (result, reason):
            raise GameError(f"The moves show {seen.score}, reason {seen.reason}.")
    if (outcome is None) != ("reason" not in holder):
        raise GameError(f"{where}.reason: A finished game has a reason, an unfinished one has none.")
    record.ended = None if seen else outcome
    return record


def _read_start(holder: Mapping[str, Any], where: str) -> Position:
    name, text = take(holder, "game", str, where), take(holder, "start", str, where, "")
    options = take(holder, "options", dict, where, {})
    with errors_at(f"{where}.start" if "start" in holder else f"{where}.options"):
        kind = game(name)
        if "start" not in holder:
            return kind.new(**options)
        if "options" in holder:
            raise GameError("A game has either start or options, not both: a position's text includes its options.")
        start = load(text)
        if start.game != name:
            raise GameError(f"Expected a position of {name}, got one of {start.game}.")
        return start


def _read_annotations(node: Node, holder: Mapping[str, Any], where: str) -> None:
    node.comment = take(holder, "comment", str, where, "")
    if "clock" in holder:
        node.clock = take(holder, "clock", float, where)
        if node.clock < 0:
            raise GameError(f"{where}.clock: Expected seconds from 0, got {node.clock:g}.")
    if "value" in holder:
        value = object_at(holder["value"], f"{where}.value", ("number", "exact"))
        number = take(value, "number", float, f"{where}.value")
        if not -1 <= number <= 1:
            raise GameError(f"{where}.value.number: Expected a number from -1 to 1, got {number:g}.")
        node.value = Value(number, take(value, "exact", bool, f"{where}.value", False))


def _read_line(node: Node, line: Sequence[object], where: str, depth: int) -> None:
    """Plays a line's moves from a node, and the variations of each."""
    if depth > MAX_DEPTH:
        raise GameError(f"{where}: Variations are nested more than {MAX_DEPTH} deep.")
    for i, item in enumerate(line):
        here = f"{where}[{i}]"
        entry = object_at(item, here, _MOVE)
        before, move = len(node.children), take(entry, "move", str, here)
        with errors_at(f"{here}.move"):
            child = node.play(move)
            if len(node.children) == before:
                raise GameError("Duplicate move.")
        _read_annotations(child, entry, here)
        for j, variation in enumerate(take(entry, "variations", list, here, [])):
            path = f"{here}.variations[{j}]"
            if not isinstance(variation, list) or not variation:
                raise GameError(f"{path}: Expected a list of moves, got {shorten(repr(variation), 30)}.")
            _read_line(node, variation, path, depth + 1)
        node = child

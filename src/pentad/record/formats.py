"""Record formats: the table of formats that records are read from and written to, and records as JSON."""

from __future__ import annotations

import json
import logging
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import Any, TypeVar, cast

from pentad.game import GameError, Position, game, load, names, shorten, shown
from pentad.record.annotations import MARKS, Value
from pentad.record.scanner import RecordError
from pentad.record.shapes import Shape
from pentad.record.text_format import (
    MAX_VARIATION_DEPTH,
    TAG_NAME,
    Node,
    Record,
    read_leniently,
    read_score,
    read_strictly,
)
from pentad.system.words import count, listed, phrase

# ── losses ────────────────────────────────────────────────────────────────────────────────────────

# Warnings of the library: one line on standard error unless a program configures logging.
LOG = logging.getLogger("pentad.formats")


class Losses:
    """Counts what a format cannot represent, for one warning at the end."""

    def __init__(self, format: str) -> None:
        self.format = format
        self.counts: Counter[str] = Counter()

    def note(self, thing: str, often: int = 1) -> None:
        """Counts a loss; `thing` is a countable noun, or a phrase that begins with `the`."""
        self.counts[thing] += often

    def note_beyond_moves(self, record: Record, *, comments: bool = True) -> None:
        """Counts everything in the tree except the moves of the main line."""
        line = record.end.line
        self.note("variation", sum(max(0, len(node.children) - 1) for node in line))
        self.note("comment", comments * sum(bool(node.comment) for node in line))
        self.note("clock time", sum(node.clock is not None for node in line))
        self.note("value", sum(node.value is not None for node in line))
        self.note("mark", sum(bool(node.mark) for node in line))
        self.note("drawn shape", sum(len(node.shapes) for node in line))

    def plain(self, text: str, what: str) -> str:
        """Returns the text without line breaks."""
        line = " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
        if line != text:
            self.note(phrase("the line breaks of {what}", what=what))
        return line

    def warn(self) -> None:
        """Logs the warning, if anything was lost."""
        found = [(thing, often) for thing, often in self.counts.items() if often]
        if lost := [thing if thing.startswith("the ") else count(often, thing) for thing, often in found]:
            LOG.warning("%s cannot represent %s; left out.", self.format, shorten(listed(lost), 300))


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────
#
#     {"pentad": 1, "games": [{"game": "pentago", "options": {"rows": 2, …}, "tags": {"Seat0": "Ann"},
#       "result": "*", "moves": [{"move": "a2 1C", "clock": 298.0, "comment": "good",
#                                 "value": {"number": 0.25, "exact": false},
#                                 "variations": [[{"move": "a1 1C"}]]}]}]}
#
# A game with its own starting position has `start`, a position's text, in place of `options`; a finished game has a
# `reason`. `moves` is a line; the variations of a move are lines that replace it. A missing field is empty; the moves
# of a game without a `result` show whether it is over.

VERSION = 1
Kind = TypeVar("Kind")


def write_json(records: Sequence[Record]) -> str:
    """Returns the records as one JSON object."""
    games_ = [_game(record) for record in records]
    return json.dumps({"pentad": VERSION, "games": games_}, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _game(record: Record) -> dict[str, Any]:
    check_depth(record)
    start = record.start
    is_default = start == record.game.new(**start.options)
    beginning = {"options": dict(start.options)} if is_default else {"start": start.text}
    end = {"reason": record.outcome.reason} if record.outcome else {}
    header = {"game": start.game, **beginning, "tags": record.tags, "result": record.result, **end}
    return {**header, **_annotations(record.root), "moves": _line(record.root)}


def _annotations(node: Node) -> dict[str, Any]:
    value = node.value and {"number": node.value.number, "exact": node.value.exact}
    shapes = [str(shape) for shape in node.shapes] or None
    found = {
        "comment": node.comment or None,
        "clock": node.clock,
        "value": value,
        "mark": node.mark or None,
        "shapes": shapes,
    }
    return {name: each for name, each in found.items() if each is not None}


def _line(node: Node) -> list[dict[str, Any]]:
    """The moves that follow a node on its main line, each with its variations."""
    line = []
    while node.children:
        main, *others = node.children
        variations = [[_move(other), *_line(other)] for other in others]
        line.append(_move(main) | ({"variations": variations} if others else {}))
        node = main
    return line


def _move(node: Node) -> dict[str, Any]:
    return {"move": str(node.move), **_annotations(node)}


_GAME = ("game", "options", "start", "tags", "result", "reason", "comment", "clock", "value", "mark", "shapes", "moves")
_MOVE = ("move", "comment", "clock", "value", "mark", "shapes", "variations")


def read_json(text: str) -> list[Record]:
    """Reads the records of a JSON text in the form of `write_json`; errors name the line or the path."""
    return [_read_game(*each) for each in read_games(text, "pentad", VERSION)]


def read_games(text: str, name: str, version: int) -> Iterator[tuple[object, str]]:
    """The games of a JSON text with a version under this name, each with its path."""
    top = object_at(load_json(text), "", (name, "games"))
    if take(top, name, int, "") != version:
        raise GameError(
            "{name}: Expected version {version}, got {got}.", name=name, version=version, got=shorten(repr(top[name]))
        )
    found = take(top, "games", list, "")
    if not found:
        raise GameError("games: Expected at least one game.")
    return ((each, f"games[{i}]") for i, each in enumerate(found))


def load_json(text: str) -> Any:
    """Parses a JSON text; an object must not repeat a key."""
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_without_duplicates)
    except json.JSONDecodeError as error:
        raise RecordError(phrase("Not valid JSON: {reason}.", reason=error.msg), error.lineno, error.colno) from None
    except RecursionError:
        raise GameError("The JSON is nested too deeply for a record.") from None
    except GameError:
        raise
    except ValueError as error:  # Python refuses to convert thousands of digits
        raise GameError("Cannot read the JSON: {error}.", error=error) from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in names if names.count(name) > 1)
        raise GameError("Duplicate key {duplicate} in an object.", duplicate=shorten(repr(duplicate)))
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
        raise GameError("{path}: Expected an object, got {value}.", path=path, value=shown(value, 30))
    for name in value if known else ():
        if name not in known:
            raise GameError(
                "{path}: Unknown key {name}. The known keys are {known}.",
                path=path,
                name=shorten(repr(name), 30),
                known=", ".join(known),
            )
    return value


def take(holder: Mapping[str, Any], name: str, kind: type[Kind], where: str, default: Kind | None = None) -> Kind:
    """Returns the value of a key, checked to be of the expected type."""
    path = f"{where}.{name}".lstrip(".")
    if name not in holder:
        if default is None:
            raise GameError("{path}: Missing.", path=path)
        return default
    value = holder[name]
    if kind is float and type(value) is int:
        value = float(value) if abs(value) < 1e300 else math.inf
    fits = type(value) is kind or (kind is list and isinstance(value, tuple))
    if not fits or (isinstance(value, float) and not math.isfinite(value)):
        kinds = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}
        raise GameError(
            "{path}: Expected {expected}, got {value}.",
            path=path,
            expected=kinds.get(kind, "an object"),
            value=shown(value, 30),
        )
    return cast(Kind, value)


def _read_game(entry: object, where: str) -> Record:
    holder = object_at(entry, where, _GAME)
    record = Record(_read_start(holder, where))
    tags = take(holder, "tags", dict, where, {})
    for name in tags:
        if not TAG_NAME.fullmatch(name):
            raise GameError(
                "{where}.tags: Invalid tag name {name}. A tag name has letters, digits and _.",
                where=where,
                name=shorten(repr(name), 40),
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
            raise GameError("The moves show {score}, reason {reason}.", score=seen.score, reason=seen.reason)
    if (outcome is None) != ("reason" not in holder):
        raise GameError("{where}.reason: A finished game has a reason, an unfinished one has none.", where=where)
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
            raise GameError("Expected a position of {name}, got one of {game}.", name=name, game=start.game)
        return start


def _read_annotations(node: Node, holder: Mapping[str, Any], where: str) -> None:
    node.comment = take(holder, "comment", str, where, "")
    if "clock" in holder:
        node.clock = take(holder, "clock", float, where)
        if node.clock < 0:
            raise GameError("{where}.clock: Expected 0 seconds or more, got {clock:g}.", where=where, clock=node.clock)
    if "value" in holder:
        value = object_at(holder["value"], f"{where}.value", ("number", "exact"))
        number = take(value, "number", float, f"{where}.value")
        if not -1 <= number <= 1:
            raise GameError(
                "{where}.value.number: Expected a number from -1 to 1, got {number:g}.", where=where, number=number
            )
        node.value = Value(number, take(value, "exact", bool, f"{where}.value", False))
    node.mark = take(holder, "mark", str, where, "")
    if node.mark and node.mark not in MARKS:
        raise GameError(
            "{where}.mark: Expected one of {marks}, got {mark}.",
            where=where,
            marks=", ".join(MARKS),
            mark=shown(node.mark, 30),
        )
    shapes = take(holder, "shapes", list, where, [])
    with errors_at(f"{where}.shapes"):
        node.shapes = Shape.read_all(take({"shape": each}, "shape", str, "") for each in shapes)


def _read_line(node: Node, line: Sequence[object], where: str, depth: int) -> None:
    """Plays a line's moves from a node, and the variations of each."""
    if depth > MAX_VARIATION_DEPTH:
        raise GameError(
            "{where}: Variations are nested more than {max_depth} deep.", where=where, max_depth=MAX_VARIATION_DEPTH
        )
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
                raise GameError(
                    "{path}: Expected a list of moves, got {variation}.",
                    path=path,
                    variation=shorten(repr(variation), 30),
                )
            _read_line(node, variation, path, depth + 1)
        node = child


# ── the table of formats ──────────────────────────────────────────────────────────────────────────

MAX_FILE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Format:
    """A format. `read` takes the text and the name of the game, for texts that do not name their game.

    `recognises` is whether a text, without blanks at its start, looks like this format.
    """

    name: str
    suffixes: tuple[str, ...]
    summary: str
    read: Callable[[str, str | None], list[Record]] | None = None
    write: Callable[[Sequence[Record]], str] | None = None
    recognises: Callable[[str], bool] | None = None


def check_depth(record: Record) -> None:
    """Refuses variations that are nested too deeply to be read back."""
    waiting = [(record.root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MAX_VARIATION_DEPTH:
            raise GameError("Variations are nested more than {max_depth} deep.", max_depth=MAX_VARIATION_DEPTH)
        waiting += [(child, depth + bool(number)) for number, child in enumerate(node.children)]


def _write_text(records: Sequence[Record]) -> str:
    for record in records:
        check_depth(record)
    return "\n".join(record.text for record in records)


def _write_moves(records: Sequence[Record]) -> str:
    """The tags, then each move of the main line on its own line, then the result."""
    return "\n".join(
        "\n".join([record.text.partition("\n\n")[0], "", *map(str, record.moves), record.result, ""])
        for record in records
    )


def _write_svg(records: Sequence[Record]) -> str:
    record = only(records)
    return record.position.svg(last=record.end.move) + "\n"


def only(records: Sequence[Record]) -> Record:
    """Returns the only record."""
    if len(records) != 1:
        raise GameError("Expected one game, got {count}. Choose one by its number, counted from 1.", count=len(records))
    return records[0]


# Formats for every game.
COMMON = (
    Format("pentad", (".pentad",), "pentad's own text format", lambda text, game: read_strictly(text), _write_text),
    Format("json", (".json",), "the same content as JSON", lambda text, game: read_json(text), write_json),
    Format(
        "moves", (".moves", ".txt"), "one move per line; hand-typed moves can be read", read_leniently, _write_moves
    ),
    Format("svg", (".svg",), "a picture of the last position", None, _write_svg),
)


@cache
def formats_of(name: str) -> tuple[Format, ...]:
    """A game's own formats: the table FORMATS of its part `formats`."""
    kind = game(name)
    return tuple(kind.module("formats").FORMATS) if kind.has("formats") else ()


class _Formats(Mapping[str, Format]):
    """All formats by name; the games' own are imported only when no common one matches."""

    def __iter__(self) -> Iterator[str]:
        return (each.name for each in self._each())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, name: str) -> Format:
        for each in self._each():
            if each.name == name:
                return each
        raise KeyError(name)

    def _each(self) -> Iterator[Format]:
        yield from COMMON
        for name in names():
            yield from formats_of(name)


FORMATS = _Formats()


def format_of(path: str, name: str | None = None) -> Format:
    """The format with this name, else the one of the file's suffix, else pentad's own if there is no suffix."""
    if name is not None:
        if name not in FORMATS:
            raise GameError(
                "Unknown format {name}. The formats are {formats}.",
                name=shorten(repr(name)),
                formats=", ".join(FORMATS),
            )
        return FORMATS[name]
    suffix = PurePath(path).suffix.lower()
    for each in FORMATS.values():
        if suffix in each.suffixes:
            return each
    if suffix:
        known = ", ".join(suffix for each in FORMATS.values() for suffix in each.suffixes)
        raise GameError(
            "Unknown suffix {suffix}. The known suffixes are {known}.", suffix=shorten(repr(suffix), 20), known=known
        )
    return FORMATS["pentad"]


def decode(data: bytes) -> str:
    """Decodes a file's bytes as UTF-8; an error names the line and column."""
    if len(data) > MAX_FILE_BYTES:
        raise GameError("The input is larger than the limit of {max_bytes} MB.", max_bytes=MAX_FILE_BYTES >> 20)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        begin = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[begin : error.start].decode("utf-8")) + 1
        raise RecordError(
            phrase("Invalid UTF-8: unexpected byte 0x{data:02x}.", data=data[error.start]), line, column
        ) from None


def read(text: str, format: Format, game: str | None = None) -> list[Record]:
    """Reads the records of a text in a format."""
    if format.read is None:
        raise GameError("The format {name} can only be written, not read.", name=format.name)
    return format.read(text, game)


def write(records: Sequence[Record], format: Format) -> str:
    """Returns the text of records in a format."""
    if format.write is None:
        raise GameError("The format {name} can only be read, not written.", name=format.name)
    return format.write(records)

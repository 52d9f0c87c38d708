"""The formats that records are read from and written to: a table that each new one joins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import PurePath

from pentad.game import PACKAGES, GameError, game, shorten
from pentad.record.as_json import read_json, write_json
from pentad.record.lenient import read_leniently
from pentad.record.text import RecordError, check_depth, read_strictly
from pentad.record.tree import Record

MAX_BYTES = 64 << 20  # of a text that is read


@dataclass(frozen=True, slots=True)
class Format:
    """A format: `read` takes the text and the name of the game, for texts that do not say it themselves."""

    name: str
    suffixes: tuple[str, ...]
    summary: str
    read: Callable[[str, str | None], list[Record]] | None = None
    write: Callable[[Sequence[Record]], str] | None = None


def _write_text(records: Sequence[Record]) -> str:
    for record in records:
        check_depth(record)
    return "\n".join(record.text for record in records)


def _write_moves(records: Sequence[Record]) -> str:
    return "\n".join(map(_moves_of, records))


def _moves_of(record: Record) -> str:
    """The tags, then each move of the main line on a line of its own, then the result."""
    tags, _, _ = record.text.partition("\n\n")
    return "\n".join([tags, "", *map(str, record.moves), record.result, ""])


def _write_svg(records: Sequence[Record]) -> str:
    record = only(records)
    return record.position.svg(last=record.end.move) + "\n"


def only(records: Sequence[Record]) -> Record:
    """The one record there is."""
    if len(records) != 1:
        raise GameError(f"there are {len(records)} games here and one is wanted; choose it by its number from 1")
    return records[0]


# The formats for records of any game.
COMMON = (
    Format("pentad", (".pentad",), "pentad's own text", lambda text, game: read_strictly(text), _write_text),
    Format("json", (".json",), "the same as JSON", lambda text, game: read_json(text), write_json),
    Format("moves", (".moves", ".txt"), "a move a line, or what people type", read_leniently, _write_moves),
    Format("svg", (".svg",), "a picture of the last position", None, _write_svg),
)


@cache
def _of_games() -> tuple[Format, ...]:
    """The formats that games bring along: what their part `formats` calls FORMATS."""
    with_formats = (name for name, package in PACKAGES.items() if find_spec(f"{package}.formats"))
    return tuple(each for name in with_formats for each in game(name).module("formats").FORMATS)


class _Formats(Mapping[str, Format]):
    """All formats by their names; the games' own are imported when one is looked for behind the common ones."""

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
        yield from _of_games()


FORMATS = _Formats()


def format_of(path: str, name: str | None = None) -> Format:
    """The format of that name, else the one that a file's suffix tells, else pentad's own for a bare name."""
    if name is not None:
        if name not in FORMATS:
            raise GameError(f"there is no format {shorten(repr(name))}; the formats are: {', '.join(FORMATS)}")
        return FORMATS[name]
    suffix = PurePath(path).suffix.lower()
    for each in FORMATS.values():
        if suffix in each.suffixes:
            return each
    if suffix:
        known = ", ".join(suffix for each in FORMATS.values() for suffix in each.suffixes)
        raise GameError(f"no format is known by the suffix {shorten(repr(suffix), 20)}; known are: {known}")
    return FORMATS["pentad"]


def decode(data: bytes) -> str:
    """The text of a file's bytes, or where they are none."""
    if len(data) > MAX_BYTES:
        raise GameError(f"this is larger than {MAX_BYTES >> 20} MB, more than is read at once")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        begin = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[begin : error.start].decode("utf-8")) + 1
        raise RecordError(f"the byte 0x{data[error.start]:02x} begins no UTF-8 text", line, column) from None


def read(text: str, format: Format, game: str | None = None) -> list[Record]:
    """The records of a text in a format."""
    if format.read is None:
        raise GameError(f"{format.name} is only written, not read")
    return format.read(text, game)


def write(records: Sequence[Record], format: Format) -> str:
    """The text of records in a format."""
    if format.write is None:
        raise GameError(f"{format.name} is only read, not written")
    return format.write(records)

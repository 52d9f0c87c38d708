"""Record formats: the table of formats that records are read from and written to."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath

from pentad.game import GameError, game, games, shorten
from pentad.record.as_json import read_json, write_json
from pentad.record.text import MAX_DEPTH, Record, RecordError, read_leniently, read_strictly
from pentad.wording import count, listed

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

    def plain(self, text: str, what: str) -> str:
        """Returns the text without line breaks."""
        line = " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
        if line != text:
            self.note(f"the line breaks of {what}")
        return line

    def warn(self) -> None:
        """Logs the warning, if anything was lost."""
        found = [(thing, often) for thing, often in self.counts.items() if often]
        lost = [thing if thing.startswith("the ") else count(often, thing) for thing, often in found]
        if lost:
            LOG.warning("%s cannot represent %s; left out.", self.format, shorten(listed(lost), 300))


MAX_BYTES = 64 << 20  # of an input file


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
        if depth > MAX_DEPTH:
            raise GameError(f"Variations are nested more than {MAX_DEPTH} deep.")
        waiting += [(child, depth + bool(number)) for number, child in enumerate(node.children)]


def _write_text(records: Sequence[Record]) -> str:
    for record in records:
        check_depth(record)
    return "\n".join(record.text for record in records)


def _write_moves(records: Sequence[Record]) -> str:
    return "\n".join(map(_move_list, records))


def _move_list(record: Record) -> str:
    """The tags, then each move of the main line on its own line, then the result."""
    tags, _, _ = record.text.partition("\n\n")
    return "\n".join([tags, "", *map(str, record.moves), record.result, ""])


def _write_svg(records: Sequence[Record]) -> str:
    record = only(records)
    return record.position.svg(last=record.end.move) + "\n"


def only(records: Sequence[Record]) -> Record:
    """Returns the only record."""
    if len(records) != 1:
        raise GameError(f"Expected one game, got {len(records)}. Choose one by its number, counted from 1.")
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


def formats_of(name: str) -> tuple[Format, ...]:
    """A game's own formats: the table FORMATS of its part `formats`."""
    kind = game(name)
    return tuple(kind.module("formats").FORMATS) if kind.has("formats") else ()


@cache
def _game_formats() -> tuple[Format, ...]:
    """The games' own formats."""
    return tuple(each for name in games() for each in formats_of(name))


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
        yield from _game_formats()


FORMATS = _Formats()


def format_of(path: str, name: str | None = None) -> Format:
    """The format with this name, else the one of the file's suffix, else pentad's own if there is no suffix."""
    if name is not None:
        if name not in FORMATS:
            raise GameError(f"Unknown format {shorten(repr(name))}. The formats are {', '.join(FORMATS)}.")
        return FORMATS[name]
    suffix = PurePath(path).suffix.lower()
    for each in FORMATS.values():
        if suffix in each.suffixes:
            return each
    if suffix:
        known = ", ".join(suffix for each in FORMATS.values() for suffix in each.suffixes)
        raise GameError(f"Unknown suffix {shorten(repr(suffix), 20)}. The known suffixes are {known}.")
    return FORMATS["pentad"]


def decode(data: bytes) -> str:
    """Decodes a file's bytes as UTF-8; an error names the line and column."""
    if len(data) > MAX_BYTES:
        raise GameError(f"The input is larger than the limit of {MAX_BYTES >> 20} MB.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        begin = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[begin : error.start].decode("utf-8")) + 1
        raise RecordError(f"Invalid UTF-8: unexpected byte 0x{data[error.start]:02x}.", line, column) from None


def read(text: str, format: Format, game: str | None = None) -> list[Record]:
    """Reads the records of a text in a format."""
    if format.read is None:
        raise GameError(f"The format {format.name} can only be written, not read.")
    return format.read(text, game)


def write(records: Sequence[Record], format: Format) -> str:
    """Returns the text of records in a format."""
    if format.write is None:
        raise GameError(f"The format {format.name} can only be read, not written.")
    return format.write(records)

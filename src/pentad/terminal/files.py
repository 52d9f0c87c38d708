"""The files that a person names: `-` is standard input or output, and nothing is overwritten unasked."""

from __future__ import annotations

import sys
from pathlib import Path

from pentad import user_files
from pentad.game import GameError, shorten
from pentad.record import Record
from pentad.record.formats import FORMATS, MAX_BYTES, decode, format_of, read
from pentad.terminal import streams

STANDARD = "-"


class ExistsAlready(GameError):
    """A file would be replaced that nobody said may be."""


def named(path: str) -> Path:
    """A path that a person gave; an empty one would mean the folder here."""
    if not path:
        raise GameError("a file's name is wanted, not an empty text")
    if "\0" in path:
        raise GameError(f"{shorten(repr(path))} is no file's name")
    return Path(path)


def read_bytes(path: str) -> bytes:
    """What a file holds; a little more than may be read where it holds too much."""
    try:
        if path == STANDARD:
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with named(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise GameError(f"{_called(path)} cannot be read: {streams.error_sentence(error)}") from None


def read_records(
    path: str, *, format_name: str | None = None, game: str | None = None, lenient: bool = False
) -> list[Record]:
    """The records of a file; errors say which file and where in it."""
    kind = FORMATS["moves"] if lenient else format_of("" if path == STANDARD else path, format_name)
    data = read_bytes(path)
    try:
        return read(decode(data), kind, game)
    except GameError as error:
        raise GameError(f"{_called(path)}: {error}") from None


def choose(records: list[Record], number: int | None, path: str) -> Record:
    """One of a file's records: the one of that number, or the only one."""
    count = len(records)
    if number is None and count > 1:
        raise GameError(f"{_called(path)} holds {count} games; show and convert choose one with --number N")
    if number is not None and not 1 <= number <= count:
        raise GameError(f"{_called(path)} has games 1 to {count}, no number {number}")
    return records[(number or 1) - 1]


def write_text(path: str, text: str, *, force: bool = False) -> None:
    """Write a file that is not there yet, or that may be replaced."""
    if path == STANDARD:
        sys.stdout.write(text)
        return
    try:
        target = named(path)
        if target.is_dir():
            raise GameError(f"{_called(path)} is a folder; a file's name is wanted")
        if target.is_file() and not force:
            raise ExistsAlready(f"{_called(path)} is there already; --force replaces it")
        user_files.write_safely(target, text)
    except OSError as error:
        raise GameError(f"{_called(path)} cannot be written: {streams.write_error_sentence(error)}") from None


def _called(path: str) -> str:
    return "standard input" if path == STANDARD else shorten(path, 120)

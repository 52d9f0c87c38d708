"""Input and output files: `-` is standard input or output; existing files are not overwritten without permission."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pentad.game import GameError, shorten
from pentad.record import Node, Record, RecordError
from pentad.record.formats import FORMATS, MAX_FILE_BYTES, decode, format_of, read
from pentad.system import files as user_files
from pentad.system.words import count
from pentad.terminal import streams

STANDARD = "-"


class ExistsAlready(GameError):
    """A file exists and may not be replaced."""


def named(path: str) -> Path:
    """The path of a file name; an empty name is refused, since it would mean the current folder."""
    if not path:
        raise GameError("Expected a file name, got an empty argument.")
    if "\0" in path:
        raise GameError("{path} is not a file name.", path=shorten(repr(path)))
    return Path(path)


def read_bytes(path: str) -> bytes:
    """The content of a file, cut off just above the limit, so that the reader can refuse it."""
    try:
        if path == STANDARD:
            return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        with named(path).open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise GameError(
            "Cannot read {path}: {reason}",
            path=shown_path(path),
            reason=streams.error_sentence(error),
        ) from None


def read_records(
    path: str, *, format_name: str | None = None, game: str | None = None, lenient: bool = False
) -> list[Record]:
    """The records of a file; errors name the file and the place."""
    kind = FORMATS["moves"] if lenient else format_of("" if path == STANDARD else path, format_name)
    data = read_bytes(path)
    try:
        return read(decode(data), kind, game)
    except GameError as error:
        separator = ", " if isinstance(error, RecordError) else ": "  # before a line and a column
        raise GameError(f"{shown_path(path)}{separator}{error}") from None


def choose(records: list[Record], number: int | None, path: str) -> Record:
    """The record with this number, or the only one of a file."""
    games = f"{shown_path(path)} has {count(len(records), 'game')}."
    if number is None and len(records) > 1:
        raise GameError("{games} To choose one, use show or convert with --number N.", games=games)
    if number is not None and not 1 <= number <= len(records):
        raise GameError("{games} There is no game {number} in it.", games=games, number=number)
    return records[(number or 1) - 1]


def node_at(record: Record, ply: int | None) -> Node:
    """The node after `ply` moves of the main line; its end by default."""
    if ply is None:
        return record.end
    nodes = record.end.line
    for node in nodes:
        if node.position.ply == ply:
            return node
    first, last = nodes[0].position.ply, nodes[-1].position.ply
    raise GameError("--ply: Expected a move from {first} to {last}, got {ply}.", first=first, last=last, ply=ply)


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Report an error of the file system in one sentence."""
    try:
        yield
    except OSError as error:
        raise GameError(
            "Cannot write {path}: {reason}",
            path=shown_path(path),
            reason=streams.write_error_sentence(error),
        ) from None


def check_new(path: str, *, force: bool) -> Path:
    """A file that does not exist, or may be replaced."""
    target = named(path)
    with writing(path):
        if target.is_dir():
            raise GameError("{path} is a folder. Expected a file name.", path=shown_path(path))
        if target.is_file() and not force:
            raise ExistsAlready("{path} already exists. Use --force to replace it.", path=shown_path(path))
    return target


def write_text(path: str, text: str, *, force: bool = False) -> None:
    """Write a new file, or replace one with `force`."""
    if path == STANDARD:
        sys.stdout.write(text)
        return
    target = check_new(path, force=force)
    with writing(path):
        user_files.write_safely(target, text)


def shown_path(path: str) -> str:
    """A path as messages name it."""
    return "standard input" if path == STANDARD else shorten(path, 120)

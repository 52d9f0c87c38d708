"""Writing grammars to files and folders; nothing is replaced without --force."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pentad.game import GameError, shorten
from pentad.grammar.grammar import Grammar
from pentad.terminal import streams
from pentad.terminal.arguments import Parser
from pentad.terminal.files import ExistsAlready
from pentad.user_files import replacing


def add_force(parser: Parser, what: str = "replace existing files") -> None:
    parser.add_argument("--force", action="store_true", help=what)


def write_folder(grammar: Grammar, path: str, *, force: bool) -> dict[str, Any]:
    """Write a grammar's folder: a new or empty one or, with `force`, one that holds a grammar; return a summary."""
    folder = usable(path)
    try:
        if folder.exists() and not folder.is_dir():
            raise GameError(f"{shorten(path, 120)} is a file. Expected a folder.")
        if folder.is_dir() and any(folder.iterdir()) and not force:
            raise ExistsAlready(f"{shorten(path, 120)} already exists. Use --force to replace it if it is a grammar.")
        grammar.save(folder)
    except OSError as error:
        raise GameError(f"Cannot write {shorten(path, 120)}: {streams.write_error_sentence(error)}") from None
    return {"folder": path, "rules": len(grammar.rules), "graphs": len(grammar.graphs)}


def usable(path: str) -> Path:
    """The path of an argument."""
    if not path or "\0" in path:
        raise GameError(f"{shorten(repr(path))} is not a file name.")
    return Path(path)


def check_new(path: str, *, force: bool) -> Path:
    """A file that does not exist, or may be replaced."""
    file = usable(path)
    try:
        if file.is_dir():
            raise GameError(f"{shorten(path, 120)} is a folder. Expected a file name.")
        if file.is_file() and not force:
            raise ExistsAlready(f"{shorten(path, 120)} already exists. Use --force to replace it.")
        if not file.parent.is_dir():
            raise GameError(f"Cannot write {shorten(path, 120)}: There is no folder {shorten(str(file.parent))}.")
    except OSError as error:
        raise GameError(f"Cannot write {shorten(path, 120)}: {streams.write_error_sentence(error)}") from None
    return file


def write_bytes(path: str, data: bytes, *, force: bool) -> None:
    """Write a file atomically."""
    file = check_new(path, force=force)
    try:
        with replacing(file) as out:
            out.write(data)
    except OSError as error:
        raise GameError(f"Cannot write {shorten(path, 120)}: {streams.write_error_sentence(error)}") from None

"""Writing grammars to files and folders; nothing is replaced without --force."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pentad.game import GameError, shorten
from pentad.grammar.grammar import Grammar
from pentad.terminal import streams
from pentad.terminal.arguments import Parser
from pentad.terminal.files import ExistsAlready

EPOCH = (1980, 1, 1, 0, 0, 0)  # the time of all members of a zip, so that equal grammars make equal files


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


def folder_of(grammar: Grammar) -> str:
    """The default folder of a grammar, by its name; a name from a file may be a path, which is refused."""
    name = grammar.name
    if not name.isprintable() or name != Path(name).name or name.startswith("."):
        raise GameError(f"The grammar's name, {shorten(repr(name))}, cannot be the name of a folder. Name a folder.")
    return f"{name}.gps"


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
    from pentad.user_files import replacing

    file = check_new(path, force=force)
    try:
        with replacing(file) as out:
            out.write(data)
    except OSError as error:
        raise GameError(f"Cannot write {shorten(path, 120)}: {streams.write_error_sentence(error)}") from None


def as_json(grammar: Grammar) -> bytes:
    from pentad.grammar.files.exports import to_json

    return f"{to_json(grammar)}\n".encode()


def as_dot(grammar: Grammar) -> bytes:
    from pentad.grammar.files.exports import dot

    return dot(grammar).encode()


def as_zip(grammar: Grammar) -> bytes:
    """A zip with the grammar's folder."""
    from pentad.grammar.files.gps import to_files

    data, folder = io.BytesIO(), folder_of(grammar)
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in to_files(grammar).items():
            archive.writestr(zipfile.ZipInfo(f"{folder}/{name}", EPOCH), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


FORMATS: Mapping[str, tuple[str, Callable[[Grammar], bytes]]] = {
    "json": ("the whole grammar, for programs", as_json),
    "dot": ("its graphs, for Graphviz", as_dot),
    "zip": ("a zip of GROOVE's files", as_zip),
}

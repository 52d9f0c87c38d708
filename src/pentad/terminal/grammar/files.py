"""Grammars into files and folders that a person names; nothing is replaced unasked."""

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

EPOCH = (1980, 1, 1, 0, 0, 0)  # a time that zips can tell: equal grammars make equal files


def add_force(parser: Parser, what: str = "replace what is there already") -> None:
    parser.add_argument("--force", action="store_true", help=what)


def write_folder(grammar: Grammar, path: str, *, force: bool) -> dict[str, Any]:
    """Write a grammar's folder, which is not there or empty, or a grammar that may be replaced; what was written."""
    folder = usable(path)
    try:
        if folder.exists() and not folder.is_dir():
            raise GameError(f"{shorten(path, 120)} is a file; a folder's name is wanted")
        if folder.is_dir() and any(folder.iterdir()) and not force:
            raise ExistsAlready(f"{shorten(path, 120)} is there already; --force replaces it if it is a grammar")
        grammar.save(folder)
    except OSError as error:
        raise GameError(f"{shorten(path, 120)} cannot be written: {streams.write_error_sentence(error)}") from None
    return {"folder": path, "rules": len(grammar.rules), "graphs": len(grammar.graphs)}


def folder_of(grammar: Grammar) -> str:
    """The folder that a grammar goes to by its own name; one from elsewhere may have a name that is a path."""
    name = grammar.name
    if not name.isprintable() or name != Path(name).name or name.startswith("."):
        called = shorten(repr(name))
        raise GameError(f"this grammar is called {called}, which is no folder's name; say where to write it")
    return f"{name}.gps"


def usable(path: str) -> Path:
    """A path that a person gave."""
    if not path or "\0" in path:
        raise GameError(f"{shorten(repr(path))} is no file's name")
    return Path(path)


def check_new(path: str, *, force: bool) -> Path:
    """A file that is not there yet, or that may be replaced."""
    file = usable(path)
    try:
        if file.is_dir():
            raise GameError(f"{shorten(path, 120)} is a folder; a file's name is wanted")
        if file.is_file() and not force:
            raise ExistsAlready(f"{shorten(path, 120)} is there already; --force replaces it")
        if not file.parent.is_dir():
            raise GameError(f"{shorten(path, 120)} cannot be written: there is no folder {shorten(str(file.parent))}")
    except OSError as error:
        raise GameError(f"{shorten(path, 120)} cannot be written: {streams.write_error_sentence(error)}") from None
    return file


def write_bytes(path: str, data: bytes, *, force: bool) -> None:
    """Write a file, whole or not at all."""
    from pentad.user_files import replacing

    file = check_new(path, force=force)
    try:
        with replacing(file) as out:
            out.write(data)
    except OSError as error:
        raise GameError(f"{shorten(path, 120)} cannot be written: {streams.write_error_sentence(error)}") from None


def as_json(grammar: Grammar) -> bytes:
    from pentad.grammar.files.exports import to_json

    return f"{to_json(grammar)}\n".encode()


def as_dot(grammar: Grammar) -> bytes:
    from pentad.grammar.files.exports import dot

    return dot(grammar).encode()


def as_zip(grammar: Grammar) -> bytes:
    """A zip of the folder, in which it has its name."""
    from pentad.grammar.files.gps import to_files

    data, folder = io.BytesIO(), folder_of(grammar)
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in to_files(grammar).items():
            archive.writestr(zipfile.ZipInfo(f"{folder}/{name}", EPOCH), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


FORMATS: Mapping[str, tuple[str, Callable[[Grammar], bytes]]] = {
    "json": ("all of it, for programs", as_json),
    "dot": ("its graphs, for Graphviz", as_dot),
    "zip": ("a zip of GROOVE's files", as_zip),
}

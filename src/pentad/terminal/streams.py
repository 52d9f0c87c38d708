"""Standard input and output, whatever they are: closed, a pipe that breaks, a terminal that knows only ASCII."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from pathlib import Path
from typing import IO, TextIO

from pentad.game import shorten

HEAD = 4096  # bytes that tell whether a file is text
STRANGE = 0.2  # the share of signs that text does not have, from which on it is none

# What stands for a sign that the output cannot show.
ASCII = {
    "●": "x",
    "○": "o",
    "◆": "%",
    "▲": "^",
    "■": "#",
    "★": "*",
    "·": ".",
    "□": ".",
    "█": "@",
    "▐": "[",
    "▌": "]",
    "▒": ":",
    "░": "'",
    "▸": ">",
    "◂": "<",
    "•": "+",
    "─": "-",
    "│": "|",
    **dict.fromkeys("┌┬┐├┼┤└┴┘", "+"),
    "…": "...",
    "—": "-",
    "–": "-",
    "×": "x",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
}


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """The error handler `pentad` of Python's codecs: the nearest signs that ASCII has."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(ASCII.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


codecs.register_error("pentad", _plainer)


def prepare() -> None:
    """Make sure that there are three streams and that writing any text to them succeeds."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:  # closed: whatever is opened next would take its place
            _fill(number)
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for out in (sys.stdout, sys.stderr):
        if isinstance(out, io.TextIOWrapper):
            out.reconfigure(errors="pentad")


def _fill(number: int) -> None:
    """Lead a closed file descriptor to nowhere."""
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, os.O_RDWR)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)


def flush() -> None:
    """Write what is still to be written; where that fails, nothing more is tried when Python ends."""
    try:
        sys.stdout.flush()
    except OSError:
        _give_up(sys.stdout)
        raise


def _give_up(stream: TextIO) -> None:
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass


def complain(message: str) -> None:
    """One line on stderr."""
    try:
        print(f"pentad: {one_line(message)}", file=sys.stderr, flush=True)
    except OSError:
        _give_up(sys.stderr)


def one_line(text: str, most: int = 600) -> str:
    """A text that stays on its line and moves no cursor."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text)
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def explain(error: OSError) -> str:
    """What the system refused, and where."""
    where = "reading or writing failed" if error.filename is None else error.filename
    return f"{where}: {error_sentence(error)}"


def error_sentence(error: OSError) -> str:
    """What the system refused."""
    words = {
        errno.ENOENT: "there is no such file",
        errno.EISDIR: "that is a folder, not a file",
        errno.ENOTDIR: "part of that path is no folder",
        errno.EACCES: "permission denied",
        errno.EPERM: "permission denied",
        errno.EROFS: "the file system is read-only",
        errno.ENOSPC: "the disk is full",
        errno.ENAMETOOLONG: "that name is too long",
    }
    return words.get(error.errno or 0, error.strerror or str(error))


def write_error_sentence(error: OSError) -> str:
    """What the system refused to write; it is the folder that is missing, not the file."""
    if error.errno == errno.ENOENT and isinstance(error.filename, str):
        missing = [folder for folder in Path(error.filename).parents if not folder.exists()]
        if missing:
            return f"there is no folder {shorten(str(missing[-1]), 120)}"
    return error_sentence(error)


def beginning(source: IO[bytes]) -> bytes:
    """What a file begins with, without taking it; nothing where one cannot look ahead."""
    peek = getattr(source, "peek", None)
    found: bytes = b"" if peek is None else peek(HEAD)[:HEAD]
    return found


def looks_binary(beginning: bytes) -> bool:
    """Whether a file that begins like this holds something other than text.

    >>> looks_binary(b"pentago\\n"), looks_binary(b"\\x89PNG\\r\\n\\x1a\\n\\0\\0"), looks_binary(b"J\\xfcrgen\\n")
    (False, True, False)
    """
    text = beginning.decode(errors="replace")
    strange = sum(sign == "\ufffd" or not (sign.isprintable() or sign.isspace()) for sign in text)
    return strange > len(text) * STRANGE


def is_terminal() -> bool:
    """Whether a person sits at both ends: input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()

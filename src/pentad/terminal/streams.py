"""Standard streams, made safe: closed streams, broken pipes and terminals that show only ASCII."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from pathlib import Path
from typing import IO, TextIO

from pentad.game import shorten

HEAD = 4096  # bytes for the decision whether a file is text
STRANGE = 0.2  # the share of unprintable characters above which a file is binary

# Replacements for characters that the output cannot show.
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


def _ascii_replacement(error: UnicodeError) -> tuple[str, int]:
    """The codecs error handler `pentad`: the nearest ASCII characters."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(ASCII.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


codecs.register_error("pentad", _ascii_replacement)


def prepare() -> None:
    """Make sure that there are three streams and that any text can be written to them."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:  # closed: the next file opened would get its number
            _fill(number)
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for out in (sys.stdout, sys.stderr):
        if isinstance(out, io.TextIOWrapper):
            out.reconfigure(errors="pentad")


def _fill(number: int) -> None:
    """Open the null device at a closed file descriptor."""
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, os.O_RDWR)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)


def flush() -> None:
    """Flush standard output; after a failure Python does not try again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        _redirect_to_null(sys.stdout)
        raise


def _redirect_to_null(stream: TextIO) -> None:
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass


def print_error(message: str) -> None:
    """Print an error as one line on stderr."""
    try:
        print(f"pentad: {one_line(message)}", file=sys.stderr, flush=True)
    except OSError:
        _redirect_to_null(sys.stderr)


def one_line(text: str, most: int = 600) -> str:
    """A text as one line without control characters."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text)
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def explain(error: OSError) -> str:
    """The file and the reason of an operating system error."""
    place = "Input or output failed" if error.filename is None else error.filename
    return f"{place}: {error_sentence(error)}"


def error_sentence(error: OSError) -> str:
    """The reason of an operating system error."""
    sentences = {
        errno.ENOENT: "No such file.",
        errno.EISDIR: "This is a folder, not a file.",
        errno.ENOTDIR: "A part of the path is not a folder.",
        errno.EACCES: "Permission denied.",
        errno.EPERM: "Permission denied.",
        errno.EROFS: "The file system is read-only.",
        errno.ENOSPC: "The disk is full.",
        errno.ENAMETOOLONG: "The file name is too long.",
    }
    return sentences.get(error.errno or 0) or f"{error.strerror or error}."


def write_error_sentence(error: OSError) -> str:
    """The reason why a file cannot be written; for a missing file it is the folder that is missing."""
    if error.errno == errno.ENOENT and isinstance(error.filename, str):
        missing = [folder for folder in Path(error.filename).parents if not folder.exists()]
        if missing:
            return f"There is no folder {shorten(str(missing[-1]), 120)}."
    return error_sentence(error)


def beginning(source: IO[bytes]) -> bytes:
    """The first bytes of a file, without consuming them; empty if the file cannot peek."""
    peek = getattr(source, "peek", None)
    found: bytes = b"" if peek is None else peek(HEAD)[:HEAD]
    return found


def looks_binary(beginning: bytes) -> bool:
    """Whether a file with these first bytes is not text.

    >>> looks_binary(b"pentago\\n"), looks_binary(b"\\x89PNG\\r\\n\\x1a\\n\\0\\0"), looks_binary(b"J\\xfcrgen\\n")
    (False, True, False)
    """
    text = beginning.decode(errors="replace")
    strange = sum(sign == "\ufffd" or not (sign.isprintable() or sign.isspace()) for sign in text)
    return strange > len(text) * STRANGE


def is_terminal() -> bool:
    """Whether both input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()

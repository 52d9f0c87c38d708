"""Standard streams, made safe: closed streams, broken pipes, terminals that show only ASCII; and lines of input."""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import IO, TextIO, cast

from pentad.game import GameError, shorten
from pentad.system.progress import can_redraw
from pentad.system.words import phrase

MAX_LINE_LENGTH = 10_000
HEAD_BYTES = 4096  # they decide whether a file is text
CHUNK_BYTES = 65_536
STRANGE = 0.2  # the share of unprintable characters above which a file is binary

# Replacements for characters that the output cannot show.
ASCII = dict(
    zip(
        "●○◆▲■★·□█▐▌▒░▸◂•↺↻─│┌┬┐├┼┤└┴┘—–×‘’“”",
        "xo%^#*..@[]:'><+<>-|+++++++++--x''\"\"",
        strict=True,
    )
)
ASCII["…"] = "..."


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
            try:
                os.fstat(number)
            except OSError:
                _open_null(number)
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":  # impossible after the first read
        sys.stdin.reconfigure(errors="replace")
    for out in (sys.stdout, sys.stderr):
        if isinstance(out, io.TextIOWrapper):
            out.reconfigure(errors="pentad")


def _open_null(number: int) -> None:
    """Open the null device at a file descriptor."""
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
    with contextlib.suppress(OSError, ValueError):
        _open_null(stream.fileno())


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
            return phrase("There is no folder {missing}.", missing=shorten(str(missing[-1]), 120))
    return error_sentence(error)


def beginning(source: IO[bytes]) -> bytes:
    """The first bytes of a file, without consuming them; empty if the file cannot peek."""
    peek = getattr(source, "peek", None)
    found: bytes = b"" if peek is None else peek(HEAD_BYTES)[:HEAD_BYTES]
    return found


def looks_binary(beginning: bytes) -> bool:
    """Whether a file with these first bytes is not text.

    >>> looks_binary(b"pentago\\n"), looks_binary(b"\\x89PNG\\r\\n\\x1a\\n\\0\\0"), looks_binary(b"J\\xfcrgen\\n")
    (False, True, False)
    """
    text = beginning.decode(errors="replace")
    strange = sum(sign == "\ufffd" or not (sign.isprintable() or sign.isspace()) for sign in text)
    return strange > len(text) * STRANGE


def reader() -> Callable[[], bytes]:
    """A function that reads from standard input as soon as data is available."""
    try:
        number = sys.stdin.fileno()
    except (OSError, ValueError):  # standard input is not a file
        return lambda: cast(io.BufferedIOBase, sys.stdin.buffer).read1(CHUNK_BYTES)
    return lambda: os.read(number, CHUNK_BYTES)


def write_line(line: str) -> None:
    """Write a line for a program that waits for it."""
    print(line, flush=True)


def is_terminal() -> bool:
    """Whether both input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


# ── lines ────────────────────────────────────────────────────────────────────────────────────────


class _Overdue(Exception):
    """Waiting for a line has ended."""


def read_line(is_overdue: Callable[[], bool] | None = None) -> str | None:
    """The next line of standard input, or None at its end; raises one error for a line that is too long.

    The line is empty as soon as `is_overdue` is true, on systems with timers for signals.
    """
    try:
        with _signal_polling(is_overdue) if is_overdue else contextlib.nullcontext():
            line = sys.stdin.readline(MAX_LINE_LENGTH + 1)
        if len(line) > MAX_LINE_LENGTH:
            while line and not line.endswith("\n"):
                line = sys.stdin.readline(1 << 16)
            raise GameError("The line is longer than {longest_line:,} characters.", longest_line=MAX_LINE_LENGTH)
    except _Overdue:
        return "\n"
    except OSError as error:
        raise GameError("Cannot read standard input: {reason}", reason=explain(error)) from None
    return line or None


def prompt(
    question: str,
    completions: Callable[[str, str], list[str]] | None = None,
    is_overdue: Callable[[], bool] | None = None,
) -> str | None:
    """A line typed at a terminal; None at the end of the input. A plain terminal has neither editing nor completion.

    `completions` gets the text before a word and the word's beginning; without it the line is not kept in the history.
    The line is empty as soon as `is_overdue` is true, on systems with timers for signals.
    """
    readline = _load_readline() if can_redraw() else None
    if readline is not None:
        readline.set_completer(_completer(readline, completions) if completions else None)
        readline.set_completer_delims(" ")
        is_libedit = "libedit" in (readline.__doc__ or "")
        for setting in ("bind ^I rl_complete",) if is_libedit else ("tab: complete", "set show-all-if-ambiguous on"):
            readline.parse_and_bind(setting)
        readline.set_auto_history(completions is not None)
    try:
        with _signal_polling(is_overdue):
            return input(question)
    except _Overdue:
        print(file=sys.stdout)
        return ""
    except (EOFError, OSError):
        print(file=sys.stdout)
        return None


def _load_readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:
        return None
    return readline


def _completer(readline: ModuleType, completions: Callable[[str, str], list[str]]) -> Callable[[str, int], str | None]:
    """A completer for readline, which calls it with 0, 1, 2, … until it returns None."""
    found: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if state == 0:
            found[:] = completions(readline.get_line_buffer()[: readline.get_begidx()], text)
        return found[state] if state < len(found) else None

    return complete


@contextlib.contextmanager
def _signal_polling(is_overdue: Callable[[], bool] | None = None) -> Iterator[None]:
    """Let Python check for signals four times a second while it waits for a line, and raise `_Overdue` when it is.

    Otherwise a signal just before readline starts to wait, such as Ctrl-C, would be handled only after the next key.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    is_waiting = True

    def check(_: int, __: FrameType | None) -> None:
        if is_waiting and is_overdue and is_overdue():
            raise _Overdue

    before = signal.signal(signal.SIGALRM, check)
    signal.setitimer(signal.ITIMER_REAL, 0.25, 0.25)
    try:
        try:
            yield
        finally:
            is_waiting = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

"""`pentad solve --batch`: solves a file of boards, one a line; after an interruption the same command resumes.

Each line of the output names its board in the input, so the output itself shows where to resume.
"""

from __future__ import annotations

import argparse
import json
import os
import stat
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any

from pentad import native
from pentad.game import GameError, shorten
from pentad.pentago.commands.batch_workers import Answer, SolveOptions, Task, WorkerPool
from pentad.pentago.solver.retrograde import KERNELS
from pentad.pentago.values import WORDS
from pentad.progress import Bar, format_rate
from pentad.terminal import streams
from pentad.terminal.files import STANDARD, named
from pentad.user_files import Lock
from pentad.wording import count

DONE, WRONG, STOPPED = 0, 2, 130
LONGEST = 10_000  # bytes of an input line
NAMED = 500  # characters of it that the answer repeats
LONGEST_ANSWER = 1 << 20  # bytes
MOST_ERRORS = 20  # error messages on stderr; the output has all errors
NAMES = {"win": "won", "draw": "drawn", "loss": "lost", "error": "not solved"}


def run_batch(args: argparse.Namespace, memory: int) -> int:
    """Solve the boards of a file within a memory limit; returns the exit code."""
    batch = Batch(args, memory)
    with ExitStack() as stack:
        source = stack.enter_context(_opened(args.batch))
        out = stack.enter_context(_answers(args.out, source))
        stack.enter_context(
            Lock(batch.out.with_name(f".{batch.out.name}.lock"), f"Another process is writing {batch.name}.")
        )
        bar = stack.enter_context(Bar("Solving"))
        return batch.run(source, out, bar)


# ── files ────────────────────────────────────────────────────────────────────────────────────────


def _opened(name: str) -> IO[bytes]:
    if name == STANDARD:
        return _text(sys.stdin.buffer, "Standard input")
    try:
        return _text(named(name).open("rb"), shorten(name, 120))
    except OSError as error:
        raise GameError(f"--batch: Cannot read {shorten(name, 120)}: {streams.error_sentence(error)}") from None


def _text(source: IO[bytes], name: str) -> IO[bytes]:
    """The source, if its first bytes look like text; nothing is consumed."""
    if streams.looks_binary(streams.beginning(source)):
        if source is not sys.stdin.buffer:
            source.close()
        raise GameError(f"--batch: {name} is not a text file.")
    return source


def _answers(name: str, source: IO[bytes]) -> IO[bytes]:
    """The output file, opened for reading and writing; it stays unchanged until a line is added."""
    short = shorten(name, 120)
    if name == STANDARD:
        raise GameError("--out: Expected a file, not standard output, so that the batch can be resumed.")
    path = named(name)
    try:
        plain = not path.exists() or stat.S_ISREG(path.stat().st_mode)
        if plain:
            path.touch()
            out = path.open("r+b", buffering=0)
    except OSError as error:
        raise GameError(f"--out: Cannot write {short}: {streams.write_error_sentence(error)}") from None
    if not plain:
        raise GameError(f"--out: {short} is not a regular file.")
    try:
        same = os.path.sameopenfile(out.fileno(), source.fileno())
    except OSError:  # standard input that is not a file
        same = False
    if same:
        out.close()
        raise GameError(f"--out: {short} is also the input file.")
    return out


def tasks(source: IO[bytes]) -> Iterator[Task]:
    """The lines that are neither empty nor a comment."""
    number = 0
    while data := source.readline(LONGEST + 1):
        number += 1
        if len(data) > LONGEST:
            rest = data
            while rest and not rest.endswith(b"\n"):
                rest = source.readline(1 << 16)
            yield Task(number, data[:NAMED].decode(errors="replace"), f"The line is longer than {LONGEST:,} bytes.")
            continue
        try:
            text = data.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            yield Task(number, data.decode(errors="replace").strip(), "The line is not valid UTF-8.")
            continue
        if text and not text.startswith("#"):
            yield Task(number, text)


def _count(source: IO[bytes]) -> int:
    """The number of lines of a regular file; 0 for a source that cannot be read twice."""
    try:
        if not stat.S_ISREG(os.fstat(source.fileno()).st_mode):
            return 0
        count, last = 0, b"\n"
        while data := source.read(1 << 20):
            count, last = count + data.count(b"\n"), data[-1:]
        source.seek(0)
    except OSError:  # closed standard input
        return 0
    return count + (last != b"\n")


# ── a batch ──────────────────────────────────────────────────────────────────────────────────────


@dataclass
class OutputFormat:
    """The format of the answers: writes them, and recognises them again."""

    plain: bool
    moves: bool
    depth: bool

    def beginning(self, task: Task) -> str:
        """The beginning of every answer to a line."""
        name = shorten(task.text, NAMED)
        return f"{name}\t" if self.plain else json.dumps({"line": task.line, "board": name})[:-1] + ", "

    def written(self, task: Task, answer: Answer) -> str:
        """An answer as a line of the output."""
        if not self.plain:
            return self.beginning(task) + json.dumps(answer)[1:]
        if "error" in answer:
            return f"{self.beginning(task)}error\t{streams.one_line(str(answer['error']))}"
        turns = f"\t{'-' if answer['turns'] is None else answer['turns']}" if self.depth else ""
        return f"{self.beginning(task)}{WORDS[answer['value']]}\t{answer['how']}{turns}"

    def kind(self, rest: str) -> str | None:
        """The kind of answer after the beginning: a win, draw, loss or error; None if it is not an answer."""
        if self.plain:
            kind, *more = rest.split("\t")
            fits = kind == "error" or (kind in WORDS.values() and len(more) == 1 + self.depth)
            return kind if fits else None
        try:
            answer: Any = json.loads("{" + rest)
        except ValueError:
            return None
        if not isinstance(answer, dict):
            return None
        if "error" in answer:
            return "error"
        fits = ("moves" in answer) == self.moves and ("turns" in answer) == self.depth
        value = answer.get("value")
        return WORDS.get(value) if fits and isinstance(value, int) else None


class Batch:
    """A batch: the boards of a file, with their answers so far."""

    def __init__(self, args: argparse.Namespace, memory: int) -> None:
        self.out = Path(args.out)
        self.name = shorten(args.out, 120)
        self.source_name = "standard input" if args.batch == STANDARD else shorten(args.batch, 120)
        self.format = OutputFormat(args.plain, args.moves, args.depth)
        self.options = SolveOptions(args.moves, args.depth, args.seconds)
        self.workers = args.threads
        self.memory = memory
        self.kinds: Counter[str] = Counter()
        self.errors_shown = 0

    def run(self, source: IO[bytes], out: IO[bytes], bar: Bar) -> int:
        """Solve all boards, or the remaining ones; returns the exit code."""
        total = _count(source)
        try:
            rest = self._resume(tasks(source), out)
            self._solve(rest, out, bar, total)
        except KeyboardInterrupt:
            bar.clear()
            streams.print_error(f"Stopped: {self.name} has {self._summary()}. Run the same command again to continue.")
            return STOPPED
        bar.clear()
        print(f"{self.name}: {self._summary()}")
        return WRONG if self.kinds["error"] else DONE

    @property
    def done(self) -> int:
        """The number of answered lines."""
        return sum(self.kinds.values())

    def _summary(self) -> str:
        counts = ", ".join(f"{self.kinds[kind]:,} {name}" for kind, name in NAMES.items() if self.kinds[kind])
        return count(self.done, "board") + (f" ({counts})" if counts else "")

    # ── the existing output ──────────────────────────────────────────────────────────────────────

    def _resume(self, waiting: Iterator[Task], out: IO[bytes]) -> Iterator[Task]:
        """The lines without an answer; an incomplete answer at the end of the output is removed."""
        whole, half = 0, []
        with self.out.open("rb") as written:
            while data := written.readline(LONGEST_ANSWER):
                task = next(waiting, None)
                if task is None:
                    raise self._foreign(f"It has more lines than {self.source_name} has boards.")
                if not data.endswith(b"\n"):
                    self._check_half(task, data)
                    half = [task]
                    break
                self.kinds[self._kind(task, data)] += 1
                whole += len(data)
        out.truncate(whole)
        out.seek(whole)
        return chain(half, waiting)

    def _kind(self, task: Task, data: bytes) -> str:
        """The kind of the answer to a line: a win, draw, loss or error."""
        beginning, text = self.format.beginning(task), data.decode(errors="replace")[:-1]
        if not text.startswith(beginning):
            raise self._foreign(f"Line {self.done + 1} does not answer line {task.line} of {self.source_name}.")
        kind = self.format.kind(text[len(beginning) :])
        if kind is None:
            raise self._foreign(f"Line {self.done + 1} was not written with the same --moves, --depth and --plain.")
        return kind

    def _check_half(self, task: Task, data: bytes) -> None:
        # A power failure may have left zeros.
        text, beginning = data.rstrip(b"\0").decode(errors="ignore"), self.format.beginning(task)
        if not (text.startswith(beginning) or beginning.startswith(text)):
            raise self._foreign(f"The last line does not answer line {task.line} of {self.source_name}.")

    def _foreign(self, reason: str) -> GameError:
        return GameError(
            f"{self.name} is not the output of this batch: {reason} The file is unchanged. Choose another --out."
        )

    # ── the remaining boards ─────────────────────────────────────────────────────────────────────

    def _solve(self, rest: Iterator[Task], out: IO[bytes], bar: Bar, total: int) -> None:
        first = next(rest, None)
        if first is None:
            return
        native.program(KERNELS)  # compiles the kernels here, with one progress bar, and not in each worker
        bar.begin("Solving")
        pool = WorkerPool(self.workers, self.memory, self.options)
        before, began = self.done, time.monotonic()

        def show_progress(share: float) -> None:
            """Show the progress of the batch; `share` is the completed part of the boards in work."""
            done = self.done - before + share
            rate = done / max(time.monotonic() - began, 0.001)
            so_far = f"  {self.done:,}{f' of {total:,}' if total else ''}  {format_rate(rate)}"
            bar.update(done, max(total - before, 0), so_far)

        try:
            for task, answer in pool.answers(chain([first], rest), show_progress):
                self._write(out, bar, task, answer)
        finally:
            pool.stop()

    def _write(self, out: IO[bytes], bar: Bar, task: Task, answer: Answer) -> None:
        out.write(self.format.written(task, answer).encode(errors="replace") + b"\n")
        if "error" not in answer:
            self.kinds[WORDS[answer["value"]]] += 1
            return
        self.kinds["error"] += 1
        self.errors_shown += 1
        if self.errors_shown <= MOST_ERRORS:
            bar.clear()
            streams.print_error(f"{self.source_name}, line {task.line}: {answer['error']}")
        elif self.errors_shown == MOST_ERRORS + 1:
            bar.clear()
            streams.print_error(f"There are more errors. All of them are in {self.name}.")

"""`pentad solve --batch`: many boards, a line each; whatever ends it, the same command goes on where it was.

What has been written is held against the input, so that no other file has to be kept: each line of the output
names the board of the input that it answers.
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
from pentad.pentago.solver.retrograde import KERNELS
from pentad.pentago.values import WORDS
from pentad.progress import Bar
from pentad.terminal import streams
from pentad.terminal.batch_workers import Answer, SolveOptions, Task, WorkerPool
from pentad.terminal.files import STANDARD, named
from pentad.terminal.solve import memory_of
from pentad.user_files import Lock

DONE, WRONG, STOPPED = 0, 2, 130
LONGEST = 10_000  # bytes of a line that can name a board
NAMED = 500  # letters of it that the answer repeats
LONGEST_ANSWER = 1 << 20  # bytes
MOST_COMPLAINTS = 20  # wrong lines that are told; all of them stand in the output
NAMES = {"win": "to win", "draw": "drawn", "loss": "to lose", "error": "not solved"}


def run_batch(args: argparse.Namespace) -> int:
    batch = Batch(args)
    with ExitStack() as stack:
        source = stack.enter_context(_opened(args.batch))
        out = stack.enter_context(_answers(args.out, source))
        stack.enter_context(
            Lock(batch.out.with_name(f".{batch.out.name}.lock"), f"another process is writing {batch.name}")
        )
        bar = stack.enter_context(Bar("solving"))
        return batch.run(source, out, bar)


# ── files ────────────────────────────────────────────────────────────────────────────────────────


def _opened(name: str) -> IO[bytes]:
    if name == STANDARD:
        return _text(sys.stdin.buffer, "--batch: standard input")
    called = f"--batch: {shorten(name, 120)}"
    try:
        return _text(named(name).open("rb"), called)
    except OSError as error:
        raise GameError(f"{called} cannot be read: {streams.error_sentence(error)}") from None


def _text(source: IO[bytes], called: str) -> IO[bytes]:
    """A source, looked into without taking anything from it: lines of a picture or a program are no boards."""
    if streams.looks_binary(streams.beginning(source)):
        if source is not sys.stdin.buffer:
            source.close()
        raise GameError(f"{called} is not a text file")
    return source


def _answers(name: str, source: IO[bytes]) -> IO[bytes]:
    """The output, to be read and written; it stays as it is until a line is added."""
    called = f"--out: {shorten(name, 120)}"
    if name == STANDARD:
        raise GameError("--out: a batch is written to a file, so that it can go on; standard output is none")
    path = named(name)
    try:
        plain = not path.exists() or stat.S_ISREG(path.stat().st_mode)
        if plain:
            path.touch()
            out = path.open("r+b", buffering=0)
    except OSError as error:
        raise GameError(f"{called} cannot be written: {streams.write_error_sentence(error)}") from None
    if not plain:
        raise GameError(f"{called} is no plain file")
    try:
        same = os.path.sameopenfile(out.fileno(), source.fileno())
    except OSError:  # standard input that is no file
        same = False
    if same:
        out.close()
        raise GameError(f"{called} is the file that the boards come from")
    return out


def tasks(source: IO[bytes]) -> Iterator[Task]:
    """The lines that are neither empty nor a remark."""
    number = 0
    while data := source.readline(LONGEST + 1):
        number += 1
        if len(data) > LONGEST:
            rest = data
            while rest and not rest.endswith(b"\n"):
                rest = source.readline(1 << 16)
            yield Task(number, data[:NAMED].decode(errors="replace"), f"a line has at most {LONGEST:,} bytes")
            continue
        try:
            text = data.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            yield Task(number, data.decode(errors="replace").strip(), "that is no text in UTF-8")
            continue
        if text and not text.startswith("#"):
            yield Task(number, text)


def _count(source: IO[bytes]) -> int:
    """How many lines there are, where they can be read twice."""
    try:
        if not stat.S_ISREG(os.fstat(source.fileno()).st_mode):
            return 0
        count, last = 0, b"\n"
        while data := source.read(1 << 20):
            count, last = count + data.count(b"\n"), data[-1:]
        source.seek(0)
    except OSError:  # standard input that is none
        return 0
    return count + (last != b"\n")


# ── a batch ──────────────────────────────────────────────────────────────────────────────────────


@dataclass
class OutputFormat:
    """How answers are written, and how they are known again."""

    plain: bool
    moves: bool
    depth: bool

    def beginning(self, task: Task) -> str:
        """What the answer to a line begins with, whatever it is."""
        name = shorten(task.text, NAMED)
        return f"{name}\t" if self.plain else json.dumps({"line": task.line, "board": name})[:-1] + ", "

    def written(self, task: Task, answer: Answer) -> str:
        """The line of an answer."""
        if not self.plain:
            return self.beginning(task) + json.dumps(answer)[1:]
        if "error" in answer:
            return f"{self.beginning(task)}error\t{streams.one_line(str(answer['error']))}"
        turns = f"\t{'-' if answer['turns'] is None else answer['turns']}" if self.depth else ""
        return f"{self.beginning(task)}{WORDS[answer['value']]}\t{answer['how']}{turns}"

    def kind(self, rest: str) -> str | None:
        """Whether what follows the beginning tells a win, draw, loss or error; None where it is no such answer."""
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
    """The boards of a file, what has been found of them and what is still to be found."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.out = Path(args.out)
        self.name = shorten(args.out, 120)
        self.source_name = "standard input" if args.batch == STANDARD else shorten(args.batch, 120)
        self.format = OutputFormat(args.plain, args.moves, args.depth)
        self.options = SolveOptions(args.moves, args.depth, args.seconds)
        self.workers = args.threads
        self.memory = memory_of(args)
        self.kinds: Counter[str] = Counter()
        self.told = 0  # wrong lines

    def run(self, source: IO[bytes], out: IO[bytes], bar: Bar) -> int:
        """Answer all lines, or go on with it; the exit code."""
        total = _count(source)
        try:
            rest = self._go_on(tasks(source), out)
            self._solve(rest, out, bar, total)
        except KeyboardInterrupt:
            bar.clear()
            streams.print_error(f"stopped: {self.name} has {self._summary()}; the same command goes on with the others")
            return STOPPED
        bar.clear()
        print(f"{self.name}: {self._summary()}")
        return WRONG if self.kinds["error"] else DONE

    @property
    def done(self) -> int:
        """How many lines are answered."""
        return sum(self.kinds.values())

    def _summary(self) -> str:
        told = ", ".join(f"{self.kinds[kind]:,} {name}" for kind, name in NAMES.items() if self.kinds[kind])
        return f"{self.done:,} board{'s' * (self.done != 1)}" + (f" ({told})" if told else "")

    # ── what is there ────────────────────────────────────────────────────────────────────────────

    def _go_on(self, waiting: Iterator[Task], out: IO[bytes]) -> Iterator[Task]:
        """The lines that are not answered yet; half an answer at the end of the output is removed."""
        whole, half = 0, []
        with self.out.open("rb") as written:
            while data := written.readline(LONGEST_ANSWER):
                task = next(waiting, None)
                if task is None:
                    raise self._foreign(f"it has more lines than {self.source_name} has boards")
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
        """Whether the answer to a line tells a win, a draw, a loss or an error."""
        beginning, text = self.format.beginning(task), data.decode(errors="replace")[:-1]
        if not text.startswith(beginning):
            raise self._foreign(f"its line {self.done + 1} does not answer line {task.line} of {self.source_name}")
        kind = self.format.kind(text[len(beginning) :])
        if kind is None:
            raise self._foreign(f"its line {self.done + 1} was not written with the same --moves, --depth and --plain")
        return kind

    def _check_half(self, task: Task, data: bytes) -> None:
        # A machine that lost its power may have left zeros.
        text, beginning = data.rstrip(b"\0").decode(errors="ignore"), self.format.beginning(task)
        if not (text.startswith(beginning) or beginning.startswith(text)):
            raise self._foreign(f"its last line does not answer line {task.line} of {self.source_name}")

    def _foreign(self, why: str) -> GameError:
        return GameError(f"{self.name} holds something else, and is left as it is: {why}; choose another --out")

    # ── what is to be done ───────────────────────────────────────────────────────────────────────

    def _solve(self, rest: Iterator[Task], out: IO[bytes], bar: Bar, total: int) -> None:
        first = next(rest, None)
        if first is None:
            return
        native.program(KERNELS)  # which may have to be compiled: here, with one bar, and not in a worker
        bar.begin("solving")
        pool = WorkerPool(self.workers, self.memory, self.options)
        before, began = self.done, time.monotonic()

        def tell(share: float) -> None:
            """Where the batch is; `share` is how much is done of boards that are being solved."""
            done = self.done - before + share
            rate = done / max(time.monotonic() - began, 0.001)
            speed = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
            bar.update(done, max(total - before, 0), f"  {self.done:,}{f' of {total:,}' if total else ''}  {speed}")

        try:
            for task, answer in pool.answers(chain([first], rest), tell):
                self._write(out, bar, task, answer)
        finally:
            pool.stop()

    def _write(self, out: IO[bytes], bar: Bar, task: Task, answer: Answer) -> None:
        out.write(self.format.written(task, answer).encode(errors="replace") + b"\n")
        if "error" not in answer:
            self.kinds[WORDS[answer["value"]]] += 1
            return
        self.kinds["error"] += 1
        self.told += 1
        if self.told <= MOST_COMPLAINTS:
            bar.clear()
            streams.print_error(f"{self.source_name}, line {task.line}: {answer['error']}")
        elif self.told == MOST_COMPLAINTS + 1:
            bar.clear()
            streams.print_error(f"there are more such lines; {self.name} tells which")

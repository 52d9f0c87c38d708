"""`pentad solve --batch`: solves a file of boards, one a line; after an interruption the same command resumes.

Each line of the output names its board in the input, so the output itself shows where to resume. Worker processes, one
for each core, solve the boards within one memory limit. A board that needs more than a worker's share of the memory is
solved alone, with all cores and all memory.
"""

from __future__ import annotations

import argparse
import json
import os
import stat
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO, Any

from pentad.game import GameError, shorten
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.solver.retrograde import MOST_SUB_BOARDS, boards, needed, solver_kernels
from pentad.jobs.executors import Farm, ProcessFarm, dask_farm
from pentad.jobs.process import WorkerDied, WorkerFailed
from pentad.jobs.worker import Answer, Jobs, current
from pentad.search.exact import exact_value, solve
from pentad.system.files import Lock
from pentad.system.progress import Bar, format_rate
from pentad.system.words import count, phrase
from pentad.terminal import streams
from pentad.terminal.arguments import written_out
from pentad.terminal.files import STANDARD, named
from pentad.terminal.pentago.exact_values import WORDS, as_json, of_pentago, refusal

DONE, WRONG, STOPPED = 0, 2, 130
MAX_LINE_BYTES = 10_000
MAX_QUOTED_LENGTH = 500  # the answer repeats so much of a line
MAX_ANSWER_BYTES = 1 << 20
MOST_ERRORS = 20  # error messages on stderr; the output has all errors
NAMES = {"win": "won", "draw": "drawn", "loss": "lost", "error": "not solved"}
LIGHT = 3_000_000  # boards to examine; smaller tasks are sent to a worker together
MAX_LINES_AT_ONCE = 64  # they are sent to a worker together
MAX_LINES_AHEAD = 512  # so many are read ahead of the first one without an answer
POLL_SECONDS = 0.1
Options = dict[str, Any]  # how every board is solved: the arguments moves, depth and seconds of `solve`


@dataclass(frozen=True, slots=True)
class Task:
    """A line of the input: its number in the file, its text, and its error if it has one."""

    line: int
    text: str
    wrong: str | None = None


def run_batch(args: argparse.Namespace, memory: int) -> int:
    """Solve the boards of a file within a memory limit; returns the exit code."""
    batch = BoardBatch(args, memory)
    with ExitStack() as stack:
        source = stack.enter_context(_opened(args.batch))
        out = stack.enter_context(_answers(args.out, source))
        lock = batch.out.with_name(f".{batch.out.name}.lock")
        stack.enter_context(Lock(lock, phrase("Another process is writing {name}.", name=batch.name)))
        return batch.run(source, out, stack.enter_context(Bar("Solving")))


# ── files ────────────────────────────────────────────────────────────────────────────────────────


def _opened(name: str) -> IO[bytes]:
    """The input file; its first bytes must look like text."""
    short = "Standard input" if name == STANDARD else shorten(name, 120)
    try:
        source = sys.stdin.buffer if name == STANDARD else named(name).open("rb")
        is_binary = streams.looks_binary(streams.beginning(source))
    except OSError as error:
        raise GameError(
            "--batch: Cannot read {path}: {reason}", path=short, reason=streams.error_sentence(error)
        ) from None
    if not is_binary:
        return source
    if name != STANDARD:
        source.close()
    raise GameError("--batch: {path} is not a text file.", path=short)


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
        raise GameError(
            "--out: Cannot write {path}: {reason}",
            path=short,
            reason=streams.write_error_sentence(error),
        ) from None
    if not plain:
        raise GameError("--out: {path} is not a regular file.", path=short)
    try:
        same = os.path.sameopenfile(out.fileno(), source.fileno())
    except OSError:  # standard input that is not a file
        same = False
    if same:
        out.close()
        raise GameError("--out: {path} is also the input file.", path=short)
    return out


def tasks(source: IO[bytes]) -> Iterator[Task]:
    """The lines that are neither empty nor a comment."""
    number = 0
    while data := source.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(data) > MAX_LINE_BYTES:
            rest = data
            while rest and not rest.endswith(b"\n"):
                rest = source.readline(1 << 16)
            yield Task(
                number,
                data[:MAX_QUOTED_LENGTH].decode(errors="replace"),
                phrase("The line is longer than {longest:,} bytes.", longest=MAX_LINE_BYTES),
            )
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
    except OSError:  # the standard input is closed
        return 0
    return count + (last != b"\n")


# ── a batch ──────────────────────────────────────────────────────────────────────────────────────


class BoardBatch:
    """A batch: the boards of a file, with their answers so far."""

    def __init__(self, args: argparse.Namespace, memory: int) -> None:
        self.out = Path(args.out)
        self.name = shorten(args.out, 120)
        self.source_name = "standard input" if args.batch == STANDARD else shorten(args.batch, 120)
        self.plain = args.plain
        self.moves, self.depth = args.moves, args.depth
        self.options: Options = {"moves": args.moves, "depth": args.depth, "seconds": args.seconds}
        self.workers, self.cluster = args.threads, args.cluster
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
            streams.print_error(
                phrase(
                    "Stopped: {name} has {summary}. Run the same command again to continue.",
                    name=self.name,
                    summary=self._summary(),
                )
            )
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

    # ── the format of the answers ────────────────────────────────────────────────────────────────

    def _beginning(self, task: Task) -> str:
        """The beginning of every answer to a line."""
        name = shorten(task.text, MAX_QUOTED_LENGTH)
        return f"{name}\t" if self.plain else json.dumps({"line": task.line, "board": name})[:-1] + ", "

    def _written(self, task: Task, answer: Answer) -> str:
        """An answer as a line of the output."""
        if not self.plain:
            return self._beginning(task) + json.dumps(answer)[1:]
        if "error" in answer:
            return f"{self._beginning(task)}error\t{streams.one_line(str(answer['error']))}"
        turns = f"\t{'-' if answer['turns'] is None else answer['turns']}" if self.depth else ""
        return f"{self._beginning(task)}{WORDS[answer['value']]}\t{answer['how']}{turns}"

    def _kind_of(self, rest: str) -> str | None:
        """The kind of answer after the beginning: a win, draw, loss or error; None if it is not an answer."""
        if self.plain:
            kind, *more = rest.split("\t")
            fits = kind == "error" or (kind in WORDS.values() and len(more) == 1 + self.depth)
            return kind if fits else None
        try:
            answer: Any = json.loads("{" + rest)
        except ValueError:
            return None
        match answer:
            case {"error": _}:
                return "error"
            case {"value": int(value)} if ("moves" in answer, "turns" in answer) == (self.moves, self.depth):
                return WORDS.get(value)
        return None

    # ── the existing output ──────────────────────────────────────────────────────────────────────

    def _resume(self, waiting: Iterator[Task], out: IO[bytes]) -> Iterator[Task]:
        """The lines without an answer; an incomplete answer at the end of the output is removed."""
        whole, half = 0, []
        with self.out.open("rb") as written:
            while data := written.readline(MAX_ANSWER_BYTES):
                task = next(waiting, None)
                if task is None:
                    raise self._foreign(phrase("It has more lines than {file} has boards.", file=self.source_name))
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
        beginning, text = self._beginning(task), data.decode(errors="replace")[:-1]
        if not text.startswith(beginning):
            raise self._foreign(
                phrase(
                    "Line {done} does not answer line {line} of {file}.",
                    done=self.done + 1,
                    line=task.line,
                    file=self.source_name,
                )
            )
        kind = self._kind_of(text[len(beginning) :])
        if kind is None:
            raise self._foreign(
                phrase("Line {done} was not written with the same --moves, --depth and --plain.", done=self.done + 1)
            )
        return kind

    def _check_half(self, task: Task, data: bytes) -> None:
        # A power failure may have left zeros.
        text, beginning = data.rstrip(b"\0").decode(errors="ignore"), self._beginning(task)
        if not (text.startswith(beginning) or beginning.startswith(text)):
            raise self._foreign(
                phrase(
                    "The last line does not answer line {line} of {file}.",
                    line=task.line,
                    file=self.source_name,
                )
            )

    def _foreign(self, reason: str) -> GameError:
        return GameError(
            "{name} is not the output of this batch: {reason} The file is unchanged. Choose another --out.",
            name=self.name,
            reason=reason,
        )

    # ── the remaining boards ─────────────────────────────────────────────────────────────────────

    def _solve(self, rest: Iterator[Task], out: IO[bytes], bar: Bar, total: int) -> None:
        first = next(rest, None)
        if first is None:
            return
        solver_kernels()  # compiles the kernels here, with one progress bar, and not in each worker
        bar.begin("Solving")
        workers = Workers(self.workers, self.memory, self.options, self.cluster)
        before, began = self.done, time.monotonic()

        def show_progress(share: float) -> None:
            """Show the progress of the batch; `share` is the completed part of the boards in work."""
            done = self.done - before + share
            rate = done / max(time.monotonic() - began, 0.001)
            so_far = f"  {self.done:,}{f' of {total:,}' if total else ''}  {format_rate(rate)}"
            bar.update(done, max(total - before, 0), so_far)

        with closing(workers.answers(chain([first], rest), show_progress)) as answers:
            for task, answer in answers:
                self._write(out, bar, task, answer)

    def _write(self, out: IO[bytes], bar: Bar, task: Task, answer: Answer) -> None:
        out.write(self._written(task, answer).encode(errors="replace") + b"\n")
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
            streams.print_error(phrase("There are more errors. All of them are in {name}.", name=self.name))


# ── workers ──────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Group:
    """Lines that a worker solves one after the other, with the answers that are not yet written."""

    tasks: deque[Task]
    alone: bool = False  # whether it gets all the memory
    has_failed: bool = False  # whether a process died while solving it
    answers: deque[Answer] = field(default_factory=deque)
    share: float = 0.0  # the completed part of the board in work


class Workers:
    """Solves boards with worker processes."""

    def __init__(self, count: int, memory: int, options: Options, cluster: str | None = None) -> None:
        self.count, self.memory, self.options, self.cluster = count, memory, options, cluster
        self.part = memory if cluster else memory // count  # the memory for each worker
        self._is_ready = False  # whether a worker has begun to solve
        self._running: deque[tuple[Group, Future[Answer]]] = deque()  # the order is that of the lines

    def answers(
        self, tasks: Iterator[Task], progress: Callable[[float], None]
    ) -> Generator[tuple[Task, Answer], None, None]:
        """The tasks with their answers, in order; `progress` gets the number of further answers that are ready."""
        waiting = self._groups(tasks)
        with self._farm() as pool:
            while True:
                while sum(len(group.tasks) for group, _ in self._running) < MAX_LINES_AHEAD and (
                    more := next(waiting, None)
                ):
                    self._running.append(self._submit(pool, more))
                if not self._running:
                    return
                first, result = self._running[0]
                wait([result], POLL_SECONDS)
                progress(sum(len(group.answers) + group.share for group, _ in self._running))
                is_done = result.done()
                while first.answers:
                    yield first.tasks.popleft(), first.answers.popleft()
                if is_done:
                    self._running.popleft()
                    yield from self._finish(pool, first, result)

    def _farm(self) -> AbstractContextManager[Farm]:
        """What solves the boards: a cluster, or processes of this machine."""
        if self.cluster is not None:
            return dask_farm(__name__, self.cluster, self.count)
        return ProcessFarm(__name__, self.count, "solver", MAX_LINES_AHEAD)

    def _groups(self, tasks: Iterator[Task]) -> Iterator[Group]:
        """The lines in groups: small tasks together, and every other one by itself."""
        group, total = Group(deque()), 0
        for task in tasks:
            work, alone = estimate(task, self.part)
            if group.tasks and (alone or group.alone or total + work > LIGHT or len(group.tasks) == MAX_LINES_AT_ONCE):
                yield group
                group, total = Group(deque()), 0
            group.tasks.append(task)
            group.alone, total = alone, total + work
        if group.tasks:
            yield group

    def _submit(self, pool: Farm, group: Group) -> tuple[Group, Future[Answer]]:
        """Sends a group to the pool; one that needs all the memory takes all slots."""

        def receive(answer: Answer) -> None:
            self._is_ready = True
            group.share = answer.get("share", 0.0)
            if "solution" in answer:
                group.answers.append(answer["solution"])

        memory, threads = (self.memory, self.count) if group.alone and not self.cluster else (self.part, 1)
        lines = [(task.text, task.wrong) for task in group.tasks]
        given = {"lines": lines, "options": self.options, "memory": memory, "threads": threads}
        return group, pool.submit("solve", given, slots=threads, on_answer=receive)

    def _finish(self, pool: Farm, group: Group, result: Future[Answer]) -> Iterator[tuple[Task, Answer]]:
        """Handles the end of a group: where its worker has died, a board is tried once more, with all the memory."""
        try:
            result.result()
        except WorkerDied as died:
            if not self._is_ready:
                raise GameError("A worker process {end} before it was ready.", end=died.how) from None
            if not group.tasks:
                return  # it died after its last answer
            task = group.tasks.popleft()
            if group.tasks:
                self._running.appendleft(self._submit(pool, Group(group.tasks)))
            if group.has_failed:
                yield (
                    task,
                    {"error": phrase("The worker process {end}. There may have been too little memory.", end=died.how)},
                )
            else:
                self._running.appendleft(self._submit(pool, Group(deque([task]), alone=True, has_failed=True)))
        except WorkerFailed as failed:
            raise GameError(str(failed)) from None


def position_of(text: str) -> PentagoPosition:
    """The position that a line names."""
    position = written_out(text)
    if position is None:
        raise GameError("Expected a board number or the text of a position.")
    return of_pentago(position, "solved")


def estimate(task: Task, part: int) -> tuple[int, bool]:
    """The boards to examine for a task, and whether it needs more than this share of the memory."""
    try:
        position = position_of(task.text)
        is_known = exact_value(position) is not None
    except GameError:
        return 0, False
    board = position.board
    if task.wrong or is_known or position.players > 2 or board.rows * board.cols > MOST_SUB_BOARDS:
        return 0, False  # the answer needs no search
    spaces = position.empty.bit_count()
    return boards(spaces, spaces), needed(part, spaces, spaces, 1) > part


# ── in a worker process ──────────────────────────────────────────────────────────────────────────


def _solve(lines: list[list[str]], options: Options, memory: int, threads: int) -> Iterator[Answer]:
    """The answers to some lines, each with its error if it has one, and the completed part of the board in work."""
    yield {}
    last = time.monotonic()

    def report(made: int, of: int) -> None:
        nonlocal last
        if time.monotonic() >= last + POLL_SECONDS:
            last = time.monotonic()
            current().send(answer={"share": made / max(of, 1)})

    for text, wrong in lines:
        answer = {"error": wrong} if wrong else answer_to(text, options, memory, threads, report)
        yield {"solution": answer}


def answer_to(text: str, options: Options, memory: int, threads: int, progress: Callable[[int, int], None]) -> Answer:
    """The answer to a line."""
    try:
        position = position_of(text)
        solution = solve(position, **options, memory=memory, threads=threads, progress=progress)
    except GameError as error:
        return refusal(error, moves=options["moves"])
    except MemoryError:
        return {"error": "Not enough memory."}
    except Exception as error:
        return {
            "error": phrase(
                "Internal error (a bug in pentad): {kind}: {error}.", kind=type(error).__name__, error=error
            )
        }
    return as_json(solution, moves=options["moves"], depth=options["depth"])


JOBS: Jobs = {"solve": _solve}

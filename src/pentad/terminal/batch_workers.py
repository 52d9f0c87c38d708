"""The processes that solve the boards of a batch: one on each core, and all of them within one budget of memory.

A board that needs more than a worker's part of the memory is solved alone, with all the cores and all the memory.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeAlias

from pentad.game import GameError
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver import solve
from pentad.pentago.solver.retrograde import boards, needed
from pentad.pentago.solver.root import MOST_SUB_BOARDS
from pentad.terminal.position_arguments import of_pentago, written_out
from pentad.terminal.value_text import as_json, refusal

Answer: TypeAlias = "dict[str, Any]"

LIGHT = 3_000_000  # boards to look at, for which it does not pay to send a worker each line by itself
MOST_AT_ONCE = 64  # lines that a worker is sent at once
AHEAD = 512  # lines that may be read before the answer to the first of them is there
POLL_SECONDS = 0.1  # seconds between two looks at the clock
JOIN_TIMEOUT = 1.0  # seconds that a process gets to end


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """What is asked of every board."""

    moves: bool = False
    depth: bool = False
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A line of the input: its number in the file, its text, and what is wrong with it if that is known already."""

    line: int
    text: str
    wrong: str | None = None


@dataclass
class Job:
    """A task that is being seen to."""

    task: Task
    work: int = 0  # boards to look at
    alone: bool = False  # whether it gets all the memory
    failed: bool = False  # whether a process has ended over it
    answer: Answer | None = None


@dataclass
class Worker:
    """A process, and the jobs that it was sent."""

    process: SpawnProcess
    pipe: Connection
    jobs: deque[Job] = field(default_factory=deque)
    ready: bool = False
    share: float = 0.0  # of its first job that is done


# ── who does what ────────────────────────────────────────────────────────────────────────────────


class WorkerPool:
    """Workers, and what each of them has to do."""

    def __init__(self, count: int, memory: int, options: SolveOptions) -> None:
        self.count, self.memory, self.options = count, memory, options
        self.workers: list[Worker] = []
        self._waiting: deque[Job] = deque()  # for a worker
        self._open: deque[Job] = deque()  # whose answers are not told, in their order

    @property
    def part(self) -> int:
        """The memory for each of the workers while all are at work."""
        return self.memory // self.count

    def answers(self, tasks: Iterator[Task], tell: Callable[[float], None]) -> Iterator[tuple[Task, Answer]]:
        """The tasks with their answers, in their order; `tell` hears how many answers there are besides."""
        next_told = 0.0
        while True:
            self._hand_out(tasks)
            while self._open and (answer := self._open[0].answer) is not None:
                yield self._open.popleft().task, answer
            if not self._open and not self._read(tasks):
                return
            busy = {worker.pipe: worker for worker in self.workers if worker.jobs}
            for pipe in wait(list(busy), POLL_SECONDS) if busy else ():
                self._receive(busy[pipe])  # type: ignore[index]
            if time.monotonic() >= next_told:
                next_told = time.monotonic() + POLL_SECONDS
                ready = sum(job.answer is not None for job in self._open)
                tell(ready + sum(worker.share for worker in self.workers if worker.jobs))

    def _read(self, tasks: Iterator[Task]) -> bool:
        """Take up the next task, if there is one and not too many are open; whether that was so."""
        task = next(tasks, None) if len(self._open) < AHEAD else None
        if task is None:
            return False
        job = Job(task)
        self._open.append(job)
        try:
            weigh(job, self.part)
        except GameError as error:
            job.answer = {"error": str(error)}
        else:
            self._waiting.append(job)
        return True

    def _hand_out(self, tasks: Iterator[Task]) -> None:
        """Give the free workers something to do, while there is something that may be done now."""
        while self._waiting or self._read(tasks):
            if not self._waiting:  # what was read needs no worker
                continue
            worker = self._free(self._waiting[0].alone)
            if worker is None:
                return
            self._send(worker, [self._waiting.popleft()], tasks)

    def _free(self, alone: bool) -> Worker | None:
        """A worker for a job, if one may begin now."""
        busy = [worker for worker in self.workers if worker.jobs]
        if len(busy) == self.count or (busy and (alone or busy[0].jobs[0].alone)):
            return None
        idle = next((worker for worker in self.workers if not worker.jobs), None)
        return idle or self._start()

    def _send(self, worker: Worker, jobs: list[Job], tasks: Iterator[Task]) -> None:
        """Send a worker a job, and others with it where they are small."""
        work = jobs[0].work
        while not jobs[0].alone and work < LIGHT and len(jobs) < MOST_AT_ONCE:
            if not self._waiting:
                if not self._read(tasks):
                    break
                continue
            if self._waiting[0].alone or work + self._waiting[0].work > LIGHT:
                break
            jobs.append(self._waiting.popleft())
            work += jobs[-1].work
        alone = jobs[0].alone
        worker.jobs.extend(jobs)
        worker.share = 0.0
        limits = (self.memory, self.count) if alone else (self.part, 1)
        with contextlib.suppress(OSError):  # if it has ended, that is heard when its answer is waited for
            worker.pipe.send(([job.task.text for job in jobs], *limits))

    # ── processes ────────────────────────────────────────────────────────────────────────────────

    def _start(self) -> Worker:
        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=serve, args=(there, self.options), daemon=True)
        resource_tracker.ensure_running()
        masked = hasattr(signal, "pthread_sigmask")
        if masked:  # Ctrl-C is for this process alone, also while the other has not come to ignore it
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        except OSError as error:
            raise GameError(f"no process can be started: {error.strerror or error}") from None
        finally:
            if masked:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        there.close()
        worker = Worker(process, here)
        self.workers.append(worker)
        return worker

    def _receive(self, worker: Worker) -> None:
        """What a worker has to say: that it is there, how far it is, an answer."""
        try:
            said = worker.pipe.recv()
        except (EOFError, OSError):
            self._lost(worker)
            return
        worker.ready = True
        if isinstance(said, dict):
            worker.jobs.popleft().answer = said
            worker.share = 0.0
        elif isinstance(said, float):
            worker.share = said

    def _lost(self, worker: Worker) -> None:
        """A worker has ended, which none does by itself: its job is tried once more, with all the memory there is."""
        self.workers.remove(worker)
        worker.process.join(JOIN_TIMEOUT)
        code = worker.process.exitcode
        how = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
        if not worker.ready:
            raise GameError(f"a process that was to solve boards ended {how} before it began")
        first = worker.jobs.popleft()
        if first.failed:
            first.answer = {"error": f"the process that solved it ended {how}; is there too little memory?"}
        else:
            first.failed = first.alone = True
            worker.jobs.appendleft(first)
        self._waiting.extendleft(reversed(worker.jobs))

    def stop(self) -> None:
        """Let nobody go on."""
        for worker in self.workers:
            worker.process.kill()
            worker.pipe.close()
        self.workers = []


# ── how much a board takes ───────────────────────────────────────────────────────────────────────


def position_of(text: str) -> PentagoPosition:
    """The position that a line names."""
    position = written_out(text)
    if position is None:
        raise GameError("that is neither a board number nor a position's text")
    return of_pentago(position, "solved")


def weigh(job: Job, part: int) -> None:
    """Find out how much there is to do for a job, and whether it needs more than this part of the memory."""
    if job.task.wrong is not None:
        raise GameError(job.task.wrong)
    position = position_of(job.task.text)
    board = position.board
    if position.outcome or position.players > 2 or board.rows * board.cols > MOST_SUB_BOARDS:
        return  # the answer needs no search
    spaces = position.empty.bit_count()
    job.work = boards(spaces, spaces)
    job.alone = needed(part, spaces, spaces, 1) > part


# ── in a process ─────────────────────────────────────────────────────────────────────────────────


def serve(pipe: Connection, options: SolveOptions) -> None:
    """Solve what comes, until nothing more does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that leads to answer
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    try:
        pipe.send(None)
        while True:
            texts, memory, threads = pipe.recv()
            for text in texts:
                pipe.send(solved(text, options, memory, threads, ProgressSender(pipe)))
    except (EOFError, OSError):
        return


def _exit_with_parent() -> None:
    leader = parent_process()
    if leader is not None:
        leader.join()
        os._exit(1)


class ProgressSender:
    """Says through a pipe now and then which share is done."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.next = time.monotonic() + POLL_SECONDS

    def __call__(self, made: int, of: int) -> None:
        now = time.monotonic()
        if now >= self.next:
            self.next = now + POLL_SECONDS
            self.pipe.send(made / max(of, 1))


def solved(text: str, options: SolveOptions, memory: int, threads: int, tell: Callable[[int, int], None]) -> Answer:
    """The answer to a line."""
    try:
        solution = solve(
            position_of(text),
            moves=options.moves,
            depth=options.depth,
            seconds=options.seconds,
            memory=memory,
            threads=threads,
            progress=tell,
        )
    except GameError as error:
        return refusal(error, moves=options.moves)
    except MemoryError:
        return {"error": "there is not enough memory"}
    except OSError:
        raise
    except Exception as error:
        return {"error": f"this is a bug in pentad: {type(error).__name__}: {error}"}
    return as_json(solution, moves=options.moves, depth=options.depth)

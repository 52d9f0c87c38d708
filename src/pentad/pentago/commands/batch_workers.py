"""Worker processes that solve the boards of a batch: one for each core, within one memory limit.

A board that needs more than a worker's share of the memory is solved alone, with all cores and all memory.
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
from pentad.pentago.commands.value_text import as_json, of_pentago, refusal
from pentad.pentago.rules import PentagoPosition
from pentad.pentago.solver import solve
from pentad.pentago.solver.retrograde import MOST_SUB_BOARDS, boards, needed
from pentad.terminal.position_arguments import written_out

Answer: TypeAlias = "dict[str, Any]"

LIGHT = 3_000_000  # boards to examine; smaller tasks are sent to a worker together
MOST_AT_ONCE = 64  # lines that are sent to a worker together
AHEAD = 512  # lines that are read ahead of the first one without an answer
POLL_SECONDS = 0.1  # between two progress updates
JOIN_TIMEOUT = 1.0  # seconds for a process to exit


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """The options for solving every board."""

    moves: bool = False
    depth: bool = False
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A line of the input: its number in the file, its text, and its error if it has one."""

    line: int
    text: str
    wrong: str | None = None


@dataclass
class Job:
    """A task in work."""

    task: Task
    work: int = 0  # boards to examine
    alone: bool = False  # whether it gets all the memory
    failed: bool = False  # whether a process died while solving it
    answer: Answer | None = None


@dataclass
class Worker:
    """A process and the jobs sent to it."""

    process: SpawnProcess
    pipe: Connection
    jobs: deque[Job] = field(default_factory=deque)
    ready: bool = False
    share: float = 0.0  # the completed part of its first job


# ── the pool ─────────────────────────────────────────────────────────────────────────────────────


class WorkerPool:
    """A pool of workers with their jobs."""

    def __init__(self, count: int, memory: int, options: SolveOptions) -> None:
        self.count, self.memory, self.options = count, memory, options
        self.workers: list[Worker] = []
        self._waiting: deque[Job] = deque()  # jobs without a worker
        self._open: deque[Job] = deque()  # jobs whose answers have not been yielded, in order

    @property
    def part(self) -> int:
        """The share of the memory for each worker."""
        return self.memory // self.count

    def answers(self, tasks: Iterator[Task], progress: Callable[[float], None]) -> Iterator[tuple[Task, Answer]]:
        """The tasks with their answers, in order; `progress` gets the number of further answers that are ready."""
        next_update = 0.0
        while True:
            self._dispatch(tasks)
            while self._open and (answer := self._open[0].answer) is not None:
                yield self._open.popleft().task, answer
            if not self._open and not self._read(tasks):
                return
            busy = {worker.pipe: worker for worker in self.workers if worker.jobs}
            for pipe in wait(list(busy), POLL_SECONDS) if busy else ():
                self._receive(busy[pipe])  # type: ignore[index]
            if time.monotonic() >= next_update:
                next_update = time.monotonic() + POLL_SECONDS
                ready = sum(job.answer is not None for job in self._open)
                progress(ready + sum(worker.share for worker in self.workers if worker.jobs))

    def _read(self, tasks: Iterator[Task]) -> bool:
        """Read the next task, unless too many are open; returns whether there was one."""
        task = next(tasks, None) if len(self._open) < AHEAD else None
        if task is None:
            return False
        job = Job(task)
        self._open.append(job)
        try:
            estimate(job, self.part)
        except GameError as error:
            job.answer = {"error": str(error)}
        else:
            self._waiting.append(job)
        return True

    def _dispatch(self, tasks: Iterator[Task]) -> None:
        """Send jobs to the free workers."""
        while self._waiting or self._read(tasks):
            if not self._waiting:  # the task just read needs no worker
                continue
            worker = self._free(self._waiting[0].alone)
            if worker is None:
                return
            self._send(worker, [self._waiting.popleft()], tasks)

    def _free(self, alone: bool) -> Worker | None:
        """A worker for a job that can start now, or None."""
        busy = [worker for worker in self.workers if worker.jobs]
        if len(busy) == self.count or (busy and (alone or busy[0].jobs[0].alone)):
            return None
        idle = next((worker for worker in self.workers if not worker.jobs), None)
        return idle or self._start()

    def _send(self, worker: Worker, jobs: list[Job], tasks: Iterator[Task]) -> None:
        """Send a job to a worker, together with others if they are small."""
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
        with contextlib.suppress(OSError):  # a worker that has died is noticed when its answer is read
            worker.pipe.send(([job.task.text for job in jobs], *limits))

    # ── processes ────────────────────────────────────────────────────────────────────────────────

    def _start(self) -> Worker:
        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=serve, args=(there, self.options), daemon=True)
        resource_tracker.ensure_running()
        masked = hasattr(signal, "pthread_sigmask")
        if masked:  # only this process handles Ctrl-C, even before the worker ignores it
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        except OSError as error:
            raise GameError(f"Cannot start a process: {error.strerror or error}.") from None
        finally:
            if masked:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        there.close()
        worker = Worker(process, here)
        self.workers.append(worker)
        return worker

    def _receive(self, worker: Worker) -> None:
        """Receive a message of a worker: that it is ready, its progress, or an answer."""
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            self._lost(worker)
            return
        worker.ready = True
        if isinstance(message, dict):
            worker.jobs.popleft().answer = message
            worker.share = 0.0
        elif isinstance(message, float):
            worker.share = message

    def _lost(self, worker: Worker) -> None:
        """Handle a worker that died: its job is tried once more, with all the memory."""
        self.workers.remove(worker)
        worker.process.join(JOIN_TIMEOUT)
        code = worker.process.exitcode
        how = f"was killed by signal {-code}" if code is not None and code < 0 else f"exited with code {code}"
        if not worker.ready:
            raise GameError(f"A worker process {how} before it was ready.")
        first = worker.jobs.popleft()
        if first.failed:
            first.answer = {"error": f"The worker process {how}. There may have been too little memory."}
        else:
            first.failed = first.alone = True
            worker.jobs.appendleft(first)
        self._waiting.extendleft(reversed(worker.jobs))

    def stop(self) -> None:
        """Kill all workers."""
        for worker in self.workers:
            worker.process.kill()
            worker.pipe.close()
        self.workers = []


# ── estimates ────────────────────────────────────────────────────────────────────────────────────


def position_of(text: str) -> PentagoPosition:
    """The position that a line names."""
    position = written_out(text)
    if position is None:
        raise GameError("Expected a board number or the text of a position.")
    return of_pentago(position, "solved")


def estimate(job: Job, part: int) -> None:
    """Estimate the work for a job, and whether it needs more than this share of the memory."""
    if job.task.wrong is not None:
        raise GameError(job.task.wrong)
    position = position_of(job.task.text)
    board = position.board
    if position.outcome or position.players > 2 or board.rows * board.cols > MOST_SUB_BOARDS:
        return  # the answer needs no search
    spaces = position.empty.bit_count()
    job.work = boards(spaces, spaces)
    job.alone = needed(part, spaces, spaces, 1) > part


# ── in a worker process ──────────────────────────────────────────────────────────────────────────


def serve(pipe: Connection, options: SolveOptions) -> None:
    """Solve boards until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C
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
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class ProgressSender:
    """Sends the completed part of a job through a pipe at intervals."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.next = time.monotonic() + POLL_SECONDS

    def __call__(self, made: int, of: int) -> None:
        now = time.monotonic()
        if now >= self.next:
            self.next = now + POLL_SECONDS
            self.pipe.send(made / max(of, 1))


def solved(text: str, options: SolveOptions, memory: int, threads: int, progress: Callable[[int, int], None]) -> Answer:
    """The answer to a line."""
    try:
        solution = solve(
            position_of(text),
            moves=options.moves,
            depth=options.depth,
            seconds=options.seconds,
            memory=memory,
            threads=threads,
            progress=progress,
        )
    except GameError as error:
        return refusal(error, moves=options.moves)
    except MemoryError:
        return {"error": "Not enough memory."}
    except OSError:
        raise
    except Exception as error:
        return {"error": f"Internal error (a bug in pentad): {type(error).__name__}: {error}."}
    return as_json(solution, moves=options.moves, depth=options.depth)

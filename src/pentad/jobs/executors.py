"""Executors of jobs: processes of this machine, any executor of `concurrent.futures`, and clusters of Dask.

All have `submit(job, given)` for the jobs of one module, with a future of the last answer.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import socket
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from itertools import islice
from typing import Any, Protocol, TypeVar

from pentad.game import GameError, shorten, shown
from pentad.jobs.pool import AnswerCallback, PoolThread, command_for
from pentad.jobs.process import WorkerDied, WorkerFailed
from pentad.jobs.worker import Answer, Worker, set_current
from pentad.system.extras import needs
from pentad.system.version import __version__
from pentad.system.words import phrase

MAX_ATTEMPTS = 4  # the workers of a unit of work may die
SCHEDULER_CONNECT_SECONDS = 10
AHEAD = 2  # units submitted for each worker
POLL_SECONDS = 0.05
Unit = TypeVar("Unit")


class Farm(Protocol):
    """What runs the jobs of a module."""

    workers: int

    def submit(
        self, job: str, given: Mapping[str, Any], *, slots: int = 1, on_answer: AnswerCallback | None = None
    ) -> Future[Answer]:
        """The last answer of a job; `WorkerDied` if its worker has died, `WorkerFailed` with any other error."""


class ProcessFarm(PoolThread):
    """Worker processes of this machine; they start when they are needed."""

    def __init__(self, module: str, workers: int, kind: str, most: int = 0) -> None:
        """`kind` is what a process runs, in words; `most` is how many units may wait, if they are many."""
        super().__init__(command_for(module), workers, kind=kind, most=most or AHEAD * workers)
        self.workers = workers


class ExecutorFarm:
    """An executor of `concurrent.futures`, whose workers have pentad installed."""

    def __init__(self, executor: Executor, module: str, workers: int) -> None:
        self.workers, self._executor, self._module = workers, executor, module

    def submit(
        self, job: str, given: Mapping[str, Any], *, slots: int = 1, on_answer: AnswerCallback | None = None
    ) -> Future[Answer]:
        answered: Future[Answer] = Future()
        answered.set_running_or_notify_cancel()

        def finish(done: Future[list[Answer]]) -> None:
            try:
                *answers, end = done.result()
                for answer in answers:
                    if on_answer:
                        on_answer(answer)
                if "error" in end:
                    raise WorkerFailed(end["error"])
                answered.set_result(answers[-1])
            except BaseException as error:
                answered.set_exception(_failure(error))

        try:
            self._executor.submit(perform, __version__, self._module, job, dict(given)).add_done_callback(finish)
        except (BrokenExecutor, RuntimeError) as error:
            answered.set_exception(_failure(error))
        return answered


def _failure(error: BaseException) -> WorkerFailed:
    """An error of an executor: the death of a worker, or another one."""
    if isinstance(error, WorkerFailed):
        return error
    if isinstance(error, BrokenExecutor) or type(error).__name__ in ("KilledWorker", "CancelledError"):
        return WorkerDied()
    if isinstance(error, ImportError):
        return WorkerFailed(phrase("pentad is not installed on a worker: {error}.", error=error))
    return WorkerFailed(shorten(f"{type(error).__name__}: {error}", 200))


LOCAL = "local"  # the address of a cluster that is started on this machine


@contextlib.contextmanager
def dask_farm(module: str, address: str = LOCAL, workers: int | None = None) -> Iterator[ExecutorFarm]:
    """A cluster of Dask at an address, or one of some processes on this machine.

    Dask repeats the work of a worker that dies. `workers` is how many units of work are done at once, by default as
    many as the cluster has threads.
    """
    with needs("farm"):
        from distributed import Client
    with contextlib.ExitStack() as exits:
        if address == LOCAL:
            from pentad.jobs.local_cluster import local_cluster

            cluster = exits.enter_context(local_cluster(workers))
            address, security = cluster.scheduler_address, cluster.security
        else:
            security = _certificates(address)
        try:
            client: Any = Client(address, timeout=SCHEDULER_CONNECT_SECONDS, security=security, set_as_default=False)  # type: ignore[no-untyped-call]
            exits.enter_context(client)
        except (OSError, ValueError, ImportError, TypeError) as error:
            reason = "" if isinstance(error, OSError) else f": {error}"
            raise GameError("No cluster answers at {address}{reason}.", address=shown(address), reason=reason) from None
        threads = sum(client.nthreads().values())
        if not threads:
            raise GameError("The cluster at {address} has no workers.", address=address)
        yield ExecutorFarm(client.get_executor(pure=False), module, workers or threads)


def _certificates(address: str) -> Any:
    """The certificates in Dask's settings; refuses settings that cannot be used, and a cluster that needs others."""
    from distributed import Security

    try:
        security = Security()  # type: ignore[no-untyped-call]
        context = security.get_connection_args("client")["ssl_context"]  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        message = "The certificates in Dask's settings (distributed.comm.tls) cannot be used: {error}."
        raise GameError(message, error=shorten(str(error), 100)) from None
    if address.startswith("tls://") and context is None:
        message = "The cluster at {address} needs certificates, and Dask's settings (distributed.comm.tls) have none."
        raise GameError(message, address=shown(address))
    return security


def perform(version: str, module: str, job: str, given: Answer) -> list[Answer]:
    """Does a job in this process; returns its answers, and at the end an error or an empty dictionary."""
    if version != __version__:
        where = socket.gethostname()
        return [
            {
                "error": phrase(
                    "The worker on {where} has pentad {other}, not {version}. All need the same version.",
                    where=where,
                    other=__version__,
                    version=version,
                )
            }
        ]
    lines: list[Answer] = []
    worker = Worker(importlib.import_module(module).JOBS, lambda line: lines.append(json.loads(line)))
    set_current(worker)
    worker.answer(json.dumps({"id": 1, "job": job, "given": given}))
    end = next(line for line in lines if "end" in line)
    return [*(line["answer"] for line in lines if "answer" in line), {"error": end["error"]} if "error" in end else {}]


def completed(
    farm: Farm, job: str, units: Iterable[tuple[Unit, Mapping[str, Any]]], stop: Callable[[], bool] = lambda: False
) -> Generator[tuple[Unit, Answer], None, None]:
    """The answers to units of work as they come; a unit is repeated if its worker dies.

    Few units are submitted at once: as many as keep the workers busy. `stop` is polled and ends with KeyboardInterrupt.
    """
    queue, running = iter(units), dict[Future[Answer], tuple[Unit, Mapping[str, Any], int]]()
    try:
        while True:
            for unit, given in islice(queue, AHEAD * farm.workers - len(running)):
                running[farm.submit(job, given)] = unit, given, 1
            if not running:
                return
            done = wait(running, POLL_SECONDS, FIRST_COMPLETED).done
            if stop():
                raise KeyboardInterrupt
            for future in done:
                unit, given, attempt = running.pop(future)
                try:
                    answer = future.result()
                except WorkerDied as died:
                    if attempt == MAX_ATTEMPTS:
                        raise GameError(
                            "A worker failed {attempts} times in a row: it {end}.", end=died.how, attempts=MAX_ATTEMPTS
                        ) from None
                    running[farm.submit(job, given)] = unit, given, attempt + 1
                except WorkerFailed as failed:
                    raise GameError(str(failed)) from None
                else:
                    yield unit, answer
    finally:
        for future in running:
            future.cancel()

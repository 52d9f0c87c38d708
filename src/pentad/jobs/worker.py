"""Worker process: reads requests, one JSON line each, and writes answers, one JSON line each.

Run as `python -m pentad.jobs MODULE NICE`. The module has a table `JOBS` of functions by name, each of which yields
answers. A request is `{"id": 1, "job": "move", "given": {…}}`. It gets `{"id": 1, "note": "begun"}` when the function
has returned its iterator, so that loading modules is not part of the work. Then come any number of
`{"id": 1, "answer": {…}}`, and among them `{"id": 1, "note": "compiling", …}` and every few seconds
`{"id": 1, "note": "alive"}`, which tells a busy process from a hung one. The last line is
`{"id": 1, "end": true, "memory": bytes}`, with an `error` if there is one, and with `"last": true` if the process ends
too. `{"stop": 1}` asks a request to end early with its results so far. The process ends when its input ends, even in
the middle of a search: its client is gone then.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, TextIO, TypeAlias

from pentad.game import GameError, shorten
from pentad.kernels import cache
from pentad.kernels.buffers import ARENA
from pentad.system.memory import used_memory
from pentad.system.words import phrase

Answer: TypeAlias = "dict[str, Any]"
Jobs: TypeAlias = Mapping[str, Callable[..., Iterator[Answer]]]

BEGUN = "begun"  # the note of a request whose work begins
ALIVE, BEAT_EVERY = "alive", 2.0  # the note of a heartbeat, and seconds between those of a busy process
MAX_ERROR_LENGTH = 400


class Worker:
    """Runs requests and writes their answers."""

    def __init__(self, jobs: Jobs, write: Callable[[str], None], poll: Callable[[], object] = lambda: None) -> None:
        """`poll` reads messages that have arrived, where no thread does; long jobs call it from time to time."""
        self._jobs, self._write, self.poll = jobs, write, poll
        self._request_id: int | None = None
        self._stopped: int | None = None  # the id of the request that was asked last to end early
        self._on_stop: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def send(self, **fields: Any) -> None:
        """Writes a line about the current request."""
        with self._lock:
            self._write(json.dumps({"id": self._request_id} | fields))

    def beat(self, wait: Callable[[float], object] = time.sleep) -> NoReturn:
        """Writes a heartbeat every few seconds while there is a request."""
        while True:
            wait(BEAT_EVERY)
            with self._lock:
                if self._request_id is not None:
                    self._write(json.dumps({"id": self._request_id, "note": ALIVE}))

    def report_compiling(self, game: str, share: float | None) -> None:
        """Reports that kernels are being compiled, or are ready again."""
        self.send(note="compiling", what=game, share=share)

    def answer(self, line: str) -> None:
        """Answers one request."""
        for _ in self.steps(line):
            pass

    def steps(self, line: str) -> Iterator[None]:
        """Answers one request, with a step for each answer."""
        request = json.loads(line)
        with self._lock:
            self._request_id = request["id"]
        with self._errors() as error:
            answers = self._jobs[request["job"]](**request["given"])
            self.send(note=BEGUN)
            for each in answers:
                self.send(answer=each)
                yield
        self._end(error)

    def refuse(self, line: str, error: str) -> None:
        """Ends a request with an error."""
        with self._lock:
            self._request_id = json.loads(line)["id"]
        self._end({"error": shorten(error, MAX_ERROR_LENGTH)})

    def answer_and_leave(self, make: Callable[[], Answer]) -> NoReturn:
        """Ends the current request with an answer and this process with it, whatever its main thread does."""
        with self._errors() as error:
            self.send(answer=make())
        self._end(error | {"last": True})
        leave()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[Answer]:
        """Notes an error as one line: a traceback would fill a page of the log for each client."""
        found: Answer = {}
        try:
            yield found
        except GameError as invalid:
            found["error"] = str(invalid)
        except MemoryError:
            found["error"] = "Out of memory."
        except Exception as bug:  # the next request may succeed
            text = phrase("Internal error (a bug in pentad): {kind}: {bug}", kind=type(bug).__name__, bug=bug)
            found["error"] = shorten(text, MAX_ERROR_LENGTH)

    def _end(self, more: Answer) -> None:
        ARENA.release()  # an idle process keeps none of it
        with self._lock:
            self._write(json.dumps({"id": self._request_id, "end": True, "memory": used_memory()} | more))
            self._request_id = self._on_stop = None

    def stop(self, number: int) -> None:
        """Asks a request to end early; called by the thread that reads the input."""
        with self._lock:
            self._stopped = number
            on_stop = self._on_stop if number == self._request_id else None
        if on_stop:
            on_stop()

    def on_stop(self, call: Callable[[], None]) -> None:
        """Has a function called when the current request is asked to end early; at once if it was."""
        with self._lock:
            self._on_stop = call
            is_stopped = self._request_id == self._stopped
        if is_stopped:
            call()


def leave() -> NoReturn:
    """Kills this process and its compiler processes, which would otherwise complain about lost output."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


_running: list[Worker] = []


def current() -> Worker:
    """The worker of this process, for a job that sends answers itself or can end early."""
    return _running[-1]


def set_current(worker: Worker) -> None:
    """Makes a worker the one of this process."""
    _running[:] = [worker]


def _read(source: TextIO, worker: Worker, requests: queue.SimpleQueue[str]) -> None:
    for line in source:
        if line.startswith('{"stop"'):
            worker.stop(json.loads(line)["stop"])
        else:
            requests.put(line)
    leave()


def main() -> None:
    module, nice = sys.argv[1:]
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(int(nice))
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # output of a bot must not mix with the answers
    requests: queue.SimpleQueue[str] = queue.SimpleQueue()
    worker = Worker(importlib.import_module(module).JOBS, lambda line: print(line, file=out, flush=True))
    set_current(worker)
    threading.Thread(target=_read, args=(sys.stdin, worker, requests), daemon=True).start()
    with cache.listening(worker.report_compiling):
        threading.Thread(target=worker.beat, daemon=True).start()
        while True:
            worker.answer(requests.get())

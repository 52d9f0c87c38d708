"""Worker process: reads requests, one JSON line each, and writes answers, one JSON line each.

Run as `python -m pentad.web.engines.worker [NICE]`. A request is `{"id": 1, "job": "move", "given": {…}}`. It gets any
number of `{"id": 1, "answer": {…}}`, and among them `{"id": 1, "note": "compiling", …}` and every few seconds
`{"id": 1, "note": "alive"}`, which tells a busy process from a hung one. The last line is
`{"id": 1, "end": true, "memory": bytes}`, with an `error` if there is one. The process ends when its input ends, even
in the middle of a search: its client is gone then.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn, TextIO

from pentad import kernel
from pentad.game import GameError, shorten
from pentad.jobs.heartbeat import BEAT_EVERY
from pentad.system_memory import used_memory
from pentad.web.engines.jobs import JOBS
from pentad.web.engines.worker_process import ALIVE

LONGEST_ERROR = 400  # characters


class Worker:
    """Runs requests and writes their answers."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._id: int | None = None  # of the current request
        self._lock = threading.Lock()

    def send(self, **fields: Any) -> None:
        """Writes a line about the current request."""
        with self._lock:
            self._write(json.dumps({"id": self._id} | fields))

    def beat(self, wait: Callable[[float], object] = time.sleep) -> NoReturn:
        """Writes a heartbeat every few seconds while there is a request."""
        while True:
            wait(BEAT_EVERY)
            with self._lock:
                if self._id is not None:
                    self._write(json.dumps({"id": self._id, "note": ALIVE}))

    def report_compiling(self, game: str, share: float | None) -> None:
        """Reports that kernels are being compiled, or are ready again."""
        self.send(note="compiling", what=game, share=share)

    def answer(self, line: str) -> None:
        """Answers one request."""
        request = json.loads(line)
        with self._lock:
            self._id = request["id"]
        error: dict[str, str] = {}
        try:
            for each in JOBS[request["job"]](**request["given"]):
                self.send(answer=each)
        except GameError as invalid:
            error = {"error": str(invalid)}
        except MemoryError:
            error = {"error": "Out of memory."}
        except Exception as bug:  # the next request may succeed
            text = f"Internal error (a bug in pentad): {type(bug).__name__}: {bug}"
            error = {"error": shorten(text, LONGEST_ERROR)}
        with self._lock:
            self._write(json.dumps({"id": self._id, "end": True, "memory": used_memory()} | error))
            self._id = None


def _read(source: TextIO, requests: queue.SimpleQueue[str]) -> None:
    for line in source:
        requests.put(line)
    os._exit(0)


def main() -> None:
    if len(sys.argv) > 1 and hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(int(sys.argv[1]))
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # output of a bot must not mix with the answers
    requests: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin, requests), daemon=True).start()
    worker = Worker(lambda line: print(line, file=out, flush=True))
    with kernel.listening(worker.report_compiling):
        threading.Thread(target=worker.beat, daemon=True).start()
        while True:
            worker.answer(requests.get())


if __name__ == "__main__":
    main()

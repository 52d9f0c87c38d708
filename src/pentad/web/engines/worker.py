"""A worker process: it reads questions, a line of JSON each, and writes answers, a line each, the last one marked.

Run as `python -m pentad.web.engines.worker [NICE]`. A question is `{"id": 1, "job": "move", "given": {…}}`; to it
belong any number of `{"id": 1, "answer": {…}}`, between them `{"id": 1, "note": "compiling", …}` and every few seconds
`{"id": 1, "note": "alive"}`, so that a process that hangs is told from one that thinks, and at the end
`{"id": 1, "end": true, "memory": bytes}`, with an `error` in it if there is one. The process ends when its input does,
even in the middle of a search: whoever asked is gone then.
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
from pentad.system_memory import used_memory
from pentad.web.engines.jobs import JOBS
from pentad.web.engines.worker_process import ALIVE
from pentad.web.heartbeat import BEAT_EVERY

LONGEST_ERROR = 400  # letters


class Worker:
    """What a worker does with a question."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._id: int | None = None  # of the question of the moment
        self._lock = threading.Lock()

    def tell(self, **what: Any) -> None:
        """Write a line about the question of the moment."""
        with self._lock:
            self._write(json.dumps({"id": self._id} | what))

    def beat(self, wait: Callable[[float], object] = time.sleep) -> NoReturn:
        """Tell every few seconds that this process lives, as long as there is a question."""
        while True:
            wait(BEAT_EVERY)
            with self._lock:
                if self._id is not None:
                    self._write(json.dumps({"id": self._id, "note": ALIVE}))

    def prepares(self, game: str, share: float | None) -> None:
        """Kernels are being prepared, or ready again."""
        self.tell(note="compiling", what=game, share=share)

    def answer(self, line: str) -> None:
        """Answer one question."""
        question = json.loads(line)
        with self._lock:
            self._id = question["id"]
        error: dict[str, str] = {}
        try:
            for each in JOBS[question["job"]](**question["given"]):
                self.tell(answer=each)
        except GameError as wrong:
            error = {"error": str(wrong)}
        except MemoryError:
            error = {"error": "there is not enough memory"}
        except Exception as bug:  # the next question may fare better
            error = {"error": shorten(f"this is a bug in pentad: {type(bug).__name__}: {bug}", LONGEST_ERROR)}
        with self._lock:
            self._write(json.dumps({"id": self._id, "end": True, "memory": used_memory()} | error))
            self._id = None


def _read(source: TextIO, questions: queue.SimpleQueue[str]) -> None:
    for line in source:
        questions.put(line)
    os._exit(0)


def main() -> None:
    if len(sys.argv) > 1 and hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(int(sys.argv[1]))
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a bot prints must not come between the answers
    questions: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin, questions), daemon=True).start()
    worker = Worker(lambda line: print(line, file=out, flush=True))
    with kernel.listening(worker.prepares):
        threading.Thread(target=worker.beat, daemon=True).start()
        while True:
            worker.answer(questions.get())


if __name__ == "__main__":
    main()

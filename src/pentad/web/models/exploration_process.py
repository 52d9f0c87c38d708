"""Exploration process: explores one model, and writes its progress as lines of JSON.

`pentad.web.models.exploration_pool` runs it as `python -m pentad.web.models.exploration_process`. The first line of
input is the job; a second one ends the search with its results so far. The end of the input ends the process: the
client is gone. Its output is {"states", "transitions", "open", "seconds"}, {"preparing": true} before kernels are
loaded or compiled, {"alive": true} every few seconds as a heartbeat, and at last {"done": …} or {"error": …}.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TextIO

import numpy as np

from pentad import kernel
from pentad.game import GameError, shorten
from pentad.grammar.draw import draw_lts
from pentad.grammar.explore import Exploration, explore
from pentad.grammar.grammar import Grammar
from pentad.grammar.logic import ctl_formulas
from pentad.grammar.logic.ctl import check
from pentad.grammar.logic.ctl_formulas import Formula
from pentad.grammar.lts import Lts
from pentad.grammar.models import find
from pentad.grammar.system import prepare
from pentad.jobs.heartbeat import BEAT_EVERY

NICE = 10  # the same as other long work
LONGEST_ERROR = 400  # characters
PROGRESS = 0.2  # seconds between reports of progress
MEMORY = 1 << 29  # bytes for the search
MOST_DRAWN = 40  # states of a drawing
LONGEST_TRACE = 300  # steps of a witness


class EarlyStop:
    """Ends a search early, because of the clock or the client, and keeps the results so far.

    A search polls `is_asked`. While kernels are loaded or compiled nothing polls; then the results so far are sent at
    once.
    """

    def __init__(self, finish: Callable[[Exploration, str], NoReturn]) -> None:
        self.why = ""
        self._finish = finish
        self._found: Exploration | None = None  # until kernels were needed
        self._is_loading = self._is_over = False
        self._lock = threading.RLock()

    def request(self, why: str) -> None:
        """Ends the search, unless it has ended."""
        with self._lock:
            if not (self._is_over or self.why):
                self.why = why
                self._end_if_loading()

    def is_asked(self) -> bool:
        """Whether the search should end."""
        return bool(self.why)

    def keep_results(self, found: Exploration) -> None:
        """Keeps results to send if the search ends while kernels load."""
        self._found = found

    def set_loading(self, is_loading: bool) -> None:
        """Notes that kernels start or finish loading."""
        with self._lock:
            self._is_loading = is_loading
            self._end_if_loading()

    def finish(self) -> None:
        """Notes that the search has ended by itself."""
        with self._lock:
            self._is_over = True

    def _end_if_loading(self) -> None:
        if self.why and self._is_loading and self._found and not self._is_over:
            self._found.stopped = "interrupted"
            self._finish(self._found, self.why)


class Clock:
    """Ends a search after its time limit; time for loading or compiling kernels does not count."""

    def __init__(self, early_stop: EarlyStop, seconds: float) -> None:
        self._early_stop, self._seconds = early_stop, seconds
        self._spent, self._since = 0.0, time.monotonic()
        self._timer: threading.Timer | None = None

    @property
    def spent(self) -> float:
        return self._spent + (time.monotonic() - self._since if self._timer else 0.0)

    def resume(self) -> None:
        self._since = time.monotonic()
        self._timer = threading.Timer(max(0.0, self._seconds - self._spent), self._early_stop.request, ("seconds",))
        self._timer.daemon = True
        self._timer.start()

    def pause(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._spent, self._timer = self.spent, None


def summary(found: Exploration, why: str) -> dict[str, Any]:
    """The results of an exploration."""
    lts = found.lts
    stuck = np.ones(found.states, bool)
    stuck[list(lts.open)] = False
    stuck[np.asarray(lts.sources)] = False
    actions: Counter[str] = Counter()
    for (name, _), count in zip(lts.labels, counts(lts.actions), strict=False):
        actions[name] += count
    return {
        "states": found.states,
        "transitions": found.transitions,
        "final": found.final,
        "stuck": int(stuck.sum()),
        "open": len(lts.open),
        "broken": len(lts.broken),
        "depths": counts(lts.depths),
        "actions": dict(actions.most_common()),
        "isomorphism": found.isomorphism,
        "engine": found.engine,
        "stopped": why if found.stopped == "interrupted" else found.stopped,
        "seconds": round(found.seconds, 3),
        "svg": _drawn(lts) if lts.states <= MOST_DRAWN else None,
    }


def counts(column: array[int]) -> list[int]:
    """How often each number from 0 on occurs in a column of a transition system."""
    return [int(count) for count in np.bincount(np.asarray(column))]


def read_property(text: str, grammar: Grammar) -> Formula | None:
    """The formula to check at the end, if any; an invalid one is an error before the exploration."""
    if not text.strip():
        return None
    formula = ctl_formulas.parse(text)
    ctl_formulas.check_names(formula, prepare(grammar).names)
    return formula


def check_result(formula: Formula | None, found: Exploration) -> dict[str, Any] | None:
    """Whether a formula holds at the start and elsewhere, with a witness."""
    if formula is None:
        return None
    verdict = check(formula, found.lts).json()
    if verdict["witness"]:
        verdict["witness"]["steps"] = verdict["witness"]["steps"][:LONGEST_TRACE]
    return verdict


def _drawn(lts: Lts) -> str:
    return draw_lts(lts, title="States found" if lts.open else "All states", style=False)


def leave() -> NoReturn:
    """Kills this process and its compiler processes, which would otherwise complain about lost output."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # other output must not mix with the lines
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICE)
    job = json.loads(sys.stdin.readline())
    lock = threading.Lock()
    formula: Formula | None = None

    def send(**fields: Any) -> None:
        with lock:
            print(json.dumps(fields), file=out, flush=True)

    def beat() -> NoReturn:
        while True:
            time.sleep(BEAT_EVERY)
            send(alive=True)

    def finish(found: Exploration, why: str) -> NoReturn:
        """Sends the results and exits at once, without waiting for threads."""
        with failing():
            send(done=summary(found, why) | {"property": check_result(formula, found)})
        leave()

    @contextlib.contextmanager
    def failing() -> Iterator[None]:
        """Sends any error as one line, as a traceback would fill a page of the log for each client."""
        try:
            yield
            return
        except GameError as invalid:
            error = str(invalid)
        except MemoryError:
            error = "Out of memory."
        except Exception as bug:
            error = f"Internal error (a bug in pentad): {type(bug).__name__}: {bug}"
        early_stop.finish()
        send(error=shorten(error, LONGEST_ERROR))
        leave()

    early_stop = EarlyStop(finish)

    def read_input(source: TextIO) -> None:
        for _ in source:
            early_stop.request("stopped")
        leave()

    def on_compiling(what: str, share: float | None) -> None:
        """Stops the time limit while kernels are loaded or compiled."""
        if not what:
            early_stop.set_loading(False)
            clock.resume()
        elif share is None:
            clock.pause()
            send(preparing=True)
            early_stop.set_loading(True)

    threading.Thread(target=read_input, args=(sys.stdin,), daemon=True).start()
    threading.Thread(target=beat, daemon=True).start()
    clock = Clock(early_stop, job["seconds"])
    last = time.monotonic()

    def progress(states: int, transitions: int, waiting: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PROGRESS:
            last = now
            send(states=states, transitions=transitions, open=waiting, seconds=round(clock.spent, 2))

    with failing():
        grammar = find(job["model"]).read(job["options"])
        formula = read_property(job["property"], grammar)
        clock.resume()
        with kernel.listening(on_compiling):
            found = explore(
                grammar,
                depth=job["depth"],
                states=job["states"],
                memory=MEMORY,
                progress=progress,
                stop=early_stop.is_asked,
                early=early_stop.keep_results,
            )
        early_stop.finish()
        finish(found, early_stop.why)


if __name__ == "__main__":
    main()

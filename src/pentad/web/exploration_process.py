"""A process that explores one model: it reads what to do, a line of JSON, and writes how far it is, a line at a time.

`pentad.web.exploration_pool` runs it as `python -m pentad.web.exploration_process`. A second line ends the search with
what it has. The end of its input ends it at once: the client is gone. Lines are {"states", "transitions", "open",
"seconds"}, {"preparing": true} where kernels are to be loaded or compiled first, {"alive": true} every few seconds, so
that a process that hangs is told from one that works, and at last {"done": …} or {"error": …}.
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
from pentad.web.heartbeat import BEAT_EVERY

NICE = 10  # as other long work
LONGEST_ERROR = 400  # letters
PROGRESS = 0.2  # seconds between two lines that tell how far it is
MEMORY = 1 << 29  # bytes that it may take
MOST_DRAWN = 40  # states of a picture
LONGEST_WAY = 300  # steps that are told of a way that shows something


class Ending:
    """What ends a search early, the clock or whoever asked; and what there is to tell then.

    A search asks whether it is to end. While kernels are loaded or compiled nothing asks: then what was found before
    is told at once.
    """

    def __init__(self, finish: Callable[[Exploration, str], NoReturn]) -> None:
        self.why = ""
        self._finish = finish
        self._found: Exploration | None = None  # before kernels were needed
        self._is_loading = self._is_over = False
        self._lock = threading.RLock()

    def now(self, why: str) -> None:
        """End it, unless that is done already."""
        with self._lock:
            if not (self._is_over or self.why):
                self.why = why
                self._end_if_loading()

    def is_asked(self) -> bool:
        """Whether the search is to end."""
        return bool(self.why)

    def found(self, found: Exploration) -> None:
        """What is there to be told in any case."""
        self._found = found

    def loads(self, loads: bool) -> None:
        """Kernels are loaded from now on, or no more."""
        with self._lock:
            self._is_loading = loads
            self._end_if_loading()

    def over(self) -> None:
        """The search has ended by itself, and nothing is left to end."""
        with self._lock:
            self._is_over = True

    def _end_if_loading(self) -> None:
        if self.why and self._is_loading and self._found and not self._is_over:
            self._found.stopped = "interrupted"
            self._finish(self._found, self.why)


class Clock:
    """Ends a search after its seconds, of which those in which kernels are loaded or compiled are none."""

    def __init__(self, ending: Ending, seconds: float) -> None:
        self._ending, self._seconds = ending, seconds
        self._spent, self._since = 0.0, time.monotonic()
        self._timer: threading.Timer | None = None

    @property
    def spent(self) -> float:
        return self._spent + (time.monotonic() - self._since if self._timer else 0.0)

    def go_on(self) -> None:
        self._since = time.monotonic()
        self._timer = threading.Timer(max(0.0, self._seconds - self._spent), self._ending.now, ("seconds",))
        self._timer.daemon = True
        self._timer.start()

    def halt(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._spent, self._timer = self.spent, None


def told(found: Exploration, why: str) -> dict[str, Any]:
    """What was found."""
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
    """How often each number from 0 on stands in a column of a transition system."""
    return [int(count) for count in np.bincount(np.asarray(column))]


def read_property(text: str, grammar: Grammar) -> Formula | None:
    """What shall be looked at in the end, if anything; that it can be is known before all is explored."""
    if not text.strip():
        return None
    formula = ctl_formulas.parse(text)
    ctl_formulas.check_names(formula, prepare(grammar).names)
    return formula


def checked(formula: Formula | None, found: Exploration) -> dict[str, Any] | None:
    """Whether a formula holds at the start, where else, and the way that shows it."""
    if formula is None:
        return None
    verdict = check(formula, found.lts).json()
    if verdict["witness"]:
        verdict["witness"]["steps"] = verdict["witness"]["steps"][:LONGEST_WAY]
    return verdict


def _drawn(lts: Lts) -> str:
    return draw_lts(lts, title="the states found" if lts.open else "all states", style=False)


def leave() -> NoReturn:
    """End at once, and whatever compiles kernels for this process, which would complain that nobody hears it."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing else must come between the lines
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICE)
    job = json.loads(sys.stdin.readline())
    telling = threading.Lock()
    formula: Formula | None = None

    def say(**what: Any) -> None:
        with telling:
            print(json.dumps(what), file=out, flush=True)

    def beat() -> NoReturn:
        while True:
            time.sleep(BEAT_EVERY)
            say(alive=True)

    def finish(found: Exploration, why: str) -> NoReturn:
        """Tell what was found, and end at once: whatever listens or loads need not be waited for."""
        with failing():
            say(done=told(found, why) | {"property": checked(formula, found)})
        leave()

    @contextlib.contextmanager
    def failing() -> Iterator[None]:
        """Whatever goes wrong is told in a line: a traceback would be a page of the log for each who asks."""
        try:
            yield
            return
        except GameError as wrong:
            error = str(wrong)
        except MemoryError:
            error = "there is not enough memory"
        except Exception as bug:
            error = f"this is a bug in pentad: {type(bug).__name__}: {bug}"
        ending.over()
        say(error=shorten(error, LONGEST_ERROR))
        leave()

    ending = Ending(finish)

    def listen(source: TextIO) -> None:
        for _ in source:
            ending.now("stopped")
        leave()

    def made_ready(what: str, share: float | None) -> None:
        """Kernels are loaded, or compiled; the search goes on when nothing more is said of it."""
        if not what:
            ending.loads(False)
            clock.go_on()
        elif share is None:
            clock.halt()
            say(preparing=True)
            ending.loads(True)

    threading.Thread(target=listen, args=(sys.stdin,), daemon=True).start()
    threading.Thread(target=beat, daemon=True).start()
    clock = Clock(ending, job["seconds"])
    last = time.monotonic()

    def progress(states: int, transitions: int, waiting: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PROGRESS:
            last = now
            say(states=states, transitions=transitions, open=waiting, seconds=round(clock.spent, 2))

    with failing():
        grammar = find(job["model"]).read(job["options"])
        formula = read_property(job["property"], grammar)
        clock.go_on()
        with kernel.listening(made_ready):
            found = explore(
                grammar,
                depth=job["depth"],
                states=job["states"],
                memory=MEMORY,
                progress=progress,
                stop=ending.is_asked,
                early=ending.found,
            )
        ending.over()
        finish(found, ending.why)


if __name__ == "__main__":
    main()

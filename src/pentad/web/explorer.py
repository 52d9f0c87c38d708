"""A process that explores one model: it reads what to do, a line of JSON, and writes how far it is, a line at a time.

Run as `python -m pentad.web.explorer` by `pentad.web.explorers`. Another line ends the search with what it has; the
end of its input ends it at once, for whoever asked is gone then. Lines are {"states", "transitions", "open",
"seconds"}, the last one {"done": …} or {"error": …}.
"""

from __future__ import annotations

import _thread
import json
import os
import sys
import threading
import time
from collections import Counter
from typing import Any, TextIO

from pentad.game import GameError
from pentad.grammar.draw import draw_lts
from pentad.grammar.explore import Exploration, explore
from pentad.grammar.models import find

BEAT = 0.2  # seconds between two lines
MEMORY = 1 << 29  # bytes that it may take
MOST_DRAWN = 40  # states of a picture


class Ending:
    """What ends a search early: the clock or whoever asked."""

    def __init__(self) -> None:
        self.why = ""
        self._over = False
        self._lock = threading.Lock()

    def now(self, why: str) -> None:
        with self._lock:
            if not self._over and not self.why:
                self.why = why
                _thread.interrupt_main()

    def over(self) -> None:
        """The search has ended by itself: nothing is left to interrupt."""
        with self._lock:
            self._over = True


def told(found: Exploration, why: str) -> dict[str, Any]:
    """What was found."""
    lts = found.lts
    leaving = set(lts.sources)
    title = "the states found" if lts.open else "all states"
    return {
        "states": found.states,
        "transitions": found.transitions,
        "final": found.final,
        "stuck": sum(state not in leaving and state not in lts.open for state in range(lts.states)),
        "open": len(lts.open),
        "broken": len(lts.broken),
        "depths": [count for _, count in sorted(Counter(lts.depths).items())],
        "actions": dict(Counter(lts.labels[number][0] for number in lts.actions).most_common()),
        "isomorphism": found.isomorphism,
        "stopped": why if found.stopped == "interrupted" else found.stopped,
        "seconds": round(found.seconds, 3),
        "svg": draw_lts(lts, title=title, style=False) if lts.states <= MOST_DRAWN else None,
    }


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing else must come between the lines
    job = json.loads(sys.stdin.readline())
    ending = Ending()

    def say(**what: Any) -> None:
        print(json.dumps(what), file=out, flush=True)

    def listen(source: TextIO) -> None:
        for _ in source:
            ending.now("stopped")
        os._exit(0)

    threading.Thread(target=listen, args=(sys.stdin,), daemon=True).start()
    clock = threading.Timer(job["seconds"], ending.now, ("seconds",))
    clock.daemon = True
    last = begun = time.perf_counter()

    def progress(states: int, transitions: int, waiting: int) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - last >= BEAT:
            last = now
            say(states=states, transitions=transitions, open=waiting, seconds=round(now - begun, 2))

    try:
        grammar = find(job["model"]).read(job["options"])
        clock.start()
        found = explore(
            grammar,
            engine="general",  # the other is to be compiled first, which may take longer than the whole search
            depth=job["depth"],
            states=job["states"],
            memory=MEMORY,
            progress=progress,
        )
        ending.over()
        say(done=told(found, ending.why))
    except GameError as error:
        ending.over()
        say(error=str(error))
    out.flush()
    os._exit(0)  # whatever listens need not be waited for


if __name__ == "__main__":
    main()

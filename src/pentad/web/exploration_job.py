"""Jobs of a worker process for models: explorations, and the values of the moves of games.

The answers of an exploration are its progress, {"states", "transitions", "open", "seconds"}, {"preparing": true} before
kernels are loaded or compiled, and at last its results, {"done": …}.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NoReturn

from pentad.grammar.adviser import Adviser
from pentad.grammar.draw import draw_lts
from pentad.grammar.exploration import Exploration, explore
from pentad.grammar.film import Film
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import formulas
from pentad.grammar.logic.bisimulation import quotient
from pentad.grammar.logic.ctl import AdjacencyArrays, check
from pentad.grammar.logic.formulas import Formula
from pentad.grammar.logic.state_sets import StateSet
from pentad.grammar.lts import Lts, Trace
from pentad.grammar.models import find
from pentad.grammar.simulation import Simulation
from pentad.grammar.system import prepare
from pentad.jobs.worker import Answer, Jobs, current
from pentad.kernels import cache
from pentad.system.words import phrase

REPORT_SECONDS = 0.2
MEMORY_BYTES = 1 << 29
MAX_DRAWN_STATES = 40
MAX_MINIMISED_STATES = 20_000
MAX_DRAWN_CLASSES = 60
MAX_SOLVED_STATES = 200_000
MAX_MOVES_WITH_VALUES = 3000
MAX_TRACE_STEPS = 300
MAX_FILM_STEPS = 40
MAX_FILM_LENGTH = 1 << 20


class EarlyStop:
    """Ends a search early, because of its time limit or the client, and keeps the results so far.

    A search polls `is_asked`, which looks at the clock; no timer is needed. While kernels are loaded or compiled
    the clock is paused and nothing polls; if the search should end then, the results so far are sent at once.
    """

    def __init__(self, seconds: float, finish: Callable[[Exploration, str], NoReturn]) -> None:
        self.why = ""
        self._seconds, self._finish = seconds, finish
        self._found: Exploration | None = None  # None until kernels are needed
        self._is_loading = self._is_over = False
        self._lock = threading.RLock()  # a client's request comes from another thread
        self._spent = 0.0
        self._since: float | None = time.monotonic()  # None while the clock is paused

    @property
    def spent(self) -> float:
        """The seconds of the search so far."""
        return self._spent + (0.0 if self._since is None else time.monotonic() - self._since)

    def request(self, why: str) -> None:
        """Ends the search, unless it has ended."""
        with self._lock:
            if not (self._is_over or self.why):
                self.why = why
                self._end_if_loading()

    def is_asked(self) -> bool:
        """Whether the search should end."""
        if not self.why and self.spent >= self._seconds:
            self.request("seconds")
        return bool(self.why)

    def keep_results(self, found: Exploration) -> None:
        """Keeps results to send if the search ends while kernels load."""
        self._found = found

    def pause(self) -> None:
        """Notes that kernels start loading."""
        self.is_asked()
        self._spent, self._since = self.spent, None
        with self._lock:
            self._is_loading = True
            self._end_if_loading()

    def resume(self) -> None:
        """Notes that no kernels load any more."""
        with self._lock:
            self._is_loading = False
        self._since = time.monotonic()

    def finish(self) -> None:
        """Notes that the search has ended by itself."""
        with self._lock:
            self._is_over = True

    def _end_if_loading(self) -> None:
        if self.why and self._is_loading and self._found and not self._is_over:
            self._is_over, self._found.stopped = True, "interrupted"
            self._finish(self._found, self.why)


def summary(found: Exploration, why: str) -> dict[str, Any]:
    """The results of an exploration."""
    lts = found.lts
    stuck = AdjacencyArrays(lts, lts.states).stuck & ~StateSet.of(lts.states, lts.open)
    actions: Counter[str] = Counter()
    for (name, _), count in zip(lts.labels, counts(lts.actions), strict=False):
        actions[name] += count
    return {
        "states": found.states,
        "transitions": found.transitions,
        "final": found.final,
        "stuck": len(stuck),
        "open": len(lts.open),
        "broken": len(lts.broken),
        "depths": counts(lts.depths),
        "actions": dict(actions.most_common()),
        "isomorphism": found.isomorphism,
        "engine": found.engine,
        "stopped": why if found.stopped == "interrupted" else found.stopped,
        "seconds": round(found.seconds, 3),
        **picture_of(lts),
    }


def picture_of(lts: Lts) -> dict[str, Any]:
    """A picture of the states; of many states one of their classes up to bisimulation, whose number is given."""
    title = "States found" if lts.open else "All states"
    if lts.states <= MAX_DRAWN_STATES:
        return {"svg": draw_lts(lts, title=title, style=False), "classes": None}
    if lts.states > MAX_MINIMISED_STATES:
        return {"svg": None, "classes": None}
    small = quotient(lts, memory=MEMORY_BYTES)
    svg = None
    if small.lts.states <= MAX_DRAWN_CLASSES:
        caption = phrase(
            "{states:,} states and {transitions:,} transitions, merged by strong bisimulation",
            states=lts.states,
            transitions=lts.transitions,
        )
        svg = draw_lts(small.lts, title=title, style=False, sizes=small.sizes, caption=caption)
    return {"svg": svg, "classes": small.lts.states}


def counts(column: array[int]) -> list[int]:
    """How often each number from 0 on occurs in a column of a transition system."""
    found = Counter(column)
    return [found[number] for number in range(max(found, default=-1) + 1)]


def film_of(found: Exploration, trace: Trace | None) -> str | None:
    """The film of a trace that has steps, unless it is long or its graphs are large."""
    if trace is None or not 0 < len(trace) <= MAX_FILM_STEPS:
        return None
    try:
        film = Film.of(found.lts, trace, found.grammar.name).svg()
    except GrammarError:  # a graph is too large to be drawn
        return None
    return film if len(film) <= MAX_FILM_LENGTH else None


def read_property(text: str, grammar: Grammar) -> Formula | None:
    """The formula to check at the end, if any; an invalid one is an error before the exploration."""
    if not text.strip():
        return None
    formula = formulas.parse(text)
    formulas.check_names(formula, prepare(grammar).names)
    return formula


def explore_model(
    model: str,
    options: dict[str, str],
    depth: int | None,
    states: int,
    seconds: float,
    property: str,
) -> Iterator[Answer]:
    """Explores a model. A client may end it early, and gets the results so far."""
    worker = current()
    grammar = find(model).read(options)
    formula = read_property(property, grammar)

    def results(found: Exploration, why: str) -> Answer:
        if formula is None:
            return {"done": summary(found, why) | {"property": None}}
        verdict = check(formula, found.lts)
        data = verdict.json() | {"film": film_of(found, verdict.witness)}
        if data["witness"]:
            data["witness"]["steps"] = data["witness"]["steps"][:MAX_TRACE_STEPS]
        return {"done": summary(found, why) | {"property": data}}

    early_stop = EarlyStop(seconds, lambda found, why: worker.answer_and_leave(lambda: results(found, why)))
    last = time.monotonic()

    def progress(states: int, transitions: int, waiting: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_SECONDS:
            last = now
            worker.send(answer={
                "states": states, "transitions": transitions, "open": waiting, "seconds": round(early_stop.spent, 2)
            })  # fmt: skip
            worker.poll()

    def send(answer: Answer) -> None:
        worker.send(answer=answer)

    worker.on_stop(lambda: early_stop.request("stopped"))
    try:
        with paused_while_loading(early_stop, send):
            found = explore(
                grammar,
                depth=depth,
                states=states,
                memory=MEMORY_BYTES,
                progress=progress,
                stop=early_stop.is_asked,
                early=early_stop.keep_results,
            )
    finally:
        early_stop.finish()
    yield results(found, early_stop.why)


@contextlib.contextmanager
def paused_while_loading(early_stop: EarlyStop, send: Callable[[Answer], None] | None = None) -> Iterator[None]:
    """Stops the time limit while kernels are loaded or compiled."""

    def on_compiling(what: str, share: float | None) -> None:
        if not what:
            early_stop.resume()
        elif share is None:
            if send is not None:
                send({"preparing": True})
            early_stop.pause()

    with cache.listening(on_compiling):
        yield


# ── values ───────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=2)
def adviser_of(model: str, options: tuple[tuple[str, str], ...], seconds: float) -> Adviser:
    """The values of a model's states, explored within a time limit."""
    early_stop = EarlyStop(seconds, lambda *_: sys.exit())  # it keeps no results, so it never finishes early
    with paused_while_loading(early_stop):
        simulation = Simulation(find(model).read(dict(options)))
        return Adviser(simulation, states=MAX_SOLVED_STATES, memory=MEMORY_BYTES, stop=early_stop.is_asked)


def values(model: str, options: dict[str, str], path: list[int], seconds: float) -> Iterator[Answer]:
    """The values of the moves at the end of a path from the start, the best first."""
    adviser = adviser_of(model, tuple(options.items()), seconds)
    simulation = adviser.simulation
    simulation.restart()
    for number in path:
        simulation.take(number)
    found = adviser.values()
    moves = [
        {"number": number, "value": move.value, "distance": move.distance, "best": place < found.best}
        for place, (number, move) in enumerate(found.moves)
    ]
    yield {
        "value": found.value,
        "distance": found.distance,
        "moves": moves[:MAX_MOVES_WITH_VALUES],
        "states": adviser.found.states,
        "complete": not adviser.found.lts.open,
    }


JOBS: Jobs = {"explore": explore_model, "values": values}

"""General engine: explores a state space by matching rules on graphs, in the order and within the bounds of settings.

>>> parse_settings("bound=nodes:20 next=newest")
Traceback (most recent call last):
pentad.grammar.graph.GrammarError: A bound of nodes needs next=oldest.
>>> parse_settings("frontier=single successor=single-random").line
'random'
>>> parse_settings("legacy=crule:eat")
ExplorationSettings(next='oldest', line='', beam=0, bound='upto', limit='eat', goal='', count=0, collapse='')
"""

from __future__ import annotations

import random
import re
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pentad.game import shown, whole
from pentad.grammar.graph import GrammarError
from pentad.grammar.host import Host
from pentad.grammar.language import user_operations
from pentad.grammar.limits import Acceptor, Limits, MemoryLimitReached, Progress, catch_interrupt, default_memory
from pentad.grammar.lts import Counts, Lts
from pentad.grammar.rules.rule import TRANSFORMER
from pentad.grammar.states.state_space import Labels, OutgoingTransition, Space, State, StateExpansion
from pentad.grammar.system import DEADLOCK, ERROR, System
from pentad.system.memory import used_memory
from pentad.system.words import phrase

OLDEST, NEWEST, RANDOM = "oldest", "newest", "random"
FIRST = "first"
# The values of each setting; a value that ends with a colon needs an argument after it.
KINDS: Mapping[str, tuple[str, ...]] = {
    "next": (OLDEST, NEWEST, RANDOM),
    "successor": ("all", "single", "single-random"),
    "frontier": ("complete", "single", "beam:"),
    "bound": ("none", "initial", "cost:", "nodes:", "edges:", "upto:", "include:"),
    "cost": ("none", "uniform"),
    "goal": ("none", "any", "final", "condition:", "fires:"),
    "outcome": ("satisfy", "violate"),
    "count": ("all", FIRST, "value:"),
    "shape": ("state", "trace"),
    "collapse": ("grammar", "equality", "isomorphism"),
    "heuristic": ("none",),
    "persistence": ("all",),
    "algebra": ("grammar",),
}
STRATEGIES: Mapping[str, str] = {
    "bfs": "next=oldest",
    "dfs": "next=newest",
    "linear": "frontier=single successor=single",
    "random": "frontier=single successor=single-random",
}
_OLDER = {**STRATEGIES, "state": "bound=initial"}  # names of GROOVE's older syntax
_UP_TO_RULE = re.compile(r"(bfs|dfs)0*(->|=>)(!?.+)")


@dataclass(frozen=True, slots=True)
class ExplorationSettings:
    """Parsed and checked settings; `goal` has the syntax of `--accept`."""

    next: str = OLDEST
    line: str = ""  # `first` or `random` if only a single path is followed
    beam: int = 0  # the largest number of open states; 0: unlimited
    bound: str = ""  # none, initial, cost, nodes, edges, upto or include
    limit: str = ""
    goal: str = ""
    count: int = 0
    collapse: str = ""

    @property
    def is_default(self) -> bool:
        """Whether the order and the bound are those of breadth-first search."""
        return (self.next, self.line, self.beam, self.bound) == (OLDEST, "", 0, "")


def parse_settings(text: str) -> ExplorationSettings:
    """Parses settings such as `next=newest bound=upto:eat`; an empty text means breadth-first search."""
    given = {key: (values[0], "") for key, values in KINDS.items()} | {"goal": ("", "")}
    for word in text.split():
        name = word.removeprefix("legacy=")
        given |= map(_setting, [word] if name == word else _older(name).split())
    return _settings({key: kind for key, (kind, _) in given.items()}, {key: each for key, (_, each) in given.items()})


def _setting(word: str) -> tuple[str, tuple[str, str]]:
    """A setting's name with its value and the value's argument."""
    key, equals, value = word.partition("=")
    if key not in KINDS or not equals:
        raise GrammarError(
            phrase("Unknown setting {word}. Settings: {kinds}.", word=shown(word), kinds=", ".join(KINDS))
        )
    kind, colon, content = value.partition(":")
    if key in ("count", "frontier") and value.isdecimal():
        kind, colon, content = KINDS[key][-1][:-1], ":", value
    if kind + colon not in KINDS[key] or bool(colon) != bool(content):
        raise GrammarError(
            phrase(
                "The setting {key} is one of {kinds}, not {value}.",
                key=key,
                kinds=", ".join(KINDS[key]),
                value=shown(value),
            )
        )
    return key, (kind, content)


def _older(text: str) -> str:
    """The settings for a name of the older syntax, such as `dfs`, `crule:eat`, `cnbound:20`."""
    word, _, content = text.partition(":")
    if word in ("bfs", "dfs") and content:
        number = _number(content, phrase("The depth of {word}", word=word))
        return _OLDER[word] + (f" cost=uniform bound=cost:{number}" if number else "")
    if word in _OLDER and not content:
        return _OLDER[word]
    bounds = {"crule": "upto", "cnbound": "nodes", "cebound": "edges"}
    if word in bounds and content:
        return f"bound={bounds[word]}:{content}"
    found = _UP_TO_RULE.fullmatch(content) if word == "uptorule" else None
    if found is not None:
        return f"{_OLDER[found[1]]} bound={'upto' if found[2] == '->' else 'include'}:{found[3]}"
    known = ", ".join((*_OLDER, "crule:RULE", "cnbound:N", "cebound:LABEL>N", "uptorule:bfs->RULE"))
    raise GrammarError(phrase("Unknown strategy {text}. Strategies: {known}.", text=shown(text), known=known))


def _number(text: str, what: str) -> int:
    number = whole(text)
    if number is None:
        raise GrammarError(phrase("{what} must be 0 or more, not {text}.", what=what, text=shown(text)))
    return number


def _settings(kinds: Mapping[str, str], contents: Mapping[str, str]) -> ExplorationSettings:
    """The settings with these values and arguments; raises an error if they contradict each other."""
    is_single = kinds["successor"] != "all"
    if (kinds["frontier"] == "single") is not is_single:
        raise GrammarError(
            "frontier=single needs successor=single or successor=single-random, and these need frontier=single."
        )
    line = {"all": "", "single": FIRST, "single-random": RANDOM}[kinds["successor"]]
    has_beam = kinds["frontier"] == "beam"
    beam = _number(contents["frontier"], "The size of a frontier") if has_beam else 0
    if has_beam and beam < 2:
        raise GrammarError("The size of a frontier is a number from 2; use frontier=single for a single path.")
    bound, limit, following = kinds["bound"], contents["bound"], kinds["next"]
    is_search = not line and not beam and following != RANDOM
    if bound in ("cost", "nodes") and not _number(limit, phrase("A bound of {bound}", bound=bound)) and bound == "cost":
        raise GrammarError("A bound of cost must be 1 or more; use bound=initial for the start alone.")
    if bound in ("nodes", "edges") and (not is_search or following != OLDEST):
        raise GrammarError(phrase("A bound of {bound} needs next=oldest.", bound=bound))
    if bound in ("upto", "include", "cost") and not is_search:
        raise GrammarError(
            phrase("The bound {bound} needs next=oldest or next=newest and a complete frontier.", bound=bound)
        )
    if (bound == "cost") is not (kinds["cost"] == "uniform"):
        raise GrammarError("bound=cost:N needs cost=uniform, and cost=uniform needs it.")
    if bound == "edges":
        edge_bounds(limit)
    goal = ":".join(filter(None, (kinds["goal"], contents["goal"])))
    if kinds["outcome"] == "violate":
        if kinds["goal"] != "condition":
            raise GrammarError("outcome=violate needs goal=condition:FORMULA.")
        goal = f"condition:!({contents['goal']})"
    count = int(kinds["count"] == FIRST) or _number(contents["count"] or "0", "The count")
    collapse = "" if kinds["collapse"] == "grammar" else kinds["collapse"]
    return ExplorationSettings(following, line, beam, "" if bound == "none" else bound, limit, goal, count, collapse)


def edge_bounds(text: str) -> dict[str, int]:
    """Parses the largest numbers of edges by label: `append>6,free>2`."""
    found: dict[str, int] = {}
    for each in text.split(","):
        label, more, number = each.partition(">")
        if not label or not more or whole(number) is None:
            raise GrammarError(
                phrase("A bound of edges is label>number, separated by commas, not {text}.", text=shown(text))
            )
        found[label] = int(number)
    return found


# ── order ────────────────────────────────────────────────────────────────────────────────────────


class Order:
    """The order in which open states are explored, and the bound beyond which they are not."""

    def __init__(
        self, settings: ExplorationSettings | None = None, seed: int | None = None, system: System | None = None
    ) -> None:
        self.settings = settings or ExplorationSettings()
        self._chance = random.Random(seed)
        self._system = system
        self._bound = self._bounded() if self.settings.bound in ("nodes", "edges", "upto", "include") else None

    @property
    def is_single_path(self) -> bool:
        return bool(self.settings.line)

    def limits(self, limits: Limits) -> Limits:
        """The limits, with the depth limit that the bound sets, if any."""
        if self.settings.bound not in ("initial", "cost"):
            return limits
        depth = int(self.settings.limit or 0)
        if limits.depth is not None and limits.depth < depth:
            return limits
        return replace(limits, depth=depth)

    def choose(self, several: list[Any]) -> Any:
        """The successor on the single path."""
        return self._chance.choice(several) if self.settings.line == RANDOM else several[0]

    def take(self, todo: deque[int]) -> int:
        """Removes and returns the next open state."""
        if self.settings.next == RANDOM:
            place = self._chance.randrange(len(todo))
            todo[place], todo[-1] = todo[-1], todo[place]
            return todo.pop()
        return todo.popleft() if self.settings.next == OLDEST else todo.pop()

    def add(self, todo: deque[int], fresh: Iterable[int]) -> None:
        """Adds open states; beyond the beam's size, those that would come last are dropped."""
        for each in fresh:
            todo.append(each)
            if self.settings.beam and len(todo) > self.settings.beam:
                if self.settings.next == OLDEST:
                    todo.pop()
                elif self.settings.next == NEWEST:
                    todo.popleft()
                else:
                    self.take(todo)

    def excludes(self, state: State, successors: bool = False) -> bool:
        """Whether the bound excludes a state, or its successors, from exploration."""
        is_after = self.settings.bound == "include"
        return self._bound is not None and is_after is successors and self._bound(state)

    def _bounded(self) -> Callable[[State], bool]:
        system, limit = self._system, self.settings.limit
        assert system is not None
        if self.settings.bound == "nodes":
            return lambda state: _size(system.host(state.nodes, state.edges)) > int(limit)
        if self.settings.bound == "edges":
            most = {_label(system, label): number for label, number in edge_bounds(limit).items()}
            return lambda state: all(
                (state.edges & system.world.of_label.get(label, 0)).bit_count() > number
                for label, number in most.items()
            )
        name, wanted = limit.removeprefix("!"), not limit.startswith("!")
        if name not in system.rules:
            raise GrammarError(
                phrase(
                    "The bound {bound} names {name}, which is not an enabled rule.",
                    bound=self.settings.bound,
                    name=shown(name),
                )
            )
        return lambda state: applies(system, name, state) is wanted


def applies(system: System, name: str, state: State) -> bool:
    """Whether a rule has a match in a state, regardless of control."""
    return bool(system.finders[name].matches(system.host(state.nodes, state.edges)))


def _size(host: Host) -> int:
    """The number of nodes of a graph, including the values of its attributes."""
    values = {target for _, _, target in host.triples() if target in host.world.values}
    return host.nodes.bit_count() + len(values)


def _label(system: System, text: str) -> str:
    found = system.label(text)
    if found is None:
        raise GrammarError(phrase("The bound edges names {text}, which is not a label here.", text=shown(text)))
    return found


STATES_BETWEEN_CHECKS = 512  # measuring the used memory takes time


class General:
    """General engine: explores a state space by matching rules on graphs."""

    def __init__(
        self,
        system: System,
        isomorphism: bool,
        limits: Limits,
        acceptor: Acceptor,
        progress: Progress | None,
        inner: bool = False,
        order: Order | None = None,
    ) -> None:
        self.system, self.limits, self.acceptor, self.progress, self.inner = system, limits, acceptor, progress, inner
        self._order = order or Order()
        self.space = Space(system, isomorphism, self._check_limits)
        self.lts = Lts(depths=array("q"))
        system.describe(self.lts, self.state, system.world.fixed_edges)
        self.results: list[int] = []
        self.stopped = ""
        self._cut = ""  # the bound beyond which states were left out: depth or bound
        self.began: float | None = None  # when it was first run
        self._unexpanded: deque[int] = deque()
        self._numbers: dict[int, int] = {}  # numbers of the shown states, by their numbers in the space
        self._shown: list[int] = []  # the shown states, in the order of their numbers here
        self._labels = Labels(system, self.lts)
        self._before = used_memory()
        self._most = default_memory() if limits.memory is None else limits.memory
        self._expanded = self._checks = self._steps = 0
        self._interrupted = False

    def why_only(self, engine: str) -> str:
        """Why only this engine can do the exploration, and not another one; empty if that may be able to."""
        is_default = self._order.settings.is_default
        reasons = {
            "only searches breadth first, without such bounds": not is_default,
            "does not keep inner states of recipes": self.inner,
            "tests only rules that control tries": self.acceptor.tests,
            "counts only expanded states as results": self.acceptor.text == "any" and self.limits.results,
            "does not look for deadlocks": self.system.deadlock_policy == ERROR,
            "calls no user functions": self.system.calls_functions,
            "has no label formats": self.system.has_labels and engine == "compiled",
        }
        return next((f"The {engine} engine {why}." for why, holds in reasons.items() if holds), "")

    def run(self) -> None:
        """Explores until no states are left or a limit is reached; a second call continues."""
        self.stopped = self._cut
        try:
            with catch_interrupt(self._interrupt):
                if self.began is None:
                    self._begin()
                if self._order.is_single_path:
                    self._follow_path()
                else:
                    self._explore_all()
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        except (MemoryLimitReached, MemoryError):
            self.stopped = "memory"
        self.lts.states = len(self._shown)
        self.lts.found = self._counts()

    def _begin(self) -> None:
        self.began = time.perf_counter()
        for finder in self.system.finders.values():
            finder.check_limits = self._check_limits
        start = self.space.number(self.space.generator.start)
        self._show(start, 0)
        self._unexpanded.append(start)

    @property
    def transitions(self) -> int:
        return self.lts.transitions

    @property
    def final(self) -> int:
        return len(self.lts.final)

    @property
    def states(self) -> int:
        return len(self._shown)

    def _interrupt(self) -> None:
        self._interrupted = True
        if user_operations.running:  # user code may never check the flag
            raise KeyboardInterrupt

    # ── order ────────────────────────────────────────────────────────────────────────────────────

    def _explore_all(self) -> None:
        todo, order = self._unexpanded, self._order
        while todo and not self._must_stop():
            number = order.take(todo)
            shown = self._numbers[number]
            depth = self.lts.depths[shown]
            if self.limits.depth is not None and depth > self.limits.depth:
                self.stopped = self._cut = "depth"
                continue
            if shown and order.excludes(self.space.states.found[number]):
                self.stopped = self._cut = "bound"
                continue
            is_last = order.excludes(self.space.states.found[number], successors=True)
            fresh = self._expand(number)
            if is_last and fresh:
                self.stopped = self._cut = "bound"
            else:
                order.add(todo, fresh)

    def _follow_path(self) -> None:
        """Follows a single path: from each state its loops and one other transition."""
        number = self._unexpanded.popleft()
        while not self._must_stop():
            shown = self._numbers[number]
            if self.limits.depth is not None and self.lts.depths[shown] > self.limits.depth:
                self.stopped = "depth"
                return
            expansion = self.space.expand(number)
            outgoing = self._public_outgoing(expansion)
            away = [each for each in outgoing if each.target != number]
            self._record(expansion, shown, outgoing)
            one = self._order.choose(away) if away else None
            chosen = [each for each in outgoing if each.target == number]
            chosen += [] if one is None else [one]
            was = len(self._shown)
            for each in chosen:
                self._show_step(number, each)
            if len(away) <= 1:
                self.lts.open.discard(shown)
            self._expanded += 1
            if one is None or len(self._shown) == was:
                return
            number = one.target

    def _expand(self, number: int) -> list[int]:
        """Expands a state and the inner states that it reaches; returns the new states to expand."""
        begun = len(self._shown)
        todo = deque([self.space.expand(number)])
        seen = {number}
        while todo:
            expansion = todo.popleft()
            shown = self._numbers[expansion.number]
            self._check_limits()
            outgoing = self._public_outgoing(expansion)
            self._record(expansion, shown, outgoing)
            for each in expansion.outgoing if self.inner else outgoing:
                self._check_limits()
                if each.target in self.space.absent:
                    continue
                is_new = each.target not in self._numbers
                self._show_step(expansion.number, each)
                within = self.space.expansions.get(each.target)
                if is_new and within is not None and within.is_closed and each.target not in seen:
                    seen.add(each.target)
                    todo.append(within)
            self.lts.open.discard(shown)
        self._expanded += 1
        return [each for each in self._shown[begun:] if each not in seen]

    # ── shown states ─────────────────────────────────────────────────────────────────────────────

    def _public_outgoing(self, expansion: StateExpansion) -> list[OutgoingTransition]:
        if self.space.is_within(expansion.number):
            return []
        return [each for each in expansion.outgoing if not each.is_inner and self.space.is_public(each.target)]

    def _record(self, expansion: StateExpansion, shown: int, outgoing: list[OutgoingTransition]) -> None:
        """Records whether a state is final, violates a property, or is a result."""
        if self.space.is_within(expansion.number):
            self.lts.inner.add(shown)
            return
        broken = expansion.broken
        if expansion.frame.kind == "dead" and not expansion.is_over and self.system.deadlock_policy == ERROR:
            roles = {self.system.rules[each.action].role if each.match else TRANSFORMER for each in outgoing}
            broken += (DEADLOCK,) * (TRANSFORMER not in roles)
        if expansion.is_final:
            self.lts.final.add(shown)
        if broken:
            self.lts.broken[shown] = broken
        if self.acceptor.accepts({each.action for each in outgoing}, expansion.is_final, bool(broken)):
            self.results.append(shown)

    def _show(self, number: int, depth: int) -> int:
        """Returns a state's number here."""
        shown = self._numbers.get(number)
        if shown is None:
            shown = self._numbers[number] = len(self._shown)
            self._shown.append(number)
            self.lts.depths.append(depth)
            self.lts.open.add(shown)
            state = self.space.states.found[number]
            if not self.space.is_within(number) and self.acceptor.accepts_found(
                lambda name: applies(self.system, name, state)
            ):
                self.results.append(shown)
        return shown

    def _show_step(self, number: int, out: OutgoingTransition) -> None:
        source = self._numbers[number]
        target = self._show(out.target, self.lts.depths[source] + 1)
        self._steps += not out.is_inner
        self.lts.add(source, self._labels.number(out), target)

    def _counts(self) -> Counts:
        """The counts; of shown states only if a single path was followed."""
        inner = len(self.lts.inner)
        states, transitions = len(self._shown) - inner, self._steps
        if self._order.is_single_path:
            return Counts(states, transitions, states, transitions, states, transitions)
        return self.space.counts(states, transitions)

    # ── stopping ─────────────────────────────────────────────────────────────────────────────────

    def _check_limits(self) -> None:
        """Checks memory and interrupts periodically, also within recipes and searches, which may be endless."""
        self._checks += 1
        if self._interrupted or self.limits.is_stopped:
            raise KeyboardInterrupt
        if self._checks % STATES_BETWEEN_CHECKS == 0 and used_memory() - self._before > self._most:
            raise MemoryLimitReached

    def _must_stop(self) -> bool:
        limits = self.limits
        if self._interrupted or limits.is_stopped:
            self.stopped = "interrupted"
        elif limits.results and len(self.results) >= limits.results:
            self.stopped = "results"
        elif limits.states is not None and len(self._shown) >= limits.states:
            self.stopped = "states"
        elif self._expanded % STATES_BETWEEN_CHECKS == 0:
            if used_memory() - self._before > self._most:
                self.stopped = "memory"
            if self.progress is not None:
                self.progress(len(self._shown), self.lts.transitions, len(self.lts.open))
        return self.stopped not in ("", "depth", "bound")

    # ── description ──────────────────────────────────────────────────────────────────────────────

    def state(self, number: int) -> State:
        """The state with a number."""
        return self.space.states.found[self._shown[number]]

    def find(self, state: State) -> int | None:
        """The number of a state, if it was found."""
        return self._numbers.get(self.space.number(state))

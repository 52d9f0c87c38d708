"""Exploration settings in GROOVE's syntax: order, bounds and goal.

>>> parse_settings("bound=nodes:20 next=newest")
Traceback (most recent call last):
pentad.grammar.graph.GrammarError: A bound of nodes needs next=oldest.
>>> parse_settings("frontier=single successor=single-random").line
'random'
>>> parse_settings("legacy=crule:eat")
Settings(next='oldest', line='', beam=0, bound='upto', limit='eat', goal='', count=0, collapse='')
"""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pentad.game import shown, whole
from pentad.grammar.graph import GrammarError
from pentad.grammar.host import Host
from pentad.grammar.limits import Limits
from pentad.grammar.states.state_space import State
from pentad.grammar.system import System

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
class Settings:
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


def parse_settings(text: str) -> Settings:
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
        raise GrammarError(f"Unknown setting {shown(word)}. Settings: {', '.join(KINDS)}.")
    kind, colon, content = value.partition(":")
    if key in ("count", "frontier") and value.isdecimal():
        kind, colon, content = KINDS[key][-1][:-1], ":", value
    if kind + colon not in KINDS[key] or bool(colon) != bool(content):
        raise GrammarError(f"The setting {key} is one of {', '.join(KINDS[key])}, not {shown(value)}.")
    return key, (kind, content)


def _older(text: str) -> str:
    """The settings for a name of the older syntax, such as `dfs`, `crule:eat`, `cnbound:20`."""
    word, _, content = text.partition(":")
    if word in ("bfs", "dfs") and content:
        number = _number(content, f"The depth of {word}")
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
    raise GrammarError(f"Unknown strategy {shown(text)}. Strategies: {known}.")


def _number(text: str, what: str) -> int:
    number = whole(text)
    if number is None:
        raise GrammarError(f"{what} is a number from 0, not {shown(text)}.")
    return number


def _settings(kinds: Mapping[str, str], contents: Mapping[str, str]) -> Settings:
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
    if bound in ("cost", "nodes") and not _number(limit, f"A bound of {bound}") and bound == "cost":
        raise GrammarError("A bound of cost is a number from 1; use bound=initial for the start alone.")
    if bound in ("nodes", "edges") and (not is_search or following != OLDEST):
        raise GrammarError(f"A bound of {bound} needs next=oldest.")
    if bound in ("upto", "include", "cost") and not is_search:
        raise GrammarError(f"The bound {bound} needs next=oldest or next=newest and a complete frontier.")
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
    return Settings(following, line, beam, "" if bound == "none" else bound, limit, goal, count, collapse)


def edge_bounds(text: str) -> dict[str, int]:
    """Parses the largest numbers of edges by label: `append>6,free>2`."""
    found: dict[str, int] = {}
    for each in text.split(","):
        label, more, number = each.partition(">")
        if not label or not more or whole(number) is None:
            raise GrammarError(f"A bound of edges is label>number, separated by commas, not {shown(text)}.")
        found[label] = int(number)
    return found


# ── order ────────────────────────────────────────────────────────────────────────────────────────


class Order:
    """The order in which open states are explored, and the bound beyond which they are not."""

    def __init__(self, settings: Settings | None = None, seed: int | None = None, system: System | None = None) -> None:
        self.settings = settings or Settings()
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
            raise GrammarError(f"The bound {self.settings.bound} names {shown(name)}, which is not an enabled rule.")
        return lambda state: applies(system, name, state) is wanted


def applies(system: System, name: str, state: State) -> bool:
    """Whether a rule has a match in a state, regardless of control."""
    return bool(system.finders[name].matches(system.host(state.nodes, state.edges)))


def _size(host: Host) -> int:
    """The number of nodes of a graph, including the values of its attributes."""
    values = {target for _, _, target in host.triples() if target in host.world.values}
    return host.nodes.bit_count() + len(values)


def _label(system: System, text: str) -> str:
    """The grammar's label with a name: that of an edge, or else of a type or a flag."""
    known = [text, f"type:{text}", f"flag:{text}"] if ":" not in text else [text]
    labels = system.world.of_label.keys() | {
        each.label for rule in system.rules.values() for level in rule.levels for each in level.created
    }
    found = [each for each in known if each in labels]
    if not found:
        raise GrammarError(f"The bound edges names {shown(text)}, which is not a label here.")
    return found[0]

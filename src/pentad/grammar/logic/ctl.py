"""CTL model checker for transition systems, with witnesses and counterexamples.

Paths are maximal: infinite, or ending in a state without transitions. In such a state `AX p` is true and `EX p` false,
and `AF p` and `EG p` are equivalent to p. GROOVE agrees, except for its errors in `W` and `<->`: its `p W q` requires p
also in the state where q holds, and its `p <-> q` is always true.

Open states, found but not explored, count as states without transitions, as in GROOVE. A verdict is certain if it does
not depend on the transitions that may leave them. To decide this, formulas are evaluated again with lower and upper
bounds: once as if open states could not help, once as if they could, with an additional state for all that was not
found.

A search works on whole arrays while its frontier is broad, and state by state while it is narrow, so that it takes
linear time both in broad and in long systems.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import ctl_formulas
from pentad.grammar.logic.ctl_formulas import Atom, Connective, Constant, Formula, Not, Temporal
from pentad.grammar.lts import Lts, Trace, trace

Numbers: TypeAlias = NDArray[np.int64]
Marks: TypeAlias = NDArray[np.bool_]

NARROW = 200  # states of a frontier; larger ones are handled as arrays
NEVER = 1 << 62  # greater than any number of transitions


@dataclass(frozen=True)
class Side:
    """The transitions grouped by their state at one end: those of state s are at indices begins[s] to begins[s + 1]."""

    begins: Numbers
    others: Numbers  # the states at the other end
    numbers: Numbers  # the numbers of the transitions

    def indices(self, states: Numbers) -> Numbers:
        """The indices of the transitions of these states, one state after the other."""
        first = self.begins[states]
        counts = self.begins[states + 1] - first
        ends = np.cumsum(counts)
        return np.repeat(first - ends + counts, counts) + np.arange(int(ends[-1]) if len(ends) else 0)


class Columns:
    """The columns of a transition system as arrays; a `size` above the number of states adds isolated states."""

    def __init__(self, lts: Lts, size: int) -> None:
        self.size = size
        self.sources: Numbers = np.asarray(lts.sources, dtype=np.int64)
        self.actions: Numbers = np.asarray(lts.actions, dtype=np.int64)
        self.targets: Numbers = np.asarray(lts.targets, dtype=np.int64)
        self.leaving: Numbers = np.bincount(self.sources, minlength=size).astype(np.int64)  # out-degrees

    @cached_property
    def forward(self) -> Side:
        """The transitions by source."""
        return self._side(self.sources, self.targets)

    @cached_property
    def backward(self) -> Side:
        """The transitions by target."""
        return self._side(self.targets, self.sources)

    def _side(self, one: Numbers, other: Numbers) -> Side:
        begins = np.zeros(self.size + 1, np.int64)
        np.cumsum(np.bincount(one, minlength=self.size), out=begins[1:])
        if (one[:-1] <= one[1:]).all():
            return Side(begins, other, np.arange(len(one)))
        order = np.argsort(one, kind="stable")
        return Side(begins, other[order], order)

    def none(self) -> Marks:
        """The empty set of states."""
        return np.zeros(self.size, np.bool_)

    def attractor(self, goal: Marks, through: Marks, needs: Numbers | None = None) -> Marks:
        """The attractor of the goal: the least set that contains it and grows backwards over states in `through`.

        A state is added if it has a transition into the set; with `needs`, if it has `needs[state]` of them. If `needs`
        are the out-degrees, these are the states from which all paths lead to the goal; without it, those from which
        some path does.
        """
        marked = goal.copy()
        left = None if needs is None else needs.copy()
        front = np.flatnonzero(goal)
        while len(front):
            if len(front) > NARROW:
                front = self._attract_broad(front, marked, through, left)
            else:
                front = np.array(self._attract_narrow(front.tolist(), marked, through, left), np.int64)
        return marked

    def _attract_broad(self, front: Numbers, marked: Marks, through: Marks, left: Numbers | None) -> Numbers:
        before = self.backward.others[self.backward.indices(front)]
        before = before[through[before] & ~marked[before]]
        if left is None:
            new = np.unique(before)
        else:
            new, counts = np.unique(before, return_counts=True)
            left[new] -= counts
            new = new[left[new] == 0]
        marked[new] = True
        return new

    def _attract_narrow(self, todo: list[int], marked: Marks, through: Marks, left: Numbers | None) -> list[int]:
        """Continues while the frontier is narrow; returns the frontier that remains."""
        begins, others, seen, may = map(_view, (self.backward.begins, self.backward.others, marked, through))
        needed = None if left is None else _view(left)
        while todo and len(todo) <= NARROW:
            state = todo.pop()
            for index in range(begins[state], begins[state + 1]):
                before = others[index]
                if seen[before] or not may[before]:
                    continue
                if needed is not None:
                    needed[before] -= 1
                    if needed[before]:
                        continue
                seen[before] = True
                todo.append(before)
        return todo

    def path(self, start: int, through: Marks, goal: Marks, moves: bool = False) -> list[int] | None:
        """The transitions of a shortest path to the goal; with `moves` of at least one, even if the start is a goal."""
        if goal[start] and not moves:
            return []
        reached_by = np.full(self.size, -1, np.int64)  # the transition that reached each state
        if not moves:
            reached_by[start] = NEVER
        may = through | goal
        front = np.array([start], np.int64)
        while len(front):
            if len(front) > NARROW:
                front = self._advance_broad(front, reached_by, may)
            else:
                front = self._advance_narrow(front, reached_by, may, goal)
            hits = front[goal[front]]
            if len(hits):
                end, steps = int(hits[0]), list[int]()
                while end != start or not steps:
                    steps.append(int(reached_by[end]))
                    end = int(self.sources[steps[-1]])
                return steps[::-1]
        return None

    def _advance_broad(self, front: Numbers, reached_by: Numbers, may: Marks) -> Numbers:
        indices = self.forward.indices(front)
        after = self.forward.others[indices]
        fresh = may[after] & (reached_by[after] < 0)
        new, first = np.unique(after[fresh], return_index=True)
        reached_by[new] = self.forward.numbers[indices[fresh][first]]
        return new

    def _advance_narrow(self, front: Numbers, reached_by: Numbers, may: Marks, goal: Marks) -> Numbers:
        """Continues while the frontier is narrow and has no goal; returns the last frontier."""
        begins, others, numbers = map(_view, (self.forward.begins, self.forward.others, self.forward.numbers))
        by, allowed, ends = map(_view, (reached_by, may, goal))
        todo: list[int] = front.tolist()
        while todo and len(todo) <= NARROW:
            new = []
            for state in todo:
                for index in range(begins[state], begins[state + 1]):
                    after = others[index]
                    if allowed[after] and by[after] < 0:
                        by[after] = numbers[index]
                        if ends[after]:
                            return np.array([after], np.int64)
                        new.append(after)
            todo = new
        return np.array(todo, np.int64)

    def on_cycle(self, start: int, among: Marks) -> Marks:
        """One state on a cycle, as a set; found by following first transitions from the start within `among`."""
        begins, others, inside = map(_view, (self.forward.begins, self.forward.others, among))
        seen, state = self.none(), start
        while not seen[state]:
            seen[state] = True
            state = next(others[i] for i in range(begins[state], begins[state + 1]) if inside[others[i]])
        found = self.none()
        found[state] = True
        return found


def _view(column: NDArray[Any]) -> Any:
    """A memory view of an array, in which access to single elements is faster."""
    return column.data


# ── verdicts ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """Whether a formula holds at the start, with a witness or counterexample.

    The witness of a true formula with `E` is a path that satisfies it; the witness of a false formula with `A` is a
    counterexample. Other verdicts have none.
    """

    formula: Formula
    holds: bool
    certain: bool  # whether the exploration of open states could not change it
    complete: bool  # whether there are no open states
    states: Marks  # the states where it holds
    witness: Trace | None

    @property
    def count(self) -> int:
        """The number of states where it holds."""
        return int(self.states.sum())

    def json(self) -> dict[str, Any]:
        """The verdict as JSON data, without the states."""
        return {
            "formula": ctl_formulas.text(self.formula),
            "holds": self.holds,
            "certain": self.certain,
            "complete": self.complete,
            "count": self.count,
            "witness": None if self.witness is None else self.witness.json(),
        }

    def __str__(self) -> str:
        word = "holds" if self.holds else "does not hold"
        return f"{ctl_formulas.text(self.formula)} {word}{'' if self.certain else ', as far as was explored'}"


def check(
    formula: Formula | str,
    lts: Lts,
    *,
    actions: Collection[str] | None = None,
    results: Iterable[int] = (),
    witness: bool = True,
) -> Verdict:
    """Checks a formula at the start of a transition system.

    `actions` are the names of a grammar's rules and recipes. With them, an unknown action or a wrong number of
    arguments in the formula is an error; without them, such an action is enabled nowhere. `results` are the states
    where `$result` holds.
    """
    if isinstance(formula, str):
        formula = ctl_formulas.parse(formula)
    ctl_formulas.check_names(formula, actions)
    if actions is not None:
        _check_arguments(formula, lts)
    if not lts.states:
        raise GrammarError("A transition system without states cannot be checked.")
    results = list(results)
    columns = Columns(lts, lts.states + bool(lts.open))
    plain = Marker(columns, lts, results)
    marks = plain.of(formula).sure[: lts.states]
    certain = True
    if lts.open:
        bounds = Marker(columns, lts, results, doubts=True).of(formula)
        certain = bool(bounds.sure[0] == bounds.maybe[0])
    found = plain.witness(formula) if witness else None
    return Verdict(formula, bool(marks[0]), certain, not lts.open, marks, found)


def _check_arguments(formula: Formula, lts: Lts) -> None:
    """Raises an error if an action in the formula has a wrong number of arguments."""
    counts: dict[str, set[int]] = {}
    for name, arguments in lts.labels:
        counts.setdefault(name, set()).add(len(arguments))
    for each in ctl_formulas.subformulas(formula):
        if isinstance(each, Atom) and each.arguments is not None:
            known = counts.get(each.name)
            if known and len(each.arguments) not in known:
                numbers = " or ".join(map(str, sorted(known)))
                raise GrammarError(f"{shown(each.name)} has {numbers} arguments, not {len(each.arguments)}.")


# ── labelling ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Bounds:
    """A lower and an upper bound of the states where a formula holds; one and the same set if it is exact."""

    sure: Marks
    maybe: Marks

    def __invert__(self) -> Bounds:
        sure = ~self.maybe
        return Bounds(sure, sure if self.is_exact else ~self.sure)

    def __and__(self, other: Bounds) -> Bounds:
        return self._both(operator.and_, other)

    def __or__(self, other: Bounds) -> Bounds:
        return self._both(operator.or_, other)

    @property
    def is_exact(self) -> bool:
        return self.sure is self.maybe

    def _both(self, join: Callable[[Marks, Marks], Marks], other: Bounds) -> Bounds:
        sure = join(self.sure, other.sure)
        return Bounds(sure, sure if self.is_exact and other.is_exact else join(self.maybe, other.maybe))


CONNECTIVES: Mapping[str, Callable[[Bounds, Bounds], Bounds]] = {
    "&": lambda p, q: p & q,
    "|": lambda p, q: p | q,
    "->": lambda p, q: ~p | q,
    "<-": lambda p, q: p | ~q,
    "<->": lambda p, q: p & q | ~p & ~q,
}

# Every operator in terms of EX, EU or EW, or the negation of one: (positive, operator, left, right).
# p, q: the operands, the same one twice if there is only one; yes, no: true and false.
Form = tuple[bool, str, Any, Any]
FORMS: Mapping[tuple[str, str], Callable[[Any, Any, Any, Any], Form]] = {
    ("E", "X"): lambda p, q, yes, no: (True, "X", p, p),
    ("E", "F"): lambda p, q, yes, no: (True, "U", yes, p),
    ("E", "G"): lambda p, q, yes, no: (True, "W", p, no),
    ("E", "U"): lambda p, q, yes, no: (True, "U", p, q),
    ("E", "W"): lambda p, q, yes, no: (True, "W", p, q),
    ("E", "R"): lambda p, q, yes, no: (True, "W", q, p & q),
    ("E", "M"): lambda p, q, yes, no: (True, "U", q, p & q),
    ("A", "X"): lambda p, q, yes, no: (False, "X", ~p, ~p),
    ("A", "F"): lambda p, q, yes, no: (False, "W", ~p, no),
    ("A", "G"): lambda p, q, yes, no: (False, "U", yes, ~p),
    ("A", "U"): lambda p, q, yes, no: (False, "W", ~q, ~p & ~q),
    ("A", "W"): lambda p, q, yes, no: (False, "U", ~q, ~p & ~q),
    ("A", "R"): lambda p, q, yes, no: (False, "U", ~p, ~q),
    ("A", "M"): lambda p, q, yes, no: (False, "W", ~p, ~q),
}


class Marker:
    """Computes the states where formulas hold. With `doubts`, bounds allow for any transitions from open states."""

    def __init__(self, columns: Columns, lts: Lts, results: Sequence[int], doubts: bool = False) -> None:
        self.columns, self.lts, self.doubts = columns, lts, doubts
        if any(not 0 <= state < lts.states for state in results):
            raise GrammarError(f"A result is not a state; states are numbered from 0 to {lts.states - 1}.")
        self.open = self._marks_of(lts.open)
        if doubts:
            self.open[lts.states :] = True
        self.at_start: dict[int, bool] = {}  # whether a formula, by its id(), holds at the start
        self._special: Mapping[str, Callable[[], Iterable[int]]] = {
            "$start": lambda: (0,),
            "$final": lambda: lts.final,
            "$open": lambda: lts.open,
            "$result": lambda: results,
            "$broken": lambda: lts.broken,
        }

    def of(self, formula: Formula) -> Bounds:
        """The states where a formula holds."""
        parts = [self.of(part) for part in ctl_formulas.parts(formula)]
        if isinstance(formula, Constant):
            found = self.constant(formula.value)
        elif isinstance(formula, Atom):
            found = self._atom(formula)
        elif isinstance(formula, Not):
            found = ~parts[0]
        elif isinstance(formula, Connective):
            found = CONNECTIVES[formula.operator](*parts)
        else:
            positive, name, one, other = self.form(formula, parts)
            some = self.exists_path(name, one, other)
            found = some if positive else ~some
        self.at_start[id(formula)] = bool(found.sure[0])
        return found

    def form(self, formula: Temporal, parts: list[Bounds]) -> Form:
        """The formula in terms of EX, EU or EW."""
        return FORMS[formula.quantifier, formula.operator](
            parts[0], parts[-1], self.constant(value=True), self.constant(value=False)
        )

    def constant(self, value: bool) -> Bounds:
        marks = self.columns.none() if not value else ~self.columns.none()
        return Bounds(marks, marks)

    def exists_path(self, sign: str, one: Bounds, other: Bounds) -> Bounds:
        """The states where EX, EU or EW holds; X uses only the second operand."""
        step: Callable[[Marks, Marks, bool | None], Marks] = {"X": self._next, "U": self._until, "W": self._weak}[sign]
        if not self.doubts:
            marks = step(one.sure, other.sure, None)
            return Bounds(marks, marks)
        return Bounds(step(one.sure, other.sure, False), step(one.maybe, other.maybe, True))

    # `optimistic` is what open states may have besides their known transitions: True, any that help; False, any that
    # harm; None, none.

    def _next(self, _: Marks, goal: Marks, optimistic: bool | None) -> Marks:
        columns, found = self.columns, self.columns.none()
        found[columns.sources[goal[columns.targets]]] = True
        return found | self.open if optimistic and goal.any() else found

    def _until(self, through: Marks, goal: Marks, optimistic: bool | None) -> Marks:
        if optimistic and goal.any():
            goal = goal | (through & self.open)
        return self.columns.attractor(goal, through)

    def _weak(self, through: Marks, goal: Marks, optimistic: bool | None) -> Marks:
        """All states except those from which every path leaves `through` before it reaches the goal."""
        lost = ~through & ~goal
        needs = self.columns.leaving
        if optimistic:
            needs = needs.copy()
            needs[self.open] = NEVER
        elif optimistic is not None and lost.any():
            lost |= self.open & ~goal & (needs == 0)
        return ~self.columns.attractor(lost, ~goal, needs)

    def _marks_of(self, states: Iterable[int]) -> Marks:
        marks = self.columns.none()
        marks[np.fromiter(states, np.int64)] = True
        return marks

    def _atom(self, atom: Atom) -> Bounds:
        if not atom.literal and atom.name in self._special:
            marks = self._marks_of(self._special[atom.name]())
            if atom.name in ("$start", "$open"):
                return Bounds(marks, marks)
        else:
            shown = self.lts.shown  # a label that a rule sets is read as an action with arguments, if possible
            labels = (
                ctl_formulas.call_of(shown[number]) if number in shown else label
                for number, label in enumerate(self.lts.labels)
            )
            holds = np.fromiter((atom.holds(*each) for each in labels), np.bool_, len(self.lts.labels))
            marks = self.columns.none()
            marks[self.columns.sources[holds[self.columns.actions]]] = True
        return Bounds(marks, marks | self.open if self.doubts else marks)

    # ── witnesses ────────────────────────────────────────────────────────────────────────────────

    def witness(self, formula: Formula) -> Trace | None:
        """A path that shows why a formula holds at the start, or why not; None if no single path does."""
        if isinstance(formula, Not):
            return self.witness(formula.part)
        if isinstance(formula, Connective):
            return next((found for part in self._deciding(formula) if (found := self.witness(part))), None)
        return self._path(formula) if isinstance(formula, Temporal) else None

    def _deciding(self, formula: Connective) -> list[Formula]:
        """The operands that alone decide the value of a formula; both if neither does."""
        truth = {"&": operator.and_, "|": operator.or_, "->": operator.le, "<-": operator.ge, "<->": operator.eq}
        join, (left, right) = truth[formula.operator], ctl_formulas.parts(formula)
        one, other = self.at_start[id(left)], self.at_start[id(right)]
        deciding = [left] if join(one, False) == join(one, True) else []
        deciding += [right] if join(False, other) == join(True, other) else []
        return deciding or [left, right]

    def _path(self, formula: Temporal) -> Trace | None:
        positive, sign, one, other = self.form(formula, [self.of(part) for part in formula.parts])
        if self.at_start[id(formula)] is not positive:
            return None
        through, goal = one.sure, other.sure
        if sign == "X":
            found = self.columns.path(0, self.columns.none(), goal, moves=True)
        else:
            found = self.columns.path(0, through, goal)
        if found is None:
            return self._maximal_path(self.exists_path("W", one, other).sure & ~goal)
        return trace(self.lts, 0, found)

    def _maximal_path(self, among: Marks) -> Trace:
        """A path within these states to one without transitions, or into a cycle."""
        lts, columns = self.lts, self.columns
        ending = columns.path(0, among, among & (columns.leaving == 0))
        if ending is not None:
            return trace(lts, 0, ending)
        looping = columns.none()  # the states with a transition to themselves
        looping[columns.sources[columns.sources == columns.targets]] = True
        goal = among & looping
        stem = columns.path(0, among, goal)
        if stem is None:
            goal = columns.on_cycle(0, among)
            stem = columns.path(0, among, goal) or []
        state = int(columns.targets[stem[-1]]) if stem else 0
        goal = columns.none()
        goal[state] = True
        return trace(lts, 0, stem + (columns.path(state, among, goal, moves=True) or []), len(stem))

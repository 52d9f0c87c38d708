"""CTL model checker for transition systems, with witnesses and counterexamples.

Paths are maximal: infinite, or ending in a state without transitions. In such a state `AX p` is true and `EX p` false,
and `AF p` and `EG p` are equivalent to p. GROOVE agrees, except for its errors in `W` and `<->`: its `p W q` requires p
also in the state where q holds, and its `p <-> q` is always true.

Open states, found but not explored, count as states without transitions, as in GROOVE. A verdict is certain if it does
not depend on the transitions that may leave them. To decide this, formulas are evaluated again with lower and upper
bounds: once as if open states could not help, once as if they could, with an additional state for all that was not
found.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import ctl_formulas
from pentad.grammar.logic.adjacency import NEVER, Columns, Marks
from pentad.grammar.logic.ctl_formulas import Atom, Connective, Constant, Formula, Not, Temporal
from pentad.grammar.lts import Lts, Trace, trace


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
    found = _Witness(plain).of(formula) if witness else None
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
        return self._each(lambda a: ~a, self.maybe, self.sure)

    def __and__(self, other: Bounds) -> Bounds:
        return self._both(operator.and_, other)

    def __or__(self, other: Bounds) -> Bounds:
        return self._both(operator.or_, other)

    @property
    def is_exact(self) -> bool:
        return self.sure is self.maybe

    def _each(self, change: Callable[[Marks], Marks], sure: Marks, maybe: Marks) -> Bounds:
        one = change(sure)
        return Bounds(one, one if self.is_exact else change(maybe))

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
        found = self.columns.predecessors(goal)
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

    def _call(self, number: int, action: str, arguments: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The action and arguments that formulas match; a label that a rule sets is parsed as such, if possible."""
        label = self.lts.shown.get(number)
        return (action, arguments) if label is None else ctl_formulas.call_of(label)

    def _atom(self, atom: Atom) -> Bounds:
        if not atom.literal and atom.name in self._special:
            marks = self._marks_of(self._special[atom.name]())
            if atom.name in ("$start", "$open"):
                return Bounds(marks, marks)
        else:
            labels = (self._call(number, *label) for number, label in enumerate(self.lts.labels))
            holds = np.fromiter((atom.holds(*each) for each in labels), np.bool_, len(self.lts.labels))
            marks = self.columns.none()
            marks[self.columns.sources[holds[self.columns.actions]]] = True
        return Bounds(marks, marks | self.open if self.doubts else marks)


# ── witnesses ────────────────────────────────────────────────────────────────────────────────────


class _Witness:
    """Finds a path that shows why a formula holds at the start, or why not."""

    def __init__(self, marker: Marker) -> None:
        self.marker, self.columns = marker, marker.columns

    def of(self, formula: Formula) -> Trace | None:
        """The path that shows the value of a formula; None if no single path does."""
        if isinstance(formula, Not):
            return self.of(formula.part)
        if isinstance(formula, Connective):
            return next((found for part in self._deciding(formula) if (found := self.of(part))), None)
        return self._path(formula) if isinstance(formula, Temporal) else None

    def _deciding(self, formula: Connective) -> list[Formula]:
        """The operands that alone decide the value of a formula; both if neither does."""
        truth = {"&": operator.and_, "|": operator.or_, "->": operator.le, "<-": operator.ge, "<->": operator.eq}
        join, (left, right) = truth[formula.operator], ctl_formulas.parts(formula)
        one, other = self.marker.at_start[id(left)], self.marker.at_start[id(right)]
        deciding = [left] if join(one, False) == join(one, True) else []
        deciding += [right] if join(False, other) == join(True, other) else []
        return deciding or [left, right]

    def _path(self, formula: Temporal) -> Trace | None:
        positive, sign, one, other = self.marker.form(formula, [self.marker.of(part) for part in formula.parts])
        if self.marker.at_start[id(formula)] is not positive:
            return None
        through, goal, lts = one.sure, other.sure, self.marker.lts
        if sign == "X":
            found = self.columns.path(0, self.columns.none(), goal, moves=True)
        else:
            found = self.columns.path(0, through, goal)
        if found is None:
            return self._maximal_path(self.marker.exists_path("W", one, other).sure & ~goal)
        return trace(lts, 0, found)

    def _maximal_path(self, among: Marks) -> Trace:
        """A path within these states to one without transitions, or into a cycle."""
        lts, columns = self.marker.lts, self.columns
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

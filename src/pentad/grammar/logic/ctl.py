"""Checking CTL formulas over what an exploration found.

Ways are as long as they can be: they go on for ever or end in a state that nothing leaves. There `AX p` is true and
`EX p` false, `AF p` and `EG p` say the same as p. GROOVE does the same, but for `W` and `<->`, where it errs: its
`p W q` wants p still where q comes, and its `p <-> q` is always true.

States that were found and not looked at count as states that nothing leaves, as in GROOVE. A verdict is certain if
it would be the same whatever leaves them: everything is then worked out twice more, once with nothing granted and
once with everything, and with one state more that stands for all that was not found.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import ctl_formulas
from pentad.grammar.logic.adjacency import NEVER, Columns
from pentad.grammar.logic.ctl_formulas import Atom, Constant, Formula, Joined, Not, Ways
from pentad.grammar.logic.traces import Trace, trace
from pentad.grammar.lts import Lts

if TYPE_CHECKING:
    from pentad.grammar.logic.adjacency import Marks


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """Whether a formula holds at the start, and what shows it.

    The witness of a formula that says of some way that it is so is that way; where it says so of all ways and does
    not hold, it is a way that is not so. Other verdicts have none.
    """

    formula: Formula
    holds: bool
    certain: bool  # whether states that were not looked at could not change it
    complete: bool  # whether there are none
    states: Marks  # where it holds
    witness: Trace | None

    @property
    def count(self) -> int:
        """In how many states it holds."""
        return int(self.states.sum())

    def json(self) -> dict[str, Any]:
        """As plain data, without the states."""
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
    """Whether a formula holds at a system's start.

    `actions` are the names of a grammar's rules and recipes: a formula that names another, or gives one other than as
    many arguments as it has, is refused, where without them it holds nowhere. `results` are the states of which
    `$result` is true.
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
    shows = _Witness(plain).of(formula) if witness else None
    return Verdict(formula, bool(marks[0]), certain, not lts.open, marks, shows)


def _check_arguments(formula: Formula, lts: Lts) -> None:
    """An error where it gives an action other than as many arguments as that has."""
    counts: dict[str, set[int]] = {}
    for name, arguments in lts.labels:
        counts.setdefault(name, set()).add(len(arguments))
    for each in ctl_formulas.within(formula):
        if isinstance(each, Atom) and each.arguments is not None:
            known = counts.get(each.name)
            if known and len(each.arguments) not in known:
                numbers = " or ".join(map(str, sorted(known)))
                raise GrammarError(f"{shown(each.name)} has {numbers} arguments, not {len(each.arguments)}.")


# ── marks ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Bounds:
    """The states where something holds for sure, and those where it may hold; the same ones if nothing is in doubt."""

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


JOINED: Mapping[str, Callable[[Bounds, Bounds], Bounds]] = {
    "&": lambda p, q: p & q,
    "|": lambda p, q: p | q,
    "->": lambda p, q: ~p | q,
    "<-": lambda p, q: p | ~q,
    "<->": lambda p, q: p & q | ~p & ~q,
}

# Every operator by one of three of some way, or as what is not so: next, until, weak until.
# p, q: its parts, the same one twice where it has one; yes, no: what always and never holds.
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
    """Finds where formulas hold. With `doubts`, whatever may leave the open states is taken into account."""

    def __init__(self, columns: Columns, lts: Lts, results: Sequence[int], doubts: bool = False) -> None:
        self.columns, self.lts, self.doubts = columns, lts, doubts
        if any(not 0 <= state < lts.states for state in results):
            raise GrammarError(f"A result is not a state; states are numbered from 0 to {lts.states - 1}.")
        self.open = self._these(lts.open)
        if doubts:
            self.open[lts.states :] = True
        self.at_start: dict[int, bool] = {}  # by the identity of a formula, whether it holds there
        self._special: Mapping[str, Callable[[], Iterable[int]]] = {
            "$start": lambda: (0,),
            "$final": lambda: lts.final,
            "$open": lambda: lts.open,
            "$result": lambda: results,
            "$broken": lambda: lts.broken,
        }

    def of(self, formula: Formula) -> Bounds:
        """Where a formula holds."""
        parts = [self.of(part) for part in ctl_formulas.parts(formula)]
        if isinstance(formula, Constant):
            found = self.constant(formula.value)
        elif isinstance(formula, Atom):
            found = self._atom(formula)
        elif isinstance(formula, Not):
            found = ~parts[0]
        elif isinstance(formula, Joined):
            found = JOINED[formula.sign](*parts)
        else:
            positive, sign, one, other = self.form(formula, parts)
            some = self.some_way(sign, one, other)
            found = some if positive else ~some
        self.at_start[id(formula)] = bool(found.sure[0])
        return found

    def form(self, formula: Ways, parts: list[Bounds]) -> Form:
        """It by one of the three operators."""
        return FORMS[formula.which, formula.sign](
            parts[0], parts[-1], self.constant(value=True), self.constant(value=False)
        )

    def constant(self, value: bool) -> Bounds:
        marks = self.columns.none() if not value else ~self.columns.none()
        return Bounds(marks, marks)

    def some_way(self, sign: str, one: Bounds, other: Bounds) -> Bounds:
        """From where there is a way with the next state, until, weak until."""
        step: Callable[[Marks, Marks, bool | None], Marks] = {"X": self._next, "U": self._until, "W": self._weak}[sign]
        if not self.doubts:
            marks = step(one.sure, other.sure, None)
            return Bounds(marks, marks)
        return Bounds(step(one.sure, other.sure, False), step(one.maybe, other.maybe, True))

    # In these `grants` tells whether the open states may do whatever helps, or nothing but what they are seen to do
    # and whatever harms; None: they do nothing but what they are seen to do.

    def _next(self, _: Marks, goal: Marks, grants: bool | None) -> Marks:
        found = self.columns.before(goal)
        return found | self.open if grants and goal.any() else found

    def _until(self, through: Marks, goal: Marks, grants: bool | None) -> Marks:
        if grants and goal.any():
            goal = goal | (through & self.open)
        return self.columns.drawn(goal, through)

    def _weak(self, through: Marks, goal: Marks, grants: bool | None) -> Marks:
        """All but the states from which every way leaves `through` before it comes to the goal."""
        lost = ~through & ~goal
        needs = self.columns.leaving
        if grants:
            needs = needs.copy()
            needs[self.open] = NEVER
        elif grants is not None and lost.any():
            lost |= self.open & ~goal & (needs == 0)
        return ~self.columns.drawn(lost, ~goal, needs)

    def _these(self, states: Iterable[int]) -> Marks:
        import numpy as np

        marks = self.columns.none()
        marks[np.fromiter(states, np.int64)] = True
        return marks

    def _read(self, number: int, action: str, arguments: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """A label as formulas speak of it: one that a rule asks for is a name with arguments if it reads as such."""
        shown = self.lts.shown.get(number)
        return (action, arguments) if shown is None else ctl_formulas.call_of(shown)

    def _atom(self, atom: Atom) -> Bounds:
        import numpy as np

        if not atom.literal and atom.name in self._special:
            marks = self._these(self._special[atom.name]())
            if atom.name in ("$start", "$open"):
                return Bounds(marks, marks)
        else:
            labels = (self._read(number, *label) for number, label in enumerate(self.lts.labels))
            holds = np.fromiter((atom.holds(*each) for each in labels), np.bool_, len(self.lts.labels))
            marks = self.columns.none()
            marks[self.columns.sources[holds[self.columns.actions]]] = True
        return Bounds(marks, marks | self.open if self.doubts else marks)


# ── witnesses ────────────────────────────────────────────────────────────────────────────────────


class _Witness:
    """Finds the way that shows why formulas hold at the start, or why not."""

    def __init__(self, marker: Marker) -> None:
        self.marker, self.columns = marker, marker.columns

    def of(self, formula: Formula) -> Trace | None:
        """The way that shows why it has the value that it has; None where no single way does."""
        if isinstance(formula, Not):
            return self.of(formula.part)
        if isinstance(formula, Joined):
            return next((found for part in self._deciding(formula) if (found := self.of(part))), None)
        return self._way(formula) if isinstance(formula, Ways) else None

    def _deciding(self, formula: Joined) -> list[Formula]:
        """The parts that make it what it is, whatever the other one; both if it takes both."""
        truth = {"&": operator.and_, "|": operator.or_, "->": operator.le, "<-": operator.ge, "<->": operator.eq}
        join, (left, right) = truth[formula.sign], ctl_formulas.parts(formula)
        one, other = self.marker.at_start[id(left)], self.marker.at_start[id(right)]
        deciding = [left] if join(one, False) == join(one, True) else []
        deciding += [right] if join(False, other) == join(True, other) else []
        return deciding or [left, right]

    def _way(self, formula: Ways) -> Trace | None:
        positive, sign, one, other = self.marker.form(formula, [self.marker.of(part) for part in formula.parts])
        if self.marker.at_start[id(formula)] is not positive:
            return None
        through, goal, lts = one.sure, other.sure, self.marker.lts
        if sign == "X":
            found = self.columns.path(0, self.columns.none(), goal, moves=True)
        else:
            found = self.columns.path(0, through, goal)
        if found is None:
            return self._for_good(self.marker.some_way("W", one, other).sure & ~goal)
        return trace(lts, 0, found)

    def _for_good(self, among: Marks) -> Trace:
        """A way among these states to one that nothing leaves, or round for ever."""
        lts, columns = self.marker.lts, self.columns
        ending = columns.path(0, among, among & (columns.leaving == 0))
        if ending is not None:
            return trace(lts, 0, ending)
        alone = columns.none()  # the states that lead to themselves
        alone[columns.sources[columns.sources == columns.targets]] = True
        goal = among & alone
        there = columns.path(0, among, goal)
        if there is None:
            goal = columns.round(0, among)
            there = columns.path(0, among, goal) or []
        state = int(columns.targets[there[-1]]) if there else 0
        goal = columns.none()
        goal[state] = True
        return trace(lts, 0, there + (columns.path(state, among, goal, moves=True) or []), len(there))

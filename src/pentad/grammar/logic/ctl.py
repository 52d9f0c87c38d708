"""CTL model checker for transition systems, with witnesses and counterexamples.

Paths are maximal: infinite, or ending in a state without transitions. In such a state `AX p` is true and `EX p` false,
and `AF p` and `EG p` are equivalent to p. GROOVE agrees, except for its errors in `W` and `<->`: its `p W q` requires p
also in the state where q holds, and its `p <-> q` is always true.

Open states, found but not explored, count as states without transitions, as in GROOVE. A verdict is certain if it does
not depend on the transitions that may leave them. To decide this, formulas are evaluated again with lower and upper
bounds: once as if open states could not help, once as if they could, with an additional state for all that was not
found.

Small systems are searched by Python, large ones by machine code, where there is some; both run the functions of
`fixpoint_kernels`.
"""

from __future__ import annotations

import operator
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import fixpoint_kernels, formulas
from pentad.grammar.logic.fixpoint_kernels import Numbers
from pentad.grammar.logic.formulas import (
    Atom,
    Connective,
    Constant,
    Formula,
    Modal,
    Not,
    PathOperator,
    Quantified,
    Temporal,
)
from pentad.grammar.logic.runner import Runner
from pentad.grammar.logic.state_sets import StateSet
from pentad.grammar.lts import Lts, Trace, trace
from pentad.kernels.buffers import zeros
from pentad.kernels.types import Int32s, Int64s
from pentad.system.words import phrase


@dataclass(frozen=True, slots=True)
class Adjacency:
    """The transitions grouped by their state at one end: those of state s are at indices begins[s] to begins[s + 1]."""

    begins: Int64s
    others: Int32s  # the states at the other end
    numbers: Int32s | None = None  # the numbers of the transitions; None if they are the indices


class AdjacencyArrays(Runner):
    """The columns of a transition system; a `size` above the number of states adds isolated states."""

    kernels: ClassVar[ModuleType] = fixpoint_kernels

    def __init__(self, lts: Lts, size: int) -> None:
        super().__init__(self.kernels, size + len(lts.sources))
        self.size = size
        self.sources, self.targets = self.read(lts.sources), self.read(lts.targets)
        self._has_short_labels = self.code is not None and lts.actions.typecode == "H"
        self.actions = memoryview(lts.actions) if self._has_short_labels else self.read(lts.actions)

    def column(self, states: StateSet) -> Numbers:
        """A set as a column that a kernel may change."""
        if self.code is None:
            return list(states.column)
        found = zeros(self.size, "uint8", huge=True)
        found[:] = memoryview(states.column)
        return found

    @cached_property
    def forward(self) -> Adjacency:
        """The transitions by source."""
        begins = self.zeros(self.size + 2, Int64s)
        if self.call("is_sorted", self.sources):
            self.call("count", self.sources, begins)
            return Adjacency(begins, self.targets)
        numbers = self.zeros(len(self.sources), Int32s)
        self.call("group", self.sources, self.read(array("i", range(len(self.sources)))), begins, numbers)
        others = self.zeros(len(self.sources), Int32s)
        self.call("group", self.sources, self.targets, self.zeros(self.size + 2, "int64"), others)
        return Adjacency(begins, others, numbers)

    @cached_property
    def backward(self) -> Adjacency:
        """The transitions by target."""
        begins, others = self.zeros(self.size + 2, Int64s), self.zeros(len(self.sources), Int32s)
        self.call("group", self.targets, self.sources, begins, others)
        return Adjacency(begins, others)

    def none(self) -> StateSet:
        """The empty set of states."""
        return StateSet(self.size, 0)

    @cached_property
    def all(self) -> StateSet:
        """The set of all states."""
        return StateSet.all(self.size)

    @cached_property
    def stuck(self) -> StateSet:
        """The states without transitions."""
        return self._found("stuck", self.forward.begins)

    @property
    def looping(self) -> StateSet:
        """The states with a transition to themselves."""
        return self._found("loops", self.sources, self.targets)

    def before(self, goal: StateSet) -> StateSet:
        """The states with a transition into a set."""
        return self._found("have", self.sources, self.targets, self.column(goal))

    def step(self, labels: Iterable[bool], goal: StateSet, star: bool) -> StateSet:
        """The states with a transition into a set whose label is marked; with `star`, with any number of them."""
        wanted, ends = self._wanted(labels), self.column(goal)
        found = ends if star else self.zeros(self.size, "uint8")
        kernel = "have_short_step" if self._has_short_labels else "have_step"
        while self.call(kernel, self.sources, self.actions, self.targets, wanted, ends, found) and star:
            pass
        return StateSet.read(found)

    def _wanted(self, labels: Iterable[bool]) -> Numbers:
        return list(labels) if self.code is None else memoryview(bytearray(labels))

    def labelled(self, labels: Iterable[bool]) -> StateSet:
        """The states with a transition whose label is marked."""
        wanted = self._wanted(labels)
        return self._found("have_label" if self._has_short_labels else "have", self.sources, self.actions, wanted)

    def _found(self, kernel: str, *arguments: Any) -> StateSet:
        """What a kernel adds to the empty set."""
        found = self.zeros(self.size, "uint8")
        self.call(kernel, *arguments, found)
        return StateSet.read(found)

    def attractor(self, goal: StateSet, through: StateSet) -> StateSet:
        """The least set that contains the goal and all states in `through` with a transition into it."""
        marked, back = self.column(goal), self.backward
        queue = self.zeros(self.size, "int32")
        self.call("attract", back.begins, back.others, self.column(through), marked, queue)
        return StateSet.read(marked)

    def attractor_of_all(self, goal: StateSet, through: StateSet, free: StateSet) -> StateSet:
        """The least set that contains the goal and all states in `through` that have only transitions into it.

        States without transitions and free ones are added only if they are goals.
        """
        marked, back = self.column(goal), self.backward
        left, queue = self.zeros(self.size, "int32"), self.zeros(self.size, "int32")
        self.call(
            "attract_all", back.begins, back.others, self.forward.begins, self.column(free), self.column(through),
            marked, left, queue,
        )  # fmt: skip
        return StateSet.read(marked)

    def path(self, start: int, through: StateSet, goal: StateSet, moves: bool = False) -> list[int] | None:
        """The transitions of a shortest path to the goal; with `moves` of at least one, even if the start is a goal."""
        if start in goal and not moves:
            return []
        reached_by, side = self.zeros(self.size, "int64"), self.forward
        reached_by[start] = 0 if moves else 1
        may, ends, queue = self.column(through | goal), self.column(goal), self.zeros(self.size + 1, "int32")
        end, steps = self.call("search", side.begins, side.others, may, ends, start, reached_by, queue), list[int]()
        if end < 0:
            return None
        while end != start or not steps:
            index = reached_by[end] - 1
            steps.append(index if side.numbers is None else side.numbers[index])
            end = self.sources[steps[-1]]
        return steps[::-1]

    def on_cycle(self, start: int, among: StateSet) -> int:
        """A state on a cycle, found by following first transitions from the start within `among`."""
        begins, others, inside = self.forward.begins, self.forward.others, among.column
        seen, state = bytearray(self.size), start
        while not seen[state]:
            seen[state] = 1
            state = next(others[i] for i in range(begins[state], begins[state + 1]) if inside[others[i]])
        return state


# ── verdicts ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class AnyVerdict:
    """Whether a formula holds at the start: the base of the verdicts of all logics."""

    formula: Formula
    holds: bool
    certain: bool  # whether the exploration of open states could not change it
    complete: bool  # whether there are no open states
    witness: Trace | None

    in_json: ClassVar[tuple[str, ...]] = ("holds", "certain", "complete")

    def json(self) -> dict[str, Any]:
        """The verdict as JSON data, without the states."""
        return {
            "formula": formulas.text(self.formula),
            **{name: getattr(self, name) for name in self.in_json},
            "witness": None if self.witness is None else self.witness.json(),
        }

    def __str__(self) -> str:
        word = "holds" if self.holds else "does not hold"
        return f"{formulas.text(self.formula)} {word}{'' if self.certain else ', as far as was explored'}"


@dataclass(frozen=True, eq=False)
class Verdict(AnyVerdict):
    """Whether a formula holds at the start, with a witness or counterexample.

    The witness of a true formula with `E` is a path that satisfies it; the witness of a false formula with `A` is a
    counterexample. Other verdicts have none.
    """

    states: StateSet  # the states where it holds

    in_json = (*AnyVerdict.in_json, "count")

    @property
    def count(self) -> int:
        """The number of states where it holds."""
        return len(self.states)


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
        formula = formulas.parse(formula)
    if any(isinstance(each, PathOperator | Quantified) for each in formulas.subformulas(formula)):
        raise GrammarError(phrase("{text} is a formula of LTL or CTL*, not of CTL.", text=formulas.text(formula)))
    formulas.check_names(formula, actions)
    if actions is not None:
        check_arguments(formula, lts)
    if not lts.states:
        raise GrammarError("A transition system without states cannot be checked.")
    results = list(results)
    columns = AdjacencyArrays(lts, lts.states + bool(lts.open))
    plain = Marker(columns, lts, results)
    marks = plain.of(formula).sure.first(lts.states)
    certain = True
    if lts.open:
        bounds = Marker(columns, lts, results, doubts=True).of(formula)
        certain = bounds.sure.has_start == bounds.maybe.has_start
    found = plain.witness(formula) if witness else None
    return Verdict(formula, marks.has_start, certain, not lts.open, found, marks)


def check_arguments(formula: Formula, lts: Lts) -> None:
    """Raises an error if an action in the formula has a wrong number of arguments."""
    counts: dict[str, set[int]] = {}
    for name, arguments in lts.labels:
        counts.setdefault(name, set()).add(len(arguments))
    for each in formulas.atoms(formula):
        if each.arguments is not None:
            known = counts.get(each.name)
            if known and len(each.arguments) not in known:
                numbers = " or ".join(map(str, sorted(known)))
                raise GrammarError(
                    phrase(
                        "{name} has {numbers} arguments, not {count}.",
                        name=shown(each.name),
                        numbers=numbers,
                        count=len(each.arguments),
                    )
                )


def labels_of(atom: Atom, lts: Lts) -> Iterator[int]:
    """The numbers of the labels of an action; one that a rule sets is read as an action with arguments, if possible."""
    for number, label in enumerate(lts.labels):
        its = formulas.call_of(lts.shown[number]) if number in lts.shown else label
        if atom.holds(*its) or (atom.literal and atom.name == lts.label(number)):
            yield number


# ── labelling ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Bounds:
    """A lower and an upper bound of the states where a formula holds; one and the same set if it is exact."""

    sure: StateSet
    maybe: StateSet

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

    def _both(self, join: Callable[[StateSet, StateSet], StateSet], other: Bounds) -> Bounds:
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

    def __init__(self, columns: AdjacencyArrays, lts: Lts, results: Sequence[int], doubts: bool = False) -> None:
        self.columns, self.lts, self.doubts = columns, lts, doubts
        if any(not 0 <= state < lts.states for state in results):
            raise GrammarError(
                phrase("A result is not a state; states are numbered from 0 to {states}.", states=lts.states - 1)
            )
        more = range(lts.states, columns.size) if doubts else ()
        self.open = StateSet.of(columns.size, (*lts.open, *more))
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
        parts = [self.of(part) for part in formulas.parts(formula)]
        if isinstance(formula, Constant):
            found = self.constant(formula.value)
        elif isinstance(formula, Atom):
            found = self._atom(formula)
        elif isinstance(formula, Not):
            found = ~parts[0]
        elif isinstance(formula, Connective):
            found = CONNECTIVES[formula.operator](*parts)
        elif isinstance(formula, Modal):
            found = self._modal(formula, parts[0])
        else:
            assert isinstance(formula, Temporal)
            positive, name, one, other = self.form(formula, parts)
            some = self.exists_path(name, one, other)
            found = some if positive else ~some
        self.at_start[id(formula)] = found.sure.has_start
        return found

    def _modal(self, formula: Modal, part: Bounds) -> Bounds:
        wanted = {number for atom in formula.labels for number in labels_of(atom, self.lts)}
        labels = [number in wanted for number in range(len(self.lts.labels))]
        goal = ~part if formula.every else part
        sure = maybe = self.columns.step(labels, goal.sure, formula.star)
        if self.doubts:
            doubtful = self.open if goal.maybe else self.columns.none()
            maybe = self.columns.step(labels, goal.maybe | doubtful if formula.star else goal.maybe, formula.star)
            maybe = maybe | doubtful
        found = Bounds(sure, maybe)
        return ~found if formula.every else found

    def form(self, formula: Temporal, parts: list[Bounds]) -> Form:
        """The formula in terms of EX, EU or EW."""
        return FORMS[formula.quantifier, formula.operator](
            parts[0], parts[-1], self.constant(value=True), self.constant(value=False)
        )

    def constant(self, value: bool) -> Bounds:
        marks = self.columns.all if value else self.columns.none()
        return Bounds(marks, marks)

    def exists_path(self, sign: str, one: Bounds, other: Bounds) -> Bounds:
        """The states where EX, EU or EW holds; X uses only the second operand."""
        step: Callable[[StateSet, StateSet, bool | None], StateSet]
        step = {"X": self._next, "U": self._until, "W": self._weak}[sign]
        if not self.doubts:
            marks = step(one.sure, other.sure, None)
            return Bounds(marks, marks)
        return Bounds(step(one.sure, other.sure, False), step(one.maybe, other.maybe, True))

    # `optimistic` is what open states may have besides their known transitions: True, any that help; False, any that
    # harm; None, none.

    def _next(self, _: StateSet, goal: StateSet, optimistic: bool | None) -> StateSet:
        found = self.columns.before(goal)
        return found | self.open if optimistic and goal else found

    def _until(self, through: StateSet, goal: StateSet, optimistic: bool | None) -> StateSet:
        if optimistic and goal:
            goal = goal | (through & self.open)
        return self.columns.attractor(goal, through)

    def _weak(self, through: StateSet, goal: StateSet, optimistic: bool | None) -> StateSet:
        """All states except those from which every path leaves `through` before it reaches the goal."""
        columns = self.columns
        lost = ~through & ~goal
        if optimistic is False and lost:
            lost = lost | self.open & ~goal & columns.stuck
        return ~columns.attractor_of_all(lost, ~goal, self.open if optimistic else columns.none())

    def _atom(self, atom: Atom) -> Bounds:
        if not atom.literal and atom.name in self._special:
            marks = StateSet.of(self.columns.size, self._special[atom.name]())
            if atom.name in ("$start", "$open"):
                return Bounds(marks, marks)
        else:
            wanted = bytearray(len(self.lts.labels))
            for number in labels_of(atom, self.lts):
                wanted[number] = 1
            marks = self.columns.labelled(map(bool, wanted))
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
        join, (left, right) = truth[formula.operator], formulas.parts(formula)
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

    def _maximal_path(self, among: StateSet) -> Trace:
        """A path within these states to one without transitions, or into a cycle."""
        lts, columns = self.lts, self.columns
        ending = columns.path(0, among, among & columns.stuck)
        if ending is not None:
            return trace(lts, 0, ending)
        stem = columns.path(0, among, among & columns.looping)
        if stem is None:
            stem = columns.path(0, among, StateSet.of(columns.size, [columns.on_cycle(0, among)])) or []
        state = columns.targets[stem[-1]] if stem else 0
        cycle = columns.path(state, among, StateSet.of(columns.size, [state]), moves=True) or []
        return trace(lts, 0, stem + cycle, len(stem))

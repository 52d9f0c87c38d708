"""LTL and CTL* model checker for transition systems, with fairness, and with lassos as counterexamples.

Paths are maximal. One that ends in a state without transitions stays there for ever, so that `X p` is p there. (In CTL
`AX p` is true in such a state.) A formula of LTL holds in a state if it holds on all paths from there; `A` and `E`
before parts of a formula make it one of CTL*.

With fairness only some infinite paths count. An action is treated weakly fair if it is taken again and again unless it
is disabled again and again; strongly fair if it is taken again and again unless it is disabled from some point on.

A path violates a formula if the automaton of its negation accepts it: the product of system and automaton is searched
for strongly connected components with all that is needed for that (Tarjan), as it is made.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import ctl, formulas
from pentad.grammar.logic.formulas import Atom, Connective, Formula, Not, Quantified
from pentad.grammar.logic.state_sets import StateSet
from pentad.grammar.logic.tableau import FormulaAutomaton, has_path
from pentad.grammar.lts import Lts, Trace, trace
from pentad.system.words import phrase

STAYS = -1  # it stands for a transition's number where the path has ended


@dataclass(frozen=True, slots=True)
class Fairness:
    """Actions that are treated fairly, weakly or strongly: names, with arguments if need be, as in formulas."""

    weak: tuple[str, ...] = ()
    strong: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Verdict(ctl.AnyVerdict):
    """Whether a formula holds at the start, with a witness or counterexample.

    The witness of a formula that does not hold is a path that violates it; that of a formula `E …` that holds is a path
    that satisfies it. Other verdicts have none.
    """

    _checker: Checker

    @cached_property
    def states(self) -> StateSet:
        """The states where the formula holds."""
        return self._checker.states(self.formula)


def check(
    formula: Formula | str,
    lts: Lts,
    *,
    weak: Iterable[str] = (),
    strong: Iterable[str] = (),
    actions: Collection[str] | None = None,
    results: Iterable[int] = (),
) -> Verdict:
    """Checks a formula of LTL or CTL* at the start of a transition system.

    >>> ring = Lts([("put", ()), ("get", ())], states=2)
    >>> ring.add(0, 0, 1), ring.add(1, 1, 0), ring.add(1, 0, 1)
    (None, None, None)
    >>> print(check("G (put -> F get)", ring), check("G F (get & X !get)", ring), sep="; ")
    G (put -> F get) holds; G F (get & X !get) does not hold
    >>> print(check("G F (get & X !get)", ring).witness)
    0 —put→ 1 —put→ 1, and again from step 2 on

    `weak` and `strong` name actions that are treated fairly. `actions` and `results` are those of `ctl.check`.
    """
    if isinstance(formula, str):
        formula = formulas.parse(formula, paths=True)
    formulas.check_names(formula, actions)
    if actions is not None:
        ctl.check_arguments(formula, lts)
    if not lts.states:
        raise GrammarError("A transition system without states cannot be checked.")
    checker = Checker(lts, Fairness(tuple(weak), tuple(strong)), list(results), actions)
    whole = formula if not has_path(formula) else Quantified("A", formula)
    if isinstance(whole, Quantified):
        found = checker.path(whole)
        holds = (found is not None) == (whole.quantifier == "E")
        certain = not lts.open or checker.is_certain(whole, found)
    else:
        found, holds, certain = None, checker.states(whole).has_start, not lts.open
    return Verdict(formula, holds, certain, not lts.open, found and found.trace(lts), checker)


class Lasso(NamedTuple):
    """A path from the start, as numbers of transitions, and the part of it that repeats."""

    stem: list[int]
    cycle: list[int]

    def trace(self, lts: Lts) -> Trace:
        """The path, without what it does after its end, and with the shortest part that repeats as early as it can."""
        stem, cycle = ([number for number in part if number != STAYS] for part in self)
        period = next((n for n in range(1, len(cycle)) if cycle == cycle[:n] * (len(cycle) // n)), len(cycle))
        cycle = cycle[:period]
        while cycle and stem and stem[-1] == cycle[-1]:
            cycle = [stem.pop(), *cycle[:-1]]
        return trace(lts, 0, stem + cycle, len(stem) if cycle else None)


class Checker:
    """Computes the states where formulas of CTL* hold."""

    def __init__(
        self, lts: Lts, fairness: Fairness, results: Sequence[int], actions: Collection[str] | None = None
    ) -> None:
        self.lts, self.columns = lts, ctl.AdjacencyArrays(lts, lts.states)
        self._marker = ctl.Marker(self.columns, lts, results)
        self._sets: dict[Formula, StateSet] = {}
        fair = [[_action(text, actions) for text in each] for each in (fairness.weak, fairness.strong)]
        self.fair = [[_FairAction.of(self, atom) for atom in each] for each in fair]

    def states(self, formula: Formula) -> StateSet:
        """The states where a formula holds; one about paths holds if all of them satisfy it."""
        if formula not in self._sets:
            self._sets[formula] = self._states(formula)
        return self._sets[formula]

    def _states(self, formula: Formula) -> StateSet:
        if has_path(formula):
            return ~self._with_path(Not(formula))
        if isinstance(formula, Quantified):
            part = formula.part
            return self._with_path(part) if formula.quantifier == "E" else ~self._with_path(Not(part))
        if isinstance(formula, Not):
            return ~self.states(formula.part)
        if isinstance(formula, Connective):
            one, other = (ctl.Bounds(each, each) for each in map(self.states, (formula.left, formula.right)))
            return ctl.CONNECTIVES[formula.operator](one, other).sure
        return self._marker.of(formula).sure

    def _with_path(self, formula: Formula) -> StateSet:
        """The states with a path that satisfies a formula."""
        product = _Product(self, formula)
        good: set[int] = set()
        for component in _components(range(self.lts.states), product.leaving):
            leads = any(target in good for node in component for target, _, _ in product.leaving(node))
            if leads or product.accepting(component):
                good.update(component)
        return StateSet.of(self.lts.states, (node for node in good if node < self.lts.states))

    def path(self, formula: Quantified, *, closed: bool = False) -> Lasso | None:
        """A path from the start that satisfies `E …` or violates `A …`; if `closed`, one without open states."""
        product = _Product(self, formula.part if formula.quantifier == "E" else Not(formula.part), closed)
        for component in _components([0], product.leaving):
            if accepting := product.accepting(component):
                return product.lasso(accepting)
        return None

    def is_certain(self, formula: Quantified, found: Lasso | None) -> bool:
        """Whether a path that was found, or not, does not depend on the transitions of open states."""
        if any(isinstance(each, Quantified) for each in formulas.subformulas(formula.part)):
            return False
        if found:
            return self.path(formula, closed=True) is not None
        product = _Product(self, formula.part if formula.quantifier == "E" else Not(formula.part), closed=True)
        return not any(product.is_open(node) for component in _components([0], product.leaving) for node in component)


def _action(text: str, actions: Collection[str] | None) -> Atom:
    """A fair action from its text."""
    found = formulas.parse(text)
    if not isinstance(found, Atom) or found.name in formulas.SPECIAL:
        raise GrammarError(phrase("Expected an action that is treated fairly, got {text}.", text=shown(text)))
    formulas.check_names(found, actions)
    return found


class _FairAction(NamedTuple):
    """An action that is treated fairly: the states where it is enabled, and its labels."""

    enabled: bytes
    labels: set[int]

    @staticmethod
    def of(checker: Checker, atom: Atom) -> _FairAction:
        return _FairAction(checker.states(atom).column, set(ctl.labels_of(atom, checker.lts)))


class _Product:
    """The product of a system and the automaton of a formula: a path in it is a path that the formula allows so far.

    Node `state + size * place` is a state of the system with a place in the automaton. The last part of an edge is the
    number of the transition, the one before it the conditions that it meets: those of the automaton, then fairness.
    """

    def __init__(self, checker: Checker, formula: Formula, closed: bool = False) -> None:
        self._checker, self._closed, self._size = checker, closed, checker.lts.states
        self._open = checker.lts.open
        self._columns: list[bytes] = []
        self._propositions: dict[Formula, int] = {}
        self._automaton = FormulaAutomaton(formula, self._proposition)
        self._side = checker.columns.forward
        self._marks: dict[int, int] = {}

    def _proposition(self, formula: Formula) -> int:
        if formula not in self._propositions:
            self._propositions[formula] = len(self._columns)
            self._columns.append(self._checker.states(formula).column)
        return self._propositions[formula]

    def is_open(self, node: int) -> bool:
        """Whether the state of a node was not explored."""
        return node % self._size in self._open

    def leaving(self, node: int) -> list[tuple[int, int, int]]:
        """The edges from a node: where they lead, the conditions that they meet, and their transitions."""
        place, state = divmod(node, self._size)
        if self._closed and state in self._open:
            return []
        marks = self._marks.get(state)
        if marks is None:
            marks = self._marks[state] = sum(column[state] << i for i, column in enumerate(self._columns))
        moves = self._moves(state)
        return [
            (target + self._size * after, met | fair << shift, number)
            for holding, failing, after, met in self._automaton.leaving(place)
            if not (holding & ~marks or failing & marks)
            for shift in (self._automaton.untils.bit_length(),)
            for target, fair, number in moves
        ]

    def _moves(self, state: int) -> list[tuple[int, int, int]]:
        """The transitions of a state, with the conditions of fairness that they meet."""
        begins, others, numbers = self._side.begins, self._side.others, self._side.numbers
        weak, strong = self._checker.fair
        disabled = sum(1 << i for i, each in enumerate(weak) if not each.enabled[state])
        found = []
        for index in range(begins[state], begins[state + 1]):
            number, met = index if numbers is None else numbers[index], disabled
            if weak or strong:
                label = self._checker.lts.actions[number]
                met |= sum(1 << i for i, each in enumerate([*weak, *strong]) if label in each.labels)
            found.append((others[index], met, number))
        return found or [(state, disabled, STAYS)]

    # ── acceptance ───────────────────────────────────────────────────────────────────────────────

    @property
    def _needed(self) -> int:
        """The conditions that a cycle has to meet; those of strong fairness come after them."""
        untils = self._automaton.untils
        return untils | ((1 << len(self._checker.fair[0])) - 1) << untils.bit_length()

    def accepting(self, component: Collection[int]) -> set[int]:
        """A part of a strongly connected component on whose cycles a run is accepted; empty if there is none."""
        inside, met, has_edge = set(component), 0, False
        for node in component:
            for target, conditions, _ in self.leaving(node):
                if target in inside:
                    met, has_edge = met | conditions, True
        if not has_edge or self._needed & ~met:
            return set()
        first = self._needed.bit_length()
        ignored = [each for i, each in enumerate(self._checker.fair[1]) if not met >> (first + i) & 1]
        allowed = {node for node in inside if not any(each.enabled[node % self._size] for each in ignored)}
        if len(allowed) == len(inside):
            return inside

        def leaving(node: int) -> list[tuple[int, int, int]]:
            return [edge for edge in self.leaving(node) if edge[0] in allowed]

        return next((found for part in _components(allowed, leaving) if (found := self.accepting(part))), set())

    def lasso(self, accepting: set[int]) -> Lasso:
        """A path from the start into a component, and a cycle there that meets all conditions."""
        stem, entry = self._path(0, accepting.__contains__, None)
        cycle: list[int] = []
        here, missing = entry, self._missing(accepting)
        while missing:
            steps, here, met = self._path_meeting(here, missing, accepting)
            cycle += steps
            missing &= ~met
        if here != entry or not cycle:
            cycle += self._path(here, entry.__eq__, accepting, moves=True)[0]
        return Lasso(stem, cycle)

    def _missing(self, accepting: set[int]) -> int:
        """All conditions that edges within a part meet."""
        met = 0
        for node in accepting:
            for target, conditions, _ in self.leaving(node):
                met |= conditions if target in accepting else 0
        return met

    def _path(
        self, start: int, is_goal: Callable[[int], bool], within: set[int] | None, moves: bool = False
    ) -> tuple[list[int], int]:
        """The transitions of a shortest path to a goal, and the goal; with `moves` of at least one."""
        if is_goal(start) and not moves:
            return [], start
        return self._search(start, lambda target, _: is_goal(target), within)[:2]

    def _path_meeting(self, start: int, wanted: int, within: set[int]) -> tuple[list[int], int, int]:
        """The transitions of a shortest path whose last one meets one of the conditions wanted."""
        return self._search(start, lambda _, met: bool(met & wanted), within)

    def _search(
        self, start: int, ends: Callable[[int, int], bool], within: set[int] | None
    ) -> tuple[list[int], int, int]:
        came: dict[int, tuple[int, int]] = {start: (start, STAYS)}
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            for target, met, number in self.leaving(node):
                if within is not None and target not in within:
                    continue
                if ends(target, met):
                    steps = [number]
                    while node != start:
                        node, number = came[node]
                        steps.append(number)
                    return steps[::-1], target, met
                if target not in came:
                    came[target] = node, number
                    waiting.append(target)
        raise AssertionError("A strongly connected component has a path between any two of its nodes.")


def _components(starts: Iterable[int], leaving: Callable[[int], list[tuple[int, int, int]]]) -> Iterator[list[int]]:
    """The strongly connected components that can be reached, each after those that it leads to (Tarjan)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    on_stack: set[int] = set()
    stack: list[int] = []
    for start in starts:
        if start in order:
            continue
        calls: list[tuple[int, Iterator[tuple[int, int, int]]]] = []
        waiting: int | None = start
        while waiting is not None or calls:
            if waiting is not None:
                order[waiting] = low[waiting] = len(order)
                stack.append(waiting)
                on_stack.add(waiting)
                calls.append((waiting, iter(leaving(waiting))))
                waiting = None
            node, edges = calls[-1]
            for target, _, _ in edges:
                if target not in order:
                    waiting = target
                    break
                if target in on_stack:
                    low[node] = min(low[node], order[target])
            if waiting is not None:
                continue
            calls.pop()
            if calls:
                above = calls[-1][0]
                low[above] = min(low[above], low[node])
            if low[node] == order[node]:
                component = []
                while True:
                    each = stack.pop()
                    on_stack.discard(each)
                    component.append(each)
                    if each == node:
                        break
                yield component

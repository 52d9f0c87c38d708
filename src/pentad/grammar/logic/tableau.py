"""Automata of LTL formulas: a tableau with obligations as its states and conditions on its transitions.

A state is the set of formulas that the rest of a path has to satisfy. A step reads the propositions of a state of the
system, and leaves the obligations for the next one. An until that is put off is noted; a run is accepted if it puts
none off forever (Couvreur, "On-the-fly verification of linear temporal logic", 1999).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from pentad.grammar.graph import GrammarError
from pentad.grammar.logic.formulas import Connective, Constant, Formula, Not, PathOperator
from pentad.system.words import phrase

MAX_STATES, MAX_STEPS_OF_STATE = 20_000, 2_000

Node: TypeAlias = "tuple[str, int, int]"  # a kind with two numbers, for other nodes, or for a proposition and its sign
TRUE, FALSE = 0, 1  # the first two nodes
PROPOSITION, AND, OR, NEXT, UNTIL, RELEASE = "proposition", "and", "or", "next", "until", "release"


class TableauStep(NamedTuple):
    """A way to satisfy obligations: propositions that have to hold or not to hold now, and what comes next.

    `holding`, `failing` and `postponed` are bits of propositions and of untils; `after` are nodes.
    """

    holding: int
    failing: int
    after: frozenset[int]
    postponed: int

    def with_(self, other: TableauStep) -> TableauStep | None:
        """Both steps at once; None if they contradict each other."""
        holding, failing = self.holding | other.holding, self.failing | other.failing
        if holding & failing:
            return None
        return TableauStep(holding, failing, self.after | other.after, self.postponed | other.postponed)

    def allows(self, other: TableauStep) -> bool:
        """Whether this step asks for nothing that the other one does not ask for."""
        return (
            not self.holding & ~other.holding
            and not self.failing & ~other.failing
            and not self.postponed & ~other.postponed
            and self.after <= other.after
        )


ANYTHING = TableauStep(0, 0, frozenset(), 0)


class FormulaAutomaton:
    """The automaton of a formula; `proposition` gives a number to each part without temporal operators."""

    def __init__(self, formula: Formula, proposition: Callable[[Formula], int]) -> None:
        self._proposition = proposition
        self._nodes: list[Node] = [(AND, TRUE, TRUE), (OR, FALSE, FALSE)]
        self._numbers: dict[Node, int] = {}
        self._untils: dict[int, int] = {}  # the bit of each
        self._steps: dict[int, list[TableauStep]] = {TRUE: [ANYTHING], FALSE: []}
        self._made: dict[tuple[Formula, bool], int] = {}
        self._states: dict[frozenset[int], int] = {}
        self._obligations: list[frozenset[int]] = []
        self._leaving: list[list[tuple[int, int, int, int]] | None] = []
        self._state(self._flat([self._read(formula, positive=True)]))  # the start is state 0
        del self._proposition  # it may refer to the caller, whose columns would be kept until the garbage is collected

    @property
    def untils(self) -> int:
        """The bits of all untils."""
        return (1 << len(self._untils)) - 1

    def leaving(self, state: int) -> list[tuple[int, int, int, int]]:
        """The steps from a state: propositions that hold, those that do not, the next state, untils not put off."""
        found = self._leaving[state]
        if found is None:
            steps = [ANYTHING]
            for node in sorted(self._obligations[state]):
                steps = _joined(steps, self._expand(node))
            found = [
                (step.holding, step.failing, self._state(step.after), self.untils & ~step.postponed) for step in steps
            ]
            self._leaving[state] = found
        return found

    def _state(self, obligations: frozenset[int]) -> int:
        number = self._states.setdefault(obligations, len(self._obligations))
        if number == len(self._obligations):
            if number >= MAX_STATES:
                raise GrammarError(
                    phrase("The automaton of a formula has more than {most_states:,} states.", most_states=MAX_STATES)
                )
            self._obligations.append(obligations)
            self._leaving.append(None)
        return number

    # ── the formula, with negations at propositions only ─────────────────────────────────────────

    def _read(self, formula: Formula, positive: bool) -> int:
        key = formula, positive
        if key not in self._made:
            self._made[key] = self._reading(formula, positive)
        return self._made[key]

    def _reading(self, formula: Formula, positive: bool) -> int:
        if isinstance(formula, Constant):
            return TRUE if formula.value == positive else FALSE
        if isinstance(formula, Not):
            return self._read(formula.part, not positive)
        if not has_path(formula):
            return self._node(PROPOSITION, self._proposition(formula), positive)
        if isinstance(formula, Connective):
            return self._connective(formula, positive)
        assert isinstance(formula, PathOperator)
        operator, (p, *rest) = formula.operator, (self._read(part, positive) for part in formula.parts)
        both = {True: AND, False: OR}
        if operator == "X":
            return self._node(NEXT, p, 0)
        if operator in "FG":
            return self._node(UNTIL, TRUE, p) if (operator == "F") == positive else self._node(RELEASE, FALSE, p)
        (q,) = rest
        if operator in "UR":
            return self._node(UNTIL if (operator == "U") == positive else RELEASE, p, q)
        if operator == "W":  # p W q is q R (p | q)
            return self._node(RELEASE if positive else UNTIL, q, self._node(both[not positive], p, q))
        return self._node(UNTIL if positive else RELEASE, q, self._node(both[positive], p, q))  # p M q is q U (p & q)

    def _connective(self, formula: Connective, positive: bool) -> int:
        left, right = formula.left, formula.right
        if formula.operator == "<->":
            same = [(True, positive), (False, not positive)]
            return self._node(
                OR, *(self._node(AND, self._read(left, one), self._read(right, other)) for one, other in same)
            )
        one = positive != (formula.operator == "->")
        other = positive != (formula.operator == "<-")
        kind = AND if (formula.operator == "&") == positive else OR
        return self._node(kind, self._read(left, one), self._read(right, other))

    def _node(self, kind: str, one: int, other: int) -> int:
        if kind in (AND, OR):
            neutral, ruling = (TRUE, FALSE) if kind == AND else (FALSE, TRUE)
            if ruling in (one, other):
                return ruling
            if one == other or other == neutral:
                return one
            if one == neutral:
                return other
        elif kind != PROPOSITION and (one if kind == NEXT else other) in (TRUE, FALSE):
            return one if kind == NEXT else other
        node = kind, one, other
        if node not in self._numbers:
            self._numbers[node] = len(self._nodes)
            if kind == UNTIL:
                self._untils[len(self._nodes)] = 1 << len(self._untils)
            self._nodes.append(node)
        return self._numbers[node]

    # ── steps ────────────────────────────────────────────────────────────────────────────────────

    def _expand(self, node: int) -> list[TableauStep]:
        """The ways to satisfy a node."""
        if node not in self._steps:
            kind, one, other = self._nodes[node]
            again = TableauStep(0, 0, frozenset([node]), self._untils.get(node, 0))
            if kind == PROPOSITION:
                found = [TableauStep(*((1 << one, 0) if other else (0, 1 << one)), frozenset(), 0)]
            elif kind == NEXT:
                found = [TableauStep(0, 0, self._flat([one]), 0)]
            elif kind == AND:
                found = _joined(self._expand(one), self._expand(other))
            elif kind == OR:
                found = _least([*self._expand(one), *self._expand(other)])
            elif kind == UNTIL:
                found = _least([*self._expand(other), *_joined(self._expand(one), [again])])
            else:
                found = _joined(self._expand(other), [*self._expand(one), again])
            self._steps[node] = found
        return self._steps[node]

    def _flat(self, nodes: Iterable[int]) -> frozenset[int]:
        """These obligations; those that are joined by `and` are obligations of their own."""
        found, waiting = set[int](), list(nodes)
        while waiting:
            node = waiting.pop()
            kind, one, other = self._nodes[node]
            if node == TRUE:
                continue
            if kind == AND:
                waiting += (one, other)
            else:
                found.add(node)
        return frozenset(found)


def has_path(formula: Formula) -> bool:
    """Whether a formula has a temporal operator that no path quantifier of it binds."""
    waiting = [formula]
    while waiting:
        each = waiting.pop()
        if isinstance(each, PathOperator):
            return True
        if isinstance(each, Not):
            waiting.append(each.part)
        elif isinstance(each, Connective):
            waiting += (each.left, each.right)
    return False


def _joined(ones: list[TableauStep], others: list[TableauStep]) -> list[TableauStep]:
    """All ways to take a step of each list at once."""
    if len(ones) * len(others) > MAX_STEPS_OF_STATE * 20:
        _too_many()
    return _least([both for one in ones for other in others if (both := one.with_(other)) is not None])


def _least(steps: list[TableauStep]) -> list[TableauStep]:
    """The steps without those that ask for more than another one."""
    found: list[TableauStep] = []
    for step in sorted(set(steps), key=_demands):
        if not any(other.allows(step) for other in found):
            found.append(step)
        if len(found) > MAX_STEPS_OF_STATE:
            _too_many()
    return found


def _demands(step: TableauStep) -> tuple[int, list[int], int, int, int]:
    count = step.holding.bit_count() + step.failing.bit_count() + step.postponed.bit_count() + len(step.after)
    return count, sorted(step.after), step.holding, step.failing, step.postponed


def _too_many() -> None:
    raise GrammarError(
        phrase(
            "The automaton of a formula has more than {most_steps:,} steps from a state.", most_steps=MAX_STEPS_OF_STATE
        )
    )

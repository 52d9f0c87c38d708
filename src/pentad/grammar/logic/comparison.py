"""Comparison of two transition systems by bisimulation, with a formula that tells them apart.

The formula is one of Hennessy and Milner's logic (Cleaveland, "On automatically explaining bisimulation inequivalence",
1990). For weak bisimulation, silent steps stand before and after each of its actions. Systems that are weakly but not
branching bisimilar have no such formula.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce

from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import formulas
from pentad.grammar.logic.bisimulation import BRANCHING, SILENT, STRONG, WEAK, Progress, Rounds, minimise
from pentad.grammar.logic.formulas import Atom, Connective, Constant, Formula, Modal, Not
from pentad.grammar.lts import Lts

MAX_FORMULA_PARTS = 5_000
TOO_LARGE = "The formula that tells them apart is too large."
MARKS = ("$final", "$open", "$broken")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two systems are equivalent, and what tells them apart if not."""

    kind: str
    equivalent: bool
    depth: int | None = None  # the number of steps after which they can be told apart
    formula: Formula | None = None  # which holds in the first one only
    why: str = ""  # the reason why there is no formula


def compare(
    one: Lts,
    other: Lts,
    kind: str = STRONG,
    *,
    hide: Collection[str] = (),
    memory: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compares two systems by bisimulation of their starts; the arguments are those of `minimise`.

    >>> early, late = Lts([("coin", ()), ("tea", ())], states=3), Lts([("coin", ()), ("tea", ())], states=3)
    >>> for row in ((0, 0, 1), (0, 0, 2), (1, 1, 0)):
    ...     early.add(*row)
    >>> late.add(0, 0, 1), late.add(1, 1, 0)
    (None, None)
    >>> found = compare(early, late)
    >>> found.equivalent, found.depth, formulas.text(found.formula)
    (False, 2, '<coin> !<tea> true')
    """
    smaller = [minimise(lts, kind, hide=hide, memory=memory, progress=progress) for lts in (one, other)]
    both, start = _beside(*smaller), smaller[0].states
    rounds = Rounds(both, kind, 0, start, memory)
    depth = rounds.separated(0, start)
    if depth < 0:
        return Comparison(kind, equivalent=True)
    if kind == BRANCHING:
        weak = compare(one, other, WEAK, hide=hide, memory=memory)
        why = "They are weakly bisimilar, so no formula tells them apart."
        return Comparison(kind, False, depth, weak.formula, why if weak.equivalent else weak.why)
    try:
        formula = _Explanation(rounds, both, _Names(one, other, hide), kind).difference(0, start)
        formulas.parse(formulas.text(formula))  # a formula beyond its limits is too large
    except (GrammarError, RecursionError):
        return Comparison(kind, False, depth, None, TOO_LARGE)
    except _NoFormula as error:
        return Comparison(kind, False, depth, None, str(error))
    return Comparison(kind, False, depth, formula)


def _beside(one: Lts, other: Lts) -> Lts:
    """Two systems as one, the states of the second after those of the first."""
    both, known = Lts(states=one.states + other.states), dict[tuple[str, bool], int]()
    for lts, first in ((one, 0), (other, one.states)):
        numbers = []
        for number, text in enumerate(lts.texts):
            found = known.setdefault((text, number in lts.steps), len(known))
            if found == len(both.labels):
                both.labels.append((text, ()))
                both.steps |= {found} if number in lts.steps else set()
            numbers.append(found)
        for source, action, target in lts.rows:
            both.add(first + source, numbers[action], first + target)
        for those, its in ((both.final, lts.final), (both.open, lts.open), (both.inner, lts.inner)):
            those |= {first + state for state in its}
        both.broken |= {first + state: rules for state, rules in lts.broken.items()}
    return both


class _NoFormula(Exception):
    """No formula of the logic tells two states apart, or only one that is too large."""


class _Names:
    """The labels of formulas for the labels of minimised systems."""

    def __init__(self, one: Lts, other: Lts, hide: Collection[str]) -> None:
        self._systems = one, other
        texts = dict.fromkeys(text for lts in self._systems for text in lts.texts)
        hidden = {
            lts.label(number)
            for lts in self._systems
            for number, (action, _) in enumerate(lts.labels)
            if action in hide or lts.label(number) in hide
        }
        self._silent = [text for text in texts if text in hidden or text == SILENT[0]]
        self._unseen = [text for text in texts if text in hidden or text in SILENT]

    def atoms(self, text: str) -> tuple[Atom, ...]:
        """The atoms for the transitions of a label; that of hidden ones is `tau`."""
        return tuple(map(self._atom, self._silent if text == SILENT[0] else [text]))

    def silent(self) -> tuple[Atom, ...]:
        """The atoms of all silent transitions."""
        return tuple(map(self._atom, self._unseen))

    def _atom(self, text: str) -> Atom:
        """A name where it means this label alone in both systems, else the label in quotes."""
        calls = [{label for label in lts.labels if label[0] == text} for lts in self._systems]
        return (
            Atom(text) if all(each == {(text, ())} for each in calls) and _is_name(text) else Atom(text, literal=True)
        )


def _is_name(text: str) -> bool:
    """Whether a formula can have a text as the name of an action."""
    try:
        return formulas.parse(text) == Atom(text)
    except GrammarError:
        return False


class _Explanation:
    """Formulas that tell the states of a system apart."""

    def __init__(self, rounds: Rounds, lts: Lts, names: _Names, kind: str) -> None:
        self._rounds, self._lts, self._names, self._is_weak = rounds, lts, names, kind == WEAK
        self._texts = rounds.labels.texts
        self._found: dict[tuple[int, int], Formula] = {}
        self._sizes: dict[tuple[int, int], int] = {}
        if len({*self._texts}) < len(self._texts):
            raise _NoFormula("Steps within recipes have the labels of other transitions.")

    def difference(self, one: int, other: int) -> Formula:
        """A formula that holds in the first state only, with as few modalities within each other as possible."""
        if (one, other) not in self._found:
            self._found[one, other] = self._difference(one, other)
        return self._found[one, other]

    def _difference(self, one: int, other: int) -> Formula:
        level = self._rounds.separated(one, other)
        if level == 0:
            self._sizes[one, other] = 1
            return self._mark(one, other)
        choices = [
            (len(against), is_negative, action, target, against)
            for is_negative, first, second in ((False, one, other), (True, other, one))
            for action, target, against in self._unmatched(first, second, level)
        ]
        _, is_negative, action, target, against = min(choices)
        parts = dict.fromkeys(self.difference(target, each) for each in against)
        self._sizes[one, other] = 2 + sum(self._sizes[target, each] + 1 for each in against)
        if self._sizes[one, other] > MAX_FORMULA_PARTS:
            raise _NoFormula(TOO_LARGE)
        inside = reduce(lambda p, q: Connective("&", q, p), reversed(parts)) if parts else Constant(value=True)
        found = self._step(action, inside)
        return Not(found) if is_negative else found

    def _unmatched(self, one: int, other: int, level: int) -> list[tuple[int, int, list[int]]]:
        """The transitions of a state that another state does not match before a round, with those that try."""
        ends: dict[int, dict[int, int]] = {}
        for action, target in self._rounds.leaving(other):
            ends.setdefault(action, {}).setdefault(self._rounds.block(target), target)
        found = []
        for action, target in self._rounds.leaving(one):
            against = list(ends.get(action, {}).values())
            if all(0 <= self._rounds.separated(target, each) < level for each in against):
                found.append((action, target, against))
        return found

    def _step(self, action: int, inside: Formula) -> Formula:
        """Some transition of a label, or a weak one."""
        text = self._texts[action] if action < len(self._texts) else SILENT[0]
        silent = self._names.silent() if self._is_weak else ()
        if not silent:
            return Modal(self._names.atoms(text), inside)
        is_after = isinstance(inside, Modal) and inside.star
        after = inside if is_after else Modal(silent, inside, star=True)
        return after if text == SILENT[0] else Modal(silent, Modal(self._names.atoms(text), after), star=True)

    def _mark(self, one: int, other: int) -> Formula:
        lts = self._lts
        for name, those in zip(MARKS, (lts.final, lts.open, lts.broken), strict=True):
            if (one in those) != (other in those):
                return Atom(name) if one in those else Not(Atom(name))
        raise _NoFormula("The states differ in broken invariants, or one of them is inside a recipe.")

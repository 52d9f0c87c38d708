"""Comparison of systems: equivalence by definition, and formulas that hold in one system and not in the other."""

from __future__ import annotations

import pytest
from hypothesis import given

from pentad.grammar import explore
from pentad.grammar.logic import ctl, formulas
from pentad.grammar.logic.bisimulation import KINDS, minimise
from pentad.grammar.logic.comparison import compare
from pentad.grammar.logic.formulas import Atom, Connective, Constant, Formula, Modal, Not
from pentad.grammar.lts import Lts
from pentad.grammar.models import new
from tests.cases import together
from tests.grammar.logic.test_bisimulation import Plain, beside, system, systems
from tests.properties import properties


class Meaning:
    """The meaning of modal formulas, by sets of states."""

    def __init__(self, lts: Lts) -> None:
        self.lts, self.plain = lts, Plain(lts)
        self.marks = {"$final": lts.final, "$open": lts.open, "$broken": {*lts.broken}}

    def holds(self, formula: Formula, state: int) -> bool:
        if isinstance(formula, Constant):
            return formula.value
        if isinstance(formula, Atom):
            return state in self.marks[formula.name]
        if isinstance(formula, Not):
            return not self.holds(formula.part, state)
        if isinstance(formula, Connective):
            assert formula.operator == "&"
            return self.holds(formula.left, state) and self.holds(formula.right, state)
        assert isinstance(formula, Modal)
        assert not formula.every
        names = {label.name for label in formula.labels}
        if not formula.star:
            ends = {target for label, target in self.plain.after[state] if label in names}
        else:
            ends, waiting = {state}, [state]
            while waiting:
                for label, target in self.plain.after[waiting.pop()]:
                    if label in names and target not in ends:
                        ends.add(target)
                        waiting.append(target)
        return any(self.holds(formula.part, end) for end in ends)


def depth_of(formula: Formula) -> int:
    """How deep the modalities are nested that are not about silent steps alone."""
    return max(map(depth_of, formulas.parts(formula)), default=0) + (isinstance(formula, Modal) and not formula.star)


def first_difference(lts: Lts, other: int) -> int:
    """The number of rounds of plain refinement that separate two starts."""
    plain, rounds = Plain(lts), 0
    block: dict[int, object] = dict(enumerate(plain.marks))
    while block[0] == block[other]:
        rounds += 1
        block = {
            state: (block[state], frozenset((label, block[target]) for label, target in plain.after[state]))
            for state in plain.states
        }
    return rounds


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("kind", KINDS)
@properties(120)
@given(one=systems(5), other=systems(5))
def test_random_systems(kind: str, one: Lts, other: Lts) -> None:
    found, both = compare(one, other, kind), beside(one, other)
    assert found.equivalent == ((0, one.states) in Plain(both).bisimilar(kind))
    if found.equivalent:
        assert (found.depth, found.formula, found.why) == (None, None, "")
        return
    assert found.depth is not None
    if kind == "strong":
        assert found.depth == first_difference(both, one.states)
    if found.formula is None:
        assert found.why
        assert kind == "branching" or one.broken or other.broken
        return
    assert Meaning(one).holds(found.formula, 0)
    assert not Meaning(other).holds(found.formula, 0)
    written = formulas.text(found.formula)
    assert ctl.check(written, one).holds
    assert not ctl.check(written, other).holds
    if kind == "strong":
        assert depth_of(found.formula) == found.depth


@pytest.mark.parametrize("kind", KINDS)
@properties(60)
@given(lts=systems(12))
def test_a_system_is_equivalent_to_its_quotient(kind: str, lts: Lts) -> None:
    assert compare(lts, minimise(lts, kind), kind).equivalent


@properties(60)
@given(systems(5), systems(5))
def test_hidden_labels_in_formulas(one: Lts, other: Lts) -> None:
    """The formula is about the systems as they are, with hidden labels in the place of silent ones."""
    for kind in KINDS:
        found = compare(one, other, kind, hide=["a"])
        if found.formula is not None:
            assert Meaning(one).holds(found.formula, 0)
            assert not Meaning(other).holds(found.formula, 0)


COIN = system(3, (0, "coin", 1), (1, "tea", 2), (1, "coffee", 2))
COINS = system(4, (0, "coin", 1), (0, "coin", 2), (1, "tea", 3), (2, "coffee", 3))
LABELS = system(2, (0, "put(a, 1)", 1), (0, "it's", 1))
OTHERS = system(2, (0, "put(a, 2)", 1), (0, "U", 1), (0, "it's", 0))
STEPS = system(4, (0, "tau", 1), (1, "a", 2), (0, "b", 3))
CHOICE = system(4, (0, "a", 2), (0, "b", 3))
LATE = system(5, (0, "a", 1), (1, "tau", 2), (1, "b", 3), (2, "c", 4))
EARLY = system(5, (0, "a", 1), (1, "tau", 2), (1, "b", 3), (2, "c", 4), (0, "a", 2))


@together(
    ("one", "other", "kind", "depth", "formula"),
    [
        (COIN, COINS, "strong", 2, "!<coin> !<coffee> true"),
        (COIN, COINS, "weak", 2, "!<coin> !<coffee> true"),
        (LABELS, OTHERS, "strong", 1, "<'put(a, 1)'> true"),
        (OTHERS, LABELS, "strong", 1, "<'put(a, 2)'> true"),
        (OTHERS, system(2, (0, "put(a, 2)", 1), (0, "it's", 0)), "strong", 1, "<'U'> true"),
        (STEPS, CHOICE, "weak", 2, "<'tau'*> !<'tau'*> <b> <'tau'*> true"),
        (STEPS, CHOICE, "branching", 2, "<'tau'*> !<'tau'*> <b> <'tau'*> true"),
        (LATE, EARLY, "branching", 2, None),
        (LATE, EARLY, "strong", 2, "!<a> <c> true"),
        (COIN, system(1, final={0}), "strong", 0, "!$final"),
    ],
)
def test_small_systems(one: Lts, other: Lts, kind: str, depth: int, formula: str | None) -> None:
    found = compare(one, other, kind)
    assert (found.equivalent, found.depth) == (False, depth)
    assert (None if found.formula is None else formulas.text(found.formula)) == formula


def test_systems_that_are_weakly_bisimilar_only() -> None:
    assert compare(LATE, EARLY, "weak").equivalent
    assert compare(LATE, EARLY, "branching").why == ("They are weakly bisimilar, so no formula tells them apart.")


def test_a_difference_far_from_the_start() -> None:
    """Formulas have a limit, the depth has none."""
    for length, has_formula in ((100, True), (400, False)):
        one, other = (system(size + 1, *((n, "a", n + 1) for n in range(size))) for size in (length, length + 1))
        found = compare(one, other)
        assert (found.equivalent, found.depth) == (False, length + 1)
        assert (found.formula is not None) == has_formula
        assert has_formula or found.why == "The formula that tells them apart is too large."


def test_the_same_model_up_to_isomorphism() -> None:
    one, other = (explore(new("ferry"), isomorphism=merged).lts for merged in (True, False))
    for kind in KINDS:
        assert compare(one, other, kind, hide=["cross"]).equivalent

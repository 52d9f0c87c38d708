"""Bisimulation: minimised systems against the definitions, pair by pair, and against plain refinement."""

from __future__ import annotations

import random
from collections.abc import Callable
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar import explore
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import bisimulation, runner
from pentad.grammar.logic.bisimulation import KINDS, minimise, quotient
from pentad.grammar.lts import Lts
from pentad.grammar.models import new
from tests.properties import properties, some_of

LABELS = ("a", "b", "tau", "i")


def system(states: int, *rows: tuple[int, str, int], **marks: object) -> Lts:
    """A system with these transitions."""
    names = list(dict.fromkeys(label for _, label, _ in rows))
    lts = Lts([(name, ()) for name in names], states=states, **marks)
    for source, label, target in rows:
        lts.add(source, names.index(label), target)
    return lts


@st.composite
def systems(draw: st.DrawFn, most: int = 7) -> Lts:
    states = draw(st.integers(1, most))
    numbers = st.integers(0, states - 1)
    rows = draw(st.lists(st.tuples(numbers, st.sampled_from(LABELS), numbers), max_size=2 * most))
    marks = {name: draw(st.sets(numbers, max_size=2)) for name in draw(st.sets(st.sampled_from(("final", "open"))))}
    broken = draw(st.dictionaries(numbers, st.sampled_from([("x",), ("x", "y"), ("y", "x")]), max_size=1))
    return system(states, *rows, **marks, broken=broken)


def any_system(seed: int, states: int, transitions: int) -> Lts:
    """A random system; most of its states can be reached."""
    chance = random.Random(seed)
    ends = [(chance.randrange(target), target) for target in range(1, states)]
    ends += [(chance.randrange(states), chance.randrange(states)) for _ in range(transitions - len(ends))]
    rows = [(source, chance.choice(LABELS), target) for source, target in ends]
    return system(states, *rows, final={0} if chance.random() < 0.5 else set())


# ── the definitions ──────────────────────────────────────────────────────────────────────────────


class Plain:
    """A system as sets, with the definition of each kind of bisimulation."""

    def __init__(self, lts: Lts) -> None:
        self.states = range(lts.states)
        self.marks = [
            (state in lts.final, state in lts.open, frozenset(lts.broken.get(state, ()))) for state in self.states
        ]
        self.after: list[set[tuple[str, int]]] = [set() for _ in self.states]
        for each in lts:
            self.after[each.source].add((each.label, each.target))

    def silent(self, state: int) -> set[int]:
        """The states that silent steps reach."""
        found, waiting = {state}, [state]
        while waiting:
            for label, target in self.after[waiting.pop()]:
                if label in ("tau", "i") and target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    def passed(self, one: int, other: int, same: set[tuple[int, int]]) -> set[int]:
        """The states that silent steps from one state reach, over states that are related to another one."""
        found, waiting = {other}, [other]
        while waiting:
            for label, target in self.after[waiting.pop()]:
                if label in ("tau", "i") and target not in found and (one, target) in same:
                    found.add(target)
                    waiting.append(target)
        return found

    def strong(self, one: int, other: int, same: set[tuple[int, int]]) -> bool:
        return all(
            any(label == its and (target, end) in same for its, end in self.after[other])
            for label, target in self.after[one]
        )

    def branching(self, one: int, other: int, same: set[tuple[int, int]]) -> bool:
        return all(
            (label in ("tau", "i") and (target, other) in same)
            or any(
                is_like(label, its) and (target, end) in same
                for middle in self.passed(one, other, same)
                for its, end in self.after[middle]
            )
            for label, target in self.after[one]
        )

    def weak(self, one: int, other: int, same: set[tuple[int, int]]) -> bool:
        return all(
            (label in ("tau", "i") and any((target, end) in same for end in self.silent(other)))
            or any(
                is_like(label, its) and (target, last) in same
                for middle in self.silent(other)
                for its, end in self.after[middle]
                for last in self.silent(end)
            )
            for label, target in self.after[one]
        )

    def bisimilar(self, kind: str) -> set[tuple[int, int]]:
        """The largest relation that the definition allows."""
        matches: Callable[[int, int, set[tuple[int, int]]], bool] = getattr(self, kind)
        same = {(s, t) for s in self.states for t in self.states if self.marks[s] == self.marks[t]}
        while True:
            fewer = {(s, t) for s, t in same if matches(s, t, same) and matches(t, s, same)}
            if fewer == same:
                return same
            same = fewer


def is_like(label: str, other: str) -> bool:
    return label == other or {label, other} <= {"tau", "i"}


def beside(one: Lts, other: Lts) -> Lts:
    """Both systems as one."""
    names = list(dict.fromkeys(each.label for lts in (one, other) for each in lts))
    both = Lts([(name, ()) for name in names], states=one.states + other.states)
    for lts, first in ((one, 0), (other, one.states)):
        both.final |= {first + state for state in lts.final}
        both.open |= {first + state for state in lts.open}
        both.broken |= {first + state: rules for state, rules in lts.broken.items()}
        for each in lts:
            both.add(first + each.source, names.index(each.label), first + each.target)
    return both


def reached(lts: Lts) -> set[int]:
    found, waiting = {0}, [0]
    while waiting:
        for number in lts.leaving(waiting.pop()):
            if (target := lts.targets[number]) not in found:
                found.add(target)
                waiting.append(target)
    return found


def rows(lts: Lts) -> list[tuple[int, str, int]]:
    return [(each.source, each.label, each.target) for each in lts]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("kind", KINDS)
@properties(140)
@given(lts=systems())
def test_classes_are_those_of_the_definition(kind: str, lts: Lts) -> None:
    same, found = Plain(lts).bisimilar(kind), quotient(lts, kind)
    inside = reached(lts)
    for one in range(lts.states):
        assert (found.classes[one] >= 0) == (one in inside)
        for other in inside:
            assert (found.classes[one] == found.classes[other]) == (one in inside and (one, other) in same)
    for state, size in enumerate(found.sizes):
        members = [one for one in inside if found.classes[one] == state]
        assert (len(members), min(members)) == (size, found.firsts[state])


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("kind", KINDS)
@properties(140)
@given(lts=systems(5))
def test_the_quotient_is_bisimilar_and_minimal(kind: str, lts: Lts) -> None:
    small = minimise(lts, kind)
    assert reached(small) == {*range(small.states)}
    same = Plain(beside(lts, small)).bisimilar(kind)
    assert (0, lts.states) in same
    own = Plain(small).bisimilar(kind)
    assert len(own) == small.states
    assert len(set(rows(small))) == small.transitions <= lts.transitions


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("kind", KINDS)
@properties(100)
@given(lts=systems(12))
def test_minimising_twice_changes_nothing(kind: str, lts: Lts) -> None:
    once = minimise(lts, kind)
    twice = minimise(once, kind)
    assert rows(twice) == rows(once)
    for name in ("states", "final", "open", "broken", "depths"):
        assert getattr(twice, name) == getattr(once, name)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("kind", KINDS)
@properties(100)
@given(lts=systems(12), seed=st.integers(0, 9))
def test_other_numbers_give_the_same_system(kind: str, lts: Lts, seed: int) -> None:
    chance = random.Random(seed)
    names, order = [0, *chance.sample(range(1, lts.states), lts.states - 1)], [*range(lts.transitions)]
    chance.shuffle(order)
    other = Lts(lts.labels, states=lts.states)
    other.final, other.open = ({names[state] for state in those} for those in (lts.final, lts.open))
    other.broken = {names[state]: rules for state, rules in lts.broken.items()}
    for number in order:
        other.add(names[lts.sources[number]], lts.actions[number], names[lts.targets[number]])
    one, other = minimise(lts, kind), minimise(other, kind)
    assert one.states == other.states
    assert one.transitions == other.transitions
    assert sorted(one.depths) == sorted(other.depths)
    assert (0, one.states) in Plain(beside(one, other)).bisimilar(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_large_systems_against_plain_refinement(kind: str) -> None:
    """Of strong bisimulation by signatures; of the others by the definition, on fewer states."""
    for seed in range(some_of(40)):
        states = 200 if kind == "strong" else 14
        lts = any_system(seed, states, round(states * random.Random(seed).uniform(1, 2.5)))
        found = quotient(lts, kind)
        inside = sorted(reached(lts))
        same = refined(lts) if kind == "strong" else by_definition(lts, kind)
        assert len({found.classes[state] for state in inside}) == len({same[state] for state in inside})
        assert len({(found.classes[state], same[state]) for state in inside}) == found.lts.states


def by_definition(lts: Lts, kind: str) -> dict[int, object]:
    """The class of each state, named after its first one."""
    pairs = Plain(lts).bisimilar(kind)
    return {one: min(other for other in range(lts.states) if (one, other) in pairs) for one in range(lts.states)}


def refined(lts: Lts) -> dict[int, object]:
    """The class of each state by strong bisimulation: signatures compared until the number of classes stays."""
    plain = Plain(lts)
    block: dict[int, object] = dict(enumerate(plain.marks))
    while True:
        signs = {
            state: (block[state], frozenset((label, block[target]) for label, target in plain.after[state]))
            for state in plain.states
        }
        numbers = {sign: number for number, sign in enumerate(dict.fromkeys(signs.values()))}
        if len(numbers) == len(set(block.values())):
            return block
        block = {state: numbers[sign] for state, sign in signs.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_machine_code_and_python_agree(kind: str) -> None:
    for seed in range(some_of(20)):
        lts = any_system(seed, 60, 110)
        one = quotient(lts, kind)
        with patch.object(runner, "TINY", 0):
            other = quotient(lts, kind)
        assert rows(one.lts) == rows(other.lts)
        assert list(one.classes) == list(other.classes)
        assert list(one.sizes) == list(other.sizes)
        with patch.object(bisimulation, "STATES_OF_CALL", 3):  # states in one call
            sliced = quotient(lts, kind)
        assert (rows(sliced.lts), list(sliced.classes)) == (rows(one.lts), list(one.classes))


def test_small_systems_of_textbooks() -> None:
    """Milner's vending machines, and the systems that tell the kinds of bisimulation apart."""
    machine = system(3, (0, "coin", 1), (1, "tea", 2), (1, "coffee", 2))
    early = system(4, (0, "coin", 1), (0, "coin", 2), (1, "tea", 3), (2, "coffee", 3))
    assert [minimise(machine).states, minimise(early).states] == [3, 4]
    delayed = system(5, (0, "a", 1), (1, "tau", 2), (1, "b", 3), (2, "c", 4))
    assert [minimise(delayed, kind).states for kind in KINDS] == [4, 4, 4]
    extra = system(5, (0, "a", 1), (1, "tau", 2), (1, "b", 3), (2, "c", 4), (0, "a", 2))  # and a.c, by a weak law
    assert [(minimise(extra, kind).states, minimise(extra, kind).transitions) for kind in KINDS[:2]] == [(4, 5)] * 2
    assert minimise(beside_start(delayed, extra), "weak").states == minimise(delayed, "weak").states + 1
    assert minimise(beside_start(delayed, extra), "branching").states == minimise(delayed, "branching").states + 2


def beside_start(one: Lts, other: Lts) -> Lts:
    """A choice between two systems, by actions of its own."""
    both = beside(one, other)
    return system(
        both.states + 1,
        *((source + 1, label, target + 1) for source, label, target in rows(both)),
        (0, "one", 1),
        (0, "one", one.states + 1),
    )


def test_marks_distinguish_states() -> None:
    chain = ((0, "a", 1), (0, "a", 2), (1, "tau", 3), (2, "tau", 3))
    for kind, plain in (("strong", 3), ("branching", 2), ("weak", 2)):
        assert minimise(system(4, *chain), kind).states == plain
        for marks in ({"final": {1}}, {"open": {1}}, {"inner": {1}}, {"broken": {1: ("x",)}}):
            assert minimise(system(4, *chain, **marks), kind).states == plain + 1
    both = minimise(system(4, *chain, broken={1: ("x", "y"), 2: ("y", "x")}), "weak")
    assert both.states == 3
    assert set(map(frozenset, both.broken.values())) == {frozenset("xy")}


def test_labels_are_equal_if_their_texts_are() -> None:
    lts = Lts([("go", ("n1",)), ("go(n1)", ()), ("run", ())], states=4, shown={2: "go(n1)"})
    for number in range(3):
        lts.add(0, number, number + 1)
    found = minimise(lts)
    assert (found.states, rows(found)) == (2, [(0, "go(n1)", 1)])


def test_hidden_rules_are_silent() -> None:
    lts = system(4, (0, "start", 1), (1, "work", 2), (2, "stop", 3))
    assert rows(minimise(lts, "branching", hide=["work"])) == [(0, "start", 1), (1, "stop", 2)]
    assert rows(minimise(lts, hide=["work"])) == [(0, "start", 1), (1, "tau", 2), (2, "stop", 3)]


def test_a_state_is_described_by_the_first_of_its_class() -> None:
    lts = system(3, (0, "a", 1), (0, "a", 2))
    lts.describe = "state {}".format
    small = minimise(lts)
    assert small.describe is not None
    assert [small.describe(state) for state in range(2)] == ["state 0", "state 1"]
    assert list(small.depths) == [0, 1]


def test_what_cannot_be_minimised() -> None:
    with pytest.raises(GrammarError, match="without states cannot be minimised"):
        minimise(Lts())
    with pytest.raises(GrammarError, match=r"'trace'.* strong, branching, weak"):
        minimise(system(1), "trace")
    with pytest.raises(GrammarError, match=r"^3 states and 2 transitions .* 0\.4 KiB"):
        minimise(system(3, (0, "a", 1), (0, "a", 2)), memory=100)


@pytest.mark.parametrize("kind", KINDS)
def test_the_states_of_a_model(kind: str) -> None:
    """Isomorphic states are bisimilar, so that merging them first changes nothing."""
    one, other = (
        minimise(explore(new("ferry"), isomorphism=merged).lts, kind, hide=["cross"]) for merged in (True, False)
    )
    assert (one.states, one.transitions) == (other.states, other.transitions)
    assert 1 < one.states < 36

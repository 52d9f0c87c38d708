"""Bisimulation: transition systems minimised, and compared, by strong, branching and weak bisimulation.

Two states are bisimilar if every transition of one is matched by a transition of the other with the same label to a
bisimilar state. For branching and weak bisimulation the labels `tau` and `i` are silent, as in other tools; rules can
be hidden, which makes their label `tau`. Weak bisimulation allows silent steps before and after a matching transition;
branching bisimulation also compares the states that these steps pass. Both ignore endless silent steps.

Labels are equal if their texts are. Marks of states count as well: bisimilar states are both final or not, both open
(found but not explored) or not, both within a recipe or not, and break the same invariants.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import bisimulation_kernels as k
from pentad.grammar.logic.fixpoint_kernels import Numbers
from pentad.grammar.logic.runner import A, Runner
from pentad.grammar.lts import Lts
from pentad.kernels.buffers import typed
from pentad.kernels.types import Int32s, Int64s
from pentad.system.memory import all_memory, free_memory
from pentad.system.words import amount, phrase

KINDS = STRONG, BRANCHING, WEAK = ("strong", "branching", "weak")
SILENT = ("tau", "i")  # the labels of silent transitions
STATES_OF_CALL = 1 << 16  # a kernel cannot be interrupted within a call
BYTES_PER_STATE, BYTES_PER_TRANSITION = 124, 36  # they are upper limits

Progress: TypeAlias = Callable[[int, int], None]  # called with the states that are done, and the number of all


@dataclass(frozen=True, eq=False)
class Quotient:
    """A minimised system, with the class of each state of the original one."""

    lts: Lts
    classes: Numbers  # the state of `lts` for each state, or -1 if it cannot be reached
    sizes: Numbers  # the number of states in each class
    firsts: Numbers  # the first state in each class


def minimise(
    lts: Lts,
    kind: str = STRONG,
    *,
    hide: Collection[str] = (),
    memory: int | None = None,
    progress: Progress | None = None,
) -> Lts:
    """The smallest system that is bisimilar to a system, without states that cannot be reached from its start.

    Its states are numbered in the order of discovery from the start, which is 0; a state's number, depth and marks are
    its own, its description and graph those of the first state in its class. `hide` names actions or labels that are
    renamed to `tau`. `memory` is a limit in bytes: an error is raised before more would be allocated.

    >>> lts = Lts([("get", ()), ("put", ())], states=3)
    >>> for row in ((0, 0, 1), (0, 0, 2), (1, 1, 0), (2, 1, 0)):
    ...     lts.add(*row)
    >>> [(each.source, each.label, each.target) for each in minimise(lts)]
    [(0, 'get', 1), (1, 'put', 0)]
    """
    return quotient(lts, kind, hide=hide, memory=memory, progress=progress).lts


def quotient(
    lts: Lts,
    kind: str = STRONG,
    *,
    hide: Collection[str] = (),
    memory: int | None = None,
    progress: Progress | None = None,
) -> Quotient:
    """The minimised system with the class of each state; the arguments are those of `minimise`."""
    if kind not in KINDS:
        raise GrammarError(phrase("Unknown bisimulation {kind!r}. Kinds: {kinds}.", kind=kind, kinds=", ".join(KINDS)))
    if not lts.states:
        raise GrammarError("A transition system without states cannot be minimised.")
    limit = check_memory(lts, memory)
    labels = LabelClasses(lts, hide, kind != STRONG)
    run = Runner(k, lts.states + lts.transitions)
    system = loaded(run, lts, labels)
    reached = _reached(run, system)
    if kind == STRONG:
        refinement = Refinement(run, system, limit, progress)
        refinement.settle()
        refinement.refine()
        return _quotient(run, system, refinement.block_of, lts, labels, reached)
    parts, system = _collapsed(run, system)
    refinement = Refinement(run, system, limit, progress)
    refinement.refine()
    branching = _quotient(run, system, refinement.block_of, lts, labels, reached, parts)
    return branching if kind == BRANCHING else _weak(branching, lts, limit, progress)


def _reached(run: Runner, system: TransitionColumns) -> Int32s:
    """A column with 1 for each state that can be reached; an empty one if all can, as after an exploration."""
    found = run.zeros(system.count, Int32s)
    begins, targets = system.leaving.begins, system.leaving.targets
    if run.call("led_to", begins, targets, found) == system.count:
        return run.zeros(0, Int32s)
    run.call("fill", found, system.count, 0)
    queue, counts = run.zeros(system.count, "int32"), run.zeros(system.count, "int64")
    run.call("levels", begins, targets, found, queue, counts)
    return found


def _weak(branching: Quotient, lts: Lts, limit: int, progress: Progress | None) -> Quotient:
    """The quotient by weak bisimulation, from the one by branching bisimulation."""
    smaller = branching.lts
    run = Runner(k, smaller.states + smaller.transitions)
    labels = LabelClasses(smaller, (), silent=True)
    system = loaded(run, smaller, labels)
    refinement = Refinement(run, _saturated(run, system, limit), limit, progress)
    refinement.refine()
    _, merged = _collapsed(run, system, refinement.block_of, refinement.blocks)
    same = _read(run, range(merged.count))
    weak = _quotient(run, merged, same, smaller, labels, run.zeros(0, Int32s), refinement.block_of)
    classes = array("i", (-1 if each < 0 else weak.classes[each] for each in branching.classes))
    sizes, firsts = (array("i", bytes(4 * weak.lts.states)) for _ in range(2))
    for state in reversed(range(lts.states)):
        if (number := classes[state]) >= 0:
            sizes[number] += 1
            firsts[number] = state
    found = _described(weak.lts, lts, memoryview(firsts))
    return Quotient(found, memoryview(classes), memoryview(sizes), memoryview(firsts))


class Rounds:
    """The rounds of refinement that a system needs, until two states of it are separated or nothing changes."""

    def __init__(self, lts: Lts, kind: str, one: int, other: int, memory: int | None = None) -> None:
        limit = check_memory(lts, memory)
        labels = LabelClasses(lts, (), kind != STRONG)
        self.labels = labels.lts
        run = Runner(k, lts.states + lts.transitions)
        system = loaded(run, lts, labels)
        self._parts: Int32s | range = range(lts.states)
        if kind == BRANCHING:
            self._parts, system = _collapsed(run, system)
        self.system = _saturated(run, system, limit) if kind == WEAK else system
        self._refinement = Refinement(run, self.system, limit)
        self._refinement.refine(lambda: self.separated(one, other) >= 0)

    def separated(self, one: int, other: int) -> int:
        """The round that separated two states, 0 if their marks differ; -1 if nothing has."""
        return self._refinement.separated(self._parts[one], self._parts[other])

    def block(self, state: int) -> int:
        """The class of a state."""
        return self._refinement.block_of[self._parts[state]]

    def leaving(self, state: int) -> list[tuple[int, int]]:
        """The labels and targets of a state's transitions, which are weak ones for weak bisimulation."""
        begins, actions, targets, _ = self.system.leaving
        return [(actions[edge], targets[edge]) for edge in range(begins[state], begins[state + 1])]


def _read(run: Runner, numbers: Iterable[int]) -> Int32s:
    return typed(memoryview(array("i", numbers)), Int32s) if run.code else cast("Int32s", list(numbers))


def check_memory(lts: Lts, memory: int | None) -> int:
    """The limit in bytes; raises an error if a system may need more."""
    limit = min(all_memory() // 2, free_memory()) if memory is None else memory
    needed = BYTES_PER_STATE * lts.states + BYTES_PER_TRANSITION * lts.transitions
    if needed > limit:
        raise GrammarError(
            phrase(
                "{states:,} states and {transitions:,} transitions may need {needed} of memory to be "
                "minimised; the limit is {limit}.",
                states=lts.states,
                transitions=lts.transitions,
                needed=amount(needed),
                limit=amount(limit),
            )
        )
    return limit


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


class LabelClasses:
    """The labels of a system by their texts; hidden ones, and with `silent` the silent ones, are one label."""

    def __init__(self, lts: Lts, hide: Collection[str], silent: bool) -> None:
        self.numbers: list[int] = []  # each label of the system has one
        self.silent = -1
        self.lts = Lts()  # which has the labels alone
        known: dict[tuple[str, bool], int] = {}
        for number, (action, arguments) in enumerate(lts.labels):
            text, is_step = lts.label(number), number in lts.steps
            is_hidden = action in hide or text in hide
            is_tau = is_hidden or (silent and text in SILENT)
            found = known.setdefault((SILENT[0], False) if is_tau else (text, is_step), len(known))
            if found == len(self.lts.labels):
                self.lts.labels.append((SILENT[0], ()) if is_tau else (action, arguments))
                if is_step and not is_tau:
                    self.lts.steps.add(found)
                if number in lts.shown and not is_tau:
                    self.lts.shown[found] = lts.shown[number]
            if silent and is_tau:
                self.silent = found
            self.numbers.append(found)


@dataclass(frozen=True, eq=False)
class TransitionColumns:
    """A transition system of `count` states, as columns."""

    count: int
    start: int
    leaving: k.LeavingTransitions  # the label of silent ones is -1 where there are none
    colours: Int32s  # the marks of each state, as a number
    colour_count: int


def loaded(run: Runner, lts: Lts, labels: LabelClasses) -> TransitionColumns:
    """The columns of a system."""
    sources, targets = run.read(lts.sources), run.read(lts.targets)
    actions = run.zeros(lts.transitions, Int32s)
    numbers = _read(run, labels.numbers)
    if run.code and lts.actions.typecode == "H":
        run.call("relabel_short", memoryview(lts.actions), numbers, actions)
    else:
        run.call("relabel", run.read(lts.actions), numbers, actions)
    leaving = _grouped(run, lts.states, k.WrittenTransitions(sources, actions, targets), labels.silent)
    return TransitionColumns(lts.states, 0, leaving, *_colours(run, lts))


def _grouped(run: Runner, count: int, written: k.WrittenTransitions, silent: int) -> k.LeavingTransitions:
    """Transitions grouped by state."""
    sources, actions, targets = written
    begins = run.zeros(count + 2, Int64s)
    if run.call("is_sorted", sources):
        run.call("count", sources, begins)
        return k.LeavingTransitions(begins, actions, targets, silent)
    ordered = k.LeavingTransitions(begins, run.zeros(len(sources), Int32s), run.zeros(len(sources), Int32s), silent)
    run.call("group", sources, actions, run.zeros(count + 2, Int64s), ordered.actions)
    run.call("group", sources, targets, begins, ordered.targets)
    return ordered


def _colours(run: Runner, lts: Lts) -> tuple[Int32s, int]:
    """A number for each state, the same for equal marks, and how many there are."""
    found = run.zeros(lts.states, Int32s)
    for bit, those in enumerate((lts.final, lts.open, lts.inner)):
        for state in those:
            found[state] |= 1 << bit
    kinds: dict[frozenset[str], int] = {}
    for state, rules in lts.broken.items():
        found[state] |= (kinds.setdefault(frozenset(rules), len(kinds)) + 1) << 3
    marked = {*lts.final, *lts.open, *lts.inner, *lts.broken}
    numbers = {0: 0} if len(marked) < lts.states else {}
    for state in marked:
        found[state] = numbers.setdefault(found[state], len(numbers))
    return found, len(numbers)


# ── silent steps ─────────────────────────────────────────────────────────────────────────────────


def _collapsed(
    run: Runner, system: TransitionColumns, parts: Int32s | None = None, count: int = 0
) -> tuple[Int32s, TransitionColumns]:
    """The parts of the states, and the system of these parts; without any given, the components by silent steps."""
    if parts is None:
        parts = run.zeros(system.count, Int32s)
        count = run.call("components", system.leaving, system.colours, component_room(run, system.count), parts)
    colours = run.zeros(count, Int32s)
    run.call("carry", parts, system.colours, colours)
    written = _room(run, len(system.leaving.targets))
    size = run.call("collapse", system.leaving, parts, written)
    leaving = _grouped(run, count, _beginning(written, size), system.leaving.silent)
    return parts, TransitionColumns(count, parts[system.start], leaving, colours, system.colour_count)


def component_room(run: Runner, count: int) -> k.ComponentRoom:
    """Room to find the components of so many states."""
    numbers, lows, stack, calls = (run.zeros(count, Int32s) for _ in range(4))
    return k.ComponentRoom(numbers, lows, run.zeros(count, Int64s), stack, calls)


def _room(run: Runner, size: int) -> k.WrittenTransitions:
    """Room for so many transitions."""
    return k.WrittenTransitions(*(run.zeros(size, Int32s) for _ in range(3)))


def _beginning(written: k.WrittenTransitions, size: int) -> k.WrittenTransitions:
    """The first transitions, as many as are written."""
    return k.WrittenTransitions(*(column[:size] for column in written))


def _saturated(run: Runner, system: TransitionColumns, limit: int) -> TransitionColumns:
    """The system with weak transitions in place of strong ones, with silent ones from each state to itself."""
    leaving, counts = system.leaving, k.SaturationCounts()
    stamps, queue = run.zeros(system.count, "int64"), run.zeros(system.count, "int32")
    pairs = run.zeros(len(leaving.targets) + 1, "int64")
    size = system.count + 2 * len(leaving.targets)
    begins = run.zeros(system.count + 2, Int64s)
    weak = k.LeavingTransitions(begins, run.zeros(size, Int32s), run.zeros(size, Int32s), -1)
    if leaving.silent < 0:
        leaving = leaving._replace(silent=k.NO_LABEL)
    done = 0
    while done < system.count:
        end = min(done + STATES_OF_CALL, system.count)
        done = run.call("saturate", done, end, leaving, stamps, queue, pairs, weak, counts)
        if done < end:
            actions, targets = (_grown(run, column, Int32s, limit) for column in (weak.actions, weak.targets))
            weak = weak._replace(actions=actions, targets=targets)
    actions, targets = weak.actions[: counts.size], weak.targets[: counts.size]
    return replace(system, leaving=weak._replace(actions=actions, targets=targets))


def _grown(run: Runner, column: A, kind: type[A], limit: int) -> A:
    """A copy of a column with room for twice as many numbers."""
    size = 2 * len(column)
    if size * 8 > limit:
        raise GrammarError(
            phrase("The silent steps make the system too large for the memory limit of {limit}.", limit=amount(limit))
        )
    return _copy(run, column, kind, size)


def _copy(run: Runner, column: A, kind: type[A], size: int) -> A:
    """A copy of a column, with zeros after it."""
    found = run.zeros(size, kind)
    found[: len(column)] = column
    return found


# ── refinement ───────────────────────────────────────────────────────────────────────────────────


class Refinement:
    """The classes of a system's states; classes are split in rounds, until every class has only bisimilar states."""

    def __init__(self, run: Runner, system: TransitionColumns, limit: int, progress: Progress | None = None) -> None:
        self._run, self._system, self._limit, self._progress = run, system, limit, progress
        count = system.count
        self.settled = 0  # the number of classes that `settle` found
        self.level = 0  # the number of rounds
        self._left, self._queue = run.zeros(count, Int32s), run.zeros(count, Int32s)
        self.block_of = _copy(run, system.colours, Int32s, count)
        self._classes = k.StateClasses(self.block_of, run.zeros(count, Int32s), run.zeros(0, Int32s))
        self._signatures = k.SignatureGroups(
            run.zeros(0, Int32s), 0, run.zeros(count + 1, Int32s), run.zeros(count + 1, Int64s),
            run.zeros(count + 1, Int64s), run.zeros(len(system.leaving.targets) + 2, Int64s),
        )  # fmt: skip
        self._parts = _partition(run, count, count + system.colour_count + 1)
        self._counts = k.RefinementCounts()
        self._coming = _backward(run, system)
        run.call("fill", self._left, count, 1)

    def settle(self) -> None:
        """Finds the classes of the states without infinite paths, from those without transitions on."""
        run, system, queue = self._run, self._system, self._queue
        size, done = run.call("leaves", system.leaving.begins, self._left, queue), 0
        while done < size:
            last = min(size, done + STATES_OF_CALL)
            groups = self._counts.groups
            if 2 * (groups + last - done) > self._signatures.mask:
                self._reserve(2 * (groups + last - done), groups)
            self._sign(queue, done, last)
            run.call("settle", queue, done, last, self._classes)
            size = run.call("release", queue, done, last, size, self._coming, self._left)
            done = last
            self._report(done)
        self.settled = self._counts.groups

    def refine(self, until: Callable[[], bool] = lambda: False) -> None:
        """Splits the classes of the other states, until nothing changes or `until` returns true."""
        run, system, counts, queue = self._run, self._system, self._counts, self._queue
        leaving, silent = system.leaving, system.leaving.silent
        parts = self._parts
        reps = run.zeros(len(parts.begin_of), Int32s)
        room = k.SplitRoom(*(run.zeros(system.count + 1, Int32s) for _ in range(4)))
        classes = self._classes = self._classes._replace(clean_group=run.zeros(len(parts.begin_of), Int32s))
        counts.queued = run.call(
            "partition", system.colours, system.colour_count, self._left, self.settled, parts, classes, queue
        )
        counts.blocks, counts.touched = self.settled + system.colour_count, 0
        for block in range(self.settled, counts.blocks):
            if parts.begin_of[block] < parts.end_of[block]:
                parts.touched[counts.touched] = block
                counts.touched += 1
        all_states = counts.queued
        silent_back = _backward(run, system, are_silent=True) if silent >= 0 else None
        while counts.queued and not until():
            self.level += 1
            counts.groups = counts.top = 0
            self._reserve(2 * counts.queued if silent >= 0 else counts.queued)
            if silent >= 0:
                size = run.call("bottoms", counts.touched, leaving, parts, classes, reps)
                self._sign(reps, 0, size)
                run.call("note_clean", reps, size, classes)
                queue[: counts.queued] = _read(run, sorted(queue[: counts.queued]))
            self._sign(queue, 0, counts.queued)
            counts.moved = 0
            run.call("split", silent, self.level, parts, classes, room, counts)
            counts.touched = counts.queued = 0
            more = leaving, parts, self.block_of, queue, counts
            for first in range(0, counts.moved, STATES_OF_CALL):
                last = min(first + STATES_OF_CALL, counts.moved)
                run.call("mark", parts.moved, first, last, self._coming, *more)
            done = 0
            while silent_back is not None and done < counts.queued:
                last = counts.queued
                run.call("mark", queue, done, last, silent_back, *more)
                done = last
            self._report(system.count - min(counts.queued, all_states))

    @property
    def blocks(self) -> int:
        """The number of classes, with empty ones."""
        return self._counts.blocks

    def separated(self, one: int, other: int) -> int:
        """The round that separated two states, 0 if their marks differ; -1 if they are in one class."""
        parents, levels = self._parts.parents, self._parts.levels
        one, other, level = self.block_of[one], self.block_of[other], -1
        first = self.settled + self._system.colour_count
        while one != other:
            later, earlier = (one, other) if levels[one] >= levels[other] else (other, one)
            if later < first:
                return 0
            level = levels[later]
            one, other = parents[later], earlier
        return level

    def _report(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, self._system.count)

    def _reserve(self, groups: int, kept: int = 0) -> None:
        """Makes an empty hash table with room for this number of groups, and enters the first `kept` groups."""
        size = 1 << (2 * groups).bit_length()
        slots = self._signatures.slots
        if size > len(slots):
            slots = self._run.zeros(size, Int32s)
        else:
            self._run.call("fill", slots, size, 0)
        self._signatures = self._signatures._replace(slots=slots, mask=size - 1)
        self._run.call("refill", self._signatures.hashes, kept, slots, size - 1)

    def _sign(self, queue: Int32s, first: int, last: int) -> None:
        """Groups states of a queue by class and signature."""
        run, leaving = self._run, self._system.leaving
        while first < last:
            end, signatures = min(first + STATES_OF_CALL, last), self._signatures
            first = run.call("sign", queue, first, end, leaving, self._classes, signatures, self._counts)
            if first < end:
                self._signatures = signatures._replace(pairs=_grown(run, signatures.pairs, Int64s, self._limit))


def _partition(run: Runner, states: int, classes: int) -> k.ClassPartition:
    """Room for so many states and classes."""
    begin_of, end_of, dirty_of, parents, levels, touched = (run.zeros(classes, Int32s) for _ in range(6))
    order, position, moved = (run.zeros(states + 1, Int32s) for _ in range(3))
    return k.ClassPartition(begin_of, end_of, dirty_of, order, position, parents, levels, touched, moved)


def _backward(run: Runner, system: TransitionColumns, *, are_silent: bool = False) -> k.ComingTransitions:
    """The transitions by target; only silent ones, if `are_silent`."""
    begins, targets = system.leaving.begins, system.leaving.targets
    size = len(targets)
    sources = run.zeros(size, Int32s)
    if are_silent:
        targets = run.zeros(size, Int32s)
        size = run.call("choose", system.leaving, sources, targets)
    else:
        run.call("spread", begins, sources)
    back, found = run.zeros(system.count + 2, Int64s), run.zeros(size, Int32s)
    run.call("group", targets[:size], sources[:size], back, found)
    return k.ComingTransitions(back, found, are_silent)


# ── the quotient ─────────────────────────────────────────────────────────────────────────────────


def _quotient(
    run: Runner,
    system: TransitionColumns,
    block_of: Int32s,
    lts: Lts,
    labels: LabelClasses,
    reached: Int32s,
    parts: Int32s | None = None,
) -> Quotient:
    """The quotient of a system by classes; `parts` are the states that the states of `lts` have become there."""
    numbers, reps, queue = (run.zeros(system.count + system.colour_count + 1, "int32") for _ in range(3))
    leaving, counts = system.leaving, k.QuotientCounts()
    run.call("representatives", block_of, reps)
    written, pairs = _room(run, len(leaving.targets)), run.zeros(len(leaving.targets) + 1, "int64")
    run.call("quotient", system.start, leaving, block_of, reps, numbers, queue, pairs, written, counts)
    count = counts.classes
    sources, actions, targets = (_array(run, column) for column in _beginning(written, counts.transitions))
    classes, sizes, firsts = (run.zeros(each, "int32") for each in (lts.states, count, count))
    parts = run.zeros(0, Int32s) if parts is None else parts
    run.call("classes", parts, reached, block_of, numbers, sizes, firsts, classes)
    found = replace(labels.lts, sources=sources, actions=actions, targets=targets, states=count)
    found.final, found.open, found.inner = (
        {classes[state] for state in those} - {-1} for those in (lts.final, lts.open, lts.inner)
    )
    found.broken = {classes[state]: rules for state, rules in lts.broken.items() if classes[state] >= 0}
    found.depths = array("i", bytes(4 * count))
    seen = 1  # they are numbered in the order in which transitions lead to them
    for source, target in zip(sources, targets, strict=True):
        if target == seen:
            found.depths[target] = found.depths[source] + 1
            seen += 1
    return Quotient(_described(found, lts, firsts), classes, sizes, firsts)


def _array(run: Runner, column: Int32s) -> array[int]:
    found = array("i")
    if run.code:
        found.frombytes(column.tobytes())
    else:
        found.extend(column)
    return found


def _described(found: Lts, lts: Lts, firsts: Numbers) -> Lts:
    """The quotient with the descriptions and graphs of the first state in each class."""
    describe, graph = lts.describe, lts.graph
    if describe is not None:
        found.describe = lambda state: describe(firsts[state])
    if graph is not None:
        found.graph = lambda state: graph(firsts[state])
    return found

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
from typing import Any, TypeAlias

from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import bisimulation_kernels as k
from pentad.grammar.logic.fixpoint_kernels import Numbers
from pentad.grammar.logic.runner import Runner
from pentad.grammar.lts import Lts
from pentad.system.memory import all_memory, free_memory
from pentad.system.words import amount

KINDS = STRONG, BRANCHING, WEAK = ("strong", "branching", "weak")
SILENT = ("tau", "i")  # the labels of silent transitions
AT_ONCE = 1 << 16  # states in one call of a kernel
PER_STATE, PER_TRANSITION = 124, 36  # bytes of memory, at most

Progress: TypeAlias = Callable[[int, int], None]  # states done, of how many


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
        raise GrammarError(f"Unknown bisimulation {kind!r}. Kinds: {', '.join(KINDS)}.")
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


def _reached(run: Runner, system: TransitionColumns) -> Numbers:
    """A column with 1 for each state that can be reached; an empty one if all can, as after an exploration."""
    found = run.zeros(system.count, "int32")
    if run.call("led_to", system.begins, system.targets, found) == system.count:
        return run.zeros(0, "int32")
    run.call("fill", found, system.count, 0)
    queue, counts = run.zeros(system.count, "int32"), run.zeros(system.count, "int64")
    run.call("levels", system.begins, system.targets, found, queue, counts)
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
    weak = _quotient(run, merged, same, smaller, labels, run.zeros(0, "int32"), refinement.block_of)
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
        self._parts: Numbers | range = range(lts.states)
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
        begins, system = self.system.begins, self.system
        return [(system.actions[edge], system.targets[edge]) for edge in range(begins[state], begins[state + 1])]


def _read(run: Runner, numbers: Iterable[int]) -> Numbers:
    return memoryview(array("i", numbers)) if run.code else list(numbers)


def check_memory(lts: Lts, memory: int | None) -> int:
    """The limit in bytes; raises an error if a system may need more."""
    limit = min(all_memory() // 2, free_memory()) if memory is None else memory
    needed = PER_STATE * lts.states + PER_TRANSITION * lts.transitions
    if needed > limit:
        raise GrammarError(
            f"{lts.states:,} states and {lts.transitions:,} transitions may need {amount(needed)} of memory "
            f"to be minimised; the limit is {amount(limit)}."
        )
    return limit


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


class LabelClasses:
    """The labels of a system by their texts; hidden ones, and with `silent` the silent ones, are one label."""

    def __init__(self, lts: Lts, hide: Collection[str], silent: bool) -> None:
        self.numbers: list[int] = []  # by the number of the label in the system
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
    """A transition system as columns: the transitions of state s are at the indices begins[s] to begins[s + 1]."""

    count: int  # of states
    start: int
    begins: Numbers
    actions: Numbers
    targets: Numbers
    silent: int  # the label of silent steps, or -1
    colours: Numbers  # the marks of each state, as a number
    colour_count: int

    @property
    def forward(self) -> tuple[Numbers, Numbers, Numbers, int]:
        """The transitions as arguments of kernels."""
        return self.begins, self.actions, self.targets, self.silent


def loaded(run: Runner, lts: Lts, labels: LabelClasses) -> TransitionColumns:
    """The columns of a system."""
    sources, targets = run.read(lts.sources), run.read(lts.targets)
    actions = run.zeros(lts.transitions, "int32")
    numbers = _read(run, labels.numbers)
    if run.code and lts.actions.typecode == "H":
        run.call("relabel_short", memoryview(lts.actions), numbers, actions)
    else:
        run.call("relabel", run.read(lts.actions), numbers, actions)
    begins, actions, targets = _grouped(run, lts.states, sources, actions, targets)
    colours, colour_count = _colours(run, lts)
    return TransitionColumns(lts.states, 0, begins, actions, targets, labels.silent, colours, colour_count)


def _grouped(run: Runner, count: int, ends: Numbers, *columns: Numbers) -> tuple[Numbers, ...]:
    """Where the transitions of each state begin, and columns grouped by state."""
    begins = run.zeros(count + 2, "int64")
    if run.call("is_sorted", ends):
        run.call("count", ends, begins)
        return begins, *columns
    grouped = []
    for column in columns:
        begins, found = run.zeros(count + 2, "int64"), run.zeros(len(ends), "int32")
        run.call("group", ends, column, begins, found)
        grouped.append(found)
    return begins, *grouped


def _colours(run: Runner, lts: Lts) -> tuple[Numbers, int]:
    """A number for each state, the same for equal marks, and how many there are."""
    found = run.zeros(lts.states, "int32")
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
    run: Runner, system: TransitionColumns, parts: Numbers | None = None, count: int = 0
) -> tuple[Numbers, TransitionColumns]:
    """The parts of the states, and the system of these parts; without any given, the components by silent steps."""
    if parts is None:
        parts = run.zeros(system.count, "int32")
        numbers, lows, stack, calls = (run.zeros(system.count, "int32") for _ in range(4))
        edges = run.zeros(system.count, "int64")
        count = run.call("components", *system.forward, system.colours, numbers, lows, edges, stack, calls, parts)
    colours = run.zeros(count, "int32")
    run.call("carry", parts, system.colours, colours)
    size = len(system.targets)
    sources, labels, others = (run.zeros(size, "int32") for _ in range(3))
    size = run.call("collapse", *system.forward, parts, sources, labels, others)
    begins, actions, targets = _grouped(run, count, sources[:size], labels[:size], others[:size])
    return parts, TransitionColumns(
        count, parts[system.start], begins, actions, targets, system.silent, colours, system.colour_count
    )


def _saturated(run: Runner, system: TransitionColumns, limit: int) -> TransitionColumns:
    """The system with weak transitions in place of strong ones, with silent ones from each state to itself."""
    stamps, queue = run.zeros(system.count, "int64"), run.zeros(system.count, "int32")
    pairs = run.zeros(len(system.targets) + 1, "int64")
    places, stats = run.zeros(system.count + 2, "int64"), run.zeros(2, "int64")
    size = system.count + 2 * len(system.targets)
    labels, others = run.zeros(size, "int32"), run.zeros(size, "int32")
    silent = system.silent if system.silent >= 0 else k.NO_LABEL
    done = 0
    while done < system.count:
        end = min(done + AT_ONCE, system.count)
        done = run.call(
            "saturate", done, end, system.begins, system.actions, system.targets, silent, stamps, queue, pairs,
            places, labels, others, stats,
        )  # fmt: skip
        if done < end:
            labels, others = _grown(run, labels, "int32", limit), _grown(run, others, "int32", limit)
    size = stats[0]
    return replace(system, begins=places, actions=labels[:size], targets=others[:size], silent=-1)


def _grown(run: Runner, column: Numbers, kind: str, limit: int) -> Numbers:
    """A copy of a column with room for twice as many numbers."""
    size = 2 * len(column)
    if size * 8 > limit:
        raise GrammarError(f"The silent steps make the system too large for the memory limit of {amount(limit)}.")
    return _copy(run, column, kind, size)


def _copy(run: Runner, column: Numbers, kind: str, size: int) -> Numbers:
    """A copy of a column, with zeros after it."""
    found = run.zeros(size, kind)
    beginning: Any = found
    beginning[: len(column)] = column
    return found


# ── refinement ───────────────────────────────────────────────────────────────────────────────────


class Refinement:
    """The classes of a system's states; classes are split in rounds, until every class has only bisimilar states."""

    def __init__(self, run: Runner, system: TransitionColumns, limit: int, progress: Progress | None = None) -> None:
        self._run, self._system, self._limit, self._progress = run, system, limit, progress
        count = system.count
        self.settled = 0  # the number of classes that `settle` found
        self.level = 0  # the number of rounds
        self.block_of = _copy(run, system.colours, "int32", count)
        self._left, self._queue, self._group_of = (run.zeros(count, "int32") for _ in range(3))
        self._owners, self._slots, self._mask = run.zeros(count + 1, "int32"), run.zeros(0, "int32"), 0
        self._hashes, self._ends = run.zeros(count + 1, "int64"), run.zeros(count + 1, "int64")
        self._pairs, self._stats = run.zeros(len(system.targets) + 2, "int64"), run.zeros(k.STATS, "int64")
        self._back, self._sources = _backward(run, system)
        run.call("fill", self._left, count, 1)
        self._clean_group = run.zeros(0, "int32")
        self.parents = self.levels = self._clean_group

    def settle(self) -> None:
        """Finds the classes of the states without infinite paths, from those without transitions on."""
        run, system, queue = self._run, self._system, self._queue
        size, done = run.call("leaves", system.begins, self._left, queue), 0
        while done < size:
            last = min(size, done + AT_ONCE)
            groups = self._stats[k.GROUPS]
            if 2 * (groups + last - done) > self._mask:
                self._reserve(2 * (groups + last - done), groups)
            self._sign(queue, done, last)
            run.call("settle", queue, done, last, self._group_of, self.block_of)
            size = run.call("release", queue, done, last, size, self._back, self._sources, self._left)
            done = last
            self._report(done)
        self.settled = self._stats[k.GROUPS]

    def refine(self, until: Callable[[], bool] = lambda: False) -> None:
        """Splits the classes of the other states, until nothing changes or `until` returns true."""
        run, system, stats = self._run, self._system, self._stats
        count = system.count
        blocks = count + system.colour_count + 1
        begin_of, dirty_of, end_of, self._clean_group, parents, levels, touched, reps = (
            run.zeros(blocks, "int32") for _ in range(8)
        )
        order, position, counts, places, found, scratch, moved = (run.zeros(count + 1, "int32") for _ in range(7))
        self.parents, self.levels = parents, levels
        columns = begin_of, end_of, dirty_of, order, position, self.block_of
        queue, silent = self._queue, system.silent
        stats[k.QUEUED] = run.call(
            "partition", system.colours, self._left, self.settled, *columns, self._group_of, queue,
            system.colour_count,
        )  # fmt: skip
        stats[k.BLOCKS], stats[k.TOUCHED] = self.settled + system.colour_count, 0
        for block in range(self.settled, stats[k.BLOCKS]):
            if begin_of[block] < end_of[block]:
                touched[stats[k.TOUCHED]] = block
                stats[k.TOUCHED] += 1
        all_states = stats[k.QUEUED]
        silent_back = _backward(run, system, silent) if silent >= 0 else None
        while stats[k.QUEUED] and not until():
            self.level += 1
            stats[k.GROUPS] = stats[k.TOP] = 0
            self._reserve(2 * stats[k.QUEUED] if silent >= 0 else stats[k.QUEUED])
            if silent >= 0:
                size = run.call("bottoms", touched, stats[k.TOUCHED], *system.forward, begin_of, *columns[2:], reps)
                self._sign(reps, 0, size)
                run.call("note_clean", reps, size, self.block_of, self._group_of, self._clean_group)
                _sort(queue, stats[k.QUEUED])
            self._sign(queue, 0, stats[k.QUEUED])
            stats[k.MOVED] = 0
            run.call(
                "split", touched, 0, stats[k.TOUCHED], silent, *columns, self._group_of, self._clean_group, counts,
                places, found, scratch, moved, parents, levels, self.level, stats,
            )  # fmt: skip
            stats[k.TOUCHED] = stats[k.QUEUED] = 0
            more = *system.forward, *columns[1:], touched, queue, stats
            for first in range(0, stats[k.MOVED], AT_ONCE):
                last = min(first + AT_ONCE, stats[k.MOVED])
                run.call("mark", moved, first, last, self._back, self._sources, 0, *more)
            done = 0
            while silent_back is not None and done < stats[k.QUEUED]:
                last = stats[k.QUEUED]
                run.call("mark", queue, done, last, *silent_back, 1, *more)
                done = last
            self._report(system.count - min(stats[k.QUEUED], all_states))

    @property
    def blocks(self) -> int:
        """The number of classes, with empty ones."""
        return self._stats[k.BLOCKS]

    def separated(self, one: int, other: int) -> int:
        """The round that separated two states, 0 if their marks differ; -1 if they are in one class."""
        one, other, level = self.block_of[one], self.block_of[other], -1
        first = self.settled + self._system.colour_count
        while one != other:
            later, earlier = (one, other) if self.levels[one] >= self.levels[other] else (other, one)
            if later < first:
                return 0
            level = self.levels[later]
            one, other = self.parents[later], earlier
        return level

    def _report(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, self._system.count)

    def _reserve(self, groups: int, kept: int = 0) -> None:
        """Makes an empty hash table with room for this number of groups, and enters the first `kept` groups."""
        size = 1 << (2 * groups).bit_length()
        if size > len(self._slots):
            self._slots = self._run.zeros(size, "int32")
        else:
            self._run.call("fill", self._slots, size, 0)
        self._mask = size - 1
        self._run.call("refill", self._hashes, kept, self._slots, self._mask)

    def _sign(self, queue: Numbers, first: int, last: int) -> None:
        """Groups states of a queue by class and signature."""
        run, system = self._run, self._system
        while first < last:
            end = min(first + AT_ONCE, last)
            first = run.call(
                "sign", queue, first, end, *system.forward, self.block_of, self._group_of, self._clean_group,
                self._slots, self._mask, self._owners, self._hashes, self._ends, self._pairs, self._stats,
            )  # fmt: skip
            if first < end:
                self._pairs = _grown(run, self._pairs, "int64", self._limit)


def _backward(run: Runner, system: TransitionColumns, label: int | None = None) -> tuple[Numbers, Numbers]:
    """Where the transitions to each state begin, and their sources; only those with a label, if it is given."""
    size = len(system.targets)
    sources, targets = run.zeros(size, "int32"), system.targets
    if label is None:
        run.call("spread", system.begins, sources)
    else:
        targets = run.zeros(size, "int32")
        size = run.call("choose", *system.forward, sources, targets)
    back, found = run.zeros(system.count + 2, "int64"), run.zeros(size, "int32")
    run.call("group", targets[:size], sources[:size], back, found)
    return back, found


def _sort(queue: Numbers, size: int) -> None:
    if isinstance(queue, list):
        queue[:size] = sorted(queue[:size])
    else:
        queue[:size] = memoryview(array("i", sorted(queue[:size])))


# ── the quotient ─────────────────────────────────────────────────────────────────────────────────


def _quotient(
    run: Runner,
    system: TransitionColumns,
    block_of: Numbers,
    lts: Lts,
    labels: LabelClasses,
    reached: Numbers,
    parts: Numbers | None = None,
) -> Quotient:
    """The quotient of a system by classes; `parts` are the states that the states of `lts` have become there."""
    numbers, reps, queue = (run.zeros(system.count + system.colour_count + 1, "int32") for _ in range(3))
    run.call("representatives", block_of, reps)
    size, stats = len(system.targets), run.zeros(2, "int64")
    pairs = run.zeros(size + 1, "int64")
    columns = [run.zeros(size, "int32") for _ in range(3)]
    run.call("quotient", system.start, *system.forward, block_of, reps, numbers, queue, pairs, *columns, stats)
    count, size = stats
    sources, actions, targets = (_array(column[:size]) for column in columns)
    classes, sizes, firsts = (run.zeros(each, "int32") for each in (lts.states, count, count))
    parts = run.zeros(0, "int32") if parts is None else parts
    run.call("classes", parts, reached, block_of, numbers, sizes, firsts, classes)
    found = replace(labels.lts, sources=sources, actions=actions, targets=targets, states=count)
    found.final, found.open, found.inner = (
        {classes[state] for state in those} - {-1} for those in (lts.final, lts.open, lts.inner)
    )
    found.broken = {classes[state]: rules for state, rules in lts.broken.items() if classes[state] >= 0}
    found.depths = array("i", bytes(4 * count))
    seen = 1  # states are numbered in the order in which transitions lead to them
    for source, target in zip(sources, targets, strict=True):
        if target == seen:
            found.depths[target] = found.depths[source] + 1
            seen += 1
    return Quotient(_described(found, lts, firsts), classes, sizes, firsts)


def _array(column: Numbers) -> array[int]:
    if isinstance(column, list):
        return array("i", column)
    found = array("i")
    found.frombytes(column.cast("B"))
    return found


def _described(found: Lts, lts: Lts, firsts: Numbers) -> Lts:
    """The quotient with the descriptions and graphs of the first state in each class."""
    describe, graph = lts.describe, lts.graph
    if describe is not None:
        found.describe = lambda state: describe(firsts[state])
    if graph is not None:
        found.graph = lambda state: graph(firsts[state])
    return found

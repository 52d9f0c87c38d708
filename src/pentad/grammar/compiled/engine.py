"""Compiled engine: explores grammars whose rules change edges only, with states as words of bits.

It gives the same results as the general engine and is much faster. `CannotCompile` gives the reason if it cannot run.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.grounding import CannotCompile, Grounding, check_rule
from pentad.grammar.compiled.tables import (
    WORD,
    BitLayout,
    LabelNumbers,
    Places,
    RuleRows,
    control_of,
    images_of,
    places_of,
    rows_in,
    symmetries_of,
    words_of,
)
from pentad.grammar.host import bits
from pentad.grammar.limits import Acceptor, Limits, Progress, default_memory
from pentad.grammar.lts import Lts, depths_of
from pentad.grammar.rules.rule import CONDITION
from pentad.grammar.states.state_space import State
from pentad.grammar.system import OFF, System
from pentad.kernels.buffers import array as buffer_of
from pentad.kernels.buffers import zeros
from pentad.kernels.packing import Argument
from pentad.kernels.program import program
from pentad.kernels.types import Int32s, UInt16s
from pentad.system.memory import used_memory
from pentad.system.words import phrase

SLICE_SECONDS = 0.02  # target duration of a slice in seconds
FIRST_SLICE, MOST_SLICE = 1 << 10, 1 << 16
FIRST_CAPACITY, FIRST_SLOTS = 1 << 14, 1 << 18
STATES_AT_ONCE = 1 << 20  # so many are inserted into a new table
MOST_STATES = (1 << 31) - 2  # limit of state numbers
UNBOUNDED = 1 << 62
ACCEPT_CODES = {"": k.NONE, "any": k.EVERY, "final": k.FINAL_ONES, "broken": k.NONE}
REASONS = {k.DONE: "", k.DEPTH: "depth", k.STATES: "states", k.RESULTS: "results"}


@dataclass(slots=True)
class Compiled:
    """A grammar as tables."""

    system: System
    places: Places
    layout: BitLayout
    grounding: Grounding
    labels: list[tuple[str, tuple[str, ...]]]
    names: list[str]  # names of calls: rules and recipes
    grammar: k.GrammarTables
    start: int

    @property
    def engine(self) -> str:
        """The module that compiles the kernels for states of its width."""
        return f"{__package__}.{'narrow' if self.layout.is_narrow else 'wide'}_kernels"

    def __repr__(self) -> str:
        layout, rows, symmetries = self.layout, rows_in(self.grammar.rules), self.grammar.symmetries.number + 1
        return (
            f"<Compiled {rows} rows, {len(layout.order)} edges that change, "
            f"{len(self.places.places)} places, {symmetries} symmetries, {layout.width} words a state>"
        )

    def call(self, kernel: str, *arguments: Argument) -> int:
        """Calls a kernel for states of this width."""
        width = () if self.layout.is_narrow else (self.layout.width,)
        return int(program(self.engine)(kernel, *width, *arguments))

    def state(self, words: Iterable[int]) -> State:
        """A state, from its words."""
        whole = sum(word << (WORD * i) for i, word in enumerate(words))
        edges, shift = self.grounding.fixed, WORD * (self.layout.width - 1) + self.layout.shift
        for bit in bits(whole & ((1 << len(self.layout.order)) - 1)):
            edges |= 1 << self.layout.order[bit]
        return State(self.system.nodes, edges, self.places.frames[whole >> shift])


def compile_system(system: System, isomorphism: bool | None = None) -> Compiled:
    """Compiles a prepared grammar; may raise CannotCompile."""
    collapses = system.isomorphism if isomorphism is None else isomorphism
    loops = [rule.name for rule in system.properties]
    watched = [rule.name for rule in system.properties if rule.role != CONDITION]
    if watched:
        raise CannotCompile(phrase("Rule {rule} is an invariant or forbidden property.", rule=watched[0]))
    if system.types is not None and system.types.has_multiplicities and system.type_policy != OFF:
        raise CannotCompile("The type graph has multiplicities or containment edges.")
    places = places_of(system, loops)
    called = list(dict.fromkeys([*loops, *places.rules]))
    for name in called:
        check_rule(system.rules[name])
    grounding = Grounding(system, called)
    if collapses:
        grounding.symmetries = symmetries_of(system.world, system.nodes, grounding.fixed)
    instances = grounding.instances()
    if system.world.to_errors and system.type_policy != OFF:
        raise CannotCompile("An attribute may become an error value.")
    layout = BitLayout(system.world, grounding.possible, places.states)
    labels = LabelNumbers(
        system.world, system.grammar.setting("transitionParameters").strip().lower() in ("true", "some")
    )
    rows = RuleRows()
    ranges = {name: rows.add_rule(name, map(layout.packed, instances[name]), labels) for name in called}
    control, names = control_of(places, ranges, loops, labels, layout, rows.whole_events())
    images = images_of(system.world, grounding.symmetries, layout)
    grammar = k.GrammarTables(control, rows.arrays(layout.width), images)
    start = layout.mask(grounding.possible & system.edges)
    return Compiled(system, places, layout, grounding, list(labels.found), names, grammar, start)


@dataclass(slots=True)
class StateTable:
    """The states in the order of discovery, and their hash table."""

    states: k.Words
    slots: k.Words
    width: int  # the words of a state

    @property
    def bytes(self) -> int:
        return self.states.nbytes + self.slots.nbytes

    @property
    def capacity(self) -> int:
        """The number of states for which there is room."""
        return len(self.states) // self.width

    def sizes(self, count: int) -> tuple[int, int]:
        """The capacity for a number of states: states and slots."""
        states, slots = self.capacity, len(self.slots)
        while states < count:
            states *= 2
        while 3 * slots < 5 * count:
            slots *= 4 if slots <= FIRST_SLOTS else 2
        return states, slots

    def grow(self, count: int, sizes: tuple[int, int], compiled: Compiled) -> None:
        """Grows to a capacity; the table has `count` states."""
        if sizes[0] > self.capacity:
            states, words = zeros(sizes[0] * self.width, k.Words, huge=True), count * self.width
            states[:words] = self.states[:words]
            self.states = states
        if sizes[1] > len(self.slots):
            self.slots = zeros(0, k.Words)  # frees the old slots before the new ones are allocated
            self.slots = zeros(sizes[1], k.Words, huge=True)
            for first in range(0, count, STATES_AT_ONCE):
                compiled.call("fill", self.states, first, min(first + STATES_AT_ONCE, count), self.slots)


class CompiledRun:
    """One exploration by the compiled engine, breadth first; without `keep` it only counts."""

    def __init__(
        self, compiled: Compiled, limits: Limits, acceptor: Acceptor, progress: Progress | None, keep: bool = True
    ) -> None:
        self.compiled, self.limits, self.progress, self.keep = compiled, limits, progress, keep
        self.acceptor = acceptor
        self.stopped = ""
        self.results: list[int] = []
        self.lts = Lts(labels=compiled.labels, sources=array("i"), actions=array("H"), targets=array("i"))
        compiled.system.describe(self.lts, self.state, compiled.grounding.fixed)
        self.stats = k.SliceStats()
        width = compiled.layout.width
        states = zeros(4 * FIRST_CAPACITY * width, k.Words, huge=True)
        self.table = StateTable(states, zeros(FIRST_SLOTS, k.Words, huge=True), width)
        self.buffers = buffers_for(FIRST_CAPACITY, width, compiled.grammar.rules)
        self.columns = columns_for(FIRST_CAPACITY, keep)
        self._finals, self._accepted, self._levels = array("q"), array("q"), array("q")
        self._before = used_memory()
        self._most = default_memory() if limits.memory is None else limits.memory
        self._begin()

    @property
    def states(self) -> int:
        return self.stats.count

    @property
    def transitions(self) -> int:
        return self.stats.transitions

    @property
    def final(self) -> int:
        return self.stats.finals

    @property
    def expanded(self) -> int:
        """How many states were expanded; these come first."""
        return self.stats.expanded

    def _begin(self) -> None:
        stats, limits, acceptor = self.stats, self.limits, self.acceptor
        # the first state, at the first place in control, as the smallest of its images
        compiled, table = self.compiled, self.table
        first = buffer_of(words_of([compiled.start], table.width), k.Words)
        table.states[: table.width] = first
        compiled.call("begin", table.states, table.slots, compiled.grammar, first)
        stats.count = stats.level_end = 1
        stats.most_level = UNBOUNDED if limits.depth is None else min(limits.depth, UNBOUNDED)
        stats.most_results, stats.keep = min(limits.results, UNBOUNDED), self.keep
        stats.slice = FIRST_SLICE
        stats.accept = ACCEPT_CODES.get(acceptor.text, k.WITHOUT if acceptor.text[:1] == "!" else k.WITH)
        names = self.compiled.names
        stats.name = names.index(acceptor.name) if acceptor.name in names else -1

    def run(self) -> None:
        """Explores until no states are left or a limit is reached; a second call continues, with new limits."""
        states = self.limits.states
        self.stats.most_states = MOST_STATES if states is None else min(states, MOST_STATES)
        self.stopped = ""
        try:
            while self._slice():
                pass
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        self._take()
        self._finish()

    def _slice(self) -> bool:
        """Calls the kernel once and handles its result; returns whether to continue."""
        began = time.perf_counter()
        compiled, table = self.compiled, self.table
        arrays = k.ExplorationArrays(
            compiled.grammar, self.buffers, self.columns, table.states, table.slots, self.stats
        )
        end = compiled.call("explore", arrays)
        spent = time.perf_counter() - began
        self._take()
        if end == k.GROW_TABLE:
            return self._grow()
        if end == k.GROW_BUFFERS:
            size = 2 * len(self.buffers.out.labels)
            self.buffers = buffers_for(size, self.table.width, compiled.grammar.rules)
            self.columns = columns_for(size, self.keep)
        elif end != k.MORE:
            limit = self.limits.states
            is_full = end == k.STATES and (limit is None or limit > MOST_STATES)
            self.stopped = "memory" if is_full else REASONS[end]
            return False
        else:
            pace = min(max(SLICE_SECONDS / max(spent, 1e-6), 0.25), 4.0)
            self.stats.slice = min(max(int(self.stats.slice * pace), k.BATCH), MOST_SLICE)
        if used_memory() - self._before > self._most:
            self.stopped = "memory"
            return False
        if self.limits.is_stopped:
            self.stopped = "interrupted"
            return False
        if self.progress is not None:
            self.progress(self.states, self.transitions, self.states - self.expanded)
        return True

    def _grow(self) -> bool:
        sizes = self.table.sizes(self.states + len(self.buffers.out.labels))
        if 8 * (sizes[0] * self.compiled.layout.width + sizes[1]) > self._most:
            self.stopped = "memory"
            return False
        self.table.grow(self.states, sizes, self.compiled)
        return True

    def _take(self) -> None:
        """Copies new results from the columns; an interrupt may come in between."""
        stats, columns, lts = self.stats, self.columns, self.lts
        for kept, column, new, count in (
            (lts.sources, columns.sources, stats.new_transitions, stats.transitions),
            (lts.actions, columns.actions, stats.new_transitions, stats.transitions),
            (lts.targets, columns.targets, stats.new_transitions, stats.transitions),
            (self._finals, columns.finals, stats.new_finals, stats.finals),
            (self._accepted, columns.results, stats.new_results, stats.accepted),
            (self._levels, columns.levels, stats.new_levels, stats.level),
        ):
            if new:
                missing = count - len(kept)
                kept.frombytes(memoryview(column[new - missing : new]).cast("B"))
        stats.new_transitions = stats.new_finals = stats.new_results = stats.new_levels = 0

    def _finish(self) -> None:
        """Completes the transition system."""
        lts, states = self.lts, self.states
        lts.states, self.results = states, self._accepted.tolist()
        if self.acceptor.text == "any":  # states that were not expanded are results as well
            self.results = list(range(states))
        if not self.keep:
            return
        lts.final, lts.open = set(self._finals), set(range(self.expanded, states))
        lts.depths = depths_of([0, *self._levels, self.stats.level_end, states])

    def state(self, number: int) -> State:
        """The state with a number."""
        width = self.table.width
        return self.compiled.state(self.table.states[number * width : (number + 1) * width])

    def find(self, state: State) -> int | None:
        """The number of a state, if it was found."""
        compiled, width = self.compiled, self.table.width
        place = compiled.places.number(state.frame)
        if place is None:
            return None
        changing = state.edges & compiled.grounding.possible
        row = compiled.layout.mask(changing) | place << (WORD * (width - 1) + compiled.layout.shift)
        number = compiled.call(
            "find", self.table.states, self.table.slots, compiled.grammar,
            buffer_of(words_of([row], width), k.Words), zeros(width, k.Words),
        )  # fmt: skip
        return None if number < 0 else number


def buffers_for(size: int, width: int, rules: k.Rules) -> k.ScratchBuffers:
    """Returns scratch buffers for this number of successors of a batch, and this number of words in a state."""
    rows = rows_in(rules)

    def words(size: int) -> k.Words:
        return zeros(size * width, k.Words)

    def ints(size: int) -> k.Ints:
        return zeros(size, k.Ints)

    return k.ScratchBuffers(
        out=k.Successors(words(size), ints(size)), hashes=zeros(size, k.Words), peeks=zeros(size, k.Words),
        effects=words(size), begun=words(size), raw=k.Successors(words(size), ints(size)), queue=words(size),
        seen=words(8 * size), stamps=ints(8 * size), smallest=words(1), ends=ints(k.BATCH), marks=ints(k.BATCH),
        batch=words(k.BATCH), enabled=zeros((rows + 63) // 64 * k.BATCH, k.Words), tested=zeros(4 * k.BATCH, k.Words),
        afters=zeros(k.GROUPS * rows, k.Words), positions=ints(k.BATCH), members=ints(k.BATCH),
        groups=ints(k.BATCH), reached=ints(k.BATCH),
    )  # fmt: skip


def columns_for(size: int, keep: bool) -> k.Columns:
    """Returns columns for the results of a slice, with at least this number of transitions."""
    transitions, states = max(size, 1 << 18) if keep else 0, MOST_SLICE + k.BATCH
    return k.Columns(
        sources=zeros(transitions, Int32s),
        actions=zeros(transitions, UInt16s),
        targets=zeros(transitions, Int32s),
        finals=zeros(states, k.Ints),
        results=zeros(states, k.Ints),
        levels=zeros(states, k.Ints),
    )

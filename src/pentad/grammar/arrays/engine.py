"""Array engine: explores grammars whose graphs grow and shrink, in kernels.

It has the states, transitions and numbers of the general engine. `CannotCompile` gives the reason if it cannot run.
"""

from __future__ import annotations

import threading
from array import array
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain
from struct import calcsize
from typing import Any, TypeVar

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.tables import Grounds, grounds_of, tables_of
from pentad.grammar.compiled.grounding import CannotCompile, require_kernels
from pentad.grammar.compiled.tables import symmetries_of
from pentad.grammar.host import bits, mask_of
from pentad.grammar.language.values import AttributeValue
from pentad.grammar.limits import Acceptor, Limits, Progress, catch_interrupt, default_memory
from pentad.grammar.lts import Lts, depths_of
from pentad.grammar.matching.matcher import Match
from pentad.grammar.rules.rule import Rule
from pentad.grammar.states.state_space import Labels, OutgoingTransition, State
from pentad.grammar.system import System
from pentad.kernels.buffers import FORMATS, Buffer, flat, zeros
from pentad.kernels.buffers import array as array_of
from pentad.kernels.packing import Argument
from pentad.kernels.parameters import RecordField, fields_of
from pentad.kernels.program import program
from pentad.kernels.types import Rows
from pentad.system.memory import used_memory

KERNELS = f"{__package__}.kernels"
POLL_SECONDS = 0.02  # the limits are looked at so often
MOST_STATES = (1 << 31) - 2  # limit of state numbers
MOST = 1 << 31  # limit of the numbers in the arrays
MOST_COMPARED = 63  # symmetries beside the identity, under which the images of graphs are compared
UNBOUNDED = 1 << 62
SMALL = 64  # the most nodes and edges of a graph that is stored as a whole; of larger ones differences are stored
ACCEPT_CODES = {"": k.NONE, "any": k.EVERY, "none": k.NONE, "final": k.FINAL_ONES, "broken": k.BROKEN_ONES}
REASONS = {k.DONE: "", k.DEPTH: "depth", k.STATES: "states", k.RESULTS: "results"}
FIRST_CAPACITIES = {
    k.EDGES: 1 << 12, k.NODES: 1 << 10, k.RECORDS: 1 << 12, k.MADE: 1 << 10, k.KEPT: 1 << 18, k.SLOTS: 1 << 13,
    k.ITEMS: 1 << 10, k.ENDS: 1 << 10, k.PARTS: 1 << 10, k.EVENTS: 1 << 10, k.COLUMNS: 1 << 16,
}  # fmt: skip
FIXED_COLUMN_ENTRIES = 1 << 12  # states and levels have so many entries in the columns


GROWING = (k.World, k.Kept, k.Index, k.Scratch, k.Colours, k.Columns)
R = TypeVar("R", k.World, k.Kept, k.Index, k.Scratch, k.Colours, k.Columns)


def _extent(its: RecordField) -> k.Grows | None:
    """What the length of an array follows."""
    return next((each for each in its.notes if isinstance(each, k.Grows)), None)


class ArrayRun:
    """One exploration by the array engine, breadth first; without `keep` it only counts."""

    def __init__(
        self,
        grounds: Grounds,
        isomorphism: bool,
        limits: Limits,
        acceptor: Acceptor,
        progress: Progress | None,
        keep: bool = True,
    ) -> None:
        self.grounds, self.system, self.limits = grounds, grounds.system, limits
        self.acceptor, self.progress, self.keep = acceptor, progress, keep
        self.stopped = ""
        self.results: list[int] = []
        self.lts = Lts(sources=array("i"), actions=array("i"), targets=array("i"))
        self._before = used_memory()
        self._most = default_memory() if limits.memory is None else limits.memory
        self._finals, self._accepted, self._levels = array("q"), array("q"), array("q")
        self._broken_in, self._broken = array("q"), array("q")  # states that violate properties, and these
        self.tables = tables_of(grounds)
        world, names = self.system.world, grounds.names
        self._fixed = 0
        for number in bits(self.system.edges):
            if world.edges[number].label in grounds.fixed:
                self._fixed |= 1 << number
        self._fixed_nodes = self.system.nodes if grounds.keeps_nodes else 0
        self.system.describe(self.lts, self.state, self._fixed)
        self._labels = Labels(self.system, self.lts)
        self.stats = k.Stats()
        self._capacities = dict(FIRST_CAPACITIES)
        self._fit(world.nodes, len(world.edges))
        rows, variables = len(self.tables.code) // k.INSTRUCTION, max(len(rule.names) for rule in grounds.rules)
        states = len(self.tables.paths) // 3
        self._path_states = states
        nodes = self._capacities[k.NODES]
        self.world = self._made(k.World)._replace(constants=zeros(3 * len(names.constants), Rows[k.Longs]))
        self.kept = self._made(k.Kept)
        self.index = self._made(k.Index)._replace(
            label_heads=zeros(len(names.labels), k.Ints), label_lasts=zeros(len(names.labels), k.Ints),
            totals=zeros(k.TOTALS_SIZE, k.Words),
        )  # fmt: skip
        self.scratch = self._made(k.Scratch)._replace(
            found=zeros(variables, k.Ints), iterators=zeros(4 * rows, Rows[k.Longs]), stack=zeros(rows + 64, k.Longs),
            walked=zeros(3 * nodes * states, Rows[k.Ints]),
            candidates=zeros(len(grounds.rules) * (k.MOST_CANDIDATES + 1), k.Ints),
            near=zeros(2 * k.MOST_NEAR, k.Ints),
        )  # fmt: skip
        images = self._symmetries() if isomorphism else []
        symmetries = len(images[0]) if images else 0
        if symmetries == 1:  # isomorphic states are equal
            isomorphism, symmetries = False, 0
        self.stats.symmetries, self.stats.symmetry_nodes = symmetries, len(images)
        self.colours = self._made(k.Colours)._replace(
            images=array_of(list(chain.from_iterable(images)), k.Ints), sums=zeros(2 * symmetries, k.Words)
        )
        self.columns = self._made(k.Columns)._replace(others=zeros(k.OTHERS * FIXED_COLUMN_ENTRIES, Rows[k.Longs]))
        self._begin(isomorphism)

    # ── arrays ───────────────────────────────────────────────────────────────────────────────────

    def _fit(self, nodes: int, edges: int) -> None:
        """Sets the first capacities by the size of the start graph."""
        for capacity, count in ((k.NODES, nodes), (k.EDGES, edges), (k.ITEMS, 2 * (edges + nodes))):
            while self._capacities[capacity] < 2 * count + 2:
                self._capacities[capacity] *= 2

    def _made(self, record: type[R]) -> R:
        """A record with new arrays; those are empty whose lengths follow no capacity."""
        values: list[Any] = []
        for each in fields_of(record):
            extent = _extent(each)
            values.append(self._array(each, extent) if extent else zeros(0, each.parameter.kind))
        return record(*values)

    def _array(self, its: RecordField, extent: k.Grows) -> Buffer:
        count = self._capacities[extent.capacity] * extent.times
        return zeros(count, its.parameter.kind, huge=extent.capacity == k.KEPT)

    def _grown(self, arrays: R, capacity: int) -> R:
        """The record, with the arrays that follow a capacity made anew in its present size."""
        values: list[Any] = list(arrays)
        for number, each in enumerate(fields_of(type(arrays))):
            extent = _extent(each)
            if extent and extent.capacity == capacity:
                before, values[number] = values[number], self._array(each, extent)
                if not extent.is_table:
                    values[number][: len(before)] = before
        return type(arrays)(*values)

    def _grow(self, capacity: int) -> bool:
        """Doubles a capacity; returns whether there is enough memory."""
        size = self._capacities[capacity]
        growing = [
            (extent.times, calcsize(FORMATS[each.parameter.kind]))
            for record in GROWING
            for each in fields_of(record)
            if (extent := _extent(each)) and extent.capacity == capacity
        ]
        if max(times for times, _ in growing) * size >= MOST:
            return False
        if 2 * size * sum(times * width for times, width in growing) > self._most:
            return False
        self._capacities[capacity] = 2 * size
        self.world, self.kept = self._grown(self.world, capacity), self._grown(self.kept, capacity)
        self.index, self.scratch = self._grown(self.index, capacity), self._grown(self.scratch, capacity)
        self.colours, self.columns = self._grown(self.colours, capacity), self._grown(self.columns, capacity)
        if capacity == k.NODES:
            self.scratch = self.scratch._replace(walked=zeros(6 * size * self._path_states, Rows[k.Ints]))
        if capacity in (k.EDGES, k.NODES, k.RECORDS):
            self._fill_world()
        if capacity == k.SLOTS:
            self._fill_states()
        return True

    def _fill_states(self) -> None:
        self._call("fill_states", self.kept.hashes, self.states, self.kept.slots)
        if self.stats.isomorphic:
            self._call("fill_states", self.kept.sketches, self.states, self.kept.form_slots)
            self._call("fill_states", self.kept.forms, self.states, self.kept.form_slots)

    def _fill_world(self) -> None:
        for slots in (self.world.edge_slots, self.world.node_slots, self.world.record_slots):
            slots[:] = zeros(len(slots), "int32")
        self._call("fill_world", self.world, self.stats)

    @property
    def _run(self) -> k.RunArrays:
        arrays = (self.world, self.kept, self.index, self.scratch, self.colours, self.columns)
        return k.RunArrays(self.tables, *arrays, self.stats)

    def _call(self, kernel: str, *arguments: Argument) -> int:
        return int(program(KERNELS)(kernel, *arguments))

    def _symmetries(self) -> list[list[int]]:
        """For each node its images under the symmetries of the fixed edges, the first of which is the identity.

        There are none if graphs have different nodes, or if there are too many.
        """
        creates = any(level.created_nodes for rule in self.grounds.rules for level in rule.levels)
        if creates or not self.grounds.keeps_nodes:
            return []
        world = self.system.world
        try:
            moved = symmetries_of(world, self.system.nodes, self._fixed, MOST_COMPARED)
        except CannotCompile:
            return []
        return [[each.get(node, node) for each in ({}, *moved)] for node in range(world.nodes)]

    # ── the world ────────────────────────────────────────────────────────────────────────────────

    def _begin(self, isomorphism: bool) -> None:
        stats, limits, acceptor, names = self.stats, self.limits, self.acceptor, self.grounds.names
        stats.isomorphic, stats.whole, stats.needs, stats.small = isomorphism, self.keep, -1, SMALL
        stats.used_records = stats.used_made = 1
        stats.most_level = UNBOUNDED if limits.depth is None else min(limits.depth, UNBOUNDED)
        stats.most_results = min(limits.results, UNBOUNDED)
        stats.accept = ACCEPT_CODES.get(acceptor.text, k.WITHOUT if acceptor.text[:1] == "!" else k.WITH)
        actions = self.grounds.actions
        stats.name = actions.index(acceptor.name) if acceptor.name in actions else -1
        self._absorb()
        constants = flat(self.world.constants)
        for number, value in enumerate(names.constants):
            constants[3 * number + 1 : 3 * number + 3] = array_of(names.content(value), k.Longs)
            node = self.system.world.known_value(value)
            constants[3 * number] = 0 if node is None else node + 1
        self._put_events()
        self._fill_world()
        fixed = list(bits(self._fixed))
        for place, node in enumerate(bits(self._fixed_nodes)):
            self.index.listed[place] = node
        stats.fixed_nodes, stats.fixed_items = self._fixed_nodes.bit_count(), len(fixed)
        self._call("fixed", array_of(fixed, k.Ints), self.world, self.index)
        start = State(self.system.nodes, self.system.edges, self.system.control.start())
        self._find(start, adds=True)
        stats.level_end = 1

    def _absorb(self) -> None:
        """Adds the nodes, values and edges of the system's world that are new here."""
        world, stats, names = self.system.world, self.stats, self.grounds.names
        while world.nodes > self._capacities[k.NODES]:
            self._grow(k.NODES)
        while len(world.edges) > self._capacities[k.EDGES]:
            self._grow(k.EDGES)
        nodes = array("q")
        for node in range(stats.world_nodes, world.nodes):
            value = world.values.get(node)
            nodes.extend((k.NO_VALUE, 0) if value is None else names.content(value))
        first = 2 * stats.world_nodes
        flat(self.world.nodes)[first : first + len(nodes)] = memoryview(nodes)
        edges = array("i")
        for source, label, target in world.edges[stats.world_edges :]:
            edges.extend((source, names.labels[label], target))
        first = 3 * stats.world_edges
        flat(self.world.edges)[first : first + len(edges)] = memoryview(edges)
        stats.world_nodes, stats.world_edges = world.nodes, len(world.edges)

    def _publish(self) -> None:
        """Adds the nodes, values, edges and events that are new here to the system's world."""
        world, stats, names = self.system.world, self.stats, self.grounds.names
        others = list(names.others)
        labels = list(names.labels)
        for node in range(world.nodes, stats.world_nodes):
            sort, content = flat(self.world.nodes)[2 * node : 2 * node + 2]
            if sort == k.NO_VALUE:
                world.new_node()
            elif sort == k.INT:
                world.value(AttributeValue("int", int(content)))
            else:
                world.value(AttributeValue("bool", bool(content)) if sort == k.BOOL else others[content])
        for edge in range(len(world.edges), stats.world_edges):
            source, label, target = flat(self.world.edges)[3 * edge : 3 * edge + 3]
            world.edge(source, labels[label], target)
        for event, nodes in self._events():
            self.system.effects.created[event] = nodes

    def _put_events(self) -> None:
        """Adds the events that created nodes before."""
        numbers = {(rule.name, level): i for i, (rule, level) in enumerate(self.grounds.levels)}
        records: dict[tuple[int, ...], int] = {}  # each event has one
        for key, nodes in self.system.effects.created.items():
            if not isinstance(key, tuple) or key[:2] not in numbers:
                continue
            name, level, anchors, event = key
            of_event = []
            if len(self.system.rules[name].levels) > 1:
                written = self._written(self.system.rules[name], event)
                if written not in records:
                    records[written] = self._put_record(0, (k.OF_EVENT, *written))
                of_event = [records[written]]
            while self.stats.used_made + len(nodes) > self._capacities[k.MADE]:
                self._grow(k.MADE)
            made = self.stats.used_made
            self._put_record(made if nodes else 0, (numbers[name, level], *anchors, *of_event))
            for place, node in enumerate(nodes, start=made):
                following = place + 1 if place + 1 < made + len(nodes) else 0
                flat(self.world.made)[2 * place : 2 * place + 2] = array_of([node, following], k.Ints)
            self.stats.used_made = made + len(nodes)

    def _put_record(self, value: int, key: Sequence[int]) -> int:
        """Adds a record; returns its place."""
        while self.stats.used_records + k.RECORD_KEY + len(key) > self._capacities[k.RECORDS]:
            self._capacities[k.RECORDS] *= 2
            self.world = self._grown(self.world, k.RECORDS)
        first, row = self.stats.used_records, [len(key), value, 0, 0, *key]
        self.world.records[first : first + len(row)] = array_of(row, k.Ints)
        self.stats.used_records = first + len(row)
        return first

    def _width(self, rule: Rule) -> int:
        """The numbers of a row of an event."""
        return 1 + k.IMAGES + len(rule.names)

    def _written(self, rule: Rule, event: Any) -> tuple[int, ...]:
        """The event of a rule with several levels as the key of its record has it."""
        anchors, done = event
        first = next(i for i, each in enumerate(self.grounds.levels) if each[0] is rule)
        width = self._width(rule)
        rows = []
        for (level, images), count in done:
            row = [first + level, *images]
            rows += [row + [-1] * (width - len(row))] * count
        return (*anchors, *chain.from_iterable(sorted(rows)))

    def _records(self) -> Iterator[tuple[int, int, list[int]]]:
        """The place, the value and the key of each record."""
        at, records = 1, self.world.records
        while at < self.stats.used_records:
            size = int(records[at])
            yield at, int(records[at + k.RECORD_VALUE]), list(records[at + k.RECORD_KEY : at + k.RECORD_KEY + size])
            at += k.RECORD_KEY + size

    def _events(self) -> Iterator[tuple[Hashable, list[int]]]:
        """The events that created nodes, with these nodes."""
        written, read = dict[int, list[int]](), dict[int, Hashable]()  # events by their record
        for at, made, key in self._records():
            if key[0] == k.OF_EVENT:
                written[at] = key[1:]
            if key[0] < 0:
                continue
            rule, number = self.grounds.levels[key[0]]
            count = len(rule.levels[number].anchors)
            anchors, of_event = tuple(key[1 : 1 + count]), key[1 + count :]
            event: Hashable = anchors
            if of_event:
                if of_event[0] not in read:
                    read[of_event[0]] = self._read_event(rule, written.pop(of_event[0]))
                event = read[of_event[0]]
            nodes = []
            while made:
                node, made = flat(self.world.made)[2 * made : 2 * made + 2]
                nodes.append(node)
            yield (rule.name, number, anchors, event), nodes

    def _read_event(self, rule: Rule, written: Sequence[int]) -> Hashable:
        """The event of a rule with several levels: the images of its anchors, and how often those of levels occur."""
        outer, width = len(rule.root.anchors), self._width(rule)
        done = Counter[tuple[int, tuple[int, ...]]]()
        for row in (written[i : i + width] for i in range(outer, len(written), width)):
            level = self.grounds.levels[row[0]][1]
            done[level, tuple(row[1 : 1 + len(rule.levels[level].anchors)])] += 1
        return tuple(written[:outer]), frozenset(done.items())

    # ── running ──────────────────────────────────────────────────────────────────────────────────

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

    def run(self) -> None:
        """Explores until no states are left or a limit is reached; a second call continues, with new limits."""
        states = self.limits.states
        self.stats.most_states = MOST_STATES if states is None else min(states, MOST_STATES)
        self.stopped, self.stats.stop = "", 0
        with catch_interrupt(lambda: self._stop("interrupted")):
            while self._continue():
                pass
        self._take()
        self._finish()

    def _stop(self, why: str) -> None:
        self.stopped = self.stopped or why
        self.stats.stop = 1

    def _continue(self) -> bool:
        """Calls the kernel once and handles its result; returns whether to continue."""
        end = self._wait()
        self._take()
        if end == k.GROW:
            if not self._grow(self.stats.needs):
                self.stopped = "memory"
                return False
        elif end == k.STOPPED:  # the states of an incomplete expansion are forgotten
            self.stats.kept_end = self.kept.begins[self.states]
            for slots in (self.kept.slots, self.kept.form_slots):
                slots[:] = zeros(len(slots), "uint64")
            self._fill_states()
            return False
        elif end != k.FETCH:
            limit = self.limits.states
            is_full = end == k.STATES and (limit is None or limit > MOST_STATES)
            self.stopped = "memory" if is_full else self.stopped or REASONS.get(end, "")
            return False
        self._check_limits()
        return not self.stopped

    def _wait(self) -> int:
        """Explores in another thread, so that this one can look at the limits; returns why it ended."""
        ends: list[int] = []

        def work() -> None:
            ends.append(self._call("explore", self._run))

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        while thread.is_alive():
            try:
                thread.join(POLL_SECONDS)
                if thread.is_alive():
                    self._check_limits()
            except KeyboardInterrupt:
                self._stop("interrupted")
        return ends[0]

    def _check_limits(self) -> None:
        if used_memory() - self._before > self._most:
            self._stop("memory")
        if self.limits.is_stopped:
            self._stop("interrupted")
        if self.progress is not None:
            self.progress(self.states, self.transitions, self.states - self.expanded)

    def _take(self) -> None:
        """Copies new results from the columns."""
        stats, lts, rows = self.stats, self.lts, flat(self.columns.transitions)[: 3 * self.stats.new_transitions]
        for column, kept in ((k.SOURCE, lts.sources), (k.LABEL, lts.actions), (k.TARGET, lts.targets)):
            kept.frombytes(rows[column::3].tobytes())
        for column, new, kept in (
            (k.FINAL_ONE, stats.new_finals, self._finals),
            (k.RESULT, stats.new_results, self._accepted),
            (k.LEVEL_BEGIN, stats.new_levels, self._levels),
            (k.BROKEN_IN, stats.new_broken, self._broken_in),
            (k.BROKEN, stats.new_broken, self._broken),
        ):
            kept.frombytes(flat(self.columns.others)[column : k.OTHERS * new : k.OTHERS].tobytes())
        stats.new_transitions = stats.new_finals = stats.new_results = stats.new_levels = stats.new_broken = 0

    def _finish(self) -> None:
        """Completes the transition system."""
        lts, states, system = self.lts, self.states, self.system
        self._publish()
        lts.states, self.results = states, self._accepted.tolist()
        if self.acceptor.text == "any":  # states that were not expanded are results as well
            self.results = list(range(states))
        if not self.keep:
            return
        keys = sorted((number, key) for _, number, key in self._records() if k.OF_EVENT < key[0] < 0)
        for _, (rule_number, *arguments) in keys[len(lts.labels) : self.stats.labels]:
            rule = self.grounds.rules[-1 - rule_number]
            self._labels.number(OutgoingTransition(rule.name, tuple(arguments), 0, Match(rule, (), ())))
        lts.final, lts.open = set(self._finals), set(range(self.expanded, states))
        lts.broken = {}
        for state, which in zip(self._broken_in, self._broken, strict=True):
            lts.broken[state] = (*lts.broken.get(state, ()), system.properties[which].name)
        lts.depths = depths_of([0, *self._levels, self.stats.level_end, states])

    # ── description ──────────────────────────────────────────────────────────────────────────────

    def state(self, number: int) -> State:
        """The state with a number."""
        place, nodes, edges = self._graph(number)
        return State(self._fixed_nodes | nodes, self._fixed | edges, self.grounds.places.frames[place])

    def _graph(self, number: int) -> tuple[int, int, int]:
        """The place of a state, and the masks of the nodes and edges of its own: a whole graph with all differences."""
        nodes, edges, data = 0, 0, self.kept.data
        begin, end = self.kept.begins[number : number + 2]
        place = data[begin] if data[begin] >= 0 else -1 - data[begin]
        while data[begin] < 0:
            row = list(data[begin:end])
            middle = k.HEAD_SIZE + row[k.DIFFERENT_EDGES]
            whole = middle + row[k.DIFFERENT_NODES]
            if whole < len(row):
                edge = whole + row[k.ALL_NODES]
                return place, nodes ^ mask_of(row[whole:edge]), edges ^ mask_of(row[edge:])
            nodes, edges = nodes ^ mask_of(row[middle:whole]), edges ^ mask_of(row[k.HEAD_SIZE : middle])
            begin, end = self.kept.begins[row[k.OLDER] : row[k.OLDER] + 2]
        edge = begin + 2 + data[begin + 1]
        return place, nodes ^ mask_of(data[begin + 2 : edge]), edges ^ mask_of(data[edge:end])

    def find(self, state: State) -> int | None:
        """The number of a state, if it was found."""
        return self._find(state, adds=False)

    def _find(self, state: State, adds: bool) -> int | None:
        place = self.grounds.places.number(state.frame)
        if place is None:
            return None
        if self.system.world.nodes > self.stats.world_nodes or len(self.system.world.edges) > self.stats.world_edges:
            self._absorb()
            self._fill_world()
        nodes, edges = bits(state.nodes & ~self._fixed_nodes), bits(state.edges & ~self._fixed)
        listed = list(nodes)
        graph = array_of([place, len(listed), *listed, *edges], k.Ints)
        self.stats.stop = 0
        while True:
            self.stats.needs = -1
            found = self._call("find", graph, int(adds), self._run)
            if self.stats.needs < 0 or not self._grow(self.stats.needs):
                break
        return found if 0 <= found < max(self.states, 1) else None


def run_arrays(
    system: System,
    isomorphism: bool,
    limits: Limits,
    acceptor: Acceptor,
    progress: Progress | None = None,
    keep: bool = True,
) -> ArrayRun:
    """Returns the exploration of a grammar, not yet started; may raise CannotCompile."""
    grounds = grounds_of(system)
    require_kernels(KERNELS)
    return ArrayRun(grounds, isomorphism, limits, acceptor, progress, keep)

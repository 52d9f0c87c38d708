"""Array engine: explores grammars whose graphs grow and shrink, in kernels.

It has the states, transitions and numbers of the general engine. `CannotCompile` gives the reason if it cannot run.
"""

from __future__ import annotations

import threading
from array import array
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

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
from pentad.kernels.buffers import Buffer, zeros
from pentad.kernels.buffers import array as buffer_of
from pentad.kernels.program import program
from pentad.system.memory import used_memory

KERNELS = f"{__package__}.kernels"
LOOK = 0.02  # seconds between two looks at the limits
MOST_STATES = (1 << 31) - 2  # limit of state numbers
MOST = 1 << 31  # limit of the numbers in the arrays
MOST_COMPARED = 63  # symmetries beside the identity, under which the images of graphs are compared
UNBOUNDED = 1 << 62
SMALL = 64  # the most nodes and edges of a graph that is stored as a whole; of larger ones differences are stored
ACCEPT_CODES = {"": k.NONE, "any": k.EVERY, "none": k.NONE, "final": k.FINAL_ONES, "broken": k.BROKEN_ONES}
REASONS = {k.DONE: "", k.DEPTH: "depth", k.STATES: "states", k.RESULTS: "results"}
CAPACITIES = {  # at first
    k.EDGES: 1 << 12, k.NODES: 1 << 10, k.RECORDS: 1 << 12, k.MADE: 1 << 10, k.KEPT: 1 << 18, k.SLOTS: 1 << 13,
    k.ITEMS: 1 << 10, k.ENDS: 1 << 10, k.PARTS: 1 << 10, k.EVENTS: 1 << 10, k.COLUMNS: 1 << 16,
}  # fmt: skip
FIXED_COLUMNS = 1 << 12  # entries for states and levels in the columns


class Extent(NamedTuple):
    """An array's element type and size: the capacity that it follows, and how many times that; a table is cleared."""

    kind: str
    capacity: int
    times: int = 1
    is_table: bool = False


WORLD = k.World(
    edges=Extent("int32", k.EDGES, 3), edge_slots=Extent("int32", k.EDGES, 2, True), nodes=Extent("int64", k.NODES, 2),
    node_slots=Extent("int32", k.NODES, 2, True), constants=None, records=Extent("int32", k.RECORDS),
    record_slots=Extent("int32", k.RECORDS, 1, True), made=Extent("int32", k.MADE, 2),
)  # fmt: skip
KEPT = k.Kept(
    data=Extent("int32", k.KEPT), begins=Extent("int64", k.SLOTS), hashes=Extent("uint64", k.SLOTS),
    sketches=Extent("uint64", k.SLOTS),
    forms=Extent("uint64", k.SLOTS), slots=Extent("uint64", k.SLOTS, 2, True),
    form_slots=Extent("uint64", k.SLOTS, 4, True),
)  # fmt: skip
INDEX = k.Index(
    items=Extent("int32", k.ITEMS, k.ITEM), heads=Extent("int32", k.NODES, k.HEADS), label_heads=None,
    edge_marks=Extent("int32", k.EDGES), listed=Extent("int32", k.NODES), backs=Extent("int32", k.ITEMS, k.BACKS),
    label_lasts=None, edge_items=Extent("int32", k.EDGES), totals=None,
)  # fmt: skip
SCRATCH = k.Scratch(
    found=None, iterators=None, stack=None, ends=Extent("int32", k.ENDS), walked=None, parts=Extent("int32", k.PARTS),
    event_keys=Extent("int32", k.EVENTS), event_slots=Extent("int64", k.EVENTS, 4), key=Extent("int32", k.PARTS),
    deleted=Extent("int64", k.EDGES), deleted_nodes=Extent("int64", k.NODES), created=Extent("int32", k.PARTS, 2),
    out=Extent("int32", k.ITEMS), other=Extent("int32", k.ITEMS), changed=Extent("int32", k.ITEMS, 2),
    moved=Extent("int32", k.ITEMS), candidates=None, near=None,
)  # fmt: skip
COLOURS = k.Colours(
    hues=Extent("uint64", k.NODES, 3), rows=Extent("int32", k.NODES, 8), used=Extent("int64", k.NODES),
    edge_marks=Extent("int64", k.EDGES), links=Extent("int32", k.ITEMS, 10), distinct=Extent("uint64", k.NODES, 4),
    images=None, sums=None,
)  # fmt: skip
COLUMNS = k.Columns(transitions=Extent("int32", k.COLUMNS, 3), others=None)
OTHERS = 5  # the columns of states


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
        self.stats = zeros(k.STATS_SIZE, "int64")
        self._capacities = dict(CAPACITIES)
        self._fit(world.nodes, len(world.edges))
        rows, variables = len(self.tables.code) // k.INSTRUCTION, max(len(rule.names) for rule in grounds.rules)
        states = len(self.tables.paths) // 3
        self._path_states = states
        nodes = self._capacities[k.NODES]
        self.world = self._made(WORLD)._replace(constants=zeros(3 * len(names.constants), "int64"))
        self.kept = self._made(KEPT)
        self.index = self._made(INDEX)._replace(
            label_heads=zeros(len(names.labels), "int32"), label_lasts=zeros(len(names.labels), "int32"),
            totals=zeros(k.TOTALS_SIZE, "uint64"),
        )  # fmt: skip
        self.scratch = self._made(SCRATCH)._replace(
            found=zeros(variables, "int32"), iterators=zeros(4 * rows, "int64"), stack=zeros(rows + 64, "int64"),
            walked=zeros(3 * nodes * states, "int32"),
            candidates=zeros(len(grounds.rules) * (k.MOST_CANDIDATES + 1), "int32"),
            near=zeros(2 * k.MOST_NEAR, "int32"),
        )  # fmt: skip
        images = self._symmetries() if isomorphism else []
        symmetries = len(images[0]) if images else 0
        if symmetries == 1:  # isomorphic states are equal
            isomorphism, symmetries = False, 0
        self.stats[k.SYMMETRIES], self.stats[k.SYMMETRY_NODES] = symmetries, len(images)
        self.colours = self._made(COLOURS)._replace(
            images=buffer_of(list(chain.from_iterable(images)), "int32"), sums=zeros(2 * symmetries, "uint64")
        )
        self.columns = self._made(COLUMNS)._replace(others=zeros(OTHERS * FIXED_COLUMNS, "int64"))
        self._begin(isomorphism)

    # ── arrays ───────────────────────────────────────────────────────────────────────────────────

    def _fit(self, nodes: int, edges: int) -> None:
        """Sets the first capacities by the size of the start graph."""
        for capacity, count in ((k.NODES, nodes), (k.EDGES, edges), (k.ITEMS, 2 * (edges + nodes))):
            while self._capacities[capacity] < 2 * count + 2:
                self._capacities[capacity] *= 2

    def _array(self, shape: Extent) -> Buffer:
        return zeros(self._capacities[shape.capacity] * shape.times, shape.kind, huge=shape.capacity == k.KEPT)

    def _made(self, shapes: Any) -> Any:
        """New arrays of these shapes."""
        return type(shapes)(*(each and self._array(each) for each in shapes))

    def _grown(self, arrays: Any, shapes: Any, capacity: int) -> Any:
        """The arrays, with those that follow a capacity made anew in its present size."""
        found = {}
        for name, shape in shapes._asdict().items():
            if shape is not None and shape.capacity == capacity:
                found[name] = self._array(shape)
                if not shape.is_table:
                    before = getattr(arrays, name)
                    found[name][: len(before)] = before
        return arrays._replace(**found)

    def _grow(self, capacity: int) -> bool:
        """Doubles a capacity; returns whether there is enough memory."""
        shapes = (WORLD, KEPT, INDEX, SCRATCH, COLOURS, COLUMNS)
        kinds = [each for group in shapes for each in group if each and each.capacity == capacity]
        size = self._capacities[capacity]
        if max(each.times for each in kinds) * size >= MOST:
            return False
        if 2 * size * sum(each.times * (4 if each.kind == "int32" else 8) for each in kinds) > self._most:
            return False
        self._capacities[capacity] = 2 * size
        self.world, self.kept = self._grown(self.world, WORLD, capacity), self._grown(self.kept, KEPT, capacity)
        self.index, self.scratch = (
            self._grown(self.index, INDEX, capacity),
            self._grown(self.scratch, SCRATCH, capacity),
        )
        self.colours = self._grown(self.colours, COLOURS, capacity)
        self.columns = self._grown(self.columns, COLUMNS, capacity)
        if capacity == k.NODES:
            self.scratch = self.scratch._replace(walked=zeros(6 * size * self._path_states, "int32"))
        if capacity in (k.EDGES, k.NODES, k.RECORDS):
            self._fill_world()
        if capacity == k.SLOTS:
            self._fill_states()
        return True

    def _fill_states(self) -> None:
        self._call("fill_states", self.kept.hashes, self.states, self.kept.slots)
        if self.stats[k.ISOMORPHIC]:
            self._call("fill_states", self.kept.sketches, self.states, self.kept.form_slots)
            self._call("fill_states", self.kept.forms, self.states, self.kept.form_slots)

    def _fill_world(self) -> None:
        for slots in (self.world.edge_slots, self.world.node_slots, self.world.record_slots):
            slots[:] = zeros(len(slots), "int32")
        self._call("fill_world", *self.world, self.stats)

    def _call(self, kernel: str, *arguments: Buffer | int) -> int:
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
        stats[k.ISOMORPHIC], stats[k.WHOLE], stats[k.NEEDS], stats[k.SMALL] = isomorphism, self.keep, -1, SMALL
        stats[k.USED_RECORDS] = stats[k.USED_MADE] = 1
        stats[k.MOST_LEVEL] = UNBOUNDED if limits.depth is None else min(limits.depth, UNBOUNDED)
        stats[k.MOST_RESULTS] = min(limits.results, UNBOUNDED)
        stats[k.ACCEPT] = ACCEPT_CODES.get(acceptor.text, k.WITHOUT if acceptor.text[:1] == "!" else k.WITH)
        actions = self.grounds.actions
        stats[k.NAME] = actions.index(acceptor.name) if acceptor.name in actions else -1
        self._absorb()
        for number, value in enumerate(names.constants):
            self.world.constants[3 * number + 1 : 3 * number + 3] = buffer_of(names.content(value), "int64")
            node = self.system.world.known_value(value)
            self.world.constants[3 * number] = 0 if node is None else node + 1
        self._put_events()
        self._fill_world()
        fixed = list(bits(self._fixed))
        for place, node in enumerate(bits(self._fixed_nodes)):
            self.index.listed[place] = node
        stats[k.FIXED_NODES], stats[k.FIXED_ITEMS] = self._fixed_nodes.bit_count(), len(fixed)
        self._call("fixed", buffer_of(fixed, "int32"), *self.world, *self.index)
        start = State(self.system.nodes, self.system.edges, self.system.control.start())
        self._find(start, adds=True)
        stats[k.LEVEL_END] = 1

    def _absorb(self) -> None:
        """Adds the nodes, values and edges of the system's world that are new here."""
        world, stats, names = self.system.world, self.stats, self.grounds.names
        while world.nodes > self._capacities[k.NODES]:
            self._grow(k.NODES)
        while len(world.edges) > self._capacities[k.EDGES]:
            self._grow(k.EDGES)
        nodes = array("q")
        for node in range(stats[k.WORLD_NODES], world.nodes):
            value = world.values.get(node)
            nodes.extend((k.NO_VALUE, 0) if value is None else names.content(value))
        first = 2 * int(stats[k.WORLD_NODES])
        self.world.nodes[first : first + len(nodes)] = memoryview(nodes)
        edges = array("i")
        for source, label, target in world.edges[stats[k.WORLD_EDGES] :]:
            edges.extend((source, names.labels[label], target))
        first = 3 * int(stats[k.WORLD_EDGES])
        self.world.edges[first : first + len(edges)] = memoryview(edges)
        stats[k.WORLD_NODES], stats[k.WORLD_EDGES] = world.nodes, len(world.edges)

    def _publish(self) -> None:
        """Adds the nodes, values, edges and events that are new here to the system's world."""
        world, stats, names = self.system.world, self.stats, self.grounds.names
        others = list(names.others)
        labels = list(names.labels)
        for node in range(world.nodes, stats[k.WORLD_NODES]):
            sort, content = self.world.nodes[2 * node : 2 * node + 2]
            if sort == k.NO_VALUE:
                world.new_node()
            elif sort == k.INT:
                world.value(AttributeValue("int", int(content)))
            else:
                world.value(AttributeValue("bool", bool(content)) if sort == k.BOOL else others[content])
        for edge in range(len(world.edges), stats[k.WORLD_EDGES]):
            source, label, target = self.world.edges[3 * edge : 3 * edge + 3]
            world.edge(source, labels[label], target)
        for event, nodes in self._events():
            self.system.effects.created[event] = nodes

    def _put_events(self) -> None:
        """Adds the events that created nodes before."""
        numbers = {(rule.name, level): i for i, (rule, level) in enumerate(self.grounds.levels)}
        records: dict[tuple[int, ...], int] = {}  # of events
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
            while self.stats[k.USED_MADE] + len(nodes) > self._capacities[k.MADE]:
                self._grow(k.MADE)
            made = int(self.stats[k.USED_MADE])
            self._put_record(made if nodes else 0, (numbers[name, level], *anchors, *of_event))
            for place, node in enumerate(nodes, start=made):
                following = place + 1 if place + 1 < made + len(nodes) else 0
                self.world.made[2 * place : 2 * place + 2] = buffer_of([node, following], "int32")
            self.stats[k.USED_MADE] = made + len(nodes)

    def _put_record(self, value: int, key: Sequence[int]) -> int:
        """Adds a record; returns its place."""
        while self.stats[k.USED_RECORDS] + k.RECORD_KEY + len(key) > self._capacities[k.RECORDS]:
            self._capacities[k.RECORDS] *= 2
            self.world = self._grown(self.world, WORLD, k.RECORDS)
        first, row = int(self.stats[k.USED_RECORDS]), [len(key), value, 0, 0, *key]
        self.world.records[first : first + len(row)] = buffer_of(row, "int32")
        self.stats[k.USED_RECORDS] = first + len(row)
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
        while at < self.stats[k.USED_RECORDS]:
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
                node, made = self.world.made[2 * made : 2 * made + 2]
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
        return int(self.stats[k.COUNT])

    @property
    def transitions(self) -> int:
        return int(self.stats[k.TRANSITIONS])

    @property
    def final(self) -> int:
        return int(self.stats[k.FINALS])

    @property
    def expanded(self) -> int:
        """How many states were expanded; these come first."""
        return int(self.stats[k.EXPANDED])

    def run(self) -> None:
        """Explores until no states are left or a limit is reached; a second call continues, with new limits."""
        states = self.limits.states
        self.stats[k.MOST_STATES] = MOST_STATES if states is None else min(states, MOST_STATES)
        self.stopped, self.stats[k.STOP] = "", 0
        with catch_interrupt(lambda: self._stop("interrupted")):
            while self._continue():
                pass
        self._take()
        self._finish()

    def _stop(self, why: str) -> None:
        self.stopped = self.stopped or why
        self.stats[k.STOP] = 1

    def _continue(self) -> bool:
        """Calls the kernel once and handles its result; returns whether to continue."""
        end = self._wait()
        self._take()
        if end == k.GROW:
            if not self._grow(int(self.stats[k.NEEDS])):
                self.stopped = "memory"
                return False
        elif end == k.STOPPED:  # the states of an incomplete expansion are forgotten
            self.stats[k.KEPT_END] = self.kept.begins[self.states]
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
            ends.append(self._call(
                "explore", *self.tables, *self.world, *self.kept, *self.index, *self.scratch, *self.colours,
                *self.columns, self.stats,
            ))  # fmt: skip

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        while thread.is_alive():
            try:
                thread.join(LOOK)
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
        stats, lts, rows = self.stats, self.lts, self.columns.transitions[: 3 * self.stats[k.NEW_TRANSITIONS]]
        for column, kept in ((k.SOURCE, lts.sources), (k.LABEL, lts.actions), (k.TARGET, lts.targets)):
            kept.frombytes(rows[column::3].tobytes())
        for column, new, kept in (
            (k.FINAL_ONE, k.NEW_FINALS, self._finals),
            (k.RESULT, k.NEW_RESULTS, self._accepted),
            (k.LEVEL_BEGIN, k.NEW_LEVELS, self._levels),
            (k.BROKEN_IN, k.NEW_BROKEN, self._broken_in),
            (k.BROKEN, k.NEW_BROKEN, self._broken),
        ):
            kept.frombytes(self.columns.others[column : OTHERS * stats[new] : OTHERS].tobytes())
        for new in range(k.NEW_TRANSITIONS, k.NEW_BROKEN + 1):
            stats[new] = 0

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
        for _, (rule_number, *arguments) in keys[len(lts.labels) : self.stats[k.LABELS]]:
            rule = self.grounds.rules[-1 - rule_number]
            self._labels.number(OutgoingTransition(rule.name, tuple(arguments), 0, Match(rule, (), ())))
        lts.final, lts.open = set(self._finals), set(range(self.expanded, states))
        lts.broken = {}
        for state, which in zip(self._broken_in, self._broken, strict=True):
            lts.broken[state] = (*lts.broken.get(state, ()), system.properties[which].name)
        lts.depths = depths_of([0, *self._levels, int(self.stats[k.LEVEL_END]), states])

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
        if (
            self.system.world.nodes > self.stats[k.WORLD_NODES]
            or len(self.system.world.edges) > self.stats[k.WORLD_EDGES]
        ):
            self._absorb()
            self._fill_world()
        nodes, edges = bits(state.nodes & ~self._fixed_nodes), bits(state.edges & ~self._fixed)
        listed = list(nodes)
        graph = buffer_of([place, len(listed), *listed, *edges], "int32")
        self.stats[k.STOP] = 0
        while True:
            self.stats[k.NEEDS] = -1
            arrays = (self.world, self.kept, self.index, self.scratch, self.colours)
            found = self._call("find", *chain.from_iterable(arrays), graph, int(adds), self.stats)
            if self.stats[k.NEEDS] < 0 or not self._grow(int(self.stats[k.NEEDS])):
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

"""What the kernels of the array engine and its driver share: codes, indices of columns, and the arrays by purpose.

A number of an edge, a node or a record is from 1 where 0 means that there is none.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

from pentad.kernels.types import Int32s, Int64s, Rows, RowSize, StoppableCounters, UInt64s

Ints: TypeAlias = Int32s
Longs: TypeAlias = Int64s
Words: TypeAlias = UInt64s

DEAD, FINAL, TRIAL = 0, 1, 2
# Why a call ends: no states left, a bound, results to fetch, an array that is too small, a request to stop.
DONE, DEPTH, STATES, RESULTS, FETCH, GROW, STOPPED = range(7)
# The arrays that may be too small, by what they grow with.
EDGES, NODES, RECORDS, MADE, KEPT, SLOTS, ITEMS, ENDS, PARTS, EVENTS, COLUMNS = range(11)

# Which states are results.
NONE, EVERY, FINAL_ONES, BROKEN_ONES, WITH, WITHOUT = range(6)

# The columns of instructions. `BACK` is the instruction that looks for its next candidate if this one fails; the first
# of a block goes back to the block's head. `JUMP` follows a head.
OP, A, B, C, LIST, BACK, IS_FIRST, JUMP = range(8)
INSTRUCTION = 8
# Operations that only test, or bind to one value.
EDGE, ANY_OF, SAME, DIFFERENT, IS_NEW, IS_VALUE, IS_NODE, CONSTANT, COMPUTE, TEST, CONNECTED = range(11)
LAST_TEST = CONNECTED
# The heads of blocks, and the ends of plans.
NOT, COUNT_ALL, FOUND, TALLY, MATCH = range(11, 16)
# Operations with several candidates.
OUT, INTO, PAIRS, LOOPS, NODE, PATH_FROM, PATH_TO, PATHS = range(16, 24)

# Operations on values: their operands are on a stack.
PUSH, VALUE, ADD, SUB, MUL, NEG, ABS, MIN, MAX, EQ, NEQ, LT, LE, GT, GE, ITE, AND, OR, INVERT, DIV, MOD = range(21)
INT, BOOL, OTHER = 0, 1, 2  # sorts; from OTHER on, values are only compared
NO_VALUE = -1  # the sort of a node

# The columns of rules, levels, places and calls.
LEVELS, LEVEL_COUNT, VARIABLES, IS_ALONE, MATTERS, SHOWS, PARAMETERS, MERGES, ROOT, VALUES, VALUES_WITHIN = range(11)
RULE = 11
PLAN, PARENT, ANCHORS, ERASED_NODES, ERASED, CREATED_NODES, CREATED, MERGED, DISTINGUISHES, NEEDS_MATCH = range(10)
LEVEL_ROW = 10
KIND, FIRST, SUCCESS, FAILURE = range(4)
RULE_OF, AFTER, ACTION, BREAKS = range(4)
GOES_ON, IS_BROKEN, IS_OVER = range(3)  # what a property's matches, or their absence, do to a state

# The columns of edges, items, heads, moves, nodes, constants and records.
SOURCE, LABEL, TARGET = range(3)
NUMBER, ITEM_SOURCE, ITEM_LABEL, ITEM_TARGET, NEXT_OUT, NEXT_INTO, NEXT_LABEL = range(7)
ITEM = 8
OUT_FIXED, INTO_FIXED, OUT_OTHER, INTO_OTHER, NODE_MARK, MERGED_INTO, OUT_LAST, INTO_LAST = range(8)
HEADS = 8
BEFORE_OUT, BEFORE_INTO, BEFORE_LABEL = range(3)
BACKS = 3
MOVE_LABEL, MOVE_AFTER = range(2)
FINAL_ONE, RESULT, LEVEL_BEGIN, BROKEN_IN, BROKEN = range(5)  # the columns of states
OTHERS = 5
SORT, CONTENT = range(2)
OF_EVENT = -(1 << 30)  # begins the key of an event; those of labels begin with numbers between this and 0
RECORD_SIZE, RECORD_VALUE, RECORD_STAMP, RECORD_MADE, RECORD_KEY = range(5)
PART_LEVEL, PART_WITHIN, IMAGES = range(3)  # a part of a match has these
# The head of a state that is stored as its difference from another: -1 - its place, this other state, how many edges
# and nodes differ, how many nodes and edges it has, and how many differ from the last whole graph before it. The edges
# and nodes that differ follow, then perhaps all its nodes and edges.
DIFFERS, OLDER, DIFFERENT_EDGES, DIFFERENT_NODES, ALL_NODES, ALL_EDGES, SINCE, HEAD_SIZE = range(8)
# The columns of triggers: the rule, the end of the changed edge where the way back begins, its first step, the steps.
TRIGGERED, FROM, WAY, STEPS = range(4)
FROM_SOURCE, FROM_TARGET, FROM_EDGE = range(3)
IS_INTO, WAY_LABEL = range(2)  # a step has these
MOST_CANDIDATES, MOST_NEAR, MOST_LOOKS = 64, 128, 512  # the limits of a rule, of a step, and of a way
TOTAL, SKETCHED, FORM, TOTALS_SIZE = range(4)  # the totals have these places


class Grows(NamedTuple):
    """The length of an array: so many times a capacity. A table is cleared when it grows."""

    capacity: int
    times: int = 1
    is_table: bool = False


class Tables(NamedTuple):
    """A grammar: its rules as instructions and lists, and control."""

    code: Annotated[Rows[Ints], RowSize(INSTRUCTION)]
    lists: Ints  # lists with their lengths before them
    rules: Annotated[Rows[Ints], RowSize(RULE)]
    levels: Annotated[Rows[Ints], RowSize(LEVEL_ROW)]
    # Kind, first call (the calls end at the next place's first), the places on success and on failure.
    places: Annotated[Rows[Ints], RowSize(4)]
    # Rule, place after it, number of the action's name, what the matches of a property do.
    calls: Annotated[Rows[Ints], RowSize(4)]
    loops: int  # index of the first property: it is tested in every state
    # The states of path automata: first move along an edge, first against it, whether it is an end.
    paths: Annotated[Rows[Ints], RowSize(3)]
    moves: Annotated[Rows[Ints], RowSize(2)]
    fixed_labels: Ints  # whether the edges of a label are the same in every graph
    trigger_begins: Ints  # a label's first trigger; the next label's first ends them
    # What a changed edge means to a rule: the candidates that are to be tried again.
    triggers: Annotated[Rows[Ints], RowSize(4)]
    ways: Annotated[Rows[Ints], RowSize(2)]  # steps from a changed edge back to a candidate


class World(NamedTuple):
    """All edges, nodes and values that ever occurred, with their hash tables."""

    edges: Annotated[Rows[Ints], RowSize(3), Grows(EDGES, 3)]
    edge_slots: Annotated[Ints, Grows(EDGES, 2, is_table=True)]
    nodes: Annotated[Rows[Longs], RowSize(2), Grows(NODES, 2)]  # the sort and content of a value
    node_slots: Annotated[Ints, Grows(NODES, 2, is_table=True)]  # slots of numbers and truths
    constants: Annotated[Rows[Longs], RowSize(3)]  # the node if it was used, the sort and content
    records: Annotated[Ints, Grows(RECORDS)]  # events with the nodes that they created, and labels of transitions
    record_slots: Annotated[Ints, Grows(RECORDS, is_table=True)]
    made: Annotated[
        Rows[Ints], RowSize(2), Grows(MADE, 2)
    ]  # created nodes: the node and the next one of the same event


class Kept(NamedTuple):
    """The states found: their places, nodes and edges, and hash tables."""

    # For each state its place, number of nodes, nodes and edges, sorted; or its difference from another.
    data: Annotated[Ints, Grows(KEPT)]
    begins: Annotated[Longs, Grows(SLOTS)]
    hashes: Annotated[Words, Grows(SLOTS)]
    # Hashes of the labels and values of graphs; those of isomorphic graphs are equal.
    sketches: Annotated[Words, Grows(SLOTS)]
    forms: Annotated[Words, Grows(SLOTS)]  # hashes by colours; 0 as long as no other state has the same sketch
    slots: Annotated[Words, Grows(SLOTS, 2, is_table=True)]  # a hash leads to its slot
    # A sketch, or a form, leads to the first state with it.
    form_slots: Annotated[Words, Grows(SLOTS, 4, is_table=True)]


class Index(NamedTuple):
    """The current graph: its edges as items in lists by node and by label."""

    items: Annotated[Rows[Ints], RowSize(ITEM), Grows(ITEMS, ITEM)]  # the fixed edges first
    # By node: the lists of its edges, and the stamp of the graph that has it, and in a match the node that it is merged
    # into.
    heads: Annotated[Rows[Ints], RowSize(HEADS), Grows(NODES, HEADS)]
    label_heads: Ints
    edge_marks: Annotated[Ints, Grows(EDGES)]  # the stamp of the graph that has an edge; -1 for fixed edges
    listed: Annotated[Ints, Grows(NODES)]  # the nodes, sorted; the fixed ones first
    # By item the items before it in its lists, if the graph is large.
    backs: Annotated[Rows[Ints], RowSize(BACKS), Grows(ITEMS, BACKS)]
    label_lasts: Ints
    edge_items: Annotated[Ints, Grows(EDGES)]
    totals: Words  # sums of the hashes and of the sketches of its own nodes and edges; the form of another graph


class Scratch(NamedTuple):
    """The state of a search, and what a match is applied with."""

    found: Ints  # the images of the variables
    iterators: Annotated[Rows[Longs], RowSize(4)]  # a row for each instruction
    stack: Longs
    ends: Annotated[Ints, Grows(ENDS)]  # the ends of paths, as a stack
    # The queue of nodes and states of a path's automaton, and stamps of those seen.
    walked: Annotated[Rows[Ints], RowSize(3)]
    parts: Annotated[Ints, Grows(PARTS)]  # the parts of a match: level, part around it, images
    event_keys: Annotated[Ints, Grows(EVENTS)]
    event_slots: Annotated[Rows[Longs], RowSize(2), Grows(EVENTS, 4)]
    key: Annotated[Ints, Grows(PARTS)]
    deleted: Annotated[Longs, Grows(EDGES)]  # stamps by edge and by node
    deleted_nodes: Annotated[Longs, Grows(NODES)]
    created: Annotated[Rows[Ints], RowSize(2), Grows(PARTS, 2)]  # edges and nodes, sorted
    out: Annotated[Ints, Grows(ITEMS)]  # the graph after a match
    other: Annotated[Ints, Grows(ITEMS)]  # a stored graph to compare with
    changed: Annotated[Ints, Grows(ITEMS, 2)]  # the edges and nodes that a match adds or removes
    moved: Annotated[Ints, Grows(ITEMS)]  # the edges by which the current graph differs from the one before
    candidates: Ints  # for each rule how many edges its first instruction must try, or -1, and these, sorted
    near: Ints  # nodes on the way back to candidates


class Colours(NamedTuple):
    """The comparison of two graphs."""

    hues: Annotated[Rows[Words], RowSize(3), Grows(NODES, 3)]  # the colours of the nodes of both, and sums
    rows: Annotated[Rows[Ints], RowSize(8), Grows(NODES, 8)]  # what belongs to nodes, or to places of sorted nodes
    used: Annotated[Longs, Grows(NODES)]
    edge_marks: Annotated[Longs, Grows(EDGES)]
    links: Annotated[Rows[Ints], RowSize(5), Grows(ITEMS, 10)]  # the edges between nodes, in lists by node
    distinct: Annotated[Words, Grows(NODES, 4)]
    images: Ints  # for each node and symmetry, where all graphs have the same nodes
    sums: Words  # hashes of the edges of a graph's images, by symmetry; then those of the current graph


class Columns(NamedTuple):
    """The results of a call."""

    transitions: Annotated[Rows[Ints], RowSize(3), Grows(COLUMNS, 3)]  # the source, the label, and the target
    # Final states, results, beginnings of levels, broken properties with their states.
    others: Annotated[Rows[Longs], RowSize(OTHERS)]


class Stats(StoppableCounters):
    """The counters and settings that a call and its driver share."""

    count: int
    expanded: int
    level: int
    level_end: int
    transitions: int
    finals: int
    accepted: int
    new_transitions: int
    new_finals: int
    new_results: int
    new_levels: int
    new_broken: int
    most_level: int
    most_states: int
    most_results: int
    accept: int
    name: int
    isomorphic: int
    whole: int
    world_edges: int
    world_nodes: int
    used_records: int
    used_made: int
    labels: int
    stamp: int
    needs: int
    fixed_items: int
    kept_end: int
    listed: int
    item_end: int
    fixed_nodes: int
    events_end: int
    events_stamp: int
    seen_stamp: int
    ends_top: int
    colour_stamp: int
    apply_stamp: int
    is_again: int
    made_nodes: int
    made_edges: int
    symmetries: int
    symmetry_nodes: int
    small: int
    current: int
    own_edges: int
    free_item: int
    moved: int
    changed_edges: int
    changed_nodes: int
    odd: int
    added: int
    candidate: int
    recorded: int
    base: int


class RunArrays(NamedTuple):
    """All of an exploration."""

    tables: Tables
    world: World
    kept: Kept
    graph: Index
    scratch: Scratch
    colours: Colours
    columns: Columns
    stats: Stats

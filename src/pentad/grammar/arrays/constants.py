"""What the kernels of the array engine and its driver share: codes, indices of columns, and the arrays by purpose.

A number of an edge, a node or a record is from 1 where 0 means that there is none.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

Int: TypeAlias = Any  # a number
Ints: TypeAlias = Any  # an array of int32, with the columns that follow below
Longs: TypeAlias = Any  # an array of int64
Words: TypeAlias = Any  # an array of uint64

DEAD, FINAL, TRIAL = 0, 1, 2
# Why a call ends: no states left, a bound, results to fetch, an array that is too small, a request to stop.
DONE, DEPTH, STATES, RESULTS, FETCH, GROW, STOPPED = range(7)
# The arrays that may be too small, by what they grow with.
EDGES, NODES, RECORDS, MADE, KEPT, SLOTS, ITEMS, ENDS, PARTS, EVENTS, COLUMNS = range(11)

# Indices of `stats`, the counters and settings shared by a call and its driver; the first is the stop flag.
STOP, COUNT, EXPANDED, LEVEL, LEVEL_END, TRANSITIONS, FINALS, ACCEPTED = range(8)
NEW_TRANSITIONS, NEW_FINALS, NEW_RESULTS, NEW_LEVELS, NEW_BROKEN = range(8, 13)  # entries in the columns
MOST_LEVEL, MOST_STATES, MOST_RESULTS, ACCEPT, NAME, ISOMORPHIC, WHOLE = range(13, 20)
WORLD_EDGES, WORLD_NODES, USED_RECORDS, USED_MADE, LABELS, STAMP, NEEDS, FIXED_ITEMS, KEPT_END = range(20, 29)
LISTED, ITEM_END, FIXED_NODES, EVENTS_END, EVENTS_STAMP, SEEN_STAMP, ENDS_TOP = range(29, 36)
COLOUR_STAMP, APPLY_STAMP, IS_AGAIN, MADE_NODES, MADE_EDGES, SYMMETRIES, SYMMETRY_NODES = range(36, 43)
# Of large graphs: the size of the largest other one (-1: none), the state whose graph is current (from 1), its edges,
# the first free item, counts of changes, odd ones with what they add to the graph, and the place among the candidates.
SMALL, CURRENT, OWN_EDGES, FREE_ITEM, MOVED, CHANGED_EDGES, CHANGED_NODES, ODD, ADDED = range(43, 52)
CANDIDATE, RECORDED, BASE, STATS_SIZE = range(52, 56)  # BASE: the state whose image sums are known, from 1
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
FINAL_ONE, RESULT, LEVEL_BEGIN, BROKEN_IN, BROKEN = range(5)  # of the columns of states
SORT, CONTENT = range(2)
OF_EVENT = -(1 << 30)  # begins the key of an event; those of labels begin with numbers between this and 0
RECORD_SIZE, RECORD_VALUE, RECORD_STAMP, RECORD_MADE, RECORD_KEY = range(5)
PART_LEVEL, PART_WITHIN, IMAGES = range(3)  # of a part of a match
# The head of a state that is stored as its difference from another: -1 - its place, this other state, how many edges
# and nodes differ, how many nodes and edges it has, and how many differ from the last whole graph before it. The edges
# and nodes that differ follow, then perhaps all its nodes and edges.
DIFFERS, OLDER, DIFFERENT_EDGES, DIFFERENT_NODES, ALL_NODES, ALL_EDGES, SINCE, HEAD_SIZE = range(8)
# The columns of triggers: the rule, the end of the changed edge where the way back begins, its first step, the steps.
TRIGGERED, FROM, WAY, STEPS = range(4)
FROM_SOURCE, FROM_TARGET, FROM_EDGE = range(3)
IS_INTO, WAY_LABEL = range(2)  # of steps
MOST_CANDIDATES, MOST_NEAR, MOST_LOOKS = 64, 128, 512  # of a rule, of a step, of a way
TOTAL, SKETCHED, FORM, TOTALS_SIZE = range(4)  # of totals


class Tables(NamedTuple):
    """A grammar: its rules as instructions and lists, and control."""

    code: Ints  # rows of INSTRUCTION
    lists: Ints  # lists with their lengths before them
    rules: Ints
    levels: Ints
    places: Ints  # kind, first call (the calls end at the next place's first), the places on success and on failure
    calls: Ints  # rule, place after it, number of the action's name, what the matches of a property do
    loops: int  # index of the first property: it is tested in every state
    paths: Ints  # the states of path automata: first move along an edge, first against it, whether it is an end
    moves: Ints
    fixed_labels: Ints  # whether the edges of a label are the same in every graph
    trigger_begins: Ints  # by label the first trigger; the next label's first ends them
    triggers: Ints  # what a changed edge means to a rule: the candidates that are to be tried again
    ways: Ints  # steps from a changed edge back to a candidate


class World(NamedTuple):
    """All edges, nodes and values that ever occurred, with their hash tables."""

    edges: Ints
    edge_slots: Ints
    nodes: Longs  # the sort and content of a value
    node_slots: Ints  # numbers and truths
    constants: Longs  # the node if it was used, the sort and content
    records: Ints  # events with the nodes that they created, and labels of transitions
    record_slots: Ints
    made: Ints  # created nodes: the node and the next one of the same event


class Kept(NamedTuple):
    """The states found: their places, nodes and edges, and hash tables."""

    data: Ints  # for each state its place, number of nodes, nodes and edges, sorted; or its difference from another
    begins: Longs
    hashes: Words
    sketches: Words  # hashes of the labels and values of graphs; those of isomorphic graphs are equal
    forms: Words  # hashes by colours; 0 as long as no other state has the same sketch
    slots: Words  # by hash
    form_slots: Words  # by sketch the first state with it, and by form


class Index(NamedTuple):
    """The current graph: its edges as items in lists by node and by label."""

    items: Ints  # the fixed edges first
    heads: Ints  # by node: the lists of its edges, and the stamp of the graph that has it, and
    # in a match the node that it is merged into
    label_heads: Ints
    edge_marks: Ints  # the stamp of the graph that has an edge; -1 for fixed edges
    listed: Ints  # the nodes, sorted; the fixed ones first
    backs: Ints  # by item the items before it in its lists, if the graph is large
    label_lasts: Ints
    edge_items: Ints
    totals: Words  # sums of the hashes and of the sketches of its own nodes and edges; the form of another graph


class Scratch(NamedTuple):
    """The state of a search, and what a match is applied with."""

    found: Ints  # the images of the variables
    iterators: Longs  # rows of 4 for each instruction
    stack: Longs
    ends: Ints  # the ends of paths, as a stack
    walked: Ints  # the queue of nodes and states of a path's automaton, and stamps of those seen
    parts: Ints  # the parts of a match: level, part around it, images
    event_keys: Ints
    event_slots: Longs
    key: Ints
    deleted: Longs  # stamps by edge and by node
    deleted_nodes: Longs
    created: Ints  # edges and nodes, sorted
    out: Ints  # the graph after a match
    other: Ints  # a stored graph
    changed: Ints  # the edges and nodes that a match adds or removes
    moved: Ints  # the edges by which the current graph differs from the one before
    candidates: Ints  # by rule how many edges its first instruction must try, or -1, and these, sorted
    near: Ints  # nodes on the way back to candidates


class Colours(NamedTuple):
    """The comparison of two graphs."""

    hues: Words  # the colours of the nodes of both, and sums
    rows: Ints  # what belongs to nodes, or to places of sorted nodes
    used: Longs
    edge_marks: Longs
    links: Ints  # the edges between nodes, in lists by node
    distinct: Words
    images: Ints  # by node and symmetry, where all graphs have the same nodes
    sums: Words  # hashes of the edges of a graph's images, by symmetry; then those of the current graph


class Columns(NamedTuple):
    """The results of a call."""

    transitions: Ints  # source, label, target
    others: Longs  # final states, results, beginnings of levels, broken properties with their states

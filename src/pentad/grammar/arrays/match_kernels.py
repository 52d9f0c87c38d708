"""Kernels that match rules: instructions tried in their order, with backtracking.

An instruction either tests, or binds variables to one candidate after the other. If it fails, the last instruction
before it that has more candidates goes on. A block is a plan within a plan, for a negative condition or for counting.
"""

from __future__ import annotations

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.constants import Index, RunArrays, Scratch, Tables, World
from pentad.grammar.arrays.world_kernels import known_edge, new_node, sort, value_of
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np
from pentad.kernels.polling import should_stop

POLLED = 0xFFF  # steps between two looks at the stop flag
ABSENT, ENDED = -1, -2  # no more matches; a stop or an array that is too small
AT_NODE, IN_STATE, SEEN = range(3)  # columns of what was walked
ITERATED, ENDS_BEFORE, NODE_AT, LIST_AT = range(4)  # the columns of iterators


@kernel
def has_edge(world: World, index: Index, stamp: int, source: int, label: int, target: int) -> bool:
    """Whether the current graph has an edge."""
    edge = known_edge(world, source, label, target)
    return bool(edge >= 0 and (index.edge_marks[edge] == stamp or index.edge_marks[edge] == -1))


@kernel
def wrapped(number: int) -> int:
    """A number in 32 bits."""
    return ((np.int64(number) + 0x80000000) & 0xFFFFFFFF) - 0x80000000


@kernel
def computed(expression: int, tables: Tables, world: World, scratch: Scratch) -> int:
    """The content of an expression's value; the expression is a list of operations with their arguments."""
    lists, stack, top = tables.lists, scratch.stack, 0
    for at in range(expression + 1, expression + 1 + lists[expression], 2):
        what, argument = lists[at], lists[at + 1]
        if what == k.PUSH:
            stack[top] = world.constants[argument, 2]
            top += 1
            continue
        if what == k.VALUE:
            stack[top] = world.nodes[scratch.found[argument], k.CONTENT]
            top += 1
            continue
        b = stack[top - 1]
        if what == k.NEG:
            stack[top - 1] = wrapped(-b)
        elif what == k.ABS:
            stack[top - 1] = wrapped(abs(b))
        elif what == k.INVERT:
            stack[top - 1] = 1 - b
        elif what == k.ITE:
            top -= 2
            stack[top - 1] = stack[top] if stack[top - 1] != 0 else b
        else:
            top -= 1
            a = stack[top - 1]
            if what == k.ADD:
                a = wrapped(a + b)
            elif what == k.SUB:
                a = wrapped(a - b)
            elif what == k.MUL:
                a = wrapped(a * b)
            elif what == k.DIV or what == k.MOD:  # the divisor is a constant; the quotient is rounded towards zero
                quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
                a = wrapped(quotient) if what == k.DIV else a - quotient * b
            elif what == k.MIN:
                a = min(a, b)
            elif what == k.MAX:
                a = max(a, b)
            elif what == k.EQ:
                a = 1 if a == b else 0
            elif what == k.NEQ:
                a = 1 if a != b else 0
            elif what == k.LT:
                a = 1 if a < b else 0
            elif what == k.LE:
                a = 1 if a <= b else 0
            elif what == k.GT:
                a = 1 if a > b else 0
            elif what == k.GE:
                a = 1 if a >= b else 0
            elif what == k.AND:
                a = a & b
            else:
                a = a | b
            stack[top - 1] = a
    return stack[0]


# ── paths ────────────────────────────────────────────────────────────────────────────────────────


@kernel
def visit(node: int, state: int, scratch: Scratch, states: int, tail: int, stamp: int) -> int:
    """Adds a node in a state of a path's automaton to the queue, if it is new; returns the queue's end."""
    if scratch.walked[node * states + state, SEEN] == stamp:
        return tail
    scratch.walked[node * states + state, SEEN] = stamp
    scratch.walked[tail, AT_NODE], scratch.walked[tail, IN_STATE] = node, state
    return tail + 1


@kernel
def walk(start: int, node: int, wanted: int, run: RunArrays) -> int:
    """Follows a path from a node: whether it leads to the wanted one, or with -1 the number of ends, put on the stack.

    -1 if the stack is too small.
    """
    tables, index, scratch, stats = run.tables, run.graph, run.scratch, run.stats
    paths, moves, items = tables.paths, tables.moves, index.items
    states = len(paths)
    stats.seen_stamp += 1
    stamp, top, first = stats.seen_stamp, stats.ends_top, stats.ends_top
    head, tail = 0, visit(node, start, scratch, states, 0, stamp)
    while head < tail:
        here, state = scratch.walked[head, AT_NODE], scratch.walked[head, IN_STATE]
        head += 1
        if paths[state, 2] != 0 and scratch.walked[here * states, SEEN] != stamp:  # no automaton has the state 0
            scratch.walked[here * states, SEEN] = stamp
            if here == wanted:
                return 1
            if wanted < 0:
                if top == len(scratch.ends):
                    stats.needs = k.ENDS
                    return -1
                scratch.ends[top] = here
                top += 1
        for move in range(paths[state, 0], paths[state + 1, 0]):
            label, after, is_against = moves[move, k.MOVE_LABEL], moves[move, k.MOVE_AFTER], move >= paths[state, 1]
            column = k.INTO_FIXED if is_against else k.OUT_FIXED
            if tables.fixed_labels[label] == 0:
                column += k.OUT_OTHER
            item = index.heads[here, column]
            while item != 0:
                if items[item, k.ITEM_LABEL] == label:
                    other = items[item, k.ITEM_SOURCE if is_against else k.ITEM_TARGET]
                    tail = visit(other, after, scratch, states, tail, stamp)
                item = items[item, k.NEXT_INTO if is_against else k.NEXT_OUT]
    if wanted >= 0:
        return 0
    sort(scratch.ends, first, top)
    stats.ends_top = top
    return top - first


@kernel
def next_end(pc: int, is_new: bool, run: RunArrays) -> int:
    """Binds a path's ends to the next candidates: 1, or 0 if there are none, or ENDED."""
    tables, index, scratch, stats = run.tables, run.graph, run.scratch, run.stats
    code, found, iterators = tables.code, scratch.found, scratch.iterators
    op, a, b, c = code[pc, k.OP], code[pc, k.A], code[pc, k.B], code[pc, k.C]
    if is_new:
        iterators[pc, ENDS_BEFORE] = iterators[pc, ITERATED] = stats.ends_top
        iterators[pc, NODE_AT] = 0
        if op != k.PATHS and walk(c, found[a], -1, run) < 0:
            return ENDED
    while True:
        if iterators[pc, ITERATED] < stats.ends_top:
            end = scratch.ends[iterators[pc, ITERATED]]
            iterators[pc, ITERATED] += 1
            if op == k.PATHS and a == b and end != found[a]:
                continue
            found[b] = end
            return 1
        stats.ends_top = iterators[pc, ENDS_BEFORE]
        if op != k.PATHS or iterators[pc, NODE_AT] == stats.listed:
            return 0
        found[a] = index.listed[iterators[pc, NODE_AT]]
        iterators[pc, NODE_AT] += 1
        iterators[pc, ITERATED] = iterators[pc, ENDS_BEFORE]
        if walk(c, found[a], -1, run) < 0:
            return ENDED


# ── steps ────────────────────────────────────────────────────────────────────────────────────────


@kernel
def test(pc: int, run: RunArrays) -> int:
    """Whether a test holds: 1 or 0, or ENDED; it may bind a variable to the only value."""
    tables, world, index, scratch, stats = run.tables, run.world, run.graph, run.scratch, run.stats
    code, found, lists = tables.code, scratch.found, tables.lists
    op, a, b, c, listed = code[pc, k.OP], code[pc, k.A], code[pc, k.B], code[pc, k.C], code[pc, k.LIST]
    if op == k.EDGE:
        return 1 if has_edge(world, index, stats.stamp, found[a], c, found[b]) else 0
    if op == k.ANY_OF:
        for i in range(listed + 1, listed + 1 + lists[listed]):
            if has_edge(world, index, stats.stamp, found[a], lists[i], found[b]):
                return 1
        return 0
    if op == k.SAME:
        return 1 if found[a] == found[b] else 0
    if op == k.DIFFERENT:
        return 1 if found[a] != found[b] else 0
    if op == k.IS_NEW:
        for i in range(listed + 1, listed + 1 + lists[listed]):
            if found[lists[i]] == found[a]:
                return 0
        return 1
    if op == k.IS_VALUE:
        return 1 if world.nodes[found[a], k.SORT] == c else 0
    if op == k.IS_NODE:
        return 1 if world.nodes[found[a], k.SORT] == k.NO_VALUE else 0
    if op == k.TEST:
        return 1 if computed(listed, tables, world, scratch) != 0 else 0
    if op == k.CONNECTED:
        return 1 if (walk(c, found[a], found[b], run) == 1) == (listed == 0) else 0
    if op == k.CONSTANT:
        value = world.constants[c, 0] - 1
        if value < 0:
            if world.constants[c, 1] < k.OTHER:
                value = value_of(world, world.constants[c, 1], world.constants[c, 2], stats)
            else:
                value = new_node(world, world.constants[c, 1], world.constants[c, 2], stats)
            if value < 0:
                return ENDED
            world.constants[c, 0] = value + 1
    else:
        value = value_of(world, c, computed(listed, tables, world, scratch), stats)
        if value < 0:
            return ENDED
    if b != 0:  # it is bound already
        return 1 if found[a] == value else 0
    found[a] = value
    return 1


@kernel
def candidate(pc: int, is_new: bool, run: RunArrays) -> bool:
    """Binds variables to the next candidate; whether there is one."""
    tables, index, scratch, stats = run.tables, run.graph, run.scratch, run.stats
    code, found, iterators, items = tables.code, scratch.found, scratch.iterators, index.items
    op, a, b, c = code[pc, k.OP], code[pc, k.A], code[pc, k.B], code[pc, k.C]
    if op == k.OUT or op == k.INTO:
        column = (0 if op == k.OUT else 1) + (k.OUT_FIXED if tables.fixed_labels[c] != 0 else k.OUT_OTHER)
        following = k.NEXT_OUT if op == k.OUT else k.NEXT_INTO
        item = index.heads[found[a], column] if is_new else items[iterators[pc, ITERATED], following]
        while item != 0 and items[item, k.ITEM_LABEL] != c:
            item = items[item, following]
        iterators[pc, ITERATED] = item
        if item != 0:
            found[b] = items[item, k.ITEM_TARGET if op == k.OUT else k.ITEM_SOURCE]
        return bool(item != 0)
    if op == k.NODE:
        at = 0 if is_new else iterators[pc, ITERATED]
        iterators[pc, ITERATED] = at + 1
        if at < stats.listed:
            found[a] = index.listed[at]
        return bool(at < stats.listed)
    if op == k.PAIRS:
        item = index.label_heads[c] if is_new else items[iterators[pc, ITERATED], k.NEXT_LABEL]
        iterators[pc, ITERATED] = item
        if item != 0:
            found[a], found[b] = items[item, k.ITEM_SOURCE], items[item, k.ITEM_TARGET]
        return bool(item != 0)
    listed, lists = code[pc, k.LIST], tables.lists  # loops with one of several labels
    if is_new:
        iterators[pc, LIST_AT] = 0
        item = index.label_heads[lists[listed + 1]]
    else:
        item = items[iterators[pc, ITERATED], k.NEXT_LABEL]
    while True:
        while item != 0:
            node = items[item, k.ITEM_SOURCE]
            if node == items[item, k.ITEM_TARGET]:
                is_known = False
                for earlier in range(iterators[pc, LIST_AT]):
                    column = k.OUT_FIXED if tables.fixed_labels[lists[listed + 1 + earlier]] != 0 else k.OUT_OTHER
                    other = index.heads[node, column]
                    while other != 0:
                        if items[other, k.ITEM_LABEL] == lists[listed + 1 + earlier]:
                            is_known = is_known or items[other, k.ITEM_TARGET] == node
                        other = items[other, k.NEXT_OUT]
                if not is_known:
                    iterators[pc, ITERATED] = item
                    found[a] = node
                    return True
            item = items[item, k.NEXT_LABEL]
        iterators[pc, LIST_AT] += 1
        if iterators[pc, LIST_AT] == lists[listed]:
            return False
        item = index.label_heads[lists[listed + 1 + iterators[pc, LIST_AT]]]


@kernel
def search(pc: int, is_new: bool, run: RunArrays) -> int:
    """Runs a plan from an instruction, or goes on after a match; returns the end that it reaches, ABSENT or ENDED."""
    tables, world, scratch, stats = run.tables, run.world, run.scratch, run.stats
    code, iterators, steps = tables.code, scratch.iterators, 0
    holds = 1 if is_new else 0
    while True:
        steps += 1
        if steps & POLLED == 0 and should_stop(stats):
            return ENDED
        if holds == 1:
            op = code[pc, k.OP]
            if op == k.MATCH:
                return pc
            if op == k.NOT or op == k.COUNT_ALL:
                iterators[pc, ITERATED], iterators[pc, ENDS_BEFORE] = 0, stats.ends_top
                pc += 1
                continue
            if op == k.FOUND:  # a negative condition was found, so it fails
                pc = code[pc, k.JUMP]
                stats.ends_top = iterators[pc, ENDS_BEFORE]
                holds = 0
                continue
            if op == k.TALLY:
                iterators[code[pc, k.JUMP], ITERATED] += 1
                holds = 0
                continue
            if op <= k.LAST_TEST:
                holds = test(pc, run)
            elif op >= k.PATH_FROM:
                holds = next_end(pc, True, run)
            else:
                holds = 1 if candidate(pc, True, run) else 0
            if holds == 1:
                pc += 1
            elif holds == ENDED:
                return ENDED
            continue
        back = code[pc, k.BACK]
        if code[pc, k.IS_FIRST] != 0:  # the block is exhausted
            head = back
            pc = head
            holds = 1
            if code[head, k.OP] == k.COUNT_ALL:
                value = value_of(world, k.INT, iterators[head, ITERATED], stats)
                if value < 0:
                    return ENDED
                if code[head, k.B] != 0:
                    holds = 1 if scratch.found[code[head, k.A]] == value else 0
                scratch.found[code[head, k.A]] = value if holds == 1 else scratch.found[code[head, k.A]]
            if holds == 1:
                pc = code[head, k.JUMP]
            continue
        if back < 0:
            return ABSENT
        pc = back
        holds = next_end(pc, False, run) if code[pc, k.OP] >= k.PATH_FROM else 1 if candidate(pc, False, run) else 0
        if holds == 1:
            pc += 1
        elif holds == ENDED:
            return ENDED

"""Kernels of the array engine that search a large graph only near what changed.

A rule's first instruction tries the edges of a label. Those from which no match begins need not be tried again before
an edge changes that the search has looked at. From a changed edge, the ways back through the rule's edges lead to the
candidates that may have matches now. So a rule has a few candidates, in the order of their numbers, or all of them if
they are too many or if the way back is too wide.
"""

from __future__ import annotations

from pentad.grammar.arrays import constants as k
from pentad.grammar.arrays.constants import Index, RunArrays, Scratch, Stats, Tables
from pentad.grammar.arrays.match_kernels import ABSENT, ITERATED, LIST_AT, search
from pentad.kernels.decorator import kernel
from pentad.kernels.numpy_numbers import np

FIRST = -1  # it stands for the first search
ROW = k.MOST_CANDIDATES + 1  # a rule's candidates: their count, or -1, and these; -1 - the edge for a dropped one


@kernel
def forget_candidates(tables: Tables, scratch: Scratch) -> None:
    """From now on all candidates are tried."""
    for rule in range(len(tables.rules)):
        scratch.candidates[rule * ROW] = -1


@kernel
def is_current(edge: int, index: Index, stats: Stats) -> bool:
    """Whether the current graph has an edge."""
    return bool(index.edge_marks[edge] == stats.stamp or index.edge_marks[edge] == -1)


# ── after a change ───────────────────────────────────────────────────────────────────────────────


@kernel
def add_candidate(rule: int, edge: int, scratch: Scratch) -> bool:
    """Adds an edge to the candidates of a rule, in order; whether there is room for it."""
    candidates, row = scratch.candidates, rule * ROW
    count = candidates[row]
    at = row + count
    while at > row:
        other = candidates[at]
        other = other if other >= 0 else -1 - other
        if other <= edge:
            if other == edge:
                candidates[at] = edge
                return True
            break
        at -= 1
    if count == k.MOST_CANDIDATES:
        return False
    for i in range(row + count, at, -1):
        candidates[i + 1] = candidates[i]
    candidates[at + 1] = edge
    candidates[row] = count + 1
    return True


@kernel
def first_item(node: int, way: int, tables: Tables, index: Index) -> int:
    """The first item of the list at a node that a step goes along."""
    column = k.INTO_FIXED if tables.ways[way, k.IS_INTO] != 0 else k.OUT_FIXED
    if tables.fixed_labels[tables.ways[way, k.WAY_LABEL]] == 0:
        column += k.OUT_OTHER
    return np.int64(index.heads[node, column])


@kernel
def go_back(rule: int, node: int, way: int, steps: int, tables: Tables, index: Index, scratch: Scratch) -> bool:
    """Adds the candidates from which a way leads to a node; whether they are few. The last step finds their edges."""
    near, items, count, half, looks = scratch.near, index.items, 1, 0, 0
    near[0] = node
    for at in range(way, way + steps):
        is_last, is_into = at == way + steps - 1, tables.ways[at, k.IS_INTO]
        label, found, begin, other = tables.ways[at, k.WAY_LABEL], 0, half, k.MOST_NEAR - half
        for each in range(begin, begin + count):
            item = first_item(near[each], at, tables, index)
            while item != 0:
                looks += 1
                if looks > k.MOST_LOOKS:
                    return False
                if items[item, k.ITEM_LABEL] == label:
                    if is_last:
                        if not add_candidate(rule, items[item, k.NUMBER], scratch):
                            return False
                    else:
                        if found == k.MOST_NEAR:
                            return False
                        near[other + found] = items[item, k.ITEM_SOURCE if is_into != 0 else k.ITEM_TARGET]
                        found += 1
                item = np.int64(items[item, k.NEXT_INTO if is_into != 0 else k.NEXT_OUT])
        count, half = found, other
    return True


@kernel
def try_again(edge: int, run: RunArrays) -> None:
    """Adds the candidates of all rules from which a search may see that an edge has changed."""
    tables, world, index, scratch, stats = run.tables, run.world, run.graph, run.scratch, run.stats
    label = world.edges[edge, k.LABEL]
    for at in range(tables.trigger_begins[label], tables.trigger_begins[label + 1]):
        rule, end = tables.triggers[at, k.TRIGGERED], tables.triggers[at, k.FROM]
        if scratch.candidates[rule * ROW] < 0:
            continue
        if end == k.FROM_EDGE:
            are_few = not is_current(edge, index, stats) or add_candidate(rule, edge, scratch)
        else:
            node = world.edges[edge, k.SOURCE if end == k.FROM_SOURCE else k.TARGET]
            way, steps = tables.triggers[at, k.WAY], tables.triggers[at, k.STEPS]
            are_few = go_back(rule, node, way, steps, tables, index, scratch)
        if not are_few:
            scratch.candidates[rule * ROW] = -1


# ── search ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def next_match(rule: int, at: int, run: RunArrays) -> int:
    """Searches a rule's outermost level, or goes on after a match; returns the end that it reaches, ABSENT or ENDED."""
    tables, scratch, stats = run.tables, run.scratch, run.stats
    root = np.int64(tables.rules[rule, k.ROOT])
    if at == FIRST:
        stats.candidate, stats.recorded = -1 if scratch.candidates[rule * ROW] < 0 else 0, 0
    if stats.candidate < 0:
        return search_and_record(rule, root, at, run)
    return search_candidates(rule, root, at, run)


@kernel
def search_and_record(rule: int, root: int, at: int, run: RunArrays) -> int:
    """Tries all candidates, and notes those from which matches begin."""
    index, scratch, stats = run.graph, run.scratch, run.stats
    row = rule * ROW
    found = search(root if at == FIRST else at, at == FIRST, run)
    recorded = stats.recorded
    if found >= 0:
        edge = index.items[scratch.iterators[root, ITERATED], k.NUMBER]
        if recorded <= k.MOST_CANDIDATES and (recorded == 0 or scratch.candidates[row + recorded] != edge):
            if recorded < k.MOST_CANDIDATES:
                scratch.candidates[row + recorded + 1] = edge
            stats.recorded = recorded + 1
    elif found == ABSENT and recorded <= k.MOST_CANDIDATES:
        scratch.candidates[row] = recorded
    return found


@kernel
def search_candidates(rule: int, root: int, at: int, run: RunArrays) -> int:
    """Tries the candidates of a rule, and drops those from which no match begins."""
    tables, world, index, scratch, stats = run.tables, run.world, run.graph, run.scratch, run.stats
    row, candidates, code = rule * ROW, scratch.candidates, tables.code
    if at != FIRST:
        found = search(at, False, run)
        if found != ABSENT:
            return found
    while stats.candidate < candidates[row]:
        stats.candidate += 1
        place = row + stats.candidate
        edge = candidates[place]
        if edge < 0:
            continue
        source, target = world.edges[edge, k.SOURCE], world.edges[edge, k.TARGET]
        found = ABSENT
        if is_current(edge, index, stats) and (code[root, k.OP] == k.PAIRS or source == target):
            scratch.found[code[root, k.A]] = source
            if code[root, k.OP] == k.PAIRS:
                scratch.found[code[root, k.B]] = target
            scratch.iterators[root, ITERATED] = scratch.iterators[root, LIST_AT] = 0  # nothing follows the item 0
            found = search(root + 1, True, run)
        if found != ABSENT:
            return found
        candidates[place] = -1 - edge
    count = 0
    for place in range(row + 1, row + 1 + candidates[row]):
        if candidates[place] >= 0:
            count += 1
            candidates[row + count] = candidates[place]
    candidates[row] = count
    return ABSENT

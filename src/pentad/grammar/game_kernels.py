"""Kernels that solve games over transition systems: retrograde analysis for two sides, and max-n.

They are plain functions like those of `fixpoint_kernels`. A value is that for the side to move: won or lost. A
source is signed if the other side moves after its transition: ~source instead of source.
"""

from __future__ import annotations

from typing import NamedTuple

from pentad.grammar.logic import fixpoint_kernels
from pentad.kernels.types import Counters, Int32s, Int64s, UInt8s

WON, LOST = 1, 2  # bits of a mark
UNKNOWN = 3
ENDLESS = 1 << 30  # more transitions than a state has: it is never lost
UNPROVED = 255  # no set of winners
SLICE = 1 << 16  # states of a queue that a call reads, so that it can be stopped in between


class TwoWays(NamedTuple):
    """The transitions to each state and those that leave it: where they begin, and the states at their other ends."""

    back: Int64s
    sources: Int32s
    begins: Int64s
    targets: Int32s


class QueueEnds(Counters):
    """The ends of a queue: the first state to read, and the length."""

    head: int
    size: int


def read_seats(bits: UInt8s, seats: UInt8s) -> int:
    """Reads the player to move from the only bit of each state; returns a state that has not one bit, or -1."""
    for state in range(len(bits)):
        bit, seat = bits[state], 0
        if bit == 0 or bit & (bit - 1) != 0:
            return state
        while bit >> seat != 1:
            seat += 1
        seats[state] = seat
    return -1


def sign_by_sides(sources: Int32s, targets: Int32s, seats: UInt8s, me: int, signed: Int32s) -> None:
    """Writes the sources, signed where a transition leads from one player to the others or back."""
    for i in range(len(sources)):
        source = sources[i]
        passes = (seats[source] == me) != (seats[targets[i]] == me)
        signed[i] = ~source if passes else source


def sign_by_turns(sources: Int32s, passes: UInt8s, signed: Int32s) -> None:
    """Writes the sources, signed where a transition passes the turn."""
    for i in range(len(sources)):
        signed[i] = ~sources[i] if passes[i] else sources[i]


def judge(
    begins: Int64s,
    is_open: UInt8s,
    seats: UInt8s,
    winners: UInt8s,
    stuck: UInt8s,
    me: int,
    marks: UInt8s,
    left: Int32s,
    queue: Int32s,
) -> int:
    """Queues the ended states that one side has won, lost ones as their complement; returns how many.

    Where nobody has won, `stuck` has the winners by the player to move. `left` gets the numbers of transitions.
    """
    size = 0
    for state in range(len(marks)):
        left[state] = begins[state + 1] - begins[state]
        if is_open[state]:
            left[state] = ENDLESS
        elif left[state] == 0:
            won = winners[state]
            if won == 0:
                won = stuck[seats[state]]
            if won == 0 or (won >> me & 1 and won != 1 << me):
                continue
            is_won = (won == 1 << me) == (seats[state] == me)
            marks[state] = WON if is_won else LOST
            queue[size] = state if is_won else ~state
            size += 1
    return size


def doubt(is_open: UInt8s, marks: UInt8s, queue: Int32s, size: int) -> int:
    """Queues the open states, both as won and as lost, after others; returns how many there are."""
    for state in range(len(marks)):
        if is_open[state]:
            marks[state] = WON | LOST
            queue[size] = state
            queue[size + 1] = ~state
            size += 2
    return size


def spread(
    begins: Int64s, signed: Int32s, left: Int32s, marks: UInt8s, distances: Int32s, queue: Int32s, ends: QueueEnds
) -> None:
    """Spreads the values of queued states back over the transitions.

    A state is won if a transition leads to a state that its side has won; it is lost if all transitions lead to states
    that its side has lost. The nearest states come first, so that wins are the shortest and losses the longest. A
    call reads a slice of the queue.
    """
    head, size = ends.head, ends.size
    last = min(size, head + SLICE)
    while head < last:
        entry = queue[head]
        head += 1
        is_lost = entry < 0
        state = ~entry if is_lost else entry
        for i in range(begins[state], begins[state + 1]):
            source = signed[i]
            passes = source < 0
            if passes:
                source = ~source
            if is_lost == passes:
                if marks[source] & WON == 0:
                    marks[source] |= WON
                    distances[source] = distances[state] + 1
                    queue[size] = source
                    size += 1
            else:
                left[source] -= 1
                if left[source] == 0 and marks[source] & LOST == 0:
                    marks[source] |= LOST
                    distances[source] = distances[state] + 1
                    queue[size] = ~source
                    size += 1
    ends.head, ends.size = head, size


def mark_unknown(possible: UInt8s, marks: UInt8s) -> None:
    """Marks the states as unknown that have no value and may be won or lost."""
    for state in range(len(marks)):
        if marks[state] == 0 and possible[state] != 0:
            marks[state] = UNKNOWN


def begin_max_n(
    begins: Int64s, is_open: UInt8s, seats: UInt8s, stuck: UInt8s, winners: UInt8s, left: Int32s, queue: Int32s
) -> int:
    """Queues the ended states, of which `winners` are the winners; the others are not proved. Returns how many."""
    size = 0
    for state in range(len(winners)):
        left[state] = begins[state + 1] - begins[state]
        if left[state] != 0 or is_open[state]:
            winners[state] = UNPROVED
            if is_open[state]:
                left[state] = ENDLESS
            continue
        if winners[state] == 0:
            winners[state] = stuck[seats[state]]
        queue[size] = state
        size += 1
    return size


def max_n(
    moves: TwoWays,
    seats: UInt8s,
    ranks: UInt8s,
    left: Int32s,
    winners: UInt8s,
    distances: Int32s,
    queue: Int32s,
    ends: QueueEnds,
) -> None:
    """Finds the winners if every player prefers the best result for themselves; a call reads a slice of the queue.

    `ranks` has the rank of each set of winners for each player, 256 sets a player, from 0; 255 is that of the best. A
    state is decided as soon as its player can win alone, or when all its successors are; of equal results the first
    transition counts.
    """
    back, sources, begins, targets = moves.back, moves.sources, moves.begins, moves.targets
    head, size = ends.head, ends.size
    last = min(size, head + SLICE)
    while head < last:
        state = queue[head]
        head += 1
        for i in range(back[state], back[state + 1]):
            source = sources[i]
            if winners[source] != UNPROVED:
                continue
            left[source] -= 1
            best = state
            rank = ranks[256 * seats[source] + winners[state]]
            if rank != 255:
                if left[source] != 0:
                    continue
                rank = -1
                for j in range(begins[source], begins[source + 1]):
                    target = targets[j]
                    its = ranks[256 * seats[source] + winners[target]]
                    if its > rank:
                        best, rank = target, its
            winners[source] = winners[best]
            distances[source] = distances[best] + 1
            queue[size] = source
            size += 1
    ends.head, ends.size = head, size


NATIVE = {
    **{name: fixpoint_kernels.NATIVE[name] for name in ("is_sorted", "count", "group", "narrow", "stuck")},
    "read_seats": read_seats,
    "sign_by_sides": sign_by_sides,
    "sign_by_turns": sign_by_turns,
    "judge": judge,
    "doubt": doubt,
    "spread": spread,
    "mark_unknown": mark_unknown,
    "begin_max_n": begin_max_n,
    "max_n": max_n,
}

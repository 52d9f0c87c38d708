"""Forward solver of classic Pentago: a search that expands only open questions.

Where the solver makes every board from the last ply back, this asks of a board: in which of *these* ways to have its
sub-boards turned does the mover win (or: at least draw)? It looks at replies only for the ways that no move has
settled yet, and stops when none is left. The geometry comes from `naive`, none of it from the package.

A way to have the sub-boards turned, each by so many quarters clockwise, is one of 256 bits in four words. Marbles
are where they would be if nothing had been turned.
"""

from functools import lru_cache

import numpy as np

from pentad.kernels.decorator import kernel
from pentad.kernels.types import Int64s, Rows, UInt64s
from tests.games.pentago.solver.naive_solver import Naive

WIN, DRAW, LOSS = 1, 0, -1
WORDS = 4
MOST_SPACES = 18
LAST_PLIES = 2  # plies without a transposition table


# ── what lies where ──────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=1)
def geometry():
    """For each line, sub-board and rotation the required marbles; and a word for each set of rotations."""
    naive = Naive()
    need = np.zeros((len(naive.lines), 4, 4), np.int64)
    for number, line in enumerate(naive.lines):
        for corner, square in enumerate(naive.sub_boards):
            part = line & sum(map(sum, square))
            for turns in range(4):
                need[number, corner, turns] = part
                part = naive.twist(part, corner, "A")  # from here one turn more leads into the line
    spread = np.zeros((4, 16, WORDS), np.uint64)
    for corner in range(4):
        for turnings in range(16):
            for state in range(256):
                if turnings >> (state >> 2 * corner & 3) & 1:
                    spread[corner, turnings, state >> 6] |= np.uint64(1 << (state & 63))
    return need, spread


def neighbours(state):
    """The states after one twist, by the text of the twist."""
    found = {}
    for corner in range(4):
        turned = state >> 2 * corner & 3
        for way, by in (("C", 1), ("A", 3)):
            found[f"{corner + 1}{way}"] = state ^ (turned ^ (turned + by & 3)) << 2 * corner
    return found


@kernel
def lines_of(marbles, need, spread, found):
    """The states in which marbles have a line."""
    for word in range(4):
        found[word] = np.uint64(0)
    for line in range(need.shape[0]):
        now = ~np.uint64(0)
        words = (now, now, now, now)
        for corner in range(4):
            if need[line, corner, 0]:
                turnings = 0
                for turns in range(4):
                    if marbles & need[line, corner, turns] == need[line, corner, turns]:
                        turnings |= 1 << turns
                if turnings == 0:
                    words = (np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0))
                    break
                by = spread[corner, turnings]
                words = (words[0] & by[0], words[1] & by[1], words[2] & by[2], words[3] & by[3])
        for word in range(4):
            found[word] |= words[word]


@kernel
def all_lines(marbles, spaces, most, need, spread, found):
    """The states with a line for these marbles and every set of up to `most` more."""
    for number in range(found.shape[0]):
        more, count = marbles, 0
        for place in range(len(spaces)):
            if number >> place & 1:
                more |= np.int64(1) << spaces[place]
                count += 1
        if count <= most:
            lines_of(more, need, spread, found[number])


@kernel
def twisted(states, found):
    """All states that are one twist away from given ones."""
    for word in range(4):
        x = states[word]
        once = (x & np.uint64(0x7777777777777777)) << np.uint64(1) | x >> np.uint64(3) & np.uint64(0x1111111111111111)
        back = x >> np.uint64(1) & np.uint64(0x7777777777777777) | (x & np.uint64(0x1111111111111111)) << np.uint64(3)
        y = once | back
        y |= (x & np.uint64(0x0FFF0FFF0FFF0FFF)) << np.uint64(4) | x >> np.uint64(12) & np.uint64(0x000F000F000F000F)
        y |= x >> np.uint64(4) & np.uint64(0x0FFF0FFF0FFF0FFF) | (x & np.uint64(0x000F000F000F000F)) << np.uint64(12)
        y |= x << np.uint64(16) | x >> np.uint64(48)
        y |= x >> np.uint64(16) | x << np.uint64(48)
        found[word] = y | states[(word + 1) % 4] | states[(word + 3) % 4]


# ── the search ───────────────────────────────────────────────────────────────────────────────────

REQUESTED, FOUND, HELP, THERE, ENDED, REACHED = range(6)  # rows of a ply's buffer


@kernel
def search(
    ply: int, spaces: int, mine: int, theirs: int, side: int, plies: int, strict: bool, at_once: bool,
    lines: Rows[Rows[UInt64s]], buffer: Rows[Rows[UInt64s]], keys: UInt64s, table: Rows[Rows[UInt64s]],
    killers: Rows[Int64s], count: Int64s,
) -> None:  # fmt: skip
    """The requested states in which the mover wins (`strict`) or at least draws; a cutoff counts as a draw."""
    count[0] += 1
    here, below = buffer[ply], buffer[ply + 1]
    left = np.uint64(0)
    for word in range(4):
        here[FOUND, word] = np.uint64(0)
        left |= here[REQUESTED, word]
    if left == 0:
        return
    key = np.uint64(mine << spaces | theirs) + np.uint64(1)
    slot = np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & (len(keys) - 1)
    is_stored = plies > LAST_PLIES
    requested = (here[REQUESTED, 0], here[REQUESTED, 1], here[REQUESTED, 2], here[REQUESTED, 3])
    if is_stored and keys[slot] == key:
        for word in range(4):
            here[FOUND, word] = table[slot, 1, word] & requested[word]
            here[REQUESTED, word] = requested[word] & ~table[slot, 0, word]
    his_lines = lines[1 - side, theirs]
    # immediate wins, and wins by a twist that ends the game
    for place in range(spaces):
        if (mine | theirs) >> place & 1:
            continue
        my_lines = lines[side, mine | 1 << place]
        for word in range(4):
            here[HELP, word] = my_lines[word] & (~his_lines[word] if strict else ~np.uint64(0))
            if plies == 1 and not strict:
                here[HELP, word] |= ~his_lines[word]
        twisted(here[HELP], here[REACHED])
        for word in range(4):
            good = here[REACHED, word] | (my_lines[word] if at_once else np.uint64(0))
            here[FOUND, word] |= good & here[REQUESTED, word]
            here[REQUESTED, word] &= ~good
    # the other moves, killers first
    tried = mine | theirs
    while plies > 1:
        if here[REQUESTED, 0] | here[REQUESTED, 1] | here[REQUESTED, 2] | here[REQUESTED, 3] == 0:
            break
        best = -1
        for place in range(spaces):
            if not tried >> place & 1 and (best < 0 or killers[side, place] > killers[side, best]):
                best = place
        if best < 0:
            break
        tried |= 1 << best
        my_lines = lines[side, mine | 1 << best]
        twisted(here[REQUESTED], here[REACHED])
        for word in range(4):
            here[THERE, word] = here[REACHED, word] & ~my_lines[word] & ~his_lines[word]
            below[REQUESTED, word] = here[THERE, word]
        search(
            ply + 1, spaces, theirs, mine | 1 << best, 1 - side, plies - 1, not strict, at_once,
            lines, buffer, keys, table, killers, count,
        )  # fmt: skip
        for word in range(4):
            here[HELP, word] = here[THERE, word] & ~below[FOUND, word]
        twisted(here[HELP], here[REACHED])
        helped = np.uint64(0)
        for word in range(4):
            good = here[REACHED, word] & here[REQUESTED, word]
            here[FOUND, word] |= good
            here[REQUESTED, word] &= ~good
            helped |= good
        if helped:
            killers[side, best] += plies * plies
    if is_stored:
        if keys[slot] != key:
            keys[slot] = key
            for word in range(4):
                table[slot, 0, word] = np.uint64(0)
                table[slot, 1, word] = np.uint64(0)
        for word in range(4):
            table[slot, 0, word] |= requested[word]
            table[slot, 1, word] |= here[FOUND, word]


class Forward:
    """An unfinished classic position with at most 18 empty spaces."""

    def __init__(self, position):
        self.placed = position.placed
        self.at_once = position.options["win_on_placement"]
        turn = position.turn if not self.placed else 1 - position.turn
        self.mine, self.theirs = position.marbles if turn == 0 else position.marbles[::-1]
        self.spaces = [space for space in range(36) if not (self.mine | self.theirs) >> space & 1]
        free = len(self.spaces)
        assert free <= MOST_SPACES
        need, spread = geometry()
        self.lines = np.zeros((2, 1 << free, WORDS), np.uint64)
        places = np.array(self.spaces, np.int64)
        for side, marbles in enumerate((self.mine, self.theirs)):
            all_lines(marbles, places, (free + 1) // 2, need, spread, self.lines[side])
        self.nodes = 0

    def query(self, states, strict, plies, mine=0, theirs=0, side=0):
        """The states among these (as a number) in which the player to place wins, or at least draws."""
        free = len(self.spaces)
        if not plies:
            return 0 if strict else states
        size = 1 << min(20, max(10, 2 * free - 12))
        buffer = np.zeros((plies + 2, 6, WORDS), np.uint64)
        buffer[0, REQUESTED] = words_of(states)
        count = np.zeros(1, np.int64)
        search(
            0, free, mine, theirs, side, plies, strict, self.at_once, self.lines, buffer, np.zeros(size, np.uint64),
            np.zeros((size, 2, WORDS), np.uint64), np.zeros((2, max(free, 1)), np.int64), count,
        )  # fmt: skip
        self.nodes += int(count[0])
        return number_of(buffer[0, FOUND])

    def lines_now(self, side, number):
        return number_of(self.lines[side, number])

    def _values(self, states, plies, mine, theirs, side):
        """The values of states after a twist for the player who made it, `1 - side`."""
        his_line, my_line = self.lines_now(1 - side, theirs), self.lines_now(side, mine)
        open_states = sum(1 << state for state in states if not (my_line | his_line) >> state & 1)
        wins = self.query(open_states, True, plies, mine, theirs, side)
        holds = self.query(open_states & ~wins, False, plies, mine, theirs, side) | wins
        values = []
        for state in states:
            ended = (his_line >> state & 1) - (my_line >> state & 1)
            values.append(ended if not open_states >> state & 1 else -((wins >> state & 1) + (holds >> state & 1) - 1))
        return values

    def moves(self, plies=None):
        """The value of every move by its text; open positions after `plies` more marbles count as a draw."""
        plies = len(self.spaces) + self.placed if plies is None else plies
        ways = neighbours(0)
        if self.placed:
            return dict(zip(ways, self._values(list(ways.values()), plies - 1, 0, 0, 0), strict=True))
        found = {}
        for number, space in enumerate(self.spaces):
            name = "abcdef"[space // 6] + str(space % 6)
            if self.at_once and self.lines_now(0, 1 << number) & 1:
                found[name] = WIN
            else:
                values = self._values(list(ways.values()), plies - 1, 0, 1 << number, 1)
                found |= {f"{name} {way}": value for way, value in zip(ways, values, strict=True)}
        return found

    def value(self, plies=None):
        """The value for the player to act, by queries of this board alone."""
        if self.placed:
            return max(self.moves(plies).values())
        plies = len(self.spaces) if plies is None else min(plies, len(self.spaces))
        return WIN if self.query(1, True, plies) else DRAW if self.query(1, False, plies) else LOSS

    def turns(self):
        """The number of turns of a forced win, or None, by the least sufficient number of plies."""
        value = self.value()
        return next(n for n in range(1, 37) if self.value(n) == value) if value else None


def words_of(states):
    return [states >> 64 * word & (1 << 64) - 1 for word in range(WORDS)]


def number_of(words):
    return sum(int(word) << 64 * place for place, word in enumerate(words))

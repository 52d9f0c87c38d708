"""Models of board games, explored whole by the compiled engine, and the games' own rules, as columns of numbers.

A key is a number that tells a position at the beginning of a turn, or at the end of the game: each seat's stones, the
pairs that each has taken (one bit of ten, where that is counted), and whose turn it is or who has won. If the start is
the same, and from all that a model reaches its turns lead where the rules let them lead, both reach the same.
"""

from dataclasses import replace

import numpy as np
import pytest

from pentad.game import new as new_game
from pentad.grammar.compiled.constants import DEAD, KIND
from pentad.grammar.compiled.counting import run_compiled
from pentad.grammar.limits import Acceptor, Limits
from pentad.grammar.system import prepare
from pentad.kernels.parameters import record_of

ROOM = {"Space": "marble", "Point": "stone"}
PAIRS, STATUS, OVER = 10, 56, 8  # bits to count pairs; the first bit of the status; what says that the game is over
TURN_ENDS, CONDITIONS = ("nextTurn", "move"), ("bothWin",)
TURNS_AT_ONCE = 1 << 17


def key_of(size, stones, taken, status):
    """The key of a position, from numbers or from columns of numbers."""
    key = status << STATUS
    for seat, each in enumerate(stones):
        key = key | each << size * seat
    for seat, each in enumerate(taken):
        key = key | each << size * len(stones) + PAIRS * seat
    return key


class Reading:
    """Where in the words of a model's states the things stand that the rules know."""

    def __init__(self, compiled):
        start, world = compiled.system.grammar.start, compiled.system.world
        number = {name: node for node, name in world.names.items()}
        bit = {tuple(world.edges[edge]): i for i, edge in enumerate(compiled.layout.order)}

        def nodes(kind):
            return [number[node] for node in start.nodes if f"type:{kind}" in start.labels(node)]

        def field(*edges):
            """Where edges stand that are side by side: the first bit, and how many may come to be there."""
            places = [bit[edge] for edge in edges if edge in bit]
            assert places == list(range(places[0], places[0] + len(places)))
            return places[0], len(places)

        (game,), seats, counts = nodes("Game"), nodes("Player"), nodes("Count")
        ((spaces, label),) = ((nodes(kind), label) for kind, label in ROOM.items() if nodes(kind))
        self.size = len(spaces)
        self.stones = [field(*((seat, label, space) for space in spaces)) for seat in seats]
        self.turn = field(*((game, "currentPlayer", seat) for seat in seats))
        self.taken = [field(*((seat, "taken", count) for count in counts)) for seat in seats if counts]
        marks = [(seat, "flag:won", seat) for seat in seats]
        self.marks = field(*marks) if bit.keys() >= set(marks) else None

    def of(self, words, field):
        """What stands in a field, for each state, as whole numbers."""
        word, shift = divmod(field[0], 64)
        found = words[:, word] >> np.uint64(shift)
        if shift + field[1] > 64:
            found = found | words[:, word + 1] << np.uint64(64 - shift)
        return (found & np.uint64((1 << field[1]) - 1)).astype(np.int64)


def words_of(states, compiled):
    """The words of states, a row for each."""
    return np.asarray(states).reshape(-1, compiled.layout.width)


def arrays(record):
    """A record of the compiled engine as a kernel gets it: arrays with rows, and numbers of 64 bits."""
    made = []
    for (_, its), each in zip(record_of(type(record)).parts, record, strict=True):
        if isinstance(each, tuple):
            made.append(arrays(each))
        elif its.is_array:
            made.append(np.asarray(each, its.kind).reshape(-1, *its.row))
        else:
            made.append(np.dtype(its.kind).type(each))
    return type(record)(*made)


class Whole:
    """All that a model reaches."""

    def __init__(self, grammar):
        system = prepare(grammar)
        run = run_compiled(system, False, Limits(), Acceptor(None, system.names))
        run.run()
        assert not run.stopped
        self.reading = Reading(run.compiled)
        self.words = words_of(run.table.states, run.compiled)[: run.states]
        names = [label for label, _ in run.lts.labels]
        actions = np.frombuffer(run.lts.actions, np.uint16)
        sources, targets = (np.frombuffer(each, np.int32) for each in (run.lts.sources, run.lts.targets))
        steps = ~np.isin(actions, [i for i, label in enumerate(names) if label in CONDITIONS])
        actions, self.targets = actions[steps], targets[steps]
        self.leaving = np.bincount(sources[steps], minlength=run.states)
        self.first = np.cumsum(self.leaving) - self.leaving
        self.ends_turn = np.isin(actions, [i for i, label in enumerate(names) if label in TURN_ENDS])
        wins = np.isin(actions, [i for i, label in enumerate(names) if label.startswith("win")])
        self.won = np.zeros(run.states, bool)
        self.won[self.targets[wins]] = True
        control, lasts = arrays(run.compiled.grammar.control), np.flatnonzero(self.leaving == 0)
        drawn = lasts[self.keys(lasts) >> STATUS == OVER]
        halted = control.places[self.words[drawn, -1] >> control.place_shift, KIND] == DEAD
        assert run.final == np.count_nonzero(~halted)  # nowhere else nothing is left to do

    def keys(self, states):
        """What the rules know of states at the ends of turns."""
        read, words = self.reading, self.words[states]
        turn = read.of(words, read.turn)
        marks = np.where(self.won[states], turn, 0) if read.marks is None else read.of(words, read.marks)
        status = np.where((marks != 0) | (self.leaving[states] == 0), OVER | marks, turn)
        stones, taken = ([read.of(words, field) for field in fields] for fields in (read.stones, read.taken))
        return key_of(read.size, stones, taken, status)

    def beginnings(self):
        """The states in which a turn begins."""
        begins = np.zeros(len(self.words), bool)
        begins[0] = True
        begins[self.targets[self.ends_turn]] = True
        begins = np.flatnonzero(begins)
        return begins[self.keys(begins) >> STATUS < OVER]

    def turns(self, begins):
        """Where the turns that begin in states lead: the number of each beginning with the keys of its ends."""
        origins, states = np.arange(len(begins)), begins
        found = []
        while len(states):
            count = self.leaving[states]
            origins = np.repeat(origins, count)
            steps = np.repeat(self.first[states] - (np.cumsum(count) - count), count) + np.arange(count.sum())
            states = self.targets[steps]
            over = self.ends_turn[steps] | (self.leaving[states] == 0)
            found.append((origins[over], self.keys(states[over])))
            origins, states = origins[~over], states[~over]
        return once(*map(np.concatenate, zip(*found, strict=True)))


def once(origins, keys):
    """Rows of two numbers in order, each once."""
    order = np.lexsort((keys, origins))
    origins, keys = origins[order], keys[order]
    new = np.append(True, (np.diff(origins) != 0) | (np.diff(keys) != 0))
    return np.stack((origins[new], keys[new]))


# ── the rules, one position after the other ──────────────────────────────────────────────────────


class Rules:
    """A game's own rules, asked by keys."""

    def __init__(self, name, **options):
        self.start = new_game(name, **options)
        self.field = "stones" if name == "pente" else "marbles"
        self.size = len(self.start.board.stones if name == "pente" else self.start.board.places)
        self.counts = name == "pente" and self.start.rules.capture_win > 0

    def key(self, here):
        end = here.outcome
        taken = [1 << stones // 2 for stones in here.taken] if self.counts else []
        status = 1 << here.turn if end is None else OVER | sum(1 << seat for seat in end.winners)
        return key_of(self.size, getattr(here, self.field), taken, status)

    def position(self, key):
        def part(first, bits):
            return key >> first & ((1 << bits) - 1)

        players = self.start.players
        stones = tuple(part(self.size * seat, self.size) for seat in range(players))
        changed = {self.field: stones}
        if self.field == "stones":
            pairs = [part(self.size * players + PAIRS * seat, PAIRS) for seat in range(players) if self.counts]
            taken = tuple(2 * (each.bit_length() - 1) for each in pairs) or (0, 0)
            changed |= {"taken": taken, "ply": sum(map(int.bit_count, stones)) + sum(taken)}
        here = replace(self.start, **changed)
        assert self.key(here) == key
        return here

    def turns(self, keys):
        origins, ends = [], []
        for origin, key in enumerate(keys.tolist()):
            here = self.position(key)
            after = {self.key(here.play(move)) for move in here.legal_moves}
            origins += [origin] * len(after)
            ends += after
        return once(np.array(origins), np.array(ends, np.int64))


# ── the rules, for all positions at once ─────────────────────────────────────────────────────────


def rows_of(width, length):
    """All sets of so many points in a row on a square board, each in one direction, and as lists of points."""
    ways = [(0, 1), (1, 0), (1, 1), (1, -1)]
    rows = []
    for down, right in ways:
        for point in range(width * width):
            places = [(point // width + i * down, point % width + i * right) for i in range(length)]
            if all(0 <= place < width for each in places for place in each):
                rows.append([row * width + column for row, column in places])
    return rows


class Columns:
    """Rules written down once more, in few words, for columns of positions of two players on square boards."""

    def __init__(self, size, line):
        self.points = size * size
        self.lines = [sum(1 << point for point in row) for row in rows_of(size, line)]

    def has_line(self, stones):
        found = np.zeros(len(stones), bool)
        for line in self.lines:
            found |= stones & line == line
        return found

    def turns(self, keys):
        whole = (1 << self.points) - 1
        stones = np.stack((keys & whole, keys >> self.points & whole))
        mover = (keys >> STATUS == 2).astype(np.int64)
        mine, theirs = np.where(mover, stones[::-1], stones)
        found = []
        for point in range(self.points):
            free = np.flatnonzero((mine | theirs) >> point & 1 == 0)
            placed = mine[free] | 1 << point
            for chosen, after in self.ends(keys[free], mover[free], placed, theirs[free], point):
                found.append((free[chosen], after))
        return once(*map(np.concatenate, zip(*found, strict=True)))

    def key(self, mover, mine, theirs, status, taken=()):
        return key_of(self.points, np.where(mover, (theirs, mine), (mine, theirs)), taken, status)


class LinesColumns(Columns):
    def ends(self, keys, mover, mine, theirs, point):
        won, blocked = self.has_line(mine), np.ones(len(mine), bool)
        for line in self.lines:
            blocked &= (mine & line != 0) & (theirs & line != 0)
        status = np.where(won, OVER | 1 << mover, np.where(blocked, OVER, 2 >> mover))
        return [(slice(None), self.key(mover, mine, theirs, status))]


class PenteColumns(Columns):
    def __init__(self, size, line, capture_win):
        super().__init__(size, line)
        self.enough = (capture_win + 1) // 2
        fours = rows_of(size, 4)
        fours += [four[::-1] for four in fours]
        self.fours = [(four[0], 1 << four[1] | 1 << four[2], 1 << four[3]) for four in fours]

    def ends(self, keys, mover, mine, theirs, point):
        taken = [keys >> 2 * self.points + PAIRS * seat & (1 << PAIRS) - 1 for seat in range(2)]
        own, lost = np.where(mover, taken[1], taken[0]), np.zeros_like(theirs)
        for here, pair, end in self.fours:
            if here == point:
                takes = (theirs & pair == pair) & (mine & end != 0)
                own, lost = own << takes, lost | np.where(takes, pair, 0)
        theirs = theirs & ~lost
        won = self.has_line(mine) | (own >= 1 << self.enough)
        full = mine | theirs == (1 << self.points) - 1
        status = np.where(won, OVER | 1 << mover, np.where(full, OVER, 2 >> mover))
        taken = np.where(mover, (taken[0], own), (own, taken[1]))
        return [(slice(None), self.key(mover, mine, theirs, status, taken))]


class PentagoColumns(Columns):
    """Four sub-boards of four spaces."""

    def __init__(self, line):
        super().__init__(4, line)
        corners = [row * 4 + column for row in (0, 2) for column in (0, 2)]
        rings = [[corner, corner + 1, corner + 5, corner + 4] for corner in corners]
        self.twists = [ring[::way] for ring in rings for way in (1, -1)]

    def twisted(self, stones, ring):
        after = stones & ~sum(1 << space for space in ring)
        for here, there in zip(ring, ring[1:] + ring[:1], strict=True):
            after |= (stones >> here & 1) << there
        return after

    def ends(self, keys, mover, mine, theirs, point):
        won = self.has_line(mine)
        yield won, self.key(mover[won], mine[won], theirs[won], OVER | 1 << mover[won])
        mover, mine, theirs = mover[~won], mine[~won], theirs[~won]
        full = mine | theirs == (1 << self.points) - 1
        for ring in self.twists:
            both = [self.twisted(stones, ring) for stones in (mine, theirs)]
            winners = (self.has_line(both[0]) << mover) | (self.has_line(both[1]) << 1 - mover)
            status = np.where((winners != 0) | full, OVER | winners, 2 >> mover)
            yield ~won, self.key(mover, *both, status)


def same_turns(whole, begins, rules):
    """Compare all that the turns from some states lead to; the number of the ends."""
    count = 0
    for at in range(0, len(begins), TURNS_AT_ONCE):
        some = begins[at : at + TURNS_AT_ONCE]
        keys = whole.keys(some)
        by_model, by_rules = whole.turns(some), rules.turns(keys)
        if not np.array_equal(by_model, by_rules):
            wrong = {*zip(*by_model.tolist(), strict=True)} ^ {*zip(*by_rules.tolist(), strict=True)}
            origin = min(wrong)[0]
            pytest.fail(f"from {keys[origin]:x}: {[f'{key:x}' for start, key in wrong if start == origin]}")
        count += by_model.shape[1]
    return count

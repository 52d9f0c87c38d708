"""Pentago's values by exhaustive search: written from the rules page, for nearly full boards.

A board is two sets of spaces, the mover's and the other's, as numbers with bits in reading order. Nothing here is
shared with the package, not even where a quarter turn leads.
"""

FAR = 1000  # more turns than any game has


class Naive:
    """A board's shape, with a cache of values of boards of this shape."""

    def __init__(self, rows=2, cols=2, block=3, line=5, win_on_placement=True):
        self.rows, self.cols, self.block = rows, cols, block
        self.height, self.width = rows * block, cols * block
        self.win_on_placement = win_on_placement
        self.full = 2 ** (self.height * self.width) - 1
        self.lines = list(self.all_lines(line))
        self.sub_boards = [self.sub_board(number) for number in range(rows * cols)]
        self.known, self.with_line, self.turned = {}, {}, {}

    # the board

    def bit(self, row, column):
        return 2 ** (row * self.width + column)

    def all_lines(self, length):
        for row in range(self.height):
            for column in range(self.width):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    spaces = [(row + step * down, column + step * right) for step in range(length)]
                    if all(y < self.height and 0 <= x < self.width for y, x in spaces):
                        yield sum(self.bit(y, x) for y, x in spaces)

    def sub_board(self, number):
        """The spaces of a sub-board as a square."""
        top, left = number // self.cols * self.block, number % self.cols * self.block
        return [[self.bit(top + y, left + x) for x in range(self.block)] for y in range(self.block)]

    def has_line(self, marbles):
        found = self.with_line.get(marbles)
        if found is None:
            found = self.with_line[marbles] = any(marbles & line == line for line in self.lines)
        return found

    def twist(self, marbles, number, direction):
        """The marbles after a sub-board (counted from 0) is turned: its rows, read downwards, become columns."""
        square = self.sub_boards[number]
        inside = sum(map(sum, square))
        key = marbles & inside, number, direction
        if key not in self.turned:
            after = list(zip(*square[::-1], strict=True)) if direction == "C" else list(zip(*square, strict=True))[::-1]
            # `after` has the origin of each space's marble
            pairs = zip([to for row in square for to in row], [came for row in after for came in row], strict=True)
            self.turned[key] = sum(to for to, came in pairs if marbles & came)
        return marbles & ~inside | self.turned[key]

    @property
    def twists(self):
        return [(number, direction) for number in range(self.rows * self.cols) for direction in "CA"]

    # scores: above 0 if the mover wins, higher for faster wins; below 0 if the mover loses

    def score(self, mine, theirs):
        """The score of an unfinished board before a placement."""
        if (mine, theirs) not in self.known:
            self.known[mine, theirs] = max(self.turns(mine, theirs).values())
        return self.known[mine, theirs]

    def turns(self, mine, theirs):
        """The score of every turn: `(space, None)` if the placement wins, else `(space, twist)`."""
        found = {}
        for space in range(self.full.bit_length()):
            if not (mine | theirs) >> space & 1:
                after = mine | 1 << space
                if self.win_on_placement and self.has_line(after):
                    found[space, None] = FAR - 1
                else:
                    found |= {(space, twist): score for twist, score in self.rotations(after, theirs).items()}
        return found

    def rotations(self, mine, theirs):
        """The score of every rotation after a placement that has not won."""
        found = {}
        for twist in self.twists:
            me, him = self.twist(mine, *twist), self.twist(theirs, *twist)
            won, lost = self.has_line(me), self.has_line(him)
            if won or lost or me | him == self.full:
                found[twist] = (won - lost) * (FAR - 1)
            else:
                later = self.score(him, me)
                found[twist] = 1 - later if later > 0 else -1 - later if later < 0 else 0
        return found


def value_of(score):
    """1, 0 or -1."""
    return (score > 0) - (score < 0)


def turns_of(score):
    """The number of turns to the end, if there is a winner."""
    return FAR - abs(score) if score else None


# ── positions of the package ─────────────────────────────────────────────────────────────────────

_boards = {}


def naive_of(position):
    """The cached naive solver for positions of this shape."""
    given = position.options
    assert given["players"] == 2
    shape = tuple(given[name] for name in ("rows", "cols", "block", "line", "win_on_placement"))
    if shape not in _boards or len(_boards[shape].known) > 400_000:
        _boards[shape] = Naive(*shape)
    return _boards[shape]


def scores(position):
    """The score of every move of an unfinished position, by the move's text."""
    naive = naive_of(position)
    mine, theirs = position.marbles if position.turn == 0 else position.marbles[::-1]
    found = naive.rotations(mine, theirs) if position.placed else naive.turns(mine, theirs)
    return {_text(naive, position.placed, key): score for key, score in found.items()}


def _text(naive, placed, key):
    place, twist = (None, key) if placed else key
    words = [] if place is None else ["abcdefghijklmnopqrstuvwxyz"[place // naive.width] + str(place % naive.width)]
    if twist is not None:
        words.append(f"{twist[0] + 1}{twist[1]}")
    return " ".join(words)

"""What the stones in a row promise: patterns with values that double, and what has been taken.

A pattern is looked for along every row, column and diagonal, for each colour, seen as own stones `x`, the
other's `o`, empty points `.` and the edge `#`:

- `line` points without an enemy that lack so many stones of a line: `xxx..`, `.xx.x`, …;
- one point more, with both ends empty: `.xxxx.`, `.xxx..`, …, which can grow either way;
- a group that can be taken: `xoo.`, where the rules take groups of two.

Each is worth a power of two, and what is inside a pattern counts too: `.xxxx.` holds `.xxxx` and `xxxx.`.
A pattern has one value for the colour that moves next and another for the one that waits. What has been taken
has a value that rises towards the win.

A stone that comes or goes changes the patterns that it touches and no others; `Evaluation` looks at nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple, TypeVar

from pentad.pente.board import AXES, Board, points_of
from pentad.pente.rules import PentePosition
from pentad.pente.rulesets import RuleSet

OWN, OTHER, EMPTY, EDGE = "x", "o", ".", "#"
LINE = 30  # the exponent of a whole line, and of enough stones taken: more than all else on the board
FEW, MANY = 20_000, 100_000  # how many answers are remembered at most

Key = TypeVar("Key")
Answer = TypeVar("Answer")
Pair = tuple[int, int]  # one for each colour
Gains = tuple[int, ...]  # what a stone at each point of a row gains


class Worth(NamedTuple):
    """The exponents of the values, by how many stones a pattern lacks: one, two, …; the last stands for more."""

    closed: tuple[int, ...]
    open: tuple[int, ...]
    threat: int  # a group that can be taken


class Values(NamedTuple):
    """Every value there is, as its exponent."""

    moving: Worth = Worth(closed=(13, 7, 4, 1), open=(13, 9, 5, 2), threat=8)
    waiting: Worth = Worth(closed=(9, 6, 3, 1), open=(12, 7, 4, 2), threat=6)
    taken: tuple[int, ...] = (12, 10, 8, 7, 6)  # by how many groups are still to be taken: one, two, …


VALUES = Values()


class Memo(dict[Key, Answer]):
    """Answers that are remembered, but never too many."""

    def __init__(self, answer: Callable[[Key], Answer], most: int) -> None:
        super().__init__()
        self.answer, self.most = answer, most

    def __missing__(self, key: Key) -> Answer:
        if len(self) >= self.most:
            self.clear()
        found = self[key] = self.answer(key)
        return found


# ── patterns ─────────────────────────────────────────────────────────────────────────────────────

Promise = tuple[int, int]  # what a row is worth to a colour that moves, and to one that waits

# A row as a number: two bits a point, and the edge beyond both its ends.
STONES, BEYOND = (1, 2), 3
SEEN_BY = (EMPTY + OWN + OTHER + EDGE, EMPTY + OTHER + OWN + EDGE)


class Patterns:
    """The patterns of a rule set, and what they are worth."""

    def __init__(self, rules: RuleSet, values: Values = VALUES) -> None:
        self.line, self.overline, self.groups = rules.line, rules.overline, tuple(rules.groups)
        self.capture_win = rules.capture_win
        self.values = values
        self.longest = max(self.line, *(group + 1 for group in self.groups), 0)
        self.reach = self.longest + 1  # how far a stone may matter to a pattern, or to what bounds it
        self.width = 2 * self.reach + 1
        self.around = (1 << 2 * self.width) - 1
        self._promises: Memo[str, Promise] = Memo(self._promise_of_one, MANY)
        self._changes: Memo[int, tuple[Pair, Pair]] = Memo(self._change, MANY)
        self.gains: Memo[int, tuple[Gains, Gains]] = Memo(self._gains, FEW)

    def promise(self, row: str) -> Promise:
        """What a row, its edges included, is worth to `x`: the sum of its patterns."""
        found = [self._promises[row[start : start + self.longest + 2]] for start in range(len(row))]
        return sum(moving for moving, _ in found), sum(waiting for _, waiting in found)

    def _promise_of_one(self, text: str) -> Promise:
        """The value of the patterns that begin at the second point of a text, whose ends bound them."""
        moving, waiting = (self._value(text, worth) for worth in (self.values.moving, self.values.waiting))
        return moving, waiting

    def _value(self, text: str, worth: Worth) -> int:
        line, value = self.line, 0
        window, beyond = text[1 : 1 + line], text[0] + text[1 + line : 2 + line]
        is_whole = len(beyond) == 2 and not {OTHER, EDGE} & set(window)
        if is_whole and OWN in window and (self.overline or OWN not in beyond):
            lacking = line - window.count(OWN)
            value += _power(worth.closed, lacking) if lacking else 1 << LINE
            if lacking and window[0] == EMPTY == beyond[1]:
                value += _power(worth.open, lacking)
        for group in self.groups:
            if text[1 : 3 + group] in (OWN + OTHER * group + EMPTY, EMPTY + OTHER * group + OWN):
                value += 1 << worth.threat
        return value

    def taken_value(self, taken: int) -> int:
        """What it is worth to have taken so many stones."""
        if not taken or not self.groups:
            return 0
        if not self.capture_win:
            return taken << self.values.waiting.threat
        left = self.capture_win - taken
        return _power(self.values.taken, -(-left // self.groups[-1])) if left > 0 else 1 << LINE

    # ── what a stone changes ──

    def change(self, code: int, index: int, colour: int) -> Pair:
        """What a stone of a colour at an empty point of a row adds to the balance of each colour."""
        return self._changes[code >> 2 * index & self.around][colour]

    def _change(self, around: int) -> tuple[Pair, Pair]:
        before = self._balances(around)
        after = (self._balances(around | stone << 2 * self.reach) for stone in STONES)
        white, black = ((new[0] - before[0], new[1] - before[1]) for new in after)
        return white, black

    def _balances(self, code: int) -> Pair:
        """For each colour, what a row promises to it while the other moves, less what it promises to the other."""
        white, black = (self.promise(text) for text in _texts(code, self.width))
        return white[1] - black[0], black[1] - white[0]

    def _gains(self, code: int) -> tuple[Gains, Gains]:
        """For each colour, what a stone of it at each point of a row gains for it; 0 where a stone stands."""
        length = code.bit_length() // 2 - 2 * self.reach
        found: tuple[list[int], list[int]] = ([], [])
        for index in range(length):
            is_empty = not code >> 2 * (self.reach + index) & 3
            around = code >> 2 * index & self.around
            for colour, gains in enumerate(found):
                gains.append(self._changes[around][colour][colour] if is_empty else 0)
        return tuple(found[0]), tuple(found[1])

    def empty_row(self, length: int) -> int:
        """The number of an empty row, with the edge around it."""
        edge = sum(BEYOND << 2 * i for i in range(self.reach))
        return edge | edge << 2 * (self.reach + length)


def _texts(code: int, width: int) -> tuple[str, str]:
    """A row as each colour sees it."""
    points = [code >> 2 * i & 3 for i in range(width)]
    white, black = ("".join(map(marks.__getitem__, points)) for marks in SEEN_BY)
    return white, black


def _power(exponents: tuple[int, ...], lacking: int) -> int:
    return 1 << exponents[min(lacking, len(exponents)) - 1]


@lru_cache(maxsize=16)
def patterns_of(rules: RuleSet, values: Values = VALUES) -> Patterns:
    """The patterns of a rule set, with what is remembered of them."""
    return Patterns(rules, values)


# ── the rows of a board ──────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=64)
def rows(board: Board) -> tuple[tuple[int, ...], ...]:
    """Every row, column and diagonal as its points."""
    found = []
    for right, up in AXES:
        for column, row in board.stones:
            if not board.on_board(column - right, row - up):
                steps = range(board.size)
                along = [(column + i * right, row + i * up) for i in steps]
                found.append(tuple(board.point(*place) for place in along if board.on_board(*place)))
    return tuple(found)


@lru_cache(maxsize=64)
def rows_through(board: Board) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each point the four rows through it, by number, and where in each it stands."""
    through: list[list[tuple[int, int]]] = [[] for _ in board.stones]
    for number, points in enumerate(rows(board)):
        for index, point in enumerate(points):
            through[point].append((number, index))
    return tuple(map(tuple, through))


def balance(position: PentePosition, values: Values = VALUES) -> Pair:
    """What a position is worth to each colour while the other moves, from nothing: each row read as a text."""
    patterns = patterns_of(position.rules, values)
    taken = [patterns.taken_value(count) for count in position.taken]
    found = [taken[0] - taken[1], taken[1] - taken[0]]
    for points in rows(position.board):
        bits = [1 << point for point in points]
        marks = [
            "".join(OWN if mine & bit else OTHER if theirs & bit else EMPTY for bit in bits)
            for mine, theirs in (position.stones, position.stones[::-1])
        ]
        promises = [patterns.promise(EDGE + text + EDGE) for text in marks]
        for colour in (0, 1):
            found[colour] += promises[colour][1] - promises[1 - colour][0]
    return found[0], found[1]


class Evaluation:
    """The balances of a position that changes stone by stone, and what each next stone would gain.

    `gains[colour][row][index]` is what a stone of a colour gains along one row; the sum over a point's four rows
    is what it gains at that point, as long as it takes nothing.
    """

    def __init__(self, position: PentePosition, values: Values = VALUES) -> None:
        self.patterns = patterns_of(position.rules, values)
        self.through = rows_through(position.board)
        self.balances = [0, 0]
        self.codes = [self.patterns.empty_row(len(points)) for points in rows(position.board)]
        self.gains: tuple[list[Gains], list[Gains]] = ([()] * len(self.codes), [()] * len(self.codes))
        self._journal: list[tuple[list[int], list[tuple[int, int, Gains, Gains]]]] = []
        self._put(position.stones)
        self._count_taken((0, 0), position.taken)
        self._look_at(range(len(self.codes)))

    def follow(self, before: PentePosition, after: PentePosition) -> None:
        """Go from one position to another; only the rows that change are looked at."""
        (white, black), (new_white, new_black) = before.stones, after.stones
        touched = {row for point in points_of(white ^ new_white | black ^ new_black) for row, _ in self.through[point]}
        was = [(row, self.codes[row], self.gains[0][row], self.gains[1][row]) for row in touched]
        self._journal.append((self.balances[:], was))
        self._lift((white & ~new_white, black & ~new_black))
        self._put((new_white & ~white, new_black & ~black))
        self._count_taken(before.taken, after.taken)
        self._look_at(touched)

    def back(self) -> None:
        """Undo the last `follow`."""
        self.balances, was = self._journal.pop()
        for row, code, white, black in was:
            self.codes[row], self.gains[0][row], self.gains[1][row] = code, white, black

    def _put(self, stones: Pair) -> None:
        for colour in (0, 1):
            for point in points_of(stones[colour]):
                for row, index in self.through[point]:
                    self._add(self.patterns.change(self.codes[row], index, colour), 1)
                    self.codes[row] |= STONES[colour] << 2 * (index + self.patterns.reach)

    def _lift(self, stones: Pair) -> None:
        for colour in (0, 1):
            for point in points_of(stones[colour]):
                for row, index in self.through[point]:
                    self.codes[row] ^= STONES[colour] << 2 * (index + self.patterns.reach)
                    self._add(self.patterns.change(self.codes[row], index, colour), -1)

    def _count_taken(self, before: Pair, after: Pair) -> None:
        if before != after:
            now, then = ([self.patterns.taken_value(count) for count in taken] for taken in (after, before))
            more = now[0] - then[0] - now[1] + then[1]
            self._add((more, -more), 1)

    def _add(self, change: Pair, sign: int) -> None:
        self.balances[0] += sign * change[0]
        self.balances[1] += sign * change[1]

    def _look_at(self, touched: Iterable[int]) -> None:
        for row in touched:
            self.gains[0][row], self.gains[1][row] = self.patterns.gains[self.codes[row]]

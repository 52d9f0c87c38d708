"""What the stones in a row promise: patterns with values that double, and what has been taken.

A pattern is looked for along every row, column and diagonal, for each colour, seen as own stones `x`, the
other's `o`, empty points `.` and the edge `#`:

- `line` points without an enemy that lack so many stones of a line: `xxx..`, `.xx.x`, …;
- one point more, with both ends empty: `.xxxx.`, `.xxx..`, …, which can grow either way;
- a threat, a group that can be taken: `xoo.`, where the rules take groups of two.

Each is worth a power of two, and what is inside a pattern counts too: `.xxxx.` holds `.xxxx` and `xxxx.`.
A pattern that lacks one stone, and a threat, are worth more to the colour that moves next than to the one that waits.
What has been taken has a value too; it and the threats' rise towards the win.

A stone that comes or goes changes the rows through it; `Evaluation` looks at no others.
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
FEW, MANY = 10_000, 50_000  # how many answers are remembered at most

Key = TypeVar("Key")
Answer = TypeVar("Answer")
Pair = tuple[int, int]  # one for each colour
Gains = tuple[int, ...]  # what a stone at each point of a row gains


class Worth(NamedTuple):
    """The exponents of the values; the last of each stands for whatever is farther away."""

    closed: tuple[int, ...]  # by how many stones the pattern lacks: one, two, …
    open: tuple[int, ...]
    threat: tuple[int, ...]  # by how many groups are needed to win: one, two, …


class Values(NamedTuple):
    """Every value there is, as its exponent."""

    moving: Worth = Worth(closed=(13, 7, 4, 1), open=(13, 8, 5, 2), threat=(13, 10, 9, 8))
    waiting: Worth = Worth(closed=(10, 7, 4, 1), open=(12, 8, 5, 2), threat=(9, 8, 7, 6))
    taken: tuple[int, ...] = (12, 10, 8, 7, 6)  # what has been taken, by how many groups are needed to win


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


class Promise(NamedTuple):
    """What a row holds for a colour: the value of its patterns when it moves and when it waits, and its threats."""

    moving: int
    waiting: int
    threats: int

    def less(self, other: Promise) -> Promise:
        return Promise(self.moving - other.moving, self.waiting - other.waiting, self.threats - other.threats)


class Row(NamedTuple):
    """What a row adds to the balance of each colour, and what a stone of each at each of its points gains."""

    balances: Pair
    gains: tuple[Gains, Gains]


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
        self.rows: Memo[tuple[int, Pair], Row] = Memo(self._row, FEW)
        self._promises: Memo[str, Promise] = Memo(self._promise_of_one, MANY)
        self._changes: Memo[int, tuple[tuple[Promise, Promise], ...]] = Memo(self._change, MANY)

    def promise(self, text: str) -> Promise:
        """What a row, its edges included, holds for `x`: the sum of its patterns."""
        found = [self._promises[text[start : start + self.longest + 2]] for start in range(len(text))]
        return Promise(*map(sum, zip(*found, strict=True)))

    def _promise_of_one(self, text: str) -> Promise:
        """The patterns that begin at the second point of a text, whose ends bound them."""
        threats = sum(
            text[1 : 3 + group] in (OWN + OTHER * group + EMPTY, EMPTY + OTHER * group + OWN) for group in self.groups
        )
        return Promise(self._value(text, self.values.moving), self._value(text, self.values.waiting), threats)

    def _value(self, text: str, worth: Worth) -> int:
        window, beyond = text[1 : 1 + self.line], text[0] + text[1 + self.line : 2 + self.line]
        if len(beyond) < 2 or OTHER in window or EDGE in window or OWN not in window:
            return 0
        if OWN in beyond and not self.overline:
            return 0
        lacking = self.line - window.count(OWN)
        if not lacking:
            return 1 << LINE
        can_grow = window[0] == EMPTY == beyond[1]
        return _power(worth.closed, lacking) + can_grow * _power(worth.open, lacking)

    # ── captures ──

    def needed(self, taken: int) -> int:
        """How many groups are still needed to win; as many as make no difference where none are enough."""
        if not self.capture_win:
            return len(self.values.taken)
        return max(0, -(-(self.capture_win - taken) // self.groups[-1]))

    def taken_value(self, taken: int) -> int:
        """What it is worth to have taken so many stones."""
        if not taken:
            return 0
        if not self.capture_win:
            return taken * _power(self.values.taken, len(self.values.taken))
        return _power(self.values.taken, self.needed(taken)) if self.needed(taken) else 1 << LINE

    def balances(self, promises: tuple[Promise, Promise], needed: Pair) -> Pair:
        """For each colour, what is promised to it while the other moves, less what is promised to the other."""
        moving, waiting = self.values.moving.threat, self.values.waiting.threat
        moves = [p.moving + p.threats * _power(moving, n) for p, n in zip(promises, needed, strict=True)]
        waits = [p.waiting + p.threats * _power(waiting, n) for p, n in zip(promises, needed, strict=True)]
        return waits[0] - moves[1], waits[1] - moves[0]

    # ── rows as numbers ──

    def empty_row(self, length: int) -> int:
        """The number of an empty row, with the edge around it."""
        edge = sum(BEYOND << 2 * i for i in range(self.reach))
        return edge | edge << 2 * (self.reach + length)

    def _row(self, key: tuple[int, Pair]) -> Row:
        """What there is to know of a row, when so many groups are needed."""
        code, needed = key
        width = code.bit_length() // 2
        gains: tuple[list[int], list[int]] = ([], [])
        for index in range(width - 2 * self.reach):
            around = code >> 2 * index & (1 << 4 * self.reach + 2) - 1
            is_empty = not around >> 2 * self.reach & 3
            for colour in (0, 1):
                change = self._changes[around][colour] if is_empty else None
                gains[colour].append(self.balances(change, needed)[colour] if change else 0)
        return Row(self.balances(self._seen(code, width), needed), (tuple(gains[0]), tuple(gains[1])))

    def _change(self, around: int) -> tuple[tuple[Promise, Promise], ...]:
        """What a stone of each colour in the middle of a row changes for each colour."""
        width = 2 * self.reach + 1
        white, black = self._seen(around, width)
        after = (self._seen(around | stone << 2 * self.reach, width) for stone in STONES)
        return tuple((new_white.less(white), new_black.less(black)) for new_white, new_black in after)

    def _seen(self, code: int, width: int) -> tuple[Promise, Promise]:
        """What a row holds for each colour."""
        points = [code >> 2 * i & 3 for i in range(width)]
        white, black = (self.promise("".join(map(marks.__getitem__, points))) for marks in SEEN_BY)
        return white, black


def _power(exponents: tuple[int, ...], distance: int) -> int:
    """Two to the exponent for a distance; the last one stands for all that is farther, or over."""
    return 1 << exponents[distance - 1 if 0 < distance < len(exponents) else -1]


@lru_cache(maxsize=4)
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
    needed = (patterns.needed(position.taken[0]), patterns.needed(position.taken[1]))
    more = patterns.taken_value(position.taken[0]) - patterns.taken_value(position.taken[1])
    found = [more, -more]
    for points in rows(position.board):
        bits = [1 << point for point in points]
        white, black = (
            "".join(OWN if mine & bit else OTHER if theirs & bit else EMPTY for bit in bits)
            for mine, theirs in (position.stones, position.stones[::-1])
        )
        promises = patterns.promise(EDGE + white + EDGE), patterns.promise(EDGE + black + EDGE)
        for colour, worth in enumerate(patterns.balances(promises, needed)):
            found[colour] += worth
    return found[0], found[1]


class Evaluation:
    """The balances of a position that changes move by move, and what each next stone would gain.

    `gains[colour][row][index]` is what a stone of a colour gains along one row; the sum over a point's four rows
    is what it gains at that point, as long as it takes nothing.
    """

    def __init__(self, position: PentePosition, values: Values = VALUES) -> None:
        self.patterns = patterns_of(position.rules, values)
        self.through = rows_through(position.board)
        self.codes = [self.patterns.empty_row(len(points)) for points in rows(position.board)]
        self.worth: list[Pair] = [(0, 0)] * len(self.codes)  # of each row
        self.gains: tuple[list[Gains], list[Gains]] = ([()] * len(self.codes), [()] * len(self.codes))
        self.balances = [0, 0]
        self._journal: list[tuple[list[int], list[tuple[int, int, Pair, Gains, Gains]]]] = []
        self._turn_over(position.stones)
        self._look_at(range(len(self.codes)), position.taken)
        self._count_taken((0, 0), position.taken)

    def follow(self, before: PentePosition, after: PentePosition) -> None:
        """Go from one position to another. Only rows that change are looked at, and all when something is taken."""
        changed = before.stones[0] ^ after.stones[0], before.stones[1] ^ after.stones[1]
        touched: Iterable[int] = range(len(self.codes))
        if before.taken == after.taken:
            touched = {row for point in points_of(changed[0] | changed[1]) for row, _ in self.through[point]}
        was = [(row, self.codes[row], self.worth[row], self.gains[0][row], self.gains[1][row]) for row in touched]
        self._journal.append((self.balances[:], was))
        self._turn_over(changed)
        self._look_at(touched, after.taken)
        self._count_taken(before.taken, after.taken)

    def back(self) -> None:
        """Undo the last `follow`."""
        self.balances, was = self._journal.pop()
        for row, code, worth, white, black in was:
            self.codes[row], self.worth[row], self.gains[0][row], self.gains[1][row] = code, worth, white, black

    def _turn_over(self, stones: Pair) -> None:
        """Put these stones where they are not, and lift them where they are."""
        for colour in (0, 1):
            for point in points_of(stones[colour]):
                for row, index in self.through[point]:
                    self.codes[row] ^= STONES[colour] << 2 * (index + self.patterns.reach)

    def _look_at(self, touched: Iterable[int], taken: Pair) -> None:
        needed, rows = (self.patterns.needed(taken[0]), self.patterns.needed(taken[1])), self.patterns.rows
        for row in touched:
            was, ((white, black), gains) = self.worth[row], rows[self.codes[row], needed]
            self.balances[0] += white - was[0]
            self.balances[1] += black - was[1]
            self.worth[row] = white, black
            self.gains[0][row], self.gains[1][row] = gains

    def _count_taken(self, before: Pair, after: Pair) -> None:
        if before != after:
            worth = self.patterns.taken_value
            more = worth(after[0]) - worth(before[0]) - worth(after[1]) + worth(before[1])
            self.balances[0] += more
            self.balances[1] -= more

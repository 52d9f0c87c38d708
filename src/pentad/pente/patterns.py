"""Pattern evaluation of Pente positions: lines in progress, capture threats and captures.

Patterns are matched along every row, column and diagonal for each colour, with own stones as `x`, the opponent's as
`o`, empty points as `.` and the edge as `#`:

- `line` points without an opposing stone, by the number of stones missing to a line: `xxx..`, `.xx.x`, …;
- the same with one more point and both ends empty: `.xxxx.`, `.xxx..`, …, which can grow either way;
- a capture threat, a group that can be captured: `xoo.`, if the rules capture pairs.

The value of each is a power of two, and patterns within a pattern count too: `.xxxx.` holds `.xxxx` and `xxxx.`.
A pattern with one stone missing, and a capture threat, have a higher value for the colour to move than for the other.
Captures have a value too; theirs and that of the threats increase towards the win.

A move changes only the rows through its stones; `Evaluation` updates only those.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from pentad.pente.board import AXES, Board, points_of
from pentad.pente.rules import PentePosition
from pentad.pente.rulesets import RuleSet

OWN, OTHER, EMPTY, EDGE = "x", "o", ".", "#"
LINE = 30  # the exponent of a complete line and of a win by captures: more than all else on the board
FEW_ENTRIES, MANY_ENTRIES = 10_000, 50_000  # limits of the caches

Pair = tuple[int, int]  # one for each colour
Gains = tuple[int, ...]  # the gain of a stone at each point of a row


class Exponents(NamedTuple):
    """The exponents of the values; the last of each holds for all greater distances."""

    closed: tuple[int, ...]  # by the number of stones missing: one, two, …
    open: tuple[int, ...]
    threat: tuple[int, ...]  # by the number of groups needed to win: one, two, …


class Values(NamedTuple):
    """All values, as exponents."""

    moving: Exponents = Exponents(closed=(13, 7, 4, 1), open=(13, 8, 5, 2), threat=(13, 10, 9, 8))
    waiting: Exponents = Exponents(closed=(10, 7, 4, 1), open=(12, 8, 5, 2), threat=(9, 8, 7, 6))
    taken: tuple[int, ...] = (12, 10, 8, 7, 6)  # captures, by the number of groups needed to win


VALUES = Values()


# ── patterns ─────────────────────────────────────────────────────────────────────────────────────


class RowScore(NamedTuple):
    """The score of a row for a colour: the values of its patterns to move and not to move, and its capture threats."""

    moving: int
    waiting: int
    threats: int

    def minus(self, other: RowScore) -> RowScore:
        return RowScore(self.moving - other.moving, self.waiting - other.waiting, self.threats - other.threats)


ColourScores = tuple[RowScore, RowScore]


class Row(NamedTuple):
    """A row's share in the balance of each colour, and the gain of a stone of each colour at each of its points."""

    balances: Pair
    gains: tuple[Gains, Gains]


# A row as a number: two bits for each point, and the edge beyond both ends.
STONES, BEYOND = (1, 2), 3
SEEN_BY = (EMPTY + OWN + OTHER + EDGE, EMPTY + OTHER + OWN + EDGE)


class Patterns:
    """The patterns of a rule set and their values."""

    def __init__(self, rules: RuleSet) -> None:
        self.line, self.overline, self.groups = rules.line, rules.overline, tuple(rules.groups)
        self.capture_win = rules.capture_win
        self.longest = max(self.line, *(group + 1 for group in self.groups), 0)
        self.reach = self.longest + 1  # the distance at which a stone may affect a pattern or its bounds
        self.row = lru_cache(maxsize=FEW_ENTRIES)(self._row)
        self.window_score = lru_cache(maxsize=MANY_ENTRIES)(self._window_score)
        self.change = lru_cache(maxsize=MANY_ENTRIES)(self._change)

    def row_score(self, text: str) -> RowScore:
        """The score of a row, with its edges, for `x`: the sum of its patterns."""
        found = [self.window_score(text[start : start + self.longest + 2]) for start in range(len(text))]
        return RowScore(*map(sum, zip(*found, strict=True)))

    def _window_score(self, text: str) -> RowScore:
        """The score of the patterns that begin at the second point of a text; the first point bounds them."""
        threats = sum(
            text[1 : 3 + group] in (OWN + OTHER * group + EMPTY, EMPTY + OTHER * group + OWN) for group in self.groups
        )
        return RowScore(self._value(text, VALUES.moving), self._value(text, VALUES.waiting), threats)

    def _value(self, text: str, exponents: Exponents) -> int:
        window, beyond = text[1 : 1 + self.line], text[0] + text[1 + self.line : 2 + self.line]
        if len(beyond) < 2 or OTHER in window or EDGE in window or OWN not in window:
            return 0
        if OWN in beyond and not self.overline:
            return 0
        lacking = self.line - window.count(OWN)
        if not lacking:
            return 1 << LINE
        can_grow = window[0] == EMPTY == beyond[1]
        return _power(exponents.closed, lacking) + can_grow * _power(exponents.open, lacking)

    # ── captures ──

    def needed(self, taken: int) -> int:
        """The number of groups still needed to win; the largest distance if captures do not win."""
        if not self.capture_win:
            return len(VALUES.taken)
        return max(0, -(-(self.capture_win - taken) // self.groups[-1]))

    def captures_value(self, taken: int) -> int:
        """The value of a number of captured stones."""
        if not taken:
            return 0
        if not self.capture_win:
            return taken * _power(VALUES.taken, len(VALUES.taken))
        return _power(VALUES.taken, self.needed(taken)) if self.needed(taken) else 1 << LINE

    def balances(self, scores: ColourScores, needed: Pair) -> Pair:
        """For each colour, its score while the opponent is to move, less the opponent's score."""
        moving, waiting = VALUES.moving.threat, VALUES.waiting.threat
        moves = [score.moving + score.threats * _power(moving, n) for score, n in zip(scores, needed, strict=True)]
        waits = [score.waiting + score.threats * _power(waiting, n) for score, n in zip(scores, needed, strict=True)]
        return waits[0] - moves[1], waits[1] - moves[0]

    # ── rows as numbers ──

    def empty_row(self, length: int) -> int:
        """The number of an empty row, with the edge around it."""
        edge = sum(BEYOND << 2 * i for i in range(self.reach))
        return edge | edge << 2 * (self.reach + length)

    def _row(self, code: int, needed: Pair) -> Row:
        """The balances and gains of a row, by its code and the groups needed to win."""
        width = code.bit_length() // 2
        gains: tuple[list[int], list[int]] = ([], [])
        for index in range(width - 2 * self.reach):
            around = code >> 2 * index & (1 << 4 * self.reach + 2) - 1
            is_empty = not around >> 2 * self.reach & 3
            for colour in (0, 1):
                change = self.change(around)[colour] if is_empty else None
                gains[colour].append(self.balances(change, needed)[colour] if change else 0)
        return Row(self.balances(self._scores(code, width), needed), (tuple(gains[0]), tuple(gains[1])))

    def _change(self, around: int) -> tuple[ColourScores, ...]:
        """The change of each colour's score by a stone of each colour in the middle of a row."""
        width = 2 * self.reach + 1
        white, black = self._scores(around, width)
        after = (self._scores(around | stone << 2 * self.reach, width) for stone in STONES)
        return tuple((new_white.minus(white), new_black.minus(black)) for new_white, new_black in after)

    def _scores(self, code: int, width: int) -> ColourScores:
        """The score of a row for each colour."""
        points = [code >> 2 * i & 3 for i in range(width)]
        white, black = (self.row_score("".join(map(marks.__getitem__, points))) for marks in SEEN_BY)
        return white, black


def _power(exponents: tuple[int, ...], distance: int) -> int:
    """Two to the power of the exponent for a distance; the last one holds for all other distances."""
    return 1 << exponents[distance - 1 if 0 < distance < len(exponents) else -1]


@lru_cache(maxsize=4)
def patterns_of(rules: RuleSet) -> Patterns:
    """The patterns of a rule set, with their caches."""
    return Patterns(rules)


# ── the rows of a board ──────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=64)
def rows(board: Board) -> tuple[tuple[int, ...], ...]:
    """The points of every row, column and diagonal."""
    found = []
    for right, up in AXES:
        for column, row in board.stones:
            if not board.on_board(column - right, row - up):
                along = [(column + i * right, row + i * up) for i in range(board.size)]
                found.append(tuple(board.point(*place) for place in along if board.on_board(*place)))
    return tuple(found)


@lru_cache(maxsize=64)
def rows_through(board: Board) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The four rows through each point, by number, with its index in each."""
    through: list[list[tuple[int, int]]] = [[] for _ in board.stones]
    for number, points in enumerate(rows(board)):
        for index, point in enumerate(points):
            through[point].append((number, index))
    return tuple(map(tuple, through))


class Evaluation:
    """An incremental evaluation: the balances of a position, and the gain of each possible next stone.

    `gains[colour][row][index]` is the gain of a stone along one row; the sum over a point's four rows is the gain at
    that point, if the stone captures nothing.
    """

    def __init__(self, position: PentePosition) -> None:
        self.patterns = patterns_of(position.rules)
        self.through = rows_through(position.board)
        self.codes = [self.patterns.empty_row(len(points)) for points in rows(position.board)]
        self.row_balances: list[Pair] = [(0, 0)] * len(self.codes)
        self.gains: tuple[list[Gains], list[Gains]] = ([()] * len(self.codes), [()] * len(self.codes))
        self.balances = [0, 0]
        self._journal: list[tuple[list[int], list[tuple[int, int, Pair, Gains, Gains]]]] = []
        self._toggle(position.stones)
        self._update_rows(range(len(self.codes)), position.taken)
        self._update_captures((0, 0), position.taken)

    def advance(self, before: PentePosition, after: PentePosition) -> None:
        """Advances from one position to the next; updates the rows that change, or all of them after a capture."""
        changed = before.stones[0] ^ after.stones[0], before.stones[1] ^ after.stones[1]
        touched: Iterable[int] = range(len(self.codes))
        if before.taken == after.taken:
            touched = {row for point in points_of(changed[0] | changed[1]) for row, _ in self.through[point]}
        old = [
            (row, self.codes[row], self.row_balances[row], self.gains[0][row], self.gains[1][row]) for row in touched
        ]
        self._journal.append((self.balances[:], old))
        self._toggle(changed)
        self._update_rows(touched, after.taken)
        self._update_captures(before.taken, after.taken)

    def undo(self) -> None:
        """Undoes the last `advance`."""
        self.balances, old = self._journal.pop()
        for row, code, balances, white, black in old:
            self.codes[row], self.row_balances[row] = code, balances
            self.gains[0][row], self.gains[1][row] = white, black

    def _toggle(self, stones: Pair) -> None:
        """Adds the stones that are not on the board and removes those that are."""
        for colour in (0, 1):
            for point in points_of(stones[colour]):
                for row, index in self.through[point]:
                    self.codes[row] ^= STONES[colour] << 2 * (index + self.patterns.reach)

    def _update_rows(self, touched: Iterable[int], taken: Pair) -> None:
        needed, row_of = (self.patterns.needed(taken[0]), self.patterns.needed(taken[1])), self.patterns.row
        for row in touched:
            old, ((white, black), gains) = self.row_balances[row], row_of(self.codes[row], needed)
            self.balances[0] += white - old[0]
            self.balances[1] += black - old[1]
            self.row_balances[row] = white, black
            self.gains[0][row], self.gains[1][row] = gains

    def _update_captures(self, before: Pair, after: Pair) -> None:
        if before != after:
            value = self.patterns.captures_value
            more = value(after[0]) - value(before[0]) - value(after[1]) + value(before[1])
            self.balances[0] += more
            self.balances[1] -= more

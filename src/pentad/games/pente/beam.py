"""Beam search of the requirement document: the evaluation by patterns, the search, its options and its bots.

A node's moves are the legal points near the stones. Each is scored by the patterns after it; the best few are searched
further, as many as the width at that depth. Alpha-beta pruning never changes the move.

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

import math
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nsmallest
from math import inf
from typing import Any, NamedTuple, cast

from pentad.game import GameError, IllegalMove, Move, OptionValue, Position, Step, shorten, shown
from pentad.games.pente.board import AXES, Board, nth_point, points_of
from pentad.games.pente.notation import COLOURS, SIDES
from pentad.games.pente.rules import OVER, SIDES_OFFERED, PentePosition
from pentad.games.pente.rulesets import LARGEST, SMALLEST_WITH_CENTRE, RuleSet
from pentad.search import interrupts
from pentad.search.bot import Bot, BotEntry
from pentad.search.move_limit import DEFAULT_LIMIT, Limit
from pentad.search.report import Result
from pentad.system.words import count, listed, phrase

# ── patterns ─────────────────────────────────────────────────────────────────────────────────────

OWN, OTHER, EMPTY, EDGE = "x", "o", ".", "#"
LINE = 30  # the exponent of a complete line and of a win by captures: more than all else on the board
FEW_ENTRIES, MANY_ENTRIES = 10_000, 50_000  # limits of the caches

Pair = tuple[int, int]  # one for each colour
Gains = tuple[int, ...]  # the gain of a stone at each point of a row


class Exponents(NamedTuple):
    """The exponents of the values; the last of each holds for all greater distances.

    Those of `closed` and `open` are for one, two, … stones missing, those of `threat` for one, two, … groups.
    """

    closed: tuple[int, ...]
    open: tuple[int, ...]
    threat: tuple[int, ...]


class BeamValues(NamedTuple):
    """All values, as exponents."""

    moving: Exponents = Exponents(closed=(13, 7, 4, 1), open=(13, 8, 5, 2), threat=(13, 10, 9, 8))
    waiting: Exponents = Exponents(closed=(10, 7, 4, 1), open=(12, 8, 5, 2), threat=(9, 8, 7, 6))
    taken: tuple[int, ...] = (12, 10, 8, 7, 6)  # captures, by the number of groups needed to win


VALUES = BeamValues()


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


# ── the search ───────────────────────────────────────────────────────────────────────────────────

WIN = 1 << 60  # more than the value of any patterns, less the moves until the win
LIMIT = 1 << 61


@dataclass(frozen=True)
class Beam:
    """The parameters of a search: its depth, the distance from the stones, and the moves searched at each depth."""

    depth: int
    padding: int
    width: tuple[int, ...]

    def width_at(self, depth: int) -> int:
        """The number of moves searched at a depth; the last width holds for all greater depths."""
        return self.width[min(depth, len(self.width) - 1)]


class Best(NamedTuple):
    """The point of the best move, and its value for the colour that plays it."""

    point: int
    value: int


class SearchTimeoutError(Exception):
    """The time of the search is over."""


class BeamSearch:
    """A search from one position."""

    def __init__(self, position: PentePosition, beam: Beam, *, order: Sequence[int] | None = None) -> None:
        """`order` ranks points of the same value and the same distance from the centre."""
        board = position.board
        self.position, self.beam = position, beam
        self.evaluation = Evaluation(position)
        order = range(board.size**2) if order is None else order
        self.rank = [board.distance_to_centre(point) * board.size**2 + order[point] for point in range(board.size**2)]
        self.deadline: float | None = None

    def best(self, seconds: float | None = None) -> Best:
        """The best move. With a time limit the search deepens iteratively and returns the result of the last depth."""
        points = self.candidates(self.position, 0)
        if not points:
            raise GameError("There is no legal move.")
        best = self._best_of(points[:1], 1)
        if seconds is None:
            return self._best_of(points, self.beam.depth) if self.beam.depth else best
        self.deadline = time.monotonic() + seconds
        try:
            for depth in range(1, self.beam.depth + 1):
                best = self._best_of(points, depth)
        except SearchTimeoutError:
            pass
        return best

    def _best_of(self, points: Sequence[int], left: int) -> Best:
        """The first of the points with the highest value, searched to a depth."""
        best = Best(points[0], -LIMIT)
        for point in points:
            value = self._value_of(self.position, point, 0, left, best.value, LIMIT)
            if value > best.value:
                best = Best(point, value)
        return best

    def _value_of(self, here: PentePosition, point: int, depth: int, left: int, alpha: int, beta: int) -> int:
        """The value of a move for the colour that plays it."""
        after = here.play(here.board.stones[point])
        self.evaluation.advance(here, after)
        value = -self._value(after, depth + 1, left - 1, -beta, -alpha)
        self.evaluation.undo()
        return value

    def _value(self, here: PentePosition, depth: int, left: int, alpha: int, beta: int) -> int:
        """The value of a position for the colour to move."""
        interrupts.check()
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise SearchTimeoutError
        if outcome := here.outcome:
            return 0 if outcome.is_draw else (WIN - depth) * (1 if here.turn in outcome.winners else -1)
        points = self.candidates(here, depth) if left else []
        if not points:
            return -self.evaluation.balances[1 - here.colour]
        best = -LIMIT
        for point in points:
            best = max(best, self._value_of(here, point, depth, left, max(alpha, best), beta))
            if best >= beta:
                break
        return best

    # ── move generation ──

    def candidates(self, here: PentePosition, depth: int) -> list[int]:
        """The most promising points for the next stone, the best first."""
        colour, near = here.colour, self.near(here)
        gains, through, balance = (
            self.evaluation.gains[colour],
            self.evaluation.through,
            self.evaluation.balances[colour],
        )
        changing = near & capture_points(here)
        ranked = []
        for point in points_of(near & ~changing):
            (a, i), (b, j), (c, k), (d, m) = through[point]
            ranked.append((-gains[a][i] - gains[b][j] - gains[c][k] - gains[d][m], self.rank[point], point))
        for point in points_of(changing):
            after = here.play(here.board.stones[point])
            self.evaluation.advance(here, after)
            ranked.append((balance - self.evaluation.balances[colour], self.rank[point], point))
            self.evaluation.undo()
        return [point for _, _, point in nsmallest(self.beam.width_at(depth), ranked)]

    def near(self, here: PentePosition) -> int:
        """The legal points within the padding around the stones; if there are none, within the next larger padding."""
        padding, legal = self.beam.padding, here.points
        while legal and not legal & box(here.board, here.stones[0] | here.stones[1], padding):
            padding += 1
        return legal & box(here.board, here.stones[0] | here.stones[1], padding)


def box(board: Board, stones: int, padding: int) -> int:
    """The points of the bounding box of the stones with a padding; without stones, of the middle."""
    size, columns = board.size, 0
    if not stones:
        middle = {(size - 1) // 2, size // 2}
        stones = sum(board.bit(column, row) for column in middle for row in middle)
    lowest, highest = (stones & -stones).bit_length() - 1, stones.bit_length() - 1
    first, last = max(lowest // size - padding, 0), min(highest // size + padding, size - 1)
    for row in range(size):
        columns |= stones >> row * size & (1 << size) - 1
    left = max((columns & -columns).bit_length() - 1 - padding, 0)
    right = min(columns.bit_length() - 1 + padding, size - 1)
    return sum(((2 << right) - (1 << left)) << row * size for row in range(first, last + 1))


# ── moves that remove stones ─────────────────────────────────────────────────────────────────────


def capture_points(here: PentePosition) -> int:
    """The points where a move removes stones of either colour; some of them may be illegal."""
    board, mine, theirs = here.board, here.stones[here.colour], here.stones[1 - here.colour]
    found = 0
    for length in here.rules.groups:
        for direction in range(8):
            taken = [(i, theirs) for i in range(1, length + 1)]
            found |= matching_points(board, direction, [*taken, (length + 1, mine)])
            for place in range(length) if here.rules.poof else ():
                own = [(i - place, mine) for i in range(length) if i != place]
                found |= matching_points(board, direction, [*own, (-1 - place, theirs), (length - place, theirs)])
    return found


def matching_points(board: Board, direction: int, pattern: Sequence[tuple[int, int]]) -> int:
    """The points around which a pattern matches: stones at given numbers of steps in one of the eight directions."""
    (right, up), sign = AXES[direction // 2], 1 - direction % 2 * 2
    distance, found = sign * (right + up * board.size), board.all_points
    for steps, stones in pattern:
        shift = steps * distance
        found &= (stones >> shift if shift > 0 else stones << -shift) & on_board(board, direction, steps)
    return found


@lru_cache(maxsize=4096)
def on_board(board: Board, direction: int, steps: int) -> int:
    """The points from which a number of steps in a direction stay on the board."""
    (right, up), sign = AXES[direction // 2], 1 - direction % 2 * 2
    reached = ((column + sign * steps * right, row + sign * steps * up) for column, row in board.stones)
    return sum(1 << point for point, place in enumerate(reached) if board.on_board(*place))


# ── options of the requirement document ───────────────────────────────────────────────────────────

DIFFICULTIES = {
    1: Beam(depth=2, padding=1, width=(3, 3)),
    2: Beam(depth=4, padding=2, width=(4, 3, 2)),
    3: Beam(depth=5, padding=2, width=(4, 3, 2)),
    4: Beam(depth=6, padding=2, width=(4, 3, 2)),
    5: Beam(depth=7, padding=2, width=(5, 4, 3, 2)),
}
SIZE, DIFFICULTY = 19, 3
DEEPEST = 200  # practical only with a width of 1


# ── checks ───────────────────────────────────────────────────────────────────────────────────────


def _whole(low: int, high: float, expected: str) -> Callable[[str, object], int]:
    def check(name: str, value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise GameError("{name} must be {expected}, not {value}.", name=name, expected=expected, value=shown(value))
        return value

    return check


def _size(name: str, value: object) -> int:
    if type(value) is not int or not SMALLEST_WITH_CENTRE <= value <= LARGEST or value % 2 == 0:
        raise GameError(
            "{name} must be an odd number from {smallest} to {largest}, not {value}.",
            name=name,
            smallest=SMALLEST_WITH_CENTRE,
            largest=LARGEST,
            value=shown(value),
        )
    return value


def _width(name: str, value: object) -> tuple[int, ...]:
    numbers = (value,) if type(value) is int else tuple(value) if isinstance(value, list | tuple) else ()
    if not numbers or not all(type(number) is int and number > 0 for number in numbers):
        raise GameError(
            "{name} must be a positive number or a list of such numbers, not {value}.", name=name, value=shown(value)
        )
    return numbers


def _flag(name: str, value: object) -> bool:
    if type(value) is not bool:
        raise GameError("{name} must be true or false, not {value}.", name=name, value=shown(value))
    return value


# The options with their checks, and their other names.
OPTIONS: Mapping[str, Callable[[str, object], Any]] = {
    "size": _size,
    "difficulty": _whole(1, len(DIFFICULTIES), phrase("a whole number from 1 to {count}", count=len(DIFFICULTIES))),
    "depth": _whole(0, DEEPEST, phrase("a whole number from 0 to {deepest}", deepest=DEEPEST)),
    "padding": _whole(0, inf, "a whole number of 0 or more"),
    "width": _width,
    "flip": _flag,
    "tournament_rule": _flag,
}
ALIASES = {"board_size": "size", "flip_board": "flip", "rule": "tournament_rule"}


def options_help() -> str:
    """The help of all options, in the form of the requirement document."""
    default = DIFFICULTIES[DIFFICULTY]
    return f"""\
- board_size(S) or size(S), S in {{7,9,11,…,{LARGEST}}}
  The size of the board (SxS), must be odd.
  Default: {SIZE}

- difficulty(D), D in {{1,2,3,4,5}}
  The bot's difficulty, 5 the most difficult: it selects depth, padding and width.
  Where these are given, they override what it selects.
  Default: {DIFFICULTY}

- depth(D), D in {{0,1,2,3,…}}
  The depth of the bot's search tree: how many moves it looks ahead.
  Suggestion: choose an even depth (2 or 4).
  Default (difficulty {DIFFICULTY}): {default.depth}

- padding(P), P in {{0,1,2,3,…}}
  How far around the stones the search tree looks for moves.
  Default (difficulty {DIFFICULTY}): {default.padding}

- width([W0,W1,…]), Wi in {{1,2,3,…}}
  At each node of depth i (the top is depth 0) only the Wi best moves are searched.
  The last width stands for all depths below.
- width(W), W in {{1,2,3,…}}
  Use the width W for all depths.
  Default (difficulty {DIFFICULTY}): [{",".join(map(str, default.width))}]

- flip_board(B) or flip(B), B is true or false
  Turn the printed board round while Black is to move.
  Default: false

- tournament_rule(B) or rule(B), B is true or false
  Use the tournament rule.
  Default: true

- white(P), black(P), P is human, bot or the name of a bot, such as 'beam-5'
  The players; bot has the options above.
  Default: human, bot

Example: play([size(13), difficulty(1), rule(false)])"""


# ── the options of a game ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class BeamOptions:
    """The options of a game; depth, padding and width are None where the difficulty selects them.

    >>> BeamOptions.of(board_size=13, difficulty=1, rule=False).beam
    Beam(depth=2, padding=1, width=(3, 3))
    """

    size: int = SIZE
    difficulty: int = DIFFICULTY
    depth: int | None = None
    padding: int | None = None
    width: tuple[int, ...] | None = None
    flip: bool = False
    tournament_rule: bool = True

    def __post_init__(self) -> None:
        for name, check in OPTIONS.items():
            value = getattr(self, name)
            if value is not None or name not in BEAM:
                object.__setattr__(self, name, check(name, value))

    @classmethod
    def of(cls, /, **given: object) -> BeamOptions:
        """The options by name or alias; raises GameError for one that is unknown or given twice."""
        named: dict[str, Any] = {}
        other = {name: alias for alias, name in ALIASES.items()}
        for word, value in given.items():
            name = ALIASES.get(word, word)
            if name not in OPTIONS:
                known = ", ".join(f"{each} ({other[each]})" if each in other else each for each in OPTIONS)
                raise GameError("Unknown option {word}. The options are {known}.", word=shorten(word), known=known)
            if name in named:
                raise GameError(
                    "{name} and {other} are the same option; give only one of them.", name=name, other=other[name]
                )
            named[name] = OPTIONS[name](word, value)
        return cls(**named)

    @property
    def beam(self) -> Beam:
        """The bot's search parameters: those of its difficulty, with the given ones in their place."""
        return replace(DIFFICULTIES[self.difficulty], **self.of_beam)

    @property
    def of_beam(self) -> dict[str, Any]:
        """The given search parameters."""
        return {name: value for name in BEAM if (value := getattr(self, name)) is not None}

    @property
    def game(self) -> dict[str, OptionValue]:
        """The options of the game itself."""
        return {"size": self.size, "tournament_rule": self.tournament_rule}


BEAM = ("depth", "padding", "width")


# ── bots ──────────────────────────────────────────────────────────────────────────────────────────

NAME = "beam"
OPENINGS_SAMPLED = 24
MIDDLE = 2  # the largest distance from the centre of an opening's stones


class BeamBot(Bot):
    """Plays the move of the beam search, with ties broken at random. In swap2 it places balanced stones."""

    def __init__(self, beam: Beam, seed: int | None = None, name: str = NAME) -> None:
        super().__init__(seed)
        self.beam, self.name = beam, name
        self._searching: BeamSearch | None = None

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        here = cast(PentePosition, position)
        if here.outcome:
            raise IllegalMove("The game is over.")
        if here.stage in SIDES_OFFERED:
            return Result(Move((self._side(here, limit.seconds),)))
        if here.stage != OVER:
            return Result(self._balanced(here))
        return Result(Move((here.board.stones[self._search(here).best(limit.seconds).point],)))

    def _search(self, here: PentePosition) -> BeamSearch:
        order = list(range(here.board.size**2))
        self.random.shuffle(order)
        self._searching = BeamSearch(here, self.beam, order=order)
        return self._searching

    def stop(self) -> None:
        """Ends a search with a time limit; `play` then returns the best move of the last depth."""
        if self._searching and self._searching.deadline is not None:
            self._searching.deadline = -math.inf

    def _side(self, here: PentePosition, seconds: float | None) -> Step:
        """The better colour."""
        value = self._search(replace(here, stage=OVER)).best(seconds).value
        better = here.colour if value >= 0 else 1 - here.colour
        return next(side for side in SIDES if str(side) == COLOURS[better])

    def _balanced(self, here: PentePosition) -> Move:
        """The opening stones after which the opponent chooses: the most balanced of some random turns."""

        def imbalance(turn: Move) -> int:
            after = here.play(turn)
            return abs(Evaluation(after).balances[1 - after.colour])

        return min((self._random_turn(here) for _ in range(OPENINGS_SAMPLED)), key=imbalance)

    def _random_turn(self, here: PentePosition) -> Move:
        steps: list[Step] = []
        while not here.choices(steps).may_end:
            points = here.partial(steps).points if steps else here.points
            near = points & here.board.within(MIDDLE) or points
            steps.append(here.board.stones[nth_point(near, self.random.randrange(near.bit_count()))])
        return Move(steps)


# ── names and settings ───────────────────────────────────────────────────────────────────────────

# The settings on a command line with their help; in a bot's name they follow `beam:`.
SETTINGS = {
    "difficulty": phrase(
        "the beam bot's level, from 1 to {count}; it selects depth, padding and width", count=len(DIFFICULTIES)
    ),
    "depth": "moves that the beam bot searches ahead; even numbers play best",
    "padding": "distance from the stones within which the beam bot searches for moves",
    "width": "moves searched at each depth, such as 4-3-2; the last number counts for all deeper levels",
}


def bot_name(given: Mapping[str, str]) -> str:
    """The name of the bot with these settings, given as text.

    >>> bot_name({"difficulty": "3"}), bot_name({"depth": "4", "width": "[4,3,2]"})
    ('beam-3', 'beam:depth=4,width=4-3-2')
    """
    return name_of(BeamOptions.of(**{name: read_setting(name, text) for name, text in given.items()}))


def name_of(options: BeamOptions) -> str:
    """The name of the bot with these options: its difficulty, or the settings that differ from it."""
    own = options.of_beam
    if not own:
        return f"{NAME}-{options.difficulty}"
    base = {} if options.difficulty == DIFFICULTY else {"difficulty": options.difficulty}
    written = {name: "-".join(map(str, value)) if name == "width" else value for name, value in {**base, **own}.items()}
    return f"{NAME}:" + ",".join(f"{name}={value}" for name, value in written.items())


def read_settings(settings: str) -> BeamOptions:
    """Parses settings such as `depth=4,width=4-3-2` into options."""
    given: dict[str, object] = {}
    for word in settings.split(","):
        setting, equals, text = word.partition("=")
        if not equals or setting not in SETTINGS or setting in given:
            raise GameError(
                "Invalid setting {word} of a bot such as {name}:depth=4,width=4-3-2. The "
                "settings, each at most once, are {settings}.",
                word=shown(word),
                name=NAME,
                settings=", ".join(SETTINGS),
            )
        given[setting] = read_setting(setting, text)
    return BeamOptions.of(**given)


def read_setting(name: str, text: str) -> object:
    """Parses the value of a setting; a width may be `4`, `4-3-2` or `[4,3,2]`."""
    if name == "width":
        listed = re.fullmatch(r"\s*\[(.*)\]\s*", text)
        numbers = [_read(word) for word in re.split("[-,]", listed[1] if listed else text)]
        return numbers if all(type(number) is int for number in numbers) else text
    return _read(text)


def _read(text: str) -> int | str:
    text = text.strip()
    return int(text) if re.fullmatch("-?[0-9]{1,99}", text) else text


# ── the table of bots ────────────────────────────────────────────────────────────────────────────


def _of_level(level: int, seed: int | None) -> Bot:
    return BeamBot(DIFFICULTIES[level], seed, f"{NAME}-{level}")


def _of_settings(settings: str, seed: int | None) -> Bot:
    options = read_settings(settings)
    return BeamBot(options.beam, seed, name_of(options))


def _entry(level: int) -> BotEntry:
    beam = DIFFICULTIES[level]
    width, points = listed(map(str, beam.width)), count(beam.padding, "point")
    return BotEntry(
        phrase(
            "searches {depth} moves deep: the best {width} moves within {points} of the stones",
            depth=beam.depth,
            width=width,
            points=points,
        ),
        lambda seed: _of_level(level, seed),
        title=phrase("Narrow search, {depth} moves", depth=beam.depth),
    )


BEAM_BOTS: Mapping[str, BotEntry] = {
    **{f"{NAME}-{level}": _entry(level) for level in DIFFICULTIES},
    NAME: BotEntry(
        "beam search by level or with its own settings: beam:depth=4,padding=2,width=4-3-2",
        make_level=_of_level,
        levels=range(1, len(DIFFICULTIES) + 1),
        configure=_of_settings,
        title="Narrow search",
    ),
}

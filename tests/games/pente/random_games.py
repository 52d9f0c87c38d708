"""Shared functions of the Pente tests: option sets, random games in step with the referee, and data."""

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import strategies as st

import pentad
from tests.cases import every_game_of
from tests.games.pente.referee import FOUR, LETTERS, table_for

DATA = Path(__file__).parents[2] / "data" / "pente"
GAMES_PLAYED, FORCED_WINS = DATA / "games.txt", DATA / "forced_wins.txt"

CAPTURING = ("pente", "keryo", "g-pente", "poof", "boat")
RULES = (*CAPTURING, "lines", "gomoku", "freestyle", "ninuki42")
SIZES = (5, 7, 13, 19, 25)

# name → options of pentad.new("pente", …) and of the referee's table_for: each rule set on each size, then
# other openings, other switches, boards that end in other ways
GAMES = {
    f"{rules} {size}": {"rules": rules, "size": size, **({"opening": "free"} if size == 5 else {})}
    for rules in RULES
    for size in SIZES
}
GAMES |= {
    "the default": {},
    "pente, centre": {"size": 13, "tournament_rule": False},
    "pente, free": {"size": 9, "opening": "free"},
    "pente, pro": {"size": 7, "opening": "pro"},
    "pente, swap2": {"size": 7, "opening": "swap2"},
    "pente, swap2 on 4": {"size": 4, "line": 4, "opening": "swap2"},
    "pente, swap2, line 3": {"size": 5, "line": 3, "opening": "swap2"},
    "pente, swap2, one pair wins": {"size": 5, "opening": "swap2", "capture_win": 2},
    "pente on 3": {"size": 3, "line": 3, "opening": "free"},
    "pente on 4": {"size": 4, "line": 4, "opening": "free", "capture_win": 4},
    "pente on 6, four": {"size": 6, "line": 4, "opening": "free"},
    "pente on 25, nine, fifty": {"size": 25, "line": 9, "opening": "free", "capture_win": 50},
    "pente without a win by captures": {"size": 5, "opening": "free", "capture_win": 0},
    "pente, one pair wins": {"size": 7, "capture_win": 1},
    "pente, a five must be safe": {"size": 7, "five": "unbroken"},
    "keryo, swap2": {"rules": "keryo", "size": 7, "opening": "swap2"},
    "keryo on 6": {"rules": "keryo", "size": 6, "opening": "free", "capture_win": 6},
    "keryo with poof": {"rules": "keryo", "size": 6, "opening": "free", "poof": True},
    "g-pente on 9": {"rules": "g-pente", "size": 9},
    "g-pente, centre": {"rules": "g-pente", "size": 9, "tournament_rule": False},
    "g-pente, swap2": {"rules": "g-pente", "size": 9, "opening": "swap2"},
    "poof, four stones": {"rules": "poof", "size": 6, "opening": "free", "capture_win": 4},
    "poof, two stones": {"rules": "poof", "size": 6, "opening": "free", "capture_win": 2, "line": 4},
    "poof, swap2": {"rules": "poof", "size": 5, "opening": "swap2", "capture_win": 4},
    "boat on 5, four": {"rules": "boat", "size": 5, "line": 4, "opening": "free"},
    "boat on 5, three": {"rules": "boat", "size": 5, "line": 3, "opening": "free"},
    "boat on 6, four stones": {"rules": "boat", "size": 6, "line": 4, "opening": "free", "capture_win": 4},
    "boat, swap2": {"rules": "boat", "size": 6, "line": 4, "opening": "swap2"},
    "lines 3, three": {"rules": "lines", "size": 3, "line": 3},
    "lines 4, four": {"rules": "lines", "size": 4, "line": 4},
    "lines 4, three": {"rules": "lines", "size": 4, "line": 3},
    "lines 6, five": {"rules": "lines", "size": 6},
    "lines 10": {"rules": "lines"},
    "lines 8, eight": {"rules": "lines", "size": 8, "line": 8},
    "lines 7, two": {"rules": "lines", "size": 7, "line": 2},
    "lines with a tournament": {"rules": "lines", "size": 9, "tournament_rule": True},
    "lines, swap2": {"rules": "lines", "size": 4, "line": 4, "opening": "swap2"},
    "gomoku, swap2": {"rules": "gomoku", "opening": "swap2"},
    "gomoku on 6": {"rules": "gomoku", "size": 6},
    "gomoku, four": {"rules": "gomoku", "size": 7, "line": 4, "opening": "centre"},
    "gomoku, pro": {"rules": "gomoku", "size": 9, "opening": "pro"},
    "freestyle on 20": {"rules": "freestyle", "size": 20},
    "freestyle, five must stand": {"rules": "freestyle", "size": 6, "line": 4, "five": "stands"},
    "freestyle, no double three": {"rules": "freestyle", "size": 9, "double_three": False},
    "freestyle, blocked is a tie": {"rules": "freestyle", "size": 6, "blocked_tie": True},
    "ninuki42 on 6, four": {"rules": "ninuki42", "size": 6, "line": 4},
    "ninuki42 on 6, three": {"rules": "ninuki42", "size": 6, "line": 3},
    "ninuki42, four stones": {"rules": "ninuki42", "size": 7, "line": 4, "capture_win": 4},
    "ninuki42, tournament": {"rules": "ninuki42", "size": 9, "tournament_rule": True},
    "ninuki42, swap2": {"rules": "ninuki42", "size": 8, "opening": "swap2"},
}
SMALL = tuple(name for name, options in GAMES.items() if options.get("size", 19) <= 9)
AT_MOST = 1200  # moves of a game, which need not end if captures do not win

every_game = every_game_of(GAMES)


def new(**options):
    return pentad.new("pente", **options)


def pair(options):
    """A new game of the package and the same of the referee."""
    return new(**options), table_for(**options)


def played(options, moves):
    """The position after moves: points separated by spaces, or whole moves separated by commas."""
    position = new(**options)
    for move in filter(None, moves.split(",")) if "," in moves else moves.split():
        position = position.play(move)
    return position


def drawn(table):
    """The referee's board in the form of a position's text: rows from the top, empty points as numbers."""
    rows = []
    for line in reversed(table.grid):
        row = "".join("." if colour is None else "wb"[colour] for colour in line)
        for count in range(table.size, 0, -1):
            row = row.replace("." * count, f"{count}")
        rows.append(row)
    return "/".join(rows)


def board_of(position):
    """The board in a position's text."""
    return next(word for word in position.text.split() if "/" in word)


def load_board(white, black, **options):
    """A position of a game without captures and with free opening, from masks with the bit y·size + x."""
    table = table_for(**options)
    for colour, mask in enumerate((white, black)):
        for point in range(table.size**2):
            if mask >> point & 1:
                table.grid[point // table.size][point % table.size] = colour
    words = " ".join(f"{name}={str(value).lower()}" for name, value in options.items())
    return pentad.load(f"pente {words} {drawn(table)}")


@cache
def games_played():
    """The games of the file: the winner (1, 2 or -), the captures, the number of moves that count, and the moves."""
    found = []
    for line in GAMES_PLAYED.read_text(encoding="utf-8").splitlines():
        winner, captures, length, *moves = line.split()
        found.append((winner, tuple(map(int, captures.split(","))), int(length), moves))
    return found


# ── random games in step with the referee ────────────────────────────────────────────────────────

STYLES = ("uniform", "near", "captures", "lines", "both", "bait", "peaceful", "peaceful both")


def random_game(options, seed):
    """A random game, as (position, table) before each move and at the end."""
    position = new(**options)
    for turn, table in referee_game(options, seed):
        if turn:
            position = position.play(turn)
        yield position, table


def referee_game(options, seed):
    """A random game of the referee alone, as (move, table) at the start and after each move.

    The package has no say in it. The seed tells its style too: some games look for captures, some for lines, …
    """
    chance = random.Random(seed)
    style = STYLES[seed % len(STYLES)]
    table = table_for(**options)
    yield "", table
    while not table.over and table.ply < AT_MOST:
        turn = random_turn(table, chance, style)
        table.take(turn)
        yield turn, table


def random_turn(table, chance, style):
    """A random legal move of the referee; a peaceful player avoids moves that end the game."""
    for _ in range(4 if "peaceful" in style else 1):
        turn = opening_turn(table, chance) if table.stage else random_stone(table, chance, style)
        after = table.copy()
        after.take(turn)
        if not after.over:
            break
    return turn


def opening_turn(table, chance):
    """A move of swap2."""
    if table.stage != "three" and (table.stage == "last choice" or chance.random() < 0.6):
        return chance.choice(("white", "black"))
    due = 3 if table.stage == "three" else 2
    if due == 3 and chance.random() < 0.3:  # a black stone and two white ones in a row, which may be captured
        x, y, (dx, dy) = chance.randrange(table.size - 2), chance.randrange(table.size - 2), chance.choice(FOUR[:3])
        return " ".join(table.name(x + k * dx, y + k * dy) for k in (1, 0, 2))
    low, after, names = chance.randrange(table.size - 2), table.copy(), []
    for _ in range(due):
        close = [(x, y) for x, y in after.empties() if low - 1 <= x <= low + 3 and low - 1 <= y <= low + 3]
        taking = [point for point in after.empties() if after.captured_from(*point, after.colour)]
        kind = chance.random()  # stones are mostly close together
        points = taking if kind < 0.5 and taking else close if kind < 0.8 and close else after.empties()
        x, y = chance.choice(points)
        names.append(table.name(x, y))
        after.place(x, y)
    return " ".join(names if due == 3 else ["more", *names])


def random_stone(table, chance, style):
    """A point for a single stone: the best of a few by the style."""
    tries = {"uniform": 1, "near": 1, "peaceful": 1}.get(style, 8)
    found = [point for point in (candidate(table, chance, style) for _ in range(tries)) if table.allowed(*point)]
    if not found:
        found = [chance.choice(table.stones())]
    wish = max if chance.random() < 0.9 else min
    return table.name(*wish(found, key=lambda point: appeal(table, *point, style)))


def candidate(table, chance, style):
    """A random empty point, mostly beside a stone."""
    if style != "uniform" and table.ply and chance.random() < 0.9:
        for _ in range(20):
            x, y = chance.randrange(table.size), chance.randrange(table.size)
            if table.size > 9:  # the point is near some stone rather than anywhere
                y, x = chance.choice(stones_of(table))
            x, y = x + chance.randint(-2, 2), y + chance.randint(-2, 2)
            if table.at(x, y) is None and any(isinstance(table.at(x + a, y + b), int) for a, b in AROUND):
                return x, y
    return chance.choice(table.empties())


AROUND = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]


def stones_of(table):
    found = [(y, x) for y, row in enumerate(table.grid) for x, colour in enumerate(row) if colour is not None]
    return found or [(table.size // 2, table.size // 2)]


def appeal(table, x, y, style):
    """The value of a point for a style: captures, a long row, or a row that may be captured."""
    mine = table.colour
    taken = len(table.captured_from(x, y, mine))
    longest = max(reach(table, x, y, *way) + reach(table, x, y, -way[0], -way[1]) for way in AROUND)
    if style == "bait":  # rows that can be broken, and moves into brackets
        table.grid[y][x] = mine
        gone = len(table.poofed_from(x, y, mine))
        table.grid[y][x] = None
        beside = sum(table.at(x + a, y + b) == 1 - mine for a, b in AROUND)
        return 2 * longest + beside + 3 * gone
    return {"captures": (taken, 0), "lines": (longest, 0), "near": (0, 0)}.get(style, (taken + longest, taken))


def reach(table, x, y, dx, dy):
    """The number of consecutive own stones in a direction."""
    count = 0
    while table.at(x + (count + 1) * dx, y + (count + 1) * dy) == table.colour:
        count += 1
    return count


# ── hypothesis ───────────────────────────────────────────────────────────────────────────────────


@st.composite
def positions(draw, names=SMALL, middle=True):
    """Positions of random games with some of these options; some within a turn of swap2."""
    chance = draw(st.randoms(use_true_random=False))
    options = GAMES[draw(st.sampled_from(names))]
    style = draw(st.sampled_from(STYLES))
    position, table = pair(options)
    for _ in range(draw(st.integers(0, 2 * table.size**2))):
        if table.over:
            break
        turn = random_turn(table, chance, style)
        position = position.play(turn)
        table.take(turn)
    if middle and table.stage and draw(st.booleans()):
        steps = opening_turn(table, chance).split()
        position = position.partial(" ".join(steps[: draw(st.integers(0, len(steps) - 1))]))
    return position


# ── the eight symmetries, by hand ────────────────────────────────────────────────────────────────

EIGHT_WAYS = [
    lambda x, y, m: (x, y),
    lambda x, y, m: (m - x, y),
    lambda x, y, m: (x, m - y),
    lambda x, y, m: (m - x, m - y),
    lambda x, y, m: (y, x),
    lambda x, y, m: (m - y, x),
    lambda x, y, m: (y, m - x),
    lambda x, y, m: (m - y, m - x),
]


def seen(way, moves, size):
    """The image of points as text under one of the eight symmetries."""

    def image(point):
        x, y = way(LETTERS.index(point[0]), int(point[1:]) - 1, size - 1)
        return f"{LETTERS[x]}{y + 1}"

    return " ".join(map(image, moves.split()))


every_way = pytest.mark.parametrize("way", EIGHT_WAYS, ids=range(8))

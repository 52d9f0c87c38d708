"""A second implementation of Pente and its variants, from the rule page alone: lists of lists, nothing of src/pentad.

Slow and plain on purpose. The tests play it against the package; where the two differ, one of them is wrong.
Where the page leaves something open, a comment that begins with "reading:" says how it is read here.
"""

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
LINES = {}  # a cache by size and length
EIGHT = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
FOUR = [(1, 0), (0, 1), (1, 1), (1, -1)]

# The table of the rule page. `takes`: the sizes of captured groups; `goal`: captured stones that win;
# `five`: wins at once, after it survived a reply ("stands"), or if no capture can break it ("safe").
RULES = {
    "lines": {"size": 10, "blocked_tie": True},
    "pente": {"takes": (2,), "goal": 10, "opening": "tournament"},
    "keryo": {"takes": (2, 3), "goal": 15, "opening": "tournament"},
    "g-pente": {"takes": (2,), "goal": 10, "opening": "tournament", "also_off_the_cross": True},
    "poof": {"takes": (2,), "goal": 10, "opening": "tournament", "poof": True},
    "boat": {"takes": (2,), "goal": 10, "opening": "tournament", "five": "stands"},
    "gomoku": {"size": 15, "exactly": True},
    "freestyle": {"size": 15},
    "ninuki42": {"takes": (2,), "goal": 10, "five": "safe", "no_double_three": True},
}
STANDARD = {
    "size": 19,
    "line": 5,
    "takes": (),
    "goal": None,
    "opening": "free",
    "exactly": False,
    "blocked_tie": False,
    "also_off_the_cross": False,
    "poof": False,
    "five": "wins",
    "no_double_three": False,
}


# The package's names for the same switches.
CUSTOM = {
    "size": lambda value: {"size": value},
    "line": lambda value: {"line": value},
    "opening": lambda value: {"opening": value},
    "captures": lambda value: {"takes": tuple(range(2, value + 1))},
    "capture_win": lambda value: {"goal": value or None},
    "overline": lambda value: {"exactly": not value},
    "five": lambda value: {"five": {"wins": "wins", "stands": "stands", "unbroken": "safe"}[value]},
    "poof": lambda value: {"poof": value},
    "double_three": lambda value: {"no_double_three": not value},
    "blocked_tie": lambda value: {"blocked_tie": value},
}


def table_for(rules="pente", tournament_rule=None, **options):
    """A table with the rules of a name; `tournament_rule` is another name for two of the openings."""
    switches = {**STANDARD, **RULES[rules]}
    for name, value in options.items():
        switches.update(CUSTOM[name](value))
    if tournament_rule is True:
        switches["opening"] = "tournament"
    if tournament_rule is False and switches["opening"] == "tournament":
        switches["opening"] = "centre"
    return Table(**switches)


class Table:
    """A board in the middle of a game; every move changes it. Colours are 0 (moves first) and 1; None is empty."""

    def __init__(self, **switches):
        self.switches = switches
        for name, value in switches.items():
            setattr(self, name, value)
        self.grid = [[None] * self.size for _ in range(self.size)]  # grid[y][x], y from the bottom
        self.captured = [0, 0]
        self.colour = 0  # the next stone has this colour
        self.ply = 0
        self.seats = [0, 1]  # the seat of each colour
        # swap2: "three" stones are due, or a "choice" with the right to place two more, or the "last choice"
        self.stage = "three" if self.opening == "swap2" else None
        self.over = False
        self.winner = None
        self.happened = set()  # the events of the last move, for the tests' coverage

    def copy(self):
        other = Table(**self.switches)
        other.grid = [list(row) for row in self.grid]
        other.captured, other.seats = list(self.captured), list(self.seats)
        other.colour, other.ply, other.stage = self.colour, self.ply, self.stage
        other.over, other.winner = self.over, self.winner
        return other

    # the turn

    @property
    def turn(self):
        """The seat to move."""
        if self.stage:
            return 1 if self.stage == "choice" else 0
        return self.seats[self.colour]

    @property
    def winners(self):
        return [] if self.winner is None else [self.seats[self.winner]]

    def captures(self):
        """Stones captured, by seat."""
        return tuple(self.captured[self.seats.index(seat)] for seat in (0, 1))

    # the board

    def inside(self, x, y):
        return 0 <= x < self.size and 0 <= y < self.size

    def at(self, x, y):
        return self.grid[y][x] if self.inside(x, y) else "edge"

    def name(self, x, y):
        return f"{LETTERS[x]}{y + 1}"

    def point(self, name):
        return LETTERS.index(name[0]), int(name[1:]) - 1

    def empties(self):
        return [(x, y) for y in range(self.size) for x in range(self.size) if self.grid[y][x] is None]

    def distance_from_centre(self, x, y):
        centre = self.size // 2
        return max(abs(x - centre), abs(y - centre))

    # lines

    def runs(self, colour):
        """The lengths of all unbroken rows of that colour, each found from its first stone."""
        lengths = []
        for y in range(self.size):
            for x in range(self.size):
                if self.grid[y][x] != colour:
                    continue
                for dx, dy in FOUR:
                    if self.at(x - dx, y - dy) == colour:
                        continue
                    length = 0
                    while self.at(x + length * dx, y + length * dy) == colour:
                        length += 1
                    lengths.append(length)
        return lengths

    def has_five(self, colour):
        if self.exactly:
            return self.line in self.runs(colour)
        return any(length >= self.line for length in self.runs(colour))

    def all_lines(self):
        """Every line of `line` points of the board, as lists of points."""
        if (self.size, self.line) in LINES:
            return LINES[self.size, self.line]
        found = LINES[self.size, self.line] = []
        for y in range(self.size):
            for x in range(self.size):
                for dx, dy in FOUR:
                    points = [(x + k * dx, y + k * dy) for k in range(self.line)]
                    if all(self.inside(*point) for point in points):
                        found.append(points)
        return found

    def all_lines_blocked(self):
        return all({0, 1} <= {self.grid[y][x] for x, y in points} for points in self.all_lines())

    # captures

    def captured_from(self, x, y, colour):
        """The enemy stones that a stone of that colour at x, y takes; the point itself is not looked at."""
        enemy = 1 - colour
        taken = []
        for dx, dy in EIGHT:
            for count in self.takes:
                between = [(x + k * dx, y + k * dy) for k in range(1, count + 1)]
                far = (x + (count + 1) * dx, y + (count + 1) * dy)
                if all(self.at(*point) == enemy for point in between) and self.at(*far) == colour:
                    taken += between
        return taken

    def poofed_from(self, x, y, colour):
        """The own stones that vanish because the stone at x, y is now one of a bracketed group of them.

        reading: groups of the size that captures have; a stone in two such groups vanishes, and counts, once.
        """
        enemy = 1 - colour
        gone = []
        for dx, dy in FOUR:
            for count in self.takes:
                for back in range(count):  # the stone may be anywhere in its group
                    row = [(x + (k - back) * dx, y + (k - back) * dy) for k in range(-1, count + 1)]
                    if [self.at(*point) for point in row] == [enemy, *[colour] * count, enemy]:
                        gone += [point for point in row[1:-1] if point not in gone]
        return gone

    # double free-three

    def free_threes_at(self, x, y, colour):
        """In how many of the four directions a stone at x, y is one of a free three.

        reading: two threes on the same line are one alignment, so they are no double free-three.
        """
        assert self.grid[y][x] is None
        self.grid[y][x] = colour
        count = sum(self.free_three_along(x, y, dx, dy, colour) for dx, dy in FOUR)
        self.grid[y][x] = None
        return count

    def free_three_along(self, x, y, dx, dy, colour):
        for start in range(-3, 1):  # four consecutive points, of which x, y is one
            four = [self.at(x + (start + k) * dx, y + (start + k) * dy) for k in range(4)]
            ends = [self.at(x + (start + k) * dx, y + (start + k) * dy) for k in (-1, 4)]
            if four.count(colour) == 3 and four.count(None) == 1 and ends == [None, None]:
                return True
        return False

    # the moves

    def allowed(self, x, y):
        """Whether a single stone of the colour to move may be put on an empty point."""
        far = self.distance_from_centre(x, y)
        stones = self.ply
        if self.opening in ("centre", "tournament", "pro") and stones == 0:
            return far == 0
        if self.opening == "pro" and stones == 1:
            return far <= 1
        if self.opening == "pro" and stones == 2:
            return far >= 3
        if self.opening == "tournament" and stones == 2:
            centre = self.size // 2
            on_the_cross = centre in (x, y)
            return far >= 3 and not (self.also_off_the_cross and on_the_cross and far <= 4)
        if self.no_double_three and not self.captured_from(x, y, self.colour):
            # reading: capturing is the only exception; a five that also makes two free threes is forbidden too
            return self.free_threes_at(x, y, self.colour) < 2
        return True

    def stones(self):
        """The points where a single stone may be put now; not for swap2's opening moves."""
        if self.over or self.stage:
            return []
        return [point for point in self.empties() if self.allowed(*point)]

    def moves(self):
        """The same as names."""
        return [self.name(*point) for point in self.stones()]

    def put(self, name):
        """A move of one stone."""
        assert not self.over
        assert not self.stage
        self.happened = set()
        mover = self.colour
        reply_to_five = self.five != "wins" and self.has_five(1 - mover)
        self.ply += 1
        self.place(*self.point(name))
        self.judge(mover, reply_to_five)

    def place(self, x, y):
        """A stone of the colour to move, and what it takes."""
        assert self.grid[y][x] is None
        mover, enemy = self.colour, 1 - self.colour
        taken = self.captured_from(x, y, mover)
        if self.no_double_three and taken and self.free_threes_at(x, y, mover) > 1:
            self.happened.add("double three that captures")
        self.grid[y][x] = mover
        gone = self.poofed_from(x, y, mover) if self.poof else []
        for px, py in taken + gone:
            self.grid[py][px] = None
        self.captured[mover] += len(taken)
        self.captured[enemy] += len(gone)
        self.colour = enemy
        if taken:
            self.happened.add("capture in the opening" if self.stage else "capture")
        if len(taken) == 3:
            self.happened.add("capture of three")
        if len(taken) > 3:
            self.happened.add("captures in two directions")
        if gone:
            self.happened.add("poof")
        if len(gone) > 2:
            self.happened.add("double poof")
        if gone and taken:
            self.happened.add("poof and capture")

    def judge(self, mover, reply_to_five):
        enemy = 1 - mover
        with_goal = [c for c in (0, 1) if self.goal is not None and self.captured[c] >= self.goal]
        if len(with_goal) == 2:
            self.happened.add("both have the captures")
        if self.five == "wins":
            # reading: a five comes before captures; and if only exactly five count, a capture that shortens the
            # opponent's longer row to five makes a five of the opponent's
            for colour in (mover, enemy):
                if self.has_five(colour):
                    return self.won_by(colour, "five" if colour == mover else "five made by the other's capture")
            if len(with_goal) == 1:
                return self.won_by(with_goal[0], "captures" if with_goal == [mover] else "stones poofed by the other")
        else:
            if len(with_goal) == 1:
                return self.won_by(with_goal[0], "captures after a five" if reply_to_five else "captures")
            if self.has_five(enemy):
                also = " against a five" if self.has_five(mover) else ""
                return self.won_by(enemy, "standing five" + also)
            if reply_to_five:
                self.happened.add("five broken")
                if self.has_five(mover):
                    self.happened.add("five broken by a five")
            if self.has_five(mover):
                self.happened.add("five waits")
                if self.five == "safe" and not self.can_be_answered(mover):
                    return self.won_by(mover, "safe five")
                if not self.empties():  # reading: without room for a reply the five survives
                    return self.won_by(mover, "five on a full board")
        if not self.empties():
            return self.drawn("full board")
        if self.blocked_tie and self.all_lines_blocked():
            return self.drawn("blocked")
        return None

    def can_be_answered(self, mover):
        """Whether one reply can capture so that no five of the mover is left, or so many that it wins.

        reading: fives that can be broken one by one, but not by one reply, are not broken.
        """
        enemy = 1 - mover
        for x, y in self.empties():
            taken = self.captured_from(x, y, enemy)
            if not taken:
                continue
            if self.goal is not None and self.captured[enemy] + len(taken) >= self.goal:
                return True
            for px, py in taken:
                self.grid[py][px] = None
            still = self.has_five(mover)
            for px, py in taken:
                self.grid[py][px] = mover
            if not still:
                return True
        return False

    def won_by(self, colour, how):
        self.over, self.winner = True, colour
        if how == "captures" and self.captured[colour] > self.goal:
            self.happened.add("captures past the goal")
        self.happened.add("won: " + how)

    def drawn(self, how):
        self.over = True
        self.happened.add("draw: " + how)

    # swap2
    # reading: the stones are placed in the order in which the colours move, and capture like any others;
    # but the game cannot end before the colours are chosen

    def open_with(self, names):
        """Two stones of the first colour and one of the second; or, later, one more of each."""
        assert (self.stage, len(names)) in (("three", 3), ("choice", 2))
        self.happened = {"more stones"} if self.stage == "choice" else set()
        for name in names:
            self.place(*self.point(name))
        self.ply += 1
        self.stage = "choice" if self.stage == "three" else "last choice"

    def choose(self, colour):
        """The seat to move takes a colour; the second colour is the next to put a stone."""
        assert self.stage in ("choice", "last choice")
        self.seats = [self.turn, 1 - self.turn] if colour == 0 else [1 - self.turn, self.turn]
        self.ply += 1
        self.stage = None
        self.happened = {"colours exchanged" if self.seats == [1, 0] else "colours kept"}
        self.judge(0, reply_to_five=False)

    def sequences(self, count):
        """Every way to place so many stones in the opening."""
        if count == 0:
            return [[]]
        found = []
        for x, y in self.empties():
            after = self.copy()
            after.place(x, y)
            found += [[self.name(x, y), *rest] for rest in after.sequences(count - 1)]
        return found

    # every kind of move as text: "K10"; in swap2 "K10 L10 M10", "white", "black", "more K9 L9"

    def turns(self):
        """Every legal move as text."""
        if self.over:
            return []
        if self.stage is None:
            return self.moves()
        if self.stage == "three":
            return [" ".join(names) for names in self.sequences(3)]
        more = self.sequences(2) if self.stage == "choice" else []
        return ["white", "black", *("more " + " ".join(names) for names in more)]

    def take(self, text):
        words = text.split()
        if self.stage is None:
            self.put(text)
        elif words[0] in ("white", "black"):
            self.choose(["white", "black"].index(text))
        else:
            self.open_with([word for word in words if word != "more"])


def count_turns(table, depth):
    """The number of sequences of `depth` moves; games that end earlier do not count."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(table.turns())
    total = 0
    for text in table.turns():
        after = table.copy()
        after.take(text)
        total += count_turns(after, depth - 1)
    return total

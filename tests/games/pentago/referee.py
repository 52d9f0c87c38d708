"""An independent implementation of Pentago from the rules page: lists of lists, nothing shared with src/pentad.

Slow and plain on purpose. The tests play it against the package; where the two differ, one of them is wrong.
"""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Table:
    """A mutable board of scalable Pentago. Seats are 0, 1, …; None is an empty space."""

    def __init__(self, rows=2, cols=2, block=3, players=2, line=5, win_on_placement=True):
        self.rows, self.cols, self.block = rows, cols, block
        self.players, self.line, self.win_on_placement = players, line, win_on_placement
        self.height, self.width = rows * block, cols * block
        self.spaces = [[None] * self.width for _ in range(self.height)]
        self.turn = 0
        self.over = False
        self.winners = []

    def copy(self):
        other = Table(self.rows, self.cols, self.block, self.players, self.line, self.win_on_placement)
        other.spaces = [list(row) for row in self.spaces]
        other.turn, other.over, other.winners = self.turn, self.over, list(self.winners)
        return other

    # what is on the board

    def is_full(self):
        return all(marble is not None for row in self.spaces for marble in row)

    def with_a_line(self):
        """The seats with a line, in order."""
        found = set()
        for y in range(self.height):
            for x in range(self.width):
                seat = self.spaces[y][x]
                if seat is not None and seat not in found and self.starts_a_line(y, x, seat):
                    found.add(seat)
        return sorted(found)

    def starts_a_line(self, y, x, seat):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for step in range(1, self.line):
                row, column = y + down * step, x + right * step
                if row >= self.height or not 0 <= column < self.width or self.spaces[row][column] != seat:
                    break
            else:
                return True
        return False

    # a turn: text such as "c10 4A", or "c10" where the placement wins

    def spot(self, name):
        return LETTERS.index(name[0]), int(name[1:])

    def empty_names(self):
        return [f"{LETTERS[y]}{x}" for y in range(self.height) for x in range(self.width) if self.spaces[y][x] is None]

    def wins_by_placing(self, name):
        if not self.win_on_placement:
            return False
        y, x = self.spot(name)
        self.spaces[y][x] = self.turn
        won = self.turn in self.with_a_line()
        self.spaces[y][x] = None
        return won

    def turns(self):
        """All legal turns as text."""
        if self.over:
            return []
        twists = [f"{number}{way}" for number in range(1, self.rows * self.cols + 1) for way in "AC"]
        return [
            turn
            for name in self.empty_names()
            for turn in ([name] if self.wins_by_placing(name) else [f"{name} {twist}" for twist in twists])
        ]

    def take(self, text):
        name, _, twist = text.partition(" ")
        y, x = self.spot(name)
        assert not self.over
        assert self.spaces[y][x] is None
        self.spaces[y][x] = mover = self.turn
        self.turn = (self.turn + 1) % self.players
        if self.win_on_placement and mover in self.with_a_line():
            self.over, self.winners = True, [mover]
            return
        self.rotate(int(twist[:-1]), twist[-1])
        self.winners = self.with_a_line()
        self.over = bool(self.winners) or self.is_full()

    def rotate(self, number, way):
        top = (number - 1) // self.cols * self.block
        left = (number - 1) % self.cols * self.block
        old = [[self.spaces[top + y][left + x] for x in range(self.block)] for y in range(self.block)]
        last = self.block - 1
        for y in range(self.block):
            for x in range(self.block):
                # clockwise, the left column read upwards becomes the top row
                self.spaces[top + y][left + x] = old[last - x][y] if way == "C" else old[x][last - y]

    # the end

    def returns(self):
        """The returns of all seats: winners share what losers pay; a draw is 0."""
        assert self.over
        n, k = self.players, len(self.winners)
        if k in (0, n):
            return [0.0] * n
        return [(n - k) / (k * (n - 1)) if seat in self.winners else -1 / (n - 1) for seat in range(n)]


def count_turns(table, depth):
    """The number of sequences of `depth` turns; games that end earlier do not count."""
    if depth == 0:
        return 1
    total = 0
    for turn in table.turns():
        after = table.copy()
        after.take(turn)
        total += count_turns(after, depth - 1)
    return total


SIGNS = {"black": "●", "white": "○"}


class RefereeClass:
    """The class as in the document: answers, their order, states."""

    def __init__(self):
        self.board = [["□"] * 6 for _ in range(6)]
        self.state = "UNFINISHED"
        self.next = "black"

    def get_game_state(self):
        return self.state

    def is_board_full(self):
        return not any("□" in row for row in self.board)

    def make_move(self, color, position, sub_board, rotation):
        if self.state != "UNFINISHED":
            return "game is finished"
        if color != self.next:
            return "not this player's turn"
        y, x = "abcdef".index(position[0]), "012345".index(position[1])
        if self.board[y][x] != "□":
            return "position is not empty"
        self.board[y][x] = SIGNS[color]
        opponent = "white" if color == "black" else "black"
        if self.has_five(color):
            self.state = color.upper() + "_WON"
        else:
            self.twist(sub_board, rotation)
            mine, theirs = self.has_five(color), self.has_five(opponent)
            if mine and theirs:
                self.state = "DRAW"
            elif mine or theirs:
                self.state = (color if mine else opponent).upper() + "_WON"
            elif self.is_board_full():
                self.state = "DRAW"
        self.next = opponent
        return True

    def has_five(self, color):
        rows = ["".join(row) for row in self.board]
        rising = [" " * y + row + " " * (5 - y) for y, row in enumerate(rows)]
        falling = [" " * (5 - y) + row + " " * y for y, row in enumerate(rows)]
        upright = ["".join(column) for askew in (rows, rising, falling) for column in zip(*askew, strict=True)]
        return SIGNS[color] * 5 in "/".join(rows + upright)

    def twist(self, sub_board, rotation):
        top, left = {1: (0, 0), 2: (0, 3), 3: (3, 0), 4: (3, 3)}[sub_board]
        rows = [self.board[top + y][left : left + 3] for y in range(3)]
        for _ in range(1 if rotation == "C" else 3):
            rows = [[rows[2][k], rows[1][k], rows[0][k]] for k in range(3)]
        for y in range(3):
            self.board[top + y][left : left + 3] = rows[y]

    def lines(self):
        """The lines that print_board prints."""
        return ["   ".join(row) for row in self.board]

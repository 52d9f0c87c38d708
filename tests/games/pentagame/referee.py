"""Pentagame once more, written from the rule page alone: dictionaries and sets, no idea shared with src/pentad.

Slow and plain on purpose. The tests play it against the package; where the two differ, one of them is wrong.
Sentences of the page stand in quotation marks. Where the page leaves something open, a comment that begins with
"reading:" says how it is read here.

A turn is a tuple of steps:
    ("piece", colour, to)                                   a piece of the mover's, to a field without pieces
    ("swap", colour, to, partner's seat, partner's colour)  the same, to the partner's field
    ("leave", colour)                                       a piece that waited at its goal
and after that one of the three, in this order,
    ("black", to)            where a black block was taken
    ("gray", to)             for each piece that left the board, from the pool
    ("regray", from, to)     the same while the pool is empty
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

Field = tuple[int, int, int]
Step = tuple[Any, ...]
Turn = tuple[Step, ...]
# What a seat did: colour, from, to, and the piece swapped with as (seat, colour), or None.
Move = tuple[int, Field, Field, tuple[int, int] | None]

OFF: Field = (-1, -1, -1)
COLOURS = range(5)
GRAYS = range(6, 11)  # the rules have 6 to 10 gray blocks
TO_WIN = 3


# The board


def main_field(number: int) -> Field:
    """A corner (0–4) or a junction (5–9): "[id, 0, 0]"."""
    return (number, 0, 0)


def goal(colour: int) -> Field:
    """Where a piece of that colour wants to go: "The junction of colour x (5+x)"."""
    return main_field(5 + colour)


def build() -> dict[Field, set[Field]]:
    """Every field with its neighbours."""
    edges: dict[tuple[int, int], int] = {}  # two main fields, the higher number first: how many stops lie between
    for i in COLOURS:
        after = (i + 1) % 5
        edges[max(i, after), min(i, after)] = 3  # "3 stops on each of the 5 arcs between neighbouring corners"
        edges[max(5 + i, 5 + after), min(5 + i, 5 + after)] = 3  # "3 stops on each of the 5 arms"
        edges[5 + (i + 2) % 5, i] = 6  # "Corner c has legs to junctions 5+(c+2)%5
        edges[5 + (i + 3) % 5, i] = 6  # and 5+(c+3)%5", "6 stops on each of the 10 legs"
    board: dict[Field, set[Field]] = {}
    for (high, low), stops in edges.items():
        # "A stop lies between two adjacent main fields, start > end, counter = steps from start."
        chain = [main_field(high), *((high, counter, low) for counter in range(1, stops + 1)), main_field(low)]
        for one, other in pairwise(chain):
            board.setdefault(one, set()).add(other)
            board.setdefault(other, set()).add(one)
    return board


BOARD = build()
FIELDS = sorted(BOARD)


class Game:
    """A board in the middle of a game; every turn changes it. OFF is home, in the pool, or in the hand."""

    def __init__(
        self, players: int = 2, first_to_three: bool = False, no_swap_back: bool = False, max_ply: int = 1000
    ) -> None:
        assert players in (2, 3, 4, 5)  # "2 to 4 players (5 as an unofficial option)."
        self.players, self.max_ply = players, max_ply
        self.first_to_three, self.no_swap_back = first_to_three, no_swap_back
        # "Each has five pieces, one per colour … each starts on the corner of its colour, so corners begin stacked."
        self.pieces = {seat: {colour: main_field(colour) for colour in COLOURS} for seat in range(players)}
        # "Black blocks start on the junctions; gray blocks are off the board." (11+i starts on junction 5+i)
        self.black = {i: main_field(5 + i) for i in COLOURS}
        self.gray = dict.fromkeys(GRAYS, OFF)
        self.turn = 0
        self.ply = 0
        self.last_moves: dict[int, Move | None] = dict.fromkeys(range(players))
        self.latest: int | None = None  # the seat that played the turn just before this one
        self.happened: set[str] = set()  # what the last turn did; the tests want to have seen everything

    def copy(self) -> Game:
        other = Game(self.players, self.first_to_three, self.no_swap_back, self.max_ply)
        other.pieces = {seat: dict(mine) for seat, mine in self.pieces.items()}
        other.black, other.gray = dict(self.black), dict(self.gray)
        other.turn, other.ply = self.turn, self.ply
        other.last_moves, other.latest = dict(self.last_moves), self.latest
        other.happened = set(self.happened)
        return other

    # what is on the board

    def occupied(self) -> set[Field]:
        """Fields with anything on them."""
        found = {field for mine in self.pieces.values() for field in mine.values()}
        return (found | set(self.black.values()) | set(self.gray.values())) - {OFF}

    def empties(self) -> list[Field]:
        occupied = self.occupied()
        return [field for field in FIELDS if field not in occupied]

    def pieces_on(self, field: Field) -> list[tuple[int, int]]:
        """The pieces of a field as (seat, colour); more than one is a stack."""
        return [
            (seat, colour) for seat, mine in self.pieces.items() for colour, where in mine.items() if where == field
        ]

    def pool(self) -> list[int]:
        return [number for number in GRAYS if self.gray[number] == OFF]

    def home(self, seat: int) -> int:
        """How many pieces that seat has brought out.

        reading: a piece that waits at its goal is still on the board and counts only once it has left.
        """
        return [*self.pieces[seat].values()].count(OFF)

    def waiting(self, seat: int) -> list[int]:
        """Colours of that seat's pieces on their goals.

        The seat's own moves never leave a piece there, so another player's swap brought it. reading: a waiting piece
        may be swapped away again, by anybody, before its owner's turn ("any player's piece"); then it waits no more.
        """
        return [colour for colour in COLOURS if self.pieces[seat][colour] == goal(colour)]

    # the end

    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        """Who won, and why the game is over; None while it is not.

        "First to bring three pieces out wins; the round is played to its end, and all who have three by then share the
        win. Option first_to_three ends at once."

        reading: a round is one turn of each seat, from seat 0 on; so it ends where it is seat 0's turn again.
        reading: it does not matter who moved the third piece out: a swap after which both pieces leave counts for both.
        reading: where that swap ends a first_to_three game with a third piece of each, the two share the win.
        reading: the ply limit in the middle of a round is a draw even if somebody has three by then, since nobody wins
        before the round is played to its end; at the end of a round the win comes first.
        """
        with_three = tuple(seat for seat in range(self.players) if self.home(seat) >= TO_WIN)
        if with_three and (self.first_to_three or self.turn == 0):
            return with_three, "three home"
        if self.ply >= self.max_ply:  # "max_ply (default 1,000 …) end in a draw"
            return (), "ply limit"
        return None

    # the first step of a turn

    def reach(self, start: Field) -> list[Field]:
        """Where a piece on that field can end: "any distance over empty fields, turning freely …, no jumping".

        It may end on a field that is not empty, but not go on from there: not from a block, a piece or a stack.
        reading: a piece does not end where it began, not even around a loop; so two pieces of one stack never swap.
        reading: an empty goal of the piece's own colour may be passed over; only a piece that ends there reaches it.
        """
        occupied = self.occupied()
        seen = {start}
        todo = [start]
        while todo:
            for field in BOARD[todo.pop()]:
                if field not in seen:
                    seen.add(field)
                    if field not in occupied:
                        todo.append(field)
        return sorted(seen - {start})

    def piece_moves(self) -> list[Step]:
        """Every legal first step."""
        if self.outcome() is not None:
            return []
        # "A piece brought to its goal by another player's swap leaves at the start of its owner's next turn; that and
        # its gray block are the whole turn. Several such pieces: one a turn, the owner's choice."
        if self.waiting(self.turn):
            return [("leave", colour) for colour in self.waiting(self.turn)]
        found: list[Step] = []
        for colour in COLOURS:
            start = self.pieces[self.turn][colour]
            if start == OFF:
                continue
            for to in self.reach(start):
                partners = self.pieces_on(to)
                if not partners:  # "It ends on an empty field; or on a black block …; or on a gray block …;
                    found.append(("piece", colour, to))
                for seat, other in partners:  # or on any player's piece"; "On a stack the mover names the piece."
                    # "A swap of two own pieces is one move, whichever of them is named": by the lower colour.
                    if seat != self.turn or colour < other:
                        found.append(("swap", colour, to, seat, other))
        return [step for step in found if not self.is_repeat(step) and not self.is_swap_back(step)]

    def as_move(self, step: Step) -> Move:
        """Piece, from, to, partner. Blocks are no partners.

        reading: a forced exit is a move too, to OFF; so whatever its owner moved before it may be moved again after it.
        """
        start = self.pieces[self.turn][step[1]]
        if step[0] == "leave":
            return step[1], start, OFF, None
        return step[1], start, step[2], ((step[3], step[4]) if step[0] == "swap" else None)

    def is_repeat(self, step: Step) -> bool:
        """ "Never repeat one's own previous move exactly (same piece, from, to, partner)."

        Going back, from where the piece is to where it was, is no repetition. What blocks were placed does not matter.
        """
        return self.as_move(step) == self.last_moves[self.turn]

    def is_swap_back(self, step: Step) -> bool:
        """ "Option no_swap_back also bans undoing the opponent's swap at once."

        reading: "at once" is in the very next turn, also with more than two players; and it is undone where the same
        two pieces change places again.
        """
        if not self.no_swap_back or self.latest is None or step[0] != "swap":
            return False
        move = self.last_moves[self.latest]
        assert move is not None
        return move[3] == (self.turn, step[1]) and (self.latest, move[0]) == (step[3], step[4])

    def begin(self, step: Step) -> list[str]:
        """Carry out a first step; what is to be placed after it."""
        mine = self.pieces[self.turn]
        owed: list[str] = []
        if step[0] == "leave":
            mine[step[1]] = OFF
            self.happened.add("forced exit")
            return ["gray"]
        if step[0] == "piece":
            _, colour, to = step
            mine[colour] = to
            for i in COLOURS:
                if self.black[i] == to:  # "on a black block, which the mover then puts on any empty field"
                    self.black[i] = OFF
                    owed.append("black")
                    self.happened.add("black taken")
            for number in GRAYS:
                if self.gray[number] == to:  # "on a gray block, which goes back to the pool"
                    self.gray[number] = OFF
                    self.happened.add("gray taken")
            moved = [(self.turn, colour)]
        else:
            _, colour, to, seat, other = step
            # "which swaps places with it"; the partner may so come onto a stack, or leave one
            self.pieces[seat][other], mine[colour] = mine[colour], to
            moved = [(self.turn, colour), (seat, other)]
            self.happened.add("swap of own pieces" if seat == self.turn else "swap")
        at_goal = [(seat, colour) for seat, colour in moved if self.pieces[seat][colour] == goal(colour)]
        # "A piece that reaches the junction of its own colour leaves the board, and the mover puts a gray block …"
        # "A swap that puts the mover's piece and the other on their goals: both leave, two grays, placed by the mover;
        # another player's piece put on its goal alone waits for its owner's turn."
        # reading: in a swap of two own pieces either is the mover's and leaves from its goal, whichever is named.
        if any(seat == self.turn for seat, _ in at_goal):
            for seat, colour in at_goal:
                self.pieces[seat][colour] = OFF
                owed.append("gray")
            self.happened.add("exit" if len(at_goal) == 1 else "exit of both")
            if {seat for seat, _ in at_goal} != {self.turn}:
                self.happened.add("exit of another's piece")
            if "black taken" in self.happened:
                self.happened.add("black and gray")
            if "gray taken" in self.happened:
                self.happened.add("exit from a gray block")
        elif at_goal:
            self.happened.add("left waiting")
        return owed  # "Black before gray when one turn earns both."

    # the placing steps

    def placings(self, kind: str) -> list[Step]:
        """Every way to place a block of that kind now.

        "any empty field" is any field with nothing on it once the pieces have moved and left: "The field just left
        counts as empty for what the turn places" unless the rest of a stack or the partner stands there; "The goal just
        left free may be chosen".
        reading: a piece that has reached its goal is gone before anything is placed, so the goal may be chosen for the
        black block taken there as well as for the gray one; and both goals may, where two pieces leave.
        """
        if kind == "black":
            return [("black", to) for to in self.empties()]
        if self.pool():
            return [("gray", to) for to in self.empties()]
        # "with an empty pool, one already on the board is moved" – reading: to another field
        # reading: of two grays the second may be the one that came or moved first; it is on the board by then.
        return [("regray", start, to) for start in sorted(self.gray.values()) for to in self.empties()]

    def put(self, step: Step) -> None:
        """Carry out a placing step."""
        if step[0] == "black":
            (hand,) = (i for i in COLOURS if self.black[i] == OFF)
            self.black[hand] = step[1]
        elif step[0] == "gray":
            self.gray[self.pool()[0]] = step[1]  # the lowest number in the pool
        else:
            (number,) = (number for number in GRAYS if self.gray[number] == step[1])
            self.gray[number] = step[2]
            self.happened.add("gray moved")

    def endings(self, owed: list[str]) -> Iterator[Turn]:
        """Every way to place what is owed. reading: two grays in the other order are another turn."""
        if not owed:
            yield ()
            return
        for step in self.placings(owed[0]):
            if len(owed) == 1:
                yield (step,)
                continue
            after = self.copy()
            after.put(step)
            for rest in after.endings(owed[1:]):
                yield (step, *rest)

    # whole turns

    def turns_with(self, first: Step) -> Iterator[Turn]:
        """Every legal turn with that legal first step."""
        after = self.copy()
        after.happened = set()
        owed = after.begin(first)
        for rest in after.endings(owed):
            yield (first, *rest)

    def turns(self) -> Iterator[Turn]:
        """Every legal turn."""
        for first in self.piece_moves():
            yield from self.turns_with(first)

    def count(self) -> int:
        """How many legal turns there are, without listing those that differ in the last step alone."""
        total = 0
        for first in self.piece_moves():
            after = self.copy()
            after.happened = set()
            total += after.count_endings(after.begin(first))
        return total

    def count_endings(self, owed: list[str]) -> int:
        if not owed:
            return 1
        if len(owed) == 1:
            return len(self.placings(owed[0]))
        total = 0
        for step in self.placings(owed[0]):
            after = self.copy()
            after.put(step)
            total += after.count_endings(owed[1:])
        return total

    def is_legal(self, turn: Turn) -> bool:
        if not turn or turn[0] not in self.piece_moves():
            return False
        after = self.copy()
        after.happened = set()
        owed = after.begin(turn[0])
        if len(owed) != len(turn) - 1:
            return False
        for kind, step in zip(owed, turn[1:], strict=True):
            if step not in after.placings(kind):
                return False
            after.put(step)
        return True

    def play(self, turn: Turn) -> None:
        assert self.is_legal(turn), turn
        move = self.as_move(turn[0])
        self.happened = set()
        self.begin(turn[0])
        for step in turn[1:]:
            self.put(step)
        self.last_moves[self.turn] = move
        self.latest = self.turn
        self.ply += 1
        # reading: a seat that has three by another's swap still plays its turn of the round. "There is always a legal
        # turn" – but for one case: with four or five players the others' swaps can take a seat's last piece out before
        # its turn of the round; it is passed over, and that is no ply.
        self.turn = (self.turn + 1) % self.players
        while self.turn != 0 and self.home(self.turn) == 5:
            self.turn = (self.turn + 1) % self.players
            self.happened.add("passed over")

    def state(self) -> tuple[Any, ...]:
        """All that bears on legality; blocks of one kind are alike."""
        return (
            tuple(tuple(self.pieces[seat][colour] for colour in COLOURS) for seat in range(self.players)),
            tuple(sorted(self.black.values())),
            tuple(sorted(self.gray.values())),
            self.turn,
            self.ply,
            tuple(self.last_moves[seat] for seat in range(self.players)),
        )

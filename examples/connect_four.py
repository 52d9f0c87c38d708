"""Connect Four as a plug-in: a whole game in one module, for every screen of pentad, with search bots in two more.

Another distribution adds it with an entry point: `connect_four = "connect_four"` in the group `pentad.games`."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import connect_four_engine

from pentad import drawing
from pentad import game as base
from pentad.game import Choice, Choices, GameError, IllegalMove, InvalidMove, Move, Outcome, Span, Steps
from pentad.search.bot import BotEntry
from pentad.search.simple_bots import GreedyBot, RandomBot

COLOURS, LETTERS, ROWS, LINE = ("red", "yellow"), "abcdefg", 6, 4
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Drops(list[Move], base.LegalMoves):
    """The columns that are not full."""


@dataclass(frozen=True, repr=False)
class ConnectFour(base.Position):
    """The discs of each column, from the bottom: `r` red, `y` yellow."""

    columns: tuple[str, ...]

    game = "connect_four"
    players = 2

    @property
    def options(self) -> Mapping[str, base.OptionValue]:
        return {}

    @property
    def ply(self) -> int:
        return sum(map(len, self.columns))

    @property
    def turn(self) -> int:
        return self.ply % 2

    @property
    def text(self) -> str:
        return f"connect_four {'/'.join(each or '-' for each in self.columns)}"

    @cached_property
    def discs(self) -> dict[tuple[int, int], str]:
        """The colours of the discs, by column and row."""
        return {(i, row): disc for i, column in enumerate(self.columns) for row, disc in enumerate(column)}

    @cached_property
    def won(self) -> set[tuple[int, int]]:
        """The places of all complete lines."""
        won = set[tuple[int, int]]()
        for (i, row), (right, up) in itertools.product(self.discs, DIRECTIONS):
            line = [(i + step * right, row + step * up) for step in range(LINE)]
            if {self.discs.get(at) for at in line} == {self.discs[i, row]}:
                won.update(line)
        return won

    @property
    def outcome(self) -> Outcome | None:
        if self.won:
            return Outcome.of((1 - self.turn,), 2, "line")
        return Outcome.of((), 2, "full board") if self.ply == ROWS * len(LETTERS) else None

    @property
    def legal_moves(self) -> base.LegalMoves:
        free = zip(LETTERS, self.columns, strict=True)
        return Drops(Move((letter,)) for letter, discs in free if len(discs) < ROWS and not self.won)

    def parse(self, text: str) -> Move:
        name = text.strip().lower() if isinstance(text, str) else ""
        if len(name) != 1 or name not in LETTERS:
            raise InvalidMove(f"Expected a column from a to g, got {base.shown(text)}.")
        return Move((name,))

    def choices(self, steps: Steps = "") -> Choices:
        if self._read(steps):
            return Choices((), "The turn is complete.", may_end=True)
        drops = (Choice(move[0], (str(move),), f"Column {move}") for move in self.legal_moves)
        return Choices(drops, "The game is over." if self.outcome else "Choose a column.")

    def partial(self, steps: Steps) -> ConnectFour:
        return self.play(steps) if self._read(steps) else self

    def play(self, move: Steps) -> ConnectFour:
        played = self._read(move) or self.parse("")
        if played not in self.legal_moves:
            raise IllegalMove("The game is over." if self.outcome else f"Column {played} is full.")
        at = LETTERS.index(str(played))
        return ConnectFour((*self.columns[:at], self.columns[at] + "ry"[self.turn], *self.columns[at + 1 :]))

    def _read(self, steps: Steps) -> Move | None:
        """The move that some steps are; None for no steps."""
        if isinstance(steps, Choice):
            steps = str(steps)
        elif isinstance(steps, Iterable) and not isinstance(steps, str):
            steps = " ".join(map(str, steps))
        return None if steps == "" else self.parse(steps)

    def colour_of(self, seat: int) -> str:
        return COLOURS[seat]

    def describe(self, move: Move) -> str:
        return f"{COLOURS[self.turn].capitalize()} drops a disc in column {move}."


def read(options: Mapping[str, base.OptionValue], words: list[str]) -> ConnectFour:  # noqa: ARG001
    """The position in the words of a text."""
    columns = tuple("" if each == "-" else each for each in "".join(words[:1]).split("/"))
    if len(words) != 1 or len(columns) != len(LETTERS) or any(set(each) - {"r", "y"} for each in columns):
        raise GameError("Expected seven columns of r and y separated by /, - for an empty one.")
    here, reds = ConnectFour(columns), sum(each.count("r") for each in columns)
    to_move = "ry"[here.turn]
    if max(map(len, columns)) > ROWS or reds * 2 - here.ply not in (0, 1) or to_move in map(here.discs.get, here.won):
        raise GameError("No game leads to this board.")
    return here


GAME = base.Game(
    name="connect_four",
    title="Connect Four",
    summary="drop discs; four in a row win",
    options={},
    colours=COLOURS,
    start=lambda options: ConnectFour(("",) * len(LETTERS)),
    read=read,
    guide="Drop a disc in a column. Four in a row win.",
)

CELL, DISC, EDGE = 60, 24.0, 24


def svg(
    position: ConnectFour,
    *,
    last: Move | str | None = None,
    flip: bool = False,
    style: bool = True,
    labels: bool = True,
) -> str:
    """The board; each column is a target. Without `labels` it is the board alone."""
    whole = (EDGE, EDGE, CELL * len(LETTERS), CELL * ROWS)
    parts = [drawing.tile(*whole, 12)]
    for i, letter in enumerate(LETTERS):
        x = EDGE + CELL * (len(LETTERS) - 1 - i if flip else i)
        column = [drawing.tag("rect", x=x, y=EDGE, width=CELL, height=CELL * ROWS, class_="touch")]
        for row in range(ROWS):
            at, disc = (x + CELL / 2, EDGE + CELL * (ROWS - row - 0.5)), position.discs.get((i, row))
            hole = drawing.tag("circle", cx=at[0], cy=at[1], r=DISC, class_="hole")
            column.append(drawing.marble(COLOURS["ry".index(disc)], *at, DISC) if disc else hole)
            is_last = str(last) == letter and row == len(position.columns[i]) - 1
            if is_last or (i, row) in position.won:
                column.append(drawing.ring("won" if (i, row) in position.won else "last", *at, DISC))
        parts.append(drawing.target(letter, f"column {letter}", *column))
        parts += [drawing.label(letter, x + CELL / 2, EDGE / 2)] if labels else []
    return drawing.sheet(
        *(2 * EDGE + CELL * len(LETTERS), 2 * EDGE + CELL * ROWS),
        *parts,
        title=status(position),
        description=" ".join(listing(position)[:-1]),
        colours=COLOURS,
        style=style,
        labels=labels,
        view=whole,
    )


def spans(position: ConnectFour, *, last: Move | str | None = None, flip: bool = False) -> list[list[Span]]:
    """The board as lines of text."""
    order = range(len(LETTERS))[:: -1 if flip else 1]
    shown = {"r": (" ●", "red"), "y": (" ○", "yellow"), "": (" ·", "empty")}
    at = {i: f" @{letter}" for i, letter in enumerate(LETTERS)}  # the target that the text belongs to
    lines = [[(f" {LETTERS[i]}", ("last" if str(last) == LETTERS[i] else "label") + at[i]) for i in order]]
    for row in reversed(range(ROWS)):
        discs = [(i, *shown[position.discs.get((i, row), "")]) for i in order]
        lines.append([(text, role + at[i]) for i, text, role in discs])
    return [*lines, [(status(position), "status")]]


def status(position: ConnectFour) -> str:
    """The player to move, or the result."""
    if position.won:
        return f"{COLOURS[1 - position.turn].capitalize()} wins."
    return "Draw." if position.outcome else f"{COLOURS[position.turn].capitalize()} to drop a disc."


def listing(position: ConnectFour) -> list[str]:
    """The columns as sentences."""
    words = {"r": "red", "y": "yellow"}
    columns = {LETTERS[i]: ", ".join(words[disc] for disc in each) for i, each in enumerate(position.columns) if each}
    return [*(f"Column {letter}: {discs}." for letter, discs in columns.items()), status(position)]


def EVALUATE(position: base.Position, seat: int) -> float:  # noqa: N802 - the name that pentad looks for
    """How much closer to the centre the seat's discs are than the opponent's."""
    assert isinstance(position, ConnectFour)
    far = [sum(abs(i - 3) for (i, _), each in position.discs.items() if each == disc) for disc in "ry"]
    return far[1 - seat] - far[seat]


BOTS = {
    "random": BotEntry("plays random moves", RandomBot),
    "greedy": BotEntry("looks one move ahead", lambda seed: GreedyBot(EVALUATE, seed)),
} | connect_four_engine.BOTS

if __name__ == "__main__":
    from pentad.terminal import main

    base.PACKAGES["connect_four"] = "connect_four"
    raise SystemExit(main(["play", "connect_four", "--red", "random", "--yellow", "greedy", "--seed", "1"]))

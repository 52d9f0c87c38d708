"""The rules of Pentago, classic and scalable, as described in `docs/play/rules-pentago.md`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import cast

from pentad.game import (
    GAME_OVER,
    Choice,
    Choices,
    Game,
    GameError,
    IllegalMove,
    InvalidMove,
    LegalMoves,
    Move,
    Option,
    OptionValue,
    Outcome,
    Position,
    Step,
    Steps,
    Symmetry,
    nth_bit,
    shown,
)
from pentad.games.pentago import notation
from pentad.games.pentago.board import Board, Place, Twist, board, spaces_of, symmetries

MOST_ROWS, MOST_SPACES = 26, 400
FULL_BOARD = "full board"  # the reason of a draw without a line
DIRECTION_WORDS = {"C": "clockwise", "A": "anti-clockwise"}
PLACE_PROMPT, TWIST_PROMPT = "Place a marble.", "Twist a sub-board."


@dataclass(frozen=True)
class Setup:
    """The setup of a game: the board, the number of players, and whether a placement alone can win."""

    board: Board
    players: int = 2
    win_on_placement: bool = True

    @classmethod
    def of(cls, options: Mapping[str, OptionValue]) -> Setup:
        """The setup for these options; raises `GameError` if the board is impossible."""
        rows, cols, block, line, players = (
            cast(int, options[name]) for name in ("rows", "cols", "block", "line", "players")
        )
        height, width = rows * block, cols * block
        if height > MOST_ROWS:
            raise GameError(
                "{rows} sub-boards of {block} rows make {height} rows. At most {most_rows} are allowed.",
                rows=rows,
                block=block,
                height=height,
                most_rows=MOST_ROWS,
            )
        if height * width > MOST_SPACES:
            raise GameError(
                "A board of {height} × {width} has {spaces} spaces. At most {most_spaces} are allowed.",
                height=height,
                width=width,
                spaces=height * width,
                most_spaces=MOST_SPACES,
            )
        if line > max(height, width):
            raise GameError(
                "No line of {line} fits on a board of {height} × {width}.", line=line, height=height, width=width
            )
        return cls(board(rows, cols, block, line), players, bool(options["win_on_placement"]))

    def ended(self, winners: Iterable[int]) -> Outcome:
        """The outcome if these seats have a line; without any, the board is full."""
        with_line = tuple(winners)
        line = "five" if self.board.line == 5 else f"line of {self.board.line}"
        return Outcome.of(with_line, self.players, line if with_line else FULL_BOARD)


@dataclass(frozen=True, repr=False)
class PentagoPosition(Position):
    """The marbles of each seat as sets of spaces; `placed` if the mover's twist is still to come."""

    setup: Setup
    marbles: tuple[int, ...]
    placed: bool = False

    game = "pentago"

    @property
    def board(self) -> Board:
        return self.setup.board

    @property
    def players(self) -> int:
        return self.setup.players

    @cached_property
    def ply(self) -> int:
        return sum(marbles.bit_count() for marbles in self.marbles) - self.placed

    @property
    def turn(self) -> int:
        return self.ply % self.players

    @cached_property
    def empty(self) -> int:
        """The set of empty spaces."""
        empty = self.board.all_spaces
        for marbles in self.marbles:
            empty &= ~marbles
        return empty

    @property
    def options(self) -> Mapping[str, OptionValue]:
        board = self.board
        return {
            "rows": board.rows,
            "cols": board.cols,
            "block": board.block,
            "players": self.players,
            "line": board.line,
            "win_on_placement": self.setup.win_on_placement,
        }

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def outcome(self) -> Outcome | None:
        has_line = self.board.has_line
        if self.placed:  # between placement and twist only the mover can have won
            won = self.setup.win_on_placement and has_line(self.marbles[self.turn])
            return self.setup.ended((self.turn,)) if won else None
        with_line = tuple(seat for seat, marbles in enumerate(self.marbles) if has_line(marbles))
        return self.setup.ended(with_line) if with_line or not self.empty else None

    # ── playing ──────────────────────────────────────────────────────────────────────────────────

    def play(self, move: Steps) -> PentagoPosition:
        steps = self._steps(move)
        if not steps:
            raise InvalidMove(
                "The move is missing. An example is {place} {twist}.",
                place=self.board.places[0],
                twist=self.board.twists[0],
            )
        after = self._after(steps)
        if after.placed:
            if after.outcome is None:
                raise IllegalMove("{step} does not win, so a twist must follow, such as {step} 1C.", step=steps[0])
            return replace(after, placed=False)
        return after

    def partial(self, steps: Steps) -> PentagoPosition:
        read = self._steps(steps)
        after = self._after(read)
        if read and not after.placed:
            raise IllegalMove("{move} is a whole turn, not the beginning of one.", move=Move(read))
        return after

    def choices(self, steps: Steps = "") -> Choices:
        read = self._steps(steps)
        here = self._after(read)
        if here.placed and here.outcome:
            return Choices((), "The placement wins.", may_end=True)
        if read and not here.placed:
            return Choices((), "The turn is complete.", may_end=True)
        if here.outcome:
            return Choices((), GAME_OVER)
        if here.placed:
            return Choices(labelled(self.board.twists), TWIST_PROMPT)
        places = labelled(self.board.places)
        return Choices((places[space] for space in spaces_of(here.empty)), PLACE_PROMPT)

    @property
    def legal_moves(self) -> PentagoMoves:
        return PentagoMoves(self)

    def _after(self, steps: tuple[Step, ...]) -> PentagoPosition:
        """The position after these steps of a turn; a twist after a winning placement is ignored."""
        here = self
        if self.outcome and steps:
            raise IllegalMove("The game is over. {status}", status=self.status)
        for step in steps:
            if isinstance(step, Place):
                here = here._placed(step)
            elif here.outcome is None:
                marbles = tuple(self.board.twist(mine, cast(Twist, step)) for mine in here.marbles)
                here = PentagoPosition(self.setup, marbles)
        return here

    def _placed(self, place: Place) -> PentagoPosition:
        bit = 1 << self.board.space(*place)
        if not self.empty & bit:
            owner = next(seat for seat, marbles in enumerate(self.marbles) if marbles & bit)
            raise IllegalMove("{place} is taken by a {colour} marble.", place=place, colour=self.colour_of(owner))
        mine = self.turn
        marbles = tuple(m | bit if seat == mine else m for seat, m in enumerate(self.marbles))
        return PentagoPosition(self.setup, marbles, placed=True)

    def _steps(self, given: Steps) -> tuple[Step, ...]:
        """Converts a text, a Choice or steps to steps of this board."""
        if isinstance(given, str):
            return notation.read_steps(self.board, given, self.placed)
        if isinstance(given, Choice):
            given = (given.step,)
        elif isinstance(given, Place | Twist) or not isinstance(given, Iterable):
            given = (given,)
        due = (Place, Twist)[self.placed :]
        steps = tuple(islice(given, len(due) + 1))  # reads no more than one step too many
        for number, step in enumerate(steps):
            if number >= len(due) or type(step) is not due[number] or step not in self.board.steps:
                raise InvalidMove("{step} is not a step of a turn here.", step=shown(step, 40))
        return tuple(self.board.steps[step] for step in steps)

    # ── text ────────────────────────────────────────────────────────────────────────────────────

    def parse(self, text: str) -> Move:
        steps = notation.read_steps(self.board, text, self.placed)
        if not steps:
            raise InvalidMove(
                "The move is missing. An example is {place} {twist}.",
                place=self.board.places[0],
                twist=self.board.twists[0],
            )
        return Move(steps[:1] if self._ignores_twist(steps) else steps)

    def _ignores_twist(self, steps: tuple[Step, ...]) -> bool:
        """Whether the placement of a whole turn ends the game, so that no twist follows."""
        return len(steps) == 2 and bool(self.winning_spaces >> self.board.space(*cast(Place, steps[0])) & 1)

    @cached_property
    def winning_spaces(self) -> int:
        """The empty spaces on which the mover's marble wins without a twist."""
        if self.placed or not self.setup.win_on_placement:
            return 0
        return self.board.completing(self.marbles[self.turn], self.empty)

    @property
    def text(self) -> str:
        words = (self.game, self.options_text(), notation.write_board(self.board, self.marbles))
        return " ".join(word for word in (*words, "placed" if self.placed else "") if word)

    def colour_of(self, seat: int) -> str:
        return notation.COLOURS[seat]

    def describe(self, move: Move) -> str:
        actions = (action(cast("Place | Twist", step)) for step in move)
        return f"{self.colour_of(self.turn).capitalize()} {' and '.join(actions)}."

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        return tuple(
            Symmetry(each.name, lambda p, each=each: _image(p, each.spaces), each.move)  # type: ignore[misc]
            for each in symmetries(self.board)
        )


def _image(position: Position, spaces: tuple[int, ...]) -> Position:
    assert isinstance(position, PentagoPosition)
    marbles = tuple(sum(1 << spaces[space] for space in spaces_of(m)) for m in position.marbles)
    return replace(position, marbles=marbles)


def _turned(twist: Twist) -> str:
    return f"sub-board {twist.sub_board} {DIRECTION_WORDS[twist.direction]}"


def action(step: Place | Twist) -> str:
    """What a player does by a step, as the predicate of a sentence."""
    return f"twists {_turned(step)}" if isinstance(step, Twist) else f"plays {step}"


@lru_cache(maxsize=32)  # every turn has the same choices
def labelled(steps: tuple[Place | Twist, ...]) -> tuple[Choice, ...]:
    """The choices of these steps."""
    labels = (f"Twist {_turned(step)}" if isinstance(step, Twist) else f"Place at {step}" for step in steps)
    return tuple(Choice(step, (str(step),), label) for step, label in zip(steps, labels, strict=True))


class PentagoMoves(LegalMoves):
    """The empty spaces in reading order, each with every twist, or alone if the placement wins."""

    position: PentagoPosition

    def __len__(self) -> int:
        here = self.position
        if here.outcome:
            return 0
        twists = len(here.board.twists)
        if here.placed:
            return twists
        winning = here.winning_spaces.bit_count()
        return (here.empty.bit_count() - winning) * twists + winning

    def __iter__(self) -> Iterator[Move]:
        here = self.position
        if here.outcome:
            return
        board, twists = here.board, here.board.twists
        if here.placed:
            yield from (Move((twist,)) for twist in twists)
            return
        for space in spaces_of(here.empty):
            place = board.places[space]
            if here.winning_spaces >> space & 1:
                yield Move((place,))
            else:
                yield from (Move((place, twist)) for twist in twists)

    def _at(self, index: int) -> Move:
        here = self.position
        places, twists = here.board.places, here.board.twists
        if here.placed:
            return Move((twists[index],))
        if not here.winning_spaces:
            space, twist = divmod(index, len(twists))
            return Move((places[nth_bit(here.empty, space)], twists[twist]))
        return super()._at(index)

    def _is_plain(self, move: Move) -> bool:
        return not self.position._ignores_twist(move)


# ── the game ─────────────────────────────────────────────────────────────────────────────────────


def _start(options: Mapping[str, OptionValue]) -> PentagoPosition:
    setup = Setup.of(options)
    return PentagoPosition(setup, (0,) * setup.players)


def _read(options: Mapping[str, OptionValue], words: list[str]) -> PentagoPosition:
    setup = Setup.of(options)
    if len(words) not in (1, 2) or words[1:] not in ([], ["placed"]):
        raise GameError('Expected a Pentago position: options, rows joined by /, and "placed" in the middle of a turn.')
    return position(setup, notation.read_board(setup.board, words[0], setup.players), placed=len(words) == 2)


def position(setup: Setup, marbles: tuple[int, ...], placed: bool = False) -> PentagoPosition:
    """Makes a position; raises `GameError` if the numbers of marbles are impossible."""
    counts = [m.bit_count() for m in marbles]
    due = [(sum(counts) + setup.players - 1 - seat) // setup.players for seat in range(setup.players)]
    if counts != due:
        have, want = (
            ", ".join(f"{n} {colour}" for n, colour in zip(numbers, notation.COLOURS, strict=False))
            for numbers in (counts, due)
        )
        raise GameError(
            "The players move in turn, so the marbles must be {expected}, not {got}.", expected=want, got=have
        )
    if placed and not sum(counts):
        raise GameError("No marble is on the board, so none has just been placed.")
    return PentagoPosition(setup, marbles, placed)


# ── board numbers of the published strong solution ────────────────────────────────────────────────
#
# A board is 64 bits, sixteen for each quadrant. A quadrant is a radix-3 number: 0 empty, 1 black, 2 white. Quadrants
# and their spaces are counted up the columns, from the bottom left. The suffix `m` for a board in the middle of a
# turn in the published tables is the argument `placed` here.

_CLASSIC = board(2, 2, 3, 5)
_QUADRANT_BOARDS = 3**9


def _space_of_cell(quadrant: int, cell: int) -> int:
    """The space of a quadrant's cell: in the numbers y counts from the bottom, on the board rows count from the top."""
    x = 3 * (quadrant // 2) + cell // 3
    y = 3 * (quadrant % 2) + cell % 3
    return _CLASSIC.space(5 - y, x)


QUADRANT_SPACES = tuple(tuple(_space_of_cell(quadrant, cell) for cell in range(9)) for quadrant in range(4))


def from_number(number: int, placed: bool = False, *, win_on_placement: bool = True) -> PentagoPosition:
    """The position of a board number; with `placed`, a marble is placed and the twist is still to come.

    >>> print(from_number(589824).text)
    pentago b...../....../....../....../....../......
    """
    if type(number) is not int or not 0 <= number < 1 << 64:
        raise GameError("A board number must be a whole number of 64 bits, not {number}.", number=shown(number))
    for flag in (placed, win_on_placement):
        if type(flag) is not bool:
            raise GameError(
                "The flags placed and win_on_placement must be true or false, not {flag}.", flag=shown(flag)
            )
    marbles = [0, 0]
    for quadrant, spaces in enumerate(QUADRANT_SPACES):
        digits = number >> 16 * quadrant & 0xFFFF
        if digits >= _QUADRANT_BOARDS:
            raise GameError(
                "{number} is not a board number: Quadrant {quadrant} holds {digits}, more than 19682.",
                number=number,
                quadrant=quadrant,
                digits=digits,
            )
        for space in spaces:
            digits, digit = divmod(digits, 3)
            if digit:
                marbles[digit - 1] |= 1 << space
    return position(Setup(_CLASSIC, 2, win_on_placement), (marbles[0], marbles[1]), placed)


def to_number(position: PentagoPosition) -> int:
    """The board number of a classic position."""
    if getattr(position, "board", None) != _CLASSIC or position.players != 2:
        raise GameError("Only boards of classic Pentago have a number: 2 × 2 sub-boards of 3 × 3, two players.")
    black, white = position.marbles
    number = 0
    for quadrant, spaces in enumerate(QUADRANT_SPACES):
        digits = 0
        for space in reversed(spaces):
            digits = 3 * digits + (black >> space & 1) + 2 * (white >> space & 1)
        number |= digits << 16 * quadrant
    return number


_NUMBER = re.compile(r"([0-9]+)(m?)")
_MAX_DIGITS = 20  # a number of 64 bits has no more


def _read_short(text: str) -> PentagoPosition | None:
    """The position of a board number, followed by m if a marble is placed."""
    number = _NUMBER.fullmatch(text)
    if number is None:
        return None
    digits, middle = number.groups()
    if len(digits) > _MAX_DIGITS:
        raise GameError(
            "A board number has at most {most_digits} digits, not {count:,}.",
            most_digits=_MAX_DIGITS,
            count=len(digits),
        )
    return from_number(int(digits), placed=bool(middle))


GAME = Game(
    name="pentago",
    title="Pentago",
    summary="place a marble and twist a sub-board; five in a row wins",
    options={
        option.name: option
        for option in (
            Option("rows", 2, "rows of sub-boards", 1, MOST_ROWS, about="Three and more players need more space."),
            Option("cols", 2, "columns of sub-boards", 1, MOST_SPACES, about="They need not be as many as the rows."),
            Option("block", 3, "spaces per side of a sub-board", 1, 20, about="A sub-board is a square."),
            Option(
                "players",
                2,
                "number of players",
                2,
                len(notation.COLOURS),
                about="Each plays for itself, with marbles of its own colour.",
            ),
            Option("line", 5, "marbles in a row that win", 2, MOST_SPACES, about="They may lie in any direction."),
            Option(
                "win_on_placement",
                True,
                "five in a row wins immediately, before the twist",
                about="Otherwise the twist comes first, and may break the row.",
            ),
        )
    },
    colours=notation.COLOURS,
    start=_start,
    read=_read,
    guide="Place a marble on any empty space, then twist one sub-board by a quarter turn. "
    "Get {line} in a row to win: horizontally, vertically or diagonally.",
    short_form="board number of Pentago, followed by m if the marble is placed and the twist is still to come",
    read_short=_read_short,
    presets={
        "Three players": {"rows": 3, "cols": 3, "players": 3},
        "Four players": {"rows": 3, "cols": 3, "players": 4},
        "Nine sub-boards": {"rows": 3, "cols": 3},
        "Twist before five counts": {"win_on_placement": False},
    },
)

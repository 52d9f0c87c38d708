"""Looks of Pentago: its drawing and its words as expressions, and the numbers of a position and of a step.

The numbers of a position, one after the other:

- each space: its seat from 1, 0 if it is empty; in a winning line `players + 1` more, played last twice that more
- each sub-board: 1 if it was turned clockwise by the last move, 2 if anti-clockwise, else 0
- each twist: 2 if it is a choice now, 1 if it was the last one, else 0
- the status: twice the seat to move, and 1 more if its twist is to come; after the end twice the number of players, and
  the winners as bits
- the marbles of each seat: how many, and their spaces, with room for all spaces

Those of a step: its action, and the seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pentad import drawing
from pentad.drawing.looks import At, Coordinate, Each, Expression, Pick, Sheet, sheet_of
from pentad.game import GAME_OVER, Move, Outcome, Step, bit_numbers
from pentad.games.parts import Told, Words
from pentad.games.pentago import encoding, notation
from pentad.games.pentago.board import ANTICLOCKWISE, CLOCKWISE, DIRECTIONS, ROW_LETTERS, Board, Place, Twist, spaces_of
from pentad.games.pentago.look_constants import CHOICE, STATUSES, TURNED
from pentad.games.pentago.rules import (
    DIRECTION_WORDS,
    FULL_BOARD,
    PLACE_PROMPT,
    TWIST_PROMPT,
    PentagoPosition,
    Setup,
    action,
    labelled,
)
from pentad.system.words import phrase, uncapitalized

STEPS = 2  # of a turn, at most: a marble and a twist

# ── highlights ────────────────────────────────────────────────────────────────────────


class Highlights:
    """Highlights of a position: the last placed marble, the last twist, the winning lines."""

    def __init__(self, position: PentagoPosition, last: Move | str | None) -> None:
        board = position.board
        if isinstance(last, str):  # the second part of a turn may be a twist alone
            last = Move(notation.read_steps(board, last, placed=last[:1].isdigit()))
        steps = last or ()
        self.twist = next((step for step in steps if isinstance(step, Twist)), None)
        self.placed = sum(1 << board.space(*step) for step in steps if isinstance(step, Place))
        if self.twist:
            self.placed = board.twist(self.placed, self.twist)
        self.won = 0
        for seat in position.outcome.winners if position.outcome else ():
            for line in board.lines:
                if position.marbles[seat] & line == line:
                    self.won |= line


# ── numbers ───────────────────────────────────────────────────────────────────────────


class _Numbering:
    """The first index of each kind of numbers."""

    def __init__(self, setup: Setup) -> None:
        board = setup.board
        self.sub_boards = board.size
        self.twists = self.sub_boards + len(board.sub_boards)
        self.status = self.twists + len(board.twists)
        self.marbles = [self.status + 1 + seat * (board.size + 1) for seat in range(setup.players)]


def numbers(here: PentagoPosition, last: Move | str | None) -> list[int]:
    """What the drawing shows of a position after a move, or after the beginning of one."""
    board, highlights, kinds = here.board, Highlights(here, last), here.players + 1
    spaces = [0] * board.size
    held: list[int] = []
    for seat, marbles in enumerate(here.marbles):
        mine = [*spaces_of(marbles)]
        for space in mine:
            spaces[space] = seat + 1
        held += [len(mine), *mine, *[0] * (board.size - len(mine))]
    for marbles, more in ((highlights.won, kinds), (highlights.placed, 2 * kinds)):
        for space in spaces_of(marbles):
            spaces[space] += more
    sub_boards = [0] * len(board.sub_boards)
    twists = [CHOICE if here.placed and here.outcome is None else 0] * len(board.twists)
    if highlights.twist:
        sub_board, direction = highlights.twist.sub_board - 1, DIRECTIONS.index(highlights.twist.direction)
        sub_boards[sub_board] = 1 + direction
        twists[2 * sub_board + direction] = twists[2 * sub_board + direction] or TURNED
    return [*spaces, *sub_boards, *twists, status_number(here), *held]


def status_number(here: PentagoPosition) -> int:
    """The number of the status of a position."""
    if here.outcome:
        return STATUSES * here.players + sum(1 << seat for seat in here.outcome.winners)
    return STATUSES * here.turn + here.placed


def offer(here: PentagoPosition, step: Step) -> list[int]:
    """The numbers of a legal step."""
    return [encoding.number(here, step), here.turn]


# ── the drawing ───────────────────────────────────────────────────────────────────────

CELL = 60
MARBLE_RADIUS = 24.0
HOLE_RADIUS = 20.0
RIM = 6  # margin of a sub-board around its spaces
SUB_BOARD_GAP = 4 + 2 * RIM
LEFT_MARGIN, RIGHT_MARGIN = 20, 8  # the rows' letters are on the left
EDGE_MARGIN = 24  # the columns' numbers and one half of the arrows are there, above and below
HEAD_MARGIN = 46  # the arrows of a small sub-board between others are above it
ARROW_RADIUS = 18.5
TOUCH = 58, 60  # the sides of an arrow's touch target, which a finger hits on the smallest phone

# A clockwise arrow on a circle of radius 11 around the origin; mirrored for anti-clockwise.
_ARROW = "M-10 5.2 A11.3 11.3 0 1 1 10.8 3.2 M15.4 -3.6 L10.8 3.8 L3.6 -1"


class _Layout:
    """Coordinates of the drawing, upright or flipped."""

    def __init__(self, board: Board, flip: bool) -> None:
        self.board, self.flip = board, flip
        # With two rows of sub-boards their arrows are on the upper and the lower edge of the board, otherwise between
        # the spaces of their sub-board; those of the smallest sub-boards are above them.
        self.outside = board.rows == 2 and board.block > 2
        self.head_room = 0 if board.block > 2 else HEAD_MARGIN
        self.between = SUB_BOARD_GAP + self.head_room  # the gap between rows of sub-boards
        self.left, self.top = LEFT_MARGIN + RIM, EDGE_MARGIN + RIM + self.head_room
        tiles = (
            board.width * CELL + (board.cols - 1) * SUB_BOARD_GAP,
            board.height * CELL + (board.rows - 1) * self.between,
        )
        self.width = self.left + tiles[0] + RIM + RIGHT_MARGIN
        self.height = self.top + tiles[1] + RIM + (EDGE_MARGIN if self.outside else RIGHT_MARGIN)
        # the part of the sheet that has the sub-boards
        self.view = (
            self.left - RIM - 2,
            self.top - RIM - 2,
            tiles[0] + 2 * RIM + 4,
            tiles[1] + 2 * RIM + 7,
        )

    def seen(self, row: int, column: int) -> tuple[int, int]:
        """Row and column on the screen."""
        return (self.board.height - 1 - row, self.board.width - 1 - column) if self.flip else (row, column)

    def centre(self, row: int, column: int) -> tuple[float, float]:
        row, column = self.seen(row, column)
        block = self.board.block
        x = self.left + column * CELL + column // block * SUB_BOARD_GAP + CELL / 2
        y = self.top + row * CELL + row // block * self.between + CELL / 2
        return x, y

    def tile(self, sub_board: int) -> tuple[float, float]:
        """The top left corner of a sub-board's spaces."""
        row, column = self.board.corner(sub_board)
        if self.flip:
            row, column = row + self.board.block - 1, column + self.board.block - 1
        x, y = self.centre(row, column)
        return x - CELL / 2, y - CELL / 2

    def is_below(self, sub_board: int) -> bool:
        """Whether a sub-board's arrows are on its lower edge."""
        return self.outside and self.seen(*self.board.corner(sub_board))[0] >= self.board.block

    def head(self, sub_board: int) -> tuple[float, float]:
        """The point between the two arrows of a sub-board."""
        x, y = self.tile(sub_board)
        side = self.board.block * CELL
        away = RIM + 3 if self.outside else RIM + HEAD_MARGIN / 2 if self.head_room else -CELL
        return x + side / 2, y + side + away if self.is_below(sub_board) else y - away


def sheet(here: PentagoPosition, flip: bool, labels: bool = True) -> Sheet:
    """The drawing of the positions with these options."""
    return _sheet(here.setup, flip, labels)


@lru_cache(maxsize=16)
def _sheet(setup: Setup, flip: bool, labels: bool) -> Sheet:
    layout, numbering = _Layout(setup.board, flip), _Numbering(setup)
    seats = range(setup.players)
    to_place = [drawing.marble(notation.COLOURS[seat], 0, 0, MARBLE_RADIUS) for seat in seats]
    in_hand = [each for piece in to_place for each in (piece, "")] + [""] * (1 << setup.players)
    return sheet_of(
        layout.width,
        layout.height,
        *(_coordinates(layout) if labels else ()),
        *_sub_boards(setup, layout, labels),
        title=("Pentago: ", Pick(numbering.status, statuses(setup))),
        description=tuple(each for line in listing(setup) for each in (line, " "))[:-1],
        colours=[notation.COLOURS[seat] for seat in seats],
        in_hand=Pick(numbering.status, tuple(map(drawing.piece_in_hand, in_hand))),
        labels=labels,
        view=layout.view,
    )


def _coordinates(layout: _Layout) -> Iterator[str]:
    for row in range(layout.board.height):
        yield drawing.label(ROW_LETTERS[row], LEFT_MARGIN / 2, layout.centre(row, 0)[1], size=11)
    for column in range(layout.board.width):
        yield drawing.label(str(column), layout.centre(0, column)[0], EDGE_MARGIN / 2 + 2, size=11)


def _sub_boards(setup: Setup, layout: _Layout, labels: bool) -> Iterator[Expression]:
    """Each sub-board: its opening tags, its spaces, and its arrows, each on its own line."""
    board, numbering = setup.board, _Numbering(setup)
    beginnings, spaces = _beginnings(board, labels), _spaces(setup)
    arrows = {direction: _arrows(layout, direction) for direction in DIRECTIONS}
    side = board.block * CELL + 2 * RIM
    for number, (top, left) in enumerate(map(board.corner, board.sub_boards), 1):
        x, y = layout.tile(number)
        down = side - 17 if layout.is_below(number) else 5  # the arrows are at the other corners
        beginning = Pick(numbering.sub_boards + number - 1, beginnings)
        yield At(({"x": x, "y": y, "v": y + down, "name": str(number)},), beginning)
        for row in range(top, top + board.block):
            for column in range(left, left + board.block):
                x, y = layout.centre(row, column)
                space = Pick(board.space(row, column), spaces)
                yield At(({"x": x, "y": y, "name": str(Place(row, column))},), space)
        yield "</g>"
        for direction in (ANTICLOCKWISE, CLOCKWISE) if labels else ():
            x, y = layout.head(number)
            # On an edge the touch target begins where the sheet does, and ends before the centres of the spaces.
            inwards = 0 if not layout.outside else -8 if layout.is_below(number) else 8
            index = numbering.twists + 2 * (number - 1) + DIRECTIONS.index(direction)
            yield At(
                ({"x": x, "y": y, "v": inwards - TOUCH[0] / 2, "name": str(number)},), Pick(index, arrows[direction])
            )
        yield "</g>"


def _beginnings(board: Board, labels: bool) -> tuple[str, ...]:
    """The opening tags of a sub-board, with its tile and its number, which is inlaid in a corner."""
    x, y, v = map(Coordinate, "xyv")
    side = board.block * CELL + 2 * RIM
    tile = drawing.tile(x - RIM, y - RIM, side, side, 11)
    name = drawing.label("{name}", x + 5, v, "inlaid", size=11) if labels else ""
    around = (
        drawing.tag("g", class_="sub-board", data_piece="sub-board {name}", data_turned=turned)
        for turned in (None, *DIRECTIONS)
    )
    return tuple(f'<g class="part">{each.removesuffix("/>")}>{tile}{name}' for each in around)


def _arrows(layout: _Layout, direction: str) -> tuple[str, ...]:
    """The arrow of a twist at a sub-board's head: nothing, the last twist, or a choice."""
    x, y, v = map(Coordinate, "xyv")
    # between two columns, so that it covers no marble; on the smallest sub-boards the two arrows are smaller
    away, size = (CELL / 2 if layout.board.block % 2 else CELL), (1.0 if layout.outside else 0.9)
    if layout.head_room:
        away, size = CELL / 4, 0.72
    side = -1 if direction == ANTICLOCKWISE else 1
    arrow = drawing.tag("path", d=_ARROW, class_="arrow", transform=f"scale({side * 0.84:g} 0.84)")
    place = f"translate({x + side * away:g} {y:g}) scale({size:.2g})"
    was = drawing.tag("circle", r=ARROW_RADIUS - 3.0, class_="was")
    high, wide = TOUCH
    touch = drawing.tag("rect", x=-wide / 2, y=v, width=wide, height=high, rx=12, class_="touch")
    disc = drawing.tag("circle", r=ARROW_RADIUS, class_="disc")
    label = phrase(
        "Twist sub-board {number} {direction_word}", number="{name}", direction_word=DIRECTION_WORDS[direction]
    )
    piece = drawing.target("{name}" + direction, label, touch, disc, arrow, class_="twist")
    return (
        drawing.NOTHING,
        drawing.tag("g", was, arrow, class_="turned", transform=place),
        drawing.tag("g", piece, transform=place, data_turns=direction),
    )


def _spaces(setup: Setup) -> tuple[str, ...]:
    """A space by its number."""
    holders = ("", *notation.COLOURS[: setup.players])
    return tuple(_space(holder, won, placed) for placed in (False, True) for won in (False, True) for holder in holders)


def _space(holder: str, won: bool, placed: bool) -> str:
    x, y = Coordinate("x"), Coordinate("y")
    touch = drawing.tag("rect", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL, class_="touch")
    parts = [touch, drawing.tag("circle", cx=x, cy=y, r=HOLE_RADIUS, class_="hole")]
    if holder:
        parts.append(drawing.marble(holder, x, y, MARBLE_RADIUS))
    label = ["{name}", holder or "empty"]
    if won:
        parts.append(drawing.ring("won", x, y, MARBLE_RADIUS))
        label.append("in the winning line")
    if placed:
        parts.append(drawing.ring("last", x, y, 3.5 if won else MARBLE_RADIUS + 0.5))
        label.append("played last")
    return drawing.target("{name}", ", ".join(label), *parts, class_="space")


# ── words ─────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=32)
def statuses(setup: Setup) -> tuple[str, ...]:
    """The status by its number: the player to move and the next action, or the result."""
    players = [notation.COLOURS[seat].capitalize() for seat in range(setup.players)]
    ongoing = (
        text
        for player in players
        for text in (
            phrase("{player} to place a marble.", player=player),
            phrase("{player} to twist a sub-board.", player=player),
        )
    )
    return (*ongoing, *map(_result, _outcomes(setup)))


def _outcomes(setup: Setup) -> Iterator[Outcome]:
    """The outcomes by their winners as bits."""
    return (setup.ended(bit_numbers(winners)) for winners in range(1 << setup.players))


def _result(outcome: Outcome) -> str:
    names = " and ".join(notation.COLOURS[seat] for seat in outcome.winners)
    how = ending(outcome.reason, len(outcome.winners) != 1)
    if not names:
        return phrase("Draw: {how}.", how=how)
    if len(outcome.winners) > 1:
        return phrase("Draw between {names}: {how}.", names=names, how=how)
    return phrase("{names} wins {how}.", names=names.capitalize(), how=how)


def ending(reason: str, is_draw: bool) -> str:
    """How a game ended, in words that follow its result."""
    if reason == FULL_BOARD:
        return "the board is full"
    line = reason.removeprefix("line of ")
    return phrase("each has {line} in a row", line=line) if is_draw else phrase("with {line} in a row", line=line)


@lru_cache(maxsize=32)
def listing(setup: Setup) -> tuple[Expression, ...]:
    """Every colour's marbles."""
    places = tuple(map(str, setup.board.places))
    return tuple(
        (f"{colour.capitalize()}: ", Each(index, setup.board.size, places, between=", ", none="no marbles"), ".")
        for colour, index in zip(notation.COLOURS, _Numbering(setup).marbles, strict=False)
    )


def words(here: PentagoPosition) -> Words:
    """What a page says of positions and steps with these options."""
    setup, status = here.setup, _Numbering(here.setup).status
    over = 1 << setup.players
    steps: tuple[Place | Twist, ...] = (*here.board.places, *here.board.twists)
    names, labels = tuple(map(str, steps)), tuple(each.label for each in labelled(steps))
    player = Pick(1, tuple(colour.capitalize() for colour in notation.COLOURS[: setup.players]))
    actions = Pick(0, tuple(map(action, steps)))
    return Words(
        status=Pick(status, statuses(setup)),
        prompt=Pick(status, (*(PLACE_PROMPT, TWIST_PROMPT) * setup.players, *[GAME_OVER] * over)),
        outcome=status,
        outcomes=(*[None] * (STATUSES * setup.players), *_outcomes(setup)),
        step=Pick(0, names),
        label=Pick(0, labels),
        ways=Pick(0, names),
        text=Told(Pick(0, names), (" ", Pick(0, names))),
        described=Told((player, " ", actions), (" and ", actions), "."),
        instruction=Told(Pick(0, labels), (", then ", Pick(0, tuple(map(uncapitalized, labels))))),
    )

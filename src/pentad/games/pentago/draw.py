"""Drawings of a Pentago position, as SVG and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import hypot
from typing import NamedTuple

from pentad import drawing
from pentad.game import Move, Span
from pentad.games.pentago import notation
from pentad.games.pentago.board import ANTICLOCKWISE, CLOCKWISE, ROW_LETTERS, Board, Place, Twist, spaces_of
from pentad.games.pentago.rules import DIRECTION_WORDS, FULL_BOARD, PentagoPosition
from pentad.system.words import phrase

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


# ── SVG ─────────────────────────────────────────────────────────────────────────────────

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


_layout = lru_cache(maxsize=32)(_Layout)


def svg(
    position: PentagoPosition,
    *,
    last: Move | str | None = None,
    flip: bool = False,
    style: bool = True,
    labels: bool = True,
) -> str:
    """The board with its coordinates, the sub-boards' numbers, the last move and the winning line.

    Without `labels` it is the board alone.
    """
    board = position.board
    layout, highlights = _layout(board, flip), Highlights(position, last)
    to_place = not (position.placed or position.outcome)
    return drawing.sheet(
        layout.width,
        layout.height,
        *(_coordinates(board, flip) if labels else ()),
        *_sub_boards(position, highlights, flip, labels),
        title=f"Pentago: {status(position)}",
        description=" ".join(listing(position)[:-1]),
        colours=notation.COLOURS[: position.players],
        style=style,
        in_hand=drawing.marble(position.colour_of(position.turn), 0, 0, MARBLE_RADIUS) if to_place else "",
        labels=labels,
        view=layout.view,
    )


@lru_cache(maxsize=32)
def _coordinates(board: Board, flip: bool) -> tuple[str, ...]:
    layout = _layout(board, flip)
    rows = (
        drawing.label(ROW_LETTERS[row], LEFT_MARGIN / 2, layout.centre(row, 0)[1], size=11)
        for row in range(board.height)
    )
    columns = (
        drawing.label(str(column), layout.centre(0, column)[0], EDGE_MARGIN / 2 + 2, size=11)
        for column in range(board.width)
    )
    return (*rows, *columns)


def _sub_boards(position: PentagoPosition, highlights: Highlights, flip: bool, labels: bool) -> Iterator[str]:
    """Each sub-board: its opening tags, its spaces, and its arrows, each on its own line."""
    board, spaces = position.board, _spaces(position, highlights, flip)
    to_turn = position.placed and position.outcome is None
    for number, members in enumerate(_members(board), 1):
        turned = highlights.twist.direction if highlights.twist and highlights.twist.sub_board == number else None
        yield _beginning(board, flip, number, turned, labels)
        for space in members:
            yield spaces[space]
        yield "</g>"
        for direction in (ANTICLOCKWISE, CLOCKWISE):
            state = "" if not labels else "choice" if to_turn else "turned" if turned == direction else ""
            yield _arrow(board, flip, number, direction, state)
        yield "</g>"


@lru_cache(maxsize=32)
def _members(board: Board) -> tuple[tuple[int, ...], ...]:
    """The spaces of each sub-board, in reading order."""
    return tuple(
        tuple(board.space(top + row, left + column) for row in range(board.block) for column in range(board.block))
        for top, left in map(board.corner, board.sub_boards)
    )


@lru_cache(maxsize=512)
def _beginning(board: Board, flip: bool, number: int, turned: str | None, labels: bool) -> str:
    """The opening tags of a sub-board, with its tile and its number, which is inlaid in a corner."""
    layout = _layout(board, flip)
    x, y = layout.tile(number)
    side = board.block * CELL + 2 * RIM
    tile = drawing.tile(x - RIM, y - RIM, side, side, 11)
    down = side - 17 if layout.is_below(number) else 5  # the arrows are at the other corners
    name = drawing.label(str(number), x + 5, y + down, "inlaid", size=11) if labels else ""
    around = drawing.tag("g", class_="sub-board", data_piece=f"sub-board {number}", data_turned=turned)
    return f'<g class="part">{around.removesuffix("/>")}>{tile}{name}'


@lru_cache(maxsize=2048)
def _arrow(board: Board, flip: bool, number: int, direction: str, state: str) -> str:
    """The arrow of a twist at a sub-board's head: a choice before a twist, else the last twist."""
    if not state:
        return drawing.NOTHING
    layout = _layout(board, flip)
    x, y = layout.head(number)
    # between two columns, so that it covers no marble; on the smallest sub-boards the two arrows are smaller
    away, size = (CELL / 2 if board.block % 2 else CELL), (1.0 if layout.outside else 0.9)
    if layout.head_room:
        away, size = CELL / 4, 0.72
    side = -1 if direction == ANTICLOCKWISE else 1
    arrow = drawing.tag("path", d=_ARROW, class_="arrow", transform=f"scale({side * 0.84:g} 0.84)")
    place = f"translate({x + side * away:g} {y:g}) scale({size:.2g})"
    if state == "turned":
        was = drawing.tag("circle", r=ARROW_RADIUS - 3.0, class_="was")
        return drawing.tag("g", was, arrow, class_="turned", transform=place)
    high, wide = TOUCH
    # On an edge it begins where the sheet does, and ends before the centres of the spaces.
    inwards = 0 if not layout.outside else -8 if layout.is_below(number) else 8
    touch = drawing.tag("rect", x=-wide / 2, y=-high / 2 + inwards, width=wide, height=high, rx=12, class_="touch")
    disc = drawing.tag("circle", r=ARROW_RADIUS, class_="disc")
    label = phrase(
        "Twist sub-board {number} {direction_word}", number=number, direction_word=DIRECTION_WORDS[direction]
    )
    piece = drawing.target(str(Twist(number, direction)), label, touch, disc, arrow, class_="twist")
    return drawing.tag("g", piece, transform=place, data_turns=direction)


def _spaces(position: PentagoPosition, highlights: Highlights, flip: bool) -> list[str]:
    """All spaces by number; only those that are not empty are drawn again."""
    board = position.board
    spaces = list(_empty(board, flip))
    held = [(position.colour_of(seat), marbles) for seat, marbles in enumerate(position.marbles)]
    for holder, marbles in (*held, ("", highlights.placed & position.empty)):
        for space in spaces_of(marbles):
            bit = 1 << space
            spaces[space] = _space(
                board, flip, space, holder, bool(highlights.won & bit), bool(highlights.placed & bit)
            )
    return spaces


@lru_cache(maxsize=32)
def _empty(board: Board, flip: bool) -> tuple[str, ...]:
    """All spaces of the empty board."""
    return tuple(_space(board, flip, space, "", False, False) for space in range(board.size))


@lru_cache(maxsize=8192)
def _space(board: Board, flip: bool, space: int, holder: str, won: bool, placed: bool) -> str:
    place = board.places[space]
    x, y = _layout(board, flip).centre(*place)
    touch = drawing.tag("rect", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL, class_="touch")
    parts = [touch, drawing.tag("circle", cx=x, cy=y, r=HOLE_RADIUS, class_="hole")]
    if holder:
        parts.append(drawing.marble(holder, x, y, MARBLE_RADIUS))
    label = [str(place), holder or "empty"]
    if won:
        parts.append(drawing.ring("won", x, y, MARBLE_RADIUS))
        label.append("in the winning line")
    if placed:
        parts.append(drawing.ring("last", x, y, 3.5 if won else MARBLE_RADIUS + 0.5))
        label.append("played last")
    return drawing.target(str(place), ", ".join(label), *parts, class_="space")


# ── text ─────────────────────────────────────────────────────────────────────────────

MARBLES = dict(zip(notation.COLOURS, "●○◆▲■★", strict=True))
EMPTY = "·"
SIZES = range(3)
# The radius of a marble and of a hollow by size, in columns; a row is two columns high.
_RADII = {1: (2.4, 0.9), 2: (3.3, 0.9)}
_QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # by the sum of 1, 2, 4 and 8 for the quarters in reading order


class _Cell(NamedTuple):
    """The columns and rows of a space, and the columns between two spaces."""

    width: int
    height: int
    gap: int

    @classmethod
    def of(cls, board: Board, size: int) -> _Cell:
        if size:
            return cls(2 * (size + 2), size + 2, 0)
        return cls(1, 1, 1 if board.width <= 10 else 2)

    def inside(self, board: Board) -> int:
        """The columns of a sub-board within its frame."""
        return board.block * self.width + (board.block - 1) * self.gap + 2


def spans(
    position: PentagoPosition, *, last: Move | str | None = None, flip: bool = False, size: int = 0
) -> list[list[Span]]:
    """The board in box characters, with the sub-boards' numbers in their frames, and the status.

    The marbles of the larger sizes are discs, which differ in colour alone.
    """
    board, highlights = position.board, Highlights(position, last)
    order = -1 if flip else 1
    bands, columns = range(board.rows)[::order], range(board.width)[::order]
    cell = _Cell.of(board, size)
    lines: list[list[Span]] = [_column_labels(board, columns, cell)]
    for i, band in enumerate(bands):
        lines.append(list(_frame(position, band, cell, order, top=i == 0)))
        for row in range(band * board.block, (band + 1) * board.block)[::order]:
            spaces = [_rows(position, Place(row, column), highlights, size) for column in columns]
            for part in range(cell.height):
                letter = ROW_LETTERS[row] if part == (cell.height - 1) // 2 else " "
                line: list[Span] = [(f" {letter} ", "label")]
                for i_column, (pieces, role) in enumerate(spaces):
                    if i_column % board.block == 0:
                        line.append(("│ " if i_column == 0 else " │ ", "frame"))
                    elif cell.gap:
                        line.append((" " * cell.gap, "frame"))
                    line.append((pieces[part], role))
                lines.append([*line, (" │", "frame")])
    bottom = "┴".join("─" * cell.inside(board) for _ in range(board.cols))
    lines += [[(f"   └{bottom}┘", "frame")], [(f"   {status(position)}", "status")]]
    return lines


def legend(position: PentagoPosition) -> str:
    """The symbol of each colour."""
    return "  ".join(f"{MARBLES[colour]} {colour}" for colour in map(position.colour_of, range(position.players)))


def _column_labels(board: Board, columns: range, cell: _Cell) -> list[Span]:
    text = ""
    for i, column in enumerate(columns):
        left = 5 + i * (cell.width + cell.gap) + i // board.block * (3 - cell.gap)
        text = text.ljust(left + (cell.width - 1) // 2 + 1 - len(str(column))) + str(column)
    return [(text, "label")]


def _frame(position: PentagoPosition, band: int, cell: _Cell, order: int, *, top: bool) -> Iterator[Span]:
    """The edge above a row of sub-boards with their numbers, and with arrows where a twist is to follow."""
    board = position.board
    numbers = range(band * board.cols + 1, (band + 1) * board.cols + 1)[::order]
    left, between, right = "┌┬┐" if top else "├┼┤"
    inside = cell.inside(board)
    if not position.placed or position.outcome:
        yield f"   {left}{between.join(f'{number:─^{inside}}' for number in numbers)}{right}", "frame"
        return
    for i, number in enumerate(numbers):
        wider = f"↺─{number}─↻"
        edge = f"{wider if len(wider) <= inside else f'↺{number}↻':─^{inside}}"
        before, _, rest = edge.partition("↺")
        middle, _, after = rest.partition("↻")
        yield f"{between if i else '   ' + left}{before}", "frame"
        yield "↺", f"choice @{Twist(number, ANTICLOCKWISE)}"
        yield middle, "frame"
        yield "↻", f"choice @{Twist(number, CLOCKWISE)}"
        yield after, "frame"
    yield right, "frame"


def _rows(position: PentagoPosition, place: Place, highlights: Highlights, size: int) -> tuple[Sequence[str], str]:
    """The rows of a space, and their role."""
    bit = 1 << position.board.space(*place)
    for seat, marbles in enumerate(position.marbles):
        if marbles & bit:
            colour = position.colour_of(seat)
            shown = "line" if highlights.won & bit else "last" if highlights.placed & bit else ""
            rows = _disc(size, _RADII[size][0]) if size else (MARBLES[colour],)
            return rows, f"{f'{colour} {shown}'.rstrip()} @{place}"
    return _disc(size, _RADII[size][1]) if size else (EMPTY,), f"empty @{place}"


@cache
def _disc(size: int, radius: float) -> Sequence[str]:
    """A disc in the middle of a space, in quarters of characters."""
    middle = size + 2

    def quarter(row: int, column: int) -> bool:
        """Whether the middle of a quarter is in the disc; one is half a column wide and one column high."""
        return hypot((column + 0.5) / 2 - middle, row + 0.5 - middle) <= radius

    return [
        "".join(
            _QUARTERS[sum(quarter(2 * row + i // 2, 2 * column + i % 2) << i for i in range(4))]
            for column in range(2 * middle)
        )
        for row in range(middle)
    ]


# ── words ─────────────────────────────────────────────────────────────────────────────────────


def status(position: PentagoPosition) -> str:
    """The player to move and the next action, or the result."""
    outcome = position.outcome
    if outcome is None:
        player = position.colour_of(position.turn).capitalize()
        return (
            phrase("{player} to twist a sub-board.", player=player)
            if position.placed
            else phrase("{player} to place a marble.", player=player)
        )
    names = " and ".join(map(position.colour_of, outcome.winners))
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


def listing(position: PentagoPosition) -> list[str]:
    """Every colour's marbles, and the status."""
    lines = []
    for seat, marbles in enumerate(position.marbles):
        held = ", ".join(str(position.board.places[space]) for space in spaces_of(marbles))
        lines.append(f"{position.colour_of(seat).capitalize()}: {held or 'no marbles'}.")
    return [*lines, status(position)]

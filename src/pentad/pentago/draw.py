"""Drawings of a Pentago position, as SVG and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pentad import drawing
from pentad.game import Move, Span
from pentad.pentago import notation
from pentad.pentago.board import ANTICLOCKWISE, CLOCKWISE, ROW_LETTERS, Board, Place, Twist, spaces_of
from pentad.pentago.rules import DIRECTION_WORDS, PentagoPosition

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

CELL = 60  # a space
MARBLE = 23.0  # a marble's radius
GAP = 16  # between sub-boards
HEAD = 50  # beside a sub-board, for its number and its two arrows
RIM = 5  # margin of a sub-board around its spaces
LEFT, TOP, EDGE = 38, 34, 20
TOUCH = 60  # the side of an arrow's touch target: as large as a space

# A clockwise arrow on a circle of radius 11 around the origin; mirrored for anti-clockwise.
_ARROW = "M-10 5.2 A11.3 11.3 0 1 1 10.8 3.2 M15.4 -3.6 L10.8 3.8 L3.6 -1"


class _Layout:
    """Coordinates of the drawing, upright or flipped."""

    def __init__(self, board: Board, flip: bool) -> None:
        self.board, self.flip = board, flip
        self.width = LEFT + board.width * CELL + (board.cols - 1) * GAP + EDGE
        # With two rows of sub-boards their heads are above and below them, and the tiles are close together.
        self.outside = board.rows == 2
        self.between = GAP if self.outside else GAP + HEAD  # the gap between rows of sub-boards
        tiles = board.height * CELL + (board.rows - 1) * self.between
        self.height = TOP + HEAD + tiles + (HEAD if self.outside else 0) + EDGE

    def seen(self, row: int, column: int) -> tuple[int, int]:
        """Row and column on the screen."""
        return (self.board.height - 1 - row, self.board.width - 1 - column) if self.flip else (row, column)

    def centre(self, row: int, column: int) -> tuple[float, float]:
        row, column = self.seen(row, column)
        block = self.board.block
        x = LEFT + column * CELL + column // block * GAP + CELL / 2
        y = TOP + HEAD + row * CELL + row // block * self.between + CELL / 2
        return x, y

    def tile(self, sub_board: int) -> tuple[float, float]:
        """The top left corner of a sub-board."""
        row, column = self.board.corner(sub_board)
        if self.flip:
            row, column = row + self.board.block - 1, column + self.board.block - 1
        x, y = self.centre(row, column)
        return x - CELL / 2, y - CELL / 2

    def head(self, sub_board: int) -> tuple[float, float]:
        """The centre of a sub-board's number and arrows."""
        x, y = self.tile(sub_board)
        side, away = self.board.block * CELL, RIM + HEAD / 2
        is_below = self.outside and self.seen(*self.board.corner(sub_board))[0] >= self.board.block
        return x + side / 2, y + side + away if is_below else y - away


_layout = lru_cache(maxsize=32)(_Layout)


def svg(position: PentagoPosition, *, last: Move | str | None = None, flip: bool = False, style: bool = True) -> str:
    """The board with its coordinates, the sub-boards' numbers, the last move and the winning line."""
    board = position.board
    layout, highlights = _layout(board, flip), Highlights(position, last)
    to_place = not (position.placed or position.outcome)
    return drawing.sheet(
        layout.width,
        layout.height,
        *_coordinates(board, flip),
        *_sub_boards(position, highlights, flip),
        title=f"Pentago: {status(position)}",
        description=" ".join(listing(position)[:-1]),
        colours=notation.COLOURS[: position.players],
        style=style,
        in_hand=drawing.marble(position.colour_of(position.turn), 0, 0, MARBLE) if to_place else "",
    )


@lru_cache(maxsize=32)
def _coordinates(board: Board, flip: bool) -> tuple[str, ...]:
    layout = _layout(board, flip)
    rows = (drawing.label(ROW_LETTERS[row], LEFT / 2, layout.centre(row, 0)[1]) for row in range(board.height))
    columns = (drawing.label(str(column), layout.centre(0, column)[0], TOP / 2) for column in range(board.width))
    return (*rows, *columns)


def _sub_boards(position: PentagoPosition, highlights: Highlights, flip: bool) -> Iterator[str]:
    """Each sub-board: its opening tags, its spaces, and its arrows, each on its own line."""
    board, spaces = position.board, _spaces(position, highlights, flip)
    to_turn = position.placed and position.outcome is None
    for number, members in enumerate(_members(board), 1):
        turned = highlights.twist.direction if highlights.twist and highlights.twist.sub_board == number else None
        yield _beginning(board, flip, number, turned)
        for space in members:
            yield spaces[space]
        yield "</g>"
        for direction in (ANTICLOCKWISE, CLOCKWISE):
            state = "choice" if to_turn else "turned" if turned == direction else ""
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
def _beginning(board: Board, flip: bool, number: int, turned: str | None) -> str:
    """The opening tags of a sub-board, with its number and its tile."""
    layout = _layout(board, flip)
    x, y = layout.tile(number)
    side = board.block * CELL + 2 * RIM
    name = drawing.label(str(number), *layout.head(number), "number")
    tile = drawing.tag("rect", x=x - RIM, y=y - RIM, width=side, height=side, rx=12, class_="tile")
    around = drawing.tag("g", class_="sub-board", data_piece=f"sub-board {number}", data_turned=turned)
    return f'<g class="part">{name}{around.removesuffix("/>")}>{tile}'


@lru_cache(maxsize=2048)
def _arrow(board: Board, flip: bool, number: int, direction: str, state: str) -> str:
    """The arrow of a twist at a sub-board's head: a choice before a twist, else the last twist."""
    if not state:
        return drawing.NOTHING
    x, y = _layout(board, flip).head(number)
    away = max(min(board.block * CELL / 2 - TOUCH / 2, 62), TOUCH / 4)
    size = min(1.0, away / TOUCH * 2.4)  # on the smallest sub-boards the two arrows are smaller
    side = -1 if direction == ANTICLOCKWISE else 1
    arrow = drawing.tag("path", d=_ARROW, class_="arrow", transform=f"scale({side} 1)")
    place = f"translate({x + side * away:g} {y:g}) scale({size:.2g})"
    if state == "turned":
        return drawing.tag("g", arrow, class_="turned", transform=place)
    touch = drawing.tag("rect", x=-30, y=-26, width=TOUCH, height=TOUCH, rx=12, class_="touch")
    disc = drawing.tag("circle", r=21, class_="disc")
    label = f"Twist sub-board {number} {DIRECTION_WORDS[direction]}"
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
    parts = [touch, drawing.tag("circle", cx=x, cy=y, r=20.0, class_="hole")]
    if holder:
        parts.append(drawing.marble(holder, x, y, MARBLE))
    label = [str(place), holder or "empty"]
    if won:
        parts.append(drawing.ring("won", x, y, 24.5))
        label.append("in the winning line")
    if placed:
        parts.append(drawing.ring("last", x, y, 9.0 if won else 24.5))
        label.append("played last")
    return drawing.target(str(place), ", ".join(label), *parts, class_="space")


# ── text ─────────────────────────────────────────────────────────────────────────────

MARBLES = dict(zip(notation.COLOURS, "●○◆▲■★", strict=True))
EMPTY = "·"


def spans(position: PentagoPosition, *, last: Move | str | None = None, flip: bool = False) -> list[list[Span]]:
    """The board in box characters, with the sub-boards' numbers in their frames, and the status."""
    board, highlights = position.board, Highlights(position, last)
    order = -1 if flip else 1
    bands, columns = range(board.rows)[::order], range(board.width)[::order]
    wide = 2 if board.width <= 10 else 3
    lines: list[list[Span]] = [_column_labels(board, columns, wide)]
    for i, band in enumerate(bands):
        lines.append([(_frame(board, band, wide, order, top=i == 0), "frame")])
        for row in range(band * board.block, (band + 1) * board.block)[::order]:
            line: list[Span] = [(f" {ROW_LETTERS[row]} ", "label")]
            for i_column, column in enumerate(columns):
                if i_column % board.block == 0:
                    line.append(("│ " if i_column == 0 else " │ ", "frame"))
                else:
                    line.append((" " * (wide - 1), "frame"))
                line.append(_cell(position, Place(row, column), highlights))
            lines.append([*line, (" │", "frame")])
    bottom = "┴".join("─" * _inside(board, wide) for _ in range(board.cols))
    lines += [[(f"   └{bottom}┘", "frame")], [(f"   {status(position)}", "status")]]
    return lines


def legend(position: PentagoPosition) -> str:
    """The symbol of each colour."""
    return "  ".join(f"{MARBLES[colour]} {colour}" for colour in map(position.colour_of, range(position.players)))


def _inside(board: Board, wide: int) -> int:
    return board.block + (board.block - 1) * (wide - 1) + 2


def _column_labels(board: Board, columns: range, wide: int) -> list[Span]:
    text = ""
    for i, column in enumerate(columns):
        at = 5 + i * wide + i // board.block * (4 - wide)  # the text column of these marbles
        text = text.ljust(at + 1 - len(str(column))) + str(column)
    return [(text, "label")]


def _frame(board: Board, band: int, wide: int, order: int, *, top: bool) -> str:
    numbers = range(band * board.cols + 1, (band + 1) * board.cols + 1)[::order]
    parts = (f"{number:─^{_inside(board, wide)}}" for number in numbers)
    left, between, right = "┌┬┐" if top else "├┼┤"
    return f"   {left}{between.join(parts)}{right}"


def _cell(position: PentagoPosition, place: Place, highlights: Highlights) -> Span:
    bit = 1 << position.board.space(*place)
    for seat, marbles in enumerate(position.marbles):
        if marbles & bit:
            colour = position.colour_of(seat)
            shown = "line" if highlights.won & bit else "last" if highlights.placed & bit else ""
            return MARBLES[colour], f"{colour} {shown}".rstrip()
    return EMPTY, "empty"


# ── words ─────────────────────────────────────────────────────────────────────────────────────


def status(position: PentagoPosition) -> str:
    """The player to move and the next action, or the result."""
    outcome = position.outcome
    if outcome is None:
        player = position.colour_of(position.turn).capitalize()
        return f"{player} to twist a sub-board." if position.placed else f"{player} to place a marble."
    if not outcome.winners:
        return "Draw: the board is full."
    line = outcome.reason.removeprefix("line of ")
    names = " and ".join(map(position.colour_of, outcome.winners))
    if len(outcome.winners) > 1:
        return f"Draw between {names}: each has {line} in a row."
    return f"{names.capitalize()} wins with {line} in a row."


def listing(position: PentagoPosition) -> list[str]:
    """Every colour's marbles, and the status."""
    lines = []
    for seat, marbles in enumerate(position.marbles):
        held = ", ".join(str(position.board.places[space]) for space in spaces_of(marbles))
        lines.append(f"{position.colour_of(seat).capitalize()}: {held or 'no marbles'}.")
    return [*lines, status(position)]

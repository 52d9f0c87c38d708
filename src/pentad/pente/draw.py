"""Drawing of Pente positions: as SVG and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pentad import drawing
from pentad.game import Move, Span
from pentad.pente import notation
from pentad.pente.board import LETTERS, Side, Stone, points_of
from pentad.pente.notation import COLOURS
from pentad.pente.rules import OVER, PLAYERS, SIDES_OFFERED, PentePosition

TURNED_FOR = "black"  # the colour for whose turns a screen may rotate the board

# ── highlights ────────────────────────────────────────────────────────────────────────────────────


class Highlights:
    """Highlights of a position: the last stones, the winning lines."""

    def __init__(self, position: PentePosition, last: Move | str | None) -> None:
        board = position.board
        steps = notation.read_steps(board, last) if isinstance(last, str) else last or ()
        self.placed = sum({board.bit(*step) for step in steps if isinstance(step, Stone)})
        self.won = 0
        for seat in position.outcome.winners if position.outcome else ():
            stones = position.stones[COLOURS.index(position.colour_of(seat))]
            for points, beyond in board.lines:
                if stones & points == points and (position.rules.overline or not stones & beyond):
                    self.won |= points


def star_points(size: int) -> tuple[tuple[int, int], ...]:
    """The star points: the centre, and on larger boards eight around it."""
    middle = size // 2
    if size % 2 == 0:
        return ()
    near = 3 if size >= 13 else 2
    around = (near, middle, size - 1 - near) if size >= 9 else (middle,)
    return tuple((column, row) for column in around for row in around)


# ── SVG ──────────────────────────────────────────────────────────────────────────────────────────

CELL = 40  # from point to point
STONE = CELL * 0.44  # a stone's radius
EDGE = 50  # from the sheet's edge to the outermost points
FOOT = 66  # below the board: the captures, or the choices of an opening


def _width(size: int) -> int:
    """The width of the sheet."""
    return (size - 1) * CELL + 2 * EDGE


def _at(size: int, flip: bool, column: int, row: int) -> tuple[float, float]:
    """The coordinates of a point, seen by White or (flipped) by Black."""
    x, y = (size - 1 - column, row) if flip else (column, size - 1 - row)
    return EDGE + x * CELL, EDGE + y * CELL


def svg(position: PentePosition, *, last: Move | str | None = None, flip: bool = False, style: bool = True) -> str:
    """The board with its coordinates, the captures, the last move and the winning line."""
    size, width = position.board.size, _width(position.board.size)
    foot = position.rules.captures or position.rules.opening == "swap2"
    to_place = not position.outcome and position.stage not in SIDES_OFFERED
    return drawing.sheet(
        width,
        width + (FOOT if foot else 0),
        *_ground(size, flip),
        *_points(position, Highlights(position, last), flip),
        *(_foot(position) if foot else ()),
        title=f"{position.rules.title}: {status(position)}",
        description=" ".join(listing(position)[:-1]),
        colours=COLOURS,
        style=style,
        in_hand=drawing.marble(COLOURS[position.colour], 0, 0, STONE) if to_place else "",
    )


@lru_cache(maxsize=16)
def _ground(size: int, flip: bool) -> list[str]:
    """The grid and its coordinates."""
    out = CELL * 0.55
    end = EDGE + (size - 1) * CELL
    low, side = EDGE - out, end - EDGE + 2 * out
    parts = [drawing.tag("rect", x=low, y=low, width=side, height=side, rx=8, class_="tile")]
    lines = (f"M{EDGE} {at}H{end}M{at} {EDGE}V{end}" for at in range(EDGE, end + 1, CELL))
    parts += (drawing.tag("path", d=line, class_="grid") for line in lines)
    for star in star_points(size):
        x, y = _at(size, flip, *star)
        parts.append(drawing.tag("circle", cx=x, cy=y, r=4.5, class_="star"))
    for i in range(size):
        x, y = _at(size, flip, i, i)
        parts.append(drawing.label(LETTERS[i], x, _width(size) - EDGE / 2 + 12))
        parts.append(drawing.label(str(i + 1), EDGE / 2 - 11, y))
    return parts


def _points(position: PentePosition, highlights: Highlights, flip: bool) -> list[str]:
    """Every point; empty ones come from a cache."""
    size = position.board.size
    points = list(_empty(size, flip))
    white, black = position.stones
    for number in points_of(white | black | highlights.placed):
        bit = 1 << number
        holder = COLOURS[0] if white & bit else COLOURS[1] if black & bit else ""
        points[number] = _point(size, flip, number, holder, bool(highlights.won & bit), bool(highlights.placed & bit))
    return points


@lru_cache(maxsize=16)
def _empty(size: int, flip: bool) -> tuple[str, ...]:
    """Every point of an empty board."""
    return tuple(_point(size, flip, number, "", False, False) for number in range(size * size))


@lru_cache(maxsize=8192)
def _point(size: int, flip: bool, number: int, holder: str, won: bool, last: bool) -> str:
    row, column = divmod(number, size)
    stone = Stone(column, row)
    x, y = _at(size, flip, *stone)
    parts = [drawing.tag("rect", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL, class_="touch")]
    if holder:
        parts.append(drawing.marble(holder, x, y, STONE))
    if won:
        parts.append(drawing.ring("won", x, y, CELL * 0.46))
    if last:
        parts.append(drawing.ring("last", x, y, CELL * (0.18 if won else 0.46)))
    return drawing.target(str(stone), f"{stone}, {holder or 'empty'}", *parts, class_="space")


def _foot(position: PentePosition) -> Iterator[str]:
    """The captures or the choices of an opening, below the board; the number of elements is always the same."""
    size, offered = position.board.size, SIDES_OFFERED.get(position.stage, ())
    counts = position.rules.captures and not offered
    for colour, taken in enumerate(position.taken):
        yield _captured(size, colour, taken) if counts else drawing.NOTHING
    for i in range(MOST_OFFERED):
        yield _side(size, offered[i], i, len(offered)) if i < len(offered) else drawing.NOTHING


@lru_cache(maxsize=512)
def _captured(size: int, colour: int, taken: int) -> str:
    """The stones that a colour has captured, White's on the left, Black's on the right."""
    width = _width(size)
    half = (width - EDGE) / 2
    left = EDGE - CELL / 2 + colour * half
    caption = drawing.text_element("text", f"{COLOURS[colour]} captured {taken}", x=left, y=width + 10, class_="words")
    step = min(20.0, (half - 24) / max(taken, 1))
    stones = (drawing.marble(COLOURS[1 - colour], left + 9 + i * step, width + 38, 9.0) for i in range(taken))
    return drawing.tag("g", caption, *stones, class_="captured")


MOST_OFFERED = max(map(len, SIDES_OFFERED.values()))


@lru_cache(maxsize=64)
def _side(size: int, side: Side, i: int, offered: int) -> str:
    """One of the choices of the opening."""
    width = _width(size)
    y = width + FOOT / 2 - 8
    wide = min(130.0, (width - EDGE) / 3 - 10)
    x = width / 2 - (wide + 10) * offered / 2 + i * (wide + 10)
    box = drawing.tag("rect", x=x, y=y - 20, width=wide, height=40, rx=10, class_="choice")
    name = drawing.label(side_label(side), x + wide / 2, y, "number")
    return drawing.target(str(side), f"choose: {side_label(side)}", box, name, class_="side")


def side_label(side: Side) -> str:
    """The label of a choice on the board."""
    return "2 more" if side == notation.MORE else f"{side}"


# ── lines of text ────────────────────────────────────────────────────────────────────────────────

STONES = ("●", "○")  # white is filled, as on the dark screen of the requirement document


def spans(position: PentePosition, *, last: Move | str | None = None, flip: bool = False) -> list[list[Span]]:
    """The board in box characters with its coordinates, the captures and the status."""
    *rows, letters = _grid_lines(position, last, flip)
    return [letters, *rows, letters, *_captions(position)]


def small_spans(position: PentePosition, *, last: Move | str | None = None, flip: bool = False) -> list[list[Span]]:
    """The board with the letters of the columns only below it."""
    return [*_grid_lines(position, last, flip), *_captions(position)]


def legend(_: PentePosition) -> str:
    """The signs of the two colours."""
    return "  ".join(f"{sign} {colour}" for sign, colour in zip(STONES, COLOURS, strict=True))


def _grid_lines(position: PentePosition, last: Move | str | None, flip: bool) -> list[list[Span]]:
    """The rows from the top, and the letters of the columns."""
    board, highlights = position.board, Highlights(position, last)
    order = -1 if flip else 1
    columns, rows = range(board.size)[::order], range(board.size)[::-order]
    lines: list[list[Span]] = []
    for i, row in enumerate(rows):
        line: list[Span] = [(f"{row + 1:>3} ", "label")]
        for j, column in enumerate(columns):
            if j:
                line.append(("─", "frame"))
            line.append(_cell(position, Stone(column, row), highlights, _crossing(board.size, i, j)))
        lines.append([*line, (f" {row + 1}", "label")])
    return [*lines, [("    " + " ".join(LETTERS[column] for column in columns), "label")]]


def _captions(position: PentePosition) -> list[list[Span]]:
    """The captures and the status."""
    taken: list[list[Span]] = []
    if position.rules.captures:
        white, black = position.taken
        taken = [[(f"    Captures: white {white}, black {black}", "tally")]]
    return [*taken, [(f"    {status(position)}", "status")]]


def _crossing(size: int, i: int, j: int) -> str:
    """The box character of a point, by its indices from the top and from the left."""
    row, column = ((n > 0) + (n == size - 1) for n in (i, j))
    return ("┌┬┐", "├┼┤", "└┴┘")[row][column]


def _cell(position: PentePosition, stone: Stone, highlights: Highlights, crossing: str) -> Span:
    bit = position.board.bit(*stone)
    for colour, sign, stones in zip(COLOURS, STONES, position.stones, strict=True):
        if stones & bit:
            shown = "line" if highlights.won & bit else "last" if highlights.placed & bit else ""
            return sign, f"{colour} {shown}".rstrip()
    return crossing, "empty"


# ── words ────────────────────────────────────────────────────────────────────────────────────────


DRAWS = {"no line left": "Draw: no line can be completed.", "full board": "Draw: the board is full."}


def status(position: PentePosition) -> str:
    """The player to act, or the result."""
    outcome = position.outcome
    if outcome is None:
        who, colour = PLAYERS[position.turn], COLOURS[position.colour]
        if position.stage in SIDES_OFFERED:
            return f"The {who} player to choose a colour."
        if position.stage != OVER:
            return f"The {who} player to place a {colour} stone."
        return f"{colour.capitalize()} to place a stone."
    if not outcome.winners:
        return DRAWS[outcome.reason]
    winner = position.colour_of(outcome.winners[0]).capitalize()
    if outcome.reason == "captures":
        return f"{winner} wins by captures."
    return f"{winner} wins with {outcome.reason.removeprefix('line of ')} in a row."


def listing(position: PentePosition) -> list[str]:
    """The stones and captures of each colour, and the status."""
    lines = []
    for colour, stones, taken in zip(COLOURS, position.stones, position.taken, strict=True):
        held = ", ".join(str(position.board.stones[point]) for point in points_of(stones))
        captures = f"; captured {taken}" if position.rules.captures else ""
        lines.append(f"{colour.capitalize()}: {held or 'no stones'}{captures}.")
    return [*lines, status(position)]

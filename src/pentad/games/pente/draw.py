"""Drawing of Pente positions: as SVG and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pentad import drawing
from pentad.game import Move, Span
from pentad.games.pente import notation
from pentad.games.pente.board import LETTERS, Side, Stone, points_of
from pentad.games.pente.notation import COLOURS
from pentad.games.pente.rules import OVER, PLAYERS, SIDES_OFFERED, PentePosition
from pentad.system.words import phrase

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

POINT_DISTANCE = 40
STONE_RADIUS = POINT_DISTANCE * 0.46
EDGE_DISTANCE = POINT_DISTANCE * 0.56  # the outermost points are so far from the frame
OUTER_MARGIN = 2
BOARD_THICKNESS = 4  # the board is seen from the front


class _Layout:
    """The places of a board's parts. Letters and numbers are in the margin of its frame, large enough for its size."""

    def __init__(self, size: int, flip: bool) -> None:
        self.size, self.flip = size, flip
        self.letter = min(max(6.5 + size * 0.4, 9), 15)  # the size of letters
        self.margin = self.letter + 7
        self.edge = OUTER_MARGIN + self.margin + EDGE_DISTANCE  # the outermost points are so far from the sheet's edge
        self.span = (size - 1) * POINT_DISTANCE
        self.width = self.span + 2 * self.edge
        self.last_point = self.edge + self.span

    def at(self, column: int, row: int) -> tuple[float, float]:
        """The coordinates of a point, seen by White or (flipped) by Black."""
        x, y = (self.size - 1 - column, row) if self.flip else (column, self.size - 1 - row)
        return self.edge + x * POINT_DISTANCE, self.edge + y * POINT_DISTANCE

    def tray(self, position: PentePosition) -> float:
        """The height of the frame's lower part, which has the captures, or the choices of an opening."""
        if position.rules.opening == "swap2":
            return max(44.0, self.width * 0.075)
        return max(26.0, self.width * 0.042) if position.rules.captures else 0.0

    @property
    def view(self) -> tuple[float, float, float, float]:
        """The part of the sheet that has the grid."""
        start = self.edge - EDGE_DISTANCE
        side = self.span + 2 * EDGE_DISTANCE
        return start, start, side, side


_layout = lru_cache(maxsize=32)(_Layout)


def svg(
    position: PentePosition,
    *,
    last: Move | str | None = None,
    flip: bool = False,
    style: bool = True,
    labels: bool = True,
) -> str:
    """The board with its coordinates, the captures, the last move and the winning line.

    Without `labels` it is the board alone.
    """
    size = position.board.size
    layout = _layout(size, flip)
    tray = layout.tray(position)
    to_place = not position.outcome and position.stage not in SIDES_OFFERED
    points = _points(position, Highlights(position, last), flip)
    return drawing.sheet(
        layout.width,
        layout.width + tray + BOARD_THICKNESS,
        *(_frame(size, tray) if labels else ()),
        *_grid(size, flip),
        *(_coordinates(size, flip) if labels else ()),
        *points,
        *(_foot(position, tray) if tray and labels else ()),
        title=f"{position.rules.title}: {status(position)}",
        description=" ".join(listing(position)[:-1]),
        colours=COLOURS,
        style=style,
        in_hand=drawing.marble(COLOURS[position.colour], 0, 0, STONE_RADIUS) if to_place else "",
        labels=labels,
        view=layout.view,
    )


@lru_cache(maxsize=32)
def _frame(size: int, tray: float) -> tuple[str, ...]:
    """The frame around the grid."""
    layout = _layout(size, False)
    side = layout.width - 2 * OUTER_MARGIN
    place = {"x": OUTER_MARGIN, "width": side, "height": side + tray, "rx": 9}
    inner = {
        "x": OUTER_MARGIN + 1.2,
        "y": OUTER_MARGIN + 1.2,
        "width": side - 2.4,
        "height": side + tray - 2.4,
        "rx": 8,
    }
    return (
        drawing.tag("rect", **place, y=OUTER_MARGIN + BOARD_THICKNESS, class_="side"),
        drawing.tag("rect", **place, y=OUTER_MARGIN, class_="frame"),
        drawing.tag("rect", **place, y=OUTER_MARGIN, class_="grain", fill="url(#grain)"),
        drawing.tag("rect", **inner, class_="bevel"),
    )


@lru_cache(maxsize=32)
def _grid(size: int, flip: bool) -> tuple[str, ...]:
    """The field in the frame, with its lines and star points."""
    layout = _layout(size, flip)
    place = dict(zip(("x", "y", "width", "height"), layout.view, strict=True))
    parts = [
        drawing.tag("rect", **place, class_="tile"),
        drawing.tag("rect", **place, class_="grain", fill="url(#grain)"),
    ]
    first, end = f"{layout.edge:g}", f"{layout.last_point:g}"
    for i in range(size):
        at = f"{layout.edge + i * POINT_DISTANCE:g}"
        parts.append(drawing.tag("path", d=f"M{first} {at}H{end}M{at} {first}V{end}", class_="grid"))
    for star in star_points(size):
        x, y = layout.at(*star)
        parts.append(drawing.tag("circle", cx=x, cy=y, r=4.0, class_="star"))
    return tuple(parts)


@lru_cache(maxsize=32)
def _coordinates(size: int, flip: bool) -> tuple[str, ...]:
    """Letters and numbers in the frame's margin."""
    layout = _layout(size, flip)
    middle, letter = OUTER_MARGIN + layout.margin / 2, layout.letter
    places = [(i, layout.at(i, i)) for i in range(size)]
    below = layout.width - middle
    return (
        *(drawing.label(LETTERS[i], x, below, "inlaid", size=letter) for i, (x, _) in places),
        *(drawing.label(str(i + 1), middle, y, "inlaid", size=letter) for i, (_, y) in places),
    )


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
    x, y = _layout(size, flip).at(*stone)
    parts = [
        drawing.tag(
            "rect",
            x=x - POINT_DISTANCE / 2,
            y=y - POINT_DISTANCE / 2,
            width=POINT_DISTANCE,
            height=POINT_DISTANCE,
            class_="touch",
        )
    ]
    if holder:
        parts.append(drawing.marble(holder, x, y, STONE_RADIUS))
    if won:
        parts.append(drawing.ring("won", x, y, STONE_RADIUS - 0.5))
    if last:
        parts.append(drawing.ring("last", x, y, 2.5 if won else STONE_RADIUS))
    return drawing.target(str(stone), f"{stone}, {holder or 'empty'}", *parts, class_="space")


def _foot(position: PentePosition, tray: float) -> Iterator[str]:
    """The captures or the choices of an opening, in the frame; the number of elements is always the same."""
    size, offered = position.board.size, SIDES_OFFERED.get(position.stage, ())
    counts = position.rules.captures and not offered
    for colour, taken in enumerate(position.taken):
        yield _captured(size, tray, colour, taken) if counts else drawing.NOTHING
    for i in range(MOST_OFFERED):
        yield _side(size, tray, offered[i], i, len(offered)) if i < len(offered) else drawing.NOTHING


@lru_cache(maxsize=512)
def _captured(size: int, tray: float, colour: int, taken: int) -> str:
    """The tray of the stones that a colour has captured, White's on the left, Black's on the right."""
    layout = _layout(size, False)
    start = layout.edge - EDGE_DISTANCE
    wide = (layout.width - 2 * start) / 2 - 4
    high = min(tray - 6, 34.0)
    x, y = start + colour * (wide + 8), layout.width - OUTER_MARGIN + (tray - 6 - high) / 2
    letter = min(layout.letter + 1, high * 0.6)
    box = drawing.tag("rect", x=x, y=y, width=wide, height=high, rx=high / 2, class_="tray")
    caption = drawing.text_element(
        "text", f"{COLOURS[colour].capitalize()} captured {taken}", x=x + high * 0.45, y=y + high / 2, class_="caption",
        font_size=letter,
    )  # fmt: skip
    radius = high * 0.34
    first = x + high * 0.45 + letter * 10.5
    step = min(2 * radius + 1, (x + wide - high * 0.5 - first) / max(taken - 1, 1))
    stones = (drawing.marble(COLOURS[1 - colour], first + i * step, y + high / 2, radius) for i in range(taken))
    return drawing.tag("g", box, caption, *stones, class_="captured")


MOST_OFFERED = max(map(len, SIDES_OFFERED.values()))


@lru_cache(maxsize=64)
def _side(size: int, tray: float, side: Side, i: int, offered: int) -> str:
    """One of the choices of the opening."""
    layout = _layout(size, False)
    gap, high = 10, tray - 8
    wide = min(high * 3.2, (layout.width - 2 * layout.margin - 2 * gap) / MOST_OFFERED)
    x = layout.width / 2 - ((wide + gap) * offered - gap) / 2 + i * (wide + gap)
    y = layout.width - OUTER_MARGIN
    box = drawing.tag("rect", x=x, y=y, width=wide, height=high, rx=high / 4, class_="choice")
    name = drawing.label(side_label(side), x + wide / 2, y + high / 2, "number", size=min(high * 0.4, 20))
    return drawing.target(str(side), f"choose: {side_label(side)}", box, name, class_="side")


def side_label(side: Side) -> str:
    """The label of a choice on the board."""
    return "2 more" if side == notation.MORE else f"{side}"


# ── lines of text ────────────────────────────────────────────────────────────────────────────────

STONES = ("●", "○")  # white is filled, as on the dark screen of the requirement document


SIZES = range(-1, 1)  # the smaller board has the letters of the columns only below it


def spans(
    position: PentePosition, *, last: Move | str | None = None, flip: bool = False, size: int = 0
) -> list[list[Span]]:
    """The board in box characters with its coordinates, the captures and the status."""
    *rows, letters = _grid_lines(position, last, flip)
    above = [] if size < 0 else [letters]
    return [*above, *rows, letters, *_captions(position)]


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
            return sign, f"{f'{colour} {shown}'.rstrip()} @{stone}"
    return crossing, f"empty @{stone}"


# ── words ────────────────────────────────────────────────────────────────────────────────────────


ENDINGS = {"no line left": "no line can be completed", "full board": "the board is full", "captures": "by captures"}


def status(position: PentePosition) -> str:
    """The player to act, or the result."""
    outcome = position.outcome
    if outcome is None:
        who, colour = PLAYERS[position.turn], COLOURS[position.colour]
        if position.stage in SIDES_OFFERED:
            return phrase("The {who} player to choose a colour.", who=who)
        if position.stage != OVER:
            return phrase("The {who} player to place a {colour} stone.", who=who, colour=colour)
        return phrase("{colour} to place a stone.", colour=colour.capitalize())
    how = ending(outcome.reason, outcome.is_draw)
    if not outcome.winners:
        return phrase("Draw: {how}.", how=how)
    return phrase("{winner} wins {how}.", winner=position.colour_of(outcome.winners[0]).capitalize(), how=how)


def ending(reason: str, _: bool) -> str:
    """How a game ended, in words that follow its result."""
    return ENDINGS.get(reason) or phrase("with {line} in a row", line=reason.removeprefix("line of "))


def listing(position: PentePosition) -> list[str]:
    """The stones and captures of each colour, and the status."""
    lines = []
    for colour, stones, taken in zip(COLOURS, position.stones, position.taken, strict=True):
        held = ", ".join(str(position.board.stones[point]) for point in points_of(stones))
        captures = f"; captured {taken}" if position.rules.captures else ""
        lines.append(f"{colour.capitalize()}: {held or 'no stones'}{captures}.")
    return [*lines, status(position)]

"""Drawing of the line strategy's weights: a heat map as SVG, and a table as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from pentad import drawing
from pentad.game import Span
from pentad.games.pente.board import LETTERS, points_of
from pentad.games.pente.draw import STONES
from pentad.games.pente.line_strategies import Weighing
from pentad.games.pente.notation import COLOURS
from pentad.system.words import phrase

HEATS = 6  # heat levels in a terminal

# ── SVG ──────────────────────────────────────────────────────────────────────────────────────────

CELL = 44
LEFT, TOP, EDGE, FOOT = 40, 16, 16, 66
DIGIT = 0.6  # the width of a digit, as a share of its height

# The heat of a cell is the opacity of --heat over the ground; the ink is readable on all of it.
STYLE = """
.pentad { --heat: #ff9d2e; --rule: #d8cdbb; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) .pentad { --heat: #a34c00; --rule: #453c32; } }
:root[data-theme=dark] .pentad { --heat: #a34c00; --rule: #453c32; }
.pentad .cell { fill: none; stroke: var(--rule); stroke-width: 1; }
.pentad .heat { fill: var(--heat); stroke: none; }
.pentad .weight { fill: var(--ink); text-anchor: middle; dominant-baseline: central; }
.pentad g .ball .marble { stroke: var(--faint); }
.pentad .best { fill: none; stroke: var(--accent); stroke-width: 3; stroke-dasharray: 5 4; }
.pentad .chosen { fill: none; stroke: var(--accent); stroke-width: 4; }
"""


def svg(weighing: Weighing, chosen: int | None = None, *, style: bool = True) -> str:
    """The board with the weight and heat of every empty cell; the chosen cell is framed, cells as good with dashes."""
    size = weighing.board.size
    side = size * CELL
    caption = status(weighing, chosen)
    foot = TOP + side + FOOT
    pieces = ". ".join(
        f"{colour}: {', '.join(str(weighing.board.stones[p]) for p in points_of(stones)) or 'no pieces'}"
        for colour, stones in zip(COLOURS, weighing.stones, strict=True)
    )
    return drawing.sheet(
        max(LEFT + side + EDGE, LEFT + len(caption) * 9.0 + EDGE),
        foot,
        f"<style>{STYLE}</style>" if style else "",
        *_coordinates(size),
        *(_cell(weighing, point) for point in range(size**2)),
        *_frames(weighing, chosen),
        drawing.text_element("text", caption, x=LEFT, y=foot - 20, class_="words", aria_hidden="true"),
        title=phrase(
            "Weights of the lines on {size} × {size}, line {line}: {caption}",
            size=size,
            line=weighing.board.line,
            caption=caption,
        ),
        description=f"{pieces}.",
        colours=COLOURS,
        style=style,
    )


def _corner(weighing: Weighing, point: int) -> tuple[float, float]:
    """The top left corner of a cell."""
    column, row = weighing.board.stones[point]
    return LEFT + column * CELL, TOP + (weighing.board.size - 1 - row) * CELL


def _coordinates(size: int) -> Iterator[str]:
    for i in range(size):
        yield drawing.label(LETTERS[i], LEFT + (i + 0.5) * CELL, TOP + size * CELL + 16)
        yield drawing.label(str(size - i), LEFT / 2, TOP + (i + 0.5) * CELL)


def _cell(weighing: Weighing, point: int) -> str:
    x, y = _corner(weighing, point)
    weight, most = weighing.weights[point], max(weighing.weights)
    held = _holder(weighing, point)
    caption = f"{weighing.board.stones[point]}, {weight if held is None else COLOURS[held]}"
    square = {"x": x, "y": y, "width": CELL, "height": CELL}
    parts = [drawing.text_element("title", caption)]
    if weight:
        parts.append(drawing.tag("rect", **square, class_="heat", fill_opacity=round(weight / most, 3)))
    parts.append(drawing.tag("rect", **square, class_="cell"))
    if held is not None:
        parts.append(drawing.marble(COLOURS[held], x + CELL / 2, y + CELL / 2, CELL * 0.4))
    elif weight:
        number = str(weight)
        height = min(17.0, (CELL - 6) / (DIGIT * len(number)))
        at = {"x": x + CELL / 2, "y": y + CELL / 2}
        parts.append(drawing.text_element("text", number, **at, font_size=height, class_="weight"))
    return drawing.tag("g", *parts)


def _frames(weighing: Weighing, chosen: int | None) -> Iterator[str]:
    """Frames around the best cells, drawn last so that no neighbour covers them."""
    for point in (*(best for best in weighing.best if best != chosen), *(() if chosen is None else (chosen,))):
        x, y = _corner(weighing, point)
        kind = "chosen" if point == chosen else "best"
        yield drawing.tag("rect", x=x + 2, y=y + 2, width=CELL - 4, height=CELL - 4, rx=5, class_=kind)


# ── lines of text ────────────────────────────────────────────────────────────────────────────────


def spans(weighing: Weighing, chosen: int | None = None) -> list[list[Span]]:
    """A table of the weights, the chosen cell in brackets, cells as good in parentheses, with the status below.

    The roles are those of a board, and `heat-1` to `heat-6` for the heat of a cell.
    """
    board = weighing.board
    wide = max(len(str(max(weighing.weights))) + 2, 3)
    letters = "".join(f" {LETTERS[column]} ".rjust(wide) for column in range(board.size))
    lines: list[list[Span]] = []
    for row in reversed(range(board.size)):
        line: list[Span] = [(f"{row + 1:>3} ", "label")]
        line += (_text_cell(weighing, board.point(column, row), chosen, wide) for column in range(board.size))
        lines.append(line)
    return [*lines, [(f"    {letters}", "label")], [(f"    {status(weighing, chosen)}", "status")]]


def _text_cell(weighing: Weighing, point: int, chosen: int | None, wide: int) -> Span:
    weight, most = weighing.weights[point], max(weighing.weights)
    if (held := _holder(weighing, point)) is not None:
        return f" {STONES[held]} ".rjust(wide), COLOURS[held]
    before, behind = "[]" if point == chosen else "()" if point in weighing.best else "  "
    text = f"{before}{weight or '·'}{behind}".rjust(wide)
    return text, f"heat-{-(-weight * HEATS // most)}" if weight else "empty-cell"


# ── words ────────────────────────────────────────────────────────────────────────────────────────


def status(weighing: Weighing, chosen: int | None) -> str:
    """The choice and its weight."""
    colour = COLOURS[weighing.side]
    if chosen is None:
        return phrase("the weights for {colour}", colour=colour)
    stone = weighing.board.stones[chosen]
    caption = f"{colour} plays {stone}, weight {weighing.weights[chosen]}"
    if weighing.urgent:
        caption += f", and {weighing.urgent}"
    equals = len(weighing.best) - 1
    if equals == 1:
        caption += "; 1 more cell is as good"
    elif equals:
        caption += phrase("; {count} more cells are as good", count=equals)
    if not weighing.urgent and weighing.weights[chosen] < max(weighing.weights):
        caption += "; cells of a higher weight are not legal now"
    return caption


def _holder(weighing: Weighing, point: int) -> int | None:
    """The side whose piece is in a cell, or None."""
    return next((side for side, stones in enumerate(weighing.stones) if stones >> point & 1), None)

"""Widgets of the full screen: lines of styled text, of which only the changed parts are drawn again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.geometry import Offset, Region
from textual.strip import Strip
from textual.widget import Widget

from pentad.terminal.boards import Line
from pentad.terminal.theme import styled


class Lines(Widget, can_focus=False):
    """Lines of styled text; where they are larger than the widget, a part of them from `corner` on."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.corner = Offset(0, 0)
        self._lines: list[Line] = []
        self._table: Mapping[str, str] = {}
        self._strips: list[Strip] = []

    def show(self, lines: Sequence[Line], styles: Mapping[str, str], corner: Offset | None = None) -> None:
        """Show these lines; only the cells that differ are drawn again."""
        before, table, at = self._lines, self._table, self.corner
        self._lines, self._table, self.corner = list(lines), styles, corner or Offset(0, 0)
        if table is not styles or at != self.corner:
            self._strips = [self._strip(line) for line in lines]
            self.refresh()
            return
        strips, regions = [], []
        for row in range(max(len(before), len(lines))):
            first, end = _difference(*(each[row] if row < len(each) else [] for each in (before, self._lines)))
            if end:
                regions.append(Region(first - self.corner.x, row - self.corner.y, end - first, 1))
            if row < len(lines):
                is_same = not end and row < len(self._strips)
                strips.append(self._strips[row] if is_same else self._strip(lines[row], first, end))
        self._strips = strips
        if regions:
            self.refresh(*regions)

    def _strip(self, line: Line, first: int = 0, end: int = 0) -> Strip:
        """A line with pieces that begin and end where it has changed, since whole pieces are written."""
        strip = Strip(styled(line, self._table).render(self.app.console)).simplify()
        cuts = [cut - self.corner.x for cut in (first, end) if 0 < cut < strip.cell_length]
        return Strip.join(strip.divide([*cuts, strip.cell_length])) if cuts else strip

    def render_line(self, y: int) -> Strip:
        left, top = self.corner
        if y + top >= len(self._strips):
            return Strip.blank(self.size.width, self.rich_style)
        return self._strips[y + top].crop_extend(left, left + self.size.width, None).apply_style(self.rich_style)


def _difference(before: Line, after: Line) -> tuple[int, int]:
    """The first column in which two lines differ, and the one after the last; 0 for both if they are equal."""
    old, new = _cells(before), _cells(after)
    wide = max(len(old), len(new))
    old += [(" ", "")] * (wide - len(old))
    new += [(" ", "")] * (wide - len(new))
    columns = [column for column in range(wide) if old[column] != new[column]]
    return (columns[0], columns[-1] + 1) if columns else (0, 0)


def _cells(line: Line) -> list[tuple[str, str]]:
    """Each character of a line with its styles; a target makes no difference."""
    return [(sign, role.partition("@")[0].strip()) for text, role in line for sign in text]

"""Layout of the full screen: the drawing that fits the window, and the lines beside and below it."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from pentad.drawing.colours import COLOURS
from pentad.game import Choice, Move, Position, Span
from pentad.search.analysis import Report, heading, worth, written
from pentad.terminal.boards import Form, Line
from pentad.terminal.full_screen.targets import Place, target_of
from pentad.terminal.full_screen.view import View

FRAME = 2  # rows of the title and of the keys
GAP = 2  # columns between the board and the panel
PANEL = 17  # the narrowest panel beside the board
MAX_STATUS_ROWS = 4
MIN_BOARD_ROWS = 12  # of a board that is scrolled
MAX_CHIP_COLUMNS = 30  # a choice below the board is cut to it
MAX_LINE_MOVES = 6  # a line of the analysis shows so many
OPEN = "choice"  # the role of empty places that can be chosen
CHIP = "#"  # begins the name of a target below the board
# The parts of the evaluation bar for seats whose colour is none of the board's.
OTHERS = ("cyan", "brown", "lime", "navy", "pink")


class ScreenLayout(NamedTuple):
    """The form of the board, its visible columns and rows, whether the panel is beside it, and the rows below it."""

    form: Form
    columns: int
    rows: int
    panel: int  # columns; 0 without a panel
    status: int


def arrange(
    forms: Iterable[Form], width: int, height: int, *, below: int, is_analysing: bool, legend: int = 0
) -> ScreenLayout:
    """The layout for a window: the largest drawing that fits, or the narrowest, which is scrolled.

    `below` rows are needed for choices below the board, and `legend` rows for the legend where there is no panel. An
    enlarged drawing leaves room for the panel.
    """
    found = list(forms)
    without_panel = 2 + is_analysing + legend
    for form in found:
        beside = form.width + GAP + PANEL <= width
        if form.is_enlarged and not beside:
            continue
        least = 2 if beside else without_panel
        if form.width <= width and form.height + below + least + FRAME <= height:
            return _layout(form, width, height, form.height + below, beside, least)
    found = [form for form in found if not form.is_enlarged]
    form = next((form for form in found if form.width <= width), min(found, key=lambda form: form.width))
    if form.width + GAP + PANEL > width:
        form = min(found, key=lambda form: form.width)
    beside = form.width + GAP + PANEL <= width
    least = 2 if beside else without_panel
    # The board is scrolled anyway; two rows more have what to do and what is under the cursor as a whole.
    more = min(2, max(height - FRAME - least - MIN_BOARD_ROWS, 0))
    return _layout(form, width, height, form.height + below, beside, least + more)


def _layout(form: Form, width: int, height: int, rows: int, beside: bool, least: int) -> ScreenLayout:
    status = max(least, min(MAX_STATUS_ROWS, height - FRAME - rows))
    shown = max(height - FRAME - status, 1)
    columns = min(form.width, width)
    return ScreenLayout(form, columns, shown, width - columns - GAP if beside else 0, status)


# ── the board ─────────────────────────────────────────────────────────────────────────────────────


def chips(choices: Sequence[Choice], width: int) -> list[Line]:
    """Choices that are not on the board, below it, in as many rows as they need."""
    lines: list[list[Span]] = []
    used = 0
    for number, choice in enumerate(choices):
        text = f" {chip_text(choice)} "
        if not lines or used + cell_len(text) > width:
            lines.append([])
            used = 0
        lines[-1] += [(text, f"choice @{CHIP}{number}"), (" ", "")]
        used += cell_len(text) + 1
    return [[("", "")], *lines] if lines else []


def chip_text(choice: Choice) -> str:
    """The notation of a choice, or its label if the notation is long."""
    text = str(choice)
    return (
        text
        if len(text) <= MAX_CHIP_COLUMNS // 2
        else textwrap.shorten(choice.label, MAX_CHIP_COLUMNS, placeholder="…")
    )


def marked(lines: Sequence[Line], marks: Mapping[str, str], places: Collection[Place]) -> list[Line]:
    """The lines with further roles for some targets, and with the cursor at some places."""
    found: list[Line] = []
    for row, line in enumerate(lines):
        column, spans = 0, []
        for text, role in line:
            target = target_of(role)
            more = f"{marks[target]} " if target in marks else ""
            if more == f"{OPEN} " and not role.startswith(("stop", "empty", "label")):
                more = "moved "  # a piece keeps its colour
            for sign in text:
                here = "cursor " if (row, column) in places else ""
                style, at, name = role.partition("@")
                spans.append((sign, f"{style} {more}{here}{at}{name}"))
                column += cell_len(sign)
        found.append(_joined(spans))
    return found


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Neighbouring pieces of text with the same role as one."""
    found: list[Span] = []
    for text, role in spans:
        if found and found[-1][1] == role:
            found[-1] = (found[-1][0] + text, role)
        else:
            found.append((text, role))
    return found


# ── beside the board, and below it ────────────────────────────────────────────────────────────────


def title(view: View, width: int, *, is_alone: bool, times: Sequence[str] = ()) -> Line:
    """The game, and the seats if there is no panel; all times are shown, and as much else as fits."""
    game: list[Span] = [(f" {view.title} ", "title")]
    seats = range(len(view.seats)) if is_alone else range(0)
    whole = [*game, *(span for seat in seats for span in (("  ", ""), *_seat(view, seat), *_time(times, seat)))]
    if not is_alone or not times or wide(whole) <= width:
        return cropped(whole, width)
    named = [span for seat in seats for span in (*_seat(view, seat)[:2], *_time(times, seat), (" ", ""))]
    chips = [(f" {time} ", chip(view.seats[seat][0], seat)) for seat, time in enumerate(times)]
    short = [span for seat in seats for span in (_mark(view, seat), chips[seat])]
    forms = ([*game, *named], named, [*game, *short], short)
    return cropped(next((form for form in forms if wide(form) <= width), short), width)


def _seat(view: View, seat: int) -> list[Span]:
    """A seat with its player; the seat to move is marked."""
    colour, player = view.seats[seat]
    return [
        _mark(view, seat),
        (f" {colour} ", chip(colour, seat)),
        (f" {player}", "title" if view.turn == seat else ""),
    ]


def _mark(view: View, seat: int) -> Span:
    return ("▸" if view.turn == seat else " ", "title")


def _time(times: Sequence[str], seat: int) -> list[Span]:
    return [(f" {times[seat]}", "title")] if times else []


def _timed(view: View, times: Sequence[str], seat: int, width: int) -> Line:
    """A seat with its player, and its time at the right."""
    time = _time(times, seat)
    line = cropped(_seat(view, seat), width - wide(time))
    return [*line, (" " * (width - wide(time) - wide(line)), ""), *time] if time else line


def wide(line: Line) -> int:
    """The columns of a line."""
    return sum(cell_len(text) for text, _ in line)


def chip(colour: str, seat: int) -> str:
    """The role of a seat's name and of its part of the evaluation bar."""
    return f"chip-{colour if colour in COLOURS else OTHERS[seat % len(OTHERS)]}"


def notes(texts: Iterable[str], width: int) -> list[Line]:
    """Notes on the board, wrapped."""
    return [[(line, "tally")] for text in texts for line in textwrap.wrap(text, width)]


def panel(
    view: View, width: int, height: int, *, notes: Sequence[Line], analysis: Sequence[Line], times: Sequence[str] = ()
) -> list[Line]:
    """The seats with their times, notes on the board, the analysis, and as many of the last moves as fit."""
    lines: list[Line] = [_timed(view, times, seat, width) for seat in range(len(view.seats))]
    lines += notes
    if analysis:
        lines += [[], *(cropped(line, width) for line in analysis)]
    lines.append([])
    rows = max(height - len(lines), 0)
    moves = list(_rounds(view, width))
    return [*lines, *([[(text, "")] for text in moves[-rows:]] if rows else [])][:height]


def _rounds(view: View, width: int) -> Iterator[str]:
    """The moves, a round in each row if it fits, else a move."""
    players = len(view.seats)
    widest = max(map(cell_len, view.moves), default=0)
    digits = len(str(view.first_ply + len(view.moves)))
    if digits + 2 + players * (widest + 2) > width:
        for number, move in enumerate(view.moves, view.first_ply + 1):
            row = f"{number:>{digits}}. {move}"
            yield row if cell_len(row) <= width else f"{row[: width - 1]}…"
        return
    before = ["…"] * view.first_mover
    cells = [*before, *view.moves]
    for number, first in enumerate(range(0, len(cells), players), view.first_ply // players + 1):
        row = "  ".join(each.ljust(widest) for each in cells[first : first + players])
        yield f"{number:>{digits}}. {row.rstrip()}"


def status(view: View, width: int, height: int, *, hint: str, below: Sequence[Line]) -> list[Line]:
    """What to do, messages, and what was played last; the last move in words is never left out.

    `hint` is about the target under the cursor. Without a panel its analysis and its legend are `below`.
    """
    said: list[Line] = [[(line, role)] for text, role in view.messages for line in textwrap.wrap(text, width)]
    room = height - len(below)
    above = [*_first(view, hint, width, room - len(said)), *said]
    words = _last_moves(view.words, width, max(room - len(above), 1))
    left = room - len(words)
    shown = above if len(above) <= left else (said or above)[-left:] if left else []
    lines = [*shown, *([(text, "")] for text in words)]
    return [*lines, *([[]] * (room - len(lines))), *(cropped(line, width) for line in below)]


def _first(view: View, hint: str, width: int, rows: int) -> list[Line]:
    """What to do and the hint about the cursor: in one row, or below each other if that leaves one of the `rows`.

    In one row, what to do is cut as long as that leaves room for the hint, but has at least a third of the row.
    """
    marked_hint = f"  ▸ {hint}" if hint else ""
    states = (view.busy,) if view.busy else view.states
    state = next((each for each in states if cell_len(each + marked_hint) <= width), states[-1])
    wrapped = textwrap.wrap(marked_hint.strip(), width)
    if cell_len(state + marked_hint) > width and len(wrapped) + 1 < rows:
        return [cropped([(state, "status")], width), *([(line, "quiet")] for line in wrapped)]
    room = max(width - cell_len(marked_hint), width // 3)
    return [cropped([*cropped([(state, "status")], room), (marked_hint, "quiet")], width)]


def _last_moves(words: Sequence[str], width: int, rows: int) -> list[str]:
    """The last moves in words, in as many rows as there are; the latest ones come first where not all fit."""
    lines = [line for text in words for line in textwrap.wrap(text, width)]
    if len(lines) <= rows:
        return lines
    each = rows if len(words) == 1 else 1
    return [line for text in words[-rows:] for line in textwrap.wrap(text, width, max_lines=each, placeholder="…")]


def cropped(line: Line, width: int) -> Line:
    """A line cut to a width, with an ellipsis at the end."""
    if wide(line) <= width:
        return line
    found: list[Span] = []
    room = width - 1
    for text, role in line:
        found.append((text[:room], role))
        room -= len(text)
        if room <= 0:
            break
    return [*found, ("…", "")]


# ── the analysis ──────────────────────────────────────────────────────────────────────────────────


def bar(view: View, values: Sequence[float], width: int) -> Line:
    """The evaluation bar: each seat's part of the board's value.

    A sure win fills the bar.
    """
    shares = [max(value + 1, 0.0) for value in values]
    whole = sum(shares) or 1.0
    edges = [round(width * sum(shares[: seat + 1]) / whole) for seat in range(len(shares))]
    parts = [end - begin for begin, end in zip([0, *edges], edges, strict=False)]
    names = [f" {colour} " for colour, _ in view.seats]
    return [
        ((names[seat] if len(names[seat]) <= part else "").ljust(part), chip(view.seats[seat][0], seat))
        for seat, part in enumerate(parts)
        if part
    ]


def analysis_lines(view: View, position: Position, report: Report | None, width: int, *, rows: int) -> list[Line]:
    """The evaluation bar and the best lines; one row has the shortest form of both."""
    if report is None:
        return [[("Analysing…", "quiet")]]
    best = report.lines[0]
    if rows == 1:
        short = bar(view, best.values, 10)
        return [[*short, (f" {worth(position, report, best)} ", "title"), (_moves(position, best.moves), "")]]
    lines: list[Line] = [bar(view, best.values, width), [(heading(position, report), "quiet")]]
    lines += [
        [(f"{worth(position, report, each)} ", "title"), (_moves(position, each.moves), "")] for each in report.lines
    ]
    return lines[:rows]


def _moves(position: Position, moves: Sequence[Move]) -> str:
    return "  ".join(written(position, moves[:MAX_LINE_MOVES]))

"""The layout of the full screen in windows of every size."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

import pentad
from pentad.game import Position
from pentad.play.table import Table
from pentad.record import Record
from pentad.search.report import Line, Report
from pentad.terminal.boards import forms
from pentad.terminal.full_screen import layout
from pentad.terminal.full_screen.view import View, view_of
from pentad.terminal.play_session import Display, Session

SIZES = [(80, 24), (120, 40), (40, 20), (30, 10)]
STARTS = [
    pentad.new("pentago"),
    pentad.new("pente"),
    pentad.new("pentagame"),
    pentad.new("pentagame", players=5),
    pentad.new("pentago", players=6, rows=3, cols=3),
]


def view(position: Position, moves: int = 9) -> View:
    record = Record(position)
    bot = pentad.bot(position.game, "random", seed=2)
    for _ in range(moves):
        record.play(bot.choose(record.position))
    return view_of(Session(Table(record, ["human"] * position.players), Display()), waits=True)


def wide(line: layout.Line) -> int:
    return sum(cell_len(text) for text, _ in line)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("is_analysing", [False, True])
def test_everything_fits(size: tuple[int, int], is_analysing: bool):
    width, height = size
    for start in STARTS:
        shown = view(start)
        found = forms(shown.position, shown.last, shown.flip)
        here = layout.arrange(found, width, height, below=0, is_analysing=is_analysing)
        assert here.columns + (here.panel and here.panel + layout.GAP) <= width
        assert here.rows + here.status + layout.FRAME <= height
        lines = layout.panel(
            shown, here.panel or 20, here.rows, notes=layout.notes(["a note"], here.panel or 20), analysis=()
        )
        assert len(lines) <= here.rows
        assert max(map(wide, lines)) <= (here.panel or 20)
        below = layout.status(shown, width, here.status, hint="", below=())
        assert len(below) == here.status
        assert max(map(wide, below)) <= width


@pytest.mark.parametrize("start", STARTS[:3], ids=lambda start: start.game)
def test_boards_are_whole_on_a_default_screen(start: Position):
    here = layout.arrange(forms(start, None, False), 80, 24, below=0, is_analysing=False)
    assert (here.columns, here.rows) >= (here.form.width, here.form.height)
    assert not here.form.is_condensed


@pytest.mark.parametrize("messages", [(), (("x" * 200, "error"),)])
@pytest.mark.parametrize("start", STARTS, ids=lambda start: f"{start.game}-{start.players}")
def test_the_last_move_is_always_in_sight(start: Position, messages: tuple[tuple[str, str], ...]):
    from dataclasses import replace

    shown = replace(view(start), messages=messages)
    for width, rows in ((80, 2), (40, 2), (20, 2), (80, 4)):
        text = "".join(text for line in layout.status(shown, width, rows, hint="here", below=()) for text, _ in line)
        assert f"{len(shown.moves)}. " in text


@pytest.mark.parametrize("start", STARTS[:3], ids=lambda start: start.game)
def test_the_hint_is_whole_in_a_narrow_window(start: Position):
    """What to do is cut before what is under the cursor; a third of the row is for what to do."""
    shown = view(start)
    for hint, shown_hint in [*((each, each) for each in ("K13", "Twist sub-board 3 cw")), ("x" * 50, "x" * 22 + "…")]:
        line = layout.status(shown, 40, 2, hint=hint, below=())[0]
        text = "".join(part for part, _ in line)
        assert text.endswith(f"  ▸ {shown_hint}")
        assert text.startswith(shown.states[-1][:12])
        assert wide(line) <= 40


def test_a_long_hint_has_rows_of_its_own():
    hint = "Put the black block on the 2nd stop from the white junction towards the yellow corner"
    shown = view(pentad.new("pentagame"))
    lines = layout.status(shown, 60, 4, hint=hint, below=())
    texts = ["".join(part for part, _ in line) for line in lines]
    assert texts[0] == shown.states[0]
    assert " ".join(texts[1:3]) == f"▸ {hint}"
    assert all(wide(line) <= 60 for line in lines)


def test_what_to_do_is_whole_below_a_board_that_is_scrolled():
    shown = view(pentad.new("pentagame"))
    here = layout.arrange(forms(shown.position, None, False), 60, 20, below=0, is_analysing=False)
    hint = "Move the yellow piece to the 5th stop from green towards white."
    lines = layout.status(shown, 60, here.status, hint=hint, below=())
    texts = ["".join(text for text, _ in line) for line in lines]
    assert texts[0] == shown.states[0]
    assert " ".join(texts[1:3]) == f"▸ {hint}"
    assert here.rows + here.status + layout.FRAME == 20


def test_a_game_from_a_later_position_goes_on_with_its_numbers():
    start = view(pentad.new("pente"), moves=7).position
    shown = view(start, moves=4)
    lines = ["".join(text for text, _ in line) for line in layout.panel(shown, 30, 20, notes=(), analysis=())]
    assert [line.split()[:2] for line in lines[3:6]] == [["4.", "…"], ["5.", shown.moves[1]], ["6.", shown.moves[3]]]
    narrow = ["".join(text for text, _ in line) for line in layout.panel(shown, 10, 20, notes=(), analysis=())]
    assert [line.split()[0] for line in narrow[3:]] == ["8.", "9.", "10.", "11."]


def test_moves_are_in_rounds():
    shown = view(pentad.new("pente"), moves=5)
    lines = ["".join(text for text, _ in line) for line in layout.panel(shown, 30, 20, notes=(), analysis=())]
    first, second = shown.moves[:2]
    assert lines[3].split() == ["1.", first, second]
    assert len(lines) == 6


def test_the_bar_has_a_part_for_each_seat():
    shown = view(pentad.new("pente"))
    assert layout.bar(shown, (0.5, -0.5), 20) == [(" white".ljust(15), "chip-white"), (" " * 5, "chip-black")]
    assert layout.bar(shown, (-1.0, 1.0), 20) == [(" black".ljust(20), "chip-black")]
    five = view(pentad.new("pentagame", players=5))
    assert sum(len(text) for text, _ in layout.bar(five, (1.0, -0.25, -0.25, -0.25, -0.25), 20)) == 20


def test_the_analysis_in_one_row_and_in_several():
    shown = view(pentad.new("pente"), moves=2)
    move = shown.position.legal_moves[0]
    report = Report(0, 3, 100, 1.0, (Line((move,), (0.25, -0.25)), Line((move,), (0.0, 0.0))), exact=False)
    (one,) = layout.analysis_lines(shown, shown.position, report, 40, rows=1)
    assert f" +0.25 {move}" in "".join(text for text, _ in one)
    assert len(layout.analysis_lines(shown, shown.position, report, 40, rows=5)) == 4


@pytest.mark.parametrize(
    ("width", "height", "size"), [(80, 24, 0), (80, 26, 1), (120, 40, 2), (64, 40, 0), (65, 40, 1), (200, 25, 0)]
)
def test_the_board_of_pentago_grows_with_the_window(width: int, height: int, size: int):
    start = STARTS[0]
    found = list(forms(start, None, False, enlarged=True))
    here = layout.arrange(found, width, height, below=0, is_analysing=False)
    assert here.form in found
    assert here.form.height == len(start.spans(size=size)) - 1  # the status is left out
    assert here.panel >= layout.PANEL


def test_without_colours_the_pieces_differ_in_shape():
    assert not any(form.is_enlarged for form in forms(STARTS[0], None, False))

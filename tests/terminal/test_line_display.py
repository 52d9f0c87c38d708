"""Play by lines in windows of every width, with colours and without, and on a plain terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

import pentad
from pentad.play.table import Table
from pentad.record import Record
from pentad.terminal.line_display import LineDisplay
from pentad.terminal.play_session import Session
from tests.terminal.pseudo_terminal import CTRL_C, CTRL_D, Terminal

COLOURS, PLAIN = True, False


class Window:
    """Lines in a window of a given size, without a terminal."""

    def __init__(self, record: Record, columns: int = 80, rows: int = 24, colours: bool = PLAIN) -> None:
        self.size = (columns, rows)
        self.display = LineDisplay()
        self.output = io.StringIO()
        self.display.console = Console(file=self.output, color_system="truecolor" if colours else None)
        self.session = Session(Table(record, ["human"] * record.start.players), self.display)
        self.display.game_started(self.session)

    def run(self, line: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The lines that an input line adds before the next prompt."""
        self.session.run_line(line)
        return self.drawn(monkeypatch)

    def drawn(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The lines before the next prompt."""
        for name, value in zip(("COLUMNS", "LINES"), self.size, strict=True):
            monkeypatch.setenv(name, str(value))
        self.output.truncate(0)
        self.output.seek(0)
        self.display._draw(self.session)
        return self.output.getvalue().splitlines()


GAMES = {"pentago": {}, "pente": {}, "pentagame": {}, "pentagame of five": {"players": 5}}


@pytest.mark.parametrize("name", GAMES)
def test_the_last_moves_are_described(name: str, monkeypatch: pytest.MonkeyPatch):
    record = Record(name.split()[0], **GAMES[name])
    window = Window(record, columns=400)
    bot = pentad.bot(record.game.name, "random", seed=2)
    played = []
    for _ in range(6):
        before, move = record.position, bot.choose(record.position)
        played.append(f"{before.ply + 1}. {before.notation(move)}: {before.describe(move)}")
        below = window.run(str(move), monkeypatch)
    count = max(2, record.start.players)
    assert below[-count:] == played[-count:]


def test_a_game_of_pente_in_a_default_window(monkeypatch: pytest.MonkeyPatch):
    window = Window(Record("pente"))
    for move in ("K10", "L11", "K14"):
        lines = window.run(move, monkeypatch)
    assert lines[1].startswith(" 19 ┌─┬")
    assert lines[19:] == [
        "  1 └─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┘ 1",
        "    A B C D E F G H J K L M N O P Q R S T",
        "Captures: white 0, black 0",
        "● white  ○ black",
        "Black to move. Place a black stone.",
        "2. L11: Black plays L11.",
        "3. K14: White plays K14.",
    ]


def test_the_board_is_printed_only_when_it_has_changed(monkeypatch: pytest.MonkeyPatch):
    window = Window(Record("pentago"))
    assert "┌───1───┬───2───┐" in "\n".join(window.drawn(monkeypatch))
    window.display.show_error(window.session, "No such move.")
    assert window.drawn(monkeypatch) == ["No such move."]
    assert window.drawn(monkeypatch) == []
    assert "┌───1───┬───2───┐" in "\n".join(window.run("board", monkeypatch))


def test_a_new_window_size_is_used_at_the_next_prompt(monkeypatch: pytest.MonkeyPatch):
    window = Window(Record("pentago"))
    window.drawn(monkeypatch)
    window.size = (12, 24)
    assert "a······" in window.drawn(monkeypatch)
    window.size = (80, 24)
    assert "┌───1───┬───2───┐" in "\n".join(window.drawn(monkeypatch))


# ── windows that are too small ───────────────────────────────────────────────────────────────────


def test_a_window_narrower_than_the_board_says_so(monkeypatch: pytest.MonkeyPatch):
    window = Window(Record("pente"), 40, 20)
    window.run("K10", monkeypatch)
    lines = window.run("K4", monkeypatch)
    assert lines[1:4] == [
        "This window is too narrow for the board,",
        "which needs 44 columns.",
        "19┌┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┐",
    ]
    assert " 4├┼┼┼┼┼┼┼┼○┼┼┼┼┼┼┼┼┤" in lines
    assert all(len(line) <= 40 for line in lines)


def test_a_board_that_cannot_be_condensed_is_listed(monkeypatch: pytest.MonkeyPatch):
    lines = Window(Record("pentago", rows=1, cols=8), 20).drawn(monkeypatch)
    assert lines[1:4] == ["This window is too", "narrow for the", "board, which needs"]
    assert "Black: no marbles." in lines


def test_a_low_window_gets_a_small_drawing(monkeypatch: pytest.MonkeyPatch):
    small, large = (Window(Record("pentagame"), 80, rows).drawn(monkeypatch) for rows in (24, 44))
    assert len(large) - len(small) > 15
    assert "This window" not in "".join(small + large)


# ── without colours ──────────────────────────────────────────────────────────────────────────────

LEGENDS = {
    "pentago": "● black  ○ white",
    "pente": "● white  ○ black",
    "pentagame": "██ ▐▌ black block  ▒▒ ░░ gray block  W white  G green  Y yellow  R red  B blue",
}


@pytest.mark.parametrize("name", LEGENDS)
def test_a_board_without_colours_has_a_legend(name: str, monkeypatch: pytest.MonkeyPatch):
    assert pentad.new(name).legend == LEGENDS[name]
    assert LEGENDS[name] in Window(Record(name)).drawn(monkeypatch)
    assert LEGENDS[name] not in "\n".join(Window(Record(name), colours=COLOURS).drawn(monkeypatch))


@pytest.mark.slow
def test_no_colour_shows_the_legend_on_a_terminal():
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}, {"TERM": "unknown"}):
        with Terminal("play", "pente", "--white", "human", "--black", "human", **environment) as terminal:
            terminal.expect("● white  ○ black")
            terminal.expect("white> ")
    with Terminal("play", "pente", "--white", "human", "--black", "human") as terminal:
        terminal.expect("white> ")
        assert "●" not in terminal.shown


def test_every_symbol_differs_on_an_ascii_terminal(home: Path):
    words = ("play", "pentagame", "--players", "5", *(f"--seat={seat}=human" for seat in range(5)))
    with Terminal(*words, PYTHONIOENCODING="ascii", NO_COLOR="1") as terminal:
        terminal.expect("@@ [] black block  :: '' gray block  W white")
        terminal.expect("circle> ")
        assert "?" not in terminal.shown
        assert "> x circle <" in terminal.shown


# ── a plain terminal ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_plain_terminal_prints_the_board_after_every_move(home: Path):
    with Terminal("play", "pentago", "--white", "random", "--seed", "1", TERM="dumb") as terminal:
        terminal.expect("Pentago  (black: human, white: random)")
        terminal.expect("┌───1───┬───2───┐")
        terminal.expect("● black  ○ white\nBlack to move. Place a marble.\nblack> ")
        terminal.enter("zz")
        terminal.expect("'zz' is not a space")
        terminal.expect("black> ")
        assert terminal.shown.count("┌───1───┬───2───┐") == 1  # the board is not drawn again
        terminal.enter("a2 1C")
        terminal.expect("White (random) is thinking")
        terminal.expect("┌───1───┬───2───┐")
        terminal.expect("1. a2 1C: Black plays a2")
        terminal.expect("2. ")
        terminal.expect("black> ")
        terminal.enter("board")
        terminal.expect("┌───1───┬───2───┐")
        terminal.expect("black> ")
        terminal.interrupt()
        terminal.expect("Quit? The game is saved as pentago-1. (y/N) ")
        terminal.enter("n")
        terminal.expect("black> ")
        terminal.type(CTRL_D)
        assert terminal.wait() == 0
        terminal.expect("The game is saved as pentago-1.")
        assert b"\x1b" not in terminal.raw
        assert terminal.raw.count(b"\r") == terminal.raw.count(b"\r\n")


@pytest.mark.slow
def test_a_plain_terminal_reports_a_narrow_window(home: Path):
    words = ("play", "pentagame", "--seat", "0=human", "--seat", "1=human")
    with Terminal(*words, columns=50, rows=20, TERM="dumb") as terminal:
        terminal.expect("This window is too narrow for the board, which")
        terminal.expect("needs 79 columns.")
        terminal.expect("circle> ")
        terminal.resize(80, 20)
        terminal.enter("board")
        terminal.expect("in the pool")
        terminal.expect("circle> ")
        assert terminal.shown.count("too narrow") == 1


def test_a_plain_terminals_board_fits_its_window(home: Path):
    with Terminal("play", "pente", "--white=human", "--black=human", columns=40, rows=20, TERM="dumb") as terminal:
        terminal.expect(" ABCDEFGHJKLMNOPQRST")
        terminal.expect("white> ")
        terminal.resize(44, 20)
        terminal.enter("board")
        terminal.expect(" 19 ┌─┬")
        terminal.expect("white> ")


@pytest.mark.slow
def test_ctrl_c_quits_on_a_plain_terminal(home: Path):
    with Terminal("play", "pentago", "--white", "human", "--black", "human", TERM="dumb") as terminal:
        terminal.expect("black> ")
        terminal.interrupt()
        terminal.expect("Quit? No moves have been played. (y/N) ")
        terminal.type(CTRL_C)
        assert terminal.wait() == 130
    assert not (home / "games").exists()

"""The screen of a game in windows of every size, with colours and without, and on a plain terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

import pentad
from pentad.games.pentagame.board import FIELDS, MAINS, PLAN
from pentad.games.pentagame.draw import LARGE, SMALL, Size
from pentad.play.table import Table
from pentad.record import Record
from pentad.terminal.screen import Screen
from pentad.terminal.session import Session
from tests.cases import slow
from tests.terminal.pseudo_terminal import CTRL_C, CTRL_D, Terminal

COLOURS, PLAIN = True, False


class Window:
    """The screen of a window of a given size, without a terminal."""

    def __init__(self, record: Record, columns: int = 80, rows: int = 24, colours: bool = PLAIN) -> None:
        players = record.start.players
        screen = Screen()
        screen.console = Console(width=columns, height=rows, color_system="truecolor" if colours else None)
        self.screen, self.columns, self.rows = screen, columns, rows
        self.session = Session(Table(record, ["human"] * players), screen)
        screen.game_started(self.session)

    @property
    def lines(self) -> list[str]:
        """The lines above the prompt."""
        return [line.plain for line in self.screen._lines(self.session, self.columns, self.rows - 1)]

    def row_of(self, text: str) -> int:
        (row,) = (row for row, line in enumerate(self.lines) if text in line)
        return row


GAMES = {
    "pentago": {},
    "pente": {},
    "pentagame": {},
    "pentagame of five": {"players": 5},
    "pentago of six": {"players": 6, "rows": 3, "cols": 3},
}
BOARD_ROW = {"pentago": " c │", "pentago of six": " c │", "pente": " 10 ├", "pentagame": "in the pool"}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> tuple[str, Record]:
    name = request.param
    return name, Record(name.split()[0], **GAMES[name])


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("columns", "rows", "colours"),
    [(80, 24, COLOURS), slow(80, 24, PLAIN), slow(100, 40, COLOURS), slow(100, 40, PLAIN)],
)
def test_the_layout_is_the_same_after_every_move(game: tuple[str, Record], columns: int, rows: int, colours: bool):
    name, record = game
    window = Window(record, columns, rows, colours)
    session, bot = window.session, pentad.bot(name.split()[0], "random", seed=5)
    marker = BOARD_ROW.get(name, "in the pool")
    first = window.row_of(marker), window.row_of(" to move. "), len(window.lines)
    for _ in range(12):
        move = bot.choose(record.position)
        session.run_line(str(move))
        window.screen.message = []  # as when the person has typed a line
        now = window.row_of(marker), window.row_of(" to move. "), len(window.lines)
        assert now == first
        assert now[-1] < rows
        assert all(len(line) <= columns for line in window.lines)


def test_the_last_two_moves_are_described(game: tuple[str, Record]):
    name, record = game
    window = Window(record)
    bot = pentad.bot(name.split()[0], "random", seed=2)
    for _ in range(6):
        seat = record.position.colour_of(record.position.turn)
        move = bot.choose(record.position)
        text = record.position.notation(move)
        window.session.run_line(str(move))
        window.screen.message = []
    below = "\n".join(window.lines)
    assert f"{seat}: {text}" in below or f". {text}: " in below
    previous = record.end.parent
    assert previous is not None
    text = previous.played[0].notation(previous.played[1])
    assert f": {text}" in below or f". {text}: " in below


def test_a_game_of_pente_on_a_default_screen():
    record = Record("pente")
    window = Window(record)
    for move in ("K10", "L11", "K14"):
        window.session.run_line(move)
    window.screen.message = []
    assert window.lines[0].startswith(" 19 ┌─┬")
    assert window.lines[18:] == [
        "  1 └─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┘ 1    Captures: white 0, black 0",
        "    A B C D E F G H J K L M N O P Q R S T      ● white  ○ black",
        "Black to move. Place a black stone.",
        "black: L11   white: K14",
        "",
    ]


@pytest.mark.slow
def test_a_bots_move_is_shown_on_the_screen(home: Path):
    with Terminal("play", "pente", "--black", "random", "--seed", "1") as terminal:
        terminal.expect("white> ")
        terminal.enter("K10")
        terminal.expect("white: K10   black: ")
        terminal.expect("white> ")
    with Terminal("play", "--resume") as terminal:
        terminal.expect("white: K10   black: ")
        terminal.expect("white> ")
        terminal.enter("undo")
        terminal.expect("Took back 2 moves.")
        terminal.expect("white> ")
        assert "black: " not in terminal.shown[terminal.shown.rfind("K L M") :]


def test_an_error_does_not_move_the_board(game: tuple[str, Record]):
    name, record = game
    window = Window(record)
    marker = BOARD_ROW.get(name, "in the pool")
    row = window.row_of(marker)
    window.session.display.show_error(window.session, "'zz' is not a point; " + "x" * 70)
    assert window.row_of(marker) == row
    assert any("zz" in line for line in window.lines)
    assert len(window.lines) < 24


LONG = "Ferdinanda Maximiliane von und zu Hohenlohe-Waldenburg-Schillingsfürst"


@pytest.mark.fast_cases(7)
@pytest.mark.parametrize("colours", [slow(COLOURS), PLAIN])
@pytest.mark.parametrize("count", range(1, 5))
def test_messages_do_not_move_the_board(game: tuple[str, Record], count: int, colours: bool):
    name, record = game
    window = Window(record, colours=colours)
    session, bot = window.session, pentad.bot(name.split()[0], "random", seed=3)
    marker = BOARD_ROW.get(name, "in the pool")
    row, length = window.row_of(marker), len(window.lines)
    for seat in range(record.start.players):
        record.tags[f"Seat{seat}"] = f"{LONG} {seat}"
    for _ in range(2):
        session.run_line(str(bot.choose(record.position)))
    window.screen.message = []
    session.display.show_error(session, "x" * 80 * count)
    lines = window.lines
    if lines[-1] == "Press Enter to see the board again.":  # no room next to the board
        assert count > 1
        assert sum(line.count("x") for line in lines) == 80 * count
    else:
        assert window.row_of(marker) == row
        assert sum(line.count("x" * 80) for line in lines) == count
    assert len(lines) < 24
    window.screen.message = []
    assert (window.row_of(marker), len(window.lines)) == (row, length)


def test_a_long_result_does_not_move_the_board(game: tuple[str, Record], monkeypatch: pytest.MonkeyPatch):
    name, record = game
    window = Window(record)
    marker = BOARD_ROW.get(name, "in the pool")
    row, length = window.row_of(marker), len(window.lines)
    monkeypatch.setattr("pentad.terminal.messages.scored_result", lambda *_: "wins by " + "so many words " * 10)
    window.session.table.resign()
    assert record.outcome
    for message in ([], [("new plays another game", "news")]):
        window.screen.message = message
        lines = window.lines
        assert any(line.startswith("wins by so many words") for line in lines)
        assert (window.row_of(marker), len(lines)) == (row, length)


def test_a_long_message_says_how_to_return_to_the_board():
    window = Window(Record("pente"))
    window.session.run_line("help")
    assert window.lines[-1] == "Press Enter to see the board again."
    window.screen.message = []
    assert window.lines[0].startswith(" 19 ")


# ── windows that are too small ───────────────────────────────────────────────────────────────────


def test_a_window_smaller_than_the_board_says_so():
    record = Record("pente")
    window = Window(record, 40, 20)
    assert window.lines[0] == "This window is too small for the board,"
    assert window.lines[1] == "which needs 44 × 24."
    for move in ("K10", "K4"):
        window.session.run_line(move)
    window.screen.message = []
    lines = window.lines
    assert len(lines) == 19
    assert " 4├┼┼┼┼┼┼┼┼○┼┼┼┼┼┼┼┼┤" in lines  # the rows around the last move
    assert not any(line.startswith("19") for line in lines)
    assert "  ABCDEFGHJKLMNOPQRST" in lines
    assert "white: K10   black: K4" in lines


def test_another_window_gets_another_drawing():
    record = Record("pentagame")
    small, large = Window(record, 80, 24), Window(record, 80, 44)
    assert len(large.lines) - len(small.lines) > 15
    assert "This window" not in "".join(small.lines + large.lines)
    assert Window(record, 40, 20).lines[:2] == ["This window is too small for the board,", "which needs 79 × 23."]


@pytest.mark.slow
def test_the_window_size_is_read_before_every_move(home: Path):
    with Terminal("play", "pente", "--white", "human", "--black", "human", columns=40, rows=20) as terminal:
        terminal.expect("too small for the board,")
        terminal.expect("white> ")
        terminal.resize(80, 24)
        terminal.enter("K10")
        terminal.expect(" 19 ┌─┬")
        terminal.expect("white: K10")
        terminal.expect("black> ")


# ── Pentagame's two sizes ────────────────────────────────────────────────────────────────────────


def cells(size: Size, sign: int) -> Iterator[tuple[int, set[tuple[int, int]]]]:
    """Every field with the cells that it covers."""
    for field in range(len(FIELDS)):
        x, y, _ = PLAN.spots[field]
        row = -round(sign * y / size.row)
        column = round(sign * x / size.column) + sign * size.nudged.get(field, 0)
        wide = range(column - 1, column + 3) if field in MAINS else range(column, column + 2)
        yield field, {(row, each) for each in wide}


@pytest.mark.parametrize("size", [LARGE, SMALL], ids=["large", "small"])
@pytest.mark.parametrize("sign", [1, -1])
def test_no_field_covers_another(size: Size, sign: int):
    taken: dict[tuple[int, int], int] = {}
    for field, where in cells(size, sign):
        assert not taken.keys() & where, f"{FIELDS[field]} covers {FIELDS[taken[next(iter(taken.keys() & where))]]}"
        taken |= dict.fromkeys(where, field)


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_piece_is_visible_on_the_small_board(players: int, flip: bool):
    position = pentad.new("pentagame", players=players)
    shown = "".join(text for line in position.spans(small=True, flip=flip) for text, _ in line)
    for sign in "●■▲◆★"[:players]:
        for letter in "WGYRB":
            assert f"{sign}{letter}" in shown
    for name in ("0W", "1G", "2Y", "3R", "4B", "5W", "6G", "7Y", "8R", "9B"):
        assert name in shown
    assert shown.count("██") == 5


# ── without colours ──────────────────────────────────────────────────────────────────────────────

LEGENDS = {
    "pentago": "● black  ○ white",
    "pente": "● white  ○ black",
    "pentagame": "██ ▐▌ black block  ▒▒ ░░ gray block  W white  G green  Y yellow  R red  B blue",
}


@pytest.mark.parametrize("name", LEGENDS)
def test_a_board_without_colours_has_a_legend(name: str):
    assert pentad.new(name).legend == LEGENDS[name]
    window = Window(Record(name))
    below = window.lines[window.row_of(BOARD_ROW[name]) :]
    assert any(LEGENDS[name] in line for line in below)
    assert not any(LEGENDS[name] in line for line in Window(Record(name), colours=COLOURS).lines)


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
        assert terminal.shown.count("┌───1───┬───2───┐") == 1  # nothing has changed
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

"""`pentad play` in a real terminal: what a person sees and types, windows of any size, ends of any kind."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

import pentad
from pentad.record import Record
from tests.terminal.pseudo_terminal import CTRL_C, CTRL_D, CTRL_U, TAB, TIMEOUT, Terminal

HOT_SEAT = ("play", "pentago", "--black", "human", "--white", "human")
ALMOST = "bbbb../....../....../....../....../wwww.."  # black wins at a4


def kept(home: Path, name: str = "pentago-1") -> Record:
    return Record.read((home / "games" / f"{name}.pentad").read_text())


@pytest.mark.slow
def test_a_whole_game_against_a_bot(home: Path):
    friend = pentad.bot("pentago", "greedy", seed=7)
    with Terminal("play", "pentago", "--white", "random", "--seed", "3") as terminal:
        terminal.expect("Pentago  (black: human, white: random)")
        position = pentad.new("pentago")
        while terminal.expect("black> ", "Type new for another game") == "black> ":
            terminal.enter(str(friend.choose(position)))
            terminal.expect("random) is thinking", "Type new for another game", "by a line")
            if " wins" in terminal.shown or "a draw" in terminal.shown:
                break
            terminal.expect("Black to move. Place a marble.", " wins", "Draw")
            position = kept(home).position
        record = kept(home)
        assert record.outcome is not None
        terminal.enter("quit")
        assert terminal.wait() == 0
        assert terminal.shown.rstrip().endswith("The game is saved as pentago-1.")


@pytest.mark.slow
def test_partial_moves_show_the_next_steps(home: Path):
    with Terminal(*HOT_SEAT) as terminal:
        terminal.expect("black> ")
        terminal.enter("a2")
        terminal.expect("Begun: a2. Choices: 1C 1A 2C 2A 3C 3A 4C 4A")
        terminal.expect("black a2> ")
        terminal.enter("")
        terminal.expect("The partial move is cancelled.")
        terminal.expect("black> ")
        terminal.enter("c3")
        terminal.expect("black c3> ")
        terminal.enter("4a")
        terminal.expect("1. c3 4A: Black plays c3 and twists sub-board 4 anti-clockwise.")
        terminal.expect("white> ")
        assert str(kept(home).moves[0]) == "c3 4A"


@pytest.mark.slow
def test_tab_completes_moves_and_commands(home: Path):
    with Terminal(*HOT_SEAT) as terminal:
        terminal.expect("black> ")
        terminal.type(f"b{TAB}")
        terminal.expect("b0")
        terminal.expect("board")
        terminal.type(f"{CTRL_U}he{TAB}\n")
        terminal.expect("show this list; commands")
        terminal.expect("black> ")
        terminal.enter("a2")
        terminal.expect("black a2> ")
        terminal.type(f"3{TAB}")
        terminal.expect("3C")
        terminal.type("A\n")
        terminal.expect("1. a2 3A")


def test_undo_redo_resign_new(home: Path):
    with Terminal(*HOT_SEAT, "--position", ALMOST) as terminal:
        terminal.expect("black> ")
        terminal.enter("a4")
        terminal.expect("Black wins with five in a row. Result: 1-0.")
        terminal.expect("> ")
        terminal.enter("undo")
        terminal.expect("Took back 1 move.")
        terminal.expect("black> ")
        terminal.enter("redo")
        terminal.expect("Black wins with five in a row. Result: 1-0.")
        terminal.expect("\n> ")
        terminal.enter("new")
        terminal.expect("black> ")
        terminal.enter("resign")
        terminal.expect("Resign for Black? (y/N) ")
        terminal.enter("n")
        terminal.expect("black> ")
        terminal.enter("resign")
        terminal.expect("Resign for Black? (y/N) ")
        terminal.enter("yes")
        terminal.expect("Black resigned. White wins. Result: 0-1.")
        terminal.expect("\n> ")
        terminal.type(CTRL_D)
        assert terminal.wait() == 0
    assert [kept(home, name).result for name in ("pentago-1", "pentago-2")] == ["1-0", "0-1"]


@pytest.mark.slow
def test_the_board_is_printed_in_colours_unless_disabled():
    with Terminal(*HOT_SEAT) as terminal:
        terminal.expect("black> ")
        assert b"\x1b[2J" not in terminal.raw
        assert b"48;5;" in terminal.raw
    with Terminal(*HOT_SEAT, "--no-colour") as terminal:
        terminal.expect("black> ")
        assert b"48;5;" not in terminal.raw
    with Terminal(*HOT_SEAT, NO_COLOR="1") as terminal:
        terminal.expect("black> ")
        assert b"48;5;" not in terminal.raw
    with Terminal(*HOT_SEAT, TERM="dumb") as terminal:
        terminal.expect("black> ")
        assert b"\x1b" not in terminal.raw


@pytest.mark.slow
def test_a_game_among_bots_is_shown_to_the_end():
    almost = ("--position", "pentago bbbb../....../....../....../wwww../......")
    with Terminal("play", *almost, "--black", "greedy", "--white", "greedy") as terminal:
        terminal.expect("Black (greedy) is thinking")
        terminal.expect("Black wins with five in a row. Result: 1-0.")
        terminal.expect("Type new for another game")
        terminal.enter("quit")
        assert terminal.wait() == 0


@pytest.mark.slow
def test_ctrl_c_while_bots_play(home: Path):
    with Terminal("play", "pentago", "--black", "random", "--white", "random", "--seed", "1") as terminal:
        terminal.expect("Black (random) is thinking")
        terminal.type(CTRL_C)
        terminal.expect("(y/N) ")
        terminal.enter("n")
        terminal.expect("random) is thinking")
        terminal.expect("2. ")
        terminal.type(CTRL_C)
        terminal.expect("Quit? The game is saved as pentago-1. (y/N) ")
        terminal.enter("y")
        assert terminal.wait() == 0
    assert kept(home).outcome is None


# ── leaving ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_ctrl_c_asks_and_a_second_one_quits(home: Path):
    with Terminal(*HOT_SEAT) as terminal:
        terminal.expect("black> ")
        terminal.enter("a2 1C")
        terminal.expect("white> ")
        terminal.interrupt()
        terminal.expect("Quit? The game is saved as pentago-1. (y/N) ")
        terminal.enter("n")
        terminal.expect("white> ")
        terminal.interrupt()
        terminal.expect("(y/N) ")
        terminal.interrupt()
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.shown
        assert terminal.shown.endswith("run: pentad play --resume\n")
    assert len(kept(home).moves) == 1


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("keys", [f"{CTRL_C}y\n", f"{CTRL_C}{CTRL_D}", CTRL_D, "quit\n", "q\n"])
def test_quitting(keys: str, home: Path):
    with Terminal(*HOT_SEAT) as terminal:
        terminal.expect("black> ")
        terminal.enter("a2 1C")
        terminal.expect("white> ")
        if keys[0] == CTRL_C:
            terminal.interrupt()
            terminal.expect("(y/N) ")
        terminal.type(keys.lstrip(CTRL_C))
        assert terminal.wait() == 0
        terminal.expect("The game is saved as pentago-1.")
    assert len(kept(home).moves) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)])
def test_a_signal_loses_no_move(number: signal.Signals, code: int, home: Path):
    with Terminal(*HOT_SEAT) as terminal:
        terminal.expect("black> ")
        terminal.enter("a2 1C")
        terminal.expect("white> ")
        terminal.enter("c3 4A")
        terminal.expect("black> ")
        terminal.process.send_signal(number)
        assert terminal.wait() == code
        assert "Traceback" not in terminal.shown
    with Terminal("play", "--resume") as terminal:
        terminal.expect("The game continues after 2 moves.")
        terminal.expect("black> ")
        terminal.enter("b2 1C")
        terminal.expect("white> ")
        terminal.enter("quit")
        assert terminal.wait() == 0
    assert list(map(str, kept(home).moves)) == ["a2 1C", "c3 4A", "b2 1C"]


def test_a_terminal_that_is_closed(home: Path):
    with Terminal(*HOT_SEAT) as terminal:
        terminal.expect("black> ")
        terminal.enter("a2 1C")
        terminal.expect("white> ")
        os.close(terminal.master)
        terminal.master = os.open(os.devnull, os.O_RDONLY)
        terminal.process.wait(TIMEOUT)
    assert len(kept(home).moves) == 1


@pytest.mark.slow
def test_two_processes_do_not_share_a_game(home: Path):
    with Terminal(*HOT_SEAT) as first:
        first.expect("black> ")
        first.enter("a2 1C")
        first.expect("white> ")
        with Terminal(*HOT_SEAT) as second:
            second.expect("black> ")
            second.enter("b2 1C")
            second.expect("white> ")
            with Terminal("play", "--resume") as third:
                assert third.wait() == 2
                third.expect("pentad: There is no unfinished game to resume. Another process is playing the game")
            with Terminal("play", "--resume", "pentago-1") as third:
                assert third.wait() == 2
                third.expect("pentad: Another process is playing the game pentago-1.")
            second.enter("quit")
            assert second.wait() == 0
        with Terminal("play", "--resume") as second:
            second.expect("The game continues after 1 move.")
            second.expect("white> ")
    assert [str(kept(home, name).moves[0]) for name in ("pentago-1", "pentago-2")] == ["a2 1C", "b2 1C"]


# ── windows of any size ──────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("columns", "rows"), [(80, 24), (20, 24), (19, 50), (12, 12), (8, 4), (2, 2), (1, 1), (300, 3)]
)
def test_windows_of_any_size(columns: int, rows: int, home: Path):
    with Terminal(*HOT_SEAT, columns=columns, rows=rows) as terminal:
        for line in ("a2 1C", "c3 4A", "help", "zz", "board", "d4", "quit"):
            terminal.enter(line)
        assert terminal.wait() == 0
        assert "Traceback" not in terminal.shown
        assert len(kept(home).moves) == 2


@pytest.mark.slow
def test_a_board_too_wide_is_condensed():
    with Terminal(*HOT_SEAT, "--rows", "3", "--cols", "3", columns=20) as terminal:
        terminal.expect(" 012345678")
        terminal.expect("a·········")
        terminal.expect("i·········")
        terminal.expect("black> ")


# ── the example, and perft ───────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_the_example_shows_the_class_and_starts_a_game():
    example = Path(__file__).parents[2] / "examples" / "pentago.py"
    code = f"import runpy; runpy.run_path({str(example)!r}, run_name='__main__')"
    with Terminal("-c", code) as terminal:
        terminal.expect("True\nTrue\nFalse\n□   □   □   □   □   □\n")
        terminal.expect("UNFINISHED")
        terminal.expect("Press Enter to play")
        terminal.enter("")
        terminal.expect("Black to move. Place a marble.")
        terminal.type("q")
        terminal.expect("Quit? No moves have been played.")
        terminal.type("y")
        assert terminal.wait() == 0


def test_perft_shows_its_progress_and_stops():
    with Terminal("perft", "pentago", "4") as terminal:
        terminal.expect("depth 2: 80,640")
        terminal.type(CTRL_C)
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.shown
        assert "Stopped at depth" in terminal.shown

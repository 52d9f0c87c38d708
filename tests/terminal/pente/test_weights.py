"""`pentad weights`: the table, the picture, and what is refused."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import Terminal
from tests.terminal.sessions import run_sessions

PAGE = Path(__file__).parents[3] / "docs" / "lines.md"
MOVES = "E5 F6 E6 F5 E7 F7"


def test_the_table(pentad: Pentad):
    answer = pentad("weights", "--moves", MOVES)
    assert (answer.code, answer.err) == (0, "")
    assert len(answer.lines) == 13
    assert answer.lines[6] == "  4   ·   4   2   2 [35](35)  2   2   4   ·"
    assert answer.lines[10] == "      A   B   C   D   E   F   G   H   J   K"
    assert answer.lines[11] == "    ● white  ○ black"
    assert answer.lines[12] == "    white plays E4, weight 35; 1 more cell is as good"


def test_the_page_shows_what_the_program_prints(pentad: Pentad):
    assert run_sessions(PAGE, pentad) == 2


def test_an_empty_board(pentad: Pentad):
    answer = pentad("weights", "--size", "3", "--line", "3")
    assert answer.lines == [
        "  3  ·  ·  ·",
        "  2  · [·] ·",
        "  1  ·  ·  ·",
        "     A  B  C",
        "    white plays B2, weight 0",
    ]


@pytest.mark.parametrize(
    ("words", "output"),
    [
        ("", "black plays A3, weight 15"),
        ("--side white", "white plays A3, weight 15"),
        ("--side white --strategy offensive --seed 2", "white plays A3, weight 10; 1 more cell is as good"),
        ("--strategy defensive --seed 2", "black plays A3, weight 10; 1 more cell is as good"),
        ("--strategy offensive --seed 2", "black plays A1, weight 5; 2 more cells are as good"),
        ("--strategy offensive-defensive", "black plays A3, weight 15"),
        ("--count placed", "black plays A3, weight 7"),
    ],
)
def test_side_strategy_and_count(pentad: Pentad, words: str, output: str):
    answer = pentad("weights", "--position", "pente rules=lines size=5 5/b4/1www1/b4/5", *words.split())
    assert answer.code == 0
    assert answer.lines[-1].strip() == output


def test_a_seed_repeats_the_choice(pentad: Pentad):
    def chosen(seed: int) -> str:
        return pentad("weights", "--seed", str(seed)).lines[-1]

    output = [chosen(seed) for seed in range(12)]
    assert output == [chosen(seed) for seed in range(12)]
    assert len(set(output)) > 1


def test_moves_continue_from_a_position(pentad: Pentad):
    board = "pente rules=lines size=5 line=3 5/5/2w2/5/5"
    there = pentad("weights", "--position", board, "--moves", "B2, C4")
    assert there.out == pentad("weights", "--size", "5", "--line", "3", "--moves", "C3 B2 C4").out


def test_other_rule_sets_allow_only_legal_cells(pentad: Pentad):
    answer = pentad("weights", "--position", "pente size=9 9/9/9/5b3/4w4/9/9/9/9 0,0")
    assert answer.lines[-1].endswith("cells of a higher weight are not legal now")


def test_no_choice_after_the_end(pentad: Pentad):
    answer = pentad("weights", "--size", "3", "--line", "2", "--moves", "A1 C3 A2")
    assert answer.lines[-1] == "    the weights for black"
    assert "[" not in answer.out


def test_the_picture(pentad: Pentad, tmp_path: Path):
    file = tmp_path / "heat.svg"
    assert pentad("weights", "--moves", MOVES, "--svg", str(file)).out == ""
    root = ET.fromstring(file.read_text())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "white plays E4, weight 35" in file.read_text()
    again = pentad("weights", "--svg", str(file))
    assert (again.code, again.err) == (2, f"pentad: {file} already exists. Use --force to replace it.\n")
    assert pentad("weights", "--svg", str(file), "--force").code == 0
    assert pentad("weights", "--svg", "-").out == file.read_text()


REFUSED = {
    "size 2": (("--size", "2"), "--size: Expected a whole number from 3 to 25, got '2'."),
    "a line longer than the board": (("--size", "5", "--line", "6"), "A line of 6 does not fit on a board of size 5."),
    "a line longer than the usual board": (("--line", "11"), "A line of 11 does not fit on a board of size 10."),
    "no point": (("--moves", "E5 I9"), "--moves, move 2: 'I9' is not a point; points are A1 to K10"),
    "a point beyond": (("--moves", "L1"), "--moves, move 1: L1 is not on the board; points are A1 to K10"),
    "a taken point": (("--moves", "E5 E5"), "--moves, move 2: E5 is occupied by a white stone"),
    "beyond the end": (
        ("--size", "3", "--line", "2", "--moves", "A1 C3 A2 B3"),
        "--moves, move 4: The game is over. White wins ",
    ),
    "unknown strategy": (
        ("--strategy", "wild"),
        "--strategy: Expected one of defensive, offensive, both, offensive-defensive, got 'wild'",
    ),
    "unknown count": (("--count", "all"), "--count: Expected one of after, placed, got 'all'"),
    "unknown side": (("--side", "red"), "--side: Expected one of white, black, got 'red'"),
    "another game": (
        ("--position", "pentago ....../....../....../....../....../......"),
        "--position: Expected a position of pente",
    ),
    "no position": (("--position", ""), "The position is empty or not text."),
    "half a position": (("--position", "pente rules=lines 10/10"), "The board has 10 rows, but its text has 2."),
    "a size and a position": (
        ("--size", "9", "--position", "pente rules=lines size=3 line=3 3/3/3"),
        "--size cannot be used with --position",
    ),
    "a folder": (("--svg", "/"), "/ is a folder"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_errors_take_one_line(case: str, pentad: Pentad):
    words, message = REFUSED[case]
    answer = pentad("weights", *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("pentad: ")
    assert answer.err.count("\n") == 1
    assert message in answer.err


@pytest.mark.slow
def test_warm_cells_on_a_terminal():
    with Terminal("weights", "--moves", MOVES) as terminal:
        terminal.expect("white plays E4")
        assert terminal.wait() == 0
        assert b"\x1b[1;30" in terminal.raw or b"\x1b[1;38" in terminal.raw
    with Terminal("weights", "--moves", MOVES, "--no-colour") as terminal:
        terminal.expect("[35](35)")
        assert terminal.wait() == 0
        assert b"[48;" not in terminal.raw

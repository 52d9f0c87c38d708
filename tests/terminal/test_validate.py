"""`pentad validate`: verdicts in words and as JSON, exit codes, moves from standard input, what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pentad as package
from pentad.games.pentagame import validate
from pentad.record import Record
from tests.line_limit import at_most
from tests.terminal.conftest import Pentad

ALLOWED = """\
Allowed: Circle's red piece goes to junction 5 (white) and takes the black block. The black block goes to [4,1,0].
  piece   [0,3,5,0,0]: Circle's red piece goes to junction 5 (white) and takes the black block.
  black   [0,11,4,1,0]: The black block goes to [4,1,0].
  path    [3,0,0] [5,6,3] [5,5,3] [5,4,3] [5,3,3] [5,2,3] [5,1,3] [5,0,0]
  turn    [0,3,5,0,0] [0,11,4,1,0]
"""

# ── one move ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "words",
    [
        ["[0,3,5,0,0] [0,11,4,1,0]"],
        ["[0,3,5,0,0]", "[0,11,4,1,0]"],
        ["[[0,3,5,0,0],[0,11,4,1,0]]"],
        ["pentagame", "3-5", "410"],
        ["pentagame", "--players", "2", "3-5 410"],
        ["--position", package.new("pentagame").text, "3-5 410"],
    ],
)
def test_a_legal_turn(pentad: Pentad, words: list[str]):
    answer = pentad("validate", *words)
    assert (answer.code, answer.out, answer.err) == (0, ALLOWED, "")


def test_an_illegal_turn(pentad: Pentad):
    answer = pentad("validate", "[0,3,7,0,0]")
    assert (answer.code, answer.err) == (1, "")
    assert answer.lines == [
        f"Not allowed: {validate(package.new('pentagame'), '[0,3,7,0,0]').reason}",
        "  blocked [4,0,0] [6,0,0]",
    ]
    assert "[4,0,0] (circle's blue piece and square's blue piece) and [6,0,0] (black block 12)" in answer.lines[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("pentagame [0,3,4,1,2]", "No edge between 4 and 2. The neighbours of 4 are 3, 0, 6, 7"),
        ("pentagame [0,3,5,7,2]", "The counter of the leg between 5 and 2 must be 1 to 6, not 7"),
        ("pentagame [0,5,5,2,2]", "Unknown figure 5"),
        ("pentagame [0,16,5,2,2]", "Unknown figure 16"),
        ("pentagame hello", "got 'hello'"),
        ("pentago z9", "z9"),
        ("pente Z99", "Z99 is not on the board"),
        ("hello", "'hello' is not a first move in any game. Pentago: 'hello' is not a space. "),
        ("hello", "R>w2Y, got 'hello'."),
        ("[4,5,2,0,0]", "Pentagame: Unknown figure 5. 0 to 4 are pieces, 6 to 10 gray blocks, 11 to 15 black blocks. "),
        ("pentagame [4,5,2,0,0]", "its text numbers the pieces 0 to 4, so 5 names none."),
        ("pentagame", "Expected a move, or - to read moves from standard input."),
        ("", "Missing argument: MOVE."),
        ("pentagame 3-5 --players 7", "Option players must be a whole number from 2 to 5"),
        ("pentagame 3-5 --rows 7", "Unknown option --rows."),
        ("3-5 --position nonsense", "Unknown game 'nonsense'"),
        ("pentagame 3-5 --position pentago", "position"),
        ("3-5 --record /nowhere/at.all", "Unknown suffix '.all'"),
        ("3-5 --record /nowhere/at.pentad", "Cannot read /nowhere/at.pentad: No such file."),
        ("3-5 --ply 3", "--ply can only be used with --record FILE."),
        ("3-5 --number 3", "--number can only be used with --record FILE."),
    ],
)
def test_errors_take_one_line(pentad: Pentad, words: str, message: str):
    answer = pentad("validate", *words.split())
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.startswith("pentad: ")
    assert answer.err.count("\n") == 1


def test_as_json(pentad: Pentad):
    answer = pentad("validate", "[0,3,5,0,0]", "[0,11,4,0,0]", "--json")
    assert (answer.code, answer.err, len(answer.lines)) == (1, "", 1)
    output = json.loads(answer.out)
    assert (output["given"], output["allowed"], output["readable"]) == ("[0,3,5,0,0] [0,11,4,0,0]", False, True)
    assert (output["steps"], output["path"][0], output["blocking"], output["turn"]) == (7, [3, 0, 0], [[4, 0, 0]], [])
    assert [(stage["kind"], stage["allowed"]) for stage in output["stages"]] == [("piece", True), ("black", False)]


def test_an_unreadable_move_as_json(pentad: Pentad):
    answer = pentad("validate", "pentagame", "[0,5,5,2,2]", "--json")
    assert (answer.code, answer.err) == (2, "")
    output = json.loads(answer.out)
    assert (output["allowed"], output["readable"], output["move"]) == (False, False, None)
    assert output["reason"].startswith("Unknown figure 5")


# ── any game ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "code", "out"),
    [
        ("pentago a2 1C", 0, "Allowed: Black plays a2 and twists sub-board 1 clockwise.\n"),
        ("a2 1C", 0, "Allowed: Black plays a2 and twists sub-board 1 clockwise.\n"),
        ("pentago a2", 1, "Not allowed: a2 does not win, so a twist must follow, such as a2 1C.\n"),
        ("pente K10", 0, "Allowed: White plays K10.\n"),
    ],
)
def test_other_games(pentad: Pentad, words: str, code: int, out: str):
    answer = pentad("validate", *words.split())
    assert (answer.code, answer.out, answer.err) == (code, out, "")


def test_other_games_as_json(pentad: Pentad):
    output = json.loads(pentad("validate", "pentago", "a2 1C", "--json").out)
    assert output.pop("reason")
    assert output == {"given": "a2 1C", "allowed": True, "readable": True, "move": "a2 1C"}


@pytest.mark.parametrize("game", package.names())
def test_every_game(pentad: Pentad, game: str):
    position = package.new(game)
    assert pentad("validate", game, str(position.legal_moves[0])).code == 0
    assert pentad("validate", game, str(position.legal_moves[0]), "and so on").code == 2


# ── somewhere else ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def file(tmp_path: Path) -> Path:
    record = Record("pentagame", players=3)
    for move in ("3-5 410", "[1,0,1,3,0]", "2-522"):
        record.play(move)
    path = tmp_path / "game.pentad"
    path.write_text(record.text)
    return path


def test_in_a_record(pentad: Pentad, file: Path):
    assert pentad("validate", "--record", str(file), "[0,0,1,2,0]").code == 1  # square's piece is in the way
    assert pentad("validate", "--record", str(file), "--ply", "0", "[0,0,1,2,0]").code == 0
    assert pentad("validate", "--record", str(file), "--ply", "0", "[0,0,1,1,0]").code == 0
    assert pentad("validate", "pentagame", "--record", str(file), "--ply", "1", "[1,0,1,1,0]").code == 0
    assert "It is square's turn" in pentad("validate", "--record", str(file), "--ply", "1", "[0,0,1,1,0]").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--ply 9", "--ply: Expected a move from 0 to 3, got 9."),
        ("--number 2", "has 1 game. There is no game 2 in it."),
        ("pentago", "This is a record of pentagame, not of pentago."),
        ("pentagame --players 3", "--players cannot be used with --record"),
        ("--position pentago", "cannot be used with"),
    ],
)
def test_bad_records_and_options(pentad: Pentad, file: Path, words: str, message: str):
    answer = pentad("validate", *words.split(), "3-5", "--record", str(file))
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


# ── moves from standard input ────────────────────────────────────────────────────────────────────


def test_several_moves_are_checked_in_one_position(pentad: Pentad):
    answer = pentad("validate", "pentagame", "-", typed="0-110\n\n[1,0,1,1,0]\n  2-522  \n")
    assert (answer.code, answer.err) == (1, "")
    assert [line for line in answer.lines if not line.startswith(" ")] == [
        "0-110: Allowed: Circle's white piece goes to [1,1,0].",
        "[1,0,1,1,0]: Not allowed: It is circle's turn, not square's.",
        "2-522: Allowed: Circle's yellow piece goes to [5,2,2].",
    ]


def test_all_moves_are_legal(pentad: Pentad):
    assert pentad("validate", "pentagame", "-", typed="0-110\n2-522").code == 0


def test_an_unreadable_move_does_not_stop_the_others(pentad: Pentad):
    answer = pentad("validate", "pentagame", "-", typed="0-110\n\nxx\n[1,0,1,1,0]\n2-522\n")
    assert answer.code == 2
    assert answer.err == "pentad: line 3: Expected a move, such as [0,3,5,2,2], 3-522 or R>w2Y, got 'xx'.\n"
    assert len([line for line in answer.lines if not line.startswith(" ")]) == 3


def test_moves_that_follow_each_other(pentad: Pentad):
    answer = pentad("validate", "pentagame", "-", "--follow", "--json", typed="0-110\n[1,2,5,2,2]\n0-120\n4-400\n")
    output = [json.loads(line) for line in answer.lines]
    assert [each["allowed"] for each in output] == [True, True, True, False]
    assert answer.code == 1
    assert len(pentad("validate", "pentagame", "-", "--follow", "--json", typed="0-1\n0-110\n").lines) == 1


def test_empty_input(pentad: Pentad):
    answer = pentad("validate", "pentagame", "-", typed=" \n\n")
    assert (answer.code, answer.err) == (2, "pentad: Expected moves on standard input, got none.\n")
    assert "Name a game" in pentad("validate", "-", typed="3-5").err


@pytest.mark.parametrize(
    "typed",
    [b"[0,3,5,2,2]" * 10**6, b"[" * 10**7, b"\xff\x00" * 5 * 10**6, b"{" * 10**7 + b"\n"],
    ids=["moves", "brackets", "bytes", "braces"],
)
def test_overlong_input(pentad: Pentad, typed: bytes):
    with at_most(lines=200_000):
        answer = pentad("validate", "pentagame", "-", typed=typed + b"\n0-110\n")
        assert answer.code == 2
        assert answer.err.count("\n") == 1
        assert "characters" in answer.err
        assert answer.lines[0] == "0-110: Allowed: Circle's white piece goes to [1,1,0]."


def test_the_number_chooses_a_game(pentad: Pentad, tmp_path: Path):
    path = tmp_path / "two.pentad"
    path.write_text(two_games())
    assert pentad("validate", "a2 2C", "--record", str(path), "--number", "1").code == 0
    assert pentad("validate", "a2 2C", "--record", str(path), "--number", "2").code == 1


def two_games() -> str:
    """A new game, and one in which a2 is taken."""
    played = Record("pentago")
    played.play("a2 2C")
    return f"{Record('pentago').text}\n{played.text}"


def test_binary_input_is_refused(tmp_path: Path):
    path = tmp_path / "binary"
    path.write_bytes(b"\0\xff\n" * 1000)
    with path.open("rb") as file:
        words = [sys.executable, "-m", "pentad", "validate", "pentago", "-"]
        answer = subprocess.run(words, stdin=file, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == "pentad: Standard input is not text.\n"

"""`pentad validate`: verdicts in words and as JSON, exit codes, moves from standard input, what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pentad as package
from pentad.record import Record
from tests.line_limit import at_most
from tests.terminal.conftest import Pentad

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
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[0].startswith("Allowed: ")
    assert answer.lines[-1] == "  turn    [0,3,5,0,0] [0,11,4,1,0]"


def test_as_json(pentad: Pentad):
    answer = pentad("validate", "[0,3,5,0,0]", "[0,11,4,0,0]", "--json")
    assert (answer.code, answer.err, len(answer.lines)) == (1, "", 1)
    output = json.loads(answer.out)
    assert (output["given"], output["allowed"], output["readable"]) == ("[0,3,5,0,0] [0,11,4,0,0]", False, True)
    assert (output["steps"], output["path"][0], output["blocking"], output["turn"]) == (7, [3, 0, 0], [[4, 0, 0]], [])
    assert [(stage["kind"], stage["allowed"]) for stage in output["stages"]] == [("piece", True), ("black", False)]


# ── any game ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game", package.names())
def test_every_game(pentad: Pentad, game: str):
    position = package.new(game)
    assert pentad("validate", game, str(position.legal_moves[0])).code == 0
    assert pentad("validate", game, str(position.legal_moves[0]), "and so on").code == 2


# ── somewhere else ───────────────────────────────────────────────────────────────────────────────


# ── moves from standard input ────────────────────────────────────────────────────────────────────


def test_all_moves_are_legal(pentad: Pentad):
    assert pentad("validate", "pentagame", "-", typed="0-110\n2-522").code == 0


def test_moves_that_follow_each_other(pentad: Pentad):
    answer = pentad("validate", "pentagame", "-", "--follow", "--json", typed="0-110\n[1,2,5,2,2]\n0-120\n4-400\n")
    output = [json.loads(line) for line in answer.lines]
    assert [each["allowed"] for each in output] == [True, True, True, False]
    assert answer.code == 1
    assert len(pentad("validate", "pentagame", "-", "--follow", "--json", typed="0-1\n0-110\n").lines) == 1


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
        place = "1st stop from the green corner towards the white corner"
        assert answer.lines[0] == f"0-110: Allowed: Circle's white piece goes to the {place}."


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

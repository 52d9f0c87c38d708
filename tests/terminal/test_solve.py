"""`pentad solve`: what it tells of a board, and what it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pentad import kernel
from pentad.game import GameError
from pentad.pentago import from_number, solve
from pentad.record import Record
from pentad.terminal import solve as command
from pentad.terminal.value_text import in_moves, table, verdict
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo import CTRL_C, Terminal

# Boards of 24 marbles, black to move.
WON, DRAWN, LOST = "5211790935814378765", "3218705911816140614", "3199595687196497322"
OVER = "pentago bbbbb./wwww../....../....../....../......"
EMPTY = "pentago ....../....../....../....../....../......"


def test_who_wins(pentad: Pentad):
    for board, told in ((WON, "black wins"), (DRAWN, "a draw"), (LOST, "white wins"), (OVER, "black wins: five (1-0)")):
        answer = pentad("solve", board)
        assert (answer.code, answer.err, answer.lines) == (0, "", [told])


def test_several_boards_are_told_by_name(pentad: Pentad):
    answer = pentad("solve", WON, "nonsense", LOST, "pente 19/19", OVER)
    assert answer.code == 2
    assert answer.lines == [f"{WON}: black wins", f"{LOST}: white wins", f"{OVER}: black wins: five (1-0)"]
    assert answer.err.splitlines()[0] == "pentad: nonsense cannot be read: there is no such file"
    assert answer.err.splitlines()[1].startswith("pentad: pente 19/19: ")


def test_in_how_many_moves(pentad: Pentad):
    for board in (WON, DRAWN, LOST):
        turns = solve(from_number(int(board)), depth=True).turns
        winner = {WON: "black", LOST: "white"}.get(board)
        told = "a draw" if turns is None else f"{winner} wins in {(turns + 1) // 2}"
        assert pentad("solve", board, "--depth").lines == [told]


def test_the_value_of_every_move(pentad: Pentad):
    position = from_number(int(WON))
    values = solve(position).moves
    lines = pentad("solve", WON, "--moves").lines
    assert lines[0] == "black wins"
    twists = lines[1].split()
    words = {"win": 1, "draw": 0, "loss": -1}
    told = {}
    for line in lines[2:]:
        space, *cells = line.split()
        assert len(cells) == len(twists)
        told |= {f"{space} {twist}": words[cell] for twist, cell in zip(twists, cells, strict=True)}
    assert told == {str(move): value for move, value in values.items()}


def test_a_table_with_distances():
    position = from_number(int(WON))
    found = solve(position, depth=True)
    lines = list(table(found.moves, found.distances))
    for move, turns in found.distances.items():
        row = next(line for line in lines if line.split()[0] == str(move[0]))
        assert f"{ {1: 'win', -1: 'loss'}[found.moves[move]] } {in_moves(turns)}" in row
    assert verdict(position, found.value, found.turns) == f"black wins in {in_moves(found.turns or 0)}"


def test_json(pentad: Pentad):
    position = from_number(int(WON))
    found = solve(position, depth=True)
    first, second = map(json.loads, pentad("solve", WON, "nonsense", "--json", "--moves", "--depth").lines)
    assert second["board"] == "nonsense"
    assert "cannot be read" in second["error"]
    assert first.pop("seconds") >= 0
    assert first.pop("nodes") > 0
    assert first == {
        "board": WON,
        "position": position.text,
        "turn": "black",
        "value": 1,
        "result": f"black wins in {in_moves(found.turns or 0)}",
        "how": found.how,
        "turns": found.turns,
        "moves": {str(move): value for move, value in found.moves.items()},
        "distances": {str(move): turns for move, turns in found.distances.items()},
    }
    plain = json.loads(pentad("solve", WON, "--json").out)
    assert not {"turns", "moves", "distances"} & set(plain)


def test_what_is_proved_of_a_board_that_cannot_be_solved(pentad: Pentad):
    board, few = "pentago bbbb../....../wwww../....../....../......", ("--json", "--memory", "50M")
    answer = pentad("solve", board, "--moves", *few)
    told = json.loads(answer.out)
    assert (answer.code, list(told)) == (2, ["board", "error", "proved"])
    assert answer.err == f"pentad: {board}: {told['error']}\n"
    assert told["proved"]["a4"] == 1
    assert list(json.loads(pentad("solve", EMPTY, "--moves", *few).out)) == ["board", "error"]  # nothing is proved
    assert list(json.loads(pentad("solve", EMPTY, *few).out)) == ["board", "error"]


def test_records_and_the_middle_of_a_turn(pentad: Pentad, tmp_path: Path):
    start = from_number(int(WON))
    best = solve(start, depth=True).best[0]
    record = Record(start)
    record.play(best)
    file = tmp_path / "game.pentad"
    file.write_text(record.text)
    assert pentad("solve", str(file)).lines == ["black wins"]
    assert pentad("solve", str(file), "--ply", "24", "--depth").lines[0].startswith("black wins in ")
    assert pentad("solve", "-", "--number", "2", typed=f"{record.text}\n{record.text}").lines == ["black wins"]
    assert "has moves 24 to 25, not 3" in pentad("solve", str(file), "--ply", "3").err
    middle = start.partial(str(best[0]))
    answer = pentad("solve", middle.text, "--moves")
    assert answer.lines[0] == "black wins"
    assert len(answer.lines) == 3


def test_a_board_beyond_reach_is_spoken_of_at_once(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    """Also where no bar can be shown; what is done meanwhile stands there too."""
    monkeypatch.setattr(command, "LONG", 10**6)  # as if that took long
    answer = pentad("solve", "0", "--memory", "100M")
    first, last = answer.err.splitlines()
    assert first == (
        "pentad: 0: solving this board takes 50 PB of memory, more than the 100 MB that are allowed; "
        "looking for a quick win instead (Ctrl-C stops)"
    )
    assert last == "pentad: 0: A board of 0 marbles needs 50 PB, but only 100 MB are allowed."
    assert answer.code == 2


def test_a_board_that_is_solved_soon_is_only_answered(pentad: Pentad):
    answer = pentad("solve", "pentago bbbb../....../wwww../....../....../......", "--memory", "50M")
    assert (answer.err, answer.lines) == ("", ["black wins"])


REFUSED = {
    "nothing": ((), "say which board"),
    "no file": (("none",), "none cannot be read: there is no such file"),
    "an empty word": (("",), "an empty argument is not a board"),
    "a null byte": (("a\0b",), "is no file's name"),
    "a folder": (("/",), "cannot be read"),
    "a number too long": (("9" * 5000,), "at most 20 figures, not 5,000"),
    "a number of more bits": (("9" * 20,), "whole number of 64 bits"),
    "no board": (("19683",), "quadrant 0 holds 19683"),
    "out of turn": (("2",), "The players move in turn"),
    "nothing placed": (("0m",), "No marble is on the board"),
    "another game": (("pente " + "/".join(["." * 19] * 19),), "pente"),
    "three players": (("pentago players=3 ....../....../....../....../....../......",), "Only Pentago for two"),
    "nine by nine": (("pentago rows=3 cols=3 " + "/".join(["." * 9] * 9),), "up to 4 sub-boards"),
    "too little memory": ((DRAWN, "--memory", "0.1M"), "allowed 100 kB"),
    "memory without a unit": ((WON, "--memory", "4"), "--memory: '4' is no size of memory, such as 4G or 500M"),
    "no memory": ((WON, "--memory", "0G"), "is no size of memory"),
    "memory of words": ((WON, "--memory", "much"), "is no size of memory"),
    "endless memory": ((WON, "--memory", "9" * 400 + "G"), "is no size of memory"),
    "no time": ((WON, "--seconds", "0"), "is not a number of seconds"),
    "no number of seconds": ((WON, "--seconds", "nan"), "is not a number of seconds"),
    "no thread": ((WON, "--threads", "0"), "is not a whole number from 1 to 64"),
    "too many": ((WON, "--threads", "1000"), "is not a whole number from 1 to 64"),
    "no option": ((WON, "--mvoes"), "did you mean --moves?"),
    "out without batch": ((WON, "--out", "x"), "--out goes with --batch FILE"),
    "plain without batch": ((WON, "--plain"), "--plain goes with --batch FILE"),
    "batch without out": (("--batch", "x"), "--batch FILE wants --out FILE"),
    "batch and a board": (("--batch", "x", "--out", "y", WON), "is one too many"),
    "batch and a ply": (("--batch", "x", "--out", "y", "--ply", "3"), "--ply is for records"),
    "batch and a game": (("--batch", "x", "--out", "y", "--number", "3"), "--number is for records"),
    "plain moves": (("--batch", "x", "--out", "y", "--plain", "--moves"), "plain lines have no room for moves"),
    "plain JSON": (("--batch", "x", "--out", "y", "--plain", "--json"), "plain lines have no room for JSON"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str, pentad: Pentad):
    words, message = REFUSED[case]
    answer = pentad("solve", *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("pentad: ")
    assert answer.err.count("\n") == 1
    assert message in answer.err


@pytest.mark.parametrize("rubbish", [b"", b"\0" * 5000, b"\xff\xfe" * 300, b"1. a2 1C\n" * 3, b"{" * 9999])
def test_files_that_hold_something_else(rubbish: bytes, pentad: Pentad, tmp_path: Path):
    file = tmp_path / "rubbish"
    file.write_bytes(rubbish)
    for name in (str(file), "-"):
        answer = pentad("solve", name, typed=rubbish)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_too_little_time(pentad: Pentad):
    answer = pentad("solve", "0", "--seconds", "0.01")
    assert answer.code == 2
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("text", ["4g", "4 GB", "4.0G", "4000M", "4000 mb"])
def test_sizes(text: str):
    assert command.size(text) == 4 * 10**9


def test_it_starts_without_the_compiler():
    if kernel.is_jit_disabled() or kernel.folder() is None:
        pytest.skip("kernels are not kept here")
    code = (
        "import sys; from pentad.terminal import main; "
        f"assert main(['solve', '{WON}', '--moves']) == 0; "
        "print(*sorted({'numba', 'numpy', 'rich', 'pentad.record', 'multiprocessing'} & set(sys.modules)))"
    )
    solve(from_number(int(WON)))  # so that the kernels are there
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_a_reader_that_leaves():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "pentad", "solve", WON, "--moves"], stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


# The solver, slowed down for ever.
SLOW = """
import sys, time
from pentad.terminal import main, solve
def slow(position, *, progress, **limits):
    for made in range(10**9):
        if progress:
            progress(made, 10**4)
        time.sleep(0.01)
solve.solve = slow
sys.exit(main(sys.argv[1:]))
"""


def test_a_bar_on_a_terminal_and_ctrl_c():
    with Terminal("-c", SLOW, "solve", WON) as terminal:
        terminal.expect("24 marbles: looking at all there is │")
        terminal.expect(" left")
        terminal.type(CTRL_C)
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.shown
    with Terminal("-c", SLOW, "solve", WON, TERM="dumb") as terminal:
        terminal.interrupt()
        assert terminal.wait() == 130
        assert "│" not in terminal.shown


def test_no_bar_in_a_pipe(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    told = []

    def watched(*args, progress, **limits):
        told.append(progress)
        raise GameError("enough")

    monkeypatch.setattr(command, "solve", watched)
    assert pentad("solve", WON).err == f"pentad: {WON}: enough\n"
    assert told == [None]

"""`pentad solve`: its output and its errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pentad.game import GameError
from pentad.games.pentago import from_number, solve
from pentad.games.pentago.solver import level_files, scratch
from pentad.games.pentago.solver.retrograde import boards
from pentad.kernels import backends, cache
from pentad.record import Record
from pentad.system.words import count
from pentad.terminal.arguments import memory_size
from pentad.terminal.pentago import exact_values
from pentad.terminal.pentago.exact_values import in_moves, table, verdict
from tests.programs import run
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import CTRL_C, Terminal

# Boards of 24 marbles, black to move.
WON, DRAWN, LOST = "5211790935814378765", "3218705911816140614", "3199595687196497322"
OVER = "pentago bbbbb./wwww../....../....../....../......"
EMPTY = "pentago ....../....../....../....../....../......"
FOUR = "pentago b...../.w..../..b.../...w../....../......"  # marbles: neither in the book nor solved
THIRTEEN = "pentago ....b./..w.w./..b.b./.wbb../w.b.../.bww.."
THREE = "pentago ....../.w..../b..b../....../....../......"


def test_lengths_of_wins(pentad: Pentad):
    for board in (WON, DRAWN, LOST):
        turns = solve(from_number(int(board)), depth=True).turns
        winner = {WON: "black", LOST: "white"}.get(board)
        output = "a draw" if turns is None else f"{winner} wins in {count((turns + 1) // 2, 'move')}"
        assert pentad("solve", board, "--depth").lines == [output]


def test_the_value_of_every_move(pentad: Pentad):
    position = from_number(int(WON))
    values = solve(position).moves
    lines = pentad("solve", WON, "--moves").lines
    assert lines[0] == "black wins"
    twists = lines[1].split()
    words = {"win": 1, "draw": 0, "loss": -1}
    output = {}
    for line in lines[2:]:
        space, *cells = line.split()
        assert len(cells) == len(twists)
        output |= {f"{space} {twist}": words[cell] for twist, cell in zip(twists, cells, strict=True)}
    assert output == {str(move): value for move, value in values.items()}


def test_a_table_with_distances():
    position = from_number(int(WON))
    found = solve(position, depth=True)
    lines = list(table(found.moves, found.distances))
    for move, turns in found.distances.items():
        row = next(line for line in lines if line.split()[0] == str(move[0]))
        assert f"{ {1: 'win', -1: 'loss'}[found.moves[move]] } {in_moves(turns)}" in row
    assert verdict(position, found.value, found.turns) == f"black wins in {count(in_moves(found.turns or 0), 'move')}"


def test_json(pentad: Pentad):
    position = from_number(int(WON))
    found = solve(position, depth=True)
    first, second = map(json.loads, pentad("solve", WON, "nonsense", "--json", "--moves", "--depth").lines)
    assert second["board"] == "nonsense"
    assert "Cannot read" in second["error"]
    assert first.pop("seconds") >= 0
    assert first.pop("nodes") > 0
    assert first == {
        "board": WON,
        "position": position.text,
        "turn": "black",
        "value": 1,
        "result": f"black wins in {count(in_moves(found.turns or 0), 'move')}",
        "how": found.how,
        "turns": found.turns,
        "moves": {str(move): value for move, value in found.moves.items()},
        "distances": {str(move): turns for move, turns in found.distances.items()},
    }
    plain = json.loads(pentad("solve", WON, "--json").out)
    assert not {"turns", "moves", "distances"} & set(plain)


def test_proved_values_of_an_unsolved_board(pentad: Pentad):
    board, few = "pentago bbbb../....../wwww../....../....../......", ("--json", "--memory", "50M")
    answer = pentad("solve", board, "--moves", *few)
    output = json.loads(answer.out)
    assert (answer.code, list(output)) == (2, ["board", "error", "proved"])
    assert answer.err == f"pentad: {board}: {output['error']}\n"
    assert output["proved"]["a4"] == 1
    assert list(json.loads(pentad("solve", FOUR, "--moves", *few).out)) == ["board", "error"]
    assert list(json.loads(pentad("solve", FOUR, *few).out)) == ["board", "error"]


def test_the_first_positions_are_solved_by_the_book(pentad: Pentad):
    assert pentad("solve", "0").out == "black wins\n"
    output = json.loads(pentad("solve", EMPTY, "--json", "--moves", "--depth").out)
    assert (output["value"], output["how"], output["turns"], output["nodes"]) == (1, "book", None, 0)
    assert sorted(output["moves"].values()) == [0] * 96 + [1] * 192
    assert "unknown" not in output
    b1 = str(from_number(0).play("b1 1A").text)
    assert pentad("solve", b1).out == "black wins\n"


def test_moves_that_the_book_lacks_are_not_known(pentad: Pentad):
    output = json.loads(pentad("solve", THREE, "--json", "--moves").out)
    assert (set(output["moves"].values()), output["unknown"]) == ({0}, 259)


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
    assert "Expected a move from 24 to 25, got 3." in pentad("solve", str(file), "--ply", "3").err
    middle = start.partial(str(best[0]))
    answer = pentad("solve", middle.text, "--moves")
    assert answer.lines[0] == "black wins"
    assert len(answer.lines) == 3


def test_a_board_beyond_the_memory_limit_is_reported_first(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    """The message is printed without a progress bar too."""
    monkeypatch.setattr(exact_values, "LONG", 10**6)  # the answer seems to take long
    answer = pentad("solve", FOUR, "--memory", "100M")
    first, last = answer.err.splitlines()
    assert first.startswith(f"pentad: {FOUR}: ")
    assert "Ctrl-C" in first
    assert "in the book" in last
    assert answer.code == 2


def test_a_quickly_solved_board_gets_no_message(pentad: Pentad):
    answer = pentad("solve", "pentago bbbb../....../wwww../....../....../......", "--memory", "50M")
    assert (answer.err, answer.lines) == ("", ["black wins"])


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in the user's cache for values that do not fit into memory; pages are few."""
    monkeypatch.setattr(scratch, "FRAMES", 60)
    monkeypatch.setattr(exact_values, "user_folder", lambda kind: tmp_path / kind)
    return tmp_path / "cache" / exact_values.SCRATCH


def test_values_in_files(pentad: Pentad, tmp_path: Path, cached: Path):
    expected = pentad("solve", DRAWN, "--moves").lines
    for words, folder in (((), cached), (("--scratch", str(tmp_path / "files")), tmp_path / "files")):
        answer = pentad("solve", DRAWN, "--moves", "--memory", "0.4M", *words)
        assert (answer.code, answer.err, answer.lines) == (0, "", expected)
        assert not list(folder.iterdir())
    answer = pentad("solve", DRAWN, "--moves", "--memory", "0.4M", "--scratch", __file__)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith(f"pentad: {DRAWN}: Cannot use {__file__}/pentad-pentago-")
    assert answer.err.endswith(": Not a directory.\n")


def test_a_board_beyond_memory_says_what_it_needs(pentad: Pentad, cached: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exact_values, "LONG", 10**5)
    answer = pentad("solve", DRAWN, "--moves", "--memory", "0.4M")
    assert (answer.code, answer.err.count("\n")) == (0, 1)
    assert f"pentad: {DRAWN}: This board needs " in answer.err
    assert str(cached) in answer.err
    for size in ("kB of memory", "kB for files", "s of processor time"):
        assert size in answer.err


@pytest.mark.parametrize("words", [("solve", DRAWN, "--seconds", "60"), ("analyse", DRAWN), ("solve", "--batch")])
def test_only_solve_without_a_time_limit_writes_files(
    words: tuple[str, ...], pentad: Pentad, cached: Path, tmp_path: Path
):
    if words[-1] == "--batch":
        (tmp_path / "boards").write_text(DRAWN)
        words = (*words, str(tmp_path / "boards"), "--out", str(tmp_path / "out"), "--threads", "1")
    answer = pentad(*words, "--memory", "0.4M")
    assert "of memory, but the limit is 400 kB" in answer.err
    assert not cached.exists()


def test_too_little_space_is_refused_before_the_work(pentad: Pentad, cached: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scratch.shutil, "disk_usage", lambda path: SimpleNamespace(free=1000))
    answer = pentad("solve", DRAWN, "--moves", "--memory", "0.4M")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert f"for files, but {cached} has 1 kB free." in answer.err
    assert not cached.exists()


def test_a_run_that_was_interrupted_is_continued(pentad: Pentad, cached: Path, monkeypatch: pytest.MonkeyPatch):
    """Without an option that names the folder; the files in it count as free space."""
    monkeypatch.setattr(level_files, "FILE_BYTES", 8000)
    begin, seen = exact_values.progress_on, []

    def interrupting(*given: Any) -> Callable[[int, int], None]:
        update = begin(*given)

        def progress(made: int, total: int) -> None:
            seen.append(made / total)
            if limit < made / total < 1 and total == boards(12, 12):
                raise KeyboardInterrupt
            update(made, total)

        return progress

    monkeypatch.setattr(exact_values, "LONG", 10**5)
    monkeypatch.setattr(exact_values, "progress_on", interrupting)
    limit = 0.6
    assert pentad("solve", DRAWN, "--moves", "--memory", "0.4M").code == 130
    there = sum(path.stat().st_size for path in cached.rglob("*.pages"))
    assert there
    needs = scratch.files_of(12, 12)
    monkeypatch.setattr(scratch.shutil, "disk_usage", lambda path: SimpleNamespace(free=needs - there))
    limit = 1.0
    seen.clear()
    assert pentad("solve", DRAWN, "--moves", "--memory", "0.4M").lines == pentad("solve", DRAWN, "--moves").lines
    assert max(after - before for before, after in pairwise(seen)) > 0.3
    assert not list(cached.iterdir())


def test_boards_with_few_marbles_say_what_they_would_need(pentad: Pentad, cached: Path):
    """The size is that of the formula: 13 marbles have about three times the arrangements of 14."""
    answer = pentad("solve", THIRTEEN, "--memory", "100M")
    assert (answer.code, answer.out) == (2, "")
    assert "13 marbles needs about 25 GB for files" in answer.err
    assert "TB for files" in pentad("solve", FOUR, "--memory", "50M").err
    assert not cached.exists()


def test_after_an_interruption_the_message_says_how_to_go_on(
    pentad: Pentad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def interrupted(*_: object, **limits: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(exact_values.exact, "solve", interrupted)
    answer = pentad("solve", DRAWN, "--scratch", str(tmp_path))
    assert (answer.code, answer.out) == (130, "")
    assert f"The files are in {tmp_path}." in answer.err
    assert pentad("solve", DRAWN).err == ""


@pytest.mark.parametrize("rubbish", [b"", b"\0" * 5000, b"\xff\xfe" * 300, b"1. a2 1C\n" * 3, b"{" * 9999])
def test_other_files_are_refused(rubbish: bytes, pentad: Pentad, tmp_path: Path):
    file = tmp_path / "rubbish"
    file.write_bytes(rubbish)
    for name in (str(file), "-"):
        answer = pentad("solve", name, typed=rubbish)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_too_little_time(pentad: Pentad):
    answer = pentad("solve", FOUR, "--seconds", "0.01")
    assert answer.code == 2
    assert "not known here" in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("text", ["4g", "4 GB", "4.0G", "4000M", "4000 mb"])
def test_sizes(text: str):
    assert memory_size(text) == 4 * 10**9


def test_start_imports_neither_the_compiler_nor_other_games():
    if backends.is_jit_disabled() or cache.folder() is None:
        pytest.skip("kernels are not cached here")
    code = (
        "import sys; from pentad.terminal import main; "
        f"assert main(['solve', '{WON}', '--moves']) == 0; "
        "print({'numba', 'numpy', 'rich', 'pentad.record', 'multiprocessing', 'importlib.metadata', 'urllib.request', "
        "'pentad.drawing', 'pentad.games.pente'} & set(sys.modules))"
    )
    solve(from_number(int(WON)))  # the kernels are compiled before
    assert run(code)[0].splitlines()[-1] == "set()"


def test_a_broken_pipe():
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
from pentad.terminal import main
from pentad.search import exact
def slow(position, *, progress, **limits):
    for made in range(10**9):
        if progress:
            progress(made, 10**4)
        time.sleep(0.01)
exact.solve = slow
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_a_bar_on_a_terminal_and_ctrl_c():
    with Terminal("-c", SLOW, "solve", WON) as terminal:
        terminal.expect("24 marbles: searching all positions │")
        terminal.expect(" left")
        terminal.type(CTRL_C)
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.shown
    with Terminal("-c", SLOW, "solve", WON, TERM="dumb") as terminal:
        terminal.interrupt()
        assert terminal.wait() == 130
        assert "│" not in terminal.shown


def test_no_bar_in_a_pipe(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    output = []

    def watched(*args, progress, **limits):
        output.append(progress)
        raise GameError("enough")

    monkeypatch.setattr(exact_values.exact, "solve", watched)
    assert pentad("solve", WON).err == f"pentad: {WON}: enough\n"
    assert output == [None]

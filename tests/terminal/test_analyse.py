"""`pentad analyse`: exact values as a picture, and an engine's estimates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pentad as library
from pentad.games.pentago import from_number, solve
from pentad.games.pentago.slices import VARIABLE
from pentad.record import Record
from pentad.search.analysis import Analysis, Line, Report
from pentad.terminal import analyse as command
from pentad.terminal.pentago.exact_values import ExactValues
from tests.games.pentago import slice_files
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import CTRL_C, Terminal

WON, DRAWN, LOST = "5211790935814378765", "3218705911816140614", "3199595687196497322"  # each of these has 24 marbles
OVER = "pentago bbbbb./wwww../....../....../....../......"


def values_of(board: str) -> ExactValues:
    found = solve(from_number(int(board)), depth=True)
    return ExactValues(found)


@pytest.mark.slow
def test_exact_values_as_a_picture(pentad: Pentad):
    for board, output in ((WON, "black wins in "), (DRAWN, "a draw"), (LOST, "white wins in ")):
        answer = pentad("analyse", board)
        assert (answer.code, answer.err) == (0, "")
        heading, *picture = answer.lines
        assert heading.startswith(f"Black to place a marble. With best play: {output}")
        assert picture == ["".join(text for text, _ in line).rstrip() for line in values_of(board).spans()]
        assert "\x1b" not in answer.out
        assert max(map(len, answer.lines)) <= 80


def test_listing(pentad: Pentad):
    lines = pentad("analyse", WON, "--list").lines
    assert lines[:2] == from_number(int(WON)).listing()[:-1]
    assert lines[3:] == list(values_of(WON).listing())[3:]


@pytest.mark.slow
def test_the_twists_after_a_space(pentad: Pentad):
    values = values_of(WON)
    for place in {str(move[0]) for move in values.solution.moves}:
        assert f"After {place}, twist a sub-board:" in pentad("analyse", WON, "--space", place).out


def test_json(pentad: Pentad):
    values = values_of(WON)
    output = json.loads(pentad("analyse", WON, "--json").out)
    assert (output["exact"], output["value"], output["position"]) == (True, 1, values.solution.position.text)
    assert output["moves"] == {str(move): value for move, value in values.solution.moves.items()}
    assert output["distances"] == {str(move): turns for move, turns in values.solution.distances.items()}
    assert json.loads(pentad("analyse", OVER, "--json").out)["result"] == "Black wins with five in a row. Result: 1-0."


def test_the_first_positions_are_known(pentad: Pentad):
    answer = pentad("analyse", "pentago")
    assert (answer.code, answer.err) == (0, "")
    assert " a │ D W W │ W W D │" in answer.out
    output = json.loads(pentad("analyse", "pentago", "--json").out)
    assert (output["exact"], output["value"], output["how"], len(output["moves"])) == (True, 1, "book", 288)


def test_records_and_finished_games(pentad: Pentad, tmp_path: Path):
    record = Record(from_number(int(WON)))
    record.play(next(iter(record.position.legal_moves)))
    file = tmp_path / "game.pentad"
    file.write_text(record.text)
    assert pentad("analyse", str(file)).lines[0].startswith("White to place a marble. With best play: ")
    assert pentad("analyse", str(file), "--ply", "24").out == pentad("analyse", WON).out
    assert pentad("analyse", "-", "--ply", "24", typed=record.text).out == pentad("analyse", WON).out
    assert pentad("analyse", OVER).lines == ["Black wins with five in a row. Result: 1-0."]


def test_an_unsolvable_position_is_estimated_with_a_notice(pentad: Pentad):
    limits = ("--memory", "1M", "--depth", "1")
    three = "pentago players=3 ....../....../....../....../....../......"
    four = "pentago b...../.w..../..b.../...w../....../......"
    for board, reason in ((four, "Boards with up to 3 marbles are in the book."), (three, "for two players only")):
        answer = pentad("analyse", board, *limits)
        assert answer.code == 0
        assert answer.err.startswith("pentad: ")
        assert answer.err.count("\n") == 1
        assert answer.err.endswith(" The engine's estimates follow.\n")
        assert reason in answer.err
        assert not any(unit in answer.err for unit in (" GB", " TB", " PB"))  # no player has so much
        assert "estimates" in answer.lines[0]
        assert len(answer.lines) == 4
    asked = pentad("analyse", WON, "--estimate", "--depth", "1", "--lines", "2")
    assert (asked.code, asked.err) == (0, "")
    assert asked.lines[0].startswith("depth 1, ")


def test_slices_have_values_beyond_the_solver(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, str(slice_files.DATA))
    three = "pentago ....../.w..../b..b../....../....../......"
    assert pentad("analyse", three).lines[-1].startswith("5 of 264 moves draw, ")  # by the book, which comes first
    monkeypatch.setenv(VARIABLE, "/dev/null")
    four = "pentago b...../.w..../..b.../...w../....../......"
    answer = pentad("analyse", four, "--seconds", "0.1", "--depth", "1")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("name", library.names())
def test_every_game_is_analysed(name: str, pentad: Pentad):
    words = ("analyse", name, "--seconds", "0.2", "--depth", "1", "--lines", "2", "--estimate")
    answer = pentad(*words)
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[0].startswith("depth ")
    output = [json.loads(line) for line in pentad(*words, "--json").lines]
    position = library.new(name)
    for line in output[-1]["lines"]:
        here = position
        for move in line["moves"]:
            here = here.play(move)
        assert len(line["values"]) == position.players
    assert 1 <= len(output[-1]["lines"]) <= 2  # in the first move of Pente there is no choice


def test_options_of_a_game(pentad: Pentad):
    words = ("--seconds", "0.2", "--depth", "1")
    assert pentad("analyse", "pentago", "--players", "3", *words).lines[1].startswith("  black ")
    wrong = pentad("analyse", "pentago", "--players", "99", *words)
    assert (wrong.code, wrong.err.count("\n")) == (2, 1)


# ── Pente's engine ───────────────────────────────────────────────────────────────────────────────

THREATS = (
    "pente opening=free 19/19/19/19/19/19/5w1w11/7b11/6wbw2b7/4b2b1w2w6/4b2bb1w1b6/4bwwwwb1wb6/4w2b1ww1b6"
    "/19/19/19/19/19/19 4,4"
)
LOST_TO_TWO = "pente 19/19/19/19/19/19/6b1bb9/6ww11/4b2b2b8/5w1wbw9/6w2b9/7w1w9/19/19/19/19/19/19/19 0,0"
QUIET = "pente 19/19/19/19/19/19/19/19/10b8/9w9/12w6/6w2b9/19/19/19/19/19/19/19 0,0"


def test_a_win_by_threats_is_claimed(pentad: Pentad):
    answer = pentad("analyse", THREATS)
    assert (answer.code, answer.err) == (0, "")
    state, line = answer.lines  # one report, and of what is proved but one line
    assert state.startswith("found immediately, ")
    assert state.endswith("; proved")
    assert line.startswith("  wins in 6 moves  G9, F9, ")
    (report,) = map(json.loads, pentad("analyse", THREATS, "--json").lines)
    assert (report["depth"], report["exact"]) == (0, True)
    assert [(each["claim"], each["values"]) for each in report["lines"]] == [("wins in 6 moves", [-1.0, 1.0])]


def test_an_estimated_loss_is_no_claim(pentad: Pentad):
    answer = pentad("analyse", LOST_TO_TWO, "--depth", "6")
    assert "estimates for white" in answer.lines[-4]
    assert answer.lines[-3].startswith("  seems lost  ")
    report = json.loads(pentad("analyse", LOST_TO_TWO, "--depth", "6", "--json").lines[-1])
    assert not report["exact"]
    assert all(each["claim"] is None for each in report["lines"])


def test_little_time_many_lines_and_one_move_deep(pentad: Pentad):
    short = pentad("analyse", QUIET, "--seconds", "0.01")
    assert (short.code, short.lines[0].split(",")[0]) == (0, "depth 1")
    many = pentad("analyse", QUIET, "--depth", "1", "--lines", "20").lines
    assert len(many) == 21
    values = [float(line.split()[0]) for line in many[1:]]
    assert values == sorted(values, reverse=True)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(
    "words",
    [
        ("--size", "3", "--line", "3", "--opening", "free"),
        ("--size", "25"),
        ("--opening", "swap2"),
        ("--rules", "boat", "--size", "9"),
    ],
)
def test_every_board_of_pente(words: tuple[str, ...], pentad: Pentad):
    answer = pentad("analyse", "pente", *words, "--seconds", "0.2")
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[0].startswith(("depth 1, ", "found at once"))


def test_a_game_without_captures_is_not_searched_beyond_its_end(pentad: Pentad):
    lines = pentad("analyse", "pente", "--rules", "lines", "--size", "3", "--line", "3", "--depth", "1000").lines
    depths = [int(line.split()[1].rstrip(",")) for line in lines if line.startswith("depth ")]
    assert depths == list(range(1, 10))


@pytest.mark.slow
def test_pente_on_a_terminal():
    with Terminal("analyse", QUIET, "--seconds", "600", "--lines", "4", columns=80) as terminal:
        terminal.expect("depth 4, ")
        terminal.type(CTRL_C)
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.shown
        assert "/s; estimates for black" in terminal.shown


# ── on a terminal ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_colours_on_a_terminal_unless_disabled():
    for words, environment, coloured in (
        ((), {"TERM": "xterm-256color"}, True),
        (("--no-colour",), {}, False),
        ((), {"NO_COLOR": "1"}, False),
    ):
        with Terminal("analyse", LOST, *words, columns=80, **environment) as terminal:
            assert terminal.wait() == 0
            assert "With best play" in terminal.shown
            assert "L black loses" in terminal.shown
            assert (b"48;5;" in terminal.raw or b"48;2;" in terminal.raw) == coloured


@pytest.mark.slow
def test_reports_are_redrawn_and_ctrl_c_keeps_the_last():
    with Terminal("analyse", "pente", "--seconds", "600") as terminal:
        terminal.expect("depth 1, ")
        terminal.expect("depth 2, ")
        terminal.type(CTRL_C)
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.shown


@pytest.mark.slow
def test_a_broken_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    for words in ([WON], ["pente", "--depth", "1"]):
        done = subprocess.run(
            [sys.executable, "-m", "pentad", "analyse", *words], stdout=writer, stderr=subprocess.PIPE
        )
        assert (done.returncode, done.stderr) == (141, b"")
    os.close(writer)


def test_ctrl_c_keeps_the_reports(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    def reports() -> Iterator[Report]:
        yield Report(0, 1, 5, 0.0, (Line((), (0.5, -0.5)),), exact=False)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "analyse", lambda *_, **limits: Analysis(library.new("pente"), reports()))
    answer = pentad("analyse", "pente")
    assert answer.code == 130
    assert answer.lines[0].startswith("depth 1, 5 positions")

"""Games on time in the terminal: as lines, as JSON and with a board; and waiting that ends when a clock runs out."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from rich.console import Console

from pentad.play.table import set_table
from pentad.record import Record
from pentad.terminal import streams
from pentad.terminal.line_display import LineDisplay
from pentad.terminal.messages import Messages
from pentad.terminal.play_session import Display, JsonLines, Session
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import Terminal

TWO = {0: "human", 1: "human"}


class Now:
    """A time that the typist sets."""

    time = 0.0

    def __call__(self) -> float:
        return self.time


def played(display: Display, lines: Iterable[tuple[float, str]], label: str = "5 min + 3 s", **about: str) -> Session:
    """A session in which a person types lines, each after some seconds."""
    now, script = Now(), iter(lines)
    table = set_table(Record("pentago", tags={"Time": label}), TWO, None, now=now)
    session = Session(table, display, now=now)

    def read(_: Session) -> str | None:
        seconds, line = next(script, (0.0, None))
        now.time += seconds
        return line

    display.read_line = read  # type: ignore[method-assign]
    session.run()
    return session


def saved(home: Path) -> Record:
    return Record.read((home / "games" / "pentago-1.pentad").read_text())


def test_each_line_has_the_time_left(home: Path, capsys: pytest.CaptureFixture[str]):
    lines = [(60, "a2 1C"), (10, "c3 4A"), (298, "time"), (0, "d4 1C"), (5, "undo"), (0, "time"), (0, "d3 1C")]
    played(Display(), lines)
    assert capsys.readouterr().out.splitlines() == [
        "pentago. black: human, white: human. Time: 5 min + 3 s",
        "1. black a2 1C (5:00)",
        "2. white c3 4A (4:53)",
        "Black 2.0, white 4:53.",
        "3. black d4 1C (5.0)",
        "Took back 1 move. Black to move.",
        "Black 2.0, white 4:48.",
        "3. black d3 1C (5.0)",
        "Saved as pentago-1.",
    ]
    record = saved(home)
    assert record.tags["Time"] == "5 min + 3 s"
    assert [node.clock for node in record.main_line] == [300, 293, 5]


def test_a_flag_ends_the_game(home: Path, capsys: pytest.CaptureFixture[str]):
    lines = [(0, "a2 1C"), (299, "c3"), (2, "4A"), (0, "undo"), (0, "resign"), (0, "new"), (0, "time")]
    session = played(Display(), lines, "5 min")
    out, err = capsys.readouterr()
    _, move, _, end, start, times = out.splitlines()
    assert move == "1. black a2 1C (5:00)"
    assert end.startswith("White ran out of time.")
    assert start.endswith("Time: 5 min")
    assert times == "Black 5:00, white 5:00."
    over, undone, resigned = err.splitlines()
    assert "Type new" in over
    assert "loss on time" in undone
    assert "already over" in resigned
    assert session.partial_turn == ""
    record = saved(home)
    assert (record.result, record.tags["Time"]) == ("1-0", "5 min")
    assert 'Reason "out of time"' in record.text


def test_a_flag_that_falls_while_a_question_is_asked(home: Path, capsys: pytest.CaptureFixture[str]):
    class Slow(Display):
        def confirm(self, question: str, at_end: bool = False) -> bool:
            session.now.time += 301  # type: ignore[attr-defined]
            return True

    now, script = Now(), iter(["a2 1C", "resign"])
    display = Slow()
    display.read_line = lambda _: next(script, None)  # type: ignore[method-assign]
    session = Session(set_table(Record("pentago", tags={"Time": "5 min"}), TWO, None, now=now), display, now=now)
    session.run()
    assert "White ran out of time." in capsys.readouterr().out


def test_json_has_the_clocks(home: Path, capsys: pytest.CaptureFixture[str]):
    played(JsonLines(), [(60, "a2 1C"), (10, "c3 4A"), (0, "undo"), (300, "")])
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0]["time"] == {"main": 300, "increment": 3}
    assert [each.get("clocks") for each in events] == [[300, 300], [300, 300], [300, 293], [300, 290], [300, 0], None]
    assert (events[4]["event"], events[4]["reason"]) == ("end", "out of time")


def test_a_game_without_a_clock_says_so(pentad: Pentad):
    answer = pentad("play", "pentago", "--json", typed="time\n")
    start, error, _ = map(json.loads, answer.lines)
    assert start["time"] is None
    assert "clocks" not in start
    assert "no clock" in error["error"]


def test_a_saved_game_goes_on_with_its_times(pentad: Pentad, home: Path, capsys: pytest.CaptureFixture[str]):
    played(Display(), [(0, "a2 1C"), (100, "c3 4A"), (50, "a3 1C")])
    capsys.readouterr()
    for words in (("--resume",), ("--load", str(home / "games" / "pentago-1.pentad"))):
        answer = pentad("play", *words, "--json")
        start = json.loads(answer.lines[0])
        assert (answer.code, start["clocks"]) == (0, [253, 203])
    answer = pentad("play", "--resume", "--time", "1+0")
    assert (answer.code, answer.out) == (2, "")
    assert "time control: 5 min + 3 s. Leave out --time." in answer.err


def test_a_loaded_game_without_a_clock_can_get_one(pentad: Pentad, tmp_path: Path):
    path = tmp_path / "game.pentad"
    path.write_text(Record("pentago").text)
    answer = pentad("play", "--load", str(path), "--time", "10+5", "--black", "human", "--white", "human")
    assert answer.lines == ["pentago. black: human, white: human. Time: 10 min + 5 s"]


@pytest.mark.parametrize("columns", [80, 20])
def test_the_clocks_are_below_the_board(columns: int, monkeypatch: pytest.MonkeyPatch):
    display, output = LineDisplay(), io.StringIO()
    display.console = Console(file=output)
    now = Now()
    session = Session(set_table(Record("pentago", tags={"Time": "5 min"}), TWO, None, now=now), display, now=now)
    session.table.play("a2 1C")
    now.time += 12
    monkeypatch.setenv("COLUMNS", str(columns))
    display._draw(session)
    assert "Time left: black 5:00, white 4:48" in " ".join(output.getvalue().split())


# ── waiting for a line ───────────────────────────────────────────────────────────────────────────


def test_waiting_for_a_line_of_a_pipe_ends_with_the_time(monkeypatch: pytest.MonkeyPatch):
    reading, writing = os.pipe()
    asked: list[bool] = []

    def is_overdue() -> bool:
        asked.append(len(asked) >= 2)
        return asked[-1]

    with os.fdopen(writing, "wb"), io.TextIOWrapper(os.fdopen(reading, "rb"), encoding="utf-8") as source:
        monkeypatch.setattr(sys, "stdin", source)
        assert streams.read_line(is_overdue) == "\n"
    assert asked == [False, False, True]


@pytest.mark.slow
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_a_flag_falls_at_the_prompt(home: Path, term: str):
    with Terminal("play", "pentago", "--time=0.02", "--lines", "--black=human", "--white=human", TERM=term) as terminal:
        terminal.expect("black 1.2> ")
        terminal.enter("a2 1C")
        terminal.expect("White ran out of time. Black wins.")
        terminal.expect("Type new for another game, or quit.")
        terminal.enter("quit")
        assert terminal.wait() == 0
    assert saved(home).result == "1-0"


def test_messages_after_the_end_offer_what_is_possible():
    display = Messages()
    played(display, [(0, "a2 1C"), (301, "")], "5 min")
    assert ("Type new for another game, or quit.", "quiet") in display.message
    display = Messages()
    played(display, [(0, "a2 1C"), (1, "resign")], "5 min")
    assert any("undo to take back a move" in text for text, _ in display.message)

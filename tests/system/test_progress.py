"""The progress bar: one line at any width, drawn only if it has changed."""

from __future__ import annotations

import io
import os
import re
import sys

import pytest

from pentad.system import progress
from pentad.system.progress import Bar

WHAT = "Preparing the Pentagame engine, only once on this machine"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock() -> Clock:
    return Clock()


def fake_terminal(monkeypatch: pytest.MonkeyPatch) -> FakeTerminal:
    """Replaces the error stream; called in a test, as pytest replaces it between fixture and test."""
    made = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    return made


def set_width(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setattr(progress.shutil, "get_terminal_size", lambda: os.terminal_size((columns, 24)))


def lines(stream: FakeTerminal) -> list[str]:
    """The drawn lines, without cursor movements."""
    return [each for each in re.split(r"\r|\x1b\[\d*[AJK]", stream.getvalue()) if each]


@pytest.mark.parametrize("columns", [120, 80, 60, 40, 20, 5, 1])
def test_it_is_one_line_in_any_width(clock, monkeypatch, columns):
    stream = fake_terminal(monkeypatch)
    set_width(monkeypatch, columns)
    with Bar(WHAT, after=0, clock=clock) as line:
        for second in range(100):
            clock.now = second
            line.update(second, 100)
    drawn = lines(stream)
    assert max(map(len, drawn)) < max(columns, 2)
    if columns >= 5:
        assert len(drawn) >= 25
        assert any("42%" in each for each in drawn)
    if columns == 40:
        assert any(each.startswith("Preparing the Pentagame engine  ") for each in drawn)
    if columns >= 80:
        assert any(each.startswith(f"{WHAT} │████") for each in drawn)
    assert "\n" not in stream.getvalue()


def test_it_is_drawn_at_most_once_a_second(clock, monkeypatch):
    stream = fake_terminal(monkeypatch)
    set_width(monkeypatch, 80)
    with Bar(WHAT, after=0, clock=clock) as line:
        for step in range(1000):  # the steps take ten seconds
            clock.now = step / 100
            line.update(0.25, 1)
    few = lines(stream)
    assert 1 <= len(few) <= 10  # the remaining time changes
    assert len(set(few)) == len(few)


def test_an_unchanged_line_is_not_drawn_again(clock, monkeypatch):
    stream = fake_terminal(monkeypatch)
    set_width(monkeypatch, 80)
    with Bar(WHAT, after=0, clock=clock) as line:
        for clock.now in range(100):
            line.update(0, 1)
        assert len(lines(stream)) == 1


def test_a_terminal_that_becomes_narrower(clock, monkeypatch):
    """The old line takes two rows; both are cleared, and the new line has one."""
    stream = fake_terminal(monkeypatch)
    set_width(monkeypatch, 80)
    with Bar(WHAT, after=0, clock=clock) as line:
        line.update(0.5, 1)
        set_width(monkeypatch, 40)
        clock.now = 5
        line.update(0.6, 1)
        assert "\x1b[1A\r\x1b[J" in stream.getvalue()
        assert len(lines(stream)[-1]) < 40
        set_width(monkeypatch, 100)
        clock.now = 10
        line.update(0.7, 1)
        assert stream.getvalue().count("\x1b[1A") == 1


def test_a_pipe_and_a_dumb_terminal_get_nothing(clock, monkeypatch):
    stream = fake_terminal(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    with Bar(WHAT, after=0, clock=clock) as line:
        line.update(1, 2)
    assert stream.getvalue() == ""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with Bar(WHAT, after=0, clock=clock) as line:
        line.update(1, 2)
        assert sys.stderr.getvalue() == ""


def test_the_remaining_time_counts_from_the_first_share(clock, monkeypatch):
    stream = fake_terminal(monkeypatch)
    set_width(monkeypatch, 80)
    with Bar("Waiting", after=0, clock=clock) as line:
        line.update(0.5, 1)  # done before the bar began
        clock.now = 10
        line.update(0.75, 1)
    assert lines(stream)[-1].endswith(" 75%  10 s left")


def test_items_with_their_rate(clock, monkeypatch):
    stream = fake_terminal(monkeypatch)
    set_width(monkeypatch, 80)
    with Bar("Checking", after=0, clock=clock) as line:
        for item in line.each(range(8), 8):
            clock.now += 2
            assert item < 8
    assert lines(stream)[-1].endswith("│  88%  7 of 8  0.5/s  2 s left")


def test_without_a_total_there_is_only_text(clock, monkeypatch):
    stream = fake_terminal(monkeypatch)
    set_width(monkeypatch, 40)
    with Bar("Solving", after=0, clock=clock) as line:
        line.update(3, 0, "  3 boards")
    assert lines(stream) == ["Solving  3 boards"]

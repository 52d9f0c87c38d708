"""Fixtures: a separate data folder for each test, and a terminal without the tester's settings."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pentad.terminal import main


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data folder."""
    folder = tmp_path / "home"
    monkeypatch.setenv("PENTAD_HOME", str(folder))
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "PENTAD_DEBUG", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    before = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP)}
    yield folder
    for each, handler in before.items():
        signal.signal(each, handler)


@dataclass
class Answer:
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Pentad = Callable[..., Answer]


@pytest.fixture
def pentad(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Pentad:
    """Run a command within this process; `typed` is its standard input."""

    def run(*words: str, typed: str | bytes = "") -> Answer:
        data = typed if isinstance(typed, bytes) else typed.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        code = main(list(words))
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return run

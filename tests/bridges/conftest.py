"""Fixtures of all bridges: the command line within this process, a home folder, and patience with programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentad.bridges import external_bot
from tests.terminal.conftest import pentad
from tests.waiting import TIMEOUT

__all__ = ["pentad"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PENTAD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def generous_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timeouts that a program meets on a busy machine."""
    monkeypatch.setattr(external_bot, "GRACE_SECONDS", TIMEOUT)
    monkeypatch.setattr(external_bot, "START_SECONDS", TIMEOUT)

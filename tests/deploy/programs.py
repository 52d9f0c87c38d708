"""Programs that the tests of `deploy/` need; without them a test is skipped, and in CI it fails."""

from __future__ import annotations

import os

import pytest

from release import programs


def need(tests: str) -> None:
    """Skips the test if the program of `release.programs` for these tests is not installed."""
    (program,) = (each for each in programs.PROGRAMS if each.tests == tests)
    if not program.is_installed():
        reason = f"{program.name} is not installed; on Debian, run `apt install {' '.join(program.packages)}`"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)

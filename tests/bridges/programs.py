"""Programs that tests start: whether they live, and their end."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.waiting import wait_until

POSIX = pytest.mark.skipif(os.name != "posix", reason="process groups are a POSIX feature")


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return sys.platform != "linux"


def gone(process: int) -> bool:
    """Whether a process ends in time."""
    wait_until(lambda: not lives(process), "the end of the process")
    return True

"""Runs the tools of a release. A tool that fails raises ReleaseError, whose message is one line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

PYTHON = (sys.executable, "-P", "-m")


class ReleaseError(Exception):
    """An error that ends the release. Its message is one line."""


def run(
    what: str, command: Sequence[str | Path], folder: Path | None = None, environment: Mapping[str, str] = os.environ
) -> str:
    """Runs a command and returns its output; `what` begins the message of the error: "The wheel cannot be built"."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip() or "there is no message").splitlines()
        raise ReleaseError(f"{what}: {lines[-1]}")
    return done.stdout

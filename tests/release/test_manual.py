"""The manual page: as the commands are now."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib

import pytest

from release.manual import PAGE, manual


def test_the_page_is_that_of_the_commands() -> None:
    """After a change of a command's arguments, `python -m release.manual` writes it again."""
    assert PAGE.read_text(encoding="utf-8") == manual(), "run python -m release.manual"


def test_wheels_install_the_page() -> None:
    settings = tomllib.loads((PAGE.parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    shared = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared == {"docs/man/pentad.1": "share/man/man1/pentad.1"}


def test_the_page_is_valid_roff() -> None:
    if not shutil.which("groff"):
        pytest.skip("groff is not installed")
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", PAGE], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "pentad grammar explore" in re.sub(".\\x08", "", done.stdout)  # bold is typed over

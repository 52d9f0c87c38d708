"""The units of systemd, read by systemd itself, which need not run."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from release.programs import UNITS as TESTS
from release.programs import system_program
from tests.cases import together
from tests.deploy.programs import need
from tests.deploy.shipped import DEPLOY, UNITS, replaced

PROGRAM = "/opt/pentad/bin/pentad"
MOST_EXPOSED = 1.5  # of 10, as `systemd-analyze security` measures it


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units in a folder, with a program that is installed in the place of theirs."""
    need(TESTS)
    for path in UNITS:
        text = path.read_text(encoding="utf-8")
        (tmp_path / path.name).write_text(text.replace(PROGRAM, "/bin/true"), encoding="utf-8")
    return tmp_path


def analyse(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [system_program("systemd-analyze"), "--man=no", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_systemd_reads_the_units(units: Path) -> None:
    done = analyse("verify", *units.iterdir())
    assert (done.returncode, done.stderr) == (0, "")


def test_systemd_finds_what_is_wrong(units: Path) -> None:
    path = units / "pentad.service"
    path.write_text(replaced(path.read_text(encoding="utf-8"), ("ProtectHome", "ProtectHomes")), encoding="utf-8")
    assert "ProtectHomes" in analyse("verify", path).stderr


def test_the_services_are_confined(units: Path) -> None:
    services = sorted(units.glob("*.service"))
    assert len(services) > 1
    for path in services:
        done = analyse("security", "--offline=true", path)
        found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
        assert found, done.stderr
        assert float(found[1]) <= MOST_EXPOSED, path.name


@together("name", ["pentad.service", "pentad-backup.service"])
def test_the_services_have_the_same_user_and_data(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    for line in ("User=pentad", "Group=pentad", "UMask=0077"):
        assert line in text.splitlines()
    assert "PENTAD_HOME=/var/lib/pentad" in text

"""Programs that some tests need, on machines with and without them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from release import programs
from release.tools import ReleaseError
from tests.programs import run

ROOT = Path(__file__).parents[2]
NODE = "node 18.18 or newer"
BROWSER = "chromium-headless-shell libatomic1 fonts-dejavu-core"
NO_CHROMIUM = f"chromium is not installed; apt install {BROWSER}"
NO_DATABASE = "PostgreSQL is not installed; apt install postgresql"
NO_NODE = f"{NODE} is not installed; apt install nodejs npm"
NO_SYSTEMD = "systemd is not installed; apt install systemd"
NO_PROXIES = "nginx with Caddy is not installed; apt install nginx caddy openssl"
ONLY_IN_CI = {NODE, "systemd", "nginx with Caddy"}  # what is installed for the tests nowhere else


class Machine:
    """A Debian with or without the programs; apt-get and npm are recorded, and work or fail."""

    def __init__(self) -> None:
        self.installed: set[str] = {*ONLY_IN_CI}
        self.works = True
        self.commands: list[str] = []

    def run(self, what: str, command: Sequence[str], *folder: Path, **options: Any) -> str:
        self.commands.append(" ".join(command))
        if not self.works:
            raise ReleaseError(f"{what}: No network")
        self.installed |= {each.name for each in programs.PROGRAMS if each.packages[0] in command}
        return ""


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()

    def known(program: programs.Program) -> programs.Program:
        return replace(program, is_installed=lambda: program.name in made.installed)

    monkeypatch.setattr(programs, "PROGRAMS", tuple(map(known, programs.PROGRAMS)))
    monkeypatch.setattr(programs, "run", made.run)
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("CI", "")
    return made


def test_root_sees_what_is_installed(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.installed = {"PostgreSQL", *ONLY_IN_CI}
    assert programs.prepare(is_slow=False) == {}
    line = "Installing for the tests with apt-get: chromium-headless-shell, libatomic1, fonts-dejavu-core …\n"
    assert capsys.readouterr().err == line
    assert machine.commands == ["apt-get update", f"apt-get install -y --no-install-recommends {BROWSER}"]
    assert programs.prepare(is_slow=False) == {}
    assert len(machine.commands) == 2, "nothing is missing now"


def test_only_root_installs(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert programs.prepare(is_slow=False) == {"browser tests": NO_CHROMIUM, "PostgreSQL tests": NO_DATABASE}
    assert machine.commands == []


def test_a_failed_installation_is_one_line(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.works = False
    assert programs.prepare(is_slow=False) == {"browser tests": NO_CHROMIUM, "PostgreSQL tests": NO_DATABASE}
    assert capsys.readouterr().err.splitlines()[1:] == ["apt-get failed: No network"]


def test_slow_tests_need_firefox_too(machine: Machine) -> None:
    machine.installed = {"chromium", "PostgreSQL", *ONLY_IN_CI}
    assert programs.prepare(is_slow=False) == programs.prepare(is_slow=True) == {}
    assert machine.commands[1:] == ["apt-get install -y --no-install-recommends firefox-esr"]


def test_only_ci_installs_what_is_large_or_starts_a_server(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.installed = {"chromium", "PostgreSQL", "Firefox"}
    missing = {programs.SCRIPTS: NO_NODE, programs.UNITS: NO_SYSTEMD}
    assert programs.prepare(is_slow=False) == missing
    assert programs.prepare(is_slow=True) == {**missing, programs.PROXIES: NO_PROXIES}
    assert machine.commands == []
    monkeypatch.setenv("CI", "true")
    assert programs.prepare(is_slow=False) == {}
    assert machine.commands[1:] == ["apt-get install -y --no-install-recommends nodejs npm systemd"]
    assert programs.prepare(is_slow=True) == {}
    assert machine.commands[3:] == ["apt-get install -y --no-install-recommends nginx caddy openssl"]


@pytest.mark.parametrize(
    ("version", "is_new"), [("12.22.9", False), ("18.13.0", False), ("18.20.4", True), ("20.19.2", True)]
)
def test_an_old_node_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, is_new: bool) -> None:
    for name in ("node", "npm"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert programs.has_node() == is_new


def test_packages_of_node_are_installed_when_the_lock_has_changed(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "node_modules").mkdir()
    for text, installations in [("{}", 1), ("{}", 1), ('{"lockfileVersion": 3}', 2)]:
        (tmp_path / "package-lock.json").write_text(text)
        programs.install_node_packages(tmp_path)
        assert machine.commands == ["npm ci --no-audit --no-fund --no-update-notifier"] * installations
    assert capsys.readouterr().err == "Installing the checks of the scripts with npm …\n" * 2


def test_a_failed_installation_is_tried_again(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "package-lock.json").write_text("{}")
    machine.works = False
    for _ in range(2):
        with pytest.raises(ReleaseError, match="npm failed: No network"):
            programs.install_node_packages(tmp_path)
    assert len(machine.commands) == 2


def test_the_packages_come_from_any_registry() -> None:
    """A lock with addresses would bind everybody to one machine's registry."""
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    packages = [package for path, package in lock["packages"].items() if path]
    assert len(packages) > 50
    assert all("resolved" not in package and package["integrity"] for package in packages)


def test_pytest_alone_needs_no_module_that_windows_lacks():
    absent = ("fcntl", "grp", "pty", "pwd", "resource", "termios")
    run(f"import sys\nfor name in {absent}: sys.modules[name] = None\nimport release.all_checks, tests.slow_run", ROOT)

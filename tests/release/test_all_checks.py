"""`./pentad test` with fake tools, which record how they were called."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from release import all_checks, programs
from release.__main__ import main, runs_a_command
from release.tools import ReleaseError
from tests.cases import together
from tests.waiting import wait_until

PYTEST = f"pytest -n {(os.cpu_count() or 1) + 1} --dist worksteal"
STATIC = ["lint-imports", "mypy", "ruff check", "ruff format --check"]


class Tools:
    """A folder of tools that record their calls, and exit with the code that `fail` gave them."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.calls = folder, folder / "calls"
        self.fail("ruff", "mypy", "lint-imports", "pytest", "node", code=0)

    def fail(self, *names: str, code: int = 1) -> None:
        for name in names:
            self.write(name, f"echo {name} $* >>'{self.calls}'\nexit {code}")

    def write(self, name: str, script: str) -> None:
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.bin / name).chmod(0o755)

    def run(self, *args: str) -> tuple[int, list[str]]:
        """The exit code, and the calls: the static checks, which run at once, by name, then pytest."""
        self.calls.write_text("")
        code = main(["test", *args])
        *static, last = self.calls.read_text().splitlines()
        return code, [*sorted(static), last]


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    """Tools on a machine without node."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(all_checks, "ROOT", tmp_path)
    monkeypatch.setattr(all_checks, "BIN", tmp_path)
    monkeypatch.setattr(programs, "prepare", lambda is_slow: {programs.SCRIPTS: "no node"})
    monkeypatch.setenv("CI", "")
    monkeypatch.setenv("PYTHONPATH", "of the launcher")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)  # node is found there
    return Tools(tmp_path)


def test_all_checks_run(tools: Tools, capfd: pytest.CaptureFixture[str]) -> None:
    assert tools.run() == (0, [*STATIC, f"{PYTEST} -m not slow"])
    assert tools.run("--slow") == (0, [*STATIC, PYTEST])
    assert capfd.readouterr().out.endswith("== all passed\nSkipped: checks of the scripts (no node)\n")


@together(
    ("args", "call"),
    [
        (["tests/x.py", "-k", "name"], " -m not slow tests/x.py -k name"),
        (["--slow", "-x", "-m", "not browser"], " -x -m not browser"),
        (["--slow", "--resume"], " --resume"),
    ],
)
def test_with_arguments_pytest_runs_alone(tools: Tools, args: list[str], call: str) -> None:
    assert tools.run(*args) == (0, [PYTEST + call])


@together("args", [["test", "--help"], ["help", "test"], ["wheels"], ["release", "--fast"], ["nothing"]])
def test_help_and_wrong_arguments_run_nothing(args: list[str]) -> None:
    assert not runs_a_command(args)


@together("args", [["test"], ["test", "-x"], ["wheels", "--only", "linux-x86_64", "a folder"], ["release", "a folder"]])
def test_commands_are_read(args: list[str]) -> None:
    assert runs_a_command(args)


def test_a_failed_check_does_not_stop_the_others(tools: Tools, capfd: pytest.CaptureFixture[str]) -> None:
    tools.fail("ruff", "pytest")
    assert tools.run() == (1, [*STATIC, f"{PYTEST} -m not slow"])
    assert "\n== failed: ruff check, ruff format, pytest\n" in capfd.readouterr().out


def test_only_failed_checks_show_their_output(tools: Tools, capfd: pytest.CaptureFixture[str]) -> None:
    tools.write("mypy", "echo an error\nexit 1")
    tools.write("ruff", "echo all is well")
    tools.run()
    out = re.sub(r"\d+\.\d s", "0.1 s", capfd.readouterr().out)
    assert "mypy: failed (0.1 s)\nan error\n" in out
    assert "ruff check: passed (0.1 s)\n" in out
    assert "all is well" not in out


def test_long_checks_are_named_while_they_run(
    tools: Tools, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(all_checks, "REPORT_SECONDS", 0.1)
    tools.write("mypy", f"while [ ! -e '{tools.bin}/go' ]; do sleep 0.05; done")
    threading.Timer(0.5, (tools.bin / "go").touch).start()
    assert tools.run()[0] == 0
    assert re.search(r" s, running: .*mypy", capfd.readouterr().out)


def test_no_tests_is_a_failure(tools: Tools, capfd: pytest.CaptureFixture[str]) -> None:
    tools.fail("pytest", code=5)
    assert tools.run("-k", "nothing")[0] == 1
    assert "No tests ran. Tests marked slow need --slow." in capfd.readouterr().out


@pytest.mark.parametrize("least", [0, 1 << 80])
def test_tests_keep_their_files_in_memory_if_there_is_room(
    tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, least: int
) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    monkeypatch.setattr(all_checks, "MEMORY", memory)
    monkeypatch.setattr(all_checks, "LEAST_MEMORY", least)
    monkeypatch.delenv("TMPDIR", raising=False)
    tools.write("pytest", f"echo ${{TMPDIR-disk}}$PYTHONPATH >>'{tools.calls}'\nls -d $TMPDIR")
    code, (folder,) = tools.run("-x")
    assert code == 0
    assert folder == "disk" if least else Path(folder).parent == memory
    assert not list(memory.iterdir())
    assert "TMPDIR" not in os.environ


def test_sigterm_stops_pytest_which_says_what_has_run(
    tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(all_checks, "MEMORY", tmp_path)
    monkeypatch.setattr(all_checks, "LEAST_MEMORY", 0)
    monkeypatch.delenv("TMPDIR", raising=False)
    started = tmp_path / "started"
    tools.write("pytest", f"trap 'echo the table; exit 2' TERM\ntouch '{started}'\nwhile :; do sleep 0.05; done")

    def stop() -> None:
        wait_until(started.exists, "the start of pytest")
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=stop).start()
    assert main(["test", "-x"]) == 130
    assert capfd.readouterr().out.endswith("the table\n")
    assert not list(tmp_path.glob("pentad-tests-*"))


def test_sigterm_before_pytest_has_begun_stops_it(
    tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools.write("pytest", "while :; do sleep 0.05; done")

    def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        os.kill(os.getpid(), signal.SIGTERM)
        return Popen(*arguments, **options)

    monkeypatch.setattr(all_checks.subprocess, "Popen", start)
    with pytest.raises(KeyboardInterrupt):
        all_checks.run_pytest(["-x"], is_slow=False)


def test_ci_must_run_all_but_the_tests_with_a_database(
    tools: Tools, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", "true")
    skipped = {"PostgreSQL tests": "PostgreSQL is not installed", "browser tests": "chromium is not installed"}
    monkeypatch.setattr(programs, "prepare", lambda is_slow: skipped)
    monkeypatch.setattr(programs, "install_node_packages", lambda root: None)
    assert tools.run()[0] == 1
    assert capfd.readouterr().out.splitlines()[-3:] == [
        "== failed: CI must run the browser tests (chromium is not installed)",
        "Skipped: PostgreSQL tests (PostgreSQL is not installed)",
        "Skipped: browser tests (chromium is not installed)",
    ]
    del skipped["browser tests"]
    assert tools.run()[0] == 0


def test_scripts_are_checked_by_node(
    tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tests/js").mkdir(parents=True)
    (tmp_path / "tests/js/one.test.js").touch()
    monkeypatch.setattr(programs, "prepare", lambda is_slow: {})
    monkeypatch.setattr(programs, "install_node_packages", lambda root: None)
    code, calls = tools.run()
    assert code == 0
    modules, options = tmp_path / "node_modules", " ".join(all_checks.ESLINT_OPTIONS)
    assert [call for call in calls if call.startswith("node")] == [
        "node --test tests/js/one.test.js",
        f"node {modules}/eslint/bin/eslint.js {options} src release docs tests examples eslint.config.js",
        f"node {modules}/typescript/bin/tsc",
        f"node {modules}/typescript/bin/tsc --project tsconfig.worker.json",
    ]
    tools.fail("node")
    assert tools.run()[0] == 1
    assert "== failed: tsc, tsc worker.js, eslint, node --test\n" in capfd.readouterr().out


def test_packages_of_node_that_cannot_be_installed(
    tools: Tools, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(root: Path) -> None:
        raise ReleaseError("npm failed: no network")

    monkeypatch.setattr(programs, "prepare", lambda is_slow: {})
    monkeypatch.setattr(programs, "install_node_packages", fail)
    assert tools.run() == (0, [*STATIC, f"{PYTEST} -m not slow"])
    assert capfd.readouterr().out.endswith("Skipped: checks of the scripts (npm failed: no network)\n")

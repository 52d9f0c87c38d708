"""A run of all tests that is stopped and resumed, in small folders of tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import slow_run
from tests.cases import slow
from tests.slow_run import Record
from tests.waiting import wait_until

ROOT = Path(__file__).parent.parent
PYTEST = (sys.executable, "-m", "pytest", "-p", "tests.slow_run", "-p", "no:cacheprovider", "-q")
XDIST = ("-p", "xdist", "-n", "2", "--dist", "worksteal")
SETTINGS = "[pytest]\ntestpaths = tests top_test.py\npython_files = test_*.py *_test.py\nmarkers = slow: slow\n"
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")


class Project:
    """A small folder of tests in a repository of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.record = Record(folder / slow_run.FOLDER)
        self.write("pytest.ini", SETTINGS)
        self.write(".gitignore", ".slow-run/\n__pycache__/\ngo\nran*\n")
        self.git("init", "-q")

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, *args: str) -> str:
        command = [*GIT, *args]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout.strip()

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "tests")
        return self.git("rev-parse", "--short=10", "HEAD")

    def start(self, *args: str) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        return subprocess.Popen(
            [*PYTEST, *args],
            cwd=self.folder,
            env={name: value for name, value in environment.items() if not name.startswith("PYTEST_XDIST")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, *args: str) -> tuple[int, str]:
        running = self.start(*args)
        out, _ = running.communicate()
        return running.returncode, out

    def ran(self) -> list[str]:
        """The tests that have run since the last call, in order."""
        path = self.folder / "ran"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines


LISTED = """\
import os, time, pytest

def listed(name):
    with open("ran", "a") as file:
        file.write(name + "\\n")
"""
QUICK = f"""{LISTED}
def test_one(): listed("one")
def test_two():
    listed("two")
    assert 2 == 1, "two is wrong"
@pytest.mark.slow
def test_three(): listed("three")
def test_four(): pytest.skip("no machine")
@pytest.mark.xfail(strict=True)
def test_five():
    listed("five")
    assert False
"""
# The third test waits until the file `go` is there; each says when it begins.
WAITS = f"""{LISTED}
@pytest.mark.parametrize("number", range(6))
def test_number(number):
    listed(str(number))
    while number == 2 and not os.path.exists("go"):
        time.sleep(0.01)
"""
HEAD = ["folder", "passed", "failed", "skipped", "left"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def rows(out: str) -> list[list[str]]:
    """The rows of the table without the seconds."""
    lines = out[out.index("folder ") :].splitlines()
    end = next(number for number, line in enumerate(lines) if line.startswith("all "))
    return [line.split()[:-1] for line in lines[: end + 1]]


def test_what_has_not_passed_runs_again_at_another_commit(project: Project) -> None:
    project.write("tests/a/b/test_quick.py", QUICK)
    project.write("top_test.py", f"{LISTED}def test_six(): listed('six')\n")
    first = project.commit()
    code, out = project.run()
    assert code == 1, out
    assert project.ran() == ["one", "two", "three", "five", "six"]
    top = ["top_test.py", "1", "0", "0", "0"]
    assert rows(out) == [HEAD, ["tests/a", "3", "1", "1", "0"], top, ["all", "4", "1", "1", "0"]]
    assert f"\nResults: 6 at {first}.\nFailed at {first}: tests/a/b/test_quick.py::test_two\n" in out
    assert "two is wrong" in project.record.read()["tests/a/b/test_quick.py::test_two"].error

    mended = QUICK.replace("2 == 1", "2 == 2").replace("def test_one", "def test_first")
    project.write("tests/a/b/test_quick.py", mended)
    code, out = project.run("--resume")
    assert code == 0
    assert project.ran() == ["two", "one"], "what failed comes first"
    assert "3 of 6 tests done, 1 failed, 3 left: about 1 min.\n" in out
    assert rows(out) == [HEAD, ["tests/a", "4", "0", "1", "0"], top, ["all", "5", "0", "1", "0"]], "test_one is gone"
    assert f"\nResults: 3 at {first}, 3 at {first} changed.\n" in out

    second = project.commit()
    code, out = project.run("--resume")
    assert (code, project.ran()) == (0, []), "a test that was skipped is tried again, and skips"
    assert f"\nResults: 3 at {first}, 2 at {first} changed, 1 at {second}.\n" in out


def test_a_whole_run_begins_anew_and_nothing_else_does(project: Project) -> None:
    project.write("tests/test_quick.py", QUICK)
    project.write("top_test.py", "")
    project.commit()
    project.run("tests")
    project.run("-m", "not slow")
    assert not project.record.path.exists(), "a selection is no run of all tests"
    project.run()
    size = project.record.path.stat().st_size
    project.run("-k", "one")
    assert project.record.path.stat().st_size == size
    project.ran()
    project.run()
    assert project.ran() == ["one", "two", "three", "five"]
    assert len(project.record.seconds_before()) == 5, "the record of the run before stays"


def test_a_selection_goes_on_with_the_run_too(project: Project) -> None:
    project.write("tests/a/test_quick.py", QUICK)
    project.write("tests/b/test_other.py", QUICK)
    project.commit()
    code, out = project.run("--resume", "tests/b", "-k", "one or two")
    assert (code, project.ran()) == (1, ["one", "two"])
    assert rows(out) == [HEAD, ["tests/b", "1", "1", "0", "0"], ["all", "1", "1", "0", "0"]]
    project.run("--resume", "tests/b")
    assert project.ran() == ["two", "three", "five"]


def test_a_run_of_fast_tests_is_not_resumed(project: Project) -> None:
    project.write("tests/test_quick.py", QUICK)
    code, out = project.run("--resume", "-m", "not slow")
    assert code == 4
    assert "ERROR: --resume goes on with a run of all tests: ./pentad test --slow --resume\n" in out


@pytest.mark.parametrize("xdist", [pytest.param(XDIST, id="xdist"), slow((), id="alone")])
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", slow("SIGINT")])
def test_a_stopped_run_goes_on(project: Project, name: str, xdist: tuple[str, ...]) -> None:
    project.write("tests/test_waits.py", WAITS)
    first = project.commit()
    running = project.start(*xdist)
    record = project.record

    def are_written() -> bool:
        return record.path.exists() and len(record.read()) >= 2 and "2" in (project.folder / "ran").read_text()

    wait_until(are_written, "the first results")
    os.killpg(running.pid, signal.Signals[name])
    out, _ = running.communicate()
    results = record.read()
    done = len(results)
    assert {result.outcome for result in results.values()} == {"passed"}, "the test that was stopped has not failed"
    assert "tests/test_waits.py::test_number[2]" not in results
    if name != "SIGKILL":
        assert rows(out)[-1] == ["all", str(done), "0", "0", str(6 - done)]
        assert f" {6 - done} left: about 1 min. Go on with ./pentad test --slow --resume\n" in out

    with record.path.open("ab") as file:
        file.write(b'{"test": "tests/test_waits.py::te')  # a killed run may leave half a line
    project.write("go", "")
    project.write("tests/test_new.py", "")
    project.commit()
    project.ran()
    code, out = project.run("--resume", *xdist)
    assert code == 0
    assert sorted(project.ran()) == [
        str(number) for number in range(6) if f"tests/test_waits.py::test_number[{number}]" not in results
    ]
    assert rows(out)[-1] == ["all", "6", "0", "0", "0"]
    assert f"\nResults: {done} at {first}, {6 - done} at " in out


def test_a_worker_that_dies_fails_its_test_alone(project: Project) -> None:
    project.write(
        "tests/test_dies.py",
        f"{LISTED}def test_dies(): os._exit(1)\n" + "".join(f"def test_{n}(): pass\n" for n in range(8)),
    )
    project.commit()
    code, out = project.run(*XDIST)
    assert code == 1, out
    assert rows(out)[-1] == ["all", "8", "1", "0", "0"]


def test_a_broken_record_is_one_line(project: Project) -> None:
    project.write("tests/test_quick.py", QUICK)
    project.write(".slow-run/results.jsonl", '{"test": "a"}\n')
    code, out = project.run("--resume")
    assert code == 4
    line = "ERROR: .slow-run/results.jsonl, line 1: Expected a result. Remove the file to begin a new run."
    assert out.splitlines() == [line, ""]


def test_the_time_that_is_left() -> None:
    known = {"a/x.py::one": 2.0, "a/x.py::two": 4.0, "b/y.py::one": 10.0}
    for tests, seconds in [
        (["a/x.py::one"], 2.0),
        (["a/x.py::three"], 3.0),
        (["a/z.py::one"], 3.0),
        (["c.py::one"], 16 / 3),
        (["a/x.py::one", "b/y.py::two"], 12.0),
        ([], 0.0),
    ]:
        assert slow_run.expected_seconds(tests, known) == pytest.approx(seconds), tests
    assert slow_run.expected_seconds(["a"], {}) == 0
    assert [slow_run.duration(seconds) for seconds in (1, 90, 3599, 3600, 7290)] == [
        "1 min",
        "2 min",
        "1 h 0 min",
        "1 h 0 min",
        "2 h 2 min",
    ]

"""Pytest plugin for runs of all tests: they can be stopped and resumed.

A run without "not slow" and without a selection begins a new record, a line of JSON for each test that has ended.
`--resume` goes on with it: it runs the tests of the selection that have not passed since the run began, those that
failed first. A pass counts at whatever commit it was; the table says how many are from which.
"""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from statistics import fmean
from typing import Any

import pytest

FOLDER = ".slow-run"
COMMAND = "./pentad test --slow --resume"
INTERVAL = 60.0  # seconds between lines that say how much is left
COLUMNS = ("passed", "failed", "skipped", "left")


@dataclass(frozen=True)
class Result:
    """The result of a test at a commit."""

    test: str
    outcome: str  # passed, failed or skipped
    seconds: float
    commit: str
    error: str = ""


class Record:
    """The file of a run's results. Lines are only appended, so that a killed run loses none but its last."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "results.jsonl"
        self.before = folder / "results.before.jsonl"
        self.tests = folder / "tests.json"

    def begin(self) -> None:
        """Begins a new run. The last one's record stays, until the next run begins."""
        self.path.parent.mkdir(exist_ok=True)
        if self.path.exists():
            self.path.replace(self.before)
        self.path.touch()

    def mend(self) -> None:
        """Removes a last line that a killed run has not finished."""
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("ab+") as file:
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)

    def write(self, result: Result) -> None:
        line = json.dumps({name: value for name, value in asdict(result).items() if value != ""}, ensure_ascii=False)
        with self.path.open("ab", buffering=0) as file:
            file.write(line.encode() + b"\n")

    def write_tests(self, tests: list[str]) -> None:
        """Keeps the names of all selected tests, also of those that have passed, for the process that reports."""
        unfinished = self.tests.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(tests), encoding="utf-8")
        unfinished.replace(self.tests)

    def read(self, size: int = -1) -> dict[str, Result]:
        """The last result of each test, in the first bytes of the record."""
        return _read(self.path, size)

    def seconds_before(self) -> dict[str, float]:
        """How long each test took in the run before this one."""
        results = _read(self.before, -1) if self.before.exists() else {}
        return {test: result.seconds for test, result in results.items()}


def _read(path: Path, size: int) -> dict[str, Result]:
    with path.open("rb") as file:
        lines = file.read(size).splitlines()
    results = {}
    for number, line in enumerate(lines, 1):
        try:
            result = Result(**json.loads(line))
        except (ValueError, TypeError):
            place = f"{path.parent.name}/{path.name}, line {number}"
            raise pytest.UsageError(f"{place}: Expected a result. Remove the file to begin a new run.") from None
        results.pop(result.test, None)  # a result moves to the end
        results[result.test] = result
    return results


def commit_of(folder: Path) -> str:
    """The commit of a checkout, with the word "changed" if something is not committed."""
    try:
        answers = [
            subprocess.run(["git", *command], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()
            for command in (["rev-parse", "--short=10", "HEAD"], ["status", "--porcelain"])
        ]
    except (OSError, subprocess.CalledProcessError):
        return "no commit"
    return answers[0] + " changed" * bool(answers[1])


def folder_of(test: str) -> str:
    """The row of the table that counts a test: the first two folders of its path, or the name of a file at the top."""
    path = PurePosixPath(test.partition("::")[0])
    return "/".join(path.parent.parts[:2]) or path.name


def table(tests: Iterable[str], results: dict[str, Result]) -> list[str]:
    """A row for each folder, and one for all."""
    counts: dict[str, dict[str, float]] = defaultdict(Counter)
    for test in sorted(tests):
        result = results.get(test)
        for row in (folder_of(test), "all"):
            counts[row][result.outcome if result else "left"] += 1
            counts[row]["seconds"] += result.seconds if result else 0
    rows = [(name, counts[name]) for name in [*sorted(counts.keys() - {"all"}), "all"]]
    width = max(len(name) for name, _ in rows)
    head = "".join(f"{column:>9}" for column in (*COLUMNS, "seconds"))
    return [f"{'folder':<{width}}{head}"] + [
        f"{name:<{width}}{''.join(f'{count[column]:>9,}' for column in COLUMNS)}{count['seconds']:>9,.0f}"
        for name, count in rows
    ]


def commits(results: Iterable[Result]) -> str:
    """How many results are from which commit, in the order of the run."""
    counts = Counter(result.commit for result in results)
    return "Results: " + ", ".join(f"{count:,} at {commit}" for commit, count in counts.items()) + "."


def expected_seconds(tests: Iterable[str], known: dict[str, float]) -> float:
    """How long tests take: as long as the last time; else as the others in their file, in their folder, or in all."""
    means: dict[str, list[float]] = defaultdict(list)
    for test, seconds in known.items():
        for place in (test.partition("::")[0], folder_of(test), ""):
            means[place].append(seconds)
    averages = {place: fmean(values) for place, values in means.items()}

    def of(test: str) -> float:
        places = (test.partition("::")[0], folder_of(test), "")
        return known.get(test) or next((averages[place] for place in places if place in averages), 0.0)

    return sum(map(of, tests))


def duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{max(1, minutes)} min"


class SlowRun:
    """The run in the process that reports: the only one, or with xdist the controller."""

    def __init__(self, config: pytest.Config, record: Record, monotonic: Any = time.monotonic) -> None:
        self.config, self.record, self.monotonic = config, record, monotonic
        self.results = record.read()
        self.size = record.path.stat().st_size
        self.known = record.seconds_before() | {test: result.seconds for test, result in self.results.items()}
        self.commit = commit_of(config.rootpath)
        self.tests: set[str] = set()
        self.remaining: set[str] = set()
        self.phases: dict[str, list[pytest.TestReport]] = defaultdict(list)
        self.done_seconds = 0.0
        self.start = self.last_line = monotonic()

    def print(self, line: str = "") -> None:
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None:
            terminal.write_line(line)

    def begin(self, remaining: Iterable[str]) -> None:
        self.tests, self.remaining = set(json.loads(self.record.tests.read_bytes())), set(remaining)
        self.start = self.last_line = self.monotonic()
        self.print(self.left())

    def left(self) -> str:
        done = len(self.tests) - len(self.remaining)
        failed = sum(self.results[test].outcome == "failed" for test in self.tests & self.results.keys())
        line = f"{done:,} of {len(self.tests):,} tests done, {failed:,} failed, {len(self.remaining):,} left"
        if not self.remaining or not self.known:
            return f"{line}."
        seconds = expected_seconds(self.remaining, self.known)
        processes = len(getattr(self.config.option, "tx", None) or "1")
        if self.done_seconds:
            processes = max(0.1, self.done_seconds / max(0.1, self.monotonic() - self.start))
        return f"{line}: about {duration(seconds / processes)}."

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.begin(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["slow_run_size"] = self.size  # a worker that starts late must choose the same tests

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        if not self.tests and self.record.tests.exists():
            self.begin(ids)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        phases = self.phases[report.nodeid]
        phases.append(report)
        if report.when in ("setup", "call"):
            return
        del self.phases[report.nodeid]  # the last phase, or a worker that has crashed
        result = result_of(phases, self.commit)
        self.record.write(result)
        self.results.pop(result.test, None)
        self.results[result.test] = result
        self.known[result.test] = result.seconds
        self.remaining.discard(result.test)
        self.done_seconds += result.seconds
        if self.monotonic() - self.last_line >= INTERVAL:
            self.last_line = self.monotonic()
            self.print(f"\n{self.left()}")

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        passed = self.tests and all(test in self.results for test in self.tests)
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and passed:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.tests:
            return
        terminalreporter.section("all tests")
        results = {test: result for test, result in self.results.items() if test in self.tests}
        for line in [*table(self.tests, results), commits(results.values()), *self.remarks(results)]:
            terminalreporter.write_line(line)

    def remarks(self, results: dict[str, Result]) -> Iterator[str]:
        now = commit_of(self.config.rootpath)
        if now != self.commit:
            yield f"The checkout was at {self.commit} when this run started, and is at {now} now."
        failed = [result for result in results.values() if result.outcome == "failed"]
        yield from (f"Failed at {result.commit}: {result.test}" for result in failed)
        if failed or len(results) < len(self.tests):
            yield f"{self.left()} Go on with {COMMAND}"


def result_of(phases: list[pytest.TestReport], commit: str) -> Result:
    """The result of a test whose phases are over. What is expected to fail, and fails, has passed."""
    failed = [phase for phase in phases if phase.failed]
    skipped = [phase for phase in phases if phase.skipped and not hasattr(phase, "wasxfail")]
    return Result(
        phases[0].nodeid,
        "failed" if failed else "skipped" if skipped else "passed",
        round(sum(phase.duration for phase in phases), 3),
        commit,
        "\n".join(phase.longreprtext for phase in failed),
    )


class Selection:
    """Leaves out the tests that have passed, in each process that collects."""

    def __init__(self, record: Record, results: dict[str, Result], writes: bool) -> None:
        self.record, self.results, self.writes = record, results, writes

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        outcomes = {test: result.outcome for test, result in self.results.items()}
        if self.writes:
            self.record.write_tests([item.nodeid for item in items])
        config.hook.pytest_deselected(items=[item for item in items if outcomes.get(item.nodeid) == "passed"])
        items[:] = [item for item in items if outcomes.get(item.nodeid) != "passed"]
        items.sort(key=lambda item: outcomes.get(item.nodeid) != "failed")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Gives tests of busy workers to idle ones, also if one has just died: xdist would end the whole run."""
    if config.getvalue("dist") != "worksteal":
        return None
    from xdist.scheduler import WorkStealingScheduling

    class Scheduling(WorkStealingScheduling):
        def check_schedule(self) -> None:
            with contextlib.suppress(OSError):  # its tests are given to others as soon as its end is known
                super().check_schedule()

    return Scheduling(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--resume", action="store_true", help=f"go on with the last run of all tests: {COMMAND}")


def _stop(number: int, _: object) -> None:
    signal.signal(number, signal.SIG_IGN)  # a group's members may pass it on to each other
    raise KeyboardInterrupt


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    option = config.option
    record = Record(config.rootpath / FOLDER)
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        if "slow_run_size" in worker:
            # SIGTERM stops the controller, which ends its workers. Without a handler they would crash first.
            signal.signal(signal.SIGTERM, lambda *_: None)
            results = record.read(worker["slow_run_size"])
            config.pluginmanager.register(Selection(record, results, worker["workerid"] == "gw0"))
        return
    if option.resume and "not slow" in option.markexpr:
        raise pytest.UsageError(f"--resume goes on with a run of all tests: {COMMAND}")
    is_selection = config.args_source is not pytest.Config.ArgsSource.TESTPATHS or option.markexpr or option.keyword
    if option.resume:
        record.mend()
    elif is_selection or option.collectonly:
        return
    else:
        record.begin()
    record.tests.unlink(missing_ok=True)
    signal.signal(signal.SIGTERM, _stop)
    run = SlowRun(config, record)
    config.pluginmanager.register(run, "slow-run")
    config.pluginmanager.register(Selection(record, run.results.copy(), True))

"""The test run: its order, its examples, and its progress.

Failures are printed as they happen, and a long silence is explained.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

import pentad
from pentad.game import GameError
from pentad.kernels import cache
from pentad.web.instant import engines

ROOT = Path(__file__).parent.parent
OtherCompiler = Callable[[str], Callable[[], None]]

SILENCE = 15.0  # seconds until a line names the running tests

# Tests start hundreds of Python processes. Without bytecode each of them would compile the whole package.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A run in the background of a shell ignores Ctrl-C, and so would the programs that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Property tests have no time limit and no folder of examples. A fast run tries one example in seven, the same ones for
# the same sources; other runs look for new ones, and print how to reproduce what fails.
hypothesis.settings.register_profile("fast", deadline=None, database=None, max_examples=15, derandomize=True)
hypothesis.settings.register_profile(
    "slow", deadline=None, database=None, max_examples=100, derandomize=False, print_blob=True
)
hypothesis.settings.register_profile(
    "nightly", deadline=None, database=None, max_examples=1000, derandomize=False, print_blob=True
)


def wrong_package(package: str | None) -> str:
    """Says that the package that Python imports is not this checkout's, or nothing."""
    here = ROOT / "src" / "pentad" / "__init__.py"
    if package and Path(package).resolve() == here.resolve():
        return ""
    return f"Python imports pentad from {package}, not from {here}. Run ./pentad test in this folder."


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuses to test another checkout's package, before any test.

    Compiles all kernels before a whole run, so that its processes do not compile the same at the same time.
    """
    if message := wrong_package(pentad.__file__):
        pytest.exit(message, 1)
    config = session.config
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.collectonly
    if not whole or hasattr(config, "workerinput"):
        return
    if modules := [name for name in cache.compiled_lines() if not cache.are_compiled(name)]:
        print("Compiling kernels, which the next runs need not …", flush=True)
        cache.ensure_compiled(*modules, report=lambda share: None)
    if shutil.which("chromium-headless-shell") or shutil.which("chromium"):
        with contextlib.suppress(GameError):  # the site's tests say what is missing
            engines.folder()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks slow cases, and sorts: browser tests come first, because they share a browser as long as it stays open."""
    cases: Counter[str] = Counter()
    for item in items:
        if marker := item.get_closest_marker("fast_cases"):
            name = item.nodeid.partition("[")[0]
            if item.get_closest_marker("slow") is None:
                cases[name] += 1
            if cases[name] > marker.args[0]:
                item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """The garbage collector does not look at what collection made, neither while it grows nor in any test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@contextlib.contextmanager
def _other_compiler(module: str, place: Path) -> Iterator[Callable[[], None]]:
    ready = cache.ensure_compiled(module)
    assert ready is not None
    copied = place / ready.name
    copied.mkdir(parents=True)
    mark = cache.marker(copied, module)
    for file in ready.glob(f"{module}.*"):
        if file.is_file() and file.name != mark.name:
            shutil.copy(file, copied)
    with cache.Lock(copied / f"{module}.lock", "The kernels are being compiled.") as lock:

        def finish() -> None:
            mark.write_text("1\n", encoding="utf-8")
            lock.release()

        yield finish


@pytest.fixture
def other_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OtherCompiler]:
    """Another process seems to compile the kernels of a module, until the test calls the function that this returns.

    Processes that the test starts wait for them. They load them as soon as they are there.
    """
    with contextlib.ExitStack() as stack:

        def begin(module: str) -> Callable[[], None]:
            finish = stack.enter_context(_other_compiler(module, tmp_path / "cache"))
            monkeypatch.setenv(cache.CACHE, str(tmp_path / "cache"))
            return finish

        yield begin


class LiveProgress:
    """Prints each failure when it is reported, and the running tests when nothing has been printed for some time."""

    def __init__(self, config: pytest.Config, terminal: pytest.TerminalReporter) -> None:
        self.config, self.terminal = config, terminal
        self.running: dict[str, float] = {}
        self.last_sign = self.start = time.monotonic()
        self.done = 0
        self.ended = threading.Event()
        self.lock = threading.Lock()
        threading.Thread(target=self.break_silences, daemon=True).start()

    def break_silences(self) -> None:
        while not self.ended.wait(1.0):
            with self.lock:
                if time.monotonic() - self.last_sign >= SILENCE:
                    self.print_running()

    def print_running(self) -> None:
        self.last_sign = now = time.monotonic()
        names = [f"{name.rpartition('/')[2]} ({now - start:.0f} s)" for name, start in self.running.items()]
        self.terminal.write_line(
            f"\n{now - self.start:.0f} s, {self.done} tests done; running: {', '.join(names) or 'collection'}"
        )

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        with self.lock:
            self.running[nodeid] = time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        with self.lock:
            self.running.pop(nodeid, None)
            self.done += 1

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        with self.lock:
            self.last_sign = time.monotonic()
            self.print_failure(report, report.when or "")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.print_failure(report, "collection")

    def print_failure(self, report: pytest.TestReport | pytest.CollectReport, stage: str) -> None:
        if report.failed:
            self.terminal.write_line("")
            self.terminal.write_sep("_", f"FAILED {report.nodeid} ({stage})", red=True)
            for title, text in [("", report.longreprtext), *report.sections]:
                self.terminal.write_line(f"{title}\n{text}".strip())

    def pytest_sessionfinish(self) -> None:
        self.ended.set()
        self.config.option.tbstyle = "no"  # they have been printed; the short summary still lists them


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile", None):
        hypothesis.settings.load_profile("fast" if "not slow" in config.getoption("markexpr") else "slow")
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(LiveProgress(config, terminal), "live-progress")

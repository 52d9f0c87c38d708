"""Runs of mutants: a process collects the tests of some modules once, and a copy of it runs them for each mutant.

The copy exchanges the code of the mutated function and runs the tests that execute the changed lines, file by file and
the fastest first, until one fails. What a module executes when it is imported (constants, tables) is changed in a copy
of the checkout instead, and another process runs all tests of the module there. Nothing in the checkout changes.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import TypedDict

import coverage
import pytest

from release.mutations import Mutation

ROOT = Path(__file__).resolve().parent.parent
MAX_TEST_SECONDS = 1.0  # longer tests are left out
SECONDS, TIMES = 5.0, 10.0  # a mutant may use these seconds, and so many times those of its tests
MAX_CLOCK_SECONDS = 200.0  # a busy machine needs so many by the clock for each second of a mutant
MAX_MORE_BYTES = 4 << 30  # a mutant may use so much more than the process that collects the tests
POLL_SECONDS = 0.05
KILLED, TIMEOUT, SURVIVED, UNTESTED = "killed", "timeout", "survived", "untested"
# Fast tests, and of a module its doctests alone: a function `test` or a class `Tested` is none.
CHOSEN = ("-m", "not slow", "-o", "python_functions=test_*", "-o", "python_classes=Test[A-Z]*")
OPTIONS = (*CHOSEN, "--capture=sys", "-p", "no:terminal", "-p", "no:xdist")
_Cached = type(functools.lru_cache(lambda: None))


class Test(TypedDict):
    """What a test executes."""

    seconds: float
    lines: dict[str, list[int]]  # by the path of the module


class CoverageMap(TypedDict):
    """The tests of a group of modules."""

    modules: dict[str, str]  # a hash of each module
    files: dict[str, str]  # a hash of each file with tests
    imported: dict[str, list[int]]  # lines that run when the modules and the tests are imported
    tests: dict[str, Test]


@dataclass(frozen=True)
class Mutant:
    """A mutation of a module."""

    module: str  # its path in the checkout
    mutation: Mutation


@dataclass(frozen=True)
class Verdict:
    """What the tests said of a mutant."""

    mutant: Mutant
    status: str
    by: str = ""  # the test that failed


Report = Callable[[Verdict], None]


@dataclass
class Run:
    """The tests of some modules, and the mutants to try."""

    tests: Mapping[str, Sequence[str]]  # by module: files, below the checkout, in the order in which they run
    mutants: Sequence[Mutant]
    killers: Mapping[Mutant, str]  # the test that killed a mutant the last time; it is tried first
    map_file: Path
    copies: Path  # folder for copies of the checkout
    workers: int
    report: Report
    session: pytest.Session | None = field(default=None, repr=False)

    def __call__(self) -> None:
        """Collects the tests, and runs them for each mutant."""
        os.chdir(ROOT)
        modules, files = list(self.tests), collected(self.tests)
        hashes = {each: digest([each]) for each in (*modules, *files)}
        empty: CoverageMap = {
            "modules": {each: hashes[each] for each in modules},
            "files": {},
            "imported": {each: [] for each in modules},
            "tests": {},
        }
        known: CoverageMap = json.loads(self.map_file.read_text(encoding="utf-8")) if self.map_file.exists() else empty
        if known["modules"] != empty["modules"]:
            known = empty
        stale = {each for each in files if known["files"].get(each) != hashes[each]}
        known["files"] |= {each: hashes[each] for each in stale}
        known["tests"] = {name: test for name, test in known["tests"].items() if file_of(name) not in stale}
        tracer = None
        if stale:
            tracer = coverage.Coverage(
                data_file=None, include=[str(ROOT / each) for each in modules], config_file=False
            )
            tracer.start()
        plugin = _Loop(self, known, stale, tracer)
        code = pytest.main([*OPTIONS, *files], plugins=[plugin])
        if not plugin.ended:
            raise SystemExit(f"pytest ended with code {int(code)} before the first mutant.")


class _Loop:
    """A plugin whose loop runs mutants, instead of each test once."""

    def __init__(self, run: Run, known: CoverageMap, stale: set[str], tracer: coverage.Coverage | None) -> None:
        self.run, self.known, self.stale, self.tracer = run, known, stale, tracer
        self.ended = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            return False
        if (tracer := self.tracer) is not None:
            items = [each for each in session.items if file_of(each.nodeid) in self.stale]
            _Child(lambda: _write_map(self.run.map_file, self.known, tracer, session, items)).wait()
            tracer.stop()
            self.known = json.loads(self.run.map_file.read_text(encoding="utf-8"))
        gc.unfreeze()
        mutants = _Mutants(self.run, self.known, session)
        gc.freeze()  # a collection would write to every page that the copies share
        mutants.run_all()
        self.ended = True
        return True


def collected(tests: Mapping[str, Sequence[str]]) -> list[str]:
    """The files of some modules' tests, in the order of their collection: the modules, with their doctests, come last.

    Of a module that comes first, pytest makes a second one besides that which its package imports.
    """
    return sorted({each for files in tests.values() for each in files}, key=lambda path: (path in tests, path))


def file_of(test: str) -> str:
    """The file of a test.

    >>> file_of("tests/play/test_clock.py::test_a_flag[blitz]")
    'tests/play/test_clock.py'
    """
    return test.partition("::")[0]


def digest(paths: Iterable[str]) -> str:
    """A hash of some files of the checkout."""
    found = hashlib.sha256()
    for path in paths:
        found.update(f"{path}\0".encode())
        found.update((ROOT / path).read_bytes())
    return found.hexdigest()[:16]


# ── what each test executes ──────────────────────────────────────────────────────────────────────


def _write_map(
    path: Path, known: CoverageMap, tracer: coverage.Coverage, session: pytest.Session, items: Sequence[pytest.Item]
) -> str:
    """Runs tests, with the caches of functions cleared before each, and writes what they execute."""
    caches = [each for each in gc.get_objects() if isinstance(each, _Cached)]
    seconds: dict[str, float] = {}
    failed: set[str] = set()
    for item, following in zip(items, [*items[1:], None], strict=True):
        for cached in caches:
            with contextlib.suppress(AttributeError):
                if cached.__module__.startswith("pentad"):
                    cached.cache_clear()
        tracer.switch_context(item.nodeid)
        before, failures = _used(), session.testsfailed
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        seconds[item.nodeid] = _used() - before
        if session.testsfailed > failures:
            failed.add(item.nodeid)
    tracer.stop()
    tests = known["tests"]
    tests |= {name: {"seconds": round(value, 3), "lines": {}} for name, value in seconds.items() if name not in failed}
    data = tracer.get_data()
    for module in known["modules"]:
        for line, contexts in data.contexts_by_lineno(str(ROOT / module)).items():
            for context in contexts:
                if not context:
                    known["imported"][module].append(line)
                elif context in tests:
                    tests[context]["lines"].setdefault(module, []).append(line)
    for name in sorted(failed):
        print(f"left out, since it fails: {name}", file=sys.__stderr__, flush=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(known), encoding="utf-8")
    return ""


def _used() -> float:
    """Seconds of the processor for this process and those that it started."""
    return sum(os.times()[:4])


# ── mutants ──────────────────────────────────────────────────────────────────────────────────────


class _Child:
    """A copy of this process that calls a function; its result is text, and comes through a pipe."""

    def __init__(self, function: Callable[[], str], seconds: float = 0.0) -> None:
        self.begin, self.seconds = time.monotonic(), seconds
        self.source, target = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(target)
            return
        try:
            os.setpgid(0, 0)
            if seconds:
                _limit(seconds)
                _silence()
            os.write(target, function().encode())
        except BaseException as error:
            if not seconds:
                print(f"{type(error).__name__}: {error}", file=sys.__stderr__, flush=True)
            os._exit(1)
        os._exit(0)

    def poll(self) -> tuple[bool, str] | None:
        """Whether it ended by itself, with its text; None while it runs."""
        pid, _ = os.waitpid(self.pid, os.WNOHANG)
        if pid:
            return self._end()
        if self.seconds and time.monotonic() - self.begin > MAX_CLOCK_SECONDS * self.seconds:
            self.stop()
            return False, ""
        return None

    def stop(self) -> None:
        """Ends it and what it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self._end()

    def wait(self) -> str:
        os.waitpid(self.pid, 0)
        ended, text = self._end()
        if not ended and self.seconds:
            raise ChildProcessError("The process has ended early.")
        return text

    def _end(self) -> tuple[bool, str]:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)  # what its tests started
        with os.fdopen(self.source, "rb") as source:
            text = source.read().decode()
        return bool(text), text


def _limit(seconds: float) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MAX_MORE_BYTES, size + MAX_MORE_BYTES))


def _silence() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for each in (0, 1, 2):
        os.dup2(nothing, each)


class _Mutants:
    """The mutants of a run, some at once."""

    def __init__(self, run: Run, known: CoverageMap, session: pytest.Session) -> None:
        self.run, self.known, self.session = run, known, session
        self.items = {item.nodeid: item for item in session.items}
        self.sources = {each.module: (ROOT / each.module).read_text(encoding="utf-8") for each in run.mutants}
        self.functions = _functions({str(ROOT / each) for each in self.sources})

    def run_all(self) -> None:
        waiting = list(reversed(self.run.mutants))
        running: dict[int, tuple[_Child, Mutant]] = {}  # by the number of the worker
        try:
            self._run(waiting, running)
        finally:
            for child, _ in running.values():
                child.stop()

    def _run(self, waiting: list[Mutant], running: dict[int, tuple[_Child, Mutant]]) -> None:
        while waiting or running:
            for worker in range(self.run.workers):
                if worker not in running and waiting:
                    mutant = waiting.pop()
                    if child := self._start(mutant, worker):
                        running[worker] = child, mutant
                    else:
                        self.run.report(Verdict(mutant, UNTESTED))
            for worker, (child, mutant) in list(running.items()):
                if (result := child.poll()) is not None:
                    del running[worker]
                    self.run.report(_verdict(mutant, *result))
            time.sleep(POLL_SECONDS)

    def _start(self, mutant: Mutant, worker: int) -> _Child | None:
        tests, lines = self._tests_of(mutant)
        if not tests:
            return None
        seconds = SECONDS + TIMES * sum(self.known["tests"][each]["seconds"] for each in tests)
        if (exchange := self._exchange(mutant, lines)) is not None:
            function, code = exchange

            def run_here() -> str:
                for each in function:
                    each.__code__ = code
                return self._first_failure(tests)

            return _Child(run_here, seconds)
        return _Child(lambda: self._in_copy(mutant, tests, worker), seconds)

    def _tests_of(self, mutant: Mutant) -> tuple[list[str], set[int]]:
        """The tests that execute a mutation, in the order in which they run; and its lines."""
        lines = set(range(mutant.mutation.first, mutant.mutation.last + 1))
        files = self.run.tests[mutant.module]
        imported = lines & set(self.known["imported"].get(mutant.module, ()))
        found = [
            name
            for name, test in self.known["tests"].items()
            if name in self.items
            and file_of(name) in files
            and test["seconds"] <= MAX_TEST_SECONDS
            and (imported or lines & set(test["lines"].get(mutant.module, ())))
        ]
        killer = self.run.killers.get(mutant)

        def place(name: str) -> tuple[bool, int, float]:
            return name != killer, files.index(file_of(name)), self.known["tests"][name]["seconds"]

        return sorted(found, key=place), imported

    def _exchange(self, mutant: Mutant, imported: set[int]) -> tuple[list[FunctionType], CodeType] | None:
        """The functions whose code changes, and the code; None where a module must be imported again."""
        if imported or mutant.mutation.function is None:
            return None
        key = str(ROOT / mutant.module), *mutant.mutation.function
        functions = self.functions.get(key, [])
        changed = compile(mutant.mutation.apply(self.sources[mutant.module]), key[0], "exec", dont_inherit=True)
        codes = [each for each in _codes(changed) if (each.co_qualname, each.co_firstlineno) == key[1:]]
        if (
            not functions
            or len(codes) != 1
            or any(each.__code__.co_freevars != codes[0].co_freevars for each in functions)
        ):
            return None
        return functions, codes[0]

    def _first_failure(self, tests: Sequence[str]) -> str:
        """Runs tests until one fails, and returns its name; "-" where all pass."""
        items = [self.items[each] for each in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.testsfailed:
                return item.nodeid
        return "-"

    def _in_copy(self, mutant: Mutant, tests: Sequence[str], worker: int) -> str:
        """Like `_first_failure`, in a changed copy of the checkout and with another process."""
        copy = _copy(self.run.copies / str(worker))
        module = copy / mutant.module
        module.write_text(mutant.mutation.apply(self.sources[mutant.module]), encoding="utf-8")
        stamp = time.time_ns()
        os.utime(
            module, ns=(stamp, stamp - stamp % 10**9 - hash(mutant) % 10**6 * 10**9)
        )  # no bytecode is of that time
        environment = os.environ | {"PYTHONPATH": str(copy / "src"), "NUMBA_DISABLE_JIT": "1"}
        if module.name != "board.py":  # the kernels' hash contains it, and nobody wants to wait for a compiler
            del environment["NUMBA_DISABLE_JIT"]
        allowed, files = set(tests), set(self.run.tests[mutant.module])
        left_out = [f"--deselect={name}" for name in self.items if file_of(name) in files and name not in allowed]
        try:
            for chosen in (*([tests[0]],) * (mutant in self.run.killers), self.run.tests[mutant.module]):
                command = [sys.executable, "-m", "pytest", "-q", "-x", *CHOSEN, *left_out, *chosen]
                done = subprocess.run(
                    command, cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
                )
                if done.returncode:
                    lines = done.stdout.decode(errors="replace").splitlines()
                    failed = [each.partition(" ")[2] for each in lines if each.startswith(("FAILED ", "ERROR "))]
                    failed = [each.partition(" - ")[0] for each in failed]
                    return next((each for each in failed if each in self.items), "import")
        finally:
            module.write_text(self.sources[mutant.module], encoding="utf-8")
        return "-"


def _verdict(mutant: Mutant, ended: bool, text: str) -> Verdict:
    if not ended:
        return Verdict(mutant, TIMEOUT)
    return Verdict(mutant, SURVIVED) if text == "-" else Verdict(mutant, KILLED, text)


def _functions(files: set[str]) -> dict[tuple[str, str, int], list[FunctionType]]:
    """The functions of some files, by the place of their code."""
    found: dict[tuple[str, str, int], list[FunctionType]] = {}
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__code__.co_filename in files:
            code = each.__code__
            found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(each)
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _copy(place: Path) -> Path:
    """A copy of the checkout's files, without those that git ignores."""
    if not place.exists():
        listed = subprocess.run(
            ["git", "ls-files", "-zco", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE, check=True
        )
        for name in filter(None, listed.stdout.decode().split("\0")):
            if (ROOT / name).is_file():
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, place / name)
    return place

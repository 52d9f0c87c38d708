"""All checks of the project, as `./pentad test` runs them: the static ones at once, then pytest."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent import futures
from pathlib import Path

from release import programs
from release.tools import ReleaseError

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
STATIC_CHECKS = {
    "ruff check": ["ruff", "check"],
    "ruff format": ["ruff", "format", "--check"],
    "mypy": ["mypy"],
    "import-linter": ["lint-imports"],
}
ESLINT_OPTIONS = ("--max-warnings=0", "--cache", "--cache-location=node_modules/.cache/")
SCRIPTS = ("src", "release", "docs", "tests", "examples", "eslint.config.js")
# The checks of the scripts, which node runs from `node_modules`.
SCRIPT_CHECKS = {
    "tsc": ["typescript/bin/tsc"],
    "tsc worker.js": ["typescript/bin/tsc", "--project", "tsconfig.worker.json"],
    "eslint": ["eslint/bin/eslint.js", *ESLINT_OPTIONS, *SCRIPTS],
}
REPORT_SECONDS = 15.0  # running checks are named at such intervals
EXIT_NO_TESTS = 5  # pytest exits with it if it finds no tests
# Where temporary files of tests are kept, if there is so much space; a run needs a tenth of it.
MEMORY, LEAST_MEMORY = Path("/dev/shm"), 4 << 30


def run(pytest_arguments: Sequence[str], is_slow: bool) -> int:
    """Runs every check, or with arguments pytest alone; a failure does not stop the others. Returns the exit code."""
    os.chdir(ROOT)
    os.environ.pop("PYTHONPATH", None)  # the launcher sets it for itself
    failed: list[str] = []
    skipped: dict[str, str] = {}
    if not pytest_arguments:
        skipped = programs.prepare(is_slow)
        checks = {name: [str(BIN / tool), *words] for name, (tool, *words) in STATIC_CHECKS.items()}
        failed += run_at_once(checks | script_checks(skipped))
    if run_pytest(pytest_arguments, is_slow):
        failed.append("pytest")
    if os.environ.get("CI"):
        failed += [f"CI must run the {line(name, skipped)}" for name in programs.MUST_RUN if name in skipped]
    print("\n== " + (f"failed: {', '.join(failed)}" if failed else "all passed"), flush=True)
    for name in skipped:
        print(f"Skipped: {line(name, skipped)}", flush=True)
    return 1 if failed else 0


def line(name: str, skipped: Mapping[str, str]) -> str:
    """Skipped tests with the reason."""
    return f"{name} ({skipped[name]})"


def script_checks(skipped: dict[str, str]) -> dict[str, list[str]]:
    """The checks of the scripts; none without node or their packages, which `skipped` says afterwards."""
    if programs.SCRIPTS in skipped:
        return {}
    try:
        programs.install_node_packages(ROOT)
    except ReleaseError as error:
        skipped[programs.SCRIPTS] = str(error)
        return {}
    modules = ROOT / "node_modules"
    checks = {name: ["node", str(modules / tool), *words] for name, (tool, *words) in SCRIPT_CHECKS.items()}
    tests = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("tests/js/*.test.js"))
    return checks | {"node --test": ["node", "--test", *tests]}


def run_at_once(checks: Mapping[str, Sequence[str]]) -> list[str]:
    """Runs checks, with a line for each that ends, and its output if it failed. Returns the names of those."""
    print("\n== static checks", flush=True)
    start = time.monotonic()
    failed: set[str] = set()
    with futures.ThreadPoolExecutor(len(checks)) as pool:
        running = {pool.submit(_output, command): name for name, command in checks.items()}
        while running:
            ended, _ = futures.wait(running, REPORT_SECONDS, futures.FIRST_COMPLETED)
            seconds = time.monotonic() - start
            if not ended:
                print(f"{seconds:.0f} s, running: {', '.join(running.values())}", flush=True)
            for each in ended:
                name, (code, output) = running.pop(each), each.result()
                print(f"{name}: {'failed' if code else 'passed'} ({seconds:.1f} s)", flush=True)
                if code:
                    failed.add(name)
                    print(output, flush=True)
    return [name for name in checks if name in failed]


def _output(command: Sequence[str]) -> tuple[int, str]:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


def run_pytest(arguments: Sequence[str], is_slow: bool) -> int:
    """Runs pytest with one process more than there are processors, since tests of the server and the pages often wait.

    Ctrl-C and SIGTERM are left to pytest, which prints what has run; then this function raises KeyboardInterrupt.
    """
    chosen = () if is_slow else ("-m", "not slow")
    workers = ("-n", str((os.cpu_count() or 1) + 1), "--dist", "worksteal")
    print("\n== pytest", flush=True)
    stopped: list[int] = []
    child: subprocess.Popen[bytes] | None = None

    def stop(number: int, *_: object) -> None:
        stopped.append(number)
        if child and number == signal.SIGTERM:  # a terminal sends Ctrl-C to pytest, too
            child.terminate()

    with folder_in_memory():
        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            child = subprocess.Popen([str(BIN / "pytest"), *workers, *chosen, *arguments])
            if signal.SIGTERM in stopped:  # it came before there was a process to stop
                child.terminate()
            code = child.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    if stopped:
        raise KeyboardInterrupt
    if code == EXIT_NO_TESTS and chosen:
        print("No tests ran. Tests marked slow need --slow.")
    return code


@contextlib.contextmanager
def folder_in_memory() -> Iterator[None]:
    """Keeps temporary files in memory: tests write thousands, and would wait until each is safe on the disk."""
    about = os.statvfs(MEMORY) if MEMORY.is_dir() and "TMPDIR" not in os.environ else None
    if not about or about.f_bavail * about.f_frsize < LEAST_MEMORY or about.f_flag & os.ST_NOEXEC:
        yield
        return
    folder = Path(tempfile.mkdtemp(prefix="pentad-tests-", dir=MEMORY))
    folder.chmod(0o711)  # PostgreSQL, which is not started as root, finds its own folder there
    os.environ["TMPDIR"] = str(folder)
    try:
        yield
    finally:
        del os.environ["TMPDIR"]
        shutil.rmtree(folder, ignore_errors=True)

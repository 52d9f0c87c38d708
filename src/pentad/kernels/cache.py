"""The cache of compiled kernels: its folder, compilation in a child process, and progress reports.

The folder's name contains a hash of every kernel's source: kernels use functions of other modules. The first
compilation on a machine takes a while: it runs in a child process, and a progress bar on the terminal or registered
listeners report it.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pentad.kernels import prebuilt
from pentad.kernels.backends import KERNEL_SOURCES, PACKAGE, is_compiling, sources_hash, warn
from pentad.system.files import Busy, Lock, user_folder
from pentad.system.progress import Bar
from pentad.system.words import phrase

if TYPE_CHECKING:
    import subprocess

CACHE = "PENTAD_CACHE"  # the environment variable that names another folder for compiled kernels
KEEP_DAYS = 30  # days for which compiled kernels of another version are kept
COMPILED = "compiled"
COMPILATION = "pentad.kernels.compiler_process"  # the child process's module
POLL_SECONDS = 0.1  # between two checks of what another process compiles
CHANGED = 3  # the child's exit code if the sources differ from those that it was to compile
DEFAULT_WORK = 500  # lines to compile for a module that `compiled_lines.json` does not list
TEMPORARY, OWNER = "pentad-kernels-", "owner.lock"  # prefix of the folders for one run, and their owner's lock
YOUNG = 60.0  # seconds for which such a folder may have no owner yet


def file_stem(module: str) -> str:
    """The beginning of the names of a module's files; that of a plug-in's has a hash of its folder's sources."""
    if module.startswith("pentad."):
        return module
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return module
    digest = hashlib.sha256()
    for source in sorted({each for pattern in KERNEL_SOURCES for each in Path(spec.origin).parent.glob(pattern)}):
        digest.update(source.read_bytes())
    return f"{module}-{digest.hexdigest()[:16]}"


def _place() -> Path:
    if chosen := os.environ.get(CACHE):
        return Path(chosen).expanduser().absolute()
    return user_folder("cache")


def folder_name() -> str:
    """The name of the cache folder, with a hash of every source: installations of one version share their kernels."""
    return f"kernels-{sources_hash()}"


@lru_cache(maxsize=1)
def folder() -> Path | None:
    """The folder for compiled kernels: in the user's cache, else in a folder for this run; None where both fail."""
    place = _place() / folder_name()
    error = _write_error(place)
    if error is None:
        return place
    spare = _temporary()
    result = "They are compiled for this run only." if spare else "Each process compiles them again."
    warn(
        phrase(
            "Cannot keep compiled kernels in {parent}: {error}. {result} Set {cache} to another folder.",
            parent=place.parent,
            error=error,
            result=result,
            cache=CACHE,
        )
    )
    return spare


def _write_error(place: Path) -> str | None:
    """Returns the error of writing into a folder, or None."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        trial = place / f".trial-{os.getpid()}"
        trial.touch()
        trial.unlink()
    except OSError as error:
        return error.strerror or str(error)
    return None


def _temporary() -> Path | None:
    """A folder that this process removes when it ends; the processes that it starts use it too."""
    import tempfile

    try:
        _clear_abandoned(Path(tempfile.gettempdir()))
        root = Path(tempfile.mkdtemp(prefix=TEMPORARY))
    except OSError:
        return None
    owner, owned = os.getpid(), Lock(root / OWNER, "The folder has an owner.")

    def remove() -> None:
        if os.getpid() == owner:  # not in a copy of this process
            owned.release()
            shutil.rmtree(root, ignore_errors=True)

    atexit.register(remove)
    os.environ[CACHE] = str(root)
    place = root / folder_name()
    return place if _write_error(place) is None else None


def _clear_abandoned(parent: Path) -> None:
    """Removes temporary folders of processes that were killed."""
    for root in parent.glob(f"{TEMPORARY}*"):
        with contextlib.suppress(OSError, Busy):
            if time.time() - root.stat().st_mtime > YOUNG:
                with Lock(root / OWNER, "The folder has an owner."):
                    shutil.rmtree(root, ignore_errors=True)


# ── compilation before use ───────────────────────────────────────────────────────────────────────

Listener = Callable[[str, float | None], None]  # the game, and the share done once it is known; "" at the end
ProgressCallback = Callable[[float], None]  # called with the share that is done

_listeners: list[Listener] = []


@contextlib.contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Within the block, reports compilation and its progress to a listener instead of the terminal."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def game_of(name: str) -> str:
    """The game that a kernel module belongs to.

    >>> game_of("pentad.games.pente.engine.search_kernels")
    'pente'
    """
    return name.removeprefix("pentad.").removeprefix("games.").split(".")[0]


def ensure_compiled(*names: str, report: ProgressCallback | None = None) -> Path | None:
    """Compiles the kernels of some modules; returns their folder, with native code too, or None without a cache.

    Progress goes to `report`, else to the listeners or the terminal.
    """
    if not (missing := _missing(names)):
        return folder() if _own(names) else None
    if report is not None:
        return _compile_all(missing, report)
    with _reporter(missing[0]) as reporter:
        return _compile_all(missing, reporter)


def are_compiled(*names: str) -> bool:
    """Whether the kernels of these modules need no compilation: bundled, compiled already, or run as plain Python."""
    return not _missing(names)


def _own(names: Sequence[str]) -> list[str]:
    """The modules whose kernels this machine compiles: not those of the installation, and none without a compiler."""
    return [name for name in dict.fromkeys(names) if not prebuilt.has(name)] if is_compiling() else []


def _missing(names: Sequence[str]) -> list[str]:
    """The modules whose kernels must be compiled first."""
    own = _own(names)
    place = folder() if own else None
    return [name for name in own if place is None or not marker(place, name).exists()]


@contextlib.contextmanager
def _reporter(name: str) -> Iterator[ProgressCallback]:
    """A progress callback that calls the listeners; without any, it draws a progress bar on the terminal."""
    game = game_of(name)
    if not _listeners:
        with Bar(
            phrase("Preparing the {game} engine, only once on this machine", game=game.capitalize()), after=0.0
        ) as bar:
            yield lambda share: bar.update(share, 1.0)
        return
    _notify(game, None)
    try:
        yield partial(_notify, game)
    finally:
        _notify("", None)


def _notify(game: str, share: float | None) -> None:
    for listener in _listeners:
        listener(game, share)


def _compile_all(names: Sequence[str], report: ProgressCallback) -> Path | None:
    """Compiles the kernels of some modules, several at once, as far as possible; returns their folder."""
    if folder() is None:
        return None
    total, shares, furthest = sum(map(work_of, names)), dict.fromkeys(names, 0.0), 0.0
    children, reporting = Children(), threading.Lock()

    def report_share(name: str, share: float) -> None:
        nonlocal furthest
        with reporting:
            children.check()  # nothing is reported after the end
            shares[name] = share
            done = sum(shares[each] * work_of(each) for each in names)
            furthest = max(furthest, round(done / total, 3))  # a share never goes back
            report(furthest)

    waiting, errors = iter(names), list[BaseException]()  # each thread takes the next name

    def compile_waiting() -> None:
        try:
            for name in waiting:
                _compile_one(name, partial(report_share, name), children)
                report_share(name, 1.0)
        except BaseException as error:
            errors.append(error)
            children.kill()

    # The program may end while they run: it waits for no daemon thread, and their child processes end with it.
    threads = [threading.Thread(target=compile_waiting, daemon=True) for _ in names[: os.cpu_count()]]
    try:
        for each in threads:
            each.start()
        for each in threads:
            while each.is_alive():
                each.join(POLL_SECONDS)  # without a timeout, Windows would ignore Ctrl-C
    except BaseException:
        children.kill()
        raise
    if errors:
        raise errors[0]
    return folder()


class Children:
    """The child processes of a compilation, which end together."""

    def __init__(self) -> None:
        self._running: list[subprocess.Popen[str]] = []
        self._guard, self._is_over = threading.Lock(), False

    def start(self, command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[str]:
        """Starts a child process, whose input stays open as long as this process lives."""
        import subprocess  # it is slow to import

        with self._guard:
            self.check()
            pipe = subprocess.PIPE
            child = subprocess.Popen(command, stdout=pipe, stdin=pipe, text=True, env=environment)
            self._running.append(child)
        return child

    def check(self) -> None:
        """Raises CancelledError if the compilation has been stopped."""
        if self._is_over:
            raise CancelledError

    def kill(self) -> None:
        with self._guard:
            self._is_over = True
            for child in self._running:
                child.kill()


@lru_cache(maxsize=1)
def compiled_lines() -> dict[str, int]:
    """The number of compiled lines of each of pentad's own modules; a test keeps it up to date."""
    return cast(
        "dict[str, int]", json.loads(Path(__file__).with_name("compiled_lines.json").read_text(encoding="utf-8"))
    )


def work_of(name: str) -> int:
    """The number of lines to compile for a module."""
    return compiled_lines().get(name, DEFAULT_WORK)


def _compile_one(name: str, report: ProgressCallback, children: Children) -> Path | None:
    """Compiles the kernels of a module, as far as possible; returns their folder, or None without a cache."""
    report(0.0)
    while (place := folder()) is not None and not marker(place, name).exists():
        try:
            with Lock(place / f"{name}.lock", phrase("Another process is compiling {name}.", name=name)) as lock:

                def report_share(share: float, lock: Lock = lock) -> None:
                    lock.write(f"{share:.3f}")  # for other processes that wait for the same
                    report(share)

                _clear_old(place)
                if marker(place, name).exists() or _compile_in_child(place, name, report_share, children):
                    return place
        except Busy as busy:  # another process compiles it: check again later
            with contextlib.suppress(ValueError):
                report(float(busy.note))
            time.sleep(POLL_SECONDS)
            children.check()
            continue
        folder.cache_clear()
        if folder_name() == place.name:  # the child sees other sources, and would again
            warn(phrase("Cannot compile the kernels of {name} in advance.", name=name))
            return place
        warn("The sources of kernels have changed. They are compiled again.")
    return place


def _compile_in_child(place: Path, name: str, report: ProgressCallback, children: Children) -> bool:
    """Compiles the kernels of a module in a child process; returns False if their sources have changed."""
    # -P: a package named pentad in the current folder is not imported.
    command = [sys.executable, "-P", "-m", COMPILATION, name, place.name]
    paths = [str(PACKAGE.parent), *filter(None, sys.path)]  # that of a plug-in too
    # The child reads its input to notice the end of this process.
    with children.start(command, os.environ | {"PYTHONPATH": os.pathsep.join(paths)}) as child:
        try:
            assert child.stdout is not None
            for line in child.stdout:
                report(float(line))
        except BaseException:
            child.kill()
            raise
    children.check()
    if child.returncode not in (0, CHANGED):
        warn(phrase("Cannot compile the kernels of {name} in advance.", name=name))
    return child.returncode != CHANGED


def object_name(module: str, level: str) -> str:
    """The name of the file with a module's machine code for a level of processors."""
    return f"{file_stem(module)}.{level}.o"


def index_name(module: str) -> str:
    """The name of the file with the signatures of a module's machine code."""
    return f"{file_stem(module)}.json"


def marker(place: Path, name: str) -> Path:
    return place / f"{file_stem(name)}.{COMPILED}"


def _clear_old(place: Path) -> None:
    """Removes old kernels of other versions."""
    for other in place.parent.glob("kernels-*"):
        with contextlib.suppress(OSError):
            if other != place and time.time() - other.stat().st_mtime > KEEP_DAYS * 86_400:
                shutil.rmtree(other, ignore_errors=True)

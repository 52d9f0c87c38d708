"""The only module that imports numba: the kernel decorator, the cache of compiled kernels, and progress reports.

A kernel is a function over numbers and arrays in a module named `kernels`; `@kernel` compiles it. Compiled
code is kept in a folder whose name contains a hash of every kernel's source, because numba does not notice a change
in a function that another module calls. The first compilation on a machine takes a while: `prepare` runs it in a child
process, and shows a progress bar on the terminal or calls the registered listeners.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from pentad.progress import Bar
from pentad.user_files import Busy, Lock

CACHE = "PENTAD_CACHE"  # the environment variable that names another folder for compiled kernels
KEEP_DAYS = 30  # days for which compiled kernels of another version are kept
COMPILED = "compiled"
POLL_SECONDS = 0.1  # between two checks of what another process compiles
CHANGED = 3  # the child's exit code if the sources differ from those that it was to compile
STEP, ALMOST = 0.005, 0.99  # the smallest increase that is reported, and the largest share before the end
DEFAULT_WORK = 500  # lines to compile for a module that `kernel_work.json` does not list
TEMPORARY, OWNER = "pentad-kernels-", "owner.lock"  # prefix of the folders for one run, and their owner's lock
YOUNG = 60.0  # seconds for which such a folder may have no owner yet

Function = TypeVar("Function", bound=Callable[..., Any])


def _sources() -> list[Path]:
    here = Path(__file__).parent
    return [Path(__file__), here / "simd.py", *sorted(here.rglob("*kernels*.py"))]


def _place() -> Path:
    if chosen := os.environ.get(CACHE):
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return platformdirs.user_cache_path("pentad", appauthor=False)


def _name() -> str:
    """The name of the cache folder, with a hash of every source as it is now.

    The hash includes the paths and times of the sources. numba recompiles a file that was moved or written again, and
    a folder of another checkout would look complete.
    """
    digest = hashlib.sha256()
    for source in _sources():
        digest.update(f"{source}\0{source.stat().st_mtime_ns}\0".encode())
        digest.update(source.read_bytes())
    return f"kernels-{digest.hexdigest()[:16]}"


@lru_cache(maxsize=1)
def folder() -> Path | None:
    """The folder for compiled kernels: in the user's cache, else in a folder for this run; None where both fail."""
    place = _place() / _name()
    error = _write_error(place)
    if error is None:
        return place
    spare = _temporary()
    result = "They are compiled for this run only." if spare else "Each process compiles them again."
    warn(f"Cannot keep compiled kernels in {place.parent}: {error}. {result} Set {CACHE} to another folder.")
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
    place = root / _name()
    return place if _write_error(place) is None else None


def _clear_abandoned(parent: Path) -> None:
    """Removes temporary folders of processes that were killed."""
    for root in parent.glob(f"{TEMPORARY}*"):
        with contextlib.suppress(OSError, Busy):
            if time.time() - root.stat().st_mtime > YOUNG:
                with Lock(root / OWNER, "The folder has an owner."):
                    shutil.rmtree(root, ignore_errors=True)


def warn(text: str) -> None:
    """Prints a line on the error stream."""
    with contextlib.suppress(OSError):
        print(f"pentad: {text}", file=sys.stderr, flush=True)


def compiler() -> Callable[..., Any]:
    """numba's compiler, with its cache folder set first."""
    place = folder()
    if place is not None:
        os.environ["NUMBA_CACHE_DIR"] = str(place)
    import numba

    if place is not None:
        setattr(numba.config, "CACHE_DIR", str(place))  # noqa: B010 - numba may have been imported before
    return cast("Callable[..., Any]", numba.njit)


@overload
def kernel(target: Function) -> Function: ...
@overload
def kernel(target: str) -> Callable[[Function], Function]: ...
def kernel(target: Function | str) -> Function | Callable[[Function], Function]:
    """Compiles a function when it is first called; with `NUMBA_DISABLE_JIT=1` it stays Python.

    A kernel that calls itself needs its signature: `@kernel("int64(int64[::1], int64)")`.
    """
    njit = compiler()
    how = {"cache": folder() is not None, "nogil": True, "error_model": "numpy"}
    if isinstance(target, str):
        return cast("Callable[[Function], Function]", njit(target, **how))
    return cast("Function", njit(**how)(target))


def by_rank(functions: Mapping[int, Callable[..., Any]]) -> Callable[..., Any]:
    """A function that calls one of several kernels, by the number of dimensions of its first argument.

    Compiled code chooses when it is compiled.
    """

    def call(first: Any, *rest: Any) -> Any:
        return functions[getattr(first, "ndim", 0)](first, *rest)

    compiler()
    if not is_jit_disabled():
        from numba.extending import overload

        @overload(call, strict=False, jit_options={"nogil": True, "error_model": "numpy"})
        def choose(first: Any, *_: Any) -> Any:
            return functions[getattr(first, "ndim", 0)].py_func  # type: ignore[attr-defined]

    return call


prefetch: Callable[[Any, Any], None]

if not TYPE_CHECKING:  # a type checker would accept any attribute

    def __getattr__(name: str) -> Any:
        if name != "prefetch":
            raise AttributeError(f"Module pentad.kernel has no attribute {name}.")
        made = globals()["prefetch"] = _made_prefetch()
        return made


def _made_prefetch() -> Callable[[Any, Any], None]:
    """`prefetch(array, index)` hints that the word there is read soon, for kernels with random access to memory."""
    compiler()
    if is_jit_disabled():
        return lambda array, index: None
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def prefetch(_: Any, array: Any, index: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            words = context.make_array(signature.args[0])(context, builder, arguments[0])
            place = builder.bitcast(builder.gep(words.data, [arguments[1]]), ir.IntType(8).as_pointer())
            number = ir.IntType(32)
            wanted = builder.module.declare_intrinsic(
                "llvm.prefetch", (place.type,), ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
            )
            builder.call(wanted, [place, number(0), number(2), number(1)])  # read access, second-level cache
            return context.get_dummy_value()

        return types.void(array, index), code

    return cast("Callable[[Any, Any], None]", prefetch)


# ── native code ──────────────────────────────────────────────────────────────────────────────────

OUTSIDE = re.compile(r"declare .*@(NRT_\w+|numba_\w+)\(")  # symbols that only error paths use


def is_jit_disabled() -> bool:
    """Whether numba's JIT compiler is disabled, so that kernels run as plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT") == "1"


def native_kernels(name: str) -> dict[str, Any]:
    """The native kernels of a module, compiled in this process with a C interface; each returns a number."""
    compiler()
    from numba import carray, cfunc, types  # type: ignore[attr-defined]

    made = {}
    pointer: Any = types.CPointer
    for each, (function, arguments) in importlib.import_module(name).NATIVE.items():
        kinds, taken, given = [], [], []
        for number, kind in enumerate(arguments.split()):
            taken.append(f"a{number}")
            if kind.endswith("[]"):
                kinds += [pointer(getattr(types, kind[:-2])), types.int64]
                taken.append(f"n{number}")
                given.append(f"carray(a{number}, n{number})")
            else:
                kinds.append(getattr(types, kind))
                given.append(f"a{number}")
        names: dict[str, Any] = {"function": function, "carray": carray}
        exec(f"def {each}({', '.join(taken)}):\n    return function({', '.join(given)})", names)
        made[each] = cfunc(types.int64(*kinds), error_model="numpy")(names[each])
    return made


def _keep_native(place: Path, name: str) -> None:
    """Writes the object files of the native kernels, and an index to load them by."""
    symbols: set[str] = set()
    kept = {}
    arguments = {each: types.split() for each, (_, types) in importlib.import_module(name).NATIVE.items()}
    for each, made in native_kernels(name).items():
        file = f"{name}.{each}.o"
        (place / file).write_bytes(made._library._get_compiled_object())
        symbols.update(OUTSIDE.findall(made.inspect_llvm()))
        kept[each] = {"file": file, "symbol": made.native_name, "arguments": arguments[each]}
    index = json.dumps({"symbols": sorted(symbols), "kernels": kept})
    (place / f"{name}.json").write_text(index, encoding="utf-8")


# ── compilation before use ───────────────────────────────────────────────────────────────────────

Listener = Callable[[str, float | None], None]  # the game, and the share done once it is known; "" at the end
ProgressCallback = Callable[[float], None]  # called with the share that is done

_ready: set[str] = set()  # the modules whose kernels this process has loaded
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

    >>> game_of("pentad.pente.engine.compile_steps")
    'pente'
    """
    return name.removeprefix("pentad.").split(".")[0]


def prepare(name: str) -> None:
    """Compiles and loads the kernels of a module, if necessary; the first time on a machine it takes a while.

    The module has `WARM_UP`, a list of calls that together use every kernel.
    """
    if name in _ready:
        return
    with _reporter(name) as report:
        if not is_jit_disabled():
            _compile_all((name,), report)
        for call in importlib.import_module(name).WARM_UP:
            call()
    _ready.add(name)


def ensure_compiled(*names: str, report: ProgressCallback | None = None) -> Path | None:
    """Compiles the kernels of some modules; returns their folder, with native code too, or None without a cache.

    Progress goes to `report`, else to the listeners or the terminal.
    """
    if are_compiled(*names):
        return folder()
    if report is not None:
        return _compile_all(names, report)
    with _reporter(names[0]) as reporter:
        return _compile_all(names, reporter)


def are_compiled(*names: str) -> bool:
    """Whether the kernels of these modules need no compilation: compiled already, or run as plain Python."""
    if is_jit_disabled() or _ready.issuperset(names):
        return True
    place = folder()
    return place is not None and all(_marker(place, name).exists() for name in names)


@contextlib.contextmanager
def _reporter(name: str) -> Iterator[ProgressCallback]:
    """A progress callback that calls the listeners; without any, it draws a progress bar on the terminal."""
    game = game_of(name)
    if not _listeners:
        with Bar(f"Preparing the {game.capitalize()} engine, only once on this machine", after=0.0) as bar:
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
    """Compiles the kernels of some modules, as far as possible, and returns their folder."""
    place = folder()
    missing = [name for name in names if place is not None and not _marker(place, name).exists()]
    total = sum(map(_work, missing))
    before, furthest = 0, 0.0

    def report_share(share: float) -> None:
        nonlocal furthest
        furthest = max(furthest, round((before + share * _work(name)) / total, 3))  # never goes backwards
        report(furthest)

    for name in missing:
        place = _compile_one(name, report_share)
        before += _work(name)
    return place


@lru_cache(maxsize=1)
def compiled_lines() -> dict[str, int]:
    """The number of compiled lines of each of pentad's own modules; a test keeps it up to date."""
    return cast("dict[str, int]", json.loads(Path(__file__).with_name("kernel_work.json").read_text(encoding="utf-8")))


def _work(name: str) -> int:
    return compiled_lines().get(name, DEFAULT_WORK)


def _compile_one(name: str, report: ProgressCallback) -> Path | None:
    """Compiles the kernels of a module, as far as possible; returns their folder, or None without a cache."""
    report(0.0)
    while (place := folder()) is not None and not _marker(place, name).exists():
        try:
            with Lock(place / f"{name}.lock", f"Another process is compiling {name}.") as lock:

                def report_share(share: float, lock: Lock = lock) -> None:
                    lock.write(f"{share:.3f}")  # for other processes that wait for the same
                    report(share)

                _clear_old(place)
                if _marker(place, name).exists() or _compile_in_child(place, name, report_share):
                    return place
        except Busy as busy:  # another process compiles it: check again later
            with contextlib.suppress(ValueError):
                report(float(busy.note))
            time.sleep(POLL_SECONDS)
            continue
        folder.cache_clear()
        if _name() == place.name:  # the child sees other sources, and would again
            warn(f"Cannot compile the kernels of {name} in advance.")
            return place
        warn("The sources of kernels have changed. They are compiled again.")
    return place


def _compile_in_child(place: Path, name: str, report: ProgressCallback) -> bool:
    """Compiles the kernels of a module in a child process; returns False if their sources have changed."""
    # -P: a package named pentad in the current folder is not imported.
    command = [sys.executable, "-P", "-m", __name__, name, place.name]
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    # The child reads its input to notice the end of this process.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True, env=environment) as child:
        try:
            assert child.stdout is not None
            for line in child.stdout:
                report(float(line))
        except BaseException:
            child.kill()
            raise
    if child.returncode not in (0, CHANGED):
        warn(f"Cannot compile the kernels of {name} in advance.")
    return child.returncode != CHANGED


def _marker(place: Path, name: str) -> Path:
    return place / f"{name}.{COMPILED}"


def _clear_old(place: Path) -> None:
    """Removes old kernels of other versions."""
    for other in place.parent.glob("kernels-*"):
        with contextlib.suppress(OSError):
            if other != place and time.time() - other.stat().st_mtime > KEEP_DAYS * 86_400:
                shutil.rmtree(other, ignore_errors=True)


# ── child process ────────────────────────────────────────────────────────────────────────────────


class _Progress:
    """Progress of a compilation: the lines of code compiled so far, of all lines to compile.

    A function counts half when its types are inferred and whole when it is machine code; one that is compiled for
    several argument types counts as often. This keeps step with time; calls do not, as the first has most of the work.
    """

    def __init__(self, of: int | None, report: ProgressCallback) -> None:
        """Without `of`, progress comes from `report_share` alone."""
        self.done, self._of, self._report = 0.0, of, report
        self._open: list[int] = []  # the lines of the functions that are being compiled, the innermost last
        self._reported = 0.0

    def begin(self, function: Any) -> None:
        """Compilation of a function begins."""
        self._open.append(len({line for _, _, line in function.__code__.co_lines() if line}))

    def half(self) -> None:
        """Its types are inferred."""
        if self._open:
            self._add(self._open[-1] / 2)

    def end(self) -> None:
        """It is compiled."""
        self._add(self._open.pop() / 2)

    def _add(self, lines: float) -> None:
        self.done += lines
        if self._of:
            self.report_share(self.done / self._of)

    def report_share(self, share: float) -> None:
        """Reports a share; all of it only when the process has ended."""
        share = min(share, ALMOST)
        if share - self._reported >= STEP:
            self._reported = share
            self._report(share)


@contextlib.contextmanager
def _tracking(progress: _Progress) -> Iterator[None]:
    """Within the block, numba's compiler events update the progress."""
    compiler()
    from numba.core import event

    class Compiled(event.Listener):
        def on_start(self, event: Any) -> None:
            progress.begin(event.data["dispatcher"].py_func)

        def on_end(self, event: Any) -> None:
            progress.end()

    class Typed(event.Listener):
        def on_start(self, event: Any) -> None:
            if event.data["name"].startswith("native_lowering"):
                progress.half()

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Compiled()), event.install_listener("numba:run_pass", Typed()):
        yield


def _end_with_parent() -> None:
    """Ends this process as soon as its parent has ended."""

    def watch() -> None:
        while os.read(0, 1):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _compile(name: str, wanted: str) -> int:
    """Compiles the kernels of a module for a folder of that name and prints the progress, in the child process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops this process
    if _name() != wanted:
        return CHANGED
    place = folder()
    work = compiled_lines().get(name)
    progress = _Progress(work, lambda share: print(f"{share:.3f}", flush=True))
    with _tracking(progress):
        module = importlib.import_module(name)
        calls = list(getattr(module, "WARM_UP", ()))
        if place is not None and hasattr(module, "NATIVE"):
            calls.append(partial(_keep_native, place, name))
        for done, call in enumerate(calls):
            call()
            if work is None:
                progress.report_share((done + 1) / len(calls))
    if _name() != wanted:  # the folder has kernels of several versions
        if place is not None:
            shutil.rmtree(place, ignore_errors=True)
        return CHANGED
    if place is not None:
        _marker(place, name).write_text(f"{progress.done:.0f}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    _end_with_parent()
    sys.exit(_compile(sys.argv[1], sys.argv[2]))

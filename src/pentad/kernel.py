"""The one door to numba: what makes kernels fast, where they are cached, and how one waits for them.

A kernel is a function over numbers and arrays in a module named `kernels`; `@kernel` compiles it. Compiled
code is kept in a folder whose name has a hash of every kernel's source, because numba does not notice a change
in a function that another module calls. Compiling from nothing takes a while, once a machine: `prepare` has it
done in a child process, and shows a bar on the terminal, or tells whoever listens.
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
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from pentad.progress import Bar
from pentad.user_files import Busy, Lock

CACHE = "PENTAD_CACHE"  # the variable that names another place for compiled kernels
KEEP_DAYS = 30  # that compiled kernels of another version are kept
COMPILED = "compiled"
PATIENCE = 0.1  # seconds between two looks at what another process compiles
CHANGED = 3  # the child's exit code where the sources are not those any more that it was to compile
STEP, ALMOST = 0.005, 0.99  # shares: that are worth telling, and the most before all is done
USUAL_WORK = 500  # lines that are compiled for a module that `kernel_work.json` does not know
TEMPORARY, OWNER = "pentad-kernels-", "owner.lock"  # folders for one run, and the lock of whoever made one
YOUNG = 60.0  # seconds in which such a folder may have no owner yet

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
    """What the folder is called: it has a hash of every source, as they are now.

    It has their paths and times in it, too. numba compiles anew what lies elsewhere or was written again, and a folder
    of another checkout would look complete.
    """
    told = hashlib.sha256()
    for source in _sources():
        told.update(f"{source}\0{source.stat().st_mtime_ns}\0".encode())
        told.update(source.read_bytes())
    return f"kernels-{told.hexdigest()[:16]}"


@lru_cache(maxsize=1)
def folder() -> Path | None:
    """Where compiled kernels are kept: in the user's cache, else in a folder for this run; None where both fail."""
    place = _place() / _name()
    refused = _why_not(place)
    if refused is None:
        return place
    spare = _temporary()
    what = "they are compiled for this run alone" if spare else "each process compiles them anew"
    complain(f"compiled kernels cannot be kept in {place.parent} ({refused}), so {what}; {CACHE} names another folder")
    return spare


def _why_not(place: Path) -> str | None:
    """Why nothing can be written into a folder; None where it can."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        trial = place / f".trial-{os.getpid()}"
        trial.touch()
        trial.unlink()
    except OSError as error:
        return error.strerror or str(error)
    return None


def _temporary() -> Path | None:
    """A folder that this process removes when it ends; the processes that it starts find it, too."""
    import tempfile

    try:
        _clear_abandoned(Path(tempfile.gettempdir()))
        root = Path(tempfile.mkdtemp(prefix=TEMPORARY))
    except OSError:
        return None
    owner, owned = os.getpid(), Lock(root / OWNER, "this folder has an owner")

    def remove() -> None:
        if os.getpid() == owner:  # not in a copy of this process
            owned.release()
            shutil.rmtree(root, ignore_errors=True)

    atexit.register(remove)
    os.environ[CACHE] = str(root)
    place = root / _name()
    return place if _why_not(place) is None else None


def _clear_abandoned(parent: Path) -> None:
    """Remove such folders of processes that were killed."""
    for root in parent.glob(f"{TEMPORARY}*"):
        with contextlib.suppress(OSError, Busy):
            if time.time() - root.stat().st_mtime > YOUNG:
                with Lock(root / OWNER, "this folder has an owner"):
                    shutil.rmtree(root, ignore_errors=True)


def complain(text: str) -> None:
    """One plain line on the error stream."""
    with contextlib.suppress(OSError):
        print(f"pentad: {text}", file=sys.stderr, flush=True)


def compiler() -> Callable[..., Any]:
    """numba's compiler, told where to keep what it makes before it looks."""
    place = folder()
    if place is not None:
        os.environ["NUMBA_CACHE_DIR"] = str(place)
    import numba

    if place is not None:
        setattr(numba.config, "CACHE_DIR", str(place))  # noqa: B010 - numba may have been imported before
    return cast("Callable[..., Any]", numba.njit)


@overload
def kernel(asked: Function) -> Function: ...
@overload
def kernel(asked: str) -> Callable[[Function], Function]: ...
def kernel(asked: Function | str) -> Function | Callable[[Function], Function]:
    """Compile a function when it is first called; with `NUMBA_DISABLE_JIT=1` it stays Python.

    A kernel that calls itself needs its signature: `@kernel("int64(int64[::1], int64)")`.
    """
    njit = compiler()
    how = {"cache": folder() is not None, "nogil": True, "error_model": "numpy"}
    if isinstance(asked, str):
        return cast("Callable[[Function], Function]", njit(asked, **how))
    return cast("Function", njit(**how)(asked))


prefetch: Callable[[Any, Any], None]

if not TYPE_CHECKING:  # who checks types would take any name for one that is here

    def __getattr__(name: str) -> Any:
        if name != "prefetch":
            raise AttributeError(f"pentad.kernel has no {name}")
        made = globals()["prefetch"] = _made_prefetch()
        return made


def _made_prefetch() -> Callable[[Any, Any], None]:
    """`prefetch(array, index)`: the word there will be read soon; kernels that read far and wide say so beforehand."""
    compiler()
    if uncompiled():
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
            builder.call(wanted, [place, number(0), number(2), number(1)])  # to read, and into the second cache
            return context.get_dummy_value()

        return types.void(array, index), code

    return cast("Callable[[Any, Any], None]", prefetch)


# ── machine code alone ───────────────────────────────────────────────────────────────────────────

OUTSIDE = re.compile(r"declare .*@(NRT_\w+|numba_\w+)\(")  # what kernels name but only errors use


def uncompiled() -> bool:
    """Whether kernels stay Python."""
    return os.environ.get("NUMBA_DISABLE_JIT") == "1"


def native_kernels(name: str) -> dict[str, Any]:
    """The native kernels of a module, compiled in this process so that C could call them; each returns a number."""
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
    """Write the machine code of the native kernels, and what whoever loads it must know."""
    symbols: set[str] = set()
    kept = {}
    arguments = {each: asked.split() for each, (_, asked) in importlib.import_module(name).NATIVE.items()}
    for each, made in native_kernels(name).items():
        file = f"{name}.{each}.o"
        (place / file).write_bytes(made._library._get_compiled_object())
        symbols.update(OUTSIDE.findall(made.inspect_llvm()))
        kept[each] = {"file": file, "symbol": made.native_name, "arguments": arguments[each]}
    told = json.dumps({"symbols": sorted(symbols), "kernels": kept})
    (place / f"{name}.json").write_text(told, encoding="utf-8")


# ── preparing them ───────────────────────────────────────────────────────────────────────────────

Heard = Callable[[str, float | None], None]  # the game, and the share that is done once it is known; "" when it is over
Tell = Callable[[float], None]  # which share is done

_ready: set[str] = set()  # the modules whose kernels this process has loaded
_listeners: list[Heard] = []


@contextlib.contextmanager
def listening(heard: Heard) -> Iterator[None]:
    """Have it told instead of shown, for a while, that kernels are compiled or loaded, and how far that is."""
    _listeners.append(heard)
    try:
        yield
    finally:
        _listeners.remove(heard)


def game_of(name: str) -> str:
    """The game whose engine a module of kernels belongs to.

    >>> game_of("pentad.pente.engine.compile_steps")
    'pente'
    """
    return name.removeprefix("pentad.").split(".")[0]


def prepare(name: str) -> None:
    """See to it that the kernels of a module are compiled and loaded; the first time on a machine it takes a while.

    The module has `WARM_UP`, a list of calls that between them use every kernel.
    """
    if name in _ready:
        return
    with _shown(name) as tell:
        if not uncompiled():
            _see_to_all((name,), tell)
        for call in importlib.import_module(name).WARM_UP:
            call()
    _ready.add(name)


def keep(*names: str, tell: Tell | None = None) -> Path | None:
    """The folder with the compiled kernels of some modules, machine code too; None where nothing can be kept.

    How far that is goes to `tell`, else to those who listen or to the terminal.
    """
    if are_kept(*names):
        return folder()
    if tell is not None:
        return _see_to_all(names, tell)
    with _shown(names[0]) as shown:
        return _see_to_all(names, shown)


def are_kept(*names: str) -> bool:
    """Whether nobody has to wait for the compiler: the kernels of these modules are there, or stay Python."""
    if uncompiled() or _ready.issuperset(names):
        return True
    place = folder()
    return place is not None and all(_done(place, name).exists() for name in names)


@contextlib.contextmanager
def _shown(name: str) -> Iterator[Tell]:
    """Those who listen hear that something is prepared; where nobody does, a line on the terminal shows how far."""
    game = game_of(name)
    if not _listeners:
        with Bar(f"Preparing {game.capitalize()}'s engine, once on this machine", after=0.0) as bar:
            yield lambda share: bar.tell(share, 1.0)
        return
    _say(game, None)
    try:
        yield partial(_say, game)
    finally:
        _say("", None)


def _say(game: str, share: float | None) -> None:
    for heard in _listeners:
        heard(game, share)


def _see_to_all(names: Sequence[str], tell: Tell) -> Path | None:
    """The folder where the kernels of some modules are, as far as they can be compiled."""
    place = folder()
    missing = [name for name in names if place is not None and not _done(place, name).exists()]
    whole = sum(map(_work, missing))
    before, furthest = 0, 0.0

    def told(share: float) -> None:
        nonlocal furthest
        furthest = max(furthest, round((before + share * _work(name)) / whole, 3))  # who waits for another sees no less
        tell(furthest)

    for name in missing:
        place = _see_to_it(name, told)
        before += _work(name)
    return place


@lru_cache(maxsize=1)
def _all_work() -> dict[str, int]:
    """The lines that are compiled for each of pentad's own modules; a test holds this to the truth."""
    return cast("dict[str, int]", json.loads(Path(__file__).with_name("kernel_work.json").read_text(encoding="utf-8")))


def _work(name: str) -> int:
    return _all_work().get(name, USUAL_WORK)


def _see_to_it(name: str, tell: Tell) -> Path | None:
    """The folder where the kernels of a module are, as far as they can be compiled; None where nothing can be kept."""
    tell(0.0)
    while (place := folder()) is not None and not _done(place, name).exists():
        try:
            with Lock(place / f"{name}.lock", f"{name} is being compiled") as lock:

                def told(share: float, lock: Lock = lock) -> None:
                    lock.write(f"{share:.3f}")  # for other processes that wait for the same
                    tell(share)

                _clear_old(place)
                if _done(place, name).exists() or _compile_in_child(place, name, told):
                    return place
        except Busy as busy:  # another process does it; when it is done, or gone, look again
            with contextlib.suppress(ValueError):
                tell(float(busy.note))
            time.sleep(PATIENCE)
            continue
        folder.cache_clear()
        if _name() == place.name:  # the child has found others, and would again
            complain(f"the kernels of {name} could not be compiled beforehand")
            return place
        complain("the sources of kernels have changed; they are compiled anew")
    return place


def _compile_in_child(place: Path, name: str, tell: Tell) -> bool:
    """Have the kernels of a module compiled; whether their sources are still those that the place is named for."""
    # Another pentad in the current folder is none of its business.
    command = [sys.executable, "-P", "-m", __name__, name, place.name]
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    # The child reads its input to notice that this process has ended, however it ended.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True, env=environment) as child:
        try:
            assert child.stdout is not None
            for line in child.stdout:
                tell(float(line))
        except BaseException:
            child.kill()
            raise
    if child.returncode not in (0, CHANGED):
        complain(f"the kernels of {name} could not be compiled beforehand")
    return child.returncode != CHANGED


def _done(place: Path, name: str) -> Path:
    return place / f"{name}.{COMPILED}"


def _clear_old(place: Path) -> None:
    """Remove what other versions compiled long ago."""
    for other in place.parent.glob("kernels-*"):
        with contextlib.suppress(OSError):
            if other != place and time.time() - other.stat().st_mtime > KEEP_DAYS * 86_400:
                shutil.rmtree(other, ignore_errors=True)


# ── in the child process ─────────────────────────────────────────────────────────────────────────


class _Progress:
    """How far the compiler is: the lines of code that it has compiled, of all that it has to compile.

    A function counts half when its types are known and whole when it is machine code; one that is compiled for several
    kinds of arguments counts as often. That keeps step with time; calls do not, as the first has most of the work.
    """

    def __init__(self, of: int | None, tell: Tell) -> None:
        """Without `of` only `tell` says how much is done."""
        self.done, self._of, self._tell = 0.0, of, tell
        self._open: list[int] = []  # the lines of the functions that are being compiled, the innermost last
        self._told = 0.0

    def begin(self, function: Any) -> None:
        """A function is being compiled."""
        self._open.append(len({line for _, _, line in function.__code__.co_lines() if line}))

    def half(self) -> None:
        """The types in it are known."""
        if self._open:
            self._add(self._open[-1] / 2)

    def end(self) -> None:
        """It is compiled."""
        self._add(self._open.pop() / 2)

    def _add(self, lines: float) -> None:
        self.done += lines
        if self._of:
            self.tell(self.done / self._of)

    def tell(self, share: float) -> None:
        """So much is done; all of it only when the process has ended."""
        share = min(share, ALMOST)
        if share - self._told >= STEP:
            self._told = share
            self._tell(share)


@contextlib.contextmanager
def _watched(progress: _Progress) -> Iterator[None]:
    """Have numba tell what it compiles."""
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
    """End as soon as whoever waits for this has ended."""

    def watch() -> None:
        while os.read(0, 1):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _compile(name: str, wanted: str) -> int:
    """In the child process: compile the kernels of a module for a place of that name, telling how far it is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever waits for this stops it
    if _name() != wanted:
        return CHANGED
    place = folder()
    work = _all_work().get(name)
    progress = _Progress(work, lambda share: print(f"{share:.3f}", flush=True))
    with _watched(progress):
        module = importlib.import_module(name)
        calls = list(getattr(module, "WARM_UP", ()))
        if place is not None and hasattr(module, "NATIVE"):
            calls.append(partial(_keep_native, place, name))
        for done, call in enumerate(calls):
            call()
            if work is None:
                progress.tell((done + 1) / len(calls))
    if _name() != wanted:  # what lies there now is of several minds
        if place is not None:
            shutil.rmtree(place, ignore_errors=True)
        return CHANGED
    if place is not None:
        _done(place, name).write_text(f"{progress.done:.0f}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    _end_with_parent()
    sys.exit(_compile(sys.argv[1], sys.argv[2]))

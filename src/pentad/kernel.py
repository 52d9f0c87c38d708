"""The one door to numba: what makes kernels fast, where they are cached, and how one waits for them.

A kernel is a function over numbers and arrays in a module named `kernels`; `@kernel` compiles it. Compiled
code is kept in a folder whose name has a hash of every kernel's source, because numba does not notice a change
in a function that another module calls. Compiling from nothing takes a while, once a machine: `prepare` has it
done in a child process, and shows a bar to whoever waits.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast, overload

from pentad.folders import Busy, Lock

CACHE = "PENTAD_CACHE"  # the variable that names another place for compiled kernels
KEEP_DAYS = 30  # that compiled kernels of another version are kept
COMPILED = "compiled"
PATIENCE = 0.1  # seconds between two looks at what another process compiles
CHANGED = 3  # the child's exit code where the sources are not those any more that it was to compile

Function = TypeVar("Function", bound=Callable[..., Any])


def _sources() -> list[Path]:
    here = Path(__file__).parent
    return [Path(__file__), here / "lanes.py", *sorted(here.rglob("*kernels*.py"))]


def _place() -> Path:
    if chosen := os.environ.get(CACHE):
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return platformdirs.user_cache_path("pentad", appauthor=False)


def _name() -> str:
    """What the folder is called: it has a hash of every source, as they are now."""
    told = hashlib.sha256()
    for source in _sources():
        told.update(source.read_bytes())
    return f"kernels-{told.hexdigest()[:16]}"


@lru_cache(maxsize=1)
def folder() -> Path | None:
    """Where compiled kernels are kept; None where nothing can be written, which is said once."""
    place = _place() / _name()
    try:
        place.mkdir(parents=True, exist_ok=True)
        trial = place / f".trial-{os.getpid()}"
        trial.touch()
        trial.unlink()
    except OSError as error:
        warnings.warn(f"compiled kernels cannot be kept in {place} ({error.strerror})", RuntimeWarning, stacklevel=2)
        return None
    return place


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


def __getattr__(name: str) -> Any:
    if name != "prefetch":
        raise AttributeError(name)
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


def keep(name: str) -> Path | None:
    """The folder with the machine code of a module's native kernels; None where nothing can be kept."""
    return _see_to_it(name)


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


# ── waiting for them ─────────────────────────────────────────────────────────────────────────────


_ready: set[str] = set()  # the modules whose kernels this process has loaded


def prepare(name: str) -> None:
    """See to it that the kernels of a module are compiled and loaded; the first time on a machine it takes a while.

    The module has `WARM_UP`, a list of calls that between them use every kernel.
    """
    if name in _ready:
        return
    if not uncompiled():
        _see_to_it(name)
    for call in importlib.import_module(name).WARM_UP:
        call()
    _ready.add(name)


def _see_to_it(name: str) -> Path | None:
    """The folder where the kernels of a module are, as far as they can be compiled; None where nothing can be kept."""
    while (place := folder()) is not None and not _done(place, name).exists():
        try:
            with Lock(place / f"{name}.lock", f"{name} is being compiled"):
                _clear_old(place)
                if _compile_in_child(place, name):
                    return place
        except Busy:  # another process does it; when it is done, or gone, look again
            time.sleep(PATIENCE)
            continue
        folder.cache_clear()
        warnings.warn("the sources of kernels have changed; they are compiled anew", RuntimeWarning, stacklevel=3)
    return place


def _compile_in_child(place: Path, name: str) -> bool:
    """Have the kernels of a module compiled; whether their sources are still those that the place is named for."""
    with subprocess.Popen(
        [sys.executable, "-m", __name__, name, place.name], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    ) as child:
        try:
            assert child.stdout is not None
            with Waiting(name) as waiting:
                for line in child.stdout:
                    done, _, of = line.partition("/")
                    waiting.tell(int(done), int(of))
        except BaseException:
            child.kill()
            raise
    if child.returncode not in (0, CHANGED):
        warnings.warn(f"the kernels of {name} could not be compiled beforehand", RuntimeWarning, stacklevel=3)
    return child.returncode != CHANGED


def _done(place: Path, name: str) -> Path:
    return place / f"{name}.{COMPILED}"


def _clear_old(place: Path) -> None:
    """Remove what other versions compiled long ago."""
    import shutil

    for other in place.parent.glob("kernels-*"):
        with contextlib.suppress(OSError):
            if other != place and time.time() - other.stat().st_mtime > KEEP_DAYS * 86_400:
                shutil.rmtree(other, ignore_errors=True)


class Waiting:
    """A bar on a terminal's error stream for as long as kernels are being compiled."""

    WIDTH, BEAT = 30, 0.2  # letters; seconds between two looks at the clock

    def __init__(self, name: str) -> None:
        self.what = f"preparing {name.removeprefix('pentad.').split('.')[0]}'s engine, once on this machine"
        self.shown = sys.stderr.isatty()
        self.began = time.monotonic()
        self.done, self.of = 0, 1
        self._over = threading.Event()
        self._clock = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Waiting:
        if self.shown:
            self._clock.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self.shown:
            self._clock.join()
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def tell(self, done: int, of: int) -> None:
        """So much is done."""
        self.done, self.of = done, of

    def _tick(self) -> None:
        while True:
            bar = "█" * (self.WIDTH * self.done // self.of)
            spent = time.monotonic() - self.began
            print(f"\r{self.what} │{bar:<{self.WIDTH}}│ {spent:.0f} s", end="", file=sys.stderr, flush=True)
            if self._over.wait(self.BEAT):
                return


def _compile(name: str, wanted: str) -> int:
    """In the child process: compile the kernels of a module for a place of that name, telling how far it is."""
    import shutil

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever waits for this stops it
    if _name() != wanted:
        return CHANGED
    place = folder()
    module = importlib.import_module(name)
    calls = list(getattr(module, "WARM_UP", ()))
    if place is not None and hasattr(module, "NATIVE"):
        calls.append(partial(_keep_native, place, name))
    for done, call in enumerate(calls):
        call()
        print(f"{done + 1}/{len(calls)}", flush=True)
    if _name() != wanted:  # what lies there now is of several minds
        if place is not None:
            shutil.rmtree(place, ignore_errors=True)
        return CHANGED
    if place is not None:
        _done(place, name).touch()
    return 0


if __name__ == "__main__":
    sys.exit(_compile(sys.argv[1], sys.argv[2]))

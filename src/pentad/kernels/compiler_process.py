"""The child process that compiles a module's kernels, stores them in the cache, and prints its progress."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

from pentad.kernels import cache, machine_code
from pentad.kernels.decorator import compile_parts_only, numba_compiler

STEP, ALMOST = 0.005, 0.99  # the smallest increase that is reported, and the largest share before the end


class _Progress:
    """Progress of a compilation: the lines of code compiled so far, of all lines to compile.

    A function counts half when its types are inferred and whole when it is machine code; one that is compiled for
    several argument types counts as often. This keeps step with time; calls do not, as the first has most of the work.
    """

    def __init__(self, of: int, report: cache.ProgressCallback) -> None:
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
        share = min(self.done / self._of, ALMOST)  # all of it only when the process has ended
        if share - self._reported >= STEP:
            self._reported = share
            self._report(share)


@contextlib.contextmanager
def _tracking(progress: _Progress) -> Iterator[None]:
    """Within the block, numba's compiler events update the progress."""
    numba_compiler()
    from pentad.kernels.numba_internals import watching

    with watching(progress.begin, progress.half, progress.end):
        yield


def _end_with_parent() -> None:
    """Ends this process as soon as its parent has ended."""

    def watch() -> None:
        while os.read(0, 1):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def compile_module(name: str, wanted: str) -> int:
    """Compiles the kernels of a module for a folder of that name and prints the progress, in the child process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops this process
    place = cache.folder()
    if place is None or cache.folder_name() != wanted:
        return cache.CHANGED
    gc.set_threshold(100_000)  # numba makes many objects that live for as long as the process
    progress = _Progress(cache.work_of(name), lambda share: print(f"{share:.3f}", flush=True))
    with _tracking(progress):
        compile_parts_only()
        machine_code.keep(name, place)
    if cache.folder_name() != wanted:  # the folder has kernels of several versions
        shutil.rmtree(place, ignore_errors=True)
        return cache.CHANGED
    cache.marker(place, name).write_text(f"{progress.done:.0f}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    _end_with_parent()
    sys.exit(compile_module(sys.argv[1], sys.argv[2]))

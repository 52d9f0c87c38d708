"""Native kernels: machine code called with buffers and numbers, without importing the compiler.

Importing numba takes half a second in every process, longer than many a computation. A module of kernels that lists
some of them in `NATIVE` has these stored as machine code beside the compiled kernels; this module loads and calls them,
and nothing else is needed. Without a writable cache they are compiled in this process.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import mmap
import os
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pentad import kernel

Words: TypeAlias = "memoryview[int]"  # integers of one size

LETTERS: dict[str, Literal["Q", "q", "I"]] = {
    "uint64": "Q",
    "int64": "q",
    "uint32": "I",
}  # the memoryview format of each type
PRIVATE = hasattr(mmap, "MAP_PRIVATE")
ARRAY = "[]"  # suffix of an array's element type


def words(count: int, kind: str = "uint64", *, huge: bool = False) -> Words:
    """A zeroed array of `count` integers; with `huge` in large pages, for memory with random access."""
    letter = LETTERS[kind]
    size = max(count, 1) * memoryview(b"").cast(letter).itemsize
    # private, not shared as by default: only private memory gets large pages
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) if PRIVATE else mmap.mmap(-1, size)
    if huge and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory).cast(letter)[:count]


def _place(array: Words) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(array)) if len(array) else 0


class Program:
    """The native kernels of a module, called by their names: `program("rows", boards, 3, 4)`.

    An array is a `memoryview` with the element type of the kernel's argument. The call releases the GIL.
    """

    def __init__(self, calls: Mapping[str, Callable[..., Any]]) -> None:
        self._calls = calls

    def __call__(self, name: str, *arguments: Words | int) -> int:
        values: list[int] = []
        for each in arguments:
            values += (_place(each), len(each)) if isinstance(each, memoryview) else (each,)
        result: int = self._calls[name](*values)
        return result


@lru_cache(maxsize=8)
def program(module: str) -> Program:
    """The native kernels of a module; the first time on a machine they are compiled, which takes a while."""
    if kernel.is_jit_disabled():
        return _plain(module)
    kept = kernel.ensure_compiled(module)
    index = kept / f"{module}.json" if kept else None
    if kept is None or index is None or not index.exists():
        table = importlib.import_module(module).NATIVE
        made = kernel.native_kernels(module)
        _engines.append(made)
        return Program({name: _call(each.address, table[name][1].split()) for name, each in made.items()})
    return _loaded(kept, json.loads(index.read_text(encoding="utf-8")))


def _plain(module: str) -> Program:
    """The same kernels as plain Python functions."""
    import numpy

    def call(function: Callable[..., Any], kinds: list[str], *given: int) -> Any:
        arguments: list[Any] = []
        numbers = iter(given)
        for kind in kinds:
            each = next(numbers)
            if kind.endswith(ARRAY):
                made = numpy.dtype(kind.removesuffix(ARRAY))
                size = next(numbers)
                buffer = (ctypes.c_char * (size * made.itemsize)).from_address(each) if size else b""
                arguments.append(numpy.frombuffer(memoryview(buffer), made))
            else:
                arguments.append(numpy.dtype(kind).type(each))
        return function(*arguments)

    table = importlib.import_module(module).NATIVE
    return Program({name: partial(call, function, kinds.split()) for name, (function, kinds) in table.items()})


def _call(address: int, arguments: list[str]) -> Callable[..., Any]:
    """The kernel at an address, for arguments of these types."""
    kinds: list[Any] = []
    for kind in arguments:
        kinds += (ctypes.c_void_p, ctypes.c_int64) if kind.endswith(ARRAY) else (getattr(ctypes, f"c_{kind}"),)
    return ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(address)


# ── native code ─────────────────────────────────────────────────────────────────────────────────


_engines: list[Any] = []  # owners of the loaded code


def _loaded(folder: Path, index: Mapping[str, Any]) -> Program:
    from llvmlite import binding  # type: ignore[import-untyped]

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    engine = binding.create_mcjit_compiler(
        binding.parse_assembly(""), binding.Target.from_default_triple().create_target_machine()
    )
    if "numba" not in sys.modules:  # numba defines the symbols of its errors; kernels raise none
        end = ctypes.cast(ctypes.CDLL("msvcrt" if os.name == "nt" else None).abort, ctypes.c_void_p).value
        for name in index["symbols"]:
            if binding.address_of_symbol(name) is None:
                binding.add_symbol(name, end)
    calls = {}
    for entry in index["kernels"].values():
        code = binding.ObjectFileRef.from_data((folder / entry["file"]).read_bytes())
        engine.add_object_file(code)
    engine.finalize_object()
    for name, entry in index["kernels"].items():
        calls[name] = _call(engine.get_function_address(entry["symbol"]), entry["arguments"])
    _engines.append(engine)
    return Program(calls)

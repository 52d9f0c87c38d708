"""Kernels as machine code alone: called with buffers and numbers, without the compiler being imported.

To import numba takes half a second of every process, longer than many a question takes to answer. A module of
kernels that names some of them in `NATIVE` has these kept as machine code beside the compiled kernels; here they
are loaded and called, and nothing else is needed. Where nothing can be kept they are compiled in this process.
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

Words: TypeAlias = "memoryview[int]"  # whole numbers of one size

LETTERS: dict[str, Literal["Q", "q", "I"]] = {
    "uint64": "Q",
    "int64": "q",
    "uint32": "I",
}  # what a memoryview calls numbers of a kind
PRIVATE = hasattr(mmap, "MAP_PRIVATE")
ARRAY = "[]"  # behind the kind of what an argument is an array of


def words(count: int, kind: str = "uint64", *, huge: bool = False) -> Words:
    """So many numbers, all of them 0; `huge`: in large pages, for memory that is read far and wide."""
    letter = LETTERS[kind]
    size = max(count, 1) * memoryview(b"").cast(letter).itemsize
    # of its own, not shared as is usual: only such memory comes in large pages
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) if PRIVATE else mmap.mmap(-1, size)
    if huge and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory).cast(letter)[:count]


def _place(array: Words) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(array)) if len(array) else 0


class Program:
    """The native kernels of a module, called by their names: `program("rows", boards, 3, 4)`.

    An array is a `memoryview` of numbers of the kind that the kernel works on. The call waits without Python's lock.
    """

    def __init__(self, calls: Mapping[str, Callable[..., Any]]) -> None:
        self._calls = calls

    def __call__(self, name: str, *arguments: Words | int) -> int:
        given: list[int] = []
        for each in arguments:
            given += (_place(each), len(each)) if isinstance(each, memoryview) else (each,)
        result: int = self._calls[name](*given)
        return result


@lru_cache(maxsize=8)
def program(module: str) -> Program:
    """The native kernels of a module; the first time on a machine they are compiled, which takes a while."""
    if kernel.uncompiled():
        return _plain(module)
    kept = kernel.keep(module)
    index = kept / f"{module}.json" if kept else None
    if kept is None or index is None or not index.exists():
        table = importlib.import_module(module).NATIVE
        made = kernel.native_kernels(module)
        _engines.append(made)
        return Program({name: _call(each.address, table[name][1].split()) for name, each in made.items()})
    return _loaded(kept, json.loads(index.read_text(encoding="utf-8")))


def _plain(module: str) -> Program:
    """The same kernels as the Python that they are."""
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
    """The kernel at an address, for arguments of these kinds."""
    kinds: list[Any] = []
    for kind in arguments:
        kinds += (ctypes.c_void_p, ctypes.c_int64) if kind.endswith(ARRAY) else (getattr(ctypes, f"c_{kind}"),)
    return ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(address)


# ── machine code ─────────────────────────────────────────────────────────────────────────────────


_engines: list[Any] = []  # that hold the code that has been loaded


def _loaded(folder: Path, index: Mapping[str, Any]) -> Program:
    from llvmlite import binding  # type: ignore[import-untyped]

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    engine = binding.create_mcjit_compiler(
        binding.parse_assembly(""), binding.Target.from_default_triple().create_target_machine()
    )
    if "numba" not in sys.modules:  # which brings what its errors need; kernels make none
        end = ctypes.cast(ctypes.CDLL("msvcrt" if os.name == "nt" else None).abort, ctypes.c_void_p).value
        for name in index["symbols"]:
            if binding.address_of_symbol(name) is None:
                binding.add_symbol(name, end)
    calls = {}
    for told in index["kernels"].values():
        code = binding.ObjectFileRef.from_data((folder / told["file"]).read_bytes())
        engine.add_object_file(code)
    engine.finalize_object()
    for name, told in index["kernels"].items():
        calls[name] = _call(engine.get_function_address(told["symbol"]), told["arguments"])
    _engines.append(engine)
    return Program(calls)

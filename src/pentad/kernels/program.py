"""The kernels of a module as drivers call them: machine code without numba, or plain Python.

`program` loads the machine code that comes with the installation (`prebuilt`). Without it, machine code is kept in the
cache; the first time on a machine it is compiled, which takes a while. Without a writable cache it is compiled
in this process. Without numba, or with `NUMBA_DISABLE_JIT=1`, the kernels run as Python: those of engines, which import
`numbers`, with nothing else, those that import numpy with numpy's arrays.
"""

from __future__ import annotations

import ctypes
import json
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from pentad.kernels import backends, cache, object_files, plain_numbers, prebuilt, processors
from pentad.kernels.buffers import FORMATS, Buffer
from pentad.kernels.memory_map import adjacent_memory
from pentad.kernels.object_files import UnknownFile
from pentad.kernels.packing import Argument, flat, packer
from pentad.kernels.parameters import Entry, Parameter, entries_of, parameter
from pentad.kernels.prebuilt import Signatures
from pentad.system.errors import Unavailable

Call: TypeAlias = Callable[..., Any]  # with the address and length of each array, and numbers
ADVICE = "Install a wheel for this platform, or pentad[compile]."


class NoMachineCode(Unavailable):
    """Nothing here can run the kernels of a module."""


class Program:
    """The kernels of a module, called by their names: `program("rows", boards, 3, 4)`.

    An array is a `memoryview` with the element type of the kernel's parameter. The call releases the GIL.
    """

    def __init__(self, calls: Mapping[str, Call]) -> None:
        self._calls = calls

    def __call__(self, name: str, *arguments: Argument) -> Any:
        return self._calls[name](*flat(arguments))

    def bind(self, name: str, *arguments: Argument) -> Call:
        """A kernel with its first arguments, for many calls with the same arrays."""
        call, first = self._calls[name], flat(arguments)
        return partial(_call_keeping, arguments, call, first)


def _call_keeping(_: tuple[Argument, ...], call: Call, first: Sequence[float], *rest: Argument) -> Any:
    """Calls a kernel; the arrays whose addresses it gets stay alive as long as the partial that holds them."""
    return call(*first, *flat(rest))


@lru_cache(maxsize=16)
def program(module: str) -> Program:
    """The kernels of a module that has a table of entry points."""
    if not backends.is_jit_disabled() and (loaded := prebuilt.load(module)):
        return _called(*loaded)
    if not backends.is_compiling():
        entries = _entries_in_python(module)
        backends.warn_about_python()
        return Program({name: partial(_in_python, each) for name, each in entries.items()})
    folder = cache.ensure_compiled(module)
    kept = _kept(folder, module) if folder else None
    return _loaded(*(kept or _compiled_here(module)))


def _entries_in_python(module: str) -> dict[str, Entry]:
    """The entry points of a module whose kernels run as Python."""
    try:
        return entries_of(module)
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise NoMachineCode(
            "There is no machine code for {module}, and no numba to make it. {advice}", module=module, advice=ADVICE
        ) from None


def machine_code(module: str) -> Program | None:
    """The kernels of a module as machine code; None where they could only run as Python."""
    if backends.is_jit_disabled():
        return None
    return program(module) if prebuilt.load(module) or backends.is_compiling() else None


def is_fast(module: str) -> bool:
    """Whether the kernels of a module are machine code here, or Python only because `NUMBA_DISABLE_JIT` says so."""
    return backends.is_jit_disabled() or backends.has_compiler() or prebuilt.load(module) is not None


def _kept(folder: Path, module: str) -> tuple[bytes, Signatures] | None:
    """The object file for the best level that is kept, and the signatures; None where they are not complete."""
    index = folder / cache.index_name(module)
    for level in processors.runnable_levels():
        code = folder / cache.object_name(module, level)
        if code.exists() and index.exists():
            return code.read_bytes(), json.loads(index.read_text(encoding="utf-8"))
    return None


def _compiled_here(module: str) -> tuple[bytes, Signatures]:
    from pentad.kernels import machine_code
    from pentad.kernels.decorator import compile_parts_only

    compile_parts_only()
    linked = machine_code.link(module)
    code = machine_code.emit(linked, machine_code.processor(processors.this_level()))
    return code, machine_code.signatures(module, linked.results)


def _loaded(code: bytes, signatures: Signatures) -> Program:
    """Loads an object file: on Linux by `object_files`, else by LLVM's loader, but without its compiler."""
    with suppress(UnknownFile):
        return _called(object_files.load(code).__getitem__, signatures)
    from llvmlite import binding  # type: ignore[import-untyped]

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    with adjacent_memory(len(code)):
        engine.add_object_file(binding.ObjectFileRef.from_data(code))
        engine.finalize_object()
    _engines.append(engine)
    return _called(engine.get_function_address, signatures)


def _called(address_of: Callable[[str], int], signatures: Signatures) -> Program:
    """The entry points at their addresses."""
    return Program(
        {
            name: _c_function(address_of(name), list(map(parameter, each["parameters"].split())), each["result"])
            for name, each in signatures.items()
        }
    )


_engines: list[Any] = []  # owners of the loaded code


def _c_function(place: int, parameters: Iterable[Parameter], result: str) -> Call:
    """The function at an address, which takes the address of a block with all its arguments."""
    pack = packer(parameters)
    function = ctypes.CFUNCTYPE(ctypes.c_double if result == "float64" else ctypes.c_int64, ctypes.c_char_p)(place)
    return lambda *numbers: function(pack(*numbers))


def _in_python(entry: Entry, *given: Any) -> Any:
    """Calls a kernel as Python, with arrays and numbers of the types that its parameters declare."""
    numbers = entry.plain.__globals__.get("np", plain_numbers)  # what its module calls `np`
    call = _plain if numbers is plain_numbers else _with_numpy
    return call(entry, iter(given))


def _plain(entry: Entry, given: Iterator[Any]) -> Any:
    """With Python's numbers and memoryviews."""

    def value_of(its: Parameter) -> Any:
        if its.is_array:
            return plain_numbers.shaped(_memory(its, next(given), next(given)), its.row)
        return plain_numbers.TYPES[its.kind](next(given) if its.value is None else its.value)

    found = entry.plain(*entry.put_together(map(value_of, entry.parameters)))
    return 0 if found is None else found


def _memory(its: Parameter, place: int, count: int) -> Buffer:
    """The memory of an array."""
    form = FORMATS[its.kind]
    memory = (ctypes.c_char * (count * struct.calcsize(form))).from_address(place) if count else b""
    return memoryview(memory).cast("B").cast(form)


def _with_numpy(entry: Entry, given: Iterator[Any]) -> Any:
    """With numpy's numbers and arrays."""
    import numpy

    def value_of(its: Parameter) -> Any:
        if its.is_array:
            return numpy.frombuffer(_memory(its, next(given), next(given)), its.kind).reshape(-1, *its.row)
        return numpy.dtype(its.kind).type(next(given) if its.value is None else its.value)

    with numpy.errstate(all="ignore"):  # numbers wrap around, as compiled
        found = entry.plain(*entry.put_together(map(value_of, entry.parameters)))
    return 0 if found is None else found.item() if isinstance(found, numpy.generic) else found

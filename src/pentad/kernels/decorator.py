"""The decorator of kernels, `kernel`, which lets numba compile them.

A kernel is a function over numbers and arrays in a module named `*kernels.py`. Those that drivers call are listed in
their module's `NATIVE`; they become machine code in one piece (`machine_code`) and are called through `program`. A
kernel that is called directly, as tests do, is compiled by numba alone.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from pentad.kernels.backends import is_compiling
from pentad.kernels.blocks import register_records, signature_of
from pentad.kernels.cache import folder
from pentad.system.words import phrase

Function = TypeVar("Function", bound=Callable[..., Any])

# What a kernel needs to become a part of machine code: no entry points for Python, and no code of its own in the cache.
PARTS_ONLY = {"cache": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_options: dict[str, bool] = {}


def compile_parts_only() -> None:
    """From now on, this process compiles kernels as parts of machine code; Python cannot call them."""
    _options.update(PARTS_ONLY)


def numba_compiler() -> Callable[..., Any]:
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
def kernel(*, inline: bool) -> Callable[[Function], Function]: ...
def kernel(target: Function | None = None, *, inline: bool = False) -> Function | Callable[[Function], Function]:
    """Compiles a function when it is first called; without numba, or with `NUMBA_DISABLE_JIT=1`, it stays Python.

    A kernel whose parameters and result have types of `types` is compiled for these types alone, and may call itself.
    Any other one is compiled for the types that it is called with. With `@kernel(inline=True)` its code stands in each
    kernel that calls it: for small steps of a loop, where LLVM would rather have a call.
    """
    if target is None:
        return partial(_kernel, inline=inline)
    return _kernel(target, inline)


def _kernel(function: Function, inline: bool) -> Function:
    if not is_compiling():
        return function
    if not _options:  # Python may call it
        register_records(function)
    njit = numba_compiler()
    from pentad.kernels.numba_internals import compile_when_used

    how = {"cache": folder() is not None, "nogil": True, "error_model": "numpy", "forceinline": inline, **_options}
    return cast("Function", compile_when_used(njit(**how)(function), partial(signature_of, function)))


prefetch: Callable[[Any, Any], None]
is_due: Callable[[], int]

if not TYPE_CHECKING:  # a type checker would accept any attribute

    def __getattr__(name: str) -> Any:
        make = {"prefetch": _made_prefetch, "is_due": _made_is_due}.get(name)
        if make is None:
            raise AttributeError(phrase("Module {name} has no attribute {attribute}.", name=__name__, attribute=name))
        made = globals()[name] = make()
        return made


def _made_prefetch() -> Callable[[Any, Any], None]:
    """`prefetch(array, index)` hints that the word there is read soon, for kernels with random access to memory."""
    if not is_compiling():
        return lambda array, index: None
    numba_compiler()
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


def _made_is_due() -> Callable[[], int]:
    """`is_due()` says whether the deadline has passed; only code for pages has one (`machine_code.CLOCKS`)."""
    if not is_compiling():
        return lambda: 0
    numba_compiler()
    from llvmlite import binding
    from numba import types

    binding.add_symbol(IS_DUE, ctypes.cast(_never_due, ctypes.c_void_p).value)  # for kernels that Python calls directly
    return cast("Callable[[], int]", types.ExternalFunction(IS_DUE, types.int64()))


IS_DUE = "pentad_is_due"
_never_due = ctypes.CFUNCTYPE(ctypes.c_int64)(lambda: 0)

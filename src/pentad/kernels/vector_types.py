"""Vectors of LLVM as types of kernels: what `word_vectors` and `integer_vectors` share.

These functions need numba; they are called only where kernels are compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from pentad.kernels.decorator import numba_compiler


@lru_cache(maxsize=1)
def _vector() -> Any:
    numba_compiler()
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import types
    from numba.extending import models, register_model

    class Vector(types.Type):
        def __init__(self, bits: int, count: int) -> None:
            self.vector, self.count = ir.VectorType(ir.IntType(bits), count), count
            super().__init__(name=f"vector of {count} times {bits} bits")

    class Model(models.PrimitiveModel):
        def __init__(self, manager: Any, its: Any) -> None:
            super().__init__(manager, its, its.vector)  # type: ignore[no-untyped-call]

    register_model(Vector)(Model)
    return Vector


def vector_type(bits: int, count: int) -> Any:
    """The type of vectors of so many integers; `vector` is LLVM's type."""
    return _vector()(bits, count)


def are_vectors(*given: Any) -> bool:
    """Whether these types are vectors, all of the same type."""
    return isinstance(given[0], _vector()) and all(each == given[0] for each in given)


def shuffled(builder: Any, value: Any, which: Sequence[int]) -> Any:
    """The elements of a vector with these numbers."""
    from llvmlite import ir

    order = ir.Constant(ir.VectorType(ir.IntType(32), len(which)), list(which))
    return builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), order)


def place(context: Any, builder: Any, signature: Any, arguments: Any, type_: Any) -> Any:
    """A pointer to a value of LLVM's type in the first argument, an array, at the second, an index."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.bitcast(builder.gep(array.data, [arguments[1]]), type_.as_pointer())


def overload_between(name: str, function: Callable[..., Any]) -> None:
    """Compiles an operator between two vectors of the same type as the builder's method of this name."""
    from numba import extending

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return getattr(builder, name)(*arguments)

    intrinsic: Any = extending.intrinsic
    made = intrinsic(lambda _, a, b: (a(a, b), code) if are_vectors(a, b) else None)
    extending.overload(function)(lambda a, b: (lambda a, b: made(a, b)) if are_vectors(a, b) else None)

"""Four words side by side, worked on at once as processors can: for kernels whose loops nothing else makes fast.

A quad is what `four`, `twice` and `quad_of` give; it knows `|`, `&`, `~`, `<<` and `>>`. In Python it is a small
array; compiled it is one register.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pentad.kernel import compiler, uncompiled

Word: TypeAlias = np.uint64
Words: TypeAlias = NDArray[np.uint64]
Quad: TypeAlias = NDArray[np.uint64]


def four(array: Words, index: Word) -> Quad:
    """The four words that stand at an index."""
    return np.array(array[int(index) : int(index) + 4])


def twice(array: Words, index: Word) -> Quad:
    """The two words that stand at an index, twice."""
    return np.tile(array[int(index) : int(index) + 2], 2)


def put(array: Words, index: Word, value: Quad) -> None:
    """Let a quad stand at an index."""
    array[int(index) : int(index) + 4] = value


def swapped(value: Quad) -> Quad:
    """The first two words exchanged, and the last two."""
    return value[np.array([1, 0, 3, 2])]


def quad_of(a: Word, b: Word, c: Word, d: Word) -> Quad:
    """These four words."""
    return np.array([a, b, c, d], np.uint64)


def _compiled() -> tuple[Callable[..., Any], ...]:
    """The same five as machine code, and the operators of quads."""
    compiler()
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import extending, types
    from numba.extending import models, overload, register_model

    intrinsic: Any = extending.intrinsic
    kind = type("Quad", (types.Type,), {})
    quad = kind(name="Quad")
    words = ir.VectorType(ir.IntType(64), 4)
    pair = ir.VectorType(ir.IntType(64), 2)
    number = ir.IntType(32)
    Model: Any = models.PrimitiveModel  # noqa: N806
    register_model(kind)(
        type("QuadModel", (Model,), {"__init__": lambda self, manager, its: Model.__init__(self, manager, its, words)})
    )

    def lanes(*which: int) -> Any:
        return ir.Constant(ir.VectorType(number, len(which)), list(which))

    def place(context: Any, builder: Any, signature: Any, arguments: Any, vector: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.bitcast(builder.gep(array.data, [arguments[1]]), vector.as_pointer())

    def is_quad(*given: Any) -> bool:
        return all(isinstance(each, kind) for each in given)

    def between_two(name: str, function: Callable[..., Any]) -> None:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, name)(*arguments)

        made = intrinsic(lambda _, a, b: (quad(a, b), code) if is_quad(a, b) else None)
        overload(function)(lambda a, b: (lambda a, b: made(a, b)) if is_quad(a, b) else None)

    def shift(name: str, function: Callable[..., Any]) -> None:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            first = builder.insert_element(ir.Constant(words, ir.Undefined), arguments[1], number(0))
            by = builder.shuffle_vector(first, ir.Constant(words, ir.Undefined), lanes(0, 0, 0, 0))
            return getattr(builder, name)(arguments[0], by)

        made = intrinsic(lambda _, a, by: (quad(a, types.uint64), code) if is_quad(a) else None)
        overload(function)(lambda a, by: (lambda a, by: made(a, by)) if is_quad(a) else None)

    def inverted(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.not_(arguments[0])

    between_two("or_", operator.or_)
    between_two("and_", operator.and_)
    shift("shl", operator.lshift)
    shift("lshr", operator.rshift)
    invert = intrinsic(lambda _, a: (quad(a), inverted))
    overload(operator.invert)(lambda a: (lambda a: invert(a)) if is_quad(a) else None)

    @intrinsic  # type: ignore[untyped-decorator]
    def four(_: Any, array: Any, index: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(place(context, builder, signature, arguments, words), align=8)

        return quad(array, types.uint64), code

    @intrinsic  # type: ignore[untyped-decorator]
    def twice(_: Any, array: Any, index: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            two = builder.load(place(context, builder, signature, arguments, pair), align=8)
            return builder.shuffle_vector(two, ir.Constant(pair, ir.Undefined), lanes(0, 1, 0, 1))

        return quad(array, types.uint64), code

    @intrinsic  # type: ignore[untyped-decorator]
    def put(_: Any, array: Any, index: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.store(arguments[2], place(context, builder, signature, arguments, words), align=8)
            return context.get_dummy_value()

        return types.void(array, types.uint64, value), code

    @intrinsic  # type: ignore[untyped-decorator]
    def swapped(_: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.shuffle_vector(arguments[0], ir.Constant(words, ir.Undefined), lanes(1, 0, 3, 2))

        return quad(value), code

    @intrinsic  # type: ignore[untyped-decorator]
    def quad_of(_: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            made = ir.Constant(words, ir.Undefined)
            for n, word in enumerate(arguments):
                made = builder.insert_element(made, word, number(n))
            return made

        return quad(types.uint64, types.uint64, types.uint64, types.uint64), code

    return four, twice, put, swapped, quad_of


if not uncompiled():
    four, twice, put, swapped, quad_of = _compiled()

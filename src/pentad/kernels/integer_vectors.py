"""SIMD vectors of sixteen 16-bit or eight 32-bit integers, for evaluations in kernels.

Vectors have the operators `+`, `-`, `*` and `>>`, whose results wrap around. Compiled each is one register of 256 bits,
or two of 128 bits; in Python the functions are those of `plain_vectors`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

from pentad.kernels.backends import is_compiling
from pentad.kernels.decorator import numba_compiler
from pentad.kernels.numbers import np
from pentad.kernels.plain_vectors import (
    SHORTS,
    WORDS,
    Vector,
    copy_shorts,
    first_words,
    larger,
    last_words,
    load_shorts,
    load_words,
    products,
    repeat_pair,
    same_shorts,
    same_words,
    shorts_in,
    smaller,
    store,
    total,
    words_in,
)
from pentad.kernels.vector_types import are_vectors, overload_between, place, shuffled, vector_type

__all__ = [
    "SHORTS", "WORDS", "Shorts", "Words", "copy_shorts", "first_words", "larger", "last_words", "load_shorts",
    "load_words", "products", "repeat_pair", "same_shorts", "same_words", "shorts_in", "smaller", "store", "total",
    "words_in",
]  # fmt: skip
Shorts: TypeAlias = Vector
Words: TypeAlias = Vector


def _compiled() -> tuple[Callable[..., Any], ...]:
    """The same functions as intrinsics; registers the operators too."""
    numba_compiler()
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import extending, types
    from numba.extending import overload

    intrinsic: Any = extending.intrinsic
    shorts, words = vector_type(16, SHORTS), vector_type(32, WORDS)
    word = words.vector.element

    def same(builder: Any, number: Any, vector: Any) -> Any:
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.IntType(32)(0))
        return shuffled(builder, one, [0] * vector.count)

    def shifted(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = signature.args[0].vector
        return builder.ashr(arguments[0], same(builder, builder.trunc(arguments[1], vector.element), vector))

    overload_between("add", operator.add)
    overload_between("sub", operator.sub)
    overload_between("mul", operator.mul)
    shift = intrinsic(lambda _, a, by: (a(a, types.int64), shifted) if a in (shorts, words) else None)
    overload(operator.rshift)(lambda a, by: (lambda a, by: shift(a, by)) if a in (shorts, words) else None)

    def loaded(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = signature.return_type.vector
        return builder.load(place(context, builder, signature, arguments, vector), align=vector.element.width // 8)

    def stored(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = signature.args[2].vector
        to = place(context, builder, signature, arguments, vector)
        builder.store(arguments[2], to, align=vector.element.width // 8)
        return context.get_dummy_value()

    def pair_repeated(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = builder.load(place(context, builder, signature, arguments, word), align=2)
        return builder.bitcast(same(builder, pair, words.vector), shorts.vector)

    def all_the_same(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = signature.return_type.vector
        return same(builder, builder.trunc(arguments[0], vector.element), vector)

    def chosen(order: str) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.select(builder.icmp_signed(order, *arguments), *arguments)

        return intrinsic(lambda _, a, b: (a(a, b), code) if are_vectors(a, b) else None)

    def widened(first: int) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.sext(shuffled(builder, arguments[0], range(first, first + WORDS)), words.vector)

        return intrinsic(lambda _, a: (words(a), code) if a == shorts else None)

    def multiplied(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.VectorType(word, SHORTS)
        both = builder.mul(*(builder.sext(each, wide) for each in arguments))
        return builder.add(*(shuffled(builder, both, range(odd, SHORTS, 2)) for odd in (0, 1)))

    def summed(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (value,) = arguments
        for distance in (4, 2, 1):
            value = builder.add(value, shuffled(builder, value, [n ^ distance for n in range(WORDS)]))
        return builder.sext(builder.extract_element(value, ir.IntType(32)(0)), ir.IntType(64))

    index, number = types.uint64, types.int64
    load = intrinsic(lambda _, array, i: (shorts(array, index), loaded))
    save = intrinsic(lambda _, array, i, value: (types.void(array, index, value), stored))
    overload(copy_shorts)(lambda to, i, of, start: lambda to, i, of, start: save(to, i, load(of, start)))
    overload(shorts_in)(lambda array: lambda array: array.view(np.int16))
    overload(words_in)(lambda array: lambda array: array.view(np.int32))
    return (
        load,
        intrinsic(lambda _, array, i: (words(array, index), loaded)),
        save,
        intrinsic(lambda _, array, i: (shorts(array, index), pair_repeated)),
        intrinsic(lambda _, n: (shorts(number), all_the_same)),
        intrinsic(lambda _, n: (words(number), all_the_same)),
        chosen(">"),
        chosen("<"),
        widened(0),
        widened(WORDS),
        intrinsic(lambda _, a, b: (words(a, b), multiplied)),
        intrinsic(lambda _, a: (number(a), summed)),
    )


if is_compiling():
    (
        load_shorts, load_words, store, repeat_pair, same_shorts, same_words, larger, smaller, first_words, last_words,
        products, total,
    ) = _compiled()  # fmt: skip

"""SIMD vectors of two, four or eight 64-bit words, for kernels.

A vector is called lanes and has the operators `|`, `&`, `~`, `<<` and `>>`. In Python it is a small array; compiled it
is one register.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from pentad.kernels.backends import is_compiling
from pentad.kernels.decorator import numba_compiler
from pentad.kernels.types import UInt64s, Word
from pentad.kernels.vector_types import overload_between, place, shuffled, vector_type

Words: TypeAlias = UInt64s

if TYPE_CHECKING:

    class Lanes:
        """What kernels do with lanes."""

        def __len__(self) -> int: ...
        def __getitem__(self, index: int) -> Word: ...
        def __iter__(self) -> Iterator[Word]: ...
        def __or__(self, other: Lanes) -> Lanes: ...
        def __and__(self, other: Lanes) -> Lanes: ...
        def __invert__(self) -> Lanes: ...
        def __lshift__(self, by: Word) -> Lanes: ...
        def __rshift__(self, by: Word) -> Lanes: ...

else:
    Lanes = np.ndarray


def _lanes(words: object) -> Lanes:
    return cast("Lanes", np.array(words, np.uint64))


def load(array: Words, index: Word, like: Lanes) -> Lanes:
    """Loads the words at an index, as many as `like` has."""
    return _lanes(array[int(index) : int(index) + len(like)])


def repeat(array: Words, index: Word, like: Lanes) -> Lanes:
    """Loads the two words at an index, repeated to the length of `like`."""
    return _lanes(np.tile(array[int(index) : int(index) + 2], len(like) // 2))


def store(array: Words, index: Word, value: Lanes) -> None:
    """Stores words at an index."""
    for n in range(len(value)):
        array[int(index) + n] = value[n]


def swapped(value: Lanes) -> Lanes:
    """The first two words exchanged, and the last two."""
    return _lanes([value[n ^ 1] for n in range(len(value))])


def bytes_exchanged(value: Lanes) -> Lanes:
    """The two bytes of each 16 bits exchanged."""
    return _lanes(np.asarray(value).view(np.uint16).byteswap().view(np.uint64))


def four(a: Word, b: Word, c: Word, d: Word) -> Lanes:
    """A vector of four words."""
    return _lanes([a, b, c, d])


def two(a: Word, b: Word) -> Lanes:
    """A vector of two words."""
    return _lanes([a, b])


def joined(a: Lanes, b: Lanes) -> Lanes:
    """One vector of the words of two."""
    return _lanes([*a, *b])


def broadcast(word: Word, like: Lanes) -> Lanes:
    """A vector with the same word in each lane, as long as `like`."""
    return _lanes([word] * len(like))


def _compiled() -> tuple[Callable[..., Any], ...]:
    """The same functions as intrinsics; registers the operators too."""
    numba_compiler()
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import extending, types
    from numba.extending import overload

    intrinsic: Any = extending.intrinsic
    number = ir.IntType(32)
    kinds = {count: vector_type(64, count) for count in (2, 4, 8)}
    machine = {count: kind.vector for count, kind in kinds.items()}

    def of(builder: Any, words: Any) -> Any:
        made = ir.Constant(machine[len(words)], ir.Undefined)
        for n, word in enumerate(words):
            made = builder.insert_element(made, word, number(n))
        return made

    def shift(name: str, function: Callable[..., Any]) -> None:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            by = of(builder, [arguments[1]] * signature.args[0].count)
            return getattr(builder, name)(arguments[0], by)

        made = intrinsic(lambda _, a, by: (a(a, types.uint64), code) if a in kinds.values() else None)
        overload(function)(lambda a, by: (lambda a, by: made(a, by)) if a in kinds.values() else None)

    def inverted(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.not_(arguments[0])

    overload_between("or_", operator.or_)
    overload_between("and_", operator.and_)
    shift("shl", operator.lshift)
    shift("lshr", operator.rshift)
    invert = intrinsic(lambda _, a: (a(a), inverted))
    overload(operator.invert)(lambda a: (lambda a: invert(a)) if a in kinds.values() else None)

    def loaded(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = machine[signature.args[2].count]
        return builder.load(place(context, builder, signature, arguments, vector), align=8)

    def repeated(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = builder.load(place(context, builder, signature, arguments, machine[2]), align=8)
        return shuffled(builder, pair, [n % 2 for n in range(signature.args[2].count)])

    def stored(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = machine[signature.args[2].count]
        builder.store(arguments[2], place(context, builder, signature, arguments, vector), align=8)
        return context.get_dummy_value()

    def exchanged(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return shuffled(builder, arguments[0], [n ^ 1 for n in range(signature.args[0].count)])

    def bytes_swapped(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        count = 8 * signature.args[0].count
        as_bytes = builder.bitcast(arguments[0], ir.VectorType(ir.IntType(8), count))
        return builder.bitcast(shuffled(builder, as_bytes, [n ^ 1 for n in range(count)]), arguments[0].type)

    def together(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return of(builder, arguments)

    def both(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        count = signature.return_type.count
        order = ir.Constant(ir.VectorType(number, count), list(range(count)))
        return builder.shuffle_vector(*arguments, order)

    def same(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return of(builder, [arguments[0]] * signature.args[1].count)

    word = types.uint64
    return (
        intrinsic(lambda _, array, index, like: (like(array, word, like), loaded)),
        intrinsic(lambda _, array, index, like: (like(array, word, like), repeated)),
        intrinsic(lambda _, array, index, value: (types.void(array, word, value), stored)),
        intrinsic(lambda _, value: (value(value), exchanged)),
        intrinsic(lambda _, value: (value(value), bytes_swapped)),
        intrinsic(lambda _, a, b, c, d: (kinds[4](word, word, word, word), together)),
        intrinsic(lambda _, a, b: (kinds[2](word, word), together)),
        intrinsic(lambda _, a, b: (kinds[2 * a.count](a, b), both)),
        intrinsic(lambda _, one, like: (like(word, like), same)),
    )


if is_compiling():
    load, repeat, store, swapped, bytes_exchanged, four, two, joined, broadcast = _compiled()

"""Records as numba sees them: a pointer to a block of 64-bit numbers, two for each array and one for each number.

An array has its address and its length. A record within a record is a part of its block; counters are an array. Kernels
hand each record on as one pointer. The driver fills a block before a call, and nothing changes it meanwhile: LLVM may
read it as often or as rarely as it likes.

These functions need numba; they are called only where kernels are compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache
from math import prod
from typing import Any, cast, get_type_hints

from pentad.kernels.packing import packed
from pentad.kernels.parameters import (
    BadTable,
    Declared,
    Parameter,
    RecordType,
    declared,
    flattened,
    is_record,
    plain_of,
    record_of,
)
from pentad.kernels.types import Counters


def width_of(one: Declared) -> int:
    """The 64-bit numbers of a parameter or a record in a block."""
    return sum(0 if each.value is not None else 1 + each.is_array for each in flattened(one))


def numba_type(one: Declared) -> Any:
    """numba's type of a parameter or a record."""
    if isinstance(one, RecordType):
        if issubclass(one.type, Counters):
            return _types()[1](one.type)
        return block_type(f"{one.type.__module__}.{one.type.__qualname__}", one.parts)
    from numba import types

    kind = getattr(types, one.kind)
    return types.Array(kind, 1 + len(one.row), "C") if one.is_array else kind


def block_type(name: str, parts: Sequence[tuple[str, Declared]]) -> Any:
    """numba's type of a pointer to a block with these parts, which no other block of this name has."""
    return _types()[0](name, parts)


def register_records(function: Callable[..., Any]) -> None:
    """Lets Python call a kernel with records: numba knows the types of its own from now on."""
    try:
        hints = get_type_hints(plain_of(function), include_extras=True)
    except (NameError, TypeError):
        return
    for hint in hints.values():
        if is_record(hint):
            _register(cast("Hashable", hint))


@cache
def _register(record: Hashable) -> None:
    from numba.extending import typeof_impl

    assert isinstance(record, type)
    typeof_impl.register(record)(lambda value, _: numba_type(record_of(type(value))))


def signature_of(function: Callable[..., Any]) -> Any:
    """numba's signature of a kernel whose parameters and result all have types of `types`, one at least an array.

    None for others, and for kernels that make a record: they are compiled for the types that they are called with.
    """
    plain = plain_of(function)
    try:
        hints = get_type_hints(plain, include_extras=True)
        result = hints.pop("return", None)
        taken = [declared(hints[each], each) for each in plain.__code__.co_varnames[: plain.__code__.co_argcount]]
        given = declared(result) if result not in (None, type(None)) else None
    except (BadTable, NameError, TypeError, AttributeError, LookupError):
        return None
    if isinstance(given, RecordType) or all(isinstance(each, Parameter) and not each.is_array for each in taken):
        return None
    from numba import types

    return (numba_type(given) if given else types.none)(*map(numba_type, taken))


@lru_cache(maxsize=1)
def _types() -> tuple[Any, Any]:
    """The classes of the types of blocks and of counters, registered with numba."""
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import types
    from numba.extending import models, register_model, unbox

    from pentad.kernels.numba_internals import (
        AttributeTemplate,
        Conversion,
        NativeValue,
        cgutils,
        infer_getattr,
        lower_cast,
        lower_getattr_generic,
        lower_setattr_generic,
        populate_array,
    )

    word, byte = ir.IntType(64), ir.IntType(8)

    class Block(types.Type):
        def __init__(self, name: str, parts: Sequence[tuple[str, Declared]]) -> None:
            self.places: dict[str, tuple[int, Declared]] = {}
            at = 0
            for each, one in parts:
                self.places[each] = (at, one)
                at += width_of(one)
            super().__init__(f"Block({name})")

    class Numbers(types.Type):
        def __init__(self, record: type[Counters]) -> None:
            self.record, self.places = record, {name: place for place, name in enumerate(record.names)}
            super().__init__(f"Counters({record.__module__}.{record.__qualname__})")

        def can_convert_to(self, typingctx: Any, other: Any) -> Any:
            is_general = isinstance(other, Numbers) and issubclass(self.record, other.record)
            return Conversion.safe if is_general else None

    register_model(Block)(models.OpaqueModel)
    register_model(Numbers)(models.OpaqueModel)

    def generalised(*given: Any) -> Any:
        return given[-1]

    lower_cast(Numbers, Numbers)(generalised)

    @infer_getattr
    class Counter(AttributeTemplate):
        key = Numbers

        def generic_resolve(self, its: Any, name: str) -> Any:  # type: ignore[override]
            return types.int64 if name in its.places else None

    @infer_getattr
    class Part(AttributeTemplate):
        key = Block

        def generic_resolve(self, its: Any, name: str) -> Any:  # type: ignore[override]
            return numba_type(its.places[name][1]) if name in its.places else None

    def place(builder: Any, pointer: Any, number: int) -> Any:
        return cgutils.gep_inbounds(builder, builder.bitcast(pointer, word.as_pointer()), number)

    def read_counter(_: Any, builder: Any, its: Any, value: Any, name: str) -> Any:
        return builder.load(place(builder, value, its.places[name]))

    lower_getattr_generic(Numbers)(read_counter)

    def write_counter(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> None:
        its, kind = signature.args
        number = context.cast(builder, arguments[1], kind, types.int64)
        builder.store(number, place(builder, arguments[0], its.places[name]))

    lower_setattr_generic(Numbers)(write_counter)

    def read_part(context: Any, builder: Any, its: Any, value: Any, name: str) -> Any:
        at, one = its.places[name]

        def read(number: int) -> Any:
            found = builder.load(place(builder, value, number))
            found.set_metadata("invariant.load", builder.module.add_metadata([]))
            return found

        if isinstance(one, RecordType):
            if issubclass(one.type, Counters):
                return builder.inttoptr(read(at), byte.as_pointer())
            return builder.bitcast(place(builder, value, at), byte.as_pointer())
        kind = numba_type(one)
        if not one.is_array:
            return builder.bitcast(read(at), context.get_value_type(kind))
        element = context.get_data_type(kind.dtype)
        size = context.get_abi_sizeof(element)
        array = context.make_array(kind)(context, builder)
        count = read(at + 1)
        populate_array(
            array,
            data=builder.inttoptr(read(at), element.as_pointer()),
            shape=[builder.udiv(count, word(prod(one.row))) if one.row else count, *map(word, one.row)],
            strides=[word(size * prod(one.row[axis:])) for axis in range(len(one.row) + 1)],
            itemsize=word(size),
            meminfo=None,
        )
        return array._getvalue()

    lower_getattr_generic(Block)(read_part)

    def unboxed(_: Any, given: Any, c: Any) -> Any:
        """The address of a record's block, which Python fills and keeps for the length of a call."""
        pack = c.pyapi.unserialize(c.pyapi.serialize_object(packed))
        block = c.pyapi.call_function_objargs(pack, [given])
        c.pyapi.decref(pack)
        address = c.pyapi.bytes_as_string(block)
        return NativeValue(address, is_error=c.pyapi.c_api_error(), cleanup=lambda: c.pyapi.decref(block))

    def counters_unboxed(its: Any, given: Any, c: Any) -> Any:
        """The address of counters' memory, the first number of the block of a record of them."""
        native = unboxed(its, given, c)
        found = c.builder.load(c.builder.bitcast(native.value, word.as_pointer()))
        native.value = c.builder.inttoptr(found, byte.as_pointer())
        return native

    register_unboxing: Any = unbox
    register_unboxing(Block)(unboxed)
    register_unboxing(Numbers)(counters_unboxed)
    return Block, Numbers

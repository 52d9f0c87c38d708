"""Arrays for kernels without numpy: memoryviews over zeroed memory, with the element types of kernels.

Index and slice them like any memoryview; a slice shares the memory. Rows of several dimensions are kept one after the
other, as kernels declare them (`int64[,4]` has rows of four).
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import sys
import threading
import time
from array import array as Column  # noqa: N812 - `array` is the function below
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, cast, overload

from pentad.kernels.types import Array, NumberKind, Rows, notes_of
from pentad.system.words import phrase

Buffer: TypeAlias = "memoryview[Any]"

# The memoryview format of each element type.
FORMATS: dict[str, Literal["Q", "q", "I", "i", "H", "h", "B", "b", "d", "f"]] = {
    "uint64": "Q",
    "int64": "q",
    "uint32": "I",
    "int32": "i",
    "uint16": "H",
    "int16": "h",
    "uint8": "B",
    "int8": "b",
    "float64": "d",
    "float32": "f",
}
A = TypeVar("A", bound="Array[Any] | Rows[Any]")
LARGE = 1 << 16  # bytes from which memory is asked of the system and given back to it
IN_PAGE = sys.platform == "emscripten"  # whose system knows the names alone
HAS_LARGE_PAGES = hasattr(mmap, "MADV_HUGEPAGE") and hasattr(mmap, "MADV_NOHUGEPAGE") and not IN_PAGE
LARGE_PAGE = 1 << 21
SLOW_PAGE = 0.001  # seconds for a large page; small ones take 0.7 ms instead
SMALL_PART = 32 * LARGE_PAGE  # then so much memory gets small pages, before a large one is tried again
PRIVATE = hasattr(mmap, "MAP_PRIVATE")
# Whether the system can take back memory that a process keeps, where others need it. A page's memory never shrinks.
RECLAIMS = PRIVATE and hasattr(mmap, "MADV_FREE") and not IN_PAGE


@overload
def zeros(count: int, kind: str, *, huge: bool = False) -> Buffer: ...
@overload
def zeros(count: int, kind: type[A], *, huge: bool = False) -> A: ...
def zeros(count: int, kind: Any, *, huge: bool = False) -> Any:
    """A zeroed array of numbers of a kind, by its name or its type; with `huge` in large pages, for random access."""
    form = _format_of(kind)
    size = max(count, 1) * memoryview(b"").cast(form).itemsize
    if size < LARGE and not huge:
        return memoryview(bytearray(size)).cast(form)[:count]
    # private, not shared as by default: only private memory gets large pages
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) if PRIVATE else mmap.mmap(-1, size)
    if huge and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory).cast(form)[:count]


def choose_pages(memory: mmap.mmap, seconds: Callable[[], float]) -> None:
    """Finds large pages for new memory, and leaves parts of it to small ones where these are found faster.

    A virtual machine may have to ask its host for each large page, while it still has small ones.
    """

    def took(first: int, size: int) -> float:
        """The time to find the pages of a large page's length."""
        since, last = seconds(), min(first + LARGE_PAGE, len(memory))
        memory[first:last:size] = bytes(len(range(first, last, size)))
        return seconds() - since

    place = -ctypes.addressof(ctypes.c_char.from_buffer(memory)) % LARGE_PAGE
    while place < len(memory):
        large, place = took(place, LARGE_PAGE), place + LARGE_PAGE
        if large > SLOW_PAGE and place < len(memory):
            part = min(SMALL_PART, len(memory) - place)
            with contextlib.suppress(OSError):
                memory.madvise(mmap.MADV_NOHUGEPAGE, place, part)
                if took(place, mmap.PAGESIZE) > large / 2:
                    memory.madvise(mmap.MADV_HUGEPAGE, place, part)
            place += part


class Arena:
    """Large memory that a process uses again and again: the system need not find and clear its pages each time.

    Between two uses the system may take the pages back, without a word, if it is short of memory. Where it cannot, the
    memory is given back after each use.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._words = zeros(0, "uint64")

    @contextlib.contextmanager
    def words(self, count: int) -> Iterator[Buffer]:
        """So many words with any contents; memory of their own while another thread uses the arena."""
        if not self._lock.acquire(blocking=False):
            yield zeros(count, "uint64", huge=True)
            return
        try:
            if count > len(self._words):
                self._words = zeros(0, "uint64")  # given back before more is asked for
                self._words = zeros(count, "uint64", huge=True)
                if HAS_LARGE_PAGES and isinstance(self._words.obj, mmap.mmap):
                    choose_pages(self._words.obj, time.thread_time)
            yield self._words[:count]
        finally:
            memory = self._words.obj
            if RECLAIMS and isinstance(memory, mmap.mmap):
                with contextlib.suppress(OSError):
                    memory.madvise(mmap.MADV_FREE)
            else:
                self._words = zeros(0, "uint64")
            self._lock.release()

    def release(self) -> None:
        """Gives the memory back, unless it is in use."""
        if self._lock.acquire(blocking=False):
            self._words = zeros(0, "uint64")
            self._lock.release()


@overload
def array(values: Sequence[float], kind: str) -> Buffer: ...
@overload
def array(values: Sequence[float], kind: type[A]) -> A: ...
def array(values: Sequence[float], kind: Any) -> Any:
    """An array of these numbers.

    >>> list(array([1, 2, 3], "int16"))
    [1, 2, 3]
    """
    return memoryview(Column(_format_of(kind), values))


def _format_of(kind: Any) -> Any:
    """The memoryview format of a kind, by its name or the type of an array."""
    name = kind if isinstance(kind, str) else next(each.name for each in notes_of(kind) if isinstance(each, NumberKind))
    return FORMATS[name]


def typed(buffer: Buffer, kind: type[A]) -> A:
    """A memoryview as an array of the type that its numbers have."""
    wanted = _format_of(kind)
    if buffer.format != wanted and not {buffer.format, wanted} <= {"l", "q"}:  # numpy's name is that of C's long
        raise TypeError(
            phrase(
                "The numbers of the array have the format {format}, not {expected}.",
                format=buffer.format,
                expected=wanted,
            )
        )
    return cast("A", buffer)


@overload
def flat(rows: Rows[Rows[A]]) -> A: ...
@overload
def flat(rows: Rows[A]) -> A: ...
def flat(rows: Any) -> Any:
    """The memory of an array of rows, as drivers see it: one row after the other."""
    return rows


@overload
def copy(buffer: Buffer) -> Buffer: ...
@overload
def copy(buffer: A) -> A: ...
def copy(buffer: Any) -> Any:
    """A copy with memory of its own."""
    made = zeros(len(buffer), KINDS[buffer.format])
    made[:] = buffer
    return made


def grown(buffer: Buffer, count: int, *, huge: bool = False) -> Buffer:
    """A longer array that begins with the elements of another one, which can no longer be used.

    Where the system can move memory to other addresses, it is not copied.
    """
    form, memory, length = buffer.format, buffer.obj, len(buffer)
    if isinstance(memory, mmap.mmap):
        size = max(count, 1) * buffer.itemsize
        buffer.release()
        with contextlib.suppress(OSError, SystemError, ValueError, BufferError):
            memory.resize(size)
            return memoryview(memory).cast(FORMATS[KINDS[form]])[:count]
        buffer = memoryview(memory).cast(FORMATS[KINDS[form]])[:length]
    made = zeros(count, KINDS[form], huge=huge)
    made[:length] = buffer
    return made


KINDS: dict[str, str] = {form: kind for kind, form in FORMATS.items()}

ARENA = Arena()  # all buffers of this process share it

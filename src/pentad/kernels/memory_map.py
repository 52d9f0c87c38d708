"""Addresses of machine code: the parts of an object file are placed near each other.

They refer to each other by offsets of 32 bits. LLVM's loader asks the system for memory for each of them. In a process
with much reserved memory and holes in between, the parts can be gigabytes apart, and then the loader ends the process.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator
from typing import Any

NOTHING, PRIVATE_ANONYMOUS = 0, 0x22  # PROT_NONE; MAP_PRIVATE | MAP_ANONYMOUS of Linux
SPARE = 16  # pages beyond the size of the code, for the rounding of each part
MOST_PAGES = 20_000  # that are reserved in search of a gap


@contextlib.contextmanager
def adjacent_memory(size: int) -> Iterator[None]:
    """For the length of a `with` block, what the system allocates next is in one gap of so many bytes at least.

    Linux takes the first gap that is large enough, so all smaller ones before it are filled in the meantime.
    """
    if not sys.platform.startswith("linux"):
        yield
        return
    system, page = _system(), os.sysconf("SC_PAGE_SIZE")
    needed = size // page + SPARE
    taken: list[int] = []
    run = 0  # the last pages taken follow each other
    while run < needed and len(taken) < MOST_PAGES:
        taken.append(system.mmap(None, page, NOTHING, PRIVATE_ANONYMOUS, -1, 0))
        run = run + 1 if len(taken) > 1 and taken[-2] - taken[-1] == page else 1
    for place in taken[len(taken) - run :]:
        system.munmap(place, page)
    try:
        yield
    finally:
        for place in taken[: len(taken) - run]:
            system.munmap(place, page)


def _system() -> Any:
    system = ctypes.CDLL(None)
    system.mmap.restype = ctypes.c_void_p
    system.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *(ctypes.c_int,) * 3, ctypes.c_long)
    system.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    return system

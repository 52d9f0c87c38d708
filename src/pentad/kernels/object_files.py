"""Object files of x86-64 Linux in the memory of this process, by the small part of a linker that kernels need.

LLVM's loader does this for every system; to import it takes a third of the time of a short command. The sections of a
file follow each other in memory, so that they refer to each other by offsets of 32 bits. Functions of the C library
may be far away: a jump behind the sections leads there.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pentad.kernels.processors import machine_name

X86_64 = (b"\x7fELF\x02\x01\x01", 1, 62)  # how a file begins, the type of one to be linked, the processor
SYMBOLS, RELOCATIONS, ZEROS = 2, 4, 8  # the kinds of sections that matter
WRITABLE, IN_MEMORY = 1, 2  # bits of the flags of a section
DISTANCES = (2, 4)  # kinds of relocations: the offset to a symbol, or to a function that is called
ELSEWHERE = 0  # the section of a symbol that the file lacks
JUMP = bytes.fromhex("ff2500000000")  # to the address in the next eight bytes
ALIGN = 16  # bytes at which such a jump begins
READ_AND_RUN = 5  # what mprotect calls memory that is read and run


class FileSection(NamedTuple):
    """A section, as the table of a file describes it."""

    name: int
    kind: int
    flags: int
    address: int
    begin: int
    size: int
    link: int
    info: int
    align: int
    entry: int


class UnknownFile(Exception):
    """The file is for another system, or has parts that are not known here."""


def load(code: bytes) -> Mapping[str, int]:
    """Loads an object file; returns the address of each symbol."""
    if not (sys.platform == "linux" and machine_name() == "x86_64"):
        raise UnknownFile
    image, places = link(code)
    memory = mmap.mmap(-1, len(image), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory[:] = image
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if ctypes.CDLL(None).mprotect(ctypes.c_void_p(begin), ctypes.c_size_t(len(image)), READ_AND_RUN):
        raise UnknownFile  # the system forbids it, and may allow another loader
    _images.append(memory)
    return {name: begin + place for name, place in places.items()}


_images: list[mmap.mmap] = []  # the loaded code, as long as the process lives


def link(code: bytes) -> tuple[bytes, Mapping[str, int]]:
    """The sections of an object file as they are in memory, and the place of each symbol."""
    if len(code) < 64 or (code[:7], *struct.unpack_from("<HH", code, 16)) != X86_64:
        raise UnknownFile
    (table,), (count,) = struct.unpack_from("<Q", code, 40), struct.unpack_from("<H", code, 60)
    sections = [FileSection(*struct.unpack_from("<IIQQQQIIQQ", code, table + 64 * number)) for number in range(count)]
    image, begins = bytearray(), dict[int, int]()
    for number, section in enumerate(sections):
        if section.flags & IN_MEMORY:
            if section.flags & WRITABLE or section.kind == ZEROS:
                raise UnknownFile
            image += bytes(-len(image) % section.align)
            begins[number] = len(image)
            image += _content(code, section)
    symbols = {
        number: list(_symbols(code, section, _content(code, sections[section.link])))
        for number, section in enumerate(sections)
        if section.kind == SYMBOLS
    }
    places = {
        name: begins[section] + value
        for these in symbols.values()
        for name, section, value in these
        if name and section in begins
    }
    for section in sections:
        if section.kind == RELOCATIONS and section.info in begins:
            for offset, what, addend in struct.iter_unpack("<QQq", _content(code, section)):
                name, of, value = symbols[section.link][what >> 32]
                if of == ELSEWHERE and name not in places:
                    places[name] = _add_jump(image, name)
                place = places[name] if of == ELSEWHERE else begins.get(of, -1) + value
                if what & 0xFFFFFFFF not in DISTANCES or of not in (ELSEWHERE, *begins):
                    raise UnknownFile
                at = begins[section.info] + offset
                struct.pack_into("<i", image, at, place + addend - at)
    return bytes(image), places


def _content(code: bytes, section: FileSection) -> bytes:
    return code[section.begin : section.begin + section.size]


def _symbols(code: bytes, table: FileSection, names: bytes) -> Iterator[tuple[str, int, int]]:
    """The name of each symbol, its section, and its place there."""
    for name, _, _, section, value, _ in struct.iter_unpack("<IBBHQQ", _content(code, table)):
        yield names[name : names.index(0, name)].decode(), section, value


def _add_jump(image: bytearray, name: str) -> int:
    """Adds a jump to a function of the C library; returns its place."""
    image += bytes(-len(image) % ALIGN)
    place = len(image)
    image += JUMP + struct.pack("<Q", ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value)
    return place

"""The functions that a WebAssembly module exports, and those that it takes from outside."""

from __future__ import annotations

from collections.abc import Iterator

MAGIC = b"\0asm\1\0\0\0"
IMPORT_SECTION, EXPORT_SECTION = 2, 7
FUNCTION, TABLE, MEMORY, GLOBAL, TAG = range(5)  # kinds of imports and exports


class _Reader:
    """Reads the numbers and names of a module one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data, self.place = data, 0

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self.place]
            self.place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def bytes(self, size: int) -> bytes:
        self.place += size
        return self._data[self.place - size : self.place]

    def name(self) -> str:
        return self.bytes(self.number()).decode()

    def skip_limits(self) -> None:
        flags = self.number()
        self.number()
        if flags & 1:
            self.number()


def symbols(data: bytes) -> tuple[set[str], set[str]]:
    """The names of a module's exported and of its imported functions."""
    exported, imported = set[str](), set[str]()
    for section, reader in _sections(data):
        if section not in (IMPORT_SECTION, EXPORT_SECTION):
            continue
        for _ in range(reader.number()):
            if section == EXPORT_SECTION:
                name, kind, _ = reader.name(), reader.number(), reader.number()
                exported |= {name} if kind == FUNCTION else set()
            else:
                _, name, kind = reader.name(), reader.name(), reader.number()
                imported |= {name} if kind == FUNCTION else set()
                _skip_type(reader, kind)
    return exported, imported


def _sections(data: bytes) -> Iterator[tuple[int, _Reader]]:
    if not data.startswith(MAGIC):
        raise ValueError("Expected a WebAssembly module.")
    reader = _Reader(data)
    reader.place = len(MAGIC)
    while reader.place < len(data):
        section, size = reader.number(), reader.number()
        yield section, _Reader(reader.bytes(size))


def _skip_type(reader: _Reader, kind: int) -> None:
    if kind in (FUNCTION, GLOBAL, TABLE, TAG):
        reader.number()
    if kind in (GLOBAL, TAG):
        reader.number()
    if kind in (TABLE, MEMORY):
        reader.skip_limits()

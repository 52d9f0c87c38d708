"""Damage to files: flipped bits, lost parts, and what readers make of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pentad.game import GameError


def flipped(data: bytes, places: Iterable[int], seed: int = 0) -> Iterator[bytes]:
    """Data with one random bit flipped in each of some bytes."""
    chance = random.Random(seed)
    for place in places:
        changed = bytearray(data)
        changed[place] ^= 1 << chance.randrange(8)
        yield bytes(changed)


def damages(data: bytes, every: int = 1) -> Iterator[bytes]:
    """Data with flipped bits, without some bytes, with others, none at all, and data of something else."""
    yield from flipped(data, range(0, len(data), every))
    yield from (data[:length] for length in {0, 1, len(data) // 3, len(data) // 2, len(data) - 1})
    yield data + b"\0"
    yield data[1:]
    yield data[: len(data) // 2] + data
    for huge in (b"\xff" * 8, b"\xff" * 7 + b"\x7f"):  # each count at the end becomes so large
        for place in range(max(0, len(data) - 64), len(data) - 8, 4):
            yield data[:place] + huge + data[place + 8 :]
    yield b"\x89PNG\r\n\x1a\n" + bytes(1000)


def refuses_damage(path: Path, read: Callable[[], Any], every: int = 1, is_strict: bool = True) -> int:
    """Damages a file in every way; each is refused in one line that names the file, or is read as before.

    If it is strict, each is refused. Returns the number of ways.
    """
    expected, data, number = read(), path.read_bytes(), 0
    for number, changed in enumerate(damages(data, every), 1):
        path.write_bytes(changed)
        error = None
        try:
            found = read()
        except GameError as refused:
            error = str(refused)
        if error is not None:
            assert path.name in error
            assert "\n" not in error
        else:
            assert found == expected
            assert not is_strict, f"Damage {number} was not noticed."
    path.write_bytes(data)
    assert read() == expected
    return number

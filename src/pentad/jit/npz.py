"""Reading numpy's `.npz` files without numpy."""

from __future__ import annotations

import ast
import struct
import zipfile
from dataclasses import dataclass
from math import prod
from pathlib import Path

from pentad.jit.buffers import Buffer, zeros

MAGIC = b"\x93NUMPY"
KINDS = {"|i1": "int8", "<i2": "int16", "<i4": "int32", "<i8": "int64", "<f4": "float32", "<f8": "float64"}


@dataclass(frozen=True, slots=True)
class Stored:
    """An array of a file, its rows one after the other."""

    shape: tuple[int, ...]
    values: Buffer


def read_npz(path: Path) -> dict[str, Stored]:
    """The arrays of a file by their names; raises ValueError for what cannot be read."""
    with zipfile.ZipFile(path) as archive:
        return {name.removesuffix(".npy"): _array(archive.read(name)) for name in archive.namelist()}


def _array(data: bytes) -> Stored:
    if not data.startswith(MAGIC):
        raise ValueError("Not an array of numpy.")
    size, begin = (
        (struct.unpack_from("<H", data, 8)[0], 10) if data[6] == 1 else (struct.unpack_from("<I", data, 8)[0], 12)
    )
    header = ast.literal_eval(data[begin : begin + size].decode("latin-1"))
    if header["fortran_order"] or header["descr"] not in KINDS:
        raise ValueError(f"Cannot read an array of type {header['descr']}.")
    values = zeros(prod(header["shape"]), KINDS[header["descr"]])
    values.cast("B")[:] = memoryview(data)[begin + size : begin + size + values.nbytes]
    return Stored(header["shape"], values)

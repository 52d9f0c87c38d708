"""Reading numpy's `.npz` files without numpy."""

from __future__ import annotations

import ast
import io
import struct
import zipfile
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from pentad.kernels.buffers import Buffer, zeros
from pentad.system.checked_files import damaged
from pentad.system.errors import GameError

END = struct.Struct("<4s6xH10x")  # the last part of a file: a magic, and the number of arrays
LENGTHS = struct.Struct("<26xHH")  # the first part of an entry: the lengths of its name and of what follows it
MAGIC = b"\x93NUMPY"
KINDS = {"|i1": "int8", "<i2": "int16", "<i4": "int32", "<i8": "int64", "<f4": "float32", "<f8": "float64"}


@dataclass(frozen=True, slots=True)
class Stored:
    """An array of a file, its rows one after the other."""

    shape: tuple[int, ...]
    values: Buffer


def read_npz(path: Path, remedy: str = "Install pentad again.") -> dict[str, Stored]:
    """The arrays of a file by their names; each is compared with its checksum, which every `.npz` has."""
    data = path.read_bytes()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if (b"PK\5\6", len(names)) != END.unpack(data[-END.size :]):  # zipfile does not compare the number
                raise ValueError("Another number of arrays.")
            return {name.removesuffix(".npy"): _array(archive.read(name)) for name in names}
    except GameError:
        raise
    except Exception:  # a damaged file makes zipfile, zlib, struct and ast raise errors of a dozen kinds
        raise damaged(path, remedy) from None


def places_in(path: Path) -> dict[str, int]:
    """Where the numbers of each array begin in a file that is not compressed."""
    data, found = path.read_bytes(), dict[str, int]()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for each in archive.infolist():
            name, extra = LENGTHS.unpack_from(data, each.header_offset)
            begin = each.header_offset + LENGTHS.size + name + extra
            if each.compress_type != zipfile.ZIP_STORED:
                raise GameError("{file} is compressed. Expected arrays as they are.", file=path)
            found[each.filename.removesuffix(".npy")] = begin + _header(data[begin : begin + each.file_size])[1]
    return found


def _header(data: bytes) -> tuple[dict[str, Any], int]:
    """What an array says of itself, and where its numbers begin."""
    size, begin = (
        (struct.unpack_from("<H", data, 8)[0], 10) if data[6] == 1 else (struct.unpack_from("<I", data, 8)[0], 12)
    )
    return ast.literal_eval(data[begin : begin + size].decode("latin-1")), begin + size


def _array(data: bytes) -> Stored:
    if not data.startswith(MAGIC):
        raise ValueError("Not an array of numpy.")
    header, begin = _header(data)
    if header["fortran_order"] or header["descr"] not in KINDS:
        raise GameError("Cannot read an array of type {type}.", type=header["descr"])
    rows = memoryview(data)[begin:]
    values = zeros(len(rows) // int(header["descr"][2]), KINDS[header["descr"]])
    if prod(header["shape"]) != len(values) or values.nbytes != len(rows):
        raise ValueError("Another number of elements.")
    values.cast("B")[:] = rows
    return Stored(header["shape"], values)

"""Shared libraries that come with the installation, and their manifest: a hash of the sources and one of each library.

A library whose hash does not match is not loaded, and a warning says so.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from pentad.kernels.backends import sources_hash, warn
from pentad.system.words import phrase

FOLDER, MANIFEST = Path(__file__).with_name("prebuilt"), "manifest.json"
SET_DEADLINE = "pentad_set_deadline"
Manifest: TypeAlias = dict[str, dict[str, Any]]


@lru_cache(maxsize=1)
def manifest() -> Manifest:
    """`modules` has the signatures of each table, `libraries` the hash of each file.

    Both are empty if the installation has no libraries, or if they do not match its sources.
    """
    nothing: Manifest = {"modules": {}, "libraries": {}}
    try:
        found = json.loads((FOLDER / MANIFEST).read_text(encoding="utf-8"))
        sources, both = found["sources"], {name: dict(found[name]) for name in nothing}
        for table in both["modules"].values():
            for entry in table.values():
                _, _ = f"{entry['parameters']}", f"{entry['result']}"
    except FileNotFoundError:
        return nothing
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        warn(f"Cannot read {FOLDER / MANIFEST}.")
        return nothing
    if sources != sources_hash():
        warn(phrase("The machine code in {folder} was made from other sources and is not used.", folder=FOLDER))
        return nothing
    return both


@lru_cache(maxsize=64)
def library(name: str) -> ctypes.CDLL | None:
    """A library of the manifest; None if it cannot be loaded."""
    try:
        if hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() != manifest()["libraries"][name]:
            raise OSError("The file is damaged")
        loaded = ctypes.CDLL(str(FOLDER / name))
        _loaded.append(loaded)
        return loaded
    except OSError as error:
        reason = error.strerror or str(error).removeprefix(f"{FOLDER / name}: ")
        warn(f"Cannot load {FOLDER / name}: {reason}.")
        return None


_loaded: list[ctypes.CDLL] = []


def set_deadline(seconds: float | None) -> None:
    """Stops kernels that poll (`polling`) so many seconds from now, where no thread can stop them; None: never."""
    milliseconds = ctypes.c_double(math.inf if seconds is None else 1000 * seconds)
    for each in _loaded:
        if hasattr(each, SET_DEADLINE):
            each[SET_DEADLINE](milliseconds)

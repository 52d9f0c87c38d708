"""Machine code that an installation brings: a shared library for each table of kernels and each level of processors.

The libraries are called without numba, llvmlite and numpy. Their manifest has a hash of the sources that they were made
from, and one of each library. What does not fit is not loaded: a line says so, and the next backend is used.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from pentad.jit import backends, processors

FOLDER, MANIFEST = Path(__file__).with_name("prebuilt"), "manifest.json"
Manifest: TypeAlias = dict[str, Any]
Signatures: TypeAlias = dict[str, dict[str, str]]  # the parameters and result of each entry point


def library_name(module: str, level: str) -> str:
    """The name of a table's library, the same on every operating system."""
    return f"{module.removeprefix('pentad.')}.{level}.lib"


@lru_cache(maxsize=1)
def manifest() -> Manifest:
    """The manifest of this installation's libraries; an empty one if it has none, or if they do not fit its sources."""
    nothing: Manifest = {"modules": {}, "libraries": {}}
    try:
        found: Manifest = json.loads((FOLDER / MANIFEST).read_text(encoding="utf-8"))
        sources, _, _ = found["sources"], found["modules"].items, found["libraries"].items
    except FileNotFoundError:
        return nothing
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        backends.warn(f"Cannot read {FOLDER / MANIFEST}. {backends.next_backend()}")
        return nothing
    if sources != backends.sources_hash():
        backends.warn(f"The machine code in {FOLDER} was made from other sources. {backends.next_backend()}")
        return nothing
    return found


def has(module: str) -> bool:
    """Whether there is a library of a module's kernels for this processor, as far as the manifest says."""
    return module not in _refused and bool(_names(module))


def _names(module: str) -> list[str]:
    """The libraries of a module that this processor can run, the best first."""
    found = manifest()
    if module not in found["modules"]:
        return []
    names = [library_name(module, level) for level in processors.runnable_levels()]
    return [each for each in names if each in found["libraries"]]


def load(module: str) -> tuple[Callable[[str], int], Signatures] | None:
    """The address of each entry point, by its name, and the signatures; None where there is no usable library."""
    if module in _refused or module not in manifest()["modules"]:
        return None
    for name in _names(module):
        try:
            if hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() != manifest()["libraries"][name]:
                raise OSError("its content has changed")
            library = ctypes.CDLL(str(FOLDER / name))
            signatures: Signatures = manifest()["modules"][module]
            addresses = {each: _address(library, each) for each in signatures}
        except (OSError, AttributeError) as error:
            backends.warn(f"Cannot load {FOLDER / name}: {getattr(error, 'strerror', None) or error}.")
            continue
        _libraries.append(library)
        return addresses.__getitem__, signatures
    _refused.add(module)
    backends.warn(
        f"No machine code of {module} for this {processors.this_level()} processor. {backends.next_backend()}"
    )
    return None


def _address(library: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0


_libraries: list[ctypes.CDLL] = []  # owners of the loaded code
_refused: set[str] = set()  # modules all of whose libraries are damaged

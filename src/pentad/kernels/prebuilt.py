"""Machine code that comes with the installation: a library for each table of kernels and each level of processors.

It is called without numba, llvmlite and numpy. Where no library fits this processor, the next backend is used.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from pentad.kernels import processors
from pentad.kernels.backends import has_compiler, is_jit_disabled, warn
from pentad.kernels.libraries import library, manifest
from pentad.system.words import phrase

Signatures: TypeAlias = dict[str, dict[str, str]]  # the parameters and result of each entry point

_refused: set[str] = set()  # modules without a library that can be loaded


def has(module: str) -> bool:
    """Whether there is a library of a module's kernels for this processor, as far as the manifest says."""
    return module not in _refused and bool(_names(module))


@lru_cache(maxsize=1)
def are_engines_python() -> bool:
    """Whether engines run as plain Python for want of machine code and of a compiler."""
    return not is_jit_disabled() and not has_compiler() and not any(map(has, manifest()["modules"]))


def _names(module: str) -> list[str]:
    """The libraries of a module that this processor can run, the best first."""
    if module not in manifest()["modules"]:
        return []
    names = [f"{processors.library_stem(module, level)}." for level in processors.runnable_levels()]
    return [each for begin in names for each in manifest()["libraries"] if each.startswith(begin)]


def load(module: str) -> tuple[Callable[[str], int], Signatures] | None:
    """The address of each entry point, by its name, and the signatures; None where there is no usable library."""
    if module in _refused or module not in manifest()["modules"]:
        return None
    signatures: Signatures = manifest()["modules"][module]
    for name in _names(module):
        found = library(name)
        if found and all(hasattr(found, each) for each in signatures):
            return {each: _address(found, each) for each in signatures}.__getitem__, signatures
    _refused.add(module)
    warn(
        phrase(
            "No machine code of {module} can be loaded for this {architecture} processor.",
            module=module,
            architecture=processors.this_level(),
        )
    )
    return None


def _address(found: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(found, name), ctypes.c_void_p).value or 0

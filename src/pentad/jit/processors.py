"""The levels of processors that machine code is made for, and the level of this machine's processor."""

from __future__ import annotations

import os
import platform
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

CHOSEN = "PENTAD_PROCESSOR"  # the environment variable that names a lower level
CPUINFO = Path("/proc/cpuinfo")

# The levels of x86-64 from the lowest, with Linux's names of the features that each adds to the one before.
LEVELS = {
    "x86-64-v2": ("cx16", "lahf_lm", "pni", "popcnt", "sse4_1", "sse4_2", "ssse3"),
    "x86-64-v3": ("abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"),
    "x86-64-v4": ("avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"),
}
# LLVM's names where they differ.
LLVM_NAMES = {"lahf_lm": "sahf", "pni": "sse3", "sse4_1": "sse4.1", "sse4_2": "sse4.2", "abm": "lzcnt", "bmi1": "bmi"}
X86_64 = ("x86_64", "AMD64")


def level_of(features: Collection[str]) -> str:
    """The highest level all of whose features are there.

    >>> level_of([*LEVELS["x86-64-v2"], "avx"])
    'x86-64-v2'
    """
    found = "x86-64"
    for level, needed in LEVELS.items():
        if not set(needed).issubset(features):
            break
        found = level
    return found


@lru_cache(maxsize=1)
def this_level() -> str:
    """The level of this machine's processor: one of x86-64, else the name of the architecture."""
    if platform.machine() not in X86_64:
        return platform.machine()
    return os.environ.get(CHOSEN) or level_of(_features())


def _features() -> Collection[str]:
    """The processor's features by their names in Linux."""
    if CPUINFO.exists():
        with CPUINFO.open(encoding="utf-8", errors="replace") as lines:
            return next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), [])
    from llvmlite import binding  # type: ignore[import-untyped]

    found = binding.get_host_cpu_features()
    needed = [each for level in LEVELS.values() for each in level]
    return [each for each in needed if found.get(LLVM_NAMES.get(each, each))]


def runnable_levels() -> list[str]:
    """The levels whose code this machine runs, the best first."""
    best = this_level()
    names = ["x86-64", *LEVELS]
    return names[names.index(best) :: -1] if best in names else [best]

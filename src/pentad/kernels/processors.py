"""The levels of processors that machine code is made for, and the level of this machine's processor."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from pentad.kernels.backends import warn
from pentad.kernels.libraries import library, manifest
from pentad.system.words import phrase

CPU_INFO = Path("/proc/cpuinfo")  # Linux's description of the processors
CHOSEN = "PENTAD_PROCESSOR"  # the environment variable that names a lower level

# The levels of x86-64 from the lowest, with Linux's names of the features that each adds to the one before.
LEVELS = {
    "x86-64-v2": ("cx16", "lahf_lm", "pni", "popcnt", "sse4_1", "sse4_2", "ssse3"),
    "x86-64-v3": ("abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"),
    "x86-64-v4": ("avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"),
}
# LLVM's names where they differ.
LLVM_NAMES = {"lahf_lm": "sahf", "pni": "sse3", "sse4_1": "sse4.1", "sse4_2": "sse4.2", "abm": "lzcnt", "bmi1": "bmi"}
AVX = "x86-64-v3"  # the level from which on the operating system must keep wider registers

# Where the processor reports each feature: a leaf of its instruction cpuid, a register and a bit.
CPUID_BITS = {
    "cx16": (1, "c", 13),
    "lahf_lm": (0x80000001, "c", 0),
    "pni": (1, "c", 0),
    "popcnt": (1, "c", 23),
    "sse4_1": (1, "c", 19),
    "sse4_2": (1, "c", 20),
    "ssse3": (1, "c", 9),
    "abm": (0x80000001, "c", 5),
    "avx": (1, "c", 28),
    "avx2": (7, "b", 5),
    "bmi1": (7, "b", 3),
    "bmi2": (7, "b", 8),
    "f16c": (1, "c", 29),
    "fma": (1, "c", 12),
    "movbe": (1, "c", 22),
    "xsave": (1, "c", 27),
    "avx512bw": (7, "b", 30),
    "avx512cd": (7, "b", 28),
    "avx512dq": (7, "b", 17),
    "avx512f": (7, "b", 16),
    "avx512vl": (7, "b", 31),
}
REGISTER_SETS = {"": 0, "avx": 0b110, "avx512": 0b11100110}  # the sets that the operating system must keep

# The function `cpuid(leaf, subleaf, out)` in LLVM's text.
CPUID = "cpuid"
CPUID_CODE = """
define void @cpuid(i32 %leaf, i32 %subleaf, ptr %out) {
  %all = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 %leaf, i32 %subleaf)
  %a = extractvalue { i32, i32, i32, i32 } %all, 0
  %b = extractvalue { i32, i32, i32, i32 } %all, 1
  %c = extractvalue { i32, i32, i32, i32 } %all, 2
  %d = extractvalue { i32, i32, i32, i32 } %all, 3
  store i32 %a, ptr %out
  %out1 = getelementptr i32, ptr %out, i32 1
  store i32 %b, ptr %out1
  %out2 = getelementptr i32, ptr %out, i32 2
  store i32 %c, ptr %out2
  %out3 = getelementptr i32, ptr %out, i32 3
  store i32 %d, ptr %out3
  %out4 = getelementptr i32, ptr %out, i32 4
  store i32 0, ptr %out4
  %bit = and i32 %c, 134217728
  %saves = icmp ne i32 %bit, 0
  %first = icmp eq i32 %leaf, 1
  %both = and i1 %saves, %first
  br i1 %both, label %kept, label %end
kept:
  %sets = call { i32, i32 } asm "xgetbv", "={ax},={dx},{cx}"(i32 0)
  %low = extractvalue { i32, i32 } %sets, 0
  store i32 %low, ptr %out4
  br label %end
end:
  ret void
}
"""
X86_64 = ("x86_64", "AMD64")
WASM32, SIMD = "wasm32", "wasm32-simd"  # in a page; one whose browser lacks SIMD names the lower level
ORDERS = (("x86-64", *LEVELS), (WASM32, SIMD))  # the levels of each architecture, from the lowest


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
    """The level of this machine's processor, or the name of an architecture without levels."""
    machine, chosen = machine_name(), os.environ.get(CHOSEN, "")
    if machine not in (*X86_64, WASM32):
        return machine
    best = SIMD if machine == WASM32 else level_of(_features())
    allowed = lower_levels(best)
    if chosen and chosen not in allowed:
        warn(
            phrase(
                '{variable} is "{chosen}". Expected one of {allowed}.',
                variable=CHOSEN,
                chosen=chosen,
                allowed=", ".join(allowed),
            )
        )
    return chosen if chosen in allowed else best


def machine_name() -> str:
    """The architecture of this machine's processor."""
    if hasattr(os, "uname"):
        return os.uname().machine
    import platform

    return platform.machine()


def _features() -> Collection[str]:
    """The processor's features by their names in Linux, as the processor itself reports them.

    Without bundled libraries, Linux reports them, and llvmlite elsewhere.
    """
    for name in manifest()["libraries"]:
        if name.startswith(library_stem(CPUID, "x86-64")) and (found := library(name)):
            return features_of(found.cpuid)
    with suppress(OSError), CPU_INFO.open(encoding="ascii", errors="replace") as lines:
        for line in lines:  # those of the first processor
            name, _, value = line.partition(":")
            if name.strip() == "flags":
                return [each for each in value.split() if each in CPUID_BITS]
    if find_spec("llvmlite") is None:
        return []
    from llvmlite import binding  # type: ignore[import-untyped]

    features = binding.get_host_cpu_features()
    return [each for each in CPUID_BITS if features.get(LLVM_NAMES.get(each, each))]


def features_of(cpuid: Callable[[int, int, ctypes.Array[ctypes.c_uint32]], object]) -> list[str]:
    """The features that a processor reports and the operating system keeps registers for.

    `cpuid` writes the registers a, b, c and d of a leaf, and the operating system's register sets.
    """
    out = (ctypes.c_uint32 * 5)()
    read: dict[int, tuple[int, ...]] = {}
    for leaf in (0, 1, 7, 0x80000000, 0x80000001):
        begin = leaf & 0x80000000
        read[leaf] = (0,) * 5
        if leaf == begin or leaf <= read[begin][0]:
            cpuid(leaf, 0, out)
            read[leaf] = tuple(out)
    kept = read[1][4]
    found = []
    for name, (leaf, register, bit) in CPUID_BITS.items():
        needed = REGISTER_SETS["avx512" if name.startswith("avx512") else "avx" if name in LEVELS[AVX] else ""]
        if read[leaf]["abcd".index(register)] >> bit & 1 and kept & needed == needed:
            found.append(name)
    return found


def library_stem(module: str, level: str) -> str:
    """The beginning of the name of a module's library for a level."""
    return f"{module.removeprefix('pentad.')}.{level}"


def runnable_levels() -> list[str]:
    """The levels whose code this machine runs, the best first."""
    return lower_levels(this_level())


def lower_levels(best: str) -> list[str]:
    """A level and those below it, the best first."""
    order = next((each for each in ORDERS if best in each), (best,))
    return list(order[order.index(best) :: -1])

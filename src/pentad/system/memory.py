"""Memory of this machine and this process."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

ASSUMED_MEMORY_BYTES = 4 << 30  # some machines do not report their memory
GROUPS = Path("/sys/fs/cgroup")  # a folder for each group of processes that has limits of its own


def used_memory() -> int:
    """The bytes of memory that this process uses now."""
    if sys.platform == "emscripten":
        from pyodide_js import _module

        return int(_module.HEAPU8.length)
    try:
        text = Path("/proc/self/statm").read_text(encoding="ascii")
        return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        try:
            import resource
        except ImportError:
            return 0
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def memory_of(pid: int) -> int | None:
    """The bytes of memory that another process uses now; None if the system does not tell."""
    try:
        text = Path(f"/proc/{pid}/statm").read_text(encoding="ascii")
        return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


def all_memory() -> int:
    """The bytes of memory that the machine has."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return ASSUMED_MEMORY_BYTES


def free_memory() -> int:
    """The bytes that a process may still allocate, within the machine's memory and the limits of its groups."""
    free = [all_memory() // 2]
    with suppress(OSError, ValueError, IndexError):
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        free = [1024 * int(line.split()[1]) for line in text.splitlines() if line.startswith("MemAvailable:")] or free
    for group in _groups():
        with suppress(OSError, ValueError):  # where there is no limit, or it is not a number
            most = int((group / "memory.max").read_text(encoding="ascii"))
            used = int((group / "memory.current").read_text(encoding="ascii")) - _reclaimable(group)
            free.append(max(0, most - used))
    return min(free)


def _groups() -> list[Path]:
    """The folders of this process's groups, from its own, such as that of a service, to that of its container."""
    with suppress(OSError, ValueError):
        text = Path("/proc/self/cgroup").read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith("0::/"):
                own = GROUPS / line.removeprefix("0::/")
                return [own, *(each for each in own.parents if each.is_relative_to(GROUPS))]
    return [GROUPS]


def _reclaimable(group: Path) -> int:
    """The bytes of a group that the system takes back at need: files, and what processes have freed."""
    with suppress(OSError, ValueError, IndexError):
        lines = (group / "memory.stat").read_text(encoding="ascii").splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("inactive_file "))
    return 0

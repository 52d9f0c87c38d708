"""What runs kernels on this machine (machine code, numba or plain Python), and the sources that they are made from."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from pentad.system.extras import installing_command
from pentad.system.words import phrase

HAS_THREADS = sys.platform != "emscripten"  # not in a page
PACKAGE = Path(__file__).parents[1]
KERNEL_SOURCES = ("*kernels*.py", "*constants*.py", "board.py")  # the kernels, and what they import


def is_jit_disabled() -> bool:
    """Whether numba's JIT compiler is disabled, so that kernels run as plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT") == "1"


def usable_cores() -> int:
    """The number of cores that this process may use; 1 where there are no threads."""
    if not HAS_THREADS:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=1)
def has_compiler() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None


def is_compiling() -> bool:
    """Whether numba compiles kernels here; otherwise those without machine code run as plain Python."""
    return not is_jit_disabled() and has_compiler()


WARNED = "PENTAD_WARNED"  # an environment variable: the processes that this one starts need not warn again


def warn_about_python() -> None:
    """Warns once that kernels run as Python for want of numba."""
    if not is_jit_disabled() and not has_compiler() and WARNED not in os.environ:
        os.environ[WARNED] = "1"
        warn(
            phrase(
                "Without numba the engines run as plain Python, about 1,000 times slower: {command}.",
                command=installing_command("compile"),
            )
        )


def is_source(path: str) -> bool:
    """Whether compiled code depends on a file of the package: the compiler, the kernels, and what kernels import.

    >>> is_source("games/pente/engine/search_kernels.py"), is_source("games/pente/rules.py")
    (True, False)
    """
    folder, _, name = path.rpartition("/")
    return name.endswith(".py") and (folder == "kernels" or any(fnmatchcase(name, each) for each in KERNEL_SOURCES))


def sources() -> list[Path]:
    """All that compiled code depends on."""
    folders = ((Path(folder), names) for folder, _, names in os.walk(PACKAGE))
    return [
        folder / name
        for folder, names in folders
        for inside in [folder.relative_to(PACKAGE).as_posix()]
        for name in names
        if is_source(f"{inside}/{name}")
    ]


def sources_hash() -> str:
    """A hash of every source as it is now. It does not depend on the place or the time of the sources."""
    return sources_hash_of({each.relative_to(PACKAGE).as_posix(): each.read_bytes() for each in sources()})


def sources_hash_of(files: Mapping[str, bytes]) -> str:
    """A hash of the sources among a package's files."""
    digest = hashlib.sha256()
    for name in sorted(filter(is_source, files)):
        digest.update(f"{name}\0".encode())
        digest.update(files[name])
    return digest.hexdigest()[:16]


def warn(text: str) -> None:
    """Prints a line on the error stream."""
    with contextlib.suppress(OSError):
        print(f"pentad: {text}", file=sys.stderr, flush=True)

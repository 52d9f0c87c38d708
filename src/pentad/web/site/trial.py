"""The first start of the package for browsers, in a process that has nothing else, and what the package lacks there.

`lacking` starts this file as a program. It must not import pentad: the program imports the one that is tried.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Collection
from functools import lru_cache
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

PACKAGE = "pentad"  # the folder in the archive


@lru_cache(maxsize=2)
def lacking(archive: bytes, source: Path, absent: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """What the package lacks: the files of its source that it opens, else the modules that fail; a line for each.

    `archive` is the package for browsers, `absent` what the standard library lacks there.
    """
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(io.BytesIO(archive)) as packed:
        packed.extractall(folder)
        files = set(packed.namelist())
        # The standard library and no more.
        command = [sys.executable, "-I", "-S", "-B", __file__, folder, *sorted(absent)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        return (f"its start ended with exit code {done.returncode}: {' '.join(done.stderr.split())[-500:]}",)
    found = json.loads(done.stdout.splitlines()[-1])
    missing = [each for each in found["opened"] if f"{PACKAGE}/{each}" not in files and (source / each).is_file()]
    return tuple(f"it opens {each}, which it lacks" for each in missing) or tuple(found["failed"])


def _modules(place: str) -> list[str]:
    """The names of the package's modules."""
    paths = sorted(path.relative_to(place).with_suffix("") for path in Path(place, PACKAGE).rglob("*.py"))
    return [".".join(path.parts).removesuffix(".__init__") for path in paths]


class Absent(MetaPathFinder):
    """Refuses to import modules that Python in a page does not have."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = names

    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"Python in a page has no {name}.", name=name)


def main(place: str, *absent: str) -> None:
    """Starts the package in a folder as a page does, imports its modules, and prints what it opened and what failed."""
    sys.meta_path.insert(0, Absent(absent))
    begin = os.path.join(place, PACKAGE, "")  # noqa: PTH118 - an event has text
    opened: set[str] = set()

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(begin):
            opened.add(arguments[0].removeprefix(begin).replace(os.sep, "/"))

    sys.addaudithook(note)
    sys.path.insert(0, place)
    failed: dict[str, None] = {}  # a dictionary keeps the order, and each once
    for module in ("", *_modules(place)):
        try:
            if module:
                importlib.import_module(module)
            else:
                importlib.import_module("pentad.web.site.browser.server").preload()
        except Exception as error:
            failed[f"{module or 'its start'} fails: {type(error).__name__}: {error}"] = None
    print(json.dumps({"opened": sorted(each for each in opened if "__pycache__" not in each), "failed": [*failed]}))


if __name__ == "__main__":
    main(*sys.argv[1:])

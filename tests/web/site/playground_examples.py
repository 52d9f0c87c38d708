"""The examples of the docs that run in a page, as the playground runs them, in a process without what pages lack.

As a program it prints JSON: the examples that fail, and the modules of pentad that they import.
"""

from __future__ import annotations

import doctest
import inspect
import io
import json
import pkgutil
import re
import sys
import textwrap
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from pentad.web.site.pyodide import ABSENT

ROOT = Path(__file__).parents[3]
API = sorted((ROOT / "docs" / "reference" / "api").glob("*.md"))
PAGES = sorted({*(ROOT / "docs").rglob("*.md")} - {*API, *(ROOT / "docs" / "lab").glob("*.md")})
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCED = re.compile(r"^ *```([^\n]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"(\{ ?\.)?(pycon|python)\b(?!.*\.no-run)")
SHOWN = re.compile(r"^::: (\S+)\n((?: +.*\n)*)", re.MULTILINE)
MEMBERS = re.compile(r"members: \[(.*)\]")
PROMPT = ">>> "
# What loads machine code here; in a page WebAssembly is loaded instead.
LOADERS = {"ctypes", "llvmlite", "multiprocessing", "numba", "platformdirs"}


class Absent(MetaPathFinder):
    """Refuses to import what Python in a page does not have: other packages, and parts of the standard library."""

    def find_spec(self, name: str, *_: object) -> None:
        top = name.partition(".")[0]
        is_there = top == "pentad" or top in LOADERS or (top in sys.stdlib_module_names and top not in ABSENT)
        if not is_there:
            raise ModuleNotFoundError(f"Python in a page has no {name}.", name=name)


def of_page(page: Path) -> Iterator[str]:
    """The examples of a page that have a button."""
    for kind, text in FENCED.findall(page.read_text(encoding="utf-8")):
        if PYTHON.match(kind):
            yield textwrap.dedent(text)


def of_docstrings(page: Path) -> Iterator[tuple[str, ModuleType, str]]:
    """The docstrings with examples that a page of the API shows, each with its name and the module it is in."""
    for path, options in SHOWN.findall(page.read_text(encoding="utf-8")):
        shown = pkgutil.resolve_name(path)
        for each in [shown, *(getattr(shown, name) for name in _members(shown, options))]:
            yield from _of_object(path, each)


def _members(shown: Any, options: str) -> list[str]:
    """The names in a module that the API shows below it."""
    if found := MEMBERS.search(options):
        return [each for each in found[1].split(", ") if each]
    names = getattr(shown, "__all__", vars(shown)) if inspect.ismodule(shown) else ()
    return [name for name in names if not name.startswith("_")]


def _of_object(path: str, shown: Any) -> Iterator[tuple[str, ModuleType, str]]:
    module = inspect.getmodule(shown)
    members = vars(shown).values() if inspect.isclass(shown) else ()
    for each in (shown, *members):
        text = inspect.getdoc(each) or "" if callable(each) or isinstance(each, (property, ModuleType)) else ""
        if module and PROMPT in text:
            yield f"{path} {getattr(each, '__qualname__', '')}".strip(), module, text


def complaint(text: str, shown: str) -> str | None:
    """What is wrong with what a page shows for an example with this text."""
    examples = doctest.DocTestParser().get_examples(text)
    errors = [each.exc_msg.split() for each in examples if each.exc_msg]
    if errors:
        said = " ".join(shown.split())
        return next((f"no {' '.join(error)}" for error in errors if " ".join(error) not in said), None)
    wanted = "".join(each.want for each in examples)
    is_right = doctest.OutputChecker().check_output(wanted, f"{shown.rstrip()}\n" if shown else "", OPTIONS)
    return None if is_right else f"expected {wanted!r}"


def failures(name: str, text: str, names: dict[str, Any]) -> Iterator[str]:
    """Runs an example with these names; yields what is wrong."""
    if PROMPT not in text:
        exec(text, names)
        return
    said = io.StringIO()
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    test.globs = names
    if doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=said.write, clear_globs=False).failed:
        yield said.getvalue()


def main() -> None:
    of_this = set(sys.modules)
    sys.meta_path.insert(0, Absent())
    wrong: list[str] = []
    count = 0
    for page in PAGES:
        names: dict[str, Any] = {"__name__": "__main__"}
        for text in of_page(page):
            wrong += failures(page.name, text, names)
            count += 1
    for page in API:
        for name, module, text in of_docstrings(page):
            wrong += failures(name, text, {**vars(module), "__name__": "__main__"})
            count += 1
    imported = sorted(each for each in set(sys.modules) - of_this if each.startswith("pentad."))
    print(json.dumps({"count": count, "wrong": wrong, "imported": imported}))


if __name__ == "__main__":
    main()

"""The tables of main flows in CONTRIBUTING: complete, and each test that they name is a fast one."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pentad
from pentad.grammar.files import exports
from pentad.record import formats
from pentad.terminal.command_table import OF_A_CHECKOUT
from pentad.terminal.parsers_as_data import tree
from pentad.web.http.pages import OF_OPERATORS, PAGES
from tests.cases import together

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## Main flows\n")[2].partition("\n## ")[0]
ALL_PAGES = [*PAGES.values(), *OF_OPERATORS.values()]
DATA = {".json", ".jsonl", ".npz", ".toml", ".tsv"}
FOLDER_OF_GROOVE = "gps"


def tables() -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """The title of each table, and its rows: what is in a cell, and the tests."""
    for table in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE):
        head, _, *rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()]
        yield head[0], [(what, re.findall(r"`([^`]+)`", tests)) for what, tests in rows]


TABLES = dict(tables())
TESTS = sorted({test for rows in TABLES.values() for _, tests in rows for test in tests})


def files_of_the_package() -> set[str]:
    folder = Path(pentad.__file__).parent
    of_pages = folder / "web" / "static", folder / "web" / "site" / "static"
    files = [each for suffix in DATA for each in folder.rglob(f"*{suffix}")]
    made = folder / "web" / "site" / "packages", folder / "web" / "site" / "libraries"
    return {each.name for each in files if not any(each.is_relative_to(one) for one in (*of_pages, *made))}


@together(
    "title, names",
    [
        ("command", {node.words for node in tree().all() if not node.children} | OF_A_CHECKOUT.keys()),
        ("page", {each.title for each in ALL_PAGES if not each.below and not each.embedded}),
        ("record", formats.FORMATS.keys()),
        ("grammar, transition system", {FOLDER_OF_GROOVE, *(each.name for each in exports.FORMATS)}),
        ("file of the package", files_of_the_package()),
    ],
)
def test_every_command_page_and_format_has_a_row(title, names):
    assert sorted(name for what, _ in TABLES[title] for name in re.findall(r"`([^`]+)`", what)) == sorted(names)


def test_every_row_names_a_test():
    assert [what for rows in TABLES.values() for what, tests in rows if not tests] == []
    assert len(TABLES["other file"]) > 5


@together("name", TESTS)
def test_it_is_there_and_fast(name):
    path, *names = name.split("::")
    module = importlib.import_module(f"tests.{path.removesuffix('.py').replace('/', '.')}")
    found: list[Any] = [module]
    for each in names:
        found.append(getattr(found[-1], each))
    marks = [mark for each in found for mark in marks_of(each)]
    assert "slow" not in {mark.name for mark in marks}
    for mark in marks:
        if mark.name == "parametrize":
            cases = mark.args[1]
            assert any(not is_slow(case) for case in cases), "all cases are slow"


def marks_of(what: Any) -> list[pytest.Mark]:
    marks = getattr(what, "pytestmark", [])
    return [
        each if isinstance(each, pytest.Mark) else each.mark for each in (marks if isinstance(marks, list) else [marks])
    ]


def is_slow(case: Any) -> bool:
    return any(mark.name == "slow" for mark in getattr(case, "marks", ()))

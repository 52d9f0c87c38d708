"""A clone in an empty folder is whole: its own package is tested, and no file names a path outside of it."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import pentad
from tests.cases import together
from tests.conftest import wrong_package

ROOT = Path(__file__).parent.parent
PLACES = ("tests", "src", "docs", "benchmarks", "examples", "release", ".ci", ".github")
AT_THE_ROOT = ("pentad", "conftest.py", "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
MADE = {"__pycache__", "node_modules", "try"}  # folders that are not in the repository
# Folders of one person or one machine, except Ada's, who has the examples; and paths beside the current folder.
FOREIGN = re.compile(r"(?<![\w.}/*-])/(?:home|root|work|Users)/(?!ada\b)[\w.-]+|(?:Path|open)\(\"\.\./")
PERSONAL = (b"/home/", b"/root/", b"/work/", b"/Users/")
UPWARDS = re.compile(r"(?<![\w./-])(?:\.\./)+")


def files() -> list[Path]:
    inside = [path for place in PLACES for path in (ROOT / place).rglob("*") if not MADE & {*path.parts}]
    return [path for path in (*inside, *(ROOT / name for name in AT_THE_ROOT)) if path.is_file()]


OUT = -1  # the level of a path outside; that of another is the number of its folders below the root


def moved(level: int, node: ast.expr) -> int:
    """The level after a part of a path; an unknown part is one folder."""
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "unknown"
    for part in text.split("/"):
        if level != OUT:
            level += -1 if part == ".." else part not in ("", ".")
    return level


def level_of(node: ast.expr, names: Mapping[str, int]) -> int | None:
    """The level of a path that begins at `__file__`, also by way of names; None of any other expression."""
    steps, parts = 0, list[ast.expr]()
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=inner, attr="parent") | ast.Call(func=ast.Attribute(attr="dirname"), args=[inner]):
            steps = 1
        case ast.Subscript(value=ast.Attribute(value=inner, attr="parents"), slice=ast.Constant(value=int(number))):
            steps = number + 1
        case ast.BinOp(left=inner, op=ast.Div(), right=part):
            parts = [part]
        case ast.Call(func=ast.Attribute(value=inner, attr="resolve" | "absolute" | "joinpath"), args=parts):
            pass
        case ast.Call(func=ast.Name(id="Path") | ast.Attribute(attr="realpath" | "join"), args=[inner, *parts]):
            pass
        case _:
            return None
    level = level_of(inner, names)
    if level is None:
        return None
    level = level - steps if level >= steps else OUT
    for part in parts:
        level = moved(level, part)
    return level


def climbs(text: str, level: int) -> Iterator[str]:
    """The expressions of a module that lead out of the repository."""
    tree, names = ast.parse(text), {"__file__": level}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found = level_of(node.value, names)
            if found is not None:
                names[node.targets[0].id] = found
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and level_of(node, names) == OUT:
            yield f"line {node.lineno}: {ast.unparse(node)}"


def outside(path: Path) -> Iterator[str]:
    """The places of a file that name a path outside of the repository."""
    data, level = path.read_bytes(), len(path.relative_to(ROOT).parts)
    is_python = b"__file__" in data and (path.suffix == ".py" or data.startswith(b"#!/usr/bin/env python"))
    if not is_python and (b"\0" in data or not any(each in data for each in (b"../", *PERSONAL))):
        return
    text = data.decode(errors="replace")
    yield from (found[0] for found in FOREIGN.finditer(text))
    yield from (found[0] for found in UPWARDS.finditer(text) if found[0].count("../") >= level)
    if is_python:
        yield from climbs(text, level)


@together("path", files())
def test_no_file_names_a_path_outside(path: Path) -> None:
    assert list(outside(path)) == []


@together(
    ("line", "found"),
    [
        ('X = Path(__file__).parents[2].parent / "data"', True),
        ("X = Path(__file__).resolve().parents[3]", True),
        ('HERE = Path(__file__).parent\nX = HERE / ".." / ".." / ".." / "data"', True),
        ("HERE = Path(__file__).parents[2]\nX = HERE.parent", True),
        ('X = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__)))), "x")', True),
        ('X = Path(__file__).parents[2] / "docs" / "index.md"', False),
        ('X = Path(__file__).parent / ".." / "data"', False),
    ],
)
def test_paths_that_lead_out_are_found(line: str, found: bool) -> None:
    assert bool(list(climbs(line, level=3))) == found


def test_the_package_of_this_checkout_is_tested(tmp_path: Path) -> None:
    """Every run asks this before its first test."""
    assert wrong_package(pentad.__file__) == ""
    other = str(tmp_path / "src" / "pentad" / "__init__.py")
    for package in (other, None):  # a package without its `__init__.py` has no file
        assert f"Python imports pentad from {package}, not from {ROOT}" in wrong_package(package)


LAUNCHER = """#!/bin/sh
echo "$(dirname "$0")/.. has $(ls "$(dirname "$0")/..")"
ls "$(dirname "$0")"
exit 3
"""


@pytest.mark.skipif(os.name == "nt", reason="CI runs on Linux")
def test_ci_tests_the_commit_in_an_empty_folder(tmp_path: Path) -> None:
    checkout, temporary = tmp_path / "checkout", tmp_path / "temporary"
    (checkout / ".ci").mkdir(parents=True)
    temporary.mkdir()
    shutil.copy(ROOT / ".ci" / "run", checkout / ".ci" / "run")
    (checkout / "pentad").write_text(LAUNCHER, encoding="utf-8")
    (checkout / "pentad").chmod(0o755)
    git = ["git", "-C", str(checkout), "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "All"]):
        subprocess.run([*git, *command], check=True)
    (checkout / "not committed").touch()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    done = subprocess.run([checkout / ".ci" / "run"], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (3, "")
    first, *others = done.stdout.splitlines()
    assert first.startswith(str(temporary))
    assert first.endswith("/.. has pentad")
    assert others == ["pentad"]
    assert list(temporary.iterdir()) == []

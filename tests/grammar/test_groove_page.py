"""The page about GROOVE's language names existing tests."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "reference" / "groove.md"


def test_every_test_that_the_page_names_exists():
    named = set(re.findall(r"`(test_\w+)(?:\.py)?`", PAGE.read_text(encoding="utf-8")))
    files = list(HERE.rglob("test_*.py"))
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    existing = {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert len(named) > 50
    assert named <= existing | {file.stem for file in files}


def test_what_is_supported_is_not_listed_as_unsupported():
    supported, _, rest = PAGE.read_text(encoding="utf-8").partition("## What is not supported")
    rows = re.findall(r"^\| ([^|]+) \|", supported, re.MULTILINE)
    unsupported = re.findall(r"\*\*(\w+)\*\*", rest.partition("## Known differences")[0])
    assert any("LTL" in row for row in rows)
    assert unsupported
    assert [word for word in unsupported if any(re.search(rf"\b{word}\b", row) for row in rows)] == []

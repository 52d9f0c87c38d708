"""The page about GROOVE's language names existing tests."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "groove.md"


def test_every_test_that_the_page_names_exists():
    named = set(re.findall(r"`(test_\w+)(?:\.py)?`", PAGE.read_text(encoding="utf-8")))
    files = list(HERE.glob("test_*.py"))
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    existing = {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert len(named) > 50
    assert named <= existing | {file.stem for file in files}

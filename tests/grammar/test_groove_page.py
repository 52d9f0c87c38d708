"""The page about GROOVE's language says of nothing that it is supported and unsupported."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "groove.md"


def test_what_is_supported_is_not_listed_as_unsupported():
    supported, _, rest = PAGE.read_text(encoding="utf-8").partition("## What is not supported")
    rows = re.findall(r"^\| ([^|]+) \|", supported, re.MULTILINE)
    unsupported = re.findall(r"\*\*(\w+)\*\*", rest.partition("## Known differences")[0])
    assert any("LTL" in row for row in rows)
    assert unsupported
    assert [word for word in unsupported if any(re.search(rf"\b{word}\b", row) for row in rows)] == []

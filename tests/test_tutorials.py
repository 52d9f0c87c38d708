"""The tutorials: the files and pictures beside them are those that their pages make."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from pentad.grammar.draw import draw_rule

ROOT = Path(__file__).parents[1]
TUTORIALS = ROOT / "docs" / "tutorials"


def names_of(page):
    """The names that the examples of a page define."""
    names = {}
    for example in doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8")):
        if doctest.SKIP not in example.options:
            exec(compile(example.source, page.name, "single"), names)
    return names


def test_the_picture_of_a_rule_is_that_of_the_page():
    page = TUTORIALS / "model.md"
    drawn = draw_rule(names_of(page)["frogs"].rules["frogJumps"])
    [picture] = re.findall(r"\]\((\S+\.svg)\)", page.read_text(encoding="utf-8"))
    assert (TUTORIALS / picture).read_text(encoding="utf-8") == f"{drawn}\n"

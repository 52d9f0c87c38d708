"""Mutations of small sources, and of the whole package."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from release.mutations import mutations
from tests.cases import together
from tests.properties import some_of

ROOT = Path(__file__).parents[2]


@together(
    "source, changed",
    [
        ("x = a < b", ["(a <= b)", "(a >= b)"]),
        ("x = a == b", ["(a != b)"]),
        ("x = a in b", ["(a not in b)"]),
        ("x = a and b", ["(a or b)", "(a)", "(b)"]),
        ("x = a + b", ["(a - b)"]),
        ("x = -a", ["(a)"]),
        ("x = 3", ["2", "4"]),
        ("x = 20", ["19", "2000", "21"]),
        ("x = 0.0", ["1.0"]),
        ("x = True", ["False"]),
        ("x = 'a'", ["'aXX'"]),
        ("x = min(a)", ["max"]),
        ("x = f(a, b=c)", ["(f(a))"]),
        ("x = a if b else c", ["False", "True"]),
        ("x = [a for a in b if c]", ["True"]),
        ("if a:\n    x = b", ["False", "True"]),
        ("while a:\n    x = b", ["False"]),
        ("def f():\n    return a", ["return None"]),
        ("x.y = a", ["pass"]),
        ("x += a", ["pass"]),
        ("raise A(3)", ["pass"]),
        ("f(a)", ["pass"]),
        ("break", ["pass"]),
    ],
)
def test_what_takes_the_place_of_a_node(source, changed):
    assert sorted(each.after for each in mutations(source)) == changed


@together(
    "source",
    [
        '"""A docstring."""',
        "import a.b",
        "assert a < 3",
        "__all__ = ['a']",
        "x: Literal['a']",
        "@cache(3)\ndef f(a: 'b') -> 'c': return",
        "x = f'{a + 1}'",
        "x = cast('a', b)",
        "while True:\n    x = a",
        "match a:\n    case 3:\n        x = b",
        "if TYPE_CHECKING:\n    x = 3",
    ],
)
def test_what_tests_need_not_notice_stays(source):
    assert mutations(source) == []


def test_a_mutation_knows_its_place():
    head = "class A:\n    é = 1\n    @property\n    def f(self):\n"
    source = head + "        def g():\n            return (1 +\n                b)\n"
    found = {each.name: each for each in mutations(source)}
    assert "A: 1 → 2" in found
    assert found["A: 1 → 2"].function is None
    inner = found["A.f.g: 1 → 2"]
    assert (inner.first, inner.last, inner.function) == (6, 7, ("A.f", 3))
    assert inner.apply(source) == source.replace("(1 +", "(2 +")


def test_equal_mutations_are_numbered():
    assert [each.name for each in mutations("x = a + b, a + b")] == [
        "module: a + b → (a - b)",
        "module: a + b → (a - b) (2)",
    ]


@pytest.mark.parametrize("folder", ["game", "record", "play", "grammar/states"])
def test_mutations_of_the_package_are_python_and_differ(folder):
    draw = random.Random(1)
    for path in sorted((ROOT / "src" / "pentad" / folder).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        every = mutations(source)
        assert len({each.name for each in every}) == len(every)
        for each in draw.sample(every, min(some_of(7), len(every))):
            assert ast.dump(ast.parse(each.apply(source))) != ast.dump(ast.parse(source)), each.name

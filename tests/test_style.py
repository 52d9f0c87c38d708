"""The glossary of docs/style.md is in order, and tests wait for events instead of sleeping."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.cases import together

ROOT = Path(__file__).parent.parent

STYLE = (ROOT / "docs" / "style.md").read_text(encoding="utf-8")


def glossary() -> list[tuple[str, str]]:
    """The rows of the glossary."""
    table = STYLE.partition("| word | where |\n|---|---|\n")[2].partition("\n\n")[0]
    return [(word, where) for word, where in (line.strip("| ").split(" | ", 1) for line in table.splitlines())]


def test_the_glossary_is_sorted_and_names_a_word_once():
    words = [word.lower() for word, _ in glossary()]
    assert len(words) > 50
    assert words == sorted(set(words))


def test_the_places_in_the_glossary_exist():
    paths = [path for _, where in glossary() for path in re.findall(r"`(\w+/[\w./]*|\w+\.py)`", where)]
    assert len(paths) > 80
    assert [path for path in paths if not any((ROOT / base / path).exists() for base in ("src/pentad", ""))] == []


# Programs that tests start: an engine that hangs sleeps. A tool for screenshots that no test runs.
MAY_SLEEP = {
    "tests/bridges/gomocup/small_brain.py",
    "tests/bridges/ugi/small_engine.py",
    "tests/web/engines/fake_engines.py",
    "tests/web/screens.py",
}
DRAWS = {
    "choice",
    "choices",
    "getrandbits",
    "randbytes",
    "randint",
    "random",
    "randrange",
    "sample",
    "shuffle",
    "uniform",
}


def calls(path: Path) -> Iterator[tuple[ast.Call, str, bool]]:
    """The calls in a module: each with the name of what is called, and whether it is in a loop that waits."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    waiting = {
        id(each) for loop in ast.walk(tree) if isinstance(loop, ast.While | ast.Lambda) for each in ast.walk(loop)
    }
    for each in ast.walk(tree):
        if isinstance(each, ast.Call):
            yield each, ast.unparse(each.func), id(each) in waiting


@together("path", sorted((ROOT / "tests").rglob("*.py")))
def test_tests_wait_for_events_and_their_chance_has_a_seed(path):
    """A fixed sleep is too short on a busy machine; a loop, or `wait_until`, waits for an event."""
    may_sleep = path.relative_to(ROOT).as_posix() in MAY_SLEEP
    for call, name, is_waiting in calls(path):
        place = f"line {call.lineno}: {ast.unparse(call)}"
        if name == "time.sleep" or name.endswith(".wait_for_timeout"):
            assert is_waiting or may_sleep, place
        module, _, function = name.rpartition(".")
        assert not (module == "random" and function in DRAWS), place
        assert not (function in ("Random", "default_rng") and not call.args and not call.keywords), place


@together("path", sorted((ROOT / "src").rglob("*.py")))
def test_no_pattern_repeats_a_group_possessively(path):
    """Python 3.11.0 to 3.11.4 match such patterns wrongly, and Debian 12 has 3.11.2."""
    assert re.findall(r"(?<!\\)\)[*+?]\+.*", path.read_text(encoding="utf-8")) == []

"""The style of docs/style.md, as far as a program can check it: old words are gone, and the glossary is in order."""

from __future__ import annotations

import ast
import functools
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import together

ROOT = Path(__file__).parent.parent
PYTHON = sorted(
    path
    for folder in ("src", "tests", "examples", "benchmarks", "training", "docs")
    for path in (ROOT / folder).rglob("*.py")
)
SCRIPTS = sorted([*(ROOT / "src").rglob("*.js"), *(ROOT / "docs" / "javascripts").glob("*.js")])

# Parts of identifiers that the glossary replaced; each has its row in docs/style.md.
OLD = {
    "agreement", "alike", "audience", "author", "careless", "caution", "curiosity", "desk", "elsewhere", "errand",
    "errands", "explorer", "explorers", "foresee", "foreseen", "foresees", "happen", "hear", "hindrance", "insist",
    "keeper", "looker", "lot", "noted", "patience", "plainly", "pulse", "remember", "remembered", "rival",
    "saying", "sayings", "school", "shelf", "talk", "teaching", "team", "teller", "thought", "told", "trust", "twins",
    "uncompiled", "usual", "vitals", "wishes", "wits",
}  # fmt: skip
OLD_NAMES = {"GoneOn", "_own_up", "dial", "hangUp", "stand_in", "standIn"}
# Fields of the HTTP interface and of stored trees, which keep their names.
FIELDS = {"rival", "told"}
USERS_OF_FIELDS = {
    "src/pentad/web/api.py",
    "src/pentad/web/routes/play.py",
    "src/pentad/web/static/models/page.js",
    "src/pentad/web/static/play/newgame.js",
    "src/pentad/web/static/play/opponents.js",
    "src/pentad/web/static/study/review.js",
    "src/pentad/web/static/study/tree.js",
}


WORD = re.compile(r"[A-Za-z_$][\w$]*")


@functools.cache
def parts(name: str) -> set[str]:
    """The words of an identifier in snake_case or camelCase."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def identifiers(path: Path) -> set[str]:
    """The identifiers of a module; of a script all words outside of strings and comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        text = re.sub(r"//.*|/\*[\s\S]*?\*/|\"[^\"\n]*\"|'[^'\n]*'", "", text)
    elif old(set(WORD.findall(text))):  # tokens take far longer than words
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return {token.string for token in tokens if token.type == tokenize.NAME}
    return set(WORD.findall(text))


def old(names: set[str]) -> list[str]:
    """Those of the names that are old, or have an old part."""
    return sorted(name for name in names if name in OLD_NAMES or parts(name) & OLD)


@together("path", [*PYTHON, *SCRIPTS])
def test_old_words_are_no_identifiers(path):
    kept = FIELDS if path.relative_to(ROOT).as_posix() in USERS_OF_FIELDS else set()
    assert old(identifiers(path) - kept) == []


STYLE = (ROOT / "docs" / "style.md").read_text(encoding="utf-8")


def glossary(heading: str) -> list[tuple[str, str]]:
    """The rows of a table of the glossary, by its heading."""
    table = STYLE.partition(f"| {heading} |\n|---|---|\n")[2].partition("\n\n")[0]
    return [(old, new) for old, new in (line.strip("| ").split(" | ", 1) for line in table.splitlines())]


@pytest.mark.parametrize("heading", ["word | where", "was | is"])
def test_the_glossary_is_sorted_and_names_a_word_once(heading):
    words = [word.lower() for word, _ in glossary(heading)]
    assert len(words) > 50
    assert words == sorted(set(words))


def test_every_old_word_is_in_the_glossary():
    rows = " ".join(old.lower() for old, _ in glossary("was | is")).replace("-", " ").split()
    bare = {word.strip("(),") for word in rows}
    wanted = {word.lower() for name in OLD | OLD_NAMES for word in parts(name)}
    assert sorted(word for word in wanted if not {word, word.removesuffix("s")} & bare) == []


def test_the_places_in_the_glossary_exist():
    paths = [path for _, where in glossary("word | where") for path in re.findall(r"`(\w+/[\w./]*|\w+\.py)`", where)]
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


@together("path", [path for path in PYTHON if path.is_relative_to(ROOT / "src")])
def test_no_pattern_repeats_a_group_possessively(path):
    """Python 3.11.0 to 3.11.4 match such patterns wrongly, and Debian 12 has 3.11.2."""
    assert re.findall(r"(?<!\\)\)[*+?]\+.*", path.read_text(encoding="utf-8")) == []

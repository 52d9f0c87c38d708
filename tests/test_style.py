"""The style of docs/style.md, as far as a program can check it: old words are gone."""

from __future__ import annotations

import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PYTHON = sorted(
    path for folder in ("src", "tests", "examples", "benchmarks", "docs") for path in (ROOT / folder).rglob("*.py")
)
SCRIPTS = sorted((ROOT / "src").rglob("*.js"))

# Parts of identifiers that the glossary replaced; each has its row in docs/style.md.
OLD = {
    "agreement", "audience", "careless", "desk", "elsewhere", "errand", "errands", "happen", "hindrance", "insist",
    "patience", "plainly", "rival", "saying", "sayings", "talk", "told", "vitals", "wits",
}  # fmt: skip
OLD_NAMES = {"GoneOn", "LOT", "_own_up", "dial", "hangUp", "stand_in", "standIn"}
# Fields of the HTTP interface and of stored trees, which keep their names.
FIELDS = {"rival", "told"}
USERS_OF_FIELDS = {
    "src/pentad/web/api.py",
    "src/pentad/web/routes/play.py",
    "src/pentad/web/static/models/page.js",
    "src/pentad/web/static/play/newgame.js",
    "src/pentad/web/static/play/quickstart.js",
    "src/pentad/web/static/study/review.js",
    "src/pentad/web/static/study/tree.js",
}


def parts(name: str) -> set[str]:
    """The words of an identifier in snake_case or camelCase."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def identifiers(path: Path) -> set[str]:
    """The identifiers of a module; of a script all words outside of strings and comments."""
    if path.suffix == ".py":
        with path.open("rb") as file:
            return {token.string for token in tokenize.tokenize(file.readline) if token.type == tokenize.NAME}
    code = re.sub(r"//.*|/\*[\s\S]*?\*/|\"[^\"\n]*\"|'[^'\n]*'", "", path.read_text(encoding="utf-8"))
    return set(re.findall(r"[A-Za-z_$][\w$]*", code))


@pytest.mark.parametrize("path", [*PYTHON, *SCRIPTS], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_old_words_are_no_identifiers(path):
    kept = FIELDS if path.relative_to(ROOT).as_posix() in USERS_OF_FIELDS else set()
    names = identifiers(path) - kept
    assert sorted(name for name in names if name in OLD_NAMES or parts(name) & OLD) == []

"""Kinds of log lines: every text that is logged has a name."""

from __future__ import annotations

import ast
import logging
from collections.abc import Iterator
from pathlib import Path

import pentad
from pentad.web.http.log_kinds import KINDS, OTHER, kind_of

SOURCES = Path(pentad.__file__).parent
LEVELS = {"debug", "info", "warning", "error", "exception", "critical", "log"}


def logged(source: Path) -> Iterator[tuple[str, int, object]]:
    """The texts that a module logs, each with its file and line; None if one is no literal."""
    text = source.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if "logging.getLogger" in text else ():
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "LOG"), attr=method)) if method in LEVELS:
                first = node.args[1 if method == "log" else 0]
                yield source.name, node.lineno, first.value if isinstance(first, ast.Constant) else None


def test_the_names_are_those_of_all_texts_that_are_logged() -> None:
    found = [each for source in sorted(SOURCES.rglob("*.py")) for each in logged(source)]
    assert len(found) > 20
    assert [each for each in found if each[2] not in KINDS.values()] == []
    assert {text for _, _, text in found} == set(KINDS.values())
    assert len(set(KINDS.values())) == len(KINDS)


def record(logger: str, text: str) -> logging.LogRecord:
    return logging.LogRecord(logger, logging.WARNING, "", 0, text, (), None)


def test_lines_of_other_packages_are_of_one_kind() -> None:
    assert kind_of(record("pentad.store.database", "%s.")) == "database-failed"
    assert kind_of(record("uvicorn.error", "%s.")) == OTHER
    assert kind_of(record("pentad.web", "something else")) == OTHER

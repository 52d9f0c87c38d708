"""The rules of games that a server gives its pages."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from pentad.game import names
from pentad.web.http.assets import KEPT_FOR_GOOD, Assets
from pentad.web.instant import drawings, engines, rules
from tests.web.site.kept_site import check_tools


@pytest.fixture
def files() -> Assets:
    check_tools()
    engines.folder()
    return Assets(more=rules.files)


@pytest.mark.parametrize("name", drawings.covered())
def test_the_rules_of_a_game_are_one_small_file_that_is_made_once(files: Assets, name: str) -> None:
    first, second = (files.answer(f"{files.hash}/rules/{name}.json", True) for _ in range(2))
    assert first.body is second.body
    assert first.headers["Cache-Control"] == KEPT_FOR_GOOD
    assert len(first.body) < 40_000
    found = json.loads(gzip.decompress(first.body))
    assert sum(found["engine"]["sizes"]) < 100_000  # the memory of a bot takes megabytes
    assert found["engine"]["files"] == []


def test_a_game_without_rules_for_pages_has_an_empty_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(engines, "OF_WHEEL", tmp_path)
    monkeypatch.setattr(engines.cache, "folder", lambda: None)
    assert rules.files.__wrapped__() == {f"rules/{name}.json": b"null" for name in names()}

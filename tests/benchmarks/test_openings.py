"""Balanced openings: they are the same on every machine, even, and each is there once."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import openings
from benchmarks.openings import Opening
from pentad.game.standard_position import StandardPosition
from tests.properties import some_of

QUICK = ((100, 200), (400, 300))  # the nodes of a search, and the largest score of an even position
MADE = [name for name in openings.RULES if openings.path(name).exists()]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "STEPS", QUICK)
    monkeypatch.setattr(openings, "COMPARED", ((4, 50),))


@pytest.mark.parametrize("rules", openings.RULES)
def test_an_opening_is_that_of_its_number(rules: str) -> None:
    first, again = ([openings.opening(rules, number) for number in range(6)] for _ in range(2))
    found = [each for each in first if each]
    assert first == again
    assert found
    for each in found:
        assert all(abs(score) <= most for score, (_, most) in zip(each.scores, QUICK, strict=True))
        assert openings.position_after(rules, each).outcome is None
        assert Opening.of(str(each)) == each


def test_a_file_of_openings_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "FOLDER", tmp_path)
    monkeypatch.setattr(openings, "made", lambda rules, first, _: filter(None, _made(rules, first)))
    openings.make("freestyle", 2, 1)
    before = openings.read("freestyle")
    openings.make("freestyle", 4, 1)
    after = openings.read("freestyle")
    assert len(before) == 2
    assert len(after) == 4
    assert after[:2] == before
    assert [each.number for each in after] == sorted({each.number for each in after})


def _made(rules: str, first: int) -> list[Opening | None]:
    return [openings.opening(rules, number) for number in range(first, first + 20)]


@pytest.mark.parametrize("rules", MADE)
def test_the_openings_of_the_files_differ_and_are_even(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    known = openings.read(rules)
    assert all(
        abs(score) <= most for each in known for score, (_, most) in zip(each.scores, openings.STEPS, strict=True)
    )
    some = known[: some_of(1000)]
    keys = {StandardPosition(openings.position_after(rules, each)).key for each in some}
    assert len(keys) == len(some)

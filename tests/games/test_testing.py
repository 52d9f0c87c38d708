"""The conformance kit, with Pentago and with broken games."""

from __future__ import annotations

import dataclasses

import pytest

import pentad
from pentad.game import Outcome
from pentad.games import testing
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.testing import check_game


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"win_on_placement": False},
        {"rows": 1, "cols": 2, "block": 2, "line": 3},
        {"rows": 1, "cols": 1, "block": 3, "line": 3},
        {"rows": 2, "cols": 3, "players": 3},
        {"rows": 3, "cols": 3, "players": 4},
        {"rows": 2, "cols": 6, "block": 2, "players": 5, "line": 4},
        {"rows": 1, "cols": 1, "block": 5, "players": 6, "line": 4},
        {"rows": 5, "cols": 4, "block": 1, "line": 3},
    ],
)
def test_pentago_conforms(options):
    report = check_game("pentago", plays=5, **options)
    assert report.finished == 5
    assert report.moves > 10


def test_perft_tables_are_used():
    assert check_game("pentago", plays=1).perft_counts == 2


@pytest.mark.slow
@pytest.mark.parametrize("row", testing.perft_table("pentago"), ids=lambda row: str(row["options"]))
def test_deep_perft(row):
    start = pentad.new("pentago", **row["options"])
    for depth, count in enumerate(row["counts"], 1):
        if count > testing.PERFT_AT_MOST:
            assert pentad.perft(start, depth) == count


def break_attribute(monkeypatch, name, replacement):
    monkeypatch.setattr(PentagoPosition, name, replacement)


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("text", lambda real: property(lambda self: real.fget(self) + "\nx"), "one line"),
        ("ply", lambda real: property(lambda self: 0), "ply"),
        ("colour_of", lambda real: lambda self, seat: "black", "colour"),
        ("describe", lambda real: lambda self, move: "", "description"),
        ("parse", lambda real: lambda self, text: self.legal_moves[0], "broken at"),
        ("partial", lambda real: lambda self, steps: self, "broken at"),
        (
            "outcome",
            lambda real: property(lambda self: Outcome((0,), "five", (1.0, 0.0)) if self.ply > 4 else None),
            "do not sum to 0",
        ),
        (
            "play",
            lambda real: lambda self, move: dataclasses.replace(real(self, move), marbles=self.marbles),
            "broken at",
        ),
    ],
)
def test_violations_are_found(monkeypatch, name, make, message):
    break_attribute(monkeypatch, name, make(PentagoPosition.__dict__[name]))
    with pytest.raises(AssertionError, match=message):
        check_game("pentago", plays=2)

"""Conformance of Pente to the interface of games, with many options, and its perft tables."""

import pytest

import pentad
from pentad.games import testing
from pentad.games.testing import check_game
from tests.cases import thinned, together
from tests.games.pente.random_games import RULES, new
from tests.games.pente.referee import count_turns, table_for

OPTIONS = [
    *({"rules": rules, "size": 7} for rules in RULES),
    *({"rules": rules, "size": 5, "line": 4, "opening": "free"} for rules in ("pente", "keryo", "poof", "boat")),
    {},
    {"tournament_rule": False, "size": 9},
    {"size": 7, "opening": "pro"},
    {"size": 3, "line": 3, "opening": "free"},
    {"size": 4, "line": 4, "opening": "free", "capture_win": 2},
    {"rules": "pente", "size": 5, "opening": "swap2"},
    {"rules": "lines", "size": 5, "line": 4},
    {"rules": "lines", "size": 3, "line": 3, "opening": "swap2"},
    {"rules": "lines", "size": 9, "tournament_rule": True},
    {"rules": "lines"},
    {"rules": "poof", "size": 5, "opening": "swap2", "capture_win": 4},
    {"rules": "boat", "size": 5, "line": 3, "opening": "swap2"},
    {"rules": "ninuki42", "size": 6, "line": 4, "capture_win": 4},
    {"rules": "freestyle", "size": 25},
    {"rules": "freestyle", "size": 8, "double_three": False, "blocked_tie": True},
    {"rules": "gomoku", "size": 6, "five": "stands"},
]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("options", thinned(OPTIONS, 8), ids=str)
def test_pente_conforms(options):
    plays = 1 if options.get("size", 19) > 9 or options.get("opening") == "swap2" else 3
    report = check_game("pente", plays=plays, **options)
    assert report.finished == plays
    assert report.moves > 2 * plays


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_pente_conforms_in_long_games(options):
    check_game("pente", plays=20, seed=1, **options)


# ── how many sequences of moves there are ────────────────────────────────────────────────────────

TABLE = testing.perft_table("pente")


def test_the_table_has_every_rule_set_and_opening():
    assert {row["options"].get("rules", "pente") for row in TABLE} == {*RULES}
    openings = {new(**row["options"]).options["opening"] for row in TABLE}
    assert openings == {"free", "centre", "tournament", "pro", "swap2"}
    assert len({new(**row["options"]) for row in TABLE}) == len(TABLE)


@pytest.mark.slow
@together("row", TABLE)
def test_perft(row):
    start, table = new(**row["options"]), table_for(**row["options"])
    for depth, count in enumerate(row["counts"], 1):
        if count <= 20_000:
            assert pentad.perft(start, depth) == count
        if count <= 4_000 and start.stage == "-":
            assert count_turns(table, depth) == count


@pytest.mark.slow
@pytest.mark.parametrize("row", TABLE, ids=lambda row: str(row["options"]))
def test_deep_perft(row):
    start = new(**row["options"])
    for depth, count in enumerate(row["counts"], 1):
        assert pentad.perft(start, depth) == count

"""The one answer to whether a value is known: by the rules, the book, stored values, the solver and proofs."""

from __future__ import annotations

import itertools
import random

import pytest

import pentad
from pentad.game import GameError, Position, game
from pentad.game.standard_position import StandardPosition
from pentad.games.pentago import from_number, to_number
from pentad.games.pentago.slices import VARIABLE
from pentad.games.pentago.solver import solve as by_solver
from pentad.play.contest import exact_outcome, value_of_move
from pentad.play.data.labelling import labels
from pentad.play.move_grades import grade
from pentad.play.table import Table
from pentad.record import Record, Value
from pentad.search.exact import (
    DRAW,
    LOSS,
    WIN,
    Proof,
    Unsolved,
    claim_of,
    exact_value,
    solve,
    summary_of_moves,
)
from pentad.search.report import Result
from tests.games.pentago import slice_files
from tests.games.pentago.test_slices import deep
from tests.programs import run
from tests.properties import some_of

EMPTY = pentad.new("pentago")
DRAWN, LOST = EMPTY.play("a0 4C"), EMPTY.play("b1 1A")
CORNERS = ("a0", "a5", "f0", "f5")
THREATS = (
    "pente opening=free 19/19/19/19/19/19/5w1w11/7b11/6wbw2b7/4b2b1w2w6/4b2bb1w1b6/4bwwwwb1wb6/4w2b1ww1b6"
    "/19/19/19/19/19/19 4,4"
)


def test_the_first_positions_of_pentago_are_in_the_book():
    """Published facts: Black wins from the empty board, with every marble but one in a corner, which draws."""
    found = exact_value(EMPTY, moves=True)
    assert found is not None
    assert (found.value, found.how, found.unknown) == (1, "book", 0)
    assert sorted(map(found.moves.__getitem__, EMPTY.legal_moves)) == [0] * 96 + [1] * 192
    assert all(found.moves[move] == 0 for move in EMPTY.legal_moves if str(move)[:2] in CORNERS)
    for position, value in ((DRAWN, 0), (LOST, -1)):
        there = exact_value(position)
        assert there is not None
        assert (there.value, there.how) == (value, "book")


def test_every_position_of_one_marble_up_to_symmetry_has_the_value_of_its_best_move():
    positions = {StandardPosition(after).key: after for after in map(EMPTY.play, EMPTY.legal_moves)}
    assert len(positions) == 6
    for position in positions.values():
        found = exact_value(position, moves=True)
        assert found is not None
        assert found.value == max(found.moves.values())
        assert found.unknown == 0
        for move in found.best[::20]:
            after = exact_value(position.play(move))
            assert after is not None
            assert after.value == -found.value


def test_with_three_marbles_the_moves_of_the_page_are_known():
    seen, chance = set(), random.Random(1)
    for _ in range(8):
        position = EMPTY
        for _ in range(3):
            position = position.play(chance.choice(position.legal_moves))
        found = exact_value(position, moves=True)
        assert found is not None
        seen.add(found.value)
        assert set(found.moves.values()) == {found.value}
        assert (found.unknown == 0) == (found.value == -1)  # every move loses where one of them does no better
    assert seen == {0, -1}  # White cannot win so early
    assert exact_value(position.play(position.legal_moves[0])) is None


def test_the_middle_of_a_turn_is_known_where_all_results_are():
    found = exact_value(EMPTY.partial("a2"))
    assert found is not None
    assert (found.value, len(found.moves)) == (1, 8)
    assert exact_value(EMPTY.partial("a0")).value == 0  # type: ignore[union-attr]


def test_an_answer_of_the_book_loads_no_compiler():
    code = (
        "import sys, pentad; from pentad.search.exact import exact_value; "
        "exact_value(pentad.new('pentago'), moves=True, depth=True, seconds=9.0); "
        "print(pentad.analyse(pentad.new('pentago')).exact); "
        "print({'numba', 'numpy', 'llvmlite'} & set(sys.modules))"
    )
    assert run(code)[0].splitlines() == ["True", "set()"]


# ── the order of the sources ─────────────────────────────────────────────────────────────────────


def stored_as(folder, position: Position, wins: tuple[int, int], monkeypatch) -> None:
    """Slices in which every move from a position has this result for black and white, for all rotations."""
    placed = {to_number(position.partial(choice)): wins for choice in position.choices()}
    slice_files.write(folder / "a.pentago", placed, whole=False)
    monkeypatch.setenv(VARIABLE, str(folder))


ALL = (1 << 256) - 1
WON_OF_34 = next(
    here for here in (deep(seed, 34) for seed in range(50)) if slice_files.solved(here) == 1 and not here.winning_spaces
)


def test_the_book_comes_before_slices(tmp_path, monkeypatch):
    stored_as(tmp_path, EMPTY, (0, ALL), monkeypatch)  # these values are wrong on purpose
    found = exact_value(EMPTY, moves=True)
    assert found is not None
    assert (found.value, found.how) == (1, "book")
    without = exact_value(EMPTY, moves=True, book=False)
    assert without is not None
    assert (without.value, without.how, without.unknown) == (-1, "database", 0)


def test_slices_come_before_the_solver(tmp_path, monkeypatch):
    position = next(here for here in (deep(seed, 34) for seed in range(50)) if slice_files.solved(here) < 1)
    assert exact_value(position) is None  # without a search nothing knows it
    assert solve(position).value < 1
    stored_as(tmp_path, position, (ALL, 0), monkeypatch)  # these values are wrong on purpose
    found = solve(position)
    assert (found.value, found.how) == (1, "database")


def test_slices_without_distances_get_them_from_the_solver(tmp_path, monkeypatch):
    stored_as(tmp_path, WON_OF_34, (ALL, 0), monkeypatch)
    assert exact_value(WON_OF_34, depth=True).turns is None  # type: ignore[union-attr]
    found = solve(WON_OF_34, depth=True)
    assert (found.value, found.how in ("search", "retrograde")) == (1, True)
    assert found.turns


def test_the_solver_comes_before_proofs_and_says_why_it_has_no_value(monkeypatch):
    four = EMPTY.play("a0 4C").play("b1 2A").play("c3 1A").play("d5 2C")
    with pytest.raises(Unsolved, match="up to 3 marbles"):
        solve(four, seconds=0.01)
    move = four.legal_moves[0]
    monkeypatch.setattr(
        "pentad.games.pentago.bot.prove", lambda position, *, seconds: Proof(move, moves=3), raising=False
    )
    found = solve(four, seconds=0.01)
    assert (found.value, found.turns, found.how, found.claim) == (1, 5, "proof", "wins in 3 moves")
    hard = from_number(4312211864716913874)
    assert solve(hard, seconds=60).how == "retrograde"


def test_proofs_of_pente():
    won = pentad.load(THREATS)
    assert exact_value(won) is None
    found = exact_value(won, seconds=2.0)
    assert found is not None
    assert (found.value, found.how, found.turns, str(found.best[0])) == (1, "proof", 11, "G9")
    assert found.claim.startswith("wins in 6 moves")
    fixed = exact_value(won, seconds=None)
    assert fixed is not None
    assert (fixed.value, fixed.how) == (1, "proof")


@pytest.mark.parametrize("name", ["pente", "pentagame"])
def test_a_game_without_a_solver_says_so(name):
    with pytest.raises(Unsolved, match=f"^{game(name).title} has no exact values\\.$"):
        solve(pentad.new(name), seconds=0.01)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (pentad.new("pentago", players=3), "for two players only, not for 3"),
        (pentad.new("pentago", rows=3, cols=3), "Only boards of up to 4 sub-boards can be solved"),
        ("pentago", "^Only positions can be solved, not 'pentago'"),
    ],
)
def test_other_positions_are_refused(position, message):
    with pytest.raises(GameError, match=message):
        solve(position)


def test_a_finished_game_is_known_by_the_rules():
    over = pentad.load("pentago bbbb../....../wwww../....../....../......").play("a4")
    found = exact_value(over, moves=True)
    assert found is not None
    assert (found.value, found.values, found.how, found.turns, found.unknown) == (-1, (1.0, -1.0), "rules", 0, 0)


def test_the_function_agrees_with_the_solver_where_both_answer():
    rng = random.Random(5)
    for _ in range(some_of(60)):
        here = EMPTY
        for _ in range(rng.randint(20, 34)):
            after = here.play(rng.choice(here.legal_moves))
            here = here if after.outcome else after
        expected = by_solver(here)
        found = exact_value(here, moves=True, seconds=None)
        assert found is not None
        assert (found.value, dict(found.moves)) == (expected.value, dict(expected.moves))
        for move in rng.sample(here.legal_moves, 3):
            after = exact_value(here.play(move), seconds=None)
            assert after is not None
            assert after.value == -found.moves[move]


# ── what shows a value ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("position", "value"), [(EMPTY, 1), (DRAWN, 0), (LOST, -1)])
def test_an_analysis_is_exact_and_its_lines_agree(position, value):
    analysis = pentad.analyse(position, lines=40)
    assert (analysis.exact, analysis.value, analysis.report.how) == (True, value, "book")
    assert analysis.lines[0].moves
    values = [line.values[position.turn] for line in analysis.lines]
    assert values == sorted(values, reverse=True)
    for line in analysis.lines:
        after = exact_value(position.play(line.moves[0]))
        assert after is not None
        assert -after.value == line.values[position.turn]
        here = position
        for move in line.moves:
            here = here.play(move)
    words = {1: "wins", 0: "draws", -1: "loses"}
    heading, *lines = str(analysis).splitlines()
    assert heading == f"from the book of exact values; proved{', in an unknown number of moves' if value else ''}"
    assert [line.split()[0] for line in lines] == [words[each] for each in values]


def test_without_the_book_an_engine_analyses():
    assert not pentad.analyse(EMPTY, depth=1, book=False).exact


def test_a_value_without_moves_is_shown_alone(tmp_path, monkeypatch):
    four = EMPTY.play("a0 4C").play("b1 2A").play("c3 1A").play("d5 2C")
    slice_files.write(tmp_path / "a.pentago", {to_number(four): (ALL, 0)}, whole=False)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    analysis = pentad.analyse(four)
    assert (analysis.exact, analysis.value, analysis.lines[0].moves, analysis.report.how) == (True, 1, (), "database")


def test_hints_grades_labels_and_contests_know_the_book():
    record = Record(EMPTY)
    assert Table(record).hint(0.1).claim == "wins"
    for move in ("a0 1C", "c2 2C"):
        record.end.play(move)
    first, second = grade(record)
    assert (first.before, first.after, second.before) == (1, 0, 0)
    first_move = record.root.children[0]
    assert value_of_move(first_move, Result(first_move.move)) == Value(0.0, exact=True)
    assert exact_outcome(EMPTY) is None  # a contest plays an opening that the book knows
    first, later = itertools.islice(labels(EMPTY, "greedy", None, seed=1), 2)
    assert (first.position.ply, first.value, first.exact) == (1, -1, True)
    assert not later.exact or later.position.ply <= 3


@pytest.mark.parametrize(
    ("counts", "unknown", "text"),
    [
        ((1, 0, 0), 0, "The only move wins."),
        ((0, 0, 1), 0, "The only move loses."),
        ((2, 0, 0), 0, "Every move wins."),
        ((0, 12, 0), 0, "Every move draws."),
        ((0, 0, 1200), 0, "Every move loses."),
        ((3, 0, 149), 0, "3 of 152 moves win, the other 149 lose."),
        ((3, 1, 108), 0, "3 of 112 moves win, 1 draws, the other 108 lose."),
        ((1, 2, 1), 0, "1 of 4 moves wins, 2 draw, the other one loses."),
        ((0, 1, 1), 0, "1 of 2 moves draws, the other one loses."),
        ((0, 5, 0), 259, "5 of 264 moves draw, the values of the other 259 are not known."),
        ((0, 5, 0), 1, "5 of 6 moves draw, the value of the other one is not known."),
        ((2, 1, 0), 9, "2 of 12 moves win, 1 draws, the values of the other 9 are not known."),
        ((0, 0, 0), 9, "The values of the moves are not known."),
    ],
)
def test_moves_are_counted_as_a_person_says_it(counts: tuple[int, int, int], unknown: int, text: str) -> None:
    values = [value for value, count in zip((WIN, DRAW, LOSS), counts, strict=True) for _ in range(count)]
    assert summary_of_moves(values, unknown) == text


def test_claims_name_their_unit():
    assert [claim_of(WIN, 1), claim_of(WIN, 3, at_most=True)] == ["wins in 1 move", "wins in 3 moves at most"]
    assert claim_of(LOSS, 1) == "loses in 1 move at the latest"

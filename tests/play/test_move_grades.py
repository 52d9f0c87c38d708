"""Grades: exact values before and after each move, what follows from them, and what stays unknown."""

from __future__ import annotations

import random

import pytest

from pentad import load, new
from pentad.game import Outcome, game
from pentad.games.pentago.solver import solve
from pentad.play import puzzles
from pentad.play.move_grades import Grade, GradeSum, accuracies_of, grade
from pentad.play.position_assessment import Assessment
from pentad.record import Record
from tests.cases import thinned
from tests.properties import some_of

WON = "pentago bbbb../wwww../....../....../....../......"


def played(start, *moves):
    """A record of these moves."""
    record = Record(load(start) if isinstance(start, str) else start)
    for move in moves:
        record.end.play(move)
    return record


def values(record):
    return [(each.before, each.after) for each in grade(record)]


def test_grades_of_pentago_are_those_of_the_solver():
    rng = random.Random(3)
    for _ in range(some_of(6)):
        here = new("pentago")
        while here.ply < 26 and not here.outcome:
            after = here.play(rng.choice(here.legal_moves))
            here = here if after.outcome else after
        record = Record(here)
        while not record.end.position.outcome:
            record.end.play(rng.choice(record.end.position.legal_moves))
        for each, node in zip(grade(record), record.end.line, strict=False):
            solved = solve(node.position)
            assert (each.before, each.after) == (solved.value, solved.moves[each.move])
            assert (each.ply, each.seat) == (node.position.ply, node.position.turn)
            assert each.regret == solved.value - solved.moves[each.move]


def test_a_missed_win():
    record = played(WON, "f5 4C", "b4")
    first, second = grade(record)
    assert (first.before, first.after, first.regret) == (1, -1, 2)
    assert (second.before, second.after, second.regret) == (1, 1, 0)


def without_proofs(monkeypatch):
    """Assessments that prove nothing; returns the positions that are assessed."""
    searched = []

    def assess(here):
        searched.append(here)
        return Assessment(here, None, (0.0, 0.0), False)

    monkeypatch.setattr("pentad.play.move_grades.assess_by_fixed_work", assess)
    return searched


def test_what_follows_from_the_end_of_a_game(monkeypatch):
    searched = without_proofs(monkeypatch)
    assert values(played(WON, "f5 4C", "b4")) == [(None, -1), (1, 1)]
    assert [here.ply for here in searched] == [8]
    # Without a winning end nothing is known: a resignation proves nothing.
    record = played(WON, "f5 4C")
    record.tags["Result"] = "1-0"
    assert values(record) == [(None, None)]


def test_every_move_loses_in_a_lost_position(monkeypatch):
    searched = []

    def assess(here):
        searched.append(here.ply)
        return Assessment(here, None, (-1.0, 1.0) if here.ply == 8 else (0.0, 0.0), here.ply == 8)

    monkeypatch.setattr("pentad.play.move_grades.assess_by_fixed_work", assess)
    assert values(played(WON, "f5 4C")) == [(-1, -1)]
    assert searched == [9, 8]


@pytest.mark.parametrize(
    "start",
    [
        new("pentago", players=3, rows=1, cols=3),
        new("pentago", rows=3, cols=3),
        new("pente", opening="swap2", size=9),
        new("pentagame", players=3),
    ],
)
def test_unsupported_games_are_unknown(start):
    rng, record = random.Random(1), Record(start)
    for _ in range(3):
        record.end.play(rng.choice(record.end.position.legal_moves))
    assert values(record) == [(None, None)] * 3


def test_a_game_without_exact_values(monkeypatch):
    monkeypatch.setattr(type(game("pentago")), "has", lambda self, part: False)
    assert values(played(WON, "f5 4C", "b4"))[1] == (1, 1)


def test_a_draw_and_what_loses_it():
    each = next(each for each in puzzles.puzzles("pentago") if each.kind == "draw")
    right = next(iter(each.tree.right))
    wrong = next(move for move in each.start.legal_moves if str(move) not in each.tree.right)
    assert (values(played(each.start, right)), values(played(each.start, wrong))) == ([(0, 0)], [(0, -1)])


def wins(name, moves):
    """Puzzles in which the player to move wins in so many moves."""
    return [each for each in puzzles.puzzles(name) if each.kind in ("win", "threats") and each.moves == moves]


@pytest.mark.parametrize(
    "each",
    thinned([*wins("pente", 2)[:4], *wins("pente", 3)[:4], *wins("pente", 4)[:2], *wins("pentagame", 2)[:2]], 4),
    ids=lambda each: each.id,
)
def test_a_correct_move_of_a_puzzle_keeps_the_win(each):
    move = next(iter(each.tree.right))
    assert values(played(each.start, move)) == [(1, 1)]


def test_the_first_position_is_unknown():
    for name in ("pente", "pentagame"):
        assert values(played(new(name), new(name).legal_moves[0])) == [(None, None)]


def test_scores():
    score = GradeSum()
    judgement = grade(played(WON, "f5 4C"))[0].judgement
    for before, after in ((1, -1), (1, 1), (0, -1), (None, -1), (1, None)):
        score.add(Grade(0, 0, new("pentago").legal_moves[0], before, after, judgement))
    assert (score.moves, score.graded, score.unknown, score.mistakes, score.regret) == (5, 3, 2, 2, 3)
    assert (score.marks, score.accuracy) == ({"blunder": 5}, None)
    score.accuracies += [50.0, 100.0]
    assert score.accuracy == 75.0


def test_marks_and_accuracies():
    grades = grade(played(WON, "f5 4C", "b4"))
    first, second = (each.judgement for each in grades)
    assert (first.mark and first.mark.name, second.mark) == ("blunder", None)
    assert str(first.better[0]) in ("a4", "e4")
    assert first.words == "Blunder. Black missed a forced win. After this move, White wins."
    ann, bob = accuracies_of(grades)
    assert ann is not None
    assert ann < 1
    assert bob == 100.0
    assert accuracies_of([]) == ()


def test_a_repetition_is_a_draw_that_the_last_move_made(monkeypatch):
    """The third repetition ends the game, so a player who was ahead has given the lead away."""
    monkeypatch.setattr(Record, "shown", property(lambda self: Outcome.of((), 2, "repetition")))
    (only,) = grade(played(WON, "f5 4C"))
    assert (only.before, only.after, only.judgement.after) == (1, 0, 0.5)


def test_progress():
    seen = []
    grade(played(WON, "f5 4C", "b4"), lambda done, of: seen.append((done, of)))
    assert seen == [(0, 3), (1, 3), (2, 3)]

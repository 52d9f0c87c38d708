"""Trials of one seat against the others: every seat in turn, continued, with the interval of the openings."""

from __future__ import annotations

import json
from pathlib import Path

import pentad
from benchmarks.pentagame_seats import Opening, Score, random_turns, run, shares
from benchmarks.trial import ROOT, Side, record
from pentad.game import Position


def sides(first: int, second: int) -> list[Side]:
    return [Side("tree", ROOT, {"nodes": nodes}) for nodes in (first, second)]


def test_openings_are_random_turns_of_every_seat() -> None:
    here = pentad.new("pentagame", players=3)
    for move in random_turns(3, 1):
        here = here.play(move)
    assert here.ply == 6
    assert random_turns(3, 1) == random_turns(3, 1) != random_turns(3, 2)


def test_a_trial_gives_the_change_every_seat_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    first = run(2, sides(60, 2), 2, file=file)
    assert sorted(first.openings) == [0]
    lines = file.read_text(encoding="ascii").splitlines()
    score = run(2, sides(60, 2), 6, file=file)
    assert file.read_text(encoding="ascii").splitlines()[:1] == lines
    assert sorted(score.openings) == [0, 1, 2]
    assert all(len(each.points) == 2 for each in score.openings.values())
    assert score.share[0] > 0.5  # the side with more visits is stronger
    assert score.milliseconds[0] > score.milliseconds[1] > 0


def test_shares_of_the_points() -> None:
    def ended(square: str) -> Position:
        return pentad.load(f"pentagame 0 40 ---,---,---,827,400/{square} 500,600,700,911,900 931,941,---,---,--- -/- -")

    assert shares(ended("---,---,200,300,400")) == [1.0, 0.0]
    assert shares(ended("---,---,---,300,400")) == [0.5, 0.5]


def test_the_score_has_an_interval_and_a_record() -> None:
    score = Score(3)
    for number in range(20):
        score.add(Opening(number, [1.0, 0.5, 0.0] if number % 2 else [0.5, 0.0, 0.0], [10, 20], [0.1, 0.4]))
    share, error = score.share
    assert abs(share - 1 / 3) < 1e-9
    assert 0.05 < error < 0.1
    found = record("a change", "pentagame, 3 players", sides(20, 10), score)
    assert found["games"] == 60
    assert found["share"] == [0.333, round(error, 3)]
    assert found["milliseconds"] == [10.0, 20.0]
    assert json.loads(json.dumps(found)) == found

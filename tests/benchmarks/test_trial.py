"""Trials of an engine: games from both sides, continued, counted in the order of their openings."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from benchmarks import openings, trial
from benchmarks.openings import Opening
from benchmarks.trial import ENGINE, RECORDS, ROOT, Pair, Score, Side, play, record, run, turned, varied
from pentad.play.sprt import Sprt

FEW = [Opening(0, (0, 0, 0), ("G8", "H9", "J9")), Opening(1, (0, 0, 0), ("H8", "J9", "G6", "H6"))]


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "read", lambda rules: FEW)


def sides(first: int, second: int) -> list[Side]:
    return [Side(ENGINE, ROOT, {"nodes": nodes}) for nodes in (first, second)]


def test_a_trial_plays_both_sides_of_its_openings_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    first = run("freestyle", sides(2000, 30), 4, 1, file=file)
    assert sorted(first.pairs) == [0, 1]
    lines = file.read_text(encoding="ascii").splitlines()
    score = run("freestyle", sides(2000, 30), 8, 2, file=file)
    assert file.read_text(encoding="ascii").splitlines()[:2] == lines
    assert sorted(score.pairs) == [0, 1, 2, 3]
    assert all(len(pair.points) == 2 for pair in score.pairs.values())
    assert sum(sum(pair.points) for pair in score.pairs.values()) > 4  # the side with more nodes is stronger
    assert score.milliseconds[0] > 0


def test_the_opponent_may_be_another_bot() -> None:
    score = run("pente", [Side(ENGINE, ROOT, {"nodes": 500}), Side("greedy", ROOT, {"nodes": 500})], 2, 1)
    assert sum(score.pairs[0].points) == 2


def test_an_opening_that_comes_again_is_turned() -> None:
    start = openings.start("freestyle")
    images = {tuple(turned(start, FEW[0].moves, which)) for which in range(9)}
    assert len(images) == 8
    assert FEW[0].moves in images


def test_nodes_vary_by_a_tenth() -> None:
    found = {varied({"nodes": 1000}, random.Random(seed))["nodes"] for seed in range(50)}
    assert len(found) > 20
    assert 900 <= min(found) < max(found) <= 1100
    assert varied({"seconds": 1.0}, random.Random(1)) == {"seconds": 1.0}


def test_a_decided_trial_counts_the_openings_up_to_its_decision() -> None:
    score = Score(Sprt(0, 100))
    for number in reversed(range(60)):  # in whatever order they end
        score.add(Pair(number, [1.0, 0.5 if number % 5 else 0.0], [20, 20], [0.2, 0.4]))
    assert score.test is not None
    assert score.test.decision == "H1"
    counted = score.counted
    assert [pair.number for pair in counted] == list(range(score.test.openings))
    assert len(counted) < 60
    found = record("a change", "pente", sides(10, 20), score)
    assert sum(found["pairs"]) == len(counted)
    assert found["decision"] == "H1"
    assert found["milliseconds"] == [10.0, 20.0]
    low, elo, high = (found["elo"][each] for each in (1, 0, 2))
    assert 0 < low < elo < high


def test_the_kept_trials_are_records() -> None:
    lines = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]
    known = [each for each in lines if not each["rules"].startswith("pentagame")]
    names = set(record("", "pente", [], Score(Sprt(0, 10))))
    assert known
    for each in known:
        assert set(each) == names
        assert each["about"]
        if each["sprt"] is None:
            assert each["decision"] == ""
            continue
        test = Sprt(*each["sprt"][:2])
        decided = test.decision(each["sprt"][2] + 0.005 * (1 if each["sprt"][2] > 0 else -1))
        assert each["decision"] in ("", decided)


def test_a_program_plays_to_the_end_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Scripted:
        """A player that wins by a row, or loses it; it always says that it wins."""

        def __init__(self, side: Side, row: int) -> None:
            self.side, self._row = side, row

        def move(self, game: object, moves: list[str]) -> dict[str, object]:
            asked.append(len(moves))
            point = f"{'ABCDEFGHJKLMNO'[(len(moves) - 3) // 2]}{self._row}"
            return {"move": point, "seconds": 0.0, "wins": True}

        def end_game(self) -> None: ...

    ours, program = Side(ENGINE, ROOT, {}), Side("gomocup:brain", ROOT, {})
    pair = play("freestyle", FEW, [Scripted(ours, 1), Scripted(program, 3)], 0)  # type: ignore[list-item]
    assert max(asked) > 3
    assert pair.points == [0.0, 1.0]
    asked.clear()
    pair = play("freestyle", FEW, [Scripted(ours, 1), Scripted(ours, 3)], 0)  # type: ignore[list-item]
    assert max(asked) == 3
    assert trial.Side("gomocup:/x/brain", ROOT, {}).name == "brain"

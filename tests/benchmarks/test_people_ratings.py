"""The comparison of rating methods: its worlds, its measures, and the page with what it found."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import pytest

from benchmarks import people_ratings
from benchmarks.people_ratings import (
    BOTS,
    CHOSEN,
    LADDER,
    PAGE,
    SEATS,
    WORLDS,
    Conditions,
    Elo,
    Glicko,
    Method,
    World,
    at_seats,
    edge_after,
    main,
    measure,
    methods,
    rank_correlation,
    rescaled,
    softmax,
)
from benchmarks.results import read
from pentad.play.people_ratings import PlayerRating


@cache
def small(name: str = "two seats") -> World:
    return World(WORLDS[name], 80, 60, 5)


def test_the_same_seed_gives_the_same_games() -> None:
    assert World(WORLDS["two to five seats"], 40, 60, 7).games == World(WORLDS["two to five seats"], 40, 60, 7).games


def test_two_players_meet_in_pairs_of_games_with_seats_swapped() -> None:
    games = small().games
    assert len(games) % 2 == 0
    assert all(one.players == other.players[::-1] for one, other in zip(games[::2], games[1::2], strict=True))


def test_opponents_have_near_strengths_and_some_are_bots() -> None:
    games = small().games
    differences = [abs(first - second) for first, second in (game.strengths for game in games)]
    assert sum(differences) / len(differences) < 250
    assert 0.15 < sum(min(game.players) in BOTS for game in games) / len(games) < 0.35
    assert not any(set(game.players) <= {*BOTS} for game in games)


def test_games_of_a_world_have_two_to_five_players_once_each() -> None:
    games = small("two to five seats").games
    assert {len(game.players) for game in games} == {2, 3, 4, 5}
    assert all(len({*game.players}) == len(game.players) for game in games)


@pytest.mark.parametrize("seats", [2, 4])
def test_results_have_the_shares_of_luce_s_model_with_and_without_draws(seats: int) -> None:
    strengths = [1000.0 + 100 * seat for seat in range(seats)]
    world = World(Conditions((seats,), 100.0, 0.15), 1, 60, 2)
    won, drawn, games = [0.0] * seats, 0, 20_000
    for _ in range(games):
        best, *_others = world.result(strengths)
        drawn += len(best) == seats
        for seat in best:
            won[seat] += 1 / len(best) / games
    assert won == pytest.approx(softmax(at_seats(strengths, world.conditions.edges(seats))), abs=0.012)
    assert 0.05 < drawn / games < 0.17


@pytest.mark.parametrize("ranking", [[[0], [1]], [[1], [0]], [[0, 1]]])
def test_with_two_seats_pairs_and_ranks_are_the_same(ranking: list[list[int]]) -> None:
    seats, edges = [PlayerRating(1000, 80), PlayerRating(1200, 200)], [50.0, -50.0]
    ranks, *pairs = [by(seats, ranking, edges) for by in SEATS.values()]
    for each in pairs:
        assert [tuple(found) for found in each] == [pytest.approx(tuple(found)) for found in ranks]


def test_pairs_of_the_winner_say_as_much_of_equal_players_as_ranks() -> None:
    seats = [PlayerRating(1000, 0.0)] * 4
    ranks, pairs, _ = (by(seats, [[2], [0, 1, 3]], [0.0] * 4) for by in SEATS.values())
    assert [each.surprise for each in pairs] == pytest.approx([each.surprise for each in ranks])
    assert sum(each.information for each in pairs) == pytest.approx(sum(each.information for each in ranks))


@pytest.mark.parametrize("method", methods((2, 5)), ids=lambda method: method.name)
def test_every_method_finds_strengths(method: Method) -> None:
    found = measure(small("two to five seats"), method)
    assert found.error(20) < 250
    assert found.rank > 0.5
    assert sum(found.losses) / len(found.losses) > 0
    assert len(found.held[20]) == (len(found.errors[20]) if method.has_deviations else 0)


def test_the_chosen_method_predicts_better_than_elo_and_than_periods() -> None:
    chosen, elo, periods = (measure(small(), each) for each in (Glicko(), Elo(), Glicko(days=30)))
    losses = [sum(each.losses) for each in (chosen, elo, periods)]
    assert losses == sorted(losses)
    assert 0.8 < sum(chosen.held[10]) / len(chosen.held[10]) <= 1


def test_the_edge_is_learned() -> None:
    (learned,) = edge_after(small(), [2000])
    assert learned == pytest.approx(100, abs=40)


def test_people_are_anchored_to_a_ladder_measured_anew() -> None:
    higher = [each + 150 for each in LADDER]
    found = rescaled(small(), higher, [*LADDER])
    assert found.bias[0] > 40
    assert abs(found.bias[1]) < found.bias[0]


def test_ranks_correlate() -> None:
    assert rank_correlation([1.0, 5.0, 2.0], [10.0, 30.0, 20.0]) == 1
    assert rank_correlation([1.0, 2.0, 3.0], [3.0, 2.0, 1.0]) == -1


def test_the_tables_are_written_between_the_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{people_ratings.BEGIN}\n\nold\n\n{people_ratings.END}\n\nafter\n", encoding="utf-8")
    monkeypatch.setattr(people_ratings, "PAGE", page)
    monkeypatch.setattr(people_ratings, "WORLDS", {"two seats": WORLDS["two seats"]})
    figures = main(["--players", "80", "--days", "60", "--page"])
    assert figures
    assert all(isinstance(each.value, float | int) and math.isfinite(each.value) for each in figures)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert f"\n| {CHOSEN} | " in text
    assert "old\n" not in text


def test_the_page_has_the_kept_figures() -> None:
    """`python -m benchmarks people_ratings --page` writes both."""
    (run,) = (each for each in read() if each.benchmark == "people_ratings")
    page = PAGE.read_text(encoding="utf-8")
    assert run.command in page
    for name in WORLDS:
        table = page.partition(f"\n### {name[:1].upper()}{name[1:]}\n")[2]
        row = next(line for line in table.splitlines() if line.startswith(f"| {CHOSEN} |"))
        after_20 = next(each.value for each in run.figures if each.name == f"{name}, error after 20 games")
        assert isinstance(after_20, float)
        assert row.split(" | ")[3] == f"{after_20:.0f}"

"""Ratings of people: Glickman's example, the model of several seats, the edge, and the bots' scale."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import Outcome
from pentad.play.people_ratings import (
    DAY,
    PROVISIONAL,
    Anchoring,
    Evidence,
    LadderGame,
    PlayerRating,
    RatingSystem,
    SeatEdge,
    anchored,
    attenuation,
    edges_after,
    evidence,
    expected,
    ranking,
)
from pentad.play.rating import SCALE
from tests.properties import properties, some_of

SYSTEM = RatingSystem()
WON, LOST, DRAWN = [[0], [1]], [[1], [0]], [[0, 1]]

people = st.builds(PlayerRating, st.floats(200, 2600), st.floats(30, 350), st.floats(0.03, 0.1))


def chance(difference: float) -> float:
    return 1 / (1 + math.exp(-difference / SCALE))


# ── the published example ────────────────────────────────────────────────────────────────────────

# Glickman, "Example of the Glicko-2 system": a rating period of a player with three games.
PLAYER = PlayerRating(1500, 200, 0.06)
OPPONENTS = [(PlayerRating(1400, 30), WON), (PlayerRating(1550, 100), LOST), (PlayerRating(1700, 300), LOST)]


def of_example() -> Evidence:
    total = Evidence()
    for opponent, result in OPPONENTS:
        total = total.plus(evidence([PLAYER, opponent], result)[0])
    return total


def test_the_published_example_is_reproduced():
    after = SYSTEM.updated(PLAYER, of_example())
    assert after.value == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_steps_of_the_published_example_are_reproduced():
    weights = [attenuation(opponent.deviation) for opponent, _ in OPPONENTS]
    assert weights == pytest.approx([0.9955, 0.9531, 0.7242], abs=0.0001)
    found = of_example()
    assert 1 / found.information == pytest.approx(1.7785, abs=0.001)  # v, from rounded terms there
    assert found.surprise / found.information == pytest.approx(-0.4834, abs=0.001)


def test_without_games_the_deviation_grows_as_published():
    """Step 6 for a player who does not compete."""
    after = SYSTEM.updated(PLAYER, Evidence())
    assert after == replace(PLAYER, deviation=SCALE * math.hypot(200 / SCALE, 0.06))


def test_a_surprising_result_raises_the_volatility_and_an_expected_one_lowers_it():
    sure = PlayerRating(1500, 30, 0.06)
    weak = PlayerRating(700, 30)
    assert SYSTEM.updated(sure, evidence([sure, weak], LOST)[0]).volatility > 0.06
    assert SYSTEM.updated(sure, evidence([sure, weak], WON)[0]).volatility < 0.06


# ── one method for two and more seats ────────────────────────────────────────────────────────────


def log_likelihood(values: list[float], tiers: list[list[int]]) -> float:
    """Of a ranking with single winners of each rank, by Plackett and Luce."""
    left, found = list(range(len(values))), 0.0
    for (best,) in tiers[:-1]:
        found += values[best] - math.log(sum(math.exp(values[each]) for each in left))
        left.remove(best)
    return found


@pytest.mark.parametrize("tiers", [[[2], [0, 1, 3]], [[3], [1], [0, 2]], [[0], [1], [2], [3]]])
def test_the_evidence_of_exact_ratings_has_the_derivatives_of_the_likelihood(tiers):
    seats = [PlayerRating(value, 0.0) for value in (900, 1000, 1150, 1300)]
    edges = [60.0, -20.0, -20.0, -20.0]
    values = [(each.value + edge) / SCALE for each, edge in zip(seats, edges, strict=True)]
    for seat, found in enumerate(evidence(seats, tiers, edges)):
        low, here, high = (
            log_likelihood([value + by * (each == seat) for each, value in enumerate(values)], tiers)
            for by in (-1e-4, 0, 1e-4)
        )
        assert found.surprise == pytest.approx((high - low) / 2e-4, abs=1e-6)
        assert found.information == pytest.approx(-(high - 2 * here + low) / 1e-8, abs=1e-5)


@properties()
@given(people, people, st.sampled_from([WON, LOST, DRAWN]))
def test_more_seats_reduce_to_two_where_the_others_have_no_chance(one, other, tiers):
    hopeless = [PlayerRating(-6000, 30.0), PlayerRating(-7000, 30.0)]
    behind = [[2, 3]]
    for two, more in zip(
        evidence([one, other], tiers), evidence([one, other, *hopeless], tiers + behind), strict=False
    ):
        assert more == pytest.approx(two, abs=1e-6)


@properties()
@given(st.lists(people, min_size=2, max_size=5), st.randoms(use_true_random=False), st.data())
def test_the_order_of_the_seats_does_not_matter(seats, chance, data):
    order = list(range(len(seats)))
    edges = [data.draw(st.floats(-100, 100)) for _ in seats]
    tiers = [[each] for each in order] if data.draw(st.booleans()) else [order[:1], order[1:]]
    chance.shuffle(order)
    after = SYSTEM.rated_after(seats, tiers, 0.0, edges)
    moved = [[order.index(each) for each in tier] for tier in tiers]
    swapped = SYSTEM.rated_after([seats[each] for each in order], moved, 0.0, [edges[each] for each in order])
    for each, found in zip(order, swapped, strict=True):
        assert found.value == pytest.approx(after[each].value)
        assert found.deviation == pytest.approx(after[each].deviation)


@properties()
@given(st.lists(people, min_size=2, max_size=5), st.data())
def test_a_winner_never_falls_and_the_last_never_rise(seats, data):
    best = data.draw(st.integers(0, len(seats) - 1))
    others = [each for each in range(len(seats)) if each != best]
    after = SYSTEM.rated_after(seats, [[best], others], 0.0)
    assert after[best].value >= seats[best].value
    assert all(after[each].value <= seats[each].value for each in others)


@properties()
@given(people, st.floats(200, 2600), st.sampled_from([WON, LOST, DRAWN]), st.floats(-200, 200))
def test_equally_certain_players_exchange_points(one, value, tiers, edge):
    """Each gains what the other loses, so that the sum remains."""
    other = replace(one, value=value)
    first, second = SYSTEM.rated_after([one, other], tiers, 0.0, [edge, -edge])
    assert first.value + second.value == pytest.approx(one.value + value)


@properties()
@given(people, st.integers(2, 5))
def test_a_draw_of_equal_players_changes_no_value(one, seats):
    after = SYSTEM.rated_after([one] * seats, [[*range(seats)]], 0.0)
    assert [each.value for each in after] == pytest.approx([one.value] * seats)


@properties()
@given(people, st.floats(0, 300))
def test_a_draw_brings_players_nearer(one, difference):
    other = replace(one, value=one.value + difference)
    first, second = SYSTEM.rated_after([one, other], DRAWN, 0.0)
    assert first.value >= one.value
    assert second.value <= other.value


def test_a_win_is_worth_less_from_the_seat_with_the_edge():
    one, other = PlayerRating(1000, 80, 0.06), PlayerRating(1000, 80, 0.06)
    gains = [SYSTEM.rated_after([one, other], WON, 0.0, edges)[0].value - 1000 for edges in ([50, -50], (), [-50, 50])]
    assert gains == sorted(gains)
    assert gains[2] / gains[0] == pytest.approx((1 - chance(-100)) / (1 - chance(100)), rel=0.1)


def test_losers_beside_each_other_are_not_compared():
    """A game with one winner says nothing about who of the others was better."""
    seats = [PlayerRating(value, 50.0) for value in (1000, 1600, 1000)]
    beside = evidence(seats, [[0], [1, 2]])[2]
    ranked = evidence(seats, [[0], [2], [1]])[2]
    assert beside.surprise < 0 < ranked.surprise


@pytest.mark.parametrize(
    ("winners", "tiers"), [((1,), [[1], [0, 2]]), ((0, 2), [[0, 2], [1]]), ((), [[0, 1, 2]]), ((0, 1, 2), [[0, 1, 2]])]
)
def test_an_outcome_ranks_the_seats(winners, tiers):
    assert ranking(Outcome.of(winners, players=3, reason="three home")) == tiers


# ── time ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_settled_rating_becomes_provisional_after_about_a_year():
    rating = PlayerRating(1200, 60, 0.06, played=0.0)
    assert not SYSTEM.at(rating, 270 * DAY).is_provisional
    assert SYSTEM.at(rating, 450 * DAY).is_provisional
    assert SYSTEM.at(rating, 450 * DAY).value == 1200


def test_nobody_becomes_less_certain_than_a_new_player():
    assert SYSTEM.at(PlayerRating(1200, 300, 0.06, played=0.0), 1e12).deviation == SYSTEM.deviation
    assert SYSTEM.at(SYSTEM.new, 1e12) == SYSTEM.new


def test_a_game_that_ends_before_the_last_one_is_rated_without_growth():
    rating = PlayerRating(1200, 60, 0.06, played=10 * DAY)
    assert SYSTEM.at(rating, 0.0) == rating


def test_time_away_makes_the_next_game_count_more():
    here, away = (PlayerRating(1200, 60, 0.06, played=day * DAY) for day in (700, 0))
    gains = [SYSTEM.rated_after([each, PlayerRating(1200, 60)], WON, 700 * DAY)[0].value for each in (here, away)]
    assert gains[1] > gains[0] + 10


def test_a_measured_bot_keeps_its_rating():
    bot = PlayerRating(1400, 50, is_fixed=True)
    person, after = SYSTEM.rated_after([SYSTEM.new, bot], WON, 5.0)
    assert after == bot
    assert person.value > SYSTEM.start
    assert SYSTEM.at(bot, 1e9) == bot


def test_an_uncertain_bot_moves_people_less():
    gains = [
        SYSTEM.rated_after([SYSTEM.new, PlayerRating(1400, error, is_fixed=True)], WON, 0.0)[0].value
        for error in (20, 200)
    ]
    assert gains[0] > gains[1]


# ── simulated players ────────────────────────────────────────────────────────────────────────────


def test_strengths_are_found_and_the_intervals_hold_them():
    """Players of two to four seats, of whom one in three is a measured bot."""
    draw = random.Random(4)
    size, rounds = 60, some_of(280)
    strengths = [draw.gauss(1000, 300) for _ in range(size)]
    ratings = [PlayerRating(each, 0.0, is_fixed=True) if n % 3 == 0 else SYSTEM.new for n, each in enumerate(strengths)]
    for _ in range(rounds * size // 3):
        seats = draw.sample(range(size), draw.choice((2, 3, 4)))
        best = draw.choices(range(len(seats)), [math.exp(strengths[each] / SCALE) for each in seats])[0]
        tiers = [[best], [each for each in range(len(seats)) if each != best]]
        for each, after in zip(seats, SYSTEM.rated_after([ratings[n] for n in seats], tiers, 0.0), strict=True):
            ratings[each] = after
    errors = [
        (each.value - true, each.deviation)
        for each, true in zip(ratings, strengths, strict=True)
        if each.played is not None
    ]
    assert len(errors) == size - size // 3
    count = len(errors)
    assert sum(deviation < PROVISIONAL for _, deviation in errors) > 0.8 * count
    assert sum(abs(error) for error, _ in errors) < 80 * count
    assert sum(abs(error) < 1.96 * deviation for error, deviation in errors) > 0.85 * count
    assert abs(sum(error for error, _ in errors)) < 35 * count


# ── expected results ─────────────────────────────────────────────────────────────────────────────


@properties()
@given(st.lists(people, min_size=2, max_size=5), st.data())
def test_expected_shares_are_one_win(seats, data):
    edges = [data.draw(st.floats(-100, 100)) for _ in seats]
    assert sum(each.share for each in expected(seats, edges)) == pytest.approx(1)


@properties()
@given(people, st.floats(-800, 800), st.floats(30, 350))
def test_the_expected_share_of_near_players_is_in_its_interval(one, difference, deviation):
    """For differences that are larger yet, Glickman's approximation is nearer to one half than the interval."""
    for each in expected([one, PlayerRating(one.value + difference, deviation)]):
        assert each.low < each.share < each.high


def test_exact_ratings_have_the_expected_score_of_elo():
    one, other = expected([PlayerRating(1191, 0.0), PlayerRating(1000, 0.0)])
    assert one.share == pytest.approx(0.75, abs=0.001)
    assert (one.low, one.high, other.share) == pytest.approx((one.share, one.share, 1 - one.share))


def test_the_first_player_can_expect_more():
    one = PlayerRating(1000, 50)
    assert expected([one, one], [50, -50])[0].share > 0.6


def test_the_interval_has_the_true_chance_19_times_in_20():
    draw, held = random.Random(6), 0
    seats = [PlayerRating(1000, 80), PlayerRating(1100, 60), PlayerRating(900, 100)]
    for _ in range(tries := some_of(3000)):
        odds = [math.exp(draw.gauss(each.value, each.deviation) / SCALE) for each in seats]
        found = expected(seats)[0]
        held += found.low < odds[0] / sum(odds) < found.high
    assert held / tries == pytest.approx(0.95, abs=0.01 + 2 * math.sqrt(0.05 * 0.95 / tries))


# ── the edge ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_edge_is_learned_from_games_and_its_error_is_the_stated_one(seats):
    draw = random.Random(seats)
    true = [80.0 * ((seat == 0) - 1 / seats) for seat in range(seats)]
    misses = []
    for _ in range(tries := some_of(140)):
        edges = [SeatEdge(0.0, 100.0)] * seats
        for _ in range(150):
            players = [PlayerRating(draw.gauss(1000, 100), 1.0) for _ in range(seats)]
            odds = [math.exp((each.value + edge) / SCALE) for each, edge in zip(players, true, strict=True)]
            best = draw.choices(range(seats), odds)[0]
            edges = edges_after(edges, players, [[best], [each for each in range(seats) if each != best]])
        misses.append((edges[0].value - edges[1].value - 80) / (edges[0].deviation * math.sqrt(2)))
        assert sum(each.value for each in edges) == pytest.approx(0, abs=5)
    assert math.sqrt(sum(each**2 for each in misses) / tries) == pytest.approx(1, abs=2 / math.sqrt(tries))


def test_known_edges_change_slowly_and_uncertain_players_tell_less_of_them():
    sure, unsure = [PlayerRating(1000, 30)] * 2, [PlayerRating(1000, 100)] * 2
    old, young = [SeatEdge(0.0, 5.0)] * 2, [SeatEdge(0.0, 60.0)] * 2
    assert edges_after(young, sure, WON)[0].value > 20 * edges_after(old, sure, WON)[0].value > 0
    assert edges_after(young, sure, WON)[0].value > edges_after(young, unsure, WON)[0].value > 0


def test_games_of_players_with_provisional_ratings_leave_the_edges_as_they_are():
    edges = [SeatEdge(40.0, 60.0), SeatEdge(-40.0, 60.0)]
    assert edges_after(edges, [PlayerRating(1000, 30), SYSTEM.new], WON) == edges


def test_the_edge_of_bots_is_that_of_their_scores():
    first, second = SeatEdge.of_shares([0.605, 0.395], games=400)
    assert chance(first.value - second.value) == pytest.approx(0.605)
    assert first.deviation > 50
    assert SeatEdge.of_shares([0.605, 0.395], games=400, differ=0.0)[0].deviation < 15


# ── the bots' scale ──────────────────────────────────────────────────────────────────────────────

LADDER = {f"engine@{each}": PlayerRating(800 + 200 * each, 20, is_fixed=True) for each in range(7)}


def bot_games(low: float, stretch: float, count: int, seed: int = 3) -> list[LadderGame]:
    """Games with bots, of people whose ratings are too low, and too far from 1000."""
    draw, games = random.Random(seed), []
    for _ in range(count):
        strength = draw.uniform(800, 2000)
        bot = min(LADDER, key=lambda name: abs(LADDER[name].value - strength))
        edge = draw.choice((40.0, -40.0))
        won = draw.random() < chance(strength + edge - LADDER[bot].value)
        rating = 1000 + (strength - low - 1000) * stretch
        games.append(LadderGame(PlayerRating(rating, 40, 0.06), bot, float(won), edge))
    return games


def test_people_are_moved_to_the_scale_of_the_ladder():
    change = anchored(bot_games(80, 1.2, 4000), LADDER)
    for strength in (800, 1400, 2000):
        moved = change.moved(PlayerRating(1000 + (strength - 80 - 1000) * 1.2, 40, 0.06))
        assert moved.value == pytest.approx(strength, abs=3 * change.error(moved.value) + 5)
        assert change.error(moved.value) < 30
    assert change.stretch == pytest.approx(1 / 1.2, abs=0.06)
    assert change.moved(PlayerRating(1400, 40)).deviation == pytest.approx(40 * change.stretch)


def test_people_on_the_scale_of_the_ladder_stay():
    change = anchored(bot_games(0, 1.0, 4000), LADDER)
    assert abs(change.shift) < 3 * change.shift_error
    assert change.stretch == pytest.approx(1, abs=3 * change.stretch_error)


def test_the_ladder_s_own_errors_bound_how_well_the_scale_is_known():
    uncertain = {name: replace(each, deviation=70.0) for name, each in LADDER.items()}
    change = anchored(bot_games(0, 1.0, 4000), uncertain)
    assert 70 / math.sqrt(len(LADDER)) < change.shift_error < 1.2 * 70 / math.sqrt(len(LADDER))
    assert change.error(2500) > change.error(1400)


def test_a_bot_that_is_met_often_weighs_no_more_than_its_rating_allows():
    """One with a rating that is 150 points wrong takes no more than its share."""
    games = bot_games(0, 1.0, 3000)
    often = [each for each in games if each.bot == "engine@3"] * 20
    wrong = LADDER | {"engine@3": replace(LADDER["engine@3"], value=LADDER["engine@3"].value + 150)}
    assert 0 < anchored([*games, *often], wrong).shift < 150 / 7 * 2


def test_without_games_of_settled_people_nothing_changes():
    new = LadderGame(SYSTEM.new, "engine@1", 1.0)
    unknown = LadderGame(PlayerRating(1000, 40), "engine@9", 1.0)
    change = anchored([new, unknown], LADDER)
    assert change == Anchoring(0.0, 0.0, 1.0, change.shift_error, change.stretch_error)
    assert change.shift_error > 300
    assert change.moved(PLAYER) == PLAYER


def test_games_that_are_all_won_give_a_finite_shift():
    change = anchored([LadderGame(PlayerRating(900, 40), "engine@1", 1.0)] * 12, LADDER)
    assert 100 < change.shift < 800
    assert change.stretch == 1

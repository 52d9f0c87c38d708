"""Levels, strengths between them, and settings with one-line errors."""

from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError
from pentad.games.pente.engine.bots import LEVELS, MOST_THREADS, PenteBot, configured
from pentad.search.bot import rated_levels
from pentad.search.levels import of_rating
from pentad.search.move_limit import Limit
from tests.cases import together

RATED = rated_levels("pente", "engine")
LOWEST, HIGHEST = min(RATED.values()), max(RATED.values())


def test_a_higher_level_errs_less():
    for low, high in pairwise(LEVELS.values()):
        assert low.noise >= high.noise
        assert low.oversight >= high.oversight
        assert low.effort <= high.effort
        assert low.book <= high.book
    best = LEVELS[5]
    assert (best.nodes, best.noise, best.oversight) == (None, 0, 0)


@pytest.mark.parametrize("elo", [0, LOWEST - 1, HIGHEST + 1, 10**8])
def test_no_strength_beyond_the_levels(elo):
    with pytest.raises(GameError, match=rf"^Strength is a rating from {LOWEST} to {HIGHEST}, not {elo}\.$"):
        configured(f"strength={elo}", None)


def test_a_bot_by_its_settings():
    bot = configured("strength=1400,threads=2", 3)
    assert (bot.number, bot.threads) == (of_rating(1400, RATED), 2)
    assert configured(" level = 2 ", None).level == LEVELS[2]
    assert configured("threads=2", None).level == LEVELS[5]
    made = pentad.bot("pente", "engine:strength=1000", seed=1)
    assert isinstance(made, PenteBot)
    assert made.number == of_rating(1000, RATED)
    position = pentad.new("pente").play("K10")
    assert made.choose(position) in position.legal_moves


REFUSED = (
    "", ",", "=", "level", "level=", "level=0", "level=6", "level=-1", "level=1.5", "level=²", "level=٣", "level=3,",
    "depth=4", "strength=1400,level=3", "strength=0", "strength=" + "9" * 5000, "threads=0",
    f"threads={MOST_THREADS + 1}",
    "memory=0", "memory=1025", "memory=64MB", "memory=", "ponder", "ponder=1", "ponder=yes", "ponder=true,ponder=true",
    "level=true", "threads=false",
    "level=3;threads=2", "level=3\nthreads=2", "Level=3", "x" * 10_000, "\x00", "level==3",
)  # fmt: skip


@together("settings", REFUSED)
def test_invalid_settings(settings):
    for ask in (lambda: configured(settings, None), lambda: pentad.bot("pente", f"engine:{settings}")):
        with pytest.raises(GameError, match=r"^[^\n]{10,300}$"):
            ask()


@given(
    st.text()
    | st.lists(
        st.sampled_from(["level", "strength", "threads", "memory", "ponder", "true", "=", ",", "1", "1400", " ", "-"])
    ).map("".join)
)
def test_any_settings_are_accepted_or_a_one_line_error(settings):
    refused = ""
    try:
        bot = configured(settings, None)
    except GameError as error:
        refused = str(error)
    if refused:
        assert "\n" not in refused
        assert len(refused) < 300
    else:
        assert 1 <= bot.number <= 5
        assert 1 <= bot.threads <= MOST_THREADS


def test_the_time_to_read_the_weights_is_part_of_the_move_s_time(monkeypatch):
    clock, asked = [100.0], []

    class Slow:
        forced = False

        def deepen(self, depth=99, seconds=None, lines=1, nodes=None, on_depth=None, most_seconds=None):
            asked.append((seconds, most_seconds))

    def read(bot, here):
        clock[0] += 0.3
        return Slow()

    monkeypatch.setattr("pentad.games.pente.engine.bots.time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(PenteBot, "_new_engine", read)
    for seconds, most in ((2.0, None), (2.0, 5.0), (0.2, 0.2), (None, None)):
        PenteBot()._deepened_search(pentad.new("pente"), Limit(seconds=seconds, most_seconds=most), 1, None)
    left = pytest.approx(1.7), pytest.approx(4.7)
    assert asked[1::2] == [(left[0], None), left, (0.0, 0.0), (None, None)]

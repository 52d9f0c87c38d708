"""The measured ratings of bots: their data files, the page made from them, and the list of games."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from pentad.game import PACKAGES, GameError
from pentad.search.bot import best, ratings
from pentad.search.levels import RUNGS
from pentad.terminal import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def benchmark(monkeypatch):
    """The module benchmarks/ratings.py."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("ratings")


def test_the_page_is_that_of_the_data_files(benchmark):
    text = benchmark.PAGE.read_text(encoding="utf-8")
    assert benchmark.END in text
    assert text == benchmark.page(text, benchmark.read())


@pytest.mark.parametrize("name", PACKAGES)
def test_every_rung_of_the_best_bot_is_rated_at_rising_ratings(benchmark, name):
    who = best(name)
    rungs = [f"{who}@{rung}" for rung in RUNGS]
    assert set(ratings(name)) == {*benchmark.BASIS, *rungs}
    rated = [ratings(name)[rung] for rung in rungs]
    assert rated == sorted(rated)
    assert rated[0] == 800
    data = benchmark.read()[name]
    assert data["command"].startswith(f"pentad tournament {name} random greedy {rungs[0]} ")
    assert all(each["error"] > 0 for each in data["players"].values())


def test_the_tournaments_are_those_of_the_commands(benchmark, capsys):
    """The command on the page plays the same games as the benchmark: it accepts the folder of one."""
    for name in PACKAGES:
        settings = benchmark.terms(name).settings
        assert settings["system"] == "neighbours"
        words = benchmark.command(name, 3).split()
        assert words[words.index("--plies") + 1] == str(settings["plies"])
        assert words[words.index("--balance") + 1] == str(settings["balance"])
        assert words[3 : 3 + len(settings["players"])] == settings["players"]


@pytest.mark.parametrize("name", PACKAGES)
def test_the_list_of_games_shows_the_ratings(capsys, name):
    assert main(["games", name]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for who, elo in ratings(name).items():
        level = who.partition("@")[2]
        assert (f"{level} (Elo {elo})" if level else f"(Elo {elo})") in text


def test_an_unknown_game_has_no_ratings():
    with pytest.raises(GameError):
        ratings("chess")

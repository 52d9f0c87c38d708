"""Tournaments: played, continued and ranked."""

from __future__ import annotations

import pytest

from pentad.game import GameError
from pentad.play import contest
from pentad.play.contest import ContestTerms
from pentad.play.contest_report import cross_table
from pentad.play.match import play_match
from pentad.play.pairings import SYSTEMS
from pentad.play.tournament import play_tournament

SMALL = {"rows": 1, "cols": 2, "block": 2, "line": 3}
THREE = {"rows": 1, "cols": 2, "block": 2, "line": 2, "players": 3}
PLAYERS = ("greedy", "random", "engine@1", "tree@1", "tree@2")


def terms(system="round-robin", players=PLAYERS, **more) -> ContestTerms:
    return ContestTerms("pentago", players, system, **{"options": SMALL, "plies": 1, **more}).checked()


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_tournament_continues_with_exactly_the_missing_games(tmp_path, monkeypatch, system):
    whole = play_tournament(terms(system), 2, rounds=3, workers=1)
    games = len(whole.results)
    assert whole.is_over

    def interrupt(standings, result):
        if len(standings.results) == games // 2:
            raise KeyboardInterrupt

    half = play_tournament(terms(system), 2, rounds=3, workers=1, folder=tmp_path, progress=interrupt)
    assert (len(half.results), half.is_over) == (games // 2, False)
    played = []
    play = contest.play_game
    monkeypatch.setattr(contest, "play_game", lambda t, p, programs: played.append(p.number) or play(t, p, programs))
    again = play_tournament(terms(system), 2, rounds=3, workers=1, folder=tmp_path)
    assert again.as_json() == whole.as_json()
    assert played == list(range(games // 2, games))
    assert len(list(tmp_path.glob("games/*.pentad"))) == games


@pytest.mark.slow
def test_any_number_of_workers_gives_the_same_games():
    one, two = (play_tournament(terms("swiss"), rounds=2, workers=n).as_json() for n in (1, 2))
    assert one == two


def test_the_standings_add_up():
    standings = play_tournament(terms(), 3, workers=1, anchor=("random", 100.0))
    table = standings.table()
    games = len(standings.results)
    assert games == 2 * 3 * 10
    assert sum(each.points for each in table) == games
    assert sum(each.wins for each in table) == sum(each.losses for each in table)
    assert [each.games for each in table] == [24] * 5
    assert all(each.points == each.wins + each.draws / 2 for each in table)
    assert table[-1].name == "random"
    assert table[-1].rating.elo == pytest.approx(100)
    crossed = cross_table(standings)
    assert sum(float(cell.partition("/")[0]) for row in crossed[1:] for cell in row[2:] if cell) == games


def test_byes_of_a_swiss_tournament_count_as_wins():
    standings = play_tournament(terms("swiss"), rounds=3, workers=1)
    table = standings.table()
    assert sorted(each.byes for each in table) == [0, 0, 2, 2, 2]
    assert all(each.games + each.byes == 6 for each in table)
    assert sum(each.points for each in table) == len(standings.results) + 6


def test_the_winner_of_a_knockout_is_first():
    standings = play_tournament(terms("knockout"), workers=1)
    first, second, *_ = (each.name for each in standings.table())
    assert first == PLAYERS[standings.champion]
    assert {first, second} == {PLAYERS[player] for player in standings.meetings[-1].players}


def test_with_three_seats_every_group_plays_from_every_seat():
    players = ("greedy", "random", "tree@1", "tree@2")
    standings = play_tournament(terms(players=players, options=THREE, plies=0), 2, workers=1)
    assert len(standings.results) == 2 * 4 * 3
    table = standings.table()
    assert sum(each.points for each in table) == pytest.approx(len(standings.results))
    assert table[-1].name == "random"
    assert sum(each.rating.elo for each in table) == pytest.approx(0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": ("greedy", "greedy")}, "^greedy is listed twice"),
        ({"players": ("greedy",)}, "Expected 2 to 52 players, got 1"),
        ({"players": ("greedy", "random"), "options": THREE}, "Expected 3 to 52 players, got 2"),
        ({"players": ("greedy", "human")}, "A tournament is for bots only"),
    ],
)
def test_invalid_players_are_refused(given, message):
    with pytest.raises(GameError, match=message):
        terms(**given)


def test_invalid_numbers_are_refused():
    with pytest.raises(GameError, match="at least 1 set"):
        play_tournament(terms(), 0)
    with pytest.raises(GameError, match="The anchor nobody is not a player"):
        play_tournament(terms(), anchor=("nobody", 0.0))


def test_a_folder_belongs_to_one_tournament(tmp_path):
    play_tournament(terms(players=PLAYERS[:2]), folder=tmp_path, workers=1)
    with pytest.raises(GameError, match="other settings: system round-robin"):
        play_tournament(terms("gauntlet", players=PLAYERS[:2]), folder=tmp_path, workers=1)
    with pytest.raises(GameError, match="has the games of a tournament"):
        play_match(
            ContestTerms("pentago", PLAYERS[:2], options=SMALL, plies=1).checked(), 2, folder=tmp_path, workers=1
        )

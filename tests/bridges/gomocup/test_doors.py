"""Who may start a program: the person at the command line, and nobody whose words come from elsewhere."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import pentad as library
from pentad import user_files
from pentad.game import GameError, game, games
from pentad.play.match import Terms, pairings, play_game, play_match
from pentad.play.saved_games import SavedGame
from pentad.play.seats import sit, starts_program
from pentad.play.table import Table
from pentad.record import Record
from pentad.search.bot import Entry, bot, bot_maker, bots, default_opponent, own_bots
from pentad.web import rooms
from pentad.web.api import NewRoom
from pentad.web.engines import jobs
from pentad.web.routes import play
from tests.terminal.conftest import Pentad

REFUSED = "starts a program"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENTAD_HOME", str(tmp_path / "home"))


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The file that the program makes."""
    return tmp_path / "made"


@pytest.fixture
def who(made: Path) -> str:
    """A program that makes a file."""
    return "gomocup:" + shlex.join([sys.executable, "-c", f"open({str(made)!r}, 'w')"])


@pytest.fixture
def record(who: str) -> Record:
    """A game in which a program sat at seat 0, and is to move."""
    record = Record("pente", rules="gomoku")
    record.tags = {"Seat0": who, "Seat1": "beam-1"}
    return record


def test_the_table_says_who_starts_programs():
    assert [name for kind in games() for name, entry in bots(kind).items() if entry.starts_programs] == ["gomocup"]
    assert not Entry("plays", configure=lambda settings, seed: None).starts_programs
    assert starts_program(game("pente"), "gomocup:x")
    assert starts_program(game("pente"), "gomocup")
    assert not starts_program(game("pente"), "beam:depth=2")
    assert not starts_program(game("pentago"), "gomocup:x")


@pytest.mark.parametrize("name", games())
def test_nobody_meets_one_unasked(name):
    assert default_opponent(name).partition("@")[0] in own_bots(name)
    bot_maker(name)  # refuses what starts a program
    assert set(own_bots(name)) == set(bots(name)) - {"gomocup"}


def test_names_are_refused_where_nobody_vouches_for_them(who, made):
    for ask in (
        lambda: bot("pente", who),
        lambda: library.bot("pente", who),
        lambda: sit(game("pente"), who),
        lambda: Table(Record("pente"), [who, "human"]),
    ):
        with pytest.raises(GameError, match=REFUSED):
            ask()
    for name in ("gomocup", "gomocup@1", "gomocup@1:x"):
        with pytest.raises(GameError):
            sit(game("pente"), name)
    assert not made.exists()


def test_those_who_vouch_get_one(who, made):
    player = sit(game("pente"), who, programs=True).bot
    assert not made.exists()  # it is started when it has to move
    with pytest.raises(GameError):
        player.choose(library.new("pente", rules="gomoku"))
    assert made.exists()


# ── a browser ────────────────────────────────────────────────────────────────────────────────────


def test_a_browser_may_not_ask_for_one(who):
    for seat in (who, "gomocup:./x", "gomocup"):
        with pytest.raises(GameError, match=f"{REFUSED}|plays in a terminal"):
            rooms.check(
                NewRoom.model_construct(game="pente", seats=["human", seat], options={}, position=None, time=None)
            )
    told = play._game_info("pente")
    assert "gomocup" not in [each.name for each in told.bots]
    _, _, seats, _ = rooms.check(NewRoom(game="pente"))
    assert not starts_program(game("pente"), seats[1])


def test_a_worker_of_the_server_starts_none(who, made):
    with pytest.raises(GameError, match=REFUSED):
        next(jobs.move(library.new("pente", rules="gomoku").text, who, 1, 1.0))
    assert not made.exists()


# ── records ──────────────────────────────────────────────────────────────────────────────────────


def test_a_table_takes_no_program_from_a_records_tags(record, made):
    for programs in (False, True):
        with pytest.raises(GameError, match=REFUSED):
            Table(record, programs=programs)
    assert not made.exists()


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_record_starts_no_program(pentad: Pentad, tmp_path, record, who, made, more):
    file = tmp_path / "game.pentad"
    file.write_text(record.text)
    shown = pentad("play", "--load", str(file), *more, typed="H8\n")
    assert shown.code == 0
    assert "a record starts no programs, so a person sits there" in shown.err + shown.out
    assert not made.exists()
    pentad("show", str(file))
    pentad("convert", str(file), str(tmp_path / "game.json"))
    pentad("play", "--load", str(tmp_path / "game.json"), typed="H8\n")
    assert not made.exists()
    asked = pentad("play", "--load", str(file), "--seat", f"0={who}")
    assert "lost by forfeit" in asked.out
    assert made.exists()


def test_a_record_that_is_loaded_in_a_game_starts_no_program(pentad: Pentad, tmp_path, record, made):
    file = tmp_path / "game.pentad"
    file.write_text(record.text)
    for kind in ("pentago", "pente"):
        pentad("play", kind, typed=f"load {file}\nnew\nH8\n")
    assert not made.exists()


def test_a_kept_game_starts_no_program(pentad: Pentad, record, who, made):
    kept = SavedGame.new("pente")
    kept.save(record)
    kept.release()
    resumed = pentad("play", "--resume", typed="H8\n")
    assert "a person sits there" in resumed.err
    assert not made.exists()
    (path,) = user_files.games().glob("*.pentad")
    assert Record.read(path.read_text()).tags["Seat0"] == who  # who sat there is still told
    pentad("play", "--kept")
    assert not made.exists()


# ── matches ──────────────────────────────────────────────────────────────────────────────────────


def test_a_match_starts_programs_for_those_who_vouch_alone(who, made, tmp_path):
    with pytest.raises(GameError, match=REFUSED):
        Terms.of("pente", who, "random", options={"rules": "gomoku"})
    terms = Terms.of("pente", who, "random", options={"rules": "gomoku"}, programs=True)
    for ask in (lambda: play_game(terms, next(pairings(2, 1))), lambda: play_match(terms, 2, workers=1)):
        with pytest.raises(GameError, match=REFUSED):
            ask()
    assert not made.exists()
    assert play_match(terms, 2, workers=1, programs=True, folder=tmp_path / "match").forfeits == 2
    assert made.exists()
    assert '"programs"' not in (tmp_path / "match" / "match.json").read_text()


def test_a_matchs_folder_starts_no_program(pentad: Pentad, who, made, tmp_path):
    terms = Terms.of("pente", who, "random", options={"rules": "gomoku"}, programs=True)
    play_match(terms, 2, workers=1, programs=True, folder=tmp_path / "match")
    made.unlink()
    told = pentad("match", "pente", "random", "random", "--rules", "gomoku", "--out", str(tmp_path / "match"))
    assert told.code == 2
    assert "has other terms" in told.err
    assert not made.exists()

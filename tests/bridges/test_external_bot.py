"""Permission to start programs: only names on the command line may start one."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import pentad as library
from pentad.game import GameError, game, names
from pentad.play.contest import ContestTerms, play_game
from pentad.play.match import play_match
from pentad.play.pairings import pairings
from pentad.play.saved_games import SavedGame
from pentad.play.seats import sit, starts_program
from pentad.play.table import Table
from pentad.record import Record
from pentad.search.bot import BotEntry, bot, bot_maker, bots, default_opponent, own_bots
from pentad.system import files as user_files
from pentad.web.api_types import NewRoom
from pentad.web.engines import jobs
from pentad.web.rooms import registry
from pentad.web.service import play
from tests.terminal.conftest import Pentad

REFUSED = "starts a program"


@pytest.fixture
def made_file(tmp_path: Path) -> Path:
    """The file that the program creates."""
    return tmp_path / "made"


@pytest.fixture(params=["gomocup", "ugi"])
def program_name(request: pytest.FixtureRequest, made_file: Path) -> str:
    """The bot name of a program that creates a file, by either protocol."""
    return f"{request.param}:" + shlex.join([sys.executable, "-c", f"open({str(made_file)!r}, 'w')"])


@pytest.fixture
def record(program_name: str) -> Record:
    """A game with a program at seat 0, which is to move."""
    record = Record("pente", rules="gomoku")
    record.tags = {"Seat0": program_name, "Seat1": "beam-1"}
    return record


def test_the_table_of_bots_marks_those_that_start_programs():
    for kind in names():
        found = [name for name, entry in bots(kind).items() if entry.starts_programs]
        assert found == [*(["gomocup"] if kind == "pente" else []), "ugi"]
    assert not BotEntry("plays", configure=lambda settings, seed: None).starts_programs
    assert starts_program(game("pente"), "gomocup:x")
    assert starts_program(game("pente"), "gomocup")
    assert not starts_program(game("pente"), "beam:depth=2")
    assert not starts_program(game("pentago"), "gomocup:x")
    assert starts_program(game("pentago"), "ugi:x")


@pytest.mark.parametrize("name", names())
def test_no_default_opponent_starts_a_program(name):
    assert default_opponent(name).partition("@")[0] in own_bots(name)
    bot_maker(name)  # refuses what starts a program
    assert set(own_bots(name)) == set(bots(name)) - {"gomocup", "ugi"}


def test_names_are_refused_without_permission(program_name, made_file):
    for ask in (
        lambda: bot("pente", program_name),
        lambda: library.bot("pente", program_name),
        lambda: sit(game("pente"), program_name),
        lambda: Table(Record("pente"), [program_name, "human"]),
    ):
        with pytest.raises(GameError, match=REFUSED):
            ask()
    for name in ("gomocup", "gomocup@1", "gomocup@1:x"):
        with pytest.raises(GameError):
            sit(game("pente"), name)
    assert not made_file.exists()


def test_names_are_accepted_with_permission(program_name, made_file):
    player = sit(game("pente"), program_name, programs=True).bot
    assert not made_file.exists()  # it is started when it has to move
    with pytest.raises(GameError):
        player.choose(library.new("pente", rules="gomoku"))
    assert made_file.exists()


# ── a browser ────────────────────────────────────────────────────────────────────────────────────


def test_a_browser_may_not_ask_for_one(program_name):
    for seat in (program_name, "gomocup:./x", "gomocup"):
        with pytest.raises(GameError, match=f"{REFUSED}|play only in the terminal"):
            registry.read_game(NewRoom(game="pente", seats=["human", seat]))
    info = play._game_info("pente")
    assert "gomocup" not in [each.name for each in info.bots]
    seats = registry.read_game(NewRoom(game="pente")).players
    assert not starts_program(game("pente"), seats[1])


def test_a_worker_of_the_server_starts_none(program_name, made_file):
    with pytest.raises(GameError, match=REFUSED):
        next(jobs.move(library.new("pente", rules="gomoku").text, program_name, 1, {}))
    assert not made_file.exists()


# ── records ──────────────────────────────────────────────────────────────────────────────────────


def test_a_table_takes_no_program_from_a_records_tags(record, made_file):
    for programs in (False, True):
        with pytest.raises(GameError, match=REFUSED):
            Table(record, programs=programs)
    assert not made_file.exists()


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_record_starts_no_program(pentad: Pentad, tmp_path, record, program_name, made_file, more):
    file = tmp_path / "game.pentad"
    file.write_text(record.text)
    shown = pentad("play", "--load", str(file), *more, typed="H8\n")
    assert shown.code == 0
    assert "a record may not start programs" in shown.err + shown.out
    assert not made_file.exists()
    pentad("show", str(file))
    pentad("convert", str(file), str(tmp_path / "game.json"))
    pentad("play", "--load", str(tmp_path / "game.json"), typed="H8\n")
    assert not made_file.exists()
    answer = pentad("play", "--load", str(file), "--seat", f"0={program_name}")
    assert "forfeited" in answer.out
    assert made_file.exists()


def test_a_record_that_is_loaded_in_a_game_starts_no_program(pentad: Pentad, tmp_path, record, made_file):
    file = tmp_path / "game.pentad"
    file.write_text(record.text)
    for kind in ("pentago", "pente"):
        pentad("play", kind, typed=f"load {file}\nnew\nH8\n")
    assert not made_file.exists()


def test_a_saved_game_starts_no_program(pentad: Pentad, record, program_name, made_file):
    kept = SavedGame.new("pente")
    kept.save(record)
    kept.release()
    resumed = pentad("play", "--resume", typed="H8\n")
    assert "A human plays there instead" in resumed.err
    assert not made_file.exists()
    (path,) = user_files.games().glob("*.pentad")
    assert Record.read(path.read_text()).tags["Seat0"] == program_name  # the tag is that of the file
    pentad("play", "--saved")
    assert not made_file.exists()


# ── matches ──────────────────────────────────────────────────────────────────────────────────────


def test_a_match_starts_programs_only_with_permission(program_name, made_file, tmp_path):
    with pytest.raises(GameError, match=REFUSED):
        ContestTerms("pente", (program_name, "random"), options={"rules": "gomoku"}).checked()
    terms = ContestTerms("pente", (program_name, "random"), options={"rules": "gomoku"}).checked(programs=True)
    for ask in (lambda: play_game(terms, next(pairings(2, 1))), lambda: play_match(terms, 2, workers=1)):
        with pytest.raises(GameError, match=REFUSED):
            ask()
    assert not made_file.exists()
    assert play_match(terms, 2, workers=1, programs=True, folder=tmp_path / "match").forfeits == 2
    assert made_file.exists()
    assert '"programs"' not in (tmp_path / "match" / "match.json").read_text()


def test_a_matchs_folder_starts_no_program(pentad: Pentad, program_name, made_file, tmp_path):
    terms = ContestTerms("pente", (program_name, "random"), options={"rules": "gomoku"}).checked(programs=True)
    play_match(terms, 2, workers=1, programs=True, folder=tmp_path / "match")
    made_file.unlink()
    answer = pentad("match", "pente", "random", "random", "--rules", "gomoku", "--out", str(tmp_path / "match"))
    assert answer.code == 2
    assert "was started with other settings" in answer.err
    assert not made_file.exists()

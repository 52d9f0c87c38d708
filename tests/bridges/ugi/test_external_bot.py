"""Engines as players: good ones, pentad itself, one in JavaScript, and every way to forfeit."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

import pentad
from pentad import game as base
from pentad.bridges import external_bot, external_program
from pentad.bridges.text_lines import LineReader
from pentad.bridges.ugi.external_bot import UgiBot
from pentad.game import GameError
from pentad.play.contest import ContestTerms, play_game
from pentad.play.match import play_match
from pentad.play.pairings import pairings
from pentad.record import Record
from pentad.search.bot import Forfeit, bot
from pentad.search.move_limit import Limit
from tests.bridges.programs import POSIX, gone
from tests.terminal.conftest import Pentad

SMALL = Path(__file__).with_name("small_engine.py")
EXAMPLES = Path(__file__).parents[3] / "examples"
OURS = f"{shlex.quote(sys.executable)} -m pentad engine"
NODE = shutil.which("node")
NEEDS_NODE = pytest.mark.skipif(
    NODE is None and "CI" not in os.environ, reason="the example in JavaScript needs node, which is not installed"
)


def small(behaviour: str) -> str:
    return shlex.join([sys.executable, str(SMALL), behaviour])


def played(player: UgiBot, here, plies: int = 6, seconds: float = 1.0):
    """The position after some moves of a game against a random bot."""
    sides = (player, bot(here.game, "random", seed=1))
    for ply in range(plies):
        if here.outcome:
            break
        here = here.play(sides[ply % 2].choose(here, seconds=seconds))
    return here


def sent(player: UgiBot) -> list[str]:
    return [line[2:] for line in player._program.transcript if line.startswith("> ")]


# ── games ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("behaviour", ["good", "crlf", "halves", "talkative", "late", "noisy"])
def test_engines_with_unusual_output(behaviour):
    player = UgiBot(small(behaviour))
    here = played(player, pentad.new("pentago"))
    assert here.ply == 6
    process = player._program._process
    player.close()
    assert process.poll() is not None


def test_lines_sent_to_an_engine():
    player = UgiBot(small("good"))
    here = pentad.new("pentago").play("f5 1C")
    here = here.play(player.choose(here, seconds=2)).play("f4 1C")
    player.choose(here, seconds=0.5)
    player.choose(pentad.new("pentago"))
    lines = sent(player)
    player.close()
    assert lines == [
        "ugi", "uginewgame", "isready",
        "position fen pentago ....../....../....../....../....../.....b", "go movetime 2000",
        "isready", f"position fen {here.text}", "go movetime 500",
        "uginewgame", "isready", f"position fen {pentad.new('pentago').text}", "go movetime 1000",
    ]  # fmt: skip


def test_a_search_by_nodes():
    player = UgiBot(small("good"))
    player.play(pentad.new("pentago"), Limit(seconds=2, nodes=50))
    assert sent(player)[-1] == "go nodes 50"
    player.close()


def test_the_game_and_its_options():
    """Those that the engine has are set; the position has them all."""
    player = UgiBot(f"{OURS} pente --bot random")
    here = pentad.new("pentago", players=3)
    here = here.play(player.choose(here, seconds=1))
    lines = sent(player)
    assert lines[:3] == ["ugi", "setoption name Game value pentago", "isready"]
    assert "setoption name players value 3" in lines
    assert "setoption name win_on_placement value true" in lines
    assert here.play(player.choose(here, seconds=1))
    other = pentad.new("pentagame", players=4)
    assert player.choose(other, seconds=1) in other.legal_moves
    assert "setoption name Game value pentagame" in sent(player)
    player.close()


GAMES = [
    ("pentago", {}), ("pentago", {"players": 3, "win_on_placement": False}), ("pente", {"rules": "keryo", "size": 9}),
    ("pente", {"rules": "gomoku", "opening": "swap2"}), ("pentagame", {"players": 3}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [pytest.param(*each, marks=[pytest.mark.slow] if i else []) for i, each in enumerate(GAMES)],
)
def test_whole_games_of_pentad_against_itself(name, options):
    players = [UgiBot(f"{OURS} --bot random --seed {seed}") for seed in range(2)]
    here = pentad.new(name, **options)
    while not here.outcome and here.ply < 200:
        here = here.play(players[here.ply % 2].choose(here, seconds=1))
    assert here.outcome or here.ply == 200
    for player in players:
        player.close()


@pytest.mark.slow
def test_a_plug_in(monkeypatch):
    """A game of another distribution, in its process too."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setitem(base.PACKAGES, "connect_four", "connect_four")
    code = (
        f"import sys; sys.path.insert(0, {str(EXAMPLES)!r})\n"
        "from pentad import game; from pentad.terminal import main\n"
        "game.PACKAGES['connect_four'] = 'connect_four'; sys.exit(main(['engine', 'connect_four', '--bot', 'greedy']))"
    )
    player = bot("connect_four", f"ugi:{shlex.join([sys.executable, '-c', code])}", programs=True)
    here = pentad.new("connect_four")
    for _ in range(6):
        here = here.play(player.choose(here, seconds=1))
    player.close()
    assert here.ply == 6


# ── an engine in another language ────────────────────────────────────────────────────────────────


@pytest.mark.slow
@NEEDS_NODE
def test_the_example_in_javascript():
    """It plays well enough to win against a bot that plays at random, with either colour."""
    engine = f"ugi:{shlex.join([NODE or 'node', str(EXAMPLES / 'pentago_engine.js')])}"
    terms = ContestTerms("pentago", (engine, "random"), plies=0, seconds=2, seed=1).checked(programs=True)
    for pairing in pairings(2, 2):
        record = Record.read(play_game(terms, pairing, programs=True))
        assert record.outcome.reason != "forfeit", record.end.comment
        assert record.outcome.winners == (pairing.seating.index(0),)


# ── forfeits ─────────────────────────────────────────────────────────────────────────────────────


LATE = "The program did not answer in time"


@pytest.mark.fast_cases(7)
@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("slow", LATE),
        ("silent", LATE),
        ("flooding", LATE),
        ("endless", LATE),
        ("crashing", "The program ended with code 1"),
        ("leaving", "The program ended with code 3"),
        ("garbled", "The program answered 'bestmove"),
        ("wordless", "The program answered 'bestmove'"),
        ("resigning", "The program answered 'bestmove none'. It said: I am lost"),
        ("lying", "The program answered 'bestmove z9_1C'. There is no space z9"),
        ("occupied", "The program's move '.*_1C' is illegal: "),
    ],
)
def test_every_way_to_forfeit(behaviour, message, home, monkeypatch):
    if message == LATE:
        monkeypatch.setattr(external_bot, "GRACE_SECONDS", 0.3)
    player = UgiBot(small(behaviour))
    first = player.choose(pentad.new("pentago").play("f5 1C"), seconds=30)
    here = pentad.new("pentago").play("f5 1C").play(first).play("f4 1C")
    with pytest.raises(Forfeit, match=message) as lost:
        player.choose(here, seconds=0.3 if message == LATE else 30)
    assert player._program is None
    assert "\n" not in str(lost.value)
    (kept,) = (home / "transcripts").glob("ugi-*.txt")
    assert str(kept) in str(lost.value)
    text = kept.read_text()
    assert "> ugi" in text
    assert len(text) < 500_000


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("behaviour", "message"),
    [("dumb", LATE), ("chatting", LATE), ("other", "The program does not play pentago.")],
)
def test_engines_that_do_not_start(behaviour, message, monkeypatch):
    if message == LATE:
        monkeypatch.setattr(external_bot, "START_SECONDS", 0.3)
        monkeypatch.setattr(external_bot, "MAX_START_SECONDS", 0.6)
    with pytest.raises(Forfeit, match=message):
        UgiBot(small(behaviour)).choose(pentad.new("pentago"))


@POSIX
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("./there-is-no-such-program --at all", "The program cannot be started .No such file or directory."),
        ("true", "The program ended with code 0"),
        (f"{OURS} pentago --level 77", "The program ended with code 2"),
    ],
)
def test_programs_that_do_not_start(command, message):
    with pytest.raises(Forfeit, match=message):
        UgiBot(command).choose(pentad.new("pentago"))


def test_an_engine_that_only_stops():
    player = UgiBot(small("stopping"))
    here = pentad.new("pentago")
    assert player.choose(here, seconds=0.1) in here.legal_moves
    assert sent(player)[-1] == "stop"
    player.close()


@pytest.mark.slow
@POSIX
def test_an_engine_that_ignores_quit_is_killed():
    player = UgiBot(small("stubborn"))
    player.choose(pentad.new("pentago"), seconds=5)
    process = player._program._process.pid
    player.close()
    assert gone(process)


def test_a_queue_that_is_never_empty_does_not_delay_the_timeout():
    started = external_program.ExternalProgram(small("flooding"), farewell="quit")
    started._lines.put("info")
    with pytest.raises(external_program.ProgramTimeout):
        started.receive(until=0.0)
    started.kill()


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_a_line_without_an_end_takes_no_more_memory_than_a_long_one(size):
    reader = LineReader(longest=100)
    for _ in range(2000):
        assert reader.feed(b"y" * size) == []
    assert len(reader._begun) <= 404
    assert reader.feed(b"\nz\n") == ["y" * 101, "z"]


@pytest.mark.parametrize("command", ["", "   ", "'half", "a\0b"])
def test_invalid_command_lines(command):
    with pytest.raises(GameError):
        bot("pentago", f"ugi:{command}", programs=True)


# ── in matches and in games at the terminal ──────────────────────────────────────────────────────


def test_a_match_counts_forfeits_and_goes_on(tmp_path):
    terms = ContestTerms("pentago", (f"ugi:{small('leaving')}", "random"), seconds=1).checked(programs=True)
    score = play_match(terms, 2, folder=tmp_path / "match", workers=1, programs=True)
    assert (score.losses, score.forfeits) == (2, 2)
    record = Record.read((tmp_path / "match" / "games" / "00001.pentad").read_text())
    assert record.outcome.reason == "forfeit"
    assert "forfeits: The program ended with code 3. The transcript is in" in record.end.comment


def test_a_game_at_the_terminal_is_won_by_forfeit(pentad: Pentad):
    answer = pentad("play", "pentago", "--white", f"ugi:{small('leaving')}", typed="f5 1C\nf4 1C\n")
    assert "forfeits: The program ended with code 3" in answer.err
    assert "White forfeited the game. Black wins." in answer.out


def test_an_unknown_program_at_the_terminal(pentad: Pentad):
    answer = pentad("play", "pentago", "--white", "ugi:", typed="f5 1C\n")
    assert answer.code == 2
    assert "Expected a program with its arguments after the colon" in answer.err
    assert len(answer.err.splitlines()) == 1

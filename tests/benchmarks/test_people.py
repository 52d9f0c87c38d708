"""The scripted people: what they see and overlook, and the table of their matches."""

from __future__ import annotations

import pytest

import pentad
from benchmarks.people import KINDS, PEOPLE, Habits, PentePerson, invite, main, named
from pentad.game import Position
from pentad.games.pentagame.bot import can_win
from pentad.search import bot
from tests.cases import together

SHARP = Habits(win=0, block=0, shape=0, detail=0, vague=0, ideas=1)


def pente(moves: str) -> Position:
    here: Position = pentad.new("pente", rules="freestyle")
    for move in moves.split():
        here = here.play(move)
    return here


@pytest.fixture(autouse=True)
def guests(monkeypatch: pytest.MonkeyPatch) -> None:
    """People are invited for one test: they stay in the lists of bots of their process."""
    monkeypatch.setattr(bot, "_registered", {name: {**entries} for name, entries in bot._registered.items()})


def moves(person: PentePerson, here: Position) -> set[str]:
    """What a person plays in ten tries."""
    return {str(person.choose(here)) for _ in range(10)}


FOUR = pente("F8 A1 G8 C1 H8 E1 J8")
BOTH = pente("F8 A1 G8 B1 H8 C1 J8 D1 P15")
THREE = pente("G8 A1 H8 C1 J8")


def test_a_line_is_completed_before_another_is_stopped() -> None:
    assert moves(PentePerson(SHARP), BOTH) == {"E1"}
    assert moves(PentePerson(SHARP), FOUR) <= {"E8", "K8"}


def test_what_is_overlooked_is_not_played() -> None:
    assert not moves(PentePerson(SHARP._replace(block=1)), FOUR) & {"E8", "K8"}
    assert moves(PentePerson(SHARP._replace(win=1)), BOTH) <= {"E8", "K8"}


def test_an_open_three_is_stopped_and_extended() -> None:
    assert moves(PentePerson(SHARP), THREE) <= {"E8", "F8", "K8", "L8"}
    assert moves(PentePerson(SHARP), THREE.play("A15")) <= {"F8", "K8"}


def test_captures_are_made() -> None:
    here = pentad.new("pente", opening="free").play("K10").play("L10").play("A1").play("M10").play("S19").play("T1")
    assert "N10" in moves(PentePerson(SHARP), here)


def test_a_line_of_pentago_is_completed_by_a_marble_or_a_twist() -> None:
    by_marble = pentad.load("pentago bbbb../....../wwww../....../....../......")
    person = KINDS["pentago"](SHARP, 1)
    assert by_marble.play(person.choose(by_marble)).outcome is not None


def test_the_last_piece_comes_home_if_its_way_is_free() -> None:
    person, other, ended = KINDS["pentagame"](SHARP, 1), pentad.bot("pentagame", "random", seed=1), 0
    here = pentad.new("pentagame")
    while not here.outcome:
        is_near = here.turn == 0 and can_win(here)
        here = here.play((person, other)[here.turn].choose(here))
        ended += is_near
    assert ended == 1
    assert here.outcome.winners == (0,)


@together("name, who", [(name, who) for name in KINDS for who in PEOPLE])
def test_people_play_whole_games(name: str, who: str) -> None:
    invite(name)
    here, players = pentad.new(name), [pentad.bot(name, named(who), seed=2), pentad.bot(name, "random", seed=3)]
    while not here.outcome:
        here = here.play(players[here.turn].choose(here))
    assert here.outcome.returns[0] > 0


def test_the_table_has_people_and_steps(capsys: pytest.CaptureFixture[str]) -> None:
    figures = main(["--only", "pentago", "--games", "2", "--step-games", "4", "--rungs", "2"])
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == len(figures) == 2 * len(PEOPLE) + 1
    assert rows[-1].split()[:3] == ["pentago", "engine@easy", "engine@beginner"]
    assert all(0 <= each.value <= 100 for each in figures if isinstance(each.value, float))

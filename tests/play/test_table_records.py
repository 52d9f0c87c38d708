"""Tables for records: who sits at them, by the tags of the record and the wish of the user."""

from __future__ import annotations

import shlex
import sys

import pytest

from pentad.kernels import cache
from pentad.play.table import Table, seat_again, set_table, state_text
from pentad.record import Record
from pentad.search.bot import default_opponent

OPPONENT = default_opponent("pentago")


def players(table: Table) -> list[str]:
    return [seat.who for seat in table.seats]


@pytest.mark.parametrize(
    ("tags", "wanted", "expected"),
    [
        ({}, {}, ["human", OPPONENT]),
        ({}, {0: "random"}, ["random", "human"]),
        ({}, {1: "human"}, [OPPONENT, "human"]),
        ({"Seat1": "Ann"}, {}, [OPPONENT, "human"]),
        ({"Seat0": "greedy"}, {}, ["greedy", "human"]),
        ({"Seat0": "greedy", "Seat1": "random"}, {1: "human"}, ["greedy", "human"]),
        ({"Seat0": "Ann", "Seat1": "Ben"}, {0: "greedy"}, ["greedy", "human"]),
    ],
)
def test_the_user_s_wish_comes_first_then_the_tags_then_a_person_against_a_bot(tags, wanted, expected):
    assert players(set_table(Record("pentago", tags=tags), wanted, seed=1)) == expected


def test_people_keep_the_names_that_the_record_has():
    table = set_table(Record("pentago", tags={"Seat0": "Ann", "Seat1": "greedy"}), {}, seed=1)
    assert table.players_text == "black: Ann, white: greedy"
    assert set_table(table.record, {0: "random"}, seed=1).players_text == "black: random, white: greedy"


def test_a_name_that_is_a_bot_s_does_not_name_a_person():
    table = set_table(Record("pentago", tags={"Seat0": "greedy"}), {0: "human"}, seed=1)
    assert table.players_text == f"black: human, white: {OPPONENT}"


def test_only_the_user_chooses_a_bot_that_starts_a_program():
    program = f"ugi:{shlex.join([sys.executable, '-c', 'pass'])}"
    table = set_table(Record("pentago", tags={"Seat1": program}), {}, seed=1)
    assert players(table) == [OPPONENT, "human"]
    assert table.player_name(1) == program
    table = set_table(Record("pentago"), {1: program}, seed=1)
    assert players(table) == ["human", program]
    table.close()


def test_another_record_has_the_same_players():
    table = set_table(Record("pentago", tags={"Seat0": "Ann"}), {1: "greedy"}, seed=1)
    again = seat_again(table, Record("pentago"), seed=1)
    assert players(again) == ["human", "greedy"]
    assert again.players_text == "black: Ann, white: greedy"


@pytest.mark.parametrize("other", [Record("pentago", players=3), Record("pente")])
def test_a_record_of_another_game_or_with_other_seats_has_players_of_its_own(other):
    table = set_table(Record("pentago"), {0: "random", 1: "random"}, seed=1)
    assert players(seat_again(table, other, seed=1))[0] == "human"


def test_a_record_of_another_game_has_warm_up_bots_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cache, "are_compiled", lambda *names: False)
    monkeypatch.setattr(cache, "ensure_compiled", lambda *names, report: None)
    table = set_table(Record("pentago"), {1: "greedy"}, None)
    assert seat_again(table, Record("pente"), None, warm_up=True).preparing
    assert not seat_again(table, Record("pente"), None).preparing


def test_the_state_is_who_is_to_move_or_the_result():
    record = Record("pentago")
    assert state_text(record) == "Black to move."
    table = Table(record, ["human", "human"])
    table.resign()
    assert state_text(record) == "Black resigned. White wins. Result: 0-1."

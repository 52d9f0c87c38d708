"""Sentences for results, also for reasons as records and databases have stored them."""

from __future__ import annotations

import pytest

import pentad
from pentad.game import Outcome
from pentad.play.table import reason_text, result_text
from pentad.record import Record

STORED = {  # the reasons in records and databases of all versions
    ("resigned", (1,)): "Black resigned. White wins.",
    ("forfeit", (0,)): "White forfeited the game. Black wins.",
    ("out of time", (1,)): "Black ran out of time. White wins.",
    ("agreed", ()): "Draw by agreement.",
    ("threefold repetition", ()): "Draw by threefold repetition.",
    ("stated", ()): "Draw.",
    ("stated", (0,)): "Black wins.",
    ("a reason of somebody's own", ()): "Draw: a reason of somebody's own.",
    ("a reason of somebody's own", (0,)): "Black wins. Reason: a reason of somebody's own.",
}


def test_a_win_of_all_is_a_draw() -> None:
    assert result_text(pentad.new("pentago"), Outcome.of((0, 1), 2, "agreed")) == "Draw by agreement."


@pytest.mark.parametrize(("reason", "winners"), STORED)
def test_a_stored_reason_is_shown_as_a_sentence(reason: str, winners: tuple[int, ...]) -> None:
    record = Record("pentago")
    record.play("a2 1C")
    record.ended = Outcome.of(winners, 2, reason)
    again = Record.read(record.text)
    assert again.outcome is not None
    assert again.outcome.reason == reason
    assert result_text(again.position, again.outcome) == STORED[reason, winners]


def test_several_winners_and_losers() -> None:
    position = pentad.new("pentago", players=4)
    assert result_text(position, Outcome.of((0, 1), 4, "resigned")) == (
        "Red and green resigned. Black and white share the win."
    )
    out_of_time = Outcome.of((0, 1, 2), 4, "out of time")
    assert result_text(position, out_of_time) == "Green ran out of time. Black, white and red share the win."
    assert reason_text(position, out_of_time) == "Green ran out of time."


def test_a_result_on_the_board_is_the_status() -> None:
    position = pentad.load("pentago bbbb../....../wwww../....../....../......").play("a4")
    assert position.outcome is not None
    assert result_text(position, position.outcome) == position.status == "Black wins with five in a row."
    assert reason_text(position, position.outcome) == ""

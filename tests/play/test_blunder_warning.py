"""Warnings before blunders."""

from __future__ import annotations

import pytest

from pentad.game import new
from pentad.play.blunder_warning import check
from pentad.play.position_assessment import Assessment
from tests.play.assessed_positions import CAN_WIN, HOPELESS, MUST_BLOCK, PENTAGO, SECONDS


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(
    ("position", "move", "words"),
    [
        (MUST_BLOCK, "A1", "After this move, Black wins at once."),
        (MUST_BLOCK, "H9", ""),
        (HOPELESS, "A2", ""),
        (CAN_WIN, "P1", ""),  # the win is still there, and an estimate gives no warning
        (PENTAGO, "b3 1C", "After this move, White wins at once."),
        (PENTAGO, "b1", ""),
        (new("pentagame", players=3), "[0,0,1,0,0] [0,1,0,0,0]", ""),
    ],
)
def test_only_a_proved_blunder_gives_a_warning(position, move, words):
    assert check(position, move, SECONDS) == {"loses": bool(words), "words": words}


def test_a_move_that_turns_a_win_into_a_draw_is_reported(monkeypatch):
    known = {CAN_WIN: ((1.0, -1.0), 3), CAN_WIN.play("P1"): ((0.0, 0.0), None)}
    monkeypatch.setattr(
        "pentad.play.blunder_warning.assess",
        lambda position, seconds: Assessment(position, None, known[position][0], True, known[position][1]),
    )
    assert check(CAN_WIN, "P1", SECONDS)["words"] == "This move gives up a forced win in 3 moves."

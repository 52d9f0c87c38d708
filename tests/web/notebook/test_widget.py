"""The widget: messages come in, traits go out."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("anywidget", reason="anywidget, which the extra notebook brings, is not installed")

import pentad
from pentad.game import GameError, IllegalMove
from pentad.web.notebook import BoardWidget

WINNING = "pentago bbbb../....../wwww../....../....../......"


def send(board: BoardWidget, **message: Any) -> None:
    """A message from the notebook, about the position that is shown."""
    board._handle_custom_msg({"moves": board._drawn["moves"], **message}, [])


def touch(board: BoardWidget, *names: str) -> None:
    for name in names:
        assert name in board._drawn["open"]
        send(board, touch=name)


def test_a_new_board_shows_the_start_of_a_game() -> None:
    board = BoardWidget()
    assert board.position == pentad.new("pentago").text
    assert (board.moves, board.last, board.status) == ((), "", "Black to place a marble.")
    assert board._drawn["svg"].startswith("<svg")
    assert not board._drawn["hasBegun"]


def test_a_board_may_show_a_position_or_a_game_with_options() -> None:
    assert BoardWidget(WINNING).position == WINNING
    assert BoardWidget(pentad.load(WINNING)).position == WINNING
    assert BoardWidget("pentago players=3").position == pentad.new("pentago", players=3).text
    with pytest.raises(GameError, match="Unknown game"):
        BoardWidget("chess")


def test_touches_play_a_move() -> None:
    board, seen = BoardWidget(WINNING), []
    board.observe(lambda change: seen.append(change["new"]), "position")
    touch(board, "b4")
    assert (board.status, seen) == ("Black to twist a sub-board.", [])
    assert board._drawn["hasBegun"]
    touch(board, "4C")
    here = pentad.load(WINNING).play("b4 4C")
    assert seen == [here.text]
    assert (board.moves, board.last, board.status) == (("b4 4C",), "b4 4C", "White to place a marble.")


def test_a_turn_is_cancelled() -> None:
    board = BoardWidget()
    touch(board, "a2")
    send(board, act="cancel")
    assert (board.status, board._drawn["hasBegun"]) == ("Black to place a marble.", False)


def test_a_late_message_is_dropped() -> None:
    board = BoardWidget()
    board._handle_custom_msg({"touch": "a2", "moves": 1}, [])
    board._handle_custom_msg({"touch": 3, "moves": 0}, [])
    board._handle_custom_msg({"act": "undo", "moves": 0}, [])
    assert not board._drawn["hasBegun"]


def test_moves_are_played_and_taken_back_in_python() -> None:
    board = BoardWidget()
    board.play("a2 1C")
    board.play(pentad.load(board.position).parse("b4 2A"))
    assert board.moves == ("a2 1C", "b4 2A")
    board.undo()
    assert (board.moves, board.last) == (("a2 1C",), "a2 1C")
    assert board.position == pentad.new("pentago").play("a2 1C").text
    send(board, act="undo")
    assert board.moves == ()
    with pytest.raises(GameError, match="no move to take back"):
        board.undo()
    with pytest.raises(IllegalMove):
        board.play("a2")


def test_a_position_can_be_set() -> None:
    board = BoardWidget()
    board.play("a2 1C")
    board.position = WINNING
    assert (board.moves, board.last, board.status) == ((), "", "Black to place a marble.")
    drawn = board._drawn["svg"]
    board.flip = True
    assert board._drawn["svg"] != drawn
    with pytest.raises(GameError):
        board.position = "pentago nonsense"
    assert board.position == WINNING
    board.position = "pente"
    assert board.status == "White to place a stone."
    assert board._drawn["detail"] == "The first stone goes to the centre, K10."


def test_the_state_that_the_notebook_sends_back_is_accepted() -> None:
    board = BoardWidget()
    board.play("a2 1C")
    state = {name: board.get_state()[name] for name in ("position", "flip", "moves", "last", "status")}
    board.set_state({**state, "moves": list(state["moves"])})
    assert board.moves == ("a2 1C",)


def test_a_bot_answers() -> None:
    board = BoardWidget("pentago", bot="greedy")
    touch(board, "a2", "1C")
    assert len(board.moves) == 2
    assert board.status == "Black to place a marble."
    board.play("e4 4C")
    assert len(board.moves) == 4
    board.undo()
    assert len(board.moves) == 2
    with pytest.raises(GameError, match="Unknown player"):
        BoardWidget(bot="nobody")


def test_a_bot_does_not_answer_the_end() -> None:
    board = BoardWidget("pentago bbbb../....../wwww../....../....../......", bot="greedy")
    board.play("a4")
    assert board.moves == ("a4",)
    assert board.status.startswith("Black wins")
    assert board._drawn["open"] == []
    board.undo()
    assert board.position == WINNING

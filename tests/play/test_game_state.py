"""A game in play as a value: moves, take-backs, ends, and its clock."""

from __future__ import annotations

import pytest

import pentad
from pentad.game import GameError, IllegalMove, Outcome, Position
from pentad.play.clock import Clock, Time
from pentad.play.game_state import FLAGGED, FORFEIT, RESIGNED, GameState
from pentad.record import Node

MOVES = ("a2 1C", "c3 4A", "a3 1C")


def begun(start: Position | None = None, clock: Clock | None = None) -> GameState:
    return GameState(Node(start or pentad.new("pentago")), clock=clock)


def after(*moves: str, start: Position | None = None) -> GameState:
    state = begun(start)
    for move in moves:
        state = state.play(state.position.parse(move))
    return state


def test_a_move_gives_another_state_and_the_old_one_stays() -> None:
    first = begun()
    second = first.play(first.position.parse("a2 1C"), comment="why not")
    assert (first.moves, first.seat, first.position) == (0, 0, pentad.new("pentago"))
    assert (second.moves, second.seat, str(second.end.move)) == (1, 1, "a2 1C")
    assert (second.end.comment, second.end.clock) == ("why not", None)
    assert second.game.name == "pentago"
    assert second.line == [first.end, second.end]
    assert first.end.children == []


def test_an_illegal_move_is_refused() -> None:
    state = after("a2 1C")
    with pytest.raises(IllegalMove):
        state.play(state.position.parse("c2 1A"))


def test_a_known_position_is_not_computed_again() -> None:
    state, known = begun(), pentad.new("pentago").play("a2 1C")
    assert state.play(state.position.parse("a2 1C"), after=known).position is known


def test_moves_are_taken_back_and_redone_in_their_order() -> None:
    state = after(*MOVES)
    back = state.take_back(1).take_back(2)
    assert (back.moves, back.seat, back.can_redo) == (0, 0, True)
    assert back == state.take_back(3)
    assert [back.redo({0, 1}).moves, back.redo({0}).moves, back.redo({1}).moves, back.redo(()).moves] == [1, 2, 1, 1]
    assert back.redo({0}).redo({0}) == state
    assert back.redo({5}) == state
    assert not state.can_redo
    with pytest.raises(GameError, match=r"^There is no move to redo\.$"):
        state.redo({0})


def test_a_new_move_clears_what_could_be_redone() -> None:
    state = after(*MOVES).take_back(2)
    assert not state.play(state.position.parse("b3 1C")).can_redo


def test_no_more_moves_are_taken_back_than_have_been_played() -> None:
    with pytest.raises(GameError, match=r"^Cannot take back 4 moves: only 3 have been played\.$"):
        after(*MOVES).take_back(4)


@pytest.mark.parametrize(("seats", "count"), [({0}, 1), ({1}, 2), ({0, 1}, 1), ({2}, 0), ((), 0)])
def test_the_moves_back_to_a_seat_s_last_turn(seats: set[int], count: int) -> None:
    assert after(*MOVES).moves_back(seats) == count
    assert begun().moves_back(seats) == 0


def test_a_resignation_ends_the_game_until_it_is_taken_back() -> None:
    state = after(*MOVES).take_back(1)
    over = state.lose(0, "resigned")
    assert over.outcome == over.ended == Outcome.of([1], 2, "resigned")
    assert (over.seat, over.can_redo, over.is_lost_on_time) == (None, False, False)
    assert over.take_back(0) == state
    with pytest.raises(GameError, match=r"^The game is over: 0-1, resigned\.$"):
        over.play(over.position.parse("b3 1C"))
    for end in (lambda: over.finish((), "agreed"), lambda: over.lose(1, "resigned")):
        with pytest.raises(GameError, match=r"^The game is over\.$"):
            end()


def test_all_others_win_when_a_seat_loses() -> None:
    state = begun(pentad.new("pentago", players=4))
    assert state.lose(1, "out of time").outcome == Outcome.of([0, 2, 3], 4, "out of time")
    assert state.lose(1, "out of time").is_lost_on_time
    assert state.finish((), "agreed").outcome == Outcome.of((), 4, "agreed")
    for seat in (-1, 4):
        with pytest.raises(GameError, match=rf"^Unknown seat {seat}\. The seats are 0 to 3\.$"):
            state.lose(seat, "resigned")


def test_reasons_are_stored_so_they_do_not_change() -> None:
    assert (RESIGNED, FORFEIT, FLAGGED) == ("resigned", "forfeit", "out of time")


def test_an_end_on_the_board_counts() -> None:
    won = begun(pentad.load("pentago bbbb../....../wwww../....../....../......"))
    won = won.play(won.position.parse("a4"))
    assert won.outcome is not None
    assert (won.outcome.winners, won.ended, won.seat, won.timed_seat) == ((0,), None, None, None)


def played(state: GameState, move: str, now: float) -> GameState:
    """The state after a move at some time, as a table plays it."""
    return state.play(state.position.parse(move), state.clock_after_move(now)).run(now)


def test_the_clock_stands_still_until_the_first_move_and_after_the_end() -> None:
    state = begun(clock=Clock.of(Time(main=60, increment=2), 2)).run(now=0)
    assert (state.timed_seat, state.clock and state.clock.running) == (None, None)
    state = played(state, "a2 1C", now=100)
    assert (state.timed_seat, state.end.clock) == (1, 60)
    state = played(state, "c3 4A", now=110.12345)
    assert (state.timed_seat, state.end.clock) == (0, 51.877)
    assert state.clock
    assert state.clock.left(120.12345) == pytest.approx((50, 51.87655))
    over = state.lose(0, "resigned").run(now=130.12345)
    assert over.clock
    assert (over.clock.running, over.clock.left(500)) == (None, pytest.approx((40, 51.87655)))


def test_increments_are_taken_back_but_for_the_first_move() -> None:
    state = begun(clock=Clock.of(Time(main=60, increment=2), 2))
    for number, move in enumerate(MOVES):
        state = played(state, move, now=10.0 * number)
    clock = state.clock
    assert clock
    assert clock.left(20) == (52, 52)
    for count, left in ((0, (52, 52)), (1, (50, 52)), (2, (50, 50)), (3, (50, 50))):
        taken = state.clock_after_take_back(count, now=20)
        assert taken
        assert taken.left(20) == left, count
    assert after(*MOVES).clock_after_take_back(2, now=20) is None
    assert after(*MOVES).clock_after_move(20) is None

"""Tables with a clock: when it runs, what a move and a take-back do to it, and how a record goes on."""

from __future__ import annotations

import pytest

from pentad.game import GameError, Position
from pentad.play import table as tables
from pentad.play.clock import Time
from pentad.play.game_state import FLAGGED
from pentad.play.table import Table, seat_again, set_table
from pentad.record import Record
from pentad.search.bot import Bot
from pentad.search.move_limit import DEFAULT_LIMIT, Limit
from pentad.search.report import Result


class Now:
    """A time that a test sets."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def timed(record: Record | None = None, *who: str, main: float = 60, increment: float = 2) -> tuple[Table, Now]:
    now = Now()
    seats = who or ("human", "human")
    table = Table(record or Record("pentago"), seats, seed=1, time=Time(main=main, increment=increment), now=now)
    return table, now


def test_the_clock_stands_still_until_the_first_move():
    table, now = timed()
    now.time += 100
    table.play("a2 1C")
    assert table.record.end.clock == 60
    now.time += 10
    assert table.clock.left(now()) == (60, 50)
    table.play("c3 4A")
    assert table.record.end.clock == 52
    assert table.clock.running == 0


def test_the_end_of_a_game_stops_the_clock():
    table, now = timed()
    table.play("a2 1C")
    table.resign()
    assert table.clock.running is None
    table.undo()
    assert table.clock.running == 1
    now.time += 60
    assert table.flag()
    assert not table.flag()
    assert table.record.ended
    assert (table.record.ended.reason, table.record.ended.winners) == (FLAGGED, (0,))
    with pytest.raises(GameError, match="cannot be taken back"):
        table.undo()


def test_a_move_that_comes_too_late_is_not_played():
    table, now = timed()
    table.play("a2 1C")
    now.time += 60
    table.play("c3 4A")
    assert len(table.record.moves) == 1
    assert table.is_lost_on_time


def test_a_take_back_keeps_the_spent_time_and_takes_the_increment():
    table, now = timed()
    for move in ("a2 1C", "c3 4A", "a3 1C"):
        now.time += 10
        table.play(move)
    assert table.clock.left(now()) == (52, 52)
    now.time += 5
    table.take_back(2)
    assert table.clock.left(now()) == (50, 45)  # both without their increments
    assert table.clock.running == 1
    table.redo()
    assert table.record.end.clock == 52
    assert table.clock.left(now()) == (50, 45)
    table.take_back(len(table.record.moves))
    assert table.clock.running is None


def test_a_record_goes_on_with_its_times():
    table, now = timed()
    for move in ("a2 1C", "c3 4A", "a3 1C"):
        now.time += 10
        table.play(move)
    again, later = Record.read(table.record.text), Now()
    assert again.tags["Time"] == "1 min + 2 s"
    resumed = set_table(again, {}, None, now=later)
    assert resumed.clock
    assert resumed.clock.running is None
    resumed.go_on()
    later.time += 1
    assert resumed.clock.left(later()) == (52, 51)


@pytest.mark.parametrize("label", ["2 days per move", "10:00", ""])
def test_other_time_controls_have_no_clock_here(label: str):
    assert set_table(Record("pentago", tags={"Time": label}), {}, None).clock is None


def test_another_game_at_the_same_seats_has_the_clock_of_its_record():
    table, now = timed()
    assert seat_again(table, Record("pentago"), None, now=now).clock is None
    again = seat_again(table, Record("pentago", tags={"Time": "1 min"}), None, now=now)
    assert again.clock
    assert again.clock.time == Time(main=60)


class Slow(Bot):
    """A bot that thinks for some seconds, by the test's clock."""

    def __init__(self, now: Now, takes: float) -> None:
        super().__init__()
        self.now, self.takes = now, takes
        self.limits: list[Limit] = []

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        self.limits.append(limit)
        self.now.time += self.takes
        return Result(next(iter(position.legal_moves)))


def test_a_bot_plays_within_its_time():
    table, now = timed(None, "human", "random", main=100)
    bot = Slow(now, takes=7)
    table.seats[1] = tables.Seat("slow", bot)
    table.play("a2 1C").let_bot_play()
    assert table.record.end.clock == 95
    table.play(str(next(iter(table.position.legal_moves)))).let_bot_play(seconds=0.5)
    first, second = bot.limits
    assert (first.seconds, first.most_seconds) == (pytest.approx(100 / 25 + 1), pytest.approx(2.5 * (100 / 25 + 1)))
    assert second == Limit(seconds=0.5, most_seconds=0.5)


def test_a_bot_without_time_loses():
    table, now = timed(None, "human", "random")
    table.seats[1] = tables.Seat("slow", Slow(now, takes=61))
    table.play("a2 1C").let_bot_play()
    assert len(table.record.moves) == 1
    assert table.is_lost_on_time
    assert table.clock.left(now()) == (60, 0)

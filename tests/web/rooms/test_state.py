"""States of games: a game rebuilt from its stored events equals the original, and so does its row."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError
from pentad.play.clock import DAY, Time
from pentad.record import Record
from pentad.store.rows import EventRow, GameRow, SeatRow
from pentad.web.api_types import ADAPTIVE
from pentad.web.rooms import actions, player_view
from pentad.web.rooms.events import (
    Agreed,
    Drawn,
    Event,
    Flagged,
    Followed,
    Offered,
    Played,
    PlayedSimpler,
    Redone,
    Rejected,
    Resigned,
    Sat,
    Stamped,
    Undone,
)
from pentad.web.rooms.state import RoomState, begun, evolve, restored, stamped
from tests.properties import properties


def row(game: str, seats: list[int], *, time: dict[str, float] | None = None, **options: Any) -> GameRow:
    """A game between persons; the same number twice is the same person."""
    start = pentad.new(game, **options)
    assert len(seats) == start.players
    sitting = tuple(SeatRow("human", person, f"person {person}") for person in seats)
    control = Time.of(time or {})
    terms = control.terms if control else {}
    return GameRow("test", game, start.text, options, sitting, terms, False, 1000.0, None, None, 1000.0, 0)


def visible(game: RoomState, now: float) -> dict[str, Any]:
    """All that any client could see of a game."""
    persons = actions.people(game)
    seen = {
        str(person): {
            **player_view.around(game, person, player_view.Presence.of(game, ()), 0),
            **player_view.view_of(game, person, "now", now),
        }
        for person in persons
    }
    return {
        **seen,
        **player_view.whole(game),
        "at": game.at,
        "number": game.number,
        "agreed": {game.seats[seat].person for seat in game.agreed},
        "running": game.clock and (game.clock.running, game.clock.left(now)),
        "again": game.again,
        "record": game.record.text,
    }


class Life:
    """A random game: each event is stored and applied, as in a room."""

    def __init__(self, start: GameRow, seed: int) -> None:
        self.row, self.chance, self.now = start, random.Random(seed), 100.0
        self.game = begun(start)
        self.kept: list[EventRow] = []

    def commit(self, event: Event, late: float = 0.0) -> None:
        before, seen = self.game, visible(self.game, self.now)
        stamp = stamped(before, event, self.now, self.now)
        after = evolve(before, stamp, self.now)
        assert visible(before, self.now) == seen  # a state is a value
        assert Stamped.of(stamp.row).row == stamp.row
        self.kept.append(stamp.row)
        assert (after.at, after.number) == (before.at + (not event.kind.is_side), before.number + 1)
        assert event.kind.is_side or after.offer is None
        self.game = after.started(self.now + late) if isinstance(event, Played) else after

    def go_on(self) -> None:
        """A random event that is possible now."""
        game, chance = self.game, self.chance
        self.now += chance.choice((0.0, 0.5, 3.0))
        seat = chance.randrange(len(game.seats))
        mine = game.seats_of(game.seats[seat].person)
        can: list[Event] = []
        if game.outcome is None and game.position.legal_moves:
            played = chance.choice((Played, Played, PlayedSimpler))
            can += [played(game.position.turn, str(chance.choice(game.position.legal_moves)))] * 8
            can += [Offered(seat, chance.choice(("draw", "undo")))] if game.offer is None else []
            can += [each for each in (Resigned(seat), Flagged(seat), Drawn()) if chance.random() < 0.2]
        else:
            can.append(Followed("anothergam"))
        if actions.can_undo(game, mine):
            can.append(Undone(actions.moves_to_undo(game, mine)))
        if game.can_redo:
            can += [Redone()] * 2
        if game.offer:
            can += [Agreed(seat), Rejected(seat)]
        self.commit(chance.choice(can), late=chance.choice((0.0, 0.25)))


GAMES = [
    ("pentago", [1, 2], {}),
    ("pentago", [1, 1], {"line": 3}),
    ("pentago", [1, 2, 1], {"players": 3}),
    ("pente", [1, 2], {"size": 7}),
    ("pentagame", [1, 2], {}),
]
TIMES = [{}, {"main": 300.0, "increment": 2.0}, {"days": 2.0}]


@pytest.mark.fast_cases(12)
@pytest.mark.parametrize("time", TIMES, ids=["untimed", "seconds", "days"])
@pytest.mark.parametrize(("game", "seats", "options"), GAMES, ids=lambda each: str(each).replace(" ", ""))
@properties(8)
@given(seed=st.integers(0, 2**32))
def test_a_rebuilt_game_equals_the_original(
    game: str, seats: list[int], options: dict[str, Any], time: dict[str, float], seed: int
) -> None:
    life = Life(row(game, seats, time=time, **options), seed)
    for _ in range(4):
        for _ in range(life.chance.randint(1, 10)):
            life.go_on()
        back = restored(life.row, life.kept, life.now)
        assert visible(back, life.now) == visible(life.game.started(life.now), life.now)


def test_an_impossible_event_has_no_effect() -> None:
    life = Life(row("pentago", [1, 2]), 0)
    life.commit(Played(0, "a2 1C"))
    for event in (Played(1, "z9 1C"), Played(1, "c2 1C"), Redone(), Undone(2)):
        with pytest.raises(GameError):
            life.commit(event)
    life.commit(Resigned(1))
    for late in (Played(1, "b2 1C"), Drawn(), Flagged(0), Resigned(0)):
        with pytest.raises(GameError, match="game is over"):
            life.commit(late)


def test_a_move_keeps_its_clock_time_through_undo_and_redo() -> None:
    life = Life(row("pentago", [1, 1], time={"main": 60.0, "increment": 2.0}), 0)
    life.commit(Played(0, "a2 1C"))
    life.now += 10
    life.commit(Played(1, "b2 1C"))
    assert life.game.end.clock == 52.0
    life.commit(Undone(1))
    life.commit(Redone())
    assert life.game.end.clock == 52.0


@pytest.mark.parametrize(("wall", "left"), [(0.0, 2 * DAY), (-1e9, 2 * DAY), (DAY, DAY), (1e9, 0.0)])
def test_days_follow_the_wall_clock_and_never_run_backwards(wall: float, left: float) -> None:
    life = Life(row("pentago", [1, 2], time={"days": 2.0}), 0)
    life.commit(Played(0, "a2 1C"))
    back = restored(life.row, life.kept, 5.0).started_again(5.0, life.now + wall)
    assert back.clock
    assert back.clock.left(5.0)[1] == left


def test_a_game_that_was_over_once_stays_so() -> None:
    life = Life(row("pentago", [1, 1]), 0)
    life.commit(Resigned(1))
    life.commit(Undone(0))
    assert (life.game.outcome, life.game.score, life.game.has_ended) == (None, None, True)


def test_the_state_has_what_the_row_of_the_game_keeps() -> None:
    life = Life(row("pentago", [1, 2], time={"main": 60.0}), 0)
    life.commit(Played(0, "a2 1C"))
    life.now += 10
    life.commit(Played(1, "b2 1C"))
    assert (life.game.moves, life.game.score, life.game.turn(life.now, 1000.0)) == (2, None, (0, 1060.0))
    life.commit(Flagged(0))
    assert (life.game.moves, life.game.score, life.game.turn(life.now, 1000.0)) == (2, "0-1", (None, None))


def test_a_record_has_the_players_names_and_can_be_read_again() -> None:
    start = row("pentago", [1, 2], time={"main": 60.0})
    names = ('"] [Evil "x', "back\\slash")
    open_seat = SeatRow("open")
    life = Life(replace(start, seats=(SeatRow("human", 1, names[0]), open_seat)), 0)
    life.commit(Played(0, "a2 1C"))
    assert (life.game.record.tags["Seat1"], "Name1" in life.game.record.tags) == ("human", False)
    life.commit(Sat(1, names[1], SeatRow("human", 2, names[1])))
    record = Record.read(life.game.record.text)
    assert (record.tags["Name0"], record.tags["Name1"], record.tags["Time"]) == (*names, "1 min")


@pytest.mark.parametrize(
    ("kind", "seat", "body", "why"),
    [
        ("win", 0, "", "Unknown event 'win'"),
        ("resign", None, "", "The event 'resign' has no seat"),
        ("offer", 0, "money", "Unknown offer 'money'"),
        ("undo", None, "two", "Its data is damaged"),
        ("resign", 9, "", "Unknown seat 9"),
        ("offer", 9, "draw", "Its data is damaged"),
    ],
)
def test_a_damaged_event_is_refused(kind: str, seat: int | None, body: str, why: str) -> None:
    with pytest.raises(GameError, match=why):
        restored(row("pentago", [1, 2]), [EventRow(0, kind, seat, body, 1000.0, ())], 0.0)


def test_a_declined_offer_is_forgotten_with_the_next_move() -> None:
    life = Life(row("pentago", [1, 2]), 0)
    life.commit(Offered(0, "draw"))
    life.commit(Rejected(1))
    assert life.game.declined == (Offered(0, "draw"), 1)
    life.commit(Played(0, "a2 1C"))
    assert life.game.declined is None


def test_seconds_stand_still_while_no_server_runs() -> None:
    life = Life(row("pentago", [1, 2], time={"main": 60.0}), 0)
    life.commit(Played(0, "a2 1C"))
    back = restored(life.row, life.kept, 5.0).started_again(5.0, life.now + DAY)
    assert back.clock
    assert back.clock.left(5.0) == (60.0, 60.0)


def test_only_a_finished_game_of_one_person_against_the_adaptive_opponent_is_rated() -> None:
    person, other, bot = SeatRow("human", 1, "Ada"), SeatRow("human", 2, "Bea"), SeatRow("random", name=ADAPTIVE)

    def rated(*seats: SeatRow, events: tuple[Event, ...] = (Played(0, "a2 1C"), Resigned(1))) -> Any:
        life = Life(replace(row("pentago", [1, 2]), seats=seats), 0)
        for event in events:
            life.commit(event)
        return life.game.rated_result

    assert rated(person, bot) == (1, 1.0)
    assert rated(bot, person) == (1, -1.0)
    assert rated(person, bot, events=(Played(0, "a2 1C"),)) is None
    assert rated(person, other) is None
    assert rated(person, SeatRow("random")) is None
    assert rated(bot, person, events=(PlayedSimpler(0, "a2 1C"), Resigned(1))) is None


def test_an_event_without_times_leaves_the_clock_as_it_is() -> None:
    back = restored(row("pentago", [1, 2], time={"main": 60.0}), [EventRow(0, "decline", 0, "", 1000.0, ())], 5.0)
    assert back.clock
    assert back.clock.left(5.0) == (60.0, 60.0)


def test_times_are_those_of_all_seats() -> None:
    event = EventRow(0, "play", 0, "a2 1C", 1000.0, (60.0,))
    with pytest.raises(GameError, match="Expected 2 times, got 1"):
        restored(row("pentago", [1, 2], time={"main": 60.0}), [event], 0.0)

"""Game history: a game rebuilt from its events equals the original."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError
from pentad.play.clock import DAY, Clock, Time
from pentad.record import Record
from pentad.store.rows import PLAY, EventRow, GameRow, SeatRow
from pentad.web.rooms import actions, player_view
from pentad.web.rooms import history as events
from pentad.web.rooms.history import Change, History
from tests.properties import properties


def row(game: str, seats: list[int], *, time: dict[str, float] | None = None, **options: Any) -> GameRow:
    """A game between persons; the same number twice is the same person."""
    start = pentad.new(game, **options)
    assert len(seats) == start.players
    sitting = tuple(SeatRow("human", person, f"person {person}") for person in seats)
    control = Time.of(time or {})
    terms = control.terms if control else {}
    return GameRow("test", game, start.text, options, sitting, terms, False, 1000.0, None, None, 1000.0, 0)


def visible(game: History, now: float) -> dict[str, Any]:
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


def from_events(game: History) -> tuple[Any, ...]:
    """The state that only events change."""
    return game.at, game.number, game.offer, game.record.text, game.table.outcome, game.table.can_redo


def clock_of(game: History, now: float) -> tuple[Any, ...] | None:
    """The remaining times, the running seat, and since when."""
    clock = game.clock
    return clock and (clock.left(now), clock.left(now + 1), clock.running, clock.since)


class Life:
    """A random game: the effect of each event is computed, stored and applied, as in a room."""

    def __init__(self, start: GameRow, seed: int) -> None:
        self.row, self.chance, self.now = start, random.Random(seed), 100.0
        self.game, self.twin = History(start, (), self.now), History(start, (), self.now)
        self.kept: list[EventRow] = []

    def change(self, kind: str, seat: int | None = None, body: str = "") -> Change:
        return Change(kind, seat, body, self.game.position.parse(body) if kind == PLAY else None)

    def commit(self, kind: str, seat: int | None = None, body: str = "", late: float = 0.0) -> None:
        game = self.game
        at, before = game.at, from_events(game)
        effect = game.effect_of(self.change(kind, seat, body), self.now, self.now)
        event, result, moves, turn, *_ = effect
        assert from_events(game) == before  # effect_of changes nothing
        later = self.now + late * (kind == PLAY)
        game.apply_effect(effect, later)
        self.twin.apply(event, later)  # the effect is the same
        assert clock_of(game, later) == clock_of(self.twin, later)
        assert game.moves == len(game.table.record.moves)
        self.kept.append(event)
        assert turn == game.turn(self.now, self.now)
        if kind in events.SIDE_EVENTS:
            assert game.at == at
        else:
            outcome = game.table.outcome
            assert result == (outcome.score if outcome else None)
            assert moves == len(game.table.record.moves)
            assert game.at == at + 1
            assert game.offer is None

    def go_on(self) -> None:
        """A random event that is possible now."""
        game, chance = self.game, self.chance
        self.now += chance.choice((0.0, 0.5, 3.0))
        table = game.table
        seat = chance.randrange(len(game.seats))
        mine = game.seats_of(game.seats[seat].person)
        can: list[tuple[str, int | None, str]] = []
        if table.outcome is None and table.position.legal_moves:
            move = chance.choice(table.position.legal_moves)
            can += [(PLAY, table.seat, str(move))] * 8
            can += [(events.OFFER, seat, chance.choice(("draw", "undo")))] if game.offer is None else []
            can += [(kind, seat, "") for kind in (events.RESIGN, events.FLAG, events.DRAWN) if chance.random() < 0.2]
            can += [(events.FORFEIT, seat, "its program ended")] if chance.random() < 0.1 else []
        else:
            can.append((events.AGAIN, None, "anothergam"))
        if actions.can_undo(game, mine):
            can.append((events.UNDO, None, str(actions.moves_to_undo(game, mine))))
        if table.can_redo and table.outcome is None:
            can += [(events.REDO, None, "")] * 2
        if game.offer:
            can += [(events.AGREE, seat, ""), (events.DECLINE, seat, "")]
        self.commit(*chance.choice(can), late=chance.choice((0.0, 0.25)))


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
        assert visible(History(life.row, life.kept, life.now), life.now) == visible(life.game, life.now)


def test_an_impossible_event_has_no_effect() -> None:
    life = Life(row("pentago", [1, 2]), 0)
    life.commit(PLAY, 0, "a2 1C")
    for kind, seat, body in ((PLAY, 1, "z9 1C"), (PLAY, 1, "c2 1C"), (events.REDO, None, "")):
        with pytest.raises(GameError):
            life.game.effect_of(life.change(kind, seat, body), life.now, life.now)
    life.commit(events.RESIGN, 1)
    with pytest.raises(GameError, match="game is over"):
        life.game.effect_of(life.change(PLAY, 1, "b2 1C"), life.now, life.now)


def test_the_clock_is_computed_once_for_each_event(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    begin = Clock.__init__

    def count(self: Clock, *given: Any) -> None:
        made.append(1)
        begin(self, *given)

    life = Life(row("pentago", [1, 2], time={"main": 60.0}), 0)
    monkeypatch.setattr(Clock, "__init__", count)
    life.game.apply_effect(life.game.effect_of(life.change(PLAY, 0, "a2 1C"), 0.0, 0.0), 1.0)
    assert len(made) == 2  # the times that the event stores, and the clock after it


def test_a_move_keeps_its_clock_time_through_undo_and_redo() -> None:
    life = Life(row("pentago", [1, 1], time={"main": 60.0, "increment": 2.0}), 0)
    life.commit(PLAY, 0, "a2 1C")
    life.now += 10
    life.commit(PLAY, 1, "b2 1C")
    assert life.game.table.record.end.clock == 52.0
    life.commit(events.UNDO, None, "1")
    life.commit(events.REDO)
    assert life.game.table.record.end.clock == 52.0


@pytest.mark.parametrize(("wall", "left"), [(0.0, 2 * DAY), (-1e9, 2 * DAY), (DAY, DAY), (1e9, 0.0)])
def test_days_follow_the_wall_clock_and_never_run_backwards(wall: float, left: float) -> None:
    life = Life(row("pentago", [1, 2], time={"days": 2.0}), 0)
    life.commit(PLAY, 0, "a2 1C")
    back = History(life.row, life.kept, 5.0)
    back.resume_after_restart(5.0, life.now + wall)
    assert back.clock
    assert back.clock.left(5.0)[1] == left


def test_a_record_has_the_players_names_and_can_be_read_again() -> None:
    start = row("pentago", [1, 2], time={"main": 60.0})
    names = ('"] [Evil "x', "back\\slash")
    seats = tuple(SeatRow("human", seat.person, name) for seat, name in zip(start.seats, names, strict=True))
    game = History(start, (), 0.0)
    game.apply(EventRow(0, PLAY, 0, "a2 1C", 1.0, (55.0, 60.0)), 1.0)
    game.apply_effect(game.effect_of(Change(events.SIT, 1, names[1], seats=seats), 2.0, 2.0), 2.0)
    record = Record.read(game.record.text)
    assert (record.tags["Name0"], record.tags["Name1"], record.tags["Time"]) == (*names, "1 min")

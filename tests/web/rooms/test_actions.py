"""Decisions: any sequence of requests is decided and applied without a loop, a store or a clock of the system."""

from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import GameError
from pentad.store.rows import EventRow, GameRow, SeatRow
from pentad.web.messages import AnswerMessage, DrawMessage, RedoMessage, ResignMessage, UndoMessage
from pentad.web.rooms import actions
from pentad.web.rooms.actions import NOBODY, CallFlag, Follow, Play, Request, Sit, decide
from pentad.web.rooms.events import (
    Agreed,
    Event,
    Flagged,
    Offered,
    Played,
    Redone,
    Rejected,
    Resigned,
    Stamped,
    Undone,
)
from pentad.web.rooms.state import RoomState, begun, evolve, restored, stamped
from tests.properties import properties
from tests.web.rooms.test_state import TIMES, row, visible

OPEN, BOT = SeatRow("open"), SeatRow("random")
PEOPLE = [SeatRow("human", number, f"person {number}") for number in range(4)]
TABLES: list[tuple[str, dict[str, Any], list[SeatRow]]] = [
    ("pentago", {"line": 3}, [PEOPLE[1], PEOPLE[2]]),
    ("pentago", {}, [PEOPLE[1], PEOPLE[1]]),
    ("pentago", {}, [PEOPLE[1], OPEN]),
    ("pentago", {"players": 3}, [PEOPLE[1], PEOPLE[2], PEOPLE[3]]),
    ("pentago", {"players": 4}, [PEOPLE[1], PEOPLE[2], PEOPLE[1], PEOPLE[2]]),
    ("pentago", {"players": 3}, [PEOPLE[1], BOT, PEOPLE[2]]),
    ("pente", {"size": 7}, [PEOPLE[1], BOT]),
    ("pentagame", {}, [OPEN, PEOPLE[2]]),
]
Asked: TypeAlias = int | Request  # a move by its number, or a request

REQUESTS: st.SearchStrategy[Asked] = st.one_of(
    st.integers(0, 300),
    st.integers(0, 300),
    st.sampled_from(
        [
            UndoMessage(type="undo", at=0),
            RedoMessage(type="redo", at=0),
            DrawMessage(type="draw", at=0),
            AnswerMessage(type="answer", at=0, yes=True),
            AnswerMessage(type="answer", at=0, yes=False),
            AnswerMessage(type="answer", at=0, yes=True, what="undo"),
            CallFlag(),
            Follow("anothergam"),
        ]
    ),
    st.builds(ResignMessage, type=st.just("resign"), at=st.just(0), seat=st.sampled_from([None, 0, 1, 2])),
    st.builds(Sit, st.integers(1, 3), st.just("somebody"), st.sampled_from([None, 0, 1])),
)
SEQUENCES = st.lists(st.tuples(st.integers(1, 3), REQUESTS, st.sampled_from([0.0, 1.0, 40.0, 90_000.0])), max_size=30)


def begin(table: tuple[str, dict[str, Any], list[SeatRow]], time: dict[str, float] | None = None) -> GameRow:
    game, options, seats = table
    return replace(row(game, [1] * len(seats), time=time, **options), seats=tuple(seats))


class Game:
    """A game that keeps its events, as a store does."""

    def __init__(self, start: GameRow) -> None:
        self.state, self.kept, self.now = begun(start), list[EventRow](), 0.0

    def ask(self, person: int | None, asked: Asked) -> Event:
        """Decides a request and applies the event; a bot moves for nobody."""
        state = self.state
        bot = state.bot_to_move and isinstance(asked, int | Play)
        own_seats = frozenset((state.position.turn,)) if bot else state.seats_of(person)
        if isinstance(asked, int):
            moves = state.position.legal_moves
            asked = Play(moves[asked % len(moves)] if moves else state.position.parse("a1"))
        if not own_seats and not isinstance(asked, CallFlag | Follow | Sit):
            raise GameError("You are watching.")  # the room answers the same
        event = decide(state, own_seats, asked, self.now)
        stamp = stamped(state, event, self.now, self.now)
        self.state = evolve(state, stamp, self.now)  # what is decided is possible
        assert Stamped.of(stamp.row).event == event
        self.kept.append(stamp.row)
        return event


@properties(300)
@given(table=st.sampled_from(TABLES), time=st.sampled_from(TIMES), sequence=SEQUENCES)
def test_any_sequence_of_requests(
    table: tuple[str, dict[str, Any], list[SeatRow]], time: dict[str, float], sequence: list[tuple[int, Asked, float]]
) -> None:
    start = begin(table, time)
    game, last = Game(start), 0.0
    for person, asked, passed in sequence:
        before = game.state
        game.now += passed
        try:
            event = game.ask(person, asked)
        except GameError:
            assert game.state is before
            continue
        last = game.now
        check(before, event, game.state, game.now)
    again = restored(replace(start, seats=game.state.seats), game.kept, last)
    assert visible(again, last) == visible(game.state, last)


def check(before: RoomState, event: Event, after: RoomState, now: float) -> None:
    """What holds after each event, whatever it is."""
    assert after.number == before.number + 1
    assert (after.at, after.has_ended) == (
        before.at + (not event.kind.is_side),
        before.has_ended or after.outcome is not None,
    )
    if event.kind.is_side:
        assert (after.end, after.ended, after.taken_back) == (before.end, before.ended, before.taken_back)
    else:
        assert (after.offer, after.agreed, after.requested) == (None, frozenset(), frozenset())
    if after.offer:
        assert after.outcome is None
        assert after.offer.seat in after.agreed
        assert actions.missing(after) - {None}  # an offer that all have accepted is carried out
    if clock := after.clock:
        assert clock.running == after.timed_seat
        assert min(clock.left(now)) >= 0
        spent = zip(clock.left(now), before.clock.left(now) if before.clock else (), strict=True)
        if not isinstance(event, Played | Undone) and not clock.time.days:
            assert all(left == pytest.approx(left_before) for left, left_before in spent)
    match event:
        case Played():
            assert (after.moves, after.can_redo, before.seat) == (before.moves + 1, False, event.seat)
        case Undone():
            assert (after.moves, after.outcome) == (before.moves - event.moves, None)
            assert not before.is_lost_on_time
        case Redone():
            assert after.moves > before.moves
        case Flagged():
            assert not before.is_bot(event.seat)
            assert before.clock
            assert before.clock.left(now)[event.seat] == 0
        case Offered():
            assert before.offer is None
            assert (event.what, before.seats[event.seat].person) not in before.requested
        case Agreed() | Rejected():
            assert before.offer


# ── what is refused ──────────────────────────────────────────────────────────────────────────────

UNDO, REDO, DRAW = (
    UndoMessage(type="undo", at=0),
    RedoMessage(type="redo", at=0),
    DrawMessage(type="draw", at=0),
)
YES, NO = (AnswerMessage(type="answer", at=0, yes=yes) for yes in (True, False))


def two(*steps: tuple[int, Asked]) -> Game:
    """A game of two persons after some requests."""
    game = Game(begin(TABLES[0], {"main": 60.0}))
    for person, asked in steps:
        game.ask(person, asked)
    return game


MOVES = ((1, 0), (2, 50), (1, 100))


@pytest.mark.parametrize(
    ("steps", "person", "asked", "why"),
    [
        ((), 2, 0, "It is not your turn. Black is to move."),
        ((), 1, UNDO, "You have no move to take back."),
        (MOVES, 1, REDO, "You cannot redo moves"),
        (((1, ResignMessage(type="resign", at=0)),), 2, 0, "The game is over. Black resigned."),
        (((1, ResignMessage(type="resign", at=0)),), 1, DRAW, "The game is over."),
        ((), 1, ResignMessage(type="resign", at=0, seat=1), "Seat 1 is not yours."),
        ((), 1, YES, "There is no offer."),
        (((1, DRAW),), 1, YES, "This is your own offer."),
        (((1, DRAW),), 2, AnswerMessage(type="answer", at=0, yes=True, what="undo"), "There is another offer."),
        (((1, DRAW), (2, NO)), 1, DRAW, "You have already made this offer."),
        ((*MOVES, (1, DRAW)), 2, UNDO, "Another offer is still open."),
        ((), 1, Sit(3, "Cleo"), "All seats are taken."),
        ((), 1, CallFlag(), "No player's time is over."),
    ],
)
def test_a_request_is_refused_in_words(
    steps: tuple[tuple[int, Asked], ...], person: int, asked: Asked, why: str
) -> None:
    with pytest.raises(GameError, match=why):
        two(*steps).ask(person, asked)


def test_a_draw_needs_an_opponent_who_is_a_person() -> None:
    with pytest.raises(GameError, match="no opponent"):
        Game(begin(TABLES[6])).ask(1, DRAW)


def test_who_plays_alone_takes_a_move_back_at_once() -> None:
    game = Game(begin(TABLES[1]))
    game.ask(1, 0)
    game.ask(1, 50)
    assert game.ask(1, UNDO) == Undone(1)


def test_a_loss_on_time_is_not_taken_back() -> None:
    game = Game(begin(TABLES[1], {"main": 60.0}))
    game.ask(1, 0)
    game.now += 61
    assert game.ask(None, CallFlag()) == Flagged(1)
    with pytest.raises(GameError, match="You have no move to take back"):
        game.ask(1, UNDO)


@pytest.mark.parametrize(
    ("person", "asked", "event"),
    [
        (1, ResignMessage(type="resign", at=0), Resigned(2)),  # the seat to move
        (2, ResignMessage(type="resign", at=0), Resigned(1)),
        (1, DRAW, Offered(2, "draw")),
        (2, DRAW, Offered(1, "draw")),
    ],
)
def test_who_has_several_seats_acts_for_the_one_to_move_or_the_first(person: int, asked: Request, event: Event) -> None:
    game = Game(begin(TABLES[4]))
    game.ask(1, 0)
    game.ask(2, 50)
    assert game.ask(person, asked) == event


def test_the_first_seat_of_a_person_answers() -> None:
    game = Game(begin(TABLES[4]))
    game.ask(1, DRAW)
    assert game.ask(2, NO) == Rejected(1)


def test_a_game_with_too_many_events_can_only_be_played_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    game = two(*MOVES)
    monkeypatch.setattr(actions, "MOST_EVENTS", 3)
    for asked in (UNDO, DRAW):
        with pytest.raises(GameError, match="too many events"):
            game.ask(1, asked)
    game.ask(2, 7)
    game.ask(1, ResignMessage(type="resign", at=0))


def test_the_time_of_a_bot_is_nobodys_flag() -> None:
    game = Game(begin(TABLES[6], {"main": 60.0}))
    game.ask(1, 0)
    game.now += 61
    assert game.state.clock
    assert game.state.clock.over(game.now) == 1
    with pytest.raises(GameError, match="No player's time is over"):
        decide(game.state, NOBODY, CallFlag(), game.now)
    game.ask(None, 0)
    game.now += 61
    assert game.ask(None, CallFlag()) == Flagged(0)

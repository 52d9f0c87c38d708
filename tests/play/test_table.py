"""The table: seats, undo and redo, hints, resigning."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pentad.game import GameError, Outcome, Position, game, load
from pentad.play.seats import Seat, seat_number, sit
from pentad.play.table import Hint, Table
from pentad.record import Record
from pentad.search.bot import Forfeit
from pentad.search.exact import Proof
from pentad.search.report import Result
from pentad.search.simple_bots import RandomBot


def table(*seats: str, **options: object) -> Table:
    return Table(Record("pentago", **options), seats, seed=1)


def test_a_game_against_a_bot_ends():
    here = table("human", "greedy")
    while here.seat is not None:
        if here.waits_for_bot:
            here.let_bot_play()
        else:
            here.play(here.position.legal_moves[0])
    assert here.outcome is not None
    assert Record.read(here.record.text) == here.record
    assert here.record.tags["Seat1"] == "greedy"


def test_undo_returns_to_the_persons_turn_and_redo_reverses_it():
    here = table("human", "random")
    for move in ("a0 1C", "e5 2C"):
        here.play(move)
        here.let_bot_play()
    after = here.position
    assert here.undo() == 2
    assert (here.seat, len(here.record.moves)) == (0, 2)
    assert here.undo() == 2
    with pytest.raises(GameError, match="no move to take back"):
        here.undo()
    assert (here.redo(), here.redo()) == (2, 2)
    assert here.position == after
    with pytest.raises(GameError, match="no move to redo"):
        here.redo()


def test_a_new_move_clears_redo():
    here = table("human", "human")
    here.play("a0 1C").play("b0 1C")
    assert here.undo() == 1
    here.play("c4 1C")
    with pytest.raises(GameError, match="no move to redo"):
        here.redo()


def test_a_variation_is_not_what_is_left_after_undo():
    text = '[Game "pentago"]\n[Result "*"]\n\n1. a0 1C (1. b0 1C) 2. c4 1C (2. d4 1C (2. e4 1C)) *\n'
    here = Table(Record.read(text), ["human", "human"])
    start = here.record.start
    assert (here.undo(), here.undo()) == (1, 1)
    assert here.position == here.record.position == start
    assert not here.record.moves
    with pytest.raises(GameError, match="no move to take back"):
        here.undo()
    here.redo()
    assert [str(move) for move in here.record.moves] == ["a0 1C"]
    here.redo()
    assert here.record.text.splitlines()[-1] == "1. a0 1C (1. b0 1C) 2. c4 1C (2. d4 1C) (2. e4 1C) *"


def test_a_new_move_after_undo_keeps_the_variations_beside_it():
    text = '[Game "pentago"]\n[Result "*"]\n\n1. a0 1C (1. b0 1C) (1. c0 1C 2. e4 1C) *\n'
    here = Table(Record.read(text), ["human", "human"])
    here.undo()
    here.play("c0 1C")
    assert here.record.text.splitlines()[-1] == "1. c0 1C (1. b0 1C) *"


def test_comments_survive_undo_and_redo():
    here = table("human", "human")
    here.play("a0 1C")
    here.record.end.comment, here.record.end.clock = "hm", 3.0
    here.undo()
    here.redo()
    assert (here.record.end.comment, here.record.end.clock) == ("hm", 3.0)


@pytest.mark.parametrize(("players", "loser", "score"), [(2, 0, "0-1"), (2, 1, "1-0"), (3, 1, "1/2-0-1/2")])
def test_the_resigning_seat_loses_and_the_others_share(players, loser, score):
    here = table(*["human"] * players, players=players, rows=3)
    outcome = here.resign(loser)
    assert (outcome.score, outcome.reason) == (score, "resigned")
    assert here.seat is None
    for call in (here.resign, here.hint, lambda: here.end([0], "")):
        with pytest.raises(GameError, match=r"^The game is over\.$"):
            call()
    for call in (here.let_bot_play, lambda: here.play("a0 1C")):
        with pytest.raises(GameError):
            call()
    assert Record.read(here.record.text).outcome == outcome


def test_a_resignation_is_taken_back_by_itself():
    here = table("human", "human")
    here.play("a0 1C")
    here.resign()
    assert here.undo() == 0
    assert (here.seat, len(here.record.moves)) == (1, 1)
    assert here.undo() == 1


def test_no_redo_after_the_end():
    here = table("human", "human")
    here.play("a0 1C")
    here.play("b0 1A")
    here.undo()
    here.resign()
    assert not here.can_redo
    with pytest.raises(GameError, match="There is no move to redo"):
        here.redo()
    here.undo()  # this takes the resignation back
    assert here.can_redo
    here.redo()
    assert [str(move) for move in here.record.moves] == ["a0 1C", "b0 1A"]


def test_an_unknown_seat_cannot_resign():
    with pytest.raises(GameError, match="Unknown seat 2"):
        table("human", "human").resign(2)


@pytest.mark.slow
def test_a_hint_is_a_legal_move_that_is_not_played():
    here = table("human", "human")
    assert here.hint().move in here.position.legal_moves
    assert not here.record.moves


def test_a_hint_that_the_game_can_prove(monkeypatch: pytest.MonkeyPatch):
    asked = []

    def prove(position: Position, *, seconds: float | None) -> Proof | None:
        asked.append((position, seconds))
        return None if len(asked) > 1 else Proof(position.legal_moves[7], moves=3)

    monkeypatch.setattr("pentad.games.pentago.bot.prove", prove, raising=False)
    four = load("pentago b...../.w..../..b.../...w../....../......")  # neither in the book nor solved
    here = Table(Record(four), ["human", "human"])
    assert here.hint(0.5) == Hint(here.position.legal_moves[7], "wins in 3 moves")
    assert here.hint(0.5).claim == ""
    assert asked == [(here.position, 0.5)] * 2


@pytest.mark.parametrize(
    ("claim", "proof"),
    [("wins in 3 moves", "It wins in 3 moves."), ("wins with a2, …", "It wins with a2, …"), ("", "")],
)
def test_a_hint_says_in_a_sentence_what_is_proved(claim, proof):
    assert Hint(Record("pentago").position.legal_moves[0], claim).proof == proof


def test_undo_among_bots_takes_back_one_move():
    here = table("random", "random")
    for _ in range(3):
        here.let_bot_play()
    assert here.undo() == 1
    assert len(here.record.moves) == 2


def test_undo_before_the_first_turn_of_the_only_person_takes_back_all():
    here = table("random", "human")
    here.let_bot_play()
    assert here.undo() == 1
    assert here.record.moves == []


def test_a_bot_that_forfeits_loses_and_the_record_says_why(monkeypatch: pytest.MonkeyPatch):
    def gone(self, position, limit):
        raise Forfeit("It answers no more.")

    monkeypatch.setattr("pentad.search.simple_bots.RandomBot.play", gone)
    here = table("human", "random")
    here.play("a0 1C")
    assert here.let_bot_play() is here
    assert here.outcome == Outcome.of([0], 2, "forfeit")
    assert here.record.end.comment == "random at seat 1 forfeits: It answers no more."


def test_a_person_s_move_is_not_left_to_a_bot():
    here = table("human", "random")
    assert not here.waits_for_bot
    with pytest.raises(GameError, match=r"^It is not a bot's turn\.$"):
        here.let_bot_play()
    assert here.play("a0 1C").waits_for_bot


def test_a_move_of_a_warm_up_bot_has_a_note():
    class Warm(RandomBot):
        def play(self, position, limit):
            return Result(position.legal_moves[-1], note="still warming up", simpler=not position.ply)

    here = table("random", "random")
    here.seats[:] = [Seat("engine", Warm(1))] * 2
    assert here.let_bot_play().record.end.comment == "still warming up"
    assert here.let_bot_play().record.end.comment == ""


@pytest.mark.parametrize(("seconds", "limit"), [(None, 2.0), (0.5, 0.5), (60.0, 2.0)])
def test_a_hint_looks_for_a_proof_within_two_seconds_and_a_gigabyte(monkeypatch: pytest.MonkeyPatch, seconds, limit):
    asked = []
    monkeypatch.setattr("pentad.play.table.exact_value", lambda position, **limits: asked.append(limits))
    monkeypatch.setattr("pentad.play.table.make_bot", lambda name, seed: RandomBot(seed))
    here = table("human", "human")
    assert here.hint(seconds).move in here.position.legal_moves
    assert asked == [{"depth": True, "seconds": limit, "memory": 1_000_000_000}]


def test_closing_a_table_closes_its_bots(monkeypatch: pytest.MonkeyPatch):
    closed = []
    monkeypatch.setattr("pentad.search.simple_bots.RandomBot.close", lambda self: closed.append(self), raising=False)
    here = table("human", "random", "random", players=3, rows=3)
    here.close()
    assert closed == [seat.bot for seat in here.seats[1:]]


def test_a_table_dates_its_record_and_names_the_players():
    here = table("human", "greedy")
    assert here.record.tags["Date"] == datetime.now(UTC).astimezone().date().isoformat()
    assert here.players_text == "black: human, white: greedy"
    assert here.preparing is None
    old = Record("pentago", tags={"Date": "2020-02-20"})
    assert Table(old, ["human", "human"]).record.tags["Date"] == "2020-02-20"


def test_seats_come_from_the_record():
    again = Table(Record.read(table("greedy", "human").record.text))
    assert [seat.who for seat in again.seats] == ["greedy", "human"]


@pytest.mark.parametrize(
    ("who", "message"),
    [
        ("nobody", "Unknown player 'nobody'."),
        ("greedy@2", "has no levels"),
        ("greedy@x", "has no levels"),
        ("engine@x", "Unknown level 'x'"),
        ("beginer", "Unknown player 'beginer'. Did you mean beginner?"),
        ("9", "levels 1 to 5, got 9"),
        ("", "Unknown player"),
        ("\x1b[2J", "Unknown player"),
        ("human:x", "Unknown player 'human:x'"),
        ("3:x", "'3:x' already names a level"),
        (":", "Unknown player ':'"),
        ("greedy:x", "takes no settings, got 'x'"),
        ("greedy:", "takes no settings, got ''"),
    ],
)
def test_unknown_players_are_refused(who, message):
    with pytest.raises(GameError, match=message):
        sit(game("pentago"), who)


def test_seats_are_named_by_number_or_colour():
    kind = game("pentago")
    assert [seat_number(kind, name, 3) for name in ("0", "white", "Red")] == [0, 1, 2]
    for name in ("3", "green", "-1", ""):
        with pytest.raises(GameError, match="The seats are: 0, 1, 2, black, white, red"):
            seat_number(kind, name, 3)


def test_too_few_seats():
    with pytest.raises(GameError, match="has 3 seats, not 2"):
        table("human", "human", players=3)

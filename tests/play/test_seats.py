"""Seats and who may sit there; and the warm-up bot, which plays while the kernels of the requested bot are compiled."""

from __future__ import annotations

import importlib
import threading

import pytest

from pentad.game import GameError, game, names, new
from pentad.games.pentago.memory import SURE_FROM
from pentad.games.pente.engine.styles import STYLES
from pentad.kernels import cache
from pentad.play.seats import (
    NOTE,
    Preparation,
    PreparingBot,
    Seat,
    kernels_from,
    kernels_of,
    missing_kernels,
    seat_number,
    sit,
    starts_program,
    warm_up_bot,
)
from pentad.play.table import Table, seat_again, set_table
from pentad.record import Record
from pentad.search.bot import Bot, BotEntry, bots
from pentad.search.move_limit import Limit
from pentad.search.simple_bots import RandomBot
from tests.programs import run
from tests.waiting import wait_until

NOTHING = frozenset({"numba", "numpy", "llvmlite"})


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A machine without compiled kernels, whose compiler finishes when the event is set."""
    done = threading.Event()

    def keep(*names: str, report: cache.ProgressCallback) -> None:
        report(0.25)
        done.wait()

    monkeypatch.setattr(cache, "are_compiled", lambda *names: done.is_set() or not names)
    monkeypatch.setattr(cache, "ensure_compiled", keep)
    return done


def prepared_by_random_bots(monkeypatch: pytest.MonkeyPatch, name: str, who: str) -> None:
    """Let a bot be one that needs no engine once it is asked."""
    entry = bots(name)[who]
    fields = {each: getattr(entry, each) for each in entry.__slots__}
    monkeypatch.setitem(
        game(name).module("bot").BOTS, who, type(entry)(**fields | {"make_level": lambda level, seed: RandomBot(seed)})
    )


@pytest.mark.parametrize("name", names())
def test_every_bot_names_the_kernels_that_it_needs(name: str):
    for who, entry in bots(name).items():
        needed = entry.kernels(new(name))
        assert needed == kernels_from(new(name), who)[: len(needed)], who
        assert bool(needed) == (who in ("engine", *STYLES, "perfect", "tree", "alphabeta")), who
        for each in needed:
            module = importlib.import_module(each)
            assert hasattr(module, "WARM_UP") or hasattr(module, "NATIVE")
            assert each in cache.compiled_lines()  # the progress bar needs their numbers of lines
    assert set(kernels_of(name)) == {each for who in bots(name) for each in kernels_from(new(name), who)}


@pytest.mark.parametrize("who", ["greedy", "engine@1", "hard", "3", "engine:strength=1400"])
def test_a_bot_sits_by_its_name_its_level_or_with_settings(who: str):
    seat = sit(game("pente"), who)
    assert (seat.who, seat.is_human, isinstance(seat.bot, Bot)) == (who, False, True)


def test_a_person_needs_no_bot_and_a_remote_bot_is_not_made():
    assert sit(game("pente"), "human") == Seat("human")
    assert sit(game("pente"), "human").is_human
    assert sit(game("pente"), "greedy", remote=True) == Seat("greedy")


@pytest.mark.parametrize(
    ("who", "why"),
    [
        ("gready", "Unknown player 'gready'. Did you mean greedy.* are: human, random, "),
        ("", "Unknown player"),
        ("engine:strength=1", "Strength"),
        ("gomocup:/bin/true", "program"),
    ],
)
def test_players_who_cannot_sit_are_refused_even_if_they_are_remote(who: str, why: str):
    for remote in (False, True):
        with pytest.raises(GameError, match=why):
            sit(game("pente"), who, remote=remote)


def test_bots_that_start_programs():
    starting = {who for who in bots("pente") if starts_program(game("pente"), who)}
    assert starting == {"gomocup", "ugi"}
    assert not starts_program(game("pente"), "human")


def test_seats_have_numbers_and_colours():
    kind = game("pentago")
    assert [seat_number(kind, name, 3) for name in ("0", "white", "Red")] == [0, 1, 2]
    for unknown in ("2", "red", ""):
        with pytest.raises(GameError, match="The seats are: 0, 1, black, white"):
            seat_number(kind, unknown, 2)


def test_other_boards_need_other_kernels():
    engine = bots("pentago")["engine"]
    assert engine.kernels(new("pentago", players=4)) == bots("pentago")["tree"].kernels(new("pentago"))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", names())
def test_warm_up_bots_need_no_compiler(name: str):
    program = f"""
import sys
from pentad.game import new
from pentad.play.seats import warm_up_bot
here = new({name!r})
for _ in range(2):
    here = here.play(warm_up_bot({name!r}, 1).choose(here, seconds=0.5))
print(sorted({set(NOTHING)!r} & set(sys.modules)))
"""
    assert run(program)[0] == "[]"


@pytest.mark.parametrize("name", names())
def test_warm_up_bots_play_whole_games(name: str):
    here = new(name, **({"size": 9, "opening": "free"} if name == "pente" else {}))
    chance = RandomBot(1)
    for _ in range(12):
        if here.outcome:
            break
        here = here.play(warm_up_bot(name, 1).choose(here, seconds=0.01))
        if not here.outcome:
            here = here.play(chance.choose(here))


def test_the_opening_book_needs_no_engine():
    assert {str(warm_up_bot("pente", seed).choose(new("pente"))) for seed in range(5)} == {"K10"}


def test_missing_kernels(cold: threading.Event):
    here = new("pente")
    for who in ("engine", "5", "engine@1", "engine:strength=1400"):
        assert missing_kernels(here, who) == ("pentad.games.pente.engine.search_kernels",)
    for who in ("human", "greedy", "beam-3", "beam@2"):
        assert missing_kernels(here, who) == ()
    cold.set()
    assert missing_kernels(here, "engine") == ()


def test_the_engine_of_pentago_needs_no_solver_for_its_first_move():
    search, solver = (f"pentad.games.pentago.{name}" for name in ("engine.search_kernels", "solver.pass_kernels"))
    here, engine = new("pentago"), bots("pentago")["engine"]
    assert (engine.kernels(here), kernels_from(here, "engine")) == ((search,), (search, solver))
    while here.ply < SURE_FROM:
        assert not here.outcome
        assert engine.kernels(here) == (search,)
        here = here.play(next(each for each in here.legal_moves if not here.play(each).outcome))
    assert engine.kernels(here) == (search, solver)


def test_the_warm_up_bot_plays_where_later_kernels_are_missing(monkeypatch: pytest.MonkeyPatch):
    """A bot that has played already waits for no compilation."""
    compiled, done = {"first"}, threading.Event()
    monkeypatch.setattr(cache, "are_compiled", lambda name: name in compiled)
    monkeypatch.setattr(cache, "ensure_compiled", lambda *names, report: done.wait())
    entry = BotEntry("waits", RandomBot, kernels=lambda here: ("first", "later")[: here.ply + 1])
    monkeypatch.setitem(game("pentago").module("bot").BOTS, "waits", entry)
    here = new("pentago")
    bot = PreparingBot("waits", lambda: RandomBot(1), Preparation(["first", "later"]))
    assert not bot.play(here).simpler
    after = here.play(here.legal_moves[0])
    assert bot.play(after).simpler
    compiled.add("later")
    assert not bot.play(after).simpler
    done.set()


def test_the_warm_up_bot_plays_until_the_kernels_are_compiled(cold: threading.Event):
    here, made = new("pente"), []

    def make() -> RandomBot:
        made.append(RandomBot(1))
        return made[-1]

    preparing = Preparation(missing_kernels(here, "engine"))
    bot = PreparingBot("engine", make, preparing, seed=1)
    assert all(each.daemon for each in threading.enumerate() if each is not threading.main_thread())
    found = bot.play(here, Limit(seconds=0.01))
    assert (found.simpler, found.note, made) == (True, NOTE, [])
    after = here.play(found.move)
    cold.set()
    assert (bot.play(after).simpler, len(made)) == (False, 1)
    bot.play(after)
    assert len(made) == 1


def test_a_bot_that_was_made_is_closed(cold: threading.Event):
    closed = []

    class ClosingBot(RandomBot):
        def close(self) -> None:
            closed.append(self)

    preparing = Preparation(["x"])
    bot = PreparingBot("engine", lambda: ClosingBot(1), preparing)
    bot.close()
    assert closed == []
    cold.set()
    bot.play(new("pentago"))
    bot.close()
    assert len(closed) == 1


def test_a_compiler_error_is_raised_by_the_requested_bot(monkeypatch: pytest.MonkeyPatch):
    """The warm-up bot does not play forever."""
    monkeypatch.setattr(cache, "ensure_compiled", lambda *names, report: None)
    monkeypatch.setattr(cache, "are_compiled", lambda *names: False)
    preparing = Preparation(["x"])
    wait_until(lambda: preparing.is_over, "the end of the preparation")
    with pytest.raises(ZeroDivisionError):
        PreparingBot("engine", lambda: 1 / 0, preparing).choose(new("pente"))  # type: ignore[arg-type,return-value]


def test_the_record_notes_moves_of_the_warm_up_bot(cold: threading.Event, monkeypatch: pytest.MonkeyPatch):
    prepared_by_random_bots(monkeypatch, "pentago", "engine")
    table = Table(Record("pentago"), ["engine", "human"], warm_up=True)
    assert table.preparing
    table.let_bot_play()
    assert table.record.end.comment == NOTE
    assert f"{{ {NOTE} }}" in table.record.text or NOTE in table.record.text
    table.play(str(table.position.legal_moves[0]))
    cold.set()
    table.let_bot_play()
    assert table.record.end.comment == ""


def test_no_warm_up_bot_without_missing_kernels():
    assert Table(Record("pentago"), ["greedy", "human"], warm_up=True).preparing is None


@pytest.mark.parametrize(
    ("seats", "seed", "wanted", "expected"),
    [
        ({1: "engine"}, None, True, True),
        ({1: "engine"}, 1, True, False),  # a seed promises the same moves
        ({0: "engine", 1: "engine"}, None, True, False),  # no person waits for a move
        ({1: "engine"}, None, False, False),  # there is no screen to show
    ],
)
def test_warm_up_bots_are_for_interactive_play(cold, monkeypatch, seats, seed, wanted, expected):
    prepared_by_random_bots(monkeypatch, "pentago", "engine")
    table = set_table(Record("pentago"), seats, seed, warm_up=wanted)
    assert bool(table.preparing) == expected
    assert bool(seat_again(table, Record("pentago"), seed, warm_up=wanted).preparing) == expected
    cold.set()

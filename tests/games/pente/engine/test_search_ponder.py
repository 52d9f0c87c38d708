"""Pondering: the search continues after the expected reply, and ends at once after another."""

import gc
import threading

import pytest

from pentad.games.pente.engine.bots import PenteBot, configured
from pentad.games.pente.engine.search import RootSearch
from pentad.search.move_limit import Limit
from tests.games.pente.engine.random_positions import new
from tests.games.pente.random_games import played
from tests.waiting import wait_until

QUIET = "K10 L11 G8 K8 N9"  # nothing is decided soon


def pondered(position=None):
    """An engine that has searched a position, and the position after its move."""
    engine = RootSearch(position or played({}, QUIET))
    engine.deepen(4)
    return engine, engine.position.play(engine.best.move)


def test_the_expected_reply_is_the_second_move_of_the_line():
    engine, after = pondered()
    pondering = engine.ponder(after)
    pondering.stop()
    assert pondering.expected == engine.line(engine.best)[1]
    assert pondering.engine.position == after.play(pondering.expected)


def test_after_the_expected_reply_the_search_continues():
    engine, after = pondered()
    pondering = engine.ponder(after)
    wait_until(lambda: pondering.engine.depth > 2)
    pondering.stop()
    depth, nodes = pondering.engine.depth, pondering.engine.nodes
    pondering.engine.deepen(depth + 1)
    assert pondering.engine.depth == depth + 1
    assert pondering.engine.nodes > nodes


def test_pondering_is_stopped():
    engine, after = pondered()
    pondering = engine.ponder(after)
    pondering.stop()
    assert not pondering.thread.is_alive()


@pytest.mark.parametrize("nodes", [0, 1, 50_000])
def test_it_can_be_stopped_at_any_time_and_continued(nodes):
    engine, after = pondered()
    pondering = engine.ponder(after)
    wait_until(lambda: pondering.engine.nodes >= nodes, "the search")
    pondering.stop()
    assert not pondering.thread.is_alive()
    pondering.engine.deepen(1)
    assert pondering.engine.best.move in pondering.engine.position.legal_moves
    depth = pondering.engine.depth
    pondering.engine.deepen(depth + 1)  # the stop flag is reset
    assert pondering.engine.depth == depth + 1


def test_nothing_is_expected_where_the_reply_would_end_the_game():
    """Black has an open four, so white expects to lose, whatever white's own move is."""
    position = played({"rules": "freestyle"}, "A1 H8 A3 J8 A5 K8 C9 L8")
    engine = RootSearch(position)
    engine.deepen(3)
    pondering = engine.ponder(position.play(engine.best.move))
    pondering.stop()
    assert pondering.expected is None
    assert pondering.engine.position == position.play(engine.best.move)


# ── bots ─────────────────────────────────────────────────────────────────────────────────────────


def pondering_bot():
    """A bot that has moved and expects a reply, and the position after its move."""
    bot, position, seconds = PenteBot(5, 1, ponders=True), played({}, QUIET), 0.05
    while bot.pondering is None or bot.pondering.expected is None:  # on a busy machine it sees no reply in a short time
        after = position.play(bot.choose(position, seconds=seconds))
        seconds *= 2
    return bot, after


def new_searches(bot, monkeypatch):
    """The positions of the searches that the bot starts from now on."""
    began, new_engine = [], bot._new_engine
    monkeypatch.setattr(bot, "_new_engine", lambda here: began.append(here) or new_engine(here))
    return began


def alive(bot):
    return bot.pondering is not None and bot.pondering.thread.is_alive()


def test_a_bot_ponders_from_its_move_to_the_next(monkeypatch):
    bot, after = pondering_bot()
    began = new_searches(bot, monkeypatch)
    assert alive(bot)
    pondering = bot.pondering
    wait_until(lambda: pondering.engine.depth > 3)
    depth = pondering.engine.depth
    here = after.play(pondering.expected)
    found = bot.play(here, Limit(seconds=0))
    assert found.move in here.legal_moves
    assert found.depth >= depth
    assert began == []
    bot.close()


def test_a_bot_starts_a_new_search_after_another_reply(monkeypatch):
    bot, after = pondering_bot()
    began = new_searches(bot, monkeypatch)
    pondering = bot.pondering
    here = after.play(next(move for move in after.legal_moves if move != pondering.expected))
    assert bot.choose(here, seconds=0.05) in here.legal_moves
    assert began == [here]
    assert not pondering.thread.is_alive()
    bot.close()


def test_a_closed_bot_stops_pondering_and_can_be_used_again():
    bot, after = pondering_bot()
    thread = bot.pondering.thread
    bot.close()
    bot.close()
    assert not thread.is_alive()
    assert bot.choose(after, seconds=0.01) in after.legal_moves
    bot.close()


def test_pondering_ends_with_the_bot():
    bot, _ = pondering_bot()
    thread = bot.pondering.thread
    del bot
    gc.collect()
    assert not thread.is_alive()


def test_pondering_is_off_by_default():
    before = threading.active_count()
    for bot in (PenteBot(5, 1), PenteBot(3, 1, ponders=True)):
        bot.choose(played({}, QUIET), seconds=0.01)
        assert not alive(bot)
    won = played({"rules": "freestyle"}, "H8 A1 J8 A3 K8 A5 L8 A7")
    bot = PenteBot(5, 1, ponders=True)
    assert won.play(bot.choose(won, seconds=0.1)).outcome
    assert not alive(bot)
    swap = PenteBot(5, 1, ponders=True)
    swap.choose(new(rules="gomoku", size=9, opening="swap2"), seconds=0.05)
    assert not alive(swap)
    assert threading.active_count() == before


def test_a_move_of_the_book_is_pondered_on_too():
    bot, start = PenteBot(5, 1, ponders=True), new()
    found = bot.play(start)
    assert found.note == "by the book"
    after = start.play(found.move)
    assert alive(bot)
    assert bot.pondering.engine.position in (after, *(after.play(move) for move in after.legal_moves))
    bot.close()


def test_the_table_fits_into_the_bots_memory():
    bot, position = PenteBot(5, 1, memory=1 << 20), played({}, QUIET)
    bot.choose(position, seconds=0.01)
    assert bot._table.words.nbytes == 1 << 20
    bot.memory = 1 << 21
    bot.choose(position, seconds=0.01)
    assert bot._table.words.nbytes == 1 << 21
    assert configured("memory=64", None).memory == 64 << 20
    assert PenteBot().memory == 16 << 20
    assert configured("ponder=true", None).ponders
    assert not configured("ponder=false,level=5", None).ponders

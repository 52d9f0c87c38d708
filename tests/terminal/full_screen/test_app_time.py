"""Clocks in full screen: they run while a player thinks, they fit, and a flag ends the game."""

from __future__ import annotations

import threading

import pytest

import pentad
from pentad.game import Position
from pentad.play.seats import Seat
from pentad.record import Record
from pentad.search import interrupts
from pentad.search.bot import Bot
from pentad.search.move_limit import DEFAULT_LIMIT, Limit
from pentad.terminal.full_screen.app import Question
from tests.terminal.full_screen.player import Player, at, play
from tests.waiting import TIMEOUT


class Now:
    """A time that a test sets."""

    time = 0.0

    def __call__(self) -> float:
        return self.time


def start(now: Now, white: str = "human", label: str = "5 min + 3 s") -> Player:
    return Player(Record("pentago", tags={"Time": label}), {0: "human", 1: white}, now=now)


async def enter(player: Player, line: str) -> None:
    await player.turn()
    await player.press("slash", *(("space" if sign == " " else sign) for sign in line), "enter")


def test_the_clock_runs_and_the_flag_falls():
    async def work() -> None:
        now = Now()
        async with at(start(now)) as player:
            assert player.text("panel").splitlines()[0].endswith("5:00")
            now.time += 100  # it stands still before the first move
            await enter(player, "a2 1C")
            await player.until(lambda: player.view.moves and "white" in player.view.states[0].lower(), "the move")
            now.time += 11
            await player.until(lambda: "4:49" in player.text("panel").splitlines()[1], "another time")
            assert "5:00" in player.text("panel").splitlines()[0]
            await player.turn()
            await player.press("question_mark")  # behind a window, too
            now.time += 300
            await player.until(lambda: player.view.turn is None, "the flag")
            await player.press("escape")
            await player.until(lambda: "White ran out of time. Black wins." in player.text("status"), "the result")
            assert "0.0" in player.text("panel").splitlines()[1]

    play(work)


@pytest.mark.slow
def test_a_flag_cancels_the_first_steps_of_a_turn():
    async def work() -> None:
        now = Now()
        async with at(start(now, label="5 min")) as player:
            await enter(player, "a2 1C")
            await enter(player, "c3")
            await player.until(lambda: player.view.partial_turn, "the first step")
            await player.turn()
            now.time += 301
            await player.until(lambda: player.view.turn is None, "the flag")
            assert player.view.partial_turn == ""
            assert player.session.table.is_lost_on_time

    play(work)


class Endless(Bot):
    """A bot that thinks until it is interrupted."""

    def __init__(self) -> None:
        super().__init__()
        self.has_begun = threading.Event()

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT):
        self.has_begun.set()
        event = threading.Event()
        while not event.wait(0.001):
            interrupts.check()


def test_the_flag_of_a_thinking_bot_falls():
    async def work() -> None:
        now, bot = Now(), Endless()
        player = start(now, "random")
        player.session.table.seats[1] = Seat("endless", bot)
        async with at(player):
            await enter(player, "a2 1C")
            assert bot.has_begun.wait(TIMEOUT)
            now.time += 301
            await player.until(lambda: player.view.turn is None, "the flag")
            assert "White ran out of time. Black wins." in player.view.states[0]

    play(work)


@pytest.mark.slow
def test_the_flag_falls_before_a_question_is_answered():
    async def work() -> None:
        now = Now()
        async with at(start(now)) as player:
            await enter(player, "a2 1C")
            await enter(player, "resign")
            await player.until(lambda: isinstance(player.app.screen, Question), "the question")
            now.time += 301
            await player.press("y")
            await player.until(lambda: player.view.turn is None, "the end")
            assert "White ran out of time." in player.view.states[0]

    play(work)


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
@pytest.mark.parametrize(("name", "players"), [("pentago", 2), ("pente", 2), ("pentagame", 5)])
def test_all_clocks_fit(name: str, players: int, size: tuple[int, int]):
    async def work() -> None:
        options = {"players": players} if players > 2 else {}
        record = Record(pentad.new(name, **options), tags={"Time": "10 min + 5 s"})
        async with at(Player(record, dict.fromkeys(range(players), "human"), now=Now()), size) as player:
            shown = player.text("title") + (player.text("panel") if player.main.query_one("#panel").display else "")
            assert shown.count("10:00") == players

    play(work)

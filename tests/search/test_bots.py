"""The simple bots, and what Pentago's know."""

from __future__ import annotations

import random

import pytest

import pentad
from pentad.game import GameError, game
from pentad.pentago import bot as pentago_bot
from pentad.pentago.bot import can_win, open_lines
from pentad.play.seats import sit
from pentad.search.bot import Bot, Entry, bot, bots
from pentad.search.simple_bots import GreedyBot, RandomBot, seat_to_move_can_win


def test_the_table_of_bots():
    assert list(bots("pentago"))[:2] == ["random", "greedy"]
    for name, entry in bots("pentago").items():
        assert bot("pentago", name).name == (f"{name}-{entry.levels[-1]}" if entry.levels else name)
        assert entry.summary


def test_a_game_whose_bots_have_no_levels(monkeypatch):
    monkeypatch.setattr(pentago_bot, "BOTS", {"random": pentago_bot.BOTS["random"]})
    with pytest.raises(GameError, match="no bot with levels"):
        bot("pentago", level=1)


@pytest.mark.parametrize(
    ("who", "more", "message"),
    [
        ("deep", {}, "no bot 'deep'"),
        (["deep"], {}, r"no bot \['deep'\]"),
        ("greedy", {"level": 1}, "no levels"),
        (None, {"level": 9}, "levels 1 to 5, not 9"),
    ],
)
def test_bots_that_are_not_there(who, more, message):
    with pytest.raises(GameError, match=message):
        bot("pentago", who, **more)
    with pytest.raises(GameError, match="no game 'chess'"):
        bot("chess")


class Echo(Bot):
    """A bot of settings."""

    def __init__(self, settings, seed):
        super().__init__(seed)
        self.name = f"echo:{settings}"

    def choose(self, position, *, seconds=None):
        return self.random.choice(position.legal_moves)


def refuse(settings, seed):
    raise GameError(f"{settings} is no setting")


@pytest.fixture
def table(monkeypatch):
    """Pentago's table with two bots of settings; one is there only with them."""
    table = pentago_bot.BOTS
    monkeypatch.setitem(table, "echo", Entry("repeats", configure=Echo))
    monkeypatch.setitem(table, "strict", Entry("refuses", make=RandomBot, configure=refuse))
    return table


@pytest.mark.parametrize("settings", ["depth=4,width=3", "./engine -f a:b@2", "", " ", "é\n"])
def test_what_stands_behind_a_colon_are_settings(table, settings):
    who = f"echo:{settings}"
    assert bot("pentago", who).name == sit(game("pentago"), who).bot.name == who
    start = pentad.new("pentago")
    moves = {str(bot("pentago", who, seed=seed).choose(start)) for seed in (1, 1, 2)}
    assert len(moves) == 2
    assert who not in bots("pentago")


@pytest.mark.parametrize(
    ("who", "level", "message"),
    [
        ("greedy:depth=4", None, "the bot greedy of Pentago takes no settings, so not 'depth=4'"),
        ("greedy:", None, "the bot greedy of Pentago takes no settings, so not ''"),
        ("greedy:a\nb", None, "the bot greedy of Pentago takes no settings, so not 'a\\nb'"),
        ("strict:hue", None, "hue is no setting"),
        ("echo", None, "the bot echo of Pentago needs settings, written echo:SETTINGS"),
        ("echo:x", 3, "the bot echo of Pentago takes a level or settings, not both"),
        ("deep:x", None, "Pentago has no bot 'deep:x'; its bots are: random, "),
        (":x", None, "Pentago has no bot ':x'; its bots are: random, "),
    ],
)
def test_settings_that_are_not_taken(table, who, level, message):
    with pytest.raises(GameError) as refused:
        bot("pentago", who, level=level)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("level", [0, 4, 2.0, True, "2"])
def test_levels_that_are_not_there(table, monkeypatch, level):
    monkeypatch.setitem(
        table, "strong", Entry("by level", make_level=lambda level, seed: Echo(level, seed), levels=range(1, 4))
    )
    assert bot("pentago", "strong", level=2).name == "echo:2"
    with pytest.raises(GameError, match=f"the bot strong of Pentago has levels 1 to 3, not {level!r}"):
        bot("pentago", "strong", level=level)


def test_a_bot_of_settings_may_be_there_without(table):
    assert bot("pentago", "strict").name == "random"


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_seed_repeats_a_game(name):
    def play(seed):
        player, here = bot("pentago", name, seed=seed), pentad.new("pentago", block=2, line=3)
        while not here.outcome:
            here = here.play(player.choose(here))
        return here

    assert play(1) == play(1)
    assert len({play(seed) for seed in range(8)}) > 1


@pytest.mark.parametrize(
    "text",
    [
        "pentago bbbb../....../wwww../....../....../......",
        "pentago ....../..bb../....../bbw.../ww..w./......",  # needs a rotation, if at all
    ],
)
def test_greedy_takes_a_win(text):
    here = pentad.load(text)
    if seat_to_move_can_win(here):
        outcome = here.play(bot("pentago", "greedy", seed=1).choose(here)).outcome
        assert outcome is not None
        assert outcome.returns[here.turn] == 1


def moments(count: int, seed: int, **options: object):
    """Positions of random games in which somebody may win."""
    chance = random.Random(seed)
    while count:
        here = pentad.new("pentago", **options)
        while not here.outcome:
            here = here.play(chance.choice(here.legal_moves))
            if not here.outcome and here.ply > 8 and chance.random() < 0.3:
                yield here
                count -= 1
                if not count:
                    return


@pytest.mark.slow
def test_greedy_prevents_a_loss_where_it_can():
    saved = 0
    for here in moments(25, seed=5):
        seat = here.turn
        if seat_to_move_can_win(here):
            continue
        replies = {here.play(move) for move in here.legal_moves}
        safe = [after for after in replies if not after.outcome and not seat_to_move_can_win(after)]
        if 0 < len(safe) < len(replies):
            saved += 1
            assert here.play(bot("pentago", "greedy", seed=1).choose(here)) in safe
        assert here.turn == seat
    assert saved > 3


@pytest.mark.parametrize(
    "options", [{}, {"win_on_placement": False}, {"players": 3, "rows": 3}, {"block": 2, "line": 3, "players": 4}]
)
def test_a_win_in_sight_is_seen_exactly(options):
    seen = set()
    for here in moments(12, seed=2, **options) if options.get("block") is None else small_moments(options):
        assert can_win(here) == seat_to_move_can_win(here), here.text
        seen.add(can_win(here))
        half = here.partial(str(here.legal_moves[0][0]))
        if not half.outcome:
            assert can_win(half) == seat_to_move_can_win(half), half.text
    assert seen


def small_moments(options):
    chance = random.Random(1)
    for _ in range(40):
        here = pentad.new("pentago", **options)
        while not here.outcome:
            yield here
            here = here.play(chance.choice(here.legal_moves))


def test_open_lines_count_what_can_still_be_filled():
    start = pentad.new("pentago")
    assert open_lines(start, 0) == 0
    assert open_lines(start.play("b1 2C"), 0) > open_lines(start.play("a0 2C"), 0) > 0


def test_greedy_keeps_to_its_time():
    looked = 0

    def slow_look(position):
        nonlocal looked
        looked += 1
        return True

    here = pentad.new("pentago")
    GreedyBot(open_lines, 1, slow_look).choose(here, seconds=0.0)
    assert looked == 0

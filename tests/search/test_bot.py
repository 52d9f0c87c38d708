"""The table of bots, the simple bots, and Pentago's evaluation."""

from __future__ import annotations

import pickle
import random

import pytest

import pentad
from pentad.game import GameError, game
from pentad.games.pentago import bot as pentago_bot
from pentad.games.pentago.bot import can_win, open_lines
from pentad.play.seats import sit
from pentad.search.bot import Bot, BotEntry, EngineBot, bot, bot_title, bots, default_opponent, own_bots, strengths
from pentad.search.engine import TreeBot
from pentad.search.levels import RUNGS, at
from pentad.search.move_limit import Limit
from pentad.search.report import Result
from pentad.search.simple_bots import GreedyBot, RandomBot, seat_to_move_can_win


def test_the_table_of_bots():
    assert list(bots("pentago"))[:2] == ["random", "greedy"]
    assert list(bots("pentago"))[-1] == "ugi"  # a program; every game has it
    for name, entry in own_bots("pentago").items():
        assert bot("pentago", name).name == (f"{name}-{entry.levels[-1]}" if entry.levels else name)
        assert entry.summary


@pytest.mark.parametrize("name", pentad.names())
def test_every_bot_has_a_name_for_people(name: str) -> None:
    titles = [bot_title(name, who) for who in bots(name)]
    assert len(set(titles)) == len(titles)
    for who, title in zip(bots(name), titles, strict=True):
        assert title == bots(name)[who].title  # each bot's own, not its technical name
        assert "-" not in title
    assert bot_title(name, strengths(name)["medium"]) == "Computer (medium)"


def test_a_bot_without_a_title_has_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pentago_bot.BOTS, "adder", BotEntry("adds", RandomBot))
    assert bot_title("pentago", "adder") == "Adder"
    assert bot_title("pentago", "gone@2") == "Gone (level 2)"  # of a stored game


@pytest.mark.parametrize("name", pentad.names())
def test_the_strengths_of_a_game_are_the_rungs_of_its_default_opponent(name):
    found = strengths(name)
    who = default_opponent(name).partition("@")[0]
    assert found == {word: f"{who}@{word}" for word in RUNGS}
    for each in found.values():
        assert sit(game(name), each, remote=True).who == each


def test_the_strengths_of_bots_without_rungs_are_levels(monkeypatch):
    entry = BotEntry("by level", make_level=lambda level, seed: RandomBot(seed), levels=range(1, 4))
    monkeypatch.setattr(pentago_bot, "BOTS", {"strong": entry})
    monkeypatch.setattr(pentago_bot, "DEFAULT_OPPONENT", "strong@2", raising=False)
    assert strengths("pentago") == {"easy": "strong@1", "medium": "strong@2", "best": "strong@3"}


def test_a_game_without_levels_has_one_strength(monkeypatch):
    monkeypatch.setattr(pentago_bot, "BOTS", {"greedy": pentago_bot.BOTS["greedy"]})
    monkeypatch.setattr(pentago_bot, "DEFAULT_OPPONENT", "greedy", raising=False)
    assert strengths("pentago") == {"medium": "greedy"}


@pytest.mark.parametrize("name", pentad.names())
def test_the_presets_of_a_game_are_valid_options_that_differ(name):
    kind = game(name)
    default = kind.new().text
    starts = {label: kind.new(**options).text for label, options in kind.presets.items()}
    assert default not in starts.values()
    assert len(set(starts.values())) == len(starts) > 0
    for label, options in kind.presets.items():
        assert label == label[:1].upper() + label[1:] != "Standard"
        for key, value in options.items():
            assert kind.options[key].default_text or kind.options[key].default != value, label


def test_a_game_whose_bots_have_no_levels(monkeypatch):
    monkeypatch.setattr(pentago_bot, "BOTS", {"random": pentago_bot.BOTS["random"]})
    with pytest.raises(GameError, match="no bot with levels"):
        bot("pentago", level=1)


@pytest.mark.parametrize(
    ("who", "more", "message"),
    [
        ("deep", {}, "Unknown bot 'deep'"),
        (["deep"], {}, r"Unknown bot \['deep'\]"),
        ("greedy", {"level": 1}, "no levels"),
        (None, {"level": 9}, "levels 1 to 5, got 9"),
    ],
)
def test_unknown_bots(who, more, message):
    with pytest.raises(GameError, match=message):
        bot("pentago", who, **more)
    with pytest.raises(GameError, match="Unknown game 'chess'"):
        bot("chess")


class Echo(Bot):
    """A bot with settings."""

    def __init__(self, settings, seed):
        super().__init__(seed)
        self.name = f"echo:{settings}"

    def play(self, position, limit=None):
        return Result(self.random.choice(position.legal_moves))


def refuse(settings, seed):
    raise GameError(f"Unknown setting {settings}.")


@pytest.fixture
def table(monkeypatch):
    """Pentago's table with two bots that have settings; one of them requires them."""
    table = pentago_bot.BOTS
    monkeypatch.setitem(table, "echo", BotEntry("repeats", configure=Echo))
    monkeypatch.setitem(table, "strict", BotEntry("refuses", make=RandomBot, configure=refuse))
    return table


@pytest.mark.parametrize("settings", ["depth=4,width=3", "./engine -f a:b@2", "", " ", "é\n"])
def test_settings_follow_a_colon(table, settings):
    who = f"echo:{settings}"
    assert bot("pentago", who).name == sit(game("pentago"), who).bot.name == who
    start = pentad.new("pentago")
    moves = {str(bot("pentago", who, seed=seed).choose(start)) for seed in (1, 1, 2)}
    assert len(moves) == 2
    assert who not in bots("pentago")


@pytest.mark.parametrize(
    ("who", "level", "message"),
    [
        ("greedy:depth=4", None, "The bot greedy of Pentago takes"),
        ("greedy:", None, "The bot greedy of Pentago takes"),
        ("greedy:a\nb", None, "The bot greedy of Pentago takes"),
        ("strict:hue", None, "Unknown setting hue."),
        ("echo", None, "The bot echo of Pentago needs"),
        ("echo:x", 3, "The bot echo of Pentago takes"),
        ("deep:x", None, "Unknown bot 'deep:x'. The bots of Pentago are: random, "),
        (":x", None, "Unknown bot ':x'. The bots of Pentago are: random, "),
    ],
)
def test_settings_that_are_refused(table, who, level, message):
    with pytest.raises(GameError) as refused:
        bot("pentago", who, level=level)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("level", [0, 4, 2.0, True, "2"])
def test_unknown_levels(table, monkeypatch, level):
    monkeypatch.setitem(
        table, "strong", BotEntry("by level", make_level=lambda level, seed: Echo(level, seed), levels=range(1, 4))
    )
    assert bot("pentago", "strong", level=2).name == "echo:2"
    with pytest.raises(GameError, match=f"strong of Pentago has levels 1 to 3, got {level!r}"):
        bot("pentago", "strong", level=level)


def test_settings_may_be_optional(table):
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
        "pentago ....../..bb../....../bbw.../ww..w./......",  # needs a twist, if at all
    ],
)
def test_greedy_takes_a_win(text):
    here = pentad.load(text)
    if seat_to_move_can_win(here):
        outcome = here.play(bot("pentago", "greedy", seed=1).choose(here)).outcome
        assert outcome is not None
        assert outcome.returns[here.turn] == 1


def unfinished_positions(count: int, seed: int, **options: object):
    """Unfinished positions of random games after ply 8."""
    rng = random.Random(seed)
    while count:
        here = pentad.new("pentago", **options)
        while not here.outcome:
            here = here.play(rng.choice(here.legal_moves))
            if not here.outcome and here.ply > 8 and rng.random() < 0.3:
                yield here
                count -= 1
                if not count:
                    return


@pytest.mark.slow
def test_greedy_prevents_a_loss_if_possible():
    saved = 0
    for here in unfinished_positions(25, seed=5):
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


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "options", [{}, {"win_on_placement": False}, {"players": 3, "rows": 3}, {"block": 2, "line": 3, "players": 4}]
)
def test_can_win_is_exact(options):
    seen = set()
    for here in (
        unfinished_positions(12, seed=2, **options) if options.get("block") is None else small_positions(options)
    ):
        assert can_win(here) == seat_to_move_can_win(here), here.text
        seen.add(can_win(here))
        half = here.partial(str(here.legal_moves[0][0]))
        if not half.outcome:
            assert can_win(half) == seat_to_move_can_win(half), half.text
    assert seen


def small_positions(options):
    rng = random.Random(1)
    for _ in range(40):
        here = pentad.new("pentago", **options)
        while not here.outcome:
            yield here
            here = here.play(rng.choice(here.legal_moves))


def test_open_lines_count_lines_without_opponents():
    start = pentad.new("pentago")
    assert open_lines(start, 0) == 0
    assert open_lines(start.play("b1 2C"), 0) > open_lines(start.play("a0 2C"), 0) > 0


def test_greedy_respects_its_time_limit():
    looked = 0

    def slow_look(position):
        nonlocal looked
        looked += 1
        return True

    here = pentad.new("pentago")
    GreedyBot(open_lines, 1, slow_look).choose(here, seconds=0.0)
    assert looked == 0


# ── results ──────────────────────────────────────────────────────────────────────────────────────

WITH_LEVELS = [(name, who) for name in pentad.names() for who, entry in own_bots(name).items() if entry.rungs]


@pytest.mark.parametrize(("name", "who"), WITH_LEVELS)
def test_a_result_has_its_value_and_its_line(name, who):
    here = position = pentad.new(name)
    found = bot(name, who, level="skilled", seed=1).play(here)
    for move in found.line:
        position = position.play(move)
    assert found.line[:1] in ((), (found.move,))
    assert found.move in here.legal_moves
    assert found.value is not None
    assert -1 <= found.value <= 1
    assert found.nodes > 0
    assert found.seconds > 0
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(("name", "who"), WITH_LEVELS)
def test_a_limit_takes_the_place_of_that_of_the_level(name, who):
    start, low = pentad.new(name), bot(name, who, level=2, seed=1)
    assert isinstance(low, EngineBot)
    limits = {each: 2 if each == "depth" else 300 for each in low.limited_by}
    for each, number in limits.items():
        found = low.play(start, Limit(**{each: number}))
        assert (low.level.depth, low.level.nodes)[each == "nodes"] == number
        assert found.move in start.legal_moves
        low.play(start)
        assert low.level == at(low.levels, 2, random.Random(1))


def test_a_limit_that_a_bot_does_not_observe_is_refused_where_it_matters():
    for name, who, observes in (("pentago", "engine", False), ("pentago", "greedy", False), ("pentago", "tree", True)):
        player = bot(name, who)
        player.check(Limit(seconds=1, depth=1))
        if observes:
            player.check(Limit(nodes=1))
        else:
            with pytest.raises(GameError, match=f"{player.name} cannot be limited"):
                player.check(Limit(nodes=1))


def test_a_bot_of_alpha_beta_search_is_no_tree_bot():
    assert not isinstance(bot("pentagame", "alphabeta"), TreeBot)

"""The engine and its bots: their moves, stopping a search, and games to their end."""

import itertools
import threading
import time
from types import SimpleNamespace

import pytest

import pentad
from pentad.game import GameError, IllegalMove, Move
from pentad.games.pente.engine import search
from pentad.games.pente.engine.bots import LEVELS, PenteBot
from pentad.games.pente.engine.constants import LIMIT, WON_FROM
from pentad.games.pente.engine.search import RootSearch, Searcher, TimeManager, TranspositionTable
from pentad.games.pente.engine.state import static_evaluation
from pentad.games.pente.rulesets import RULE_SETS
from pentad.search.move_limit import Limit
from pentad.search.stoppable import run
from tests.cases import thinned, together
from tests.games.pente.engine.random_positions import new, random_positions, winner
from tests.games.pente.random_games import GAMES, every_game, played

TIMELESS = (1, 2, 3)  # levels with a small limit of nodes
FEW_SECONDS = 0.02
QUIET = "K10 L11 G8 K8 N9"  # nothing is decided soon
MIDDLE = "K10 L11 F10 J13 H12 G13 H10 J10 H8 H11 G9 E11 K8 K9 G12 K13"


def choose(position, level=5, seed=1, seconds=0.3):
    return str(PenteBot(level, seed).choose(position, seconds=seconds))


# ── the same again ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("level", TIMELESS)
def test_the_same_seed_plays_the_same(level):
    for position in list(random_positions({"size": 13}, 4, most=30))[::7]:
        assert choose(position, level, 7, None) == choose(position, level, 7, None)


def test_seeds_make_a_difference_to_the_lowest_level():
    assert len({choose(played({}, "K10 L11 F10"), 1, seed, None) for seed in range(12)}) > 1


def test_the_same_depth_finds_the_same():
    position = played({}, MIDDLE)
    found = []
    for _ in range(2):
        engine = RootSearch(position, table=TranspositionTable(1 << 14))
        engine.deepen(4)
        found.append((engine.best, engine.nodes, engine.line(engine.best)))
    assert found[0] == found[1]
    assert engine.depth == 4


@pytest.mark.parametrize("rules", RULE_SETS)
def test_images_of_a_position_get_the_same_score_one_move_ahead(rules):
    position = list(random_positions({"rules": rules, "size": 11, "opening": "free"}, 3, most=14))[-1]
    scores = set()
    for way in position.symmetries:
        engine = RootSearch(way.position(position), effort=0)
        engine.deepen(1)
        scores.add(engine.best.score)
    assert len(scores) == 1


# ── time and stopping ────────────────────────────────────────────────────────────────────────────


def test_a_search_without_an_end_returns_when_its_seconds_are_over():
    engine = RootSearch(played({}, QUIET))
    engine.deepen(seconds=0.2)
    assert engine.depth > 0
    assert engine.best.move in engine.position.legal_moves


def test_a_search_uses_its_time_and_can_be_continued():
    engine = RootSearch(played({}, QUIET))
    nodes = 0
    for _ in range(3):
        engine.deepen(seconds=0.1)
        assert engine.nodes > nodes
        nodes = engine.nodes


def wait_for(happened):
    """Waits for an event of another thread."""
    while not happened():
        time.sleep(0.001)


def test_a_search_with_time_for_a_hard_move_ends_after_a_depth(monkeypatch):
    clock, limits = itertools.count(), []
    monkeypatch.setattr(search, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))  # a second a depth
    monkeypatch.setattr(search, "run", lambda kernel, stop, seconds: limits.append(seconds) or kernel())
    engine = RootSearch(played({}, QUIET))
    engine.deepen(9, 2.0, most_seconds=600.0)
    assert 1 <= engine.depth <= 4  # all of this takes at most 1.05 * 1.3 * 2 seconds
    engine.deepen(8, 2.0)
    assert engine.depth == 8  # ended by `run` alone
    engine.deepen(9, 2.0, most_seconds=2.0)  # a move may not take longer, so it takes all
    assert engine.depth == 9
    assert limits == [600.0, 0.04, 599.0, 1.0, 1.0]  # for the roots, for a win by threes, and the rest


def test_a_search_takes_longer_while_the_best_move_changes():
    moves = [Move((name,)) for name in "abcd"]
    steady, changing, falling = TimeManager(10.0), TimeManager(10.0), TimeManager(10.0)
    stays = [steady.is_over(moves[0], 5, spent) for spent in (1, 2, 4, 4.4)]
    assert stays == [False, False, False, True]
    changes = [changing.is_over(move, 5, spent) for move, spent in zip(moves, (4, 8, 10, 11), strict=True)]
    assert changes == [False, False, False, True]
    falls = [falling.is_over(moves[0], score, spent) for score, spent in ((90, 1), (50, 9), (10, 7.5), (9, 3.8))]
    assert falls == [False, False, False, True]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_is_stopped_from_another_thread(threads):
    engine = RootSearch(played({}, QUIET), threads=threads)
    searching = threading.Thread(target=engine.deepen)
    searching.start()
    wait_for(lambda: engine.nodes > 1000)
    engine.stop()
    searching.join()
    assert not engine.decided
    assert engine.best.move in engine.position.legal_moves


def test_a_stopped_search_has_the_result_of_the_thread_that_came_deepest(monkeypatch):
    there = threading.Event()

    def search_depth(searcher, depth, lines):  # the helper begins one ply deeper
        if depth == 2:
            there.wait()
            searcher.control.stop = 1
        else:
            searcher.roots[0], searcher.roots[1] = searcher.roots[1], searcher.roots[0]
            searcher.control.depth = depth
            there.set()

    engine = RootSearch(played({}, QUIET), threads=2)
    engine.deepen(1)
    second = engine.leading(2)[1].move
    monkeypatch.setattr(Searcher, "search_depth", search_depth)
    engine.deepen()
    assert engine.best.move == second
    assert engine.depth == 3


def test_a_bot_is_stopped_and_plays_what_it_has():
    bot, moves = PenteBot(5, 1), []
    position = played({}, QUIET)
    thinking = threading.Thread(target=lambda: moves.append(bot.choose(position, seconds=100_000)))
    thinking.start()
    wait_for(lambda: bot._search and bot._search.nodes > 1000)
    bot.stop()
    thinking.join()
    assert moves[0] in position.legal_moves


def test_a_search_may_be_stopped_before_it_begins():
    """A search that is stopped at once still has a move."""
    position = played({}, QUIET)
    engine = RootSearch(position)
    engine.deepen(seconds=0)
    assert engine.best.move in position.legal_moves


@pytest.mark.parametrize("moves", [QUIET, MIDDLE])
def test_without_a_search_the_scores_are_the_evaluation(moves):
    here = played({}, moves)
    engine = RootSearch(here)
    engine.stop()
    engine.deepen()
    assert engine.depth == 0
    static = static_evaluation(here)
    assert {root.score for root in engine.roots} == {static}
    assert abs(static) < LIMIT
    engine.deepen(1)
    assert engine.depth == 1
    searched = RootSearch(here)
    searched.deepen(1)
    assert engine.roots == searched.roots


def test_the_stop_flag_ends_a_running_kernel():
    engine = RootSearch(played({}, QUIET))
    engine.deepen(1)
    first = engine._first
    run(lambda: first.search_depth(40, 1), first.control, 0.05)
    assert first.is_stopped


# ── what must be seen ────────────────────────────────────────────────────────────────────────────

FOUR = "K10 A1 L10 A3 M10 A5 N10"  # black to move; five at J10 or O10
WINS = {
    "a five": ({"tournament_rule": False}, FOUR + " A7", {"J10", "O10"}),
    "a five without captures": ({"rules": "gomoku"}, "H8 A1 J8 A3 K8 A5 L8 A7", {"G8", "M8"}),
    "not six where six are none": ({"rules": "gomoku"}, "E8 A1 G8 A3 H8 A5 J8 A7 K8 A9", {"L8"}),
    "the last pair": ({"tournament_rule": False, "capture_win": 2}, "K10 L10 A1 M10", {"N10"}),
    "the last triple": ({"rules": "keryo", "opening": "free", "capture_win": 3}, "K10 L10 A1 M10 A3 N10", {"O10"}),
    "a line of three": ({"rules": "lines", "size": 5, "line": 3}, "A1 E5 B1 E4", {"C1", "E3"}),
}
# a four closed at G10, so that one point is left; the second row of stones has no effect
HELD = {
    "a five": ({"tournament_rule": False}, "K10 G10 H10 A1 J10 A3 L10", {"M10"}),
    "a five without captures": ({"rules": "freestyle"}, "H8 G8 J8 A1 K8 A3 L8", {"M8"}),
}


@together("level", [2, 3, 4, 5])
@together(("options", "moves", "wins"), WINS.values())
def test_a_win_in_one_is_taken(options, moves, wins, level):
    position = played(options, moves)
    bot = PenteBot(level, 3)
    found = bot.play(position, Limit(seconds=0.2))
    if level > 4:  # the lower levels overlook a win now and then
        assert str(found.move) in wins
        assert winner(position.play(found.move)) == position.colour
        assert (found.value, found.exact, found.line, found.note) == (1.0, True, (found.move,), "wins in 1 move")
    assert found.move in position.legal_moves


@pytest.mark.parametrize("level", [4, 5])
@pytest.mark.parametrize(("options", "moves", "answers"), HELD.values(), ids=HELD.keys())
def test_a_five_is_blocked(options, moves, answers, level):
    assert choose(played(options, moves), level) in answers


@pytest.mark.parametrize("level", [3, 4, 5])
def test_the_last_pair_is_defended(level):
    """White has captured eight; with L10 and M10 beside K10, N10 would win."""
    board = "19/" * 9 + "9wbb7" + "/19" * 8 + "/w1w1w1w12"
    position = pentad.load(f"pente opening=free {board} 8,6")
    assert position.colour == 1
    after = position.play(choose(position, level))
    assert not any(winner(after.play(move)) == 0 for move in after.legal_moves)


# White has an open four and black a four; black can capture a pair far away, which changes nothing. An earlier engine
# did not count a five as a win while any capture was possible: it played another move and expected to lose.
@pytest.mark.parametrize("rules", ["boat", "ninuki42"])
def test_a_five_that_cannot_be_broken_is_made_whatever_else_can_be_taken(rules):
    position = played({"rules": rules, "opening": "free"}, "G10 C3 H10 D3 J10 E3 K10 F3 P15 P16 P14 A19")
    engine = RootSearch(position)
    engine.deepen(4)
    after = position.play(engine.best.move)
    assert str(engine.best.move) in ("F10", "L10")
    assert all(winner(after.play(reply)) == 0 for reply in after.legal_moves)
    assert engine.best.score > WON_FROM


def test_the_only_legal_move_is_played():
    position = new()
    assert choose(position) == "K10"
    full = pentad.load("pente rules=lines size=3 line=3 wbw/bwb/bw1")
    assert [str(move) for move in full.legal_moves] == [choose(full)]


def test_a_forced_reply_is_the_only_root():
    engine = RootSearch(played({"rules": "freestyle"}, "H8 G8 J8 A1 K8 A3 L8"))
    engine.deepen(2)
    assert [str(root.move) for root in engine.roots] == ["M8"]


def test_lines_are_moves_that_can_be_played():
    for position in list(random_positions({"size": 13}, 8, most=40))[::6]:
        engine = RootSearch(position)
        engine.deepen(3, lines=3)
        for root in engine.roots[:3]:
            here = position
            for move in engine.line(root):
                here = here.play(move)
            assert here.ply > position.ply


# ── every game ───────────────────────────────────────────────────────────────────────────────────


def play_out(options, bots, most, seconds):
    """Plays a game of two bots; returns its number of moves."""
    position = new(**options)
    while not position.outcome and position.ply < most:
        position = position.play(bots[position.turn].choose(position, seconds=seconds))
    return position.ply


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", thinned(GAMES, 12))
def test_bots_play_every_game(name):
    assert play_out(GAMES[name], [PenteBot(1, 1), PenteBot(3, 2)], 24, None) > 2


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("size", thinned(range(3, 26), 4))
def test_bots_play_on_every_size(size):
    options = {"rules": ("pente", "freestyle", "keryo", "ninuki42")[size % 4], "size": size, "opening": "free"}
    options["line"] = min(5, size)
    assert play_out(options, [PenteBot(3, 1), PenteBot(1, 2)], 20, None) > 4


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "name", ["the default", "poof 7", "boat on 6, four stones", "lines 6, five", "ninuki42, four stones"]
)
def test_the_upper_levels_play_games_too(name):
    assert play_out(GAMES[name], [PenteBot(5, 1), PenteBot(4, 2)], 16, FEW_SECONDS) > 2


@pytest.mark.slow
@every_game
def test_the_upper_levels_play_every_game(options):
    assert play_out(options, [PenteBot(5, 1), PenteBot(4, 2)], 700, FEW_SECONDS) > 2


def test_boards_are_filled_to_the_last_point():
    for rules in ("lines", "gomoku"):
        bots = [PenteBot(2, 1), PenteBot(2, 2)]
        assert play_out({"rules": rules, "size": 5, "line": 5}, bots, 25, None) > 8


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", ["gomoku", "pente", "poof"])
@pytest.mark.parametrize("level", [1, 3, 5])
def test_swap2_is_played_by_both_seats(rules, level):
    position = new(rules=rules, size=9, opening="swap2")
    bots, stages = [PenteBot(level, 1), PenteBot(level, 2)], []
    while not position.outcome and position.ply < 12:
        stages.append((position.stage, position.turn))
        position = position.play(bots[position.turn].choose(position, seconds=0.1))
    assert stages[0] == ("three", 0)
    assert stages[1] == ("choose", 1)
    assert stages[-1][0] == "-"


@pytest.mark.parametrize("level", LEVELS)
def test_a_finished_game_is_a_one_line_error(level):
    over = played({"rules": "freestyle"}, "H8 A1 J8 A3 K8 A5 L8 A7 M8")
    for error in (IllegalMove, GameError, ValueError):
        with pytest.raises(error, match=r"^[^\n]*over[^\n]*$"):
            PenteBot(level, 1).choose(over)

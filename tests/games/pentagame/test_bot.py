"""Pentagame's bots: legal moves, time limits, stopping, stronger where they should be, and analysis."""

import random
import time

import numpy as np
import pytest

import pentad
from pentad.game import Move
from pentad.games.pentagame import bot as pentagame_bot
from pentad.games.pentagame.engine import constants
from pentad.games.pentagame.engine.search import ENGINE, state_of
from pentad.games.pentagame.engine.search_kernels import evaluate
from pentad.games.pentagame.notation import PieceStep, write_field
from pentad.games.pentagame.rules import PentagamePosition
from pentad.play.contest import ContestTerms
from pentad.play.match import play_match
from pentad.search import engine
from pentad.search.engine import LEVELS, AlphaBeta, GameTree
from pentad.search.stoppable import run
from tests.cases import slow
from tests.games.pentagame.random_play import board, played
from tests.waiting import stopped

ENGINES = ("tree", "alphabeta")


def start(**options) -> PentagamePosition:
    position = pentad.new("pentagame", **options)
    assert isinstance(position, PentagamePosition)
    return position


def signature(position: PentagamePosition) -> int:
    return ENGINE.signature(position)


def near_the_end() -> PentagamePosition:
    """White has two home and its red piece before its goal, the way free."""
    here = pentad.load(
        "pentagame 0 40 ---,---,200,827,400/000,100,200,300,400 500,600,700,911,900 931,941,---,---,--- -/- -"
    )
    assert isinstance(here, PentagamePosition)
    return here


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("players", [2, slow(3), 5])
@pytest.mark.parametrize("who", ["random", "greedy", "tree@1", slow("tree@3"), "alphabeta@1", slow("alphabeta@3")])
def test_bots_play_whole_legal_turns(who, players):
    name, _, level = who.partition("@")
    player = pentad.bot("pentagame", name, level=int(level) if level else None, seed=1)
    for plies in (0, 15, 31):
        position = played(plies, players=players)
        assert player.choose(position, seconds=2) in position.legal_moves


@pytest.mark.parametrize("who", ENGINES)
def test_engines_complete_a_partial_turn(who):
    position = start()
    head = next(step for step in position.piece_moves if position.after(step).due)
    within = position.partial((head,))
    assert pentad.bot("pentagame", who, level=2, seed=1).choose(within) in within.legal_moves


@pytest.mark.parametrize(("who", "level"), [*((engine, 2) for engine in ENGINES), ("greedy", None)])
def test_a_win_is_taken(who, level):
    position = near_the_end()
    move = pentad.bot("pentagame", who, level=level, seed=3).choose(position)
    assert position.play(move).home(0) == 3


@pytest.mark.parametrize("who", ENGINES)
def test_a_waiting_piece_leaves(who):
    position = pentad.load(
        "pentagame 0 8 500,100,200,300,400/000,100,200,300,400 512,600,700,800,900 " + 4 * "---," + "--- -/- -"
    )
    move = pentad.bot("pentagame", who, level=2, seed=3).choose(position)
    assert str(move).startswith("[0,0,-1,-1,-1]")


@pytest.mark.parametrize("who", ENGINES)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_seeded_level_is_deterministic(who, level):
    position = played(20)
    moves = {pentad.bot("pentagame", who, level=level, seed=5).choose(position, seconds=60) for _ in range(3)}
    assert len(moves) == 1


@pytest.mark.parametrize("who", ENGINES)
def test_bots_keep_their_time_limit(who, monkeypatch):
    """All of it goes into one search, which `tests/search/test_running.py` sees end in time."""
    player, position, given = pentad.bot("pentagame", who, level=5, seed=1), played(12), []

    def recorded(kernel, stop, seconds=None):
        given.append(seconds)
        run(kernel, stop, seconds)

    monkeypatch.setattr(engine, "run", recorded)
    began = time.monotonic()
    player.choose(position, seconds=0.4)
    assert time.monotonic() - began >= 0.4
    assert given[0] == 0.4
    assert not any(given[1:]), "whatever finishes the turn has no time of its own"


def test_a_bot_of_all_seats_knows_the_positions_of_the_game():
    """Without them three bots may swap pieces for ever."""
    player, here = pentad.bot("pentagame", "tree", level=2, seed=1), start(players=3)
    positions = [here]
    for _ in range(5):
        here = here.play(player.choose(here))
        positions.append(here)
    assert list(player._seen) == [signature(each) for each in positions]
    player.choose(positions[1])  # another game, or a takeback
    assert player._seen[0] == signature(positions[1])


@pytest.mark.parametrize("who", ENGINES)
def test_a_stopped_bot_plays_its_best_move_so_far(who):
    player, position = pentad.bot("pentagame", who, level=5, seed=1), played(12)
    nodes = {"tree": lambda search: search.visits, "alphabeta": lambda search: search.nodes}[who]
    move = stopped(player, position, lambda: player._search and nodes(player._search) > 0)
    assert move in position.legal_moves


@pytest.mark.parametrize("who", ENGINES)
def test_levels_out_of_range_are_refused(who):
    for level in (0, 6, True, "six", 5.5):
        with pytest.raises(ValueError, match=r"(from|levels) 1 to 5"):
            pentad.bot("pentagame", who, level=level)


def test_the_default_bot_has_levels():
    assert pentad.bot("pentagame", level=2).name == "tree-2"
    assert pentad.bot("pentagame").name == f"tree-{max(LEVELS):g}"


def test_can_win():
    assert pentagame_bot.can_win(near_the_end())
    assert not pentagame_bot.can_win(start())


def test_steps_left_are_those_of_the_best_three():
    assert pentagame_bot.steps_left(start(), 0) == 45
    assert pentagame_bot.steps_left(near_the_end(), 0) == 2


# ── what is found ────────────────────────────────────────────────────────────────────────────────


def worth_of(position: PentagamePosition) -> list[float]:
    worth = np.zeros(constants.SEATS)
    work = np.zeros(constants.WORK, dtype=np.int64)
    evaluate(np.asarray(state_of(position)), np.asarray(ENGINE.weights), worth, work)
    return worth[: position.players].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_evaluation_shares_out_the_win(players):
    for plies in (0, 7, 30):
        assert sum(worth_of(played(plies, players=players))) == pytest.approx(1)


@pytest.mark.slow
def test_an_evaluation_knows_how_a_game_ended():
    position = near_the_end()
    won = position.play(pentad.bot("pentagame", "tree", level=2, seed=1).choose(position))
    over = won.play(won.legal_moves[0])
    assert over.outcome is not None
    assert worth_of(over) == [1.0, 0.0]
    drawn = played(5, max_ply=5)
    assert worth_of(drawn) == [0.5, 0.5]


def last_turn(players: int, chance: random.Random) -> PentagamePosition:
    """The last turn of a round in which seat 0 has won; the seat to move needs one more piece. All else by chance."""
    home = {0: set(chance.sample(range(5), 3)), players - 1: set(chance.sample(range(5), 2))}
    fields = chance.sample(range(10, 100), 35)  # neither corners nor goals
    words = [
        f"{seat}{piece}@{'-' if piece in home.get(seat, ()) else write_field(fields.pop())}"
        for seat in range(players)
        for piece in range(5)
    ]
    blacks, grays = (
        " ".join(f"{first + number}@{write_field(fields.pop())}" for number in range(5)) for first in (11, 6)
    )
    return board(" ".join(words), blacks=blacks, grays=grays, turn=players - 1, players=players)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_race_of_the_last_piece_is_that_of_the_rules(players):
    """The evaluation shares the win with the last seat if, by the rules, it can bring a piece home."""
    chance, shared = random.Random(players), []
    for _ in range(60):
        here = last_turn(players, chance)
        ways = {step for step in here.piece_moves if isinstance(step, PieceStep) and step.leaving}
        assert all({owner for owner, _ in step.leaving} == {here.seat} for step in ways)
        assert worth_of(here) == ([0.5, *[0.0] * (players - 2), 0.5] if ways else [1.0, *[0.0] * (players - 1)])
        shared.append(bool(ways))
    assert any(shared)
    assert not all(shared)


def test_a_tree_returns_whole_lines():
    position = played(10)
    search = GameTree(ENGINE, position, 200_000)
    search.grow(2000)
    assert (search.visits, search.full) == (2000, False)
    for found in search.turns(5):
        here = position
        for move in found.moves:
            here = here.play(move)
        assert sum(found.values) == pytest.approx(0)
    visits = {Move(steps): search._visits(node) for node, _, steps in search._ends(0, position, ())}
    counts = [visits[found.moves[0]] for found in search.turns(1000)]
    assert counts == sorted(counts, reverse=True)
    assert search.best[0] == search.turns(1)[0].moves[0]


@pytest.mark.parametrize("minimax", [0.0, 1.0])
def test_visits_count_with_the_value_of_the_best_child(minimax):
    """With the whole share, a node's value is the mean of its evaluation and of its best child's after each visit."""
    settings = ENGINE.settings._replace(minimax=minimax)
    position = played(10)
    search = GameTree(ENGINE, position, 200_000, settings=settings)
    values = [worth_of(position)[position.turn]]
    for _ in range(300):
        search.grow(1)
        values.append(max(search.value(child)[position.turn] for child in search.children()))
    assert (search.value()[position.turn] == pytest.approx(sum(values) / len(values))) == (minimax == 1.0)
    assert sum(search.value()) == pytest.approx(1)


def test_a_small_tree_fills_and_goes_on():
    search = GameTree(ENGINE, played(10), 1)
    search.grow(500)
    assert search.full
    assert search.visits == 500


def test_repetitions_count_as_draws():
    position = played(10)
    search = GameTree(ENGINE, position, 500_000, seen=[signature(position.play(m)) for m in position.legal_moves])
    search.grow(3000)
    assert search.value() == pytest.approx((0.5, 0.5), abs=0.06)


def test_alpha_beta_deepens_and_returns_its_best_turn():
    position = played(10)
    search = AlphaBeta(ENGINE, position)
    search.deepen(3)
    assert search.depth == 3
    move, after = search.best
    assert position.play(move) == after


def plain(position: PentagamePosition, depth: int, seat: int) -> float:
    """Minimax over everything, without bounds or memory: what a position is worth to a seat."""
    if position.outcome:
        return worth_of(position)[seat]
    values = []
    for move in position.legal_moves:
        after = position.play(move)
        done = depth == 1 and not after.outcome
        values.append(worth_of(after)[seat] if done else plain(after, depth - 1, seat))
    return max(values) if position.turn == seat else min(values)


def test_alpha_beta_agrees_with_plain_minimax_without_pruned_steps():
    # One turn ahead the best is among the most promising, since these are chosen by what is then found.
    position = near_the_end()
    search = AlphaBeta(ENGINE, position)
    search.deepen(1)
    assert search.value == pytest.approx(plain(position, 1, 0), abs=1e-9)


# ── analysis ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("players", [2, 3, 5])
def test_analysis_has_lines_and_values_for_every_seat(players):
    position = played(9, players=players)
    reports = list(pentad.analyse(position, seconds=0.3, lines=3))
    assert [report.nodes for report in reports] == sorted(report.nodes for report in reports)
    last = reports[-1]
    assert len(last.lines) == 3
    for line in last.lines:
        assert len(line.values) == players
        assert sum(line.values) == pytest.approx(0, abs=1e-6)
        here = position
        for move in line.moves:
            here = here.play(move)


def test_analysis_proves_a_win_at_once():
    position = near_the_end()
    won = pentad.analyse(
        pentad.load(position.text.replace("pentagame ", "pentagame first_to_three=true ")), seconds=0.2
    ).report
    assert (won.value, won.exact) == (1.0, True)
    assert not pentad.analyse(start(), seconds=0.1).exact


def test_analysis_within_a_turn_completes_the_turn():
    position = start()
    head = next(step for step in position.piece_moves if position.after(step).due)
    within = position.partial((head,))
    line = pentad.analyse(within, seconds=0.1).lines[0]
    assert isinstance(line.moves[0], Move)
    assert line.moves[0] in within.legal_moves


# ── strength ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize(
    ("better", "worse", "share"),
    [("tree@1", "random", 0.95), ("tree@1", "greedy", 0.7), ("tree@3", "tree@1", 0.75), ("alphabeta@3", "greedy", 0.7)],
)
def test_the_ladder(better, worse, share):
    score = play_match(ContestTerms("pentagame", (better, worse), seed=7), 40)
    assert (score.wins + score.draws / 2) / score.games >= share

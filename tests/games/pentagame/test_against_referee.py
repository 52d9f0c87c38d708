"""The rules against the referee: random games for two to five players with every option, turn by turn."""

import random
from collections import Counter

import pytest

import pentad
from tests.games.pentagame.random_play import OPTIONS, board, quick_random_turn, random_position, random_rare_turn
from tests.games.pentagame.referee_comparison import (
    assert_same,
    assert_same_turns,
    referee_snapshot,
    referee_turn,
    start_both,
)
from tests.properties import some_of

every_table = pytest.mark.parametrize("players", [2, 3, 4, 5])
every_option = pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: ", ".join(name for name in options if options[name]) or "-"
)
MANY = 500  # games for each number of players with each options in the slow run: 2,000 a table of two to five
STYLES = (0, 0.1, 0.3, 0.7)  # how often a rare thing is sought, from wandering about to racing

# what the comparisons must have seen; the referee tells most of it
EVENTS = {
    "black taken",
    "gray taken",
    "swap",
    "swap of own pieces",
    "exit",
    "exit of both",
    "exit of another's piece",
    "black and gray",
    "exit from a gray block",
    "left waiting",
    "forced exit",
    "gray moved",
    "two grays moved",
    "several wait",
    "waiting no more",
    "repetition forbidden",
    "swap back forbidden",
    "three home",
    "won together",
    "ply limit",
    "no winner before the round's end",
}


def forbidden(game):
    """What may not be done only because of what was done before."""
    found, legal, free = set(), len(game.piece_moves()), game.copy()
    free.last_moves = {**free.last_moves, free.turn: None}
    if len(free.piece_moves()) > legal:
        found.add("repetition forbidden")
    free = game.copy()
    free.no_swap_back = False
    if len(free.piece_moves()) > legal:
        found.add("swap back forbidden")
    return found


def waiting(game):
    return {(seat, colour) for seat in range(game.players) if seat != game.turn for colour in game.waiting(seat)}


def go_on(position, game, chance, style):
    """Play a random turn on both boards; the position after it, and what happened."""
    happened = set()
    if len(game.waiting(game.turn)) > 1:
        happened.add("several wait")
    before = waiting(game)
    move = random_rare_turn(position, chance) if chance.random() < style else quick_random_turn(position, chance)[0]
    turn = referee_turn(position, move)
    game.play(turn)
    position = position.play(move)
    if any(game.pieces[seat][colour] not in ((5 + colour, 0, 0), (-1, -1, -1)) for seat, colour in before):
        happened.add("waiting no more")
    if sum(step[0] == "regray" for step in turn) == 2:
        happened.add("two grays moved")
    if position.outcome:
        happened.add(position.outcome.reason)
        if len(position.outcome.winners) > 1:
            happened.add("won together")
        if position.outcome.reason == "ply limit" and any(position.home(seat) > 2 for seat in range(position.players)):
            happened.add("no winner before the round's end")
    return position, happened | game.happened


def compare_game(players, options, seed):
    """A random game to its end on both boards; what happened in it.

    Whose turn it is, what stands where and the outcome are compared after every turn, and the referee finds
    each turn legal; what else is legal is compared every tenth time and after rare events.
    """
    chance = random.Random(f"{players} {options} {seed}")
    style = STYLES[seed % len(STYLES)]
    position, game = start_both(players, **options, max_ply=chance.choice((20, 60, 150, 400, 1000)))
    happened = set()
    while True:
        assert_same(position, game)
        if position.outcome:
            return happened
        if game.happened & {"exit of both", "left waiting", "gray moved"} or chance.random() < 0.1:
            assert_same_turns(position, game)
            happened |= forbidden(game)
        position, new = go_on(position, game, chance, style)
        happened |= new


def compare_scattered(players, options, seed, most=0):
    """A position that no game reaches soon, and a few turns from there; what happened in them."""
    chance = random.Random(f"scattered {players} {options} {seed}")
    position = random_position(chance, players, **options, max_ply=chance.choice((9, 1000)))
    game = referee_snapshot(position)
    happened = set()
    for _ in range(6):
        assert_same(position, game)
        if position.outcome:
            break
        assert_same_turns(position, game, most)
        happened |= forbidden(game)
        position, new = go_on(position, game, chance, 0.7)
        happened |= new
    return happened


@pytest.mark.fast_cases(1)
@every_table
@every_option
def test_random_games(players, options):
    for seed in range(some_of(4)):
        compare_game(players, options, 4 * players + seed)


@pytest.mark.fast_cases(3)
@every_table
@every_option
def test_scattered_positions(players, options):
    for seed in range(12):
        compare_scattered(players, options, seed)


@pytest.mark.fast_cases(1)
@every_table
def test_every_single_turn(players):
    """Not their number alone."""
    for seed in range(6):
        compare_scattered(players, OPTIONS[seed % 4], 1000 + seed, most=3000)


@pytest.mark.slow
def test_the_random_games_cover_all_events():
    """The comparisons rest on this: some two hundred games and positions include every event of the rules."""
    happened = set()
    for seed in range(60):
        for players in (2, 3, 4, 5):
            happened |= compare_scattered(players, OPTIONS[seed % 4], 5000 + seed)
            if seed % 10 == 3:
                happened |= compare_game(players, OPTIONS[seed // 10 % 4], 5000 + seed)
        if happened >= EVENTS:
            return
    assert happened >= EVENTS, EVENTS - happened


@pytest.mark.parametrize("players", [4, 5])
@pytest.mark.parametrize("back", [False, True])
def test_a_seat_is_skipped(players, back):
    """Which takes three swaps of three others in one round, so that chance does not come to it."""
    pieces = "30@- 31@- 32@- 34@- 33@9 24@8"
    position = board(pieces, blacks="14@410 15@614", players=players, turn=2, no_swap_back=back)
    game = referee_snapshot(position)
    happened = set()
    while not position.outcome:
        assert_same_turns(position, game)
        move = position.parse("4-9 8 9") if not happened else position.legal_moves[0]
        game.play(referee_turn(position, move))
        position = position.play(move)
        happened |= game.happened
        assert_same(position, game)
    assert "passed over" in happened
    assert position.outcome.winners == (3,)


@pytest.mark.slow
@every_table
@every_option
def test_many_random_games(players, options):
    happened = set()
    for seed in range(MANY):
        happened |= compare_game(players, options, 10_000 + seed)
    needed = {"black taken", "gray taken", "black and gray", "swap", "swap of own pieces", "left waiting"}
    needed |= {"forced exit", "exit", "exit of both", "exit of another's piece", "three home", "ply limit"}
    assert needed <= happened
    assert ("swap back forbidden" in happened) == options["no_swap_back"]
    assert "repetition forbidden" in happened or options["no_swap_back"]
    # with two players the pool is empty before the end only if both bring their third pieces out by one swap
    assert "gray moved" in happened or (players == 2 and options["first_to_three"])


@pytest.mark.slow
@every_table
@every_option
def test_many_scattered_positions(players, options):
    for seed in range(MANY):
        compare_scattered(players, options, 10_000 + seed, most=400)


def ending(chance, players, **options):
    """Why a random game ended, and after how many turns."""
    position = pentad.new("pentagame", players=players, **options)
    while not position.outcome:
        _, position = quick_random_turn(position, chance)
    assert not position.legal_moves
    assert not position.choices()
    return position.outcome.reason, position.ply


@pytest.mark.fast_cases(1)
@every_table
def test_random_games_end(players):
    chance = random.Random(players)
    for options in OPTIONS:
        assert ending(chance, players, **options)[1] <= 1000


@pytest.mark.slow
@every_table
def test_5000_random_games_end(players):
    """Nearly all of them by three pieces home, not by the limit of turns."""
    chance = random.Random(players)
    reasons = Counter(ending(chance, players, **OPTIONS[game % 4])[0] for game in range(1250))
    assert set(reasons) <= {"three home", "ply limit"}
    assert reasons["three home"] > 1000

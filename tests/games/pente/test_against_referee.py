"""The rules against the referee: random games of every rule set on many boards, move by move."""

import random

import pytest

import pentad
from pentad.game import Move
from tests.cases import slow_but, thinned, together
from tests.games.pente.random_games import (
    GAMES,
    RULES,
    SMALL,
    board_of,
    drawn,
    every_game,
    played,
    random_game,
    referee_game,
)
from tests.games.turns import moves_by_choices
from tests.properties import some_of

MANY_GAMES = 215  # games for each option set in the slow run: 20,000 and more altogether


def assert_same(position, table):
    """The package and the referee see the same position."""
    assert board_of(position) == drawn(table)
    assert (position.turn, position.ply, position.captures) == (table.turn, table.ply, table.captures())
    assert [position.colour_of(seat) for seat in table.seats] == ["white", "black"]
    if table.over:
        assert position.outcome.winners == tuple(table.winners)
        returns = {(): (0, 0), (0,): (1, -1), (1,): (-1, 1)}
        assert position.outcome.returns == returns[position.outcome.winners]
    else:
        assert position.outcome is None


def assert_same_moves(position, table):
    """The same moves are legal; skipped for swap2's opening on larger boards, which has too many."""
    if table.stage and table.size > 5:
        n = len(table.empties())
        assert table.captures() != (0, 0) or len(position.legal_moves) == {
            "three": n * (n - 1) * (n - 2),
            "choice": 2 + n * (n - 1) + extra_ways(table),
            "last choice": 2,
        }.get(table.stage)
        return
    texts = [str(move) for move in position.legal_moves]
    assert len(texts) == len(set(texts)) == len(position.legal_moves)
    assert set(texts) == set(table.turns())


def extra_ways(table):
    """The additional ways to place two stones because the first captures."""
    more = 0
    for point in table.empties():
        after = table.copy()
        after.place(*point)
        more += len(after.empties()) - (len(table.empties()) - 1)
    return more


def compare(options, seed):
    """Plays a random game; returns its events and its number of moves."""
    happened = set()
    for position, table in random_game(options, seed):
        assert_same(position, table)
        happened |= table.happened
        if table.over or table.ply % 8 == seed % 8:
            assert_same_moves(position, table)
            if table.no_double_three and not table.over and len(table.moves()) < len(table.empties()) < table.size**2:
                happened.add("double three forbidden")
    return happened


def how_many(options):
    size = options.get("size", 19)
    return 2 if size > 19 else 3 if size > 13 else 7


def test_the_number_of_games():
    assert 550 < sum(map(how_many, GAMES.values())) < 800
    assert len(GAMES) * MANY_GAMES > 20_000


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", thinned(GAMES, 18))
def test_random_games(name):
    for seed in range(how_many(GAMES[name])):
        compare(GAMES[name], seed)


@pytest.mark.slow
@every_game
def test_many_random_games(options):
    for seed in range(1000, 1000 + MANY_GAMES):
        compare(options, seed)


# an event that the comparison must include → the option set whose games include it
EVENTS = {
    "capture": "pente 5",
    "capture in the opening": "pente, swap2 on 4",
    "capture of three": "keryo on 6",
    "captures in two directions": "pente, swap2",
    "won: captures": "pente, one pair wins",
    "captures past the goal": "keryo on 6",
    "poof": "poof 5",
    "double poof": "keryo with poof",
    "poof and capture": "keryo with poof",
    "both have the captures": "poof, two stones",
    "won: stones poofed by the other": "poof, four stones",
    "won: five": "pente 7",
    "five waits": "boat 7",
    "five broken": "boat on 5, four",
    "five broken by a five": "ninuki42 on 6, four",
    "won: standing five": "boat 7",
    "won: standing five against a five": "boat on 5, three",
    "won: safe five": "ninuki42 5",
    "won: five on a full board": "boat 5",
    "won: captures after a five": "boat on 6, four stones",
    "double three forbidden": "ninuki42, swap2",
    "double three that captures": "ninuki42, tournament",
    "draw: full board": "gomoku 5",
    "draw: blocked": "lines 5",
    "more stones": "lines, swap2",
    "colours kept": "pente, swap2, line 3",
    "colours exchanged": "boat, swap2",
}


@pytest.mark.slow
@together(("event", "name"), EVENTS.items())
def test_the_random_games_include_every_event(event, name):
    """Coverage of the comparisons: a few of these games include every event of the rules."""
    assert any(event in compare(GAMES[name], seed) for seed in range(150))


def test_the_styles_of_random_play_differ():
    """Some games end early, others fill the board."""
    lengths = []
    for seed in range(16):
        *_, (_, table) = referee_game(GAMES["gomoku on 6"], seed)
        lengths.append(table.ply)
    assert min(lengths) < 20 < max(lengths) == 36


# ── random rule sets ──────────────────────────────────────────────────────────────


def bent(seed):
    """A rule set with random switches, or None if they do not go together."""
    chance = random.Random(seed)
    options = {"rules": chance.choice(RULES), "size": chance.choice((3, 4, 5, 6, 7, 7, 8, 9))}
    if chance.random() < 0.8:
        options["opening"] = chance.choice(("free", "free", "free", "swap2", "centre", "tournament", "pro"))
    if chance.random() < 0.6:
        options["line"] = chance.randint(2, 5)
    if chance.random() < 0.5:
        options["captures"] = chance.choice((0, 2, 3))
        options["capture_win"] = chance.choice((0, 1, 2, 4, 5, 10)) if options["captures"] else 0
    for switch in ("overline", "poof", "double_three", "blocked_tie"):
        if chance.random() < 0.3:
            options[switch] = chance.random() < 0.5
    if chance.random() < 0.4:
        options["five"] = chance.choice(("wins", "stands", "unbroken"))
    try:
        pentad.new("pente", **options)
    except pentad.GameError:
        return None
    return options


def compare_bent(seeds):
    """Checks a position played, loaded and under a symmetry."""
    for seed in seeds:
        if options := bent(seed):
            for position, table in random_game(options, seed):
                if table.ply > 250:
                    break
                assert_same(position, table)
                assert pentad.load(position.text).outcome == position.outcome, (options, seed)
                assert position.symmetries[seed % 8].position(position).outcome == position.outcome, (options, seed)
                if table.ply % 5 == 0 or table.over:
                    assert_same_moves(position, table)


@pytest.mark.parametrize("chunk", slow_but(range(4), 1))
def test_random_rule_sets(chunk):
    compare_bent(range(60 * chunk, 60 * chunk + 60))


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(20))
def test_many_random_rule_sets(chunk):
    compare_bent(range(1000 + 400 * chunk, 1000 + 400 * chunk + 400))


# ── the moves ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(7)
@every_game
def test_every_legal_move_leads_where_the_referee_says(options):
    chance = random.Random(7)
    for position, table in random_game(options, 4):
        if table.ply % 5 or (table.stage and table.size > 5):
            continue
        turns = table.turns()
        for turn in chance.sample(turns, min(10, len(turns))):
            after = table.copy()
            after.take(turn)
            assert_same(position.play(turn), after)


@pytest.mark.slow
@together("name", SMALL)
def test_all_other_points_are_illegal(name):
    for position, table in random_game(GAMES[name], 5):
        if table.ply % 4 or table.stage:
            continue
        legal = set(table.moves())
        for point in [table.name(x, y) for y in range(table.size) for x in range(table.size)]:
            if point not in legal:
                with pytest.raises(pentad.IllegalMove, match=r"over|occupied by a|goes|two free threes"):
                    position.play(point)
                with pytest.raises(pentad.IllegalMove):
                    position.partial(point)
                assert Move(position.parse(point)) not in position.legal_moves


@pytest.mark.slow
@together("name", SMALL)
def test_the_choices_are_the_legal_moves(name):
    for position, table in random_game(GAMES[name], 2):
        if table.ply % 4 or (table.stage and table.size > 4):
            continue
        assert [str(m) for m in moves_by_choices(position)] == [str(m) for m in position.legal_moves]


@pytest.mark.slow
@together("name", SMALL)
def test_a_loaded_position_has_the_outcome_of_the_played_one(name):
    """A played position knows its last stone; a loaded one does not."""
    for seed in range(some_of(4)):
        for position, _ in random_game(GAMES[name], seed):
            again = pentad.load(position.text)
            assert again == position
            assert (again.outcome, again.turn, again.captures) == (position.outcome, position.turn, position.captures)
            assert len(again.legal_moves) == len(position.legal_moves)


@pytest.mark.slow
@together("name", SMALL)
def test_undo_by_replay(name):
    """Any prefix of a game, played again from the start, gives the same position."""
    texts, positions = [], []
    for turn, _ in referee_game(GAMES[name], 3):
        texts.append(turn)
        positions.append(positions[-1].play(turn) if turn else pentad.new("pente", **GAMES[name]))
    for count in range(0, len(texts), 5):
        again = played(GAMES[name], ",".join(texts[1 : count + 1]) + ",") if count else positions[0]
        assert again == positions[count]
        assert (again.captures, again.outcome) == (positions[count].captures, positions[count].outcome)
        assert hash(again) == hash(positions[count])

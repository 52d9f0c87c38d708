"""The beam search: its patterns against plain loops, its move against plain minimax, its bots in every rule set."""

from __future__ import annotations

import random

import pytest

import pentad
from pentad.game import GameError, IllegalMove
from pentad.games.pente import beam as beam_search
from pentad.games.pente.beam import (
    DIFFICULTIES,
    LIMIT,
    LINE,
    VALUES,
    Beam,
    BeamBot,
    BeamSearch,
    Evaluation,
    box,
    capture_points,
    patterns_of,
)
from pentad.games.pente.board import points_of
from pentad.search.bot import bot, bots
from tests.cases import thinned, together
from tests.games.pente.random_games import GAMES
from tests.line_limit import at_most
from tests.waiting import FakeClock

# ── a naive implementation ───────────────────────────────────────────────────────────

FOUR = ((1, 0), (0, 1), (1, 1), (1, -1))


def balance(position):
    """The balance for each colour while the other is to move."""
    return tuple(Evaluation(position).balances)


def naive_balance(position):
    """The balance for each colour while the other is to move, with every pattern tried at every point."""
    rules = position.rules
    taken = [naive_taken(rules, count) for count in position.taken]
    needed = [naive_needed(rules, count) for count in position.taken]
    return tuple(
        naive_promise(position, colour, VALUES.waiting, needed[colour])
        - naive_promise(position, 1 - colour, VALUES.moving, needed[1 - colour])
        + taken[colour]
        - taken[1 - colour]
        for colour in (0, 1)
    )


def naive_needed(rules, count):
    """The number of groups needed to win; 0 after a win."""
    groups = 0
    while rules.captures and count + groups * rules.captures < rules.capture_win:
        groups += 1
    return groups if rules.capture_win else 99


def naive_taken(rules, count):
    if not count:
        return 0
    if not rules.capture_win:
        return count * 2 ** VALUES.taken[-1]
    needed = naive_needed(rules, count)
    return 2 ** farthest(VALUES.taken, needed) if needed else 2**LINE


def farthest(exponents, distance):
    return exponents[distance - 1] if 1 <= distance <= len(exponents) else exponents[-1]


def naive_promise(position, colour, worth, needed):
    size, rules, total = position.board.size, position.rules, 0
    stones = {point: "xo"[(position.stones[colour] >> point & 1) ^ 1] for point in points_of(sum(position.stones))}

    def at(x, y):
        return stones.get(y * size + x, ".") if 0 <= x < size and 0 <= y < size else "#"

    for x in range(size):
        for y in range(size):
            for dx, dy in FOUR:
                cells = [at(x + i * dx, y + i * dy) for i in range(rules.line)]
                before, after = at(x - dx, y - dy), at(x + rules.line * dx, y + rules.line * dy)
                if set(cells) <= {"x", "."} and "x" in cells and (rules.overline or "x" not in (before, after)):
                    lacking = cells.count(".")
                    total += 2 ** farthest(worth.closed, lacking) if lacking else 2**LINE
                    if lacking and cells[0] == "." and after == ".":
                        total += 2 ** farthest(worth.open, lacking)
                for length in rules.groups:
                    around = "".join(at(x + i * dx, y + i * dy) for i in range(length + 2))
                    if around in ("x" + "o" * length + ".", "." + "o" * length + "x"):
                        total += 2 ** farthest(worth.threat, needed)
    return total


def naive_candidates(position, beam, depth):
    """The best points by the naive evaluation after every legal move."""
    size = position.board.size
    held = list(points_of(sum(position.stones))) or [
        y * size + x for x in {(size - 1) // 2, size // 2} for y in {(size - 1) // 2, size // 2}
    ]
    legal = [position.board.point(*move[0]) for move in position.legal_moves]
    near, padding = [], beam.padding
    while legal and not near:
        columns = range(min(p % size for p in held) - padding, max(p % size for p in held) + padding + 1)
        rows = range(min(p // size for p in held) - padding, max(p // size for p in held) + padding + 1)
        near = [p for p in legal if p % size in columns and p // size in rows]
        padding += 1

    def rank(point):
        after = position.play(position.board.stones[point])
        return -naive_balance(after)[position.colour], position.board.distance_to_centre(point), point

    return sorted(near, key=rank)[: beam.width[min(depth, len(beam.width) - 1)]]


def naive_value(position, beam, depth):
    """Plain minimax for the colour to move, without incremental evaluation."""
    if position.outcome:
        if position.outcome.is_draw:
            return 0
        return (2**60 - depth) * (1 if position.turn in position.outcome.winners else -1)
    points = naive_candidates(position, beam, depth) if depth < beam.depth else []
    if not points:
        return -naive_balance(position)[1 - position.colour]
    return max(-naive_value(position.play(position.board.stones[p]), beam, depth + 1) for p in points)


def naive_best(position, beam):
    points = naive_candidates(position, beam, 0)
    return max(points, key=lambda p: -naive_value(position.play(position.board.stones[p]), beam, 1))


# ── positions ────────────────────────────────────────────────────────────────────────────────────


def after(moves, **options):
    position = pentad.new("pente", **options)
    for move in moves.split():
        position = position.play(move)
    return position


def clustered(chance, position):
    """A random legal stone, mostly near the others, so that captures and lines are frequent."""
    near = position.points & box(position.board, position.stones[0] | position.stones[1], 1)
    takes = near & capture_points(position)
    points = list(points_of(takes if takes and chance.random() < 0.5 else near or position.points))
    return position.board.stones[chance.choice(points)]


def random_position(chance, plies, **options):
    """A position after a number of stones near each other, or before the end of the game."""
    position = pentad.new("pente", **options)
    for _ in range(plies):
        then = position.play(clustered(chance, position))
        position = position if then.outcome else then
    return position


PLAIN = {name: options for name, options in GAMES.items() if options.get("opening") != "swap2"}


# ── the evaluation ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", thinned(PLAIN, 8))
def test_the_incremental_evaluation_is_the_naive_one(name):
    chance = random.Random(name)
    position = pentad.new("pente", **PLAIN[name])
    evaluation, path = Evaluation(position), [position]
    for step in range(60):
        if len(path) > 1 and (position.outcome or chance.random() < 0.2):
            for _ in range(chance.randint(1, min(len(path) - 1, 6))):
                evaluation.undo()
                path.pop()
            position = path[-1]
        else:
            position = position.play(clustered(chance, position))
            evaluation.advance(path[-1], position)
            path.append(position)
        assert tuple(evaluation.balances) == balance(position)  # the second is computed anew
        if step % 6 == 0:
            assert balance(position) == naive_balance(position)
            fresh = Evaluation(position)
            assert (evaluation.codes, evaluation.row_balances, evaluation.gains) == (
                fresh.codes,
                fresh.row_balances,
                fresh.gains,
            )
    while len(path) > 1:
        evaluation.undo()
        path.pop()
    assert evaluation.balances == [0, 0]
    assert evaluation.codes == Evaluation(path[0]).codes


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["pente", "keryo", "poof", "gomoku", "lines"])
def test_the_gain_of_a_stone_is_its_change_of_the_balance(rules):
    chance = random.Random(rules)
    for _ in range(6):
        position = random_position(chance, chance.randint(0, 24), rules=rules, size=9, opening="free")
        evaluation = Evaluation(position)
        colour, changing = position.colour, capture_points(position)
        for point in points_of(position.points & ~changing):
            gained = sum(evaluation.gains[colour][row][index] for row, index in evaluation.through[point])
            then = position.play(position.board.stones[point])
            assert evaluation.balances[colour] + gained == balance(then)[colour]


@pytest.mark.slow
@together("name", PLAIN)
def test_the_capture_points_are_those_of_the_rules(name):
    chance = random.Random(name)
    for _ in range(3):
        position = random_position(chance, chance.randint(0, 16), **PLAIN[name])
        changing = capture_points(position)
        for point in points_of(position.points):
            then, mine = position.play(position.board.stones[point]), position.colour
            quiet = then.stones[mine] == position.stones[mine] | 1 << point
            quiet = quiet and then.stones[1 - mine] == position.stones[1 - mine]
            assert (changing >> point & 1) == (not quiet)


def worth(row, **options):
    """The value of a row for a colour not to move, and its number of threats."""
    position = pentad.new("pente", **{"size": 19, "opening": "free", **options})
    row_score = patterns_of(position.rules).row_score(f"#{row}#")
    return row_score.waiting, row_score.threats


def test_values_are_powers_of_two_and_nested_patterns_count():
    closed, opened, _ = VALUES.waiting
    assert worth("oxxxx.") == (2 ** closed[0], 0)
    assert worth(".xxxx.") == (2 * 2 ** closed[0] + 2 ** opened[0], 0)
    assert worth("oxxx..") == (2 ** closed[1], 0)
    assert worth("o.xxx.") == (2 ** closed[1], 0)
    assert worth("o.xxx..o") == (2 * 2 ** closed[1] + 2 ** opened[1], 0)
    assert worth("oxxxo") == (0, 0)
    assert worth("xoo.") == worth(".oox") == (0, 1)
    assert worth("xoo.oox")[1] == 2
    assert worth("xooo.")[1] == 0
    assert worth("xooo.", rules="keryo")[1] == 1
    assert worth("xoo.", rules="gomoku")[1] == 0
    assert worth("xxxxx") == (2**LINE, 0)
    assert worth("xxxxxx") == (2 * 2**LINE, 0)
    assert worth("xxxxxx", rules="gomoku") == (0, 0)
    for each in VALUES.moving + VALUES.waiting + (VALUES.taken,):
        assert list(each) == sorted(each, reverse=True)


def test_threats_are_worth_more_near_the_win():
    values = [
        balance(after("K10 L10 G6 M10 A1", rules="pente", tournament_rule=False, capture_win=wins))[0]
        for wins in (2, 4, 6, 8)
    ]
    assert values == sorted(set(values), reverse=True)


def test_captures_are_worth_more_near_the_win():
    pente = patterns_of(pentad.new("pente").rules)
    values = [pente.captures_value(count) for count in range(0, 14, 2)]
    assert values[0] == 0
    assert values[:6] == sorted(set(values[:6]))
    assert values[5] == values[6] == 2**LINE  # captures can pass ten
    keryo = patterns_of(pentad.new("pente", rules="keryo").rules)
    assert keryo.captures_value(14) < keryo.captures_value(15) == keryo.captures_value(17) == 2**LINE
    assert patterns_of(pentad.new("pente", capture_win=0).rules).captures_value(20) > 0


@pytest.mark.slow
def test_the_caches_are_bounded(monkeypatch):
    monkeypatch.setattr(beam_search, "FEW_ENTRIES", 50)
    monkeypatch.setattr(beam_search, "MANY_ENTRIES", 50)
    position = random_position(random.Random(4), 20, size=13)
    expected = BeamSearch(position, DIFFICULTIES[3]).best()
    monkeypatch.setattr(beam_search, "patterns_of", lambda rules: small)
    small = beam_search.Patterns(position.rules)
    assert BeamSearch(position, DIFFICULTIES[3]).best() == expected
    assert all(memo.cache_info().currsize <= 50 for memo in (small.row, small.change, small.window_score))


# ── the search ───────────────────────────────────────────────────────────────────────────────────

BEAMS = [Beam(0, 1, (2,)), Beam(1, 0, (3,)), Beam(2, 1, (3, 3)), Beam(3, 2, (3, 2)), Beam(4, 0, (2,))]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("beam", BEAMS, ids=str)
@pytest.mark.parametrize("rules", thinned(["pente", "keryo", "poof", "boat", "gomoku", "lines", "ninuki42"], 7))
def test_the_move_is_the_one_of_naive_minimax(beam, rules):
    chance = random.Random(f"{beam}{rules}")
    for _ in range(2 if beam.depth < 3 else 1):
        position = random_position(chance, chance.randint(0, 18), rules=rules, size=7, opening="free")
        assert BeamSearch(position, beam).best().point == naive_best(position, beam)


class Counted(BeamSearch):
    """The search, with a count of its positions."""

    nodes = 0

    def _value(self, *given):
        self.nodes += 1
        return super()._value(*given)


class Plain(Counted):
    """Plain minimax."""

    def _value_of(self, here, point, depth, left, alpha, beta):
        return super()._value_of(here, point, depth, left, -LIMIT, LIMIT)


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("name", thinned(PLAIN, 9))
def test_alpha_beta_finds_the_move_and_the_value_of_plain_minimax(name):
    chance = random.Random(name)
    for _ in range(3):
        position = random_position(chance, chance.randint(0, 14), **PLAIN[name])
        beam = Beam(chance.randint(0, 5), chance.randint(0, 3), tuple(chance.choices((1, 2, 3, 4), k=3)))
        order = chance.sample(range(position.board.size**2), position.board.size**2)
        quick, plain = (kind(position, beam, order=order) for kind in (Counted, Plain))
        assert quick.best() == plain.best()
        assert quick.nodes <= plain.nodes


@pytest.mark.slow
def test_alpha_beta_saves_most_of_the_work():
    position = random_position(random.Random(2), 12, size=13)
    quick, plain = (kind(position, DIFFICULTIES[5]) for kind in (Counted, Plain))
    assert quick.best() == plain.best()
    assert plain.nodes > 1000
    assert quick.nodes < plain.nodes / 2


@together("beam", DIFFICULTIES.values())
@together(
    ("moves", "wins"),
    [
        ("K10 A1 L10 C1 M10 E1 N10 G1", "J10 O10"),  # four in a row
        ("K10 A1 L10 C1 N10 E1 O10 G1", "M10"),  # the hole in it
        ("K10 B1 A1 C1 D1 B3 A3 C3 D3 B5 A5 C5 D5 B7 A7 C7 D7 L10 T1 M10", "N10"),  # eight taken, and a pair
    ],
)
def test_a_win_is_taken(beam, moves, wins):
    position = after(moves, tournament_rule=False)
    best = BeamSearch(position, beam).best()
    assert str(position.board.stones[best.point]) in wins.split()
    assert position.play(position.board.stones[best.point]).outcome.winners == (position.turn,)
    assert best.value == 2**60 - 1 or beam.depth == 0


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_a_win_in_two_is_found_and_a_loss_in_one_prevented(level):
    position = after("K10 A1 L10 C1 M10 E1", tournament_rule=False, rules="freestyle", size=19)
    best = BeamSearch(position, DIFFICULTIES[level]).best()
    assert best.value == 2**60 - 3
    assert str(position.board.stones[best.point]) in ("J10", "N10")
    position = after("K10 J10 L10 C1 M10 E1 N10", tournament_rule=False)
    assert str(position.board.stones[BeamSearch(position, DIFFICULTIES[level]).best().point]) == "O10"


@pytest.mark.parametrize("seconds", [0, 0.05])
def test_the_search_keeps_its_time_and_always_has_a_move(seconds, monkeypatch):
    """With a clock that advances one millisecond on each call."""
    clock = FakeClock(0.001)
    monkeypatch.setattr("pentad.games.pente.beam.time", clock)
    position = random_position(random.Random(3), 16, size=19)
    beam = Beam(40, 3, (8,))
    best = BeamSearch(position, beam).best(seconds)
    assert seconds <= clock.now <= seconds + 0.003
    assert position.points >> best.point & 1


def test_time_enough_gives_the_move_of_no_limit():
    for seed in range(5):
        position = random_position(random.Random(seed), 14, size=13)
        assert BeamSearch(position, DIFFICULTIES[2]).best(600) == BeamSearch(position, DIFFICULTIES[2]).best()


def test_the_hardest_moves_without_much_work():
    position = random_position(random.Random(5), 30, size=13)
    with at_most(lines=5_000_000):
        BeamSearch(position, DIFFICULTIES[5]).best()


def test_without_points_in_the_padding_the_nearest_are_searched():
    position = after("K10 L10")  # by the tournament rule the third stone is farther away
    search = BeamSearch(position, Beam(2, 0, (200,)))
    found = {str(position.board.stones[point]) for point in search.candidates(position, 0)}
    assert found == {"N8", "N9", "N10", "N11", "N12"}
    assert BeamSearch(pentad.new("pente"), Beam(0, 0, (1,))).best().point == 19 * 9 + 9


@pytest.mark.parametrize(
    ("size", "moves", "padding", "points"),
    [
        (7, "", 0, "D4"),
        (4, "", 0, "B2 C2 B3 C3"),
        (5, "A1", 1, "A1 B1 A2 B2"),
        (5, "E5 A1", 0, None),
        (5, "C3", 9, None),
        (5, "B2 C4", 0, "B2 C2 B3 C3 B4 C4"),
    ],
)
def test_the_box(size, moves, padding, points):
    position = after(moves, size=size, opening="free", line=3)
    found = [str(position.board.stones[p]) for p in points_of(box(position.board, sum(position.stones), padding))]
    assert found == (points.split() if points else [str(stone) for stone in position.board.stones])


# ── the bots ─────────────────────────────────────────────────────────────────────────────────────


def test_the_difficulties_are_those_of_the_rule_page():
    assert {level: (beam.depth, beam.padding, list(beam.width)) for level, beam in DIFFICULTIES.items()} == {
        1: (2, 1, [3, 3]),
        2: (4, 2, [4, 3, 2]),
        3: (5, 2, [4, 3, 2]),
        4: (6, 2, [4, 3, 2]),
        5: (7, 2, [5, 4, 3, 2]),
    }
    assert [DIFFICULTIES[5].width_at(depth) for depth in range(7)] == [5, 4, 3, 2, 2, 2, 2]


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", thinned(GAMES, 12))
def test_games_to_their_end(name):
    """In every rule set, opening and size each move is legal, and the game ends."""
    seats = [BeamBot(Beam(2, 1, (2,)), seed=1), BeamBot(Beam(1, 2, (3,)), seed=2)]
    position = pentad.new("pente", **GAMES[name])
    while not position.outcome and position.ply < 60:
        move = seats[position.turn].choose(position)
        assert move in position.legal_moves
        position = position.play(move)
    if position.outcome:
        with pytest.raises(IllegalMove, match="The game is over"):
            seats[0].choose(position)


def test_swap2_stones_are_balanced():
    player = bot("pente", "beam-2", seed=3)
    start = pentad.new("pente", opening="swap2", size=13)
    opened = start.play(player.choose(start))
    assert abs(balance(opened)[opened.colour]) < 2**10
    begun = start.partial("G7")
    assert str(player.choose(begun)).count(" ") == 1
    more = opened.partial("more")
    assert str(player.choose(more)).count(" ") == 1
    again = more.play(player.choose(more))
    assert str(player.choose(again)) in ("white", "black")
    winning = start.play("G7 A1 H7")  # two in a row in the middle, against a stone in the corner
    assert str(player.choose(winning)) == "white"


def test_the_same_seed_plays_the_same_and_another_may_not():
    start = pentad.new("pente", size=13).play("G7")
    moves = {seed: [str(bot("pente", "beam-1", seed=seed).choose(start)) for _ in range(2)] for seed in range(12)}
    assert all(first == second for first, second in moves.values())
    assert len({first for first, _ in moves.values()}) > 1


def test_the_table():
    table = bots("pente")
    names = list(table)
    assert [name for name in names if name.startswith("beam")] == [f"beam-{level}" for level in range(1, 6)] + ["beam"]
    assert bot("pente", "beam-4").name == bot("pente", "beam", level=4).name == "beam-4"
    assert bot("pente", "beam-4").beam == DIFFICULTIES[4]
    assert bot("pente", "beam:depth=4,padding=0,width=4-3-2").beam == Beam(4, 0, (4, 3, 2))
    assert bot("pente", "beam:difficulty=5,width=3").beam == Beam(7, 2, (3,))
    assert bot("pente", "beam:depth=6").beam == Beam(6, 2, (4, 3, 2))
    assert bot("pente", "beam:depth=6,difficulty=3").name == "beam:depth=6"
    with pytest.raises(GameError, match="Unknown bot 'beamer'"):
        bot("pente", "beamer")


@together(
    ("name", "message"),
    [
        ("beam:", "Invalid setting ''"),
        ("beam:depth", "Invalid setting 'depth'"),
        ("beam:size=13", "Invalid setting 'size=13'"),
        ("beam:depth=2,depth=3", "Invalid setting 'depth=3'"),
        ("beam:depth=-1", "depth must be a whole number from 0 to 200, not -1"),
        ("beam:depth=two", "depth must be a whole number from 0 to 200, not 'two'"),
        ("beam:width=", "width must be a positive number"),
        ("beam:width=0", "width must be a positive number"),
        ("beam:width=3-0", "width must be a positive number"),
        ("beam:width=3--1", "width must be a positive number"),
        ("beam:padding=-1", "padding must be a whole number of 0 or more, not -1"),
        ("beam:difficulty=6", "difficulty must be a whole number from 1 to 5, not 6"),
    ],
)
def test_invalid_names(name, message):
    with pytest.raises(GameError) as refused:
        bot("pente", name)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)

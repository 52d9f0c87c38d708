"""The line strategy: the document's procedure in plain loops, boards by hand, the bots and the drawing."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET

import pytest

import pentad
from pentad.game import GameError, IllegalMove
from pentad.games.pente import draw_weights
from pentad.games.pente.board import board as board_of
from pentad.games.pente.line_strategies import (
    AFTER,
    BOTH,
    DEFENSIVE,
    OFFENSIVE,
    PLACED,
    STRATEGIES,
    check_table,
    document_table,
    side_weights,
    weigh,
)
from pentad.games.pente.rulesets import OPENINGS, RULE_SETS
from pentad.search.bot import bot, bots
from tests.cases import together

# ── the document's procedure, in plain loops ─────────────────────────────────────────────────────

BLANK = 0


def every_line(size, line_size):
    """The calls of IntCalcWeights in their order: the start and the direction of each line, from 1."""
    itop = size - line_size + 1
    for y in range(1, size + 1):
        for x in range(1, itop + 1):
            yield x, y, 1, 0
    for y in range(1, itop + 1):
        for x in range(1, size + 1):
            yield x, y, 0, 1
    for y in range(1, itop + 1):
        for x in range(1, itop + 1):
            yield x, y, 1, 1
    for y in range(1, itop + 1):
        for x in range(size, size + 1 - itop - 1, -1):
            yield x, y, -1, 1


def pieces_of(cells, x, y, dx, dy, line_size, side):
    """The number of a side's pieces in a line; -1 if it holds a piece of the other."""
    piece_count = 0
    for i in range(line_size):
        n = cells[x + i * dx, y + i * dy]
        if n == side:
            piece_count += 1
        elif n != BLANK:
            return -1
    return piece_count


def matrix(cells, size, line_size, side, row_of_table):
    weight = dict.fromkeys(cells, 0)
    for x, y, dx, dy in every_line(size, line_size):
        count = pieces_of(cells, x, y, dx, dy, line_size, side)
        if count >= 1:
            for i in range(line_size):
                cell = (x + i * dx, y + i * dy)
                if cells[cell] == BLANK:
                    weight[cell] += row_of_table(count)
    return weight


def printed_row(n, number):
    """The document's table, row by row."""
    if number == n:
        return n * 4
    if number == n - 1:
        return n * 2
    if number == n - 2:
        return n
    return n // 2


def random_cells(size, chance):
    cells = {(x, y): BLANK for x in range(1, size + 1) for y in range(1, size + 1)}
    for cell in chance.sample(sorted(cells), chance.randint(0, size * size)):
        cells[cell] = chance.choice((1, 2))
    return cells


def stones_of(cells, size):
    return tuple(
        sum(1 << (y - 1) * size + x - 1 for (x, y), piece in cells.items() if piece == side) for side in (1, 2)
    )


def flat(weight, size):
    return tuple(weight[x, y] for y in range(1, size + 1) for x in range(1, size + 1))


def test_ten_by_ten_has_192_lines():
    across = {"horizontal": (1, 0), "vertical": (0, 1), "slash": (1, 1), "backslash": (-1, 1)}
    ways = [way[2:] for way in every_line(10, 5)]
    counts = {name: ways.count(way) for name, way in across.items()}
    assert counts == {"horizontal": 60, "vertical": 60, "slash": 36, "backslash": 36}
    assert len(board_of(10, 5).lines) == len(ways) == 192


@pytest.mark.slow
@together("size", range(3, 26))
def test_the_number_of_lines_by_its_formula(size):
    for line in range(2, size + 1):
        delta = size + 1 - line
        expected = 2 * size * delta + 2 * delta**2
        assert len(board_of(size, line).lines) == expected == sum(1 for _ in every_line(size, line))


def test_the_table_of_the_document():
    assert document_table(5) == {5: 20, 4: 10, 3: 5, 2: 2, 1: 2}
    assert document_table(6) == {6: 24, 5: 12, 4: 6, 3: 3, 2: 3, 1: 3}
    assert document_table(3) == {3: 12, 2: 6, 1: 3}
    assert document_table(2) == {2: 8, 1: 4}
    for line in range(2, 26):
        assert document_table(line) == {number: printed_row(line, number) for number in range(1, line + 1)}


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("chunk", range(8))
def test_random_boards_against_the_documents_procedure(chunk):
    chance = random.Random(chunk)
    for _ in range(40):
        size = chance.choice((3, 3, 4, 5, 6, 7, 8, 10, 13))
        line = chance.randint(2, size)
        cells = random_cells(size, chance)
        compare(cells, size, line, chance)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(("size", "line"), [(19, 5), (25, 5), (25, 2), (25, 25), (19, 6)])
def test_large_boards_against_the_documents_procedure(size, line):
    chance = random.Random(size * line)
    for _ in range(3):
        compare(random_cells(size, chance), size, line, chance)


def compare(cells, size, line, chance):
    board, stones = board_of(size, line), stones_of(cells, size)
    own = {number: chance.randint(0, 30) for number in range(1, line + 1)}
    expected = {}
    for count, more in ((PLACED, 0), (AFTER, 1)):
        for side in (0, 1):
            printed = flat(matrix(cells, size, line, side + 1, lambda n, more=more: printed_row(line, n + more)), size)
            assert side_weights(board, stones, side, document_table(line), count) == printed
            expected[count, side] = printed
            # a full line has no empty cell, so no row beyond the table is needed
            special = flat(matrix(cells, size, line, side + 1, lambda n, more=more: own.get(n + more, 0)), size)
            assert side_weights(board, stones, side, own, count) == special
        for side in (0, 1):
            mine, theirs = expected[count, side], expected[count, 1 - side]
            together = tuple(a + b for a, b in zip(mine, theirs, strict=True))
            for strategy, weights in ((OFFENSIVE, mine), (DEFENSIVE, theirs), (BOTH, together)):
                weighing = weigh(board, stones, side, strategy=strategy, count=count)
                assert weighing.weights == weights
                urgent = naive_urgent(cells, size, line, side + 1, strategy) if count == AFTER else []
                assert weighing.best == naive_best(cells, size, weights, urgent)


def completing(cells, size, line, side):
    """The cells that complete a line of a side."""
    return {
        cell
        for x, y, dx, dy in every_line(size, line)
        if pieces_of(cells, x, y, dx, dy, line, side) == line - 1
        for i in range(line)
        if cells[cell := (x + i * dx, y + i * dy)] == BLANK
    }


def naive_urgent(cells, size, line, side, strategy):
    """The cells that complete an own line, else a line of the opponent, as far as the strategy weighs them."""
    sides = {OFFENSIVE: [side], DEFENSIVE: [3 - side], BOTH: [side, 3 - side]}[strategy]
    return next(filter(None, (completing(cells, size, line, each) for each in sides)), set())


def naive_best(cells, size, weights, urgent=()):
    """The urgent cells if there are any; highest first, then nearest to the middle by the farther coordinate."""
    free = [(x, y) for y in range(1, size + 1) for x in range(1, size + 1) if cells[x, y] == BLANK]
    free = [cell for cell in free if cell in urgent] or free
    weight = {(x, y): weights[(y - 1) * size + x - 1] for x, y in free}
    heaviest = [cell for cell in free if weight[cell] == max(weight.values())]
    away = {(x, y): max(abs(x - (size + 1) / 2), abs(y - (size + 1) / 2)) for x, y in heaviest}
    return tuple((y - 1) * size + x - 1 for x, y in heaviest if away[x, y] == min(away.values()))


def test_both_counts_weigh_the_same_for_lines_up_to_four():
    chance = random.Random(5)
    for line in (2, 3, 4):
        placed, after = ([printed_row(line, number + more) for number in range(1, line)] for more in (0, 1))
        assert after == [2 * weight for weight in placed]
        for _ in range(20):
            size = chance.randint(max(line, 3), 9)
            stones = stones_of(random_cells(size, chance), size)
            placed, after = (weigh(board_of(size, line), stones, 0, count=count).weights for count in (PLACED, AFTER))
            assert after == tuple(2 * weight for weight in placed)


# ── the last pieces of a line ────────────────────────────────────────────────────────────────────


def test_a_win_in_one_is_taken_by_default():
    here = pentad.new("pente", rules="lines")
    for move in ("E5", "A1", "F5", "A10", "G5", "K1", "H5", "K10"):
        here = here.play(move)
    assert {str(bot("pente", "lines-both", seed=seed).choose(here)) for seed in range(5)} == {"D5"}
    assert {str(bot("pente", "lines-both-placed", seed=seed).choose(here)) for seed in range(5)} == {"F6"}
    assert str(bot("pente", "lines-defensive").choose(here.play("A2"))) == "D5"


def test_a_win_comes_before_a_block_and_a_block_before_all_else():
    """White has four in a row, Black too; crossings of shorter lines weigh more than either end."""
    cells = {(x, y): BLANK for x in range(1, 11) for y in range(1, 11)}
    cells |= dict.fromkeys([(1, 1), (1, 2), (1, 3), (1, 4)], 1) | dict.fromkeys([(10, 1), (10, 2), (10, 3), (10, 4)], 2)
    cells |= dict.fromkeys([(5, 4), (5, 6), (6, 5), (4, 5), (4, 4), (6, 6), (4, 6), (6, 4)], 1)
    board, stones = board_of(10, 5), stones_of(cells, 10)
    assert best_of(weigh(board, stones, 0)) == ["A5"]
    assert best_of(weigh(board, stones, 1)) == ["K5"]
    assert best_of(weigh(board, stones, 1, strategy=DEFENSIVE)) == ["A5"]
    assert best_of(weigh(board, stones, 0, count=PLACED)) == ["E5"]
    weights = weigh(board, stones, 0).weights
    assert weights[board.point(0, 4)] < weights[board.point(4, 4)]
    without = (stones[0] & ~board.bit(0, 0), stones[1])  # White has three, so the block is urgent
    assert best_of(weigh(board, without, 0)) == ["K5"]


def best_of(weighing):
    return [str(weighing.board.stones[point]) for point in weighing.best]


def test_a_win_that_is_not_legal_is_not_chosen():
    cells = {(x, y): BLANK for x in range(1, 6) for y in range(1, 6)} | {(1, 1): 1, (1, 2): 1}
    board, stones = board_of(5, 3), stones_of(cells, 5)
    allowed = board.all_points & ~board.bit(0, 2) & ~(stones[0] | stones[1])
    weighing = weigh(board, stones, 0, allowed=allowed)
    assert weighing.best == weigh(board, stones, 0, allowed=allowed, count=PLACED).best


@pytest.mark.parametrize("seed", range(3))
def test_a_bot_never_misses_a_win_or_a_block(seed):
    """In random games of `lines` the default bot wins if it can, else it blocks if it must."""
    chance, player = random.Random(seed), bot("pente", "lines-both", seed=seed)
    wins = blocks = 0
    for _ in range(8):
        here = pentad.new("pente", rules="lines", size=7, line=4)
        cells = {(x + 1, y + 1): BLANK for x, y in here.board.stones}
        while not here.outcome:
            own, other = (completing(cells, 7, 4, side) for side in (here.turn + 1, 2 - here.turn))
            if own or other:
                ((column, row),) = player.choose(here)
                assert (column + 1, row + 1) in (own or other)
                wins, blocks = wins + bool(own), blocks + (not own)
            ((column, row),) = move = chance.choice(here.legal_moves)
            cells[column + 1, row + 1] = here.turn + 1
            here = here.play(move)
    assert wins
    assert blocks


# ── boards by hand ───────────────────────────────────────────────────────────────────────────────


def weighed(text, side, **about):
    """The weights of a board written from the top, in rows from the top; spaces apart from the size."""
    position = pentad.load(text)
    weighing = weigh(position.board, position.stones, side, **{"count": PLACED, **about})
    size = position.board.size
    rows = [list(weighing.weights[row * size : (row + 1) * size]) for row in range(size)]
    return rows[::-1], [str(position.board.stones[point]) for point in weighing.best]


THREE = "pente rules=lines size=3 line=3 3/1w1/b2"  # white in the middle, black in the corner A1


@pytest.mark.parametrize(
    ("strategy", "rows", "best"),
    [
        # White's row, column and one diagonal are open: 3 a piece for one of three.
        (OFFENSIVE, [[3, 3, 0], [3, 0, 3], [0, 3, 3]], ["B1", "C1", "A2", "C2", "A3", "B3"]),
        # Black's row and column are open, its diagonal is not.
        (DEFENSIVE, [[3, 0, 0], [3, 0, 0], [0, 3, 3]], ["B1", "C1", "A2", "A3"]),
        (BOTH, [[6, 3, 0], [6, 0, 3], [0, 6, 6]], ["B1", "C1", "A2", "A3"]),
    ],
)
def test_three_by_three(strategy, rows, best):
    assert weighed(THREE, 0, strategy=strategy) == (rows, best)
    doubled = [[2 * weight for weight in row] for row in rows]
    assert weighed(THREE, 0, strategy=strategy, count=AFTER) == (doubled, best)
    other = {OFFENSIVE: DEFENSIVE, DEFENSIVE: OFFENSIVE, BOTH: BOTH}[strategy]
    assert weighed(THREE, 1, strategy=other) == (rows, best)


FIVE = "pente rules=lines size=5 5/b4/1www1/b4/5"  # three in a row, with room for just one line


@pytest.mark.parametrize(
    ("strategy", "count", "row", "best"),
    [
        # The only line along row 3 holds three of five. B3, C3 and D3 have a column each, C3 both diagonals too.
        (OFFENSIVE, PLACED, [5, 0, 0, 0, 5], ["A3", "E3"]),
        (OFFENSIVE, AFTER, [10, 0, 0, 0, 10], ["A3", "E3"]),
        # Black's column A holds two of five.
        (DEFENSIVE, PLACED, [2, 0, 0, 0, 0], ["B2", "C2", "D2", "B4", "C4", "D4"]),
        (DEFENSIVE, AFTER, [5, 0, 0, 0, 0], ["A1", "A3", "A5"]),
        (BOTH, PLACED, [7, 0, 0, 0, 5], ["A3"]),
        (BOTH, AFTER, [15, 0, 0, 0, 10], ["A3"]),
    ],
)
def test_five_by_five(strategy, count, row, best):
    rows, chosen = weighed(FIVE, 0, strategy=strategy, count=count)
    assert rows[2] == row
    assert chosen == best


def test_five_by_five_in_full():
    rows, _ = weighed(FIVE, 0, strategy=OFFENSIVE)
    assert rows == [
        [2, 2, 2, 2, 2],
        [0, 4, 2, 4, 0],
        [5, 0, 0, 0, 5],
        [0, 4, 2, 4, 0],
        [2, 2, 2, 2, 2],
    ]
    rows, _ = weighed(FIVE, 0, strategy=DEFENSIVE)
    assert rows == [
        [2, 0, 0, 0, 0],
        [0, 2, 2, 2, 2],
        [2, 0, 0, 0, 0],
        [0, 2, 2, 2, 2],
        [2, 0, 0, 0, 0],
    ]


def test_each_side_has_its_table():
    position = pentad.load(THREE)
    tables = ({1: 1, 2: 0, 3: 0}, {1: 100, 2: 0, 3: 0})
    weighing = weigh(position.board, position.stones, 0, tables=tables, count=PLACED)
    assert weighing.weights == (0, 101, 101, 101, 0, 1, 101, 1, 0)
    assert weigh(position.board, position.stones, 1, tables=tables, count=PLACED).weights == weighing.weights
    defence = weigh(position.board, position.stones, 0, strategy=DEFENSIVE, tables=tables, count=PLACED)
    assert defence.weights == (0, 100, 100, 100, 0, 0, 100, 0, 0)


@together("size", range(3, 26))
@together("strategy", STRATEGIES)
def test_an_empty_board_begins_in_the_centre(size, strategy):
    board = board_of(size, 3)
    best = {tuple(board.stones[point]) for point in weigh(board, (0, 0), 0, strategy=strategy).best}
    middles = {size // 2} if size % 2 else {size // 2 - 1, size // 2}
    assert best == {(column, row) for column in middles for row in middles}


def test_a_board_without_a_free_cell():
    cells = {(x, y): 1 + (x + y // 2) % 2 for x in range(1, 5) for y in range(1, 5)}
    weighing = weigh(board_of(4, 4), stones_of(cells, 4), 0)
    assert weighing.best == ()
    assert set(weighing.weights) == {0}


# ── what is refused ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({1: 2, 2: 2, 3: 5, 4: 10}, "rows for 1 to 5 pieces; the row"),
        ({}, "the row for 1 is missing"),
        ({**document_table(5), 6: 1}, "rows for 1 to 5 pieces, not for 6"),
        ({**document_table(5), 0: 1}, "not for 0"),
        ({**document_table(5), "n": 1}, "not for 'n'"),
        ({**document_table(5), 3: -1}, "A weight must be a whole number from 0 to 1000000000, not -1"),
        ({**document_table(5), 3: 1.5}, "not 1.5"),
        ({**document_table(5), 3: None}, "not None"),
        ({**document_table(5), 3: 10**10}, "not 10000000000"),
        ([2, 2, 5, 10, 20], "A weight table maps 1 to 5 pieces to weights, not"),
        (None, "not None"),
    ],
)
def test_tables_that_are_refused(table, message):
    with pytest.raises(GameError, match=re.escape(message)) as caught:
        check_table(table, 5)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("word", ["wild", "", None, 3, "Both", ["both"]])
def test_unknown_strategies_and_counts(word):
    with pytest.raises(GameError, match="strategy must be defensive, offensive or both"):
        weigh(board_of(5, 5), (0, 0), 0, strategy=word)
    with pytest.raises(GameError, match="count must be after or placed"):
        weigh(board_of(5, 5), (0, 0), 0, count=word)


# ── the bots ─────────────────────────────────────────────────────────────────────────────────────

BOTS = [f"lines-{strategy}{count}" for count in ("", "-placed") for strategy in STRATEGIES]


def test_the_table_of_bots():
    names = list(bots("pente"))
    assert [name for name in names if name.startswith("lines-")] == BOTS
    for name in BOTS:
        assert bot("pente", name).name == name
        assert bots("pente")[name].summary


@pytest.mark.slow
@together("name", BOTS)
@together("rules", RULE_SETS)
def test_every_move_is_legal_in_every_rule_set(rules, name):
    for seed, opponent in enumerate((name, "random")):
        here = pentad.new("pente", rules=rules, size=9)
        seats = [bot("pente", who, seed=seed) for who in (name, opponent)]
        while not here.outcome:
            move = seats[here.turn].choose(here)
            assert move in here.legal_moves
            here = here.play(move)


@pytest.mark.parametrize("opening", OPENINGS)
def test_every_opening(opening):
    for seed in range(3):
        here = pentad.new("pente", opening=opening, size=9)
        players = [bot("pente", name, seed=seed) for name in ("lines-both", "lines-both-placed")]
        while not here.outcome:
            here = here.play(players[here.turn].choose(here))


def test_swap2_chooses_the_colour_with_the_heavier_lines():
    here = pentad.new("pente", opening="swap2", size=9).play("E5 A1 E6")
    assert str(bot("pente", "lines-both", seed=1).choose(here)) == "white"
    here = pentad.new("pente", opening="swap2", size=9).play("A1 E5 A9")
    assert str(bot("pente", "lines-both", seed=1).choose(here)) == "black"


def test_the_heaviest_allowed_cell():
    here = pentad.new("pente", size=13).play("G7").play("G8")  # the tournament rule excludes the centre
    move = bot("pente", "lines-offensive", seed=1).choose(here)
    weighing = weigh(here.board, here.stones, 0, strategy=OFFENSIVE)
    (stone,) = move
    chosen = weighing.weights[here.board.point(*stone)]
    assert chosen < weighing.weights[weighing.best[0]]
    assert chosen == max(weighing.weights[point] for point in range(169) if here.points >> point & 1)


def test_a_seed_repeats_the_choice():
    here = pentad.new("pente", rules="lines", size=10)
    choices = [str(bot("pente", "lines-both", seed=seed).choose(here)) for seed in range(40)]
    assert choices == [str(bot("pente", "lines-both", seed=seed).choose(here)) for seed in range(40)]
    assert set(choices) == {"E5", "E6", "F5", "F6"}


def test_after_the_end_there_is_no_choice():
    over = pentad.load("pente rules=lines size=3 line=3 bb1/3/www")
    with pytest.raises(IllegalMove, match="The game is over"):
        bot("pente", "lines-both").choose(over)


@pytest.mark.parametrize("name", BOTS)
def test_the_bots_beat_random(name):
    for seed in range(6):
        here = pentad.new("pente", rules="lines")
        seats = [bot("pente", name, seed=seed), bot("pente", "random", seed=seed)][:: 1 if seed % 2 else -1]
        while not here.outcome:
            here = here.play(seats[here.turn].choose(here))
        assert here.outcome.winners == (1 - seed % 2,)


# ── the drawing ──────────────────────────────────────────────────────────────────────────────────


def drawn(text, side=0, chosen=True, **about):
    position = pentad.load(text)
    weighing = weigh(position.board, position.stones, side, **about)
    return weighing, weighing.best[0] if chosen else None


def plain(weighing, chosen):
    return ["".join(text for text, _ in line).rstrip() for line in draw_weights.spans(weighing, chosen)]


def test_the_table_as_text():
    assert plain(*drawn(THREE)) == [
        "  3 (12)  6   ·",
        "  2 (12)  ●   6",
        "  1   ○ [12](12)",
        "      A   B   C",
        "    white plays B1, weight 12; 3 more cells are as good",
    ]


@pytest.mark.parametrize("size", [3, 7, 13, 19, 25])
def test_the_table_is_straight(size):
    chance = random.Random(size)
    for _ in range(5):
        weighing = weigh(board_of(size, 3), stones_of(random_cells(size, chance), size), 1)
        lines = draw_weights.spans(weighing, weighing.best[0] if weighing.best else None)[:size]
        cells = [[text for text, _ in line[1:]] for line in lines]
        assert {len(row) for row in cells} == {size}
        assert len({len(text) for row in cells for text in row}) == 1
        numbers = [int(text.strip(" []()")) if text.strip(" []()").isdigit() else 0 for r in cells[::-1] for text in r]
        assert numbers == list(weighing.weights)


def test_the_picture():
    weighing, chosen = drawn(FIVE)
    root = ET.fromstring(draw_weights.svg(weighing, chosen))
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text") if each.get("class") == "weight"]
    assert sorted(map(int, texts)) == sorted(weight for weight in weighing.weights if weight)
    classes = [each.get("class") for each in root.iter()]
    assert classes.count("chosen") == 1
    assert classes.count("best") == len(weighing.best) - 1 == 0
    assert classes.count("cell") == 25
    assert classes.count("ball white") == 3
    assert classes.count("ball black") == 2
    warmth = [float(each.get("fill-opacity")) for each in root.iter() if each.get("class") == "heat"]
    assert max(warmth) == 1
    assert "white plays A3, weight 15" in root[0].text


def test_equal_cells_have_dashes_and_without_a_choice_no_frame():
    weighing, chosen = drawn(THREE)
    assert draw_weights.svg(weighing, chosen).count('class="best"') == 3
    weighing, chosen = drawn("pente rules=lines size=3 line=3 bb1/3/www", allowed=0, chosen=False)
    picture = draw_weights.svg(weighing, chosen)
    assert 'class="best"' not in picture
    assert 'class="chosen"' not in picture
    assert plain(weighing, chosen)[-1] == "    the weights for white"
    assert "<style>" not in draw_weights.svg(weighing, chosen, style=False)


def test_the_text_mentions_illegal_heavier_cells():
    here = pentad.new("pente", size=13).play("G7").play("G8")
    weighing = weigh(here.board, here.stones, 0, allowed=here.points)
    assert draw_weights.status(weighing, weighing.best[0]).endswith("; cells of a higher weight are not legal now")


def test_the_text_says_that_a_line_is_completed_or_blocked():
    board = "pente rules=lines size=5 line=3 5/5/5/bb3/ww3"
    assert plain(*drawn(board))[-1] == "    white plays C1, weight 24, and completes a line"
    assert plain(*drawn(board, strategy=DEFENSIVE))[-1].endswith("white plays C2, weight 18, and blocks a line")
    assert plain(*drawn(board, count=PLACED))[-1].endswith("white plays C2, weight 12")


def test_long_numbers_stay_in_their_cells():
    position = pentad.load(FIVE)
    tables = (dict.fromkeys(range(1, 6), 10**9),) * 2
    picture = draw_weights.svg(weigh(position.board, position.stones, 0, tables=tables))
    root = ET.fromstring(picture)
    for each in root.iter("{http://www.w3.org/2000/svg}text"):
        if each.get("class") == "weight":
            assert float(each.get("font-size")) * draw_weights.DIGIT * len(each.text) <= draw_weights.CELL


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_numbers_can_be_read_in_light_and_dark():
    from pentad import drawing

    for pattern in (r"\.pentad \{([^}]*)\}", r"data-theme=dark\] \.pentad \{([^}]*)\}"):
        colours: dict[str, str] = {}
        for sheet in (drawing.STYLE, draw_weights.STYLE):
            found = re.search(pattern, sheet)
            assert found
            colours |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", found[1]))
        ink, ground, heat = (luminance(colours[name]) for name in ("ink", "ground", "heat"))
        for under in (ground, heat):
            assert (max(ink, under) + 0.05) / (min(ink, under) + 0.05) >= 4.5

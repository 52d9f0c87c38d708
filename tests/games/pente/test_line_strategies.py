"""The class `PenteGame` of the requirement document: the board, the end, choices and errors."""

from __future__ import annotations

import random
import re

import pytest

import pentad
from pentad.game import GameError, IllegalMove, InvalidMove
from pentad.games.pente import PenteGame
from pentad.games.pente.line_strategies import (
    BLANK,
    COUNTS,
    PLAYER,
    STRATEGIES,
    SYSTEM,
    Cell,
    TpenteGame,
    document_table,
)
from tests.cases import together
from tests.games.pente.test_line_strategies_bots import (
    every_line,
    matrix,
    naive_best,
    naive_urgent,
    pieces_of,
    printed_row,
)
from tests.programs import run


def board_with(player=(), system=(), size=10, line=5, **about):
    game = PenteGame(size, line, **about)
    for piece, cells in ((PLAYER, player), (SYSTEM, system)):
        for x, y in cells:
            game.set_board(x, y, piece)
    return game


# ── the board ────────────────────────────────────────────────────────────────────────────────────


def test_a_new_game():
    game = PenteGame()
    assert (game.size, game.line, game.line_count) == (10, 5, 192)
    assert (game.winner, game.tie) == (None, False)
    assert {game.get_board(x, y) for x in range(1, 11) for y in range(1, 11)} == {BLANK}
    assert game.player_table == game.system_table == {1: 2, 2: 2, 3: 5, 4: 10, 5: 20}
    assert game.count == "after"
    assert repr(game) == "<PenteGame(size=10, line=5), pieces: player 0, system 0>"


def test_pieces_stay_on_their_cells():
    game = board_with(player=[(1, 1), (10, 1)], system=[(1, 10)])
    found = {(x, y): game.get_board(x, y) for x in range(1, 11) for y in range(1, 11) if game.get_board(x, y)}
    assert found == {(1, 1): PLAYER, (10, 1): PLAYER, (1, 10): SYSTEM}
    assert repr(game).endswith("player 2, system 1>")


def test_the_class_prints_and_draws_nothing(capsys):
    game = board_with(player=[(5, 5)])
    game.choose_cell()
    game.weights(PLAYER)
    assert capsys.readouterr() == ("", "")
    code = (
        "import sys; from pentad.games.pente import PenteGame; PenteGame().choose_cell(); "
        "print(*(name for name in sys.modules if 'draw' in name or 'terminal' in name))"
    )
    assert run(code) == ("", "")


# ── the end ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("way", [(1, 0), (0, 1), (1, 1), (1, -1)])
@pytest.mark.parametrize("piece", [PLAYER, SYSTEM])
def test_a_line_wins(way, piece):
    dx, dy = way
    cells = [(3 + i * dx, 6 + i * dy) for i in range(5)]
    game = PenteGame()
    for x, y in cells[:-1]:
        game.set_board(x, y, piece)
        assert game.winner is None
    game.set_board(*cells[-1], piece)
    assert game.winner == piece
    assert game.tie is False
    before = repr(game)
    who = {PLAYER: "the player", SYSTEM: "the system"}[piece]
    for call in (lambda: game.set_board(1, 1, PLAYER), game.choose_cell):
        with pytest.raises(IllegalMove, match=f"is over: {who} has made a line"):
            call()
    assert game.best_cells() == []
    assert repr(game) == before


def test_more_than_a_line_wins():
    game = board_with(player=[(1, 1), (2, 1), (3, 1), (5, 1), (6, 1), (7, 1)])
    assert game.winner is None
    game.set_board(4, 1, PLAYER)
    assert game.winner == PLAYER


def test_a_line_does_not_go_around_the_edge():
    assert board_with(player=[(8, 1), (9, 1), (10, 1), (1, 2), (2, 2)]).winner is None


def test_a_tie_is_found_at_once():
    # Four by four: every row, column and diagonal has one piece of each, and half of the cells are blank.
    game = PenteGame(4, 4)
    for x, y, piece in [(1, 1, 1), (2, 3, 1), (3, 4, 1), (4, 2, 1), (1, 2, 2), (2, 4, 2), (3, 3, 2), (4, 1, 2)]:
        assert not game.tie
        game.set_board(x, y, piece)
    assert game.tie
    assert game.winner is None
    before = repr(game)
    for call in (lambda: game.set_board(1, 3, PLAYER), game.choose_cell):
        with pytest.raises(IllegalMove, match="it is a tie"):
            call()
    assert game.best_cells() == []
    assert repr(game) == before


def test_a_tie_with_one_cell_left():
    game = PenteGame(3, 3)
    for x, y, piece in [(2, 2, 1), (1, 1, 2), (3, 1, 1), (1, 3, 2), (1, 2, 1), (3, 2, 2), (2, 1, 2), (2, 3, 1)]:
        assert not game.tie
        game.set_board(x, y, piece)
    assert game.tie
    assert game.get_board(3, 3) == BLANK


def naive_end(cells, size, line):
    """The side with a line, and whether every line holds pieces of both."""
    for side in (PLAYER, SYSTEM):
        if any(pieces_of(cells, *way, line, side) == line for way in every_line(size, line)):
            return side, False
    open_lines = (
        way for way in every_line(size, line) if max(pieces_of(cells, *way, line, side) for side in (1, 2)) >= 0
    )
    return None, next(open_lines, None) is None


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(6))
def test_random_games_in_any_order_against_plain_loops(chunk):
    chance = random.Random(chunk)
    ends = set()
    for _ in range(25):
        size = chance.randint(3, 7)
        line = chance.randint(2 if size > 5 else 3, size)
        count, seed = chance.choice(list(COUNTS)), chance.randrange(1000)
        game = PenteGame(size, line, count=count, seed=seed)
        cells = dict.fromkeys(((x, y) for x in range(1, size + 1) for y in range(1, size + 1)), BLANK)
        for cell in chance.sample(sorted(cells), len(cells)):
            check_choices(game, cells, size, line)
            piece = chance.choice((PLAYER, SYSTEM))  # no turns: the document's board accepts any order
            cells[cell] = piece
            game.set_board(*cell, piece)
            assert game.get_board(*cell) == piece
            assert (game.winner, game.tie) == naive_end(cells, size, line)
            if game.winner or game.tie:
                ends.add((game.winner, BLANK in cells.values()))
                break
        assert game.winner or game.tie
    assert ends >= {(PLAYER, True), (SYSTEM, True), (None, True)}


def check_choices(game, cells, size, line):
    more = int(game.count == "after")
    weights = {}
    for side in (PLAYER, SYSTEM):
        weights[side] = matrix(cells, size, line, side, lambda n: printed_row(line, n + more))
        rows = game.weights(side)
        assert {(x, y): rows[y - 1][x - 1] for x, y in cells} == weights[side]
    looked_at = {"defensive": [PLAYER], "offensive": [SYSTEM], "both": [PLAYER, SYSTEM]}
    for strategy in STRATEGIES:
        together = [
            sum(weights[side][x, y] for side in looked_at[strategy])
            for y in range(1, size + 1)
            for x in range(1, size + 1)
        ]
        urgent = naive_urgent(cells, size, line, SYSTEM, strategy) if game.count == "after" else ()
        expected = [(point % size + 1, point // size + 1) for point in naive_best(cells, size, together, urgent)]
        assert game.best_cells(strategy) == expected
        assert game.choose_cell(strategy) in expected


@together("seed", range(20))
def test_the_same_ends_as_the_rule_set_lines(seed):
    chance = random.Random(seed)
    size = chance.randint(3, 9)
    line = chance.randint(3, size)
    here, game = pentad.new("pente", rules="lines", size=size, line=line), PenteGame(size, line)
    assert game.line_count == here.line_count
    while not here.outcome:
        move = chance.choice(here.legal_moves)
        ((column, row),) = move
        game.set_board(column + 1, row + 1, here.turn + 1)
        here = here.play(move)
        winners = here.outcome.winners if here.outcome else ()
        assert game.winner == (winners[0] + 1 if winners else None)
        assert game.tie == (here.outcome is not None and not winners)


# ── the strategy ─────────────────────────────────────────────────────────────────────────────────

THREE_IN_A_ROW = [(5, 5), (6, 5), (7, 5)]


@pytest.mark.parametrize(
    ("count", "row"),
    [
        # Of (4, 5) four lines hold 1, 2, 3 and 3 pieces; of (8, 5) three hold 3, 3 and 2; and so on.
        ("placed", [2, 2 + 2, 2 + 2 + 5, 2 + 2 + 5 + 5, 0, 0, 0, 5 + 5 + 2, 5 + 2, 2]),
        ("after", [2, 2 + 5, 2 + 5 + 10, 2 + 5 + 10 + 10, 0, 0, 0, 10 + 10 + 5, 10 + 5, 5]),
    ],
)
def test_three_in_a_row(count, row):
    game = board_with(player=THREE_IN_A_ROW, count=count)
    assert game.weights(PLAYER)[4] == row
    assert {weight for each in game.weights(SYSTEM) for weight in each} == {0}
    # With the count `placed`, a crossing of short lines outweighs the end of the long one.
    chosen = {"placed": Cell(6, 6), "after": Cell(4, 5)}[count]
    assert game.choose_cell("defensive") == game.choose_cell() == game.choose_cell("offensive", PLAYER) == chosen
    assert game.best_cells("offensive") == [(5, 6), (6, 6)]  # no lines of its own: nearest to the centre


def test_tables_can_be_set():
    game = board_with(player=[(1, 1)], system=[(3, 3)], size=3, line=3, count="placed")
    game.player_table = {1: 1, 2: 0, 3: 0}
    game.system_table = {1: 100, 2: 0, 3: 0}
    assert game.weights(PLAYER) == [[0, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert game.weights(SYSTEM) == [[0, 0, 100], [0, 0, 100], [100, 100, 0]]
    assert game.best_cells() == [(3, 1), (1, 3)]
    same = PenteGame(3, 3, player_table={1: 1, 2: 0, 3: 0}, system_table={1: 100, 2: 0, 3: 0})
    assert (same.player_table, same.system_table) == (game.player_table, game.system_table)


def test_a_table_is_only_changed_by_setting_it():
    game, rows = PenteGame(), document_table(5)
    game.player_table = rows
    rows[1] = 1000
    game.player_table[2] = 1000
    assert game.player_table == document_table(5)


def test_a_refused_table_changes_nothing():
    game = PenteGame()
    with pytest.raises(GameError):
        game.system_table = {1: 5}
    with pytest.raises(GameError):
        game.count = "before"
    assert game.system_table == document_table(5)
    assert game.count == "after"


def test_choosing_places_nothing_and_a_seed_repeats_it():
    cells = [PenteGame(seed=seed).choose_cell() for seed in range(40)]
    assert cells == [PenteGame(seed=seed).choose_cell() for seed in range(40)]
    assert set(cells) == {(5, 5), (5, 6), (6, 5), (6, 6)}
    game = PenteGame(seed=1)
    assert {game.choose_cell() for _ in range(60)} == set(cells)
    assert game.get_board(5, 5) == BLANK
    assert PenteGame(7).choose_cell() == Cell(4, 4)


def test_the_names_of_the_document():
    game = TpenteGame(seed=1)
    game.setBoard(5, 5, PLAYER)
    assert game.getBoard(5, 5) == game.get_board(5, 5) == PLAYER
    assert game.ChooseCell("offensive-defensive") in game.best_cells("both")
    assert game.ChooseCell("defensive") in game.best_cells("defensive")
    assert TpenteGame is PenteGame


def test_a_whole_game_of_the_system_against_chance():
    chance = random.Random(3)
    game = PenteGame(10, 5, seed=3)
    while not (game.winner or game.tie):
        free = [(x, y) for x in range(1, 11) for y in range(1, 11) if not game.get_board(x, y)]
        game.set_board(*chance.choice(free), PLAYER)
        game.set_board(*game.choose_cell(), SYSTEM)
    assert game.winner == SYSTEM


# ── what is refused ──────────────────────────────────────────────────────────────────────────────

REFUSED_GAMES = {
    "size 2": ((2, 2), "Option size must be a whole number from 3 to 25, not 2"),
    "size 26": ((26, 5), "Option size must be a whole number from 3 to 25, not 26"),
    "size in words": (("ten", 5), "Option size must be a whole number from 3 to 25, not 'ten'"),
    "size by half": ((9.5, 5), "not 9.5"),
    "a line longer than the board": ((5, 6), "A line of 6 does not fit on a board of size 5."),
    "a line of one": ((5, 1), "Option line must be a whole number from 2 to 25, not 1"),
    "a line of none": ((5, None), "Option line must be a whole number from 2 to 25, not None"),
}


@pytest.mark.parametrize("case", REFUSED_GAMES)
def test_games_that_are_refused(case):
    arguments, message = REFUSED_GAMES[case]
    with pytest.raises(GameError, match=re.escape(message)) as caught:
        PenteGame(*arguments)
    assert str(caught.value).isprintable()


REFUSED_CALLS = {
    "a taken cell": (IllegalMove, lambda g: g.set_board(5, 5, 2), "The cell (5, 5) holds a piece of the player"),
    "the same again": (IllegalMove, lambda g: g.set_board(5, 5, 1), "pieces are never replaced"),
    "x beyond": (InvalidMove, lambda g: g.set_board(11, 1, 1), "x is a whole number from 1 to 10, not 11"),
    "x before": (InvalidMove, lambda g: g.get_board(0, 1), "x is a whole number from 1 to 10, not 0"),
    "y beyond": (InvalidMove, lambda g: g.get_board(1, 11), "y is a whole number from 1 to 10, not 11"),
    "y negative": (InvalidMove, lambda g: g.set_board(1, -1, 1), "y is a whole number from 1 to 10, not -1"),
    "y no number": (InvalidMove, lambda g: g.set_board(1, "A", 1), "y is a whole number from 1 to 10, not 'A'"),
    "x true": (InvalidMove, lambda g: g.set_board(True, 1, 1), "x is a whole number from 1 to 10, not True"),
    "piece 3": (InvalidMove, lambda g: g.set_board(1, 1, 3), "A piece must be 1 (the player) or 2 (the system), not 3"),
    "taking a piece off": (InvalidMove, lambda g: g.set_board(5, 5, 0), "A piece must be 1 (the player) or 2"),
    "weights of nobody": (
        InvalidMove,
        lambda g: g.weights(0),
        "A side must be 1 (the player) or 2 (the system), not 0",
    ),
    "choosing for nobody": (InvalidMove, lambda g: g.choose_cell("both", 3), "A side must be 1 (the player) or 2"),
    "unknown strategy": (
        GameError,
        lambda g: g.choose_cell("wild"),
        "The strategy must be defensive, offensive or both",
    ),
    "no strategy": (GameError, lambda g: g.choose_cell(None), "The strategy must be defensive, offensive or both"),
    "unknown count": (GameError, lambda g: setattr(g, "count", "all"), "The count must be after or placed, not 'all'"),
    "a short table": (GameError, lambda g: setattr(g, "player_table", {1: 1}), "the row for 2 is missing"),
    "a list": (GameError, lambda g: setattr(g, "player_table", [1, 2, 3, 4, 5]), "A weight table maps"),
}


@together("case", REFUSED_CALLS)
def test_calls_that_are_refused(case):
    kind, call, message = REFUSED_CALLS[case]
    game = board_with(player=[(5, 5)], system=[(6, 6)])
    with pytest.raises(kind, match=re.escape(message)) as caught:
        call(game)
    assert str(caught.value).isprintable()
    assert repr(game).endswith("player 1, system 1>")
    assert (game.get_board(5, 5), game.get_board(6, 6)) == (PLAYER, SYSTEM)

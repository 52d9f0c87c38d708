"""The document's interface: its options and aliases, `game(…)`, `valid_moves`, `move`, `game_over`, `value`, `play`."""

from __future__ import annotations

import random

import pytest

import pentad
from pentad.game import GameError, IllegalMove, InvalidMove
from pentad.games.pente.beam import ALIASES, LINE, OPTIONS, Beam, BeamOptions, bot_name, options_help
from pentad.games.pente.predicates import (
    choose_move,
    display_game,
    evaluate_board,
    from_position,
    game,
    game_over,
    move,
    reevaluate_board,
    start,
    to_position,
    valid_moves,
    value,
)
from pentad.terminal.pente.prolog import play
from tests.cases import together

# ── the options ──────────────────────────────────────────────────────────────────────────────────


def test_the_defaults_are_those_of_the_document():
    options = BeamOptions.of()
    assert (options.size, options.difficulty, options.flip, options.tournament_rule) == (19, 3, False, True)
    assert options.beam == Beam(5, 2, (4, 3, 2))


@pytest.mark.parametrize(
    ("alias", "name", "given"),
    [("board_size", "size", 13), ("flip_board", "flip", True), ("rule", "tournament_rule", False)],
)
def test_aliases(alias, name, given):
    assert ALIASES[alias] == name
    assert BeamOptions.of(**{alias: given}) == BeamOptions.of(**{name: given})
    assert getattr(BeamOptions.of(**{alias: given}), name) == given
    with pytest.raises(GameError, match="same option"):
        BeamOptions.of(**{alias: given, name: given})


@pytest.mark.parametrize(
    ("given", "beam"),
    [
        ({"difficulty": 1}, Beam(2, 1, (3, 3))),
        ({"difficulty": 5}, Beam(7, 2, (5, 4, 3, 2))),
        ({"difficulty": 1, "depth": 0}, Beam(0, 1, (3, 3))),
        ({"padding": 0}, Beam(5, 0, (4, 3, 2))),
        ({"width": 7}, Beam(5, 2, (7,))),
        ({"width": [7, 1], "depth": 4}, Beam(4, 2, (7, 1))),
        ({"width": (2,)}, Beam(5, 2, (2,))),
    ],
)
def test_given_options_override_the_difficulty(given, beam):
    assert BeamOptions.of(**given).beam == beam


@together(
    ("given", "message"),
    [
        ({"size": 12}, "size must be an odd number"),
        ({"board_size": 5}, "board_size must be an odd number from 7 to 25, not 5"),
        ({"size": 27}, "size must be an odd number"),
        ({"size": "13"}, "size must be an odd number"),
        ({"size": True}, "size must be an odd number"),
        ({"difficulty": 6}, "difficulty must be a whole number from 1 to 5, not 6"),
        ({"difficulty": 0}, "difficulty must be a whole number from 1 to 5, not 0"),
        ({"depth": -1}, "depth must be a whole number from 0 to 200, not -1"),
        ({"depth": 2.0}, "depth must be a whole number from 0 to 200, not 2.0"),
        ({"depth": None}, "depth must be a whole number from 0"),
        ({"padding": -1}, "padding must be a whole number of 0 or more, not -1"),
        ({"width": []}, "width must be a positive number"),
        ({"width": 0}, "width must be a positive number"),
        ({"width": [4, 0]}, "width must be a positive number"),
        ({"width": "43"}, "width must be a positive number"),
        ({"width": [True]}, "width must be a positive number"),
        ({"flip": 1}, "flip must be true or false, not 1"),
        ({"rule": "yes"}, "rule must be true or false, not 'yes'"),
        ({"colour": "w"}, "Unknown option colour."),
    ],
)
def test_invalid_options_are_one_line_errors(given, message):
    for ask in (BeamOptions.of, start, play):
        with pytest.raises(GameError) as refused:
            ask(**given)
        assert str(refused.value).startswith(message)
        assert "\n" not in str(refused.value)


def test_options_are_checked_however_they_are_made():
    with pytest.raises(GameError, match="size must be an odd number"):
        BeamOptions(size=4)
    with pytest.raises(GameError, match="width must be a positive number"):
        BeamOptions(width=())


def test_help_lists_them_as_the_document_does():
    text = options_help()
    for form in ("board_size(S) or size(S)", "flip_board(B) or flip(B)", "tournament_rule(B) or rule(B)", "width(W)"):
        assert f"- {form}" in text
    for default in ("Default: 19", "Default: 3", "Default (difficulty 3): 5", "Default (difficulty 3): [4,3,2]"):
        assert f"  {default}\n" in text
    assert text.endswith("Example: play([size(13), difficulty(1), rule(false)])")
    assert all(f"{name}(" in text for name in (*OPTIONS, *ALIASES))


# ── states and positions ─────────────────────────────────────────────────────────────────────────


def test_the_first_state():
    state = start(size=7, difficulty=2)
    assert state == game([["c"] * 7 for _ in range(7)], "w", [0, 0], 0, BeamOptions(size=7, difficulty=2))
    board, player, captures, turn, options = state
    assert (board[0][0], player, captures, turn, options.size) == ("c", "w", [0, 0], 0, 7)


def test_the_first_row_is_the_upper_one():
    state = move(move(start(size=7), "D4"), "A7")
    assert state.board[0] == ["b", "c", "c", "c", "c", "c", "c"]
    assert state.board[3][3] == "w"
    assert (state.player, state.turn) == ("w", 2)


@pytest.mark.slow
@together("seed", range(12))
def test_random_games_both_ways(seed):
    """States and positions convert both ways, with captures and the end of the game."""
    chance = random.Random(seed)
    state = start(size=chance.choice((7, 9, 13)), rule=chance.random() < 0.5, difficulty=1)
    position = to_position(state)
    assert position == pentad.new("pente", size=state.options.size, tournament_rule=state.options.tournament_rule)
    while not position.outcome:
        assert set(map(str, valid_moves(state.board, state.turn, state.options.tournament_rule))) == {
            str(each) for each in position.legal_moves
        }
        assert not game_over(state)
        stone = chance.choice(position.legal_moves)
        position, state = position.play(stone), move(state, str(stone))
        assert state == from_position(position, state.options)
        assert to_position(state) == position
        assert to_position(state).outcome == position.outcome
        assert state.captures == list(position.captures)
        assert value(state, "w") == -value(state, "b")
    assert game_over(state)
    assert [game_over(state, player) for player in "wb"] == [seat in position.outcome.winners for seat in (0, 1)]
    with pytest.raises(IllegalMove, match="The game is over"):
        move(state, "A1")
    with pytest.raises(GameError, match="The game is over"):
        choose_move(state)


def played(moves, **options):
    state = start(**options)
    for each in moves.split():
        state = move(state, each)
    return state


def test_a_move_places_a_stone_and_advances_the_turn():
    state = played("K10 L10 G6 M10 N10", rule=False)
    assert state.captures == [2, 0]
    assert (state.player, state.turn) == ("b", 5)
    assert state.board[9][9:13] == ["w", "c", "c", "w"]
    before = played("K10 L10", rule=False)
    move(before, "G6")
    assert before == played("K10 L10", rule=False)


def test_captures_may_pass_ten():
    moves = "K10 B1 A1 C1 D1 B3 A3 C3 D3 B5 A5 C5 D5 B7 A7 C7 D7 L10 N13 M10 T19 N11 T17 N12 N10"
    state = played(moves, rule=False)
    assert state.captures == [12, 0]
    assert game_over(state, "w")
    assert not game_over(state, "b")
    assert to_position(state).outcome.reason == "captures"
    assert value(state, "w") > 2 ** (LINE - 1)


def test_an_evaluation_is_advanced_as_the_document_names_it():
    state = start(size=9, rule=False)
    evaluation = evaluate_board(state)
    for each in ("E5", "F5", "A1", "G5", "D5", "A2", "H5", "B2"):
        after = move(state, each)
        assert reevaluate_board(evaluation, state, after) is evaluation
        assert evaluation.balances == evaluate_board(after).balances
        state = after
    assert state.captures != [0, 0]


def test_a_full_board_is_a_draw():
    # No five in a row: columns of two by two, the middle last.
    rows = ["wwbbwwb", "bbwwbbw"] * 3 + ["wwbbwwb"]
    board = [list(row) for row in rows]
    white, black = (sum(row.count(mark) for row in rows) for mark in "wb")
    assert (white, black) == (25, 24)
    state = game(board, "b", [0, 0], 49, BeamOptions(size=7))
    assert game_over(state)
    assert not game_over(state, "w")
    assert not game_over(state, "b")
    assert to_position(state).outcome.reason == "full board"


def test_a_five_is_found_wherever_it_stands():
    state = played("K10 A1 L10 A3 M10 A5 N10 A7 O10", rule=False)
    assert game_over(state, "w")
    assert not game_over(state, "b")
    assert value(state, "w") > 2 ** (LINE - 1)


def test_values():
    assert value(start(), "w") == value(start(), "b") == 0
    state = played("K10 A1 L10 C1 M10 E1", rule=False)
    assert value(state, "w") > 0 > value(state, "b")
    assert value(played("K10 L10 G6 M10 N10", rule=False), "w") > 0


EMPTY = start(size=7).board


@together(
    ("change", "message"),
    [
        ({"board": EMPTY[:6]}, "A board has an odd number"),
        ({"board": [["c"] * 9 for _ in range(9)]}, "The board has 9 rows, but"),
        ({"board": [*EMPTY[:6], ["c"] * 6]}, "Row 1 must have 7 points, not 6."),
        ({"board": [*EMPTY[:6], ["x", *"cccccc"]]}, "A1 must hold w, b or c, not 'x'"),
        ({"board": [*EMPTY[:6], [None] * 7]}, "A1 must hold w, b or c, not None"),
        ({"board": "ccc"}, "A board must be a list of rows"),
        ({"board": None}, "A board must be a list of rows"),
        ({"board": [*EMPTY[:6], ["b", *"cccccc"]]}, "White placed 0 stones and black 1,"),
        ({"player": "b"}, "At turn 0 the player is w, not 'b'"),
        ({"turn": 2}, "The turn must be 0, the number"),
        ({"turn": "0"}, "The turn must be 0, the number"),
        ({"captures": [1, 0]}, "Captures must be two even numbers of 0 or more"),
        ({"captures": [0, -2]}, "Captures must be two even numbers of 0 or more"),
        ({"captures": [0]}, "Captures must be two even numbers of 0 or more"),
        ({"captures": "00"}, "Captures must be two even numbers of 0 or more"),
        ({"captures": [2, 0]}, "White placed 0 stones and black 2,"),
        ({"options": {"size": 7}}, "A state's options must be Options"),
    ],
)
def test_invalid_states(change, message):
    state = start(size=7)._replace(**change)
    for ask in (to_position, game_over, display_game, lambda each: move(each, "D4"), lambda each: value(each, "w")):
        with pytest.raises(GameError) as refused:
            ask(state)
        assert str(refused.value).startswith(message)
        assert "\n" not in str(refused.value)


def test_other_invalid_arguments():
    with pytest.raises(GameError, match="A state must be game"):
        to_position("game")
    with pytest.raises(GameError, match="A player must be w or b, not 'white'"):
        game_over(start(), "white")
    with pytest.raises(GameError, match="A player must be w or b, not 0"):
        value(start(), 0)
    with pytest.raises(InvalidMove, match="is not a point"):
        move(start(), "I9")
    with pytest.raises(IllegalMove, match="goes to the centre"):
        move(start(), "A1")
    for options in ({"rules": "keryo"}, {"opening": "free"}, {"opening": "pro"}, {"rules": "gomoku"}):
        with pytest.raises(GameError, match="cannot hold the position"):
            from_position(pentad.new("pente", **{"size": 13, **options}))
    with pytest.raises(GameError, match="cannot hold the position"):
        from_position(pentad.new("pente"), BeamOptions(size=13))


# ── valid_moves ──────────────────────────────────────────────────────────────────────────────────


def texts(stones):
    return {str(stone) for stone in stones}


def test_valid_moves_of_a_board_are_all_its_empty_points():
    assert len(valid_moves(start(size=13).board)) == 169
    state = played("K10 L10")
    assert len(valid_moves(state.board)) == 359
    assert "K10" not in texts(valid_moves(state.board))
    assert valid_moves([["w"] * 7] * 7) == []


def test_valid_moves_by_turn():
    empty, second = start(), played("K10 L10")
    assert texts(valid_moves(empty.board, 0)) == {"K10"}
    assert len(valid_moves(played("K10").board, 1)) == 360
    found = texts(valid_moves(second.board, 2))
    assert found == texts(valid_moves(second.board, 2, True))
    assert {"N10", "K13", "H13", "N13"} <= found
    assert not {"M12", "K12", "K11"} & found
    assert len(found) == 361 - 25
    assert len(valid_moves(played("K10 L10 N10").board, 3)) == 358


def test_valid_moves_by_turn_and_rule():
    second = played("K10 L10")
    assert len(valid_moves(second.board, 2, False)) == 359
    assert texts(valid_moves(start().board, 0, False)) == {"K10"}
    assert len(valid_moves(played("D4 D5", size=7).board, 2, True)) == 24  # the border has 24 points


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([["c"] * 4] * 4,), "A board has an odd number of rows"),
        ((EMPTY, -1), "turn must be a whole number of 0 or more, not -1"),
        ((EMPTY, "0"), "turn must be a whole number of 0 or more, not '0'"),
        ((EMPTY, 2, 1), "rule must be true or false, not 1"),
    ],
)
def test_valid_moves_refuses(arguments, message):
    with pytest.raises(GameError, match=message):
        valid_moves(*arguments)


# ── the bot, the board, a game ───────────────────────────────────────────────────────────────────


def test_the_bot_of_the_options_moves():
    state = start(size=13, difficulty=1)
    for _ in range(6):
        stone = choose_move(state, seed=1)
        assert stone in valid_moves(state.board, state.turn)
        assert stone == choose_move(state, seed=1)
        state = move(state, stone)
    four = played("K10 A1 L10 C1 M10 E1 N10 A3", depth=0, padding=0, width=1, rule=False)
    assert str(choose_move(move(move(four, "A5"), "A7"))) in ("J10", "O10")


def test_the_board_turns_for_black(capsys):
    def shown(state):
        display_game(state)
        return capsys.readouterr().out.splitlines()

    assert shown(start(size=7, flip=True))[1].split()[0] == "7"
    assert shown(played("D4", size=7, flip=True))[1].split()[0] == "1"
    assert shown(played("D4", size=7))[1].split()[0] == "7"
    assert shown(played("D4 D5", size=7, flip=True))[1].split()[0] == "7"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({}, "beam-3"),
        ({"difficulty": "5"}, "beam-5"),
        ({"width": "4,3,2"}, "beam:width=4-3-2"),
        ({"width": "[4, 3]", "depth": "0"}, "beam:depth=0,width=4-3"),
        ({"difficulty": "2", "padding": "1"}, "beam:difficulty=2,padding=1"),
        ({"padding": "99999999999", "width": " [ 10000000000, 2 ] "}, "beam:padding=99999999999,width=10000000000-2"),
    ],
)
def test_settings_name_a_bot(given, name):
    assert bot_name(given) == name
    assert pentad.bot("pente", name).name == name


@together(
    "given",
    [
        {"depth": "-1"},
        {"width": "[]"},
        {"width": ""},
        {"width": "[[3]]"},
        {"width": "[3"},
        {"width": "3]"},
        {"width": "3,,2"},
        {"width": "3.5"},
        {"difficulty": "6"},
        {"depth": "x"},
        {"depth": "9" * 10_000},
        {"padding": "9" * 10_000},
    ],
)
def test_invalid_settings(given):
    with pytest.raises(GameError) as refused:
        bot_name(given)
    assert "\n" not in str(refused.value)

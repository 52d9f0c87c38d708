"""Queries of Prolog: the predicates of the requirement document, their answers, and what is refused in one line."""

from __future__ import annotations

import doctest
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError
from pentad.games.pente import predicates
from pentad.games.pente.beam import BeamOptions, options_help
from pentad.games.pente.prolog_terms import read_query, written
from pentad.terminal.pente import prolog
from pentad.terminal.pente.prolog import PREDICATES, Halted, Queries, state_of, term_of
from tests.cases import together
from tests.properties import properties


@pytest.fixture
def queries():
    """Queries after one that gives E, a first state, and N, the state after a move."""
    found = Queries()
    found.answer("start([size(7), difficulty(1), rule(false)], E), move(E, d4, N).")
    return found


@together(
    ("query", "text"),
    [
        ("game_over($E, w).", "false."),
        ("game_over($E, Player)", "false."),
        ("move($N, d4, _).", "% D4 is occupied by a white stone.\nfalse."),
        ("value($E, Value).", "Value = 0."),
        ("value($E, 0)", "true."),
        ("value($E, 1)", "false."),
        ("value($N, b, V), value($N, w, W), value($N, M)", "V = -56,\nW = 56,\nM = -56."),
        ("start([size(7)], game(B, P, [Wc, Bc], Turn, _)), valid_moves(B, Turn, Moves), game_over($E, P)", "false."),
        ("start([size(7)], game(_, P, [Wc, Bc], Turn, _)).", "P = w,\nWc = 0,\nBc = 0,\nTurn = 0."),
        ("start([size(7)], game(_, _, _, _, O)).",
         "O = [size(7), difficulty(3), flip(false), tournament_rule(true)]."),
        ("start([size(7)], game(_B, _, _, 0, _)), valid_moves(_B, 0, M).", "M = [d4]."),
        ("start([size(7)], game(_B, _, _, _, _)), valid_moves(_B, 0, [d4]).", "true."),
        ("start([size(7)], game(_B, _, _, _, _)), valid_moves(_B, 0, [d5]).", "false."),
        ("start(game(_, w, [0, 0], 0, O))", "O = [size(19), difficulty(3), flip(false), tournament_rule(true)]."),
        ("start([depth(1), width([3,2])], game(_, _, _, _, O))",
         "O = [size(19), difficulty(3), depth(1), width([3, 2]), flip(false), tournament_rule(true)]."),
        ("?- choose_move($E, M).  % the bot", "M = d4."),
    ],
)  # fmt: skip
def test_answers(query, text, queries):
    answer = queries.answer(query)
    assert answer.text == text
    assert answer.is_true == (not text.endswith("false."))


def test_the_session_on_the_page():
    page = (Path(__file__).parents[3] / "docs" / "reference" / "pente-bots.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```prolog\n(.*?)```", page, re.DOTALL)
    session = re.findall(r"^\?- (.*)\n((?:[^?].*\n)+)", block, re.MULTILINE)
    queries = Queries()
    for query, expected in session:
        answer = f"{queries.answer(query).text}\n"
        assert doctest.OutputChecker().check_output(expected, answer, doctest.ELLIPSIS), answer
    assert len(session) == 4


def test_valid_moves_in_its_three_forms():
    queries = Queries()
    queries.answer("start([size(7)], G0), move(G0, d4, G1), move(G1, d5, G2), choose_move(G2, _).")

    def moves(query):
        return queries.answer(query).text.count(",") + 1

    queries.answer("move($G1, d5, game(B, _, _, T, _))")
    assert moves("valid_moves($B, M).") == 47
    assert moves("valid_moves($B, $T, M).") == moves("valid_moves($B, 2, true, M).") == 24
    assert moves("valid_moves($B, 2, false, M).") == 47


def test_help_and_display_are_printed(queries, capsys):
    assert queries.answer("help.").text == "true."
    shown = capsys.readouterr().out
    assert shown.startswith(options_help() + "\n\nPredicates:\n")
    assert all(f"  {each.form} " in shown for each in PREDICATES.values())
    assert queries.answer("display_game($N)") == (True, "true.")
    assert "┼─●─┼" in capsys.readouterr().out


def test_a_game_is_played(monkeypatch):
    played = []
    monkeypatch.setattr(prolog, "play", lambda **options: played.append(options))
    queries = Queries()
    assert queries.answer("play([size(13), difficulty(1), rule(false)]).").text == "true."
    assert queries.answer("play").text == "true."
    assert queries.answer("play([white(bot), black('beam-5'), width([2])])").text == "true."
    assert played == [
        {"size": 13, "difficulty": 1, "rule": False},
        {},
        {"white": "bot", "black": "beam-5", "width": [2]},
    ]
    with pytest.raises(GameError, match="Unknown bot 'nobody'"):
        queries.answer("play([white(nobody)])")
    assert len(played) == 3


def test_halt():
    for query in ("halt.", "halt", "start(_), halt"):
        with pytest.raises(Halted):
            Queries().answer(query)


def test_values_are_kept_after_an_error(queries):
    with pytest.raises(GameError):
        queries.answer("start([size(9)], E), nonsense(E)")
    assert queries.answer("start([size(9)], E), game_over(E, w)").text == "false."
    assert queries.answer("move($E, d4, _)").is_true  # still the board of 7 × 7


@pytest.mark.parametrize("seed", range(3))
def test_states_are_terms_and_back(seed):
    chance = random.Random(seed)
    state = predicates.start(size=chance.choice((7, 9)), rule=False, width=[3, 2], flip=True)
    while not predicates.game_over(state) and state.turn < 40:
        state = predicates.move(state, str(chance.choice(predicates.valid_moves(state.board, state.turn, False))))
        (term,) = read_query(written(term_of(state)))
        assert term == term_of(state)
        assert state_of(term) == state


def test_a_term_of_a_large_board_can_be_typed_again():
    queries = Queries()
    text = queries.answer("start([size(25)], G)").text
    assert queries.answer(f"game_over({text.removeprefix('G = ').removesuffix('.')}, w).").text == "false."


WORDS = "start move valid_moves value game_over size(7) game G $E $N d4 w 0 _ true ( ) [ ] , ."
words = st.sampled_from(WORDS.split())


@given(st.text(max_size=60) | st.lists(words, max_size=14).map("".join))
@properties(300)
def test_any_query_is_answered_or_refused_in_one_line(query):
    queries = Queries()
    queries.answer("start([size(7)], E), move(E, d4, N)")
    try:
        message = queries.answer(query).text
    except GameError as error:
        message = f"{error}."
        assert message.isprintable()
    assert message.endswith(".")


def test_the_defaults_are_those_of_the_document():
    assert predicates.start().options == BeamOptions(19, 3)
    state = state_of(read_query("game([], w, [0, 0], 0, [])")[0])
    assert state.options.beam == BeamOptions().beam == pentad.bot("pente", "beam-3").beam

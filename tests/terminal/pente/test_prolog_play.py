"""`play(…)` of the document: its options as a text or by name, and the program that it starts."""

from __future__ import annotations

import re

import pytest

from pentad.game import GameError
from pentad.games.pente.beam import options_help
from pentad.terminal.pente import prolog
from pentad.terminal.pente.prolog import play
from tests.cases import together


@pytest.mark.parametrize("ask", ["help", "help.", "?- help."])
def test_help_is_printed(ask, capsys):
    play(ask)
    assert capsys.readouterr().out == options_help() + "\n"


@pytest.fixture
def words(monkeypatch):
    """The arguments that `play` passes to the program."""
    asked = []

    def program(words):
        asked.append(" ".join(words))
        return 0

    monkeypatch.setattr(prolog, "main", program)
    return asked


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "--size=19 --tournament-rule --white=human --black=beam-3"),
        (
            {"size": 13, "difficulty": 1, "rule": False},
            "--size=13 --no-tournament-rule --white=human --black=beam-1",
        ),
        ({"board_size": 7, "flip_board": True}, "--size=7 --tournament-rule --flip --white=human --black=beam-3"),
        ({"black": "human"}, "--size=19 --tournament-rule --white=human --black=human"),
        (
            {"white": "bot", "black": "greedy", "depth": 4, "width": [3, 2], "seed": 7, "seconds": 1.5},
            "--size=19 --tournament-rule --white=beam:depth=4,width=3-2 --black=greedy --seconds=1.5 --seed=7",
        ),
    ],
)
def test_play_starts_the_program(words, given, expected):
    assert play(**given) is None
    assert words == [f"play pente {expected}"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "play([size(13), difficulty(1), rule(false)])",
            "--size=13 --no-tournament-rule --white=human --black=beam-1",
        ),
        ("[board_size(7), flip(true)].", "--size=7 --tournament-rule --flip --white=human --black=beam-3"),
        (
            "?- play([depth(4), width([3, 2]), white(bot), black('beam-5')]).",
            "--size=19 --tournament-rule --white=beam:depth=4,width=3-2 --black=beam-5",
        ),
        ("play([])", "--size=19 --tournament-rule --white=human --black=beam-3"),
        ("play", "--size=19 --tournament-rule --white=human --black=beam-3"),
    ],
)
def test_the_options_are_read_as_the_document_writes_them(words, text, expected):
    assert play(text) is None
    assert words == [f"play pente {expected}"]


def test_every_term_of_the_help_is_accepted(words):
    values = {"S": "13", "D": "2", "P": "1", "[W0,W1,…]": "[4,3]", "W": "3", "B": "true"}
    forms = re.findall(r"(?:- | or )(\w+)\(([^)]+)\)", options_help().partition("- white")[0])
    assert len(forms) == 11
    for name, argument in forms:
        play(f"play([{name}({values[argument]})])")
    assert len(words) == 11
    play(options_help().rpartition("Example: ")[2])
    assert words[-1] == "play pente --size=13 --no-tournament-rule --white=human --black=beam-1"


@together(
    ("text", "message"),
    [
        ("size(13)", "got 'size(13)'. play(\"help\")"),
        ("play([size(13)]), help", "Expected options such as play([size(13)])"),
        ("play([size(13)], 3)", "Expected options such as play([size(13)])"),
        ("play(Options)", "Expected options such as play([size(13)])"),
        ("", "Column 1: Expected a term"),
        ("play([size(13", "Column 14: Expected a comma"),
        ("play([size(13), size(9)])", "size is given twice."),
        ("play([size(13), board_size(9)])", "size and board_size are the same option"),
        ("play([size])", "got 'size'"),
        ("play([size(X)])", "size must be an odd number"),
        ("play([size(12)])", "from 7 to 25, not 12"),
        ("play([rule(maybe)])", "rule must be true or false, not 'maybe'."),
        ("play([width([4,a])])", "width must be a positive number"),
        ("play([colour(w)])", "Unknown option colour. "),
        ("x" * 20_000, "A query has at most 10,000 characters, not 20,000."),
        (13, "got 13"),
    ],
)
def test_other_texts_are_refused_in_one_line(text, message):
    with pytest.raises(GameError) as refused:
        play(text)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_options_are_a_text_or_named():
    with pytest.raises(GameError, match="text or by name, not both"):
        play("[size(13)]", difficulty=1)


@pytest.mark.parametrize(
    ("code", "error"), [(2, GameError), (1, GameError), (130, KeyboardInterrupt), (143, SystemExit)]
)
def test_how_the_program_ends_is_passed_on(monkeypatch, code, error):
    monkeypatch.setattr(prolog, "main", lambda words: code)
    with pytest.raises(error):
        play()


def test_a_game_between_bots_is_played_here(capsys):
    play(size=7, difficulty=1, depth=1, rule=False, white="bot", black="bot", seed=1)
    out = capsys.readouterr().out
    assert out.startswith("pente. white: beam:difficulty=1,depth=1, black: beam:difficulty=1,depth=1\n1. white D4\n")
    assert re.search(r"Result: (1-0|0-1|1/2-1/2)\.", out)
    with pytest.raises(GameError, match="failed; the reason is printed above"):
        play(white="nobody")
    assert "Unknown player 'nobody'" in capsys.readouterr().err

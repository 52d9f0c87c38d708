"""`python -m training`: the games whose evaluation is trained."""

import sys

import pytest

from training import __main__ as learn


def test_the_games_with_an_evaluation_that_is_learned():
    assert learn.GAMES == ["pentagame", "pentago", "pente"]


@pytest.mark.parametrize("words", [(), ("chess",), ("three", "--folder", "x"), ("--help",)])
def test_another_game_gets_one_clear_line(words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["learn", *words])
    with pytest.raises(SystemExit) as ended:
        learn.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "python -m training: Expected a game: pentagame, pentago, pente.\n"


@pytest.mark.parametrize("name", ["pentagame", "pentago", "pente"])
def test_each_game_has_options_of_its_own(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["learn", name, "--help"])
    with pytest.raises(SystemExit) as ended:
        learn.main()
    assert ended.value.code == 0
    assert f"usage: python -m training {name}" in capsys.readouterr().out

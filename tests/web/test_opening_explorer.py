"""Opening explorer: the moves of the games in a text."""

import pytest

import pentad
from pentad.game import GameError
from pentad.game.standard_position import StandardPosition
from pentad.record import Record
from pentad.web import opening_explorer
from pentad.web.move_tree import AT_ONCE
from tests.cases import together


def test_the_games_of_a_text_have_a_key_for_each_position_and_the_results_of_their_movers() -> None:
    text = (
        Record("pentagame")
        .text.replace("*", "1. [0,0,1,0,0] [0,1,0,0,0] *", 2)
        .replace("1. [0,0,1,0,0] [0,1,0,0,0] *", "*", 1)
    )
    (ply,) = opening_explorer.read_games(text, None).games[0]
    assert ply.key == StandardPosition(pentad.new("pentagame")).key
    assert (ply.name, ply.result) == (
        StandardPosition(pentad.new("pentagame")).name(pentad.new("pentagame").parse("[0,0,1,0,0] [0,1,0,0,0]")),
        None,
    )
    won = '[Game "pente"]\n[Result "0-1"]\n[Reason "resigned"]\n\n1. K10 2. K11 0-1\n'
    found = opening_explorer.read_games(f"{won}\n{won}", None).games
    assert [[(ply.name, ply.result) for ply in game] for game in found] == 2 * [[("K10", -1), ("J10", 1)]]


@together(
    "text, expected",
    [
        ("", "line 101, column 1: Unknown game."),
        ("\0", "Expected text, got binary data."),
        ('[Game "pente"]\n[Result "*"]\n\n1. K10 2. K10 *\n', "line 104, column 11: move 2: K10 is occupied"),
        ('[Game "pente"]\n[Result "1-0"]\n', "line 103, column 1: Expected the game's result"),
    ],
)
def test_an_error_in_a_part_of_a_file_names_the_line_of_the_file(text: str, expected: str) -> None:
    with pytest.raises(GameError) as refused:
        opening_explorer.read_games(text, None, 100)
    assert str(refused.value).startswith(expected), str(refused.value)
    assert "\n" not in str(refused.value)


TAGS = '[Game "pente"]\n[Result "*"]\n\n'
MANY = 400


@together(
    "text",
    [
        "1. K10 L11 *\n" * MANY,
        "K10 L11 1-0\r\n" * MANY,
        f"{TAGS}1. K10 L11 *\n\n" * MANY,
        f"{TAGS}1. K10 L11 * " * MANY,
        '[Game "pente"]\n1. K10 L11\n' * MANY,
        f"{TAGS}{{ [Game \\}} \n\n[Game }} 1. K10 {{ 1-0 }} L11 *\r\n" * MANY,
        "(;GM[4]SZ[19]C[:-) (;];B[jj](;W[ki])(;W[aa]))\n" * MANY,
        "\ufeff" + TAGS + "1. K10 L11 *\n" * MANY,
    ],
)
def test_a_long_text_is_read_in_parts_of_whole_games(text: str) -> None:
    found, lines = 0, 0
    while text:
        part = opening_explorer.read_games(text, "pente", lines)
        assert all(len(game) == 2 for game in part.games)
        assert 0 < part.read <= 1.1 * AT_ONCE
        found += len(part.games)
        lines += text[: part.read].count("\n")
        text = text[part.read :]
    assert found == MANY
    with pytest.raises(GameError, match=f"^line {lines + 1}, column 8"):
        opening_explorer.read_games("1. K10 K10 *", "pente", lines)


def test_a_long_game_is_read_whole() -> None:
    text = f"{TAGS}{{{'x' * 10_000}}} 1. K10 *\n\n"
    assert opening_explorer.read_games(text * 2, None).read == len(text)
    with pytest.raises(GameError, match="before each of so many games"):
        opening_explorer.read_games("pente\n" + "1. K10 L11 *\n" * MANY, None)

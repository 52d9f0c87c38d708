"""Move text and position text, read and written."""

import pytest

import pentad
from pentad.game import Move
from pentad.games.pentago import notation
from pentad.games.pentago.board import Place, Twist, board
from tests.cases import together
from tests.games.pentago.random_games import GAMES, every_game

WIDE = {"rows": 1, "cols": 4}
TEN = {"rows": 1, "cols": 2, "block": 5}
ELEVEN = {"rows": 5, "cols": 11, "block": 1}


def empty(**options):
    return pentad.new("pentago", **options)


# ── moves ────────────────────────────────────────────────────────────────────────────────────────


@together(
    ("options", "text", "written"),
    [
        ({}, "a2 1C", "a2 1C"),
        ({}, "a2 1c", "a2 1C"),
        ({}, "A2 1C", "a2 1C"),
        ({}, "F5 4a", "f5 4A"),
        ({}, "  a2   1C  ", "a2 1C"),
        ({}, "a2\t1C", "a2 1C"),
        ({}, "a21C", "a2 1C"),
        ({}, "A21c", "a2 1C"),
        ({}, "a2 1 C", "a2 1C"),
        ({}, "f54A", "f5 4A"),
        (WIDE, "c10 4A", "c10 4A"),
        (WIDE, "c1 4A", "c1 4A"),
        (WIDE, "c11 1C", "c11 1C"),
        (TEN, "a92C", "a9 2C"),
        (TEN, "e9 1A", "e9 1A"),
        (ELEVEN, "a0 11C", "a0 11C"),
        (ELEVEN, "e10 55A", "e10 55A"),
        ({"rows": 10, "cols": 10, "block": 1}, "a010C", "a0 10C"),
        ({"rows": 10, "cols": 10, "block": 1}, "j9 100A", "j9 100A"),
        ({"rows": 13, "cols": 1, "block": 2}, "z1 13A", "z1 13A"),
    ],
)
def test_moves_are_read(options, text, written):
    move = empty(**options).parse(text)
    assert str(move) == written
    assert len(move) == 2
    assert empty(**options).parse(written) == move


@together(
    ("options", "text", "expected"),
    [
        ({}, "", "missing"),
        ({}, "   ", "missing"),
        ({}, "z9 1C", "no space z9"),
        ({}, "g0 1C", "Rows are a to f"),
        ({}, "a6 1C", "columns 0 to 5"),
        ({}, "a10 1C", "no space a10"),
        ({}, "a2 7C", "no sub-board 7"),
        ({}, "a2 0C", "no sub-board 0"),
        ({}, "a25C", "no sub-board 5"),
        ({}, "a2 C", "not"),
        ({}, "a2 1", "'1' is not a twist"),
        ({}, "a2 1B", "not a twist"),
        ({}, "a2 C1", "not a twist"),
        ({}, "a2 01C", "not a twist"),
        ({}, "a2 -1C", "not a twist"),
        ({}, "a02 1C", "not a space"),
        ({}, "2a 1C", "not a space"),
        ({}, "1C", "not a space"),
        ({}, "a 2 1C", "more than a turn"),
        ({}, "a2 1C 2C", "more than a turn"),
        ({}, "a2 1C.", "not a twist"),
        ({}, "a2,1C", "not a space"),
        ({}, "a2-1C", "not a space"),
        ({}, "a2\x001C", "not a space"),
        ({}, "a2 1\x00C", "not a twist"),
        ({}, "\x1b[31ma2 1C", "not a space"),
        ({}, "a\N{FULLWIDTH DIGIT TWO} 1C", "not a space"),
        ({}, "a\N{SUPERSCRIPT TWO} 1C", "not a space"),
        ({}, "a2 \N{ARABIC-INDIC DIGIT ONE}C", "not a twist"),
        ({}, "a2 1\N{CYRILLIC CAPITAL LETTER ES}", "not a twist"),
        ({}, "\N{CYRILLIC SMALL LETTER A}2 1C", "not a space"),
        ({}, "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}2 1C", "not a space"),
        ({}, "a2\u200b 1C", "not a space"),
        ({}, "\ud800", "not a space"),
        ({}, "a" + "9" * 10_000 + " 1C", "not a space"),
        ({}, "a2 " + "9" * 10_000 + "C", "not a twist"),
        (WIDE, "a12 1C", "columns 0 to 11"),
        (WIDE, "a104A", "not a space"),  # a10 4A or a1 04A: the compact form ends at ten columns
        (WIDE, "a24A", "not a space"),
        (ELEVEN, "a02C", "not a space"),
        (ELEVEN, "a0 56C", "no sub-board 56"),
    ],
)
def test_invalid_moves(options, text, expected):
    with pytest.raises(pentad.InvalidMove) as caught:
        empty(**options).parse(text)
    message = str(caught.value)
    assert expected in message
    assert message.isprintable()
    assert len(message) < 160
    with pytest.raises(pentad.InvalidMove):
        empty(**options).play(text)


def test_only_ascii_letters_are_rows():
    with pytest.raises(pentad.InvalidMove):
        empty(rows=11, cols=1, block=1).parse("\N{KELVIN SIGN}0 1C")


@pytest.mark.parametrize(
    ("text", "steps"),
    [("", ()), ("a2", (Place(0, 2),)), ("a2 1C", (Place(0, 2), Twist(1, "C"))), ("a21C", (Place(0, 2), Twist(1, "C")))],
)
def test_steps_of_a_turn(text, steps):
    assert notation.read_steps(board(2, 2, 3, 5), text) == steps


def test_after_a_placement_only_a_twist_is_parsed():
    classic = board(2, 2, 3, 5)
    assert notation.read_steps(classic, "", placed=True) == ()
    for text in ("3A", "3a", " 3 A "):
        assert notation.read_steps(classic, text, placed=True) == (Twist(3, "A"),)
    for text in ("a2", "a2 3A", "a23A", "3A 3A", "5A"):
        with pytest.raises(pentad.InvalidMove):
            notation.read_steps(classic, text, placed=True)


MANY = [*GAMES.values(), WIDE, TEN, ELEVEN]
MANY += [{"rows": 13, "cols": 1, "block": 2}, {"rows": 1, "cols": 20, "block": 4}]
WIDEST = [{"rows": 1, "cols": cols, "block": 1} for cols in (100, 101, 400)]


@together("options", [*MANY, *WIDEST])
def test_every_step_is_written_and_read(options):
    position = empty(**options)
    here = position.board
    for place in here.places:
        assert position.parse(str(place)) == Move((place,))
        assert position.play(f"{place} {here.twists[-1]}") == position.play((place, here.twists[-1]))
    for twist in here.twists:
        assert position.parse(f"{here.places[-1]} {twist}") == Move((here.places[-1], twist))


@together("options", [*MANY, {"rows": 11, "cols": 10, "block": 1}])
def test_the_compact_form_up_to_ten_columns(options):
    position = empty(**options)
    place = position.board.places[-1]
    for twist in position.board.twists:
        compact = f"{place}{twist}"
        if position.board.width <= 10:
            assert position.parse(compact) == Move((place, twist))
        else:
            with pytest.raises(pentad.InvalidMove):
                position.parse(compact)


def test_move_texts_are_unique():
    for options in MANY:
        legal = empty(**options).legal_moves
        assert len({str(move) for move in legal}) == len(legal)
        if empty(**options).board.width <= 10:
            assert len({str(move).replace(" ", "") for move in legal}) == len(legal)


def test_a_refused_move_shows_what_one_looks_like():
    for text in ("a2 1C 2C", "1C", "a2 C1"):
        with pytest.raises(pentad.InvalidMove, match=r" A move is a space and a twist, such as f5 1C\.$"):
            empty().parse(text)


def test_colours_and_their_letters():
    position = empty(players=6)
    colours = [position.colour_of(seat) for seat in range(6)]
    assert colours == ["black", "white", "red", "green", "yellow", "purple"]
    assert notation.write_board(position.board, tuple(1 << seat for seat in range(6))).startswith("bwrgyp/....../")


# ── positions ────────────────────────────────────────────────────────────────────────────────────

BLANK = "/".join(["......"] * 6)


@pytest.mark.parametrize(
    "text",
    [
        f"pentago {BLANK}",
        f"pentago win_on_placement=false {BLANK}",
        f"pentago players=4 {BLANK}",
        "pentago b...../....../....../....../....../.....w",
        "pentago b...../....../....../....../....../.....w placed",
        "pentago rows=1 block=2 line=3 bw../....",
        "pentago rows=1 cols=1 players=6 line=3 bwr/gyp/...",
        "pentago rows=1 cols=4 b.........../............/...........w",
    ],
)
def test_position_text_round_trips(text):
    assert pentad.load(text).text == text


def test_variants_of_position_text():
    position = empty(rows=1, cols=2, block=2, line=3)
    rows = "..../...."
    for text in (
        f"pentago line=3 block=2 cols=2 rows=1 {rows}",
        f"  pentago   rows=1  cols=2 block=2 line=3 players=2 win_on_placement=true {rows} ",
        f"pentago rows=1 cols=2 block=2 line=3 win_on_placement=YES {rows}\n",
    ):
        assert pentad.load(text) == position


@together(
    ("text", "expected"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("chess", "Unknown game 'chess'"),
        ("pentago", "rows joined by /"),
        (f"pentago {BLANK} {BLANK}", "rows joined by /"),
        (f"pentago {BLANK} rows=2", "rows joined by /"),
        (f"pentago {BLANK} Placed", "rows joined by /"),
        (f"pentago {BLANK} placed placed", "rows joined by /"),
        (f"pentago placed {BLANK}", "rows joined by /"),
        (f"pentago {BLANK} placed", "No marble is on the board"),
        (f"pentago {BLANK}/", "6 rows, but its text has 7"),
        (f"pentago {BLANK[:-7]}", "6 rows, but its text has 5"),
        (f"pentago {BLANK[:-1]}", "Row f has 6 spaces, but its text has 5"),
        (f"pentago .{BLANK}", "Row a has 6 spaces, but its text has 7"),
        (f"pentago B{BLANK[1:]}", "'B' at a0 is not a marble"),
        (f"pentago {BLANK[:-1]}r", "'r' at f5 is not a marble. Marbles are b, w"),
        (f"pentago {BLANK[:-1]}\x07", "at f5 is not a marble"),
        (f"pentago w{BLANK[1:]}", "1 black, 0 white, not 0 black, 1 white"),
        (f"pentago bb{BLANK[2:]}", "not 2 black, 0 white"),
        (f"pentago players=3 bw.b..{BLANK[6:]}", "1 black, 1 white, 1 red"),
        (f"pentago rows=3 {BLANK}", "9 rows, but its text has 6"),
        (f"pentago rows=0 {BLANK}", "rows must be a whole number from 1 to 26, not 0"),
        (f"pentago rows=two {BLANK}", "rows must be a whole number"),
        (f"pentago rows= {BLANK}", "rows must be a whole number"),
        (f"pentago rows=\N{FULLWIDTH DIGIT TWO} {BLANK}", "rows must be a whole number"),
        (f"pentago rows=2.0 {BLANK}", "rows must be a whole number"),
        (f"pentago rows={'9' * 5000} {BLANK}", "rows must be a whole number"),
        (f"pentago rows=2 rows=2 {BLANK}", "Option rows is given twice"),
        (f"pentago colour=red {BLANK}", "no option colour"),
        (f"pentago =2 {BLANK}", "no option"),
        (f"pentago win_on_placement=1 {BLANK}", "win_on_placement must be true or false"),
        (f"pentago line=7 {BLANK}", "No line of 7 fits"),
        ("pentago " + "." * 100_000, "6 rows, but its text has 1"),
        ("pentago " + "/" * 100_000, "6 rows, but its text has 100001"),
    ],
)
def test_invalid_position_texts(text, expected):
    with pytest.raises(pentad.GameError) as caught:
        pentad.load(text)
    message = str(caught.value)
    assert expected in message
    assert message.isprintable()
    assert len(message) < 200


@every_game
def test_boards_are_read_and_written_space_by_space(options):
    position = empty(**options)
    for space in range(position.board.size):
        marbles = (1 << space, *[0] * (position.players - 1))
        text = notation.write_board(position.board, marbles)
        assert notation.read_board(position.board, text, position.players) == marbles
        row, column = divmod(space, position.board.width)
        assert text.split("/")[row][column] == "b"
        assert text.count("b") == 1

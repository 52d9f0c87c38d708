"""Move text and position text, read and written."""

import pytest

import pentad
from pentad.game import Move
from pentad.games.pente import notation
from pentad.games.pente.board import Side, Stone, board
from tests.cases import together
from tests.games.pente.random_games import GAMES, SMALL, new, played, random_game

SWAP2 = {"rules": "gomoku", "opening": "swap2"}

# ── moves ────────────────────────────────────────────────────────────────────────────────────────


@together(
    ("options", "text", "written"),
    [
        ({}, "K10", "K10"),
        ({}, "k10", "K10"),
        ({}, "  K10 ", "K10"),
        ({}, "\tK10\n", "K10"),
        ({}, "A1", "A1"),
        ({}, "t19", "T19"),
        ({}, "j9", "J9"),
        ({"size": 25}, "z25", "Z25"),
        ({"size": 7}, "g7", "G7"),
        (SWAP2, "H8 j9 K10", "H8 J9 K10"),
        (SWAP2, "  H8\tJ9\n K10", "H8 J9 K10"),
        (SWAP2, "WHITE", "white"),
        (SWAP2, "Black", "black"),
        (SWAP2, "more a1 B2", "more A1 B2"),
        (SWAP2, "MORE  a1  b2", "more A1 B2"),
    ],
)
def test_moves_are_read(options, text, written):
    here = new(**options)
    move = here.parse(text)
    assert isinstance(move, Move)
    assert str(move) == written
    assert here.parse(written) == move


@together(
    ("options", "text", "says"),
    [
        ({}, "", "Expected a move"),
        ({}, "   ", "Expected a move"),
        ({}, "I10", "without the letter I"),
        ({}, "i1", "without the letter I"),
        ({}, "A0", "'A0' is not a point"),
        ({}, "A01", "not a point"),
        ({}, "A-1", "not a point"),
        ({}, "A+1", "not a point"),
        ({}, "A1.0", "not a point"),
        ({}, "A20", "A20 is not on the board; points are A1 to T19"),
        ({}, "U1", "U1 is not on the board"),
        ({}, "Z99", "Z99 is not on the board"),
        ({}, "A100", "not a point"),
        ({}, "AA1", "not a point"),
        ({}, "10K", "not a point"),
        ({}, "K", "not a point"),
        ({}, "10", "not a point"),
        ({}, "K 10", "not a point"),
        ({}, "K10,L10", "not a point"),
        ({}, "K10.", "not a point"),
        ({}, "K10\x00", "not a point"),
        ({}, "\x1b[31mK10", "not a point"),
        ({}, "K10\u200b", "not a point"),
        ({}, "K1\N{FULLWIDTH DIGIT ZERO}", "not a point"),
        ({}, "K1\N{ARABIC-INDIC DIGIT ZERO}", "not a point"),
        ({}, "K1\N{SUPERSCRIPT TWO}", "not a point"),
        ({}, "\N{CYRILLIC CAPITAL LETTER A}1", "not a point"),
        ({}, "\N{KELVIN SIGN}10", "not a point"),
        ({}, "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}1", "not a point"),
        ({}, "\N{LATIN SMALL LETTER LONG S}1", "not a point"),
        ({}, "\ud800", "not a point"),
        ({}, "K" + "9" * 100_000, "not a point"),
        ({}, "K10" * 100_000, "not a point"),
        ({}, "pass", "not a point"),
        ({}, "whites", "not a point"),
        ({"size": 7}, "H1", "H1 is not on the board; points are A1 to G7."),
        ({"size": 7}, "A8", "A8 is not on the board"),
    ],
)
def test_moves_that_cannot_be_read(options, text, says):
    here = new(**options)
    with pytest.raises(pentad.InvalidMove) as caught:
        here.parse(text)
    message = str(caught.value)
    assert says in message
    assert message.isprintable()
    assert len(message) < 160
    for method in (here.play, *((here.partial, here.choices) if text.strip() else ())):
        with pytest.raises(pentad.InvalidMove):
            method(text)
    assert here == new(**options)


@pytest.mark.parametrize(
    "text",
    ["blac\N{KELVIN SIGN}", "\N{FULLWIDTH LATIN SMALL LETTER W}hite", "mor\N{LATIN SMALL LETTER E WITH ACUTE}"],
    ids=ascii,
)
def test_only_the_letters_of_the_alphabet_choose_a_side(text):
    here = new(**SWAP2).play("H8 J9 K10")
    with pytest.raises(pentad.InvalidMove):
        here.play(text)


@together("size", range(3, 26))
def test_every_point_is_written_and_read(size):
    here = board(size, 3)
    for stone in here.stones:
        assert notation.read_point(here, str(stone)) == notation.read_point(here, str(stone).lower()) == stone
        assert notation.read_steps(here, str(stone)) == (stone,)
    assert len({str(stone) for stone in here.stones}) == size**2


def test_steps_of_a_turn():
    here = board(19, 5)
    assert notation.read_steps(here, "") == ()
    assert notation.read_steps(here, "A1 B2") == (Stone(0, 0), Stone(1, 1))
    assert notation.read_steps(here, "more A1") == (Side("more"), Stone(0, 0))


@pytest.mark.parametrize("text", [None, 0, 1.5, b"K10", (), Stone(9, 9)], ids=repr)
def test_parse_refuses_other_types(text):
    with pytest.raises(pentad.InvalidMove):
        new().parse(text)


# ── positions ────────────────────────────────────────────────────────────────────────────────────

ROWS = "/".join(["9"] * 9)
LINES = f"pente rules=lines size=9 {ROWS}"
SMALL_PENTE = "pente size=3 opening=free line=3"
FIFTEEN = "/15" * 14
OPENED = f"pente rules=gomoku opening=swap2 wbw12{FIFTEEN}"


@together(
    "text",
    [
        LINES,
        "pente " + "/".join(["19"] * 19) + " 0,0",
        "pente " + "9w9/".join(["19/" * 9] * 2).rstrip("/") + " 0,0",
        "pente rules=lines size=3 line=3 wbw/3/2b",
        "pente size=13 " + "/".join(["13"] * 13) + " 0,0",
        "pente size=13 opening=centre " + "/".join(["13"] * 13) + " 0,0",
        "pente rules=keryo size=9 line=4 capture_win=6 9/9/9/9/9/9/9/9/w8 0,0",
        "pente size=9 opening=free 9/9/9/5b3/4b4/3w5/9/9/9 0,2",
        "pente rules=lines 10/10/10/10/10/10/10/10/10/wbwbwbwbwb",
        f"pente rules=gomoku opening=swap2 15{FIFTEEN} 0 three",
        f"pente rules=gomoku opening=swap2 w14{FIFTEEN} 0 three",
        f"{OPENED} 1 choose",
        f"{OPENED} 1 more",
        f"{OPENED} 2 -",
        f"{OPENED} 2 - swapped",
        f"pente rules=gomoku opening=swap2 wbwb11{FIFTEEN} 1 more",
        f"pente rules=gomoku opening=swap2 wbwbw10{FIFTEEN} 2 choose-again",
        f"pente rules=gomoku opening=swap2 wbwbw10{FIFTEEN} 3 -",
        f"pente rules=gomoku opening=swap2 wbwbw10{FIFTEEN} 4 -",
        f"pente rules=gomoku opening=swap2 wbwb11{FIFTEEN} 3 - swapped",
        "pente size=5 opening=swap2 5/5/5/5/wbw2 0,0 1 choose",
        "pente size=5 opening=swap2 5/5/5/w4/b2b1 0,2 2 choose-again",
        "pente rules=gomoku size=9 captures=2 capture_win=4 9/9/9/9/9/9/9/9/9 0,0",
        "pente captures=0 capture_win=0 " + "/".join(["19"] * 19),
        "pente rules=lines size=3 line=3 overline=false five=stands double_three=false 3/3/3",
        "pente rules=boat size=7 opening=free five=wins poof=true blocked_tie=true 7/7/7/7/7/7/7 0,0",
    ],
)
def test_position_text_round_trips(text):
    assert pentad.load(text).text == text


def test_position_text_in_other_forms():
    position = new(rules="lines", size=3, line=3)
    for text in (
        "pente line=3 size=3 rules=lines 3/3/3",
        " pente   rules=lines size=3  line=3 opening=free tournament_rule=false 3/3/3\n",
        "pente rules=lines size=3 line=3 captures=0 poof=no double_three=YES five=wins 3/3/3",
    ):
        assert pentad.load(text) == position


def test_default_options_are_left_out():
    assert new(size=19, opening="tournament", tournament_rule=True, line=5, captures=2).text == new().text
    assert "tournament" not in new(tournament_rule=False).text
    assert new(tournament_rule=False).text.startswith("pente opening=centre 19/")
    assert new(rules="gomoku", tournament_rule=True).text.startswith("pente rules=gomoku opening=tournament 15/")
    assert new(rules="gomoku", tournament_rule=False).text.startswith("pente rules=gomoku 15/")


@together(
    ("text", "says"),
    [
        ("pente", "rows joined by /"),
        ("pente 19/19", "captures as white,black"),
        (f"{LINES} 0,0", "rows joined by /"),
        (f"{LINES} {ROWS}", "rows joined by /"),
        (f"pente {ROWS} rules=lines", "19 rows, but its text has 9"),
        (f"pente rules=lines {ROWS}", "10 rows, but its text has 9"),
        (f"{LINES}/", "9 rows, but its text has 10"),
        (f"{LINES[:-2]}", "9 rows, but its text has 8"),
        (f"{LINES[:-1]}8", "Row 1 has 9 points, but its text has 8"),
        (f"{LINES}w", "Row 1 has 9 points, but its text has 10"),
        (f"{LINES}9", "Row 1 has 9 points, but its text has 99"),
        (LINES.replace("/9", "/", 1), "Row 8 has 9 points, but its text has 0"),
        (LINES.replace("/9", "/09", 1), "Row 8 must hold w, b and numbers"),
        (LINES.replace("/9", "/0w8", 1), "Row 8 must hold"),
        (LINES.replace("/9", "/W8", 1), "Row 8 must hold w, b and numbers"),
        (LINES.replace("/9", "/.8", 1), "Row 8 must hold"),
        (LINES.replace("/9", "/-9", 1), "Row 8 must hold"),
        (LINES.replace("/9", "/\N{FULLWIDTH DIGIT NINE}", 1), "Row 8 must hold"),
        (LINES.replace("/9", "/8\x00", 1), "Row 8 must hold"),
        (LINES.replace("/9", "/b8", 1), "White must have placed as many"),
        (LINES.replace("/9", "/ww7", 1), "White must have placed as many"),
        (f"{SMALL_PENTE} 3/3/3", "captures as white,black"),
        (f"{SMALL_PENTE} 3/3/3 0", "Captures are written white,black, such as 4,0, not '0'"),
        (f"{SMALL_PENTE} 3/3/3 0,0,0", "Captures are written"),
        (f"{SMALL_PENTE} 3/3/3 00,0", "Captures are written"),
        (f"{SMALL_PENTE} 3/3/3 -2,0", "Captures are written"),
        (f"{SMALL_PENTE} 3/3/3 +2,2", "Captures are written"),
        (f"{SMALL_PENTE} 3/3/3 2,", "Captures are written"),
        (f"{SMALL_PENTE} 3/3/3 {'9' * 5000},0", "Captures are written"),
        (f"{SMALL_PENTE} 3/3/3 2,0", "White must have placed as many"),
        (f"{SMALL_PENTE} 3/3/3 0,2", "White must have placed as many"),
        (f"{SMALL_PENTE} 3/3/3 0,0 0,0", "rows joined by /"),
        (f"{OPENED}", "ply, stage and perhaps swapped"),
        (f"{OPENED} 1", "ply, stage and perhaps swapped"),
        (f"{OPENED} 1 choose - swapped", "ply, stage and perhaps swapped"),
        (f"{OPENED} 0 choose", "3 stones, ply '0' and stage 'choose' do not go together"),
        (f"{OPENED} 2 choose", "do not go together"),
        (f"{OPENED} 01 choose", "do not go together"),
        (f"{OPENED} one choose", "do not go together"),
        (f"{OPENED} -1 choose", "do not go together"),
        (f"{OPENED} 1 three", "do not go together"),
        (f"{OPENED} 0 three", "do not go together"),
        (f"{OPENED} 1 choose-again", "do not go together"),
        (f"{OPENED} 2 choose-again", "do not go together"),
        (f"{OPENED} 1 -", "do not go together"),
        (f"{OPENED} 3 -", "do not go together"),
        (f"{OPENED} 1 CHOOSE", "do not go together"),
        (f"{OPENED} 1 {'x' * 5000}", "do not go together"),
        (f"{OPENED} {'1' * 5000} choose", "do not go together"),
        (f"{OPENED} 1 choose swapped", "The last field must be swapped"),
        (f"{OPENED} 2 - Swapped", "The last field must be swapped"),
        (f"{OPENED} 2 - exchanged", "The last field must be swapped"),
        (f"pente rules=gomoku opening=swap2 wbwbw10{FIFTEEN} 2 -", "do not go together"),
        (f"pente rules=gomoku opening=swap2 wbwbwb9{FIFTEEN} 2 choose-again", "do not go together"),
        (f"pente rules=lines size=9 {'/' * 100_000}", "9 rows, but its text has 100001"),
        (f"pente rules=lines size=9 {'w' * 100_000}", "9 rows, but its text has 1"),
        ("pente rules=lines size=3 line=3 3/3/" + "w" * 100_000, "Row 1 has 3 points, but its text has 100000"),
        ("pente rules=lines size=3 line=3 3/3/" + "x" * 100_000, "Row 1 must hold w, b and numbers"),
        ("pente rules=chess 3/3/3", "rules must be one of pente, keryo"),
        ("pente rules= 3/3/3", "rules must be one of"),
        (f"pente size=8 {ROWS}", "not 8;"),
        ("pente size=3 3/3/3", "A line of 5 does not fit"),
        ("pente size=two 3/3/3", "size must be a whole number from 3 to 25"),
        ("pente size=3 size=3 3/3/3", "Option size is given twice"),
        ("pente colour=red 3/3/3", "no option colour"),
        (f"pente size=9 opening=free tournament_rule=true {ROWS} 0,0", "give only one"),
    ],
)
def test_invalid_position_texts(text, says):
    with pytest.raises(pentad.GameError) as caught:
        pentad.load(text)
    message = str(caught.value)
    assert says in message
    assert message.isprintable()
    assert len(message) < 200


@pytest.mark.slow
@together("name", SMALL)
def test_texts_round_trip_all_through_a_game(name):
    for position, _ in random_game(GAMES[name], 6):
        again = pentad.load(position.text)
        assert again == position
        assert (again.text, hash(again), again.ply) == (position.text, hash(position), position.ply)
        assert position.text.isprintable()


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("size", [3, 7, 19, 25])
def test_boards_are_read_and_written_point_by_point(size):
    here = board(size, 3)
    for point in range(size**2):
        for stones in ((1 << point, 0), (0, 1 << point)):
            text = notation.write_board(here, stones)
            assert notation.read_board(here, text) == stones
            row = text.split("/")[size - 1 - point // size]
            assert row.count("w") + row.count("b") == 1
            before = row.split("w" if stones[0] else "b")[0]
            assert int(before or 0) == point % size


def test_in_all_stages_of_swap2():
    here = new(**SWAP2)
    for move in ("H8 J9 K10", "more A1 B2", "black", "C3", "D4"):
        for count in range(len(move.split())):
            within = here.partial(" ".join(move.split()[:count]))
            assert pentad.load(within.text) == within
            assert within.partial("") == within
        here = here.play(move)
        assert pentad.load(here.text) == here
    assert here.text.endswith(" 5 - swapped")  # the first player took black
    assert played(SWAP2, "H8 J9 K10,black,C3").text.endswith(" 3 -")
    assert played(SWAP2, "H8 J9 K10,white,C3").text.endswith(" 3 - swapped")

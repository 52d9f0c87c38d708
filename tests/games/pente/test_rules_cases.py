"""The cases of the rule page, under all eight symmetries of the board, and its rules in words."""

import pytest

import pentad
from pentad.record import Record
from tests.cases import together
from tests.games.pente.random_games import drawn, every_way, new, played, seen
from tests.games.pente.referee import LETTERS, table_for

KIN = ("pente", "keryo", "g-pente", "poof", "boat", "ninuki42")
PAIRS = tuple(rules for rules in KIN if rules != "keryo")
AT_ONCE = ("pente", "keryo", "g-pente", "poof", "freestyle", "lines")  # five or more win at once

# number on the page, rule sets, moves, stones captured, winner or None, points that must be empty
CASES = [
    ("1", KIN, "K10 L10 G6 M10 N10", (2, 0), None, "L10 M10"),
    ("1, back in", ("pente", "g-pente", "boat", "ninuki42"), "K10 L10 G6 M10 N10 L10 A1 M10", (2, 0), None, ""),
    ("2", ("pente", "keryo", "g-pente", "boat", "ninuki42"), "K10 A1 G10 H10 A3 J10", (0, 0), None, ""),
    ("2, later", ("pente", "keryo", "g-pente", "boat", "ninuki42"), "K10 A1 G10 H10 A3 J10 T19", (0, 0), None, ""),
    ("3", PAIRS, "K10 L10 G6 M10 G8 N10 O10", (0, 0), None, ""),
    ("3, keryo", ("keryo",), "K10 L10 G6 M10 G8 N10 O10", (3, 0), None, "L10 M10 N10"),
    ("4", KIN, "K10 L10 G6 M10 G8 N10 A1 O10 P10", (0, 0), None, ""),
    ("5", KIN, "K10 L10 N13 M10 G10 N12 A1 N11 A3 T1 N10", (4, 0), None, "L10 M10 N11 N12"),
    ("6", KIN, "K10 L10 N13 M10 Q13 N11 Q10 N12 A1 O11 A3 P12 N10", (6, 0), None, "L10 M10 N11 N12 O11 P12"),
    (
        "7",
        PAIRS,
        "K10 B1 A1 C1 D1 B3 A3 C3 D3 B5 A5 C5 D5 B7 A7 C7 D7 L10 N13 M10 T19 N11 T17 N12 N10",
        (12, 0),
        0,
        "B1 C1 B3 C3 B5 C5 B7 C7 L10 M10 N11 N12",
    ),
    ("8", KIN, "K10 A11 T10 B11 C11", (0, 0), None, ""),
    ("9, along the edge", KIN, "K10 A3 A2 A4 A5", (2, 0), None, "A3 A4"),
    ("9, at the edge", KIN, "K10 A10 T1 B10 C10", (0, 0), None, ""),
    ("10", AT_ONCE, "K10 A1 G10 A3 L10 A5 M10 A7 O10 A9 P10 A11 N10", (0, 0), 0, ""),
    ("10, gomoku", ("gomoku",), "K10 A1 L10 A3 M10 A5 O10 A7 P10 A9 N10", (0, 0), None, ""),
    ("10, five in gomoku", ("gomoku",), "K10 A1 L10 A3 M10 A5 O10 A7 N10", (0, 0), 0, ""),
    ("11", AT_ONCE, "K10 M11 N10 A1 M9 A3 L10 A5 O10 A7 M10", (0, 0), 0, ""),
    ("11, boat", ("boat", "ninuki42"), "K10 M11 N10 A1 M9 A3 L10 A5 O10 A7 M10", (0, 0), None, ""),
    ("11, broken", ("boat", "ninuki42"), "K10 M11 N10 A1 M9 A3 L10 A5 O10 A7 M10 M8", (0, 2), None, "M9 M10"),
    ("11, not broken", ("boat", "ninuki42"), "K10 M11 N10 A1 M9 A3 L10 A5 O10 A7 M10 A9", (0, 0), 0, ""),
    ("12", AT_ONCE, "K10 L10 N10 L11 A1 L12 M10 L13 A3 L9", (0, 0), 1, ""),
    ("12, boat", ("boat",), "K10 L10 N10 L11 A1 L12 M10 L13 A3 L9", (0, 0), None, ""),
    ("12, ninuki42", ("ninuki42",), "K10 L10 N10 L11 A1 L12 M10 L13 A3 L9", (0, 0), 1, ""),
    ("15", ("poof",), "K10 A1 G10 H10 A3 J10", (2, 0), None, "H10 J10"),
]


@pytest.mark.fast_cases(2)
@every_way
@together(
    ("rules", "moves", "captures", "winner", "empty"),
    [pytest.param(rules, *case, id=f"{number} {rules}") for number, rule_sets, *case in CASES for rules in rule_sets],
)
def test_the_page(rules, moves, captures, winner, empty, way):
    options = {"rules": rules, "size": 15 if rules == "gomoku" else 19, "opening": "free"}
    position = played(options, seen(way, moves, options["size"]))
    assert position.captures == captures
    assert (position.outcome and position.outcome.winners) == (None if winner is None else (winner,))
    for point in seen(way, empty, options["size"]).split():
        assert position.outcome or point in [str(move) for move in position.legal_moves]
    table = table_for(**options)
    for name in seen(way, moves, options["size"]).split():
        table.put(name)
    assert (table.captures(), table.over) == (captures, winner is not None)


@every_way
@together(
    ("options", "moves", "illegal", "legal"),
    [
        ({}, "K10 L10", "M12 L9 K12 H12 M8 K10", "N10 K13 H13 N13 K14 O10 A1 T19"),
        ({"tournament_rule": False}, "K10 L10", "K10 L10", "M12 K11 N10 K14"),
        ({"rules": "g-pente"}, "K10 L10", "K14 O10 K13 N10 G10 K6 H10 M12", "K15 P10 L14 N13 O11"),
        ({"rules": "g-pente", "tournament_rule": False}, "K10 L10", "K10", "K14 O10 K13 M12"),
        ({"rules": "ninuki42"}, "E7 A1 F8 A5 H11 T3 H12 T9", "H10", "H9 H13 G9 E8"),
        ({"rules": "ninuki42", "double_three": True}, "E7 A1 F8 A5 H11 T3 H12 T9", "A1", "H10"),
        ({"rules": "pente", "opening": "pro"}, "K10", "K10 M10 K8 L12 H9", "L10 K11 J9 L11 J11"),
        ({"rules": "pente", "opening": "pro"}, "K10 L10", "K10 M10 K8 L12 M12 H12", "N10 K13 A1 K7 G10"),
        ({"size": 7}, "D4 D5", "D4 D5 C3 B2 F6 D6", "A1 A4 G7 D7 D1"),
        ({"rules": "lines", "size": 9, "tournament_rule": True}, "E5 E6", "E4 G7 E7", "H5 E8 A1"),
    ],
)
def test_legal_points(options, moves, illegal, legal, way):
    position = new(**options)
    size = position.options["size"]
    for move in seen(way, moves, size).split():
        position = position.play(move)
    now = {str(move) for move in position.legal_moves}
    assert not now & {*seen(way, illegal, size).split()}
    assert now >= {*seen(way, legal, size).split()}
    for point in seen(way, illegal, size).split():
        with pytest.raises(pentad.IllegalMove):
            position.play(point)


@together("rules", ["pente", "keryo", "g-pente", "poof", "boat"])
@together("size", range(7, 26, 2))
def test_the_first_stone_goes_to_the_centre(rules, size):
    middle = f"{LETTERS[size // 2]}{size // 2 + 1}"
    for more in ({}, {"tournament_rule": False}, {"opening": "pro"}):
        position = new(rules=rules, size=size, **more)
        assert [str(move) for move in position.legal_moves] == [middle]
        with pytest.raises(pentad.IllegalMove, match=f"goes to the centre, {middle}\\."):
            position.play("A1")


@pytest.mark.parametrize("size", range(7, 26, 2))
def test_the_tournament_rule_excludes_the_central_five_by_five(size):
    centre = size // 2
    for rules, off_the_cross in (("pente", 0), ("g-pente", 8 if size > 7 else 4)):
        position = new(rules=rules, size=size)
        position = position.play(position.legal_moves[0])
        assert len(position.legal_moves) == size**2 - 1
        inner, outer = position.play(f"{LETTERS[centre + 1]}{centre + 1}"), position.play("A1")
        assert len(inner.legal_moves) == size**2 - 25 - off_the_cross
        assert len(outer.legal_moves) == size**2 - 26 - off_the_cross
        assert len(outer.play(outer.legal_moves[3]).legal_moves) == size**2 - 3
        with pytest.raises(pentad.IllegalMove, match="outside the 5×5 square"):
            outer.play(f"{LETTERS[centre]}{centre + 2}")


def test_a_tournament_on_7_leaves_the_border_ring():
    legal = {str(move) for move in played({"size": 7}, "D4 D5").legal_moves}
    assert legal == {f"{c}{r}" for c in "ABCDEFG" for r in range(1, 8) if c in "AG" or r in (1, 7)}


def test_captured_points_are_empty_again():
    position = played({"opening": "free"}, "K10 L10 G6 M10 N10")
    assert {"L10", "M10"} <= {str(move) for move in position.legal_moves}
    assert position.play("L10").play("A1").play("M10").captures == (2, 0)


@pytest.mark.parametrize("rules", KIN)
def test_undo_restores_stones_and_captures(rules):
    record = Record("pente", rules=rules, opening="free")
    for move in ("K10", "L10", "G6", "M10"):
        record.play(move)
    before = record.position
    record.play("N10")
    assert record.position.captures == (2, 0)
    record.take_back()
    assert record.position == before
    assert record.position.captures == (0, 0)
    assert record.position.text == before.text
    assert Record.read(record.text).position == before


# ── the end of the game, from the page's text ────────────────────────────────────────────────────────


def ends(options, moves):
    outcome = played(options, moves).outcome
    return outcome and (outcome.winners, outcome.reason)


def load(rows, taken="", **options):
    """A position with free opening from its rows, without captures so far."""
    words = " ".join(f"{name}={str(value).lower()}" for name, value in options.items())
    none_yet = "0,0" if options["rules"] in KIN else ""
    return pentad.load(f"pente opening=free {words} {rows} {taken or none_yet}")


def test_a_five_on_the_edge_and_in_the_corner():
    for five in ("A1 A2 A3 A4 A5", "T15 T16 T17 T18 T19", "P1 Q1 R1 S1 T1", "A1 B2 C3 D4 E5", "A19 B18 C17 D16 E15"):
        stones = five.split()
        others = "K2 M4 K6 M8"
        for last in range(5):
            order = stones[:last] + stones[last + 1 :] + [stones[last]]
            moves = " ".join(f"{mine} {theirs}" for mine, theirs in zip(order, [*others.split(), ""], strict=True))
            assert ends({"opening": "free"}, moves) == ((0,), "five"), (five, last)


def test_no_five_around_the_edge():
    """Four at the end of one row and one at the beginning of the next."""
    assert ends({"opening": "free"}, "Q5 K1 R5 K3 S5 M1 T5 M3 A6") is None
    assert ends({"opening": "free"}, "Q5 K1 R6 K3 S7 M1 T8 M3 A10") is None
    assert ends({"opening": "free"}, "D5 K1 C6 K3 B7 M1 A8 M3 T8") is None


GOMOKU = {"rules": "gomoku", "size": 9}


def test_in_gomoku_an_overline_is_no_five():
    here = load("bb1b5/9/9/9/wwww1w3/9/9/9/bb7", **GOMOKU)
    assert here.play("E5").outcome is None


def test_in_gomoku_a_five_counts_beside_an_overline():
    here = load("bb1bb1bb1/b1b1b4/9/9/wwww1w3/4w4/4w4/4w4/4w4", **GOMOKU)
    assert here.play("E5").outcome.winners == (0,)


def test_in_gomoku_a_five_that_grows_has_not_won():
    """The sixth stone of a row does not make a five."""
    here = load("bb1bb4/9/9/9/wwww5/9/9/9/9", **GOMOKU)
    assert here.play("E5").outcome.winners == (0,)
    here = load("bb1bb1b2/9/9/9/wwww1ww2/9/9/9/b8", **GOMOKU)
    assert here.play("E5").outcome is None


@pytest.mark.parametrize("rules", ["boat", "ninuki42"])
def test_a_win_by_capture_comes_before_a_standing_five(rules):
    here = load("b1b1b1b1b/9/9/9/4wwww1/9/9/1bww5/9", "6,6", rules=rules, size=9, capture_win=8)
    five = here.play("J5")
    assert five.outcome is None
    assert five.play("E2").outcome == pentad.game.Outcome.of((1,), 2, "captures")
    assert five.play("A1").outcome == pentad.game.Outcome.of((0,), 2, "five")
    enough = load("b1b1b1b1b/9/9/9/4wwww1/9/9/1bww5/9", "6,6", rules=rules, size=9)
    assert (enough.play("J5").outcome is None) == (rules == "boat")  # eight stones of ten change nothing


def arranged(white, black, taken=(0, 0), size=13, **options):
    """White to move with these stones, and with separate stones far away to balance the colours."""
    table = table_for(size=size, opening="free", **options)
    table.captured = list(taken)
    stones = [[table.point(name) for name in names.split()] for names in (white, black)]
    lacking = len(stones[0]) + taken[1] - len(stones[1]) - taken[0]
    given = stones[0] + stones[1]
    far = [
        (x, y)
        for x, y in table.empties()
        if (x + 2 * y) % 5 == 0 and all(max(abs(x - a), abs(y - b)) > 2 for a, b in given)
    ]
    stones[lacking > 0] += far[: abs(lacking)]
    for colour, points in enumerate(stones):
        for x, y in points:
            table.grid[y][x] = colour
    return load(drawn(table), "{},{}".format(*taken) if table.takes else "", size=size, **options)


def test_a_five_that_captures_the_tenth_stone_wins_at_once():
    here = arranged("A5 B5 C5 D5 E8", "E6 E7", (8, 0), rules="boat")
    assert here.play("E5").outcome == pentad.game.Outcome.of((0,), 2, "captures")


TWO_FIVES = "B6 C6 D6 E6 C7 F2 F3 F4 F5 E4"  # C5 takes C6 and C7, G4 takes E4 and F4


def test_fives_that_only_two_replies_could_break_are_safe():
    """In ninuki42: a row and a column share a stone; a pair of each can be captured, but no reply captures both."""
    assert arranged(TWO_FIVES, "C8 D4", rules="ninuki42").play("F6").outcome == pentad.game.Outcome.of((0,), 2, "five")
    one_five = arranged("B6 C6 D6 E6 C7", "C8 D4", rules="ninuki42").play("F6")
    assert one_five.outcome is None
    assert one_five.play("C5").outcome is None
    assert one_five.play("C5").captures == (0, 2)
    assert one_five.play("C4").outcome.winners == (0,)
    both = arranged(TWO_FIVES, "C8 D4", rules="boat").play("F6")
    assert both.outcome is None
    assert both.play("C5").outcome.winners == (0,)


def test_a_five_that_one_reply_breaks_twice_is_not_safe():
    """The stone that both fives share can be captured."""
    fives = "B6 C6 D6 E6 F2 F3 F4 F5 G7"
    here = arranged(fives, "H8", rules="ninuki42").play("F6")
    assert here.outcome is None
    assert here.play("E5").captures == (0, 2)
    assert here.play("E5").outcome is None


@pytest.mark.parametrize("rules", ["boat", "ninuki42"])
def test_a_five_that_breaks_a_five_must_survive_too(rules):
    """Black's C5 captures C6 and C7, which breaks White's row, and makes a column that can be broken."""
    here = arranged("B6 C6 D6 E6 C7 L5", "C8 D5 E5 F5 G5 E3 E4", rules=rules)
    here = here.play("F6")
    assert here.outcome is None
    here = here.play("C5")
    assert here.captures == (0, 2)
    assert (here.outcome is None) == (rules == "boat")  # none of its stones can be captured
    if rules == "boat":
        assert here.play("L6").outcome.winners == (1,)


POOFING = "9/9/4b4/4w4/5bbw1/4b4/9/9/w1w6"


@pytest.mark.parametrize(
    ("taken", "winners"), [("8,8", None), ("6,8", (1,)), ("8,6", (0,)), ("6,6", None), ("8,10", "no")], ids=str
)
def test_poof_gives_stones_to_both(taken, winners):
    """E5 captures F5 and G5, and vanishes with E6."""
    white, black = map(int, taken.split(","))
    rows = POOFING.replace("w1w6", {0: "w1w6", 2: "w1w1w1w2", -2: "9"}[white - black])
    if winners == "no":
        assert load(rows, taken, rules="poof", size=9).outcome.winners == (1,)
        return
    after = load(rows, taken, rules="poof", size=9).play("E5")
    assert after.captures == (white + 2, black + 2)
    assert (after.outcome and after.outcome.winners) == winners


def test_if_both_have_captured_enough_only_a_five_decides():
    here = load(POOFING, "8,8", rules="poof", size=9).play("E5")
    for move in "A9 B1 A7 D1 B9 G1 C9 J1 D9 J3 E9".split():  # noqa: SIM905
        assert here.outcome is None
        here = here.play(move)
    assert here.outcome.winners == (1,)


@pytest.mark.parametrize("rules", ["pente", "boat", "gomoku", "freestyle", "ninuki42"])
def test_a_full_board_is_a_draw(rules):
    here = load("wbw/bb1/wwb", rules=rules, size=3, line=3)
    assert here.outcome is None
    assert here.play("C2").outcome == pentad.game.Outcome.of((), 2, "full board")


def test_lines_is_a_draw_as_soon_as_no_line_can_be_made():
    here = played({"rules": "lines", "size": 3, "line": 3}, "B2 A1 C1 A3 A2 C2 B3")
    assert here.outcome is None  # B1 and C3 are empty, and one line is White's or empty still
    assert here.play("C3").outcome is None
    assert here.play("B1").outcome == pentad.game.Outcome.of((), 2, "no line left")
    assert len(here.play("B1").legal_moves) == 0

"""The rules: properties, turns and their forms, swap2, lists of moves, options and errors."""

import copy
import itertools
import pickle
from math import perm

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import Choice, Choices, Move
from pentad.games.pente.board import Side, Stone
from tests.cases import Anything, together
from tests.games.pente.random_games import CAPTURING, GAMES, RULES, new, played, positions, random_game
from tests.games.pente.referee import table_for
from tests.properties import properties

SWAP2 = {"rules": "gomoku", "opening": "swap2"}
TINY = ("lines 4, four", "pente, swap2 on 4", "poof 5", "keryo on 6", "boat on 5, three", "ninuki42 7", "lines, swap2")


# ── properties ───────────────────────────────────────────────────────────────────────────────────


@properties(40)
@given(positions(), st.data())
def test_symmetries_commute_with_play(position, data):
    if position.outcome:
        return
    move = position.legal_moves[data.draw(st.integers(0, len(position.legal_moves) - 1))]
    for way in position.symmetries:
        assert way.position(position.play(move)) == way.position(position).play(way.move(move)), way.name


@properties(40)
@given(positions())
def test_symmetries_keep_the_outcome_and_the_legal_moves(position):
    for way in position.symmetries:
        image = way.position(position)
        assert (image.outcome, image.captures, image.text == position.text) == (
            position.outcome,
            position.captures,
            image == position,
        ), way.name
        if len(position.legal_moves) < 400:
            assert {*map(way.move, position.legal_moves)} == {*image.legal_moves}, way.name


@properties(40)
@given(positions())
def test_texts_are_read_back(position):
    again = pentad.load(position.text)
    assert again == position
    assert hash(again) == hash(position)
    assert (again.text, again.turn, again.ply, again.captures) == (
        position.text,
        position.turn,
        position.ply,
        position.captures,
    )
    assert again.outcome == position.outcome
    assert pickle.loads(pickle.dumps(position)) == copy.deepcopy(position) == position


@properties(40)
@given(positions())
def test_positions_are_immutable(position):
    before = pentad.load(position.text)
    for move in itertools.islice(position.legal_moves, 5):
        position.play(move)
        position.partial(move[:-1])
    position.threats()
    assert position == before
    for name in ("stones", "taken", "setup", "ply", "turn", "players", "text", "stage"):
        with pytest.raises(AttributeError):
            setattr(position, name, None)
    assert position == before
    assert hash(position) == hash(before)


@properties(40)
@given(positions(), positions())
def test_equal_positions_have_equal_texts_and_hashes(one, other):
    assert (one == other) == (one.text == other.text)
    assert one != other or hash(one) == hash(other)
    assert one != one.text


@properties(40)
@given(positions(TINY))
def test_legal_moves_are_a_sequence(position):
    legal, moves = position.legal_moves, list(position.legal_moves)
    size = len(moves)
    assert len(legal) == size
    assert len(set(moves)) == size
    assert bool(legal) == bool(moves) == (position.outcome is None)
    chosen = range(0, size, max(1, size // 200))
    assert [legal[i] for i in chosen] == moves[:: max(1, size // 200)]
    assert [legal[i - size] for i in chosen] == moves[:: max(1, size // 200)]
    assert list(reversed(legal[:300])) == moves[:300][::-1]
    for part in (slice(None), slice(2, 9), slice(None, None, -3), slice(-4, None), slice(9, 2), slice(0, 10**9, 7)):
        assert legal[part] == moves[part]
    for index in (size, -size - 1, 10**30):
        with pytest.raises(IndexError):
            legal[index]
    assert all(isinstance(move, Move) for move in moves)


@properties(40)
@given(positions(TINY))
def test_in_agrees_with_the_list(position):
    moves = set(position.legal_moves)
    tried = [Move((stone,)) for stone in position.board.stones]
    tried += [Move((Side(side),)) for side in ("white", "black", "more")]
    tried += [Move(stones) for stones in itertools.islice(itertools.product(position.board.stones, repeat=2), 40)]
    tried += [Move((Side("more"), *stones)) for stones in itertools.product(position.board.stones[:6], repeat=2)]
    tried += [Move(stones) for stones in itertools.product(position.board.stones[:5], repeat=3)]
    for move in tried:
        assert (move in position.legal_moves) == (move in moves), move


@properties(40)
@given(positions(TINY))
def test_moves_are_written_and_read(position):
    for move in itertools.islice(position.legal_moves, 40):
        assert position.parse(str(move)) == move
        assert (
            position.play(str(move))
            == position.play(str(move).lower())
            == position.play(move)
            == position.play(tuple(move))
            == position.play(list(move))
        )
        assert "\n" not in position.describe(move)
        assert position.describe(move)


@properties(40)
@given(positions(), st.text(max_size=8) | st.from_regex(r"([A-Ka-k]-?[0-9]{1,3} ?|more |white ){1,4}", fullmatch=True))
def test_any_text_is_played_or_refused(position, text):
    for method in (position.play, position.parse, position.partial, position.choices):
        message = refusal(method, text)
        assert message.isprintable()
        assert len(message) < 200


@properties(40)
@given(
    positions(),
    st.text(alphabet="pente .wb/-,=0123456789swapedchoruliz\n", max_size=60),
    st.data(),
)
def test_any_position_text_is_loaded_or_refused(position, text, data):
    at = data.draw(st.integers(0, len(position.text)))
    for damaged in (
        text,
        position.text[:at],
        position.text[:at] + text,
        position.text[:at] + text + position.text[at:],
    ):
        message = refusal(pentad.load, damaged)
        assert message.isprintable()
        assert len(message) < 250
        if not message:
            again = pentad.load(damaged)
            assert pentad.load(again.text) == again
            assert again.outcome is None or not again.legal_moves


def refusal(function, text):
    """The message of a GameError, or nothing; other errors are raised."""
    try:
        function(text)
    except pentad.GameError as error:
        return str(error)
    return ""


# ── the turn ─────────────────────────────────────────────────────────────────────────────────────


def test_the_empty_board():
    here = new()
    assert (here.game, here.players, here.turn, here.ply, here.captures) == ("pente", 2, 0, 0, (0, 0))
    assert here.outcome is None
    assert [str(move) for move in here.legal_moves] == ["K10"]
    assert [here.colour_of(seat) for seat in (0, 1)] == ["white", "black"]
    assert here.options["rules"] == "pente"


def test_turns_alternate_and_stones_stay():
    here = new(rules="lines")
    for ply, move in enumerate(("E5", "A1", "K10", "J9")):
        assert (here.turn, here.ply) == (ply % 2, ply)
        here = here.play(move)
    assert here.text == "pente rules=lines 9w/8b1/10/10/10/4w5/10/10/10/b9"


@pytest.mark.parametrize("rules", RULES)
def test_after_the_end(rules):
    options = {"rules": rules, "size": 7, "line": 3, "opening": "free"}
    here = played(options, "A1 G1 B1 G3 C1")
    if rules == "boat":
        assert here.outcome is None
        here = here.play("G7")
    assert here.outcome.winners == (0,)
    assert here.outcome.reason == "line of 3"
    assert len(here.legal_moves) == 0
    assert list(here.legal_moves) == []
    assert tuple(here.choices()) == ()
    assert here.parse("A7") not in here.legal_moves
    for method in (here.play, here.partial, here.choices):
        with pytest.raises(pentad.IllegalMove, match=r"The game is over\. White wins "):
            method("A7")


def test_after_a_draw():
    here = pentad.load("pente rules=lines size=3 line=3 wbw/wb1/bwb")
    with pytest.raises(pentad.IllegalMove, match=r"The game is over\. Draw: "):
        here.play("C2")


def test_an_occupied_point_names_its_colour():
    here = played({"opening": "free"}, "A1 B1")
    with pytest.raises(pentad.IllegalMove, match="A1 is occupied by a white stone"):
        here.play("A1")
    with pytest.raises(pentad.IllegalMove, match="B1 is occupied by a black stone"):
        here.play("b1")


def test_choices_have_targets_and_labels():
    here = new(rules="gomoku")
    choices = here.choices()
    assert len(choices) == 225
    assert {choice.targets for choice in choices} == {(str(stone),) for stone in here.board.stones}
    assert all(choice.label and str(choice) == str(choice.step) for choice in choices)
    assert choices.prompt == "Place a white stone."
    assert here.play("H8").choices().prompt == "Place a black stone."
    assert choices.restriction == ""
    first = "The first stone goes to the centre, K10."
    assert (new().choices().prompt, new().choices().restriction) == (f"Place a white stone. {first}", first)
    assert (choices.may_end, here.choices("H8").may_end) == (False, True)
    assert tuple(here.choices("H8")) == ()


@pytest.mark.parametrize(
    ("opening", "ply", "sentence"),
    [
        ("centre", 0, "The first stone goes to the centre, K10."),
        ("tournament", 0, "The first stone goes to the centre, K10."),
        ("tournament", 1, ""),
        ("tournament", 2, "The third stone goes outside the 5×5 square around the centre, K10."),
        ("pro", 1, "The second stone goes inside the 3×3 square around the centre, K10."),
        ("pro", 2, "The third stone goes outside the 5×5 square around the centre, K10."),
        ("pro", 3, ""),
        ("free", 0, ""),
    ],
)
def test_an_opening_says_which_points_it_allows_now(opening: str, ply: int, sentence: str) -> None:
    here = new(opening=opening)
    for move in ("K10", "L10", "G6")[:ply]:
        here = here.play(move)
    assert here.choices().restriction == sentence
    assert sentence in here.guide
    allowed = {str(choice) for choice in here.choices()}
    assert ("K10" in allowed, "M12" in allowed, "N10" in allowed) == {
        ("centre", 0): (True, False, False),
        ("tournament", 0): (True, False, False),
        ("tournament", 2): (False, False, True),
        ("pro", 1): (False, False, False),
        ("pro", 2): (False, False, True),
        ("free", 0): (True, True, True),
    }.get((opening, ply), (False, True, True))


def test_the_guide_of_a_free_opening_restricts_nothing() -> None:
    assert new(opening="free").guide.startswith("Place a stone on an empty point. Get 5 in a row")


def test_moves_in_every_form():
    here = new(rules="gomoku")
    after = here.play("H8")
    choice = next(choice for choice in here.choices() if str(choice) == "H8")
    stone = Stone(7, 7)
    for form in ("h8", " H8", choice, stone, (stone,), [stone], iter([stone]), Move((stone,))):
        assert here.play(form) == after


def test_describing_a_move():
    here = played({"opening": "free"}, "K10 L10 G6 M10")
    assert here.describe(here.parse("N10")) == "White plays N10 and captures 2 stones."
    assert here.describe(here.parse("A1")) == "White plays A1."
    with pytest.raises(pentad.IllegalMove):
        here.describe(here.parse("K10"))


ODD = [
    None,
    0,
    1.5,
    True,
    float("nan"),
    b"K10",
    (),
    [],
    (None,),
    ("K10",),  # a step must not be text
    ((9, 9),),  # or a plain tuple
    (9, 9),
    Stone(-1, 0),
    Stone(19, 0),
    Stone(0, 19),
    Stone("A", "1"),
    Stone(0.0, 0.0),
    Stone(True, 0),
    Stone(None, None),
    Side("green"),
    Side(None),
    Side(""),
    Side(("white",)),
    ("white",),
    (Stone(9, 9), None),
    (Stone(9, 9), Stone(8, 8)),
    (Stone(9, 9), Stone(9, 9)),
    Choice(Stone(19, 19), (), ""),
    Choice(None, (), ""),
    Choices((), "nothing"),
    {"K10": 1},
    Anything(),
    10**5000,
    (10**5000,),
    Stone(10**5000, 0),
    Side("x" * 100_000),
    ("x" * 100_000,),
    "K10" * 100_000,
    "K10 " * 100_000,
    [Stone(9, 9)] * 100_000,
]


@together("move", ODD)
def test_odd_moves_are_refused_in_one_line(move):
    here = new()
    with pytest.raises(pentad.InvalidMove) as caught:
        here.play(move)
    assert str(caught.value).isprintable()
    assert 10 < len(str(caught.value)) < 160
    assert here == new()


@pytest.mark.parametrize(
    "thing", [None, 3, "K10", "", (), ("K10",), (None,), [], 1.5, Anything(), Stone(9, 9)], ids=repr
)
def test_other_objects_are_not_in_the_legal_moves(thing):
    assert thing not in new().legal_moves
    assert thing not in list(new().legal_moves)


@pytest.mark.parametrize("side", ["white", "black", "more"])
def test_sides_are_chosen_in_swap2_alone(side):
    here = new()
    for method in (here.play, here.partial, here.choices):
        with pytest.raises(pentad.IllegalMove, match=rf"{side} cannot be chosen now\."):
            method(side)
    assert Move((Side(side),)) not in here.legal_moves


# ── swap2 ────────────────────────────────────────────────────────────────────────────────────────

OPENED = "H8 J9 K10"


@pytest.mark.slow
@together("size", [3, 4, 5, 9, 19, 25])
@together("rules", ["lines", "pente", "ninuki42"])
def test_swap2_number_of_moves(rules, size):
    """Ordered triples; then two colours and the ordered pairs; then two colours."""
    here, points = new(rules=rules, size=size, line=3, opening="swap2"), size**2
    assert len(here.legal_moves) == perm(points, 3)
    assert str(here.legal_moves[0]) == "A1 B1 C1"
    last = here.legal_moves[-1]
    assert last in here.legal_moves
    assert len({*last}) == 3
    here = here.play("A1 B3 C2")
    assert len(here.legal_moves) == 2 + perm(points - 3, 2)
    assert [str(move) for move in here.legal_moves[:2]] == ["white", "black"]
    assert str(here.legal_moves[2]).startswith("more B1 C1")
    assert here.legal_moves[-1] in here.legal_moves
    assert len(here.partial("more").legal_moves) == perm(points - 3, 2)
    assert len(here.partial("more B1").legal_moves) == points - 4
    here = here.play("more B1 C1")
    assert [str(move) for move in here.legal_moves] == ["white", "black"]
    assert len(here.play("black").legal_moves) == points - 5


def test_swap2_stones_change_colour():
    here = played(SWAP2, OPENED + ",more A1 B1")
    rows = dict(zip(range(15, 0, -1), here.text.split()[3].split("/"), strict=True))
    assert (rows[8], rows[9], rows[10], rows[1]) == ("7w7", "8b6", "9w5", "bw13")


@pytest.mark.parametrize(
    ("moves", "white", "turn", "ply"),
    [
        ("", 0, 0, 0),
        (f"{OPENED},", 0, 1, 1),
        (f"{OPENED},white", 1, 0, 2),
        (f"{OPENED},black", 0, 1, 2),
        (f"{OPENED},more A1 B1", 0, 0, 2),
        (f"{OPENED},more A1 B1,white", 0, 1, 3),
        (f"{OPENED},more A1 B1,black", 1, 0, 3),
        (f"{OPENED},white,C3", 1, 1, 3),
        (f"{OPENED},black,C3", 0, 0, 3),
        (f"{OPENED},more A1 B1,white,C3,D4", 0, 1, 5),
        (f"{OPENED},more A1 B1,black,C3", 1, 1, 4),
    ],
)
def test_swap2_seats_and_colours(moves, white, turn, ply):
    here = played(SWAP2, moves)
    assert (here.colour_of(white), here.colour_of(1 - white)) == ("white", "black")
    assert (here.turn, here.ply) == (turn, ply)
    assert pentad.load(here.text) == here


def test_swap2_black_moves_after_the_opening():
    for moves in (f"{OPENED},white", f"{OPENED},black", f"{OPENED},more A1 B1,white", f"{OPENED},more A1 B1,black"):
        here = played(SWAP2, moves)
        assert here.colour_of(here.turn) == "black"
        assert here.choices().prompt == "Place a black stone."


def test_swap2_winners_and_captures_go_by_seat():
    here = played({"size": 9, "opening": "swap2", "capture_win": 2}, "A1 C1 E9,white,B1")
    assert here.colour_of(1) == "white"
    here = here.play("D1")  # white takes B1 and C1
    assert (here.captures, here.outcome.winners, here.outcome.returns) == ((0, 2), (1,), (-1.0, 1.0))


def test_swap2_captures_in_the_opening():
    """Black's fourth stone captures two white ones; the captures go with the colour black."""
    here = played({"size": 9, "opening": "swap2"}, "B1 A1 C1,more D1 E5")
    assert here.captures == (0, 2)
    assert here.play("white").captures == (0, 2)
    assert here.play("black").captures == (2, 0)
    assert len(here.play("white").legal_moves) == 81 - 3
    ways = played({"size": 9, "opening": "swap2"}, "B1 A1 C1,")
    assert len(ways.legal_moves) == 2 + 77 * 77 + 79  # D1 gives two points back
    assert len(set(ways.legal_moves)) == len(ways.legal_moves)
    assert [ways.legal_moves[i] for i in range(0, 6010, 97)] == list(ways.legal_moves)[::97]


def test_swap2_no_outcome_before_the_colours_are_chosen():
    here = played({"rules": "lines", "size": 5, "line": 3, "opening": "swap2"}, "A1 E5 B1,more E4 C1")
    assert here.outcome is None
    assert here.play("white").outcome.winners == (0,)
    assert here.play("black").outcome.winners == (1,)


@pytest.mark.parametrize("moves", ["A1 E5 B1,white", "A1 E5 C1,more E4 E1,white", "A1 E5 B1,more E3 D5,black"])
def test_swap2_a_line_of_two_is_seen_whichever_stone_made_it(moves):
    """The outcome is the same for a loaded position, which has no last stone."""
    here = played({"rules": "lines", "size": 5, "line": 2, "opening": "swap2"}, moves)
    assert here.outcome == pentad.load(here.text).outcome
    assert here.outcome.winners
    assert not here.legal_moves


@together(
    ("before", "move", "error", "says"),
    [
        ("", "H8", pentad.IllegalMove, "not a whole turn. Place a black stone"),
        ("", "H8 J9", pentad.IllegalMove, "not a whole turn. Place a white stone"),
        ("", "H8 J9 H8", pentad.IllegalMove, "H8 is occupied by a white stone"),
        ("", "H8 H8 J9", pentad.IllegalMove, "H8 is occupied by a white stone"),
        ("", "H8 J9 K10 L11", pentad.InvalidMove, "more than one turn"),
        ("", "white", pentad.IllegalMove, "white cannot be chosen now. Place a white stone"),
        ("", "more H8 J9", pentad.IllegalMove, "more cannot be chosen now"),
        ("", "H8 white J9", pentad.IllegalMove, "white cannot be chosen now. Place a black stone"),
        (OPENED, "A1", pentad.IllegalMove, "Choose a colour now: white or black or more"),
        (OPENED, "A1 B1", pentad.IllegalMove, "Choose a colour now"),
        (OPENED, "more", pentad.IllegalMove, "not a whole turn. Place a black stone"),
        (OPENED, "more A1", pentad.IllegalMove, "not a whole turn. Place a white stone"),
        (OPENED, "more A1 A1", pentad.IllegalMove, "A1 is occupied by a black stone"),
        (OPENED, "more A1 H8", pentad.IllegalMove, "H8 is occupied by a white stone"),
        (OPENED, "more A1 B1 C1", pentad.InvalidMove, "more than one turn"),
        (OPENED, "more more A1 B1", pentad.IllegalMove, "more cannot be chosen now"),
        (OPENED, "white A1", pentad.InvalidMove, "more than one turn"),
        (OPENED, "white black", pentad.InvalidMove, "more than one turn"),
        (OPENED, "green", pentad.InvalidMove, "not a point"),
        (
            f"{OPENED},more A1 B1",
            "more C1 D1",
            pentad.IllegalMove,
            "more cannot be chosen now.",
        ),
        (f"{OPENED},more A1 B1", "C1", pentad.IllegalMove, "Choose a colour now: white or black"),
        (f"{OPENED},white", "white", pentad.IllegalMove, "white cannot be chosen now. Place a black stone"),
        (f"{OPENED},white", "H8", pentad.IllegalMove, "H8 is occupied"),
        (f"{OPENED},white", "A1 B1 C1", pentad.InvalidMove, "more than one turn"),
    ],
)
def test_swap2_moves_of_the_wrong_kind(before, move, error, says):
    here = played(SWAP2, before + ",")
    with pytest.raises(error, match=says) as caught:
        here.play(move)
    assert type(caught.value) is error
    assert len(str(caught.value)) < 160
    assert here.parse(move) not in here.legal_moves if error is not pentad.InvalidMove else True


def test_swap2_turns_in_parts():
    here = played(SWAP2, OPENED + ",")
    choices = here.choices()
    assert ([str(choice) for choice in choices], choices.prompt) == (["white", "black", "more"], "Choose a colour.")
    assert here.choices("white").may_end
    assert not here.choices("more").may_end
    assert here.choices("more").prompt == "Place a black stone."
    assert here.choices("more A1").prompt == "Place a white stone."
    half = here.partial("more A1")
    assert (half.turn, half.ply, half.stage) == (1, 1, "more")
    assert half.play("B1") == here.play("more A1 B1")
    assert here.partial("more").play("A1 B1") == here.play("more A1 B1")
    with pytest.raises(pentad.IllegalMove, match="whole turn"):
        here.partial("white")
    with pytest.raises(pentad.IllegalMove, match="whole turn"):
        half.partial("B1")


# ── options ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("rules", "size", "line", "opening", "captures", "capture_win"),
    [
        ("pente", 19, 5, "tournament", 2, 10),
        ("keryo", 19, 5, "tournament", 3, 15),
        ("g-pente", 19, 5, "tournament", 2, 10),
        ("poof", 19, 5, "tournament", 2, 10),
        ("boat", 19, 5, "tournament", 2, 10),
        ("lines", 10, 5, "free", 0, 0),
        ("gomoku", 15, 5, "free", 0, 0),
        ("freestyle", 15, 5, "free", 0, 0),
        ("ninuki42", 19, 5, "free", 2, 10),
    ],
)
def test_the_table_of_rule_sets(rules, size, line, opening, captures, capture_win):
    options = new(rules=rules).options
    assert (options["size"], options["line"], options["opening"]) == (size, line, opening)
    assert (options["captures"], options["capture_win"]) == (captures, capture_win)
    assert options["tournament_rule"] == (opening == "tournament")
    assert new(**options) == new(rules=rules)
    table = table_for(rules)
    assert (table.size, table.opening, table.goal or 0) == (size, opening, capture_win)


@together("rules", RULES)
@together("rule", [True, False])
def test_the_tournament_rule_is_another_name_for_openings(rules, rule):
    here = new(rules=rules, size=9, tournament_rule=rule)
    free = rules not in CAPTURING
    assert here.options["opening"] == ("tournament" if rule else "free" if free else "centre")
    assert here == new(rules=rules, size=9, opening=here.options["opening"])


@together("name", GAMES)
def test_options_make_an_equal_game(name):
    here = new(**GAMES[name])
    assert new(**here.options) == here
    assert here.options.items() >= GAMES[name].items()
    assert pentad.load(here.text).options == here.options


@together("size", range(3, 26))
def test_sizes(size):
    for rules in ("lines", "gomoku", "freestyle", "ninuki42"):
        assert new(rules=rules, size=size, line=3).options["size"] == size
    for rules in CAPTURING:
        assert len(new(rules=rules, size=size, line=size, opening="free").legal_moves) == size**2
        if size % 2 and size > 5:
            assert len(new(rules=rules, size=size).legal_moves) == 1
        else:
            with pytest.raises(pentad.GameError, match=rf"not {size};"):
                new(rules=rules, size=size, line=3)


@together(
    ("options", "says"),
    [
        ({"size": 8}, "The opening tournament needs an odd"),
        ({"size": 8, "tournament_rule": False}, "The opening centre needs an odd size"),
        ({"size": 8, "opening": "pro"}, "The opening pro needs an odd size"),
        ({"size": 3}, "on a board of size 3"),
        ({"size": 5}, "of at least 7, not 5;"),
        ({"size": 2, "opening": "free"}, "size must be a whole number from 3 to 25, not 2"),
        ({"size": 26}, "size must be a whole number from 3 to 25, not 26"),
        ({"size": 0}, "size must be"),
        ({"size": -19}, "size must be"),
        ({"size": True}, "size must be"),
        ({"size": 19.0}, "size must be"),
        ({"size": "19"}, "size must be"),
        ({"size": None}, "size must be"),
        ({"size": 10**5000}, "size must be"),
        ({"line": 20}, "A line of 20 does not fit"),
        ({"rules": "lines", "line": 11}, "A line of 11 does not fit"),
        ({"rules": "gomoku", "size": 4}, "A line of 5 does not fit"),
        ({"line": 26}, "line must be a whole number"),
        ({"line": 0}, "line must be a whole number"),
        ({"line": -5}, "line must be a whole number"),
        ({"rules": "chess"}, "rules must be one of pente, keryo, g-pente"),
        ({"rules": "Pente"}, "rules must be one of"),
        ({"rules": ""}, "rules must be one of"),
        ({"rules": None}, "rules must be one of"),
        ({"rules": "x" * 100_000}, "rules must be one of"),
        ({"opening": "swap"}, "opening must be one of free"),
        (
            {"opening": "free", "tournament_rule": True},
            "The opening free contradicts tournament_rule=true; give only one",
        ),
        ({"opening": "swap2", "tournament_rule": True}, "The opening swap2 contradicts"),
        (
            {"opening": "tournament", "tournament_rule": False},
            "The opening tournament contradicts tournament_rule=false",
        ),
        ({"tournament_rule": 1}, "tournament_rule must be true or false"),
        ({"tournament_rule": "yes"}, "tournament_rule must be true or false"),
        ({"rules": "lines", "tournament_rule": True}, "not 10;"),
        ({"captures": 1}, "captures must be 0 for none, 2"),
        ({"captures": 4}, "captures must be a whole number from 0 to 3"),
        ({"captures": -2}, "captures must be"),
        ({"captures": 0}, "capture_win 10 cannot be reached without captures"),
        ({"rules": "gomoku", "capture_win": 4}, "capture_win 4 cannot be reached"),
        ({"capture_win": -1}, "capture_win must be a whole number"),
        ({"capture_win": 10**9}, "capture_win must be a whole number"),
        ({"five": "always"}, "five must be one of wins, stands, unbroken"),
        ({"poof": 1}, "poof must be true or false"),
        ({"overline": None}, "overline must be true or false"),
        ({"double_three": "no"}, "double_three must be true or false"),
        ({"players": 2}, "Pente has no option players"),
        ({"board_size": 19}, "Pente has no option board_size"),
    ],
)
def test_invalid_options(options, says):
    with pytest.raises(pentad.GameError, match=says) as caught:
        new(**options)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 250


def test_switches_change_a_rule_set():
    bent = new(rules="gomoku", size=9, captures=2, capture_win=2)
    for move in ("A1", "B1", "E5", "C1"):
        bent = bent.play(move)
    assert bent.play("D1").outcome.reason == "captures"
    assert played({"opening": "free", "overline": False}, "A1 A9 B1 B9 C1 C9 E1 E9 F1 F9 D1").outcome is None


@pytest.mark.parametrize("options", [{"rules": "gomoku", "captures": 2}, {"overline": False, "captures": 3}], ids=str)
def test_a_capture_that_makes_an_exact_five_of_a_six(options):
    """White captures an end of Black's six: the outcome is the same played, loaded and mirrored."""
    options = {"size": 9, "opening": "free", "capture_win": 10, **options}
    moves = "A1 E2 A3 E3 A5 E4 A7 E6 A9 E7 C1 F7 G7 E5"
    here = played(options, moves)
    assert here.outcome is None  # six in a row are none
    here = here.play("D7")
    assert here.captures == (2, 0)
    assert here.outcome == pentad.load(here.text).outcome
    assert here.outcome == here.symmetries[1].position(here).outcome


@pytest.mark.parametrize("name", ["pente 7", "keryo on 6", "lines 6, five", "boat, swap2"])
def test_copies_are_equal(name):
    for position, _ in random_game(GAMES[name], 2):
        assert copy.copy(position) == copy.deepcopy(position) == position

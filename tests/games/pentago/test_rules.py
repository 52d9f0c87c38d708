"""The rules: compared with the referee on many boards, as properties, and single cases."""

import copy
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import Choice, Choices, Move
from pentad.games.pentago import from_number
from pentad.games.pentago.board import Place, Twist
from pentad.games.pentago.rules import GAME
from tests.cases import Anything, slow, together
from tests.games.pentago.random_games import (
    GAMES,
    SMALL,
    data,
    drawn,
    every_game,
    pair,
    played,
    positions,
    random_game,
    random_turn,
    rotated,
)
from tests.games.pentago.referee import Table
from tests.games.turns import moves_by_choices
from tests.properties import properties

# black fills row a, white row b, until black's a4 wins by placement
FOUR = "a0 4A, b0 4A, a1 4A, b1 4A, a2 4A, b2 4A, a3 4A, b3 4A"


# ── against the referee ──────────────────────────────────────────────────────────────────────────


def assert_same(position, table):
    """Asserts that the package and the referee have the same position."""
    assert position.text.split()[-1] == drawn(table)
    assert position.turn == table.turn
    assert position.ply == sum(seat is not None for row in table.spaces for seat in row)
    if table.over:
        assert position.outcome.winners == tuple(table.winners)
        assert position.outcome.returns == pytest.approx(table.returns())
    else:
        assert position.outcome is None


@pytest.mark.fast_cases(4)
@every_game
def test_random_games(options):
    for seed in range(12):
        for position, table in random_game(options, seed):
            assert_same(position, table)


@pytest.mark.fast_cases(7)
@every_game
def test_legal_moves(options):
    for seed in range(3):
        for position, table in random_game(options, seed):
            if position.ply % 3 == seed or table.over:
                texts = [str(move) for move in position.legal_moves]
                assert len(texts) == len(set(texts)) == len(position.legal_moves)
                assert set(texts) == set(table.turns())


@pytest.mark.fast_cases(4)
@every_game
def test_legal_moves_lead_to_the_referees_positions(options):
    rng = random.Random(7)
    for position, table in random_game(options, 4):
        for turn in rng.sample(table.turns(), min(10, len(table.turns()))):
            after = table.copy()
            after.take(turn)
            assert_same(position.play(turn), after)


@pytest.mark.fast_cases(6)
@every_game
def test_turns_unknown_to_the_referee_are_illegal(options):
    for position, table in random_game(options, 5):
        legal = {turn.split()[0]: " " in turn for turn in table.turns()}
        for place in position.board.places:
            if str(place) not in legal:
                with pytest.raises(pentad.IllegalMove, match=r"over|taken"):
                    position.play(f"{place} 1C")
            elif legal[str(place)]:
                with pytest.raises(pentad.IllegalMove, match="twist must follow"):
                    position.play(str(place))


@pytest.mark.slow
def test_the_random_games_cover_all_ends():
    """The comparisons are meaningful: these games cover all kinds of ends."""
    ends = set()
    for options in GAMES.values():
        for seed in range(12):
            *_, (position, table) = random_game(options, seed)
            mover = (table.turn - 1) % table.players
            ends.add((min(table.players, 3), len(table.winners), mover in table.winners, position.outcome.reason))
    reasons = {(players, winners, mover_won) for players, winners, mover_won, reason in ends if reason != "full board"}
    assert {(players, winners) for players, winners, _, reason in ends if reason == "full board"} == {(2, 0), (3, 0)}
    assert reasons >= {(2, 1, True), (2, 1, False), (2, 2, True), (3, 1, True), (3, 1, False), (3, 2, True)}


@pytest.mark.fast_cases(7)
@every_game
def test_the_choices_are_the_legal_moves(options):
    for seed in range(2):
        for position, table in random_game(options, seed):
            if position.ply % 4 or position.board.size > 36:
                continue
            assert [str(m) for m in moves_by_choices(position)] == [str(m) for m in position.legal_moves]
            assert len(position.choices()) == (0 if table.over else len(table.empty_names()))


@every_game
def test_a_turn_in_two_halves(options):
    for position, table in random_game(options, 8):
        if table.over:
            continue
        turn = random_turn(table, random.Random(position.ply), careful=0)
        name, _, twist = turn.partition(" ")
        half = position.partial(name)
        assert (half.turn, half.ply) == (position.turn, position.ply)
        if twist:
            assert half.outcome is None
            assert half.play(twist) == position.play(turn)
            assert len(half.legal_moves) == 2 * table.rows * table.cols
        else:
            assert half.outcome == position.play(turn).outcome
            assert half.outcome.winners == (position.turn,)
            assert not half.legal_moves


# ── the values of boards nearly full ─────────────────────────────────────────────────────────────


def value(position, seat=None):
    """The value for a seat, by default the player to move, with perfect play; for nearly full boards."""
    seat = position.turn if seat is None else seat
    if position.outcome:
        return position.outcome.returns[seat]
    values = (value(position.play(move), seat) for move in position.legal_moves)
    return max(values) if position.turn == seat else min(values)


@pytest.mark.parametrize(("most", "positions"), [(2, 88), slow(3, 120)])
def test_values_of_boards_nearly_full(most, positions):
    solved = 0
    for name, known in data("games.json").items():
        position = from_number(int(name.rstrip("m")), placed=name.endswith("m"))
        if position.empty.bit_count() <= most:
            assert value(position) == known, name
            solved += 1
    assert solved == positions


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("marbles", "step"), [(35, 1), (34, 17)])
def test_wins_over_all_rotations(marbles, step):
    for number, (black, white) in rotated(marbles).items():
        board = from_number(number)
        for bit in range(0, 256, step):
            position = turned(board, [bit >> 2 * k & 3 for k in range(4)])
            assert value(position, seat=0) == (black >> bit & 1) - (white >> bit & 1), (number, bit)


def turned(position, quarters):
    """The board after anti-clockwise quarter turns of the published solution's quadrants."""
    twist, marbles = position.board.twist, position.marbles
    for sub_board, times in zip((3, 1, 4, 2), quarters, strict=True):  # they go from the bottom left up the columns
        for _ in range(times):
            marbles = tuple(twist(mine, Twist(sub_board, "A")) for mine in marbles)
    return type(position)(position.setup, marbles)


@properties(60)
@given(st.integers(12, 36), st.integers(0, 1 << 32))
def test_ends_are_those_of_the_referee(marbles, seed):
    """Boards of marbles by chance, which have lines of one player, of both, or of none."""
    rng, table = random.Random(seed), Table()
    spaces = [(y, x) for y in range(6) for x in range(6)]
    for ply, (y, x) in enumerate(rng.sample(spaces, marbles)):
        table.spaces[y][x] = ply % 2
    position = pentad.load(f"pentago {drawn(table)}")
    lines = table.with_a_line()
    if lines or table.is_full():
        assert position.outcome.winners == tuple(lines)
    else:
        assert position.outcome is None


# ── properties ───────────────────────────────────────────────────────────────────────────────────


@properties(60)
@given(positions(), st.data())
def test_symmetries_commute_with_play(position, data):
    if position.outcome:
        return
    move = position.legal_moves[data.draw(st.integers(0, len(position.legal_moves) - 1))]
    for way in position.symmetries:
        assert way.position(position.play(move)) == way.position(position).play(way.move(move)), way.name


@properties(60)
@given(positions())
def test_symmetries_keep_the_outcome_and_map_the_legal_moves(position):
    for way in position.symmetries:
        image = way.position(position)
        assert image.outcome == position.outcome, way.name
        assert (image.turn, image.ply, image.options) == (position.turn, position.ply, position.options)
        if position.ply % 3 == 0:
            assert {*map(way.move, position.legal_moves)} == {*image.legal_moves}, way.name


@properties(60)
@given(positions())
def test_texts_are_read_back(position):
    again = pentad.load(position.text)
    assert again == position
    assert hash(again) == hash(position)
    assert (again.text, again.turn, again.outcome) == (position.text, position.turn, position.outcome)
    assert position.text.isprintable()


@properties(60)
@given(positions())
def test_positions_are_immutable(position):
    before = pentad.load(position.text)
    for move in position.legal_moves[:5]:
        position.play(move)
        position.partial(move[:-1])
    assert position == before
    for name in ("placed", "marbles", "setup", "ply", "turn", "players", "text"):
        with pytest.raises(AttributeError):
            setattr(position, name, None)
    assert position == before


@properties(60)
@given(positions(), positions())
def test_equal_positions_have_equal_texts_and_hashes(one, other):
    assert (one == other) == (one.text == other.text)
    assert one != other or hash(one) == hash(other)
    assert one != one.text


@properties(60)
@given(positions(SMALL))
def test_legal_moves_are_a_sequence(position):
    legal, moves = position.legal_moves, list(position.legal_moves)
    size = len(moves)
    assert len(legal) == size
    assert bool(legal) == bool(moves)
    assert [legal[i] for i in range(size)] == moves
    assert [legal[i] for i in range(-size, 0)] == moves
    assert list(reversed(legal)) == moves[::-1]
    for part in (slice(None), slice(2, 9), slice(None, None, -3), slice(-4, None), slice(9, 2), slice(0, 10**9, 7)):
        assert legal[part] == moves[part]
    for index in (size, -size - 1, 10**30):
        with pytest.raises(IndexError):
            legal[index]


def test_legal_moves_are_a_sequence_where_a_placement_wins():
    legal = played({}, FOUR).legal_moves
    moves = list(legal)
    assert [str(move) for move in moves[:2]] == ["a4", "a5 1C"]
    assert len(legal) == len(moves) == 1 + 27 * 8
    assert [legal[i] for i in range(len(moves))] == moves
    assert legal[-3:] == moves[-3:]


@properties(60)
@given(positions(SMALL))
def test_in_agrees_with_the_list(position):
    moves = set(position.legal_moves)
    tried = [Move((place, twist)) for place in position.board.places for twist in position.board.twists]
    tried += [Move((place,)) for place in position.board.places] + [Move((twist,)) for twist in position.board.twists]
    for move in tried:
        assert (move in position.legal_moves) == (move in moves), move


@properties(60)
@given(positions(SMALL))
def test_moves_are_written_and_read(position):
    for move in position.legal_moves[:40]:
        assert position.parse(str(move)) == move
        assert (
            position.play(str(move)) == position.play(move) == position.play(tuple(move)) == position.play(list(move))
        )


@properties(60)
@given(positions(), st.text(max_size=8) | st.from_regex(r"[a-g] ?-?[0-9]{1,3} ?[0-9]{0,3} ?[CAca]?", fullmatch=True))
def test_any_text_is_played_or_refused(position, text):
    for method in (position.play, position.parse, position.partial, position.choices):
        message = refusal(method, text)
        assert message.isprintable()
        assert len(message) < 200


@properties(60)
@given(positions(), st.text(alphabet="pentago .bwrgyp/placed=rowscblkin0123456789truefals\n", max_size=80), st.data())
def test_any_position_text_is_loaded_or_refused(position, text, data):
    at = data.draw(st.integers(0, len(position.text)))
    for damaged in (text, position.text[:at], position.text[:at] + text, text + position.text[at:]):
        message = refusal(pentad.load, damaged)
        assert message.isprintable()
        assert len(message) < 250
        if not message:
            assert pentad.load(pentad.load(damaged).text) == pentad.load(damaged)


def refusal(function, text):
    """The message of a `GameError`, or None; other errors are raised."""
    try:
        function(text)
    except pentad.GameError as error:
        return str(error)
    return ""


# ── the turn ─────────────────────────────────────────────────────────────────────────────────────


def test_the_empty_board():
    position = pentad.new("pentago")
    assert (position.game, position.players, position.turn, position.ply) == ("pentago", 2, 0, 0)
    assert position.outcome is None
    assert len(position.legal_moves) == 288
    assert str(position.legal_moves[0]) == "a0 1C"
    assert [position.colour_of(seat) for seat in (0, 1)] == ["black", "white"]
    assert position.text == "pentago " + "/".join(["......"] * 6)


@pytest.mark.parametrize(
    ("twist", "where"), [("1C", "a2"), ("1A", "c0"), ("2C", "a0"), ("2A", "a0"), ("3C", "a0"), ("4A", "a0")]
)
def test_twists_on_the_printed_board(twist, where):
    position = pentad.new("pentago").play(f"a0 {twist}")
    rows = position.text.split()[1].split("/")
    assert rows["abcdef".index(where[0])][int(where[1])] == "b"


def test_a_twist_given_with_a_winning_placement_is_ignored():
    position = played({}, FOUR)
    won = position.play("a4")
    assert won.outcome.winners == (0,)
    assert won.text == "pentago bbbbb./wwww../....../....../....../......"
    for twist in position.board.twists:
        assert position.play(f"a4 {twist}") == won
        assert position.parse(f"a4 {twist}") == position.parse("a4") == Move((Place(0, 4),))
        assert position.play((Place(0, 4), twist)) == won


def test_in_agrees_with_the_list_where_a_placement_wins():
    legal = played({}, FOUR).legal_moves
    tried = (Place(0, 4), Twist(1, "C"))
    assert Move(tried[:1]) in list(legal)
    assert Move(tried[:1]) in legal
    assert Move(tried) not in list(legal)
    assert Move(tried) not in legal


def test_a_single_step_is_not_a_move():
    """Place and Twist are tuples, like moves."""
    position = played({}, FOUR)
    assert Place(0, 4) not in list(position.legal_moves)
    assert Place(0, 4) not in position.legal_moves
    half = position.partial("f5")
    assert Twist(1, "C") not in list(half.legal_moves)
    assert Twist(1, "C") not in half.legal_moves


@pytest.mark.parametrize("thing", [None, 3, "a2 1C", "", (), ("a2",), (None, None), [], 1.5, Anything()], ids=repr)
def test_other_objects_are_not_in_the_legal_moves(thing):
    assert thing not in pentad.new("pentago").legal_moves


def test_a_winning_placement_is_a_whole_turn():
    position = played({}, FOUR)
    choices = position.choices("a4")
    assert (choices.may_end, tuple(choices)) == (True, ())
    assert position.choices("a5").may_end is False
    assert len(position.choices("a5")) == 8


def test_a_placement_that_does_not_win_needs_its_twist():
    with pytest.raises(pentad.IllegalMove, match="a2 does not win"):
        pentad.new("pentago").play("a2")


def test_after_a_win_by_placement_the_next_seat_is_to_move():
    position = played({}, FOUR)
    assert position.play("a4").turn == 1
    assert position.partial("a4").turn == 0
    assert position.partial("a4").outcome == position.play("a4").outcome


def test_without_win_on_placement_the_twist_decides():
    options = {"win_on_placement": False}
    position = played(options, FOUR)
    with pytest.raises(pentad.IllegalMove, match="twist must follow"):
        position.play("a4")
    assert position.partial("a4").outcome is None
    assert position.play("a4 1C").outcome is None  # the five is broken
    won = position.play("a4 4C").outcome
    assert (won.winners, won.reason) == ((0,), "five")


def test_the_classic_ends():
    both = "a0 4A, b0 4A, a1 4A, b1 4A, a2 4A, b2 4A, a5 4A, a4 4A, b5 4A, b4 4A, d5 4A, e4 2A"
    draw = played({}, both).outcome
    assert (draw.winners, draw.returns, draw.is_draw) == ((0, 1), (0.0, 0.0), True)
    white = played({}, both.replace("a0", "f0", 1)).outcome
    assert (white.winners, white.returns) == ((1,), (-1.0, 1.0))
    black = played({}, both.replace("b0", "f0", 1)).outcome
    assert (black.winners, black.returns) == ((0,), (1.0, -1.0))


def test_six_in_a_row_counts_as_five():
    position = pentad.load("pentago bbb.bb/www.../ww..../....../....../......")
    won = position.play("a3 1C")
    assert won.outcome.winners == (0,)
    assert won.text.split()[1].startswith("bbbbbb/")


def test_a_full_board_without_a_line_is_a_draw_of_all():
    outcome = pentad.load("pentago bwbwbw/bwbwbw/wbwbwb/bwbwbw/bwbwbw/wbwbwb").outcome
    assert (outcome.winners, outcome.returns, outcome.is_draw) == ((), (0.0, 0.0), True)
    outcome = pentad.load("pentago block=2 players=4 line=4 bwrg/gbwr/bwrg/rgbw").outcome
    assert (outcome.winners, outcome.returns, outcome.is_draw) == ((), (0.0,) * 4, True)


@pytest.mark.parametrize(
    ("board", "winners", "returns"),
    [
        ("bbb/ww./rr.", (0,), (1, -0.5, -0.5)),
        ("bbb/www/rr.", (0, 1), (0.25, 0.25, -0.5)),
        ("bb./www/rrr", None, None),  # red has one marble too many
        ("bbb/www/rrr", (0, 1, 2), (0, 0, 0)),
        ("bbw/wwr/rrb", (), (0, 0, 0)),
    ],
)
def test_players_with_a_line_share_the_win(board, winners, returns):
    text = f"pentago rows=1 cols=1 players=3 line=3 {board}"
    if winners is None:
        with pytest.raises(pentad.GameError, match="move in turn"):
            pentad.load(text)
        return
    outcome = pentad.load(text).outcome
    assert outcome.winners == winners
    assert outcome.returns == returns


def test_after_the_end():
    position = played({}, f"{FOUR}, a4")
    assert len(position.legal_moves) == 0
    assert list(position.legal_moves) == []
    assert tuple(position.choices()) == ()
    assert Move((Place(5, 5), Twist(1, "C"))) not in position.legal_moves
    for method in (position.play, position.partial, position.choices):
        with pytest.raises(pentad.IllegalMove, match=r"over\. Black wins with"):
            method("f5 1C")


def test_a_taken_space_names_its_owner():
    position = played({}, "a0 4C, b5 4C")
    with pytest.raises(pentad.IllegalMove, match="b5 is taken by a white marble"):
        position.play("b5 1C")
    assert [str(c) for c in position.choices()].count("b5") == 0


# ── steps and choices ────────────────────────────────────────────────────────────────────────────


def test_choices_have_targets_and_labels():
    position = pentad.new("pentago")
    places, twists = position.choices(), position.choices("a2")
    assert len(places) == 36
    assert len(twists) == 8
    assert {choice.targets for choice in places} == {(str(place),) for place in position.board.places}
    assert all(choice.label and str(choice) == str(choice.step) for choice in (*places, *twists))
    assert places.prompt != twists.prompt
    assert (places.may_end, twists.may_end, position.choices("a2 1C").may_end) == (False, False, True)


def test_steps_in_every_form():
    position = pentad.new("pentago")
    place, twist = position.choices()[2], position.choices("a2")[0]
    steps = (Place(0, 2), Twist(1, "C"))
    assert (place.step, twist.step) == steps
    half, after = position.partial("a2"), position.play("a2 1C")
    for form in ("A2", place, place.step, (place.step,), [place.step], iter([place.step]), Move([place.step])):
        assert position.partial(form) == half
    for form in ("a21c", Move(steps), steps, list(steps), iter(steps)):
        assert position.play(form) == after
    for form in ("1C", "1 c", twist, twist.step, (twist.step,)):
        assert half.play(form) == after


def test_partial_without_steps_is_the_position_itself():
    position = pentad.new("pentago")
    assert position.partial("") == position.partial(()) == position


def test_a_whole_turn_is_not_partial():
    with pytest.raises(pentad.IllegalMove, match="whole turn"):
        pentad.new("pentago").partial("a2 1C")
    with pytest.raises(pentad.IllegalMove, match="whole turn"):
        pentad.new("pentago").partial("a2").partial("1C")


def test_in_the_middle_of_a_turn_only_twists_are_choices():
    half = pentad.new("pentago").partial("a2")
    for text in ("a3 1C", "a3", "1C 2C", "a21C"):
        with pytest.raises(pentad.InvalidMove):
            half.play(text)
    for steps in ((Place(0, 3), Twist(1, "C")), (Place(0, 3),), (Twist(1, "C"), Twist(1, "C"))):
        with pytest.raises(pentad.InvalidMove):
            half.play(steps)


ODD = [
    None,
    0,
    1.5,
    True,
    float("nan"),
    b"a2 1C",
    (),
    [],
    (None,),
    ("a2", "1C"),  # steps are not texts
    (Place(0, 2), "1C"),
    ((0, 2), (1, "C")),
    (Twist(1, "C"), Place(0, 2)),
    (Place(0, 2), Twist(1, "C"), Twist(1, "C")),
    (Place(0, 2), Place(0, 3)),
    (Place(-1, 0), Twist(1, "C")),
    (Place(6, 0), Twist(1, "C")),
    (Place("a", "2"), Twist(1, "C")),
    (Place(0, 2), Twist(0, "C")),
    (Place(0, 2), Twist(5, "C")),
    (Place(0, 2), Twist(1, "c")),
    (Place(0, 2), Twist(1, None)),
    Choice(Twist(1, "C"), (), ""),
    Choice(None, (), ""),
    {"a2": "1C"},
    Anything(),
    "a2" * 100_000,
    ("x" * 100_000,),
]


@together("move", ODD)
def test_odd_moves_are_refused_in_one_line(move):
    position = pentad.new("pentago")
    with pytest.raises(pentad.InvalidMove) as caught:
        position.play(move)
    assert str(caught.value).isprintable()
    assert 10 < len(str(caught.value)) < 160
    assert position == pentad.new("pentago")


@pytest.mark.parametrize("steps", [None, 0, (None,), b"a2", Anything()], ids=repr)
def test_odd_steps_are_refused_by_choices_and_partial(steps):
    position = pentad.new("pentago")
    for method in (position.choices, position.partial):
        with pytest.raises(pentad.InvalidMove):
            method(steps)


@pytest.mark.parametrize(
    "move",
    [10**5000, (10**5000,), (Place(10**5000, 0), Twist(1, "C")), (Place(0, 0), Twist(10**5000, "C"))],
    ids=["number", "step", "place", "twist"],
)
def test_numbers_too_long_to_print_are_refused(move):
    with pytest.raises(pentad.InvalidMove):
        pentad.new("pentago").play(move)


@pytest.mark.parametrize("place", [Place(0.0, 2.0), Place(True, 0)], ids=repr)
def test_a_place_of_other_numbers_is_refused_or_played(place):
    """It equals a place of the board; it must not raise other errors."""
    position = pentad.new("pentago")
    try:
        after = position.play((place, Twist(4, "C")))
    except pentad.InvalidMove:
        return
    assert after.ply == 1
    assert hash(after) == hash(pentad.load(after.text))


@pytest.mark.parametrize("text", [None, 0, 1.5, b"a2 1C", ()], ids=repr)
def test_parse_refuses_other_types(text):
    with pytest.raises(pentad.InvalidMove):
        pentad.new("pentago").parse(text)


# ── copies ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_positions_moves_and_outcomes_can_be_copied_and_pickled(copied):
    position = played({}, FOUR)
    for thing in (position, position.legal_moves[0], position.play("a4").outcome, position.choices()[0]):
        assert copied(thing) == thing
        assert type(copied(thing)) is type(thing)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_choices_can_be_copied_and_pickled(copied):
    choices = pentad.new("pentago").choices("a2 1C")
    assert isinstance(choices, Choices)
    again = copied(choices)
    assert (tuple(again), again.prompt, again.may_end) == (tuple(choices), choices.prompt, choices.may_end)


def test_positions_differ_by_options_marbles_and_half_turns():
    texts = [
        "pentago ....../....../....../....../....../......",
        "pentago win_on_placement=false ....../....../....../....../....../......",
        "pentago line=4 ....../....../....../....../....../......",
        "pentago players=3 ....../....../....../....../....../......",
        "pentago b...../....../....../....../....../......",
        "pentago b...../....../....../....../....../...... placed",
    ]
    assert len({pentad.load(text) for text in texts}) == len(texts)


def test_describe():
    position = pentad.new("pentago")
    words = position.describe(position.parse("a2 1C"))
    assert all(word in words for word in ("Black", "a2", "1", "clockwise"))
    assert "anti-clockwise" in position.describe(position.parse("a2 3A"))


def test_pairs_begin_with_equal_positions():
    for options in GAMES.values():
        assert_same(*pair(options))


def test_presets_are_what_their_names_say():
    starts = {name: pentad.new("pentago", **options) for name, options in GAME.presets.items()}
    assert {name: (start.players, len(start.board.sub_boards)) for name, start in starts.items()} == {
        "Three players": (3, 9),
        "Four players": (4, 9),
        "Nine sub-boards": (2, 9),
        "Twist before five counts": (2, 4),
    }

"""`validate`: agreement with the rules, shortest paths, blocking fields and reasons."""

import itertools
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError, IllegalMove, InvalidMove, Move
from pentad.games.pentagame import FIELDS, Field, Shift, Validation, distance, turn_number, validate
from pentad.games.pentagame.board import ALL_FIELDS, LINKS, NUMBER, OFF_BOARD, reach, set_of
from pentad.games.pentagame.denomination import FIGURES
from tests.cases import thinned, together
from tests.games.pentagame.random_play import random_rare_turn, random_turn
from tests.line_limit import at_most
from tests.properties import properties

START = pentad.new("pentagame")


def position(words: str):
    return pentad.load(f"pentagame {words}")


def positions(seed: int, players: int = 2, count: int = 8, apart: int = 12):
    """Returns positions of a random game, some turns apart."""
    chance = random.Random(seed)
    here = pentad.new("pentagame", players=players)
    found = [here]
    while len(found) < count and not here.outcome:
        for _ in range(apart):
            if not here.outcome:
                here = here.play(chance.choice((random_turn, random_rare_turn))(here, chance))
        found.append(here)
    return found


POSITIONS = [each for seed in range(3) for each in positions(seed, players=2 + seed)]

# ── it agrees with the rules ─────────────────────────────────────────────────────────────────────


def refused(here, move) -> GameError | None:
    """How the rules refuse a move."""
    try:
        here.play(move)
    except GameError as error:
        return error
    return None


def agrees(here, move) -> Validation:
    """Returns the verdict on a move, after asserting that it agrees with playing the move."""
    verdict, error = validate(here, move), refused(here, move)
    assert verdict.allowed == bool(verdict) == (error is None)
    if isinstance(error, InvalidMove):
        assert (verdict.move, verdict.reason) == (None, str(error))
    elif isinstance(error, IllegalMove):
        assert verdict.readable
        assert verdict.reason.startswith(str(error))
        assert verdict.turn == ()
        assert not verdict.stages[-1].allowed
    else:
        assert verdict.reason == here.describe(verdict.move)
        assert here.play(verdict.turn) == here.play(move)
        assert [stage.allowed for stage in verdict.stages] == [True] * len(verdict.move)
    return verdict


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("here", thinned(POSITIONS, 4), ids=lambda here: f"{here.players}-{here.ply}")
def test_verdicts_on_any_piece_to_any_field(here):
    """The flood fill and A* agree whether there is a path, and the path of A* is a shortest one."""
    for seat in range(here.players):
        for piece in range(5):
            start = here.pieces[seat][piece]
            if start == OFF_BOARD:
                continue
            within = reach(start, here.taken)
            for to in range(100):
                verdict = agrees(here, str(Shift(seat, piece, FIELDS[to]))) if to % 7 == piece else None
                verdict = verdict or validate(here, [seat, piece, *FIELDS[to]])
                assert bool(verdict.path) == bool(within >> to & 1)
                one, other = start, to
                if verdict.move and verdict.move[0].piece != piece:  # a swap of own pieces: the lower one goes
                    one, other = to, start
                if verdict.path:
                    assert_shortest_path(here, verdict.path, one, other)
                elif to != start:
                    assert_blocked(here, verdict.blocking, one, other, reach(one, here.taken))


def assert_shortest_path(here, path, start, to):
    numbers = [NUMBER[field] for field in path]
    assert (numbers[0], numbers[-1]) == (start, to)
    assert all(other in LINKS[one] for one, other in itertools.pairwise(numbers))
    assert not any(here.taken >> field & 1 for field in numbers[1:-1])
    assert len(path) - 1 == shortest_distance(start, to, here.taken & ~(1 << to))


def shortest_distance(start, to, taken):
    """Returns the number of steps between two fields, by breadth-first search."""
    front, seen, steps = {start}, {start}, 0
    while to not in front:
        front = {far for near in front for far in LINKS[near] if far not in seen and not taken >> far & 1}
        assert front, "no path"
        seen |= front
        steps += 1
    return steps


def assert_blocked(here, blocking, start, to, within):
    """The blocking fields are taken and reachable, and no shortest path of the empty board avoids them."""
    fields = set_of([NUMBER[field] for field in blocking])
    assert fields
    assert fields & here.taken & within == fields
    shortest = distance(FIELDS[start], FIELDS[to])
    along = set_of(
        [f for f in range(100) if distance(FIELDS[start], FIELDS[f]) + distance(FIELDS[f], FIELDS[to]) == shortest]
    )
    assert fields & along == fields
    assert not reach(start, ALL_FIELDS & ~along | fields) & ~fields & along & 1 << to


def test_a_piece_that_has_left_cannot_move():
    """Not even to the field of another own piece, which could swap with it otherwise."""
    here = pentad.load(
        "pentagame players=4 0 48 700,100,500,---,654/760,100,200,400,830/423,931,---,633,716/817,110,433,653,200 "
        "634,600,211,821,744 523,928,---,---,--- 2:200>500x12/3:423>400x20/1:100>931/2:653>433x33 -"
    )
    verdict = agrees(here, "[0,3,5,0,0]")
    assert not verdict.allowed
    assert "has left the board" in verdict.reason


@given(st.integers(0, len(POSITIONS) - 1), st.data())
@properties(200)
def test_any_sequence_of_moves_gets_a_verdict(which, data):
    here = POSITIONS[which]
    names = st.sampled_from([*FIELDS, Field(-1, -1, -1)])
    shifts = st.builds(Shift, st.integers(0, 4), st.sampled_from(FIGURES), names)
    given_ = data.draw(st.lists(shifts, min_size=1, max_size=5))
    verdict = agrees(here, " ".join(map(str, given_)))
    assert verdict.readable
    assert json.loads(json.dumps(verdict.as_dict()))["allowed"] == verdict.allowed


@given(st.integers(0, len(POSITIONS) - 1), st.integers(0, 10**6), st.data())
@properties(150)
def test_a_slightly_changed_turn_gets_a_verdict(which, seed, data):
    here = POSITIONS[which]
    if here.outcome:
        return
    moves = str(random_rare_turn(here, random.Random(seed))).split()
    change = data.draw(st.sampled_from(["", "drop", "double", "player", "figure", "field", "swap"]))
    at = data.draw(st.integers(0, len(moves) - 1))
    player, figure, *field = moves[at].strip("[]").split(",")
    changed = {
        "": [moves[at]],
        "drop": [],
        "double": [moves[at]] * 2,
        "player": [f"[{data.draw(st.integers(0, 4))},{figure},{','.join(field)}]"],
        "figure": [f"[{player},{data.draw(st.sampled_from(FIGURES))},{','.join(field)}]"],
        "field": [str(Shift(int(player), int(figure), data.draw(st.sampled_from(FIELDS))))],
        "swap": [moves[at], *moves[:at]],
    }[change]
    agrees(here, " ".join([*moves[:at], *changed, *moves[at + 1 :]]))


@given(st.text("[]0123456789-,.x: agc\n", max_size=40) | st.text(max_size=20))
@properties(300)
def test_any_text_gets_a_verdict(text):
    agrees(START, text)


# ── what it accepts ──────────────────────────────────────────────────────────────────────────────


def test_every_form_of_a_move():
    move = START.parse("3-5 410")
    forms = [
        "[0,3,5,0,0] [0,11,4,1,0]",
        "[[0,3,5,0,0],[0,11,4,1,0]]",
        "red-5 410",
        "3-5.0.0 4.1.0",
        [[0, 3, 5, 0, 0], [0, 11, 4, 1, 0]],
        ([0, 3, 5, 0, 0], [0, 11, 4, 1, 0]),
        [Shift(0, 3, Field(5, 0, 0)), Shift(0, 11, Field(4, 1, 0))],
        turn_number(move),
        move,
        list(move),
    ]
    for form in forms:
        assert validate(START, form) == validate(START, move), form
    assert validate(START, move)


def test_a_single_move_is_validated():
    for form in ("[0,0,1,1,0]", [0, 0, 1, 1, 0], (0, 0, 1, 1, 0), Shift(0, 0, Field(1, 1, 0)), START.choices()[0]):
        assert validate(START, form), form


def test_a_swap_of_own_pieces_may_name_either():
    one, other = validate(START, "[0,0,1,0,0] [0,1,0,0,0]"), validate(START, "[0,1,0,0,0] [0,0,1,0,0]")
    assert one == other
    assert one


def test_positions_of_other_games_are_refused():
    with pytest.raises(GameError, match=r"got pentad\.load\('pentago"):
        validate(pentad.new("pentago"), "a2 1C")


# ── what it says ─────────────────────────────────────────────────────────────────────────────────


def test_the_verdict_on_an_allowed_turn():
    verdict = validate(START, "3-5 410")
    assert str(verdict).splitlines() == [
        (
            "Allowed: Circle's red piece goes to the white junction and takes the black block. "
            "The black block goes to the 1st stop from the blue corner towards the white corner."
        ),
        "  piece   [0,3,5,0,0]: Circle's red piece goes to the white junction and takes the black block.",
        "  black   [0,11,4,1,0]: The black block goes to the 1st stop from the blue corner towards the white corner.",
        "  path    [3,0,0] [5,6,3] [5,5,3] [5,4,3] [5,3,3] [5,2,3] [5,1,3] [5,0,0]",
        "  turn    [0,3,5,0,0] [0,11,4,1,0]",
    ]
    assert (verdict.steps, verdict.blocking, verdict.readable) == (7, (), True)
    assert verdict.as_dict()["turn"] == [[0, 3, 5, 0, 0], [0, 11, 4, 1, 0]]


def test_the_verdict_names_the_blocking_figures():
    verdict = validate(START, "[0,3,7,0,0]")
    assert verdict.blocking == (Field(4, 0, 0), Field(6, 0, 0))
    assert verdict.reason == (
        "Circle's red piece has no free path from the red corner to the yellow junction. "
        "The path is blocked on the blue corner (circle's blue piece and square's blue piece) "
        "and the green junction (black block)."
    )
    assert str(verdict).splitlines() == [
        f"Not allowed: {verdict.reason}",
        "  blocked [4,0,0] [6,0,0]",
    ]
    assert validate(START, "0-522").reason.endswith(
        " The path is blocked on the green corner (circle's green piece and square's green piece)."
    )


def test_a_block_on_a_taken_field():
    verdict = validate(START, "3-5 4")
    assert verdict.blocking == (Field(4, 0, 0),)
    assert verdict.path[-1] == (5, 0, 0)
    assert [(stage.kind, stage.allowed) for stage in verdict.stages] == [("piece", True), ("black", False)]
    assert verdict.stages[1].reason == "The blue corner is not empty: circle's blue piece and square's blue piece."


def test_a_missing_block():
    verdict = validate(START, "3-5")
    assert verdict.reason.startswith("The turn is not complete. A black block must be put on an empty field")
    assert str(verdict.stages[1]) == "black   missing: A black block must be put on an empty field."


def test_black_and_gray_of_one_turn():
    # circle's green piece reaches its goal, on which a black block stands
    here = position("0 40 000,613,200,300,400/000,100,200,300,400 500,600,700,800,900 ---,---,---,---,--- -/- -")
    verdict = agrees(here, "1-6 410 6")
    assert [stage.kind for stage in verdict.stages] == ["piece", "black", "gray"]
    assert [str(each) for each in verdict.turn] == ["[0,1,6,0,0]", "[0,1,-1,-1,-1]", "[0,12,4,1,0]", "[0,6,6,0,0]"]
    wrong = agrees(here, "[0,1,6,0,0] [0,12,4,1,0] [0,6,4,1,0]")
    assert [stage.allowed for stage in wrong.stages] == [True, True, False]
    assert wrong.blocking == (Field(4, 1, 0),)
    missing = agrees(here, "1-6")
    assert [(stage.kind, stage.allowed) for stage in missing.stages] == [
        ("piece", True),
        ("black", False),
        ("gray", False),
    ]
    other = agrees(here, "[0,1,6,0,0] [0,6,4,1,0] [0,12,6,0,0]")
    assert "Gray block 6 cannot be put now" in other.reason


def test_a_waiting_piece_must_leave():
    here = position("0 40 000,100,200,800,400/000,100,200,300,400 500,600,700,110,900 ---,---,---,---,--- -/- -")
    verdict = agrees(here, "[0,3,-1,-1,-1] [0,6,8,0,0]")
    assert verdict.reason == "Circle's red piece leaves the board. The gray block goes to the red junction."
    assert [stage.kind for stage in verdict.stages] == ["leave", "gray"]
    assert verdict.path == ()
    refused = agrees(here, "0-110")
    assert "Circle's red piece was brought to its goal, so it must leave now:" in refused.reason


def test_a_repeated_move_is_illegal():
    here = position(
        "0 40 120,100,200,300,400/000,100,200,300,400 500,600,700,800,900 ---,---,---,---,--- 0:120>000/- -"
    )
    here = pentad.load(here.text.replace("0:120>000", "0:120>130"))
    verdict = agrees(here, "0-130")
    assert "may not repeat the previous move" in verdict.reason
    assert verdict.path, "there is a path all the same"


def test_moves_within_a_turn_are_validated():
    here = START.partial("3-5")
    assert validate(here, "410")
    assert validate(here, "[0,11,4,1,0]").stages[0].kind == "black"
    assert "the piece has moved" in agrees(here, "[0,0,1,1,0]").reason or not validate(here, "[0,0,1,1,0]")


def test_no_move_is_legal_after_the_end():
    here = pentad.load(
        "pentagame max_ply=1 0 1 000,100,200,300,400/000,100,200,300,400 500,600,700,800,900 ---,---,---,---,--- -/- -"
    )
    verdict = agrees(here, "0-110")
    assert verdict.reason == "The game is over. Draw: the turn limit of 1 is reached."
    assert not verdict.stages[0].allowed


@together(
    ("move", "readable", "part"),
    [
        ("[0,3,4,1,2]", False, "No edge between 4 and 2"),
        ("[0,3,3,1,3]", False, "No edge between 3 and 3"),
        ("[0,3,5,7,2]", False, "The counter of the leg between 5 and 2 must be 1 to 6, not 7"),
        ("[0,3,1,4,0]", False, "The counter of the arc between 1 and 0 must be 1 to 3, not 4"),
        ("[0,3,5,-1,2]", False, "The counter of the leg between 5 and 2 must be 1 to 6, not -1"),
        ("[0,3,10,0,0]", False, "The start must be a corner or junction, 0 to 9, not 10"),
        ("[0,5,2,0,0]", False, "Unknown figure 5"),
        ("[0,16,2,0,0]", False, "Unknown figure 16"),
        ("[5,3,2,0,0]", False, "Unknown player 5"),
        ("[0,3,5,2]", False, "Expected a move of 5 numbers"),
        ("[0,3,5,2,2] x", False, "got 'x'"),
        ("[0,3,5,2,2", False, "such as [0,3,5,2,2]"),
        ("[3,3,2,0,0]", True, "Unknown player 3"),
        ("[1,1,1,1,0]", True, "It is circle's turn, not square's"),
        ("[0,11,4,1,0]", True, "Figure 11 is a block"),
        ("[0,3,-1,-1,-1]", True, "is not waiting at its goal"),
        ("[0,3,3,0,0]", True, "Circle's red piece is already on the red corner"),
        ("[0,0,1,0,0]", True, "Several pieces are on the green corner"),
        ("[0,0,1,1,0] [0,6,4,1,0]", True, "The turn is complete before [0,6,"),
        ("[0,0,1,1,0] [0,0,-1,-1,-1]", True, "is not a consequence of this turn"),
        ("[0,3,5,0,0] [0,12,4,1,0]", True, "Black block 12 cannot be put now"),
        ("", False, "Expected a move"),
        ("hello", False, "got 'hello'"),
        ("purple-3", False, "Unknown colour 'purple'"),
        (None, False, "Expected a step of a turn, got None"),
        (True, False, "Expected a step of a turn, got True"),
        (-1, False, "Expected a turn's number of at most 17 digits, got"),
        (10**20, False, "Expected a turn's number of at most 17 digits, got"),
        (5, False, "Expected a turn's number"),
        ({"move": 1}, False, "Expected a step of a turn, got 'move'"),
        (b"[0,3,5,2,2]", False, "Expected a step of a turn, got"),
        ([], False, "Expected a move"),
        ([[]], False, "Expected a move of 5 numbers"),
        ([0, 3, 5, 2, 2.0], False, "Expected a step of a turn, got"),
        ([[0, 3, 5, 2, "2"]], False, "Expected a move of whole numbers, [player,figure,start,counter,end],"),
        ([[0, 3, 5, 2, True]], False, "Expected a move of whole numbers, [player,figure,start,counter,end],"),
        ([[0, 3, 5, 2, 2]] * 30, False, "A turn has at most 20 moves"),
    ],
)  # fmt: skip
def test_verdicts_name_the_mistake(move, readable, part):
    verdict = validate(START, move)
    assert not verdict
    assert part in verdict.reason
    assert verdict.readable == readable
    assert "\n" not in verdict.reason
    assert str(verdict).startswith("Not allowed: " if readable else "Not readable: ")


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(
    "much",
    [
        "[0,3,5,2,2]" * 10**6,
        "[" * 10**7,
        "9" * 10**7,
        "3-522 " * 10**6,
        [[0] * 5] * 10**6,
        [0] * 10**7,
        "[0," + "1" * 10**7 + "]",
    ],
    ids=["turns", "brackets", "digits", "denominations", "lists", "numbers", "a long number"],
)
def test_ten_megabytes_are_refused_quickly(much):
    with at_most(lines=3_000_000):
        verdict = validate(START, much)
        assert not verdict
        assert len(verdict.reason) < 300


def test_a_verdict_has_a_move():
    assert isinstance(validate(START, Move(START.piece_moves[0:1])).move, Move)

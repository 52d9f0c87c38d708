"""The class of the requirement document: compared with the referee, and special cases."""

import contextlib
import io
import random

import pytest

import pentad
from pentad.games.pentago import Pentago
from tests.cases import Anything, thinned, together
from tests.games.pentago.referee import RefereeClass

TURN, TAKEN, OVER = "not this player's turn", "position is not empty", "game is finished"
SPACES = [row + column for row in "abcdef" for column in "012345"]


def printed(game):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        game.print_board()
    return out.getvalue()


# ── against the referee ──────────────────────────────────────────────────────────────────────────


def play_both(seed):
    """Plays a random game with the class and the referee and compares every call; returns all (answer, state)."""
    rng = random.Random(seed)
    game, referee = Pentago(), RefereeClass()
    seen, calls_after_the_end = set(), 3
    for call in range(200):
        if referee.state != "UNFINISHED":
            calls_after_the_end -= 1
            if calls_after_the_end < 0:
                break
        arguments = random_call(referee, rng, avoid_the_end=seed % 40 == 0)
        answer = game.make_move(*arguments)
        assert answer == referee.make_move(*arguments), (seed, call, arguments)
        assert (answer is True) == (answer not in (TURN, TAKEN, OVER))
        assert game.get_game_state() == referee.get_game_state(), (seed, call, arguments)
        assert game.is_board_full() is referee.is_board_full(), (seed, call, arguments)
        if answer is not True or rng.random() < 0.1:
            assert printed(game) == "\n".join(referee.lines()) + "\n", (seed, call, arguments)
        seen.add((answer, referee.state))
    assert referee.state != "UNFINISHED"
    return seen, referee


def random_call(referee, rng, avoid_the_end):
    """Arguments of make_move: mostly a legal move, sometimes the wrong colour or a taken space."""
    color = referee.next
    if rng.random() < 0.05:
        color = "black" if color == "white" else "white"
    position = rng.choice(SPACES)
    if rng.random() < 0.8 and not referee.is_board_full():
        while referee.board["abcdef".index(position[0])][int(position[1])] != "□":
            position = rng.choice(SPACES)
    twists = [(sub_board, rotation) for sub_board in (1, 2, 3, 4) for rotation in "CA"]
    rng.shuffle(twists)
    if avoid_the_end:
        twists.sort(key=lambda twist: ends(referee, color, position, *twist))
    return color, position, *twists[0]


def ends(referee, *arguments):
    trial = RefereeClass()
    trial.board, trial.next, trial.state = [list(row) for row in referee.board], referee.next, referee.state
    trial.make_move(*arguments)
    return trial.state != "UNFINISHED"


@pytest.mark.slow
@pytest.mark.parametrize("chunk", thinned(range(10), 10))
def test_random_games(chunk):
    for seed in range(chunk * 500, chunk * 500 + 500):
        play_both(seed)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(100))
def test_a_hundred_thousand_random_games(chunk):
    for seed in range(chunk * 1000, chunk * 1000 + 1000):
        play_both(seed)


@pytest.mark.slow
def test_the_random_games_cover_all_answers_and_states():
    seen, full_draws, wins_on_the_last_space = set(), 0, 0
    for seed in range(0, 40 * 60, 5):
        these, referee = play_both(seed)
        seen |= these
        full_draws += referee.state == "DRAW" and referee.is_board_full() and not referee.has_five("black")
        wins_on_the_last_space += referee.state != "DRAW" and referee.is_board_full()
    ends = ("BLACK_WON", "WHITE_WON", "DRAW")
    assert seen >= {(True, "UNFINISHED"), (TURN, "UNFINISHED"), (TAKEN, "UNFINISHED")}
    assert seen >= {(answer, end) for answer in (True, OVER) for end in ends}
    assert full_draws > 0
    assert wins_on_the_last_space > 0


# ── golden cases ─────────────────────────────────────────────────────────────────────────────────

WIN_FIRST = "a04A b04A a14A b14A a24A b24A a34A b34A a41A"
BOTH = "a04A b04A a14A b14A a24A b24A a54A a44A b54A b44A d54A e42A"


def run(moves):
    """Plays 'a21C' in turns from black, or 'w:a01C' for a colour; returns the answers and the final state."""
    game, answers = Pentago(), []
    for k, text in enumerate(moves.split()):
        colour = ("black", "white")[k % 2]
        if text[1] == ":":
            colour, text = {"b": "black", "w": "white"}[text[0]], text[2:]
        answers.append(game.make_move(colour, text[:2], int(text[2]), text[3]))
    return answers, game.get_game_state()


@together(
    ("moves", "answers", "state"),
    [
        ("w:a01C", [TURN], "UNFINISHED"),
        ("b11C b:b11C", [True, TURN], "UNFINISHED"),  # the turn is checked before the space
        ("b11C b12A", [True, TAKEN], "UNFINISHED"),
        ("b11C b12A w:a12A", [True, TAKEN, True], "UNFINISHED"),  # a refused move does not count
        ("a01C a01C", [True, True], "UNFINISHED"),  # the first marble has moved away
        (WIN_FIRST, [True] * 9, "BLACK_WON"),
        (f"{WIN_FIRST} b:a01C w:a01C", [True] * 9 + [OVER] * 2, "BLACK_WON"),
        ("e14C a21A f01C b14A d24A e41A b44C c42C c52C", [True] * 9, "BLACK_WON"),
        (BOTH, [True] * 12, "DRAW"),
        (BOTH.replace("a04A", "f04A", 1), [True] * 12, "WHITE_WON"),
        (BOTH.replace("b04A", "f04A", 1), [True] * 12, "BLACK_WON"),
        (f"{BOTH} b:f01C", [True] * 12 + [OVER], "DRAW"),
    ],
)
def test_answers_and_states(moves, answers, state):
    assert run(moves) == (answers, state)


def test_the_documents_example(capsys):
    game = Pentago()
    print(game.make_move("black", "a2", 1, "C"))
    print(game.make_move("white", "a2", 1, "C"))
    print(game.is_board_full())
    game.print_board()
    print(game.get_game_state())
    empty = "□   □   □   □   □   □"
    rows = [empty, empty, "●   □   ○   □   □   □", empty, empty, empty]
    assert capsys.readouterr().out.splitlines() == ["True", "True", "False", *rows, "UNFINISHED"]


def test_a_new_game():
    game = Pentago()
    assert game.get_game_state() == "UNFINISHED"
    assert game.is_board_full() is False
    assert printed(game) == "□   □   □   □   □   □\n" * 6


def test_print_board_returns_none(capsys):
    assert Pentago().print_board() is None
    assert capsys.readouterr().out.count("\n") == 6


def test_a_winning_placement_is_not_rotated():
    game = Pentago()
    for k, text in enumerate(WIN_FIRST.split()):
        assert game.make_move(("black", "white")[k % 2], text[:2], int(text[2]), text[3]) is True
    assert printed(game).splitlines()[0] == "●   ●   ●   ●   ●   □"


def test_games_are_independent():
    one, other = Pentago(), Pentago()
    one.make_move("black", "a2", 1, "C")
    assert printed(other) == printed(Pentago())
    assert printed(one) != printed(other)


def test_parameters_by_position_and_the_games_position():
    game = Pentago()
    game.make_move("black", "a2", 1, "C")
    assert game.position == pentad.new("pentago").play("a2 1C")


# ── what does not exist ──────────────────────────────────────────────────────────────────────────


COLOURS = ["red", "Black", "BLACK", "b", "", "black ", None, 0, True, 1.5, [], b"black", "schwarz\n", "\x1b[31m"]
POSITIONS = ["g0", "a6", "A0", "", "a", "0", "a00", "a-1", "a 0", " a0", "a0\n", "0a", "a0 1C", "a" * 10_000]
POSITIONS += ["a\N{SUPERSCRIPT TWO}", "\N{CYRILLIC SMALL LETTER A}0", None, 0, 1.0, True, b"a0", ("a", 0), ["a0"]]
SUB_BOARDS = [0, 5, -1, 10**30, "1", "", None, True, False, 1.0, float("nan"), float("inf"), [1], b"1", 1 + 0j]
ROTATIONS = ["c", "a", "", "CA", "C ", "R", "clockwise", None, 0, 1, True, 1.5, ["C"], b"C"]
ROTATIONS += ["\N{CYRILLIC CAPITAL LETTER ES}"]

BAD_CALLS = [
    *[(colour, "a0", 1, "C") for colour in [*COLOURS, Anything()]],
    *[("black", position, 1, "C") for position in [*POSITIONS, Anything()]],
    *[("black", "a0", sub_board, "C") for sub_board in [*SUB_BOARDS, Anything()]],
    *[("black", "a0", 1, rotation) for rotation in [*ROTATIONS, Anything()]],
    ("white", "z9", 1, "C"),  # two errors: invalid arguments come first
    ("white", "a0", 9, "C"),
    (None, None, None, None),
]


@together("arguments", BAD_CALLS)
def test_invalid_arguments_are_refused(arguments):
    game = Pentago()
    game.make_move("black", "b2", 1, "C")
    game.make_move("white", "f5", 2, "A")
    before = game.position, printed(game)
    with pytest.raises(pentad.InvalidMove) as caught:
        game.make_move(*arguments)
    message = str(caught.value)
    assert message.isprintable()
    assert 20 < len(message) < 160
    assert (game.position, printed(game)) == before
    assert game.make_move("black", "a0", 1, "C") is True


def test_a_number_too_long_to_print_is_refused():
    game = Pentago()
    with pytest.raises(pentad.InvalidMove):
        game.make_move("black", "a0", 10**5000, "C")
    assert game.position == Pentago().position


def test_after_the_end_every_call_gets_the_same_answer():
    game = Pentago()
    for k, text in enumerate(WIN_FIRST.split()):
        game.make_move(("black", "white")[k % 2], text[:2], int(text[2]), text[3])
    before = printed(game)
    for arguments in [("black", "f5", 1, "C"), ("white", "a0", 1, "C"), ("white", "z9", 0, "x"), (None,) * 4]:
        assert game.make_move(*arguments) == OVER
    assert printed(game) == before

"""Turns and positions as texts: short form, denomination, refusals."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError, IllegalMove, InvalidMove, Move
from pentad.games.pentagame import notation
from pentad.games.pentagame.board import FIELDS
from pentad.games.pentagame.denomination import as_list, turn
from pentad.games.pentagame.notation import LeaveStep, PieceStep
from tests.cases import together
from tests.games.pentagame.random_play import OPTIONS, board, random_rare_turn, random_turn
from tests.line_limit import at_most
from tests.properties import properties

START = pentad.new("pentagame")
# red comes from [8,1,1] to its goal, where a black block stands; two grays are on the board
HOME = board("03@811 12@- 13@-", grays="6@410 7@614")
# the same with a gray block on the goal
OVER_GRAY = board("03@811 12@-", blacks="14@410", grays="6@8")
# red and player 1's yellow stand on each other's goals
BOTH = board("03@7 12@8", blacks="13@410 14@614")
# red comes home, and the pool is empty
EMPTY = board("03@811 00@- 01@- 10@- 11@- 20@-", players=3, blacks="14@430", grays="6@110 7@120 8@130 9@211 10@221")
# player 0's red waits at its goal
WAITS = board("03@8", blacks="14@410")


def positions(seed, count=40):
    """Positions of random games, those within a turn too."""
    chance = random.Random(seed)
    for number in range(count):
        here = pentad.new("pentagame", players=2 + number % 4, **OPTIONS[number % len(OPTIONS)])
        for _ in range(chance.randrange(60)):
            if here.outcome:
                break
            here = here.play(random_rare_turn(here, chance) if chance.random() < 0.5 else random_turn(here, chance))
        if here.outcome is None:
            yield here
            yield from (here.after(step) for step in here.piece_moves[::20] if here.after(step).due)


# ── turns ────────────────────────────────────────────────────────────────────────────────────────

TURNS = [
    # a piece to an empty field
    (START, "[0,3,3,2,2]", "[0,3,3,2,2]"),
    (START, "[0,3,2,2,3]", "[0,3,3,2,2]"),  # the stop named from its other end
    (START, "  [ 0 , 3 , 3 , 2 , 2 ]\n", "[0,3,3,2,2]"),
    (START, "[[0,3,3,2,2]]", "[0,3,3,2,2]"),
    (START, "3-322", "[0,3,3,2,2]"),
    (START, "3-223", "[0,3,3,2,2]"),
    (START, "3-3.2.2", "[0,3,3,2,2]"),
    (START, " 3>322 ", "[0,3,3,2,2]"),
    (START, "3:322", "[0,3,3,2,2]"),
    (START, "03-322", "[0,3,3,2,2]"),
    (START, "red-322", "[0,3,3,2,2]"),
    (START, "R-322", "[0,3,3,2,2]"),
    # a stack, where the piece that comes back must be named
    (START, "[0,3,2,0,0] [1,2,3,0,0]", "[0,3,2,0,0] [1,2,3,0,0]"),
    (START, "3-2x12", "[0,3,2,0,0] [1,2,3,0,0]"),
    (START, "3-2x1.2", "[0,3,2,0,0] [1,2,3,0,0]"),
    # one piece, which need not be named
    (BOTH, "0-7", "[0,0,7,0,0] [0,3,0,0,0]"),
    (BOTH, "[0,0,7,0,0]", "[0,0,7,0,0] [0,3,0,0,0]"),
    (BOTH, "[0,4,7,0,0] [0,3,4,0,0]", "[0,3,4,0,0] [0,4,7,0,0]"),
    # two own pieces: one move, named by the lower
    (START, "[0,3,2,0,0] [0,2,3,0,0]", "[0,2,3,0,0] [0,3,2,0,0]"),
    (START, "[0,2,3,0,0],[0,3,2,0,0]", "[0,2,3,0,0] [0,3,2,0,0]"),
    (START, "3-2x02", "[0,2,3,0,0] [0,3,2,0,0]"),
    (START, "2-3x03", "[0,2,3,0,0] [0,3,2,0,0]"),
    # home from a black block, with consequences optional
    (HOME, "3-8 430 120", "[0,3,8,0,0] [0,14,4,3,0] [0,8,1,2,0]"),
    (HOME, "3-8 14-430 8-120", "[0,3,8,0,0] [0,14,4,3,0] [0,8,1,2,0]"),
    (HOME, "[0,3,8,0,0] [0,14,4,3,0] [0,8,1,2,0]", "[0,3,8,0,0] [0,14,4,3,0] [0,8,1,2,0]"),
    (HOME, "[0,3,8,0,0] [0,3,-1,-1,-1] [0,14,4,3,0] [0,8,1,2,0]", "[0,3,8,0,0] [0,14,4,3,0] [0,8,1,2,0]"),
    (HOME, "[0,3,8,0,0] [0,14,4,3,0] [0,8,1,2,0] [0,3,-1,-1,-1]", "[0,3,8,0,0] [0,14,4,3,0] [0,8,1,2,0]"),
    (HOME, "3-8 8 811", "[0,3,8,0,0] [0,14,8,0,0] [0,8,8,1,1]"),  # the goal and the field just left
    # home from a gray block, which is the lowest of the pool again
    (OVER_GRAY, "3-8 120", "[0,3,8,0,0] [0,6,1,2,0]"),
    (OVER_GRAY, "[0,3,8,0,0] [0,6,-1,-1,-1] [0,3,-1,-1,-1] [0,6,1,2,0]", "[0,3,8,0,0] [0,6,1,2,0]"),
    # a gray block alone
    (HOME, "4-410", "[0,4,4,1,0]"),
    (HOME, "[0,4,4,1,0] [0,6,-1,-1,-1]", "[0,4,4,1,0]"),
    # a black block alone
    (START, "0-8 110", "[0,0,8,0,0] [0,14,1,1,0]"),
    # both home
    (BOTH, "3-8 430 120", "[0,3,8,0,0] [1,2,7,0,0] [0,6,4,3,0] [0,7,1,2,0]"),
    (BOTH, "3-8x12 430 120", "[0,3,8,0,0] [1,2,7,0,0] [0,6,4,3,0] [0,7,1,2,0]"),
    (BOTH, "[0,3,8,0,0] [0,6,4,3,0] [0,7,1,2,0]", "[0,3,8,0,0] [1,2,7,0,0] [0,6,4,3,0] [0,7,1,2,0]"),
    (
        BOTH,
        "[0,3,8,0,0] [1,2,7,0,0] [1,2,-1,-1,-1] [0,3,-1,-1,-1] [0,6,4,3,0] [0,7,1,2,0]",
        "[0,3,8,0,0] [1,2,7,0,0] [0,6,4,3,0] [0,7,1,2,0]",
    ),
    # the pool is empty
    (EMPTY, "3-8 6-231", "[0,3,8,0,0] [0,6,2,3,1]"),
    (EMPTY, "[0,3,8,0,0] [0,10,8,0,0]", "[0,3,8,0,0] [0,10,8,0,0]"),
    # brought to its goal by another
    (WAITS, "[0,3,-1,-1,-1] [0,6,8,0,0]", "[0,3,-1,-1,-1] [0,6,8,0,0]"),
    # within a turn
    (HOME.partial("3-8"), "430 120", "[0,14,4,3,0] [0,8,1,2,0]"),
    (HOME.partial("3-8"), "[0,14,4,3,0] [0,8,1,2,0]", "[0,14,4,3,0] [0,8,1,2,0]"),
    (HOME.partial("3-8 430"), "120", "[0,8,1,2,0]"),
    (WAITS.partial("[0,3,-1,-1,-1]"), "8", "[0,6,8,0,0]"),
    (EMPTY.partial("3-8"), "8-8", "[0,8,8,0,0]"),
]


@together(("here", "text", "written"), TURNS)
def test_turns_are_read(here, text, written):
    move = here.parse(text)
    assert isinstance(move, Move)
    assert str(move) == written
    assert here.parse(written) == move
    assert move in here.legal_moves
    assert here.play(text) == here.play(move) == here.play(written)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", range(3))
def test_every_legal_turn_reads_back(seed):
    """From its text, in short, and as lists of numbers."""
    for here in positions(seed, 12):
        for move in here.legal_moves[:: max(1, len(here.legal_moves) // 40)]:
            assert here.parse(str(move)) == move
            assert here.parse(short(here, move)) == move
            lists = [as_list(each) for step in move for each in turn(str(step))]
            assert here.play(lists) == here.play(move)
            assert here.play(full(here, move)) == here.play(move)


def name(field):
    return str(field.start) if field.counter == 0 else f"{field.start}{field.counter}{field.end}"


def short(here, move):
    """A turn as a person might type it; there is no short form of a piece that leaves."""
    words = []
    for step in move:
        if isinstance(step, LeaveStep):
            return str(move)
        if isinstance(step, PieceStep):
            partner = f"x{step.partner[0]}{step.partner[1]}" if step.partner else ""
            words.append(f"{here.colours[step.piece]}-{name(step.to)}{partner}")
        else:
            words.append(name(step.to) if step.is_black or here.pool > 1 else f"{step.figure}-{name(step.to)}")
    return " ".join(words)


def full(here, move):
    """A turn with all its consequences."""
    words = [str(step) for step in move]
    if isinstance(move[0], PieceStep):
        words += [f"[{seat},{piece},-1,-1,-1]" for seat, piece in move[0].leaving]
        taken = [6 + i for i, field in enumerate(here.grays) if field >= 0 and FIELDS[field] == move[0].to]
        words += [f"[{here.turn},{gray},-1,-1,-1]" for gray in taken]
    return " ".join(words)


def test_colours_are_read_by_their_names():
    here = pentad.new("pentagame", colours="pink,purple,navy,lime,cyan")
    for i, words in enumerate((["pink", "pi", "PINK"], ["purple", "pu"], ["navy", "n"], ["lime", "l"], ["cyan", "c"])):
        for word in words:
            assert str(here.parse(f"{word}-332")) == f"[0,{i},3,3,2]"
    for word in ("p", "red", "x", "pinkish"):
        with pytest.raises(InvalidMove, match="Unknown colour"):
            here.parse(f"{word}-332")


# Unreadable turns and their messages.
UNREADABLE = [
    (START, "", "Expected a move, such as [0,3,5,2,2]"),
    (START, " \n", "Expected a move"),
    (START, "hello", "Expected a move, such as [0,3,5,2,2], 3-522 or R>w2Y, got 'hello'"),
    (START, "3", "got '3'"),
    (START, "322", "got '322'"),
    (START, "3-", "got '3-'"),
    (START, "-322", "such as [0,3,5,2,2]"),
    (START, "3-52", "Expected a field, such as 7 or 522, got '52'"),
    (START, "3-5..2", "Expected a field, such as 7 or 522, got '5..2'"),
    (START, "3-5222", "Expected a field, such as 7 or 522, got '5222'"),
    (START, "3-522222", "such as [0,3,5,2,2]"),
    (START, "3-582", "The counter of the leg between 5"),
    (START, "3-501", "No edge between 5 and 1"),
    (START, "3-1x15", "Unknown figure 5"),
    (START, "3-1x51", "Unknown player 5"),
    (START, "3-1x21", "Unknown player 2. Players are 0 to 1"),
    (START, "3-1x6", "such as [0,3,5,2,2]"),
    (START, "5-322", "Unknown figure 5"),
    (START, "16-322", "Unknown figure 16"),
    (START, "6-322", "Figure 6 is a block"),
    (START, "[0,11,3,2,2]", "Figure 11 is a block"),
    (START, "[2,3,3,2,2]", "Unknown player 2. Players are 0 to 1"),
    (START, "[0,3,1,0,0] [2,1,3,0,0]", "Unknown player 2"),
    (START, "[0,3,1,0,0] [1,1,2,0,0]", "[1,1,2,0,0] is not a swap: the partner must go to [3,0,0]"),
    (START, "3-322 2-312", "[0,2,3,1,2] is not a swap: the partner must go to [3,0,0]"),
    (START, "3-2x12 2-312", "[0,2,3,1,2] moves a second piece"),
    (START, "[0,3,3,2,2] [0,3,-1,-1,-1]", "[0,3,-1,-1,-1] is not a consequence of this turn:"),
    (START, "[0,3,3,2,2] [0,6,-1,-1,-1]", "[0,6,-1,-1,-1] is not a consequence of this turn:"),
    (START, "[0,3,8,0,0] [1,3,-1,-1,-1]", "[1,3,-1,-1,-1] is not a consequence of this turn:"),
    (HOME, "[0,3,8,0,0] [0,3,-1,-1,-1] [0,3,-1,-1,-1]", "is not a consequence of this turn"),
    (HOME, "[0,4,4,1,0] [1,6,-1,-1,-1]", "is not a consequence of this turn"),  # named for the wrong player
    (HOME, "[0,4,4,1,0] [0,6,-1,-1,-1] [0,6,-1,-1,-1]", "is not a consequence of this turn"),
    (HOME, "[0,3,8,0,0] [0,14,-1,-1,-1]", "[0,14,-1,-1,-1] is not a consequence of this turn:"),
    (HOME, "3-8 hello", "got 'hello'"),
    (HOME, "3-8 43", "Expected a field, such as 7 or 522, got '43'"),
    (HOME, "3-8 [0,14,4,3,0]", "got '3-8'"),
    (EMPTY, "3-8 231", "Name the gray block to move: 6-231"),
    (HOME.partial("3-8"), "[0,3,-1,-1,-1]", "is not a consequence of this turn"),
    (HOME.partial("3-8"), "2-3", "[0,2,3,0,0] moves a second piece"),
    (START, "3-322 " * 40, "Expected a turn, got a text of 240 characters"),
    (START, "[0,3,3,2,2]" * 1000, "Expected a turn, got a text of 11,000 characters"),
    (START, "3-\N{FULLWIDTH DIGIT THREE}22", "such as [0,3,5,2,2]"),
    (START, "3\N{EN DASH}322", "such as [0,3,5,2,2]"),
    (START, "r\N{LATIN SMALL LETTER E WITH ACUTE}d-322", "such as [0,3,5,2,2]"),
    (START, "3-322\x00", "such as [0,3,5,2,2]"),
    (START, "\ud800", "such as [0,3,5,2,2]"),
]


@together(("here", "text", "part"), UNREADABLE)
def test_unreadable_turns_are_refused(here, text, part):
    for call in (here.parse, here.play, *((here.partial, here.choices) if text.strip() else ())):
        with pytest.raises(InvalidMove) as caught:
            call(text)
        message = str(caught.value)
        assert part in message
        assert message.isprintable()
        assert len(message) < 200


# what can be read, and why it is not allowed
FORBIDDEN = [
    (START, "[1,3,3,2,2]", "It is circle's turn, not square's"),
    (START, "3-3", "Circle's red piece is already on the red corner"),
    (START, "3-2", "Several pieces are on the yellow corner"),
    (START, "3-2x13", "Square's red piece is not on the yellow corner"),
    (START, "3-322 430", "The turn is complete before [0,6,4,3,0]:"),
    (START, "0-8", "The turn is not complete."),
    (START, "0-8 8", "The red junction is not empty: circle's white piece"),
    (START, "0-8 0", "The white corner is not empty: square's white piece"),
    (START, "0-8 6", "The green junction is not empty: black block"),
    (START, "0-8 11-430", "Black block 11 cannot be put now"),
    (START, "0-8 6-430", "Gray block 6 cannot be put now"),
    (START, "0-8 110 120", "The turn is complete before [0,6,"),
    (START, "[0,0,8,0,0] [1,14,4,3,0]", "It is circle's turn, not square's"),
    (START, "[0,0,8,0,0] [4,14,4,3,0]", "It is circle's turn, not player 4's"),
    (START, "[0,0,-1,-1,-1]", "Circle's white piece is not waiting at its goal"),
    (board("03@-"), "3-322", "Circle's red piece has left the board"),
    (board("03@-"), "[0,3,-1,-1,-1]", "is not waiting at its goal"),
    (START, "0-322", "Circle's white piece has no free path from the white corner to the 2nd stop from the red corner"),
    (board("03@312", last="3:312>322 -"), "3-322", "Circle may not repeat the previous move, [0,3,3,2,2]"),
    (board("03@7 12@8", blacks="13@410 14@614", swapped="03~12", no_swap_back=True), "3-8", "A swap may not be undone"),
    (board("10@- 11@- 12@-"), "3-322", "The game is over. Square wins with three pieces home."),
    (
        board("10@- 11@- 12@- 00@- 01@- 02@-"),
        "3-322",
        "The game is over. Draw between circle and square: each has three pieces home.",
    ),
    (board(ply=1000), "3-322", "The game is over. Draw: the turn limit of 1000 is reached."),
    (HOME, "3-8 430 6-120", "Gray block 6 cannot be put now"),
    (HOME, "3-8 430", "A gray block must be put"),
    (HOME, "3-8", "A black block must be put"),
    (BOTH, "3-8", "A gray block must be put"),
    (EMPTY, "3-8 6-110", "The 1st stop from the green corner towards the white corner is not empty: gray block"),
    (EMPTY, "3-8 11-231", "Black block 11 cannot be put now"),
    (WAITS, "4-410", "Circle's red piece was brought"),
    (WAITS, "[0,4,-1,-1,-1] [0,6,8,0,0]", "Circle's blue piece is not waiting at its goal"),
    (HOME.partial("3-8"), "120", "A gray block must be put"),
    (HOME.partial("3-8"), "8-120", "Gray block 8 cannot be put now"),
]


@together(("here", "text", "part"), FORBIDDEN)
def test_illegal_turns_are_refused(here, text, part):
    before = here.text
    with pytest.raises(IllegalMove) as caught:
        here.play(text)
    message = str(caught.value)
    assert part in message
    assert message.isprintable()
    assert len(message) < 300
    assert here.parse(text) not in here.legal_moves
    assert here.text == before


@pytest.mark.parametrize(
    "thing",
    [None, 7, 1.5, Ellipsis, [0, 3, 3, 2, 2], [[0, 3, 3, 2, 2, 1]], [[0, 3]], b"3-322", [None], {}, START],
    ids=repr,
)
def test_other_objects_are_refused(thing):
    for call in (START.play, START.partial):
        if thing != {}:
            with pytest.raises(InvalidMove):
                call(thing)
    with pytest.raises(InvalidMove):
        START.play(thing)
    assert thing not in START.legal_moves


def test_turns_as_lists_and_choices():
    assert START.play([[0, 3, 3, 2, 2]]) == START.play("3-322")
    assert START.play([[0, 3, 2, 0, 0], [1, 2, 3, 0, 0]]) == START.play("3-2x12")
    assert START.play(turn("[0,3,3,2,2]")) == START.play("3-322")
    assert turn("[0,3,3,2,2]") not in START.legal_moves
    chosen = next(choice for choice in START.choices() if str(choice) == "[0,3,3,2,2]")
    assert START.play(chosen) == START.play((chosen.step,)) == START.play(chosen.step) == START.play("3-322")


words_of_turns = st.lists(
    st.sampled_from(
        ["3-8", "0-8", "430", "120", "6-231", "red", "x11", "3-2x12", "[0,3,8,0,0]", "[0,3,-1,-1,-1]", "[", "7", "-"]
    ),
    max_size=5,
)
NEAR = (START, HOME, OVER_GRAY, BOTH, EMPTY, WAITS, HOME.partial("3-8"), board(ply=1000))


@given(
    st.text(max_size=40)
    | words_of_turns.map(" ".join)
    | st.lists(st.text("[]0123456789-,x. ", max_size=8)).map("".join)
)
@properties(400)
def test_any_input_gets_an_answer(text):
    for here in NEAR:
        try:
            after = here.play(text)
        except (InvalidMove, IllegalMove) as error:
            message = str(error)
        else:
            message = str(here.parse(text))
            assert here.parse(text) in here.legal_moves
            assert after == here.play(message)
        assert message.isprintable()
        assert len(message) < 300


@pytest.mark.parametrize("letters", ["[", "3-322 ", "x", " ", "[0,3,3,2,2] ", "\n"], ids=ascii)
def test_ten_megabytes_are_answered_fast(letters):
    rubbish = letters * (10_000_000 // len(letters))
    with at_most(lines=10_000):
        for call in (START.parse, START.play, pentad.load):
            with pytest.raises(GameError) as caught:
                call(rubbish)
            assert len(str(caught.value)) < 300


# ── positions ────────────────────────────────────────────────────────────────────────────────────


def test_the_text_of_the_start():
    places = "000,100,200,300,400"
    assert START.text == f"pentagame 0 0 {places}/{places} 500,600,700,800,900 ---,---,---,---,--- -/- -"
    three = pentad.new("pentagame", players=3, first_to_three=True, max_ply=60)
    assert three.text.startswith("pentagame players=3 first_to_three=true max_ply=60 0 0 ")


def test_the_texts_that_the_documentation_shows():
    shown = re.findall(r"^    (pentagame .+)$", notation.__doc__, re.MULTILINE)
    assert len(shown) == 1
    for text in shown:
        assert pentad.load(text).text == text


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", range(3))
def test_positions_read_back(seed):
    for here in positions(seed):
        again = pentad.load(here.text)
        assert again == here
        assert hash(again) == hash(here)
        assert again.text == here.text
        assert len(again.legal_moves) == len(here.legal_moves)
        assert again.choices() == here.choices()


def test_position_texts_have_everything_that_legality_depends_on():
    """Each seat's last move, what is due, the round's state, the swap that may not be undone, the options."""
    base = {"pieces": "03@7 12@8", "blacks": "13@410 14@614"}
    same = {
        board(**base),
        board(**base, last="3:300>700 -"),
        board(**base, last="- 3:300>700"),
        board(**base, last="3:300>700x12 -"),
        board(**base, last="3:300>700x13 -"),
        board(**base, last="3:312>700 -"),
        board(**base, turn=1),
        board(**base, ply=21),
        board(**base, max_ply=60),
        board(**base, no_swap_back=True),
        board(**base, no_swap_back=True, swapped="03~12"),
        board(**base, no_swap_back=True, swapped="04~12"),
        board(**base, first_to_three=True),
        board(**base).partial("3-8"),
        board(**base).partial("3-8 430"),
        board(**base, players=3),
    }
    assert len(same) == len({each.text for each in same}) == 16


WRONG_TEXTS = [
    ("0 0 {0}/{0} {1} {2} -/-", "Expected a Pentagame position: its options, seat, plies, pieces,"),
    ("0 0 {0}/{0} {1} {2} -/- - black x", "Expected a Pentagame position: its options, seat, plies, pieces,"),
    ("2 0 {0}/{0} {1} {2} -/- -", "Expected a whole number from 0 to 1"),
    ("-1 0 {0}/{0} {1} {2} -/- -", "for the seat to move, got"),
    ("x 0 {0}/{0} {1} {2} -/- -", "for the seat to move, got"),
    ("0 1001 {0}/{0} {1} {2} -/- -", "Expected a whole number from 0 to 1000"),
    ("0 \N{SUPERSCRIPT TWO} {0}/{0} {1} {2} -/- -", "a whole number from 0 to 1000"),
    ("0 0 {0} {1} {2} -/- -", "Expected the pieces of 2 players, separated"),
    ("0 0 {0}/{0}/{0} {1} {2} -/- -", "Expected the pieces of 2 players, separated"),
    ("0 0 {0}/000,100,200,300 {1} {2} -/- -", "Expected five fields of a seat's pieces, joined"),
    ("0 0 {0}/000,100,200,300,4 {1} {2} -/- -", "Expected a field, such as 522, or ---, got '4'"),
    ("0 0 {0}/000,100,200,300,501 {1} {2} -/- -", "No edge between 5 and 1"),
    ("0 0 {0}/000,100,200,300,999 {1} {2} -/- -", "Expected --- for the place off the board, got 999"),
    ("0 0 {0}/000,100,200,300,225 {1} {2} -/- -", "Expected 552 for this field, got 225"),
    ("0 0 {0}/{0} 500,600,700,800 {2} -/- -", "Expected five fields of the black"),
    ("0 0 {0}/{0} 500,600,700,800,800 {2} -/- -", "Two blocks cannot be on the same field, 800"),
    ("0 0 {0}/{0} 500,600,700,800,400 {2} -/- -", "A block and a piece cannot"),
    ("0 0 {0}/{0} 500,600,700,800,--- {2} -/- -", "A black block must be off"),
    ("0 0 {0}/{0} {1} {2} -/- - black", "A black block must be off"),
    ("0 0 {0}/{0} {1} 110,---,---,---,--- -/- -", "There cannot be more gray blocks"),
    ("0 0 {0}/{0} {1} {2} -/- - gray", "A gray block can be due"),
    ("0 0 ---,100,200,300,400/{0} {1} 110,---,---,---,--- -/- - gray", "There cannot be more gray blocks"),
    ("0 0 {0}/{0} {1} {2} -/- - white", "The due blocks must be one"),
    ("0 1000 {0}/{0} 500,600,700,800,--- {2} -/- - black", "No block can be due after 1000"),
    ("0 0 {0}/{0} {1} {2} - -", "Expected the moves of 2 players, separated"),
    ("0 0 {0}/{0} {1} {2} 3-322/- -", "Expected a previous move such as 2:200>522, with x"),
    ("0 0 {0}/{0} {1} {2} 5:300>322/- -", "Expected a previous move such as 2:200>522, with x"),
    ("0 0 {0}/{0} {1} {2} 3:300>322x20/- -", "Unknown player 2. Players are 0 to 1"),
    ("0 0 {0}/{0} {1} {2} 3:300>300/- -", "The start and end of a previous"),
    ("0 0 {0}/{0} {1} {2} 3:300>100x01/- -", "The lower piece must come first"),
    ("0 0 {0}/{0} {1} {2} 3:300>100x03/- -", "The lower piece must come first"),
    ("0 0 {0}/{0} {1} {2} 3:300>501/- -", "No edge between 5 and 1"),
    ("0 0 {0}/{0} {1} {2} -/- x", "Expected the pieces of a swap, such as 03~12, or -"),
    ("0 0 {0}/{0} {1} {2} -/- 03~13", "needs the option no_swap_back=true"),
    ("no_swap_back=true 0 0 {0}/{0} {1} {2} -/- 13~03", "The pieces of a swap must differ"),
    ("no_swap_back=true 0 0 {0}/{0} {1} {2} -/- 03~03", "The pieces of a swap must differ"),
    ("no_swap_back=true 0 0 {0}/{0} {1} {2} -/- 03~22", "Unknown player 2"),
    ("no_swap_back=true 0 0 {0}/{0} {1} {2} -/- 03~04", "must be of a piece of seat 0, to move,"),
    ("no_swap_back=true 0 0 {0}/000,100,200,---,400 {1} {2} -/- 03~13", "has left the board cannot be swapped again"),
    ("players=3 no_swap_back=true 2 0 {0}/{0}/{0} {1} {2} -/-/- 03~13", "a piece of seat 2, to move"),
    ("1 0 {0}/---,---,---,---,--- {1} {2} -/- -", "It cannot be the turn"),
    ("players=1 0 0 {0} {1} {2} - -", "Option players must be a whole number"),
    ("players=6 0 0 {0} {1} {2} - -", "Option players must be a whole number from 2 to 5"),
    ("max_ply=0 0 0 {0}/{0} {1} {2} -/- -", "Option max_ply must be a whole number from 1 to 100000"),
    ("colours=red 0 0 {0}/{0} {1} {2} -/- -", "Option colours must be 5 different values"),
    ("colours=red,red,blue,white,green 0 0 {0}/{0} {1} {2} -/- -", "Option colours must be 5 different"),
    ("size=3 0 0 {0}/{0} {1} {2} -/- -", "Pentagame has no option size"),
]


@together(("text", "part"), WRONG_TEXTS)
def test_invalid_position_texts_are_refused(text, part):
    words = text.format("000,100,200,300,400", "500,600,700,800,900", "---,---,---,---,---")
    with pytest.raises(GameError) as caught:
        pentad.load(f"pentagame {words}")
    message = str(caught.value)
    assert part in message
    assert message.isprintable()
    assert len(message) < 300


def test_a_text_without_a_legal_turn_is_refused():
    """No play leads there; one piece, whose two ways out are its last move again and a swap undone."""
    text = "pentagame no_swap_back=true 1 7 322,100,300,000,400/---,---,---,312,--- {} {} -/3:312>322x00 02~13"
    blocks = ("500,600,700,800,900", "---,---,---,---,---")
    with pytest.raises(GameError, match="Seat 1 has no legal turn"):
        pentad.load(text.format(*blocks))
    assert len(pentad.load(text.replace(" 02~13", " -").format(*blocks)).legal_moves) == 1


@given(st.integers(0, 10**6), st.sampled_from("0123456789-,/>:~x +") | st.characters(codec="utf-8"))
@properties(300)
def test_a_changed_text_is_refused_or_another_position(seed, letter):
    text = EMPTY.text if seed % 2 else HOME.partial("3-8").text
    at = seed % len(text)
    spoilt = text[:at] + letter + text[at + 1 :]
    try:
        here = pentad.load(spoilt)
    except GameError:
        return
    else:
        assert pentad.load(here.text) == here
        if here.outcome is None:
            assert here.choices()

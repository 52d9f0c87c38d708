"""Turns in letters: written and read, in random games both ways, and what is wrong with others."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import IllegalMove, InvalidMove
from pentad.games.pentagame.board import FIELDS
from pentad.games.pentagame.draw import Highlights
from pentad.games.pentagame.letters import names_of
from pentad.record import Record
from tests.cases import slow, together
from tests.games.pentagame.random_play import OPTIONS, random_rare_turn, random_turn
from tests.games.pentagame.test_notation import BOTH, EMPTY, HOME, OVER_GRAY, START, WAITS, positions
from tests.properties import properties

THREE = pentad.new("pentagame", players=5)
PALE = pentad.new("pentagame", colours="pink,purple,navy,lime,cyan")

# A position, a turn as people may type it, the turn as it is written, and in the denomination.
TURNS = [
    (START, "R>R1B", "R>B3R", "[0,3,4,3,3]"),
    (START, " R>B3R ", "R>B3R", "[0,3,4,3,3]"),
    (START, "red>B3R", "R>B3R", "[0,3,4,3,3]"),
    (START, "r-B3R", "R>B3R", "[0,3,4,3,3]"),
    (START, "R>w b:w2Y", "R>w b:w2Y", "[0,3,5,0,0] [0,11,5,2,2]"),
    (START, "R>w black:Y5w", "R>w b:w2Y", "[0,3,5,0,0] [0,11,5,2,2]"),
    (START, "R>w w2Y", "R>w b:w2Y", "[0,3,5,0,0] [0,11,5,2,2]"),
    (START, "R>YxsY", "R>YxsY", "[0,3,2,0,0] [1,2,3,0,0]"),
    (START, "R>YxsquareY", "R>YxsY", "[0,3,2,0,0] [1,2,3,0,0]"),
    (START, "R>YxY", "Y>RxR", "[0,2,3,0,0] [0,3,2,0,0]"),
    (START, "R>YxcY", "Y>RxR", "[0,2,3,0,0] [0,3,2,0,0]"),
    (START, "Y>RxR", "Y>RxR", "[0,2,3,0,0] [0,3,2,0,0]"),
    (THREE, "R>YxaY", "R>YxaY", "[0,3,2,0,0] [4,2,3,0,0]"),
    (THREE, "R>YxstarY", "R>YxaY", "[0,3,2,0,0] [4,2,3,0,0]"),
    (PALE, "lime>N1L", "L>L3N", "[0,3,3,3,2]"),
    (PALE, "U>N1U", "U>N1U", "[0,1,2,1,1]"),
    (BOTH, "W>y", "W>yxR", "[0,0,7,0,0] [0,3,0,0,0]"),
    (HOME, "R>r b:B3W g:G2W", "R>r b:B3W g:G2W", "[0,3,8,0,0] [0,14,4,3,0] [0,8,1,2,0]"),
    (HOME, "R>r r g:r1G", "R>r b:r g:r1G", "[0,3,8,0,0] [0,14,8,0,0] [0,8,8,1,1]"),
    (OVER_GRAY, "R>r gray:G2W", "R>r g:G2W", "[0,3,8,0,0] [0,6,1,2,0]"),
    (BOTH, "R>rxsY g:B3W g:G2W", "R>rxsY g:B3W g:G2W", "[0,3,8,0,0] [1,2,7,0,0] [0,6,4,3,0] [0,7,1,2,0]"),
    (EMPTY, "R>r g:G1W>R2Y", "R>r g:G1W>R2Y", "[0,3,8,0,0] [0,6,3,2,2]"),
    (EMPTY, "R>r grey:W3G>r", "R>r g:G1W>r", "[0,3,8,0,0] [0,6,8,0,0]"),
    (WAITS, "R>home g:r", "R>home g:r", "[0,3,-1,-1,-1] [0,6,8,0,0]"),
    (HOME.partial("3-8"), "b:B3W g:G2W", "b:B3W g:G2W", "[0,14,4,3,0] [0,8,1,2,0]"),
    (HOME.partial("3-8"), "B3W G2W", "b:B3W g:G2W", "[0,14,4,3,0] [0,8,1,2,0]"),
    (HOME.partial("3-8 430"), "g:G2W", "g:G2W", "[0,8,1,2,0]"),
    (EMPTY.partial("3-8"), "g:G2Y>r", "g:Y2G>r", "[0,10,8,0,0]"),
]


@together(("here", "text", "letters", "written"), TURNS)
def test_turns_are_read_and_written(here, text, letters, written):
    move = here.parse(text)
    assert str(move) == written
    assert move == here.parse(written) == here.parse(letters)
    assert here.notation(move) == letters
    assert here.play(text) == here.play(written)


@together(
    ("here", "text", "message"),
    [
        (START, "R>G", "Several pieces are on G."),
        (START, "R>q", "Unknown field 'q'. Corners are W, G, Y, R, B, junctions w, g, y, r, b, stops such as w2Y."),
        (START, "R>rw3", "Unknown field 'rw3'."),
        (START, "R>w2Q", "Unknown corner or junction Q in w2Q."),
        (START, "R>r1w", "No line between r and w."),
        (START, "R>R7w", "The stops between R and w are 1 to 6, not 7."),
        (START, "R>R4B", "The stops between R and B are 1 to 3, not 4."),
        (START, "R>R0B", "The stops between R and B are 1 to 3, not 0."),
        (START, "P>w", "Unknown colour 'P'."),
        (
            START,
            "R>Yx",
            "Expected a swap partner after x in 'R>Yx':",
        ),
        (START, "R>YxzY", "Expected a swap partner after x in 'R>YxzY'"),
        (START, "R>YxtY", "Expected a swap partner after x in 'R>YxtY'"),  # there is no third player
        (START, "R>w B>b", "Expected the field of a block"),
        (START, "R>w b:R>Y", "Only a gray block goes from field"),
        (START, "R>w g:R>Y", "No gray block is on R."),
        (START, "b:R", "A turn begins with a piece, such as R>w2Y, not with 'b:R'."),
        (START, "R>B3R b:B2R", "No black block is due, so 'b:B2R'"),
        (START, "R>w b:", "Expected the field of a block"),
        (START, "R>w b:qq", "Unknown field 'qq'."),
        (EMPTY, "R>r g:R2Y", "The pool is empty."),
        (HOME.partial("3-8"), "R>r", "Expected the field of a block"),
        (PALE, "p>w", "Unknown field 'w'. Corners are P, U, N, L, C, junctions p, u, n, l, c"),
    ],
)  # fmt: skip
def test_turns_that_cannot_be_read(here, text, message):
    with pytest.raises(InvalidMove) as error:
        here.play(text)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@together(
    ("here", "text", "message"),
    [
        (START, "R>r", "Circle's red piece has no free path from the red corner to the red junction."),
        (START, "R>YxsR", "Square's red piece is not on the yellow corner."),
        (START, "R>w", "The turn is not complete."),
        (START, "R>w b:Y", "The yellow corner is not empty: circle's yellow piece and square's yellow piece."),
        (START, "R>B3R g:B2R", "The turn is complete before [0,6,4,2,3]:"),
        (START, "R>home", "Circle's red piece is not waiting at its goal."),
        (WAITS, "B>B1W", "Circle's red piece was brought"),
    ],
)
def test_turns_that_are_not_allowed(here, text, message):
    with pytest.raises(IllegalMove) as error:
        here.play(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("colours", [START.colours, PALE.colours, ("blue", "brown", "red", "lime", "white")])
def test_every_field_has_a_name_from_each_end(colours: tuple[str, ...]):
    names = names_of(colours)
    assert len(names.fields) == len(set(names.fields)) == len(FIELDS)
    assert len(names.known) == 10 + 2 * 90
    for number, field in enumerate(FIELDS):
        assert names.known[names.fields[number]] == field
        if field.counter:
            start, end = names.fields[field.start], names.fields[field.end]
            assert names.fields[number] == f"{start}{field.counter}{end}"
            assert sum(name[0] == end and name[-1] == start for name, each in names.known.items() if each == field) == 1


@pytest.mark.parametrize("seed", range(2))
def test_every_legal_turn_reads_back(seed):
    for here in positions(seed, 10):
        for move in here.legal_moves[:: max(1, len(here.legal_moves) // 40)]:
            assert here.parse(here.notation(move)) == move


@pytest.mark.parametrize("games", [20, slow(10_000)])
def test_random_games_both_ways(games):
    """Each game in letters is the same game, and is written in the same letters again."""
    for number in range(games):
        chance = random.Random(number)
        here = pentad.new("pentagame", players=2 + number % 4, max_ply=40, **OPTIONS[number // 4 % len(OPTIONS)])
        start, letters, ended = here, [], None
        while not here.outcome:
            move = random_rare_turn(here, chance) if chance.random() < 0.5 else random_turn(here, chance)
            letters.append(here.notation(move))
            here = here.play(move)
        ended, here = here, start
        for text in letters:
            move = here.parse(text)
            assert here.notation(move) == text
            here = here.play(move)
        assert here == ended


def test_records_keep_the_denomination_and_are_read_in_letters():
    record = Record("pentagame")
    for text in ("R>w b:w2Y", "G>YxcY", "R>R3w"):
        record.play(text)
    assert "1. [0,3,5,0,0] [0,11,5,2,2] 2. [1,1,2,0,0]" in record.text
    assert Record.read(record.text) == record
    typed = "1. R>w b:w2Y 2. G>YxcY 3. R>R3w"
    assert Record.read(typed, strict=False, game="pentagame").moves == record.moves
    unnumbered = "R>w b:w2Y G>YxcY R>R3w"
    assert Record.read(unnumbered, strict=False, game="pentagame").moves == record.moves


def test_the_last_turn_is_drawn_from_its_letters():
    for here, text, _, written in TURNS:
        if not here.due:
            after, move = here.play(text), here.parse(written)
            drawn, expected = Highlights(after, here.notation(move)), Highlights(after, move)
            assert (drawn.put, drawn.left, drawn.lasting) == (expected.put, expected.left, expected.lasting), text


WORDS = ["R>w", "R>r", "b:w2Y", "g:R", "g:R>w", "w2Y", "R>home", "x", "R>YxsY", "b:", ">", "3-8", "8"]
words = st.lists(st.sampled_from(WORDS), max_size=4)


@properties(300)
@given(words.map(" ".join) | st.text("RrwWbg:>x12 -", max_size=12))
def test_no_text_breaks_the_reader(text: str):
    for here in (START, HOME, EMPTY, WAITS, HOME.partial("3-8")):
        try:
            move = here.parse(text)
        except InvalidMove:
            continue
        if move in here.legal_moves:
            assert here.parse(here.notation(move)) == move


def test_other_games_have_no_other_notation():
    for name in ("pentago", "pente"):
        here = pentad.new(name)
        assert here.notation(here.legal_moves[0]) == str(here.legal_moves[0])

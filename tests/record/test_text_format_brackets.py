"""Records of moves with brackets, commas and spaces, as in Pentagame."""

from __future__ import annotations

import random

import pytest

import pentad
from pentad.game import GameError
from pentad.record import Record, RecordError, Value
from pentad.record.formats import read_json, write_json
from tests.cases import thinned, together
from tests.games.pentagame.random_play import random_rare_turn, random_turn
from tests.line_limit import at_most

TEXT = """[Game "pentagame"]
[Seat0 "Ann"]
[Result "*"]

1. [0,3,2,0,0] [1,2,3,0,0] {[%clk 0:04:58] well [swapped], (she) says} 2. [1,3,4,2,3] (2. [1,0,8,0,0] [1,14,1,1,0]
{a black block}) (2. [1,2,2,0,0] [0,3,3,0,0] 3. [0,0,1,1,0]) 3. [0,0,8,0,0] [0,14,1,1,0] *
"""
MOVES = ["[0,3,2,0,0] [1,2,3,0,0]", "[1,3,4,2,3]", "[0,0,8,0,0] [0,14,1,1,0]"]


def annotated() -> Record:
    record = Record("pentagame", tags={"Seat0": "Ann"})
    first = record.play(MOVES[0])
    first.comment, first.clock = "well [swapped], (she) says", 298.0
    record.play(MOVES[1])
    first.play("0-8 110").comment = "a black block"
    first.play("2-2x03").play("0-110")
    record.play(MOVES[2])
    return record


def test_the_text_round_trips():
    assert annotated().text == TEXT
    assert Record.read(TEXT) == annotated()
    assert Record.read(TEXT, strict=False) == annotated()
    assert read_json(write_json([annotated()])) == [annotated()]
    assert [str(move) for move in Record.read(TEXT).moves] == MOVES


@together("gap", ["\n", "   \n\n  ", "\t", "\r\n", ""])
@together("after_number", [" ", "\n", "\r\n\r\n"])
def test_moves_may_continue_on_the_next_line(gap, after_number):
    broken = TEXT.replace("0] [", f"0]{gap}[").replace(". [", f".{after_number}[")
    assert Record.read(broken) == annotated()
    assert Record.read(broken, strict=False) == annotated()


@together(
    "text",
    [
        "\n".join(MOVES),
        " ".join(MOVES),
        ", ".join(MOVES),
        "1. " + MOVES[0] + "\n2. " + MOVES[1] + "\n3. " + MOVES[2],
        "1." + MOVES[0] + " 2." + MOVES[1] + " 3." + MOVES[2] + " *",
        "1) " + MOVES[0] + " 2) " + MOVES[1] + " 3) " + MOVES[2],
        "\n".join(MOVES).replace("] [", "], ["),
        "\n".join(MOVES).replace("] [", "]["),
        "\n".join(MOVES).replace(",", ", "),
        "\n".join(f"[{move.replace('] [', '],[')}]" for move in MOVES),
        "[[0, 3, 2, 0, 0], [1, 2, 3, 0, 0]] [[1, 3, 4, 2, 3]] [[0, 0, 8, 0, 0], [0, 14, 1, 1, 0]]",
        "[0,3,2,0,0] [1,2,3,0,0]\n[1,3,4,2,3]\n[0,0,8,0,0]\n[0,14,1,1,0]",
        "3-2x12\n3-423\n0-8 110",
        "3-2x12 3-423 0-8 110",
        "1. 3-2x12 2. 3-423 3. 0-8 110 *",
        "1.3-2x12 2.3-423 3.0-8 110",
        "red-2x12, red-423, white-8 110",
        "1. 3-2x12 {[0,3,2,0,0] is it} 2. [1,3,4,2,3] (2. 4-410) 3. 0-8\n110",
        "3-2x12 ; [a remark]\n3-423 % and [another\n0-8 110",
        '[Game "pentagame"]\n' + "\n".join(MOVES),
        '[Game "Pentagame"]\n\n[0,3,2,0,0] [1,2,3,0,0] [1,3,4,2,3] [0,0,8,0,0] [0,14,1,1,0] *',
    ],
)
def test_lenient_reading_takes_what_people_type(text):
    record = Record.read(text, strict=False, game="pentagame")
    assert [str(move) for move in record.moves] == MOVES


def test_an_optional_swap_partner_may_be_on_the_next_line():
    """The text up to the next number is one move; the second half of a swap is not a move."""
    text = '[Game "pentagame"]\n1. 0-110 2. 3-413 3. [0,3,4,1,3]\n[1,3,3,0,0] 4. 4-410 *'
    record = Record.read(text, strict=False)
    assert [str(move) for move in record.moves][2:] == ["[0,3,4,1,3] [1,3,3,0,0]", "[1,4,4,1,0]"]


def test_a_move_may_look_like_a_result():
    """White moves to corner 1, green to corner 0; the last such word is the result."""
    start = pentad.load(
        "pentagame 0 20 130,110,200,300,400/710,911,200,300,400 500,600,700,800,900 ---,---,---,---,--- -/- -"
    )
    tags = f'[Game "pentagame"]\n[Start "{start.text}"]\n\n'
    record = Record.read(tags + "1-1 3-413 0-0 3-423 1-0", strict=False)
    assert [str(move) for move in record.moves] == ["[0,1,1,0,0]", "[1,3,4,1,3]", "[0,0,0,0,0]", "[1,3,4,2,3]"]
    assert record.result == "1-0"
    record = Record.read(tags + "1-1 3-413 0-0 3-423 0-1 3-413", strict=False)
    assert str(record.moves[4]) == "[0,0,1,0,0] [0,1,0,0,0]"
    assert (len(record.moves), record.result) == (6, "*")


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        (TEXT.replace("[0,0,8,0,0] [0,14,1,1,0]", "[0,0,8,0,0]"), "[0,0,8,0,0] *", "A black block must be put"),
        (TEXT.replace("2. [1,3,4,2,3]", "2. [1,3,4,2"), "[1,3,4,2", "got '[1,3,4,2'"),
        (TEXT.replace("2. [1,3,4,2,3]", "[1,3,4,2,3]"), "[1,3,4,2,3]", "Expected a move number (2.)"),
        (TEXT.replace("1. [0,3", "[0,3"), "[0,3,2", "Expected a move number (1.)"),
        (TEXT.replace('[Seat0 "Ann"]', '[Seat0 "Ann'), "[Seat0", "Expected a tag"),
        (TEXT.replace('[Seat0 "Ann"]', "[0,3,2,0,0]"), "[0,3,2,0,0]\n", "Expected a move number"),
        (TEXT.replace('[Game "pentagame"]', "[0,3,2,0,0]"), "[0,3,2,0,0]\n", "Expected the tag [Game"),
    ],
)
def test_strict_errors_name_the_line_and_column(text, at, message):
    before = text[: text.index(at)]
    with pytest.raises(RecordError) as error:
        Record.read(text)
    assert message in str(error.value)
    assert (error.value.line, error.value.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[0,3,2,0,0]", "Several pieces are on"),
        ("[0,3,9,9,8]", "'[0,3,9,9,8]' does not begin a legal move:"),
        ("[0,3", "does not begin a legal move"),
        ("hello [0,3,3,2,2]", "'hello' does not begin a legal move"),
        ("[0,3,3,2,2] [0,3,3,2,2]", "It is square's turn"),
        ("[hello]", "Expected a tag"),
    ],
)
def test_lenient_reading_still_requires_legal_moves(text, message):
    with pytest.raises(GameError) as error:
        Record.read(text, strict=False, game="pentagame")
    assert message in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("letters", thinned(["[", "[0,", "[ ", "[[0,3,3,2,2] ", "[x", "] [", "3-322 ", "x"], 4))
@pytest.mark.parametrize("strict", [True, False])
def test_megabytes_of_garbage_are_refused_fast(letters, strict):
    with at_most(lines=20_000_000):
        for header in ("", '[Game "pentagame"]\n[Result "*"]\n\n1. '):
            with pytest.raises(GameError) as error:
                Record.read(header + letters * (1_000_000 // len(letters)), strict=strict, game="pentagame")
            assert len(str(error.value)) < 300


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("seed", range(6))
def test_whole_games_with_variations_read_back(seed):
    chance = random.Random(seed)
    record = Record("pentagame", players=2 + seed % 4, max_ply=60)
    while not record.position.outcome:
        here = record.end
        node = here.play(
            random_rare_turn(here.position, chance) if chance.random() < 0.6 else random_turn(here.position, chance)
        )
        if chance.random() < 0.3:
            node.comment, node.value = chance.choice(("[0,3,2,0,0]", "1. [x", "a (b) [c], d")), Value(0.5)
        if chance.random() < 0.3:
            here.play(random_turn(here.position, chance)).comment = "instead"
    for again in (Record.read(record.text), Record.read(record.text, strict=False), *read_json(write_json([record]))):
        assert again.text == record.text
        assert again.position == record.position
    plain = "\n".join(map(str, record.moves))
    tags = record.text.partition("\n\n")[0]
    assert Record.read(f"{tags}\n\n{plain}\n", strict=False).moves == record.moves
    numbered = " ".join(f"{i}. {move}" for i, move in enumerate(record.moves, 1))
    assert Record.read(f"{tags}\n\n{numbered}".replace("] [", "]\n["), strict=False).moves == record.moves

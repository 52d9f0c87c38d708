"""Records: the tree, its text format read strictly and leniently, merging."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError, Outcome
from pentad.record import Record, RecordError, Value
from pentad.record.formats import FORMATS
from tests.cases import together
from tests.properties import properties


def annotated() -> Record:
    """A record with every kind of annotation."""
    record = Record("pentago", tags={"Seat0": 'Ann "the\\fox"', "Event": "kitchen"})
    first = record.play("a2 1C")
    first.comment, first.clock, first.value = "good", 298.5, Value(0.25)
    record.play("b2 2A").value = Value(-1, exact=True)
    first.play("c4 1C").play("d4 1C")
    first.play("d4 1A").comment = "or so"
    record.play("f5 1C")
    record.root.comment = "a game"
    return record


TEXT = """[Game "pentago"]
[Seat0 "Ann \\"the\\\\fox\\""]
[Event "kitchen"]
[Result "*"]

{a game} 1. a2 1C {[%clk 0:04:58.5] [%value +0.25] good} 2. b2 2A {[%value -1 exact]} (2. c4 1C
3. d4 1C) (2. d4 1A {or so}) 3. f5 1C *
"""


def test_a_record_begins_with_the_first_game_by_default():
    assert Record().start == Record("pentago").start
    assert Record(rows=3).start == Record("pentago", rows=3).start


def test_text_has_the_documented_form():
    assert annotated().text == TEXT


def test_text_reads_back():
    record = Record.read(TEXT)
    assert record == annotated()
    assert [str(move) for move in record.moves] == ["a2 1C", "b2 2A", "f5 1C"]
    first = record.root.children[0]
    assert (first.comment, first.clock, first.value) == ("good", 298.5, Value(0.25))
    assert [str(child.move) for child in first.children] == ["b2 2A", "c4 1C", "d4 1A"]


@pytest.mark.parametrize("change", [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n"), lambda t: t + "\n\n"])
def test_byte_order_marks_and_line_endings_are_accepted(change):
    assert Record.read(change(TEXT)) == annotated()


anything = st.text(st.characters(codec="utf-8"), max_size=60)


@given(anything, anything, st.integers(0, 10**8), st.integers(-10_000, 10_000), st.booleans())
@properties(300)
def test_annotations_survive_a_round_trip(comment, tag, thousandths, number, exact):
    record = Record("pentago", tags={"Site": tag})
    record.root.comment = tag
    node = record.play("a2 1C")
    node.comment, node.clock, node.value = comment, thousandths / 1000, Value(number / 10_000, exact)
    again = Record.read(record.text)
    assert again.tags == {"Site": tag}
    assert (again.end.comment, again.end.clock, again.end.value) == (comment, node.clock, node.value)
    assert again.root.comment == tag


@given(st.integers(0, 2**32), st.integers(0, 40))
@properties(60)
def test_random_trees_survive_a_round_trip(seed, size):
    chance = random.Random(seed)
    record = Record("pentago", block=2, line=3)
    nodes = [record.root]
    for _ in range(size):
        node = chance.choice(nodes)
        if node.position.outcome is None:
            nodes.append(node.play(chance.choice(node.position.legal_moves)))
    again = Record.read(record.text)
    assert again.text == record.text
    assert [node.move for node in again.nodes()] == [node.move for node in record.nodes()]


def test_deeply_nested_variations_are_refused():
    record = Record("pentago", rows=4, cols=4, line=12, players=6)
    node = record.root
    for _ in range(110):
        node.play(node.position.legal_moves[0])
        node = node.play(node.position.legal_moves[-1])
    with pytest.raises(RecordError, match="nested more than 100 deep"):
        Record.read(record.text)
    for name in ("pentad", "json"):  # no file is written that cannot be read
        writer = FORMATS[name].write
        assert writer
        with pytest.raises(GameError, match="nested more than 100 deep"):
            writer([record])


def swap(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


# The broken text, the words at which the error must be (their last occurrence), and a part of its message.
@together(
    ("text", "at", "message"),
    [
        ("", "", 'Expected the tag [Game "…"]'),
        ("\n\n   hello", "hello", 'Expected the tag [Game "…"]'),
        (swap('[Game "pentago"]\n', ""), "{a game}", 'Expected the tag [Game "…"]'),
        (swap("pentago", "chess"), "[Game", "Unknown game 'chess'"),
        (swap("kitchen", 'kit"chen'), "[Event", 'Expected a tag [Name "value"]'),
        (swap('[Event "kitchen"]', '[Event "kitchen"'), "[Event", 'Expected a tag [Name "value"]'),
        (swap("[Event", "[Seat0"), '[Seat0 "kitchen', "Duplicate tag Seat0."),
        (swap('[Result "*"]\n', "").replace("1C *", "1C 1-0"), "1-0", "the tag Reason is required"),
        (swap('[Result "*"]\n', "").replace("{or so}) 3. f5 1C *\n", "{or so}"), "", "missing )."),
        (swap('[Result "*"]', '[Result "1-0"]'), "*", "The moves end with the result *"),
        (swap("[Event", "[Options"), "[Options", "name=value"),
        (swap('[Event "kitchen"]', '[Options "rows=9"]'), "[Options", "27 rows"),
        (swap('[Event "kitchen"]', '[Options "size=9"]'), "[Options", "no option size"),
        (swap('[Event "kitchen"]', '[Start "pentago b"]'), "[Start", "has 6 rows"),
        (swap('[Event "kitchen"]', '[Options ""]\n[Start "pentago b"]'), "[Start", "either the tag Start or Options"),
        (swap("2. b2 2A", "3. b2 2A"), "3. b2", "Expected move number 2, got 3."),
        (swap("2. b2 2A", "2. c2 2A").replace("good", "x"), "c2 2A", "taken by a black marble"),
        (swap("2. b2 2A", "2. z2 2A"), "z2 2A", "move 2: There is no space z2"),
        (swap("2. b2 2A", "2."), "{[%value -1", "The move is missing"),
        (swap("2. b2 2A", "b2 2A"), "b2 2A", "Expected a move number (2.)"),
        (swap("or so}", "or so"), "{or so", "Unclosed comment"),
        (swap("{or so}", "{or so} {or not}"), "{or not}", "a move that has no comment yet"),
        (swap("(2. d4", "(2. b2 2A) (2. d4"), "b2 2A", "Duplicate move."),
        (swap("(2. d4 1A {or so})", "()"), "()", "no moves"),
        (swap("{or so})", "{or so}"), "*", "missing )."),
        (swap("3. f5 1C *", "3. f5 1C) *"), ") *", "Unmatched )."),
        (swap("{a game} 1.", "(1. a3 1C) 1."), "(1. a3", "A variation must follow the move"),
        (swap("f5 1C *\n", "f5 1C"), "", "Expected the game's result (* for an unfinished game)"),
        (swap('[Result "*"]', '[Result "1-0"]').replace("1C *", "1C 1-0"), "1-0", "the tag Reason is required"),
        (swap('[Result "*"]', '[Result "1-0-0"]').replace("1C *", "1C 1-0-0"), "1-0-0", "a result of 2 players"),
        (swap('[Result "*"]', '[Result "*"]\n[Reason "five"]'), "*", "must not have the tag Reason"),
    ],
)
def test_strict_errors_name_the_line_and_column(text, at, message):
    before = text[: text.rindex(at)]
    with pytest.raises(RecordError, match=re.escape(message)) as error:
        Record.read(text)
    assert (error.value.line, error.value.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))
    assert "\n" not in str(error.value)


def test_the_result_may_be_missing():
    untagged = swap('[Result "*"]\n', "")
    for text in (untagged, untagged.replace("1C *", "1C")):
        record = Record.read(text)
        assert record == annotated()
        assert record.result == "*"
    texts = [untagged.replace("1C *", "1C"), '[Game "pente"]\n1. K10', '[Game "pentagame"]\n1. [0,0,1,1,0]']
    assert [len(each.moves) for each in Record.read_all("\n".join(texts))] == [3, 1, 1]


def test_a_result_on_the_board_may_be_omitted():
    won = Record("pentago", rows=1, cols=2, block=2, line=2)
    while not won.outcome:
        won.play(won.position.legal_moves[0])
    tag, reason = f'[Result "{won.result}"]\n', f'[Reason "{won.outcome.reason}"]\n'
    for text in (won.text.replace(reason, ""), won.text.replace(tag, ""), won.text.replace(tag + reason, "")):
        assert text != won.text
        assert Record.read(text) == won
    assert Record.read(won.text.replace(tag + reason, "").rstrip().removesuffix(won.result)) == won


def test_every_truncated_record_is_refused_with_one_line():
    for length in range(len(TEXT.rstrip())):
        with pytest.raises(GameError) as error:
            Record.read(TEXT[:length])
        assert "\n" not in str(error.value)


def test_a_result_that_contradicts_the_board_is_refused():
    won = Record("pentago", rows=1, cols=2, block=2, line=2)
    while not won.outcome:
        won.play(won.position.legal_moves[0])
    assert Record.read(won.text) == won
    with pytest.raises(RecordError, match="The moves show the result"):
        Record.read(won.text.replace(f'Result "{won.result}"', 'Result "*"').replace(f"{won.result}\n", "*\n"))


def test_a_result_that_the_board_does_not_show():
    record = Record("pentago", players=3, rows=3)
    record.play("a0 1C")
    record.ended = Outcome.of((0, 2), 3, "resigned")
    assert '[Result "1/2-0-1/2"]' in record.text
    again = Record.read(record.text)
    assert again.outcome == record.ended
    with pytest.raises(GameError, match="The game is over"):
        again.play("b0 1C")


def test_a_record_from_a_position_in_the_middle_of_a_turn():
    half = pentad.new("pentago").play("a2 1C").partial("b2")
    record = Record(half)
    record.play("1C")
    record.play("f0 1C")
    assert "2. 1C 3. f0 1C *" in record.text
    assert Record.read(record.text) == record


@pytest.mark.parametrize(
    "text",
    [
        "a2 1C\nb2 2A\nf5 1C",
        "1. a2 1C b2 2A 2. f5 1C",
        "1. a21C 2. b22A 3. f51C",
        "1.a2-1C 1...b2/2a 2.f5:1c",
        "a2 1c, b2 2a, f5 1c",
        "1) A2 1C 2) B2 2A 3) F5 1C",
        "a2 1 C ; a comment\n b2 2 A % another\n f5 1 C *",
        "1. a2 1C {nice} (1. a3 1C) 2. b2 2A {[%clk 0:01:00]} 3. f5 1C",
        '[Game "Pentago"]\n[Whatever "yes"]\n\n1. a2 1C 2. b2 2A\n\n3. f5 1C',
    ],
)
def test_lenient_reading_takes_what_people_type(text):
    record = Record.read(text, strict=False, game="pentago")
    assert [str(move) for move in record.moves] == ["a2 1C", "b2 2A", "f5 1C"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a2 1C", "Unknown game"),
        ("c4 1C c4 1C", "taken"),
        ("hello world", "'hello' does not begin a legal move"),
        ("(a2 1C)", "A variation must follow the move"),
        ("\x00\x01\x02", "does not begin a legal move"),
        ("a2", "a twist must follow"),
    ],
)
def test_lenient_reading_still_requires_legal_moves(text, message):
    with pytest.raises(GameError, match=message) as error:
        Record.read(text, strict=False, game=None if message == "Unknown game" else "pentago")
    assert "\n" not in str(error.value)


def test_several_games_in_one_text():
    both = Record.read_all(TEXT + "\n" + TEXT)
    assert both == [annotated(), annotated()]
    assert len(Record.read_all(TEXT + TEXT, strict=False)) == 2
    with pytest.raises(GameError, match="Expected one game, got 2"):
        Record.read(TEXT + TEXT)


def test_merging_combines_lines():
    mine, theirs = Record("pentago"), annotated()
    mine.play("a2 1C").comment = "mine"
    mine.play("e5 1C")
    mine.merge(theirs)
    first = mine.root.children[0]
    assert first.comment == "mine good"
    assert [str(child.move) for child in first.children] == ["e5 1C", "b2 2A", "c4 1C", "d4 1A"]
    assert (first.clock, mine.tags["Event"]) == (298.5, "kitchen")
    before = mine.text
    mine.merge(theirs)
    assert mine.text == before
    with pytest.raises(GameError, match="same start position"):
        mine.merge(Record("pentago", players=3))


def test_promoting_a_variation_and_taking_back():
    record = annotated()
    record.root.children[0].children[1].promote()
    assert [str(move) for move in record.moves] == ["a2 1C", "c4 1C", "d4 1C"]
    assert str(record.take_back().move) == "d4 1C"
    assert [str(move) for move in record.moves] == ["a2 1C", "c4 1C"]
    with pytest.raises(GameError, match="No move has been played"):
        Record("pentago").take_back()


def test_every_spelling_of_a_move_gives_the_same_node():
    record = Record("pentago")
    node = record.root.play("a2 1C")
    position = record.start
    assert record.root.play("A21c") is node
    assert record.root.play(position.parse("a2 1C")) is node
    assert len(record.root.children) == 1


def test_a_twist_after_a_winning_placement_is_not_kept():
    record = Record(pentad.load("pentago bbbb../....../wwww../....../....../......"))
    record.play("a4 1A")
    assert str(record.moves[0]) == "a4"


def test_a_record_in_a_notebook_is_its_last_position_and_its_text():
    record = Record("pentago", tags={"Seat0": "<b>Ann"})
    assert "&lt;b&gt;Ann" in record._repr_html_()
    record.play("a2 1C")
    shown = record._repr_html_()
    assert record.position.svg(last="a2 1C") in shown
    assert "1. a2 1C *" in shown


def test_a_comment_may_begin_with_a_clock_time_a_value_a_mark_and_shapes_in_any_order():
    moves = "1. a2 1C {[%mark ?!] [%clk 1:02:03.25] [%value -0.5 exact] [%csl Ga2] and so on} *"
    record = Record.read(f'[Game "pentago"]\n\n{moves}\n')
    node = record.end
    assert (node.mark, node.clock, node.value, node.comment) == ("?!", 3723.25, Value(-0.5, exact=True), "and so on")
    assert [str(shape) for shape in node.shapes] == ["Ga2"]
    assert Record.read(record.text) == record

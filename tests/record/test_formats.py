"""Record formats: each round-trips what it can represent; JSON represents the whole tree."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import pentad
from pentad.game import GameError, Outcome
from pentad.record import Record, RecordError, Value
from pentad.record.formats import FORMATS, MAX_FILE_BYTES, Losses, decode, format_of, only, read, write
from pentad.record.shapes import Shape
from tests.cases import together

JSON, TEXT, MOVES, SVG = (FORMATS[name] for name in ("json", "pentad", "moves", "svg"))


def grown(seed: int, **options: object) -> Record:
    """A record with a random tree, comments and tags."""
    rng = random.Random(seed)
    record = Record("pentago", tags={"Seat0": 'Ann "\\" O\'Neill', "Event": "Zürich {1}\nby night"}, **options)
    nodes = [record.root]
    for _ in range(40):
        node = rng.choice(nodes[-6:])
        if node.position.outcome:
            continue
        child = node.play(rng.choice(node.position.legal_moves))
        if child not in nodes:
            nodes.append(child)
        if rng.random() < 0.5:
            child.comment = rng.choice(["good", "} \\ {", "[%clk 0:00:01] no clock", "über\nhaupt", " "])
        if rng.random() < 0.3:
            child.clock = rng.randrange(10**7) / 1000
        if rng.random() < 0.3:
            child.value = Value(rng.randrange(-10000, 10001) / 10000, rng.random() < 0.5)
    record.root.comment = "the beginning"
    return record


@pytest.mark.slow
@together("seed", range(30))
def test_json_and_text_are_equivalent(seed: int):
    record = grown(seed, players=2 + seed % 3, rows=2 + seed % 2)
    assert read(write([record], JSON), JSON) == [record]
    assert read(write(read(write([record], JSON), JSON), TEXT), TEXT) == [record]


@pytest.mark.parametrize(
    "text",
    ["pentago ....../....../..b.../....../....../......", "pentago ..b.../....../....../....../....../...... placed"],
)
def test_json_of_a_game_with_a_start_position(text: str):
    record = Record(pentad.load(text))
    record.play(record.position.legal_moves[0])
    assert json.loads(write([record], JSON))["games"][0]["start"] == text
    assert read(write([record], JSON), JSON) == [record]


def test_json_keeps_an_outcome_that_the_moves_do_not_show():
    record = Record("pentago", players=3)
    record.play("a2 1C")
    record.ended = Outcome.of((0, 2), 3, "resigned")
    again = only(read(write([record], JSON), JSON))
    assert again == record
    assert again.ended == record.ended


def test_json_of_a_long_line_is_not_deeply_nested():
    record = Record("pentago", rows=8, cols=5, block=3, line=24)
    rng = random.Random(1)
    while record.outcome is None and len(record.moves) < 300:
        record.root.play(record.position.legal_moves[0]) if not record.moves else None
        node = record.end
        node.play(rng.choice(node.position.legal_moves))
    assert read(write([record], JSON), JSON) == [record]


def test_several_records_in_one_file():
    records = [grown(1), Record("pentago"), grown(2, players=4)]
    for each in (JSON, TEXT):
        assert read(write(records, each), each) == records
    with pytest.raises(GameError, match=r"Expected one game, got 3\."):
        write(records, SVG)


def test_the_moves_format_keeps_the_main_line():
    records = [grown(3), Record("pentago"), grown(4, rows=3, cols=3)]
    records[1].play("a2 1C")
    records[1].ended = Outcome.of((1,), 2, "resigned")
    again = read(write(records, MOVES), MOVES)
    assert [each.moves for each in again] == [each.moves for each in records]
    assert [each.start for each in again] == [each.start for each in records]
    assert [each.outcome for each in again] == [each.outcome for each in records]
    assert [each.tags for each in again] == [each.tags for each in records]


def test_the_moves_format_needs_only_a_game():
    assert [str(move) for move in only(read("a2 1c, c3-4a\n d4/2C", MOVES, "pentago")).moves] == [
        "a2 1C",
        "c3 4A",
        "d4 2C",
    ]


def test_svg_is_a_picture_of_the_end():
    record = Record("pentago")
    record.play("a2 1C")
    assert write([record], SVG) == record.position.svg(last="a2 1C") + "\n"
    with pytest.raises(GameError, match="svg can only be written"):
        read("<svg/>", SVG)


def test_json_is_indented_text_in_the_letters_of_its_words():
    text = write([grown(5)], JSON)
    assert "Zürich" in text
    assert text.startswith('{\n "pentad": 1,\n "games": [\n')
    assert text.endswith("\n}\n")
    assert read("\ufeff" + text, JSON) == read(text, JSON)


def test_json_takes_a_whole_number_of_seconds_and_a_value_without_exact():
    (record,) = read(changed("games.0.moves.1.clock", 3), JSON)
    assert record.end.clock == 3.0
    (record,) = read(changed("games.0.moves.0.value", {"number": 1}), JSON)
    assert record.main_line[0].value == Value(1.0, exact=False)


def test_what_a_format_loses_is_counted_in_one_warning(caplog: pytest.LogCaptureFixture):
    losses = Losses("This format")
    losses.warn()
    assert caplog.messages == []
    record = Record("pentago")
    record.play("a2 1C").comment = "good"
    record.root.play("a1 1C").comment = "beside the main line"
    record.root.play("a0 1C")
    node = record.play("c3 4A")
    node.comment, node.clock, node.value, node.mark = "bad", 1.0, Value(0.5), "?"
    node.shapes = (Shape("G", "a2"), Shape("R", "a2", "b3"))
    losses.note_beyond_moves(record)
    assert losses.plain("one\r\ntwo", "a tag") == "one two"
    assert losses.plain("one two", "a comment") == "one two"
    losses.warn()
    (message,) = caplog.messages
    assert message.startswith("This format cannot represent 2 variations, 2 comments, 1 clock time, 1 value, 1 mark, ")
    assert message.endswith("1 mark, 2 drawn shapes and the line breaks of a tag; left out.")
    caplog.clear()
    losses = Losses("Another")
    losses.note_beyond_moves(record, comments=False)
    losses.warn()
    assert "comment" not in caplog.text
    assert "2 variations" in caplog.text


# ── Invalid JSON ─────────────────────────────────────────────────────────────────────────────────


def changed(path: str, value: Any) -> str:
    """A valid JSON text with one value changed."""
    record = Record("pentago", tags={"Seat0": "Ann"})
    record.play("a2 1C").value = Value(0.5)
    record.root.play("a1 1C")
    record.play("c3 4A").clock = 3.5
    whole = json.loads(write([record], JSON))
    holder = whole
    *names, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
    for name in names:
        holder = holder[name]
    if value is ...:
        del holder[last]
    else:
        holder[last] = value
    return json.dumps(whole)


REFUSED = [
    ("pentad", 2, "pentad: Expected version 1, got 2."),
    ("pentad", True, "pentad: Expected a whole number, got True."),
    ("games", [], "games: Expected at least one game."),
    ("games", {}, "games: Expected a list"),
    ("games.0", "x", "games[0]: Expected an object, got 'x'."),
    ("more", 1, "top level: Unknown key 'more'."),
    ("games.0.game", ..., "games[0].game: Missing."),
    ("games.0.game", "chess", "games[0].options: Unknown game 'chess'"),
    ("games.0.options.rows", "2", "games[0].options: Option rows must be a whole number"),
    ("games.0.options.size", 2, "games[0].options: Pentago has no option size"),
    ("games.0.start", "pentago x", "games[0].start: A game has either start or options, not both"),
    ("games.0.tags.Seat0", 1, "games[0].tags.Seat0: Expected text, got 1."),
    ("games.0.result", "1-0", "games[0].reason: A finished game has a reason"),
    ("games.0.tags", {"a b": "x"}, "games[0].tags: Invalid tag name 'a b'. A tag name has letters, digits and _."),
    ("games.0.moves.0.clock", 1e400, "games[0].moves[0].clock: Expected a number"),
    ("games.0.moves.0.value.exact", 1, "games[0].moves[0].value.exact: Expected true or false, got 1."),
    ("games.0.result", "1-1", "games[0].result: Expected a result of 2 players, such as 1-0, got 1-1."),
    ("games.0.reason", "why not", "games[0].reason: A finished game has a reason"),
    ("games.0.comment", 3, "games[0].comment: Expected text, got 3."),
    ("games.0.moves.0.move", "a2", "games[0].moves[0].move: a2 does not win, so a twist must follow"),
    ("games.0.moves.0.move", 7, "games[0].moves[0].move: Expected text, got 7."),
    ("games.0.moves.0.more", 7, "games[0].moves[0]: Unknown key 'more'."),
    ("games.0.moves.1.move", "a2 9C", "games[0].moves[1].move: There is no sub-board 9"),
    ("games.0.moves.1.clock", -1, "games[0].moves[1].clock: Expected 0 seconds or more, got -1."),
    ("games.0.moves.1.clock", True, "games[0].moves[1].clock: Expected a number, got True."),
    ("games.0.moves.1.clock", 10**400, "games[0].moves[1].clock: Expected a number"),
    ("games.0.moves.0.value.number", 1.5, "games[0].moves[0].value.number: Expected a number from -1 to 1, got 1.5."),
    ("games.0.moves.0.value", 1, "games[0].moves[0].value: Expected an object, got 1."),
    ("games.0.moves.0.variations.0", [], "games[0].moves[0].variations[0]: Expected a list of moves, got []."),
    ("games.0.moves.0.variations.0.0.move", "a2 1C", "variations[0][0].move: Duplicate move."),
]


def test_json_may_omit_the_result():
    [record] = read(changed("games.0.result", ...), JSON)
    assert (record.result, record.ended, len(record.moves)) == ("*", None, 2)
    won = Record("pentago", rows=1, cols=2, block=2, line=2)
    while not won.outcome:
        won.play(won.position.legal_moves[0])
    whole = json.loads(write([won], JSON))
    del whole["games"][0]["result"]
    with pytest.raises(GameError, match="result: Missing"):
        read(json.dumps(whole), JSON)  # though its reason is there
    del whole["games"][0]["reason"]
    assert read(json.dumps(whole), JSON) == [won]


def test_json_that_contradicts_the_board_is_refused():
    won = Record("pentago", rows=1, cols=2, block=2, line=2)
    while not won.outcome:
        won.play(won.position.legal_moves[0])
    text = write([won], JSON)
    assert '"result": "1-0"' in text
    for other in ('"result": "0-1"', '"result": "1/2-1/2"'):
        with pytest.raises(GameError, match=r"^games\[0\]\.result: The moves show 1-0, reason .*\.$"):
            read(text.replace('"result": "1-0"', other), JSON)
    with pytest.raises(GameError, match=r"^games\[0\]\.result: The moves show 1-0, reason .*\.$"):
        read(text.replace(f'"reason": "{won.outcome.reason}"', '"reason": "resigned"'), JSON)


def test_a_start_is_a_position_of_the_game():
    start = "pente size=13 " + "/".join(["13"] * 13) + " 0,0"
    text = json.dumps({"pentad": 1, "games": [{"game": "pentago", "start": start, "moves": []}]})
    with pytest.raises(GameError, match=r"^games\[0\]\.start: Expected a position of pentago, got one of pente\.$"):
        read(text, JSON)


@together(("path", "value", "message"), REFUSED)
def test_json_errors_name_the_path(path: str, value: Any, message: str):
    with pytest.raises(GameError) as error:
        read(changed(path, value), JSON)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: Not valid JSON: Expecting value."),
        ('{"pentad": 1,\n "games" []}', "line 2, column 10: Not valid JSON"),
        ("[" * 100_000, "The JSON is nested too deeply for a record."),
        ('{"pentad": 1, "pentad": 1}', "Duplicate key 'pentad' in an object."),
        ('{"pentad": ' + "9" * 5000 + "}", "Cannot read the JSON: Exceeds the limit"),
        ("[]", "top level: Expected an object, got []."),
        ("NaN", "top level: Expected an object, got nan."),
    ],
)
def test_json_that_is_not_a_record_is_refused(text: str, message: str):
    with pytest.raises(GameError) as error:
        read(text, JSON)
    assert message in str(error.value)


def test_json_nested_deeper_than_the_limit_is_refused():
    line: list[Any] = [{"move": "a2 1C"}]
    for _ in range(102):
        line = [{"move": "a2 1C", "variations": [line]}]
    whole = {"pentad": 1, "games": [{"game": "pentago", "result": "*", "moves": line}]}
    with pytest.raises(GameError):
        read(json.dumps(whole), JSON)


# ── Formats and decoding ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "name", "format"),
    [
        ("a.pentad", None, "pentad"),
        ("a.JSON", None, "json"),
        ("folder.x/a.txt", None, "moves"),
        ("a.moves", None, "moves"),
        ("a", None, "pentad"),
        ("", None, "pentad"),
        ("a.txt", "json", "json"),
    ],
)
def test_formats_are_found_by_suffix_or_name(path: str, name: str | None, format: str):
    assert format_of(path, name).name == format


def test_unknown_names_and_suffixes_are_refused():
    with pytest.raises(GameError, match=r"'chess'.* pentad, json, moves, svg, "):
        format_of("a.json", "chess")
    with pytest.raises(GameError, match=r"'\.xyz'.* \.pentad, \.json, \.moves, "):
        format_of("a.xyz")
    with pytest.raises(KeyError):
        FORMATS["chess"]
    assert len(FORMATS) == len(list(FORMATS)) == len(set(FORMATS))


@pytest.mark.parametrize(
    ("data", "line", "column"), [(b"\xff", 1, 1), ("é\nüü".encode() + b"\x80", 2, 3), (b"a\n\xc3", 2, 1)]
)
def test_invalid_utf8_is_refused(data: bytes, line: int, column: int):
    with pytest.raises(RecordError) as error:
        decode(data)
    assert (error.value.line, error.value.column) == (line, column)


def test_input_above_the_size_limit_is_refused():
    with pytest.raises(GameError, match="larger than the limit of 64 MB"):
        decode(bytes(MAX_FILE_BYTES + 1))

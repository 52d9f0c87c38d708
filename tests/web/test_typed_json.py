"""JSON by the annotations of dataclasses: what is read and written, and the sentence for each fault."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import GameError
from pentad.web import typed_json
from pentad.web.typed_json import Converted, Invalid, Length, Matches, Range, Reader, of_word, parsed, written
from tests.cases import together
from tests.properties import properties

T = TypeVar("T")


def port(value: object) -> int:
    if value not in (1, 2, "1", "2"):
        raise GameError(f"Expected a port, got {value}.")
    return int(str(value))


@dataclass(frozen=True)
class Inner:
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Sent:
    text: Annotated[str, Length(5000, 2)] = "abc"
    parts: Annotated[list[Annotated[int, Range(1, 9)]], Length(3, 1)] = field(default_factory=lambda: [1])
    words: tuple[Annotated[str, Length(4)], ...] = ()
    share: Annotated[float, Range(above=0, most=1)] = 0.5
    age: Annotated[int, Range(18)] | None = None
    yes: bool = True
    kind: Literal["one", "two", "three"] = "one"
    tags: Annotated[dict[Annotated[str, Matches(re.compile("[a-z]+"), "small letters")], str], Length(2)] = field(
        default_factory=dict
    )
    options: dict[str, bool | int | str] = field(default_factory=dict)
    inner: Inner = field(default_factory=Inner)
    port: Annotated[int, Converted(port)] = 1


@dataclass(frozen=True)
class Move:
    type: Literal["move"]
    at: int


@dataclass(frozen=True)
class Stop:
    type: Literal["stop", "end"]


@dataclass(frozen=True)
class Envelope(Generic[T]):
    name: str
    body: T


MESSAGES = Reader[Move | Stop](Move | Stop)

FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"text": "x" * 5001}, 'Expected at most 5,000 characters in "text", got 5,001.'),
    ({"text": "x"}, 'Expected at least 2 characters in "text", got 1.'),
    ({"text": 5}, 'Expected "text" to be text, got 5.'),
    ({"text": None}, 'Expected "text" to be text, got null.'),
    ({"text": [1]}, 'Expected "text" to be text, got a list.'),
    ({"parts": [1, 2, 3, 4]}, 'Expected at most 3 items in "parts", got 4.'),
    ({"parts": []}, 'Expected at least 1 item in "parts", got 0.'),
    ({"parts": 3}, 'Expected "parts" to be a list, got 3.'),
    ({"parts": [1, 0]}, 'Expected "parts.1" to be from 1 to 9, got 0.'),
    ({"parts": ["a"]}, "Expected \"parts.0\" to be a whole number, got 'a'."),
    ({"parts": [True]}, 'Expected "parts.0" to be a whole number, got true.'),
    ({"parts": [1.0]}, 'Expected "parts.0" to be a whole number, got 1.0.'),
    ({"words": "a"}, "Expected \"words\" to be a list, got 'a'."),
    ({"words": ["a", "b" * 9]}, 'Expected at most 4 characters in "words.1", got 9.'),
    ({"share": 0}, 'Expected "share" to be more than 0 and at most 1, got 0.'),
    ({"share": 1.5}, 'Expected "share" to be more than 0 and at most 1, got 1.5.'),
    ({"share": float("nan")}, 'Expected "share" to be a number, got nan.'),
    ({"share": 10**400}, 'Expected "share" to be a number, got 1000000000…'),
    ({"share": False}, 'Expected "share" to be a number, got false.'),
    ({"age": 5}, 'Expected "age" to be at least 18, got 5.'),
    ({"age": {}}, 'Expected "age" to be a whole number, got an object.'),
    ({"yes": 1}, 'Expected "yes" to be true or false, got 1.'),
    ({"kind": "four"}, "Expected \"kind\" to be 'one', 'two' or 'three', got 'four'."),
    ({"kind": []}, "Expected \"kind\" to be 'one', 'two' or 'three', got a list."),
    ({"tags": 3}, 'Expected "tags" to be an object, got 3.'),
    ({"tags": {"a": "", "b": "", "c": ""}}, 'Expected at most 2 items in "tags", got 3.'),
    ({"tags": {"A": ""}}, "Expected \"tags.A\" to be small letters, got 'A'."),
    ({"tags": {"a": 1}}, 'Expected "tags.a" to be text, got 1.'),
    ({"options": {"a": 1.5}}, 'Expected "options.a" to be true or false, a whole number or text, got 1.5.'),
    ({"inner": 3}, 'Expected "inner" to be an object, got 3.'),
    ({"inner": {"name": "x", "other": 1}}, 'Unknown field "inner.other".'),
    ({"inner": {"nmae": "x"}}, 'Unknown field "inner.nmae". Did you mean name?'),
    ({"x" * 500: 1}, f'Unknown field "{"x" * 59}…".'),
    ({"x\n\ud800": 1}, 'Unknown field "x��".'),
    ({"port": 3}, "port: Expected a port, got 3."),
]


def sentence(read: Reader[Any], value: Any) -> str:
    with pytest.raises(Invalid) as caught:
        read.value(value)
    return str(caught.value)


@together(("value", "expected"), FAULTS)
def test_each_fault_has_a_sentence(value: dict[str, Any], expected: str) -> None:
    found = sentence(Reader[Sent](Sent), value)
    assert found.startswith(expected.rstrip("…")) if expected.endswith("…") else found == expected
    assert len(found) <= typed_json.MAX_SENTENCE_LENGTH


@together(
    ("value", "expected"),
    [
        (None, "Expected the request to be an object, got null."),
        ([], "Expected the request to be an object, got a list."),
        ({"type": "move"}, 'Missing field "at".'),
    ],
)
def test_the_whole_value_has_a_name(value: Any, expected: str) -> None:
    assert sentence(Reader[Move](Move, "the request"), value) == expected


@together(
    ("value", "expected"),
    [
        ({"type": "halt"}, "Expected \"type\" to be 'move', 'stop' or 'end', got 'halt'."),
        ({"type": None}, "Expected \"type\" to be 'move', 'stop' or 'end', got null."),
        ({"at": 1}, 'Missing field "type".'),
        ({"type": "move"}, 'Missing field "at".'),
        ({"type": "stop", "at": 1}, 'Unknown field "at".'),
        ([{"type": "stop"}], "Expected the message to be an object, got a list."),
    ],
)
def test_a_wrong_branch_of_a_union(value: Any, expected: str) -> None:
    assert sentence(MESSAGES, value) == expected


def test_a_union_of_classes_is_read_by_its_type() -> None:
    assert MESSAGES.text('{"type": "move", "at": 3}') == Move("move", 3)
    assert MESSAGES.text('{"type": "end"}') == Stop("end")


def test_whole_numbers_are_numbers_and_lists_become_tuples() -> None:
    found = Reader[Sent](Sent).text('{"share": 1, "words": ["a"], "age": null, "port": "2", "tags": {"a": "b"}}')
    assert (found.share, type(found.share)) == (1.0, float)
    assert (found.words, found.age, found.port, found.tags) == (("a",), None, 2, {"a": "b"})


def test_a_generic_class_is_read_by_its_arguments() -> None:
    found = Reader[Envelope[Inner]](Envelope[Inner]).text('{"name": "a", "body": {"name": "b"}}')
    assert found == Envelope("a", Inner("b"))
    assert sentence(Reader[Any](Envelope[Move]), {"name": "a", "body": 1}) == (
        'Expected "body" to be an object, got 1.'
    )


def test_other_annotations_are_refused_at_once() -> None:
    for kind in (Any, set[int], tuple[int, str], complex):
        with pytest.raises(TypeError, match="JSON cannot be read as"):
            typed_json.check_of(kind)


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────


@together(
    ("text", "expected"),
    [
        ("", "Expected JSON, got nothing."),
        (" \n", "Expected JSON, got nothing."),
        ("{", "JSON, line 1, column 2: Expected a name in double quotes."),
        ("{'a': 1}", "JSON, line 1, column 2: Expected a name in double quotes."),
        ('{"a" 1}', "JSON, line 1, column 6: Expected a colon."),
        ('{\n "a": 1 "b"}', "JSON, line 2, column 9: Expected a comma."),
        ('{"a":}', "JSON, line 1, column 6: Expected a value."),
        ("nul", "JSON, line 1, column 1: Expected a value."),
        ('"a', "JSON, line 1, column 1: The string is not closed."),
        ('"\x01"', "JSON, line 1, column 2: A string may not contain a control character."),
        ('"\\x"', "Unknown escape sequence."),
        ('"\\u00g0"', "Unknown escape sequence."),
        ("{} x", "JSON, line 1, column 4: Expected the end."),
        ("01", "JSON, line 1, column 2: Expected the end."),
        ("[NaN]", "JSON: NaN is not a number."),
        ("-Infinity", "JSON: -Infinity is not a number."),
        ("9" * 5000, "JSON: A number has too many digits."),
        ("[" * 40_000 + "]" * 40_000, "JSON: Lists and objects are nested too deeply."),
        ('{"a":' * 40_000 + "1" + "}" * 40_000, "JSON: Lists and objects are nested too deeply."),
        ("[" + "1," * 100_000 + "1]", "JSON: Expected at most 100,000 values."),
        ("[" + "[]," * 50_000 + "[]]", "JSON: Expected at most 100,000 values."),
        ('["' + '","' * 50_000 + '"]', "JSON: Expected at most 100,000 values."),
        ('"' * 100_001, "JSON, line 1, column 3: Expected the end."),
        ('"\\ud800"', "JSON: \\ud800 is half of a surrogate pair."),
        ('{"\\uDFFF": 1e999}', "JSON: \\udfff is half of a surrogate pair."),
        ('"\ud800"', "JSON: \\ud800 is half of a surrogate pair."),
    ],
)
def test_a_text_that_is_not_json(text: str, expected: str) -> None:
    with pytest.raises(Invalid) as caught:
        parsed(text)
    assert str(caught.value).endswith(expected)


def test_whole_characters_and_a_byte_order_mark_are_json() -> None:
    assert parsed('\ufeff"\\ud83d\\ude00é"') == "😀é"


def test_a_value_is_written_without_spaces() -> None:
    @dataclass(frozen=True)
    class Hidden:
        shown: tuple[int, ...]
        hidden: str = field(metadata={"written": False})

    assert written([Hidden((1, 2), "x"), Inner("é"), None, 1e-7]) == '[{"shown":[1,2]},{"name":"é"},null,1e-07]'
    with pytest.raises(ValueError, match="JSON compliant"):
        written(float("inf"))


WHOLE = st.builds(
    Sent,
    text=st.text(st.characters(codec="utf-8"), min_size=2, max_size=9),
    parts=st.lists(st.integers(1, 9), min_size=1, max_size=3),
    words=st.lists(st.text("ab", max_size=4)).map(tuple),
    share=st.floats(0, 1, exclude_min=True),
    age=st.none() | st.integers(18),
    yes=st.booleans(),
    kind=st.sampled_from(["one", "two"]),
    tags=st.dictionaries(st.text("abc", min_size=1), st.text(st.characters(codec="utf-8")), max_size=2),
    options=st.dictionaries(st.sampled_from("abc"), st.booleans() | st.integers() | st.sampled_from(["", "x"])),
    inner=st.builds(Inner, st.sampled_from(["", "a"])),
)


@given(WHOLE)
@properties(100)
def test_what_is_written_is_read_back(value: Sent) -> None:
    assert Reader[Sent](Sent).text(written(value)) == value


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["text", "one", "abc"])
JSON = st.recursive(
    SCALARS,
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text() | st.sampled_from(["parts", "text"]), each),
)


@given(st.dictionaries(st.sampled_from([*Sent.__dataclass_fields__]), JSON, max_size=3) | JSON)
@properties(200)
def test_any_value_is_read_or_refused_in_one_line(value: Any) -> None:
    try:
        text = json.dumps(value)
        found = Reader[Sent](Sent).text(text)
    except Invalid as invalid:
        line = str(invalid)
        assert 10 < len(line) <= typed_json.MAX_SENTENCE_LENGTH
        assert line.isprintable()
        assert line[-1] in ".?…"
    else:
        assert set(value) <= set(Sent.__dataclass_fields__)
        assert json.loads(written(found)) == json.loads(written(Sent())) | json.loads(text)


# ── parts of addresses ───────────────────────────────────────────────────────────────────────────


@together(
    ("kind", "word", "expected"),
    [
        (str, "1", "1"),
        (int, "12", 12),
        (int, "-3", -3),
        *((int, word, word) for word in ("1.0", "1_0", " 2", "٣", "", "9" * 41)),
        (Annotated[int, Range(1, 5)] | None, "7", 7),
        (bool, "TRUE", True),
        (bool, "0", False),
        (bool, "maybe", "maybe"),
        (Literal["a", "b"], "c", "c"),
    ],
)
def test_a_part_of_an_address(kind: Any, word: str, expected: object) -> None:
    assert of_word(kind, word) == expected

"""Terms of Prolog: what is read, what is refused in one line, writing and matching."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import GameError
from pentad.games.pente.prolog_terms import (
    MAX_BRACKET_DEPTH,
    MAX_TEXT_LENGTH,
    Compound,
    Term,
    Variable,
    bound,
    match,
    read_query,
    variables,
    written,
)
from tests.cases import together
from tests.properties import properties


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("help", ["help"]),
        ("help.", ["help"]),
        ("  ?- help .  % the options", ["help"]),
        ("play([])", [Compound("play", ([],))]),
        (
            "play([size(13), difficulty(1), rule(false)])",
            [
                Compound(
                    "play",
                    ([Compound("size", (13,)), Compound("difficulty", (1,)), Compound("rule", ("false",))],),
                )
            ],
        ),
        ("move(G,'K10',_Next1)", [Compound("move", (Variable("G"), "K10", Variable("_Next1")))]),
        ("f(-1, 007, 'it''s', '', _)", [Compound("f", (-1, 7, "it's", "", Variable("_")))]),
        ("a, B, $C.", ["a", Variable("B"), Variable("$C")]),
        ("[[a,[1]],[]]", [[["a", [1]], []]]),
        ("f(\n a,\tb )", [Compound("f", ("a", "b"))]),
    ],
)
def test_queries(text: str, goals: list[Term]):
    assert read_query(text) == goals


@together(
    ("text", "message"),
    [
        ("", "Column 1: Expected a term, got the end"),
        (".", "Column 1: Expected a term, got '.'."),
        ("play([size(13)", "Column 15: Expected a comma or ], got"),
        ("play([size(13", "Column 14: Expected a comma or ), got"),
        ("play(", "Column 6: Expected a term, got the end"),
        ("play()", "Column 6: Expected a term, got ')'."),
        ("play([size(13),])", "Column 16: Expected a term, got ']'."),
        ("play([size(13)]))", "Column 17: Expected a comma, a full stop"),
        ("help. help.", "Column 7: Expected a comma, a full stop"),
        ("help..", "Column 5: Expected a term, got '..'."),
        ("a b", "Column 3: Expected a comma, a full stop"),
        ("f(a 'B c')", "Column 5: Expected a comma or ), got 'B c'."),
        ("X = 1", "Column 3: Expected a term, got '= 1'."),
        ("[H|T]", "Column 3: Expected a term, got '|T]'."),
        ('"text"', "Column 1: Expected a term, got '\"text\"'."),
        ("'half", 'Column 1: Expected a term, got "\'half".'),
        ("'back\\slash'", "Column 1: Expected a term"),
        ("size(1.5)", "Column 7: Expected a term, got '.5)'."),
        ("size(13a)", "Column 6: Expected a term, got '13a)'."),
        ("1" * 19, "Column 1: Expected a term, got '1111111"),
        ("é", "Column 1: Expected a term, got 'é'."),
        ("\x00", "Column 1: Expected a term, got "),
        ("[" * 5000, f"Column {MAX_BRACKET_DEPTH + 2}: Brackets are nested more than {MAX_BRACKET_DEPTH} deep."),
        ("f(" * 5000, f"Brackets are nested more than {MAX_BRACKET_DEPTH} deep."),
        ("a" * (MAX_TEXT_LENGTH + 1), "A query has at most 10,000 characters, not 10,001."),
        (None, "Expected a query as text, such as play([size(13)]), got None."),
        (b"help", "Expected a query as text"),
    ],
)
def test_what_is_refused(text: str, message: str):
    with pytest.raises(GameError) as refused:
        read_query(text)
    assert message in str(refused.value)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 200


atoms = st.text(max_size=8).filter(lambda text: not set(text) & set("\\\n"))
names = st.from_regex(r"[A-Z_][A-Za-z0-9_]{0,5}", fullmatch=True)
leaves = st.integers(-(10**18) + 1, 10**18 - 1) | atoms | names.map(Variable)
terms = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(atoms, st.lists(inner, min_size=1, max_size=4)).map(lambda each: Compound(each[0], tuple(each[1])))
    ),
    max_leaves=12,
)


@given(terms)
@properties(300)
def test_what_is_written_is_read(term: Term):
    assert read_query(written(term)) == [term]
    assert read_query(f"{written(term)}.") == [term]


@given(terms, terms)
@properties(300)
def test_matching_binds_what_makes_both_equal(pattern: Term, value: Term):
    ground = bound(value, {each.name: "x" for each in variables(value)})
    found = match(pattern, ground, {})
    if found is not None and not any(each.name == "_" for each in variables(pattern)):
        assert bound(pattern, found) == ground
    assert match(ground, ground, {}) == {}
    assert match(Variable("X"), ground, {}) == {"X": ground}


@given(st.text() | st.text(alphabet="f(a)[],.'1AB_ $-"))
@properties(500)
def test_any_text_is_read_or_refused_in_one_line(text: str):
    try:
        goals = read_query(text)
    except GameError as error:
        goals, message = [], str(error)
    else:
        message = ", ".join(map(written, goals))
        assert read_query(message) == goals
    assert message.isprintable() or goals


def test_a_variable_has_one_value():
    pattern = Compound("f", (Variable("X"), Variable("X"), Variable("_"), Variable("_")))
    assert match(pattern, Compound("f", (1, 1, 2, 3)), {}) == {"X": 1}
    assert match(pattern, Compound("f", (1, 2, 2, 3)), {}) is None
    assert match(Variable("X"), 2, {"X": 1}) is None
    assert match([Variable("X")], [1, 2], {}) is None
    assert match("1", 1, {}) is None

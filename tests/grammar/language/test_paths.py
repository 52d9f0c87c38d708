"""Regular path expressions: read, written, and walked as sets of pairs tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.grammar.graph import GrammarError
from pentad.grammar.language.paths import (
    Alternative,
    Atom,
    Empty,
    Inverse,
    Part,
    Path,
    Repeat,
    Sequence,
    Wildcard,
    parse,
    parse_wildcard,
)
from tests.cases import together

# ── walking, against sets of pairs ───────────────────────────────────────────────────────────────

Edge = tuple[int, str, int]
Pairs = set[tuple[int, int]]

LABELS = ("a", "b", "c-d", "type:A", "type:B", "flag:f")
NODES = range(4)


def composed(one: Pairs, other: Pairs) -> Pairs:
    return {(a, c) for a, b in one for d, c in other if b == d}


def pairs(part: Part, edges: set[Edge]) -> Pairs:
    """Which nodes a path joins, part by part."""
    same = {(node, node) for node in NODES}
    match part:
        case Atom(label):
            return {(a, b) for a, each, b in edges if each == label}
        case Wildcard(kind, _, guard, negated):
            found = [(a, b, each.split(":")) for a, each, b in edges]
            of_kind = [(a, b, each) for a, b, each in found if each[:-1] == ([kind] if kind else [])]
            return {(a, b) for a, b, each in of_kind if guard is None or (each[-1] in guard) != negated}
        case Empty():
            return same
        case Inverse(inner):
            return {(b, a) for a, b in pairs(inner, edges)}
        case Alternative(parts):
            return set().union(*(pairs(each, edges) for each in parts))
        case Sequence(parts):
            found_pairs = same
            for each in parts:
                found_pairs = composed(found_pairs, pairs(each, edges))
            return found_pairs
        case Repeat(inner, sign):
            once = pairs(inner, edges)
            closed = set(once)
            for _ in NODES:
                closed |= composed(closed, once)
            return closed | same if sign == "*" else closed
    raise AssertionError(part)


names = st.sampled_from(("a", "b", "c-d", "f", "A", "odd name]'"))
wildcards = st.builds(
    lambda kind, variable, guard, negated: Wildcard(kind, variable, guard, negated and guard is not None),
    st.sampled_from(("", "type", "flag")),
    st.sampled_from((None, "x")),
    st.none() | st.frozensets(names, min_size=1, max_size=3),
    st.booleans(),
)
leaves = st.sampled_from(LABELS).map(Atom) | wildcards | st.just(Empty())
several = lambda parts: st.lists(parts, min_size=2, max_size=3).map(tuple)  # noqa: E731
parts = st.recursive(
    leaves,
    lambda inner: st.one_of(
        several(inner).map(Sequence),
        several(inner).map(Alternative),
        st.builds(Repeat, inner, st.sampled_from("*+")),
        inner.map(Inverse),
    ),
    max_leaves=8,
)


@st.composite
def graphs(draw: st.DrawFn) -> set[Edge]:
    node, label = st.sampled_from(NODES), st.sampled_from(LABELS)
    edges = draw(st.sets(st.tuples(node, label, node), max_size=12))
    return {(a, label, a if ":" in label else b) for a, label, b in edges}  # types and flags are loops


class Walked:
    """A graph as paths want to see it."""

    def __init__(self, edges: set[Edge]) -> None:
        self.edges = edges

    def out(self, node: int) -> list[tuple[str, int]]:
        return [(label, b) for a, label, b in self.edges if a == node]

    def into(self, node: int) -> list[tuple[str, int]]:
        return [(label, a) for a, label, b in self.edges if b == node]


@given(parts, graphs())
def test_a_path_equals_its_relation(part: Part, edges: set[Edge]) -> None:
    path, graph, wanted = Path(part), Walked(edges), pairs(part, edges)
    for node in NODES:
        assert path.targets(node, graph.out, graph.into) == {b for a, b in wanted if a == node}
        assert path.sources(node, graph.out, graph.into) == {a for a, b in wanted if b == node}
        for other in NODES:
            assert path.connects(node, other, graph.out, graph.into) == ((node, other) in wanted)
            assert Path(part, negated=True).connects(node, other, graph.out, graph.into) != ((node, other) in wanted)


@given(parts, st.booleans())
def test_a_path_round_trips(part: Part, negated: bool) -> None:
    path = Path(part, negated)
    assert parse(str(path)) == path


def test_a_negated_path_has_no_targets() -> None:
    with pytest.raises(GrammarError, match=r"^label '!a': .* no targets"):
        parse("!a").targets(1, lambda node: [], lambda node: [])
    assert Path(parse("!a").part) == parse("a")


def test_a_bound_variable_matches_its_label() -> None:
    graph = Walked({(0, "a", 1), (1, "b", 2), (1, "a", 3)})
    path = parse("?x.?x")
    assert path.variables == {"x"}
    assert path.targets(0, graph.out, graph.into) == {2, 3}
    assert path.targets(0, graph.out, graph.into, {"x": "a"}) == {3}
    assert parse("flag:?x|?y").variables == {"flag:x", "y"}


def test_a_type_matches_its_subtypes_unless_it_is_sharp() -> None:
    graph = Walked({(0, "type:B", 0), (1, "type:A", 1)})
    covers = {("type:A", "type:A"), ("type:A", "type:B"), ("type:B", "type:B")}
    found = {
        text: {
            node
            for node in (0, 1)
            if Path(parse(text).part, covers=lambda *pair: pair in covers).targets(node, graph.out, graph.into)
        }
        for text in ("type:A", "type:#A", "type:B", "type:?[A]", "type:?[^A]", "type:?[^B]")
    }
    assert found == {
        "type:A": {0, 1}, "type:#A": {1}, "type:B": {0}, "type:?[A]": {0, 1}, "type:?[^A]": set(), "type:?[^B]": {1},
    }  # fmt: skip


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a|b.c", "a|(b.c)"),
        ("-a*", "-(a*)"),
        ("-a.b", "(-a).b"),
        ("!a|b", "!(a|b)"),
        (" ( a ) . 'b' ", "a.b"),
        ("'type:A'", "type:A"),
        ("?x[ a , 'b' ]", "?x[b,a]"),
    ],
)
def test_equivalent_forms_of_a_path(text: str, path: str) -> None:
    assert parse(text) == parse(path)


PLAIN = """
a-b
(-a)*
(a*)+
--a
a.=
'odd, label'.a
type:#A|flag:f
!(a|b).c
(a-b)*
type:?x[^A,'B C']
"""


@pytest.mark.parametrize("text", PLAIN.split("\n")[1:-1])
def test_plain_paths_round_trip(text: str) -> None:
    assert str(parse(text)) == text


def test_labels_of_a_path() -> None:
    assert parse("a.(b|-type:A)*").labels() == {"a", "b", "type:A"}
    assert parse("a.?").labels() is None
    single = {text: parse(text).single for text in ("a-b", "flag:?x", "a.b", "!a", "type:#A")}
    assert single == {"a-b": "a-b", "flag:?x": Wildcard("flag", "x"), "a.b": None, "!a": None, "type:#A": None}


@together(
    ("text", "message"),
    [
        ("", "rule.gpr: Expected a label, got the end."),
        ("a.", "rule.gpr, label 'a.': Expected a label, got the end."),
        ("a||b", "rule.gpr, label 'a||b': Expected a label, got '|'."),
        ("(a", "rule.gpr, label '(a': A bracket is not closed."),
        ("a)", "rule.gpr, label 'a)': Expected an operator or the end, got ')'."),
        ("a b", "rule.gpr, label 'a b': Expected an operator or the end, got 'b'."),
        ("a.!b", "rule.gpr, label 'a.!b': ! is only allowed in front"),
        ("''", "rule.gpr, label \"''\": A label must not be empty."),
        ("'a", 'rule.gpr, label "\'a": Unexpected "\'" in a path.'),
        ("a@b", "rule.gpr, label 'a@b': Unexpected '@' in a path."),
        ("?x[]", "rule.gpr, label '?x[]': The labels of a wildcard"),
        ("?x[a,]", "rule.gpr, label '?x[a,]': The labels of a wildcard"),
        ("?[type:A]", "The labels of a wildcard"),
        ("(" * 4_000 + "a" + ")" * 4_000, "A path is nested more than 100 deep"),
        ("-" * 5_000 + "a", "A path is nested more than 100 deep"),
        ("a" + "*" * 5_000, "A path is nested more than 100 deep"),
        ("a." * 100_000, "is too long"),
    ],
)
def test_an_invalid_path_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse(text, "rule.gpr")
    assert str(caught.value).startswith("rule.gpr")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_path_with_too_many_alternatives_is_refused_in_one_line() -> None:
    wide = parse("(" + "|".join(["a*"] * 3_000) + ")*")
    with pytest.raises(GrammarError, match="path has too many transitions"):
        wide.targets(1, lambda node: [], lambda node: [])


def test_a_long_path_is_searched() -> None:
    long = parse(".".join(["next"] * 1_900))
    assert long.targets(0, lambda node: [("next", node + 1)], lambda node: []) == {1_900}


@given(st.text(max_size=30) | st.text("ab?*+-|.()[]^,'\":= type:flag:!#", max_size=30))
def test_any_text_is_a_path_or_a_clear_error(text: str) -> None:
    try:
        path = parse(text)
    except GrammarError:
        return
    assert parse(str(path)) == path


# ── wildcards ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("label", "wildcard"),
    [
        ("?", Wildcard()),
        ("?x", Wildcard("", "x")),
        ("flag:?x[sb0,sb1]", Wildcard("flag", "x", frozenset({"sb0", "sb1"}))),
        ("type:?[^A,B]", Wildcard("type", None, frozenset({"A", "B"}), True)),
    ],
)
def test_labels_are_parsed_as_wildcards(label: str, wildcard: Wildcard) -> None:
    assert parse_wildcard(label) == wildcard


def test_a_wildcard_admits_labels_of_its_kind() -> None:
    labels = ["a", "b", "type:A", "flag:a"]
    admitted = {
        text: [label for label in labels if parse_wildcard(text).admits(label)]
        for text in ("?", "?[a]", "?[^a]", "flag:?", "type:?[A]", "type:?[^A]")
    }
    assert admitted == {
        "?": ["a", "b"],
        "?[a]": ["a"],
        "?[^a]": ["b"],
        "flag:?": ["flag:a"],
        "type:?[A]": ["type:A"],
        "type:?[^A]": [],
    }


FORMS = "Invalid wildcard. The forms are ?, ?x, ?[a,b] and ?x[^a,b]."


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("?x-", FORMS),
        ("?[a", FORMS),
        ("?1", FORMS),
        ("type:??", FORMS),
        ("flag:?x[]", "The labels of a wildcard must be names or quoted, with commas between."),
    ],
)
def test_an_invalid_wildcard_is_refused(label: str, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse_wildcard(label, "rule.gpr")
    assert str(caught.value) == f"rule.gpr, label '{label}': {message}"

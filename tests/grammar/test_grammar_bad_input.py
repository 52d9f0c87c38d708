"""Hostile grammars: too large, endless or malformed ones are refused or stopped."""

from __future__ import annotations

import random
import re
import signal
import sys
import tracemalloc
from typing import NamedTuple
from xml.parsers import expat

import pytest

from pentad.grammar import GrammarError, Simulation, explore, simulation
from pentad.grammar.files import gxl
from pentad.grammar.grammar import from_files, to_files
from pentad.grammar.host import MAX_CACHED_MASKS, World
from pentad.grammar.models import new
from pentad.grammar.rules.types import Types
from pentad.grammar.states.state_space import formatted
from pentad.grammar.system import problems_of
from tests.cases import together
from tests.grammar.small_grammars import counts, drawn, made

ANY_TWO = ["type:A par:0", "type:A par:1"]


# ── rules that are drawn wrongly ─────────────────────────────────────────────────────────────────

VALUE = ["type:A", "int:", ("n0", "v", "n1")]
AGGREGATE = ["type:A {}", "forallx=q:", "type:A id:x", ("n2", "@", "n1")]


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ([*VALUE, ("n1", "new:e", "n0")], "node n1, label 'new:e': A value cannot have other labels."),
        ([*VALUE, ("n1", "new:e", "n1")], "node n1, label 'new:e': A value cannot have other labels."),
        ([*VALUE, ("n1", "cnew:flag:f", "n1")], "node n1, label 'cnew:flag:f': A value cannot have other labels."),
        ([*VALUE, ("n1", "new:let:n=3", "n1")], "node n1, label 'new:let:n=3': A value has no fields."),
        ([*VALUE, ("n1", "let:n=3", "n1")], "node n1, label 'let:n=3': A value has no fields."),
        (["forall:", "", "int:", ("n1", "@", "n0"), ("n1", "int:sum", "n2")], "takes one argument, not 0"),
        ([AGGREGATE[0].format("let:v=int:sum()"), *AGGREGATE[1:]], "takes one argument, not 0"),
        ([AGGREGATE[0].format("let:v=int:sum(x.v,x.v)"), *AGGREGATE[1:]], "takes one argument, not 2"),
    ],
)
def test_invalid_edges_and_operators_of_values_are_refused(elements, message):
    grammar = made(["type:A let:v=1"], {"look": elements})
    assert [message in str(error) for error in problems_of(grammar)] == [True]
    with pytest.raises(GrammarError, match=r"^look\.gpr, node n"):
        explore(grammar)


def test_a_merged_new_node_needs_a_type():
    grammar = made(["type:A"], {"look": ["type:A", "new:", ("n0", "=", "n1")]}, types=["type:A"])
    assert list(map(str, problems_of(grammar))) == ["look.gpr, node n1: The node has no type."]


def test_errors_have_a_fixed_order():
    grammar = made(["type:A"], {"look": ["type:A", ("n0", "?z.?x.?y.?w", "n0")]})
    message = [error.what for error in problems_of(grammar)]
    assert message == [f"The variable ?{name} is never bound." for name in "wxyz"]


@pytest.mark.parametrize("pattern", ["%2000000000s", "%99999999999999999999s", "%.2000000000f", "%0$s", "%9999$s"])
def test_a_transition_label_that_is_too_wide_is_empty(pattern):
    assert formatted(pattern, ["x"]) == ""


@pytest.mark.parametrize("long", ["x" * 100_000, "\u0300" * 100_000])
def test_errors_shorten_long_names_and_labels(long):
    grammar = made([f"flag:{long}("], {"look": [f"flag:{long}("]})
    grammar.graphs["start"].node(name=long)
    grammar.graphs["start"].edge(long, "type:", long)
    for error in problems_of(grammar):
        assert len(str(error)) < 500
    assert len(problems_of(grammar)) == 3


# ── files ──


def test_a_large_file_is_parsed_in_chunks(monkeypatch):
    """Ctrl-C then takes effect in the middle of a file."""
    text = gxl.write(drawn("graph", "start", "type:A flag:é", "type:B")).encode()
    for size in (1, 7, len(text)):
        monkeypatch.setattr(gxl, "CHUNK_BYTES", size)
        assert gxl.read(text, "start", "graph").labels("n0") == ("type:A", "flag:é")
    fed = []
    create = expat.ParserCreate

    class Parser:
        """A parser that notes the sizes of its chunks."""

        def __init__(self, **options):
            self.__dict__["parser"] = create(**options)

        def __setattr__(self, name, value):
            setattr(self.parser, name, value)

        def Parse(self, data, is_last=False):  # noqa: N802  (the name in expat)
            fed.append(len(data))
            self.parser.Parse(data, is_last)

    monkeypatch.setattr(expat, "ParserCreate", Parser)
    monkeypatch.setattr(gxl, "CHUNK_BYTES", 100)
    gxl.read(text, "start", "graph")
    assert max(fed) == 100
    assert sum(fed) == len(text)


def test_every_beginning_of_a_graph_is_refused_in_one_line():
    text = gxl.write(drawn("graph", "start", "type:A flag:é", "type:B")).encode().rstrip()
    for end in range(len(text)):
        with pytest.raises(GrammarError, match=r"^start\.gst: Invalid XML: [^\n]+: line \d+, column \d+\.$"):
            gxl.read(text[:end], "start", "graph", "start.gst")


GRAPH = '<gxl><graph id="start"><node id="n0"/><edge from="n0" to="n0"><attr name="label"><string>{}</string>'
GRAPH += "</attr></edge></graph></gxl>"
LAUGHS = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))


@pytest.mark.parametrize(
    ("head", "label"),
    [
        pytest.param(f'<!DOCTYPE gxl [<!ENTITY l0 "ha">{LAUGHS}]>', "&l9;", id="a billion laughs"),
        pytest.param(f'<!DOCTYPE gxl [<!ENTITY a "{"a" * 100_000}">]>', "&a;" * 100_000, id="a long entity, often"),
        pytest.param('<!DOCTYPE gxl [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "&a;", id="an external entity"),
        pytest.param('<!DOCTYPE gxl SYSTEM "http://localhost:9/gxl.dtd">', "a", id="an external document type"),
        pytest.param('<!DOCTYPE gxl [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>', "a", id="a parameter entity"),
        pytest.param("<!DOCTYPE gxl>", "a", id="a document type alone"),
    ],
)
def test_document_types_and_their_entities_are_refused(head, label):
    with pytest.raises(GrammarError) as caught:
        gxl.read((head + GRAPH.format(label)).encode(), "start", "graph", "start.gst")
    what = "The file has a document type (<!DOCTYPE gxl …>), which GROOVE's files never have."
    assert str(caught.value) == f"start.gst: {what}"


def test_an_entity_without_a_declaration_is_refused():
    with pytest.raises(GrammarError, match=r"^start\.gst: .* entity: line 1, column \d+\.$"):
        gxl.read(GRAPH.format("&a;").encode(), "start", "graph", "start.gst")
    assert gxl.read(GRAPH.format("&lt;&#228;").encode(), "start", "graph").labels("n0") == ("<ä",)


@pytest.mark.parametrize("size", [2, pytest.param(256, marks=pytest.mark.slow)])
def test_a_large_file_is_read_in_the_memory_of_its_graph(size):
    """Spaces between elements, in a file of this many MB, take no memory."""
    text = GRAPH.format("a").replace("<node", " " * (size << 20) + "<node", 1).encode()
    tracemalloc.start()
    try:
        assert gxl.read(text, "start", "graph").labels("n0") == ("a",)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [2, pytest.param(256, marks=pytest.mark.slow)])
def test_a_large_file_that_is_cut_off_is_refused(size):
    text = GRAPH.format("a" * (size << 20)).encode()[:-60]
    with pytest.raises(GrammarError, match=r"^start\.gst: .* element found: line 1, column \d+\.$"):
        gxl.read(text, "start", "graph", "start.gst")


FILES = {
    "half a graph": lambda files, chance: cut(files, "start.gst", chance),
    "half a rule": lambda files, chance: cut(files, chance.choice([each for each in files if ".gpr" in each]), chance),
    "half a control program": lambda files, chance: cut(files, "main.gcp", chance),
    "half of the settings": lambda files, chance: cut(files, "system.properties", chance),
    "wrong bytes": lambda files, chance: spoilt(files, chance.choice(list(files)), chance),
    "exchanged labels": lambda files, chance: exchanged(files, chance.choice(list(files)), chance),
}


def cut(files, path, chance):
    return {**files, path: files[path][: chance.randrange(len(files[path]))]}


def spoilt(files, path, chance):
    data = bytearray(files[path])
    for _ in range(chance.randint(1, 4)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return {**files, path: bytes(data)}


def exchanged(files, path, chance):
    """A file with some of its words in other places."""
    words = re.split(rb"([<>:;{}()\s]+)", files[path])
    places = [place for place, word in enumerate(words) if re.match(rb"\w", word)]
    for _ in range(chance.randint(1, 4)):
        one, other = chance.choice(places), chance.choice(places)
        words[one], words[other] = words[other], words[one]
    return {**files, path: b"".join(words)}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("case", FILES)
def test_damaged_files_are_read_or_refused(case):
    """Every error is a GrammarError of one line that names the file."""
    chance, refused = random.Random(case), 0
    whole = to_files(new("tictactoe", rows=2, cols=2, line=2))
    for _ in range(40):
        try:
            grammar = from_files("small", FILES[case](whole, chance))
            errors = problems_of(grammar) or [None]
            explore(grammar, engine="general", states=10)
        except GrammarError as error:
            errors = error.errors
        for error in filter(None, errors):
            refused += 1
            assert "\n" not in str(error)
            assert re.match(r"[\w.]+[:,]", str(error))
    assert refused


# ── much of everything ───────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@together("looks", [*range(1, 2_000, 150), 2_000])
@together("role", ["condition", "transformer"])
def test_a_search_for_many_matches_can_be_stopped_anywhere(looks, role):
    """A rule with a thousand matches is stopped while it is tested, applied or listed."""
    grammar = made(["type:A"] * 32, {"two": ANY_TWO})
    grammar.rules["two"].attributes["actionRole"] = role

    def stop():
        nonlocal looks
        looks -= 1
        return looks <= 0

    found = explore(grammar, stop=stop)
    assert (found.stopped, found.states, found.lts.open) == ("interrupted", 1, {0})


def test_the_stop_function_is_called_for_every_match():
    """Ctrl-C then never waits for all matches."""
    looks = 0

    def stop():
        nonlocal looks
        looks += 1
        return False

    assert explore(made(["type:A"] * 32, {"two": ANY_TWO}), stop=stop).transitions == 1024
    assert looks > 2 * 1024


def test_a_large_graph_needs_linear_memory():
    world = World()
    nodes = [world.new_node() for _ in range(3_000)]
    for node in nodes:
        world.edge(node, "type:A", node)
    assert world.edges_at(nodes[7]) == 1 << 7
    assert world.edge(nodes[7], "to", nodes[8]) == 3_000
    assert world.edges_at(nodes[7]) == 1 << 7 | 1 << 3_000
    assert world.edges_at(nodes[8]) == 1 << 8 | 1 << 3_000
    assert len(world._masks) == 2
    for node in nodes:
        assert world.edges_at(node) >> node & 1
    assert len(world._masks) <= MAX_CACHED_MASKS


def test_an_exploration_out_of_memory_returns_a_partial_result(monkeypatch):
    grammar = made(["type:A let:n=0"], {"more": ["type:A let:n=n+1"]})
    numbered = World.edge
    edges = 0

    def edge(world, *ends):
        nonlocal edges
        edges += 1
        if edges > 50:
            raise MemoryError
        return numbered(world, *ends)

    monkeypatch.setattr(World, "edge", edge)
    found = explore(grammar, engine="general")
    assert found.stopped == "memory"
    assert found.states > 10


def test_a_condition_that_is_too_long_is_refused():
    with pytest.raises(GrammarError, match="10,002 characters is too long"):
        explore(made(["type:A"], {"a": ["type:A"]}), accept="condition:" + "!" * 10_001 + "a")


@pytest.mark.parametrize(
    ("start", "doubled", "family", "message"),
    [
        ("n=2", "int:mul(n,n)", "big", "An integer exceeds 4,000 digits."),
        ("n=2.5", "real:mul(n,n)", "big", "A real exceeds 4,000 digits."),
        ('n="ab"', "string:concat(n,n)", "default", "A string exceeds 1,000,000 characters."),
        ("n=2", "int:add(n,n)", "term", "A term exceeds 1,000,000 characters."),
    ],
)
def test_an_endlessly_growing_expression_is_refused(start, doubled, family, message):
    grammar = made([f"type:A let:{start}"], {"grow": [f"type:A let:n={doubled}"]}, algebraFamily=family)
    with pytest.raises(GrammarError, match=rf"^grow\.gpr: {message}$"):
        explore(grammar, engine="general", states=40)


# ── a user's own code ──


class Odd(NamedTuple):
    """A value that cannot be kept."""

    number: int

    def __hash__(self) -> int:
        raise ValueError("no")


def ends() -> int:
    raise SystemExit(0)


def leaves() -> int:
    raise GeneratorExit


def text() -> int:
    return "five"  # type: ignore[return-value]


def several() -> int:
    return [5]  # type: ignore[return-value]


def truth() -> int:
    return True


def large() -> int:
    return 1 << 40


def odd() -> Odd:
    return Odd(1)


@pytest.mark.parametrize("operation", [ends, leaves, odd])
def test_an_operation_that_exits_or_returns_an_unhashable_value_has_no_result(operation):
    grammar = made(["type:A let:n=1"], {"ask": [f"type:A new:let:m={operation.__name__}()"]}, typePolicy="off")
    found = explore(grammar, operations=[operation, Odd])
    assert (found.states, found.stopped) == (2, "")


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (text, "returned 'five', which is not of type int"),
        (several, r"returned \[5\], which is not of type int"),
        (truth, "returned True, which is not of type int"),
        (large, "returned 1099511627776, which needs more than 32 bits"),
    ],
)
def test_an_operation_must_return_its_declared_type(operation, message):
    grammar = made(["type:A let:n=1"], {"ask": [f"type:A let:n={operation.__name__}()"]})
    with pytest.raises(GrammarError, match=rf"^ask\.gpr.*: The operation {operation.__name__} {message}\.$"):
        explore(grammar, operations=[operation])


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        (lambda rule, kind: 1 // 0, "The oracle fails for ask: ZeroDivisionError: "),
        (lambda rule, kind: sys.exit(), "The oracle fails for ask: SystemExit"),
        (lambda rule, kind: 10**6_000, "An integer exceeds 4,000 digits."),
        (
            lambda rule, kind: [],
            "the oracle, which ask asks for a value of int, returned [], which is not of type int.",
        ),
    ],
)
def test_a_failing_oracle_is_reported(oracle, message):
    grammar = made(["type:A"], {"ask": ["type:A", "int: ask:0", ("n0", "new:m", "n1")]})
    with pytest.raises(GrammarError, match=f"^{re.escape(message)}"):
        explore(grammar, oracle=oracle)


def test_a_failing_filter_is_reported():
    grammar = made(["type:A"], {"ask": ["type:A"]})
    grammar.rules["ask"].attributes["matchFilter"] = "f"
    with pytest.raises(GrammarError, match=r"^ask\.gpr: .* f fails: SystemExit$"):
        explore(grammar, filters={"f": lambda *_: sys.exit()})


def test_ctrl_c_interrupts_an_operation():
    def waits() -> int:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("this comes too late")

    grammar = made(["type:A let:n=1"], {"ask": ["type:A let:n=waits()"]})
    found = explore(grammar, operations=[waits])
    assert (found.states, found.stopped) == (1, "interrupted")


# ── step by step ─────────────────────────────────────────────────────────────────────────────────


def growing():
    """A number that is squared, until it has more digits than can be."""
    return made(["type:A let:n=99"], {"grow": ["type:A let:n=int:mul(n,n)"]}, algebraFamily="big")


def test_a_failed_step_changes_nothing():
    steps, taken = Simulation(growing()), 9
    for _ in range(taken):
        options = steps.take(0) and steps.options
    with pytest.raises(GrammarError, match=r"^grow\.gpr: An integer exceeds 4,000 digits\.$"):
        steps.take(0)
    assert (len(steps.steps), steps.options) == (taken, options)
    assert steps.undo() is not None
    assert steps.take(0).action == "grow"
    assert (len(steps.steps), steps.options) == (taken, options)


def test_steps_that_take_too_much_memory_are_refused(monkeypatch):
    monkeypatch.setattr(simulation, "default_memory", lambda: -(1 << 40))
    with pytest.raises(GrammarError, match="options exceed the memory limit"):
        Simulation(made(["type:A"] * 40, {"two": ANY_TWO}))
    assert len(Simulation(made(["type:A"] * 4, {"two": ANY_TWO})).options) == 16


def test_subtypes_of_subtypes_are_found_by_their_chain():
    """Each of many types inherits from the one before; the work is proportional to the number of pairs."""
    count = 300
    types = Types("type.gty", {f"type:{i}" for i in range(count)})
    types.above = {f"type:{i}": {f"type:{i}", f"type:{max(i - 1, 0)}"} for i in range(count)}
    types.close()
    assert all(len(types.above[f"type:{i}"]) == i + 1 for i in range(count))
    assert types.under("type:297") == ("type:297", "type:298", "type:299")


def test_a_large_start_graph_is_explored():
    assert counts(made(["type:A"] * 2_000, {"never": ["type:A flag:f"]})) == (1, 0)


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=pytest.mark.slow)])
def test_all_errors_of_many_rules_are_counted(count):
    rules = {f"r{number}": ["type:A nwe:flag:f" if number % 2 else "type:A new:flag:f"] for number in range(count)}
    grammar = made(["type:A"], rules)
    assert len(problems_of(grammar)) == count // 2
    with pytest.raises(GrammarError) as error:
        explore(grammar)
    assert error.value.lines[-1] == f"… and {count // 2 - 20} more errors."


@pytest.mark.parametrize("round_", [2, 3, 50])
def test_cyclic_inheritance_is_refused(round_):
    circle = [f"type:T{number}" for number in range(round_)]
    circle += [(f"n{number}", "sub:", f"n{(number + 1) % round_}") for number in range(round_)]
    errors = problems_of(made(["type:T0"], {"look": ["type:T0"]}, types=circle))
    assert [str(error) for error in errors][:1] == ["type.gty: T0 and T1 are subtypes of each other."]

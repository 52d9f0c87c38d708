"""The models: what they are made of, and as many states and transitions as an independent count finds."""

import re

import pytest

from pentad.games.pentagame.board import EDGES, LINKS, goal
from pentad.grammar.exploration import explore
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError
from pentad.grammar.models import MODELS, find, new
from pentad.grammar.models.election import ORDERS, numbers
from pentad.grammar.models.maze import PLANS
from tests.cases import together
from tests.grammar import brute_force
from tests.grammar.groove_counts import ROWS, WRITTEN, made

EVERY_OPTION = [
    (name, {option: value})
    for name, model in MODELS.items()
    for option, about in model.options.items()
    for value in about.allowed or ((True, False) if isinstance(about.default, bool) else ())
]


# ── as GROOVE counted them ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("folder", WRITTEN, ids=lambda folder: folder.stem)
def test_the_first_design_is_as_it_was_when_groove_counted_it(folder):
    model, read = made(folder.stem), Grammar.load(folder)
    assert model.name == read.name
    assert model.start.same(read.start)
    assert model.rules.keys() == read.rules.keys()
    for name, rule in model.rules.items():
        assert rule.same(read.rules[name]), name
    assert model.controls == read.controls
    assert model.properties == read.properties


@together("row", ROWS)
def test_names_have_the_options(row):
    assert made(row.name).name == row.name


# ── what models are made of ──────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@together(("name", "options"), [*((name, {}) for name in MODELS), *EVERY_OPTION])
def test_every_model_accepts_every_allowed_value_of_its_options(name, options):
    grammar = new(name, **options)
    assert grammar.start.nodes
    assert explore(grammar, depth=0).states > 1  # it is read by the engine, and something can be done


@pytest.mark.parametrize("name", MODELS)
def test_all_nodes_have_distinct_positions(name):
    grammar = new(name)
    for graph in (*grammar.graphs.values(), *grammar.rules.values()):
        places = [graph.nodes[node] for node in graph.nodes]
        assert None not in places
        assert len(set(places)) == len(places), graph.name


@pytest.mark.parametrize("name", MODELS)
def test_every_option_is_listed(name):
    for option in find(name).options.values():
        assert option.help
        assert option.check(option.default) == option.default


def test_options_are_parsed_from_texts():
    read = find("tictactoe").read({"rows": "2", "style": "flags", "iso": "no"})
    made = new("tictactoe", rows=2, style="flags", iso=False)
    assert read.start.same(made.start)
    assert read.properties == made.properties


@pytest.mark.parametrize(
    ("name", "options", "what"),
    [
        ("pentago", {"style": "odd"}, "style must be one of flags, sym, not 'odd'"),
        ("pentago", {"rows": 0}, "rows must be a whole number"),
        ("pentago", {"players": 401}, "players must be a whole number from 2 to 400, not 401"),
        ("pentago", {"rows": 1, "cols": 1, "block": 3}, "No line of 5 fits"),
        ("tictactoe", {"line": 4}, "No line of 4 fits"),
        ("lines", {"size": 3, "line": 4}, "A line of 4 does not fit"),
        ("ferry", {"sheep": 1}, "Unknown option sheep. Options: wolves"),
        ("chess", {}, "Unknown model 'chess'. Models: pentago"),
        ("pente", {"size": True}, "size must be"),
    ],
)
def test_invalid_options_are_refused_in_one_line(name, options, what):
    with pytest.raises(GrammarError, match=re.escape(what)) as refused:
        new(name, **options)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("players", [7, 8, 12])
def test_a_grammar_for_many_players_is_written_for_groove(players, tmp_path):
    made = new("pentago", rules="classic", players=players, rows=1, cols=2, block=2, line=3)
    made.save(tmp_path / "many.gps")
    read = Grammar.load(tmp_path / "many.gps")
    assert sum("type:Player" in read.start.labels(node) for node in read.start.nodes) == players
    assert sum(edge.label == "nextPlayer" for edge in read.start.edges) == players
    assert read.controls == made.controls == new("pentago", rules="classic").controls
    assert counts(explore(read, depth=5)) == counts(explore(made, depth=5))


@pytest.mark.parametrize("line", [2, 3, 4, 6])
def test_winning_rules_for_lines_of_any_length(line):
    grammar = new("pentago", line=line)
    for name, direction in (("winH", "h"), ("winV", "v"), ("winD", "d"), ("winA", "a")):
        edges = grammar.rules[name].edges
        assert sum(edge.label == "marble" for edge in edges) == line
        assert sum(edge.label == direction for edge in edges) == line - 1


def test_the_start_graph_has_the_layout_of_the_board():
    start = new("pentago").start
    spaces = [node for node in start.nodes if "type:Space" in start.labels(node)]
    columns, rows = ({place[i] for place in map(start.nodes.get, spaces)} for i in range(2))
    assert (len(spaces), len(columns), len(rows)) == (36, 6, 6)
    for edge in start.edges:
        (x1, y1), (x2, y2) = start.nodes[edge.source], start.nodes[edge.target]
        if edge.label == "h":
            assert y1 == y2
            assert x1 < x2


# ── counted independently ────────────────────────────────────────────────────────────────────────

FERRIES = [(1, 1, 1), (0, 2, 1), (2, 2, 2), (1, 3, 2), (0, 0, 2)]
LISTS = [(1, 1), (3, 2), (2, 3), (4, 4)]
RINGS = [(size, order) for size in (2, 3, 4, 5) for order in ORDERS]


def counts(found):
    return found.states, found.transitions


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("rows", "cols", "line", "players"), [(2, 2, 2, 2), (2, 3, 3, 2), (2, 3, 2, 3), (1, 5, 3, 2)])
def test_tictactoe(rows, cols, line, players):
    sizes = {"rows": rows, "cols": cols, "line": line, "players": players}
    found = explore(new("tictactoe", iso=False, **sizes))
    assert counts(found) == brute_force.count(*brute_force.tictactoe(**sizes))[:2]


@pytest.mark.slow
def test_tictactoe_up_to_the_symmetries_of_the_square():
    found = explore(new("tictactoe"))
    assert counts(found) == brute_force.count(*brute_force.tictactoe(3, 3, 3, 2, symmetries=brute_force.SQUARE))[:2]


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("kinds", FERRIES)
def test_the_ferry(kinds):
    found = explore(new("ferry", **dict(zip(("wolves", "goats", "cabbages"), kinds, strict=True))))
    assert counts(found) == brute_force.count(*brute_force.ferry(*kinds))[:2]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("cells", "calls"), LISTS)
def test_the_list(cells, calls):
    assert (
        counts(explore(new("append", cells=cells, calls=calls)))
        == brute_force.count(*brute_force.append(cells, calls))[:2]
    )


@pytest.mark.slow
@together(("size", "order"), RINGS)
def test_the_ring(size, order):
    found = explore(new("election", processes=size, order=order))
    states, transitions, steps = brute_force.count(*brute_force.election(numbers(size, order)))
    assert counts(found) == (states, transitions)
    assert not found.lts.broken
    assert steps["elect"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
def test_the_maze(plan):
    states, transitions, steps = brute_force.count(*brute_force.maze(PLANS[plan]))
    found = explore(new("maze", plan=plan))
    assert counts(found) == (states, transitions)
    assert {each.action for each in found.lts} == set(steps)


@pytest.mark.slow
@pytest.mark.parametrize("pieces", [1, 2])
def test_pieces_on_the_main_fields(pieces):
    """Corners and junctions only, no blocks: two players go home."""
    found = explore(new("pentagame", pieces=pieces, part="mains", blocks=False, iso=False), depth=10 // pieces)
    start, leaving = brute_force.pieces_only(
        [(edge.low, edge.high) for edge in EDGES], [range(pieces)] * 2, [[goal(i) for i in range(pieces)]] * 2, pieces
    )
    assert counts(found) == bounded(start, leaving, 10 // pieces)


@pytest.mark.slow
def test_pieces_on_the_ring():
    ring = {*range(5)}.union(*(edge.stops for edge in EDGES if edge.kind == "arc"))
    links = [(one, other) for one in ring for other in LINKS[one] if one < other and other in ring]
    found = explore(new("pentagame", pieces=1, part="ring", iso=False))
    assert counts(found) == brute_force.count(*brute_force.pieces_only(links, [[0]] * 2, [[None]] * 2, 0))[:2]


def bounded(start, leaving, depth):
    """The numbers of states and transitions when those up to a depth are looked at."""
    seen, front, transitions = {start}, [start], 0
    for _ in range(depth + 1):
        found = [after for state in front for _, after in leaving(state)]
        transitions += len(found)
        front = [state for state in dict.fromkeys(found) if state not in seen]
        seen.update(front)
    return len(seen), transitions


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(("players", "moves"), [(2, 115), (3, 125), (4, 135), (5, 145)])
def test_the_first_moves_of_pentagame_are_those_of_the_rules(players, moves):
    assert explore(new("pentagame", players=players, iso=False), depth=0).transitions == moves

"""The matcher and the application of rules against brute force, on random small rules and graphs."""

from hypothesis import assume, given
from hypothesis import strategies as st

from pentad.grammar.exploration import explore
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.host import World
from pentad.grammar.host import bits as each_bit
from pentad.grammar.matching.isomorphism import Shapes
from pentad.grammar.rules.host_reader import add_host, read_host
from pentad.grammar.states.state_space import Space
from pentad.grammar.system import prepare
from tests.grammar import naive_engine
from tests.properties import properties

LABELS = ("a", "b")
LARGE = 5  # nodes; brute force tries all their orders
NODES = st.integers(0, 3)


@st.composite
def hosts(draw):
    graph = Graph("start")
    names = [graph.node() for _ in range(draw(st.integers(1, 4)))]
    triples = st.tuples(st.sampled_from(names), st.sampled_from(LABELS), st.sampled_from(names))
    for edge in draw(st.sets(triples, max_size=7)):
        graph.edge(*edge)
    return graph


@st.composite
def rules(draw):
    graph = Graph("rule", "rule")
    roles = draw(st.lists(st.sampled_from(["", "", "", "del:", "new:", "not:"]), min_size=1, max_size=4))
    names = [graph.node(*([role] if role else [])) for role in roles]
    role = dict(zip(names, roles, strict=True))
    inner = set()
    if draw(st.booleans()):
        quantifier = graph.node("forall:")
        inner = draw(st.sets(st.sampled_from(names), max_size=len(names)))
        for node in sorted(inner):
            graph.edge(node, "@", quantifier)
    triples = st.tuples(st.sampled_from(names), st.sampled_from(LABELS), st.sampled_from(names))
    for source, label, target in sorted(draw(st.sets(triples, max_size=5))):
        ends = {role[source], role[target]}
        if ("not:" in ends and "new:" in ends) or ends == {"del:", "new:"} or ends == {"del:", "not:"}:
            continue
        if any(role[node] == "not:" and node not in inner for node in (source, target)) and {source, target} & inner:
            continue  # an embargo belongs where its nodes do
        own = draw(st.sampled_from(["", "", "del:", "new:", "not:"])) if ends == {""} else ""
        graph.edge(source, own + label, target)
    return graph


def nodes_and_edges(system, state):
    world = system.world
    edges = system.host(state.nodes, state.edges).triples()
    return {node for node in range(world.nodes) if state.nodes >> node & 1}, {tuple(edge) for edge in edges}


@properties(300)
@given(hosts(), rules())
def test_successors_agree_with_brute_force(host, rule):
    rule.attributes["actionRole"] = "transformer"
    system = prepare(Grammar("small", {"start": host}, {"rule": rule}))
    space = Space(system)
    start = space.start
    expected = naive_engine.successors(rule, nodes_and_edges(system, start))
    assume(all(len(nodes) <= LARGE for nodes, _ in expected))
    mine = [naive_engine.canonical(nodes_and_edges(system, each.state)) for each in space.successors(start)[0]]
    assert sorted(mine) == sorted(map(naive_engine.canonical, expected))


def explored(host, rules, bound):
    """The states and transitions by brute force, up to isomorphism."""
    names = {name: number for number, name in enumerate(host.nodes)}
    start = (set(names.values()), {(names[one], label, names[other]) for one, label, other in host.edges})
    seen, todo, transitions = {naive_engine.canonical(start)}, [start], 0
    while todo:
        here = todo.pop()
        for rule in rules:
            for after in naive_engine.successors(rule, here):
                transitions += 1
                if len(after[0]) > LARGE:
                    return None
                renamed = {node: number for number, node in enumerate(sorted(after[0], key=str))}
                after = set(renamed.values()), {(renamed[one], label, renamed[other]) for one, label, other in after[1]}
                key = naive_engine.canonical(after)
                if key not in seen:
                    if len(seen) >= bound:
                        return None
                    seen.add(key)
                    todo.append(after)
    return len(seen), transitions


@properties(60)
@given(hosts(), st.lists(rules(), min_size=1, max_size=2))
def test_explorations_agree_with_brute_force(host, drawn):
    for rule in drawn:
        rule.attributes["actionRole"] = "transformer"
    expected = explored(host, drawn, 60)
    if expected is None:
        return
    grammar = Grammar("small", {"start": host}, {f"rule{i}": rule for i, rule in enumerate(drawn)})
    found = explore(grammar)
    assert (found.states, found.transitions) == expected


@properties(200)
@given(hosts(), st.permutations(range(4)))
def test_isomorphic_graphs_have_one_shape(host, order):
    """Colours and certificates depend on a graph's form alone; brute force says which graphs are alike."""
    names = list(host.nodes)
    other = Graph("start")
    renamed = dict(zip(names, [f"m{order[i]}" for i in range(len(names))], strict=True))
    for name in sorted(renamed.values()):
        other.node(name=name)
    for edge in reversed(host.edges):
        other.edge(renamed[edge.source], edge.label, renamed[edge.target])
    world = World()
    shapes = Shapes(world)
    one, two = (shapes.shape(*add_host(world, read_host(graph, ""))) for graph in (host, other))
    assert one.certificate == two.certificate
    assert shapes.same(one, two)


@properties(200)
@given(hosts(), hosts())
def test_only_isomorphic_graphs_are_merged(host, other):
    world = World()
    shapes = Shapes(world)
    bits = [add_host(world, read_host(graph, "")) for graph in (host, other)]
    one, two = (shapes.shape(*each) for each in bits)
    plain = [
        ({node for node in range(world.nodes) if nodes >> node & 1}, {tuple(world.edges[i]) for i in each_bit(edges)})
        for nodes, edges in bits
    ]
    assert shapes.same(one, two) is (naive_engine.canonical(plain[0]) == naive_engine.canonical(plain[1]))

"""Graph transformation by brute force, written from the meaning of the labels alone: for small graphs.

A host is a set of nodes and a set of (source, label, target). A rule is a `Graph` in GROOVE's notation with readers,
erasers, creators, embargoes and at most one universal quantifier. Nothing here uses the engine.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product


def roles(rule):
    """The role of every node and of every edge, and the nodes under the quantifier."""
    loops = {node: rule.labels(node) for node in rule.nodes}
    quantifiers = {node for node in rule.nodes if "forall:" in loops[node]}
    role = {}
    for node in rule.nodes:
        named = [label[:-1] for label in loops[node] if label in ("del:", "new:", "not:")]
        role[node] = named[0] if named else "use"
    inner = {edge.source for edge in rule.edges if edge.label == "@" and edge.target in quantifiers}
    edges = []
    for source, label, target in rule.edges:
        if {source, target} & quantifiers or label in ("del:", "new:", "not:"):
            continue
        own, _, text = label.partition(":") if label[:4] in ("del:", "new:", "not:") else ("use", "", label)
        for strong in ("not", "new", "del"):
            if own == "use" and strong in (role[source], role[target]):
                own = strong
        edges.append((own, source, text, target))
    return {node: each for node, each in role.items() if node not in quantifiers}, edges, inner


def assignments(nodes, host):
    for images in product(sorted(host[0]), repeat=len(nodes)):
        yield dict(zip(nodes, images, strict=True))


def there(edges, found, host):
    return all((found[one], label, found[other]) in host[1] for one, label, other in edges)


def parts(nodes, edges):
    """The parts of an embargo that hang together by its own nodes."""
    groups = [({node}, []) for node in nodes]
    for edge in edges:
        mine = [group for group in groups if group[0] & {edge[0], edge[2]}]
        whole = (set().union(*(group[0] for group in mine)), [edge, *(each for group in mine for each in group[1])])
        groups = [group for group in groups if group not in mine] + [whole]
    return groups


def level(rule, host, inside, outer):
    """The matches of a level: the nodes inside or outside of the quantifier, given those of the outer level."""
    role, edges, inner = roles(rule)
    mine = [node for node in role if (node in inner) is inside]
    lhs = [node for node in mine if role[node] in ("use", "del")]
    nots = [node for node in mine if role[node] == "not"]

    def belongs(source, target):
        return bool({source, target} & inner) is inside

    needed = [(one, label, other) for own, one, label, other in edges if own in ("use", "del") and belongs(one, other)]
    forbidden = [(one, label, other) for own, one, label, other in edges if own == "not" and belongs(one, other)]
    for images in assignments(lhs, host):
        found = {**outer, **images}
        if not there(needed, found, host):
            continue
        if any(
            there(group, {**found, **more}, host)
            for members, group in parts(nots, forbidden)
            for more in assignments(sorted(members), host)
        ):
            continue
        yield found


def touched(role, edges):
    """The edges that are made or taken; those that go with a node that is taken are no matter of their own."""
    return [
        (one, other)
        for own, one, _, other in edges
        if own == "new" or (own == "del" and "del" not in (role[one], role[other]))
    ]


def anchors(rule, found, inside):
    """What tells one application from another, in one level."""
    role, edges, inner = roles(rule)
    names = {node for node in role if role[node] == "del" and (node in inner) is inside}
    for one, other in touched(role, edges):
        if bool({one, other} & inner) is inside:
            names |= {one, other}
    return tuple(sorted((name, found[name]) for name in names if name in found))


def successors(rule, host):
    """The graphs that a rule leads to, one for each event."""
    role, edges, inner = roles(rule)
    events = {}
    for found in level(rule, host, False, {}):
        matches = list(level(rule, host, True, found)) if inner else []
        under = {end for pair in touched(role, edges) if set(pair) & inner for end in pair}
        outer = {*anchors(rule, found, False), *((name, found[name]) for name in under if name in found)}
        does = any(role[node] in ("del", "new") for node in inner if node in role) or bool(under)
        # a quantifier does something for each of its matches, though some of them may touch the same
        within = Counter(anchors(rule, match, True) for match in matches if does)
        events.setdefault(
            (frozenset(outer), frozenset(within.items())), applied(rule, role, edges, inner, host, found, matches)
        )
    return list(events.values())


def applied(rule, role, edges, inner, host, found, matches):
    nodes, triples = set(host[0]), set(host[1])
    gone = {found[node] for node in role if role[node] == "del" and node not in inner}
    new = {node: ("new", node) for node in role if role[node] == "new" and node not in inner}
    images = [({**found, **new}, False)]
    for number, match in enumerate(matches):
        gone |= {match[node] for node in role if role[node] == "del" and node in inner}
        mine = {node: ("new", number, node) for node in role if role[node] == "new" and node in inner}
        images.append(({**new, **match, **mine}, True))
    erased, made = set(), set()
    for image, inside in images:
        for own, one, label, other in edges:
            if own in ("del", "new") and bool({one, other} & inner) is inside:
                (erased if own == "del" else made).add((image[one], label, image[other]))
        nodes |= {node for name, node in image.items() if role[name] == "new" and (name in inner) is inside}
    triples = (triples - erased) | made
    nodes -= gone
    return nodes, {(one, label, other) for one, label, other in triples if one in nodes and other in nodes}


def canonical(host):
    """A form that isomorphic graphs share: the least of all ways to number the nodes."""
    nodes = list(host[0])
    return (
        len(nodes),
        min(
            tuple(sorted((order[nodes.index(one)], label, order[nodes.index(other)]) for one, label, other in host[1]))
            for order in permutations(range(len(nodes)))
        ),
    )

"""Applying a match: what is taken goes, what is made comes, and where both are said of one edge it stays."""

from __future__ import annotations

from collections.abc import Hashable

from pentad.grammar.matching.finder import Match, Part
from pentad.grammar.matching.host import World, bits
from pentad.grammar.rules.rule import Level, Made


class Effects:
    """Applies matches in one world, and remembers which new nodes it gave to which event.

    An event that happens again where its new nodes are not in use makes the same ones, so that without a check for
    isomorphism too equal histories lead to equal graphs.
    """

    def __init__(self, world: World, keeps_dangling: bool = True) -> None:
        self.world, self.keeps_dangling = world, keeps_dangling
        self._made: dict[Hashable, list[int]] = {}
        # of the last match: its new nodes, by the variables of its outermost level, and what merged nodes became
        self.last_created: dict[int, int] = {}
        self.last_merged: dict[int, int] = {}

    def new_nodes(self, event: Hashable, count: int, nodes: int) -> list[int]:
        """As many nodes that are not in use as an event makes; the same ones as before if they are free."""
        known = self._made.setdefault(event, [])
        free = [node for node in known if not nodes >> node & 1][:count]
        while len(free) < count:
            known.append(self.world.new_node())
            free.append(known[-1])
        return free

    def apply(self, match: Match, nodes: int, edges: int) -> tuple[int, int] | None:
        """The graph after a match; None where it may not be applied as edges would be left without an end."""
        rule, world, self.last_merged = match.rule, self.world, {}
        if len(match.parts) == 1 and not (rule.root.created_nodes or rule.root.erased_nodes or rule.root.merged):
            return nodes, self._exchange(rule.root, match.parts[0].found, edges)
        images = self._images(match, nodes)
        self.last_created = {variable: images[0][variable] for variable in rule.root.created_nodes}
        taken_nodes = taken = made = 0
        merged: list[tuple[int, int]] = []
        for part, image in zip(match.parts, images, strict=True):
            level = rule.levels[part.level]
            for variable in level.erased_nodes:
                taken_nodes |= 1 << image[variable]
            for each in level.erased:
                taken |= 1 << self._edge(each, image)
            for each in level.created:
                made |= 1 << self._edge(each, image)
            for variable in level.created_nodes:
                nodes |= 1 << image[variable]
            merged += [(image[one], image[other]) for one, other in level.merged]
        for node in bits(taken_nodes & nodes):
            at_node = world.at_node.get(node, 0)
            if not self.keeps_dangling and (edges & at_node & ~taken & ~self._goes_along(node)):
                return None
            taken |= at_node & edges
            made &= ~at_node
        nodes, edges = nodes & ~taken_nodes, (edges & ~taken) | made
        return self._merge(merged, taken_nodes, nodes, edges) if merged else (nodes, edges)

    def _exchange(self, level: Level, found: tuple[object, ...], edges: int) -> int:
        """The edges after a rule that takes and makes edges alone."""
        for each in level.erased:
            edges &= ~(1 << self._edge(each, found))  # type: ignore[arg-type]
        for each in level.created:
            edges |= 1 << self._edge(each, found)  # type: ignore[arg-type]
        return edges

    def _edge(self, each: Made, image: list[int] | tuple[int, ...]) -> int:
        label = each.label if each.variable is None else str(image[each.variable])
        return self.world.edge(image[each.source], label, image[each.target])

    def _goes_along(self, node: int) -> int:
        """The bits of what is said of a node alone, and of its attributes, which go with it."""
        mine = 0
        for number in bits(self.world.at_node.get(node, 0)):
            source, label, target = self.world.edges[number]
            if target in self.world.values or (source == target and label.startswith(("type:", "flag:"))):
                mine |= 1 << number
        return mine

    def _images(self, match: Match, nodes: int) -> list[list[int]]:
        """What each part's variables stand for, new nodes too."""
        images: list[list[int]] = []
        for part in match.parts:
            image: list[int] = list(part.found)  # type: ignore[arg-type]
            created = self._created_above(match, part, images)
            for variable, node in created:
                image[variable] = node
            level = match.rule.levels[part.level]
            if level.created_nodes:
                key = (match.rule.name, part.level, tuple(image[v] for v in level.anchors), match.event)
                for variable, node in zip(
                    level.created_nodes, self.new_nodes(key, len(level.created_nodes), nodes), strict=True
                ):
                    image[variable] = node
                    nodes |= 1 << node
            images.append(image)
        return images

    def _created_above(self, match: Match, part: Part, images: list[list[int]]) -> list[tuple[int, int]]:
        if part.within < 0:
            return []
        above = match.parts[part.within]
        inherited = self._created_above(match, above, images)
        return inherited + [(v, images[part.within][v]) for v in match.rule.levels[above.level].created_nodes]

    def _merge(self, merged: list[tuple[int, int]], taken: int, nodes: int, edges: int) -> tuple[int, int]:
        """Make one node of each group of merged ones; a group of which one is taken goes with it."""
        stands: dict[int, int] = {}

        def stand(node: int) -> int:
            while node in stands:
                node = stands[node]
            return node

        for one, other in merged:
            low, high = sorted((stand(one), stand(other)))
            if low != high:
                stands[high] = low
        gone = {stand(node) for node in bits(taken)}
        for node in {*stands, *stands.values()}:
            if stand(node) in gone:
                edges &= ~self.world.at_node.get(node, 0)
                nodes &= ~(1 << node)
        for node in stands:
            to = self.last_merged[node] = stand(node)
            if to in gone:
                continue
            for number in bits(edges & self.world.at_node.get(node, 0)):
                source, label, target = self.world.edges[number]
                edges &= ~(1 << number)
                edges |= 1 << self.world.edge(to if source == node else source, label, to if target == node else target)
            nodes &= ~(1 << node)
        return nodes, edges

"""Application of matches: deletes and creates nodes and edges; an edge that is both deleted and created stays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

from pentad.grammar.host import World, bits, mask_of
from pentad.grammar.language.labels import is_type
from pentad.grammar.language.values import AttributeValue
from pentad.grammar.matching.matcher import LevelMatch, Match
from pentad.grammar.rules.rule import EdgeEffect, Rule, RuleParameter

Oracle: TypeAlias = Callable[[Rule, RuleParameter], AttributeValue]  # supplies the value of a parameter
Image: TypeAlias = "list[int] | tuple[int, ...]"


class Merged(NamedTuple):
    """Merged nodes: the representative of each, and those that are deleted with their group."""

    representatives: Mapping[int, int]
    deleted: frozenset[int]

    def image(self, node: int) -> int | None:
        return None if node in self.deleted else self.representatives.get(node, node)


class Effects:
    """Applies matches in one world; new nodes and copies of edges are cached by event.

    An event that recurs reuses the nodes and edges that it created before, if they are free. So equal histories lead
    to equal graphs even without isomorphism checks. `above` maps each type of the type graph to its supertypes, itself
    included: merged nodes keep the most specific type.
    """

    def __init__(
        self, world: World, above: Mapping[str, AbstractSet[str]] | None = None, oracle: Oracle | None = None
    ) -> None:
        self.world, self.above, self.oracle = world, above or {}, oracle
        self.created: dict[Hashable, list[int]] = {}
        # of the last match: its new nodes and the oracle's answers, by the variables of its outermost level, and what
        # merged nodes became
        self.last_created: dict[int, int] = {}
        self.last_answers: dict[int, int] = {}
        self.last_merged: dict[int, int] = {}

    def new_nodes(self, event: Hashable, count: int, nodes: int, first: int = 0) -> tuple[list[int], int]:
        """Returns unused nodes for an event, those that it created before if they are free.

        The search among those nodes begins at index `first`; the index at which to continue is returned too.
        """
        known = self.created.setdefault(event, [])
        free: list[int] = []
        while len(free) < count:
            if first == len(known):
                known.append(self.world.new_node())
            if not nodes >> known[first] & 1:
                free.append(known[first])
            first += 1
        return free, first

    def _new_copy(self, event: Hashable, source: int, label: str, target: int, edges: int) -> int:
        """An unused copy of an edge; the same as before if it is free."""
        known = self.created.setdefault((event, source, label, target), [])
        for number in known:
            if not edges >> number & 1:
                return number
        known.append(self.world.copy(source, label, target))
        return known[-1]

    def apply(self, match: Match, nodes: int, edges: int, answers: Mapping[int, int] | None = None) -> tuple[int, int]:
        """Returns the graph after a match; the oracle supplies values that are not among the answers."""
        rule, self.last_merged, self.last_answers = match.rule, {}, {}
        root, asks = rule.root, any(each.from_oracle for each in rule.parameters)
        if len(match.parts) == 1 and not (root.created_nodes or root.erased_nodes or root.merged or asks):
            self.last_created = {}
            if not rule.parallel:
                for each in root.erased:
                    edges &= ~(1 << self._edge(each, match.found))  # type: ignore[arg-type]
                for each in root.created:
                    edges |= 1 << self._edge(each, match.found)  # type: ignore[arg-type]
                return nodes, edges
        images = self._images(match, nodes, answers or {})
        self.last_created = {variable: images[0][variable] for variable in root.created_nodes}
        self.last_answers = {each.variable: images[0][each.variable] for each in rule.parameters if each.from_oracle}
        self.last_created |= self.last_answers
        deleted_nodes = deleted = 0
        created: dict[int, None] = {}
        merged: list[tuple[int, int]] = []
        for part, image in zip(match.parts, images, strict=True):
            level = rule.levels[part.level]
            for variable in level.erased_nodes:
                deleted_nodes |= 1 << image[variable]
            for each in level.erased:
                deleted |= 1 << (self._edge(each, image) if each.copy is None else image[each.copy])
            for variable in level.created_nodes:
                nodes |= 1 << image[variable]
            for place, each in enumerate(level.created):
                number = self._copy(match, part, place, image, edges) if rule.parallel else self._edge(each, image)
                created[number] = None
            merged += [(image[one], image[other]) for one, other in level.merged]
        if merged:
            return self._merge(match, merged, deleted_nodes, nodes, edges, deleted, created)
        dangling = 0
        for node in bits(deleted_nodes):
            dangling |= self.world.edges_at(node)
        edges &= ~(deleted | dangling)
        for number in created:
            if not dangling >> number & 1:
                edges |= 1 << number
        return nodes & ~deleted_nodes, edges

    def _ends(self, each: EdgeEffect, image: Image) -> tuple[int, str, int]:
        label = each.label if each.variable is None else str(image[each.variable])
        return image[each.source], label, image[each.target]

    def _edge(self, each: EdgeEffect, image: Image) -> int:
        return self.world.edge(*self._ends(each, image))

    def _copy(self, match: Match, part: LevelMatch, place: int, image: Image, edges: int) -> int:
        """A copy of a created edge; each event has its own copy, so that equal events create the same."""
        level = match.rule.levels[part.level]
        source, label, target = self._ends(level.created[place], image)
        if is_type(label):
            return self.world.edge(source, label, target)
        event = (match.rule.name, part.level, place, tuple(image[v] for v in level.anchors))
        return self._new_copy(event, source, label, target, edges)

    def _images(self, match: Match, nodes: int, answers: Mapping[int, int]) -> list[list[int]]:
        """The images of each part's variables, including new nodes and the oracle's values."""
        images: list[list[int]] = []
        places: dict[Hashable, int] = {}  # equal events within one match share a list of nodes
        for part in match.parts:
            image: list[int] = list(part.found)  # type: ignore[arg-type]
            if part.within < 0:
                for parameter in match.rule.parameters:
                    if parameter.from_oracle and parameter.variable in answers:
                        image[parameter.variable] = answers[parameter.variable]
                    elif parameter.from_oracle:
                        assert self.oracle is not None
                        image[parameter.variable] = self.world.value(self.oracle(match.rule, parameter))
            for variable, node in self._created_above(match, part, images):
                image[variable] = node
            level = match.rule.levels[part.level]
            if level.created_nodes:
                key = (match.rule.name, part.level, tuple(image[v] for v in level.anchors), match.event)
                new, places[key] = self.new_nodes(key, len(level.created_nodes), nodes, places.get(key, 0))
                for variable, node in zip(level.created_nodes, new, strict=True):
                    image[variable] = node
            images.append(image)
        return images

    def _created_above(self, match: Match, part: LevelMatch, images: list[list[int]]) -> list[tuple[int, int]]:
        """The new nodes of the enclosing parts, and the oracle's values."""
        if part.within < 0:
            return []
        above = match.parts[part.within]
        variables = list(match.rule.levels[above.level].created_nodes)
        if above.within < 0:
            variables += [each.variable for each in match.rule.parameters if each.from_oracle]
        return self._created_above(match, above, images) + [(v, images[part.within][v]) for v in variables]

    # ── merging ──────────────────────────────────────────────────────────────────────────────────

    def _merge(
        self,
        match: Match,
        pairs: list[tuple[int, int]],
        deleted_nodes: int,
        nodes: int,
        edges: int,
        deleted: int,
        created: Mapping[int, None],
    ) -> tuple[int, int]:
        """Returns the graph with groups of nodes merged; a group with a deleted node is deleted.

        An edge that is moved onto an existing edge does not change it: if that edge is deleted, it stays deleted.
        """
        merged = self._groups(pairs, deleted_nodes, edges | mask_of(created))
        self.last_merged = {node: to for node, to in merged.representatives.items() if node not in merged.deleted}
        away = mask = 0
        for node in {*merged.representatives, *merged.deleted}:
            away |= 1 << node
            mask |= self.world.edges_at(node)
        after = edges & ~deleted & ~mask
        moved = [(number, False) for number in bits(edges & ~deleted & mask)]
        for number, is_new in [*moved, *((number, True) for number in created)]:
            image = self._moved(match, number, merged, edges)
            if image is None:
                continue
            if not edges >> image & 1 or (is_new and deleted >> number & 1) or (image == number and not is_new):
                after |= 1 << image
        return nodes & ~away, self._specific(merged, after)

    def _groups(self, pairs: list[tuple[int, int]], deleted_nodes: int, edges: int) -> Merged:
        """Groups merged nodes: the first of a pair stays, or the second if its type is a subtype of the first's."""
        representatives: dict[int, int] = {}

        def representative(node: int) -> int:
            while node in representatives:
                node = representatives[node]
            return node

        for one, other in pairs:
            kept, dropped = representative(one), representative(other)
            if kept == dropped:
                continue
            if self.above and self._is_under(dropped, kept, edges):
                kept, dropped = dropped, kept
            representatives[dropped] = kept
        ends = {node: representative(node) for node in representatives}
        deleted_groups = {representative(node) for node in bits(deleted_nodes)}
        members = {*ends, *ends.values(), *bits(deleted_nodes)}
        return Merged(ends, frozenset(node for node in members if representative(node) in deleted_groups))

    def _is_under(self, one: int, other: int, edges: int) -> bool:
        """Whether a node has a subtype of another node's type."""
        above = {wide for label in self._types(one, edges) for wide in self.above.get(label, {label}) if wide != label}
        return any(label in above for label in self._types(other, edges))

    def _types(self, node: int, edges: int) -> dict[str, int]:
        """The types of a node, with the numbers of their edges."""
        every = self.world.edges
        mine = bits(edges & self.world.edges_at(node))
        return {every[number].label: number for number in mine if is_type(every[number].label)}

    def _moved(self, match: Match, number: int, merged: Merged, edges: int) -> int | None:
        """An edge with its ends replaced by their representatives."""
        source, label, target = self.world.edges[number]
        one, other = merged.image(source), merged.image(target)
        if one is None or other is None:
            return None
        if (one, other) == (source, target):
            return number
        if match.rule.parallel and not is_type(label):
            return self._new_copy(("merged", number), one, label, other, edges)
        return self.world.edge(one, label, other)

    def _specific(self, merged: Merged, edges: int) -> int:
        """The edges without types that have a subtype at the same node."""
        if not self.above:
            return edges
        for node in set(merged.representatives.values()) - merged.deleted:
            types = self._types(node, edges)
            for label, number in types.items():
                if any(other != label and label in self.above.get(other, ()) for other in types):
                    edges &= ~(1 << number)
        return edges

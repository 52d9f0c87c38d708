"""A grammar: start graphs, rules, type graphs, control programs and properties, as a person wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pentad.grammar.graph import GrammarError, Graph

# What GROOVE takes where a property is not set.
USUAL: Mapping[str, str] = {
    "checkIsomorphism": "true",
    "matchInjective": "false",
    "checkDangling": "false",
    "checkCreatorEdges": "false",
    "rhsIsNAC": "false",
    "loopsAsLabels": "true",
    "transitionParameters": "some",
    "algebraFamily": "default",
    "typePolicy": "error",
    "deadlockPolicy": "",
}


@dataclass(slots=True)
class Grammar:
    """Everything by its qualified name (`sub.rule`); controls are programs' texts.

    >>> Grammar.load("ferry.gps")  # doctest: +SKIP
    """

    name: str = "grammar"
    graphs: dict[str, Graph] = field(default_factory=dict)  # start graphs and other hosts
    rules: dict[str, Graph] = field(default_factory=dict)
    types: dict[str, Graph] = field(default_factory=dict)
    controls: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    others: dict[str, bytes] = field(default_factory=dict)  # files of other kinds, by path, kept as they are

    @classmethod
    def load(cls, path: str | Path) -> Grammar:
        """Read a folder of GROOVE's files (`.gps`)."""
        from pentad.grammar.files.gps import load

        return load(Path(path))

    def save(self, path: str | Path) -> None:
        """Write a folder of GROOVE's files."""
        from pentad.grammar.files.gps import save

        save(self, Path(path))

    def asks(self, name: str) -> str:
        """A property, or what GROOVE takes where it is not set."""
        return self.properties.get(name, USUAL.get(name, ""))

    def is_on(self, name: str) -> bool:
        return self.asks(name).strip().lower() == "true"

    def chosen(self, name: str) -> list[str]:
        """The names in a property that lists some: `startGraph`, `controlProgram`, `typeGraph`."""
        return self.asks(name).split()

    @property
    def start(self) -> Graph:
        """The start graph; several that are chosen are put side by side."""
        names = self.chosen("startGraph") or ["start"]
        for name in names:
            if name not in self.graphs:
                raise GrammarError(f"No start graph {name!r}. Graphs: {', '.join(self.graphs) or 'none'}.", self.name)
        if len(names) == 1:
            return self.graphs[names[0]]
        whole = Graph("_".join(names))
        for name in names:
            part = self.graphs[name]
            renamed = {node: whole.node(name=f"{name}:{node}", at=place) for node, place in part.nodes.items()}
            for edge in part.edges:
                whole.edge(renamed[edge.source], edge.label, renamed[edge.target])
        return whole

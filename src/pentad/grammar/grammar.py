"""A grammar as written: start graphs, rules, type graphs, control programs and properties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pentad.grammar.graph import GrammarError, Graph

# GROOVE's defaults of properties that are not set.
DEFAULTS: Mapping[str, str] = {
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
    """The parts of a grammar by qualified name (`sub.rule`); controls are the texts of programs.

    >>> Grammar.load("ferry.gps")  # doctest: +SKIP
    """

    name: str = "grammar"
    graphs: dict[str, Graph] = field(default_factory=dict)  # start graphs and other hosts
    rules: dict[str, Graph] = field(default_factory=dict)
    types: dict[str, Graph] = field(default_factory=dict)
    controls: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    others: dict[str, bytes] = field(default_factory=dict)  # other files by path, unchanged

    @classmethod
    def load(cls, path: str | Path) -> Grammar:
        """Reads a folder of GROOVE's files (`.gps`)."""
        from pentad.grammar.files.gps import load

        return load(Path(path))

    def save(self, path: str | Path) -> None:
        """Writes a folder of GROOVE's files."""
        from pentad.grammar.files.gps import save

        save(self, Path(path))

    def setting(self, name: str) -> str:
        """The value of a property, or GROOVE's default."""
        return self.properties.get(name, DEFAULTS.get(name, ""))

    def is_on(self, name: str) -> bool:
        return self.setting(name).strip().lower() == "true"

    def chosen(self, name: str) -> list[str]:
        """The names in a property that is a list: `startGraph`, `controlProgram`, `typeGraph`."""
        return self.setting(name).split()

    @property
    def start(self) -> Graph:
        """The start graph; if several are chosen, their disjoint union."""
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

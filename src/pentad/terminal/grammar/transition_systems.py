"""Transition systems that commands of `pentad grammar` work with: explored from a grammar, or read from a file."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pentad.game import GameError, shorten
from pentad.grammar.exploration import Exploration
from pentad.grammar.files.exports import READERS, read
from pentad.grammar.files.prism import weights_of
from pentad.grammar.lts import Lts
from pentad.system.progress import Bar
from pentad.system.words import count, phrase
from pentad.terminal.arguments import CommandParser
from pentad.terminal.grammar import arguments, explore

SUFFIXES = tuple(f".{name}" for name in READERS)
# The options of exploration, which need a grammar, with their defaults.
OF_EXPLORATION: dict[str, object] = {
    "strategy": "bfs", "settings": "", "seed": None, "depth": None, "states": None, "engine": "auto", "iso": None,
    "start": None, "control": None, "python": None,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SystemSource:
    """A transition system, and what to print about it."""

    lts: Lts
    name: str
    lines: list[str]
    data: dict[str, Any]
    actions: Collection[str] | None = None  # the names of a grammar's rules and recipes
    code: int = 0  # the exit code if nothing else decides
    node_names: Mapping[str, str] = field(default_factory=dict)  # a model names its nodes


def add_source(parser: CommandParser, name: str = "source", metavar: str = "GRAMMAR|FILE") -> None:
    parser.add_argument(
        name,
        metavar=metavar,
        help=phrase("grammar (folder, zip or .json), or transition system ({suffixes})", suffixes=", ".join(SUFFIXES)),
    )


def is_system(path: str) -> bool:
    """Whether a path names a file with a transition system, not a grammar."""
    return Path(path).suffix in SUFFIXES and not Path(path).is_dir()


def source_of(args: argparse.Namespace, path: str) -> SystemSource:
    """The system in a file, or that of a grammar, explored with the options of the arguments."""
    if is_system(path):
        return _read(args, path)
    grammar = arguments.read(path)
    system = explore.prepared(args, grammar, arguments.functions_of(args))
    return explored(explore.explored(args, system))


def explored(found: Exploration) -> SystemSource:
    """The system of an exploration; its transitions get the weights of their rules."""
    found.lts.weights = weights_of(found.grammar)
    code = explore.STOPPED if found.stopped == "interrupted" else 0
    lines, data = list(explore.found_lines(found)), explore.found_data(found)
    return SystemSource(
        found.lts, found.grammar.name, lines, data, found.system.names, code, explore.names_of(found.system)
    )


def _read(args: argparse.Namespace, path: str) -> SystemSource:
    given = [name for name, default in OF_EXPLORATION.items() if getattr(args, name, default) != default]
    if given:
        raise GameError(
            "--{given} needs a grammar; {path} is a transition system.", given=given[0], path=shorten(path, 120)
        )
    return read_system(path, args.memory)


def read_system(path: str, memory: int | None = None) -> SystemSource:
    """The system in a file, with a progress bar on a terminal."""
    with Bar("reading") as bar:
        lts = read(arguments.usable(path), memory, lambda done, size: bar.update(done, size))
    line = f"{path}: {count(lts.states, 'state')}, {count(lts.transitions, 'transition')}, {len(lts.final):,} final"
    data = {"file": path, "states": lts.states, "transitions": lts.transitions, "final": len(lts.final)}
    return SystemSource(lts, Path(path).stem, [line], data)


def check_hidden(names: Collection[str], *sources: SystemSource) -> None:
    """Raises an error if a name of `--hide` is not a rule or label of any system."""
    known: dict[str, None] = {}
    for source in sources:
        known |= dict.fromkeys([*(source.actions or ()), *(name for name, _ in source.lts.labels), *source.lts.texts])
    for name in names:
        if name not in known:
            some = f"{', '.join(list(known)[:12])}{', …' * (len(known) > 12)}" or "none"
            raise GameError(
                "--hide: Unknown rule or label {name}. Known: {names}.", name=shorten(repr(name)), names=some
            )

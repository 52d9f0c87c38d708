"""Arguments that the commands of `pentad grammar` share: a grammar, and the names of its parts."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pentad.game import GameError, shorten
from pentad.grammar.files.exports import from_json
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.terminal import streams
from pentad.terminal.arguments import Parser

JSON = ".json"
LARGEST = 256 * 2**20  # bytes of a JSON file

# The kinds of parts of a grammar, by the field of `Grammar`: the noun, and the suffix of its files.
KINDS: Mapping[str, tuple[str, str]] = {
    "graphs": ("graph", ".gst"),
    "rules": ("rule", ".gpr"),
    "types": ("type graph", ".gty"),
    "controls": ("control program", ".gcp"),
}


class Part(NamedTuple):
    """A part of a grammar: its field in `KINDS` and its name."""

    column: str
    name: str

    @property
    def file(self) -> str:
        return self.name + KINDS[self.column][1]


def add_grammar(parser: Parser) -> None:
    parser.add_argument(
        "grammar", metavar="GRAMMAR", help="folder of GROOVE's files (.gps), a zip of one, or a .json file"
    )


def add_json(parser: Parser, what: str = "print one JSON object") -> None:
    parser.add_argument("--json", action="store_true", help=what)


def add_beginning(parser: Parser) -> None:
    parser.add_argument("--start", metavar="G", help="start graph to use instead of the grammar's own")
    parser.add_argument("--control", metavar="P", help="control program to use instead of the grammar's own")


def read(path: str) -> Grammar:
    """The grammar in a folder, a zip or a JSON file."""
    if not path or "\0" in path:
        raise GameError(f"{shorten(repr(path))} is not a folder name.")
    where = Path(path)
    if not where.exists():
        _suggest(path)
    if where.suffix != JSON or where.is_dir():
        return Grammar.load(where)
    try:
        with where.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise GameError(f"The file is larger than {LARGEST >> 20} MiB.")
        return from_json(data.decode())
    except OSError as error:
        raise GameError(f"Cannot read {shorten(path, 120)}: {streams.error_sentence(error)}") from None
    except UnicodeDecodeError:
        raise GameError(f"{shorten(path, 120)} is not UTF-8 text.") from None
    except GameError as error:
        raise GameError(f"{shorten(path, 120)}: {error}") from None


def _suggest(path: str) -> None:
    """Suggest a correction for a missing folder."""
    from pentad.grammar.models import MODELS

    folder = f"{path}.gps"
    if Path(folder).is_dir():
        raise GameError(f"{shorten(path, 120)} does not exist. Did you mean {shorten(folder, 120)}?")
    if path in MODELS:
        raise GameError(f"{path} does not exist. To create {path}.gps, run: pentad grammar new {path}")


def find(grammar: Grammar, text: str) -> Part:
    """The part with a name; the suffix of its file distinguishes parts with the same name."""
    name, suffix = os.path.splitext(text)  # noqa: PTH122  (`sub/rule.gpr` is the rule `sub.rule`)
    for column, (_, its) in KINDS.items():
        if suffix == its and (called := name.replace("/", ".")) in getattr(grammar, column):
            return Part(column, called)
    found = [Part(column, text) for column in KINDS if text in getattr(grammar, column)]
    if len(found) > 1:
        raise GameError(f"{shorten(repr(text))} is ambiguous: {' or '.join(part.file for part in found)}.")
    if not found:
        raise GameError(f"Unknown part {shorten(repr(text))}. The parts of the grammar are: {_parts(grammar)}.")
    return found[0]


def _parts(grammar: Grammar) -> str:
    files = [Part(column, name).file for column in KINDS for name in getattr(grammar, column)]
    return f"{', '.join(files[:20])}{', …' * (len(files) > 20)}" or "none"


def graph_of(grammar: Grammar, part: Part) -> Graph:
    """A part that is a graph."""
    graph: Graph = getattr(grammar, part.column)[part.name]
    return graph


def start_of(args: argparse.Namespace, grammar: Grammar) -> Graph | None:
    """The graph that `--start` names; None for the grammar's own choice."""
    if args.start is None:
        return None
    name = args.start.removesuffix(KINDS["graphs"][1])
    if name not in grammar.graphs:
        known = ", ".join(grammar.graphs) or "none"
        raise GameError(f"--start: Unknown graph {shorten(repr(args.start))}. The graphs are: {known}.")
    return grammar.graphs[name]


def control_of(args: argparse.Namespace, grammar: Grammar) -> str | None:
    """The control program that `--control` names; None for the grammar's own choice."""
    if args.control is None:
        return None
    name: str = args.control.removesuffix(KINDS["controls"][1])
    if name not in grammar.controls:
        known = ", ".join(grammar.controls) or "none"
        raise GameError(f"--control: Unknown control program {shorten(repr(args.control))}. The programs are: {known}.")
    return name

"""What the commands of `pentad grammar` share: a grammar, the names of its parts, functions, and files to write.

`--python FILE` names a Python file that defines `operations`, `filters` and `oracle` for a grammar. Nothing is
replaced without `--force`.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from pentad.game import GameError, shorten
from pentad.grammar.files.exports import folder_of, from_json
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.language.user_operations import failed
from pentad.grammar.oracles import OracleFunction
from pentad.grammar.system import Filter
from pentad.system.files import replacing
from pentad.system.words import phrase
from pentad.terminal import files, streams
from pentad.terminal.arguments import CommandParser

JSON = ".json"
MAX_JSON_BYTES = 256 * 2**20
FUNCTIONS = ("operations", "filters", "oracle")  # the names that a Python file may define

# The kinds of parts of a grammar, by the field of `Grammar`: the noun, and the suffix of its files.
KINDS: Mapping[str, tuple[str, str]] = {
    "graphs": ("graph", ".gst"),
    "rules": ("rule", ".gpr"),
    "types": ("type graph", ".gty"),
    "controls": ("control program", ".gcp"),
}


class GrammarPart(NamedTuple):
    """A part of a grammar: its field in `KINDS` and its name."""

    column: str
    name: str

    @property
    def file(self) -> str:
        return self.name + KINDS[self.column][1]


def add_grammar(parser: CommandParser) -> None:
    parser.add_argument(
        "grammar", metavar="GRAMMAR", help="folder of GROOVE's files (.gps), a zip of one, or a .json file"
    )


def add_json(parser: CommandParser, what: str = "print JSON") -> None:
    parser.add_argument("--json", action="store_true", help=what)


def add_beginning(parser: CommandParser) -> None:
    parser.add_argument("--start", metavar="G", help="start graph to use instead of the grammar's own")
    parser.add_argument("--control", metavar="P", help="control program to use instead of the grammar's own")


def read(path: str) -> Grammar:
    """The grammar in a folder, a zip or a JSON file."""
    if not path or "\0" in path:
        raise GameError("{path} is not a folder name.", path=shorten(repr(path)))
    where = Path(path)
    if not where.exists():
        _suggest(path)
    if where.suffix != JSON or where.is_dir():
        return Grammar.load(where)
    try:
        with where.open("rb") as file:
            data = file.read(MAX_JSON_BYTES + 1)
        if len(data) > MAX_JSON_BYTES:
            raise GameError("The file is larger than {largest} MiB.", largest=MAX_JSON_BYTES >> 20)
        return from_json(data.decode())
    except OSError as error:
        raise GameError(
            "Cannot read {path}: {reason}",
            path=shorten(path, 120),
            reason=streams.error_sentence(error),
        ) from None
    except UnicodeDecodeError:
        raise GameError("{path} is not UTF-8 text.", path=shorten(path, 120)) from None
    except GameError as error:
        raise GameError(f"{shorten(path, 120)}: {error}") from None


def _suggest(path: str) -> None:
    """Suggest a correction for a missing folder."""
    from pentad.grammar.models import MODELS

    folder = f"{path}.gps"
    if Path(folder).is_dir():
        raise GameError(
            "{path} does not exist. Did you mean {folder}?", path=shorten(path, 120), folder=shorten(folder, 120)
        )
    if path in MODELS:
        raise GameError("{path} does not exist. To create {path}.gps, run: pentad grammar new {path}", path=path)


def find(grammar: Grammar, text: str) -> GrammarPart:
    """The part with a name; the suffix of its file distinguishes parts with the same name."""
    name, suffix = os.path.splitext(text)  # noqa: PTH122  (`sub/rule.gpr` is the rule `sub.rule`)
    for column, (_, its) in KINDS.items():
        if suffix == its and (called := name.replace("/", ".")) in getattr(grammar, column):
            return GrammarPart(column, called)
    found = [GrammarPart(column, text) for column in KINDS if text in getattr(grammar, column)]
    if len(found) > 1:
        raise GameError(
            "{text} is ambiguous: {found}.", text=shorten(repr(text)), found=" or ".join(part.file for part in found)
        )
    if not found:
        files = [GrammarPart(column, name).file for column in KINDS for name in getattr(grammar, column)]
        known = f"{', '.join(files[:20])}{', …' * (len(files) > 20)}" or "none"
        raise GameError(
            "Unknown part {text}. The parts of the grammar are: {known}.", text=shorten(repr(text)), known=known
        )
    return found[0]


def graph_of(grammar: Grammar, part: GrammarPart) -> Graph:
    """A part that is a graph."""
    graph: Graph = getattr(grammar, part.column)[part.name]
    return graph


def start_of(args: argparse.Namespace, grammar: Grammar) -> Graph | None:
    """The graph that `--start` names; None for the grammar's own choice."""
    name = _named("--start", args.start, grammar, "graphs", "graphs")
    return None if name is None else grammar.graphs[name]


def control_of(args: argparse.Namespace, grammar: Grammar) -> str | None:
    """The control program that `--control` names; None for the grammar's own choice."""
    return _named("--control", args.control, grammar, "controls", "programs")


def _named(flag: str, text: str | None, grammar: Grammar, column: str, several: str) -> str | None:
    if text is None:
        return None
    noun, suffix = KINDS[column]
    name, parts = text.removesuffix(suffix), getattr(grammar, column)
    if name not in parts:
        known = ", ".join(parts) or "none"
        raise GameError(
            "{flag}: Unknown {noun} {text}. The {plural} are: {known}.",
            flag=flag,
            noun=noun,
            text=shorten(repr(text)),
            plural=several,
            known=known,
        )
    return name


# ── functions ────────────────────────────────────────────────────────────────────────────────────


class Functions(TypedDict):
    """The functions that `explore`, `prepare` and `Simulation` accept."""

    operations: Sequence[Callable[..., Any]]
    filters: Mapping[str, Filter]
    oracle: OracleFunction | None


def add_functions(parser: CommandParser) -> None:
    parser.add_argument(
        "--python",
        metavar="FILE",
        help="Python file to run, which defines operations, filters and oracle for the grammar",
    )


def functions_of(args: argparse.Namespace) -> Functions:
    """The functions that the file of `--python` defines; none without it."""
    if args.python is None:
        return Functions(operations=(), filters={}, oracle=None)
    path, shown = Path(args.python), shorten(str(Path(args.python)), 120)
    names = _run(path, shown)
    if not any(name in names for name in FUNCTIONS):
        raise GameError("{file} defines neither operations, filters nor oracle.", file=shown)
    operations, filters, oracle = (names.get(name) for name in FUNCTIONS)
    if not isinstance(operations, list | tuple | None) or not all(map(callable, operations or ())):
        raise GameError("{file}: operations must be a list of functions and classes.", file=shown)
    if not isinstance(filters, dict | None) or not all(map(callable, (filters or {}).values())):
        raise GameError(
            "{file}: filters must be a dictionary of functions, with the names that rules use as keys.", file=shown
        )
    if oracle is not None and not callable(oracle):
        raise GameError("{file}: oracle must be a function of a rule's name and a type.", file=shown)
    return Functions(operations=operations or (), filters=filters or {}, oracle=oracle)


def _run(path: Path, shown: str) -> dict[str, Any]:
    """Run a file and return the names that it defines."""
    spec = importlib.util.spec_from_file_location(f"pentad_functions_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise GameError("{file} is not a Python file (.py).", file=shown)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # annotations of classes are looked up there
    try:
        spec.loader.exec_module(module)
    except OSError as error:
        raise GameError("Cannot read {file}: {reason}", file=shown, reason=streams.error_sentence(error)) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == spec.origin]
        where = f", line {lines[-1]}" if lines else ""
        raise GameError(f"{shown}{where}: {failed(error)}") from None
    return vars(module)


# ── files to write ───────────────────────────────────────────────────────────────────────────────


def add_force(parser: CommandParser) -> None:
    parser.add_argument("--force", action="store_true", help="replace existing files")


def write_folder(grammar: Grammar, path: str | None, *, force: bool) -> dict[str, Any]:
    """Write a grammar's folder: a new or empty one or, with `force`, one that holds a grammar; return a summary.

    Without a path, the folder has the grammar's name.
    """
    path = folder_of(grammar) if path is None else path
    folder = usable(path)
    with files.writing(path):
        if folder.exists() and not folder.is_dir():
            raise GameError("{path} is a file. Expected a folder.", path=shorten(path, 120))
        if folder.is_dir() and any(folder.iterdir()) and not force:
            raise files.ExistsAlready(
                phrase("{path} already exists. Use --force to replace it if it is a grammar.", path=shorten(path, 120))
            )
        grammar.save(folder)
    return {"folder": path, "rules": len(grammar.rules), "graphs": len(grammar.graphs)}


def usable(path: str) -> Path:
    """The path of an argument."""
    if not path or "\0" in path:
        raise GameError("{path} is not a file name.", path=shorten(repr(path)))
    return Path(path)


def check_new(path: str, *, force: bool) -> Path:
    """A file in an existing folder that does not exist, or may be replaced."""
    usable(path)
    file = files.check_new(path, force=force)
    if not file.parent.is_dir():
        raise GameError(
            "Cannot write {path}: There is no folder {parent}.",
            path=shorten(path, 120),
            parent=shorten(str(file.parent)),
        )
    return file


def write_bytes(path: str, data: bytes, *, force: bool) -> None:
    """Write a file atomically."""
    file = check_new(path, force=force)
    with files.writing(path), replacing(file) as out:
        out.write(data)

"""A grammar as written: start graphs, rules, type graphs, control programs and properties; and its files.

A grammar is a folder `name.gps`, or a zip of one. Graphs (`.gst`), rules (`.gpr`) and types (`.gty`) are GXL, control
programs (`.gcp`) are text, `system.properties` has the settings; `sub/rule.gpr` is the rule `sub.rule`. Other files are
kept unchanged. Names that start with a dot, and grammars nested in another, do not belong to a grammar: they are
neither read nor touched.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from pentad.grammar.files import gxl
from pentad.grammar.graph import GrammarError, Graph
from pentad.system.files import replacing
from pentad.system.words import phrase

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
# Properties of pentad's own, which GROOVE keeps: what a game is (see `games`).
GAME = {name: f"game{name.capitalize()}" for name in ("players", "turn", "won", "stuck")}


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
        """Reads a folder of GROOVE's files (`.gps`), or a zip of one."""
        path = Path(path)
        with _errors_named(path.name):
            name = Path(os.path.abspath(path)).name  # noqa: PTH100  (resolves `.` but not links)
            name, files = _in_zip(path, name) if path.is_file() else (name, _in_folder(path))
        return from_files(name.removesuffix(GRAMMAR), files)

    def save(self, path: str | Path) -> None:
        """Writes a folder of GROOVE's files; obsolete files of the grammar are removed, other files are kept."""
        path, files = Path(path), to_files(self)
        with _errors_named(path.name):
            if path.suffix == ".zip" or (path.exists() and not path.is_dir()):
                raise GrammarError("The target of a grammar must be a folder.", path.name)
            existing = _paths(path) if path.exists() else []
            if path.exists() and any(path.iterdir()) and not _is_grammar(path, existing):
                raise GrammarError("This folder is neither empty nor a grammar.", path.name)
            for name in files:
                if not Path(os.path.realpath(path / name)).is_relative_to(os.path.realpath(path)):
                    raise GrammarError("This link leads out of the grammar.", name)
            path.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            with _errors_named(name):
                file = path / name
                file.parent.mkdir(parents=True, exist_ok=True)
                if not (file.is_file() and file.stat().st_size == len(data) and file.read_bytes() == data):
                    with replacing(file) as out:
                        out.write(data)
        for name in _obsolete(self, existing, files):
            with _errors_named(name):
                (path / name).unlink(missing_ok=True)
                for folder in [path / part for part in PurePosixPath(name).parents][:-1]:
                    with contextlib.suppress(OSError):  # it has other files
                        folder.rmdir()

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
                raise GrammarError(
                    phrase(
                        "No start graph {name!r}. Graphs: {graphs}.", name=name, graphs=", ".join(self.graphs) or "none"
                    ),
                    self.name,
                )
        if len(names) == 1:
            return self.graphs[names[0]]
        whole = Graph("_".join(names))
        for name in names:
            part = self.graphs[name]
            renamed = {node: whole.node(name=f"{name}:{node}", at=place) for node, place in part.nodes.items()}
            for edge in part.edges:
                whole.edge(renamed[edge.source], edge.label, renamed[edge.target])
        return whole


MAX_FILE_BYTES = 64 * 2**20
MAX_GRAMMAR_BYTES = 256 * 2**20
MAX_FILES = 20_000
MAX_FOLDER_DEPTH = 50
MAX_NAME_BYTES = 240  # there is space for a suffix

ENCRYPTED = 1  # bit in the flags of a zip's entry

GRAMMAR = ".gps"
SETTINGS = "system.properties"
CONTROL = ".gcp"
LAYOUT = ".gl"  # layout file of older versions, next to the graph's file: `rule.gpr.gl`
# The part of a grammar for each file suffix, and the role of its graphs.
GRAPHS: Mapping[str, tuple[str, str]] = {
    ".gst": ("graphs", "graph"),
    ".gpr": ("rules", "rule"),
    ".gty": ("types", "type"),
}
OWN = (*GRAPHS, CONTROL)


def _obsolete(grammar: Grammar, existing: Iterable[str], files: Mapping[str, bytes]) -> list[str]:
    """Returns the obsolete files of the grammar in its folder; layouts are now in the graphs' files."""
    kept = [path for path in existing if path not in files]
    obsolete = [path for path in kept if path.removesuffix(LAYOUT).endswith(OWN) or path == SETTINGS]
    if SETTINGS in files and SETTINGS not in existing:
        obsolete += [path for path in kept if path == f"{grammar.name}.properties"]
    return obsolete


# A grammar and its files


def from_files(name: str, files: Mapping[str, bytes]) -> Grammar:
    """Returns a grammar from its files, by their paths in its folder."""
    grammar = Grammar(name)
    seen: dict[tuple[str, str], str] = {}
    settings = next((path for path in (SETTINGS, f"{name}.properties") if path in files), "")
    for path in sorted(files):
        place = PurePosixPath(path)
        if path == settings:
            grammar.properties = read_properties(_text(files[path]), path)
            shown = grammar.properties.get("transitionParameters", "").strip()
            if re.fullmatch("[0-9]+", shown):  # formerly the number of parameters to show
                grammar.properties["transitionParameters"] = "true" if shown.strip("0") else "false"
        elif place.suffix in OWN:
            qualified, priority = _name_and_priority(place)
            if (before := seen.setdefault((place.suffix, qualified), path)) != path:
                raise GrammarError(
                    phrase("It has the same name as {before}: {name}.", before=before, name=qualified), path
                )
            if place.suffix == CONTROL:
                grammar.controls[qualified] = _text(files[path])
            else:
                _add_graph(grammar, qualified, priority, path, files)
        elif not (path.endswith(LAYOUT) and path.removesuffix(LAYOUT) in files):
            grammar.others[path] = files[path]
    return grammar


def _add_graph(grammar: Grammar, name: str, priority: str, path: str, files: Mapping[str, bytes]) -> None:
    part, role = GRAPHS[PurePosixPath(path).suffix]
    graph = gxl.read(files[path], name, role, path)
    if path + LAYOUT in files:
        graph = gxl.put_layout(graph, _text(files[path + LAYOUT]))
    if priority:
        graph.attributes.setdefault("priority", priority)
    getattr(grammar, part)[name] = graph


def to_files(grammar: Grammar) -> dict[str, bytes]:
    """Returns a grammar's files, by their paths in its folder."""
    files: dict[str, bytes] = {}
    for ending, (part, role) in GRAPHS.items():
        graphs: Mapping[str, Graph] = getattr(grammar, part)
        for name, graph in graphs.items():
            path = _path(name, ending)
            if graph.role != role:
                raise GrammarError(
                    phrase("A graph with the role {role!r} is among the grammar's {part}.", role=graph.role, part=part),
                    path,
                )
            files[path] = gxl.write(graph, path, name).encode()
    for name, text in grammar.controls.items():
        files[_path(name, CONTROL)] = encoded(text, _path(name, CONTROL))
    if grammar.properties:
        files[SETTINGS] = write_properties(grammar.properties).encode()
    for path, data in grammar.others.items():
        if path.endswith(OWN) or path == SETTINGS or path.removesuffix(LAYOUT) in files:
            raise GrammarError("This name is reserved for a file of the grammar itself.", path)
        files[_checked(path, path.split("/"))] = data
    for path, data in files.items():
        _check_size(len(data), path, MAX_GRAMMAR_BYTES)
    return files


def _name_and_priority(path: PurePosixPath) -> tuple[str, str]:
    """Returns the qualified name of a file's content, and the priority in front of the name, if there is one.

    >>> _name_and_priority(PurePosixPath("sub/rule.gpr")), _name_and_priority(PurePosixPath("2.rule.gpr"))
    (('sub.rule', ''), ('rule', '2'))
    """
    name, priority = path.stem, ""
    if path.suffix == ".gpr" and (old := re.fullmatch(r"([0-9]+)\.(.+)", name)):
        priority, name = old.groups()
    return ".".join((*path.parts[:-1], name)), priority


def _path(name: str, ending: str) -> str:
    """Returns the path of the file for a qualified name.

    >>> _path("sub.rule", ".gpr")
    'sub/rule.gpr'
    """
    return _checked(name, name.split(".")) and name.replace(".", "/") + ending


_NOT_IN_A_NAME = re.compile("[\x00-\x1f\x7f/\\\\\ud800-\udfff]")


def _checked(name: str, parts: Sequence[str]) -> str:
    """Returns a name; raises an error if its parts are not valid in a path within the grammar's folder."""
    if len(parts) > MAX_FOLDER_DEPTH:
        raise GrammarError(
            phrase("{name!a}… is nested more than {deepest} folders deep.", name=name[:40], deepest=MAX_FOLDER_DEPTH)
        )
    for part in parts:
        if not part or part.startswith(".") or _NOT_IN_A_NAME.search(part):
            raise GrammarError(
                phrase("{name} cannot be the name of a file in a grammar.", name=ascii(name)[:MAX_NAME_BYTES])
            )
        if len(part.encode()) > MAX_NAME_BYTES:
            raise GrammarError(
                phrase(
                    "{name}… is too long for the name of a file, which has at most {longest} bytes.",
                    name=ascii(part)[:40],
                    longest=MAX_NAME_BYTES,
                )
            )
    return name


def _text(data: bytes) -> str:
    """Decodes a file: UTF-8, as GROOVE writes it today, or else Latin-1, the default of older versions of Java."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def encoded(text: str, path: str) -> bytes:
    """Encodes a file; a character that UTF-8 does not have is an error."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise GrammarError(
            phrase("The character U+{code:04X} cannot be written.", code=ord(text[error.start])), path
        ) from error


# Where the files are


@contextlib.contextmanager
def _errors_named(where: str) -> Iterator[None]:
    """Turns errors of a file into one-line grammar errors."""
    try:
        yield
    except OSError as error:
        raise GrammarError(f"{error.strerror or error}.", where) from error


def _check_size(size: int, path: str, room: int) -> None:
    if size > MAX_FILE_BYTES:
        raise GrammarError(
            phrase(
                "The file is too large. A file of a grammar has at most {largest} MB.", largest=MAX_FILE_BYTES >> 20
            ),
            path,
        )
    if size > room:
        raise GrammarError(
            phrase("The grammar is too large. A grammar has at most {all} MB.", all=MAX_GRAMMAR_BYTES >> 20), path
        )


class _Files(dict[str, bytes]):
    """Files by path, up to a total size."""

    def __init__(self) -> None:
        self.room = MAX_GRAMMAR_BYTES

    def add(self, path: str, size: int, file: IO[bytes]) -> None:
        """Reads a file up to the limit: its actual size can exceed its declared size."""
        if path in self:
            raise GrammarError("Two files have this name.", path)
        _check_size(size, path, self.room)
        data = file.read(min(MAX_FILE_BYTES, self.room) + 1)
        _check_size(len(data), path, self.room)
        self.room -= len(data)
        self[path] = data


def _in_folder(root: Path) -> dict[str, bytes]:
    """Returns the files of a grammar in a folder."""
    if not root.exists():
        raise GrammarError("No such folder.", str(root))
    if not root.is_dir():
        raise GrammarError("This is neither a folder nor a file.", root.name)
    paths = _paths(root)
    if not _is_grammar(root, paths):
        raise GrammarError(
            phrase("This folder has no grammar: neither {settings} nor a start graph (.gst).", settings=SETTINGS),
            root.name,
        )
    files = _Files()
    for path in paths:
        with _errors_named(path):
            about = (root / path).stat()
            if not stat.S_ISREG(about.st_mode):
                raise GrammarError("This is not a regular file.", path)
            with (root / path).open("rb") as file:
                files.add(path, about.st_size, file)
    return files


def _paths(root: Path) -> list[str]:
    """Returns the paths of the files in a folder and its sub-folders."""
    paths: list[str] = []
    for folder, folders, names in os.walk(root, onerror=_stop):
        here = Path(folder).relative_to(root)
        folders[:] = [name for name in folders if not name.startswith(".") and not name.endswith(GRAMMAR)]
        for name in folders:
            path = (here / name).as_posix()
            if (root / _checked(path, path.split("/"))).is_symlink():
                raise GrammarError("Links to folders are not followed.", path)
        paths += [(here / name).as_posix() for name in names if not name.startswith(".")]
        _check_count(len(paths), root)
    return [_checked(path, path.split("/")) for path in paths]


def _stop(error: OSError) -> None:
    raise error


def _check_count(count: int, root: Path) -> None:
    if count > MAX_FILES:
        raise GrammarError(phrase("Too many files. A grammar has at most {most}.", most=MAX_FILES), root.name)


def _is_grammar(root: Path, paths: Iterable[str]) -> bool:
    """Whether a folder is a grammar by its name, or has settings or a start graph."""
    top = [path for path in paths if "/" not in path]
    return root.suffix == GRAMMAR or SETTINGS in top or any(path.endswith(".gst") for path in top)


def _in_zip(zipped: Path, name: str) -> tuple[str, dict[str, bytes]]:
    """Returns the name and the files of a grammar in a zip."""
    if not zipfile.is_zipfile(zipped):
        raise GrammarError("This is neither a folder of GROOVE's files nor a zip of one.", zipped.name)
    files = _Files()
    try:
        with zipfile.ZipFile(zipped) as archive:
            # `filename` is the name up to a NUL, which `is_dir` expects to be more than nothing.
            entries = [entry for entry in archive.infolist() if not entry.orig_filename.endswith("/")]
            _check_count(len(entries), zipped)
            for entry in entries:
                if entry.flag_bits & ENCRYPTED:
                    raise GrammarError("This zip is encrypted.")
                parts = entry.orig_filename.split("/")
                if "__MACOSX" in parts or any(re.match(r"\.[^.]", part) for part in parts):
                    continue
                with archive.open(entry) as file:
                    files.add(_checked(entry.orig_filename, parts), entry.file_size, file)
    except GrammarError as error:
        raise GrammarError(error.what, error.where or zipped.name) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise GrammarError(phrase("Cannot read this zip: {error}.", error=error), zipped.name) from error
    return _unwrapped(name.removesuffix(".zip"), files)


def _unwrapped(name: str, files: dict[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """Strips the folders that enclose all files, as in most zips; the innermost gives the grammar's name."""
    while files and all(path.startswith(next(iter(files)).partition("/")[0] + "/") for path in files):
        name = next(iter(files)).partition("/")[0]
        files = {path.partition("/")[2]: data for path, data in files.items()}
        if name.endswith(GRAMMAR):
            break
    if other := next((path for path in files if GRAMMAR + "/" in path), ""):
        raise GrammarError("This zip has several grammars.", other)
    return name, files


# Java's properties


_ENTRY = re.compile(r"[ \t\f]*+(?:[#!][^\r\n]*+|((?:[^\\\r\n]|\\(?:\r\n|.))*))(?:\r\n|\r|\n|\\?\Z)", re.DOTALL)
_CONTINUATION = re.compile(r"\\(?:\r\n|\r|\n)[ \t\f]*")
_PAIR = re.compile(r"((?:\\.|[^\\=: \t\f])*)[ \t\f]*[=:]?[ \t\f]*(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.?)", re.DOTALL)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_TO_ESCAPE = {**{value: "\\" + key for key, value in _ESCAPED.items()}, "\\": "\\\\"}


def read_properties(text: str, where: str = "") -> dict[str, str]:
    r"""Parses Java properties: comments, escapes, and lines continued after a `\`.

    >>> read_properties("a = 1\n# no\nb:two \\\n   words\nc\\ d \\u00e4")
    {'a': '1', 'b': 'two words', 'c d': 'ä'}
    """
    properties: dict[str, str] = {}
    for entry in _ENTRY.finditer(text):
        if not entry[1]:
            continue
        try:
            key, value = map(_unescaped, _PAIR.findall(_CONTINUATION.sub("", entry[1]))[0])
        except ValueError as error:
            line = text.count("\n", 0, entry.start()) + 1
            raise GrammarError(phrase("Line {line}: Invalid \\u escape.", line=line), where) from error
        properties[key] = value
    return properties


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if code.startswith("u") else _ESCAPED.get(code, code)

    if "\\" not in text:
        return text
    return (
        _ESCAPE.sub(character, text).encode("utf-16", "surrogatepass").decode("utf-16")
    )  # a pair of escapes may be one character


def write_properties(properties: Mapping[str, str]) -> str:
    r"""Returns the text of Java properties; it is ASCII, the only encoding that GROOVE reads reliably.

    >>> write_properties({"startGraph": "start", "a b": " ä"})
    'startGraph=start\na\\ b=\\ \\u00e4\n'
    """
    return "".join(f"{_escaped(key, ' =:#!')}={_escaped(value)}\n" for key, value in properties.items())


def _escaped(text: str, signs: str = "") -> str:
    def one(index: int, sign: str) -> str:
        if sign in _TO_ESCAPE:
            return _TO_ESCAPE[sign]
        if sign in signs or (sign == " " and index == 0):
            return "\\" + sign
        if " " <= sign <= "~":
            return sign
        units = sign.encode("utf-16-be")
        return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))

    try:
        return "".join(map(one, range(len(text)), text))
    except UnicodeEncodeError as error:
        raise GrammarError(phrase("{text!a} cannot be written.", text=text), SETTINGS) from error

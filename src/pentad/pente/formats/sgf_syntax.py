"""Syntax of SGF for any game: trees of nodes with properties, and escaped text in their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pentad.game import shorten
from pentad.record.text import Scanner

_SPACE = re.compile(r"\s*+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*+\s*+")
_VALUE = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]\s*+", re.DOTALL)
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
WIDTH = 80  # of a line
DEEPEST = 5000  # nested parentheses; some programs open one at every move


class Raw(NamedTuple):
    """A property's value as in the file, and its offset."""

    text: str
    at: int


@dataclass(slots=True)
class SgfNode:
    """A node of the tree: its properties by name, each with its values, and its children."""

    at: int
    properties: dict[str, list[Raw]] = field(default_factory=dict)
    children: list[SgfNode] = field(default_factory=list)

    def texts(self, name: str) -> list[str]:
        return [text_of(raw.text) for raw in self.properties.get(name, ())]


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read_trees(scanner: Scanner) -> Iterator[SgfNode]:
    """Parses the games of a collection; yields their root nodes."""
    scanner.take(_SPACE)
    first = True
    while first or scanner.at < len(scanner.text):
        if not scanner.next_is("("):
            raise scanner.error("Expected (; at the start of a game." if first else "Expected another game or the end.")
        yield _read_tree(scanner)
        scanner.take(_SPACE)
        first = False


def _read_tree(scanner: Scanner) -> SgfNode:
    root: SgfNode | None = None
    node: SgfNode | None = None  # the parent of the next node
    open_: list[SgfNode | None] = []  # the parent at each open (
    after = ""  # the last mark: a node must follow a (, and cannot follow a )
    while scanner.take(_SPACE) and scanner.at < len(scanner.text):
        at = scanner.at
        mark = scanner.text[at]
        if mark == ";" and after != ")":
            new = SgfNode(at)
            if node:
                node.children.append(new)
            else:
                root = new
            node = new
        elif mark == "(" and after != "(":
            if len(open_) == DEEPEST:
                raise scanner.error(f"More than {DEEPEST} nested (.", at)
            open_.append(node)
        elif mark == ")" and after != "(":
            node = open_.pop()
            if not open_:
                scanner.at += 1
                assert root
                return root
        elif node and after == ";" and (name := scanner.take(_NAME)):
            _read_values(scanner, node, name[0])
            continue
        else:
            raise scanner.error(f"Expected {_EXPECTED[after]}, got {shorten(repr(mark), 12)}.")
        after = mark
        scanner.at += 1
    raise scanner.error("Expected ) before the end of the text.")


_EXPECTED = {
    "(": "a node that begins with ;",
    ")": "another variation or )",
    ";": "a property such as B[hh], a node, a variation or )",
    "": "a game",
}


def _read_values(scanner: Scanner, node: SgfNode, name: str) -> None:
    """Parses the values of a property; only the capitals of its name count, as in old files."""
    values = node.properties.setdefault("".join(sign for sign in name if sign.isupper()), [])
    before = len(values)
    while scanner.next_is("["):
        at = scanner.at
        found = scanner.take(_VALUE)
        if not found:
            raise scanner.error("The value has no closing ].", at)
        values.append(Raw(found[1], at))
    if len(values) == before:
        raise scanner.error(f"The property {shorten(name.strip(), 20)} has no value in [ ].")


def text_of(raw: str) -> str:
    """The text of a value without escapes; an escaped line end is removed."""
    return _ESCAPE.sub(lambda found: "" if found[1] == "\n" else found[1], raw) if "\\" in raw else raw


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def escape(plain: str) -> str:
    return plain.replace("\r\n", "\n").replace("\r", "\n").replace("\\", "\\\\").replace("]", "\\]")


def written(name: str, *values: str) -> str:
    """A property with its values."""
    return name + "".join(f"[{escape(value)}]" for value in values)


def filled(pieces: Iterable[str]) -> str:
    """The pieces of a game wrapped into lines; no piece is broken."""
    lines, width = [""], 0
    for piece in pieces:
        if width and width + len(piece) > WIDTH:
            lines.append("")
            width = 0
        lines[-1] += piece
        width += len(piece) if "\n" not in piece else len(piece) - piece.rindex("\n")
    return "\n".join(lines) + "\n"

"""The words of a control program's text, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from pentad.game import shown
from pentad.grammar.graph import GrammarError

LETTERS = 1_000_000  # of a program
TYPES = ("node", "bool", "int", "real", "string")
RESERVED = frozenset(TYPES) | {
    *("alap", "any", "atomic", "choice", "do", "else", "false", "function", "halt", "if", "import", "or", "other"),
    *("out", "package", "priority", "recipe", "star", "true", "try", "until", "while"),
}

_WORD = re.compile(
    r"""
      (?P<blank> \s+ | //[^\n]* | /\*.*?\*/ )
    | (?P<string> "(?:[^"\\\r\n]|\\.)*" )
    | (?P<number> [0-9]+(?:\.[0-9]*)? | \.[0-9]+ )
    | (?P<name> [A-Za-z][A-Za-z0-9_-]* )
    | (?P<quoted> `[A-Za-z][A-Za-z0-9_-]*` )
    | (?P<sign> := | [<>=!]= | /(?!\*) | [-+*%&|!<>()\{\}#;,._] )
    """,
    re.VERBOSE | re.DOTALL,
)


class Place(NamedTuple):
    """Where something stands in a program; lines and columns count from 1."""

    program: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.program}.gcp:{self.line}:{self.column}" if self.program else "control"

    def wrong(self, what: str) -> NoReturn:
        """Say what is wrong here."""
        raise GrammarError(what, str(self))


@dataclass(frozen=True, slots=True)
class Word:
    """A word: its kind (`name`, `reserved`, `string`, `number`, `sign`, `end`), text, place, and where it begins."""

    kind: str
    text: str
    place: Place
    begin: int
    end: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else shown(self.text, 30)


def words(text: str, program: str = "") -> list[Word]:
    """All words of a text, the last of which is its end.

    >>> [word.text for word in words("alap { a; } // on and on")]
    ['alap', '{', 'a', ';', '}', '']
    """
    if len(text) > LETTERS:
        Place(program).wrong(f"a control program of {len(text):,} letters is too long; {LETTERS:,} are allowed")
    found: list[Word] = []
    begin, line, line_begin = 0, 1, 0
    while begin < len(text):
        match = _WORD.match(text, begin)
        place = Place(program, line, begin - line_begin + 1)
        if match is None:
            place.wrong(_odd(text, begin))
        kind, word = str(match.lastgroup), match.group()
        if kind == "name" and word in RESERVED:
            kind = "reserved"
        elif kind == "quoted":
            kind, word = "name", word[1:-1]
        if kind != "blank":
            found.append(Word(kind, word, place, begin, match.end()))
        begin = match.end()
        if "\n" in match.group():
            line += match.group().count("\n")
            line_begin = match.start() + match.group().rindex("\n") + 1
    found.append(Word("end", "", Place(program, line, begin - line_begin + 1), begin, begin))
    return found


def _odd(text: str, begin: int) -> str:
    if text.startswith("/*", begin):
        return "a comment has no end"
    if text[begin] == '"':
        return "a string has no closing quote on its line"
    return f"{shown(text[begin])} is no part of a control program"

"""Tokenizer of control programs; each token has its place in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from pentad.game import shown
from pentad.grammar.graph import GrammarError

MAX_LENGTH = 1_000_000  # characters of a program
TYPES = ("node", "bool", "int", "real", "string")
RESERVED = frozenset(TYPES) | {
    *("alap", "any", "atomic", "choice", "do", "else", "false", "function", "halt", "if", "import", "or", "other"),
    *("out", "package", "priority", "recipe", "star", "true", "try", "until", "while"),
}

_TOKEN = re.compile(
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
    """A position in a program; lines and columns count from 1."""

    program: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.program}.gcp:{self.line}:{self.column}" if self.program else "control"

    def fail(self, message: str) -> NoReturn:
        """Raises an error at this place."""
        raise GrammarError(message, str(self))


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind (`name`, `reserved`, `string`, `number`, `sign`, `end`), text, place and span."""

    kind: str
    text: str
    place: Place
    begin: int
    end: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else shown(self.text, 30)


def tokenize(text: str, program: str = "") -> list[Token]:
    """Returns all tokens of a text; the last one is its end.

    >>> [token.text for token in tokenize("alap { a; } // a comment")]
    ['alap', '{', 'a', ';', '}', '']
    """
    if len(text) > MAX_LENGTH:
        Place(program).fail(f"The program has {len(text):,} characters; at most {MAX_LENGTH:,} are allowed.")
    found: list[Token] = []
    begin, line, line_begin = 0, 1, 0
    while begin < len(text):
        match = _TOKEN.match(text, begin)
        place = Place(program, line, begin - line_begin + 1)
        if match is None:
            place.fail(_why_invalid(text, begin))
        kind, token = str(match.lastgroup), match.group()
        if kind == "name" and token in RESERVED:
            kind = "reserved"
        elif kind == "quoted":
            kind, token = "name", token[1:-1]
        if kind != "blank":
            found.append(Token(kind, token, place, begin, match.end()))
        begin = match.end()
        if "\n" in match.group():
            line += match.group().count("\n")
            line_begin = match.start() + match.group().rindex("\n") + 1
    found.append(Token("end", "", Place(program, line, begin - line_begin + 1), begin, begin))
    return found


def _why_invalid(text: str, begin: int) -> str:
    if text.startswith("/*", begin):
        return "The comment is not closed."
    if text[begin] == '"':
        return "The string has no closing quote on its line."
    return f"Unexpected character {shown(text[begin])}."

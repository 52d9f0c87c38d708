"""Control programs: tokens with their places in the text, syntax tree, and recursive-descent parser."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, NoReturn, TypeAlias, TypeVar

from pentad.game import shown, whole
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


Name: TypeAlias = tuple[str, ...]  # a qualified name: its packages, then the name


@dataclass(frozen=True, slots=True)
class Sequence:
    """Statements in order; a block is also the scope of the variables that it declares."""

    parts: tuple[Statement, ...]
    block: bool = True


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several statements."""

    parts: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Alap:
    """The body, repeated as long as possible."""

    body: Statement


@dataclass(frozen=True, slots=True)
class Star:
    """The body, any number of times."""

    body: Statement


@dataclass(frozen=True, slots=True)
class Atomic:
    """The body as a whole, or not at all."""

    body: Statement


@dataclass(frozen=True, slots=True)
class While:
    """The body, as long as the condition succeeds."""

    condition: Statement
    body: Statement


@dataclass(frozen=True, slots=True)
class Until:
    """The body, as long as the condition fails."""

    condition: Statement
    body: Statement


@dataclass(frozen=True, slots=True)
class If:
    """The body if the condition succeeds, otherwise the other statement."""

    condition: Statement
    body: Statement
    other: Statement | None


@dataclass(frozen=True, slots=True)
class Try:
    """The body if it can begin, otherwise the other statement."""

    body: Statement
    other: Statement | None


@dataclass(frozen=True, slots=True)
class Nothing:
    """Does nothing; the condition `true`."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Ends the program in a state that is not final."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration of variables of one type."""

    type: str
    names: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call: `out x`, `_`, or the source text of an expression."""

    kind: str  # "out", "any" or "in"
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Call:
    """A call by name, or of a group (`any`, `other`) of a package; an assignment has `targets`."""

    name: Name
    group: str
    arguments: tuple[Argument, ...] | None
    targets: tuple[Argument, ...] | None
    place: Place


Statement: TypeAlias = (
    Sequence | Choice | Alap | Star | Atomic | While | Until | If | Try | Nothing | Halt | Declaration | Call
)


@dataclass(frozen=True, slots=True)
class Formal:
    """A parameter of a function or a recipe."""

    name: str
    type: str
    output: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Procedure:
    """A function or a recipe."""

    kind: str
    name: str  # qualified
    parameters: tuple[Formal, ...]
    priority: int
    body: Statement
    place: Place


@dataclass(frozen=True, slots=True)
class Import:
    """A name that may be used without its package."""

    name: Name
    place: Place


@dataclass(frozen=True, slots=True)
class Program:
    """A parsed program; one without a body only declares procedures."""

    name: str
    package: Name
    imports: tuple[Import, ...]
    procedures: tuple[Procedure, ...]
    body: Sequence | None


MAX_DEPTH = 100  # of nested statements
T = TypeVar("T")


def parse(text: str, name: str = "") -> Program:
    """Parses a program; `name` is its qualified name.

    >>> parse("alap { a; }").body.parts[0].body.parts[0].name
    ('a',)
    """
    return _Parser(text, name).program()


class _Parser:
    """Parser state: the tokens of a program and the position of the next one."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self.tokens = tokenize(text, name)
        self.at = self.depth = 0

    # ── tokens ───────────────────────────────────────────────────────────────────────────────────

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.tokens[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def sees(self, *texts: str, ahead: int = 0) -> bool:
        token = self.tokens[min(self.at + ahead, len(self.tokens) - 1)]
        return token.kind in ("sign", "reserved") and token.text in texts

    def skip(self, text: str) -> bool:
        """Takes the next token if it is this one; returns whether it was."""
        is_next = self.sees(text)
        self.at += is_next
        return is_next

    def expect(self, text: str) -> Token:
        if not self.sees(text):
            self.unexpected(shown(text))
        return self.take()

    def unexpected(self, expected: str) -> NoReturn:
        hint = " Write a reserved word in backquotes to use it as a name." if self.token.kind == "reserved" else ""
        self.token.place.fail(f"Expected {expected}, got {self.token}.{hint}")

    def identifier(self, what: str) -> str:
        if self.token.kind != "name":
            self.unexpected(what)
        return self.take().text

    def type(self) -> str:
        if not self.sees(*TYPES):
            self.unexpected(f"a type ({', '.join(TYPES)})")
        return self.take().text

    # ── program ──────────────────────────────────────────────────────────────────────────────────

    def program(self) -> Program:
        package = tuple(self.name.split(".")[:-1])
        begin = self.token.place
        if self.skip("package"):
            begin = self.token.place
            declared = self.qualified("a package")
            if declared != package:
                begin.fail(f"The package is {_qualified(declared)}, but the program is in {_qualified(package)}.")
            self.expect(";")
        elif package:
            begin.fail(f"A program in a folder must begin with its package: package {_qualified(package)};")
        imports = []
        while self.skip("import"):
            place = self.token.place
            imports.append(Import(self.qualified("a name to import"), place))
            self.expect(";")
        procedures: list[Procedure] = []
        statements: list[Statement] = []
        while self.token.kind != "end":
            if self.sees("function", "recipe"):
                procedures.append(self.procedure(package))
            else:
                statements.append(self.statement())
        body = Sequence(tuple(statements)) if statements else None
        return Program(self.name, package, tuple(imports), tuple(procedures), body)

    def qualified(self, what: str) -> Name:
        parts = [self.identifier(what)]
        while self.skip("."):
            parts.append(self.identifier("a name"))
        return tuple(parts)

    def procedure(self, package: Name) -> Procedure:
        kind, place = self.take().text, self.token.place
        name = ".".join((*package, self.identifier(f"a {kind}'s name")))
        self.expect("(")
        parameters = self.listed(self.formal, ")")
        priority = 0
        if kind == "recipe" and self.skip("priority"):
            given = whole(self.token.text) if self.token.kind == "number" else None
            if given is None:
                self.unexpected("a priority (a whole number of at most 9 digits)")
            priority = given
            self.take()
        if not self.sees("{"):
            self.unexpected("'{'")
        return Procedure(kind, name, parameters, priority, self.block(), place)

    def formal(self) -> Formal:
        output = self.skip("out")
        kind, place = self.type(), self.token.place
        return Formal(self.identifier("a parameter's name"), kind, output, place)

    def listed(self, item: Callable[[], T], close: str) -> tuple[T, ...]:
        """Parses items between commas, up to a closing sign."""
        if self.skip(close):
            return ()
        items = [item()]
        while self.skip(","):
            items.append(item())
        self.expect(close)
        return tuple(items)

    # ── statements ───────────────────────────────────────────────────────────────────────────────

    def statement(self) -> Statement:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.token.place.fail(f"Statements are nested more than {MAX_DEPTH} deep.")
        token = self.token
        special = self.STATEMENTS.get(token.text) if token.kind in ("reserved", "sign") else None
        found = special(self) if special else self.declaration() if token.text in TYPES else self.expression_statement()
        self.depth -= 1
        return found

    def block(self) -> Sequence:
        self.expect("{")
        return self.up_to("}")

    def atomic(self) -> Statement:
        self.expect("<")
        return Atomic(self.up_to(">"))

    def up_to(self, close: str) -> Sequence:
        """Parses statements up to a closing sign."""
        opened = self.tokens[self.at - 1]
        parts: list[Statement] = []
        while not self.sees(close):
            if self.token.kind == "end":
                opened.place.fail(f"{shown(opened.text)} is not closed by {shown(close)}.")
            parts.append(self.statement())
        self.take()
        return Sequence(tuple(parts))

    def alap(self) -> Statement:
        self.expect("alap")
        return Alap(self.statement())

    def loop(self) -> Statement:
        """Parses `while` and `until`, with the condition before or after the body."""
        body = None
        if self.skip("do"):
            body = self.statement()
            if not self.sees("while", "until"):
                self.unexpected("'while' or 'until'")
        kind: type[While | Until] = While if self.take().text == "while" else Until
        condition = self.condition()
        if body is None:
            return kind(condition, self.statement())
        return Sequence((body, kind(condition, body)))

    def if_else(self) -> Statement:
        self.expect("if")
        condition, body = self.condition(), self.statement()
        return If(condition, body, self.statement() if self.skip("else") else None)

    def try_else(self) -> Statement:
        self.expect("try")
        body = self.statement()
        return Try(body, self.statement() if self.skip("else") else None)

    def choice(self) -> Statement:
        self.expect("choice")
        parts = [self.statement()]
        while self.skip("or"):
            parts.append(self.statement())
        if len(parts) == 1:
            self.unexpected("'or'")
        return Choice(tuple(parts))

    def halt(self) -> Statement:
        self.expect("halt")
        self.skip(";")
        return Halt()

    def condition(self) -> Statement:
        self.expect("(")
        parts = [self.condition_part()]
        while self.skip("|"):
            parts.append(self.condition_part())
        self.expect(")")
        return _choice(parts)

    def condition_part(self) -> Statement:
        return Nothing() if self.skip("true") else self.call()

    def declaration(self) -> Statement:
        kind, place = self.type(), self.token.place
        names: list[str] = []
        targets: list[Argument] = []
        while not names or self.skip(","):
            targets.append(Argument("out", self.token.text, self.token.place))
            names.append(self.identifier("a variable's name"))
        declared = Declaration(kind, tuple(names), place)
        found: Statement = declared
        if self.skip(":="):
            found = Sequence((declared, self.call(tuple(targets))), block=False)
        self.expect(";")
        return found

    def expression_statement(self) -> Statement:
        found = self.expression()
        self.expect(";")
        return found

    # ── expressions ──────────────────────────────────────────────────────────────────────────────

    def expression(self) -> Statement:
        parts = [self.repeated()]
        while self.skip("|"):
            parts.append(self.repeated())
        return _choice(parts)

    def repeated(self) -> Statement:
        if self.skip("#"):
            return Alap(self.operand())
        found = self.operand()
        if self.skip("*"):
            return Star(found)
        return Sequence((found, Star(found))) if self.skip("+") else found

    def operand(self) -> Statement:
        if self.sees("("):
            self.depth += 1
            opened = self.take()
            if self.depth > MAX_DEPTH:
                opened.place.fail(f"Statements are nested more than {MAX_DEPTH} deep.")
            found = self.expression()
            self.expect(")")
            self.depth -= 1
            return Sequence((found,))
        ahead = self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        if self.token.kind != "name" or ahead.kind != "sign" or ahead.text not in (",", ":="):
            return self.call()
        targets: list[Argument] = []
        while not targets or self.skip(","):
            targets.append(Argument("out", self.token.text, self.token.place))
            self.identifier("a variable")
        self.expect(":=")
        return self.call(tuple(targets))

    def call(self, targets: tuple[Argument, ...] | None = None) -> Call:
        place = self.token.place
        parts: list[str] = []
        group = ""
        while not group:
            if self.sees("any", "other"):
                group = self.take().text
            elif self.sees("*") and self.sees(".", ahead=1) and self.sees("any", "other", ahead=2):
                parts.append(self.take().text)
                self.expect(".")
            else:
                parts.append(self.identifier("a statement" if not parts and targets is None else "a name to call"))
                if not self.skip("."):
                    break
        arguments = self.listed(self.argument, ")") if self.skip("(") else None
        return Call(tuple(parts), group, arguments, targets, place)

    def argument(self) -> Argument:
        place = self.token.place
        if self.skip("out"):
            return Argument("out", self.identifier("a variable"), place)
        if self.skip("_"):
            return Argument("any", "_", place)
        begin, end, depth = self.token.begin, self.token.begin, 0
        while depth or not self.sees(",", ")"):
            if self.token.kind == "end" or self.sees(";", "{", "}"):
                self.unexpected("')'")
            depth += self.sees("(") - self.sees(")")
            end = self.take().end
        if end == begin:
            self.unexpected("an argument")
        return Argument("in", self.text[begin:end], place)

    STATEMENTS: ClassVar[dict[str, Callable[[_Parser], Statement]]] = {
        "{": block,
        "<": atomic,
        "alap": alap,
        "while": loop,
        "until": loop,
        "do": loop,
        "if": if_else,
        "try": try_else,
        "choice": choice,
        "halt": halt,
    }


def _choice(parts: list[Statement]) -> Statement:
    return parts[0] if len(parts) == 1 else Choice(tuple(parts))


def _qualified(name: Name) -> str:
    return ".".join(name) if name else "no package"

"""Control programs: tokens with their places in the text, syntax tree, and recursive-descent parser."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple, NoReturn, TypeAlias

from pentad.game import shown, whole
from pentad.grammar.graph import GrammarError
from pentad.grammar.language.tokens import Parser, Token
from pentad.system.words import phrase

MAX_PROGRAM_LENGTH = 1_000_000
TYPES = ("node", "bool", "int", "real", "string")
RESERVED = frozenset(TYPES) | {
    *("alap", "any", "atomic", "choice", "do", "else", "false", "function", "halt", "if", "import", "or", "other"),
    *("out", "package", "priority", "recipe", "star", "true", "try", "until", "while"),
}

_TOKEN = re.compile(
    r"""(?: \s+ | //[^\n]* | /\*.*?\*/ )* (?:
      (?P<string> "(?:[^"\\\r\n]|\\.)*" )
    | (?P<number> [0-9]+(?:\.[0-9]*)? | \.[0-9]+ )
    | (?P<name> [A-Za-z][A-Za-z0-9_-]* )
    | (?P<quoted> `[A-Za-z][A-Za-z0-9_-]*` )
    | (?P<sign> := | [<>=!]= | /(?!\*) | [-+*%&|!<>()\{\}#;,._] )
    | (?P<end> \Z )
    | (?P<unexpected> . ))""",
    re.VERBOSE | re.DOTALL,
)


class SourcePosition(NamedTuple):
    """A position in a program; lines and columns count from 1."""

    program: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.program}.gcp:{self.line}:{self.column}" if self.program else "control"

    def fail(self, message: str, /, **gaps: object) -> NoReturn:
        """Raises an error at this place."""
        raise GrammarError(phrase(message, **gaps), str(self))


Name: TypeAlias = tuple[str, ...]  # its packages, then its own name


class CompoundStatement(NamedTuple):
    """A statement with others as its parts, by the keyword or sign that begins it.

    - `{`: the parts in order, as a scope of variables; `;`: the same without a scope.
    - `choice`: one of the parts. `<`: a part as a whole, or not at all.
    - `alap`: a part as long as possible. `*`: a part any number of times.
    - `while`, `until`: a condition and a body. `if`: a condition, a body and the other statement.
    - `try`: a body and maybe the other statement.
    - `true`: nothing. `halt`: the end in a state that is not final.
    """

    kind: str
    parts: tuple[Statement, ...] = ()


NOTHING = CompoundStatement("true")


class Declaration(NamedTuple):
    """A declaration of variables of one type."""

    type: str
    names: tuple[str, ...]
    place: SourcePosition


class CallArgument(NamedTuple):
    """An argument of a call: `out x`, `_`, or the source text of an expression."""

    kind: str  # "out", "any" or "in"
    text: str
    place: SourcePosition


class ParsedCall(NamedTuple):
    """A call by name, or of a group (`any`, `other`) of a package; an assignment has `targets`."""

    name: Name
    group: str
    arguments: tuple[CallArgument, ...] | None
    targets: tuple[CallArgument, ...] | None
    place: SourcePosition


Statement: TypeAlias = CompoundStatement | Declaration | ParsedCall


class Formal(NamedTuple):
    """A parameter of a function or a recipe."""

    name: str
    type: str
    output: bool
    place: SourcePosition


class Procedure(NamedTuple):
    """A function or a recipe; its name is qualified."""

    kind: str
    name: str
    parameters: tuple[Formal, ...]
    priority: int
    body: Statement
    place: SourcePosition


class ImportStatement(NamedTuple):
    """A name that may be used without its package."""

    name: Name
    place: SourcePosition


class ParsedProgram(NamedTuple):
    """A parsed program; one without a body only declares procedures."""

    name: str
    package: Name
    imports: tuple[ImportStatement, ...]
    procedures: tuple[Procedure, ...]
    body: Statement | None


MAX_STATEMENT_DEPTH = 100


def parse(text: str, name: str = "") -> ParsedProgram:
    """Parses a program; `name` is its qualified name.

    >>> parse("alap { a; }").body.parts[0].parts[0].parts[0].name
    ('a',)
    """
    return _Parser(text, name).program()


class _Parser(Parser):
    """Recursive-descent parser of programs; reserved words and signs are taken alike."""

    pattern, noun, longest, signs = _TOKEN, "a program", MAX_PROGRAM_LENGTH, ("sign", "reserved")

    def __init__(self, text: str, name: str) -> None:
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        super().__init__(text, name)

    # ── tokens ───────────────────────────────────────────────────────────────────────────────────

    @property
    def place(self) -> SourcePosition:
        """The place of the next token."""
        return self._place_of(self.token.begin)

    def _place_of(self, index: int) -> SourcePosition:
        line = bisect_right(self._lines, index)
        return SourcePosition(self.where, line, index - self._lines[line - 1] + 1)

    def read(self, token: Token) -> Token:
        if token.kind == "quoted":
            return token._replace(kind="name", text=token.text[1:-1])
        return token._replace(kind="reserved") if token.kind == "name" and token.text in RESERVED else token

    def too_long(self) -> str:
        return phrase(
            "The program has {count:,} characters; at most {max_length:,} are allowed.",
            count=len(self.text),
            max_length=MAX_PROGRAM_LENGTH,
        )

    def invalid(self, begin: int) -> str:
        if self.text.startswith("/*", begin):
            return "The comment is not closed."
        if self.text[begin] == '"':
            return "The string has no closing quote on its line."
        return f"Unexpected character {shown(self.text[begin])}."

    def fail(self, what: str, at: int | None = None) -> NoReturn:
        self._place_of(at or 0).fail(what)

    def unexpected(self, expected: str) -> NoReturn:
        hint = " Write a reserved word in backquotes to use it as a name." if self.token.kind == "reserved" else ""
        self.place.fail(f"Expected {expected}, got {self.token}.{hint}")

    def identifier(self, what: str) -> str:
        if self.token.kind != "name":
            self.unexpected(what)
        return self.take().text

    def type(self) -> str:
        if not self.sees(*TYPES):
            self.unexpected(f"a type ({', '.join(TYPES)})")
        return self.take().text

    # ── program ──────────────────────────────────────────────────────────────────────────────────

    def program(self) -> ParsedProgram:
        package = tuple(self.where.split(".")[:-1])
        begin = self.place
        if self.skip("package"):
            begin = self.place
            declared = self.qualified("a package")
            if declared != package:
                begin.fail(
                    phrase(
                        "The package is {declared}, but the program is in {package}.",
                        declared=_qualified(declared),
                        package=_qualified(package),
                    )
                )
            self.expect(";")
        elif package:
            begin.fail(
                phrase(
                    "A program in a folder must begin with its package: package {package};",
                    package=_qualified(package),
                )
            )
        imports = []
        while self.skip("import"):
            imports.append(ImportStatement(place=self.place, name=self.qualified("a name to import")))
            self.expect(";")
        procedures: list[Procedure] = []
        statements: list[Statement] = []
        while self.token.kind != "end":
            if self.sees("function", "recipe"):
                procedures.append(self.procedure(package))
            else:
                statements.append(self.statement())
        body = CompoundStatement("{", tuple(statements)) if statements else None
        return ParsedProgram(self.where, package, tuple(imports), tuple(procedures), body)

    def qualified(self, what: str) -> Name:
        parts = [self.identifier(what)]
        while self.skip("."):
            parts.append(self.identifier("a name"))
        return tuple(parts)

    def procedure(self, package: Name) -> Procedure:
        kind, place = self.take().text, self.place
        name = ".".join((*package, self.identifier(phrase("a {kind}'s name", kind=kind))))
        self.expect("(")
        parameters = self.listed(self.formal)
        priority = 0
        if kind == "recipe" and self.skip("priority"):
            given = whole(self.token.text) if self.token.kind == "number" else None
            if given is None:
                self.unexpected("a priority (a whole number of at most 9 digits)")
            priority = given
            self.take()
        self.expect("{")
        return Procedure(kind, name, parameters, priority, self.up_to("}"), place)

    def formal(self) -> Formal:
        output = self.skip("out")
        kind, place = self.type(), self.place
        return Formal(self.identifier("a parameter's name"), kind, output, place)

    # ── statements ───────────────────────────────────────────────────────────────────────────────

    def statement(self) -> Statement:
        self.deepen()
        token, found = self.token, None
        if token.kind in ("reserved", "sign"):
            found = self.special(token.text)
        if found is None:
            found = self.expression()
            self.expect(";")
        self.depth -= 1
        return found

    def deepen(self) -> None:
        self.depth += 1
        if self.depth > MAX_STATEMENT_DEPTH:
            self.place.fail("Statements are nested more than {max_depth} deep.", max_depth=MAX_STATEMENT_DEPTH)

    def special(self, word: str) -> Statement | None:
        """Parses a statement that begins with a keyword or bracket; None if this is none."""
        if word in TYPES:
            return self.declaration()
        if word not in ("{", "<", "alap", "while", "until", "do", "if", "try", "choice", "halt"):
            return None
        self.take()
        match word:
            case "{":
                return self.up_to("}")
            case "<":
                return CompoundStatement("<", (self.up_to(">"),))
            case "while" | "until":
                return CompoundStatement(word, (self.condition(), self.statement()))
            case "do":
                body = self.statement()
                if not self.sees("while", "until"):
                    self.unexpected("'while' or 'until'")
                return CompoundStatement("{", (body, CompoundStatement(self.take().text, (self.condition(), body))))
            case "if":
                return CompoundStatement("if", (self.condition(), self.statement(), *(self.otherwise() or (NOTHING,))))
            case "try":
                return CompoundStatement("try", (self.statement(), *self.otherwise()))
            case "choice":
                parts = self.several(self.statement, "or")
                if len(parts) == 1:
                    self.unexpected("'or'")
                return CompoundStatement("choice", parts)
            case "halt":
                self.skip(";")
                return CompoundStatement("halt")
        return CompoundStatement("alap", (self.statement(),))

    def up_to(self, close: str) -> Statement:
        """Parses statements up to a closing sign."""
        opened = self.tokens[self.at - 1]
        parts: list[Statement] = []
        while not self.sees(close):
            if self.token.kind == "end":
                self.fail(
                    phrase("{text} is not closed by {close}.", text=shown(opened.text), close=shown(close)),
                    opened.begin,
                )
            parts.append(self.statement())
        self.take()
        return CompoundStatement("{", tuple(parts))

    def otherwise(self) -> tuple[Statement, ...]:
        return (self.statement(),) if self.skip("else") else ()

    def condition(self) -> Statement:
        self.expect("(")
        found = _choice(self.several(lambda: NOTHING if self.skip("true") else self.call(), "|"))
        self.expect(")")
        return found

    def declaration(self) -> Statement:
        kind, place = self.type(), self.place
        targets = self.several(lambda: self.target("a variable's name"), ",")
        found: Statement = Declaration(kind, tuple(each.text for each in targets), place)
        if self.skip(":="):
            found = CompoundStatement(";", (found, self.call(targets)))
        self.expect(";")
        return found

    def target(self, what: str) -> CallArgument:
        return CallArgument("out", place=self.place, text=self.identifier(what))

    # ── expressions ──────────────────────────────────────────────────────────────────────────────

    def expression(self) -> Statement:
        return _choice(self.several(self.repeated, "|"))

    def repeated(self) -> Statement:
        if self.skip("#"):
            return CompoundStatement("alap", (self.operand(),))
        found = self.operand()
        star = CompoundStatement("*", (found,))
        if self.skip("*"):
            return star
        return CompoundStatement("{", (found, star)) if self.skip("+") else found

    def operand(self) -> Statement:
        if self.sees("("):
            self.deepen()
            self.take()
            found = self.expression()
            self.expect(")")
            self.depth -= 1
            return CompoundStatement("{", (found,))
        if self.token.kind != "name" or not self.sees(",", ":=", ahead=1):
            return self.call()
        targets = self.several(lambda: self.target("a variable"), ",")
        self.expect(":=")
        return self.call(targets)

    def call(self, targets: tuple[CallArgument, ...] | None = None) -> ParsedCall:
        place = self.place
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
        arguments = self.listed(self.argument) if self.skip("(") else None
        return ParsedCall(tuple(parts), group, arguments, targets, place)

    def argument(self) -> CallArgument:
        place = self.place
        if self.skip("out"):
            return CallArgument("out", self.identifier("a variable"), place)
        if self.skip("_"):
            return CallArgument("any", "_", place)
        begin, end, depth = self.token.begin, self.token.begin, 0
        while depth or not self.sees(",", ")"):
            if self.token.kind == "end" or self.sees(";", "{", "}"):
                self.unexpected("')'")
            depth += self.sees("(") - self.sees(")")
            end = self.take().end
        if end == begin:
            self.unexpected("an argument")
        return CallArgument("in", self.text[begin:end], place)


def _choice(parts: tuple[Statement, ...]) -> Statement:
    return parts[0] if len(parts) == 1 else CompoundStatement("choice", parts)


def _qualified(name: Name) -> str:
    return ".".join(name) if name else "no package"

"""Control programs: tokens with their places in the text, syntax tree, and recursive-descent parser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn, TypeAlias, TypeVar

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


class Token(NamedTuple):
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


class Compound(NamedTuple):
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


NOTHING = Compound("true")


class Declaration(NamedTuple):
    """A declaration of variables of one type."""

    type: str
    names: tuple[str, ...]
    place: Place


class Argument(NamedTuple):
    """An argument of a call: `out x`, `_`, or the source text of an expression."""

    kind: str  # "out", "any" or "in"
    text: str
    place: Place


class Call(NamedTuple):
    """A call by name, or of a group (`any`, `other`) of a package; an assignment has `targets`."""

    name: Name
    group: str
    arguments: tuple[Argument, ...] | None
    targets: tuple[Argument, ...] | None
    place: Place


Statement: TypeAlias = Compound | Declaration | Call


class Formal(NamedTuple):
    """A parameter of a function or a recipe."""

    name: str
    type: str
    output: bool
    place: Place


class Procedure(NamedTuple):
    """A function or a recipe."""

    kind: str
    name: str  # qualified
    parameters: tuple[Formal, ...]
    priority: int
    body: Statement
    place: Place


class Import(NamedTuple):
    """A name that may be used without its package."""

    name: Name
    place: Place


class Program(NamedTuple):
    """A parsed program; one without a body only declares procedures."""

    name: str
    package: Name
    imports: tuple[Import, ...]
    procedures: tuple[Procedure, ...]
    body: Statement | None


MAX_DEPTH = 100  # of nested statements
T = TypeVar("T")


def parse(text: str, name: str = "") -> Program:
    """Parses a program; `name` is its qualified name.

    >>> parse("alap { a; }").body.parts[0].parts[0].parts[0].name
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
        token = self.token
        self.at += token.kind != "end"
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
            imports.append(Import(place=self.token.place, name=self.qualified("a name to import")))
            self.expect(";")
        procedures: list[Procedure] = []
        statements: list[Statement] = []
        while self.token.kind != "end":
            if self.sees("function", "recipe"):
                procedures.append(self.procedure(package))
            else:
                statements.append(self.statement())
        body = Compound("{", tuple(statements)) if statements else None
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
        kind, place = self.type(), self.token.place
        return Formal(self.identifier("a parameter's name"), kind, output, place)

    def listed(self, item: Callable[[], T]) -> tuple[T, ...]:
        """Parses items between commas, up to a closing bracket."""
        if self.skip(")"):
            return ()
        items = self.several(item, ",")
        self.expect(")")
        return items

    def several(self, item: Callable[[], T], sign: str) -> tuple[T, ...]:
        """Parses items with a sign or keyword between them."""
        items = [item()]
        while self.skip(sign):
            items.append(item())
        return tuple(items)

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
        if self.depth > MAX_DEPTH:
            self.token.place.fail(f"Statements are nested more than {MAX_DEPTH} deep.")

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
                return Compound("<", (self.up_to(">"),))
            case "while" | "until":
                return Compound(word, (self.condition(), self.statement()))
            case "do":
                return self.loop()
            case "if":
                return Compound("if", (self.condition(), self.statement(), *(self.otherwise() or (NOTHING,))))
            case "try":
                return Compound("try", (self.statement(), *self.otherwise()))
            case "choice":
                parts = self.several(self.statement, "or")
                if len(parts) == 1:
                    self.unexpected("'or'")
                return Compound("choice", parts)
            case "halt":
                self.skip(";")
                return Compound("halt")
        return Compound("alap", (self.statement(),))

    def up_to(self, close: str) -> Statement:
        """Parses statements up to a closing sign."""
        opened = self.tokens[self.at - 1]
        parts: list[Statement] = []
        while not self.sees(close):
            if self.token.kind == "end":
                opened.place.fail(f"{shown(opened.text)} is not closed by {shown(close)}.")
            parts.append(self.statement())
        self.take()
        return Compound("{", tuple(parts))

    def loop(self) -> Statement:
        """Parses a loop with the condition after the body."""
        body = self.statement()
        if not self.sees("while", "until"):
            self.unexpected("'while' or 'until'")
        return Compound("{", (body, Compound(self.take().text, (self.condition(), body))))

    def otherwise(self) -> tuple[Statement, ...]:
        return (self.statement(),) if self.skip("else") else ()

    def condition(self) -> Statement:
        self.expect("(")
        found = _choice(self.several(self.condition_part, "|"))
        self.expect(")")
        return found

    def condition_part(self) -> Statement:
        return NOTHING if self.skip("true") else self.call()

    def declaration(self) -> Statement:
        kind, place = self.type(), self.token.place
        targets = self.several(lambda: self.target("a variable's name"), ",")
        found: Statement = Declaration(kind, tuple(each.text for each in targets), place)
        if self.skip(":="):
            found = Compound(";", (found, self.call(targets)))
        self.expect(";")
        return found

    def target(self, what: str) -> Argument:
        return Argument("out", place=self.token.place, text=self.identifier(what))

    # ── expressions ──────────────────────────────────────────────────────────────────────────────

    def expression(self) -> Statement:
        return _choice(self.several(self.repeated, "|"))

    def repeated(self) -> Statement:
        if self.skip("#"):
            return Compound("alap", (self.operand(),))
        found = self.operand()
        star = Compound("*", (found,))
        if self.skip("*"):
            return star
        return Compound("{", (found, star)) if self.skip("+") else found

    def operand(self) -> Statement:
        if self.sees("("):
            self.deepen()
            self.take()
            found = self.expression()
            self.expect(")")
            self.depth -= 1
            return Compound("{", (found,))
        if self.token.kind != "name" or not self.sees(",", ":=", ahead=1):
            return self.call()
        targets = self.several(lambda: self.target("a variable"), ",")
        self.expect(":=")
        return self.call(targets)

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
        arguments = self.listed(self.argument) if self.skip("(") else None
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


def _choice(parts: tuple[Statement, ...]) -> Statement:
    return parts[0] if len(parts) == 1 else Compound("choice", parts)


def _qualified(name: Name) -> str:
    return ".".join(name) if name else "no package"

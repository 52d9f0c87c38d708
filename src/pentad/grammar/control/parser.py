"""How the text of a control program is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, NoReturn, TypeVar

from pentad.game import shown, whole
from pentad.grammar.control.syntax_tree import (
    Alap,
    Argument,
    Atomic,
    Call,
    Choice,
    Declaration,
    Formal,
    Halt,
    If,
    Import,
    Name,
    Nothing,
    Procedure,
    Program,
    Sequence,
    Star,
    Statement,
    Try,
    Until,
    While,
)
from pentad.grammar.control.tokenizer import TYPES, Word, words

DEPTH = 100  # of a statement within another
T = TypeVar("T")


def parse(text: str, name: str = "") -> Program:
    """Read a program; `name` is its own, with its package.

    >>> parse("alap { a; }").body.parts[0].body.parts[0].name
    ('a',)
    """
    return _Reader(text, name).program()


class _Reader:
    """A program's words, taken one by one."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self.words = words(text, name)
        self.at = self.depth = 0

    # ── words ────────────────────────────────────────────────────────────────────────────────────

    @property
    def word(self) -> Word:
        return self.words[self.at]

    def take(self) -> Word:
        word = self.words[self.at]
        if word.kind != "end":
            self.at += 1
        return word

    def sees(self, *texts: str, ahead: int = 0) -> bool:
        word = self.words[min(self.at + ahead, len(self.words) - 1)]
        return word.kind in ("sign", "reserved") and word.text in texts

    def skip(self, text: str) -> bool:
        """Whether the next word is this one, which is taken."""
        seen = self.sees(text)
        self.at += seen
        return seen

    def want(self, text: str) -> Word:
        if not self.sees(text):
            self.unexpected(shown(text))
        return self.take()

    def unexpected(self, wanted: str) -> NoReturn:
        hint = "; a reserved word is a name in backquotes" if self.word.kind == "reserved" else ""
        self.word.place.wrong(f"{wanted} is wanted, not {self.word}{hint}")

    def identifier(self, what: str) -> str:
        if self.word.kind != "name":
            self.unexpected(what)
        return self.take().text

    def type(self) -> str:
        if not self.sees(*TYPES):
            self.unexpected(f"a type ({', '.join(TYPES)})")
        return self.take().text

    # ── program ──────────────────────────────────────────────────────────────────────────────────

    def program(self) -> Program:
        package = tuple(self.name.split(".")[:-1])
        begin = self.word.place
        if self.skip("package"):
            begin = self.word.place
            declared = self.qualified("a package")
            if declared != package:
                begin.wrong(f"the package is {_told(declared)}, but the program stands in {_told(package)}")
            self.want(";")
        elif package:
            begin.wrong(f"a program in a folder begins with its package: package {_told(package)};")
        imports = []
        while self.skip("import"):
            place = self.word.place
            imports.append(Import(self.qualified("a name to import"), place))
            self.want(";")
        procedures: list[Procedure] = []
        statements: list[Statement] = []
        while self.word.kind != "end":
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
        kind, place = self.take().text, self.word.place
        name = ".".join((*package, self.identifier(f"a {kind}'s name")))
        self.want("(")
        parameters = self.listed(self.formal, ")")
        priority = 0
        if kind == "recipe" and self.skip("priority"):
            asked = whole(self.word.text) if self.word.kind == "number" else None
            if asked is None:
                self.unexpected("a priority, a whole number of at most 9 digits,")
            priority = asked
            self.take()
        if not self.sees("{"):
            self.unexpected("'{'")
        return Procedure(kind, name, parameters, priority, self.block(), place)

    def formal(self) -> Formal:
        output = self.skip("out")
        kind, place = self.type(), self.word.place
        return Formal(self.identifier("a parameter's name"), kind, output, place)

    def listed(self, item: Callable[[], T], close: str) -> tuple[T, ...]:
        """Items between commas, up to a closing sign."""
        if self.skip(close):
            return ()
        items = [item()]
        while self.skip(","):
            items.append(item())
        self.want(close)
        return tuple(items)

    # ── statements ───────────────────────────────────────────────────────────────────────────────

    def statement(self) -> Statement:
        self.depth += 1
        if self.depth > DEPTH:
            self.word.place.wrong(f"a control program nests more than {DEPTH} deep")
        word = self.word
        special = self.STATEMENTS.get(word.text) if word.kind in ("reserved", "sign") else None
        found = special(self) if special else self.declaration() if word.text in TYPES else self.expression_statement()
        self.depth -= 1
        return found

    def block(self) -> Sequence:
        self.want("{")
        return self.up_to("}")

    def atomic(self) -> Statement:
        self.want("<")
        return Atomic(self.up_to(">"))

    def up_to(self, close: str) -> Sequence:
        """Statements up to a closing sign."""
        opened = self.words[self.at - 1]
        parts: list[Statement] = []
        while not self.sees(close):
            if self.word.kind == "end":
                opened.place.wrong(f"{shown(opened.text)} is not closed by {shown(close)}")
            parts.append(self.statement())
        self.take()
        return Sequence(tuple(parts))

    def alap(self) -> Statement:
        self.want("alap")
        return Alap(self.statement())

    def loop(self) -> Statement:
        """`while` and `until`, with the condition before or behind the body."""
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
        self.want("if")
        condition, body = self.condition(), self.statement()
        return If(condition, body, self.statement() if self.skip("else") else None)

    def try_else(self) -> Statement:
        self.want("try")
        body = self.statement()
        return Try(body, self.statement() if self.skip("else") else None)

    def choice(self) -> Statement:
        self.want("choice")
        parts = [self.statement()]
        while self.skip("or"):
            parts.append(self.statement())
        if len(parts) == 1:
            self.unexpected("'or'")
        return Choice(tuple(parts))

    def halt(self) -> Statement:
        self.want("halt")
        self.skip(";")
        return Halt()

    def condition(self) -> Statement:
        self.want("(")
        parts = [self.condition_part()]
        while self.skip("|"):
            parts.append(self.condition_part())
        self.want(")")
        return _choice(parts)

    def condition_part(self) -> Statement:
        return Nothing() if self.skip("true") else self.call()

    def declaration(self) -> Statement:
        kind, place = self.type(), self.word.place
        names: list[str] = []
        targets: list[Argument] = []
        while not names or self.skip(","):
            targets.append(Argument("out", self.word.text, self.word.place))
            names.append(self.identifier("a variable's name"))
        declared = Declaration(kind, tuple(names), place)
        found: Statement = declared
        if self.skip(":="):
            found = Sequence((declared, self.call(tuple(targets))), block=False)
        self.want(";")
        return found

    def expression_statement(self) -> Statement:
        found = self.expression()
        self.want(";")
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
            if self.depth > DEPTH:
                opened.place.wrong(f"a control program nests more than {DEPTH} deep")
            found = self.expression()
            self.want(")")
            self.depth -= 1
            return Sequence((found,))
        ahead = self.words[min(self.at + 1, len(self.words) - 1)]
        if self.word.kind != "name" or ahead.kind != "sign" or ahead.text not in (",", ":="):
            return self.call()
        targets: list[Argument] = []
        while not targets or self.skip(","):
            targets.append(Argument("out", self.word.text, self.word.place))
            self.identifier("a variable")
        self.want(":=")
        return self.call(tuple(targets))

    def call(self, targets: tuple[Argument, ...] | None = None) -> Call:
        place = self.word.place
        parts: list[str] = []
        group = ""
        while not group:
            if self.sees("any", "other"):
                group = self.take().text
            elif self.sees("*") and self.sees(".", ahead=1) and self.sees("any", "other", ahead=2):
                parts.append(self.take().text)
                self.want(".")
            else:
                parts.append(self.identifier("a statement" if not parts and targets is None else "a name to call"))
                if not self.skip("."):
                    break
        arguments = self.listed(self.argument, ")") if self.skip("(") else None
        return Call(tuple(parts), group, arguments, targets, place)

    def argument(self) -> Argument:
        place = self.word.place
        if self.skip("out"):
            return Argument("out", self.identifier("a variable"), place)
        if self.skip("_"):
            return Argument("any", "_", place)
        begin, end, depth = self.word.begin, self.word.begin, 0
        while depth or not self.sees(",", ")"):
            if self.word.kind == "end" or self.sees(";", "{", "}"):
                self.unexpected("')'")
            depth += self.sees("(") - self.sees(")")
            end = self.take().end
        if end == begin:
            self.unexpected("an argument")
        return Argument("in", self.text[begin:end], place)

    STATEMENTS: ClassVar[dict[str, Callable[[_Reader], Statement]]] = {
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


def _told(name: Name) -> str:
    return ".".join(name) if name else "no package"

"""Parser and evaluation of attribute expressions: `let:n = n + 1`, `test:int:lt(a.n, 5)`, arguments of control calls.

A name is a field: of a named node (`a.n`), or of the labelled node (`n`). Names that begin with a dollar sign, and
those that the caller passes, are variables. Operators have a name or a symbol and are overloaded for several types; the
values decide if the text is ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.language.tokens import Parser
from pentad.grammar.language.values import DEFAULT, ERRORS, TYPES, USER, AttributeValue, Family, NoValue, Operator
from pentad.system.words import phrase

MAX_DEPTH = 150


class Sign(NamedTuple):
    """An operator's symbol: the operators that it may mean, its precedence and its associativity."""

    names: tuple[str, ...]
    level: int
    side: str = "left"  # associativity; "neither" needs brackets


INFIX = {
    "|": Sign(("or",), 1, "right"),
    "&": Sign(("and",), 2, "right"),
    "==": Sign(("eq",), 4, "neither"),
    "!=": Sign(("neq",), 4, "neither"),
    "<": Sign(("lt",), 5, "right"),
    "<=": Sign(("le",), 5, "right"),
    ">": Sign(("gt",), 5, "right"),
    ">=": Sign(("ge",), 5, "right"),
    "+": Sign(("add", "concat"), 6),
    "-": Sign(("sub",), 6),
    "*": Sign(("mul",), 7),
    "/": Sign(("div",), 7),
    "%": Sign(("mod",), 7),
}
PREFIX = {
    "!": Sign(("not",), 3),
    "-": Sign(("neg",), 8),
    "(int)": Sign(("toInt",), 8),
    "(real)": Sign(("toReal",), 8),
    "(string)": Sign(("toString",), 8),
}


@dataclass(frozen=True, slots=True)
class Constant:
    """A value."""

    value: AttributeValue

    @property
    def types(self) -> frozenset[str]:
        return frozenset((self.value.type,))


@dataclass(frozen=True, slots=True)
class Variable:
    """A parameter or a control variable."""

    name: str
    type: str | None = None

    @property
    def types(self) -> frozenset[str]:
        return frozenset((self.type,) if self.type else (*TYPES, USER))


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a named node, or of the labelled node."""

    owner: str | None
    name: str
    type: str | None = None

    @property
    def types(self) -> frozenset[str]:
        return frozenset((self.type,) if self.type else (*TYPES, USER))


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator, by name or by symbol, applied to expressions; `type` is its explicit algebra, if any."""

    name: str
    arguments: tuple[Expression, ...]
    type: str | None
    # The types of the arguments choose one of these.
    operators: tuple[Operator, ...] = field(compare=False, repr=False)
    depth: int = field(default=1, compare=False, repr=False)

    @property
    def types(self) -> frozenset[str]:
        return frozenset(operator.result for operator in self.operators)


Expression: TypeAlias = Constant | Variable | Attribute | Apply
Name: TypeAlias = Attribute | Variable


# ── building ─────────────────────────────────────────────────────────────────────────────────────


def applied(
    kind: str | None,
    name: str,
    arguments: Sequence[Expression],
    algebra: Family = DEFAULT,
    names: tuple[str, ...] = (),
) -> Apply:
    """Returns an operator (such as `add`) applied to arguments; `kind` is its type, None for any.

    `names` are the operators that it may be, if `name` is a symbol.
    """
    depth = 1 + max((each.depth for each in arguments if isinstance(each, Apply)), default=0)
    if depth > MAX_DEPTH:
        raise GrammarError(phrase("An expression is nested more than {depth} operators deep.", depth=MAX_DEPTH))
    operators = algebra.named(names or (name,), kind)
    if not operators:
        owner = phrase(" of the type {kind}", kind=shown(kind)) if kind else ""
        raise GrammarError(phrase("Unknown operator {name}{owner}.", name=shown(name), owner=owner))
    fitting = _fitting(operators, [each.types for each in arguments])
    if not fitting:
        forms = phrase(" Its forms are {operators}.", operators="; ".join(map(str, operators)))
        raise _cannot_apply(name, [each.types for each in arguments], forms=forms)
    return Apply(name, tuple(arguments), kind, fitting, depth)


def _cannot_apply(name: str, types: Iterable[Iterable[str]], where: str = "", forms: str = "") -> GrammarError:
    given = " and ".join(" or ".join(sorted(each)) for each in types) or "nothing"
    return GrammarError(
        phrase("The operator {name} cannot be applied to {given}.{forms}", name=shown(name), given=given, forms=forms),
        where,
    )


def _fitting(operators: Iterable[Operator], types: Sequence[Collection[str]]) -> tuple[Operator, ...]:
    """Returns the operators that may take arguments of these types."""
    found = []
    for operator in operators:
        expected = operator.expected(len(types))
        enough = bool(types) or not operator.arguments or operator.name in ("sum", "prod")
        if enough and len(expected) == len(types) and all(kind in of for kind, of in zip(expected, types, strict=True)):
            found.append(operator)
    return tuple(found)


def fields(expression: Expression) -> Iterator[Name]:
    """Yields the fields and variables of an expression, each once.

    >>> [text(name) for name in fields(parse("a.n + n * a.n - $0"))]
    ['a.n', 'n', '$0']
    """
    if isinstance(expression, Apply):
        return iter(dict.fromkeys(name for argument in expression.arguments for name in fields(argument)))
    return iter(() if isinstance(expression, Constant) else (expression,))


def types(expression: Expression, known: Callable[[Name], str | None], where: str = "") -> frozenset[str]:
    """Returns the possible types of an expression, given the types of some fields; raises an error if there are none.

    >>> sorted(types(parse("n + m"), lambda name: "real" if name.name == "n" else None))
    ['real']
    """
    return frozenset(typings(expression, known, where, ambiguous=True))


def typings(
    expression: Expression, known: Callable[[Name], str | None], where: str = "", ambiguous: bool = False
) -> dict[str, Expression]:
    """Returns the typed forms of an expression, by the type of the value; one of each type if they are `ambiguous`.

    >>> sorted(typings(parse("n + m"), lambda name: None))
    ['int', 'real', 'string']
    """
    if isinstance(expression, Constant):
        return {expression.value.type: expression}
    if not isinstance(expression, Apply):
        found = known(expression)
        if found is not None and found not in expression.types:
            raise GrammarError(phrase("{text} is of type {found}.", text=text(expression), found=found), where)
        return {kind: replace(expression, type=kind) for kind in ([found] if found else sorted(expression.types))}
    arguments = [typings(argument, known, where, ambiguous) for argument in expression.arguments]
    made: dict[str, Expression] = {}
    for operator in _fitting(expression.operators, arguments):
        if operator.result in made and not ambiguous:
            raise GrammarError(
                phrase("The operator {name} is ambiguous. Add a type.", name=shown(expression.name)), where
            )
        chosen = tuple(of[kind] for kind, of in zip(operator.expected(len(arguments)), arguments, strict=True))
        made[operator.result] = replace(expression, arguments=chosen, operators=(operator,))
    if not made:
        raise _cannot_apply(expression.name, arguments, where)
    return made


def typed(
    expression: Expression, known: Callable[[Name], str | None], kind: str | None = None, where: str = ""
) -> Expression:
    """Returns an expression with all types resolved; `kind` is the required type of its value."""
    found = typings(expression, known, where)
    if kind is not None:
        if kind not in found:
            raise GrammarError(
                phrase(
                    "{text} is of type {found}, not {kind}.", text=text(expression), found=" or ".join(found), kind=kind
                ),
                where,
            )
        return found[kind]
    if len(found) > 1:
        raise GrammarError(
            phrase(
                "{text} may be of type {found}. Add a type, such as int:.",
                text=text(expression),
                found=" or ".join(found),
            ),
            where,
        )
    return next(iter(found.values()))


def is_constant(expression: Expression) -> bool:
    """Whether an expression is constant: no names, and no user-defined functions."""
    if isinstance(expression, Apply):
        fixed = all(operator.type != USER or operator.makes for operator in expression.operators)
        return fixed and all(map(is_constant, expression.arguments))
    return isinstance(expression, Constant)


def constant_of(expression: Expression, kind: str, algebra: Family) -> AttributeValue:
    """Returns the value of an expression without names; it must have this type, if one is given."""
    try:
        value = evaluate(expression, no_name)
    except NoValue:
        raise GrammarError("The expression has no value.") from None
    if kind == "real" and value.type == "int":
        return algebra.read("real", value.text)
    if kind and value.type != kind:
        raise GrammarError(phrase("Expected a value of type {kind}.", kind=kind))
    return value


def no_name(_: Name) -> AttributeValue:
    """The lookup of names in constants."""
    raise GrammarError("Expected a value, got a name.")


# ── evaluation ───────────────────────────────────────────────────────────────────────────────────


def evaluate(
    expression: Expression,
    lookup: Callable[[Name], AttributeValue],
    gather: Callable[[Expression], Iterable[AttributeValue]] | None = None,
) -> AttributeValue:
    """Evaluates an expression.

    `gather` returns the values of a collective operator's only argument over a quantifier's matches. Raises `NoValue`
    if the values do not have the types of the expression. A division by zero has a value: the type's error value.

    >>> str(evaluate(parse("n * 2 + 1"), lambda name: AttributeValue("int", 20)))
    'int:41'
    """
    if isinstance(expression, Constant):
        return expression.value
    if isinstance(expression, Apply):
        arguments = expression.arguments
        if gather is not None and len(arguments) == 1 and expression.operators[0].collective:
            values = list(gather(arguments[0]))
        else:
            values = [evaluate(argument, lookup, gather) for argument in arguments]
        given = [value.type for value in values]
        for operator in expression.operators:
            if operator.takes(given):
                return operator.apply(values)
        raise NoValue(phrase("{name} of {given}", name=expression.name, given=", ".join(given)))
    value = lookup(expression)
    if expression.type is not None and value.type != expression.type:
        raise NoValue(phrase("{text} is of type {type}", text=text(expression), type=value.type))
    return value


# ── text ─────────────────────────────────────────────────────────────────────────────────────────


def text(expression: Expression, level: int = 0) -> str:
    """Returns the text of an expression in GROOVE's syntax, in brackets if its precedence is lower than `level`.

    >>> text(parse("(a+b)*-c"))
    '(a + b) * -c'
    """
    if isinstance(expression, Constant):
        return expression.value.text
    if not isinstance(expression, Apply):
        owner = f"{expression.owner}." if isinstance(expression, Attribute) and expression.owner else ""
        return f"{_typed(expression.type)}{owner}{expression.name}"
    arguments = expression.arguments
    infix, prefix = INFIX.get(expression.name), PREFIX.get(expression.name)
    if infix and len(arguments) == 2:
        own_level = infix.level
        left = text(arguments[0], own_level if infix.side == "left" else own_level + 1)
        right = text(arguments[1], own_level if infix.side == "right" else own_level + 1)
        written = f"{left} {expression.name} {right}"
    elif prefix:
        own_level = prefix.level
        written = f"{expression.name}{text(arguments[0], own_level)}"
    else:
        called = ", ".join(text(argument) for argument in arguments)
        return f"{_typed(expression.type)}{expression.name}({called})"
    if expression.type:
        return f"{expression.type}:({written})"
    return f"({written})" if own_level < level else written


def _typed(kind: str | None) -> str:
    return f"{kind}:" if kind else ""


# ── reading ──────────────────────────────────────────────────────────────────────────────────────

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[0-9]+(?:\.[0-9]*(?:[eE]-?[0-9]+)?)?|\.[0-9]+(?:[eE]-?[0-9]+)?)
    |(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<name>(?:[^\W\d]|\$)[\w$]*)
    |(?P<sign>\((?:int|real|string)\)|==|!=|<=|>=|[-+*/%<>&|!().,:=])
    |(?P<end>\Z)
    |(?P<unexpected>.))""",
    re.VERBOSE | re.DOTALL,
)
_LITERALS = {"true": "bool", "false": "bool", **{token: kind for kind, token in ERRORS.items()}}


def parse(text: str, where: str = "", algebra: Family = DEFAULT, variables: Collection[str] = ()) -> Expression:
    """Parses an expression.

    >>> parse("self.n < 5") == parse("n<5")
    True
    """
    return _Parser(text, where, algebra, variables).whole()


def parse_test(text: str, where: str = "", algebra: Family = DEFAULT) -> Expression:
    """Parses the text after `test:`; in older grammars `n = 5` is written for `n == 5`."""
    parser = _Parser(text, where, algebra)
    name = parser.assigned()
    return parser.apply("==", INFIX["=="], (Attribute(None, name), parser.whole())) if name else parser.whole()


def parse_let(text: str, where: str = "", algebra: Family = DEFAULT) -> tuple[str, Expression]:
    """Parses the text after `let:`: a field and the expression of its value."""
    parser = _Parser(text, where, algebra)
    name = parser.assigned() or parser.fail("Expected an assignment: name = expression.")
    return name, parser.whole()


class _Parser(Parser):
    """Recursive-descent parser of expressions."""

    pattern, noun = _TOKEN, "an expression"

    def __init__(self, text: str, where: str, algebra: Family, variables: Collection[str] = ()) -> None:
        super().__init__(text, where)
        self.algebra, self.variables = algebra, variables

    def assigned(self) -> str:
        """Takes a name with an equals sign after it; empty if there is none."""
        if self.token.kind != "name" or not self.sees("=", ahead=1):
            return ""
        name = self.take().text
        self.take()
        return name

    def whole(self) -> Expression:
        found = self.expression(0)
        if self.token.kind != "end":
            self.unexpected("an operator or the end")
        return found

    def expression(self, level: int) -> Expression:
        """Parses an expression of operators with at least this precedence (precedence climbing)."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(phrase("An expression is nested more than {depth} deep.", depth=MAX_DEPTH))
        left = self.operand()
        while (infix := INFIX.get(self.token.text)) and self.token.kind == "sign":
            if infix.level < level or (infix.level == level and infix.side == "left"):
                break
            if infix.level == level and infix.side == "neither":
                self.fail(phrase("Repeated {text} is ambiguous. Add brackets.", text=shown(self.token.text)))
            sign = self.take().text
            left = self.apply(sign, infix, (left, self.expression(infix.level)))
        self.depth -= 1
        return left

    def apply(self, name: str, sign: Sign, arguments: tuple[Expression, ...], kind: str | None = None) -> Apply:
        try:
            return applied(kind, name, arguments, self.algebra, sign.names)
        except GrammarError as error:
            self.fail(error.what)

    def operand(self) -> Expression:
        """Parses an operand of infix operators."""
        kind, token, *_ = self.token
        if kind == "number" or kind == "string":
            self.take()
            return self.constant(("real" if "." in token else "int") if kind == "number" else "string", token)
        if kind == "name":
            return self.named()
        if kind != "sign" or (token != "(" and token not in PREFIX):
            self.unexpected("a value, a name or a bracket")
        self.take()
        if token == "(":
            found = self.expression(0)
            self.expect(")")
            return found
        if token == "-" and self.token.kind == "number":
            number = self.take().text
            return self.constant("real" if "." in number else "int", f"-{number}")
        argument = self.expression(PREFIX[token].level)
        negative = self.apply(token, PREFIX[token], (argument,))
        if token == "-" and isinstance(argument, Constant):
            return Constant(negative.operators[0].apply([argument.value]))
        return negative

    def constant(self, kind: str, token: str) -> Constant:
        try:
            return Constant(self.algebra.read(kind, token))
        except GrammarError as error:
            self.fail(error.what)

    def named(self) -> Expression:
        """Parses an operand that begins with a name: a typed expression, a call, a constant, a variable, a field."""
        token = self.take().text
        if self.skip(":"):
            return self.typed(token)
        if self.skip("("):
            return self.call(token)
        if token in _LITERALS:
            return self.constant(_LITERALS[token], token)
        parts = [token]
        while self.skip("."):
            if self.token.kind != "name":
                self.unexpected("a field's name")
            parts.append(self.take().text)
        if len(parts) > 2:
            self.fail("A field has no fields of its own.")
        if len(parts) == 2:
            return Attribute(parts[0] if parts[0] != "self" else None, parts[1])
        if not any(map(str.isalnum, token)):
            self.fail(phrase("{token} is not a name.", token=shown(token)))
        return Variable(token) if token in self.variables or token.startswith("$") else Attribute(None, token)

    def typed(self, kind: str) -> Expression:
        """Parses the expression after a type and a colon."""
        if kind not in (*TYPES, USER):
            self.fail(phrase("Unknown type {kind}. The types are {types}.", kind=shown(kind), types=", ".join(TYPES)))
        if self.token.kind == "name" and self.sees(":", ahead=1):
            self.fail("An expression has two types.")
        found = self.operand()
        if isinstance(found, Constant):
            if kind == "real" and found.value.type == "int":
                return self.constant("real", found.value.text)
            if kind != found.value.type:
                self.fail(
                    phrase(
                        "{text} is of type {type}, not {kind}.",
                        text=shown(found.value.text),
                        type=found.value.type,
                        kind=kind,
                    )
                )
            return found
        if found.type is not None:
            self.fail("An expression has two types.")
        if not isinstance(found, Apply):
            return replace(found, type=kind)
        sign = (PREFIX if len(found.arguments) == 1 else INFIX).get(found.name, Sign((found.name,), 0))
        return self.apply(found.name, sign, found.arguments, kind)

    def call(self, name: str) -> Apply:
        """Parses the rest of a call, after its opening bracket."""
        return self.apply(name, Sign((name,), 0), self.listed(lambda: self.expression(0)))

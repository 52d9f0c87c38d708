"""Mutations: small changes of a module's source, one at a time, that its tests should notice.

Left out are what the tests need not notice: annotations, docstrings, imports, decorators, `assert`, the texts of
exceptions, and f-strings (Python 3.11 does not tell the places of what they contain).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

# Operators and those that take their place.
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "set": "list"}
NAMES_OF_TYPES = {"cast", "TypeVar", "NewType"}  # calls whose arguments are for the type checker
NOT_CODE = {"__all__", "__slots__"}
LARGE = 10  # from here on, a number may also become a hundred times as large


@dataclass(frozen=True)
class Mutation:
    """A change of a source."""

    name: str  # the same as long as the function is the same: "Clock.start: a < b → a <= b"
    start: int  # offsets in the source
    end: int
    after: str
    first: int  # lines of the statement, or of the head of a compound statement
    last: int
    function: tuple[str, int] | None  # outermost function that contains it, and the first line of its code

    def apply(self, source: str) -> str:
        """The source with this change."""
        return source[: self.start] + self.after + source[self.end :]


@dataclass(frozen=True)
class _Place:
    """Where a node stands."""

    names: tuple[str, ...] = ()
    function: tuple[str, int] | None = None
    first: int = 0
    last: int = 0


Change = tuple[ast.AST, str]


@lru_cache(maxsize=64)
def mutations(source: str) -> list[Mutation]:
    """All mutations of a module, in the order of the source."""
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    lines = [source[start:end].encode() for start, end in pairwise(offsets)]

    def offset(line: int, column: int) -> int:
        return offsets[line - 1] + len(lines[line - 1][:column].decode())

    found: list[Mutation] = []
    names: Counter[str] = Counter()
    for (node, after), place in _walk(ast.parse(source), _Place()):
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)
        before = " ".join(source[start:end].split())
        name = f"{'.'.join(place.names) or 'module'}: {before} → {after}"
        names[name] += 1
        if names[name] > 1:
            name += f" ({names[name]})"
        found.append(Mutation(name, start, end, after, place.first, place.last, place.function))
    return sorted(found, key=lambda each: (each.start, each.end, each.name))


def _walk(node: ast.AST, place: _Place) -> Iterator[tuple[Change, _Place]]:
    """The changes of a node and of what is below it."""
    if isinstance(node, ast.stmt):
        place = _in_statement(node, place)
    for change in _changes(node):
        yield change, place
    for child in _children(node):
        yield from _walk(child, place)
    for child in _body(node):
        yield from _walk(child, _in_body(node, place))


def _in_statement(node: ast.stmt, place: _Place) -> _Place:
    body: list[ast.AST] = getattr(node, "body", [])
    last = max(node.lineno, body[0].lineno - 1) if body and isinstance(body[0], ast.stmt) else node.end_lineno
    return _Place(place.names, place.function, node.lineno, last or node.lineno)


def _in_body(node: ast.AST, place: _Place) -> _Place:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return place
    names, function = (*place.names, node.name), place.function
    if function is None and not isinstance(node, ast.ClassDef):
        function = ".".join(names), min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return _Place(names, function, place.first, place.last)


def _body(node: ast.AST) -> Sequence[ast.AST]:
    """The statements of a function, class or module, which are a place of their own."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.body
    return ()


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a node, without what is left out."""
    match node:
        case ast.FunctionDef(args=arguments) | ast.AsyncFunctionDef(args=arguments):
            yield from (each for each in (*arguments.defaults, *arguments.kw_defaults) if each is not None)
        case ast.AnnAssign(value=value):
            yield from () if value is None else (value,)
        case ast.Assign(targets=[ast.Name(id=name)]) if name in NOT_CODE:
            return
        case ast.If(test=ast.Name("TYPE_CHECKING")):
            yield from node.orelse
        case ast.While(test=ast.Constant(), body=body):
            yield from body
        case ast.Call(func=ast.Name(name), args=[_, *rest]) if name in NAMES_OF_TYPES:
            yield from rest
        case ast.ClassDef() | ast.Assert() | ast.Raise() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return
        case ast.Expr(value=ast.Constant()):
            return
        case ast.match_case(guard=guard, body=body):  # a pattern has a syntax of its own
            yield from body if guard is None else (guard, *body)
        case _:
            yield from ast.iter_child_nodes(node)


def _changes(node: ast.AST) -> Iterator[Change]:
    """What can take the place of a node."""
    match node:
        case ast.Compare(left, ops, comparators):
            for i, operator in enumerate(ops):
                for other in COMPARISONS[type(operator)]:
                    yield node, _text(ast.Compare(left, [*ops[:i], other(), *ops[i + 1 :]], comparators))
        case ast.BoolOp(operator, values):
            yield node, _text(ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values))
            for i in range(len(values)):
                rest = [*values[:i], *values[i + 1 :]]
                yield node, _text(ast.BoolOp(operator, rest) if len(rest) > 1 else rest[0])
        case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
            yield node, _text(ast.BinOp(left, OPERATORS[type(operator)](), right))
        case ast.UnaryOp(operand=operand):
            yield node, _text(operand)
        case ast.Constant(value):
            yield from ((node, repr(other)) for other in _other_values(value))
        case ast.If(test=ast.Name("TYPE_CHECKING")):
            return
        case ast.If(test=test) if not _is_constant(test):
            yield from ((test, value) for value in ("True", "False"))
        case ast.IfExp(test=test):
            yield from ((test, value) for value in ("True", "False"))
        case ast.While(test=test) if not _is_constant(test):
            yield test, "False"
        case ast.comprehension(ifs=tests):
            yield from ((test, "True") for test in tests)
        case ast.Call(func=ast.Name(name)) if name in FUNCTIONS:
            yield node.func, FUNCTIONS[name]
        case ast.Return(value=value) if value is not None and not _is_constant(value):
            yield node, "return None"
    yield from _left_out(node)


def _left_out(node: ast.AST) -> Iterator[Change]:
    """A statement, or a keyword argument, is left out."""
    match node:
        case ast.Call(function, arguments, keywords):
            for i, keyword in enumerate(keywords):
                if keyword.arg is not None:
                    yield node, _text(ast.Call(function, arguments, [*keywords[:i], *keywords[i + 1 :]]))
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield node, "pass"
        case ast.Expr() | ast.AugAssign() | ast.Delete() | ast.Raise() | ast.Break() | ast.Continue():
            yield node, "pass"


def _other_values(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
            if value >= LARGE:
                yield value * 100
        case float():
            yield value * 2 + (value == 0)
        case str():
            yield f"{value}XX"


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def _text(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"

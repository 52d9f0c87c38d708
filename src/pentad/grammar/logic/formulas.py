"""Formulas of CTL, LTL and CTL* in GROOVE's syntax: abstract syntax, parser and printer.

The name of an action holds in states where the action is enabled: `win`, `sub.win`, with arguments `place(n1,_)`, or as
a whole label in quotes `'place(n1)'`. `$start`, `$final`, `$open`, `$result` and `$broken` hold in states so marked.
The connectives are `!`, `&`, `|`, `->`, `<-` and `<->`. `A` quantifies over all paths from a state, `E` over some path:
`AX p` (next), `AF p` (eventually), `AG p` (always), `A(p U q)` (until), `A(p W q)` (weak until: until, or always p),
`A(p R q)` (release: q up to and including the first state with p, or always q), `A(p M q)` (strong release: the same,
and p eventually). `<a> p` says that some transition of the action leads to a state with p, `[a] p` that all of them do;
`<a|b>` allows several actions, `<a|b*>` any number of such transitions, one after another (Hennessy-Milner logic).

In CTL a path quantifier stands before each temporal operator. LTL has none: a formula is about all paths. In CTL* both
stand anywhere.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NoReturn, TypeAlias

from pentad.game import shown
from pentad.grammar.graph import GrammarError
from pentad.grammar.language.tokens import Parser, Token
from pentad.grammar.language.values import quoted
from pentad.grammar.lts import label
from pentad.system.words import phrase

DEPTH = 150  # the deepest nesting of formulas
SPECIAL = ("$start", "$final", "$open", "$result", "$broken")
ANY = "_"  # it stands for an argument of any value


PRECEDENCES = {"<->": 1, "->": 2, "<-": 2, "|": 3, "&": 4, "U": 6, "W": 6, "R": 6, "M": 6}
SINGLE = "<->"  # cannot be repeated without brackets; the others are right-associative
PREFIX_LEVEL = 5  # a single A, E, X, F or G has it: `A p U q` is `A(p U q)`
TIGHT = 7  # `!` has it, and several letters together: `AG p & q` is `(AG p) & q`
QUANTIFIERS, UNARY = "AE", "XFG"


@dataclass(frozen=True, slots=True)
class Constant:
    """True or false, everywhere."""

    value: bool


@dataclass(frozen=True, slots=True)
class Atom:
    """An enabled action, with these arguments unless they are None; one of `SPECIAL`; or a literal label."""

    name: str
    arguments: tuple[str, ...] | None = None
    literal: bool = False

    def holds(self, action: str, arguments: tuple[str, ...]) -> bool:
        """Whether a transition of this action with these arguments matches the atom."""
        plain = tuple(map(_without_type, arguments))
        if self.literal:
            return self.name in (label(action, arguments), label(action, plain))
        if action != self.name:
            return False
        if self.arguments is None:
            return True
        return len(plain) == len(self.arguments) and all(
            expected == ANY or _without_type(expected) == given
            for expected, given in zip(self.arguments, plain, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Not:
    """A negation."""

    part: Formula


@dataclass(frozen=True, slots=True)
class Connective:
    """Two formulas joined by `&`, `|`, `->`, `<-` or `<->`."""

    operator: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Temporal:
    """A path quantifier (`A` or `E`) with a temporal operator: X, F, G with one operand; U, W, R, M with two."""

    quantifier: str
    operator: str
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class PathOperator:
    """A temporal operator of LTL and CTL*, about a path: X, F, G with one operand; U, W, R, M with two."""

    operator: str
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Quantified:
    """A path quantifier (`A` or `E`) of CTL* with a formula about the paths from a state."""

    quantifier: str
    part: Formula


@dataclass(frozen=True, slots=True)
class Modal:
    """Some transition of these actions leads to a state with a formula, or with `every` all of them do.

    With `star` this is about the states that any number of such transitions reach.
    """

    labels: tuple[Atom, ...]
    part: Formula
    every: bool = False
    star: bool = False


Formula: TypeAlias = Constant | Atom | Not | Connective | Temporal | PathOperator | Quantified | Modal


@dataclass(frozen=True, slots=True)
class _PathFormula:
    """A temporal operator without its path quantifier, as an intermediate result of the parser."""

    operator: str
    parts: tuple[_Parsed, ...]
    at: int


_Parsed: TypeAlias = Formula | _PathFormula


_TYPED = re.compile(r"^(?:int|real|string|bool):(?=.)")


def _without_type(argument: str) -> str:
    return _TYPED.sub("", argument)


def parts(formula: Formula) -> tuple[Formula, ...]:
    """The operands of a formula."""
    if isinstance(formula, Connective):
        return formula.left, formula.right
    if isinstance(formula, Not | Quantified | Modal):
        return (formula.part,)
    return formula.parts if isinstance(formula, Temporal | PathOperator) else ()


def subformulas(formula: Formula) -> Iterator[Formula]:
    """All subformulas, including the formula itself; raises an error if they are nested too deep."""
    todo = [(formula, 1)]
    while todo:
        each, depth = todo.pop()
        if depth > DEPTH:
            raise GrammarError(phrase("A formula is nested more than {depth} deep.", depth=DEPTH))
        yield each
        todo += [(part, depth + 1) for part in reversed(parts(each))]


def atoms(formula: Formula) -> Iterator[Atom]:
    """All atoms, including those of modalities."""
    for each in subformulas(formula):
        if isinstance(each, Atom):
            yield each
        elif isinstance(each, Modal):
            yield from each.labels


def check_depth(formula: Formula) -> None:
    """Raises an error if a formula is nested too deep."""
    for _ in subformulas(formula):
        pass


def check_names(formula: Formula, actions: Collection[str] | None = None) -> None:
    """Raises an error if a formula names an unknown action or is nested too deep; None accepts all actions."""
    for each in atoms(formula):
        if each.literal or each.name in SPECIAL:
            continue
        if actions is None and not each.name.startswith("$"):
            continue
        known = actions or ()
        if each.name not in known:
            near = difflib.get_close_matches(each.name, [*known, *SPECIAL], 5, 0.6)
            hint = f"Similar: {', '.join(near)}." if near else f"Known: {_some([*known, *SPECIAL])}."
            raise GrammarError(
                phrase(
                    "A formula names {name}, which is not an action or a mark. {hint}", name=shown(each.name), hint=hint
                )
            )


def _some(names: Collection[str], most: int = 12) -> str:
    listed = ", ".join(sorted(names)[:most])
    return f"{listed}, …" if len(names) > most else listed or "none"


@lru_cache(maxsize=10_000)
def call_of(label: str) -> tuple[str, tuple[str, ...]]:
    """Parses a label as an action with arguments; if that fails, the whole label is the name.

    >>> call_of("sc(n0, 100)"), call_of("grav 9.81")
    (('sc', ('n0', '100')), ('grav 9.81', ()))
    """
    try:
        found = parse(label)
    except GrammarError:
        return label, ()
    if not isinstance(found, Atom) or found.literal or found.name in SPECIAL:
        return label, ()
    return found.name, found.arguments or ()


# ── text ─────────────────────────────────────────────────────────────────────────────────────────

_NAME = re.compile(r"[^\W\d][\w$]*(?:-[\w$]+)*(?:\.[^\W\d][\w$]*(?:-[\w$]+)*)*|\$[\w$]+")
_CONSTANTS = {"true": Constant(True), "false": Constant(False)}


def text(formula: Formula) -> str:
    """The text of a formula.

    >>> text(parse("AG(get|put->EF !final.done)"))
    'AG (get | put -> EF !final.done)'
    """
    check_depth(formula)
    return _text(formula)


def _text(formula: Formula) -> str:
    if isinstance(formula, Constant):
        return "true" if formula.value else "false"
    if isinstance(formula, Atom):
        given = "" if formula.arguments is None else f"({','.join(formula.arguments)})"
        return quoted(formula.name, "'") if formula.literal else formula.name + given
    if isinstance(formula, Modal):
        labels = "|".join(map(_text, formula.labels)) + "*" * formula.star
        return f"{f'[{labels}]' if formula.every else f'<{labels}>'} {_bracketed(formula.part, TIGHT)}"
    if isinstance(formula, Not):
        return f"!{_bracketed(formula.part, TIGHT)}"
    if isinstance(formula, Connective):
        level = PRECEDENCES[formula.operator]
        left = _bracketed(formula.left, level + 1)
        right = _bracketed(formula.right, level + (formula.operator == SINGLE))
        return f"{left} {formula.operator} {right}"
    if isinstance(formula, Quantified):
        return f"{formula.quantifier} {_bracketed(formula.part, TIGHT)}"
    if isinstance(formula, PathOperator):
        if formula.operator in UNARY:
            return f"{formula.operator} {_bracketed(formula.parts[0], TIGHT)}"
        left, right = (_text(part) if _is_compact(part) else f"({_text(part)})" for part in formula.parts)
        return f"({left} {formula.operator} {right})"
    if formula.operator in UNARY:
        return f"{formula.quantifier}{formula.operator} {_bracketed(formula.parts[0], TIGHT)}"
    left, right = (_bracketed(part, TIGHT) for part in formula.parts)
    if _ends_in_binary(formula.parts[0]):
        left = f"({left})"
    return f"{formula.quantifier}({left} {formula.operator} {right})"


def _is_compact(formula: Formula) -> bool:
    """Whether the text of a formula is a single word or in brackets."""
    return isinstance(formula, Constant | Atom) or (isinstance(formula, PathOperator) and formula.operator not in UNARY)


def _ends_in_binary(formula: Formula) -> bool:
    """Whether a formula ends in one like `A(p U q)`, which would capture a U that follows."""
    while isinstance(formula, Not | Modal) or (isinstance(formula, Temporal) and len(formula.parts) == 1):
        formula = parts(formula)[0]
    return isinstance(formula, Temporal)


def _bracketed(formula: Formula, level: int) -> str:
    own = PRECEDENCES[formula.operator] if isinstance(formula, Connective) else TIGHT
    return f"({_text(formula)})" if own < level else _text(formula)


# ── parser ───────────────────────────────────────────────────────────────────────────────────────

_TOKEN = re.compile(
    rf"""\s*(?:
    (?P<name>{_NAME.pattern})
  | (?P<number>-?[0-9]+(?:\.[0-9]+)?)
  | (?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<sign><->|->|<-|[&|!(),<>\[\]*])
  | (?P<end>\Z)
  | (?P<unexpected>.)
)""",
    re.VERBOSE | re.DOTALL,
)


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)


def parse(text: str, *, paths: bool = False) -> Formula:
    """Parses a formula of CTL, or with `paths` one of LTL or CTL*.

    >>> parse("!EX A busy U done")
    Not(part=Temporal(quantifier='E', operator='X', parts=(Temporal(quantifier='A', operator='U', parts=(Atom(name=...
    >>> parse("F busy", paths=True)
    PathOperator(operator='F', parts=(Atom(name='busy', arguments=None, literal=False),))
    """
    return _Parser(text, paths).parse()


class _Parser(Parser):
    """An operator-precedence parser with explicit stacks, so that brackets may be nested to any depth."""

    pattern, noun = _TOKEN, "a formula"

    def __init__(self, text: str, paths: bool) -> None:
        super().__init__(text)
        self.paths = paths
        self.operators: list[tuple[Token, int]] = []  # opening brackets are among them; each has its precedence
        self.operands: list[_Parsed] = []
        self.modals: dict[int, Modal] = {}  # the place of their first bracket finds them

    def invalid(self, begin: int) -> str:
        return "Unfinished quote." if self.text[begin] in "'\"" else f"Unexpected {shown(self.text[begin])}."

    def fail(self, what: str, at: int | None = None) -> NoReturn:
        raise GrammarError(
            what
            if at is None
            else phrase("Formula {text}, character {at}: {what}", text=shown(self.text), at=at + 1, what=what)
        )

    def parse(self) -> Formula:
        """Parses the whole text."""
        while True:
            self.operand()
            while self.sees(")") and self.close():
                pass
            token = self.token
            infix = PRECEDENCES.get(token.text) if token.kind in ("sign", "name") else None
            if infix is None:
                break
            self.reduce(infix)
            if token.text == SINGLE and self.operators and self.operators[-1][1] == infix:
                self.fail(phrase("Two {text} side by side need brackets.", text=token.text), token.begin)
            self.operators.append((self.take(), infix))
        self.reduce(0)
        if self.operators:
            self.unexpected("')'")
        if self.token.kind != "end":
            self.unexpected("an infix operator or the end")
        found = self.state_formula(self.operands.pop())
        check_depth(found)
        return found

    def operand(self) -> None:
        """Reads an operand with the prefix operators and opening brackets before it."""
        while True:
            token = self.token
            if token.kind == "quoted":
                self.take()
                self.operands.append(Atom(_unquoted(token.text), literal=True))
                return
            letters = (
                token.kind == "name" and token.text not in PRECEDENCES and set(token.text) <= set(QUANTIFIERS + UNARY)
            )
            if token.kind == "name" and token.text not in PRECEDENCES and not letters:
                self.operands.append(self.atom(self.take()))
                return
            if self.sees("<", "["):
                self.modal()
                continue
            if not letters and not self.sees("!", "("):
                self.unexpected("a name, a quoted label or a bracket")
            alone = letters and len(token.text) == 1
            self.operators.append((self.take(), 0 if token.text == "(" else PREFIX_LEVEL if alone else TIGHT))

    def modal(self) -> None:
        """Reads the labels of a modality."""
        token = self.take()
        if self.paths:
            self.fail("Formulas of LTL and CTL* have no modalities.", token.begin)
        labels = [self.label()]
        while self.skip("|"):
            labels.append(self.label())
        star = self.skip("*")
        end = ">" if token.text == "<" else "]"
        if not self.skip(end):
            self.unexpected(f"'{end}'")
        self.modals[token.begin] = Modal(tuple(labels), Constant(value=True), token.text == "[", star)
        self.operators.append((token, TIGHT))

    def label(self) -> Atom:
        """An action in a modality."""
        token = self.token
        if token.kind == "quoted":
            self.take()
            return Atom(_unquoted(token.text), literal=True)
        if token.kind != "name":
            self.unexpected("an action or a quoted label")
        found = self.atom(self.take())
        if not isinstance(found, Atom) or found.name in SPECIAL:
            self.fail(phrase("{text} is not an action.", text=token.text), token.begin)
        return found

    def close(self) -> bool:
        """Reduces to the opening bracket and removes it; returns whether there was one."""
        self.reduce(0)
        if self.operators:
            self.operators.pop()
            self.take()
            return True
        return False

    def reduce(self, level: int) -> None:
        """Applies the pending operators of higher precedence than `level`."""
        while self.operators and self.operators[-1][1] > level:
            token = self.operators.pop()[0]
            last = self.operands.pop()
            if token.text in PRECEDENCES:
                one, other = self.state_formula(self.operands.pop()), self.state_formula(last)
                self.operands.append(
                    Connective(token.text, one, other)
                    if token.kind == "sign"
                    else self.temporal(token.text, (one, other), token.begin)
                )
            elif token.text == "!":
                self.operands.append(Not(self.state_formula(last)))
            elif token.begin in self.modals:
                self.operands.append(replace(self.modals[token.begin], part=self.state_formula(last)))
            else:
                self.operands.append(self.prefixed(token, last))

    def state_formula(self, parsed: _Parsed) -> Formula:
        """The formula; raises an error if its path quantifier is missing."""
        if isinstance(parsed, _PathFormula):
            self.fail(phrase("{operator} needs A or E before it.", operator=parsed.operator), parsed.at)
        return parsed

    def temporal(self, operator: str, parts: tuple[Formula, ...], at: int) -> _Parsed:
        """A temporal operator with its operands; in CTL its path quantifier is read later."""
        return PathOperator(operator, parts) if self.paths else _PathFormula(operator, parts, at)

    def prefixed(self, token: Token, found: _Parsed) -> _Parsed:
        """The formula with prefix letters such as `AG`."""
        for number, letter in reversed(list(enumerate(token.text))):
            if letter in UNARY:
                found = self.temporal(letter, (self.state_formula(found),), token.begin + number)
            elif self.paths:
                found = Quantified(letter, self.state_formula(found))
            elif isinstance(found, _PathFormula):
                found = Temporal(letter, found.operator, tuple(map(self.state_formula, found.parts)))
            else:
                self.fail(
                    phrase("{letter} must be followed by X, F, G, or a formula with U, W, R or M.", letter=letter),
                    token.begin + number,
                )
        return found

    def atom(self, token: Token) -> Formula:
        """A constant, or an action with its arguments."""
        if token.text in _CONSTANTS:
            return _CONSTANTS[token.text]
        if not self.skip("("):
            return Atom(token.text)
        return Atom(token.text, self.listed(self.argument))

    def argument(self) -> str:
        if self.token.kind not in ("name", "number", "quoted"):
            self.unexpected("an argument: a name, a value or _")
        token = self.take()
        return quoted(_unquoted(token.text)) if token.kind == "quoted" else token.text

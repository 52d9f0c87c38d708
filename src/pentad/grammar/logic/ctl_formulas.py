"""CTL formulas as GROOVE writes them: what can be said of the states of a transition system and of the ways from them.

An action's name holds where that action can be done: `win`, `sub.win`, with arguments `place(n1,_)`, or a whole label
in quotes `'place(n1)'`. `$start`, `$final`, `$open`, `$result` and `$broken` hold of such states. `!`, `&`, `|`, `->`,
`<-` and `<->` join. `A` says of all ways from a state, `E` of some way: `AX p` of the next state, `AF p` of some state
on it, `AG p` of every one; `A(p U q)`: q some time and p until then; `A(p W q)`: that, or p for good; `A(p R q)`: q as
long as p has not been, and then too; `A(p M q)`: that, and p will be.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, NoReturn, TypeAlias

from pentad.game import shown
from pentad.grammar.graph import GrammarError

LETTERS = 10_000  # of a formula
DEPTH = 150  # of one within another
SPECIAL = ("$start", "$final", "$open", "$result", "$broken")
ANY = "_"  # an argument that may be anything


class Sign(NamedTuple):
    """How tightly a sign binds; of two equals the right one is done first, unless they may not stand side by side."""

    level: int
    repeats: bool = True


INFIX = {
    "<->": Sign(1, repeats=False),
    "->": Sign(2),
    "<-": Sign(2),
    "|": Sign(3),
    "&": Sign(4),
    "U": Sign(6),
    "W": Sign(6),
    "R": Sign(6),
    "M": Sign(6),
}
PREFIX_LEVEL = 5  # of A, E, X, F, G where they stand alone: `A p U q` is `A(p U q)`
TIGHT = 7  # of `!`, and of such letters written together: `AG p & q` is `(AG p) & q`
WAYS, ALONG = "AE", "XFG"


@dataclass(frozen=True, slots=True)
class Constant:
    """True or false, everywhere."""

    value: bool


@dataclass(frozen=True, slots=True)
class Atom:
    """An action that can be done, with these arguments if any are told; one of `SPECIAL`; or a label as it is."""

    name: str
    arguments: tuple[str, ...] | None = None
    literal: bool = False

    def holds(self, action: str, arguments: tuple[str, ...]) -> bool:
        """Whether a transition of this action with these arguments makes it true."""
        plain = tuple(map(_without_type, arguments))
        if self.literal:
            return self.name in (label(action, arguments), label(action, plain))
        if action != self.name:
            return False
        if self.arguments is None:
            return True
        return len(plain) == len(self.arguments) and all(
            wanted == ANY or _without_type(wanted) == given for wanted, given in zip(self.arguments, plain, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Not:
    """What does not hold."""

    part: Formula


@dataclass(frozen=True, slots=True)
class Joined:
    """Two formulas joined by `&`, `|`, `->`, `<-` or `<->`."""

    sign: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Ways:
    """Of all ways (`A`) or of some way (`E`) from a state: one of X, F, G with a formula, of U, W, R, M with two."""

    which: str
    sign: str
    parts: tuple[Formula, ...]


Formula: TypeAlias = Constant | Atom | Not | Joined | Ways


@dataclass(frozen=True, slots=True)
class _Along:
    """What is said of one way, which a formula says only behind A or E."""

    sign: str
    parts: tuple[_Read, ...]
    place: int


_Read: TypeAlias = Formula | _Along


def label(action: str, arguments: tuple[str, ...]) -> str:
    """As GROOVE writes a transition."""
    return f"{action}({','.join(arguments)})" if arguments else action


_TYPED = re.compile(r"(?:int|real|string|bool):(?=.)")


def _without_type(argument: str) -> str:
    found = _TYPED.match(argument)
    return argument[found.end() :] if found else argument


def parts(formula: Formula) -> tuple[Formula, ...]:
    """What it is made of."""
    if isinstance(formula, Joined):
        return formula.left, formula.right
    if isinstance(formula, Not):
        return (formula.part,)
    return formula.parts if isinstance(formula, Ways) else ()


def within(formula: Formula) -> Iterator[Formula]:
    """It and all that it is made of; an error where one nests in another too deep."""
    todo = [(formula, 1)]
    while todo:
        each, depth = todo.pop()
        if depth > DEPTH:
            raise GrammarError(f"A formula is nested more than {DEPTH} deep.")
        yield each
        todo += [(part, depth + 1) for part in reversed(parts(each))]


def check_depth(formula: Formula) -> None:
    """An error where it nests too deep."""
    for _ in within(formula):
        pass


def check_names(formula: Formula, actions: Collection[str] | None = None) -> None:
    """An error where it names an action that is none of these, or nests too deep; the first is not asked of None."""
    for each in within(formula):
        if not isinstance(each, Atom) or each.literal or each.name in SPECIAL:
            continue
        if actions is None and not each.name.startswith("$"):
            continue
        known = actions or ()
        if each.name not in known:
            near = difflib.get_close_matches(each.name, [*known, *SPECIAL], 5, 0.6)
            hint = f"Similar: {', '.join(near)}." if near else f"Known: {_some([*known, *SPECIAL])}."
            raise GrammarError(f"A formula names {shown(each.name)}, which is not an action or a mark. {hint}")


def _some(names: Collection[str], most: int = 12) -> str:
    listed = ", ".join(sorted(names)[:most])
    return f"{listed}, …" if len(names) > most else listed or "none"


@lru_cache(maxsize=10_000)
def call_of(label: str) -> tuple[str, tuple[str, ...]]:
    """A label as an action with arguments; all of it is a name where it is no such thing.

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
_WORDS = {"true": Constant(True), "false": Constant(False)}


def text(formula: Formula) -> str:
    """As it is written.

    >>> text(parse("AG(get|put->EF !final.done)"))
    'AG (get | put -> EF !final.done)'
    """
    check_depth(formula)
    return _text(formula)


def _text(formula: Formula) -> str:
    if isinstance(formula, Constant):
        return "true" if formula.value else "false"
    if isinstance(formula, Atom):
        return _atom_text(formula)
    if isinstance(formula, Not):
        return f"!{_bracketed(formula.part, TIGHT)}"
    if isinstance(formula, Joined):
        level, repeats = INFIX[formula.sign]
        left, right = _bracketed(formula.left, level + 1), _bracketed(formula.right, level + (not repeats))
        return f"{left} {formula.sign} {right}"
    if formula.sign in ALONG:
        return f"{formula.which}{formula.sign} {_bracketed(formula.parts[0], TIGHT)}"
    left, right = (_bracketed(part, TIGHT) for part in formula.parts)
    if _takes_more(formula.parts[0]):
        left = f"({left})"
    return f"{formula.which}({left} {formula.sign} {right})"


def _takes_more(formula: Formula) -> bool:
    """Whether it ends in such as `A(p U q)`, to which another U behind it would belong."""
    while isinstance(formula, Not) or (isinstance(formula, Ways) and len(formula.parts) == 1):
        formula = parts(formula)[0]
    return isinstance(formula, Ways)


def _bracketed(formula: Formula, level: int) -> str:
    own = INFIX[formula.sign].level if isinstance(formula, Joined) else TIGHT
    return f"({_text(formula)})" if own < level else _text(formula)


def _atom_text(atom: Atom) -> str:
    if atom.literal:
        return "'" + atom.name.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return atom.name if atom.arguments is None else f"{atom.name}({','.join(atom.arguments)})"


# ── reading ──────────────────────────────────────────────────────────────────────────────────────

_TOKEN = re.compile(
    rf"""\s*(?:
    (?P<name>{_NAME.pattern})
  | (?P<number>-?[0-9]+(?:\.[0-9]+)?)
  | (?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<sign><->|->|<-|[&|!(),])
  | (?P<end>\Z)
  | (?P<odd>.)
)""",
    re.VERBOSE | re.DOTALL,
)


class _Word(NamedTuple):
    kind: str
    text: str
    place: int  # of its first letter, from 1


class _Waiting(NamedTuple):
    """A sign, or letters, or a bracket that has no operand yet; and how tightly it binds."""

    word: _Word
    level: int


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)


def parse(text: str) -> Formula:
    """Read a formula.

    >>> parse("!EX A busy U done")
    Not(part=Ways(which='E', sign='X', parts=(Ways(which='A', sign='U', parts=(Atom(name='busy', ...
    """
    return _Reader(text).whole()


class _Reader:
    """A formula's words, taken one by one."""

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > LETTERS:
            raise GrammarError(f"A formula of {len(text):,} characters is too long.")
        self.words: list[_Word] = []
        for found in _TOKEN.finditer(text):
            word = _Word(str(found.lastgroup), found[str(found.lastgroup)], found.start(str(found.lastgroup)) + 1)
            if word.kind == "odd":
                quote = "Unfinished quote" if word.text in "'\"" else f"Unexpected {shown(word.text)}"
                self.wrong(quote, word.place)
            self.words.append(word)
            if word.kind == "end":
                break
        self.place = 0
        self.waiting: list[_Waiting] = []  # signs, letters and opening brackets
        self.done: list[_Read] = []  # what they wait for

    @property
    def next(self) -> _Word:
        return self.words[self.place]

    def wrong(self, what: str, place: int) -> NoReturn:
        raise GrammarError(f"Formula {shown(self.text)}, character {place}: {what}.")

    def unexpected(self, wanted: str) -> NoReturn:
        word = self.next
        found = shown(word.text, 30) if word.kind != "end" else "the end"
        self.wrong(f"Expected {wanted}, got {found}", word.place)

    def take(self) -> _Word:
        self.place += 1
        return self.words[self.place - 1]

    def skip(self, sign: str) -> bool:
        """Whether the next word is this sign, which is taken."""
        seen = self.next.kind == "sign" and self.next.text == sign
        self.place += seen
        return seen

    def want(self, sign: str) -> None:
        if not self.skip(sign):
            self.unexpected(shown(sign))

    def whole(self) -> Formula:
        """What all the words say. What waits for its operands is kept in a list, so that brackets may nest at will."""
        while True:
            self.operand()
            while self.next.kind == "sign" and self.next.text == ")" and self.close():
                pass
            word = self.next
            sign = INFIX.get(word.text) if word.kind in ("sign", "name") else None
            if sign is None:
                break
            self.reduce(sign.level)
            if self.waiting and self.waiting[-1].level == sign.level and not sign.repeats:
                self.wrong(f"Two {word.text} side by side need brackets", word.place)
            self.waiting.append(_Waiting(self.take(), sign.level))
        self.reduce(0)
        if self.waiting:
            self.unexpected("')'")
        if self.next.kind != "end":
            self.unexpected("a sign that joins, or the end")
        found = self.state(self.done.pop())
        check_depth(found)
        return found

    def operand(self) -> None:
        """What stands before, between and behind the signs that join, but for closing brackets."""
        while True:
            word = self.next
            if word.kind == "quoted":
                self.take()
                self.done.append(Atom(_unquoted(word.text), literal=True))
                return
            letters = word.kind == "name" and word.text not in INFIX and set(word.text) <= set(WAYS + ALONG)
            if word.kind == "name" and word.text not in INFIX and not letters:
                self.done.append(self.atom(self.take()))
                return
            if not letters and word[:2] not in (("sign", "!"), ("sign", "(")):
                self.unexpected("a name, a quoted label or a bracket")
            alone = letters and len(word.text) == 1
            self.waiting.append(_Waiting(self.take(), 0 if word.text == "(" else PREFIX_LEVEL if alone else TIGHT))

    def close(self) -> bool:
        """Whether the bracket that closes here was opened; what stands between the two is done."""
        self.reduce(0)
        if self.waiting:
            self.waiting.pop()
            self.take()
            return True
        return False

    def reduce(self, level: int) -> None:
        """Apply what waits and binds tighter than this."""
        while self.waiting and self.waiting[-1].level > level:
            word = self.waiting.pop().word
            last = self.done.pop()
            if word.text in INFIX:
                one, other = self.state(self.done.pop()), self.state(last)
                is_sign = word.kind == "sign"
                self.done.append(
                    Joined(word.text, one, other) if is_sign else _Along(word.text, (one, other), word.place)
                )
            else:
                self.done.append(Not(self.state(last)) if word.text == "!" else self.ways(word, last))

    def state(self, read: _Read) -> Formula:
        """What was read, if it speaks of a state."""
        if isinstance(read, _Along):
            self.wrong(f"{read.sign} needs A or E before it", read.place)
        return read

    def ways(self, word: _Word, found: _Read) -> _Read:
        """What letters such as `AG` make of what stands behind them."""
        for number, letter in reversed(list(enumerate(word.text))):
            if letter in ALONG:
                found = _Along(letter, (self.state(found),), word.place + number)
            elif isinstance(found, _Along):
                found = Ways(letter, found.sign, tuple(map(self.state, found.parts)))
            else:
                self.wrong(f"{letter} must be followed by X, F, G, or a formula with U, W, R or M", word.place + number)
        return found

    def atom(self, word: _Word) -> Formula:
        """What a name begins that is no operator."""
        if word.text in _WORDS:
            return _WORDS[word.text]
        if not self.skip("("):
            return Atom(word.text)
        arguments: list[str] = []
        if not self.skip(")"):
            arguments.append(self.argument())
            while self.skip(","):
                arguments.append(self.argument())
            self.want(")")
        return Atom(word.text, tuple(arguments))

    def argument(self) -> str:
        if self.next.kind not in ("name", "number", "quoted"):
            self.unexpected("an argument: a name, a value or _")
        word = self.take()
        if word.kind == "quoted":
            return '"' + _unquoted(word.text).replace("\\", "\\\\").replace('"', '\\"') + '"'
        return word.text

"""Oracles: the sources of values for `ask:` parameters when a rule is applied.

>>> oracle = random_oracle(DEFAULT, 1000)
>>> [str(oracle(Rule("r"), RuleParameter(0, "int", from_oracle=True))) for _ in range(2)]
['int:-1244746321', 'int:1060493871']
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from typing import TypeAlias

from pentad.game import shown
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError
from pentad.grammar.language.user_operations import Failed, called, kept
from pentad.grammar.language.values import DEFAULT, AttributeValue, Content, Family, quoted
from pentad.grammar.rules.rule import Rule, RuleParameter
from pentad.system.words import phrase

__all__ = ["DEFAULT", "JavaRandom", "Oracle", "OracleFunction", "function_oracle", "oracle_of", "random_oracle"]

Oracle: TypeAlias = Callable[[Rule, RuleParameter], AttributeValue]
OracleFunction: TypeAlias = Callable[[str, str], Content]  # the caller's: from a rule's name and a type to a value

PROPERTY = "valueOracle"
DEFAULT_VALUES = {"int": "0", "real": "0.0", "string": '""', "bool": "false"}  # the oracle `default` answers with them
LONGEST = 10  # random strings are shorter
ALPHABET = 36  # number of their characters, from the digit 0 on


def oracle_of(grammar: Grammar, algebra: Family, function: OracleFunction | None = None) -> Oracle:
    """The oracle that calls the caller's function, or else the one that the grammar's property names."""
    if function is not None:
        return function_oracle(function, algebra)
    text = grammar.setting(PROPERTY).strip()
    kind, colon, rest = text.partition(":")
    if kind == "random":
        with contextlib.suppress(ValueError):  # the seed is not a number
            seed = int(rest) if colon else random.getrandbits(63)
            if -(2**63) <= seed < 2**63:
                return random_oracle(algebra, seed)
    if kind == "reader" and rest:
        return _reader(grammar, algebra, rest)
    if text == "default":
        return lambda rule, parameter: algebra.read(parameter.kind, DEFAULT_VALUES[parameter.kind])
    if text not in ("", "none"):
        known = "none, default, random, random:SEED, reader:FILE"
        raise GrammarError(
            phrase(
                "The property {property} is one of {known}, not {text}.",
                property=PROPERTY,
                known=known,
                text=shown(text),
            ),
            grammar.name,
        )
    return _no_oracle


def _no_oracle(rule: Rule, parameter: RuleParameter) -> AttributeValue:
    raise GrammarError(
        phrase(
            "The rule {name} asks for a value of {kind}; the property {property} must name an oracle.",
            name=rule.name,
            kind=parameter.kind,
            property=PROPERTY,
        )
    )


def function_oracle(function: OracleFunction, algebra: Family = DEFAULT) -> Oracle:
    """An oracle that calls a function with the rule's name and the type."""

    def value_of(rule: Rule, parameter: RuleParameter) -> AttributeValue:
        try:
            content = called(function, rule.name, parameter.kind)
        except Failed as error:
            raise GrammarError(phrase("The oracle fails for {name}: {error}", name=rule.name, error=error)) from error
        who = phrase("the oracle, which {name} asks for a value of {kind},", name=rule.name, kind=parameter.kind)
        return AttributeValue(parameter.kind, kept(content, parameter.kind, algebra, (), who))

    return value_of


def _reader(grammar: Grammar, algebra: Family, name: str) -> Oracle:
    """An oracle that returns the lines of one of the grammar's files, one after the other."""
    if name not in grammar.others:
        raise GrammarError(phrase("The grammar has no file {name} for the oracle.", name=shown(name)), grammar.name)
    lines = iter(grammar.others[name].decode("utf-8", "replace").splitlines())

    def value_of(rule: Rule, parameter: RuleParameter) -> AttributeValue:
        line = next(lines, None)
        if line is None:
            raise GrammarError(
                phrase("The rule {name} asks for more values than the file has lines.", name=rule.name), name
            )
        text = f'"{line}"' if parameter.kind == "string" and not line.startswith('"') else line
        try:
            return algebra.read(parameter.kind, text)
        except GrammarError as error:
            raise GrammarError(error.what, name) from None

    return value_of


def random_oracle(algebra: Family, seed: int) -> Oracle:
    """An oracle that returns random values, the same as Java's with the same seed."""
    generator = JavaRandom(seed)

    def text() -> str:
        length = generator.below(LONGEST)
        return quoted("".join(chr(ord("0") + generator.below(ALPHABET)) for _ in range(length)))

    texts: dict[str, Callable[[], str]] = {
        "int": lambda: str(generator.number()),
        "real": lambda: repr(generator.real()),
        "bool": lambda: "true" if generator.bits(1) else "false",
        "string": text,
    }
    return lambda rule, parameter: algebra.read(parameter.kind, texts[parameter.kind]())


class JavaRandom:
    """Java's random number generator: linear congruential, with 48 bits.

    >>> generator = JavaRandom(42)
    >>> generator.number(), generator.below(10), generator.real()
    (-1170105035, 3, 0.6832234717598454)
    """

    def __init__(self, seed: int) -> None:
        self._seed = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def bits(self, count: int) -> int:
        """A random number of `count` bits."""
        self._seed = (self._seed * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self._seed >> (48 - count)

    def number(self) -> int:
        """A random signed integer of 32 bits."""
        number = self.bits(32)
        return number - (1 << 32) if number >> 31 else number

    def below(self, bound: int) -> int:
        """A random integer from 0, below a bound."""
        if bound & -bound == bound:
            return bound * self.bits(31) >> 31
        while True:
            number = self.bits(31)
            rest = number % bound
            if number - rest + bound <= 1 << 31:
                return rest

    def real(self) -> float:
        """A random real number from 0, below 1."""
        return ((self.bits(26) << 27) + self.bits(27)) / (1 << 53)

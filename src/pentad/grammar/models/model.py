"""What a model is: a function that gives a grammar, with options that a person may set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pentad.game import GameError, Option, OptionValue, shorten
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph


@dataclass(frozen=True, slots=True)
class Model:
    """A model by its name; called with its options it gives the grammar."""

    name: str
    summary: str
    options: Mapping[str, Option]
    make: Callable[..., Grammar]

    def __call__(self, **given: object) -> Grammar:
        """The grammar with these options; one that is unknown or cannot be is refused in a line."""
        try:
            return self.make(**self.check(given))
        except GrammarError:
            raise
        except GameError as error:
            raise GrammarError(str(error), self.name) from None

    def check(self, given: Mapping[str, object]) -> dict[str, Any]:
        """All options with their values."""
        for name in given:
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise GameError(f"Unknown option {shorten(str(name))}. Options: {known}.")
        return {name: option.check(given.get(name, option.default)) for name, option in self.options.items()}

    def read(self, given: Mapping[str, str]) -> Grammar:
        """The grammar with options as texts, as a command line has them."""
        try:
            read: dict[str, OptionValue | str] = {
                name: self.options[name].read(text) if name in self.options else text for name, text in given.items()
            }
        except GameError as error:
            raise GrammarError(str(error), self.name) from None
        return self(**read)


def table(*options: Option) -> dict[str, Option]:
    """Options by their names."""
    return {option.name: option for option in options}


ISO = Option("iso", True, "states that are alike up to isomorphism are one")


def grammar(
    name: str,
    start: Graph,
    rules: Iterable[Graph],
    control: str = "",
    *,
    iso: bool,
    injective: bool = False,
) -> Grammar:
    """A grammar of these parts, set up as GROOVE wants it."""
    properties = {"grammarVersion": "3.12", "grooveVersion": "7.5.3", "startGraph": "start"}
    if control:
        properties["controlProgram"] = "main"
    properties["checkIsomorphism"] = str(iso).lower()
    if injective:
        properties["matchInjective"] = "true"
    return Grammar(
        name,
        graphs={"start": start},
        rules={rule.name: rule for rule in rules},
        controls={"main": control} if control else {},
        properties=properties,
    )


def rule(name: str, **attributes: str) -> Graph:
    """An empty rule."""
    return Graph(name, "rule", attributes=attributes)


def step(name: str) -> Graph:
    """An empty rule that is a step of its own even if it changes nothing."""
    return rule(name, actionRole="transformer")

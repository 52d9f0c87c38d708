"""Models: functions with options that return grammars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pentad.game import GameError, Option, shorten
from pentad.grammar.grammar import GAME, Grammar
from pentad.grammar.graph import GrammarError, Graph

MODEL = "model"  # the property with the name of the model, and its options that are not the default


@dataclass(frozen=True, slots=True)
class Model:
    """A named model; calling it with options returns the grammar. `game` is the game whose board it has."""

    name: str
    summary: str
    options: Mapping[str, Option]
    make: Callable[..., Grammar]
    title: str
    game: str | None = None

    def __call__(self, **given: object) -> Grammar:
        """Returns the grammar with these options; raises GrammarError for an unknown option or a bad value."""
        try:
            options = self.check(given)
            made = self.make(**options)
        except GrammarError:
            raise
        except GameError as error:
            raise GrammarError(str(error), self.name) from None
        made.properties[MODEL] = " ".join([self.name, *self._texts(options)])
        return made

    def _texts(self, options: Mapping[str, Any]) -> Iterator[str]:
        """Yields the options that are not the default."""
        for name, option in self.options.items():
            if options[name] != option.default:
                yield f"{name}={option.write(options[name])}"

    def check(self, given: Mapping[str, object]) -> dict[str, Any]:
        """Returns the values of all options; raises GameError for an unknown option or a bad value."""
        for name in given:
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise GameError("Unknown option {name}. Options: {known}.", name=shorten(str(name)), known=known)
        return {name: option.check(given.get(name, option.default)) for name, option in self.options.items()}

    def values(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Returns the values of all options, from texts, as on a command line."""
        try:
            own = self.options
            return self.check({name: own[name].read(text) if name in own else text for name, text in given.items()})
        except GameError as error:
            raise GrammarError(str(error), self.name) from None

    def read(self, given: Mapping[str, str]) -> Grammar:
        """Returns the grammar; the options are texts, as on a command line."""
        return self(**self.values(given))


ISO = Option("iso", True, "isomorphic states are merged")  # every model has this option


def model(
    name: str, summary: str, make: Callable[..., Grammar], *options: Option, title: str, game: str | None = None
) -> Model:
    """Returns a model with these options and `iso`."""
    return Model(name, summary, {option.name: option for option in (*options, ISO)}, make, title, game)


def choice(name: str, default: str, meanings: Mapping[str, str]) -> Option:
    """Returns an option with one of some values."""
    listed = "; ".join(f"{value}: {meaning}" for value, meaning in meanings.items())
    return Option(name, default, listed, allowed=tuple(meanings))


def grammar(
    name: str,
    start: Graph,
    rules: Iterable[Graph],
    control: str = "",
    *,
    iso: bool,
    injective: bool = False,
    won: Iterable[str] = (),
) -> Grammar:
    """Returns a grammar with these parts and the properties that GROOVE needs.

    `won` are the rules and labels that say who has won a board game.
    """
    properties = {"grammarVersion": "3.12", "grooveVersion": "7.5.3", "startGraph": "start"}
    if control:
        properties["controlProgram"] = "main"
    properties["checkIsomorphism"] = str(iso).lower()
    if injective:
        properties["matchInjective"] = "true"
    if won:
        said = {"players": "type:Player", "turn": "currentPlayer", "won": " ".join(won)}
        properties |= {GAME[name]: text for name, text in said.items()}
    return Grammar(
        name,
        graphs={"start": start},
        rules={rule.name: rule for rule in rules},
        controls={"main": control} if control else {},
        properties=properties,
    )


def rule(name: str, **attributes: str) -> Graph:
    """Returns an empty rule."""
    return Graph(name, "rule", attributes=attributes)


def finding(name: str, *labels: str) -> Graph:
    """Returns a rule whose matches are the nodes with these labels; they are transitions."""
    graph = step(name)
    graph.node(*labels, at=(60, 60))
    return graph


def step(name: str) -> Graph:
    """Returns an empty rule whose matches are transitions even if they change nothing."""
    return rule(name, actionRole="transformer")

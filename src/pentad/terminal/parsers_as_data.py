"""Commands with their arguments as data, from the command line's parsers: for completion in shells and the manual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from pentad.game import names
from pentad.terminal.arguments import CommandParser
from pentad.terminal.command_table import COMMANDS, commands_of_games, find_command

USAGES = {
    "?": "[{0}]",
    "*": "[{0} ...]",
    "+": "{0} [{0} ...]",
}  # the keys are those of argparse for the number of values
FILES = frozenset({"FILE", "FOLDER", "BOARD", "DIR", "PATH", "GRAMMAR", "SYSTEM"})  # what a file name can stand for


@dataclass(frozen=True, slots=True)
class Argument:
    """An option with its names, or an argument without a name; `metavar` is empty if it takes no value.

    `usage` is the value as a line of usage has it, such as `[FILE ...]`.
    """

    names: tuple[str, ...]
    metavar: str
    choices: tuple[str, ...]
    help: str
    usage: str

    @property
    def takes_file(self) -> bool:
        """Whether its value may be a file."""
        return not self.choices and not FILES.isdisjoint(self.metavar.split("|"))

    @property
    def takes_game(self) -> bool:
        """Whether its value is the name of a game."""
        return self.metavar in ("GAME", "BOARD") and not self.names


@dataclass(frozen=True, slots=True)
class CommandNode:
    """A command: its words, such as `grammar explore`, its arguments, and its subcommands.

    `of_games` are the further options for each game that can be named.
    """

    words: str
    summary: str
    arguments: tuple[Argument, ...] = ()
    options: tuple[Argument, ...] = ()
    of_games: Mapping[str, tuple[Argument, ...]] = field(default_factory=dict)
    children: tuple[CommandNode, ...] = ()

    @property
    def name(self) -> str:
        """The last word."""
        return self.words.rpartition(" ")[2]

    def all(self) -> Iterator[CommandNode]:
        """This command and all below it."""
        yield self
        for child in self.children:
            yield from child.all()


def tree() -> CommandNode:
    """All commands, with those of the games."""
    summaries = COMMANDS | {name: summary for name, (_, summary) in commands_of_games().items()}
    children = tuple(_node(find_command(name)[0], name, summary, []) for name, summary in summaries.items())
    return CommandNode("", "", children=children)


def _node(module: ModuleType, name: str, summary: str, words: list[str]) -> CommandNode:
    """A command, or a subcommand where `words` name one."""
    parser = _parser(module, name, summary, words)
    path = " ".join([name, *words])
    if parser.subcommands and not words:
        children = tuple(_node(module, name, text, [each]) for each, text in parser.subcommands.items())
        return CommandNode(path, summary, children=children)
    arguments, options = _read(parser)
    of_games = {}
    if any(each.takes_game for each in arguments):
        known = {each.names for each in options}
        for game in names():
            more = _read(_parser(module, name, summary, [*words, game]))[1]
            of_games[game] = tuple(each for each in more if each.names not in known)
    return CommandNode(path, summary, arguments, options, of_games)


def _parser(module: Any, name: str, summary: str, words: list[str]) -> CommandParser:
    parser = CommandParser(name, summary, words)
    module.add_arguments(parser)
    return parser


def _read(parser: CommandParser) -> tuple[tuple[Argument, ...], tuple[Argument, ...]]:
    """The arguments without a name, and the options."""
    found: list[Argument] = []
    for action in parser._actions:
        takes = action.nargs != 0
        names = tuple(action.option_strings)
        metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
        choices = tuple(map(str, action.choices or ()))
        if not choices and "|" in metavar and not metavar.isupper():
            choices = tuple(metavar.split("|"))
        text = (action.help or "") % {"default": action.default, "prog": parser.prog}
        usage = USAGES.get(str(action.nargs), "{0}").format(metavar) if takes else ""
        found.append(Argument(names, metavar if takes else "", choices, text, usage))
    arguments = tuple(each for each in found if not each.names)
    return arguments, tuple(each for each in found if each.names)

"""The command `pentad grammar` and its subcommands for graph transformation systems.

Each subcommand is a module of this package, or a class in one, built like a command of `pentad`.
"""

from __future__ import annotations

from pkgutil import resolve_name

from pentad.terminal.arguments import CommandParser, choose

COMMANDS = {
    "new": "write the grammar of a game or a puzzle",
    "show": "list the parts of a grammar, or show one",
    "draw": "draw the graphs, rules, control or states of a grammar",
    "simulate": "step through a grammar",
    "explore": "find and count the states of a grammar",
    "check": "check a grammar, its invariants, and CTL formulas",
    "solve": "solve the game of a grammar",
    "minimise": "find the smallest system that behaves like a grammar's",
    "compare": "say whether two grammars behave in the same way",
    "export": "convert a grammar to another format",
    "import": "convert a grammar to a folder of GROOVE's files",
}

# Of commands that are not the module of their name.
PLACES = {"import": "export:GrammarImport", "compare": "minimise:Compare"}


def add_arguments(parser: CommandParser) -> None:
    choose(parser, "pentad grammar", COMMANDS, lambda name: resolve_name(f"{__name__}.{PLACES.get(name, name)}"))

"""`pentad grammar`: graph transformation systems, and what can be done with them.

Each of its commands is a module of this package, made as a command of `pentad` is.
"""

from __future__ import annotations

import importlib

from pentad.terminal.arguments import Parser
from pentad.terminal.subcommands import choose, run_chosen

COMMANDS = {
    "new": "write the grammar of a game or a puzzle",
    "show": "tell what is in a grammar",
    "draw": "draw graphs, rules, control or states",
    "simulate": "go through a grammar step by step",
    "explore": "find and count the states of a grammar",
    "check": "check a grammar, its invariants, CTL formulas",
    "export": "write a grammar in another format",
    "import": "make a folder of GROOVE's files",
}

MODULES = {"import": "importing"}  # where a command's module cannot have its name


def add_arguments(parser: Parser) -> None:
    choose(
        parser,
        "pentad grammar",
        COMMANDS,
        lambda name: importlib.import_module(f"pentad.terminal.grammar.{MODULES.get(name, name)}"),
    )


run = run_chosen

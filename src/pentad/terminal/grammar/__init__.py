"""`pentad grammar`: graph transformation systems, and what can be done with them.

Each of its commands is a module of this package, made as a command of `pentad` is.
"""

from __future__ import annotations

import argparse
import importlib

from pentad.game import GameError, shorten
from pentad.terminal.arguments import Parser

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
    words = parser.words[1:] if parser.words[:1] == ["help"] else parser.words
    if len(words) < len(parser.words):
        words = [*words, "--help"]
    if words[:1] in ([], ["--help"], ["-h"]):
        _list(parser, words)
        return
    name, parser.words = words[0], words[1:]
    if name not in COMMANDS:
        kind = "option" if name.startswith("-") else "command"
        known = ", ".join(COMMANDS)
        raise GameError(f"there is no {kind} {shorten(repr(name))} of pentad grammar; the commands are: {known}")
    parser.prog, parser.description = f"{parser.prog} {name}", COMMANDS[name]
    command = importlib.import_module(f"pentad.terminal.grammar.{MODULES.get(name, name)}")
    parser.set_defaults(work=command.run)
    command.add_arguments(parser)


def _list(parser: Parser, words: list[str]) -> None:
    """Offer nothing but the list of commands."""
    parser.words = words or ["--help"]
    parser.usage = f"{parser.prog} COMMAND …"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    listed = "\n".join(f"  {name:9} {summary}" for name, summary in COMMANDS.items())
    parser.epilog = f"commands:\n{listed}\n\n{parser.prog} COMMAND --help tells more."


def run(args: argparse.Namespace) -> int:
    code: int = args.work(args)
    return code

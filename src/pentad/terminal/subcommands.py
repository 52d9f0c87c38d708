"""Subcommands, such as `pentad grammar explore`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Protocol

from pentad.terminal.arguments import Parser, unknown_command


class Command(Protocol):
    """A subcommand: a module, or an object with the same functions."""

    @property
    def add_arguments(self) -> Callable[[Parser], None]: ...

    @property
    def run(self) -> Callable[[argparse.Namespace], int]: ...


def choose(parser: Parser, title: str, summaries: Mapping[str, str], find: Callable[[str], Command]) -> None:
    """Choose the subcommand by the first word and add its arguments; `run_chosen` runs it."""
    words = parser.words[1:] if parser.words[:1] == ["help"] else parser.words
    if len(words) < len(parser.words):
        words = [*words, "--help"]
    if words[:1] in ([], ["--help"], ["-h"]):
        _list(parser, words, summaries)
        return
    name, parser.words = words[0], words[1:]
    if name not in summaries:
        raise unknown_command(name, summaries, of=title)
    parser.prog, parser.description = f"{parser.prog} {name}", summaries[name]
    command = find(name)
    parser.set_defaults(work=command.run)
    command.add_arguments(parser)


def run_chosen(args: argparse.Namespace) -> int:
    """Run the chosen subcommand."""
    code: int = args.work(args)
    return code


def _list(parser: Parser, words: list[str], summaries: Mapping[str, str]) -> None:
    """Set up the help that lists the subcommands."""
    parser.words = words or ["--help"]
    parser.usage = f"{parser.prog} COMMAND …"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    listed = "\n".join(f"  {name:9} {summary}" for name, summary in summaries.items())
    parser.epilog = f"commands:\n{listed}\n\nFor help on a command, run: {parser.prog} COMMAND --help"

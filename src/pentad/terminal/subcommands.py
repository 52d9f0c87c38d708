"""Commands that have commands of their own, such as `pentad grammar explore`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Protocol

from pentad.terminal.arguments import Parser, unknown_command


class Command(Protocol):
    """What one of them is: a module, or something like it."""

    @property
    def add_arguments(self) -> Callable[[Parser], None]: ...

    @property
    def run(self) -> Callable[[argparse.Namespace], int]: ...


def choose(parser: Parser, title: str, summaries: Mapping[str, str], find: Callable[[str], Command]) -> None:
    """Let the first of the words name the command; its arguments are asked for, and `run_chosen` runs it."""
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
    """Run the command that was chosen."""
    code: int = args.work(args)
    return code


def _list(parser: Parser, words: list[str], summaries: Mapping[str, str]) -> None:
    """Offer nothing but the list of commands."""
    parser.words = words or ["--help"]
    parser.usage = f"{parser.prog} COMMAND …"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    listed = "\n".join(f"  {name:9} {summary}" for name, summary in summaries.items())
    parser.epilog = f"commands:\n{listed}\n\n{parser.prog} COMMAND --help tells more."

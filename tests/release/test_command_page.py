"""The page of the docs with every command: as the commands are now, with examples that can be read."""

from __future__ import annotations

import shlex

import pytest

from pentad.terminal.arguments import CommandParser
from pentad.terminal.command_table import find_command
from pentad.terminal.parsers_as_data import tree
from release.command_page import EXAMPLES, PAGE, page


def test_the_page_is_that_of_the_commands() -> None:
    """After a change of a command's arguments, `python -m release.command_page` writes it again."""
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m release.command_page"


def test_every_command_has_an_example() -> None:
    assert [*EXAMPLES] == [node.words for node in tree().all() if node.words and not node.children]


@pytest.mark.parametrize("command", EXAMPLES)
def test_an_example_has_arguments_of_its_command(command: str) -> None:
    name, *words = shlex.split(f"{command} {EXAMPLES[command]}")
    module, summary = find_command(name)
    parser = CommandParser(name, summary, words)
    module.add_arguments(parser)
    parser.parse()

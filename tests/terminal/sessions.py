"""Sessions on the pages of the docs: commands with their answers, run and compared."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Callable
from pathlib import Path

from tests.terminal.conftest import Pentad

SESSION = re.compile(r"^\$ (.*)\n((?:[^$].*\n|\n)*)", re.MULTILINE)  # a command, and what it answers


def run_sessions(page: Path, pentad: Pentad, cleaned: Callable[[str], str] = str) -> int:
    """Runs the commands of a page and compares their answers, both cleaned; returns the number of commands."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    commands = [each for block in blocks for each in SESSION.findall(block)]
    for command, expected in commands:
        *typed, words = command.split(" | ")
        lines = shlex.split(typed[0])[1].replace("\\n", "\n") if typed else ""
        answer = pentad(*shlex.split(words)[1:], typed=lines)
        assert (answer.code, answer.err) == (0, ""), command
        fits = doctest.OutputChecker().check_output(cleaned(expected), cleaned(answer.out), doctest.ELLIPSIS)
        assert fits, f"$ {command}\n{answer.out}"
    return len(commands)

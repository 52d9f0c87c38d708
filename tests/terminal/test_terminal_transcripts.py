"""What the commands print is what their transcripts say; messages take one line and name what is wrong."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pentad.terminal.parsers_as_data import tree
from tests.cases import together
from tests.transcripts import ERROR, ROOT, difference, files, read

FILES = files()
# What a message names that has no word of the commands before it.
MISSING = r"Missing|missing|Expected|Name a|empty|need|Rule \w+|The board has|''"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT / "tests" / "terminal").as_posix())
def test_the_commands_print_what_the_transcript_says(file: Path):
    assert not (lines := difference(file)), f"{lines}\n\nIf this is right, run: python -m tests.transcripts {file}"


def test_every_command_has_a_transcript():
    run = [command.words for file in FILES for scene in read(file.read_text("utf-8")) for command in scene.commands]
    named = {node.words for node in tree().all() if node.words and not node.children}
    assert sorted(name for name in named if not any(f"pentad {name} " in f"{words} " for words in run)) == []


@together("file", FILES)
def test_a_refusal_takes_one_line_and_names_what_is_wrong(file):
    for scene in read(file.read_text(encoding="utf-8")):
        known = set[str]()
        for command in scene.commands:
            known |= {*shlex.split(command.words), *re.findall(r"\w+", " ".join([command.words, *command.typed]))}
            printed = [line for line in command.lines if line and not line.startswith(("<", "+ "))]
            errors = [line.removeprefix(f"{ERROR}pentad: ") for line in printed if line.startswith(ERROR)]
            assert printed or command.code != 2, command.words
            if len(printed) == len(errors):
                for line in errors:
                    words = {word.strip(":.,") for word in line.split()} | {*re.findall(r"\w+", line)}
                    assert known & words - {"pentad"} or re.search(MISSING, line), line

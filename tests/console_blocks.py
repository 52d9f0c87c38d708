"""The console blocks of the docs: commands with what they print.

    ```console
    $ pentad games pentago          # a comment
    ...
    ```

The blocks of a page are run one after another in a folder of the page, and what they print is compared with the page.
`...` stands for any text; times, sizes and rates may vary, as `VARYING` says. The first words may be `printf TEXT |`,
which types the text. In a session of a protocol the lines after `>` are typed, and those after `<` are printed. A block
that begins with `{ .console .slow }` runs with `--slow`; so do the blocks after it that need it. The commands of
`{ .console .no-run }` are only read: servers, installations, and what takes hours. Such a block shows no output.

`python -m tests.console_blocks PAGE …` runs the blocks and shows what is otherwise.
"""

from __future__ import annotations

import contextlib
import difflib
import doctest
import importlib.util
import os
import re
import shlex
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import release.__main__ as checkout
from pentad.terminal.command_line import read_arguments
from pentad.terminal.command_table import OF_A_CHECKOUT
from tests import transcripts
from tests.store import real_games
from tests.transcripts import ERROR, OUTPUT, VARYING, Keyboard, Screen, environment
from tests.waiting import wait_until

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

ROOT = Path(__file__).parent.parent
DOCS = sorted({*(ROOT / "docs").rglob("*.md")} - {*(ROOT / "docs" / "lab").rglob("*.md")})
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS]
HOME = "/home/ada"  # the folder of a page's commands, as the page shows it
FENCED = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
DATA = f"{HOME}/.local/share/pentad"  # the data folder; it has a database with two games, if a command needs one
INPUTS = {"slices": "pentago"}  # what is in the folder of the commands, by the place in `tests/data`
TYPED = re.compile(r"^> (.*)", re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n((?:[^$].*\n|\n)*)", re.MULTILINE)  # the second group is what it prints
OTHER_PROGRAMS = {
    "cd",
    "dask",
    "export",
    "git",
    "npm",
    "openssl",
    "pip",
    "printf",
    "python3",
    "rsync",
    "server/bin/pentad",
    "server/bin/pip",
    "umask",
}


@dataclass(frozen=True)
class Block:
    """A fenced block: the number of its first line, its language, its classes, and its text."""

    line: int
    language: str
    classes: frozenset[str]
    text: str

    @property
    def commands(self) -> list[tuple[str, str]]:
        """The commands, each with what it prints."""
        return COMMAND.findall(self.text)


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for found in FENCED.finditer(text):
        language, *classes = re.findall(r"[\w-]+", found[2]) or [""]
        yield Block(text.count("\n", 0, found.start()) + 1, language, frozenset(classes), textwrap.dedent(found[3]))


def consoles(page: Path) -> list[Block]:
    """The console blocks of a page."""
    return [each for each in blocks(page.read_text(encoding="utf-8")) if each.language == "console"]


def outside(text: str) -> str:
    """A page without its fenced blocks."""
    return FENCED.sub("", text)


# ── commands that are read ───────────────────────────────────────────────────────────────────────


def parts(command: str) -> list[list[str]]:
    """The words of each program in a line of a shell."""
    found: list[list[str]] = [[]]
    words = shlex.shlex(command, posix=True, punctuation_chars="|<>&")
    words.whitespace_split = True
    for word in words:
        if word in ("|", "&&"):
            found.append([])
        else:
            found[-1].append(word)
    return found


def check(command: str) -> None:
    """Raises an error if the command line cannot read a command."""
    for words in parts(command):
        while re.match(r"\w+=", words[0]):
            del words[0]
        program, *rest = words
        if {"<", ">"} & {*rest}:
            rest = rest[: min(rest.index(each) for each in ("<", ">") if each in rest)]
        if program in ("pentad", "./pentad"):
            (checkout.read if rest[0] in OF_A_CHECKOUT else read_arguments)(rest)
        elif program in ("python", ".venv/bin/python"):
            assert rest[0] == "-m", command
            assert importlib.util.find_spec(rest[1]), command
        elif program.startswith(".venv/bin/"):
            assert Path(sys.executable).with_name(program.removeprefix(".venv/bin/")).exists(), command
        else:
            assert program in OTHER_PROGRAMS, command


# ── commands that are run ────────────────────────────────────────────────────────────────────────


def differences(page: Path, *, slow: bool) -> Iterator[str]:
    """What the blocks of a page print otherwise than the page says; `slow` ones run only with the slow tests."""
    shown = [each for each in consoles(page) if "no-run" not in each.classes and (slow or "slow" not in each.classes)]
    with tempfile.TemporaryDirectory() as place:
        home, folder = Path(place).resolve() / "home", Path(place).resolve() / "folder"
        folder.mkdir()
        with environment(home), contextlib.chdir(folder):
            for name, data in INPUTS.items():
                Path(name).symlink_to(ROOT / "tests" / "data" / data)
            commands = [each for block in shown for each in block.commands]
            if any(command.startswith("pentad database ") for command, _ in commands):
                real_games.make(f"sqlite:///{home / 'pentad.db'}")
            for command, expected in commands:
                printed = _printed(command, expected).replace(str(folder), HOME).replace(str(home), DATA)
                if not is_same(expected, printed):
                    yield f"$ {command}\n{_difference(expected, printed)}"


def is_same(expected: str, printed: str) -> bool:
    """Whether a page says what a command has printed."""
    expected = re.sub(r"^> .*\n|^< ", "", expected, flags=re.MULTILINE)
    return doctest.OutputChecker().check_output(_cleaned(expected), _cleaned(printed), doctest.ELLIPSIS)


class Conversation(Keyboard):
    """Standard input of which each line is typed as soon as the answers that the page shows before it are there.

    It ends where an answer does not come.
    """

    def __init__(self, expected: str, screen: Screen) -> None:
        super().__init__(TYPED.findall(expected), screen)
        self.answers = [*accumulate(re.sub(TYPED, "> ", expected).split("> \n"))]

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        if self.answers:
            answers = self.answers.pop(0)
            try:
                wait_until(lambda: is_same(answers, _shown(self.screen, OUTPUT)))
            except AssertionError:
                self.answers, self.rest = [], []
        return super().readinto(buffer)


def _printed(command: str, expected: str) -> str:
    """What a command prints, with its errors; progress is left out."""
    words, *rest = parts(command)
    screen = Screen()
    keyboard = Conversation(expected, screen) if TYPED.search(expected) else Keyboard([], screen)
    if rest:
        (program, text), (words,) = words, rest
        assert program == "printf", command
        keyboard = Keyboard(text.replace("\\n", "\n").splitlines(), screen)
    transcripts.run(shlex.join(words), keyboard, screen)
    errors = re.findall(r"^pentad: .*\n", _shown(screen, ERROR), re.MULTILINE)
    return "".join([_shown(screen, OUTPUT), *errors])


def _shown(screen: Screen, stream: str) -> str:
    return b"".join(text for each, text in screen.written if each == stream).decode()


def _cleaned(text: str) -> str:
    lines = text.splitlines(keepends=True)
    for varying, name in VARYING:
        lines = [re.sub(varying, name, line) for line in lines]
    return "".join(lines)


def _difference(expected: str, printed: str) -> str:
    lines = (_cleaned(each).splitlines() for each in (expected, printed))
    return "\n".join([*difflib.unified_diff(*lines, "the page", "what is printed", lineterm=""), "", printed])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        begun = sum(os.times()[:4])
        for difference in differences(Path(name).resolve(), slow=True):
            print(difference, flush=True)
        print(f"{name}: {sum(os.times()[:4]) - begun:.1f} s of processors", flush=True)

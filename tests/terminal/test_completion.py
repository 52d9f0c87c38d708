"""Completion in shells: the scripts, run by the shells that are installed; and the commands as data."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pentad.terminal.command_table import COMMANDS
from pentad.terminal.completion import SETUP, script
from pentad.terminal.parsers_as_data import tree
from tests.terminal.conftest import Pentad

# Each shell offers the words that complete the last one of a line.
BASH = """
source {script}
COMP_WORDS=({words}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_pentad pentad "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
compdef() {{ }}
compadd() {{ shift; print -l -- ${{(P)1}} }}
_describe() {{ [[ $1 == -o ]] && shift; print -l -- ${{(P)2}} }}
_files() {{ print -l -- *(N) }}
source {script}
words=({words}) CURRENT=$#words PREFIX=$words[-1]
_pentad | sed 's/:.*//'
"""
FISH = """
source {script}
complete -C {line} | string replace -r '\\t.*' ''
"""


def in_bash(path: Path, words: list[str]) -> str:
    return BASH.format(script=path, words=shlex.join(words))


def in_zsh(path: Path, words: list[str]) -> str:
    return ZSH.format(script=path, words=shlex.join(words))


def in_fish(path: Path, words: list[str]) -> str:
    return FISH.format(script=path, line=shlex.quote(" ".join(words)))


SHELLS: dict[str, Callable[[Path, list[str]], str]] = {"bash": in_bash, "zsh": in_zsh, "fish": in_fish}

# A line, and words that are offered for its last word, or not offered.
LINES = {
    "pentad pl": ({"play"}, {"pentago"}),
    "pentad grammar ex": ({"explore", "export"}, {"play"}),
    "pentad play pent": ({"pentago", "pente", "pentagame"}, set()),
    "pentad play --th": ({"--theme"}, set()),
    "pentad play --theme s": ({"slate"}, {"--theme"}),
    "pentad play pente --ru": ({"--rules"}, set()),
    "pentad play pente --rules ker": ({"keryo"}, set()),
    "pentad play pentago --pl": ({"--players"}, {"--rules"}),
    "pentad completion f": ({"fish"}, set()),
    "pentad show not": ({"notes.pentad"}, set()),
    "pentad play --load not": ({"notes.pentad"}, {"pentago"}),
    "pentad data st": ({"statistics"}, set()),
}


def offered(shell: str, path: Path, line: str) -> set[str]:
    """The words that a shell offers for the last word of a line, of those that begin with it."""
    words = line.split()
    source = SHELLS[shell](path, words)
    done = subprocess.run(
        [shell, *(["-f"] if shell == "zsh" else []), "-c", source], cwd=path.parent, capture_output=True, text=True
    )
    assert done.stderr == ""
    return {word.strip() for word in done.stdout.splitlines() if word.startswith(words[-1])}


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_commands_options_and_values(shell: str, tmp_path: Path):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / "script"
    path.write_text(script(shell), encoding="utf-8")
    (tmp_path / "notes.pentad").touch()
    for line, (wanted, unwanted) in LINES.items():
        found = offered(shell, path, line)
        assert wanted <= found, (line, found)
        assert not unwanted & found, (line, found)


@pytest.mark.parametrize("shell", SETUP)
def test_the_command_prints_the_script(pentad: Pentad, shell: str):
    answer = pentad("completion", shell)
    assert (answer.code, answer.err, answer.out) == (0, "", script(shell))


def test_the_tree_has_every_command_with_its_options():
    nodes = {node.words: node for node in tree().all()}
    assert set(COMMANDS) < set(nodes)
    assert "grammar explore" in nodes
    assert {"--load", "--theme"} <= {name for option in nodes["play"].options for name in option.names}
    sizes = {name: {each for option in more for each in option.names} for name, more in nodes["play"].of_games.items()}
    assert "--size" in sizes["pente"]
    assert "--size" not in sizes["pentago"]
    assert all(option.help for node in nodes.values() for option in node.options)

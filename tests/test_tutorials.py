"""The tutorials: the programs and pictures on their pages, and what the programs print."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pentad import new
from pentad.bridges.ugi.external_bot import UgiBot
from pentad.grammar.draw import draw_rule
from pentad.search import bot

ROOT = Path(__file__).parents[1]
TUTORIALS = ROOT / "docs" / "tutorials"
BOT = (TUTORIALS / "bot.md").read_text(encoding="utf-8")
NODE = shutil.which("node")
NEEDS_NODE = pytest.mark.skipif(
    NODE is None and "CI" not in os.environ, reason="the bot in JavaScript needs node, which is not installed"
)


def file(name: str) -> str:
    """The text of a file, or its end, on the page of the first bot."""
    [text] = re.findall(rf'^```\{{[^\n]* title="{name}" \}}\n(.*?)^```$', BOT, re.MULTILINE | re.DOTALL)
    return text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the page, in which `python` is this one."""
    (tmp_path / "bot.py").write_text(file("bot.py"), encoding="utf-8")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def run(*words: str, typed: str = "") -> str:
    """What Python prints for these words of a command line."""
    done = subprocess.run([sys.executable, *words], input=typed, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def test_the_bot_answers_as_the_page_says(folder: Path) -> None:
    [session] = re.findall(r"^```text\n(> .*?)^```$", BOT, re.MULTILINE | re.DOTALL)
    typed, expected = ("".join(re.findall(rf"^{sign} (.*\n)", session, re.MULTILINE)) for sign in "><")
    assert re.sub(r"time \d+", "time", run("bot.py", typed=typed)) == re.sub(r"time \d+", "time", expected)


def test_the_bot_in_javascript_ends_as_the_page_shows() -> None:
    example = (ROOT / "examples" / "adder.js").read_text(encoding="utf-8")
    assert example.endswith(f"\n{file('adder.js')}")
    assert len(example.splitlines()) < 60


@NEEDS_NODE
def test_the_bot_plays_the_same_moves_in_javascript(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot, "_registered", {})
    names = {"__name__": "bot"}
    exec(file("bot.py"), names)
    ours, theirs, chance = names["Adder"](), UgiBot("node examples/adder.js"), bot.bot("pente", "random", seed=3)
    here, captures = new("pente"), 0
    while here.outcome is None:
        move = ours.choose(here)
        assert str(theirs.choose(here, seconds=60)) == str(move), here.text
        here = here.play(move if here.ply % 3 else chance.choose(here))
        captures += bool(sum(here.taken))
    theirs.close()
    assert captures > 0


@pytest.mark.slow
def test_the_matches_end_as_the_page_says(folder: Path) -> None:
    shown = re.findall(
        r"^\$ (pentad (?:match|tournament) [^\n]*)\n```\n\n```text\n(.*?)^```$", BOT, re.MULTILINE | re.DOTALL
    )
    assert len(shown) == 2
    for command, expected in shown:
        assert run("-m", *shlex.split(command)) == expected


def test_the_picture_of_a_rule_is_that_of_the_page() -> None:
    page = TUTORIALS / "model.md"
    drawn = draw_rule(names_of(page)["frogs"].rules["frogJumps"])
    [picture] = re.findall(r"\]\((\S+\.svg)\)", page.read_text(encoding="utf-8"))
    assert (TUTORIALS / picture).read_text(encoding="utf-8") == f"{drawn}\n"


def names_of(page: Path) -> dict[str, Any]:
    """The names that the examples of a page define."""
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8")):
        if doctest.SKIP not in example.options:
            exec(compile(example.source, page.name, "single"), names)
    return names

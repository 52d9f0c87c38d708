"""What the docs say that commands print is what they print, and every command on a page can be read."""

from __future__ import annotations

import re

import pytest

from pentad.game import GameError
from tests.cases import together
from tests.console_blocks import PAGES, ROOT, blocks, check, consoles, differences, is_same, outside

CLASSES = {"no-run", "slow"}
FEWEST = 40  # commands that are run
RUN = {
    page: [each for each in consoles(page) if "no-run" not in each.classes and each.commands]
    for page in PAGES
    if consoles(page)
}  # the blocks that are run
FAST = [page for page, shown in RUN.items() if any("slow" not in each.classes for each in shown)]
SLOW = [page for page, shown in RUN.items() if any("slow" in each.classes for each in shown)]
INDENTED = re.compile(r"^(?![ \-*\d\n]).*\n\n(?: {4}|\t)", re.MULTILINE)  # the paragraph before is no item of a list


def name(page):
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", FAST, ids=name)
def test_the_commands_of_a_page_print_what_it_says(page):
    assert not (found := "\n".join(differences(page, slow=False))), found


@pytest.mark.slow
@pytest.mark.parametrize("page", SLOW, ids=name)
def test_the_slow_commands_of_a_page_print_what_it_says(page):
    assert not (found := "\n".join(differences(page, slow=True))), found


def test_many_commands_are_run():
    assert sum(len(each.commands) for shown in RUN.values() for each in shown) > FEWEST


@together("page", PAGES)
def test_every_command_of_a_page_can_be_read(page):
    for block in consoles(page):
        assert block.text.startswith("$ "), block
        assert block.classes <= CLASSES, block
        for command, printed in block.commands:
            check(command)
            assert not (printed and "no-run" in block.classes), command


@together("page", PAGES)
def test_a_page_has_commands_and_outputs_in_fenced_blocks_with_a_language(page):
    text = page.read_text(encoding="utf-8")
    assert [each.line for each in blocks(text) if not each.language] == []
    assert [each.line for each in blocks(text) if each.language != "console" and "\n$ " in f"\n{each.text}"] == []
    assert re.findall(r"^ *\$ .*", outside(text), re.MULTILINE) == []
    assert INDENTED.findall(outside(text)) == []


@together(
    "command",
    [
        "pentad perft pentago 2 --rows 1  # a comment",
        "./pentad test --slow",
        "PENTAD_HOME=. pentad play pente",
        "printf 'a | b\\n' | pentad grade - > out.txt",
        "git clone … && cd pentad",
        "python -m release.manual",
    ],
)
def test_a_command_is_read(command):
    check(command)


@together(
    "command",
    [
        "pentad perft pentago 2 --no-such-option",
        "pentad no-such-command",
        "./pentad wheels --only paper",
        "printf 'a' | pentad grade - --no-such-option > out.txt",
        "cd pentad && no-such-program",
        "python -m release.no_such_module",
    ],
)
def test_a_wrong_command_is_refused(command):
    with pytest.raises((AssertionError, GameError)):
        check(command)


@together(
    ("expected", "printed", "same"),
    [
        ("6 states\n", "6 states\n", True),
        ("6 states\n", "7 states\n", False),
        ("6 states\n", "", False),
        ("in 1.5 s, 20 states/s\n", "in 2.5 s, 3,000 states/s\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nb\n", False),
        ("> ugi\n< ugiok\n", "ugiok\n", True),
        ("> ugi\n< ugiok\n", "no\n", False),
    ],
)
def test_what_is_printed_is_compared_with_the_page(expected, printed, same):
    assert is_same(expected, printed) == same


def test_what_a_page_says_otherwise_is_shown(tmp_path):
    page = tmp_path / "page.md"
    run = "$ pentad perft pente 1\n...\n$ pentad perft pente 1\nno moves\n"
    page.write_text(f"```console\n{run}```\n\n```{{ .console .no-run }}\n$ pentad web\n```\n", encoding="utf-8")
    (found,) = differences(page, slow=True)
    assert found.startswith("$ pentad perft pente 1\n")
    assert "-no moves\n+" in found

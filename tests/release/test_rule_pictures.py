"""The pictures of the pages with the rules: as the drawings are now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from release.rule_pictures import BOARDS, FOLDER, picture

PAGES = (Path(__file__).parents[2] / "docs" / "play").glob("rules-*.md")


@pytest.mark.parametrize("name", BOARDS)
def test_a_file_shows_the_board(name: str) -> None:
    """After a change of a drawing, `python -m release.rule_pictures` makes them again."""
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == picture(BOARDS[name])


def test_the_pages_show_every_picture() -> None:
    shown = {name for page in PAGES for name in re.findall(r"pictures/rules/([\w-]+)\.svg", page.read_text("utf-8"))}
    assert shown == set(BOARDS) == {file.stem for file in FOLDER.iterdir()}

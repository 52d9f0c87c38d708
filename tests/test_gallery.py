"""The drawings of graphs in the gallery: as the commands on its page draw them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from pentad.terminal import main

DOCS = Path(__file__).parents[1] / "docs"


def test_the_drawings_are_those_of_the_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for command in re.findall(r"^\$ pentad (.*)", page, re.MULTILINE):
        assert main(shlex.split(command)) == 0
    drawn = sorted(tmp_path.glob("*.svg"))
    assert [each.name for each in drawn] == ["crossing.svg", "place-marble.svg"]
    for each in drawn:
        assert each.read_text(encoding="utf-8") == (DOCS / "pictures" / each.name).read_text(encoding="utf-8")

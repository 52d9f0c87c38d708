"""`pentad weights`: the table, the picture, and what is refused."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import Terminal

MOVES = "E5 F6 E6 F5 E7 F7"


def test_a_seed_repeats_the_choice(pentad: Pentad):
    def chosen(seed: int) -> str:
        return pentad("weights", "--seed", str(seed)).lines[-1]

    output = [chosen(seed) for seed in range(12)]
    assert output == [chosen(seed) for seed in range(12)]
    assert len(set(output)) > 1


def test_moves_continue_from_a_position(pentad: Pentad):
    board = "pente rules=lines size=5 line=3 5/5/2w2/5/5"
    there = pentad("weights", "--position", board, "--moves", "B2, C4")
    assert there.out == pentad("weights", "--size", "5", "--line", "3", "--moves", "C3 B2 C4").out


def test_the_picture(pentad: Pentad, tmp_path: Path):
    file = tmp_path / "heat.svg"
    assert pentad("weights", "--moves", MOVES, "--svg", str(file)).out == ""
    root = ET.fromstring(file.read_text())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "white plays E4, weight 35" in file.read_text()
    again = pentad("weights", "--svg", str(file))
    assert (again.code, again.err) == (2, f"pentad: {file} already exists. Use --force to replace it.\n")
    assert pentad("weights", "--svg", str(file), "--force").code == 0
    assert pentad("weights", "--svg", "-").out == file.read_text()


@pytest.mark.slow
def test_warm_cells_on_a_terminal():
    with Terminal("weights", "--moves", MOVES) as terminal:
        terminal.expect("white plays E4")
        assert terminal.wait() == 0
        assert b"\x1b[1;30" in terminal.raw or b"\x1b[1;38" in terminal.raw
    with Terminal("weights", "--moves", MOVES, "--no-colour") as terminal:
        terminal.expect("[35](35)")
        assert terminal.wait() == 0
        assert b"[48;" not in terminal.raw

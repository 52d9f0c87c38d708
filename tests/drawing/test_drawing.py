"""Drawings: one line for each part, the same lines for a board, and the changes between two."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

import pentad
from pentad import drawing
from pentad.game import Move, Position
from pentad.games.pentago import looks
from tests.cases import together

BOARDS: dict[str, tuple[str, dict[str, Any]]] = {
    "pentago": ("pentago", {}),
    "pentago of four": ("pentago", {"players": 4, "rows": 3, "cols": 3}),
    "pente": ("pente", {}),
    "pente swap2": ("pente", {"opening": "swap2", "rules": "gomoku"}),
    "pente boat": ("pente", {"rules": "poof", "size": 9}),
    "pentagame": ("pentagame", {}),
    "pentagame of five": ("pentagame", {"players": 5, "colours": "navy,pink,purple,lime,brown"}),
}


def random_game(board: str, turns: int = 30) -> Iterator[tuple[Position, Move | str | None]]:
    """A random game step by step: each position with the move or steps that led to it."""
    game, options = BOARDS[board]
    rng = random.Random(board)
    here, last = pentad.new(game, **options), None
    for _ in range(turns):
        yield here, last
        if here.outcome:
            return
        steps: list[Any] = []
        while (choices := here.choices(Move(steps))) and not (choices.may_end and steps):
            steps.append(rng.choice(list(choices)).step)
            if len(here.choices(Move(steps))):
                yield here.partial(Move(steps)), str(Move(steps))
        move = Move(steps)
        here, last = here.play(move), move


@pytest.mark.parametrize("text", ["plain", "", "a < b & c > d", 'say "yes"', 'it\'s "so"', "two\nlines\tand\rmore"])
def test_attributes_are_escaped(text: str) -> None:
    element = drawing.tag("g", class_=text, data_target=text)
    assert ElementTree.fromstring(element).attrib == {"class": text, "data-target": text}


@pytest.mark.slow
@together("board", BOARDS)
@together("flip", [False, True])
def test_a_target_is_always_in_the_same_line(board: str, flip: bool) -> None:
    lines: dict[str, int] = {}
    counts = set()
    for position, last in random_game(board):
        svg = position.svg(last=last, flip=flip, style=False)
        ElementTree.fromstring(svg)
        drawn = svg.split("\n")
        counts.add(len(drawn))
        for number, line in enumerate(drawn):
            if 'class="target' not in line:
                continue
            assert line.count("data-target=") == 1
            name = line.partition('data-target="')[2].partition('"')[0]
            if not (board.startswith("pentagame") and name.startswith("[")):  # a block moves with its field
                assert lines.setdefault(name, number) == number
    assert len(counts) == 1
    assert lines


@pytest.mark.parametrize("board", BOARDS)
def test_changes_turn_one_drawing_into_the_next(board: str) -> None:
    before, sent, whole = "", 0, 0
    for position, last in random_game(board):
        svg = position.svg(last=last, style=False)
        changed = drawing.changes(before, svg)
        whole += len(svg)
        if changed is None:
            sent += len(svg)
        else:
            lines = before.split("\n")
            for number, line in changed:
                assert lines[number] != line
                lines[number] = line
                sent += len(line)
            assert "\n".join(lines) == svg
        before = svg
    assert sent < whole * 0.5


def test_changes_are_given_if_they_are_shorter() -> None:
    assert drawing.changes("a\nb\nc\nd", "a\nb\nc\nd") == []
    assert drawing.changes("a\nb\nc\nd", "a\nB\nC\nd") == [(1, "B"), (2, "C")]
    assert drawing.changes("a\nb\nc\nd", "A\nB\nC\nd") is None
    assert drawing.changes("a\nb\nc", "a\nb") is None


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("board", BOARDS)
def test_the_status_is_in_the_text(board: str) -> None:
    for position, _ in random_game(board):
        shown = next(text.strip() for line in position.spans() for text, kind in line if kind == "status")
        assert position.status == shown == position.listing()[-1]


def test_a_standalone_picture_includes_its_style() -> None:
    position = pentad.new("pente", size=9)
    alone, bare = position.svg(), position.svg(style=False)
    assert drawing.STYLE in alone
    assert alone.replace(f"<style>{drawing.STYLE}</style>\n", "") == bare


# ── the board alone ──────────────────────────────────────────────────────────────────────────────


def classes(root: ElementTree.Element) -> list[str]:
    return [name for element in root.iter() for name in (element.get("class") or "").split()]


def view(root: ElementTree.Element) -> tuple[float, ...]:
    return tuple(map(float, (root.get("viewBox") or "").split()))


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("board", BOARDS)
def test_the_board_alone_has_its_pieces_and_nothing_for_hands(board: str) -> None:
    for position, last in random_game(board):
        whole, alone = (
            ElementTree.fromstring(position.svg(last=last, style=False, labels=labels)) for labels in (True, False)
        )
        found = classes(alone)
        for name in ("label", "number", "inlaid", "ground", "touch", "thumb", "halo", "target", "twist", "next"):
            assert name not in found, name
        assert not [element for element in alone.iter() if element.get("data-target")]
        beside = [each for name in ("captured", "next") for each in whole.findall(f".//*[@class='{name}']")]
        marbles = classes(whole).count("marble") - sum(classes(each).count("marble") for each in beside)
        assert found.count("marble") == marbles
        assert found.count("last") == classes(whole).count("last")
        (left, top, width, height), (_, _, wide, high) = view(alone), view(whole)
        assert 0 <= left <= left + width <= wide
        assert 0 <= top <= top + height <= high


def test_the_board_alone_is_much_smaller() -> None:
    position = pentad.new("pente", size=19)
    assert len(position.svg(style=False, labels=False)) * 4 < len(position.svg(style=False))


@pytest.mark.parametrize("board", BOARDS)
def test_the_board_alone_keeps_its_view_during_a_game(board: str) -> None:
    views = {
        view(ElementTree.fromstring(position.svg(last=last, labels=False))) for position, last in random_game(board, 8)
    }
    assert len(views) == 1


def test_a_game_that_cannot_draw_the_board_alone_draws_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    position = pentad.new("pentago")
    module = pentad.game.game("pentago").module("draw")
    real = module.svg

    def svg(position: Position, *, last: Move | str | None = None, flip: bool = False, style: bool = True) -> str:
        return str(real(position, last=last, flip=flip, style=style))

    monkeypatch.setattr(module, "svg", svg)
    assert position.svg(labels=False) == position.svg()


def test_arrows_cover_no_marble() -> None:
    """Those on classic boards are between the columns; the tests of other sizes look at rows and sub-boards."""
    for options in ({}, {"rows": 2, "cols": 3}, {"rows": 3, "cols": 3}, {"block": 4}, {"block": 5, "rows": 3}):
        position = pentad.new("pentago", **options)
        begun = position.partial(str(next(iter(position.legal_moves))).split()[0])
        root = ElementTree.fromstring(begun.svg(style=False))
        holes = [each for each in root.iter() if each.get("class") == "hole"]
        arrows = [each for each in root.iter() if each.get("data-turns")]
        assert len(arrows) == 2 * begun.board.rows * begun.board.cols  # type: ignore[attr-defined]
        for arrow in arrows:
            x, y, size = map(float, re.findall(r"[-\d.]+", arrow.get("transform") or ""))
            for hole in holes:
                away = math.hypot(x - float(hole.get("cx") or 0), y - float(hole.get("cy") or 0))
                assert away > looks.MARBLE_RADIUS + looks.ARROW_RADIUS * size - 0.5

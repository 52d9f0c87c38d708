"""Small pictures of positions: the board alone, whole, as a file of its own."""

import re
from xml.etree import ElementTree

import pytest

import pentad
from pentad.game import games
from pentad.web.pictures import board_alone

SVG = "{http://www.w3.org/2000/svg}"


def box(svg: str) -> list[float]:
    found = re.search(r'viewBox="([^"]*)"', svg)
    assert found
    return [float(number) for number in found[1].split()]


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("name", games())
def test_the_picture_has_the_board_and_its_pieces_and_nothing_to_touch(name: str, flip: bool) -> None:
    position, last = pentad.new(name), None
    for _ in range(4):
        last = next(iter(position.legal_moves))
        position = position.play(last)
    whole = position.svg(last=last, flip=flip)
    small = board_alone(whole)
    root = ElementTree.fromstring(small)
    classes = [set(each.get("class", "").split()) for each in root.iter()]
    assert not any(each & {"touch", "thumb", "next"} for each in classes)
    assert not list(root.iter(f"{SVG}title"))
    assert small.count('class="tile"') == whole.count('class="tile"')
    assert small.count('class="marble"') >= whole.count('class="marble"') - 1  # that of the seat to move
    assert len(small) < 0.9 * len(whole)
    left, top, width, height = box(small)
    assert left >= 0
    assert top >= 0
    assert left + width <= box(whole)[2] + 8
    assert 0.9 < width / height < 1.1
    assert "display: none" in small


def test_a_drawing_of_another_kind_stays_whole() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><path d="M0 0"/></svg>'
    assert board_alone(svg) == svg

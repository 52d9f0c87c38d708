"""Drawings without a style sheet: the part of CSS that we write and pictures of it."""

import re
from xml.etree import ElementTree

import pytest

from pentad import drawing
from pentad.drawing import raster
from pentad.drawing.raster.css import SVG, StyleSheet, plain, rules
from release.pictures import decoded
from tests.drawing.test_drawing import BOARDS, random_game


def path(*classes: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(each.split()) for each in classes)


@pytest.mark.parametrize(
    ("css", "classes", "found"),
    [
        (".a { fill: red; }", ("a",), {"fill": "red"}),
        (".a { fill: red; }", ("b",), {}),
        (".a .b { fill: red; }", ("a", "c", "b"), {"fill": "red"}),
        (".a .b { fill: red; }", ("b", "a"), {}),
        (".a.b { fill: red; } .a { fill: blue; }", ("a b",), {"fill": "red"}),
        (".a { fill: red; } .a { fill: blue; stroke: none; }", ("a",), {"fill": "blue", "stroke": "none"}),
        (".a:not(.b) { fill: red; }", ("a b",), {}),
        (".a:not(.b) { fill: red; }", ("a c",), {"fill": "red"}),
        (".x :is(.a, .b) .c { fill: red; }", ("x", "b", "c"), {"fill": "red"}),
        (".x :is(.a, .b) .c { fill: red; }", ("x", "c"), {}),
        (".a, .b { fill: red; /* a: comment */ }", ("b",), {"fill": "red"}),
        ("@media (prefers-color-scheme: dark) { .a { fill: red; } .b { fill: red; } }", ("a",), {}),
        (":root[data-theme=dark] .a { fill: red; }", ("a",), {}),
        (".a text { fill: red; }", ("a", "<text>"), {"fill": "red"}),
        (".a text { fill: red; }", ("a", "<circle>"), {}),
        (".b { fill: blue; } .a text { fill: red; }", ("a", "<text> b"), {"fill": "red"}),
    ],
)
def test_properties_of_an_element(css: str, classes: tuple[str, ...], found: dict[str, str]) -> None:
    assert StyleSheet(css).properties(path(*classes)) == found


@pytest.mark.parametrize(
    "css",
    [
        ".a > .b { fill: red; }",
        "circle:hover { fill: red; }",
        ".a:hover { fill: red; }",
        ".a { fill }",
        "@import x;",
        ".a {",
    ],
)
def test_other_css_is_refused(css: str) -> None:
    with pytest.raises(ValueError, match="Cannot read this"):
        rules(css)


def test_variables_belong_to_the_elements_within() -> None:
    css = ".all { --ink: black; } .red { --ink: red; } .all text { fill: var(--ink); stroke: var(--edge, var(--ink)); }"
    drawn = f'<svg xmlns="{SVG}" class="all"><text/><g class="red"><text/></g></svg>'
    texts = ElementTree.fromstring(plain(drawn, css)).iter(f"{{{SVG}}}text")
    assert [text.attrib for text in texts] == [{"fill": each, "stroke": each} for each in ("black", "red")]
    with pytest.raises(ValueError, match="No value for --edge"):
        plain(drawn, ".all { fill: var(--edge); }")


def shapes(element: ElementTree.Element) -> int:
    """The number of visible shapes in an element."""
    kinds = ("circle", "path", "line", "polygon", "text")
    return sum(1 for kind in kinds for _ in element.iter(f"{{{SVG}}}{kind}"))


@pytest.mark.parametrize("board", BOARDS)
def test_a_plain_drawing_needs_no_style_sheet(board: str) -> None:
    *_, (position, last) = random_game(board)
    drawn = position.svg(last=last)
    text = plain(drawn)
    assert not re.search(r"var\(|<style|class=|data-|aria-|transparent", text)
    assert len(text) < len(drawn)
    root, before = ElementTree.fromstring(text), ElementTree.fromstring(drawn)
    assert [root.get(name) for name in ("viewBox", "width")] == [before.get(name) for name in ("viewBox", "width")]
    assert shapes(root) == shapes(before) - sum(map(shapes, before.findall(f"{{{SVG}}}defs[@class='next']")))
    used = set(re.findall(r"url\(#([\w-]+)\)", text))
    assert used <= set(re.findall(r'id="([\w-]+)"', text))


def test_every_colour_of_the_style_sheet_is_known() -> None:
    """Each variable that a rule uses is set for the whole picture."""
    values = [value for rule in rules(drawing.STYLE) for value in rule.properties.values()]
    declared = {name for rule in rules(drawing.STYLE) for name in rule.properties if name.startswith("--")}
    assert set(re.findall(r"var\((--[\w-]+)\)", " ".join(values))) <= declared


@pytest.mark.slow
def test_pictures_have_the_size_of_previews_and_no_other_than_allowed() -> None:
    *_, (position, last) = random_game("pentago", 5)
    image = decoded(raster.preview(position.svg(last=last)))
    assert (image.width, image.height) == raster.PREVIEW_PIXELS
    assert image.data[:4] == bytes.fromhex("f4efe6ff")
    assert decoded(raster.png(position.svg(), 100)).width == 100
    for width in (0, 4001):
        with pytest.raises(ValueError, match="Expected a width of 1 to 4000 pixels"):
            raster.png(position.svg(), width)

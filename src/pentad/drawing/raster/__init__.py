"""Drawings as PNG, for previews of links and for programs that show no SVG.

The library that draws is loaded on first use. Text is in a font that comes with this package, so that a picture is the
same on every machine, also on a server without fonts.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

from pentad.drawing.raster.css import SVG as SVG
from pentad.drawing.raster.css import plain as plain
from pentad.system.extras import needs
from pentad.system.words import phrase

FONTS = [str(path) for path in sorted(Path(__file__).parent.glob("*.ttf"))]
FONT = "DejaVu Sans"
MAX_SIDE_PIXELS = 4000
PREVIEW_PIXELS = 1200, 630  # a picture beside a link is so wide and so high
MARGIN_PIXELS = 24


def is_available() -> bool:
    """Whether this installation can draw; the page without a server cannot."""
    return find_spec("resvg_py") is not None


def png(svg: str, width: int, css: str = "") -> bytes:
    """One of our drawings as a PNG, so many pixels wide; `css` is a style sheet beyond that of all drawings."""
    return rendered(plain(svg, css), width)


def preview(svg: str) -> bytes:
    """One of our drawings in the middle of a picture for links, on the ground of its sheet."""
    return rendered(on_sheet(plain(svg)), PREVIEW_PIXELS[0])


def on_sheet(svg: str) -> str:
    """A plain drawing in the middle of a wider sheet."""
    width, height = PREVIEW_PIXELS
    board = ElementTree.fromstring(svg)
    ground = next(element.get("fill") for element in board if element.tag == f"{{{SVG}}}rect")
    inner = {
        "x": MARGIN_PIXELS,
        "y": MARGIN_PIXELS,
        "width": width - 2 * MARGIN_PIXELS,
        "height": height - 2 * MARGIN_PIXELS,
    }
    for name, value in inner.items():
        board.set(name, str(value))
    sheet = (
        f'<svg xmlns="{SVG}" viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="{ground}"/>'
    )
    return f"{sheet}{ElementTree.tostring(board, encoding='unicode')}</svg>"


def rendered(svg: str, width: int) -> bytes:
    """A plain drawing as a PNG, so many pixels wide."""
    with needs("web"):
        import resvg_py

    if not 0 < width <= MAX_SIDE_PIXELS:
        raise ValueError(
            phrase("Expected a width of 1 to {largest} pixels, got {width}.", largest=MAX_SIDE_PIXELS, width=width)
        )
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=FONTS,
        font_family=FONT,
        sans_serif_family=FONT,
    )

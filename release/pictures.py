"""The pictures of the pages as PNG files, made from drawings: icons for devices, and the picture for links to pages.

`python -m release.pictures` writes them; a test compares them with the drawings. They are small: their colours are in
a palette.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pentad
from pentad.drawing import raster

STATIC = Path(pentad.__file__).parent / "web" / "static"
ICON = STATIC / "icon.svg"
LIGHT_GROUND = "#f4efe6"
SAFE_SHARE = 0.62  # devices may cut off what lies outside a circle of 80 % of a maskable icon
TOUCH_SHARE = 0.8  # the corners of an icon on a home screen are rounded
MOST_COLOURS = 256
GAP_PIXELS = 30

# A position of each game, as puzzles have them.
BOARDS = {
    "pentago": "pentago bw..b./w.b.../wb.wbw/.bwwww/w.bw.b/b.wbbb",
    "pentagame": "pentagame 0 20 400,200,---,---,000/---,900,300,400,000 925,221,754,932,664 "
    "817,643,512,---,--- 4:400>000x13/0:000>500x14 -",
    "pente": "pente size=13 13/13/6w6/5b1w5/6bw5/5bww1b3/4wbbwb4/5w1b5/6bw5/5w7/13/13/13 0,0",
}

Colour = tuple[int, int, int, int]  # red, green, blue, alpha


class Pixels(NamedTuple):
    """An image: its width and its pixels, row by row, with 4 bytes each."""

    width: int
    data: bytes

    @property
    def height(self) -> int:
        return len(self.data) // (4 * self.width)


def icon(side: int, *, share: float = 1.0, ground: str = "") -> Pixels:
    """The icon, which fills this share of the side."""
    inner = ICON.read_text(encoding="utf-8")
    margin = side * (1 - share) / 2
    place = f'x="{margin:g}" y="{margin:g}" width="{side * share:g}" height="{side * share:g}"'
    below = f'<rect width="{side}" height="{side}" fill="{ground}"/>' if ground else ""
    nested = inner.replace("<svg ", f"<svg {place} ", 1)
    whole = f'<svg xmlns="{raster.SVG}" viewBox="0 0 {side} {side}">{below}{nested}</svg>'
    return decoded(raster.rendered(whole, side))


def preview() -> Pixels:
    """The boards of the games side by side."""
    width, height = raster.PREVIEW_PIXELS
    side = (width - GAP_PIXELS * (len(BOARDS) + 1)) / len(BOARDS)
    parts = []
    for number, text in enumerate(BOARDS.values()):
        left = GAP_PIXELS + number * (side + GAP_PIXELS)
        place = f'x="{left:g}" y="{GAP_PIXELS}" width="{side:g}" height="{height - 2 * GAP_PIXELS}"'
        board = raster.plain(pentad.load(text).svg())
        opening, rest = board.split(">", 1)
        size = 'width="', 'height="'
        words = [word for word in opening.split() if not word.startswith(size)]
        parts.append(f"{' '.join(words)} {place}>{rest}")
    ground = f'<rect width="{width}" height="{height}" fill="{LIGHT_GROUND}"/>'
    whole = f'<svg xmlns="{raster.SVG}" viewBox="0 0 {width} {height}">{ground}{"".join(parts)}</svg>'
    return decoded(raster.rendered(_with_own_names(whole), width))


def _with_own_names(svg: str) -> str:
    """The drawings in one: each refers to its own gradients."""
    boards = svg.split("<svg ")
    for number, board in enumerate(boards):
        boards[number] = board.replace('id="', f'id="b{number}-').replace("url(#", f"url(#b{number}-")
    return "<svg ".join(boards)


FILES: dict[str, Callable[[], Pixels]] = {
    "icon-32.png": lambda: icon(32),
    "icon-180.png": lambda: icon(180, share=TOUCH_SHARE, ground=LIGHT_GROUND),
    "icon-192.png": lambda: icon(192),
    "icon-512.png": lambda: icon(512),
    "icon-maskable.png": lambda: icon(512, share=SAFE_SHARE, ground=LIGHT_GROUND),
    "preview.png": preview,
}


# ── PNG files ────────────────────────────────────────────────────────────────────────────────────

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BYTES_OF_PIXEL = {2: 3, 3: 1, 6: 4}  # the keys are the colour types


def decoded(png: bytes) -> Pixels:
    """The pixels of a PNG with 8 bits for each colour or index, and without interlacing."""
    chunks = dict[bytes, bytes]()
    place = len(SIGNATURE)
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        kind, data = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        chunks[kind] = chunks.get(kind, b"") + data
        place += length + 12
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    if depth != 8 or colour not in _BYTES_OF_PIXEL or interlaced:
        raise ValueError("This kind of PNG is not read here.")
    rows = _unfiltered(zlib.decompress(chunks[b"IDAT"]), width, height, _BYTES_OF_PIXEL[colour])
    if colour == 6:
        return Pixels(width, b"".join(rows))
    if colour == 2:
        return Pixels(width, b"".join(row[i : i + 3] + b"\xff" for row in rows for i in range(0, len(row), 3)))
    palette, alpha = chunks[b"PLTE"], chunks.get(b"tRNS", b"")
    alpha += b"\xff" * (len(palette) // 3 - len(alpha))
    colours = [palette[3 * i : 3 * i + 3] + alpha[i : i + 1] for i in range(len(alpha))]
    return Pixels(width, b"".join(colours[index] for row in rows for index in row))


def _unfiltered(data: bytes, width: int, height: int, size: int) -> list[bytes]:
    length = width * size
    above, rows = bytes(length), []
    for number in range(height):
        kind, row = (
            data[number * (length + 1)],
            bytearray(data[number * (length + 1) + 1 : (number + 1) * (length + 1)]),
        )
        for i in range(length if kind else 0):
            left = row[i - size] if i >= size else 0
            corner = above[i - size] if i >= size else 0
            row[i] = (row[i] + _predicted(kind, left, above[i], corner)) & 255
        above = bytes(row)
        rows.append(above)
    return rows


def _predicted(kind: int, left: int, up: int, corner: int) -> int:
    if kind < 4:
        return (0, left, up, (left + up) // 2)[kind]
    guess = left + up - corner
    return min((left, up, corner), key=lambda each: abs(guess - each))  # the first of equals, as PNG has it


def with_palette(pixels: Pixels) -> bytes:
    """A PNG with a palette of the most fitting colours."""
    data = pixels.data
    all_pixels = list(zip(data[::4], data[1::4], data[2::4], data[3::4], strict=True))
    counts = Counter(all_pixels)
    colours = sorted(_palette(counts), key=lambda colour: (colour[3], colour))  # what is transparent comes first
    nearest = {
        each: min(range(len(colours)), key=lambda i: sum((a - b) ** 2 for a, b in zip(each, colours[i], strict=True)))
        for each in counts
    }
    indices = bytes(nearest[each] for each in all_pixels)
    width = pixels.width
    rows = b"".join(b"\0" + indices[i : i + width] for i in range(0, len(indices), width))
    alpha = bytes(colour[3] for colour in colours if colour[3] < 255)
    return b"".join(
        (
            SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, pixels.height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", b"".join(bytes(colour[:3]) for colour in colours)),
            _chunk(b"tRNS", alpha) if alpha else b"",
            _chunk(b"IDAT", zlib.compress(rows, 9)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _palette(counts: Counter[Colour]) -> list[Colour]:
    """The colours of a palette by median cut: the box with the widest spread of pixels is halved."""
    boxes = [list(counts)]
    while len(boxes) < MOST_COLOURS:
        box = max(boxes, key=lambda box: _spread(box)[0] * sum(counts[each] for each in box) ** 0.5)
        spread, channel = _spread(box)
        if not spread:
            break
        boxes.remove(box)
        box.sort(key=lambda colour: colour[channel])
        middle = sum(counts[each] for each in box) / 2
        end, seen = 0, 0
        while end < len(box) - 1 and (seen < middle or not end):
            seen += counts[box[end]]
            end += 1
        boxes += [box[:end], box[end:]]
    return [_mean(box, counts) for box in boxes]


def _spread(box: list[Colour]) -> tuple[int, int]:
    """The widest range of a channel in a box, and that channel."""
    return max((max(values) - min(values), channel) for channel, values in enumerate(zip(*box, strict=True)))


def _mean(box: list[Colour], counts: Counter[Colour]) -> Colour:
    weight = sum(counts[each] for each in box)
    red, green, blue, alpha = (round(sum(each[i] * counts[each] for each in box) / weight) for i in range(4))
    return red, green, blue, alpha


if __name__ == "__main__":
    for name, make in FILES.items():
        written = (STATIC / name).write_bytes(with_palette(make()))
        print(f"{name}: {written} bytes")

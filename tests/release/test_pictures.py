"""The icons and the picture for links: as the drawings are now."""

import json
import struct

import pytest

from release.pictures import FILES, STATIC, Pixels, decoded, with_palette


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", FILES)
def test_files_show_the_drawings(name: str) -> None:
    """After a change of a drawing, `python -m release.pictures` makes them again."""
    file = (STATIC / name).read_bytes()
    assert len(file) < 100_000
    committed, now = decoded(file), FILES[name]()
    assert (committed.width, committed.height) == (now.width, now.height)
    far = sum(abs(a - b) > 32 for a, b in zip(committed.data, now.data, strict=True))
    assert far / len(now.data) < 0.002


def test_the_manifest_names_the_icons_by_their_sizes() -> None:
    icons = json.loads((STATIC / "manifest.webmanifest").read_bytes())["icons"]
    found = {icon["src"].removeprefix("/static/"): icon for icon in icons if icon["type"] == "image/png"}
    assert {icon["purpose"] for icon in found.values()} == {"any", "maskable"}
    for name, icon in found.items():
        width, height = struct.unpack(">II", (STATIC / name).read_bytes()[16:24])
        assert icon["sizes"] == f"{width}x{height}"


def test_a_maskable_icon_is_opaque_and_others_are_not() -> None:
    def corner(name: str) -> int:
        return decoded((STATIC / name).read_bytes()).data[3]

    assert [corner(name) for name in ("icon-maskable.png", "icon-180.png", "icon-192.png")] == [255, 255, 0]


def test_few_colours_stay_as_they_are() -> None:
    data = bytes([255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 0, 0, 9, 8, 7, 255])
    assert decoded(with_palette(Pixels(2, data))) == Pixels(2, data)

"""The pictures of the pages in the docs: as the pages are now."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser

from release.page_pictures import FILM, FOLDER, STILLS, WINDOW, Studio, film
from tests.web.server_process import Server

BOARD = (0, 0, 620, WINDOW["height"])  # what is beside it depends on how far an engine has come

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def difference(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels whose brightness is far from that of the other picture."""
    assert one.size == other.size
    histogram = ImageChops.difference(one.convert("L"), other.convert("L")).histogram()
    return sum(histogram[64:]) / sum(histogram)


@pytest.mark.parametrize("name", STILLS)
def test_a_still_shows_the_page(name: str, server: Server, browser: Browser) -> None:
    """After a change of the page, `python -m release.page_pictures` takes it again."""
    taken = STILLS[name](Studio(server, browser))
    assert difference(Image.open(FOLDER / name).crop(BOARD), taken.crop(BOARD)) < 0.01


def test_the_film_shows_the_pages(server: Server, browser: Browser) -> None:
    frames = list(film(Studio(server, browser)))
    with Image.open(FOLDER / FILM) as committed:
        shown = 0
        for number in range(committed.n_frames):
            committed.seek(number)
            committed.load()
            shown += committed.info["duration"]
        assert shown == sum(duration for _, duration in frames)
        assert difference(committed, frames[-1][0]) < 0.01

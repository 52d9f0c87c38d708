"""PNG pictures look as the same drawings in a browser."""

import re

import pytest
from playwright.sync_api import Browser

from pentad.drawing import raster
from release.pictures import decoded
from tests.drawing.test_drawing import random_game

pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.parametrize("board", ["pentago", "pente", "pentagame of five"])
def test_pictures_look_as_in_a_browser(board: str, browser: Browser) -> None:
    """Few pixels differ, without text: its font is another one."""
    *_, (position, last) = random_game(board)
    drawn = position.svg(last=last)
    here = decoded(raster.png(drawn, 600))
    page = browser.new_page(viewport={"width": here.width, "height": here.height})
    scaled = re.sub(r' width="[\d.]+" height="[\d.]+"', f' width="{here.width}" height="{here.height}"', drawn, count=1)
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }} text {{ display: none }}</style>{scaled}")
    there = decoded(page.screenshot())
    page.close()
    assert (there.width, there.height) == (here.width, here.height)
    without_text = re.sub(r"<text.*?</text>", "", raster.plain(drawn), flags=re.DOTALL)
    here = decoded(raster.rendered(without_text, 600))
    far = sum(abs(a - b) > 40 for a, b in zip(here.data, there.data, strict=True))
    assert far / len(here.data) < 0.005  # the height is rounded to pixels, which shifts both edges of the frame

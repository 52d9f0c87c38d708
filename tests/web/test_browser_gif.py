"""A game saved as a GIF: on the play page and on the analysis page, decoded again by the browser."""

import base64
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import pentad
from pentad.drawing import raster
from release.pictures import decoded
from tests.web.browser_helpers import NewPage, open_room, play, read_gif

pytestmark = pytest.mark.browser


def far(picture: str, svg: str) -> float:
    """The share of channels in which a frame differs much from a drawing without text, whose font is another one."""
    frame = decoded(base64.b64decode(picture))
    without_text = re.sub(r"<text.*?</text>", "", raster.plain(svg), flags=re.DOTALL)
    drawing = decoded(raster.rendered(without_text, frame.width))
    assert abs(frame.height - drawing.height) <= 1  # both heights are rounded
    return sum(abs(a - b) > 48 for a, b in zip(frame.data, drawing.data, strict=False)) / len(frame.data)


@pytest.mark.slow
def test_a_game_is_saved_after_its_end(new_page: NewPage, tmp_path: Path) -> None:
    page = new_page(color_scheme="dark")
    open_room(page, seats=["human", "human"])
    play(page, "a0 1A", "f5 4A")
    expect(page.locator("#save-gif")).to_be_hidden()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="Save as GIF").click()
    assert re.fullmatch(r"pentad-pentago-\d{4}-\d\d-\d\d\.gif", found.value.suggested_filename)
    expect(page.locator("#save-gif")).to_have_text("Save as GIF")
    found.value.save_as(tmp_path / "game.gif")
    gif = read_gif(page, tmp_path / "game.gif", 0, 1, 2)
    line = pentad.new("pentago").play("a0 1A")
    assert gif["frames"] == [800_000, 800_000, 3_000_000]
    assert gif["size"][0] == 480
    assert gif["repetitionCount"] in (float("inf"), None)  # JSON has no infinity
    after = line.play("f5 4A")
    drawings = (pentad.new("pentago").svg(), line.svg(last="a0 1A"), after.svg(last="f5 4A"))
    for picture, svg in zip(gif["pictures"], drawings, strict=True):
        assert far(picture, svg) < 0.03  # text, which the browser draws, is a part of it


@pytest.mark.slow
def test_the_line_of_an_analysis_is_saved(new_page: NewPage, tmp_path: Path) -> None:
    page = new_page()
    turns = ["E5", "D4", "A1", "D5"]
    page.goto(f"/analyse?{urlencode({'game': 'pente size=9', 'moves': '_'.join(turns)})}")
    page.get_by_role("button", name="Share…").click()
    page.get_by_label("Download as").select_option("gif")
    with page.expect_download() as found:
        page.get_by_role("button", name="Download", exact=True).click()
    expect(page.locator("#share-note")).to_have_text("Downloaded.")
    found.value.save_as(tmp_path / "line.gif")
    gif = read_gif(page, tmp_path / "line.gif", 4)
    assert gif["frames"] == [800_000] * 4 + [3_000_000]
    position = pentad.new("pente", size=9)
    for turn in turns:
        position = position.play(turn)
    assert far(gif["pictures"][0], position.svg(last="D5")) < 0.03


def test_saving_is_cancelled_by_the_same_button(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, seats=["human", "human"])
    play(page, "a0 1A")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.route("**/api/board.svg*", lambda route: None)  # this request is never answered
    downloads: list[object] = []
    page.on("download", lambda each: downloads.append(each))
    page.get_by_role("button", name="Save as GIF").click()
    page.get_by_role("button", name="Cancel (0%)").click()
    expect(page.locator("#save-gif")).to_have_text("Save as GIF")
    page.unroute_all(behavior="ignoreErrors")
    with page.expect_download():  # and can be begun again
        page.get_by_role("button", name="Save as GIF").click()
    expect(page.locator("#save-gif")).to_have_text("Save as GIF")
    assert len(downloads) == 1

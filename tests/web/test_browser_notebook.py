"""The board of a notebook in a browser: its script with a model that passes messages to the widget and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("anywidget", reason="anywidget, which the extra notebook brings, is not installed")

from playwright.sync_api import Browser, Page, expect

from pentad.web.notebook import BoardWidget
from pentad.web.notebook.widget import HERE
from tests.web.browser_helpers import accessible
from tests.web.conftest import MILLISECONDS

pytestmark = pytest.mark.browser

WINNING = "pentago bbbb../....../wwww../....../....../......"
PAGE = """<!doctype html><html lang="en"><title>Notebook</title><style>{css}</style><main><h1>Notebook</h1>
<div id="cell"></div></main></html>"""
SCRIPT = """
const url = URL.createObjectURL(new Blob([SOURCE], {type: "text/javascript"}));
const {default: widget} = await import(url);
const listeners = [];
let drawn = FIRST;
const model = {
  get: () => drawn,
  on: (event, act) => listeners.push(act),
  off: () => {},
  set: (name, value) => (document.body.dataset.seen = value),
  save_changes: () => {},
  async send(message) {
    drawn = JSON.parse(await window.sendToPython(JSON.stringify(message)));
    listeners.forEach(act => act());
  },
};
widget.render({model, el: document.getElementById("cell")});
"""


@pytest.fixture
def show(browser: Browser) -> Iterator[Any]:
    """Shows a board in a page."""
    contexts = []

    def shown(board: BoardWidget, **screen: Any) -> Page:
        context = browser.new_context(**screen)
        context.set_default_timeout(MILLISECONDS)
        contexts.append(context)
        page = context.new_page()

        def send(text: str) -> str:
            board._handle_custom_msg(json.loads(text), [])
            return json.dumps(board._drawn)

        page.expose_function("sendToPython", send)
        page.set_content(PAGE.format(css=board._css))
        source = json.dumps((HERE / "board.js").read_text(encoding="utf-8"))
        script = SCRIPT.replace("SOURCE", source).replace("FIRST", json.dumps(board._drawn))
        page.add_script_tag(type="module", content=script)
        expect(page.locator("svg[role=group]")).to_be_visible()
        return page

    yield shown
    for context in contexts:
        context.close()


def test_a_move_by_clicks(show: Any) -> None:
    board = BoardWidget(WINNING)
    page = show(board, viewport={"width": 500, "height": 760})
    status = page.locator("[role=status]")
    expect(status).to_have_text("Black to place a marble.")
    page.locator("[data-target=b4]").click()
    expect(status).to_have_text("Black to twist a sub-board.")
    expect(page.locator(".few")).to_have_count(8)
    accessible(page)
    page.get_by_role("button", name="Cancel").click()
    expect(status).to_have_text("Black to place a marble.")
    page.locator("[data-target=b4]").click()
    page.locator('[data-target="4C"]').click()
    expect(status).to_have_text("White to place a marble.")
    assert board.moves == ("b4 4C",)
    expect(page.locator("body")).to_have_attribute("data-seen", board.position)
    page.get_by_role("button", name="Take back").click()
    expect(status).to_have_text("Black to place a marble.")
    assert board.moves == ()


@pytest.mark.slow
def test_a_move_by_keys(show: Any) -> None:
    board = BoardWidget()
    page = show(board)
    page.keyboard.press("Tab")
    expect(page.locator("[data-target=a0]")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-target=b1]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[role=status]")).to_have_text("Black to twist a sub-board.")
    page.keyboard.press("Escape")
    expect(page.locator("[role=status]")).to_have_text("Black to place a marble.")
    page.locator("[data-target=c1]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[role=status]")).to_have_text("Black to twist a sub-board.")
    expect(page.locator(".can:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("[role=status]")).to_have_text("White to place a marble.")
    assert board.last == "c1 1C"


@pytest.mark.slow
def test_pieces_on_the_pentagram(show: Any) -> None:
    board = BoardWidget("pentagame")
    page = show(board)
    first = board._drawn["open"][0]
    page.locator(f'[data-target="{first}"]').dispatch_event("click")
    expect(page.locator(".touched")).to_have_count(1)
    page.locator(f'[data-target="{board._drawn["open"][0]}"]').dispatch_event("click")
    expect(page.locator(".touched")).to_have_count(0)
    expect(page.locator("[role=status]")).not_to_have_text("")

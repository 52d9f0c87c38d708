"""The board of a notebook in a browser: its script with a model that passes messages to the widget and back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("anywidget", reason="anywidget, which the extra notebook brings, is not installed")

from playwright.sync_api import Browser, Locator, Page, expect

from pentad.web.instant import drawings, engines
from pentad.web.notebook import BoardWidget
from pentad.web.notebook.widget import HERE
from tests.web.browser_helpers import accessible
from tests.web.conftest import MILLISECONDS
from tests.web.site.kept_site import check_tools

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

# Without a kernel the model has the state alone, and the element has Jupyter's class for that.
SAVED = """
const url = URL.createObjectURL(new Blob([SOURCE], {type: "text/javascript"}));
const {default: widget} = await import(url);
const el = document.getElementById("cell");
const state = STATE;
const listeners = {};
const noteUse = (name) => () => (document.body.dataset.used = name);
const model = {
  get: (name) => state[name],
  on: (event, act) => (listeners[event] = act),
  off: (event) => delete listeners[event],
  set: noteUse("set"),
  save_changes: noteUse("save_changes"),
  send: noteUse("send"),
};
el.classList.add("jupyter-widgets-disconnected");
widget.render({model, el});
window.connect = () => {
  el.classList.remove("jupyter-widgets-disconnected");
  listeners["comm_live_update"]();
};
"""
# By game: a position near its end, a target without effect, touches that end the game, and the result.
ENDS = {
    "pentago": (WINNING, "a0", ["a4"], "Black wins with five in a row."),
    "pente": (
        "pente 19/19/19/19/19/19/19/19/19/7wwww8/7bbbb8/19/19/19/19/19/19/19/19 0,0",
        "H10",
        ["G10"],
        "White wins with five in a row.",
    ),
    "pentagame": (
        "pentagame 0 40 ---,---,200,827,400/000,100,200,300,400 500,600,700,911,900 931,941,---,---,--- -/- -",
        "piece 1.0",
        ["piece 0.3", "[8,0,0]", "[1,1,0]", "piece 1.0", "piece 1.1"],
        "Circle wins with three pieces home.",
    ),
}


@pytest.fixture
def show(browser: Browser) -> Iterator[Any]:
    """Shows a board in a page."""
    contexts = []

    def shown(board: BoardWidget, program: str = SCRIPT, **screen: Any) -> Page:
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
        state = {name: getattr(board, name) for name in ("_drawn", "_rules", "moves")}
        script = program.replace("SOURCE", source).replace("FIRST", json.dumps(board._drawn))
        script = script.replace("STATE", json.dumps(state))
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


def target(page: Page, name: str) -> Locator:
    return page.locator(f'[data-target="{name}"]')


def alone(page: Page) -> Locator:
    return page.get_by_text("not connected to a kernel")


def check_unused(page: Page) -> None:
    """Nothing went to Python."""
    expect(page.locator("body")).not_to_have_attribute("data-used", re.compile(""))


@pytest.fixture
def libraries() -> None:
    check_tools()
    engines.folder()


@pytest.mark.usefixtures("libraries")
@pytest.mark.parametrize("name", drawings.covered())
def test_a_board_without_a_kernel_is_played_to_the_end(show: Any, name: str) -> None:
    start, refused, touches, result = ENDS[name]
    board = BoardWidget(start, standalone=True)
    page = show(board, SAVED, viewport={"width": 500, "height": 760})
    status = page.locator("[role=status]")
    expect(alone(page)).to_be_visible()
    target(page, refused).click(force=True)
    expect(status).to_have_text(board.status)
    expect(page.locator(".touched")).to_have_count(0)
    for each in touches:
        target(page, each).click()
    expect(status).to_have_text(result)
    expect(page.locator(".can")).to_have_count(0)
    accessible(page)
    for _ in range(1 + (name == "pentagame")):
        page.get_by_role("button", name="Take back").click()
    expect(status).to_have_text(board.status)
    expect(page.get_by_role("button", name="Take back")).to_be_hidden()
    check_unused(page)
    assert board.moves == ()


@pytest.mark.usefixtures("libraries")
def test_a_board_without_a_kernel_goes_on_from_its_moves_until_there_is_one(show: Any) -> None:
    board = BoardWidget(standalone=True)
    board.play("a2 1C")
    page = show(board, SAVED)
    status, cancel = page.locator("[role=status]"), page.get_by_role("button", name="Cancel")
    expect(alone(page)).to_be_visible()
    target(page, "b4").click()
    expect(status).to_have_text("White to twist a sub-board.")
    cancel.click()
    expect(status).to_have_text("White to place a marble.")
    page.get_by_role("button", name="Take back").click()
    expect(status).to_have_text("Black to place a marble.")
    check_unused(page)
    page.evaluate("connect()")
    expect(alone(page)).to_be_hidden()
    expect(status).to_have_text("White to place a marble.")
    target(page, "b4").click()
    expect(page.locator("body")).to_have_attribute("data-used", "send")


def test_a_board_without_rules_says_nothing_of_kernels(show: Any) -> None:
    page = show(BoardWidget(), SAVED)
    target(page, "b4").click()
    expect(page.locator("body")).to_have_attribute("data-used", "send")
    expect(alone(page)).to_be_hidden()

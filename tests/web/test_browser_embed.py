"""Boards in frames of another site's page, by the element of embed.js and by plain addresses."""

from __future__ import annotations

import functools
import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from pentad.play import puzzles
from pentad.web import view
from tests.cases import slow, slow_but
from tests.web.browser_helpers import NewPage, accessible
from tests.web.server_process import Server

pytestmark = pytest.mark.browser

EXAMPLE = Path(__file__).parents[2] / "examples" / "embed.html"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PUZZLE = "pentago-00507fda"


class Host:
    """Another site: a server of a folder, with another name than pentad's server."""

    def __init__(self, folder: Path) -> None:
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.folder = folder
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self.url = f"http://localhost:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    running = Host(tmp_path)
    (tmp_path / "favicon.ico").write_bytes(b"")
    yield running
    running.close()


@pytest.fixture
def open_host(new_page: NewPage, server: Server, host: Host):
    """Opens a page of the other site with this body, or the example."""

    def opened(body: str = "", **screen: Any) -> Page:
        text = EXAMPLE.read_text(encoding="utf-8")
        if body:
            text = re.sub(r"<main>.*</main>", lambda _: f"<main><h1>Boards</h1>{body}</main>", text, flags=re.DOTALL)
        (host.folder / "page.html").write_text(text.replace("http://127.0.0.1:5005", server.url), encoding="utf-8")
        page = new_page(base_url=host.url, expected=(server.url,), **(screen or DESKTOP))
        page.goto("/page.html")
        return page

    return opened


def frame(page: Page, number: int = 0) -> FrameLocator:
    found = page.locator("pentad-board, body > iframe").nth(number)
    found.scroll_into_view_if_needed()
    return page.frame_locator("iframe").nth(number)


def touch(board: FrameLocator, *names: str) -> None:
    for name in names:
        target = board.locator(f'#board [data-target="{name}"].can')
        expect(target).to_be_visible()
        target.dispatch_event("click")


@pytest.mark.slow
@pytest.mark.parametrize("screen", [pytest.param(PHONE, id="phone"), slow(DESKTOP, id="desk")])
def test_the_example(open_host: Any, screen: dict[str, Any], request: pytest.FixtureRequest) -> None:
    page = open_host(**screen)
    expect(page.locator("pentad-board")).to_have_count(3)
    for number, headline in enumerate(("Black to place a marble.", "Pente, 6 moves", "White to move and win in 2")):
        board = frame(page, number)
        expect(board.locator("#board svg")).to_be_visible()
        expect(board.locator("#headline")).to_contain_text(headline)
        _has_the_height_of_its_content(page, number)
    titles = page.locator("iframe").evaluate_all("frames => frames.map(each => each.title)")
    assert titles == ["A position of Pentago", "A game of Pente", "A puzzle of Pentago"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page)


def _has_the_height_of_its_content(page: Page, number: int) -> None:
    element = page.locator("iframe").nth(number)
    inside = element.element_handle().content_frame()
    inside.wait_for_function("Math.abs(innerHeight - document.body.getBoundingClientRect().height) <= 1")
    assert inside.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_a_position_is_played_on(open_host: Any, server: Server) -> None:
    page = open_host('<pentad-board position="pentago bbbb../....../wwww../....../....../......"></pentad-board>')
    board = frame(page)
    expect(board.locator("#headline")).to_have_text(" Black to place a marble.")
    expect(board.locator("#undo")).to_be_disabled()
    touch(board, "b4")
    expect(board.locator("#headline")).to_have_text(" Black to twist a sub-board.")
    touch(board, "4C")
    expect(board.locator("#headline")).to_have_text(" White to place a marble.")
    touch(board, "c4")
    expect(board.locator("#headline")).to_contain_text("White wins")
    address = board.locator("#full").get_attribute("href")
    assert address is not None
    assert address.startswith("/analyse?start=pentago+bbbb")
    assert "moves=b4+4C_c4" in address
    assert board.locator("#full").get_attribute("target") == "_blank"
    board.locator("#undo").click()
    expect(board.locator("#headline")).to_have_text(" White to place a marble.")
    touch(board, "a4")
    board.locator("#cancel").click()
    expect(board.locator("#headline")).to_have_text(" White to place a marble.")
    board.locator("#restart").click()
    expect(board.locator("#headline")).to_have_text(" Black to place a marble.")
    expect(board.locator("#restart")).to_be_disabled()


@pytest.mark.slow
def test_a_game_is_stepped_through(open_host: Any) -> None:
    page = open_host("""<pentad-board>
        pente 1. K10 2. L10 3. N13 4. M10 {Two stones.} 5. N10</pentad-board>""")
    board = frame(page)
    expect(board.locator("#headline")).to_have_text("Pente, 5 moves")
    expect(board.locator("#back")).to_be_disabled()
    expect(board.locator("#board .can")).to_have_count(0)
    board.locator("#forward").click()
    expect(board.locator("#headline")).to_have_text("1. White plays K10.")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(board.locator("#headline")).to_have_text("4. Black plays M10.")
    expect(board.locator("#prompt")).to_have_text("Two stones.")
    page.keyboard.press("End")
    expect(board.locator("#headline")).to_have_text("5. White plays N10 and captures 2 stones.")
    expect(board.locator("#last")).to_be_disabled()
    assert "K10_L10_N13_M10_N10" in (board.locator("#full").get_attribute("href") or "")
    page.keyboard.press("ArrowLeft")
    expect(board.locator("#headline")).to_have_text("4. Black plays M10.")
    board.locator("#first").click()
    expect(board.locator("#headline")).to_have_text("Pente, 5 moves")


def test_a_record_with_its_result(open_host: Any) -> None:
    record = '[Game "pentago"]\n[Result "0-1"]\n\n1. a2 1C 2. b4 2A 0-1'
    page = open_host(f"<pentad-board record='{record}'></pentad-board>")
    board = frame(page)
    board.locator("#last").click()
    expect(board.locator("#headline")).to_have_text(re.compile(r"^2\. White plays b4"))
    expect(board.locator("#prompt")).to_have_text(re.compile("0-1"))


@pytest.mark.slow
def test_a_puzzle_is_solved(open_host: Any) -> None:
    page = open_host(f'<pentad-board puzzle="{PUZZLE}"></pentad-board>')
    board = frame(page)
    of = puzzles.puzzle(PUZZLE)
    expect(board.locator("#headline")).to_contain_text(of.goal)
    board.locator("#hint").click()
    expect(board.locator("#verdict")).to_contain_text("Hint: ")
    expect(board.locator("#board .hinted")).to_have_count(1)
    here, line = of.start, []
    wrong = next(move for move in here.legal_moves if not puzzles.attempt(of, [str(move)]).right)
    for step in view.touches(here, wrong):
        touch(board, *step.targets)
    expect(board.locator("#verdict")).to_have_class("bad")
    board.locator("#again").click()
    while True:
        here, move = puzzles.answer(of, line)
        line.append(str(move))
        for step in view.touches(here, move):
            touch(board, *step.targets)
        if puzzles.attempt(of, line).over:
            break
        expect(board.locator("#verdict")).to_contain_text("Reply: ")
    expect(board.locator("#verdict")).to_contain_text("Solved.")
    assert board.locator("#full").get_attribute("href") == f"/puzzles/{PUZZLE}"


@pytest.mark.slow
def test_attributes_can_be_changed(open_host: Any) -> None:
    page = open_host('<pentad-board position="pentago" theme="dark"></pentad-board>')
    board = frame(page)
    expect(board.locator("#headline")).to_have_text(" Black to place a marble.")
    expect(board.locator("html")).to_have_attribute("data-theme", "dark")
    lowest = "[...document.querySelectorAll('[data-target]')].map(e => [e.getBoundingClientRect().y, e.dataset.target])"
    corner = f"() => {lowest}.sort((a, b) => b[0] - a[0])[0][1][0]"
    assert _inside(page).evaluate(corner) == "f"
    page.locator("pentad-board").evaluate("e => { e.setAttribute('flip', ''); e.removeAttribute('theme'); }")
    expect(board.locator("html")).to_have_attribute("data-theme", "light")
    expect(board.locator("#board svg")).to_be_visible()
    assert _inside(page).evaluate(corner) == "a"
    page.locator("pentad-board").evaluate("e => { e.removeAttribute('position'); e.textContent = 'pentago a2 1C'; }")
    expect(board.locator("#headline")).to_have_text("Pentago, 1 move")
    assert page.evaluate("history.length") == 2  # the empty page at the start is one of them
    page.locator("pentad-board").evaluate("e => { e.before(e.cloneNode(true)); e.remove(); }")
    expect(board.locator("#headline")).to_have_text("Pentago, 1 move")


def _inside(page: Page) -> Any:
    return page.locator("iframe").element_handle().content_frame()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "Expected one of position, record and puzzle in the address of this board."),
        slow("?position=pentago&puzzle=x", "Expected one of position, record and puzzle in the address of this board."),
        slow("?position=chess", "Unknown game 'chess'. The games are: pentago, pente, pentagame."),
        slow("?position=pentago+b", None),
        ("?record=nonsense", None),
        slow("?puzzle=none", None),
    ],
)
def test_bad_parameters_are_answered_in_one_line(new_page: NewPage, query: str, message: str | None) -> None:
    page = new_page(expected=("Failed to load resource",))
    page.goto(f"/embed{query}")
    line = page.locator("#headline")
    expect(line).to_be_visible()
    if message:
        expect(line).to_have_text(message)
    assert "\n" not in line.inner_text()
    expect(page.locator("#board")).to_be_hidden()
    expect(page.locator("#foot")).to_be_hidden()


# What is not within its frame: the board, the words and the buttons.
_OUTSIDE = """() => ["#board svg", "#headline", "#full", ...document.querySelectorAll("#foot button")]
    .map(each => typeof each === "string" ? document.querySelector(each) : each).filter(each => each.checkVisibility())
    .filter(each => { const { left, top, right, bottom } = each.getBoundingClientRect();
        return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1; })
    .map(each => each.id || "board")"""


SIZES = [(600, 300), (400, 560), (320, 320), (900, 500), (300, 700)]


@pytest.mark.parametrize("size", slow_but(SIZES, SIZES[0]))
@pytest.mark.parametrize("position", ["pentago", "pente", "pentagame"])
def test_a_board_fits_into_a_frame_of_any_height(new_page: NewPage, size: tuple[int, int], position: str) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(f"/embed?position={position}")
    expect(page.locator("#headline")).to_be_visible()
    assert page.evaluate(_OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    board = page.locator("#board svg").bounding_box()
    assert board is not None
    assert min(board["width"], board["height"]) >= 150


@pytest.mark.slow
def test_a_height_of_another_frame_is_ignored(open_host: Any) -> None:
    page = open_host('<pentad-board position="pentago"></pentad-board>')
    board = frame(page)
    expect(board.locator("#board svg")).to_be_visible()
    _has_the_height_of_its_content(page, 0)
    before = page.locator("iframe").bounding_box()
    page.evaluate("postMessage({type: 'pentad-size', height: 10}, '*')")
    page.evaluate("new Promise(done => setTimeout(done))")
    assert page.locator("iframe").bounding_box() == before


@pytest.mark.slow
def test_other_pages_are_not_shown_in_frames(new_page: NewPage, server: Server, host: Host) -> None:
    (host.folder / "page.html").write_text(f'<title>x</title><iframe src="{server.url}/puzzles"></iframe>')
    page = new_page(base_url=host.url, expected=(server.url, "frame", "chrome-error:"))
    page.goto("/page.html")
    assert _inside(page).url.startswith("chrome-error:")

"""Boards that are opened on the Analysis page: from links, pasted and dropped, and the engine that starts with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

import pentad
from pentad.game import Position
from pentad.web.engines import WorkerFailed
from tests.cases import slow
from tests.web.browser_helpers import NewPage, act, choose_setting, dialogs, open_room
from tests.web.server_thread import Answers, PlaceCallback, serving
from tests.web.test_browser_analyse_values import LATE, FixedValues

pytestmark = pytest.mark.browser

LINK = f"/analyse?start={quote(LATE.text)}"
FULL = "Too many requests are waiting. Try again later."


@pytest.fixture(scope="module")
def engines() -> FixedValues:
    return FixedValues()


@pytest.fixture(scope="module")
def site(engines: FixedValues, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(engines, tmp_path_factory.mktemp("open")) as url:
        yield url


def opened(page: Page, address: str = "/analyse") -> Page:
    page.goto(address)
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    return page


TRANSFER = """([kind, text, file, target]) => {
    const data = new DataTransfer();
    if (file) data.items.add(new File([text], file));
    else data.setData("text/plain", text);
    const how = { bubbles: true, cancelable: true };
    const event = kind === "paste" ? new ClipboardEvent(kind, { ...how, clipboardData: data })
        : new DragEvent(kind, { ...how, dataTransfer: data });
    document.querySelector(target).dispatchEvent(event);
    return event.defaultPrevented;
}"""


def transfer(page: Page, kind: str, text: str, file: str = "", target: str = "body") -> bool:
    """Pastes or drops a text or a file; returns whether the page takes it."""
    return bool(page.evaluate(TRANSFER, [kind, text, file, target]))


def moves(page: Page) -> list[str]:
    return [text.split(maxsplit=1)[1] for text in page.locator("#tree .move").all_text_contents()]


# ── the engine starts with a board ───────────────────────────────────────────────────────────────


def test_a_link_shows_the_value_of_its_board_at_once(new_page: NewPage) -> None:
    page = opened(new_page(), LINK)
    expect(page.locator("#values-note")).to_contain_text("Exact value: White wins.")
    expect(page.locator(".gauge")).to_have_attribute("aria-label", "Black −1.00, exact")
    assert page.locator("#engine-on").is_checked()
    page.locator("#engine-on").uncheck()
    page.reload()  # it has been opened before
    expect(page.locator("#headline")).to_contain_text("White to")
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    assert not page.locator("#engine-on").is_checked()


def test_a_visit_without_a_link_starts_no_engine(new_page: NewPage, engines: FixedValues) -> None:
    engines.requested.clear()
    page = opened(new_page())
    expect(page.locator("#headline")).to_have_text("Black to place a marble.")
    assert not page.locator("#engine-on").is_checked()
    assert engines.requested == []


def test_a_setting_leaves_the_engine_off(new_page: NewPage, engines: FixedValues) -> None:
    page = opened(new_page())
    act(page, "settings")
    page.locator("[data-setting=autostart]").uncheck()
    page.keyboard.press("Escape")
    engines.requested.clear()
    opened(page, LINK)
    expect(page.locator("#headline")).to_contain_text("White to")
    transfer(page, "paste", "pente K10 L11")
    expect(page.locator("#tree .move")).to_have_count(2)
    assert not page.locator("#engine-on").is_checked()
    assert engines.requested == []
    choose_setting(page, "autostart")
    transfer(page, "paste", "pente K10 L11 N10")
    expect(page.locator("#lines li")).not_to_have_count(0)


def test_a_board_that_was_set_up_is_analysed_at_once(new_page: NewPage) -> None:
    page = opened(new_page())
    page.locator("#set-up").click()
    page.locator("#set-board [data-target=c1]").click()
    expect(page.locator("#set-status")).to_have_text("White to place a marble.")
    page.locator("#set-done").click()
    expect(dialogs(page)).to_have_count(0)
    expect(page.locator("#lines li")).not_to_have_count(0)
    assert page.locator("#engine-on").is_checked()


class Full(FixedValues):
    """Engines without a place for another request."""

    async def solved(self, position: Position, *, lines: int, owner: object, on_place: PlaceCallback = None) -> Answers:
        raise WorkerFailed(FULL)
        yield {}

    async def analysis(
        self, position: Position, *, seconds: float, lines: int, owner: object, on_place: PlaceCallback = None
    ) -> Answers:
        raise WorkerFailed(FULL)
        yield {}


def test_a_server_that_refuses_an_engine_says_so_in_one_line(new_page: NewPage, tmp_path: Path) -> None:
    with serving(Full(), tmp_path) as url:
        page = opened(new_page(base_url=url), LINK)
        expect(page.locator("#message")).to_have_text(f"The engine was not started: {FULL}")
        expect(page.locator("#engine-on")).not_to_be_checked()
        expect(page.locator("#engine-body")).to_be_hidden()
        page.locator("#engine-on").check()  # who asks for it sees why there is none
        expect(page.locator("#engine-note")).to_have_text(FULL)
        expect(page.locator("#values-note")).to_be_hidden()


# ── pasted and dropped ───────────────────────────────────────────────────────────────────────────

RECORD = '[Game "pente"]\n[Seat0 "Ann"]\n\n1. K10 L11\n2. N10 *\n'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (RECORD, ["K10", "L11", "N10"]),
        ("1. a2 1C\n2. b3 2A\n", ["a2 1C", "b3 2A"]),
        slow("pente K10 L11", ["K10", "L11"]),
        slow("pentagame R>w b:w2Y W>GxcG", ["R>w b:w2Y", "W>GxcG"]),
        (f"  {LATE.text}\n", []),
        ("https://pentad.example/analyse?game=pente&moves=K10_L11", ["K10", "L11"]),
        slow("https://pentad.example/analyse/?game=pente&moves=K10_L11", ["K10", "L11"]),
    ],
)
def test_what_is_pasted_is_opened(new_page: NewPage, text: str, shown: list[str]) -> None:
    page = opened(new_page(), "/analyse?game=pentago")
    page.locator("#flip").focus()
    assert transfer(page, "paste", text, target="#flip")
    if not shown:
        expect(page.locator("#headline")).to_contain_text("White to")
    expect(page.locator("#tree .move")).to_have_count(len(shown))
    assert moves(page) == shown
    page.go_back()
    expect(page.locator("#headline")).to_have_text("Black to place a marble.")
    expect(page.locator("#tree .move")).to_have_count(0)


def test_the_clipboard_is_pasted_by_the_keyboard_but_not_over_a_field(new_page: NewPage, site: str) -> None:
    page = opened(new_page())
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site)
    page.evaluate("navigator.clipboard.writeText('pente K10 L11')")
    page.locator("#comment").focus()
    page.keyboard.press("ControlOrMeta+v")
    expect(page.locator("#comment")).to_have_value("pente K10 L11")
    expect(page.locator("#tree .move")).to_have_count(0)
    page.locator("#engine-on").focus()  # no field for text
    page.keyboard.press("ControlOrMeta+v")
    expect(page.locator("#tree .move")).to_have_count(2)


REFUSED = {
    "prose": ("Dear Ann,\nhow are you?", "'Dear' does not begin a legal move"),
    "half a turn": ("a2 1C b3", "a twist must follow"),
    "half a record": ('[Game "pente"', "Expected a tag"),
    "half a position": ("pentago ....../..", "does not begin a legal move"),
    "half a link": ("https://", "'https://' does not begin a legal move"),
    "a broken link": ("http://[", "This link is incomplete."),
    "no board": ("https://pentad.example/about", "This link has no board."),
    "a game elsewhere": ("https://pentad.example/play/abc", "This link leads to another site. Open it there."),
    "moves without a game": ("https://pentad.example/analyse?game=chess&moves=e4", "Unknown game 'chess'"),
    "megabytes": ("K10 " * 1_000_000, "The text has 4,000,000 characters. At most 64,000 can be opened."),
    "binary data": ("a\0b", "Expected text, got binary data."),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_gets_one_line_and_changes_nothing(new_page: NewPage, case: str) -> None:
    text, reason = REFUSED[case]
    page = opened(new_page(expected=("422", "404")), "/analyse?game=pentago&moves=" + quote("a2 1C"))
    expect(page.locator("#tree .move")).to_have_count(1)
    address = page.url
    assert transfer(page, "paste", text)
    expect(page.locator("#message")).to_contain_text("Nothing was opened: ")
    expect(page.locator("#message")).to_contain_text(reason)
    message = page.locator("#message").inner_text()
    assert "\n" not in message
    assert len(message) < 300
    assert (page.url, moves(page)) == (address, ["a2 1C"])
    transfer(page, "paste", "b3 2A")  # the page goes on
    expect(page.locator("#tree .move")).to_have_text(["1. b3 2A"])
    expect(page.locator("#message")).to_be_hidden()


def test_the_link_of_a_game_here_opens_its_record(new_page: NewPage, site: str) -> None:
    page = new_page()
    address = open_room(page, game="pente", seats=["human", "human"], options={"rules": "keryo"})
    opened(page)
    transfer(page, "paste", site + address)
    expect(page.locator("#headline")).to_have_text("White to place a stone.")
    expect(page).to_have_title("Pente · Analysis · pentad")


def test_a_link_in_the_dialog_and_a_dropped_file_are_opened(new_page: NewPage) -> None:
    page = opened(new_page())
    page.locator("#open").click()
    page.locator("#paste").fill("https://pentad.example/analyse?game=pente&moves=K10_L11")
    page.locator("#open-form .main").click()
    expect(page.locator("#tree .move")).to_have_count(2)
    assert transfer(page, "drop", RECORD, file="game.txt")
    expect(page.locator("#tree .move")).to_have_count(3)
    transfer(page, "drop", "https://pentad.example/analyse?game=pente&moves=K10")
    expect(page.locator("#tree .move")).to_have_count(1)
    transfer(page, "drop", "x" * (4 << 20) + "x", file="big.txt")
    expect(page.locator("#message")).to_have_text("Nothing was opened: The file big.txt is larger than 4 MB.")
    expect(page.locator("#tree .move")).to_have_count(1)


def test_the_last_of_two_pasted_texts_is_shown(new_page: NewPage) -> None:
    page = opened(new_page())
    transfer(page, "paste", RECORD)
    transfer(page, "paste", f"pentago {pentad.new('pentago').legal_moves[0]}")
    expect(page.locator("#tree .move")).to_have_count(1)
    expect(page).to_have_title("Pentago · Analysis · pentad")

"""Touch input on boards: a tap chooses the nearest target, and small targets are aimed at first."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

import pentad
from tests.cases import slow, slow_but
from tests.web.browser_helpers import NewPage, moves, open_room, place, targets

pytestmark = pytest.mark.browser

WIDTHS = [slow(390), 320]
AROUND = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if right or down]
COLUMNS = "ABCDEFGHJKLMNOPQRST"

CENTRE = """name => {
    const box = document.querySelector(`#board [data-target="${name}"] .touch`).getBoundingClientRect();
    const { offsetLeft, offsetTop } = visualViewport;
    return [box.left + box.width / 2 - offsetLeft, box.top + box.height / 2 - offsetTop]; }"""


def phone(width: int) -> dict[str, object]:
    return {"viewport": {"width": width, "height": 700}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def tap(page: Page, name: str, towards: str | None = None, part: float = 0.0) -> None:
    """Taps the centre of a target, or a point on the line from there to another one."""
    x, y = page.evaluate(CENTRE, name)
    if towards:
        to_x, to_y = page.evaluate(CENTRE, towards)
        x, y = x + part * (to_x - x), y + part * (to_y - y)
    page.touchscreen.tap(x, y)


def open_grid(page: Page) -> None:
    open_room(page, game="pente", seats=["human", "human"], options={"rules": "gomoku", "size": 19})
    expect(targets(page)).to_have_count(361)


def beside(right: int, down: int) -> str:
    """The point next to L11 in a direction."""
    return f"{COLUMNS[COLUMNS.index('L') + right]}{11 - down}"


def expect_aim(page: Page, name: str) -> None:
    expect(page.locator("#board .aim .mark-label")).to_have_text(name)
    expect(page.get_by_role("button", name=f"Place at {name}", exact=True)).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_a_tap_one_point_away_aims_again(new_page: NewPage, width: int) -> None:
    page = new_page(**phone(width))
    open_grid(page)
    for right, down in AROUND:
        tap(page, "L11")
        expect_aim(page, "L11")
        other = beside(right, down)
        tap(page, other)
        expect_aim(page, other)
        # Off the point: the nearest point counts.
        tap(page, "L11", other, 0.4)
        expect_aim(page, "L11")
        tap(page, "L11", other, 0.6)
        expect_aim(page, other)
    expect(moves(page)).to_have_count(0)
    tap(page, "K10")
    expect_aim(page, "K10")
    tap(page, "K10", "L10", 0.4)
    expect(moves(page)).to_have_text(["K10"])
    expect(page.locator("#board .aim")).to_have_count(0)


def test_the_aim_is_played_by_a_button(new_page: NewPage) -> None:
    page = new_page(**phone(390))
    open_grid(page)
    tap(page, "L11")
    page.get_by_role("button", name="Place at L11").tap()
    expect(moves(page)).to_have_text(["L11"])
    expect(page.get_by_role("button", name="Place at L11")).to_have_count(0)


@pytest.mark.slow
def test_a_tap_on_a_stone_beside_the_aim_plays_nothing(new_page: NewPage) -> None:
    page = new_page(**phone(320))
    open_grid(page)
    for number, name in enumerate(("M11", "L11"), 1):
        tap(page, name)
        tap(page, name)
        expect(moves(page)).to_have_count(number)
    tap(page, "K11")
    expect_aim(page, "K11")
    tap(page, "L11")  # occupied; K11 is among the nearest free points
    tap(page, "J10")
    expect_aim(page, "J10")
    expect(moves(page)).to_have_count(2)


@pytest.mark.slow
def test_large_points_of_a_zoomed_page_need_no_aim(new_page: NewPage) -> None:
    page = new_page(**phone(390))
    open_grid(page)
    zoom = page.context.new_cdp_session(page)
    zoom.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})
    while page.evaluate("visualViewport.scale") != 2:
        page.wait_for_timeout(50)
    tap(page, "C17")
    expect(moves(page)).to_have_text(["C17"])


@pytest.mark.slow
def test_an_aim_on_a_board_without_a_room(new_page: NewPage) -> None:
    page = new_page(**phone(320))
    page.goto(f"/analyse?start={quote(pentad.new('pente', size=19, rules='gomoku').text)}")
    expect(targets(page)).to_have_count(361)
    tap(page, "K10")
    tap(page, "L10")
    expect(page.locator("#board .aim .mark-label")).to_have_text("L10")


# The open empty targets, each with its nearest other target.
NEIGHBOURS = """() => {
    const centre = (element) => {
        const box = element.querySelector(".touch").getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2]; };
    const all = [...document.querySelectorAll("#board [data-target]")].map((each) => [each, ...centre(each)]);
    const far = (one, other) => Math.hypot(one[1] - other[1], one[2] - other[2]);
    const open = all.filter(([each]) => each.matches(".can") && each.ariaLabel.includes("empty"));
    return open.map((one) => {
        const others = all.filter((each) => each !== one);
        const nearest = others.reduce((best, each) => (far(one, each) < far(one, best) ? each : best));
        return [one[0].dataset.target, nearest[0].dataset.target]; }); }"""


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game", slow_but(["pentago", "pentagame"], "pentagame"))
def test_the_nearest_of_all_targets_is_touched(new_page: NewPage, game: str, width: int) -> None:
    page = new_page(**phone(width))
    open_room(page, game=game, seats=["human", "human"])
    expect(targets(page).first).to_be_visible()
    if game == "pentagame":  # select a piece first: its destinations are close together
        tap(page, "piece 0.3")
        expect(targets(page, ".field").first).to_be_visible()
    near = page.evaluate(NEIGHBOURS)
    assert len(near) > 10
    for name, other in near[:: len(near) // 6]:
        words = (place(page, name).get_attribute("aria-label") or "").partition(",")[0]
        short = place(page, name).get_attribute("data-short") or name
        tap(page, name, other, 0.4)
        if page.locator("#board .aim").count():
            expect(page.locator("#board .aim .mark-label")).to_have_text(short)
            tap(page, name)
        if game == "pentago":
            expect(targets(page, ".twist").first).to_be_visible()
            expect(place(page, name).locator(".ball")).to_have_count(1)
            page.locator("#cancel").tap()
            expect(targets(page, ".twist")).to_have_count(0)
        else:
            expect(moves(page)).to_have_count(1)
            expect(moves(page)).to_have_attribute("title", re.compile(words))
            page.locator("#undo").tap()
            expect(moves(page)).to_have_count(0)
            expect(page.locator("#undo")).to_be_disabled()
            tap(page, "piece 0.3")
            expect(targets(page, ".field").first).to_be_visible()

"""The board on the play page: sub-boards turned by a drag, whole turns as premoves, confirmed moves, the loupe."""

import math
import re
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.cases import slow
from tests.web.browser_helpers import NewPage, choose_setting, join, moves, open_room, place, play, targets
from tests.web.test_browser_optimistic import open_wired, touch
from tests.web.test_browser_touch import phone, tap

pytestmark = pytest.mark.browser

TOUCH = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


# ── turning by a drag ──


class Finger:
    """A mouse, or a finger on a touch screen."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page, self.kind = page, kind
        self.session: CDPSession | None = page.context.new_cdp_session(page) if kind == "touch" else None

    def _send(self, what: str, *at: float) -> None:
        assert self.session
        points = [{"x": at[0], "y": at[1]}] if at else []
        self.session.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": points})

    def down(self, x: float, y: float) -> None:
        if self.session:
            self._send("touchStart", x, y)
        else:
            self.page.mouse.move(x, y)
            self.page.mouse.down()

    def move(self, x: float, y: float) -> None:
        self._send("touchMove", x, y) if self.session else self.page.mouse.move(x, y)

    def up(self) -> None:
        self._send("touchEnd") if self.session else self.page.mouse.up()

    def cancel(self) -> None:
        self._send("touchCancel")


# A dragged sub-board is the last element, above the others.
ANGLE = """number => Number.parseFloat(
    document.querySelector(`#board [data-piece='sub-board ${number}']`).style.rotate) || 0"""


def sub_board(page: Page, number: int) -> tuple[float, float, float]:
    """The centre of a sub-board, and a radius inside it, also while it springs back and its box is larger."""
    box = page.locator(f"#board [data-piece='sub-board {number}']").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"] / 4


def drag(page: Page, kind: str, number: int, degrees: float) -> Finger:
    """Turns a sub-board by an angle; the button or the finger stays down."""
    x, y, radius = sub_board(page, number)
    finger = Finger(page, kind)
    finger.down(x, y - radius)
    for i in range(1, 9):
        angle = math.radians(degrees * i / 8 - 90)
        finger.move(x + radius * math.cos(angle), y + radius * math.sin(angle))
    return finger


def open_twist(new_page: NewPage, kind: str = "mouse", **how: Any) -> Page:
    page = new_page(**(TOUCH if kind == "touch" else {}), **how)
    open_room(page, seats=["human", "human"])
    expect(targets(page).first).to_be_visible()
    touch(page, "a0")
    expect(targets(page, ".twist")).to_have_count(8)
    return page


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "degrees", "move"), [("mouse", 80, "1C"), ("touch", -60, "1A")])
def test_a_drag_turns_a_sub_board(new_page: NewPage, kind: str, degrees: float, move: str) -> None:
    page = open_twist(new_page, kind, reduced_motion="no-preference")
    finger = drag(page, kind, 1, degrees)
    assert abs(page.evaluate(ANGLE, 1) - degrees) < 3
    expect(place(page, move)).to_have_class(re.compile("over"))
    finger.up()
    expect(moves(page)).to_have_text([f"a0 {move}"])
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("kind", ["mouse", slow("touch")])
def test_a_short_drag_springs_back(new_page: NewPage, kind: str) -> None:
    page = open_twist(new_page, kind, reduced_motion="no-preference")
    drag(page, kind, 2, 30).up()
    assert page.evaluate(ANGLE, 2) == 0
    expect(targets(page, ".twist")).to_have_count(8)
    expect(moves(page)).to_have_count(0)
    finger = drag(page, kind, 2, 200)  # a twist is a quarter turn
    assert page.evaluate(ANGLE, 2) == 90
    if kind == "touch":
        finger.cancel()
        assert page.evaluate(ANGLE, 2) == 0
    else:
        finger.up()
        expect(moves(page)).to_have_text(["a0 2C"])


@pytest.mark.slow
def test_without_motion_a_drag_only_shows_what_it_chooses(new_page: NewPage) -> None:
    page = open_twist(new_page)
    finger = drag(page, "mouse", 4, 30)
    assert page.evaluate(ANGLE, 4) == 0
    finger.up()
    finger = drag(page, "mouse", 4, -50)
    assert page.evaluate(ANGLE, 4) == -90
    finger.up()
    expect(moves(page)).to_have_text(["a0 4A"])


@pytest.mark.slow
def test_a_refused_turn_is_reverted(new_page: NewPage) -> None:
    page = new_page()
    wire = open_wired(page)
    touch(page, "a0")
    expect(targets(page, ".twist")).to_have_count(8)
    wire.refuses = "The game cannot be saved: the disk is full."
    drag(page, "mouse", 1, 80).up()
    expect(page.locator("#message")).to_have_text("The game cannot be saved: the disk is full.")
    assert page.evaluate(ANGLE, 1) == 0


@pytest.mark.slow
def test_marks_by_the_right_button_and_touches_of_spaces_stay_what_they_were(new_page: NewPage) -> None:
    page = open_twist(new_page)
    x, y, radius = sub_board(page, 1)
    page.mouse.move(x, y - radius)
    page.mouse.down(button="right")
    page.mouse.move(x + radius, y)
    page.mouse.up(button="right")
    expect(page.locator("#board .arrow-mark")).to_have_count(1)
    assert page.evaluate(ANGLE, 1) == 0
    page.locator("#cancel").click()
    expect(targets(page, ".twist")).to_have_count(0)
    drag(page, "mouse", 1, 80).up()  # a marble is to be placed
    assert page.evaluate(ANGLE, 1) == 0


# ── premoves of whole turns ──


def waiting(new_page: NewPage, **request: Any) -> tuple[Page, Page]:
    """Two people in one game; the second one waits for the first."""
    page, other = new_page(), new_page(**TOUCH)
    join(other, open_room(page, seats=["human", "open"], name="Ann", **request), "Bob")
    expect(page.locator("#share")).to_be_hidden()
    expect(other.locator("#headline")).to_have_text("Ann to move")
    return page, other


def planned(page: Page) -> list[str]:
    return page.locator("#board .layer.planned .plan").all_text_contents()


@pytest.mark.slow
def test_a_whole_turn_is_entered_and_played(new_page: NewPage) -> None:
    page, other = waiting(new_page)
    place(other, "a0").tap()
    expect(other.locator("#board .twist")).to_have_count(8)
    expect(other.locator("#detail")).to_contain_text("Premove: ")
    assert other.locator("#board .target .ball").count() == 0  # only what has been played
    place(other, "1C").tap()
    expect(other.locator("#detail")).to_contain_text("a0")
    assert planned(other) == ["1", "2"]
    expect(other.locator("#announcer")).to_contain_text("It is played when your turn comes.")
    touch(page, "f5")  # the answer comes at once
    touch(page, "4C")
    expect(moves(other)).to_have_text(["f5 4C", "a0 1C"])
    expect(moves(page)).to_have_text(["f5 4C", "a0 1C"])
    assert planned(other) == []


@pytest.mark.slow
def test_a_premove_that_is_not_possible_any_more_is_dropped_whole(new_page: NewPage) -> None:
    page, other = waiting(new_page)
    place(other, "f5").tap()
    expect(other.locator("#board .twist")).to_have_count(8)
    drag(other, "touch", 1, 80).up()  # the drag enters the twist
    expect(other.locator("#announcer")).to_contain_text("It is played when your turn comes.")
    play(page, "f5 1C")
    expect(other.locator("#message")).to_have_text("Your premove is no longer possible.")
    expect(other.locator("#headline")).to_have_text("Your turn")
    expect(moves(other)).to_have_count(1)
    assert planned(other) == []
    expect(targets(other)).to_have_count(35)


@pytest.mark.slow
def test_a_premove_is_cancelled_or_changed(new_page: NewPage) -> None:
    page, other = waiting(new_page)
    place(other, "a0").tap()
    expect(other.locator("#board .twist")).to_have_count(8)
    other.keyboard.press("Escape")
    expect(other.locator("#board .twist")).to_have_count(0)
    expect(other.locator("#announcer")).to_have_text("Premove cancelled.")
    place(other, "a0").tap()
    expect(other.locator("#board .twist")).to_have_count(8)
    other.locator("#cancel").tap()
    expect(other.locator("#board .twist")).to_have_count(0)
    expect(other.locator("#cancel")).to_be_hidden()
    place(other, "b1").focus()
    other.keyboard.press("Enter")
    expect(other.locator("#board .twist")).to_have_count(8)
    place(other, "c2").focus()  # no twist: another turn begins
    other.keyboard.press("Enter")
    expect(other.locator("#detail")).to_contain_text("Premove: ")
    place(other, "2A").focus()
    other.keyboard.press("Enter")
    expect(other.locator("#detail")).to_contain_text("c2")
    touch(page, "f5")  # the answer comes at once
    touch(page, "4C")
    expect(moves(page)).to_have_text(["f5 4C", "c2 2A"])


@pytest.mark.slow
def test_a_piece_and_its_block_are_a_premove(new_page: NewPage) -> None:
    page, other = waiting(new_page, game="pentagame")
    for number, name in enumerate(("piece 1.3", "[5,0,0]", "[5,2,2]"), 1):
        other.evaluate("name => document.querySelector(`#board [data-target='${name}']`).focus()", name)
        other.keyboard.press("Enter")
        expect(other.locator("#board .layer.planned .plan")).to_have_count(number)
    expect(other.locator("#announcer")).to_contain_text("It is played when your turn comes.")
    for name in ("piece 0.4", "[6,0,0]", "[6,1,4]"):
        touch(page, name)
    expect(moves(page)).to_have_count(2)


# ── confirmed moves ──


@pytest.mark.slow
def test_a_move_is_played_by_confirm_after_the_twist(new_page: NewPage) -> None:
    page, other = new_page(), new_page(**TOUCH)
    address = open_room(page, seats=["human", "open"], name="Ann")
    join(other, address, "Bob")
    choose_setting(page, "confirm")
    touch(page, "a0")
    expect(targets(page, ".twist")).to_have_count(8)
    expect(page.locator("#confirm")).to_be_hidden()
    drag(page, "mouse", 1, 80).up()
    expect(page.locator("#confirm")).to_be_visible()
    expect(place(page, "a2").locator(".ball.black")).to_have_count(1)
    expect(moves(other)).to_have_count(0)
    place(page, "b1").click(force=True)
    expect(page.locator("#message")).to_have_text("Confirm your move or cancel it first.")
    page.locator("#cancel").click()  # this takes the twist back
    expect(targets(page, ".twist")).to_have_count(8)
    expect(page.locator("#confirm")).to_be_hidden()
    page.locator("#cancel").click()  # this takes the marble back
    expect(targets(page)).to_have_count(36)
    touch(page, "b0")
    expect(targets(page, ".twist")).to_have_count(8)
    touch(page, "4A")
    page.locator("#confirm").click()
    expect(moves(other)).to_have_text(["b0 4A"])
    expect(page.locator("#confirm")).to_be_hidden()
    expect(page.locator("#headline")).to_have_text("Bob to move")


@pytest.mark.slow
def test_a_move_to_be_confirmed_is_shown_before_the_answer(new_page: NewPage) -> None:
    page = new_page()
    wire = open_wired(page)
    choose_setting(page, "confirm")
    wire.holds = True
    touch(page, "a0")
    expect(place(page, "a0").locator(".ball.black")).to_have_count(1)
    wire.release()
    expect(targets(page, ".twist")).to_have_count(8)
    wire.holds = True
    drag(page, "mouse", 1, 80).up()
    assert page.evaluate(ANGLE, 1) == 90
    expect(page.locator("#confirm")).to_be_hidden()  # whether the turn is whole is not known yet
    wire.release()
    expect(page.locator("#confirm")).to_be_visible()
    wire.refuses = "The game cannot be saved: the disk is full."
    page.locator("#confirm").click()
    expect(page.locator("#message")).to_have_text("The game cannot be saved: the disk is full.")
    expect(place(page, "a2").locator(".ball.black")).to_have_count(1)
    wire.refuses = None
    page.locator("#confirm").click()
    expect(moves(page)).to_have_text(["a0 1C"])
    expect(page.locator("#confirm")).to_be_hidden()


@pytest.mark.slow
def test_a_premove_waits_to_be_confirmed(new_page: NewPage) -> None:
    page, other = waiting(new_page)
    choose_setting(other, "confirm")
    place(other, "a0").tap()
    expect(other.locator("#board .twist")).to_have_count(8)
    place(other, "1C").tap()
    play(page, "f5 4C")
    expect(other.locator("#confirm")).to_be_visible()
    expect(place(other, "a2").locator(".ball.white")).to_have_count(1)
    expect(moves(page)).to_have_count(1)
    other.locator("#confirm").tap()
    expect(moves(page)).to_have_text(["f5 4C", "a0 1C"])


# ── the loupe ──


CENTRE = """name => {
    const box = document.querySelector(`#board [data-target="${name}"] .touch`).getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2]; }"""


def open_small(new_page: NewPage) -> Page:
    page = new_page(**phone(390))
    open_room(page, game="pente", seats=["human", "human"], options={"rules": "gomoku", "size": 19})
    expect(targets(page)).to_have_count(361)
    return page


@pytest.mark.slow
def test_a_finger_aims_with_a_loupe(new_page: NewPage) -> None:
    page = open_small(new_page)
    finger, name = Finger(page, "touch"), page.locator(".loupe-name")
    finger.down(*page.evaluate(CENTRE, "L11"))
    expect(name).to_have_text("L11")
    finger.move(*page.evaluate(CENTRE, "M10"))
    expect(name).to_have_text("M10")
    lens = page.locator(".loupe").bounding_box()
    assert lens
    assert lens["y"] + lens["height"] < page.evaluate(CENTRE, "M10")[1]
    finger.move(195, 690)  # the finger leaves the board
    expect(page.locator(".loupe")).to_be_hidden()
    finger.move(*page.evaluate(CENTRE, "K9"))
    expect(name).to_have_text("K9")
    assert page.evaluate("scrollY") == 0
    finger.up()
    expect(page.locator(".loupe")).to_have_count(0)
    expect(moves(page)).to_have_text(["K9"])


@pytest.mark.slow
def test_lifting_off_the_board_and_a_second_finger_play_nothing(new_page: NewPage) -> None:
    page = open_small(new_page)
    finger = Finger(page, "touch")
    finger.down(*page.evaluate(CENTRE, "L11"))
    expect(page.locator(".loupe")).to_be_visible()
    finger.move(195, 690)
    finger.up()
    expect(page.locator(".loupe")).to_have_count(0)
    finger.down(*page.evaluate(CENTRE, "L11"))
    expect(page.locator(".loupe")).to_be_visible()
    finger.cancel()
    expect(page.locator(".loupe")).to_have_count(0)
    expect(moves(page)).to_have_count(0)
    tap(page, "L11")  # a short tap aims as before
    expect(page.get_by_role("button", name="Place at L11")).to_be_visible()


# Both events are made at once; the page is told of the second one when the loupe is open.
SHORT_TOUCH = """([x, y]) => {
    const at = {
        clientX: x, clientY: y, pointerType: "touch", pointerId: 9, isPrimary: true, bubbles: true, detail: 1 };
    const under = document.elementFromPoint(x, y);
    const [down, up] = [new PointerEvent("pointerdown", at), new PointerEvent("pointerup", at)];
    under.dispatchEvent(down);
    const isOpen = () => document.querySelector(".loupe");
    const end = (resolve) => {
        if (!isOpen()) return requestAnimationFrame(() => end(resolve));
        under.dispatchEvent(up);
        under.dispatchEvent(new MouseEvent("click", at));
        resolve();
    };
    return new Promise(end); }"""


def test_a_short_touch_is_a_tap_on_a_busy_page(new_page: NewPage) -> None:
    page = open_small(new_page)
    page.evaluate(SHORT_TOUCH, page.evaluate(CENTRE, "L11"))
    expect(page.get_by_role("button", name="Place at L11")).to_be_visible()
    expect(moves(page)).to_have_count(0)


@pytest.mark.slow
def test_a_piece_is_dragged_with_the_loupe(new_page: NewPage) -> None:
    page = new_page(**phone(390))
    open_room(page, game="pentagame", seats=["human", "human"])
    expect(targets(page).first).to_be_visible()
    finger = Finger(page, "touch")
    x, y = page.evaluate(CENTRE, "piece 0.3")
    to_x, to_y = page.evaluate(CENTRE, "[5,0,0]")
    finger.down(x, y)
    for i in range(1, 6):
        finger.move(x + (to_x - x) * i / 5, y + (to_y - y) * i / 5)
    expect(page.locator(".loupe")).to_be_visible()
    finger.up()
    expect(page.locator(".loupe")).to_have_count(0)
    expect(page.locator("#detail")).to_have_text("Put the black block on an empty field.")


@pytest.mark.slow
def test_a_mouse_and_large_spaces_have_no_loupe(new_page: NewPage) -> None:
    page = open_twist(new_page, "touch")
    page.locator("#cancel").tap()
    expect(targets(page)).to_have_count(36)
    finger = Finger(page, "touch")
    page.clock.install()
    finger.down(*page.evaluate(CENTRE, "c3"))
    page.clock.run_for(1000)
    expect(page.locator(".loupe")).to_have_count(0)
    finger.up()

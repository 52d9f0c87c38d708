"""Messages and offers on all screen sizes: no word is broken, and nothing covers a button."""

import pytest
from playwright.sync_api import Locator, Page, expect

import pentad
from pentad.system.words import uncapitalized
from tests.cases import slow
from tests.waiting import wait_until
from tests.web.browser_helpers import NewPage, join, moves, open_room, place, play, targets

pytestmark = pytest.mark.browser

SIZES = [(320, 640), slow((390, 844)), slow((568, 320)), slow((768, 1024)), slow((1280, 800))]
MORE_SIZES = [(480, 320), (575, 320), (576, 320), (667, 375), (844, 390)]
LONGEST = "W" * 30  # the longest name, without a space

# Words that are broken into several lines although they would fit into one.
BROKEN = """(element) => {
    const text = element.firstChild;
    const words = [...text.data.matchAll(/\\S+/g)];
    const area = element.closest(".status-area");
    const line = area.clientWidth - 2 * parseFloat(getComputedStyle(area).paddingLeft);
    const wide = Math.min(element.closest("main").clientWidth / 2, line);
    return words.filter((word) => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const boxes = [...range.getClientRects()];
        return new Set(boxes.map((box) => Math.round(box.top))).size > 1
            && boxes.reduce((sum, box) => sum + box.width, 0) < wide;
    }).map((word) => word[0]); }"""

# Whether an element is on top at its centre and near its corners.
FREE = """(element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [[0.5, 0.5], [0.1, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.8]].every(([x, y]) =>
        element.contains(document.elementFromPoint(left + x * width, top + y * height))); }"""


# The texts that are wider than their button.
OVERFLOWING = """(buttons) => buttons.filter((button) => {
    const [outer, range] = [button.getBoundingClientRect(), document.createRange()];
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        if (!texts.currentNode.data.trim() || texts.currentNode.parentElement.clientWidth === 1) continue; // hidden
        range.selectNodeContents(texts.currentNode);
        const inner = range.getBoundingClientRect();
        if (inner.left < outer.left || inner.right > outer.right) return true;
    }
    return false;
}).map((button) => button.innerText)"""


def two(new_page: NewPage, size: tuple[int, int]) -> tuple[Page, Page, str]:
    look = {"viewport": {"width": size[0], "height": size[1]}}
    one, other = new_page(**look), new_page(**look)
    address = open_room(one, seats=["human", "open"], name=LONGEST, time={"main": 36000})
    join(other, address, "M" * 30)
    play(one, "a0 4C")
    expect(moves(other)).to_have_count(1)
    return one, other, address


def expect_free(element: Locator) -> None:
    """Expects that nothing covers an element."""
    expect(element).to_be_visible()
    element.scroll_into_view_if_needed()
    wait_until(lambda: bool(element.evaluate(FREE)), "a free button")  # a new offer ignores the pointer for a moment
    element.click(trial=True)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_an_offer_can_be_answered_below_any_message(new_page: NewPage, size: tuple[int, int]) -> None:
    one, other, _ = two(new_page, size)
    for what in ("draw", "undo"):
        sender, receiver = (other, one) if what == "draw" else (one, other)
        sender.locator(f"#{what}").click()
        expect(receiver.locator("#offer")).to_be_visible()
        sender.locator("#chat-text").fill("x" * 300)
        sender.locator("#chat-text").press("Enter")
        expect(receiver.locator("#chat-messages li").last).to_contain_text("xxx")
        # As long as the longest chat message.
        receiver.locator("#message").evaluate("(line) => { line.textContent = 'x'.repeat(333); line.hidden = false; }")
        for name in ("#offer-yes", "#offer-no"):
            expect_free(receiver.locator(name))
        assert receiver.locator("#message").evaluate("line => line.getBoundingClientRect().top + scrollY >= 0")
        assert receiver.evaluate("document.documentElement.scrollWidth") <= size[0]
        receiver.locator("#offer-no").click()
        words = "declined the draw" if what == "draw" else "declined the takeback"
        expect(sender.locator("#message")).to_contain_text(words)
        expect(receiver.locator("#offer")).to_be_hidden()


# The visible things that a message overlaps.
COVERED = """(message) => {
    const box = message.getBoundingClientRect();
    return [...document.querySelectorAll(".seats li, .actions > *, #headline, #detail, #offer, .next > *")]
        .filter((each) => each.checkVisibility()).filter((each) => {
            const { left, top, right, bottom } = each.getBoundingClientRect();
            return left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1;
        }).map((each) => each.id || each.className || each.textContent); }"""
HINT = "Hint: White plays b2 and twists sub-board 1 anti-clockwise. It loses, like every other move."


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), slow((320, 568)), slow((844, 390)), slow((768, 1024))])
def test_a_message_has_a_place_of_its_own(new_page: NewPage, size: tuple[int, int]) -> None:
    one, other, _ = two(new_page, size)
    place(other, "a0").click(force=True)  # this space is taken already
    expect(other.locator("#message")).to_be_visible()
    other.locator("#message").evaluate("(line, text) => { line.textContent = text; }", HINT)
    assert other.locator("#message").evaluate(COVERED) == []
    one.locator("#draw").click()
    expect(other.locator("#offer")).to_be_visible()
    assert other.locator("#message").evaluate(COVERED) == []
    for name in ("#offer-yes", "#offer-no", "#resign", "#more-menu"):
        expect_free(other.locator(name))


# A turn of a piece and two blocks, one of which moves from field to field.
LONG_TURN = "3-8 831 7-8"
BEFORE_IT = (
    "pentagame players=3 0 20 ---,---,200,811,400/---,---,200,300,400/---,100,200,300,400 "
    "500,600,700,800,900 110,120,130,211,221 -/-/- -"
)


@pytest.mark.parametrize(
    "size", [(320, 568), (844, 390), slow((390, 844)), slow((1280, 600)), slow((1280, 800))], ids=str
)
def test_the_longest_hint_is_read_without_scrolling(new_page: NewPage, size: tuple[int, int]) -> None:
    here = pentad.load(BEFORE_IT)
    words = uncapitalized(here.instruction(here.parse(LONG_TURN)))
    assert len(words) > 230
    page = new_page(viewport={"width": size[0], "height": size[1]})
    open_room(page, game="pentagame", position=BEFORE_IT, seats=["human"] * 3)
    expect(targets(page).first).to_be_attached()
    message = page.locator("#message")
    message.evaluate("(line, text) => { line.textContent = text; line.hidden = false; }", f"Hint: {words}.")
    box = message.bounding_box()
    assert box
    assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]
    assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1]
    assert message.evaluate("line => line.scrollHeight <= line.clientHeight")
    assert message.evaluate(COVERED) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_the_result_is_shown_without_broken_words(new_page: NewPage, size: tuple[int, int]) -> None:
    one, other, _ = two(new_page, size)
    one.locator("#resign").click()
    one.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    for page, words in ((one, "You lose"), (other, "You win")):
        expect(page.locator("#headline")).to_have_text(words)
        for name in ("#again", "#review-link"):
            expect(page.locator(name)).to_be_visible()
        assert page.locator("#headline").evaluate(BROKEN) == []
    assert one.locator(".after-game button").evaluate_all(OVERFLOWING) == []
    one.locator("#again").click()
    expect(one.locator("#again")).to_be_hidden()
    for name in ("#offer-yes", "#offer-no"):
        expect_free(other.locator(name))
    other.locator("#offer-yes").click()
    expect(other.locator("#again")).to_be_hidden()
    expect(one.locator("#again")).to_have_text("Rematch accepted. Go to the game")
    expect(one.locator("#message")).to_have_text("The rematch has been accepted.")
    assert one.locator("#headline").evaluate(BROKEN) == []
    one.locator("#again").click()
    expect(one.locator("#again")).to_be_hidden()
    expect(one.locator("#message")).to_be_hidden()
    for page in (one, other):
        assert page.locator("#headline").evaluate(BROKEN) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_the_headline_has_no_broken_words_beside_a_button(new_page: NewPage, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    open_room(page, game="pentagame", seats=["human"] * 2)
    targets(page).first.click()
    expect(page.locator("#cancel")).to_be_visible()
    assert page.locator("#headline").evaluate(BROKEN) == []


@pytest.mark.slow
def test_a_lapsed_request_is_reported(new_page: NewPage) -> None:
    one, other, _ = two(new_page, (390, 844))
    one.locator("#undo").click()
    expect(other.locator("#offer")).to_be_visible()
    play(other, "f5 1A")
    expect(one.locator("#message")).to_contain_text("moved, so your takeback request has expired")
    expect(other.locator("#message")).to_be_hidden()


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seats", [["human", "human"], ["human", "open"], slow(["human", "random"])])
@pytest.mark.parametrize("size", [*SIZES, *map(slow, MORE_SIZES)])
def test_labels_fit_their_buttons(new_page: NewPage, size: tuple[int, int], seats: list[str]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    open_room(page, seats=seats, name="Ann")
    expect(page.locator("#undo-label")).to_have_text("Take back" if "open" in seats else "Undo")
    assert page.locator(".actions button:visible").evaluate_all(OVERFLOWING) == []


def test_moves_chat_and_actions_share_the_height_of_a_desktop(new_page: NewPage) -> None:
    one, other, _ = two(new_page, (1280, 800))
    for page, text in ((one, "Hello"), (other, "Good luck")):
        page.locator("#chat-text").fill(text)
        page.locator("#chat-text").press("Enter")
    expect(one.locator("#chat-messages li")).to_have_count(2)
    for name in ("#moves", ".actions", ".seats .below", "#chat-messages", "#chat-form"):
        place = one.locator(name).bounding_box()
        assert place
        assert place["y"] + place["height"] <= 800, name


def test_nobody_to_chat_with_means_no_chat(new_page: NewPage) -> None:
    page, other = new_page(), new_page()
    address = open_room(page, seats=["human", "open"], name="Ann")
    expect(page.locator("#share")).to_be_visible()
    expect(page.locator("#chat")).to_be_hidden()
    join(other, address, "Bob")
    expect(page.locator("#chat")).to_be_visible()

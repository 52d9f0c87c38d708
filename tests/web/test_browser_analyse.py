"""The Analysis page in a browser: navigation, moves, board editor, sharing, review."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import FilePayload, Page, expect

import pentad
from pentad.record import Record
from tests.cases import slow, slow_but
from tests.web.browser_helpers import BLANK, NewPage, accessible
from tests.web.server_thread import InThreads, serving

pytestmark = pytest.mark.browser

LATE = "pentago bwbwbw/.b..wb/wbwb../.wbw../bw.b../wbw..b"  # this board has 23 marbles
LINE = ["a2 1C", "b3 2A", "c1 3A", "d1 4C"]
# Black misses a win with a4 at move 9.
MISSED = ["a0 4C", "f0 4C", "a1 4C", "f1 4C", "a2 4C", "f2 4C", "a3 4C", "e0 4C", "d0 4C", "a4 4C"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(InThreads(), tmp_path_factory.mktemp("study")) as url:
        yield url


def link(game: str = "pentago", moves: list[str] | None = None) -> str:
    return f"/analyse?game={game}" + (f"&moves={quote('_'.join(moves))}" if moves else "")


def place(page: Page, name: str) -> Any:
    return page.locator(f"#board [data-target='{name}']")


def moves(page: Page) -> Any:
    return page.locator("#tree .move")


def current(page: Page) -> Any:
    return page.locator("#tree [aria-current]")


def play(page: Page, turn: str) -> None:
    for step in turn.split():
        page.locator(f"#board .can[data-target='{step}']").click()
    expect(current(page)).to_contain_text(turn)


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def paste(page: Page, text: str) -> None:
    page.locator("#open").click()
    page.locator("#paste").fill(text)
    page.locator("#open-form .main").click()


# ── positions and their addresses ────────────────────────────────────────────────────────────


def test_a_move_is_in_the_address_and_the_back_button_leaves_it(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/analyse")
    expect(page.locator("#headline")).to_have_text("Black to place a marble.")
    expect(page).to_have_title("Pentago · Analysis · pentad")
    play(page, "a2 1C")
    play(page, "b3 2A")
    assert query(page) == {"game": ["pentago"], "moves": ["a2 1C_b3 2A"]}
    page.go_back()
    expect(current(page)).to_contain_text("a2 1C")
    assert query(page)["moves"] == ["a2 1C"]
    expect(moves(page)).to_have_count(2)  # the tree keeps the move
    page.go_forward()
    expect(current(page)).to_contain_text("b3 2A")
    page.reload()
    expect(current(page)).to_contain_text("b3 2A")
    expect(moves(page)).to_have_count(2)
    other = new_page()
    other.goto(page.url)
    expect(moves(other)).to_have_text(["1. a2 1C", "2. b3 2A"])
    expect(other.locator("#headline")).to_have_text("Black to place a marble.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "touched", "headline"),
    [
        slow(link(moves=["a2 1C"]), ["b3"], "White to twist a sub-board."),
        (link("pentagame"), ["piece 0.0", "[8,0,0]"], "Circle to put the black block on an empty field."),
        slow(link("pente%20opening=swap2"), ["K10"], "The first player to place a black stone."),
    ],
)
def test_the_headline_says_what_to_do_in_the_middle_of_a_turn(
    new_page: NewPage, address: str, touched: list[str], headline: str
) -> None:
    page = new_page()
    page.goto(address)
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    before = page.locator("#headline").text_content() or ""
    for target in touched:
        place(page, target).click()
    expect(page.locator("#headline")).to_have_text(headline)
    page.locator("#cancel").click()
    expect(page.locator("#headline")).to_have_text(before)
    expect(page.locator("#cancel")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("game", slow_but(pentad.names(), "pentago"))
def test_every_game_is_played_from_a_position(new_page: NewPage, game: str) -> None:
    page = new_page()
    position = pentad.new(game).play(str(pentad.new(game).legal_moves[0]))
    page.goto(f"/analyse?start={quote(position.text)}")
    expect(page.locator("#headline")).to_contain_text(position.colour_of(position.turn).capitalize())
    for targets in [position.choices()[0].targets]:
        for target in targets:
            place(page, target).click()
    if game == "pentago":
        place(page, "1C").click()
    expect(moves(page)).to_have_count(1)
    assert query(page)["start"] == [position.text]


@pytest.mark.slow
def test_the_keyboard_steps_through_the_game_and_its_variations(new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(moves=LINE))
    expect(current(page)).to_contain_text("d1 4C")
    page.keyboard.press("ArrowLeft")
    expect(current(page)).to_contain_text("c1 3A")
    page.keyboard.press("ArrowLeft")
    play(page, "f5 1A")
    expect(page.locator("#tree .variation .move")).to_have_text(["3. f5 1A"])
    page.locator("#headline").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowUp")
    expect(current(page)).to_contain_text("c1 3A")
    page.keyboard.press("ArrowDown")
    expect(current(page)).to_contain_text("f5 1A")
    page.keyboard.press("Home")
    expect(current(page)).to_have_count(0)
    expect(page.locator("#back")).to_be_disabled()
    page.keyboard.press("End")
    expect(current(page)).to_contain_text("d1 4C")


@pytest.mark.slow
def test_variations_are_promoted_deleted_and_restored(new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(moves=LINE[:2]))
    page.locator("#back").click()
    play(page, "f5 1A")
    expect(page.locator("#promote")).to_be_enabled()
    page.locator("#promote").click()
    expect(page.locator("#promote")).to_be_disabled()
    expect(page.locator("#tree > .move")).to_have_text(["1. a2 1C", "2. f5 1A"])
    page.locator("#delete").click()
    expect(moves(page)).to_have_text(["1. a2 1C", "2. b3 2A"])
    expect(current(page)).to_contain_text("a2 1C")
    page.go_back()
    expect(current(page)).to_contain_text("f5 1A")


@pytest.mark.slow
def test_a_deleted_move_is_restored_with_all_that_follows(new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(moves=LINE))
    expect(current(page)).to_contain_text("d1 4C")
    page.locator("#comment").fill("the end")
    page.locator("#headline").click()
    every = moves(page).all_text_contents()
    page.locator("#back").click()
    expect(current(page)).to_contain_text("c1 3A")
    page.locator("#delete").click()
    expect(moves(page)).to_have_count(len(every) - 2)
    page.go_back()
    expect(moves(page)).to_have_text(every)
    expect(current(page)).to_contain_text("c1 3A")
    expect(page.locator("#tree .remark")).to_have_text("the end")
    page.go_forward()
    expect(current(page)).to_contain_text("b3 2A")


@pytest.mark.slow
def test_comments_are_stored_and_written_into_the_record(new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(moves=LINE[:1]))
    page.locator("#comment").fill("<b>a corner</b> {that} turns")
    page.locator("#headline").click()
    expect(page.locator("#tree .remark")).to_have_text("<b>a corner</b> {that} turns")
    page.reload()
    expect(page.locator("#comment")).to_have_value("<b>a corner</b> {that} turns")
    record = Record.read(download(page, "pentad", "pentago.pentad").read_text())
    assert record.end.comment == "<b>a corner</b> {that} turns"


def download(page: Page, format: str, name: str) -> Path:
    page.locator("#share").click()
    page.locator("#format").select_option(format)
    with page.expect_download() as coming:
        page.locator("#share-form .main").click()
    assert coming.value.suggested_filename == name
    expect(page.locator("#share-note")).to_contain_text("Downloaded")
    page.locator("#share-cancel").click()
    return coming.value.path()


@pytest.mark.slow
def test_a_new_game_has_the_options_that_are_chosen(new_page: NewPage) -> None:
    page = new_page()
    page.goto(link())
    page.locator("#open").click()
    page.locator("#open-game").select_option("pente")
    page.locator("#open-more summary").click()
    page.locator("#open-options [name=rules]").select_option("keryo")
    page.locator("#open-options [name=size]").fill("2")
    page.locator("#open-new").click()
    expect(page.locator("#open-dialog")).to_be_visible()  # the size is not valid
    page.locator("#open-options [name=size]").fill("13")
    page.locator("#open-new").click()
    expect(page.locator("#open-dialog")).to_be_hidden()
    assert query(page) == {"game": ["pente rules=keryo size=13"]}
    expect(page).to_have_title("Pente · Analysis · pentad")


@pytest.mark.slow
def test_pictures_and_other_formats_are_downloaded(new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(moves=LINE))
    expect(current(page)).to_contain_text("d1 4C")
    assert download(page, "svg", "pentago.svg").read_text().startswith("<svg")
    png = download(page, "png", "pentago.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert len(png) > 10_000
    assert len(json.loads(download(page, "json", "pentago.json").read_text())["games"][0]["moves"]) == 4
    page.locator("#share").click()
    expect(page.locator("#link")).to_have_value(page.url)
    expect(page.locator("#position")).to_have_value(re.compile("^pentago "))


# ── opening games ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_result_that_a_text_only_states_has_no_reason(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/analyse")
    expect(page.locator("#open")).to_be_visible()
    paste(page, '[Game "pentago"]\n[Result "1-0"]\na2 1C')
    expect(page.locator("#about")).to_have_text("Black wins.")


@pytest.mark.slow
def test_games_are_pasted_and_invalid_text_gets_an_error(new_page: NewPage) -> None:
    page = new_page(expected=("422",))
    page.goto("/analyse")
    expect(page.locator("#open")).to_be_visible()
    paste(page, "a2 1C\nnonsense")
    expect(page.locator("#open-error")).to_contain_text("line 2, column 1: 'nonsense' does not begin a legal move")
    page.locator("#paste").fill('[Game "pente"]\n[Seat0 "Ann"]\nK10 {the centre} K11 (L11 {or here} N11) N10')
    page.locator("#open-form .main").click()
    expect(page.locator("#open-dialog")).to_be_hidden()
    expect(moves(page)).to_have_text(["1. K10", "2. K11", "2. L11", "3. N11", "3. N10"])
    expect(page.locator("#about")).to_contain_text("White: Ann")
    expect(page.locator("#tree .remark").first).to_have_text("the centre")
    page.go_back()  # this shows the previous game
    expect(page.locator("#headline")).to_have_text("Black to place a marble.")
    page.go_forward()
    expect(moves(page)).to_have_count(5)


@pytest.mark.slow
def test_each_of_several_games_in_a_text_can_be_chosen(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/analyse")
    one = '[Game "pentago"]\n[Result "*"]\n\n1. {} *\n\n'
    paste(page, one.format("a2 1C") + one.format("b3 2A"))
    expect(moves(page)).to_have_text(["1. a2 1C"])
    page.locator("#game-number").select_option("2")
    expect(moves(page)).to_have_text(["1. b3 2A"])
    expect(page.locator("#game-number")).to_have_value("2")
    page.reload()
    expect(page.locator("#game-number")).to_have_value("2")
    paste(page, "pentago f5 1A")
    expect(moves(page)).to_have_text(["1. f5 1A"])
    expect(page.locator("#game-number-row")).to_be_hidden()


def test_a_file_of_five_thousand_games_is_opened(new_page: NewPage) -> None:
    page = new_page(expected=("422",))
    page.goto("/analyse?game=pente")
    page.locator("#open").click()
    text = "1. K10 L11 *\n" * 5041 + "1. K10 K10 *\n"
    page.locator("#file").set_input_files(FilePayload(name="games.txt", mimeType="text/plain", buffer=text.encode()))
    expect(moves(page)).to_have_text(["1. K10", "2. L11"])
    expect(page.locator("#game-number option")).to_have_count(5042)
    page.locator("#game-number").select_option("5,041 of 5,042")
    expect(moves(page)).to_have_text(["1. K10", "2. L11"])
    page.locator("#game-number").select_option("5,042 of 5,042")
    expect(page.locator("#message")).to_contain_text("line 5042, column 8")
    expect(page.locator("#game-number")).to_have_value("5041")


@pytest.mark.slow
def test_files_are_chosen_or_dropped(new_page: NewPage, tmp_path: Path) -> None:
    page = new_page(expected=("422",))
    page.goto("/analyse")
    page.locator("#open").click()
    page.locator("#file").set_input_files(FilePayload(name="x.txt", mimeType="text/plain", buffer=b"\0\1\2"))
    expect(page.locator("#open-error")).to_have_text("Expected text, got binary data.")
    page.locator("#file").set_input_files(
        FilePayload(name="big.txt", mimeType="text/plain", buffer=b"x" * (4 << 20) + b"x")
    )
    expect(page.locator("#open-error")).to_contain_text("larger than 4 MB")
    page.locator("#file").set_input_files(FilePayload(name="game.pentad", mimeType="", buffer=b"pentago a2 1C"))
    expect(moves(page)).to_have_count(1)
    drop = """text => { const data = new DataTransfer(); data.items.add(new File([text], "game.txt"));
        document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true})); }"""
    page.evaluate(drop, "pente K10 K11")
    expect(moves(page)).to_have_text(["1. K10", "2. K11"])
    page.evaluate(drop, "rubbish")
    expect(page.locator("#message")).to_contain_text("does not begin a legal move")
    expect(moves(page)).to_have_count(2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "shown", "line"),
    [
        (link(moves=["a2 1C", "a9 1C", "b3 2A"]), 1, "Move 2 ('a9 1C') is not legal: There is no space a9"),
        slow(link("pente", ["K10", "L10", "L10"]), 2, "Move 3 ('L10') is not legal: L10 is occupied by a black stone"),
        slow(link("pente", ["K10."]), 0, "Move 1 ('K10.') is not legal: 'K10.' is not a point"),
        slow(link("pente%20size=13", ["G7", "%FF"]), 1, "Move 2 ('%FF') is not legal"),
        slow("/analyse?game=pentago&moves=a2%FF1C", 0, "Move 1 ('a2\ufffd1C') is not legal"),
    ],
)
def test_a_link_is_opened_up_to_its_first_illegal_move(new_page: NewPage, address: str, shown: int, line: str) -> None:
    page = new_page()
    page.goto(address)
    expect(page.locator("#message")).to_contain_text(line)
    expect(moves(page)).to_have_count(shown)
    game = query(page)["game"][0]
    expect(page).to_have_title(f"{game.split()[0].capitalize()} · Analysis · pentad")
    assert len(query(page).get("moves", [""])[0].split("_")) == max(shown, 1)
    if shown:
        expect(page.locator("#message")).to_contain_text("The moves before it are shown.")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("/analyse?game=chess&moves=e4", "Unknown game 'chess'. The games are: pentago, pente, pentagame."),
        slow("/analyse?start=pentago%20b./w", "The board has 6 rows, but its text has 2."),
        slow("/analyse?start=pente%20size=99", "Option size"),
        slow("/analyse?start=", "The position is empty or not text."),
        slow("/analyse?start=%FF%FE", "Unknown game"),
        slow("/analyse?moves=a2%201C", "This link has moves but no game."),
        slow("/analyse?start=pentago%20" + "b" * 5000, 'Expected at most 4,000 characters in "start"'),
        slow("/analyse?game=pentago&moves=" + "a" * 500, 'Expected at most 400 characters in "moves.0"'),
        ("/analyse?room=nowhere", "This game does not exist on this server."),
    ],
)
def test_an_invalid_link_opens_no_game(new_page: NewPage, address: str, line: str) -> None:
    page = new_page(expected=("422", "404"))
    page.goto(address)
    expect(page.locator("#headline")).to_have_text("This link cannot be opened")
    expect(page.locator("#detail")).to_contain_text(re.compile(re.escape(line), re.IGNORECASE))
    expect(page.locator("#board")).to_be_hidden()
    expect(page.locator(".move-navigation")).to_be_hidden()
    paste(page, "pente K10")
    expect(page.locator("#board")).to_be_visible()
    expect(moves(page)).to_have_text(["1. K10"])


@pytest.mark.slow
def test_the_game_of_a_room_is_opened_by_its_name(new_page: NewPage) -> None:
    page = new_page()
    page.goto(BLANK)
    made = page.evaluate(
        """request => fetch("/api/rooms", {method: "POST", headers: {"Content-Type": "application/json"},
        body: JSON.stringify(request)}).then(response => response.json())""",
        {"game": "pente", "seats": ["human", "human"], "options": {"rules": "keryo"}},
    )
    page.goto(f"/analyse?room={made['room']}")
    expect(page.locator("#headline")).to_have_text("White to place a stone.")
    assert query(page) == {"game": ["pente rules=keryo"]}


@pytest.mark.slow
def test_a_position_is_set_up_by_hand(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/analyse")
    expect(page.locator("#headline")).to_have_text("Black to place a marble.")
    page.locator("#set-up").click()
    page.locator("#set-pieces input[value=white]").check()
    page.locator("#set-board [data-target=c1]").click()
    expect(page.locator("#set-status")).to_contain_text("Incomplete: The players move in turn")
    expect(page.locator("#set-done")).to_be_disabled()
    page.locator("#set-pieces input[value=black]").check()
    page.locator("#set-board [data-target=f5]").click()
    expect(page.locator("#set-status")).to_have_text("Black to place a marble.")
    page.locator("#set-done").click()
    expect(page).to_have_url(re.compile("start="))
    assert query(page) == {"start": ["pentago ....../....../.w..../....../....../.....b"]}
    page.locator("#set-up").click()
    page.locator("#set-game").select_option("pentagame")
    page.locator("#set-piece").select_option("0.0")
    page.locator("#set-off").click()
    expect(page.locator("#set-piece option[value='0.0']")).to_contain_text("off the board")
    page.locator("#set-turn").select_option("1")
    expect(page.locator("#set-status")).to_contain_text("Square")
    page.locator("#set-done").click()
    expect(page.locator("#headline")).to_contain_text("Square")


# ── engines ─────────────────────────────────────────────────────────────────────────


def test_exact_values_are_painted_and_a_line_is_played(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"/analyse?start={quote(LATE)}")
    expect(page.locator("#engine-on")).to_be_checked()
    expect(page.locator("#values-note")).to_have_text("Exact value: a draw. 9 of 104 moves draw, the other 95 lose.")
    expect(page.locator("#lines .claim")).to_have_text(["Draw"] * 3)
    expect(page.locator("#legend")).to_be_visible()
    expect(page.locator(".gauge")).to_have_attribute("aria-label", "Black 0.00, exact")
    painted = page.locator("#board .painted .paint")
    expect(painted).to_have_count(13)  # one per empty space
    assert page.locator("#board .painted .draw").count() + page.locator("#board .painted .loss").count() == 13
    place(page, "b0").click()
    expect(painted).to_have_count(8)  # there is one per twist
    expect(place(page, "2C")).to_have_attribute("aria-description", re.compile("draw|loss"))
    page.keyboard.press("Escape")
    expect(painted).to_have_count(13)
    first = page.locator("#lines li").first.locator(".move").nth(1)
    first.click()
    expect(moves(page)).to_have_count(2)
    page.go_back()
    expect(current(page)).to_have_count(0)
    page.locator("#engine-on").uncheck()
    expect(page.locator("#engine-body")).to_be_hidden()
    expect(painted).to_have_count(0)
    page.reload()
    expect(page.locator("#graph [aria-valuenow], #graph[aria-valuenow]")).to_have_attribute("aria-valuenow", "0")


@pytest.mark.slow
def test_the_end_of_a_game_needs_no_engine(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/analyse?start=" + quote("pentago bbbb../....../wwww../....../....../......"))
    expect(page.locator("#engine-on")).to_be_checked()
    place(page, "a4").click()
    expect(page.locator("#headline")).to_have_text("Black wins with five in a row.")
    expect(page.locator("#engine-note")).to_have_text("The game is over.")


def test_a_review_marks_moves_to_try_again(new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(moves=MISSED))
    expect(current(page)).to_contain_text("a4 4C")
    page.locator("#review").click()
    expect(page.locator("#review-note")).to_contain_text("blunder")
    expect(page.locator("#accuracies tbody tr")).to_have_count(2)
    black = page.locator("#accuracies tbody tr").filter(has_text="Black").locator("td")
    expect(black.first).to_have_text(re.compile(r"^[0-9]{1,2}%$"))
    assert int(black.nth(3).inner_text()) >= 1
    written = Record.read(download(page, "pentad", "pentago.pentad").read_text())
    (missed,) = [node for node in written.main_line if str(node.move) == "d0 4C"]
    assert missed.mark == "??"
    assert missed.comment.startswith("Blunder. Black missed an immediate win.")
    assert [node for node in written.main_line if node.value and node.value.exact]
    item = page.locator("#review-list li").filter(has_text="9. d0 4C??")
    expect(item).to_contain_text("Black missed an immediate win.")
    expect(item).to_contain_text("Better: Black plays a4")
    expect(page.locator("#tree .marked.blunder").filter(has_text="d0 4C??")).to_have_count(1)
    expect(page.locator("#graph .blunder")).not_to_have_count(0)
    page.locator("#graph").focus()
    expect(page.locator("#graph")).to_have_attribute("aria-valuetext", re.compile("After move 10: black"))
    page.keyboard.press("ArrowLeft")
    expect(current(page)).to_contain_text("d0 4C")
    assert page.locator("#graph-table tbody tr").count() == 11
    item.get_by_role("button", name="Show").click()
    expect(current(page)).to_contain_text("e0 4C")
    expect(place(page, "a4")).to_have_class(re.compile("hinted"))  # the better move is drawn
    accessible(page)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        card, table = page.locator("#graph").bounding_box(), page.locator("#accuracies").bounding_box()
        assert card
        assert table
        assert table["x"] + table["width"] <= card["x"] + card["width"] + 1
    item.get_by_role("button", name="Play the better line").click()
    expect(current(page)).to_contain_text("a4")
    expect(page.locator("#headline")).to_contain_text("Black wins")
    page.reload()  # the marks and accuracies are stored with the game
    expect(page.locator("#tree .marked.blunder").filter(has_text="d0 4C??")).to_have_count(1)
    expect(page.locator("#accuracies tbody tr")).to_have_count(2)
    item.get_by_role("button", name="Try again from here").click()
    page.wait_for_url("**/play/*")
    expect(page.locator("#headline")).to_contain_text("Your turn")


# ── accessibility ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [slow(568, 320), slow(667, 375), (844, 390)])
@pytest.mark.parametrize("game", slow_but(pentad.names(), "pentagame"))
def test_on_a_phone_in_landscape_the_controls_are_beside_the_board(
    new_page: NewPage, width: int, height: int, game: str
) -> None:
    page = new_page(viewport={"width": width, "height": height}, has_touch=True)
    page.goto(link(game))
    expect(page.locator("#board svg [data-target]").first).to_be_attached()
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    board = page.locator("#board svg").bounding_box()
    assert board
    assert board["x"] >= 0
    assert board["y"] + board["height"] <= height
    assert min(board["height"], board["width"]) > 0.75 * height
    for control in ("#headline", "#back", "#forward", "#flip", "#engine-on"):
        box = page.locator(control).bounding_box()
        assert box
        assert box["x"] >= board["x"] + board["width"], control
        assert box["x"] + box["width"] <= width, control
        assert box["y"] + box["height"] <= height, control
    page.locator("#set-up").click()
    expect(page.locator("#set-board svg")).to_be_visible()
    board, tools = page.locator("#set-board svg").bounding_box(), page.locator("#set-pieces").bounding_box()
    assert board
    assert tools
    assert board["y"] + board["height"] <= height
    assert tools["x"] >= board["x"] + board["width"]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(320, 640), slow(1280, 800), slow(3840, 2160)])
def test_nothing_is_wider_than_the_screen(new_page: NewPage, width: int, height: int) -> None:
    page = new_page(viewport={"width": width, "height": height})
    page.goto(link(moves=LINE))
    expect(current(page)).to_contain_text("d1 4C")
    expect(page.locator("#engine-on")).to_be_checked()
    expect(page.locator("#lines li").first).to_be_visible()
    too_wide = """() => [...document.querySelectorAll("main *")]
        .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
        .map(each => each.outerHTML.slice(0, 80))"""
    assert page.evaluate(too_wide) == []
    for opens in ("#open", "#set-up", "#share"):
        page.locator(opens).click()
        box = page.locator("dialog[open]").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        page.keyboard.press("Escape")


@pytest.mark.slow
def test_pentagame_is_read_and_shown_in_letters(new_page: NewPage) -> None:
    """Moves of a link, of the board, and of an engine's lines; the link keeps the denomination."""
    page = new_page()
    page.goto(link("pentagame", ["[0,3,5,0,0] [0,11,5,2,2]", "W>GxcG"]))
    expect(moves(page)).to_have_text([re.compile(r"1\.\s*R>w b:w2Y"), re.compile(r"2\.\s*W>GxcG")])
    place(page, "piece 0.2").click()
    place(page, "[2,1,1]").click()
    expect(current(page)).to_contain_text("Y>Y1G")
    assert "[0,2,2,1,1]" in query(page)["moves"][0]
    expect(page.locator("#engine-on")).to_be_checked()
    line = page.locator("#lines .move").first
    expect(line).to_have_text(re.compile(r"^[WGYRB]>"))
    text = str(line.text_content())
    line.click()
    expect(current(page)).to_contain_text(text)

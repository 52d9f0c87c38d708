"""The Play page in a browser: mouse, keyboard and touch; light and dark; lost connections."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.cases import slow, slow_but
from tests.web.browser_helpers import QUIET as QUIET
from tests.web.browser_helpers import NewPage, act, moves, open_room, place, play, targets, without_rules
from tests.web.server_process import Server

pytestmark = pytest.mark.browser

ENDED = "#again:visible"


def open_hot_seat(page: Page, game: str = "pentago", **options: Any) -> str:
    """Makes a game of people at one screen; returns its address."""
    return open_room(page, game=game, seats=["human"] * options.get("players", 2), options=options)


# ── whole games ──────────────────────────────────────────────────────────────────────────────────


def test_a_new_user_plays_a_game_to_the_end(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_role("link", name="Play Pentago", exact=True).click()
    expect(page.locator("#headline")).to_have_text("Your turn")
    expect(page.locator("#guide")).to_contain_text("Get 5 in a row to win")
    expect(page.locator("#seats")).to_contain_text("BlackYou")
    expect(page.locator("#seats")).to_contain_text("WhiteComputer (medium)")
    play_again = page.locator("#again")
    for turn in range(18):
        targets(page, ".space").first.click()
        expect(page.locator(f"{ENDED}, .twist.can").first).to_be_visible()  # a winning placement ends the turn
        if play_again.is_hidden():
            targets(page, ".twist").first.click()
        expect(page.locator(f"{ENDED}, #moves li:nth-child({2 * turn + 2})").first).to_be_visible()
        if play_again.is_visible():
            break
    expect(play_again).to_be_visible()
    # A computer has a time for its turn, so on a busy machine it may overlook a row.
    expect(page.locator("#headline")).to_have_text(re.compile("^You (win|lose)$"))
    winner = "Black" if page.locator("#headline").inner_text() == "You win" else "White"
    expect(page.locator("#detail")).to_have_text(f"{winner} wins with five in a row.")
    assert page.locator("#board .won").count() >= 5
    assert targets(page).count() == 0
    play_again.click()
    expect(page.locator("#headline")).to_have_text("Your turn")
    expect(page.locator("#seats")).to_contain_text("WhiteYou")
    expect(moves(page)).to_have_count(1)


def test_a_game_is_played_by_touch_on_a_small_phone(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True, device_scale_factor=2)
    page.goto("/play")
    place(page, "e4").and_(targets(page)).tap()
    expect(targets(page, ".twist")).to_have_count(8)
    sizes = """kind => [...document.querySelectorAll(kind)].map(each => each.getBoundingClientRect())
        .map(box => Math.min(box.width, box.height)).filter(Boolean).sort((a, b) => a - b)[0]"""
    for kind in (".twist .touch", ".space .touch", "button"):
        assert page.evaluate(sizes, kind) >= 44, kind
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    place(page, "3A").tap()
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("e4 3A")
    page.locator("#more-menu summary").tap()
    for kind in ("#more-menu button", "summary"):
        assert page.evaluate(sizes, kind) >= 44, kind
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.locator("#new").tap()
    page.locator("#more summary").tap()
    assert page.evaluate("document.getElementById('new-dialog').scrollWidth") <= 320


# ── actions during a game ───────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_partial_move_is_cancelled(new_page: NewPage) -> None:
    page = new_page()
    open_hot_seat(page)
    place(page, "a2").click()
    expect(place(page, "a2")).to_have_attribute("aria-label", "a2, black, played last")
    page.keyboard.press("Escape")
    expect(place(page, "a2")).to_have_attribute("aria-label", "a2, empty")
    place(page, "b3").click()
    page.locator("#cancel").click()
    expect(place(page, "b3")).to_have_attribute("aria-label", "b3, empty")
    play(page, "c1 2C")


@pytest.mark.slow
def test_moves_are_taken_back_and_played_again(new_page: NewPage) -> None:
    page = new_page()
    open_hot_seat(page)
    play(page, "a2 1C", "b3 2A")
    page.locator("#undo").click()
    expect(moves(page)).to_have_count(1)
    expect(page.locator("#announcer")).to_contain_text("Move taken back. White")
    act(page, "redo")
    expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])
    expect(page.locator("#redo")).to_be_disabled()


def test_a_hint_shows_the_whole_turn_and_then_each_step(new_page: NewPage) -> None:
    page = new_page()
    open_hot_seat(page)
    play(page, "a2 1C")
    last = page.locator("#board .turned")
    expect(last).to_have_css("opacity", "1")
    page.locator("#hint").click()
    expect(page.locator("#message")).to_contain_text("Hint: place at")
    expect(page.locator("#board .layer.hint .twist .arrow")).to_be_visible()  # the marble is not placed yet
    expect(last).to_have_css("opacity", "0.3")
    page.locator("#board .hinted.space").click()
    expect(page.locator("#board .layer.hint")).to_have_count(0)
    page.locator("#board .hinted.twist").click()
    expect(moves(page)).to_have_count(2)
    expect(page.locator("#message")).to_be_hidden()


@pytest.mark.slow
def test_the_board_is_flipped_for_one_person_only(new_page: NewPage) -> None:
    page, other = new_page(), new_page()
    other.goto(open_hot_seat(page))
    above = """() => document.querySelector("[data-target=a0]").getBoundingClientRect().top
        < document.querySelector("[data-target=f0]").getBoundingClientRect().top"""
    expect(place(other, "a0")).to_be_visible()
    act(page, "flip")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    play(page, "a0 1C")
    assert not page.evaluate(above)
    expect(moves(other)).to_have_count(1)
    assert other.evaluate(above)
    expect(other.locator("#detail")).to_have_text("You are watching.")
    assert targets(other).count() == 0


DELAYED_MESSAGES = """{
    const listen = WebSocket.prototype.addEventListener;
    const later = new Promise((go) => (window.deliver = go));
    WebSocket.prototype.addEventListener = function (type, receive) {
        listen.call(this, type, type === "message" ? (event) => later.then(() => receive(event)) : receive);
    };
}"""


@pytest.mark.slow
def test_a_touch_before_the_first_message_is_not_lost(new_page: NewPage) -> None:
    page = new_page()
    address = open_room(page, seats=["human", "human"])
    page.add_init_script(DELAYED_MESSAGES)
    page.goto(address)
    place(page, "c3").click()
    expect(place(page, "c3")).to_have_class(re.compile("planned"))
    page.evaluate("deliver()")
    expect(page.locator("#detail")).to_have_text("Twist a sub-board.")
    watcher = new_page()
    watcher.add_init_script(DELAYED_MESSAGES)
    watcher.goto(address)
    place(watcher, "d4").click()
    watcher.evaluate("deliver()")
    expect(watcher.locator("#detail")).to_have_text("You are watching.")
    expect(watcher.locator("#board .planned")).to_have_count(0)


@pytest.mark.slow
def test_resigning_needs_confirmation(new_page: NewPage) -> None:
    page = new_page()
    open_hot_seat(page)
    page.locator("#resign").click()
    page.get_by_role("button", name="Keep playing").click()
    expect(page.locator("#headline")).to_have_text("Black to move")
    page.locator("#resign").click()
    page.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#headline")).to_have_text("White wins")
    expect(page.locator("#detail")).to_have_text("Black resigned.")


@pytest.mark.slow
def test_invalid_options_are_refused_in_the_form(new_page: NewPage) -> None:
    page = new_page(expected=("422",))
    page.goto("/play")
    act(page, "new")
    page.locator("#more summary").click()
    page.locator("[name=line]").fill("7")
    page.locator("#new-form .main").click()
    expect(page.locator("#new-error")).to_have_text("No line of 7 fits on a board of 6 × 6.")
    page.locator("[name=line]").fill("4")
    page.locator("[name=players]").fill("4")
    page.locator("[name=players]").blur()
    expect(page.locator("#seat-rows select")).to_have_count(4)
    page.locator("#new-form .main").click()
    expect(page.locator("#guide")).to_contain_text("Get 4 in a row")
    expect(page.locator("#seats li")).to_have_count(4)


@pytest.mark.slow
def test_a_twist_is_animated_once(new_page: NewPage) -> None:
    page = new_page(reduced_motion="no-preference")
    open_hot_seat(page)
    page.evaluate("""() => { const html = document.documentElement; html.dataset.seen = "";
        document.addEventListener("animationend", event => {
            if (event.animationName === "turn") html.dataset.seen += event.target.dataset.piece + ". "; }); }""")
    seen = page.locator("html")
    play(page, "a2 3C")
    expect(seen).to_have_attribute("data-seen", "sub-board 3. ")
    expect(page.locator("#board.fresh")).to_have_count(0)
    page.locator("#undo").click()
    expect(moves(page)).to_have_count(0)
    play(page, "b3 2A")
    expect(seen).to_have_attribute("data-seen", "sub-board 3. sub-board 2. ")


# ── where pieces stand close together ────────────────────────────────────────────────────────────


def touch(page: Page, *names: str) -> None:
    for name in names:
        place(page, name).and_(targets(page)).click()


@pytest.mark.slow
def test_pieces_move_and_swap_by_touch(new_page: NewPage) -> None:
    page = new_page()
    open_hot_seat(page, "pentagame")
    expect(targets(page)).to_have_count(5)
    touch(page, "piece 0.3")
    expect(targets(page, ".field")).to_have_count(18 + 2)  # the stops that it reaches, and two junctions
    touch(page, "[5,0,0]")
    expect(page.locator("#detail")).to_have_text("Put the black block on an empty field.")
    expect(place(page, "piece 0.3")).to_have_attribute(
        "aria-label", "circle's red piece on the white junction, moved last"
    )
    assert page.locator("#board .way").count() == 1
    touch(page, "[5,2,2]")
    expect(moves(page)).to_have_text(["R>w b:w2Y"])
    expect(page.locator("#headline")).to_have_text("Square to move")
    touch(page, "piece 1.4", "piece 0.0")  # one of the two on a corner
    expect(moves(page).last).to_have_text("B>WxcW")
    touch(page, "piece 0.2", "piece 0.1")  # the same as from the other
    expect(moves(page).last).to_have_text("G>YxY")
    touch(page, "piece 1.4")
    page.keyboard.press("Escape")
    expect(targets(page)).to_have_count(5)
    page.locator("#undo").click()
    expect(moves(page)).to_have_count(2)


@pytest.mark.slow
@pytest.mark.parametrize("players", slow_but([2, 5], 5))
def test_arrow_keys_reach_every_piece_and_field(new_page: NewPage, players: int) -> None:
    page = new_page()
    open_hot_seat(page, "pentagame", players=players)
    expect(targets(page)).to_have_count(5)
    leads = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll("#board [data-target]")].map(
        element => [element.dataset.target, ["Left", "Right", "Up", "Down"].map(way => {
            element.focus();
            element.dispatchEvent(new KeyboardEvent("keydown", {key: `Arrow${way}`, bubbles: true}));
            return document.activeElement.dataset.target; })]))""")
    found, todo = {"piece 0.0"}, ["piece 0.0"]
    while todo:
        more = set(leads[todo.pop()]) - found
        found |= more
        todo += more
    assert found == leads.keys()
    assert len(found) == 100 + 5 * players


@pytest.mark.slow
def test_the_pentagram_is_played_by_touch_on_a_small_phone(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True, device_scale_factor=2)
    open_hot_seat(page, "pentagame", players=3)
    place(page, "piece 0.2").and_(targets(page)).tap()
    place(page, "[5,4,2]").and_(targets(page)).tap()
    expect(moves(page)).to_have_text(["Y>w4Y"])
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    missed = page.evaluate("""() => [...document.querySelectorAll("#board [data-target]")].filter(element => {
        const box = element.querySelector(".touch").getBoundingClientRect();
        const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return hit?.closest("[data-target]") !== element; }).map(element => element.ariaLabel)""")
    assert all("'s" in words for words in missed)  # fields with pieces; the pieces are targets themselves


@pytest.mark.slow
def test_five_different_colours_are_chosen(new_page: NewPage) -> None:
    page = new_page()
    open_hot_seat(page, "pentagame")
    act(page, "new")
    page.locator("#more summary").click()
    chosen = [page.locator(f"[name=colours{i}]") for i in range(5)]
    chosen[3].select_option("navy")
    chosen[0].select_option("blue")  # this colour swaps with white
    assert [each.input_value() for each in chosen] == ["blue", "green", "yellow", "navy", "white"]
    page.locator("#new-form .main").click()
    expect(place(page, "piece 0.3")).to_have_attribute("aria-label", "circle's navy piece on the navy corner")
    act(page, "new")
    assert [each.input_value() for each in chosen] == ["blue", "green", "yellow", "navy", "white"]


@pytest.mark.slow
def test_a_new_game_has_the_settings_of_a_game_that_was_still_loading(new_page: NewPage) -> None:
    page = new_page()
    held: list[tuple[WebSocketRoute, str | bytes]] = []

    def hold(socket: WebSocketRoute) -> None:
        socket.connect_to_server().on_message(lambda message: held.append((socket, message)))

    page.route_web_socket("**/api/rooms/*", hold)
    open_hot_seat(page, "pentagame", players=3)
    while not held:
        page.wait_for_timeout(10)
    page.locator("#more-menu summary").click()
    page.locator("#new").click()
    page.evaluate("new Promise(requestAnimationFrame)")  # time for a form that does not wait for the game
    for socket, message in held:
        socket.send(message)
    expect(page.locator("#new-dialog")).to_be_visible()
    expect(page.locator("[name=game-choice]:checked")).to_have_value("pentagame")
    page.locator("#more summary").click()
    expect(page.locator("#players-row [name=players]")).to_have_value("3")


# ── when things fail ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_reload_returns_to_the_game(new_page: NewPage) -> None:
    page = new_page()
    open_hot_seat(page)
    play(page, "a2 1C", "b3 2A")
    page.reload()
    expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])
    play(page, "c3 4C")


@pytest.mark.slow
def test_after_a_reconnect_the_partial_move_is_still_there(new_page: NewPage) -> None:
    page = new_page()
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile("/api/rooms/"), through)
    open_hot_seat(page)
    act(page, "flip")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    page.evaluate("""() => {
        window.seen = [];
        new MutationObserver(() => seen.push(document.querySelector("#flip").ariaPressed))
            .observe(document.querySelector("#flip"), {attributes: true}); }""")
    play(page, "a2 1C")
    place(page, "b3").click()
    expect(targets(page, ".twist").first).to_be_visible()
    sockets[-1].close(code=1012)
    expect(page.locator("#connection")).to_be_visible()
    expect(page.locator("#connection")).to_be_hidden()
    expect(place(page, "b3")).to_have_attribute("aria-label", "b3, white, played last")
    place(page, "2A").click()
    expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])
    assert len(sockets) == 2
    assert "false" not in page.evaluate("seen")  # the board stayed flipped


class Connections:
    """The connections of a page to its room; the first can be cut silently."""

    def __init__(self, page: Page) -> None:
        self.count, self.cut = 0, False
        page.route_web_socket(re.compile("/api/rooms/"), self._through)

    def _through(self, socket: WebSocketRoute) -> None:
        server, is_first = socket.connect_to_server(), not self.count
        socket.on_message(lambda message: None if self.cut and is_first else server.send(message))
        self.count += 1


@pytest.mark.slow
def test_a_silently_dead_connection_is_given_up(new_page: NewPage) -> None:
    page = new_page()
    connections = Connections(page)
    open_hot_seat(page)
    play(page, "a2 1C")
    page.evaluate("dispatchEvent(new Event('online'))")  # a live connection stays
    play(page, "b3 2A")
    connections.cut = True
    page.evaluate("dispatchEvent(new Event('online'))")
    while connections.count < 2:
        page.wait_for_timeout(100)
    expect(page.locator("#connection")).to_be_hidden()
    play(page, "c3 3C")
    assert connections.count == 2


@pytest.mark.slow
def test_a_move_on_a_silently_cut_connection_is_sent_on_a_new_one(new_page: NewPage) -> None:
    page = new_page()
    connections = Connections(page)
    without_rules(page)
    page.clock.install()
    open_hot_seat(page)
    play(page, "a2 1C")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 10)  # time passes below, and only there
    connections.cut = True
    place(page, "b3").click()
    expect(place(page, "b3")).to_have_class(re.compile("sent"))
    expect(place(page, "b3").locator(".ball")).to_have_count(1)  # no answer has come yet
    page.clock.run_for(2000)
    assert connections.count == 1
    page.clock.run_for(1000)
    expect(targets(page, ".twist").first).to_be_visible()
    assert connections.count == 2
    place(page, "2A").click()
    expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])


@pytest.mark.slow
def test_an_idle_connection_is_pinged(new_page: NewPage) -> None:
    page = new_page()
    sent: list[str] = []

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def forward(message: str | bytes) -> None:
            sent.append(str(message))
            server.send(message)

        socket.on_message(forward)

    page.route_web_socket(re.compile("/api/rooms/"), through)
    page.clock.install()
    open_hot_seat(page)
    expect(targets(page).first).to_be_visible()
    page.clock.run_for(60_000)
    assert '{"type":"here"}' in sent
    expect(page.locator("#connection")).to_be_hidden()
    play(page, "a2 1C")


@pytest.mark.slow
def test_the_page_reports_a_lost_server_and_an_unknown_game(new_page: NewPage) -> None:
    with Server() as first:
        page = new_page(base_url=first.url, expected=("WebSocket", "ws://", "CONNECTION_RE", "404"))
        open_hot_seat(page)
        play(page, "a2 1C")
        assert first.stop() == (0, "", "")
    expect(page.locator("#connection")).to_have_text("Connection lost. Reconnecting…")
    expect(page.locator("#undo")).to_be_disabled()
    with Server(first.port):
        expect(page.locator("#connection")).to_contain_text("This game does not exist on this server")
        act(page, "new")
        page.locator("#new-form .main").click()
        expect(page.locator("#headline")).to_have_text("Black to move")


# ── accessibility ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_the_theme_is_chosen_and_kept(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    for theme in ("light", "dark"):
        page.get_by_role("button", name="Theme").click()
        expect(page.locator("#theme-label")).to_have_text(f"Theme: {theme}")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark


@pytest.mark.slow
@pytest.mark.parametrize("size", [(320, 640), slow((844, 390)), slow((1280, 800)), slow((3840, 2160))])
def test_the_board_fits_the_screen(new_page: NewPage, size: tuple[int, int]) -> None:
    width, height = size
    page = new_page(viewport={"width": width, "height": height})
    open_hot_seat(page, rows=3, cols=3, players=4)
    expect(targets(page).first).to_be_visible()
    box = page.locator("#board svg").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# ── help for beginners ────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_few_open_targets_are_highlighted_and_others_explain_why_not(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, game="pente", options={"rules": "keryo"}, seats=["human", "human"], time={"main": 60.0})
    expect(page.locator("#board.few .can")).to_have_count(1)
    expect(page.locator("#detail")).to_have_text("Place a white stone. The first stone goes to the centre, K10.")
    place(page, "A1").click(force=True)
    expect(page.locator("#message")).to_have_text(
        "You cannot do that here. Place a white stone. The first stone goes to the centre, K10."
    )
    expect(page.locator("#terms")).to_have_text("This game: Pente, rules: keryo, 1 min.")
    expect(page.locator("#guide")).to_contain_text("Capturing 15 stones wins too")
    place(page, "K10").click()
    expect(page.locator("#board.few")).to_have_count(0)


@pytest.mark.slow
def test_a_selected_piece_is_announced_and_can_be_deselected(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, game="pentagame", seats=["human", "human"])
    piece = targets(page).first
    name = piece.get_attribute("data-target")
    piece.click()
    chosen = page.locator(f"#board [data-target='{name}']")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(chosen).to_have_attribute("aria-disabled", "false")
    expect(page.locator("#announcer")).to_contain_text("selected. Choose a destination.")
    page.locator("#cancel").click()
    expect(chosen).not_to_have_attribute("aria-pressed", "true")
    expect(page.locator("#cancel")).to_be_hidden()


@pytest.mark.slow
def test_the_next_game_against_the_computer_has_the_other_colour_and_the_same_time(
    new_page: NewPage,
) -> None:
    page = new_page()
    address = open_room(page, seats=["human", "greedy"], time={"main": 60.0})
    expect(page.locator("#seats li").first).to_contain_text("You")
    page.locator("#resign").click()
    page.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#headline")).to_have_text("You lose")
    page.locator("#again").click()
    expect(page.locator("#seats li").nth(1)).to_contain_text("You")
    assert not page.url.endswith(address)
    act(page, "new")
    expect(page.locator("#time option:checked")).to_have_text("1 min")


@pytest.mark.slow
def test_a_twist_turns_around_the_centre_of_its_sub_board(new_page: NewPage) -> None:
    page = new_page(reduced_motion="no-preference")
    open_hot_seat(page)
    play(page, "a0 2C")
    place(page, "b1").click()
    place(page, "1C").and_(targets(page)).click()
    page.wait_for_selector(".board.fresh [data-turned]")
    middle = """time => { const svg = document.querySelector("#board svg");
        for (const each of svg.getAnimations({subtree: true})) { each.pause(); each.currentTime = time; }
        const box = svg.querySelector("[data-turned] .tile").getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2]; }"""
    first, *others = [page.evaluate(middle, time) for time in (0, 60, 190, 379)]
    for other in others:
        assert all(abs(a - b) < 2 for a, b in zip(first, other, strict=True))
    # Fixes the centre in browsers that compute another box.
    assert page.evaluate("document.querySelector('[data-turned]').style.transformBox") == "view-box"

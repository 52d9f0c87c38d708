"""Games between people, each in their own browser: by link, from the list of open games, with chat and offers."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

import pentad
from tests.cases import slow
from tests.web.browser_helpers import BLANK, NewPage, act, join, moves, open_room, place, play, rematch, targets
from tests.web.server_process import PATIENT_WARNINGS, Server

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
FRIENDS = ["human", "open"]


def two(new_page: NewPage, **request: object) -> tuple[Page, Page, str]:
    """Ann on a desktop has made a game, and Bob on a phone has joined it."""
    ann, bob = new_page(), new_page(**PHONE)
    address = open_room(ann, seats=FRIENDS, name="Ann", **request)
    join(bob, address, "Bob")
    expect(ann.locator("#seats li").nth(1)).to_contain_text("Bob")
    return ann, bob, address


def touch(page: Page, *names: str) -> None:
    for name in names:
        place(page, name).and_(targets(page)).click()


def tap(page: Page, *names: str) -> None:
    """Taps targets, twice where small ones are aimed at first."""
    for name in names:
        place(page, name).and_(targets(page)).tap()
        if page.locator("#board .aim").count():
            place(page, name).tap()


def see(turn: str, number: int, *pages: Page) -> None:
    for page in pages:
        expect(moves(page)).to_have_count(number)
        expect(moves(page).last).to_have_text(turn)


# ── whole games by link ──────────────────────────────────────────────────────────────────────────


def test_two_players_finish_a_game_by_link_and_play_again(new_page: NewPage) -> None:
    ann, bob = new_page(), new_page(**PHONE)
    ann.goto("/play")
    ann.locator("[data-against=friend]").click()
    ann.locator("#share-options").click()
    expect(ann.locator("#new-dialog")).to_be_visible()
    ann.locator("#own-name").fill("Ann")
    ann.locator("#more summary").click()
    ann.locator("[name=line]").fill("3")
    ann.locator("#new-form .main").click()
    expect(ann.locator("#share")).to_be_visible()
    expect(ann.locator("#local-only")).to_contain_text("pentad web --lan")  # this server cannot let others in
    ann.locator("#code").click()
    assert ann.locator("#code-picture").evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0
    join(bob, ann.locator("#link").input_value(), "Bob")
    expect(ann.locator("#share")).to_be_hidden()
    expect(ann.locator("#announcer")).to_contain_text("Bob has joined.")
    expect(bob.locator("#headline")).to_have_text("Ann to move")
    play(ann, "a0 4C")
    see("a0 4C", 1, bob)
    expect(bob.locator("#headline")).to_have_text("Your turn")
    play(bob, "f0 4C")
    bob.reload()
    see("f0 4C", 2, ann, bob)
    expect(bob.locator("#headline")).to_have_text("Ann to move")
    play(ann, "b0 4C")
    play(bob, "f1 4C")
    see("f1 4C", 4, ann)  # before that, a click would be a premove
    touch(ann, "c0")
    for page, words in ((ann, "You win"), (bob, "You lose")):
        expect(page.locator("#headline")).to_have_text(words)
        expect(page.locator("#announcer")).to_contain_text("Black wins")
    rematch(ann, bob)
    expect(ann.locator("#headline")).to_have_text("Bob to move")  # the seats are rotated
    expect(bob.locator("#headline")).to_have_text("Your turn")
    assert ann.url == bob.url
    play(bob, "d4 1A")
    see("d4 1A", 1, ann)


def test_a_rematch_needs_the_consent_of_the_opponent(new_page: NewPage) -> None:
    ann, bob, address = two(new_page)
    ann.locator("#resign").click()
    ann.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    expect(ann.locator("#again")).to_have_text("Rematch with Bob, colours swapped")
    ann.locator("#again").click()
    expect(ann.locator("#offer-text")).to_have_text("You asked for a rematch.")
    expect(ann.locator("#again")).to_be_hidden()
    expect(bob.locator("#offer-text")).to_have_text("Ann wants a rematch, colours swapped.")
    expect(bob.locator("#again")).to_be_hidden()
    bob.locator("#offer-no").click()
    expect(ann.locator("#message")).to_have_text("Bob declined the rematch.")
    expect(ann.locator("#again")).to_be_hidden()  # one cannot ask again and again
    rematch(bob, ann)
    assert not ann.url.endswith(address)
    expect(ann.locator("#seats li").nth(1)).to_contain_text("You")


@pytest.mark.slow
def test_a_game_of_pente_by_link(new_page: NewPage) -> None:
    ann, bob, _ = two(new_page, game="pente", options={"size": 9, "tournament_rule": False})
    for number, (mine, yours) in enumerate([("E5", "C1"), ("D5", "G1"), ("C5", "G9"), ("B5", "C9")]):
        play(ann, mine)
        see(mine, 2 * number + 1, bob)
        play(bob, yours)
        see(yours, 2 * number + 2, ann)
    ann.reload()
    touch(ann, "A5")
    expect(ann.locator("#headline")).to_have_text("You win")
    expect(bob.locator("#headline")).to_have_text("You lose")
    assert bob.locator("#board .won").count() >= 5


@pytest.mark.slow
def test_a_game_of_pentagame_by_link(new_page: NewPage) -> None:
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    ann, bob = new_page(), new_page(**PHONE)
    bob.route_web_socket("**/api/rooms/*", through)
    address = open_room(ann, game="pentagame", seats=FRIENDS, name="Ann", options={"max_ply": 2})
    join(bob, address, "Bob")
    touch(ann, "piece 0.3", "[5,0,0]", "[5,2,2]")
    see("R>w b:w2Y", 1, ann, bob)
    sockets[-1].close(code=1012)
    expect(bob.locator("#connection")).to_be_visible()
    expect(bob.locator("#connection")).to_be_hidden()
    tap(bob, "piece 1.4", "piece 0.0")
    for page in (ann, bob):
        expect(page.locator("#headline")).to_have_text("Draw")
        expect(page.locator("#detail")).to_have_text("Draw: the turn limit of 2 is reached.")


@pytest.mark.slow
def test_four_players_join_and_a_fifth_person_watches(new_page: NewPage) -> None:
    pages = [new_page() for _ in range(5)]
    address = open_room(
        pages[0], seats=["human", "open", "open", "open"], name="Ann", options={"players": 4, "line": 3}
    )
    for page, name in zip(pages[1:4], ("Bob", "Cleo", "Dan"), strict=True):
        join(page, address, name)
    pages[4].goto(address)
    expect(pages[4].locator("#detail")).to_have_text("You are watching.")
    expect(pages[4].locator("#join")).to_be_hidden()
    for page in pages[:4]:
        expect(page.locator("#watching")).to_have_text("One person is watching.")
        expect(page.locator("#seats li")).to_have_count(4)
    for number, (page, turn) in enumerate(zip(pages, ("a0 4C", "f5 1A", "f0 4A", "a5 1C"), strict=False), 1):
        expect(page.locator("#headline")).to_have_text("Your turn")
        play(page, turn)
        see(turn, number, *pages)
    assert targets(pages[4]).count() == 0
    place(pages[4], "c3").click(force=True)  # this click has no effect
    expect(moves(pages[0])).to_have_count(4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "players"),
    [
        slow(["human", "human"], "Pentago on one screen"),
        slow(["human", "engine@2"], "Pentago against Computer (level 2)"),
        (["human", "adaptive"], "Pentago against Computer of your strength"),
        (["human", "open"], "Pentago waiting for an opponent"),
    ],
)
def test_the_list_of_games_names_the_players(new_page: NewPage, seats: list[str], players: str) -> None:
    page = new_page()
    open_room(page, seats=seats)
    page.goto("/play")
    act(page, "games")
    expect(page.locator("#game-lists .players").first).to_have_text(f"{players} ")


@pytest.mark.slow
def test_waiting_games_are_counted_and_listed(new_page: NewPage) -> None:
    ann, bob, address = two(new_page)
    ann.goto("/play?game=pentago")
    expect(ann.locator("#games-waiting")).to_have_text("(1)")
    act(ann, "games")
    row = ann.locator("#waiting-games li").filter(has_text="Your turn")
    expect(row).to_contain_text("Pentago against Bob")
    row.locator("a").click()
    ann.wait_for_url(f"**{address}")
    play(ann, "a0 4C")
    bob.goto("/play?game=pentago")
    expect(bob.locator("#games-waiting")).to_have_text("(1)")


# ── offers ──────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_move_is_taken_back_if_the_opponent_accepts(new_page: NewPage) -> None:
    ann, bob, _ = two(new_page)
    play(ann, "a0 4C")
    expect(moves(bob)).to_have_count(1)
    ann.get_by_role("button", name="Take back").click()
    expect(ann.locator("#offer-text")).to_have_text("You asked to take back the last move.")
    expect(bob.locator("#offer-text")).to_have_text("Ann asks to take back the last move.")
    expect(bob.locator("#announcer")).to_have_text("Ann asks to take back the last move.")
    bob.locator("#offer-no").click()
    expect(ann.locator("#offer")).to_be_hidden()
    expect(ann.locator("#announcer")).to_have_text("Bob declined the takeback.")
    expect(moves(ann)).to_have_count(1)
    expect(ann.get_by_role("button", name="Take back")).to_be_disabled()  # one request per move
    play(bob, "f5 1A")
    see("f5 1A", 2, ann)
    ann.get_by_role("button", name="Take back").click()
    bob.get_by_role("button", name="Accept").click()
    for page in (ann, bob):
        expect(moves(page)).to_have_count(0)
    play(ann, "b0 4C")


@pytest.mark.slow
def test_a_draw_is_offered_declined_and_accepted(new_page: NewPage) -> None:
    ann, bob, address = two(new_page)
    watcher = new_page()
    watcher.goto(address)
    play(ann, "a0 4C")
    ann.locator("#draw").click()
    expect(bob.locator("#offer-text")).to_have_text("Ann offers a draw.")
    expect(watcher.locator("#offer-yes")).to_be_hidden()
    bob.locator("#offer-no").click()
    expect(ann.locator("#offer")).to_be_hidden()
    expect(ann.locator("#message")).to_have_text("Bob declined the draw.")
    expect(bob.locator("#message")).to_be_hidden()
    expect(watcher.locator("#message")).to_have_text("Bob declined the draw.")
    bob.locator("#draw").click()
    ann.locator("#offer-yes").click()
    for page in (ann, bob, watcher):
        expect(page.locator("#headline")).to_have_text("Draw")
        expect(page.locator("#offer")).to_be_hidden()


# ── chat ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_chat_is_shown_as_written_and_can_be_muted(new_page: NewPage) -> None:
    ann, bob, address = two(new_page)
    ann.locator("#chat-text").fill("<b>good</b> luck <img src=x onerror=alert(1)>")
    ann.locator("#chat-text").press("Enter")
    message = "Ann: <b>good</b> luck <img src=x onerror=alert(1)>"
    for page in (ann, bob):
        expect(page.locator("#chat-messages li")).to_have_text([message])
    expect(ann.locator("#chat-text")).to_have_value("")
    bob.locator("#mute").click()
    expect(bob.locator("#chat-messages")).to_be_hidden()
    bob.reload()
    expect(bob.locator("#mute")).to_have_attribute("aria-pressed", "true")
    bob.locator("#mute").click()
    expect(bob.locator("#chat-messages li")).to_have_text([message])
    watcher = new_page()
    watcher.goto(address)
    watcher.locator("#chat-name").fill("Wim")
    watcher.locator("#chat-text").fill("nice")
    watcher.get_by_role("button", name="Send").click()
    expect(watcher.locator("#chat-messages li")).to_have_text([message, "Wim (watching): nice"])
    expect(watcher.locator("#chat-name")).to_be_hidden()


def write(page: Page, text: str, name: str = "") -> None:
    """Sends a chat message, under a name where none is known."""
    if name:
        page.locator("#chat-name").fill(name)
    page.locator("#chat-text").fill(text)
    page.locator("#chat-text").press("Enter")


@pytest.mark.slow
def test_watchers_are_read_after_the_game_and_follow_to_the_next_one(new_page: NewPage) -> None:
    ann, bob, address = two(new_page)
    wim, xia = new_page(), new_page(**PHONE)
    for page, name in ((wim, "Wim"), (xia, "Xia")):
        page.goto(address)
        expect(page.locator("#chat-note")).to_have_text("The players can read this when the game is over.")
        write(page, f"{name} is here", name)
        expect(page.locator("#chat-messages li").last).to_have_text(f"{name} (watching): {name} is here")
    write(ann, "good luck")
    watched = ["Wim (watching): Wim is here", "Xia (watching): Xia is here", "Ann: good luck"]
    for page in (wim, xia):
        expect(page.locator("#chat-messages li")).to_have_text(watched)
        expect(page.locator("#chat-messages .by-player")).to_have_text(["Ann: good luck"])
    for page in (ann, bob):
        expect(page.locator("#chat-messages li")).to_have_text(["Ann: good luck"])
        expect(page.locator("#chat-note")).to_be_hidden()
    bob.reload()
    expect(bob.locator("#chat-messages li")).to_have_text(["Ann: good luck"])
    bob.locator("#resign").tap()
    bob.locator("#resign-dialog").get_by_role("button", name="Resign").tap()
    expect(wim.locator("#chat-messages li")).to_have_text(watched)
    for page in (ann, bob):
        expect(page.locator("#chat-messages li")).to_contain_text(watched)  # a player can remove what watchers wrote
    for page in (wim, xia):
        expect(page.locator("#chat-note")).to_be_hidden()
        expect(page.locator("#again")).to_be_hidden()
    rematch(ann, bob)
    expect(ann.locator("#headline")).to_have_text("Bob to move")
    follow = wim.get_by_role("button", name="Watch the rematch")
    follow.focus()
    follow.press("Enter")
    expect(wim.locator("#detail")).to_have_text("You are watching.")
    assert wim.url == ann.url
    xia.reload()
    xia.get_by_role("button", name="Watch the rematch").tap()
    xia.wait_for_url(ann.url)


def test_players_turn_off_the_chat_for_watchers_and_remove_what_they_wrote(new_page: NewPage) -> None:
    ann, bob, address = two(new_page)
    switch, lines = "#watchers-chat", "#chat-messages li"
    expect(ann.locator(switch)).to_be_hidden()  # there are no watchers
    wim, xia = new_page(), new_page(**PHONE)
    for page, name in ((wim, "Wim"), (xia, "Xia")):
        page.goto(address)
        write(page, "rubbish", name)
        expect(page.locator(lines).last).to_have_text(f"{name} (watching): rubbish")
        expect(page.locator(switch)).to_be_hidden()
    expect(wim.get_by_role("button", name="Remove")).to_have_count(0)
    ann.get_by_role("button", name="Turn off the chat for watchers").click()
    expect(bob.get_by_role("button", name="Turn on the chat for watchers")).to_be_visible()
    expect(bob.locator("#announcer")).to_contain_text("The chat for watchers is off.")
    for page in (wim, xia):
        expect(page.locator("#watchers-off")).to_be_visible()
        expect(page.locator("#chat-form")).to_be_hidden()
    expect(ann.locator("#chat-form")).to_be_visible()
    bob.locator("#resign").tap()
    bob.locator("#resign-dialog").get_by_role("button", name="Resign").tap()
    removal = ann.get_by_role("button", name="Remove this message of Wim (watching)")
    removal.focus()
    removal.press("Enter")
    for page in (ann, bob, wim, xia):
        expect(page.locator(lines)).to_have_count(1)
        expect(page.locator(lines)).to_contain_text("Xia (watching): rubbish")
    expect(ann.locator("#chat-messages")).to_be_focused()
    bob.get_by_role("button", name="Turn on the chat for watchers").tap()
    expect(xia.locator("#chat-form")).to_be_visible()
    expect(xia.locator("#watchers-off")).to_be_hidden()
    wim.reload()
    expect(wim.locator(lines)).to_have_count(1)


@pytest.mark.slow
def test_a_watcher_of_a_game_against_the_computer_follows_to_the_next_one(new_page: NewPage) -> None:
    ann, wim = new_page(), new_page()
    address = open_room(ann, seats=["human", "random"], name="Ann")
    wim.goto(address)
    write(wim, "hello", "Wim")
    expect(wim.locator("#chat-messages li")).to_have_text(["Wim (watching): hello"])
    expect(ann.locator("#chat")).to_be_hidden()
    ann.locator("#resign").click()
    ann.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    expect(ann.locator("#chat-messages li")).to_contain_text(["Wim (watching): hello"])
    expect(ann.locator("#chat")).to_be_visible()
    ann.locator("#again").click()
    wim.get_by_role("button", name="Watch the rematch").click()
    wim.wait_for_url(lambda url: not url.endswith(address))
    assert wim.url == ann.url


@pytest.mark.slow
def test_an_absent_player_is_shown_as_away(new_page: NewPage) -> None:
    ann, bob, address = two(new_page)
    bob.goto(BLANK)
    expect(ann.locator("#seats .away")).to_contain_text("Bob")
    expect(ann.locator("#announcer")).to_have_text("Bob is away.")
    bob.goto(address)
    expect(ann.locator("#seats .away")).to_have_count(0)
    expect(ann.locator("#announcer")).to_have_text("Bob is back.")


# ── lists of games ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_an_open_seat_is_found_in_the_list_of_games(new_page: NewPage) -> None:
    ann, bob = new_page(), new_page(**PHONE)
    address = open_room(ann, seats=FRIENDS, name="Zoë", listed=True, game="pentagame")
    bob.goto("/play")
    expect(targets(bob).first).to_be_visible()
    act(bob, "games")
    waiting = bob.locator("#lobby a", has_text="Zoë")
    expect(waiting).to_contain_text("Pentagame against Zoë")
    waiting.tap()
    bob.wait_for_url(f"**{address}")
    bob.get_by_role("button", name="Join game").click()  # he gives no name
    expect(bob.locator("#join")).to_be_hidden()
    expect(ann.locator("#share")).to_be_hidden()
    act(bob, "games")
    expect(bob.locator("#waiting-games, #running-games").locator("a", has_text="Zoë")).to_have_count(1)
    expect(bob.locator("#lobby a", has_text="Zoë")).to_have_count(0)


# ── premoves and warnings ──────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_premove_is_played_on_its_turn(new_page: NewPage) -> None:
    ann, bob, _ = two(new_page, game="pente", options={"size": 9, "rules": "gomoku"})
    place(bob, "A1").tap()
    expect(place(bob, "A1")).to_have_class(re.compile("planned"))
    touch(ann, "E5")
    see("A1", 2, ann, bob)
    expect(moves(bob)).to_have_text(["E5", "A1"])
    act(bob, "settings")
    bob.locator("[data-setting=premove]").uncheck()
    bob.get_by_role("button", name="Close").click()
    place(bob, "A9").tap(force=True)
    expect(bob.locator("#board .planned")).to_have_count(0)
    play(ann, "F5")
    expect(bob.locator("#headline")).to_have_text("Your turn")
    expect(moves(bob)).to_have_count(3)


def unblocked_fours() -> str:
    """A position in which either player wins with the next move, so that a warning needs no search."""
    position = pentad.new("pente", size=9, rules="gomoku")
    for move in ["E5", "A1", "E6", "A2", "E7", "A3", "E8", "A4"]:
        position = position.play(move)
    return position.text


@pytest.fixture
def warning_page(new_page: NewPage) -> Iterator[Page]:
    with Server(before=PATIENT_WARNINGS) as server:
        yield new_page(base_url=server.url)


@pytest.mark.slow
def test_a_losing_move_is_warned_about_once(warning_page: Page) -> None:
    page = warning_page
    page.goto("/play")
    act(page, "settings")
    page.locator("[data-setting=warn]").check()
    page.get_by_role("button", name="Close").click()
    open_room(page, game="pente", position=unblocked_fours(), seats=["human", "human"])
    dialog = page.locator("#warning-dialog")
    touch(page, "J9")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("heading")).to_have_text("Are you sure?")
    expect(page.locator("#warning-text")).to_contain_text(re.compile(r"\w+ .*\."))
    dialog.get_by_role("button", name="Choose another move").click()
    expect(moves(page)).to_have_count(0)
    act(page, "settings")
    page.locator("[data-setting=confirm]").check()
    page.locator("#settings-dialog").get_by_role("button", name="Close").click()
    touch(page, "J9")
    page.locator("#confirm").click()  # the warning comes after it
    dialog.get_by_role("button", name="Choose another move").click()
    expect(place(page, "J9").locator(".ball")).to_have_count(0)
    expect(page.locator("#confirm")).to_be_hidden()
    touch(page, "J9")
    page.locator("#confirm").click()
    dialog.get_by_role("button", name="Play it anyway").click()
    expect(moves(page)).to_have_text(["J9"])
    touch(page, "A5")
    page.locator("#confirm").click()
    expect(page.locator("#headline")).to_have_text("Black wins")


# ── settings ──────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_an_adaptive_computer_takes_a_seat(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    act(page, "new")
    page.locator("#more summary").click()
    page.locator("[name=seat1]").select_option("adaptive")
    page.locator("#new-form .main").click()
    expect(page.locator("#seats")).to_contain_text("Computer of your strength")
    touch(page, "a0", "4C")
    expect(moves(page)).to_have_count(2)
    act(page, "new")
    expect(page.locator("[name=seat1]")).to_have_value("adaptive")


@pytest.mark.slow
def test_settings_are_stored(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    act(page, "settings")
    expect(page.locator("[data-setting=sound]")).to_be_checked()
    page.locator("[data-setting=sound]").uncheck()
    page.locator("#settings-name").fill("Ann")
    page.get_by_role("button", name="Close").click()
    page.reload()
    act(page, "settings")
    expect(page.locator("[data-setting=sound]")).not_to_be_checked()
    expect(page.locator("#settings-name")).to_have_value("Ann")
    page.keyboard.press("Escape")
    page.locator("[data-against=friend]").click()
    expect(page.locator("#share-name")).to_have_value("Ann")

"""The opening tree of the Analysis page: games of the site, files of the user, equal positions, bad files."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect

from pentad import new
from pentad.search.book import look_up
from pentad.store import Store
from tests.web.archived import add_finished
from tests.web.browser_helpers import NewPage, accessible
from tests.web.server_thread import InThreads, serving

pytestmark = pytest.mark.browser

GAMES = {  # names, moves, and the seat that resigns
    "one": (["b1 1C", "e4 1C", "b4 1C", "e1 1C", "a0 1C"], 1),
    "two": (["b4 1C", "e1 1C", "b1 1C", "e4 1C", "f5 1C"], 0),
    "three": (["b1 1C", "a0 2C"], 0),
}
GAME = '[Game "pentago"]\n[Result "{0}"]\n[Reason "agreement"]\n\n{1} {0}\n\n'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("openings")

    async def fill(store: Store) -> None:
        for name, (moves, loser) in GAMES.items():
            await add_finished(store, name, "pentago", moves, loser=loser)

    store = Store.open(f"sqlite:///{folder / 'games.db'}")
    with ThreadPoolExecutor() as threads:  # the browser's event loop runs in this one
        threads.submit(asyncio.run, fill(store)).result()
    store.close()
    with serving(InThreads(), folder) as url:
        yield url


def opened(new_page: NewPage, **how: object) -> Page:
    page = new_page(**how)
    page.goto("/analyse?game=pentago")
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    page.locator("#openings-on").check()
    return page


def rows(page: Page) -> list[list[str]]:
    """The move, the games and the results of each row."""
    lines = page.locator("#openings tbody tr").all()
    return [
        [each.inner_text() for each in line.locator("button, td:nth-child(2), .visually-hidden").all()]
        for line in lines
    ]


def add(page: Page, name: str, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    page.locator("#openings-input").set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})
    expect(page.locator("#openings-add")).to_be_enabled()


@pytest.mark.slow
def test_a_click_plays_a_move_and_transpositions_are_followed(new_page: NewPage) -> None:
    page = opened(new_page)
    note = page.locator("#openings-note")
    expect(note).to_have_text("Played 3 times from this position in 3 games.")
    assert rows(page) == [["b1 1A", "2", "1 win, 0 draws, 1 loss"], ["b1 2A", "1", "0 wins, 0 draws, 1 loss"]]
    expect(page.locator("#openings tbody button", has_text="b1 2A")).to_have_attribute(
        "title", "Black plays b1 and twists sub-board 2 anti-clockwise."
    )
    for move in ("b1 2A", "e4 1A", "b4 1C"):
        page.locator("#openings tbody button", has_text=move).click()
        expect(page.locator("#tree [aria-current]")).to_contain_text(move)
    page.locator("#openings tbody button", has_text="e1 1C").click()
    expect(page.locator("#openings tbody button")).to_have_text(["a0 1C", "f0 2A"])
    expect(note).to_have_text("Played 2 times from this position in 3 games.")  # either order of moves leads there
    assert [row[:2] for row in rows(page)] == [["a0 1C", "1"], ["f0 2A", "1"]]  # f0 2A is f5 1C mirrored
    page.locator("#first").click()
    expect(note).to_have_text("Played 3 times from this position in 3 games.")
    accessible(page)


@pytest.mark.slow
def test_the_opening_book_is_shown_and_a_click_plays_its_move(new_page: NewPage) -> None:
    page = opened(new_page)
    title, moves = page.locator("#openings-book-title"), page.locator("#openings-book li")
    expect(title).to_have_text("Opening book, exact values:")
    expect(moves.first).to_contain_text("Black wins")
    known = look_up(new("pentago"))
    assert known is not None
    expect(moves).to_have_count(len(known.moves))
    moves.first.locator("button").click()
    expect(page.locator("#tree [aria-current]")).to_contain_text(str(known.moves[0][0]))
    expect(title).to_be_visible()
    accessible(page)
    page.goto("/analyse?game=pente")
    page.locator("#openings-on").check()
    moves.first.locator("button").click()
    expect(title).to_contain_text("analysed to depth")
    expect(moves.first).to_contain_text("White ")  # values are White's, whoever is to move
    page.goto("/analyse?game=pente+rules%3Dboat")
    page.locator("#openings-on").check()
    expect(page.locator("#openings-note")).to_have_text("No games.")
    expect(title).to_be_hidden()


def test_files_are_added_to_the_tree_and_removed(new_page: NewPage) -> None:
    page = opened(new_page)
    many = GAME.format("1/2-1/2", "1. e1 3A 2. a0 4A") + GAME.format("*", "1. c5 3A").replace(
        '[Reason "agreement"]\n', ""
    )
    add(page, "mine.pentad", many)
    expect(page.locator("#openings-files li")).to_have_text(["mine.pentad: 2 gamesRemove"])
    expect(page.locator("#openings-note")).to_have_text("Played 5 times from this position in 5 games.")
    assert rows(page)[0] == ["b1 1A", "3", "1 win, 1 draw, 1 loss"]  # e1 3A, mirrored, and b1 1C
    assert [row[:2] for row in rows(page)[1:]] == [["a2 4A", "1"], ["b1 2A", "1"]]
    page.locator("#openings-archive").uncheck()
    expect(page.locator("#openings-note")).to_have_text("Played 2 times from this position in 2 games.")
    page.locator("#openings-files button").click()
    expect(page.locator("#openings-note")).to_have_text("No games.")


@pytest.mark.slow
def test_a_bad_file_gets_one_line_and_adds_nothing(new_page: NewPage) -> None:
    page = opened(new_page, expected=("422",))
    good = GAME.format("1/2-1/2", "1. b1 1C")
    for name, text, expected in [
        ("bad.pentad", good * 800 + GAME.format("1/2-1/2", "1. b1 9C"), "bad.pentad: line 4805, column 4: move 1:"),
        ("rubbish.txt", b"\x89PNG\0\1", "rubbish.txt: Expected text, got binary data."),
        ("half.pentad", good + '[Game "pentago"]\n[Result "1-0"]\n', "half.pentad: line 9"),
        ("large.sgf", "(" * 70_000, "large.sgf: A game in the file is longer than 64,000 characters"),
        ("huge.pentad", b" " * (4 << 20) + b" ", "huge.pentad is larger than 4 MB."),
    ]:
        add(page, name, text)
        line = page.locator("#openings-error")
        expect(line).to_contain_text(expected)
        expect(line).to_contain_text("Nothing was added.")
        assert "\n" not in line.inner_text()
        expect(page.locator("#openings-files li")).to_have_count(0)
    add(page, "good.pentad", good)
    expect(line).to_be_hidden()
    expect(page.locator("#openings-files li")).to_have_count(1)

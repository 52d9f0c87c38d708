"""Studies in a browser: chapters, drawings, two browsers at one study, export and import, links to read."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import pentad
from pentad.record import Record
from pentad.record.shapes import Shape
from tests.cases import slow_but
from tests.web.browser_helpers import NewPage, accessible, leave_engine_off
from tests.web.server_thread import InThreads, serving

pytestmark = pytest.mark.browser

STARTS = ("pentago", "pente", "pentagame", "pente rules=keryo size=13", "pentago rows=3 cols=3")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(InThreads(), tmp_path_factory.mktemp("studies")) as url:
        yield url


def targets_of(position: pentad.game.Position) -> list[str]:
    """The names of the places in its drawing."""
    return re.findall(r'data-target="([^"]+)"', position.svg())


def nth(position: pentad.game.Position, number: int) -> pentad.game.Move:
    return position.legal_moves[number % len(position.legal_moves)]


def chapter(number: int) -> Record:
    """A record with variations, comments, values, clocks and drawings."""
    name, *options = STARTS[number % len(STARTS)].split()
    kind = pentad.game.game(name)
    record = Record(kind.new(**kind.read_options(options)), tags={"Seat0": f"Ann {number}"})
    targets = targets_of(record.start)
    record.root.comment = f"Chapter {number}: {{braces}} and\nlines"
    record.root.shapes = (Shape("G", targets[0]), Shape("R", targets[0], targets[1]))
    for ply in range(4):
        node = record.play(nth(record.position, number + ply))
        node.comment = f"move {ply}"
        node.clock = 100.5 - ply
        node.shapes = (Shape("BY"[ply % 2], targets[ply], targets[ply + 1]),)
    main = record.main_line[1]
    assert main.parent
    other = main.parent.play(nth(main.parent.position, number + 3))
    other.shapes, other.comment = (Shape("Y", targets[2]),), "a variation"
    other.play(nth(other.position, 0))
    return record


def opened(page: Page, address: str = "/analyse?game=pentago") -> Page:
    leave_engine_off(page)  # records would have its values
    page.goto(address)
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    return page


def paste(page: Page, text: str) -> None:
    page.locator("#open").click()
    page.locator("#paste").fill(text)
    page.locator("#open-form .main").click()
    expect(page.locator("#open-dialog")).to_be_hidden()


def new_study(page: Page) -> None:
    page.locator("#new-study").click()
    page.locator("#study-form .main").click()
    expect(page.locator("#study-dialog")).to_be_hidden()
    expect(page.locator("#study")).to_be_visible()


def import_file(page: Page, text: str, name: str = "study.pentad") -> None:
    page.locator("#new-study").click()
    page.locator("#study-file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})


def links(page: Page) -> tuple[str, str]:
    """The link to read and the link to edit."""
    page.locator("#share-study").click()
    found = page.locator("#read-link").input_value(), page.locator("#edit-link").input_value()
    page.keyboard.press("Escape")
    return found


def exported(page: Page, folder: Path) -> str:
    page.locator("#share-study").click()
    with page.expect_download() as download:
        page.locator("#study-download").click()
    download.value.save_as(folder / "study.pentad")
    page.keyboard.press("Escape")
    return (folder / "study.pentad").read_text()


def delete(page: Page, *, yes: bool = True) -> None:
    """Answers the question whether to delete something."""
    page.locator(f"#study-ask-dialog button[value={'yes' if yes else 'no'}]").click()
    expect(page.locator("#study-ask-dialog")).to_be_hidden()


def is_saved(page: Page) -> None:
    expect(page.locator("#study-saved")).to_have_text("Saved")


def chapters(page: Page) -> Any:
    return page.locator("#chapters li button")


def draw(page: Page, one: str, other: str, *keys: str) -> None:
    """Draws an arrow with the right button."""
    ends = [page.locator(f"#board [data-target='{name}']").bounding_box() for name in (one, other)]
    for key in keys:
        page.keyboard.down(key)
    for number, box in enumerate(ends):
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down(button="right") if number == 0 else page.mouse.up(button="right")
    for key in keys:
        page.keyboard.up(key)


def test_a_study_of_ten_chapters_is_shared_changed_exported_and_imported(new_page: NewPage, tmp_path: Path) -> None:
    page = opened(new_page())
    records = [chapter(number) for number in range(10)]
    paste(page, records[0].text)
    new_study(page)
    for number, record in enumerate(records[1:], 2):
        paste(page, record.text)
        expect(chapters(page)).to_have_count(number)
        expect(page.locator("#chapters [aria-current]")).to_have_text(f"Chapter {number}")
    page.locator("#study-title").fill("Ten openings")
    page.locator("#study-title").press("Enter")
    _, edit = links(page)
    first = Record.read_all(exported(page, tmp_path))
    assert [each.tags.pop("StudyName") for each in first] == ["Ten openings"] * 10
    assert [each.tags.pop("ChapterName") for each in first] == [f"Chapter {number}" for number in range(1, 11)]
    assert [each.text for each in first] == [each.text for each in records]

    other = opened(new_page(), edit)
    expect(other.locator("#study-title")).to_have_value("Ten openings")
    expect(chapters(other)).to_have_count(10)
    expect(other.locator("#board .marked .paint")).to_have_count(2)
    chapters(other).nth(5).click()
    expect(other.locator("#chapters [aria-current]")).to_have_text("Chapter 6")
    other.locator("#chapter-title").fill("A sharp line")
    other.locator("#comment").fill("from another browser")
    draw(other, "a1", "c3", "Shift")
    other.locator("#last").click()
    last = records[5].position.choices()[0].targets[0]
    expect(other.locator("#tree [aria-current]")).to_contain_text(str(records[5].moves[-1]))
    expect(other.locator("#board .marked .paint")).to_have_count(1)  # the drawing of the last move is there
    draw(other, last, last, "Alt")
    is_saved(other)

    text = exported(other, tmp_path)
    changed = Record.read_all(text)
    assert changed[5].root.comment == "from another browser"
    assert Shape("R", "a1", "c3") in changed[5].root.shapes
    assert Shape("B", last) in changed[5].end.shapes
    assert changed[5].tags["ChapterName"] == "A sharp line"
    assert [each.moves for each in changed] == [each.moves for each in records]
    chapters(page).nth(5).click()  # the first browser sees the change
    expect(page.locator("#comment")).to_have_value("from another browser")
    expect(page.locator("#chapters [aria-current]")).to_have_text("A sharp line")

    third = opened(new_page())
    import_file(third, text)
    expect(third.locator("#study-dialog")).to_be_hidden()
    expect(chapters(third)).to_have_count(10)
    assert exported(third, tmp_path) == text
    assert links(third)[0] != links(page)[0]
    accessible(third)


@pytest.mark.slow
@pytest.mark.parametrize("game", slow_but(pentad.names(), "pentago"))
def test_drawings_survive_navigation_and_a_reload(new_page: NewPage, game: str) -> None:
    page = opened(new_page(), f"/analyse?game={game}")
    start = pentad.new(game)
    one, other = targets_of(start)[:2]
    draw(page, one, other)
    draw(page, one, one, "Shift", "Alt")
    marks = page.locator("#board .marked .paint")
    expect(marks).to_have_count(2)
    expect(page.locator("#board .marked .arrow-mark.G")).to_have_count(1)
    expect(page.locator("#board .marked .circle.Y")).to_have_count(1)
    new_study(page)
    page.reload()
    expect(marks).to_have_count(2)
    draw(page, one, other)  # the same again removes it
    expect(marks).to_have_count(1)
    page.locator("#clear-shapes").click()
    expect(marks).to_have_count(0)
    is_saved(page)


@pytest.mark.slow
def test_a_finger_draws_after_a_button(new_page: NewPage) -> None:
    page = opened(new_page(has_touch=True, viewport={"width": 390, "height": 844}))
    page.locator("#draw").click()
    page.locator("#draw-colour").select_option("B")
    page.locator("#board [data-target='b1']").tap()
    expect(page.locator("#board .marked .circle.B")).to_have_count(1)
    expect(page.locator("#tree .move")).to_have_count(0)
    page.locator("#draw").click()
    page.locator("#board [data-target='b1']").tap()
    expect(page.locator("#headline")).to_have_text("Black to twist a sub-board.")


@pytest.mark.slow
def test_a_link_to_read_changes_nothing(new_page: NewPage) -> None:
    page = opened(new_page())
    new_study(page)
    read, edit = links(page)
    reader = opened(new_page(expected=("403",)), read)
    expect(reader.locator("#study-saved")).to_have_text("Read only")
    expect(reader.locator("#add-chapter")).to_be_hidden()
    expect(reader.locator("#study-title")).to_have_attribute("readonly", "")
    reader.locator("#comment").fill("mine alone")
    name = re.search(r"study=([^&]+)", read)
    assert name
    page.locator("#share").click()  # the link to a position has no secret
    assert page.locator("#link").input_value() == f"{read}&chapter=1"
    page.keyboard.press("Escape")
    tree = {"start": "pentago", "format": "pentad"}
    request = {"method": "PUT", "headers": {"Content-Type": "application/json"}}
    status, answer = reader.evaluate(
        """async ([path, request, body]) => {
            const response = await fetch(path, {...request, body: JSON.stringify(body)});
            return [response.status, await response.json()];
        }""",
        [f"/api/study/kept/{name[1]}/chapters/1", request, {"version": 1, "title": "x", "tree": tree}],
    )
    assert (status, answer) == (403, {"error": "This link can only read the study. Nothing was changed."})
    again = opened(new_page(), edit)
    expect(again.locator("#comment")).to_have_value("")


def test_two_browsers_that_change_one_chapter_keep_both_versions(new_page: NewPage) -> None:
    page = opened(new_page(expected=("409",)))
    new_study(page)
    _, edit = links(page)
    other = opened(new_page(), edit)
    other.locator("#comment").fill("theirs")
    is_saved(other)
    page.locator("#comment").fill("mine")
    expect(page.locator("#study-error")).to_have_text("This chapter was changed in another browser.")
    expect(page.locator("#study-saved")).to_have_text("Not saved")
    page.locator("#conflict-keep").click()
    expect(chapters(page)).to_have_count(2)
    expect(page.locator("#comment")).to_have_value("mine")
    expect(page.locator("#study-error")).to_be_hidden()
    chapters(page).first.click()
    expect(page.locator("#comment")).to_have_value("theirs")
    page.locator("#remove-chapter").click()
    delete(page, yes=False)
    expect(chapters(page)).to_have_count(2)
    page.locator("#remove-chapter").click()
    delete(page)
    expect(chapters(page)).to_have_count(1)
    expect(page.locator("#remove-chapter")).to_be_disabled()
    expect(page.locator("#comment")).to_have_value("mine")


@pytest.mark.slow
def test_chapters_change_their_order(new_page: NewPage) -> None:
    page = opened(new_page(expected=("409",)))
    new_study(page)
    for number in (2, 3):
        page.locator("#add-chapter").click()
        expect(chapters(page)).to_have_count(number)
    expect(page.locator("#chapter-down")).to_be_disabled()
    page.locator("#comment").fill("the third")  # saved before the move
    page.locator("#chapter-up").click()
    expect(chapters(page)).to_have_text(["Chapter 1", "Chapter 3", "Chapter 2"])
    page.locator("#chapter-up").press("Enter")
    expect(chapters(page)).to_have_text(["Chapter 3", "Chapter 1", "Chapter 2"])
    expect(page.locator("#chapter-up")).to_be_disabled()
    expect(page.locator("#chapter-down")).to_be_focused()
    other = opened(new_page(), links(page)[1])
    expect(chapters(other)).to_have_text(["Chapter 3", "Chapter 1", "Chapter 2"])
    expect(other.locator("#comment")).to_have_value("the third")
    other.locator("#add-chapter").click()
    expect(chapters(other)).to_have_count(4)
    page.locator("#chapter-down").click()  # an order without the new chapter
    expect(page.locator("#study-error")).to_have_text("The chapters were changed in another browser.")
    expect(chapters(page)).to_have_text(["Chapter 3", "Chapter 1", "Chapter 2", "Chapter 4"])
    page.locator("#chapter-down").click()
    expect(chapters(page)).to_have_text(["Chapter 1", "Chapter 3", "Chapter 2", "Chapter 4"])
    expect(page.locator("#study-error")).to_be_hidden()


@pytest.mark.slow
def test_a_study_is_deleted_after_a_question(new_page: NewPage) -> None:
    page = opened(new_page(expected=("404",)))
    page.locator("#comment").fill("kept on the board")
    new_study(page)
    read, edit = links(page)
    reader = opened(new_page(), read)
    expect(reader.locator("#remove-study")).to_be_hidden()
    page.locator("#remove-study").click()
    expect(page.locator("#study-ask-title")).to_have_text("Delete the study Study?")
    accessible(page)
    delete(page, yes=False)
    expect(page.locator("#study")).to_be_visible()
    page.locator("#remove-study").click()
    delete(page)
    expect(page.locator("#study")).to_be_hidden()
    expect(page.locator("#comment")).to_have_value("kept on the board")
    page.goto(edit)
    expect(page.locator("main")).to_contain_text("There is no study at this link.")


@pytest.mark.slow
def test_a_browser_lists_its_own_studies(new_page: NewPage) -> None:
    page = opened(new_page(expected=("404",)))
    page.locator("#new-study").click()
    expect(page.locator("#edited-studies")).to_be_hidden()
    page.keyboard.press("Escape")
    for title in ("First", "Second"):
        page.locator("#comment").fill(title)
        new_study(page)
        page.locator("#study-title").fill(title)
        page.locator("#study-title").press("Enter")
        expect(page.locator("#study-title")).to_have_value(title)
        is_saved(page)
        opened(page)
    own = page.locator("#edited-studies-list button")
    page.locator("#new-study").click()
    expect(own).to_have_text(["Second", "First"])
    own.nth(1).click()
    expect(page.locator("#study-title")).to_have_value("First")
    expect(page.locator("#comment")).to_have_value("First")
    expect(page.locator("#study-saved")).to_have_text("Saved")
    other = opened(new_page(), links(page)[1])  # whoever has the link to edit has it in the list, too
    other.locator("#remove-study").click()
    delete(other)
    expect(other.locator("#study")).to_be_hidden()
    opened(page)
    page.locator("#new-study").click()
    own.first.click()
    expect(page.locator("#study-dialog-error")).to_have_text("There is no study at this link.")
    expect(own).to_have_text(["Second"])


@pytest.mark.slow
def test_a_bad_file_is_one_line_and_makes_no_study(new_page: NewPage) -> None:
    page = opened(new_page(expected=("422",)))
    good = chapter(0).text
    for text, expected in [
        ("\0\1rubbish", "study.pentad: Expected text, got binary data. Nothing was imported."),
        (f'{good}\n[Game "pentago"]\n[Result "1-0"]\n', "Expected the game's result"),
        (f"{good}\n" * 70, "Expected at most 64 chapters, got more."),
        (" " * ((4 << 20) + 1), "study.pentad is larger than 4 MB. Nothing was imported."),
    ]:
        import_file(page, text)
        expect(page.locator("#study-dialog-error")).to_contain_text(expected)
        assert "\n" not in page.locator("#study-dialog-error").inner_text()
        page.locator("#study-cancel").click()
        expect(page.locator("#study")).to_be_hidden()


def test_the_key_leaves_the_address_and_can_be_changed(new_page: NewPage) -> None:
    page = opened(new_page())
    new_study(page)
    read, edit = links(page)
    assert edit.startswith(f"{read}#key=")
    other = opened(new_page(expected=("403",)), edit)
    expect(other.locator("#study-saved")).to_have_text("Saved")
    assert other.url == f"{read}&chapter=1"
    other.reload()
    expect(other.locator("#study-saved")).to_have_text("Saved")  # this browser has the key
    page.locator("#share-study").click()
    page.locator("#change-link").click()
    delete(page)
    expect(page.locator("#study-share-note")).to_have_text("The link to edit is a new one. The old link only reads.")
    accessible(page)
    new = page.locator("#edit-link").input_value()
    assert new != edit
    page.keyboard.press("Escape")
    other.locator("#comment").fill("too late")
    expect(other.locator("#study-error")).to_have_text("This link can only read the study. Nothing was changed.")
    expect(other.locator("#add-chapter")).to_be_hidden()
    late = opened(new_page(), edit)
    expect(late.locator("#study-help")).to_contain_text("The link to edit was changed.")
    last = opened(new_page(), new)
    last.locator("#comment").fill("in time")
    is_saved(last)


def test_own_studies_are_listed_opened_and_deleted(new_page: NewPage) -> None:
    page = opened(new_page())
    page.goto("/studies")
    expect(page.locator("#studies-count")).to_have_text("No studies yet.")
    opened(page)
    new_study(page)
    page.locator("#study-title").fill("Openings")
    page.locator("#study-title").press("Enter")
    is_saved(page)
    page.goto("/games")
    page.locator("#own-studies").click()
    expect(page.locator("#studies li a")).to_contain_text("Openings1 chapter · 1 kB · last visit today")
    page.evaluate("localStorage.clear()")  # the cookie is enough to open a study of one's own
    page.locator("#studies li a").click()
    expect(page.locator("#study-saved")).to_have_text("Saved")
    expect(page.locator("#study")).to_contain_text("This study is deleted after a year without a visit.")
    page.locator("#share-study").click()
    expect(page.locator("#edit-link-row")).to_be_hidden()
    page.locator("#change-link").click()
    delete(page)
    expect(page.locator("#edit-link")).to_have_value(re.compile("#key="))
    page.goto("/studies")
    accessible(page)
    page.locator("#studies button").click()
    page.locator("#delete-dialog button[value=no]").click()
    expect(page.locator("#studies li")).to_have_count(1)
    page.locator("#studies button").click()
    page.locator("#delete-dialog button[value=yes]").click()
    expect(page.locator("#studies-count")).to_have_text("No studies yet.")

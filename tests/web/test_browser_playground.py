"""The playground of the docs: every example prints what its page says, and can be changed, stopped and restored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.docs_site import build, copy_sources, with_versions
from tests.folder_server import served
from tests.waiting import TIMEOUT
from tests.web.browser_helpers import NewPage, accessible
from tests.web.site.kept_site import check_tools, make_site
from tests.web.site.playground_examples import complaint

pytestmark = [pytest.mark.browser, pytest.mark.slow]

START = 4 * TIMEOUT * 1000  # milliseconds; Python starts slowly on a busy machine
FEWEST = 60  # examples with a button


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The docs site with the folder of a site in it, made by the two commands of CONTRIBUTING.md."""
    place = tmp_path_factory.mktemp("docs")
    copy_sources(place)
    check_tools()
    make_site(place / "docs" / "try")
    return with_versions(build(place))


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with served(folder) as address:
        yield address


def example(page: Page, number: int) -> Locator:
    return page.locator(".playground").nth(number - 1)


def finished(example: Locator) -> Locator:
    expect(example.get_by_role("button", name="Run")).to_be_visible(timeout=START)
    return example.get_by_role("status")


def output(example: Locator) -> str:
    return example.locator("pre").text_content() or ""


def test_every_example_prints_what_its_page_says(new_page: NewPage, folder: Path) -> None:
    page = new_page()
    wrong, count = [], 0
    for file in sorted(folder.rglob("index.html")):
        address = file.parent.relative_to(folder).as_posix()
        if address.startswith("try") or "data-python" not in file.read_text(encoding="utf-8"):
            continue
        page.goto(f"{address}/")
        for number in range(1, page.locator(".playground").count() + 1):
            each = example(page, number)
            text = each.locator("xpath=preceding-sibling::*[1]").locator("code").text_content() or ""
            each.get_by_role("button", name="Run").click()
            said, shown = finished(each).inner_text(), output(each)
            why = complaint(text, shown)
            if "Traceback" not in text and ("error" in said or each.locator(".playground-note").is_visible()):
                why = said
            if why and not each.locator("svg").count():
                wrong.append((address, number, why, shown))
            count += 1
    assert wrong == []
    assert count > FEWEST


def test_an_example_is_changed_run_stopped_and_restored(new_page: NewPage) -> None:
    page = new_page()
    page.goto("tutorials/python/")
    second = example(page, 2)
    block = second.locator("xpath=preceding-sibling::*[1]")
    second.get_by_role("button", name="Run example 2").click()
    expect(second.get_by_role("status")).not_to_have_text("")
    expect(finished(second)).to_have_text("Done.")  # it needs a name of the first example
    expect(block).to_be_hidden()
    field = second.get_by_role("textbox", name="Code of example 2")
    assert (field.input_value()).startswith('after = position.play("a2 1C")\n')

    field.fill("print(after.turn)\nafter")
    field.press("Control+Enter")
    expect(second.get_by_role("img", name="Pentago: White to place a marble.")).to_be_visible(timeout=START)
    assert output(second) == "1\n"

    field.fill("1 +")
    field.press("Control+Enter")
    expect(finished(second)).to_have_text("Ended with an error.")
    assert output(second).endswith("SyntaxError: invalid syntax")

    field.fill("import time\nprint('begins', flush=True)\nwhile True: pass")
    second.get_by_role("button", name="Run").click()
    expect(second.locator("pre")).to_have_text("begins\n")
    second.get_by_role("button", name="Stop example 2").click()
    expect(finished(second)).to_have_text("Stopped.")
    field.fill("position.ply")  # the new worker runs the first example again
    field.press("Control+Enter")
    expect(second.locator("pre")).to_have_text("0", timeout=START)

    second.get_by_role("button", name="Reset example 2").click()
    expect(block).to_be_visible()
    expect(field).to_be_hidden()
    assert output(second) == ""
    expect(second.get_by_role("button", name="Run example 2")).to_be_focused()


def test_long_output_ends(new_page: NewPage) -> None:
    page = new_page()
    page.goto("how-to/solve-pentago/")
    first = example(page, 1)
    first.get_by_role("button", name="Run").click()
    finished(first)
    first.get_by_role("textbox").fill("for n in range(30_000):\n    print(n, 'x' * 10)")
    first.get_by_role("button", name="Run").click()
    expect(first.locator(".playground-note")).to_have_text("There is more output, which is not shown.")
    expect(finished(first)).to_have_text("Done.")
    assert len(output(first)) == 100_000


def test_a_site_that_is_gone_is_explained(new_page: NewPage) -> None:
    page = new_page(expected=("404",))
    page.route("**/try/**", lambda route: route.fulfill(status=404))
    page.goto("tutorials/python/")
    first = example(page, 1)
    first.get_by_role("button", name="Run").click()
    expect(first.locator(".playground-note")).to_have_text(
        "Python cannot start in this browser. Reload the page to try again."
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violations_and_a_phone_shows_all(new_page: NewPage, scheme: Any) -> None:
    page = new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, color_scheme=scheme)
    page.goto("tutorials/python/")
    for number, code in ((1, None), (2, "after = position\nafter"), (3, "no_name")):
        each = example(page, number)
        each.get_by_role("button", name="Run").tap()
        finished(each)
        if code is not None:
            each.get_by_role("textbox").fill(code)
            each.get_by_role("button", name="Run").tap()
            finished(each)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    accessible(page, ".playground")

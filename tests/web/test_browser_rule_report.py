"""The page of `pentad report` in a browser: on a phone and a desk, light and dark, opened as a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pentad import new
from pentad.play.rule_report import RuleReport, as_html, play_rule_sets, plots_of, terms_of
from tests.web.browser_helpers import accessible, fits

pytestmark = pytest.mark.browser

START = new("pente", rules="freestyle", size=7, line=4)
CLIPPED = """() => [...document.querySelectorAll(".plot text")].filter(each => {
    const box = each.getBoundingClientRect(), around = each.ownerSVGElement.getBoundingClientRect();
    return box.left < around.left - 1 || box.right > around.right + 1 || box.bottom > around.bottom + 1;
}).map(each => each.textContent)"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_readable_everywhere(browser: Browser, tmp_path: Path, width: int, scheme: str):
    starts = [START, new("pente", rules="freestyle", size=7), new("pentago", rows=1, block=2, line=3)]
    report = RuleReport(
        play_rule_sets([terms_of(start, "greedy").checked() for start in starts], 5, workers=1), "pentad report x"
    )
    (tmp_path / "rules.html").write_text(as_html(report), encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    asked: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "rules.html").as_uri())
    assert len(asked) == 1
    fits(page)
    accessible(page)
    for name in plots_of(report):
        assert page.get_by_role("img", name=name, exact=True).is_visible()
    assert page.evaluate(CLIPPED) == []
    assert page.locator(".plot text").first.evaluate("each => each.getBoundingClientRect().height") >= 12
    page.screenshot(path=tmp_path / "page.png", full_page=True)
    context.close()

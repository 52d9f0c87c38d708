"""A page that serves one test after another: what it says between two tests is no complaint."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.folder_server import served
from tests.web.kept_pages import KeptPage

pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A site that has one page and no blank file; its address ends with a slash."""
    (tmp_path / "index.html").write_text('<link rel="icon" href="data:,"><script>sessionStorage.x = 1</script>')
    with served(tmp_path) as address:
        yield address


def test_a_site_without_the_blank_file_is_left_without_a_complaint(browser: Browser, address: str) -> None:
    kept = KeptPage(browser, {"base_url": address})
    complaints: list[str] = []
    kept.complain = complaints.append
    kept.page.goto("")
    assert kept.clear()
    assert complaints == []
    assert kept.page.evaluate("sessionStorage.length") == 0

    kept.complain = complaints.append
    kept.page.goto("none.html")
    assert len(complaints) == 1
    assert "404" in complaints[0]
    kept.close()

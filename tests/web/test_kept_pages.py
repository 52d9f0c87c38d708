"""A page that serves one test after another: what it says between two tests is no complaint."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.kept_pages import KeptPage

pytestmark = pytest.mark.browser


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A site that has one page and no blank file; its address ends with a slash."""
    (tmp_path / "index.html").write_text('<link rel="icon" href="data:,"><script>sessionStorage.x = 1</script>')
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


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

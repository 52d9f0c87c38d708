"""Assets: addresses, caching and compression."""

import asyncio
import gzip
import os
import posixpath
import re
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

import pentad
from pentad.web.api_types import MAX_NAME_LENGTH
from pentad.web.http import assets, pages
from pentad.web.http.assets import KEPT_FOR_GOOD, STATIC, TYPES, Assets
from pentad.web.http.exchange import StatusError
from pentad.web.http.security import SecurityMiddleware
from pentad.web.messages import MAX_CHAT_LENGTH
from pentad.web.service.pages import ASSETS
from tests.web.app import app_with, browser

OLD = "0123456789abcdef"  # a hash from before an upgrade


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory):
    with app_with(tmp_path_factory.mktemp("games")) as running:
        yield running


def ask(app: SecurityMiddleware, path: str, accept: str = "gzip", method: str = "GET", **more) -> httpx.Response:
    async def asked() -> httpx.Response:
        async with browser(app) as client:
            return await client.request(method, path, headers={"Accept-Encoding": accept}, **more)

    return asyncio.run(asked())


# ── where files are ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", [*pages.PAGES, "missing"])
def test_pages_name_files_by_their_hash(app: SecurityMiddleware, name: str) -> None:
    text = ask(app, pages.PAGES[name].path if name in pages.PAGES else "/nowhere").text
    named = re.findall(r"/static/[^\"\s]+", text)
    assert len(named) > 5
    for path in named:
        assert path.startswith(f"/static/{ASSETS.hash}/")
        answer = ask(app, path)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, KEPT_FOR_GOOD)


def test_the_fields_of_a_page_have_the_limits_of_the_server(app: SecurityMiddleware) -> None:
    text = ask(app, "/play").text
    assert f'<input id="chat-text" maxlength="{MAX_CHAT_LENGTH}"' in text
    assert f'<input id="own-name" name="own-name" maxlength="{MAX_NAME_LENGTH}"' in text


def test_every_file_is_there_with_its_type(app: SecurityMiddleware) -> None:
    names = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.suffix in TYPES]
    for name in [*names, *assets.made()]:
        answer = ask(app, f"/static/{ASSETS.hash}/{name}")
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, KEPT_FOR_GOOD), name
        assert answer.headers["Content-Type"].partition(";")[0] == TYPES[Path(name).suffix]


def test_asset_paths_are_written_in_one_form() -> None:
    """`"/static/`: any other form would not get the hash. Scripts import one another by relative paths."""
    for path in [*STATIC.rglob("*"), *pages.HERE.rglob("*")]:
        if path.is_file() and path.suffix not in assets.COMPRESSED_SUFFIXES:
            text = path.read_text(encoding="utf-8")
            assert text.count("/static/") == text.count(assets.NAME_PREFIX), path
            assert not re.search('(from|import) "(?!\\.\\.?/)', text), path


def test_a_style_sheet_is_sent_with_those_that_it_imports() -> None:
    files = {
        "play/style.css": b'@import "../common.css";\n@import "./more.css";\n.play { color: red }\n',
        "play/more.css": b".more {}\n",
        "common.css": b'@font-face { src: url("fonts/inter.woff2") }\n.a { mask: url("#b"); cursor: url("data:x") }\n',
        "play/page.js": b'@import "../common.css";\n',
    }
    found = assets.with_imports(files)
    assert found["play/style.css"].decode() == (
        '@font-face { src: url("../fonts/inter.woff2") }\n.a { mask: url("#b"); cursor: url("data:x") }\n'
        ".more {}\n.play { color: red }\n"
    )
    assert {name: text for name, text in found.items() if name != "play/style.css"} == {
        name: text for name, text in files.items() if name != "play/style.css"
    }


def test_a_page_names_all_scripts_that_it_will_load(app: SecurityMiddleware) -> None:
    """Each level of imports that a page does not name costs a first visit one more round trip."""
    for page in pages.PAGES.values():
        text = ask(app, page.path).text
        named = set(
            re.findall(
                rf'<(?:script type="module" src|link rel="modulepreload" href)="/static/{ASSETS.hash}/([^"]+)"', text
            )
        )
        assert len(named) > 5, page.path
        for name in named:
            for path in re.findall(r'^import [^(].*?"(\.[^"]+)";$', (STATIC / name).read_text(), re.MULTILINE):
                assert posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) in named, (page.path, name)


@pytest.mark.parametrize("place", ["", f"{OLD}/"])
def test_without_the_current_hash_a_file_is_current_and_not_cached(app: SecurityMiddleware, place: str) -> None:
    answer = ask(app, f"/static/{place}style.css")
    assert answer.content == (STATIC / "style.css").read_bytes()
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("path", ["none.js", f"{OLD}/none.js", "../app.py", f"{OLD}/../app.py", "", OLD, "play"])
def test_unknown_files_are_not_found(app: SecurityMiddleware, path: str) -> None:
    for place in ("", f"{ASSETS.hash}/"):
        assert ask(app, f"/static/{place}{path}").status_code == 404


def test_the_service_worker_is_never_cached_and_covers_all_pages(app: SecurityMiddleware) -> None:
    answer = ask(app, "/worker.js")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.content == (STATIC / "worker.js").read_bytes()


def test_a_file_that_changes_changes_the_hash(tmp_path: Path) -> None:
    """As in development: soon, and without a restart."""
    (tmp_path / "play").mkdir()
    (tmp_path / "play/page.js").write_text('import "/static/dom.js";')
    (tmp_path / "dom.js").write_text("1")
    now = [0.0]
    found = Assets(tmp_path, clock=lambda: now[0])
    first = found.hash
    (tmp_path / "dom.js").write_text("2")
    assert found.hash == first
    now[0] += assets.LOOK_SECONDS
    second = found.hash
    assert second != first
    new, old = (found.answer(f"{place}/dom.js", False) for place in (second, first))
    assert (new.body, new.headers["Cache-Control"]) == (b"2", KEPT_FOR_GOOD)
    assert (old.body, old.headers["Cache-Control"]) == (b"2", "no-cache")
    for change in (lambda: (tmp_path / "new.css").touch(), (tmp_path / "dom.js").unlink):
        before = found.hash
        change()
        now[0] += assets.LOOK_SECONDS
        assert found.hash != before
    with pytest.raises(StatusError):
        found.answer(f"{found.hash}/dom.js", False)


def test_the_hash_depends_on_contents_only(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    first = Assets(tmp_path).hash
    os.utime(tmp_path / "a.js", (0, 0))
    assert Assets(tmp_path).hash == first
    (tmp_path / "a.js").rename(tmp_path / "b.js")
    assert Assets(tmp_path).hash != first


# ── compressed ───────────────────────────────────────────────────────────────────────────────────

LARGE = {
    "page": "/",
    "script": f"/static/{ASSETS.hash}/board.js",
    "style": f"/static/{ASSETS.hash}/style.css",
    "a script from before": f"/static/{OLD}/board.js",
    "JSON": "/api/games",
    "picture": f"/api/board.svg?position={quote(pentad.new('pentago').text)}",
}


@pytest.mark.parametrize("path", LARGE.values(), ids=LARGE)
def test_texts_are_compressed_for_clients_that_accept_it(app: SecurityMiddleware, path: str) -> None:
    plain, small = ask(app, path, "identity"), ask(app, path, "gzip, deflate, br")
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert small.headers["Vary"] == "Accept-Encoding"
    assert small.content == plain.content
    assert int(small.headers["Content-Length"]) < len(plain.content) / 2
    assert small.headers["Content-Type"] == plain.headers["Content-Type"]


@pytest.mark.parametrize("path", ["/api/me", "/api/health", f"/static/{ASSETS.hash}/icon.svg", "/api/none"])
def test_small_files_are_not_compressed(app: SecurityMiddleware, path: str) -> None:
    assert "Content-Encoding" not in ask(app, path).headers


def test_compressed_files_are_not_compressed_again(app: SecurityMiddleware) -> None:
    answer = ask(app, "/api/models/ferry/grammar.zip")
    assert answer.content.startswith(b"PK")
    assert "Content-Encoding" not in answer.headers


def test_files_are_compressed_once() -> None:
    files = Assets()
    first, second = (files.answer(f"{files.hash}/board.js", True).body for _ in range(2))
    assert first is second
    assert gzip.decompress(first).startswith(b"//")

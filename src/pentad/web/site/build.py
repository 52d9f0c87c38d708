"""A folder that any web host serves: the pages of pentad with Python and the engines in the browser.

index.html, games/, analyse/, puzzles/, …          the pages
static/HASH/                                      scripts and styles, under a hash of all of them
python/HASH/                                      Python, this package, and the engines, each under its own hash
embed/, embed.js                                  a board in a frame of another site's page, and the script for it
worker.js                                         the service worker, which keeps all of it for later visits
python.js                                         the worker with Python, for other pages of the host

Every file has a compressed copy beside it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import shutil
import time
import zipfile
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pentad.game import GameError, names, shorten
from pentad.kernels.backends import sources_hash_of
from pentad.web.api_types import NewRoom
from pentad.web.http import assets, pages
from pentad.web.instant import drawings, engines
from pentad.web.site import instant_rooms, pyodide, trial

PACKAGE = Path(__file__).parents[2]
STATIC = Path(__file__).with_name("static")
PREBUILT = "kernels/prebuilt"
MARKER = ".pentad-site"
COMPRESSED = (".html", ".js", ".css", ".svg", ".webmanifest", ".mjs", ".json")

# Files of the package that no page needs. Pages get all others: a new file is there without a line here.
LEFT_OUT = (
    *(
        "terminal/*",
        "bridges/[a-z]*",  # all but its `__init__`, which names the bots that are programs
        "__main__.py",
        "*/__main__.py",
        "search/book_maker.py",
    ),
    *("games/*kernels.py", "search/*kernels.py", "kernels/*kernels.py"),
    "games/*instant.py",
    *("grammar/arrays/*kernels.py", "grammar/compiled/*kernels.py"),
    *("kernels/compiler_process.py", "kernels/machine_code.py", "kernels/numba_internals.py"),
    *("kernels/numpy_numbers.py", "kernels/integer_vectors.py", "kernels/word_vectors.py"),
    "kernels/prebuilt/*",
    *("store/store.py", "store/database.py", "store/schema.py", "store/server_lock.py", "store/migrations/*"),
    *("store/backups.py", "store/sqlite_files.py", "web/stored_games.py"),
    *(
        "store/moderation.py",
        "store/studies.py",
        "store/quotas.py",
        "store/accounts.py",
        "store/people.py",
        "store/relations.py",
    ),
    *("web/service/studies.py", "web/service/study_storage.py", "web/service/pages.py", "web/service/openapi.py"),
    *("web/operators.py", "web/service/admin.py", "web/service/reports.py"),
    *(
        "web/authentication.py",
        "web/passkeys.py",
        "web/service/accounts.py",
        "web/service/account_data.py",
        "web/service/relations.py",
        "web/http/account_names.py",
    ),
    *("web/app.py", "web/asgi.py", "web/local_engine.py", "web/serve.py", "web/settings.py"),
    *("web/monitoring.py", "web/http/access.py", "web/http/log_kinds.py"),
    *("web/static/*", "web/pages/*"),
    *("web/http/assets.py", "web/http/pages.py", "web/http/security.py", "web/http/logs.py"),
    *("web/handover.py", "web/systemd.py", "jobs/local_cluster.py"),
    *(
        "grammar/farm/backward.py",
        "grammar/farm/solving.py",
        "play/data/*",
        "play/people_ratings.py",
        "games/pentago/labels.py",
        "web/notebook/*",
    ),
    *("web/previews.py", "drawing/raster/*.ttf", "drawing/raster/LICENSE-DejaVu"),
    *(
        "web/site/build.py",
        "web/site/instant_exercises.py",
        "web/site/instant_rooms.py",
        "web/site/pyodide.py",
        "web/site/trial.py",
        "web/site/static/*",
        "web/instant/*",
    ),
)
# Large files of engines, which a page's workers load for a game when they are needed, as they load the kernels.
LATER = ("games/pentago/engine/*.npz", "games/pente/engine/*.npz")


class Site:
    """The files of a site, written to a folder at the end."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def write(self, folder: Path) -> None:
        """Writes the files into a folder, in the place of an earlier site there."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARKER).write_text("pentad\n", encoding="utf-8")  # first, so that an interrupted run can be repeated
        for name in ("static", "python"):
            shutil.rmtree(folder / name, ignore_errors=True)
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            if path.suffix in COMPRESSED:
                path.with_name(f"{path.name}.gz").write_bytes(compressed(data))


def compressed(data: bytes) -> bytes:
    """A file as gzip; the same bytes each time."""
    return gzip.compress(data, 9, mtime=0)


def build(folder: Path, *, url: str = "", friends_server: str = "", pyodide_package: Path | None = None) -> Site:
    """Writes the site. `url` is its address; `friends_server` is that of a server for games with friends."""
    site, url = Site(), _checked_url(url)
    if folder.exists() and any(folder.iterdir()) and not (folder / MARKER).exists():
        raise GameError("{folder} is not empty, and has no site of pentad.", folder=folder)
    of_pyodide = pyodide.files(pyodide_package)
    script, lock = of_pyodide.pop(pyodide.SCRIPT), of_pyodide.pop(pyodide.LOCK)
    instant, needed_first = instant_rooms.files(friends_server)
    python = _python_files(of_pyodide) | instant
    described: dict[str, dict[str, Any]] = {}
    for name, data in python.items():
        digest, packed = hashlib.sha256(data).hexdigest(), compressed(data)
        path = f"python/{digest[:16]}/{name}"
        site.files[path], site.files[f"{path}.gz"] = data, packed
        described[name] = {"path": path, "size": len(data), "packed": len(packed), "hash": digest}
    constants = {
        "FILES": described,
        "LATER": [name for name in described if "/" in name and not name.startswith(instant_rooms.FOLDER)],
        "INSTANT": needed_first,
        "LOCK": {"info": json.loads(lock)["info"], "packages": {}},  # no further packages of Pyodide
        "FRIENDS_SERVER": friends_server,
    }
    _add_pages(site, constants, script, url)
    site.write(folder)
    return site


def _checked_url(text: str) -> str:
    """The address of a site with a slash at its end; an empty one stays empty."""
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        is_site = parts.scheme in ("http", "https") and parts.hostname and not parts.query and not parts.fragment
    except ValueError:
        is_site = False
    if not is_site:
        raise GameError(
            "Expected the address of a site, such as https://example.org/pentad/, got {text}.", text=shorten(text)
        )
    return text.rstrip("/") + "/"


# ── Python ───────────────────────────────────────────────────────────────────────────────────────


def _python_files(of_pyodide: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that the worker with Python loads: Pyodide, this package, and what engines need later."""
    libraries = engines.folder()
    manifest = json.loads((libraries / engines.MANIFEST).read_bytes())
    packed = archive(packed_files(manifest))
    if lines := trial.lacking(packed, PACKAGE, pyodide.ABSENT):
        raise GameError(
            "The package for browsers is not whole: {lines}. See LEFT_OUT and LATER.", lines="; ".join(lines)
        )
    linked = {
        f"{PREBUILT}/{name}": (libraries / name).read_bytes() for name in manifest["libraries"] if name.endswith(".so")
    }
    later = {name: data for name, data in package_files().items() if _is_one_of(name, LATER)}
    return {**of_pyodide, "pentad.zip": packed, **linked, **later}


def packed_files(manifest: Mapping[str, Any]) -> dict[str, bytes]:
    """The files with which Python starts: this package, with a manifest of libraries."""
    package = {name: data for name, data in package_files().items() if not _is_one_of(name, LATER)}
    own = {**manifest, "sources": sources_hash_of(package)}  # the kernels' sources stay here
    package[f"{PREBUILT}/{engines.MANIFEST}"] = json.dumps(own).encode()
    return {f"{trial.PACKAGE}/{name}": data for name, data in package.items()}


def package_files() -> dict[str, bytes]:
    """The files of this package that pages need, by their paths in it."""
    paths = [path for path in sorted(PACKAGE.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    return {_name(path): path.read_bytes() for path in paths if not _is_one_of(_name(path), LEFT_OUT)}


def _is_one_of(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, each) for each in patterns)


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def archive(files: Mapping[str, bytes]) -> bytes:
    """A zip file, not compressed, as the whole file will be."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        for name, data in sorted(files.items()):
            written.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


# ── pages ────────────────────────────────────────────────────────────────────────────────────────

FOR_OTHERS = pages.PICTURE.removeprefix("/static/")  # pages do not show this file
OUTSIDE = ("worker.js", "embed.js")  # scripts at the root of the site
EMBEDDED = '"./embed"'  # the address of the page for frames, in embed.js
SCRIPT = '<script type="module"'
WITH_BOARDS = ("play", "embed", "learn", "puzzles")  # pages that play before Python is there
BEGIN = f'{SCRIPT} async src="/static/instant/begin.js"></script>'  # runs before the other scripts are there
_STATIC = re.compile(r'"/static/')
_DATA = re.compile(r'<link rel="preload" href="/api/[^>]*>\n')  # Python is the server of these
_NEEDS_SERVER = re.compile(r"<a [^>]*data-friends[^>]*>.*?</a>")  # a link to a page that is not here
_LINK = re.compile(r'href="/([a-z]*)(/[^"?]*)?(?:\?([^"]*))?"')


def _add_pages(site: Site, constants: Mapping[str, Any], script: bytes, url: str = "") -> None:
    paths = [path for path in assets.paths_in(assets.STATIC) if path.name not in OUTSIDE and _is_for_all(path)]
    static = assets.read(paths, assets.STATIC)
    own = (STATIC / "server.js", STATIC / "addresses.js", *sorted(STATIC.glob("instant/*.js")))
    static |= {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in own}
    static |= {f"instant/new/{name}.json": json.dumps(new_game(name)).encode() for name in drawings.covered()}
    static["style.css"] += (STATIC / "style.css").read_bytes()
    static = assets.with_imports(static)
    static |= {f"python/{path.name}": path.read_bytes() for path in sorted(STATIC.glob("python/*.js"))}
    static[f"python/{pyodide.SCRIPT}"] = script
    place = assets.hash_of({**static, "constants": json.dumps(constants).encode()})
    static["python/version.js"] = _constants(VERSION=place, **constants).encode()
    scripts = pages.imported(["server.js"], lambda name: static[name].decode())
    static["manifest.webmanifest"] = _app_manifest(static["manifest.webmanifest"])
    for name, data in static.items():
        site.files[f"static/{place}/{name}"] = data
    for name, page in pages.PAGES.items():
        if page.on_server:
            continue
        folder = page.path.strip("/")
        site.files[f"{folder}/index.html".lstrip("/")] = _page(
            name, "../" if folder else "", place, url, scripts
        ).encode()
    site.files["embed.js"] = _embedding_script().encode()
    worker = (STATIC / "worker.js").read_text(encoding="utf-8")
    kept = [name for name in site.files if not name.startswith("python/") and not name.endswith(FOR_OTHERS)]
    site.files["python.js"] = f'import "./static/{place}/python/python.js";\n'.encode()  # not kept: it names the newest
    shown = [re.sub(r"index\.html$", "", name) or "./" for name in kept]
    settings = {"VERSION": place, "FILES": shown, "PYTHON": [each["path"] for each in constants["FILES"].values()]}
    site.files["worker.js"] = f"{_constants(**settings).replace('export ', '')}\n{worker}".encode()


def _is_for_all(path: Path) -> bool:
    """Whether a file is not for operators or accounts alone, whose pages need a server."""
    return path.relative_to(assets.STATIC).parts[0] not in (*pages.OF_OPERATORS, "account")


def _embedding_script() -> str:
    """The script for pages of other sites; here its page is a folder."""
    text = (assets.STATIC / "embed.js").read_text(encoding="utf-8")
    if text.count(EMBEDDED) != 1:
        raise GameError("Expected {text} once in embed.js.", text=EMBEDDED)
    return text.replace(EMBEDDED, f'{EMBEDDED[:-1]}/"')


def _constants(**values: Any) -> str:
    """A script that exports these values."""
    return "".join(f"export const {name} = {json.dumps(value, indent=1)};\n" for name, value in values.items())


def _page(name: str, up: str, place: str, url: str, scripts: Iterable[str]) -> str:
    """A page with addresses relative to its folder, and with its first board; `scripts` are those of `server.js`.

    Programs that show links want whole addresses of pictures: the page has them if the `url` of the site is known.
    """
    text = _NEEDS_SERVER.sub("", _DATA.sub("", pages.page(name)))
    first = [BEGIN] if name in WITH_BOARDS else []
    links = [link for link in map(pages.preload, scripts) if link not in text]
    text = text.replace(SCRIPT, "\n".join([*first, *links, SCRIPT]), 1)
    text = _STATIC.sub(f'"{up}static/{place}/', text)
    text = text.replace(pages.PREVIEW, _preview_tags(name, up, place, url))
    text = _LINK.sub(lambda match: f'href="{_relative(up, *match.groups(""))}"', text)
    about = pages.PAGES[name]
    text = text.replace(about.description, about.alone or about.description)
    text = text.replace(pages.BOARD, new_game(names()[0])["first-state"]["svg"])
    # Python removes the class when it starts.
    return text.replace(f'<body class="{name}">', f'<body class="{name} alone">')


def _preview_tags(name: str, up: str, place: str, url: str) -> str:
    preview = pages.preview(name)._replace(picture=f"static/{place}/preview.png")
    folder = pages.PAGES[name].path.strip("/")
    return preview.tags(f"{url}{folder}/" if url and folder else url, url or up)


def _relative(up: str, page: str, rest: str, query: str) -> str:
    """The address of a page; what comes after its folder is in the query, see addresses.js."""
    folder = f"{up}{page}/" if page else up or "./"
    tail = "&".join(filter(None, (rest, query)))
    return f"{folder}?{tail}" if tail else folder


@cache
def new_game(name: str) -> dict[str, Any]:
    """What the page shows before its worker runs: the state of a new game, and the answer to each first step of a turn.

    They are those of the server for a game with default options.
    """
    from pentad.web.rooms.state import begun as begin
    from pentad.web.rooms.subscribers import Connection, Subscribers

    draft = instant_rooms.draft(NewRoom(game=name))
    game, client = begin(draft), Connection(instant_rooms.NOBODY.id)
    subscribers = Subscribers(game, [], time.monotonic)
    turns = {}
    for choice in game.position.choices():
        begun = game.position.parse(str(choice))
        if choices := game.position.choices(begun):
            turns[str(choice)] = json.loads(subscribers.turn(client, str(choice), begun, choices).written)
    return {"first-state": instant_rooms.first_state(draft), "first-turns": turns}


def _app_manifest(data: bytes) -> bytes:
    """The app's manifest, with addresses relative to its own."""
    manifest = json.loads(data)
    for name in ("id", "start_url", "scope"):
        manifest[name] = "../../"
    for icon in manifest["icons"]:
        icon["src"] = icon["src"].removeprefix("/static/")
    return json.dumps(manifest, indent=2).encode()

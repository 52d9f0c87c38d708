"""Assets of the pages under `/static/`: scripts, styles, the icon.

Pages name them under a hash of all of them, `/static/HASH/board.js`, so that a browser caches them forever, and an
upgrade changes every address. Within a file, `"/static/` stands for the prefix under which that file was requested, so
that a page never mixes versions. A style sheet is sent with those that it imports in it.
"""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pentad import drawing
from pentad.drawing import themes as board_themes
from pentad.game import game, load, names
from pentad.grammar.pictures import style
from pentad.play import puzzles
from pentad.web.http.exchange import Response, StatusError

STATIC = Path(__file__).parent.parent / "static"
NAME_PREFIX = '"/static/'  # it stands before a file's name in files and in pages
LOOK_SECONDS = 1.0  # files change while somebody develops them
MIN_COMPRESSED_BYTES = 1000  # less fits into one packet
COMPRESSED_SUFFIXES = (".woff2", ".png")
KEPT_FOR_GOOD = "public, max-age=31536000, immutable"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".json": "application/json",
}
_IMPORT = re.compile(rb'^@import "([^"]+)";\n', re.MULTILINE)
_URL = re.compile(rb'url\("(?![/#]|data:)([^"]+)"\)')
_HASHED = re.compile(r"([0-9a-f]{16})/(.+)")


@dataclass(frozen=True)
class File:
    """A file as it is sent: plain, and compressed if that is worthwhile."""

    media_type: str
    plain: bytes
    compressed: bytes | None


@cache
def made() -> dict[str, str]:
    """The generated files by name: styles, and a picture of each game."""
    pictures = {f"pictures/{name}.svg": _picture(name) for name in names()}
    return {"board.css": drawing.STYLE + board_themes.STYLE, "models/look.css": style.STYLE, **pictures}


def _picture(name: str) -> str:
    """A game in progress: the position of one of its puzzles, else a new board."""
    offered = puzzles.puzzles(name)
    return (load(offered[len(offered) // 2].position) if offered else game(name).new()).svg(labels=False)


def paths_in(folder: Path) -> list[Path]:
    """The paths of the files in a folder."""
    return sorted(path for path in folder.rglob("*") if path.suffix in TYPES)


def read(paths: Iterable[Path], folder: Path) -> dict[str, bytes]:
    """These files by their names in a folder, and the generated ones."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return files | {name: text.encode() for name, text in made().items()}


def with_imports(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """These files, with the style sheets that a style sheet imports in their places."""

    def whole(name: str, folder: str) -> bytes:
        """A style sheet for one in this folder."""
        here = posixpath.dirname(name)

        def address(path: bytes) -> str:
            return posixpath.normpath(posixpath.join(here, path.decode()))

        def moved(found: re.Match[bytes]) -> bytes:
            return f'url("{posixpath.relpath(address(found[1]), folder or ".")}")'.encode()

        return _IMPORT.sub(lambda found: whole(address(found[1]), folder), _URL.sub(moved, files[name]))

    return {
        name: whole(name, posixpath.dirname(name)) if name.endswith(".css") else content
        for name, content in files.items()
    }


def hash_of(files: Mapping[str, bytes]) -> str:
    """A hash of files by their names, for their address."""
    hashed = hashlib.sha256()
    for name, content in sorted(files.items()):
        hashed.update(f"{name}\n{len(content)}\n".encode() + content)
    return hashed.hexdigest()[:16]


class Assets:
    """All files, reloaded when one of them has changed."""

    def __init__(
        self,
        folder: Path = STATIC,
        clock: Callable[[], float] = time.monotonic,
        more: Callable[[], Mapping[str, bytes]] = dict,
    ) -> None:
        """`more` gives further files by their names."""
        self.folder, self._clock, self._more = folder, clock, more
        self._looked = -LOOK_SECONDS
        self._state: object = None
        self._hash = ""
        self._originals: dict[str, bytes] = {}
        self._files: dict[str, File] = {}

    @property
    def hash(self) -> str:
        """The hash of all current files."""
        self._refresh()
        return self._hash

    def placed(self, text: str, root: str = "") -> str:
        """A page's text with its assets under their hash; `root` is what precedes their paths in the text."""
        prefix = f'"{root}{NAME_PREFIX[1:]}'
        return text.replace(prefix, f"{prefix}{self.hash}/")

    def answer(self, path: str, takes_gzip: bool) -> Response:
        """The file at a path below `/static/`: with the current hash, with an old one or with none."""
        self._refresh()
        hashed = _HASHED.fullmatch(path)
        place, name = hashed.groups() if hashed else ("", path)
        if name not in self._originals:
            raise StatusError(404, "There is no such file.")
        if place == self._hash:
            return _send(self._files[name], KEPT_FOR_GOOD, takes_gzip)
        # A page from before an upgrade gets the current file, without caching.
        content = self._originals[name]
        return _send(File(_type_of(name), _placed(content, place) if place else content, None), "no-cache", takes_gzip)

    def _refresh(self) -> None:
        now = self._clock()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        try:
            paths = paths_in(self.folder)
            state = [(path, (info := path.stat()).st_mtime_ns, info.st_size) for path in paths]
            if state != self._state:
                self._read(paths)
                self._state = state
        except OSError:  # files are just being replaced; the next check finds the new ones
            if not self._hash:
                raise

    def _read(self, paths: list[Path]) -> None:
        files = {**with_imports(read(paths, self.folder)), **self._more()}
        self._hash, self._originals = hash_of(files), files
        self._files = {}
        for name, content in files.items():
            plain = _placed(content, self._hash)
            worth = len(plain) >= MIN_COMPRESSED_BYTES and not name.endswith(COMPRESSED_SUFFIXES)
            self._files[name] = File(_type_of(name), plain, gzip.compress(plain, mtime=0) if worth else None)


def _placed(content: bytes, place: str) -> bytes:
    return content.replace(NAME_PREFIX.encode(), f"{NAME_PREFIX}{place}/".encode())


def _type_of(name: str) -> str:
    return TYPES[Path(name).suffix]


def _send(file: File, cache_control: str, takes_gzip: bool) -> Response:
    kind = f"{file.media_type}; charset=utf-8" if file.media_type.startswith("text/") else file.media_type
    headers = {"content-type": kind, "Cache-Control": cache_control}
    if file.compressed is None or not takes_gzip:
        return Response(file.plain, headers)
    return Response(file.compressed, {**headers, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"})

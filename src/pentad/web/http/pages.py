"""Pages: one frame around the main part of each, put together on first use."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from pentad.drawing import raster
from pentad.game import Game, game, names
from pentad.web.api_types import MAX_NAME_LENGTH
from pentad.web.http.assets import STATIC
from pentad.web.messages import MAX_CHAT_LENGTH, MAX_REPORT_LENGTH

HERE = Path(__file__).parent.parent / "pages"
PREVIEW = "<!-- preview -->"  # the slot for what other programs show beside a link to the page
REQUEST = "<!-- request -->"  # the slot of an error page for the number of the request
# A script imports another one by a relative path.
_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.[^"]+)";', re.MULTILINE)
ANNOUNCEMENTS = "<!-- announcements -->"  # the slot for what operators tell everybody
BOARD = "<!-- board -->"  # the slot of a page's first board, which is there before any script runs


class Page(NamedTuple):
    """A page: title, path, description, its own scripts in addition to the common ones, and its styles.

    The links of the header lead to all pages but those that belong `below` another page. An `embedded` page is one for
    frames in other sites' pages: no page links to it, and it has no header.
    """

    title: str
    path: str
    description: str
    scripts: tuple[str, ...] = ()
    style: str = "common.css"
    below: str = ""
    embedded: bool = False
    on_server: bool = False  # whether a site without a server lacks it
    alone: str = ""  # the description on such a site, where it is another one
    data: tuple[str, ...] = ()  # what its scripts ask for whatever its address, and a browser loads with them


ALONE = "Play Pentago, Pente and Pentagame against the computer or on one screen"
PAGES = {
    "start": Page(
        "Play",
        "/",
        "Play Pentago, Pente and Pentagame against the computer or a friend",
        ("start/page.js",),
        "start/style.css",
        alone=ALONE,
    ),
    "play": Page(
        "Game",
        "/play",
        "Play Pentago, Pente and Pentagame against the computer or a friend",
        ("play/page.js",),
        "play/style.css",
        below="start",
        data=("/api/games",),
        alone=ALONE,
    ),
    "games": Page(
        "Games",
        "/games",
        "Your games – your turn, running and finished – and open games to join",
        ("games/page.js",),
        "games/style.css",
        alone="Your games – your turn, running and finished",
    ),
    "analyse": Page(
        "Analysis",
        "/analyse",
        "Analyse any position or game of Pentago, Pente and Pentagame",
        ("analyse/page.js",),
        "analyse/style.css",
    ),
    "review": Page(
        "Review",
        "/review",
        "The review of a game: accuracies, mistakes, and better moves to find",
        ("review/page.js",),
        "review/style.css",
        below="analyse",
    ),
    "studies": Page(
        "Your studies",
        "/studies",
        "The studies that you made: open or delete them",
        ("studies/page.js",),
        "studies/style.css",
        below="analyse",
        on_server=True,
    ),
    "puzzles": Page(
        "Puzzles",
        "/puzzles",
        "Puzzles with proved solutions, and three new ones every day",
        ("puzzles/page.js",),
        "puzzles/style.css",
    ),
    "learn": Page(
        "Learn", "/learn", "Learn each game in a few minutes by playing it", ("learn/page.js",), "learn/style.css"
    ),
    "models": Page(
        "Models",
        "/models",
        "The games as graph grammars: start graphs, rules, single steps and state spaces",
        ("models/page.js",),
        "models/style.css",
    ),
    "account": Page(
        "Account",
        "/account",
        "Your account: your name, your passkeys and your devices",
        ("account/page.js",),
        "account/style.css",
        on_server=True,
    ),
    "sign-in": Page(
        "Sign in",
        "/sign-in",
        "Sign in, or make an account that keeps your name and your games",
        ("account/signin.js",),
        "account/style.css",
        below="account",
        on_server=True,
    ),
    "embed": Page(
        "Board",
        "/embed",
        "A position, a game or a puzzle in a page of another site",
        ("embed/page.js",),
        "embed/style.css",
        embedded=True,
    ),
}

# Pages that no other page links to, and that a site without a server does not have.
OF_OPERATORS = {
    "admin": Page(
        "Moderation",
        "/admin",
        "Reports, bans, notices and maintenance, for the operators of this server",
        ("admin/page.js",),
        "admin/style.css",
    )
}

PICTURE = "/static/preview.png"  # links to pages without a position have it
PICTURE_WORDS = "The boards of Pentago, Pente and Pentagame side by side"


class Preview(NamedTuple):
    """What other programs show beside a link to a page; `picture` has the size `raster.PREVIEW`."""

    title: str
    description: str
    picture: str = PICTURE
    picture_words: str = PICTURE_WORDS

    def tags(self, address: str = "", root: str = "") -> str:
        """The tags in the head of the page at this address; `root` is the address of the server."""
        width, height = raster.PREVIEW_PIXELS
        properties = {
            "og:type": "website",
            "og:site_name": "pentad",
            "og:title": self.title,
            "og:description": self.description,
            "og:url": address,
            "og:image": root + self.picture,
            "og:image:type": "image/png",
            "og:image:width": str(width),
            "og:image:height": str(height),
            "og:image:alt": self.picture_words,
        }
        tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in properties.items() if text]
        return "\n".join([*tags, '<meta name="twitter:card" content="summary_large_image">'])


PARTS = (
    "move-buttons",
    "strength-buttons",
    "board-help",
    "accuracies-table",
    "report-dialog",
)  # files that several pages share
MISSING = Page("Not found", "", "This page does not exist")


_KNOWN = {**PAGES, **OF_OPERATORS}


def preview(name: str) -> Preview:
    """The preview of a page without a position."""
    this = _KNOWN.get(name, MISSING)
    return Preview(_title(name), this.description)


def _title(name: str) -> str:
    this = _KNOWN.get(name, MISSING)
    return "pentad" if this.below or name == "start" else f"{this.title} · pentad"


def announced(announcements: str) -> str:
    """The tag with what operators tell everybody, which is JSON."""
    return f'<meta name="pentad-announcements" content="{escape(announcements)}">'


@cache
def page(name: str) -> str:
    """The HTML of a page, with empty slots for its board, its preview and announcements."""
    this = _KNOWN.get(name, MISSING)
    links = "".join(
        f'<a href="{each.path}"{" data-friends" if each.on_server else ""}'
        f"{' aria-current=page' if key in (name, this.below) else ''}>{escape(each.title)}</a>"
        for key, each in PAGES.items()
        if not each.embedded and not each.below
    )
    slots = {
        "name": name,
        "title": _title(name),
        "description": this.description,
        "style": this.style,
        "scripts": "\n".join(
            [*map(_data, this.data), *map(preload, imported(this.scripts, _script_text)), *map(_script, this.scripts)]
        ),
        "links": links,
        "main": _read(name),
        "game cards": _game_cards() if name == "start" else "",
        **{part.replace("-", " "): _read(part).rstrip() for part in PARTS},  # the main part has gaps for them
        "longest name": str(MAX_NAME_LENGTH),
        "longest chat message": str(MAX_CHAT_LENGTH),
        "longest report": str(MAX_REPORT_LENGTH),
    }
    text = _read("bare-frame" if this.embedded else "frame")
    for slot, value in slots.items():
        text = text.replace(f"{{{slot}}}", escape(value) if slot in ("title", "description") else value)
    return text


def _script(name: str) -> str:
    return f'<script type="module" src="/static/{name}"></script>'


def preload(name: str) -> str:
    """The link by which a browser loads a script before others import it."""
    return f'<link rel="modulepreload" href="/static/{name}">'


def _data(path: str) -> str:
    return f'<link rel="preload" href="{path}" as="fetch" crossorigin>'


def _script_text(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def imported(scripts: Sequence[str], text_of: Callable[[str], str]) -> list[str]:
    """All scripts that these import, so that a browser loads them at once, not one level after the other.

    Scripts that are imported when they are needed, by `import(…)`, are not among them.
    """
    found = dict.fromkeys(scripts)
    waiting = list(scripts)
    while waiting:
        script = waiting.pop(0)
        folder = posixpath.dirname(script)
        for path in _IMPORT.findall(text_of(script)):
            name = posixpath.normpath(posixpath.join(folder, path))
            if name not in found:
                found[name] = None
                waiting.append(name)
    return [name for name in found if name not in scripts]


def _game_cards() -> str:
    """A card for each game: its picture, what it is, and links to play and to learn it."""
    return "\n".join(map(_game_card, map(game, names())))


def _game_card(kind: Game) -> str:
    text = _read("game-card")
    for slot, value in {"name": kind.name, "title": kind.title, "summary": kind.summary.capitalize()}.items():
        text = text.replace(f"{{{slot}}}", escape(value))
    return text if kind.data("lesson.toml") is not None else re.sub(r" *<a [^>]*data-lesson.*?</a>\n?", "", text)


def _read(name: str) -> str:
    return (HERE / f"{name}.html").read_text(encoding="utf-8")

"""Services of studies: chapters that are kept here and shared by two links, one to read and one to edit.

The link to edit has a key, of which only a hash is stored. It is in the fragment of the link, which browsers do not
send, and comes in a header: addresses are in logs, in histories, and in what people share. A change of a chapter names
the version that it is based on.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Generic, NamedTuple

from pentad.game import GameError
from pentad.record import Record
from pentad.record.formats import check_depth, only
from pentad.store.rows import ChapterRow, StudyRow
from pentad.store.studies import MOST_CHAPTERS, Studies
from pentad.web import move_tree
from pentad.web.backend import Backend
from pentad.web.http import identity
from pentad.web.http.exchange import STUDY_KEY, Caller, StatusError
from pentad.web.http.visible_text import visible
from pentad.web.service.router import GET, POST, PUT, Body, Posted, Route
from pentad.web.service.study_storage import shares_of
from pentad.web.typed_json import Length, Range

STUDY, CHAPTER = "StudyName", "ChapterName"  # the tags of exported records
NAME_BYTES, KEY_BYTES = 9, 18
MAX_NAME_LENGTH = 40  # a longer name is not looked for
NOT_OWNED = "Only whoever made the study can change its link to edit. Nothing was changed."
UNKNOWN = "There is no study at this link."
READ_ONLY = "This link can only read the study. Nothing was changed."
REFUSALS = {403: READ_ONLY, 404: UNKNOWN, 409: "The chapter was changed in another browser."}

Title = Annotated[str, Length(100)]
RecordText = Annotated[str, Length(move_tree.MAX_TEXT_LENGTH)]
Number = Annotated[int, Range(1, 10**9)]


@dataclass(frozen=True, kw_only=True)
class NewChapter:
    """A chapter to add: its title, and its record in any format that names its game."""

    title: Title = ""
    record: RecordText


@dataclass(frozen=True, kw_only=True)
class NewStudy:
    """A study to keep, with its first chapters."""

    title: Title = ""
    chapters: Annotated[list[NewChapter], Length(MOST_CHAPTERS, 1)]


@dataclass(frozen=True, kw_only=True)
class StudyLink:
    """A study: its name, which is the link to read, and the key of the link to edit."""

    name: str
    key: str


@dataclass(frozen=True, kw_only=True)
class ChapterInfo:
    """A chapter in the list of a study."""

    number: int
    version: int
    title: str


@dataclass(frozen=True, kw_only=True)
class StudyInfo:
    """A study with the list of its chapters.

    `key_fits` is whether the key is that of the link to edit; whoever made the study may edit it without a key, and is
    the only one to change the key (`owned`).
    """

    name: str
    title: str
    may_edit: bool
    owned: bool
    key_fits: bool
    chapters: list[ChapterInfo]


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """A chapter as a tree of moves."""

    number: int
    version: int
    title: str
    tree: move_tree.Tree


@dataclass(frozen=True, kw_only=True)
class ChapterChange:
    """A changed chapter, with the version that the change is based on."""

    version: Number
    title: Title
    tree: move_tree.TreeRequest


@dataclass(frozen=True, kw_only=True)
class ChapterRemoval:
    """A chapter to remove, with the version that is known."""

    version: Number


@dataclass(frozen=True, kw_only=True)
class StudyChange:
    """A new title of a study."""

    title: Title


@dataclass(frozen=True, kw_only=True)
class StudyOrder:
    """The numbers of all chapters in a new order."""

    chapters: Annotated[list[Number], Length(MOST_CHAPTERS)]


@dataclass(frozen=True, kw_only=True)
class StudyFile:
    """A part of a file with chapters; `lines_before` are the lines of the file before it, for errors."""

    text: RecordText
    lines_before: Annotated[int, Range(0, 10**9)] = 0


@dataclass(frozen=True, kw_only=True)
class StudyParts:
    """The chapters in the first `read` characters of a part of a file, and the title of their study if they name it."""

    title: str
    chapters: list[NewChapter]
    read: int


@dataclass(frozen=True, kw_only=True)
class StudyText:
    """A study as records in one text, and its file name."""

    text: str
    name: str


@dataclass(frozen=True)
class StudyRequest:
    """A study by its name."""

    name: str


@dataclass(frozen=True)
class OfStudy(Generic[Body]):
    """A change of a study."""

    name: str
    body: Body


@dataclass(frozen=True)
class ChapterRequest:
    """A chapter by its study and its number."""

    name: str
    number: Number


@dataclass(frozen=True)
class OfChapter(Generic[Body]):
    """A change of a chapter."""

    name: str
    number: Number
    body: Body


async def _found(backend: Backend, name: str) -> tuple[StudyRow, list[ChapterRow]]:
    known = await Studies(backend.store).get(name) if len(name) <= MAX_NAME_LENGTH else None
    if known is None:
        raise StatusError(404, UNKNOWN)
    return known


class Rights(NamedTuple):
    """What the caller may do with a study."""

    owned: bool
    key_fits: bool

    @property
    def may_edit(self) -> bool:
        """Whether the caller may change it."""
        return self.owned or self.key_fits


async def _rights(backend: Backend, caller: Caller, row: StudyRow) -> Rights:
    key_fits = bool(caller.study_key) and hmac.compare_digest(_hash(caller.study_key), row.edit_hash)
    if row.person is None:
        return Rights(key_fits, key_fits)
    person = await identity.known(backend.store, caller)
    return Rights(person is not None and person.id == row.person, key_fits)


async def _editable(backend: Backend, caller: Caller, name: str, *, as_owner: bool = False) -> Studies:
    """The studies, of which the caller may change the one of this name."""
    studies = Studies(backend.store)
    row = await studies.row(name) if len(name) <= MAX_NAME_LENGTH else None
    if row is None:
        raise StatusError(404, UNKNOWN)
    rights = await _rights(backend, caller, row)
    if not rights.may_edit:
        raise StatusError(403, READ_ONLY)
    if as_owner and not rights.owned:
        raise StatusError(403, NOT_OWNED)
    return studies


async def _info(backend: Backend, caller: Caller, name: str) -> StudyInfo:
    row, listed = await _found(backend, name)
    infos = [ChapterInfo(number=each.number, version=each.version, title=each.title) for each in listed]
    rights = await _rights(backend, caller, row)
    return StudyInfo(
        name=name,
        title=row.title,
        may_edit=rights.may_edit,
        owned=rights.owned,
        key_fits=rights.key_fits,
        chapters=infos,
    )


async def chapters(backend: Backend, caller: Caller, request: Posted[StudyFile]) -> StudyParts:
    """The chapters in a part of a file. Nothing is stored."""
    return await backend.workers(caller, read_chapters, request.body)


async def new(backend: Backend, caller: Caller, request: Posted[NewStudy]) -> StudyLink:
    """Keeps a study."""
    query, now, studies = request.body, backend.rooms.world.wall(), Studies(backend.store)
    await studies.check_room(shares_of(caller, await identity.known(backend.store, caller)))
    rows = [
        await backend.workers(caller, chapter_of, each, number, now) for number, each in enumerate(query.chapters, 1)
    ]
    name, key = secrets.token_urlsafe(NAME_BYTES), secrets.token_urlsafe(KEY_BYTES)
    person = await identity.known_or_new(backend.store, caller)
    row = StudyRow(name, _hash(key), visible(query.title) or "Study", now, person.id, now)
    await studies.add(row, rows, shares_of(caller, person))
    return StudyLink(name=name, key=key)


async def get(backend: Backend, caller: Caller, request: StudyRequest) -> StudyInfo:
    """A study. This is a visit."""
    row = (await _found(backend, request.name))[0]
    await Studies(backend.store).visit(row, backend.rooms.world.wall())
    return await _info(backend, caller, request.name)


async def rename(backend: Backend, caller: Caller, request: OfStudy[StudyChange]) -> StudyInfo:
    """Gives a study another title."""
    studies = await _editable(backend, caller, request.name)
    await studies.rename(request.name, visible(request.body.title) or "Study")
    return await _info(backend, caller, request.name)


async def change_key(backend: Backend, caller: Caller, request: StudyRequest) -> StudyLink:
    """Gives a study another link to edit. The old one can only read from now on."""
    studies = await _editable(backend, caller, request.name, as_owner=True)
    key = secrets.token_urlsafe(KEY_BYTES)
    await studies.change_key(request.name, _hash(key))
    return StudyLink(name=request.name, key=key)


async def remove_study(backend: Backend, caller: Caller, request: StudyRequest) -> None:
    """Removes a study with all its chapters."""
    studies = await _editable(backend, caller, request.name)
    await studies.remove(request.name)


async def arrange(backend: Backend, caller: Caller, request: OfStudy[StudyOrder]) -> StudyInfo:
    """Puts the chapters of a study into another order; they must be the chapters that it has."""
    studies = await _editable(backend, caller, request.name)
    await studies.arrange(request.name, request.body.chapters)
    return await _info(backend, caller, request.name)


async def text(backend: Backend, caller: Caller, request: StudyRequest) -> StudyText:
    """A study as records, each with the tags of its study and its chapter."""
    return await backend.workers(caller, write_study, *await _found(backend, request.name))


async def add(backend: Backend, caller: Caller, request: OfStudy[NewChapter]) -> ChapterInfo:
    """Adds a chapter at the end of a study."""
    studies = await _editable(backend, caller, request.name)
    row = await backend.workers(caller, chapter_of, request.body, 0, backend.rooms.world.wall())
    row = await studies.add_chapter(request.name, row.title, row.record, row.touched)
    return ChapterInfo(number=row.number, version=row.version, title=row.title)


async def chapter(backend: Backend, caller: Caller, request: ChapterRequest) -> Chapter:
    """A chapter."""
    _, listed = await _found(backend, request.name)
    row = next((each for each in listed if each.number == request.number), None)
    if row is None:
        raise StatusError(404, "There is no such chapter. It may have been removed.")
    tree = await backend.workers(caller, move_tree.read_text, row.record, None)
    return Chapter(number=row.number, version=row.version, title=row.title, tree=tree)


async def change(backend: Backend, caller: Caller, request: OfChapter[ChapterChange]) -> ChapterInfo:
    """Changes a chapter, if it still has the version that the change is based on."""
    number, query = request.number, request.body
    studies = await _editable(backend, caller, request.name)
    record = await backend.workers(caller, record_text, query.tree)
    title = visible(query.title) or f"Chapter {number}"
    new_row = ChapterRow(number, query.version, title, record, backend.rooms.world.wall())
    row = await studies.change_chapter(request.name, new_row)
    return ChapterInfo(number=row.number, version=row.version, title=row.title)


async def remove(backend: Backend, caller: Caller, request: OfChapter[ChapterRemoval]) -> StudyInfo:
    """Removes a chapter, if it still has the version that is known."""
    studies = await _editable(backend, caller, request.name)
    await studies.remove_chapter(request.name, request.number, request.body.version)
    return await _info(backend, caller, request.name)


KEPT = "/api/study/kept/{name}"
WITH_KEY = {STUDY_KEY: "The key of the link to edit: the part of the link after `#key=`."}


def _of_study(method: str, path: str, function: Callable[..., Awaitable[object]], status: int = 200) -> Route:
    """A route of a study, for whoever has its link."""
    return Route(method, KEPT + path, function, status, refusals=REFUSALS, headers=WITH_KEY)


ROUTES = (
    Route(POST, "/api/study/chapters", chapters),
    Route(POST, "/api/study/new", new, status=201),
    _of_study(GET, "", get),
    _of_study(PUT, "", rename),
    _of_study(POST, "/key", change_key),
    _of_study(POST, "/remove", remove_study, 204),
    _of_study(PUT, "/order", arrange),
    _of_study(GET, "/text", text),
    _of_study(POST, "/chapters", add, 201),
    _of_study(GET, "/chapters/{number}/tree", chapter),
    _of_study(PUT, "/chapters/{number}", change),
    _of_study(POST, "/chapters/{number}/remove", remove),
)


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def record_text(request: move_tree.TreeRequest) -> str:
    """A page's tree as the text of a record that can be read back."""
    record = move_tree.record_of(request)
    check_depth(record)
    return _text(record)


def _text(record: Record) -> str:
    text = record.text
    record.root.unlink()
    if len(text) > move_tree.MAX_TEXT_LENGTH:
        raise GameError(
            "A chapter may have at most {longest_text:,} characters, got {count:,}.",
            longest_text=move_tree.MAX_TEXT_LENGTH,
            count=len(text),
        )
    return text


def chapter_of(new: NewChapter, number: int, now: float) -> ChapterRow:
    """A new chapter; its record is checked, and kept in pentad's own format. Number 0 is not known yet."""
    records, end = move_tree.read_some(new.record, None)
    record = only(records)
    if end < len(new.record):
        raise GameError("Expected one game, got several.")
    title = visible(new.title) or (f"Chapter {number}" if number else "")
    return ChapterRow(number, 1, title, _text(record), now)


def read_chapters(part: StudyFile) -> StudyParts:
    """The first chapters in a part of a file."""
    records, end = move_tree.read_some(part.text, None, part.lines_before)
    title = visible(records[0].tags.get(STUDY, ""))[:100]
    found = []
    for record in records:
        name = visible(record.tags.pop(CHAPTER, ""))[:100]
        record.tags.pop(STUDY, None)
        found.append(NewChapter(title=name, record=_text(record)))
    return StudyParts(title=title, chapters=found, read=end)


def write_study(row: StudyRow, listed: list[ChapterRow]) -> StudyText:
    """A study as records."""
    texts = []
    for chapter in listed:
        record = Record.read(chapter.record)
        record.tags = {STUDY: row.title, CHAPTER: chapter.title, **record.tags}
        texts.append(record.text)
        record.root.unlink()
    return StudyText(text="\n".join(texts), name="study.pentad")

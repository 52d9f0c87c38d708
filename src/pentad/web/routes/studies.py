"""Routes of studies: chapters that are kept here and shared by two links, one to read and one to edit.

The link to edit has a secret, of which only a hash is stored. A change of a chapter names the version that it is
based on.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Annotated

from fastapi import APIRouter, HTTPException
from pydantic import Field

from pentad.game import GameError
from pentad.record import Record
from pentad.record.formats import check_depth, only
from pentad.store.rows import ChapterRow, StudyRow
from pentad.store.studies import MOST_CHAPTERS, Studies
from pentad.web import study
from pentad.web.api import Model, refusals
from pentad.web.http.visible_text import visible
from pentad.web.services import Client, Services

STUDY, CHAPTER = "StudyName", "ChapterName"  # the tags of exported records
NAME_BYTES, KEY_BYTES = 9, 18
LONGEST_NAME = 40  # characters of a name that is looked for
UNKNOWN = "There is no study at this link."
READ_ONLY = "This link can only read the study. Nothing was changed."

Title = Annotated[str, Field(max_length=100)]
Key = Annotated[str, Field(max_length=60)]
RecordText = Annotated[str, Field(max_length=study.LONGEST_TEXT)]
Number = Annotated[int, Field(ge=1, le=10**9)]


class NewChapter(Model):
    """A chapter to add: its title, and its record in any format that names its game."""

    title: Title = ""
    record: RecordText


class NewStudy(Model):
    """A study to keep, with its first chapters."""

    title: Title = ""
    chapters: list[NewChapter] = Field(min_length=1, max_length=MOST_CHAPTERS)


class StudyLink(Model):
    """A new study: its name, which is the link to read, and the secret of the link to edit."""

    name: str
    key: str


class ChapterInfo(Model):
    """A chapter in the list of a study."""

    number: int
    version: int
    title: str


class StudyInfo(Model):
    """A study with the list of its chapters."""

    name: str
    title: str
    may_edit: bool
    chapters: list[ChapterInfo]


class Chapter(Model):
    """A chapter as a tree of moves."""

    number: int
    version: int
    title: str
    tree: study.Tree


class ChapterChange(Model):
    """A changed chapter, with the version that the change is based on."""

    key: Key = ""
    version: Number
    title: Title
    tree: study.TreeRequest


class ChapterAddition(NewChapter):
    """A chapter to add to a study."""

    key: Key = ""


class ChapterRemoval(Model):
    """A chapter to remove, with the version that is known."""

    key: Key = ""
    version: Number


class StudyChange(Model):
    """A new title of a study."""

    key: Key = ""
    title: Title


class StudyOrder(Model):
    """The numbers of all chapters in a new order."""

    key: Key = ""
    chapters: list[Number] = Field(max_length=MOST_CHAPTERS)


class StudyRemoval(Model):
    """A study to remove."""

    key: Key = ""


class StudyFile(Model):
    """A part of a file with chapters; `lines_before` are the lines of the file before it, for errors."""

    text: RecordText
    lines_before: int = Field(0, ge=0, le=10**9)


class StudyParts(Model):
    """The chapters in a part of a file, and the title of their study, if they name one."""

    title: str
    chapters: list[NewChapter]


class StudyText(Model):
    """A study as records in one text, and its file name."""

    text: str
    name: str


def router(services: Services) -> APIRouter:
    """The routes of studies."""
    router = APIRouter(
        responses=refusals({403: READ_ONLY, 404: UNKNOWN, 409: "The chapter was changed in another browser."})
    )
    studies, wall = Studies(services.store), services.rooms.world.wall

    async def found(name: str) -> tuple[StudyRow, list[ChapterRow]]:
        known = await studies.get(name) if len(name) <= LONGEST_NAME else None
        if known is None:
            raise HTTPException(404, UNKNOWN)
        return known

    async def editable(name: str, key: str) -> None:
        row = await studies.row(name) if len(name) <= LONGEST_NAME else None
        if row is None:
            raise HTTPException(404, UNKNOWN)
        if not _may_edit(row, key):
            raise HTTPException(403, READ_ONLY)

    @router.post("/api/study/chapters")
    async def chapters(query: StudyFile, client: Client) -> StudyParts:
        """The chapters in a part of a file. Nothing is stored."""
        return await services.background(client, read_chapters, query)

    @router.post("/api/study/new", status_code=201)
    async def new(query: NewStudy, client: Client) -> StudyLink:
        """Keeps a study."""
        rows = [
            await services.background(client, chapter_of, each, number, wall())
            for number, each in enumerate(query.chapters, 1)
        ]
        name, key = secrets.token_urlsafe(NAME_BYTES), secrets.token_urlsafe(KEY_BYTES)
        await studies.add(StudyRow(name, _hash(key), visible(query.title) or "Study", wall()), rows)
        return StudyLink(name=name, key=key)

    @router.get("/api/study/kept/{name}")
    async def get(name: str, key: Key = "") -> StudyInfo:
        """A study; `key` is the secret of the link to edit."""
        row, listed = await found(name)
        infos = [ChapterInfo(number=each.number, version=each.version, title=each.title) for each in listed]
        return StudyInfo(name=name, title=row.title, may_edit=_may_edit(row, key), chapters=infos)

    @router.put("/api/study/kept/{name}")
    async def rename(name: str, query: StudyChange) -> StudyInfo:
        """Gives a study another title."""
        await editable(name, query.key)
        await studies.rename(name, visible(query.title) or "Study")
        return await get(name, query.key)

    @router.post("/api/study/kept/{name}/remove", status_code=204)
    async def remove_study(name: str, query: StudyRemoval) -> None:
        """Removes a study with all its chapters."""
        await editable(name, query.key)
        await studies.remove(name)

    @router.put("/api/study/kept/{name}/order")
    async def arrange(name: str, query: StudyOrder) -> StudyInfo:
        """Puts the chapters of a study into another order; they must be the chapters that it has."""
        await editable(name, query.key)
        await studies.arrange(name, query.chapters)
        return await get(name, query.key)

    @router.get("/api/study/kept/{name}/text")
    async def text(name: str, client: Client) -> StudyText:
        """A study as records, each with the tags of its study and its chapter."""
        row, listed = await found(name)
        return await services.background(client, write_study, row, listed)

    @router.post("/api/study/kept/{name}/chapters", status_code=201)
    async def add(name: str, query: ChapterAddition, client: Client) -> ChapterInfo:
        """Adds a chapter at the end of a study."""
        await editable(name, query.key)
        row = await services.background(client, chapter_of, query, 0, wall())
        row = await studies.add_chapter(name, row.title, row.record, row.touched)
        return ChapterInfo(number=row.number, version=row.version, title=row.title)

    @router.get("/api/study/kept/{name}/chapters/{number}/tree")
    async def chapter(name: str, number: Number, client: Client) -> Chapter:
        """A chapter."""
        _, listed = await found(name)
        row = next((each for each in listed if each.number == number), None)
        if row is None:
            raise HTTPException(404, "There is no such chapter. It may have been removed.")
        tree = await services.background(client, study.read_text, row.record, None)
        return Chapter(number=row.number, version=row.version, title=row.title, tree=tree)

    @router.put("/api/study/kept/{name}/chapters/{number}")
    async def change(name: str, number: Number, query: ChapterChange, client: Client) -> ChapterInfo:
        """Changes a chapter, if it still has the version that the change is based on."""
        await editable(name, query.key)
        record = await services.background(client, record_text, query.tree)
        title = visible(query.title) or f"Chapter {number}"
        row = await studies.change_chapter(name, ChapterRow(number, query.version, title, record, wall()))
        return ChapterInfo(number=row.number, version=row.version, title=row.title)

    @router.post("/api/study/kept/{name}/chapters/{number}/remove")
    async def remove(name: str, number: Number, query: ChapterRemoval) -> StudyInfo:
        """Removes a chapter, if it still has the version that is known."""
        await editable(name, query.key)
        await studies.remove_chapter(name, number, query.version)
        return await get(name, query.key)

    return router


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _may_edit(row: StudyRow, key: str) -> bool:
    return bool(key) and hmac.compare_digest(_hash(key), row.edit_hash)


def record_text(request: study.TreeRequest) -> str:
    """A page's tree as the text of a record that can be read back."""
    record = study.record_of(request)
    check_depth(record)
    return _text(record)


def _text(record: Record) -> str:
    text = record.text
    record.root.unlink()
    if len(text) > study.LONGEST_TEXT:
        raise GameError(f"A chapter may have at most {study.LONGEST_TEXT:,} characters, got {len(text):,}.")
    return text


def chapter_of(new: NewChapter, number: int, now: float) -> ChapterRow:
    """A new chapter; its record is checked, and kept in pentad's own format. Number 0 is not known yet."""
    record = only(study.read_records(new.record, None))
    title = visible(new.title) or (f"Chapter {number}" if number else "")
    return ChapterRow(number, 1, title, _text(record), now)


def read_chapters(part: StudyFile) -> StudyParts:
    """The chapters in a part of a file."""
    records = study.read_records(part.text, None, part.lines_before)
    title = visible(records[0].tags.get(STUDY, ""))[:100]
    found = []
    for record in records:
        name = visible(record.tags.pop(CHAPTER, ""))[:100]
        record.tags.pop(STUDY, None)
        found.append(NewChapter(title=name, record=_text(record)))
    return StudyParts(title=title, chapters=found)


def write_study(row: StudyRow, listed: list[ChapterRow]) -> StudyText:
    """A study as records."""
    texts = []
    for chapter in listed:
        record = Record.read(chapter.record)
        record.tags = {STUDY: row.title, CHAPTER: chapter.title, **record.tags}
        texts.append(record.text)
        record.root.unlink()
    return StudyText(text="\n".join(texts), name="study.pentad")

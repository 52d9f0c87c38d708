"""Studies in the store: added with their first chapters, read, changed chapter by chapter, arranged, and removed.

A change names the version of the chapter that it is based on. If somebody else has changed the chapter since, nothing
changes, so that no change is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, select, update

from pentad.store import rows
from pentad.store.rows import ChapterRow, Conflict, LimitReached, StaleChapter, StoreError, StudyRow
from pentad.store.schema import chapters, studies

if TYPE_CHECKING:
    from pentad.store.store import Store, WriteAttempt

MOST_CHAPTERS = 64

_VERSIONS = select(chapters.c.number, chapters.c.version)


class Studies:
    """The studies of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, study: StudyRow, first: Sequence[ChapterRow]) -> None:
        """Adds a study with its first chapters, numbered from 1."""
        if len(first) > MOST_CHAPTERS:
            raise _too_many()
        row = {**study.columns, "next": len(first) + 1}
        added = [_placed(chapter, study.name) for chapter in first]

        def add(attempt: WriteAttempt) -> None:
            if _row(attempt.connection, study.name) is not None:
                if attempt.again:
                    return
                raise Conflict("The study {name} already exists.", name=study.name)
            attempt.connection.execute(insert(studies), row)
            if added:
                attempt.connection.execute(insert(chapters), added)

        await self._store.write("a new study", add)

    async def get(self, name: str) -> tuple[StudyRow, list[ChapterRow]] | None:
        """A study and its chapters in their order."""
        rows.text("study name", name)

        def find(connection: Connection) -> tuple[StudyRow, list[ChapterRow]] | None:
            row = _row(connection, name)
            if row is None:
                return None
            found = connection.execute(select(chapters).where(chapters.c.study == name).order_by(chapters.c.place))
            return _study(row), [_chapter(each) for each in found]

        return await self._store.read(find)

    async def row(self, name: str) -> StudyRow | None:
        """A study without its chapters."""
        rows.text("study name", name)

        def find(connection: Connection) -> StudyRow | None:
            row = _row(connection, name)
            return None if row is None else _study(row)

        return await self._store.read(find)

    async def rename(self, name: str, title: str) -> None:
        """Gives a study another title."""
        change = update(studies).where(studies.c.name == name).values(title=rows.text("title", title))
        await self._store.write("the title of a study", lambda attempt: attempt.connection.execute(change).rowcount)

    async def change_key(self, name: str, edit_hash: bytes) -> None:
        """Replaces the hash of the key that allows changes."""
        change = update(studies).where(studies.c.name == name).values(edit_hash=rows.key(edit_hash))
        await self._store.write("the key of a study", lambda attempt: attempt.connection.execute(change).rowcount)

    async def remove(self, name: str) -> None:
        """Removes a study with its chapters."""
        rows.text("study name", name)

        def remove(attempt: WriteAttempt) -> None:
            attempt.connection.execute(delete(chapters).where(chapters.c.study == name))
            attempt.connection.execute(delete(studies).where(studies.c.name == name))

        await self._store.write("the removal of a study", remove)

    async def arrange(self, name: str, numbers: Sequence[int]) -> None:
        """Puts all chapters of a study into this order."""
        placed = [{"of": number, "at": place} for place, number in enumerate(numbers, 1)]
        change = update(chapters).where(_is(name, bindparam("of"))).values(place=bindparam("at"))

        def arrange(attempt: WriteAttempt) -> None:
            found = attempt.connection.execute(select(chapters.c.number).where(chapters.c.study == name))
            if sorted(found.scalars()) != sorted(numbers):
                raise StaleChapter("The chapters were changed in another browser.")
            attempt.connection.execute(change, placed)

        await self._store.write("the order of the chapters", arrange)

    async def add_chapter(self, name: str, title: str, record: str, at: float) -> ChapterRow:
        """Adds a chapter at the end; without a title it is called by its number."""

        def add(attempt: WriteAttempt) -> ChapterRow:
            row = _row(attempt.connection, name)
            if row is None:
                raise StoreError("Unknown study {name}.", name=name)
            count = attempt.connection.execute(
                select(func.count()).select_from(chapters).where(chapters.c.study == name)
            ).scalar_one()
            if count >= MOST_CHAPTERS:
                raise _too_many()
            chapter = ChapterRow(row.next, 1, title or f"Chapter {row.next}", record, at)
            attempt.connection.execute(insert(chapters), _placed(chapter, name))
            attempt.connection.execute(update(studies).where(studies.c.name == name).values(next=row.next + 1))
            return chapter

        return await self._store.write("a new chapter", add)

    async def change_chapter(self, name: str, chapter: ChapterRow) -> ChapterRow:
        """Changes a chapter of which the caller has the version in `chapter`; returns it with the next version."""
        after = chapter._replace(version=chapter.version + 1)
        columns = after.columns(name)
        same = and_(_is(name, chapter.number), chapters.c.version == chapter.version)

        def change(attempt: WriteAttempt) -> None:
            if attempt.connection.execute(update(chapters).where(same).values(**columns)).rowcount:
                return
            now = attempt.connection.execute(select(chapters).where(_is(name, chapter.number))).first()
            if now is None:
                raise StaleChapter("This chapter was deleted in another browser.")
            if not (attempt.again and _chapter(now) == after):
                raise StaleChapter("This chapter was changed in another browser.")

        await self._store.write("a chapter", change)
        return after

    async def remove_chapter(self, name: str, number: int, version: int) -> None:
        """Removes a chapter of which the caller has this version; a study keeps at least one chapter."""
        same = and_(_is(name, number), chapters.c.version == version)

        def remove(attempt: WriteAttempt) -> None:
            found = attempt.connection.execute(_VERSIONS.where(chapters.c.study == name))
            versions: dict[int, int] = {row.number: row.version for row in found}
            if number not in versions:
                return  # it is gone already
            if len(versions) == 1:
                raise LimitReached("A study has at least one chapter.")
            if attempt.connection.execute(delete(chapters).where(same)).rowcount == 0:
                raise StaleChapter("This chapter was changed in another browser.")

        await self._store.write("the removal of a chapter", remove)


def _row(connection: Connection, name: str) -> Any:
    return connection.execute(select(studies).where(studies.c.name == name)).first()


def _placed(chapter: ChapterRow, study: str) -> dict[str, Any]:
    """A new chapter as a row: the last one, as its number is the highest."""
    return {**chapter.columns(study), "place": chapter.number}


def _is(name: str, number: Any) -> Any:
    return and_(chapters.c.study == name, chapters.c.number == number)


def _study(row: Any) -> StudyRow:
    return StudyRow(row.name, row.edit_hash, row.title, row.created)


def _chapter(row: Any) -> ChapterRow:
    return ChapterRow(row.number, row.version, row.title, row.record, row.touched)


def _too_many() -> LimitReached:
    return LimitReached("A study has at most {most_chapters} chapters.", most_chapters=MOST_CHAPTERS)

"""Studies in the store: added with their first chapters, read, changed chapter by chapter, arranged, and removed.

A change names the version of the chapter that it is based on. If somebody else has changed the chapter since, nothing
changes, so that no change is lost.

The size of a study counts to the shares of storage that it was made with, whoever changes it later. A study that nobody
visits for a year is removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, and_, bindparam, delete, desc, func, insert, select, update

from pentad.store import quotas, rows
from pentad.store.quotas import Share, Use
from pentad.store.rows import ChapterRow, Conflict, LimitReached, StaleChapter, StoreError, StudyRow
from pentad.store.schema import chapters, studies, study_shares

if TYPE_CHECKING:
    from pentad.store.store import Store, WriteAttempt

MOST_CHAPTERS = 64
DAY = 24 * 3600.0
KEPT_UNVISITED_SECONDS = 365 * DAY
SWEEP_BATCH = 50


class Studies:
    """The studies of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, study: StudyRow, first: Sequence[ChapterRow], shares: Sequence[Share] = ()) -> None:
        """Adds a study with its first chapters, numbered from 1; `StorageFull` if one of its shares has no room."""
        if len(first) > MOST_CHAPTERS:
            raise _too_many()
        size = sum(chapter.size for chapter in first)
        row = {**study.columns, "next": len(first) + 1, "size": size}
        added = [_placed(chapter, study.name) for chapter in first]

        def add(attempt: WriteAttempt) -> None:
            if _row(attempt.connection, study.name) is not None:
                if attempt.again:
                    return
                raise Conflict("The study {name} already exists.", name=study.name)
            quotas.take(attempt.connection, shares, Use(1, size))
            attempt.connection.execute(insert(studies), row)
            if added:
                attempt.connection.execute(insert(chapters), added)
            if shares:
                of_study = [{"study": study.name, "share": each.key, "times": each.times} for each in shares]
                attempt.connection.execute(insert(study_shares), of_study)

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
            remove_studies(attempt.connection, [name])

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
            _grow(attempt.connection, name, chapter.size)
            attempt.connection.execute(insert(chapters), _placed(chapter, name))
            attempt.connection.execute(update(studies).where(studies.c.name == name).values(next=row.next + 1))
            return chapter

        return await self._store.write("a new chapter", add)

    async def change_chapter(self, name: str, chapter: ChapterRow) -> ChapterRow:
        """Changes a chapter of which the caller has the version in `chapter`; returns it with the next version."""
        after = chapter._replace(version=chapter.version + 1)
        columns = after.columns(name)

        def change(attempt: WriteAttempt) -> None:
            now = attempt.connection.execute(select(chapters).where(_is(name, chapter.number))).first()
            if now is None:
                raise StaleChapter("This chapter was deleted in another browser.")
            before = _chapter(now)
            if before.version == chapter.version:
                _grow(attempt.connection, name, after.size - before.size)
                attempt.connection.execute(update(chapters).where(_is(name, chapter.number)).values(**columns))
            elif not (attempt.again and before == after):
                raise StaleChapter("This chapter was changed in another browser.")

        await self._store.write("a chapter", change)
        return after

    async def remove_chapter(self, name: str, number: int, version: int) -> None:
        """Removes a chapter of which the caller has this version; a study keeps at least one chapter."""

        def remove(attempt: WriteAttempt) -> None:
            found = attempt.connection.execute(select(chapters).where(chapters.c.study == name))
            known = {row.number: _chapter(row) for row in found}
            if number not in known:
                return  # it is gone already
            if len(known) == 1:
                raise LimitReached("A study has at least one chapter.")
            if known[number].version != version:
                raise StaleChapter("This chapter was changed in another browser.")
            attempt.connection.execute(delete(chapters).where(_is(name, number)))
            _grow(attempt.connection, name, -known[number].size)

        await self._store.write("the removal of a chapter", remove)

    # ── persons, visits and quotas ───────────────────────────────────────────────────────────────

    async def of_person(self, person: int) -> list[tuple[StudyRow, int]]:
        """The studies that a person has made and their numbers of chapters, the last visited first."""
        count = select(func.count()).select_from(chapters).where(chapters.c.study == studies.c.name).scalar_subquery()
        query = select(studies, count.label("chapters")).where(studies.c.person == person)
        query = query.order_by(desc(studies.c.visited), studies.c.name)

        def find(connection: Connection) -> list[tuple[StudyRow, int]]:
            return [(_study(row), row.chapters) for row in connection.execute(query)]

        return await self._store.read(find)

    async def check_room(self, shares: Sequence[Share]) -> None:
        """Refuses a new study where there is no room, before it is read."""

        def check(connection: Connection) -> None:
            quotas.check(connection, shares, Use(1, 0))

        await self._store.read(check)

    async def use(self, share: Share) -> Use:
        """What a share has."""
        return await self._store.read(lambda connection: quotas.use_of(connection, share))

    async def visit(self, study: StudyRow, now: float) -> None:
        """Notes a visit, at most once a day."""
        if now - study.visited < DAY:
            return
        change = update(studies).where(studies.c.name == study.name).values(visited=rows.seconds("time", now))
        await self._store.write("a visit of a study", lambda attempt: attempt.connection.execute(change).rowcount)

    async def sweep(self, before: float) -> int:
        """Removes the studies without a visit since `before`; returns their count."""
        idle = select(studies.c.name).where(studies.c.visited < rows.seconds("time", before)).limit(SWEEP_BATCH)

        def remove(attempt: WriteAttempt) -> int:
            names = list(attempt.connection.execute(idle).scalars())
            remove_studies(attempt.connection, names)
            return len(names)

        swept, more = 0, SWEEP_BATCH
        while more == SWEEP_BATCH:  # in small batches, so that moves do not wait
            more = await self._store.write("the removal of old studies", remove)
            swept += more
        return swept


def _grow(connection: Connection, name: str, more: int) -> None:
    """Counts more bytes to a study and its shares."""
    quotas.take(connection, quotas.shares_of(connection, name), Use(0, more))
    connection.execute(update(studies).where(studies.c.name == name).values(size=studies.c.size + more))


def remove_studies(connection: Connection, names: Sequence[str]) -> None:
    """Removes studies with their chapters, whose persons and networks have the room for others."""
    quotas.give_back(connection, names)
    connection.execute(delete(chapters).where(chapters.c.study.in_(names)))
    connection.execute(delete(studies).where(studies.c.name.in_(names)))


def _row(connection: Connection, name: str) -> Any:
    return connection.execute(select(studies).where(studies.c.name == name)).first()


def _placed(chapter: ChapterRow, study: str) -> dict[str, Any]:
    """A new chapter as a row: the last one, as its number is the highest."""
    return {**chapter.columns(study), "place": chapter.number}


def _is(name: str, number: Any) -> Any:
    return and_(chapters.c.study == name, chapters.c.number == number)


def _study(row: Any) -> StudyRow:
    return StudyRow(row.name, row.edit_hash, row.title, row.created, row.person, row.visited, row.size)


def _chapter(row: Any) -> ChapterRow:
    return ChapterRow(row.number, row.version, row.title, row.record, row.touched)


def _too_many() -> LimitReached:
    return LimitReached("A study has at most {most_chapters} chapters.", most_chapters=MOST_CHAPTERS)

"""Quotas of storage: what persons and networks have, as studies are added, changed and removed."""

import asyncio
import contextlib
from collections.abc import Callable

import pytest
import sqlalchemy
from alembic import command

from pentad.store import Store, database, quotas
from pentad.store.database import WRITES, DatabaseLocation
from pentad.store.quotas import MOST_BYTES, MOST_STUDIES, Share, Use
from pentad.store.rows import ChapterRow, LimitReached, StorageFull, StudyRow
from pentad.store.studies import DAY, KEPT_UNVISITED_SECONDS, SWEEP_BATCH, Studies

PERSON, OTHER = Share.of_person(1), Share.of_person(2)
HOME, STREET = Share.of_network("192.0.2.1", 4), Share.of_network("192.0.2.0/24", 64)
ALL = (PERSON, HOME, STREET)


def study(name: str, person: int | None = None, visited: float = 1000.0) -> StudyRow:
    return StudyRow(name, b"hash", "A study", 1000.0, person, visited)


def chapter(size: int, number: int = 1, version: int = 1) -> ChapterRow:
    """A chapter of so many bytes."""
    return ChapterRow(number, version, "title", "x" * (size - 5), 1000.0)


async def uses(store: Store) -> list[tuple[int, int]]:
    """What the person, the address and the network have; as it is stored, which is as it is counted again."""
    stored, counted = await store.read(lambda at: (quotas.stored_use(at), quotas.counted_use(at)))
    assert stored == counted
    return [tuple(await Studies(store).use(each)) for each in ALL]


def test_what_is_added_changed_and_removed_is_counted(store: Store) -> None:
    async def run() -> None:
        studies = Studies(store)
        await studies.add(study("a"), [chapter(100), chapter(50, 2)], ALL)
        await studies.add(study("b"), [chapter(10)], (OTHER, STREET))
        await studies.add(study("direct"), [chapter(1000)])
        assert await uses(store) == [(1, 150), (1, 150), (2, 160)]
        await studies.change_chapter("a", chapter(70, 2))
        assert await uses(store) == [(1, 170), (1, 170), (2, 180)]
        await studies.change_chapter("a", chapter(60, 2, version=2))
        added = await studies.add_chapter("a", "title", "x" * 35, 1000.0)
        assert await uses(store) == [(1, 200), (1, 200), (2, 210)]
        await studies.remove_chapter("a", added.number, 1)
        row = await studies.row("a")
        assert row is not None
        assert row.size == 160
        await studies.remove("a")
        assert await uses(store) == [(0, 0), (0, 0), (1, 10)]
        await studies.remove("a")
        await studies.remove("direct")
        assert await uses(store) == [(0, 0), (0, 0), (1, 10)]

    asyncio.run(run())


def test_a_full_quota_refuses_more_and_takes_less(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MOST_BYTES", 100)

    async def run() -> None:
        studies = Studies(store)
        await studies.add(study("a"), [chapter(100)], ALL)
        before = await uses(store)
        for change in (
            lambda: studies.add(study("b"), [chapter(10)], ALL),
            lambda: studies.add_chapter("a", "title", "x", 1000.0),
            lambda: studies.change_chapter("a", chapter(101)),
        ):
            with pytest.raises(LimitReached, match=r"You have .* of .* MB"):
                await change()
        assert await studies.row("b") is None
        assert await uses(store) == before
        await studies.change_chapter("a", chapter(90))
        await studies.add(study("b"), [chapter(10)], ALL)
        for number in range(3):
            await studies.add(study(f"c{number}"), [chapter(100)], (Share.of_person(10 + number), HOME))
        with pytest.raises(LimitReached, match="People in your network"):
            await studies.add(study("d"), [chapter(10)], (OTHER, HOME))

    asyncio.run(run())


def test_a_person_and_a_network_have_a_limited_number_of_studies(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MOST_STUDIES", 2)

    async def run() -> None:
        studies = Studies(store)
        for number in range(8):
            await studies.add(study(f"s{number}"), [chapter(9)], (Share.of_person(number // 2), HOME))
        with pytest.raises(LimitReached, match="You have 2 of 2 studies"):
            await studies.add(study("more"), [chapter(9)], (Share.of_person(0), STREET))
        with pytest.raises(LimitReached, match="have 8 of 8 studies together"):
            await studies.add(study("more"), [chapter(9)], (Share.of_person(9), HOME))

    asyncio.run(run())


def test_one_who_owns_many_networks_does_not_take_the_room_of_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network may have as much as is left; whoever owns many of them leaves as much as one of them has."""
    monkeypatch.setattr(quotas, "MOST_BYTES", 100)
    monkeypatch.setattr(quotas, "OF_ALL", 10)

    def shares(person: int, network: str) -> list[Share]:
        return [Share.of_person(person), Share.of_network(network, 64), Share.of_all()]

    async def run() -> None:
        studies, made = Studies(store), 0
        for network in ("a", "b", "c", "d"):
            for _ in range(20):
                made += 1
                with contextlib.suppress(StorageFull):
                    await studies.add(study(f"s{made}"), [chapter(50)], shares(made, network))
        used = [(await studies.use(Share.of_network(each, 64))).size for each in "abcd"]
        assert used == [500, 250, 100, 50]
        with pytest.raises(StorageFull, match="All people here have"):
            await studies.add(study("more"), [chapter(50)], shares(1000, "a"))
        await studies.add(study("honest"), [chapter(50)], shares(1001, "e"))
        for number in range(1, 11):
            await studies.remove(f"s{number}")
        await studies.add(study("again"), [chapter(50)], shares(1000, "a"))
        assert (await studies.use(Share.of_all())).size == 500

    asyncio.run(run())


def test_the_number_of_all_studies_is_limited(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MOST_STUDIES", 2)
    monkeypatch.setattr(quotas, "OF_ALL", 4)

    async def run() -> None:
        studies = Studies(store)
        for number in range(4):
            await studies.add(study(f"s{number}"), [chapter(9)], (Share.of_person(number), HOME, Share.of_all()))
        with pytest.raises(StorageFull, match="4 of 8 studies together"):
            await studies.check_room((OTHER, HOME, Share.of_all()))
        await studies.check_room((OTHER, STREET, Share.of_all()))

    asyncio.run(run())


def test_shares_are_hashes_of_names() -> None:
    assert len({each.key for each in (*ALL, OTHER)}) == 4
    assert not any(b"192" in each.key for each in ALL)
    assert (MOST_STUDIES, MOST_BYTES) == (200, 16 << 20)


def test_a_study_without_a_visit_is_swept(store: Store) -> None:
    async def run() -> None:
        studies, now = Studies(store), 1000.0 + KEPT_UNVISITED_SECONDS + 1
        for number in range(SWEEP_BATCH + 1):
            await studies.add(study(f"old{number}"), [chapter(9)], (PERSON,))
        await studies.add(study("kept"), [chapter(9)], (PERSON,))
        row = await studies.row("kept")
        assert row is not None
        await studies.visit(row, now)
        await studies.visit(row._replace(visited=now), now + DAY - 1)  # at most once a day
        kept = await studies.row("kept")
        assert kept is not None
        assert kept.visited == now
        assert await studies.sweep(now - KEPT_UNVISITED_SECONDS) == SWEEP_BATCH + 1
        assert await studies.row("old0") is None
        assert await uses(store) == [(1, 9), (0, 0), (0, 0)]
        assert await studies.sweep(now - KEPT_UNVISITED_SECONDS) == 0

    asyncio.run(run())


def test_the_studies_of_a_person(store: Store) -> None:
    async def run() -> None:
        studies = Studies(store)
        person = await store.add_person(b"key", "Ada")
        for name, visited in (("a", 2000.0), ("b", 3000.0)):
            await studies.add(study(name, person.id, visited), [chapter(9)])
        await studies.add(study("c"), [chapter(9)])
        assert [(row.name, row.size, count) for row, count in await studies.of_person(person.id)] == [
            ("b", 9, 1),
            ("a", 9, 1),
        ]

    asyncio.run(run())


def test_a_quota_survives_a_restart(new_url: Callable[[], str]) -> None:
    url = new_url()
    for number in (1, 2):
        store = Store.open(url)
        asyncio.run(Studies(store).add(study(f"s{number}"), [chapter(9)], ALL))
        assert asyncio.run(Studies(store).use(HOME)) == Use(number, 9 * number)
        store.close()


def test_studies_from_before_the_quotas_are_kept(url: str) -> None:
    """The second migration adds their sizes, and their year begins with it."""
    engine = DatabaseLocation(url).engine()
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        config = database._alembic()
        config.attributes["connection"] = connection
        command.upgrade(config, "1")
        for statement in (
            "INSERT INTO studies (name, edit_hash, title, created, next) VALUES ('old', 'h', 'Old', 1000, 3)",
            "INSERT INTO chapters VALUES ('old', 1, 1, 1, 'één', 'x', 1000), ('old', 2, 2, 1, 'two', 'yz', 1000)",
        ):
            statement = statement.replace("'h'", "X'00'") if engine.dialect.name == "sqlite" else statement
            connection.execute(sqlalchemy.text(statement))
    engine.dispose()
    store = Store.open(url)
    found = asyncio.run(Studies(store).get("old"))
    store.close()
    assert found is not None
    row, chapters = found
    assert (row.size, row.person, len(chapters)) == (len("één".encode()) + 1 + 3 + 2, None, 2)
    assert row.visited > 1e9

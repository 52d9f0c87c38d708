"""The archive: opening trees of finished games, read a few at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pentad
from pentad.game import Position
from pentad.store import Store
from pentad.store.rows import EventRow, SeatRow
from pentad.web.rooms.archive import Archive, OpeningsFound
from pentad.web.rooms.room import RoomEnvironment
from tests.web.archived import add_finished
from tests.web.room_fixtures import SlowEngines


def with_archive(folder: Path, visit: Callable[[Store, Archive], Awaitable[None]], **limits: int) -> None:
    store = Store.open(f"sqlite:///{folder}/games.db")
    try:
        asyncio.run(visit(store, Archive(RoomEnvironment(store, cast(Any, SlowEngines())), **limits)))
    finally:
        store.close()


def counts(found: OpeningsFound, position: Position) -> dict[str, tuple[int, ...]]:
    return {str(move): tuple(rest) for move, *rest in found.tree.branches(position)}


def test_only_finished_games_of_the_kind_are_in_the_tree(tmp_path: Path) -> None:
    async def visit(store: Store, archive: Archive) -> None:
        await add_finished(store, "one", "pente", ["K10", "K11", "N10"])
        await add_finished(store, "two", "pente", ["K10", "L10"], loser=0)
        await add_finished(store, "other", "pentago", ["a2 1C"])
        found = await archive.tree("pente")
        assert found[1:] == (2, 0)
        start = pentad.new("pente")
        assert counts(found, start) == {"K10": (2, 1, 0, 1)}
        assert counts(found, start.play("K10")) == {
            "J10": (2, 1, 0, 1)
        }  # the mirrored ones, K11 and L10, are counted there
        assert (await archive.tree("pente"))[1:] == (2, 0)  # none is counted twice
        await add_finished(store, "three", "pente", ["K10", "M10"])
        assert counts(await archive.tree("pente"), start) == {"K10": (3, 2, 0, 1)}

    with_archive(tmp_path, visit)


def test_a_large_archive_is_read_in_parts_up_to_a_limit(tmp_path: Path) -> None:
    async def visit(store: Store, archive: Archive) -> None:
        for number in range(7):
            await add_finished(store, f"game{number}", "pente", ["K10"])
        first, *others = await asyncio.gather(*(archive.tree("pente") for _ in range(3)))  # one after the other
        assert [first[1:], *(each[1:] for each in others)] == [(2, 3), (4, 1), (5, 0)]
        assert (await archive.tree("pente"))[1:] == (5, 0)

    with_archive(tmp_path, visit, latest=5, at_once=2)


def test_games_that_are_no_longer_among_the_latest_are_forgotten(tmp_path: Path) -> None:
    async def visit(store: Store, archive: Archive) -> None:
        found = []
        for name in "fedcba":  # games of the same time are listed by their names
            await add_finished(store, name, "pente", ["K10"])
            found.append((await archive.tree("pente"))[1:])
        assert found == [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (2, 0)]

    with_archive(tmp_path, visit, latest=2)


def test_the_moves_of_a_person_count_once_in_a_position(tmp_path: Path) -> None:
    async def visit(store: Store, archive: Archive) -> None:
        ada, bob = [(await store.add_person(name.encode(), name)).id for name in ("Ada", "Bob")]
        bot = SeatRow("engine@1")
        against_bot = (SeatRow("human", ada, "Ada"), bot)
        for number in range(5):
            await add_finished(store, f"a{number}", "pente", ["K10", "K11"], seats=against_bot)
        await add_finished(store, "b", "pente", ["K10", "K11"], seats=(SeatRow("human", bob, "Bob"), bot), loser=0)
        found = await archive.tree("pente")
        assert found.games == 6
        start = pentad.new("pente")
        assert counts(found, start) == {"K10": (2, 1, 0, 1)}
        assert counts(found, start.play("K10")) == {"J10": (2, 1, 0, 1)}  # the bot's moves too
        await add_finished(store, "c", "pente", ["K10", "M10"], seats=against_bot)
        assert counts(await archive.tree("pente"), start.play("K10")) == {"J10": (2, 1, 0, 1)}  # nor does another move
        both = SeatRow("human", bob, "Bob"), SeatRow("human", ada, "Ada")
        await add_finished(store, "private", "pente", ["K10", "M10"], seats=both)
        assert (await archive.tree("pente")).games == 7
        await add_finished(store, "public", "pente", ["K10", "M10", "N10"], seats=both, listed=True)
        found = await archive.tree("pente")
        assert found.games == 8
        after = start.play("K10").play("M10")
        assert sum(branch.times for branch in found.tree.branches(after)) == 1  # which Bob had not reached before

    with_archive(tmp_path, visit)


class EmptyStore:
    """A store whose games are removed before they are read."""

    async def finished_games(self, game: str, limit: int) -> list[str]:
        return [f"game{number}" for number in range(2000)][:limit]

    async def game(self, name: str) -> None: ...


def test_twenty_of_the_latest_thousand_games_are_read_at_once_and_removed_ones_are_left_out() -> None:
    archive = Archive(RoomEnvironment(cast(Any, EmptyStore()), cast(Any, SlowEngines())))
    assert asyncio.run(archive.tree("pente"))[1:] == (0, 980)


def test_a_damaged_game_is_left_out(tmp_path: Path, caplog: Any) -> None:
    async def visit(store: Store, archive: Archive) -> None:
        await add_finished(store, "good", "pente", ["K10"])
        await add_finished(store, "bad", "pente", ["K10"])
        await store.add_event("bad", EventRow(2, "play", 0, "Z99", 3000.0, ()), moves=2, result="1-0")
        assert (await archive.tree("pente"))[1:] == (1, 0)
        assert "Cannot read game bad" in caplog.text

    with_archive(tmp_path, visit)

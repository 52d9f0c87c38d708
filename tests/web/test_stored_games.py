"""Check of stored games and studies in each kind of database; `tests/terminal/test_database.py` breaks them."""

from __future__ import annotations

import pytest
import sqlalchemy

from pentad.game import GameError
from pentad.store import moderation
from pentad.store.backups import Inspected, inspected
from pentad.store.database import DatabaseLocation
from pentad.web.stored_games import StoredThing, check, stored_things
from tests.store import real_games
from tests.store.conftest import cluster as cluster
from tests.store.conftest import new_url as new_url
from tests.store.conftest import url as url


def results(database: Inspected, things: list[StoredThing]) -> list[int | str]:
    """The size of each, or what is wrong with it."""
    found: list[int | str] = []
    for thing in things:
        try:
            found.append(check(database, thing))
        except GameError as error:
            found.append(str(error))
    return found


def test_each_database_is_checked(url: str) -> None:
    real_games.make(url)
    with inspected(url) as database:
        things = stored_things(database)
        assert [(thing.kind, thing.name) for thing in things] == [
            ("game", "g0"),
            ("game", "g1"),
            ("study", "s"),
            ("storage", "of quotas"),
            *(("table", name) for name in moderation.TABLES),
        ]
        assert results(database, things) == [4, 4, 1, 0, *(0 for _ in moderation.TABLES)]
        with database.engine.begin() as connection:
            connection.execute(sqlalchemy.text("DELETE FROM events WHERE game = 'g0' AND number = 3"))
            connection.execute(sqlalchemy.text("DELETE FROM games WHERE name = 'g1'"))
            connection.execute(sqlalchemy.text("DROP TABLE chapters"))
        lost, removed, failed, *_ = results(database, things)
    assert (lost, removed) == ("Expected 4 events, found 3.", 0)
    assert "chapters" in str(failed)


def test_an_empty_database_is_not_ours(url: str) -> None:
    DatabaseLocation(url).engine().dispose()
    with pytest.raises(GameError, match="is not a pentad database"), inspected(url):
        pass

"""Opening: whatever a URL or a database may be, it is used, or refused in one line and left as it is."""

import asyncio
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from pentad.game import GameError
from pentad.store import Store, Turn, schema
from pentad.store.database import Location
from pentad.store.open_database import MIGRATIONS, open_engine
from pentad.store.schema import HEAD, VERSION_TABLE, metadata
from tests.store.postgres import Cluster
from tests.store.rows import game


def refusal(url: str | None) -> str:
    with pytest.raises(GameError) as refused:
        Store.open(url)
    message = str(refused.value)
    assert "\n" not in message
    assert not message.endswith(".")
    return message


def run_sql(url: str, *statements: str) -> None:
    engine = Location(url).engine()
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(sqlalchemy.text(statement))
    engine.dispose()


# ── as it should be ──────────────────────────────────────────────────────────────────────────────


def test_without_a_url_it_is_in_the_users_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PENTAD_HOME", str(tmp_path / "new" / "50% of it"))
    store = Store.open()
    asyncio.run(store.add_game(game("g")))
    store.close()
    file = tmp_path / "new" / "50% of it" / "pentad.db"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with sqlite3.connect(file) as raw:
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert raw.execute("SELECT name FROM games").fetchall() == [("g",)]
    raw.close()


def test_sqlite_keeps_what_it_has_confirmed_and_what_belongs_together(file):
    engine = open_engine(Location(f"sqlite:///{file}"))
    with engine.connect() as connection:
        found = [connection.exec_driver_sql(f"PRAGMA {each}").scalar() for each in ("synchronous", "foreign_keys")]
    engine.dispose()
    assert found == [2, 1]  # FULL, ON


def test_the_tables_are_what_the_migrations_make(url):
    engine = open_engine(Location(url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_lists_are_found_by_an_index(file):
    asked = {"games_to_be_joined": schema.to_be_joined, "games_unplayed": schema.unplayed}
    engine = open_engine(Location(f"sqlite:///{file}"))
    with engine.connect() as connection:
        for index, where in asked.items():
            query = sqlalchemy.select(schema.games).where(where).order_by(schema.games.c.created)
            words = str(query.compile(engine, compile_kwargs={"literal_binds": True}))
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {words}").all()
            assert [f"USING INDEX {index}" in step.detail for step in plan] == [True]
    engine.dispose()


def test_the_last_migration_is_known():
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_opening_again_finds_what_was_kept(url):
    for name in ("g", "h"):
        store = Store.open(url)
        asyncio.run(store.add_game(game(name)))
        rows = asyncio.run(store.open_games())
        store.close()
    assert [row.name for row in rows] == ["g", "h"]


def make_first_version(url: str, *statements: str) -> None:
    """A database as the first release made it."""
    engine = Location(url).engine()
    with engine.connect().execution_options(pentad_writes=True) as connection, connection.begin():
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        for statement in statements:
            connection.execute(sqlalchemy.text(statement))
    engine.dispose()


def test_a_database_of_the_first_version_is_brought_up_to_date(url):
    no, yes = ("0", "1") if url.startswith("sqlite") else ("false", "true")
    seats = '[["human",1,"Ada"]]'
    columns = "name, game, start, options, seats, time, listed, created, touched, moves, open, played, events"
    make_first_version(
        url,
        "INSERT INTO persons (id, key_hash, name) VALUES (1, 'key', 'Ada')",
        f"INSERT INTO games ({columns}) VALUES ('g', 'pentago', 'the start', '{{}}', '{seats}', '{{}}', "
        f"{yes}, 1000.0, 1000.0, 3, {no}, {yes}, 3)",
        "INSERT INTO sitters (game, seat, person) VALUES ('g', 0, 1)",
    )
    store = Store.open(url)
    ((row, _),) = asyncio.run(store.games_of(1))
    assert (row.name, row.moves, row.turn) == ("g", 3, Turn())
    assert asyncio.run(store.without_turn(1, 10)) == ["g"]
    asyncio.run(store.set_turn("g", 3, Turn(0, 2000.0)))
    ((row, _),) = asyncio.run(store.games_of(1))
    store.close()
    assert row.turn == Turn(0, 2000.0)


def test_several_may_open_a_new_database_at_once(url):
    script = "import sys; from pentad.store import Store; sys.stdin.read(1); Store.open(sys.argv[1]).close()"
    several = [
        subprocess.Popen([sys.executable, "-c", script, url], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    for each in several:  # all have imported what they need, or nearly
        each.stdin.write(b"!")
        each.stdin.flush()
    told = [each.communicate()[1] for each in several]
    assert [(each.returncode, words) for each, words in zip(several, told, strict=True)] == [(0, b"")] * 4
    Store.open(url).close()


# ── URLs ─────────────────────────────────────────────────────────────────────────────────────────

WRITTEN = "sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/DATABASE"
WRONG = {
    "hunter2": f"the URL of a database is written {WRITTEN}",
    "postgresql://ada:hunter2@host:port/games": f"the URL of a database is written {WRITTEN}",
    "mysql://ada:hunter2@host/games": f"a database is {WRITTEN}, not mysql",
    "postgresql+asyncpg://ada:hunter2@host/games": f"a database is {WRITTEN}, not postgresql+asyncpg",
    "sqlite://": "a database of SQLite is a file, written sqlite:///FILE",
    "sqlite:///:memory:": "a database of SQLite is a file, written sqlite:///FILE",
    "sqlite://host/file": "a database of SQLite is a file, written sqlite:///FILE",
    "sqlite:///file?mode=ro": "a database of SQLite is a file, written sqlite:///FILE",
}


@pytest.mark.parametrize(("url", "why"), WRONG.items())
def test_a_wrong_url_is_refused_and_its_password_not_shown(url, why):
    assert refusal(url) == why


@pytest.mark.parametrize("query", ["", "?password=hunter2", "?colour=hunter2"])
def test_a_server_that_cannot_be_reached_is_named_without_the_password(query):
    pytest.importorskip("psycopg")
    message = refusal(f"postgres://ada:hunter2@127.0.0.1:1/games{query}")
    assert message.startswith("the database postgresql+psycopg://ada:***@127.0.0.1:1/games cannot be used: ")
    assert "hunter2" not in message


def test_without_psycopg_it_says_which_extra_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert refusal("postgresql://host/games").endswith("pip install 'pentad[postgres]'")


def test_a_database_that_is_not_there(cluster: Cluster):
    assert 'database "nowhere" does not exist' in refusal(f"postgresql://pentad@/nowhere?host={cluster.folder}")


def test_a_database_without_unicode(cluster: Cluster):
    assert "must be made with the encoding UTF8, and has LATIN1" in refusal(cluster.latin1_url())


# ── databases that are none of ours, or no longer one ────────────────────────────────────────────


def test_a_database_of_something_else_is_left_as_it_is(url):
    run_sql(url, "CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('soup')")
    assert "is no database of pentad: it has tables of something else in it" in refusal(url)
    engine = Location(url).engine()
    assert sqlalchemy.inspect(engine).get_table_names() == ["recipes"]
    engine.dispose()


def test_a_file_of_something_else_keeps_its_journal(file):
    run_sql(f"sqlite:///{file}", "CREATE TABLE recipes (name TEXT)")
    before = file.read_bytes()
    refusal(f"sqlite:///{file}")
    assert file.read_bytes() == before


def test_a_database_of_a_newer_version_is_left_as_it_is(url):
    Store.open(url).close()
    run_sql(url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    assert f"was made by a newer pentad (its version is 9999, here {HEAD})" in refusal(url)


def write_garbage(file: Path) -> None:
    file.write_bytes(b"this is no database at all. " * 1000)


def write_half(file: Path) -> None:
    Store.open(f"sqlite:///{file}").close()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])


def make_a_folder(file: Path) -> None:
    file.mkdir()


def make_its_folder_a_file(file: Path) -> None:
    file.parent.rmdir()
    file.parent.write_text("a file")


BROKEN = {
    write_garbage: "cannot be used: file is not a database",
    write_half: "cannot be used: database disk image is malformed",
    make_a_folder: "cannot be used: unable to open database file",
    make_its_folder_a_file: "cannot be made: File exists",
}


def test_where_the_usual_place_is_of_no_use_others_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").touch()
    home = tmp_path / "file" / "home"
    monkeypatch.setenv("PENTAD_HOME", str(home))
    assert refusal(None) == (
        f"the database {home / 'pentad.db'} cannot be made: Not a directory; PENTAD_HOME names another folder, "
        "--database another database"
    )


@pytest.mark.parametrize(("break_it", "why"), BROKEN.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_broken_file_is_refused(file: Path, break_it: Callable[[Path], None], why: str):
    break_it(file)
    assert refusal(f"sqlite:///{file}") == f"the database {file} {why}"

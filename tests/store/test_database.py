"""Opening a database: it is used, or refused in one line and left unchanged."""

import asyncio
import re
import shutil
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
from pentad.store import Store, database, schema, sqlite_files
from pentad.store.database import MIGRATIONS, WRITES, DatabaseLocation, open_engine
from pentad.store.moderation import Moderation
from pentad.store.rows import Person
from pentad.store.schema import LAST_MIGRATION, VERSION_TABLE, metadata
from pentad.system.extras import installing_command
from tests.properties import some_of
from tests.store import real_games
from tests.store.postgres import Cluster
from tests.store.rows import event, game


def refusal(url: str | None) -> str:
    with pytest.raises(GameError) as refused:
        Store.open(url)
    message = str(refused.value)
    assert "\n" not in message
    assert not message.endswith("..")
    return message


def run_sql(url: str, *statements: str) -> None:
    engine = DatabaseLocation(url).engine()
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(sqlalchemy.text(statement))
    engine.dispose()


# ── Valid databases ──────────────────────────────────────────────────────────────────────────────


def test_the_default_database_is_in_the_users_data_folder(tmp_path, monkeypatch):
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


def test_sqlite_is_synchronous_and_enforces_foreign_keys(file):
    engine = open_engine(DatabaseLocation(f"sqlite:///{file}"))
    with engine.connect() as connection:
        found = [connection.exec_driver_sql(f"PRAGMA {each}").scalar() for each in ("synchronous", "foreign_keys")]
    engine.dispose()
    assert found == [2, 1]


@pytest.mark.slow
def test_the_migrations_create_the_tables_of_the_schema(url):
    engine = open_engine(DatabaseLocation(url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_lists_use_an_index(file):
    queries = {"games_to_be_joined": schema.to_be_joined, "games_unplayed": schema.unplayed}
    queries["games_finished"] = sqlalchemy.and_(schema.games.c.game == "pente", schema.finished)
    engine = open_engine(DatabaseLocation(f"sqlite:///{file}"))
    with engine.connect() as connection:
        for index, where in queries.items():
            query = sqlalchemy.select(schema.games).where(where).order_by(schema.games.c.created)
            sql = str(query.compile(engine, compile_kwargs={"literal_binds": True}))
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}").all()
            assert [f"USING INDEX {index}" in step.detail for step in plan] == [True]
    engine.dispose()


def test_head_is_the_last_migration():
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [LAST_MIGRATION]


def test_reasons_are_taken_from_the_events_of_games_before_them(url):
    """The fourth migration adds them; an end on the board stays without one."""
    engine = DatabaseLocation(url).engine()
    ends = {
        "gave up": ("resign", "again"),
        "late": ("flag",),
        "peace": ("drawn",),
        "went on": ("resign", "undo", "play"),
    }
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        config = database._alembic()
        config.attributes["connection"] = connection
        command.upgrade(config, "3")
        for name, kinds in ends.items():
            row = {each: value for each, value in game(name, result="1-0").columns.items() if each != "reason"}
            connection.execute(schema.games.insert(), row)
            rows = [event(number, kind=kind).columns(name) for number, kind in enumerate(kinds)]
            connection.execute(schema.events.insert(), rows)
    engine.dispose()
    store = Store.open(url)
    found = {name: asyncio.run(store.game(name))[0].reason for name in ends}
    store.close()
    assert found == {"gave up": "resigned", "late": "out of time", "peace": "agreed", "went on": None}


def test_persons_bans_and_reports_keep_their_persons_in_the_fifth_migration(url):
    """The hashes of keys become sessions, and bans and reports name persons by number; games keep their sitters."""
    engine = DatabaseLocation(url).engine()
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        config = database._alembic()
        config.attributes["connection"] = connection
        command.upgrade(config, "4")
        for number, key in ((7, b"ada"), (9, b"bea")):
            add = sqlalchemy.text("INSERT INTO persons (id, key_hash, name) VALUES (:id, :key, :name)")
            connection.execute(add, {"id": number, "key": key, "name": key.decode()})
        connection.execute(schema.games.insert(), game("g").columns)
        connection.execute(schema.sitters.insert(), {"game": "g", "seat": 0, "person": 9, "opponents": ""})
        bans = (
            "INSERT INTO bans (kind, person_hash, network, reason, at, operator) VALUES (:kind, :key, :net, '', 1, '')"
        )
        for kind, key, net in (("ban", b"bea", None), ("mute", b"gone", None), ("ban", None, "192.0.2.0/24")):
            connection.execute(sqlalchemy.text(bans), {"kind": kind, "key": key, "net": net})
        reports = (
            "INSERT INTO reports (at, reporter, place, name, quote, about, reason, text, operator) "
            "VALUES (1, :key, 'game', 'g', '', 9, 'abuse', '', '')"
        )
        for key in (b"ada", b"gone"):
            connection.execute(sqlalchemy.text(reports), {"key": key})
    engine.dispose()
    store = Store.open(url)

    async def found() -> tuple[object, ...]:
        moderation = Moderation(store)
        bans = [(each.kind, each.person, each.keys, each.network) for each in (await moderation.state()).bans]
        known = [await store.person(key) for key in (b"ada", b"bea", b"gone")]
        new = await store.add_person(b"cleo", "Cleo")
        return known, new.id in (7, 9), bans, [each.reporter for each in await moderation.reports()]

    known, is_taken, bans, reporters = asyncio.run(found())
    assert (known, is_taken, reporters) == ([Person(7, "ada"), Person(9, "bea"), None], False, [7, None])
    assert bans == [("ban", 9, (b"bea",), None), ("ban", None, (), "192.0.2.0/24")]
    assert asyncio.run(store.count_games(9)) == 1
    store.close()


@pytest.mark.fast_cases(1)
def test_a_reopened_database_has_its_games(url):
    for name in ("g", "h"):
        store = Store.open(url)
        asyncio.run(store.add_game(game(name)))
        rows = asyncio.run(store.open_games())
        store.close()
    assert [row.name for row in rows] == ["g", "h"]


@pytest.mark.slow
def test_several_processes_may_open_a_new_database_at_once(url):
    script = "import sys; from pentad.store import Store; sys.stdin.read(1); Store.open(sys.argv[1]).close()"
    several = [
        subprocess.Popen([sys.executable, "-c", script, url], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(some_of(12))
    ]
    for each in several:  # all have finished their imports, or nearly
        each.stdin.write(b"!")
        each.stdin.flush()
    errors = [each.communicate()[1] for each in several]
    assert [(each.returncode, error) for each, error in zip(several, errors, strict=True)] == [(0, b"")] * len(several)
    Store.open(url).close()


# ── Migrations ───────────────────────────────────────────────────────────────────────────────────

NEXT = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{next}", "{last}"


def upgrade():
    op.add_column("games", sa.Column("colour{next}", sa.Text))
"""


@pytest.fixture
def release(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Makes the next release, with one migration more; returns its schema version."""
    folder = tmp_path_factory.mktemp("release") / "migrations"
    shutil.copytree(MIGRATIONS, folder)
    monkeypatch.setattr(database, "MIGRATIONS", folder)

    def make() -> str:
        last = database.LAST_MIGRATION
        version = str(int(last) + 1)
        (folder / "versions" / f"{version}_next.py").write_text(NEXT.format(next=version, last=last), encoding="utf-8")
        monkeypatch.setattr(database, "LAST_MIGRATION", version)
        return version

    return make


def test_a_database_is_copied_before_its_migration(
    file: Path, release: Callable[[], str], caplog: pytest.LogCaptureFixture
) -> None:
    real_games.make(f"sqlite:///{file}")
    before = real_games.tables(f"sqlite:///{file}")
    file.with_name(".pentad-schema-0-2026-01-01T000000Z.db.part").write_bytes(b"left by a killed server")
    version = release()
    Store.open(f"sqlite:///{file}").close()
    (copy,) = (each for each in file.parent.iterdir() if each.name != file.name)
    assert re.fullmatch(rf"pentad-schema-{LAST_MIGRATION}-\d{{4}}-\d\d-\d\dT\d{{6}}Z\.db", copy.name)
    assert real_games.tables(f"sqlite:///{copy}") == before
    assert [record.getMessage() for record in caplog.records] == [
        f"Copied the database to {copy} before its migration to schema {version}."
    ]
    assert f"colour{version}" not in columns_of_games(copy)
    assert f"colour{version}" in columns_of_games(file)


def test_a_store_beside_a_server_migrates_nothing(file: Path, release: Callable[[], str]) -> None:
    Store.open(f"sqlite:///{file}").close()
    Store.open(f"sqlite:///{file}", beside_a_server=True).close()
    release()
    with pytest.raises(GameError, match="needs other tables"):
        Store.open(f"sqlite:///{file}", beside_a_server=True)
    assert list(file.parent.glob("*.db")) == [file]
    Store.open(f"sqlite:///{file}").close()


def columns_of_games(file: Path) -> list[str]:
    with sqlite3.connect(file) as raw:
        found = [row[1] for row in raw.execute("PRAGMA table_info(games)")]
    raw.close()
    return found


def date_in(name: str) -> str:
    """The part of a copy's name after its schema."""
    return name.split("-", 3)[3]


def test_the_last_three_copies_are_kept(
    file: Path, release: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those of one schema, as after several restored backups."""
    Store.open(f"sqlite:///{file}").close()
    times = iter(range(100))
    monkeypatch.setattr(
        sqlite_files, "dated", lambda path, what: path.with_name(f"pentad-{what}-2026-01-{next(times):02}T000000Z.db")
    )
    other = file.with_name("pentad-schema-notes.db")
    other.touch()
    for _ in range(9):
        release()
        Store.open(f"sqlite:///{file}").close()
    copies = sorted((each.name for each in file.parent.iterdir() if each not in (file, other)), key=date_in)
    assert copies == [f"pentad-schema-{int(LAST_MIGRATION) + n}-2026-01-{n:02}T000000Z.db" for n in (6, 7, 8)]


def test_without_a_copy_there_is_no_migration(
    file: Path, release: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real_games.make(f"sqlite:///{file}")

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    release()
    monkeypatch.setattr(sqlite_files, "copy", full)
    why = "before its migration: database or disk is full."
    assert refusal(f"sqlite:///{file}") == f"Cannot copy the database {file} {why}"
    assert [each.name for each in file.parent.iterdir()] == [file.name]
    monkeypatch.undo()
    assert len(real_games.tables(f"sqlite:///{file}")["games"]) == 2
    Store.open(f"sqlite:///{file}").close()


# ── URLs ─────────────────────────────────────────────────────────────────────────────────────────

FORMS = "sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/DATABASE"
FILE_NEEDED = "An SQLite database must be a file, as in sqlite:///FILE."
WRONG = {
    "hunter2": f"Invalid database URL. Expected {FORMS}.",
    "postgresql://ada:hunter2@host:port/games": f"Invalid database URL. Expected {FORMS}.",
    "mysql://ada:hunter2@host/games": f"Unsupported database mysql. Expected {FORMS}.",
    "postgresql+asyncpg://ada:hunter2@host/games": f"Unsupported database postgresql+asyncpg. Expected {FORMS}.",
    "sqlite://": FILE_NEEDED,
    "sqlite:///:memory:": FILE_NEEDED,
    "sqlite://host/file": FILE_NEEDED,
    "sqlite:///file?mode=ro": FILE_NEEDED,
}


@pytest.mark.parametrize(("url", "why"), WRONG.items())
def test_a_wrong_url_is_refused_and_its_password_not_shown(url, why):
    assert refusal(url) == why


@pytest.mark.parametrize("query", ["", "?password=hunter2", "?colour=hunter2"])
def test_a_server_that_cannot_be_reached_is_named_without_the_password(query):
    pytest.importorskip("psycopg")
    message = refusal(f"postgres://ada:hunter2@127.0.0.1:1/games{query}")
    assert message.startswith("Cannot open the database postgresql+psycopg://ada:***@127.0.0.1:1/games: ")
    assert "hunter2" not in message


def test_without_psycopg_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert refusal("postgresql://host/games").endswith(installing_command("postgres"))


def test_a_missing_database_is_refused(cluster: Cluster):
    assert 'database "nowhere" does not exist' in refusal(f"postgresql://pentad@/nowhere?host={cluster.folder}")


def test_a_database_without_unicode_is_refused(cluster: Cluster):
    assert "must have the encoding UTF8, but it has LATIN1" in refusal(cluster.latin1_url())


# ── Foreign and broken databases ─────────────────────────────────────────────────────────────────


def test_another_programs_database_is_left_unchanged(url):
    run_sql(url, "CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('soup')")
    assert "is not a pentad database: it contains other tables." in refusal(url)
    engine = DatabaseLocation(url).engine()
    assert sqlalchemy.inspect(engine).get_table_names() == ["recipes"]
    engine.dispose()


def test_another_programs_file_keeps_its_journal(file):
    run_sql(f"sqlite:///{file}", "CREATE TABLE recipes (name TEXT)")
    before = file.read_bytes()
    refusal(f"sqlite:///{file}")
    assert file.read_bytes() == before


def test_a_database_of_a_newer_version_is_left_unchanged(url):
    Store.open(url).close()
    run_sql(url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    assert f"was written by a newer pentad (schema 9999; this one reads up to {LAST_MIGRATION})" in refusal(url)


@pytest.mark.parametrize("version", ["0001", "0006"])
def test_a_database_from_before_the_first_release_is_left_unchanged(url, version):
    run_sql(
        url,
        f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL)",
        f"INSERT INTO {VERSION_TABLE} VALUES ('{version}')",
        "CREATE TABLE games (name TEXT)",
    )
    assert refusal(url) == (
        f"The database {DatabaseLocation(url).name} was made before the first release of pentad. "
        "The last commit that reads it is 1bad3449a819c2ee71cf3b7f59a5f63e22b62698."
    )
    engine = DatabaseLocation(url).engine()
    assert sorted(sqlalchemy.inspect(engine).get_table_names()) == ["games", VERSION_TABLE]
    engine.dispose()


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
    write_garbage: "Cannot open the database {}: file is not a database.",
    write_half: "Cannot open the database {}: database disk image is malformed.",
    make_a_folder: "Cannot open the database {}: unable to open database file.",
    make_its_folder_a_file: "Cannot create the database {}: File exists.",
}


def test_an_unusable_default_location_names_the_alternatives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").touch()
    home = tmp_path / "file" / "home"
    monkeypatch.setenv("PENTAD_HOME", str(home))
    assert refusal(None) == (
        f"Cannot create the database {home / 'pentad.db'}: Not a directory. PENTAD_HOME sets another folder, "
        "--database another database."
    )


@pytest.mark.parametrize(("break_it", "why"), BROKEN.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_broken_file_is_refused(file: Path, break_it: Callable[[Path], None], why: str):
    break_it(file)
    assert refusal(f"sqlite:///{file}") == why.format(file)

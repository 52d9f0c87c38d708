"""A temporary PostgreSQL server for tests, on a socket in its own folder."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

INSTALLED = Path("/usr/lib/postgresql")
REASON = "PostgreSQL is not installed; on Debian, run `apt install postgresql`"


class NoPostgres(Exception):
    """The reason why there is no PostgreSQL to test with."""


def programs() -> Path:
    """The folder of the newest PostgreSQL programs; in CI on Debian they are installed if they are missing."""
    if not _installed() and os.environ.get("CI") and _is_root() and shutil.which("apt-get"):
        _install()
    if not _installed():
        raise NoPostgres(REASON)
    if _is_root() and not _has_user():
        raise NoPostgres("PostgreSQL does not run as root, and there is no user named postgres")
    return _installed()[-1]


def _installed() -> list[Path]:
    if found := shutil.which("initdb"):
        return [Path(found).resolve().parent]
    return sorted(INSTALLED.glob("*/bin"), key=lambda folder: float(folder.parent.name))


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _has_user() -> bool:
    import pwd

    return any(entry.pw_name == "postgres" for entry in pwd.getpwall())


def _install() -> None:
    # Several workers of pytest may install it at once.
    with Path(tempfile.gettempdir(), "pentad-test-postgresql.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _installed():
            quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
            for words in (["update"], ["install", "-y", "--no-install-recommends", "postgresql"]):
                subprocess.run(["apt-get", *words], env=quiet, stdout=sys.stderr, check=True)


class Cluster:
    """A PostgreSQL server that tests start and stop; each store gets its own schema."""

    def __init__(self) -> None:
        self._programs = programs()
        # The path of a socket is limited to about a hundred characters, too few for pytest's own folder.
        self.folder = Path(tempfile.mkdtemp(prefix="pentad-pg-"))
        self._as: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []} if _is_root() else {}
        if _is_root():
            shutil.chown(self.folder, "postgres", "postgres")
        self._numbers = count()
        self._run("initdb", "-D", self._data, "-U", "pentad", "-E", "UTF8", "--locale=C", "--auth=trust", "--no-sync")
        self.start()

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def start(self) -> None:
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c shared_buffers=16MB -c fsync=off"
        self._run("pg_ctl", "start", "-w", "-D", self._data, "-l", str(self.folder / "log"), "-o", options)

    def stop(self, how: str = "fast") -> None:
        self._run("pg_ctl", "stop", "-w", "-D", self._data, "-m", how)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def url(self) -> str:
        """The URL of a new schema, which is faster to create than a whole database."""
        schema = f"test{next(self._numbers)}"
        self._run("psql", *self._where, "-c", f"CREATE SCHEMA {schema}", "postgres")
        return f"postgresql+psycopg://pentad@/postgres?host={self.folder}&options=-csearch_path%3D{schema}"

    def database_url(self, name: str) -> str:
        """The URL of a new database."""
        self._run("createdb", *self._where, name)
        return f"postgresql+psycopg://pentad@/{name}?host={self.folder}"

    def run_shell(self, line: str) -> None:
        """Runs a line with PostgreSQL's programs, as any user may do."""
        path = os.pathsep.join([str(self._programs), os.environ["PATH"]])
        subprocess.run(["sh", "-c", line], env=os.environ | {"PATH": path}, check=True)

    def latin1_url(self) -> str:
        """The URL of a database without Unicode."""
        self._run("createdb", *self._where, "-T", "template0", "-E", "LATIN1", "latin1")
        return f"postgresql+psycopg://pentad@/latin1?host={self.folder}"

    @property
    def _where(self) -> tuple[str, ...]:
        return "-h", str(self.folder), "-U", "pentad"

    def _run(self, program: str, *args: str) -> None:
        # Into a file, since the server that `pg_ctl` starts would keep a pipe open.
        log = self.folder / "output"
        with log.open("w") as output:
            how: dict[str, Any] = {"cwd": self.folder, "stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
            done = subprocess.run([self._programs / program, *args], stdout=output, **how, **self._as)
        assert done.returncode == 0, f"{program}: {log.read_text()}"

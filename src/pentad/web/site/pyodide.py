"""Pyodide, Python for browsers: the pinned version, downloaded by npm or given as a file, and checked by its hash."""

from __future__ import annotations

import base64
import hashlib
import io
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path

from pentad.game import GameError
from pentad.system import files as user_files
from pentad.system.words import phrase

VERSION = "314.0.7"
PYTHON = (3, 14)
INTEGRITY = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
ARCHIVE = f"pyodide-{VERSION}.tgz"
SCRIPT, LOCK = "pyodide.mjs", "pyodide-lock.json"
FILES = (SCRIPT, LOCK, "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")

# Parts of the standard library that pentad does not use; a third of the download.
UNUSED = frozenset(
    (
        *("_pyrepl", "bdb.py", "cProfile.py", "cmd.py", "code.py", "curses", "dbm", "doctest.py", "ensurepip"),
        *("ftplib.py", "getpass.py", "idlelib", "imaplib.py", "mailbox.py", "multiprocessing", "netrc.py"),
        *("optparse.py", "pdb.py", "pickletools.py", "plistlib.py", "poplib.py", "profile.py", "pstats.py"),
        *("pyclbr.py", "pydoc.py", "pydoc_data", "rlcompleter.py", "shelve.py", "smtplib.py", "sqlite3"),
        *("tabnanny.py", "tarfile.py", "this.py", "timeit.py", "tkinter", "trace.py", "tracemalloc.py", "turtle.py"),
        *("_pyio.py", "_pydatetime.py", "statistics.py", "socketserver.py", "modulefinder.py", "compileall.py"),
        *("turtledemo", "unittest", "venv", "wave.py", "webbrowser.py", "wsgiref", "xmlrpc", "zipapp.py"),
    )
)
ABSENT = frozenset(name.removesuffix(".py") for name in UNUSED)  # the same as modules
_CODECS = ("__init__", "aliases", "ascii", "cp437", "latin_1", "idna", "utf_8", "utf_8_sig", "utf_16", "utf_16_be")
ENCODINGS = frozenset(f"encodings/{each}.py" for each in _CODECS)


def files(given: Path | None = None) -> dict[str, bytes]:
    """Pyodide's files that a site needs by their names."""
    with tarfile.open(fileobj=io.BytesIO(package(given))) as archive:
        found = {name: archive.extractfile(f"package/{name}") for name in FILES}
        read = {name: file.read() for name, file in found.items() if file}
    return read | {"python_stdlib.zip": _smaller(read["python_stdlib.zip"])}


def package(given: Path | None = None) -> bytes:
    """The npm package of Pyodide: one that is given, kept from before, or downloaded."""
    kept = user_files.home() / "cache" / ARCHIVE
    data = given.read_bytes() if given else kept.read_bytes() if kept.exists() else b""
    if given and not _is_right(data):
        raise GameError("{given} is not the package pyodide {version}.", given=given, version=VERSION)
    if not _is_right(data):
        data = _downloaded()
        kept.parent.mkdir(parents=True, exist_ok=True)
        with user_files.replacing(kept) as file:
            file.write(data)
    return data


def _is_right(data: bytes) -> bool:
    kind, _, digest = INTEGRITY.partition("-")
    return base64.b64encode(hashlib.new(kind, data).digest()).decode() == digest


def _downloaded() -> bytes:
    npm = shutil.which("npm")
    missing = phrase(
        "Pyodide {version} is needed. Install npm, which downloads it, or give its package with --pyodide FILE.",
        version=VERSION,
    )
    if npm is None:
        raise GameError(missing)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [npm, "pack", f"pyodide@{VERSION}", "--silent"], cwd=folder, capture_output=True, text=True, check=False
        )
        path = Path(folder, ARCHIVE)
        if done.returncode or not path.exists():
            lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            raise GameError("npm cannot download Pyodide {version}: {line}", version=VERSION, line=lines[-1])
        data = path.read_bytes()
    if not _is_right(data):
        raise GameError("The downloaded package pyodide {version} is not the expected one.", version=VERSION)
    return data


def _smaller(library: bytes) -> bytes:
    """The standard library without what pentad does not use, not compressed: the whole archive will be."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(library)) as archive, zipfile.ZipFile(out, "w") as smaller:
        for info in archive.infolist():
            top = info.filename.partition("/")[0]
            other = top == "encodings" and info.filename not in ENCODINGS
            if not (info.is_dir() or top in UNUSED or other):
                smaller.writestr(zipfile.ZipInfo(info.filename), archive.read(info))
    return out.getvalue()

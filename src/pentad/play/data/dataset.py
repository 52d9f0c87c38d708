"""Data sets: folders with shards in Parquet, and a manifest that names what they were made of.

A shard is written under a temporary name and renamed when it is complete. A run that was stopped is continued by the
same call: complete shards stay. The same settings give the same bytes. The manifest has the SHA-256 of every file, by
which it is verified before it is read; until the set is complete, a note for each shard has them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pentad.game import GameError, shown
from pentad.system.checked_files import read_json, with_check
from pentad.system.extras import needs
from pentad.system.files import replacing
from pentad.system.version import __version__
from pentad.system.words import phrase

if TYPE_CHECKING:
    import pyarrow as pa

MANIFEST = "manifest.json"
FORMAT = 2
GAMES, LABELS = "games", "labels"  # kinds of data sets
TABLES = {GAMES: ("games", "positions"), LABELS: ("labels",)}
COLUMNS = {  # labels have others beside these
    "games": ("number", "steps", "moves", "winners"),
    "positions": ("key", "next", "game", "ply", "result"),
    "labels": ("value", "exact"),
}
READERS = 8  # files that are verified at a time
ROWS_OF_GROUP = 65_536  # a search skips the groups that cannot have the key
MOST_SHARDS = 10_000

Tables: TypeAlias = "Mapping[str, pa.Table]"
Progress: TypeAlias = Callable[[int, int], None]  # called with the number of rows so far and the whole number
Remote: TypeAlias = Callable[[Sequence[int]], Iterable[object]]  # something for each shard that is written


def require(name: str) -> Any:
    """A package of the extra `data`."""
    with needs("data"):
        return import_module(name)


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest of a data set."""
    file = folder / MANIFEST
    try:
        found = read_json(file, remedy="Make the data set again, in another folder.")
    except FileNotFoundError:
        raise GameError("{folder} is not a data set: it has no {manifest}.", folder=folder, manifest=MANIFEST) from None
    except OSError:
        raise GameError("{file} cannot be read.", file=file) from None
    if found.get("format") != FORMAT or found.get("kind") not in TABLES:
        raise GameError("{file} is not the manifest of a data set of this version.", file=file)
    return found


# ── verification ─────────────────────────────────────────────────────────────────────────────────

_verified: set[tuple[object, ...]] = set()  # what is known of files that this process has read


def faults(folder: Path, files: Iterable[Mapping[str, Any]]) -> list[str]:
    """What is wrong with files, by what a manifest has about them; a process reads a file once, unless it changes."""
    wanted = list(files)
    with ThreadPoolExecutor(min(READERS, os.cpu_count() or 1)) as pool:
        return [fault for fault in pool.map(lambda about: _fault(folder / str(about["name"]), about), wanted) if fault]


def _fault(file: Path, about: Mapping[str, Any]) -> str:
    anew = "Delete it and run the command that made it again."
    try:
        status = file.stat()
        if status.st_size != about["bytes"]:
            return phrase(
                "{file} is damaged: it has {size} of {expected} bytes. {remedy}",
                file=file,
                size=status.st_size,
                expected=about["bytes"],
                remedy=anew,
            )
        known = (file.resolve(), status.st_size, status.st_mtime_ns, status.st_ino, about["sha256"])
        if known not in _verified:
            if digest_of(file) != about["sha256"]:
                return phrase(
                    "{file} is damaged: its SHA-256 is not that of the manifest. {remedy}", file=file, remedy=anew
                )
            _verified.add(known)
    except FileNotFoundError:
        return phrase("{file} is missing. Run the command that made it again.", file=file)
    except OSError as error:
        return phrase("{file} cannot be read: {reason}.", file=file, reason=error.strerror or error)
    return ""


def verify(folder: Path, files: Iterable[Mapping[str, Any]]) -> None:
    """Refuses files that a manifest does not describe."""
    if found := faults(folder, files):
        raise GameError(found[0])


def digest_of(file: Path) -> str:
    """The SHA-256 of a file."""
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def form_faults(folder: Path, files: Iterable[Mapping[str, Any]]) -> list[str]:
    """What is wrong with the rows and columns of files."""
    parquet, found, schemas = require("pyarrow.parquet"), list[str](), dict[str, tuple[Any, Path]]()
    for about in files:
        file, table = folder / str(about["name"]), str(about["name"]).partition("-")[0]
        try:
            whole = parquet.ParquetFile(file)
        except (ValueError, OSError):  # pyarrow's ArrowInvalid is a ValueError
            found.append(phrase("{file} is not a file of Parquet.", file=file))
            continue
        schema, first = schemas.setdefault(table, (whole.schema_arrow, file))
        if whole.metadata.num_rows != about["rows"]:
            found.append(
                phrase(
                    "{file} has {got:,} rows, not {rows:,}.",
                    file=file,
                    got=whole.metadata.num_rows,
                    rows=about["rows"],
                )
            )
        if missing := [name for name in COLUMNS.get(table, ()) if name not in whole.schema_arrow.names]:
            found.append(phrase("{file} has no column {missing}.", file=file, missing=missing[0]))
        elif not whole.schema_arrow.equals(schema):
            found.append(phrase("{file} has other columns than {name}.", file=file, name=first.name))
    return found


class ShardWriter:
    """Writes the shards of a data set that are missing."""

    def __init__(self, folder: Path, kind: str, settings: Mapping[str, Any], shards: int) -> None:
        if type(shards) is not int or not 1 <= shards <= MOST_SHARDS:
            raise GameError(
                "Expected 1 to {most_shards:,} shards, got {shards}.",
                most_shards=MOST_SHARDS,
                shards=shown(shards),
            )
        self.folder, self.kind, self.shards = folder, kind, shards
        self.settings = {"kind": kind, **settings, "shards": shards}
        self._begin()

    def _begin(self) -> None:
        """Checks an earlier manifest, or writes the first one."""
        if (self.folder / MANIFEST).exists():
            known = manifest_of(self.folder)
            for name, value in self.settings.items():
                if known.get(name) != json.loads(json.dumps(value)):
                    raise GameError(
                        "{folder} has other data: its {name} is {found}, not {value}.",
                        folder=self.folder,
                        name=name,
                        found=shown(known.get(name)),
                        value=shown(value),
                    )
            self._known = {each["name"]: each for each in known["files"]}
            return
        if self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
            raise GameError("{folder} exists and is not a data set.", folder=self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._known = {}
        self._write_manifest([])

    def file(self, table: str, shard: int) -> Path:
        """The file of a table's shard."""
        return self.folder / f"{table}-{shard:05}.parquet"

    def _note(self, shard: int) -> Path:
        return self.folder / f".shard-{shard:05}.json"

    def _about(self, shard: int) -> list[dict[str, Any]]:
        """What is known of the files of a shard; nothing if one of them is missing."""
        files = [self.file(table, shard) for table in TABLES[self.kind]]
        if not all(file.exists() for file in files):
            return []
        note = self._note(shard)
        try:
            return list(read_json(note, remedy="Delete it and run the same command again.")["files"])
        except FileNotFoundError:
            known = [self._known.get(file.name) for file in files]
            return [each for each in known if each] if all(known) else []

    def write(
        self, make: Callable[[int], Tables], progress: Progress | None = None, remote: Remote | None = None
    ) -> dict[str, Any]:
        """Writes the missing shards, and the manifest at the end; returns the manifest.

        With `remote` other processes make and write the shards that it is called with.
        """
        self._remove_drafts()
        known = [self._about(shard) for shard in range(self.shards)]
        verify(self.folder, chain.from_iterable(known))
        missing = [shard for shard, about in enumerate(known) if not about]
        written = remote(missing) if remote else (self.write_shard(each, make(each)) for each in missing)
        for done, _ in enumerate(chain([None], written), self.shards - len(missing)):
            if progress is not None:
                progress(done, self.shards)
        self._remove_drafts()
        known = [about or self._about(shard) for shard, about in enumerate(known)]
        self._write_manifest([about for table in zip(*known, strict=True) for about in table])
        for shard in range(self.shards):
            self._note(shard).unlink(missing_ok=True)
        return manifest_of(self.folder)

    def _remove_drafts(self) -> None:
        """Removes what processes that were killed have left."""
        for draft in self.folder.glob(".*.tmp"):
            draft.unlink()

    def write_shard(self, shard: int, tables: Tables) -> int:
        """Writes the tables of a shard, and then its note; returns its number."""
        about = []
        for name in TABLES[self.kind]:
            file = self.file(name, shard)
            with replacing(file) as draft:
                require("pyarrow.parquet").write_table(
                    tables[name], draft, row_group_size=ROWS_OF_GROUP, compression="zstd", store_schema=False,
                    use_dictionary=False, write_page_index=True,
                )  # fmt: skip
            rows, size = tables[name].num_rows, file.stat().st_size
            about.append({"name": file.name, "rows": rows, "bytes": size, "sha256": digest_of(file)})
        self._write_json(self._note(shard), {"files": about})
        return shard

    def _write_manifest(self, files: list[dict[str, Any]]) -> None:
        about = {"format": FORMAT, "pentad": __version__, **self.settings, "complete": bool(files), "files": files}
        self._write_json(self.folder / MANIFEST, about)

    @staticmethod
    def _write_json(path: Path, values: Mapping[str, Any]) -> None:
        with replacing(path) as file:
            file.write(json.dumps(with_check(values), indent=1).encode() + b"\n")

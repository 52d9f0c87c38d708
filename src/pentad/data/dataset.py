"""Data sets: folders with shards in Parquet, and a manifest that names what they were made of.

A shard is written under a temporary name and renamed when it is complete. A run that was stopped is continued by the
same call: complete shards stay. The same settings give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pentad import __version__
from pentad.game import GameError, shown
from pentad.user_files import replacing

if TYPE_CHECKING:
    import pyarrow as pa

MANIFEST = "manifest.json"
FORMAT = 1
GAMES, LABELS = "games", "labels"  # kinds of data sets
TABLES = {GAMES: ("games", "positions"), LABELS: ("labels",)}
ROWS = 65_536  # in a row group: a search skips those that cannot have the key
MOST_SHARDS = 10_000

Tables: TypeAlias = "Mapping[str, pa.Table]"
Progress: TypeAlias = Callable[[int, int], None]  # called with the number of rows so far and the whole number
Remote: TypeAlias = Callable[[Sequence[int]], Iterable[object]]  # something for each shard that is written


def require(name: str) -> Any:
    """An optional package; one line says what to install if it is missing."""
    try:
        return __import__(name, fromlist=["_"])
    except ImportError:
        package = name.partition(".")[0]
        raise GameError(f'Data sets need {package}, which is missing: pip install "pentad[data]"') from None


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest of a data set."""
    file = folder / MANIFEST
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise GameError(f"{folder} is not a data set: it has no {MANIFEST}.") from None
    except (OSError, ValueError):
        raise GameError(f"{file} cannot be read.") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT or found.get("kind") not in TABLES:
        raise GameError(f"{file} is not the manifest of a data set of this version.")
    return found


class Writer:
    """Writes the shards of a data set that are missing."""

    def __init__(self, folder: Path, kind: str, settings: Mapping[str, Any], shards: int) -> None:
        if type(shards) is not int or not 1 <= shards <= MOST_SHARDS:
            raise GameError(f"The number of shards is one from 1 to {MOST_SHARDS:,}, not {shown(shards)}.")
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
                        f"{self.folder} has other data: its {name} is {shown(known.get(name))}, not {shown(value)}."
                    )
            return
        if self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
            raise GameError(f"{self.folder} exists and is not a data set.")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._write_manifest([])

    def file(self, table: str, shard: int) -> Path:
        """The file of a table's shard."""
        return self.folder / f"{table}-{shard:05}.parquet"

    @property
    def missing(self) -> Iterator[int]:
        """The shards that lack the file of a table."""
        return (
            shard
            for shard in range(self.shards)
            if not all(self.file(table, shard).exists() for table in TABLES[self.kind])
        )

    def _rows(self, file: Path) -> int:
        """The number of a file's rows."""
        try:
            return int(require("pyarrow.parquet").read_metadata(file).num_rows)
        except ValueError:  # pyarrow's ArrowInvalid
            raise GameError(f"{file} is damaged. Remove it; the same command makes it again.") from None

    def write(
        self, make: Callable[[int], Tables], progress: Progress | None = None, remote: Remote | None = None
    ) -> dict[str, Any]:
        """Writes the missing shards, and the manifest at the end; returns the manifest.

        With `remote` other processes make and write the shards that it is called with.
        """
        self._remove_drafts()
        for shard in set(range(self.shards)) - set(self.missing):
            for name in TABLES[self.kind]:
                self._rows(self.file(name, shard))
        missing = list(self.missing)
        written = remote(missing) if remote else (self.write_shard(each, make(each)) for each in missing)
        for done, _ in enumerate(chain([None], written), self.shards - len(missing)):
            if progress is not None:
                progress(done, self.shards)
        self._remove_drafts()
        files = [self._about(self.file(name, shard)) for name in TABLES[self.kind] for shard in range(self.shards)]
        self._write_manifest(files)
        return manifest_of(self.folder)

    def _remove_drafts(self) -> None:
        """Removes what processes that were killed have left."""
        for draft in self.folder.glob(".*.tmp"):
            draft.unlink()

    def write_shard(self, shard: int, tables: Tables) -> int:
        """Writes the tables of a shard; returns its number."""
        for name in TABLES[self.kind]:
            with replacing(self.file(name, shard)) as file:
                require("pyarrow.parquet").write_table(
                    tables[name], file, row_group_size=ROWS, compression="zstd", store_schema=False,
                    use_dictionary=False, write_page_index=True,
                )  # fmt: skip
        return shard

    def _about(self, file: Path) -> dict[str, Any]:
        rows = self._rows(file)
        with file.open("rb") as data:
            digest = hashlib.file_digest(data, "sha256").hexdigest()
        return {"name": file.name, "rows": rows, "bytes": file.stat().st_size, "sha256": digest}

    def _write_manifest(self, files: list[dict[str, Any]]) -> None:
        about = {"format": FORMAT, "pentad": __version__, **self.settings, "complete": bool(files), "files": files}
        with replacing(self.folder / MANIFEST) as file:
            file.write(json.dumps(about, indent=1).encode() + b"\n")

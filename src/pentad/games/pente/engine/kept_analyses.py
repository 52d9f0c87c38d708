"""Kept analyses: the transposition table of an analysis in a file, so that a later analysis goes on from it.

The file is a line of JSON and the words of the table, compressed, both with checksums. It holds for one rule set, board
size and evaluation, since scores depend on them; any position of that game can go on from it.
"""

from __future__ import annotations

import hashlib
import json
import time
import zlib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pentad.game import GameError
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.search import ENTRY_BYTES, TranspositionTable
from pentad.games.pente.engine.state import default_weights
from pentad.games.pente.rules import PentePosition
from pentad.games.pente.rulesets import RuleSet
from pentad.kernels.buffers import copy, typed
from pentad.system.checked_files import with_check, without_check
from pentad.system.files import Lock, replacing
from pentad.system.words import phrase

KIND, VERSION = "analysis of Pente", 3
TABLE_ENTRIES = 1 << 22  # a kept table takes 64 MB
MAX_HEADER_BYTES = 4000
SAVE_SECONDS = 60.0  # a killed analysis can lose so much


class KeptTable:
    """The table of an analysis; `save` writes it to the file, at most once a minute, and `close` at the end."""

    def __init__(self, file: Path, position: PentePosition) -> None:
        self.file = file
        self._lock = Lock(
            file.with_name(f".{file.name}.lock"), phrase("{file}: Another analysis uses this file.", file=file)
        )
        self._header = header(position)
        try:
            self.table = _read(file, self._header) if file.exists() else TranspositionTable(TABLE_ENTRIES)
        except GameError:
            self._lock.release()
            raise
        self._saved = time.monotonic()

    def save(self) -> None:
        if time.monotonic() >= self._saved + SAVE_SECONDS:
            self._write()

    def close(self) -> None:
        try:
            self._write()
        finally:
            self._lock.release()

    def _write(self) -> None:
        line = json.dumps(with_check(self._header | {"generation": self.table.generation}), separators=(",", ":"))
        try:
            with replacing(self.file) as out:
                out.write(line.encode() + b"\n" + zlib.compress(self.table.words, 1))
        except OSError as error:
            raise GameError("{file}: Cannot be written ({reason}).", file=self.file, reason=error.strerror) from None
        self._saved = time.monotonic()


def header(position: PentePosition) -> dict[str, object]:
    """What the scores of a table depend on."""
    rules = position.rules
    return {
        "pentad": KIND,
        "version": VERSION,
        "rules": repr(replace(rules, title="")),
        "size": position.board.size,
        "evaluation": _evaluation(rules),
    }


@lru_cache(maxsize=8)
def _evaluation(rules: RuleSet) -> str:
    weights = default_weights(rules)
    digest = hashlib.sha256()
    for part in (weights.values, weights.others, weights.network.own, weights.network.head):
        digest.update(part)
    return digest.hexdigest()[:16]


def _read(file: Path, expected: dict[str, object]) -> TranspositionTable:
    try:
        with file.open("rb") as source:
            found = without_check(json.loads(source.readline(MAX_HEADER_BYTES)))
            if found.get("pentad") != KIND:
                raise ValueError
            for name in expected:
                if found.get(name) != expected[name]:
                    raise GameError("{file}: The {name} of this analysis is another one.", file=file, name=name)
            table = TranspositionTable(TABLE_ENTRIES)
            size = ENTRY_BYTES * TABLE_ENTRIES
            unpack = zlib.decompressobj()
            words = unpack.decompress(source.read(2 * size), size)
            if len(words) != size or not unpack.eof:
                raise ValueError
            table.words = typed(copy(memoryview(words).cast("q")), k.Words)
            table.generation = int(found["generation"]) % 250
            return table
    except GameError:
        raise
    except OSError as error:
        raise GameError("{file}: Cannot be read ({reason}).", file=file, reason=error.strerror) from None
    except (ValueError, KeyError, TypeError, zlib.error, RecursionError):
        raise GameError("{file}: Not an analysis that pentad kept.", file=file) from None

"""A user's saved games: written after every move, listed, and resumed by one process at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pentad.game import GameError, names, shorten
from pentad.record import Record
from pentad.record.formats import decode
from pentad.system import files as user_files
from pentad.system.files import Busy, Lock
from pentad.system.words import phrase

SUFFIX = ".pentad"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,80}")


@dataclass(frozen=True, slots=True)
class SavedGameInfo:
    """A saved game in the list: its record, or the reason why it cannot be read."""

    name: str
    changed: datetime
    record: Record | None
    trouble: str = ""

    @property
    def is_unfinished(self) -> bool:
        return self.record is not None and self.record.outcome is None


def listing() -> Iterator[SavedGameInfo]:
    """All saved games, the latest first."""
    for path in _latest_first():
        changed = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
        try:
            yield SavedGameInfo(path.stem, changed, _read(path))
        except GameError as error:
            yield SavedGameInfo(path.stem, changed, None, str(error))


def _latest_first() -> list[Path]:
    try:
        found = [(path.stat().st_mtime, path) for path in user_files.games().glob(f"*{SUFFIX}")]
    except OSError:
        return []
    return [path for _, path in sorted(found, reverse=True)]


def _read(path: Path) -> Record:
    try:
        return Record.read(decode(path.read_bytes()))
    except OSError as error:
        raise GameError(f"{error.strerror or error}.") from None


class SavedGame:
    """A saved game that this process has locked, so that no other one resumes it meanwhile."""

    def __init__(self, name: str) -> None:
        """Lock the game; raises `Busy` when another process holds it."""
        self.name = name
        self.path = user_files.games() / f"{name}{SUFFIX}"
        self._lock = Lock(
            self.path.with_name(f".{name}.lock"), phrase("Another process is playing the game {name}.", name=name)
        )

    @classmethod
    def new(cls, game: str) -> SavedGame:
        """A game under a new name: `pentago-1`, `pentago-2`, …"""
        folder = user_files.games()
        folder.mkdir(parents=True, exist_ok=True)
        taken = [path.stem.rpartition("-")[2] for path in folder.glob(f"{game}-*{SUFFIX}")]
        number = max((int(each) for each in taken if each.isdecimal() and len(each) < 10), default=0)
        while True:
            number += 1
            try:
                saved = cls(f"{game}-{number}")
            except Busy:
                continue
            if not saved.path.exists():
                return saved
            saved.release()

    def save(self, record: Record) -> None:
        """Write the game."""
        user_files.write_safely(self.path, record.text)

    def read(self) -> Record:
        """Read the game."""
        return _read(self.path)

    def discard(self) -> None:
        """Delete the game and unlock it."""
        self.path.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Unlock the game."""
        self._lock.release()


def resume(name: str = "") -> tuple[SavedGame, Record, list[str]]:
    """Resume a saved game by its name, or the latest unfinished one; `name` may also be a game, such as `pente`.

    The third item holds messages about the games that were skipped.
    """
    if name and (name not in names() or (user_files.games() / f"{name}{SUFFIX}").exists()):
        return *_resume_named(name), []
    skipped: list[str] = []
    for each in listing():
        if each.record is None:
            skipped.append(
                phrase(
                    "Cannot read the saved game {name}: {reason} It is left unchanged.",
                    name=each.name,
                    reason=each.trouble,
                )
            )
        elif each.is_unfinished and name in ("", each.record.game.name):
            try:
                saved, record = _resume_named(each.name)
            except Busy as error:
                skipped.append(str(error))
                continue
            if record.outcome is None:  # another process may have finished it since it was listed
                return saved, record, skipped
            saved.release()
    none = (
        phrase("There is no unfinished game of {name} to resume.", name=name)
        if name
        else "There is no unfinished game to resume."
    )
    raise GameError(" ".join([none, *skipped]))


def _resume_named(name: str) -> tuple[SavedGame, Record]:
    known = [path.stem for path in _latest_first()]
    if not _NAME.fullmatch(name) or name not in known:
        some = ", ".join(known[:5]) + (", …" if len(known) > 5 else "")
        raise GameError(
            "There is no saved game {name}. Saved games: {names}.", name=shorten(repr(name)), names=some or "none"
        )
    saved = SavedGame(name)
    try:
        return saved, saved.read()
    except GameError as error:
        saved.release()
        raise GameError(
            "Cannot read the saved game {name} in {path}: {error}", name=name, path=saved.path, error=error
        ) from None

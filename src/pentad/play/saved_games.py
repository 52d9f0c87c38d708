"""The games a person has played here: kept after every move, listed, and gone on with by one process at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pentad import user_files
from pentad.game import GameError, games, shorten
from pentad.record import Record
from pentad.record.formats import decode
from pentad.user_files import Busy, Lock

SUFFIX = ".pentad"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,80}")


@dataclass(frozen=True, slots=True)
class SavedGameInfo:
    """A kept game as a list shows it: its record, or why there is none to be read."""

    name: str
    changed: datetime
    record: Record | None
    trouble: str = ""

    @property
    def is_unfinished(self) -> bool:
        return self.record is not None and self.record.outcome is None


def listing() -> Iterator[SavedGameInfo]:
    """Every kept game, the one played last first."""
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
        raise GameError(error.strerror or str(error)) from None


class SavedGame:
    """A kept game that this process holds: no other one may go on with it meanwhile."""

    def __init__(self, name: str) -> None:
        """Take hold of the game; `Busy` when another process has it."""
        self.name = name
        self.path = user_files.games() / f"{name}{SUFFIX}"
        self._lock = Lock(self.path.with_name(f".{name}.lock"), f"the game {name} is being played by another process")

    @classmethod
    def new(cls, game: str) -> SavedGame:
        """A game under a name of its own: `pentago-1`, `pentago-2`, …"""
        folder = user_files.games()
        folder.mkdir(parents=True, exist_ok=True)
        taken = [path.stem.rpartition("-")[2] for path in folder.glob(f"{game}-*{SUFFIX}")]
        number = max((int(each) for each in taken if each.isdecimal() and len(each) < 10), default=0)
        while True:
            number += 1
            try:
                kept = cls(f"{game}-{number}")
            except Busy:
                continue
            if not kept.path.exists():
                return kept
            kept.release()

    def save(self, record: Record) -> None:
        """Keep the game as it stands."""
        user_files.write_safely(self.path, record.text)

    def read(self) -> Record:
        """The game as it was kept."""
        return _read(self.path)

    def discard(self) -> None:
        """Keep it no longer."""
        self.path.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Let others go on with it."""
        self._lock.release()


def resume(name: str = "") -> tuple[SavedGame, Record, list[str]]:
    """Take up a kept game by its name, else the unfinished one played last (`name` may be a game to choose among).

    The third part says which games were passed over, and why.
    """
    if name and (name not in games() or (user_files.games() / f"{name}{SUFFIX}").exists()):
        return *_resume_named(name), []
    passed: list[str] = []
    for listed in listing():
        if listed.record is None:
            passed.append(f"the kept game {listed.name} cannot be read ({listed.trouble}) and is left as it is")
        elif listed.is_unfinished and name in ("", listed.record.game.name):
            try:
                kept, record = _resume_named(listed.name)
            except Busy as error:
                passed.append(str(error))
                continue
            if record.outcome is None:  # nobody has finished it since it was listed
                return kept, record, passed
            kept.release()
    why = "".join(f"; {each}" for each in passed)
    raise GameError(f"there is no unfinished game{f' of {name}' if name else ''} to go on with{why}")


def _resume_named(name: str) -> tuple[SavedGame, Record]:
    known = [path.stem for path in _latest_first()]
    if not _NAME.fullmatch(name) or name not in known:
        some = ", ".join(known[:5]) + (", …" if len(known) > 5 else "")
        raise GameError(f"no game is kept as {shorten(repr(name))}; kept are: {some or 'none'}")
    kept = SavedGame(name)
    try:
        return kept, kept.read()
    except GameError as error:
        kept.release()
        raise GameError(f"the kept game {name} cannot be read: {error} ({kept.path})") from None

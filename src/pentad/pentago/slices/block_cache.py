"""What has been read from files lately, up to so many bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock


class Shelf:
    """Pieces of files by their key; the one longest unused goes first. The newest stays, however large it is."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._pieces: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: Hashable, read: Callable[[], bytes]) -> bytes:
        """The piece of that key, read if it is not here."""
        with self._lock:
            if key in self._pieces:
                self._pieces.move_to_end(key)
                return self._pieces[key]
        piece = read()  # outside of the lock: two may read the same, but nobody waits for another's file
        with self._lock:
            self._bytes += len(piece) - len(self._pieces.pop(key, b""))
            self._pieces[key] = piece
            while self._bytes > self.most_bytes and len(self._pieces) > 1:
                _, oldest = self._pieces.popitem(last=False)
                self._bytes -= len(oldest)
        return piece

"""Least-recently-used cache of file blocks, limited in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock


class BlockCache:
    """Blocks of files by key; the least recently used is dropped first. The newest stays, however large it is."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._blocks: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: Hashable, read: Callable[[], bytes]) -> bytes:
        """Returns the block of a key, and reads it if it is not cached."""
        with self._lock:
            if key in self._blocks:
                self._blocks.move_to_end(key)
                return self._blocks[key]
        block = read()  # outside of the lock: two threads may read the same block, but none waits for another's file
        with self._lock:
            self._bytes += len(block) - len(self._blocks.pop(key, b""))
            self._blocks[key] = block
            while self._bytes > self.most_bytes and len(self._blocks) > 1:
                _, oldest = self._blocks.popitem(last=False)
                self._bytes -= len(oldest)
        return block

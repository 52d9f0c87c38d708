"""The cache of file blocks."""

import pytest

from pentad.game import GameError
from pentad.games.pentago.slices import BlockCache


class Source:
    """A source of blocks, with a log of reads."""

    def __init__(self, cache):
        self.cache, self.read = cache, []

    def __call__(self, key, size):
        def read():
            self.read.append(key)
            return bytes(size)

        assert len(self.cache.get(key, read)) == size


def test_the_least_recently_used_is_dropped_first():
    source = Source(BlockCache(10))
    source("a", 4)
    source("b", 4)
    source("a", 4)
    source("c", 4)  # b is dropped to make room
    source("a", 4)
    source("c", 4)
    assert source.read == ["a", "b", "c"]
    source("b", 4)
    assert source.read == ["a", "b", "c", "b"]


def test_the_newest_stays_whatever_its_size():
    source = Source(BlockCache(10))
    source("a", 4)
    source("large", 100)
    source("large", 100)
    source("b", 4)
    source("b", 4)
    source("a", 4)
    assert source.read == ["a", "large", "b", "a"]


def test_failed_reads_are_not_cached():
    cache = BlockCache(10)

    def broken():
        raise GameError("no")

    with pytest.raises(GameError):
        cache.get("a", broken)
    assert cache.get("a", lambda: b"x") == b"x"

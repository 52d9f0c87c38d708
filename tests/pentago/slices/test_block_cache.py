"""What is kept of files."""

import pytest

from pentad.game import GameError
from pentad.pentago.slices.block_cache import BlockCache


class Source:
    """Pieces of a size; it notes which were read."""

    def __init__(self, cache):
        self.cache, self.read = cache, []

    def __call__(self, key, size):
        def read():
            self.read.append(key)
            return bytes(size)

        assert len(self.cache.get(key, read)) == size


def test_the_longest_unused_goes_first():
    source = Source(BlockCache(10))
    source("a", 4)
    source("b", 4)
    source("a", 4)
    source("c", 4)  # b must go
    source("a", 4)
    source("c", 4)
    assert source.read == ["a", "b", "c"]
    source("b", 4)
    assert source.read == ["a", "b", "c", "b"]


def test_the_newest_stays_however_large():
    source = Source(BlockCache(10))
    source("a", 4)
    source("large", 100)
    source("large", 100)
    source("b", 4)
    source("b", 4)
    source("a", 4)
    assert source.read == ["a", "large", "b", "a"]


def test_what_cannot_be_read_is_not_kept():
    cache = BlockCache(10)

    def broken():
        raise GameError("no")

    with pytest.raises(GameError):
        cache.get("a", broken)
    assert cache.get("a", lambda: b"x") == b"x"

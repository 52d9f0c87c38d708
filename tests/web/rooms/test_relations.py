"""Relations in memory: who is blocked or muted, and by whom."""

from pentad.store.relations import RelationRow
from pentad.web.rooms.relations import KnownRelations


def test_only_a_block_blocks_and_both_hide() -> None:
    known = KnownRelations()
    known.replace([RelationRow(1, 2, "block"), RelationRow(1, 3, "mute")])
    assert known.hidden(1) == {2, 3}
    assert [known.blocks(1, other) for other in (2, 3, 4, None)] == [True, False, False, False]
    assert not known.blocks(2, 1)
    assert known.hidden(None) == known.hidden(2) == frozenset()
    known.set(1, 2, [])
    known.set(2, 1, ["mute", "block"])
    assert (known.hidden(1), known.blocks(2, 1)) == ({3}, True)
    assert known.of(2) == {1: {"mute", "block"}}

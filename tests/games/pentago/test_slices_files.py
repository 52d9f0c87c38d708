"""Slice files: all layouts of the format are read, and every fault raises an error."""

import lzma
import os
import random
import struct
import tracemalloc
import zlib

import pytest

from pentad.game import GameError
from pentad.games.pentago import from_number
from pentad.games.pentago.slices import SliceFile, Slices
from tests.games.pentago import slice_files

# Boards of two marbles in three sections, with masks that differ in every rotation.
BOARDS = {
    number: (random.Random(number).getrandbits(256) & ~(0b1101 << number % 200), 0b1101 << number % 200)
    for number in (5, 7, 15, 1 + (2 << 16), 3 + (54 << 16), 9 + (6 << 48))
}


def everything(path):
    """Reads everything in a file."""
    for _ in SliceFile(path).check():
        pass
    slices = Slices(path.parent)
    for marbles in slices.counts:
        list(slices.boards(marbles))
    for number in BOARDS:
        if 2 in slices.counts:
            slices.masks(from_number(number))


@pytest.fixture
def file(tmp_path):
    return slice_files.write(tmp_path / "slice.pentago", BOARDS)


@pytest.mark.fast_cases(10)
@pytest.mark.parametrize("pack", [zlib.compress, lzma.compress], ids=["zlib", "xz"])
@pytest.mark.parametrize("block_size", [1, 2, 8, 5000])
@pytest.mark.parametrize("kind", [0, 1])
def test_every_layout(tmp_path, pack, block_size, kind):
    path = slice_files.write(tmp_path / "a.pentago", BOARDS, block_size=block_size, kind=kind, pack=pack)
    slices = Slices(tmp_path)
    for number, wins in BOARDS.items():
        assert slices.masks(from_number(number)) == wins
    held = list(slices.boards(2))
    assert len(held) == 18 + 9 + 9  # all patterns of the three sections
    assert sum(1 for _, black, white in held if black or white) == len(BOARDS)
    assert sum(SliceFile(path).check()) < SliceFile(path).size
    assert sum(1 for _ in SliceFile(path).check()) == {1: 36, 2: 9 + 4 + 4, 8: 3 + 1 + 1, 5000: 3}[block_size]


def test_a_file_of_one_section(tmp_path):
    for i, number in enumerate((5, 1 + (2 << 16), 9 + (6 << 48))):
        path = slice_files.write(tmp_path / f"{i}.pentago", {number: BOARDS[number]}, many=False)
        assert path.read_bytes().startswith(b"pentago supertensor\n")
    slices = Slices(tmp_path)
    assert slices.counts == (2,)
    for number in (5, 1 + (2 << 16), 9 + (6 << 48)):
        assert slices.masks(from_number(number)) == BOARDS[number]
    assert len(list(slices.boards(2))) == 36


def test_reading_is_lazy(tmp_path):
    # A section of 100 million boards, of which the file has two blocks.
    boards = {}
    for seed in range(200):
        rng = random.Random(seed)
        cells = [1] * 17 + [2] * 16 + [0] * 3
        rng.shuffle(cells)
        number = sum(sum(3**i * cells[9 * k + i] for i in range(9)) << 16 * k for k in range(4))
        if sorted(slice_files.counts(q) for q in slice_files.quadrants(number)) == [(4, 4), (4, 4), (4, 4), (5, 4)]:
            boards[number] = (rng.getrandbits(256) & 0xFF00FF00, 0x00FF003C)
        if len(boards) == 2:
            break
    assert len(boards) == 2
    path = slice_files.write(tmp_path / "a.pentago", boards, whole=False)
    assert path.stat().st_size < 100_000
    slices = Slices(tmp_path)
    for number, wins in boards.items():
        assert slices.masks(from_number(number)) == wins
    with pytest.raises(GameError, match=r"Expected .* bytes for a block"):
        list(slices.boards(33))


# ── what cannot be ───────────────────────────────────────────────────────────────────────────────

# the offset and format of fields of the first header, in a file with several sections
HEAD, SECTION = 20, 32
FIELDS = {
    "version": (HEAD, "I"),
    "sections": (HEAD + 4, "I"),
    "header size": (HEAD + 8, "I"),
    "magic": (SECTION, "20s"),
    "section version": (SECTION + 20, "I"),
    "finished": (SECTION + 24, "B"),
    "marbles": (SECTION + 25, "I"),
    "black": (SECTION + 29, "B"),
    "white": (SECTION + 30, "B"),
    "shape": (SECTION + 37, "H"),
    "block size": (SECTION + 45, "I"),
    "blocks": (SECTION + 49, "H"),
    "filter": (SECTION + 57, "I"),
    "index size": (SECTION + 61, "Q"),
    "index packed": (SECTION + 69, "Q"),
    "index offset": (SECTION + 77, "Q"),
}
FORGED_FIELDS = [
    ("version", 4, "Unsupported format version 4. Only 3 is supported"),
    ("sections", 0, "Expected 1 to 64,405 sections, got 0"),
    ("sections", 2**32 - 1, "sections, got 4,294,967,295"),
    ("sections", 60_000, "before the end of its sections' headers"),
    ("sections", 2, ""),  # the third is not read
    ("sections", 4, "got other data"),
    ("header size", 84, "Expected 85 bytes for a section's header, got 84"),
    ("magic", b"pentago supertensor!", "Expected a section's header, got other data"),
    ("section version", 2, "Unsupported format version 2"),
    ("finished", 0, "The file is incomplete"),
    ("finished", 2, "The file is incomplete"),
    ("marbles", 3, "1 black and 1 white marbles in quadrants of 2+0+0+0"),
    ("marbles", 2**32 - 1, "Impossible counts"),
    ("black", 9, "9 black and 1 white marbles in quadrants of 10+0+0+0"),
    ("black", 0, "0 black and 1 white"),
    ("white", 255, "Impossible counts"),
    ("shape", 17, "Expected 18 × 1 × 1 × 1 patterns with these counts, got 17 × 1 × 1 × 1"),
    ("shape", 2**16 - 1, "patterns with these counts"),
    ("block size", 0, "Invalid block size 0"),
    ("block size", 4, "Expected 5 × 1 × 1 × 1 blocks in a section, got 3 × 1 × 1 × 1"),
    ("block size", 2**32 - 1, "Expected 1 × 1 × 1 × 1 blocks"),
    ("blocks", 2, "Expected 3 × 1 × 1 × 1 blocks in a section, got 2 × 1 × 1 × 1"),
    ("filter", 2, "Unknown filter 2. The filters are 0 and 1"),
    ("filter", 0, "Both players win the same board"),
    ("index size", 2**64 - 1, "Expected 72 bytes for a section's index, got 18,446,744,073,709,551,615"),
    ("index size", 48, "Expected 72 bytes for a section's index, got 48"),
    ("index packed", 2**64 - 1, "Impossible size of 18,446,744,073,709,551,615 compressed bytes for a section's index"),
    ("index packed", 10, "Cannot decompress a section's index to 72 bytes"),
    ("index packed", 0, "Cannot decompress a section's index to 72 bytes"),
    ("index packed", 900, "a section's index"),
    ("index offset", 2**64 - 1, "before the end of a section's index"),
    ("index offset", 0, "Cannot decompress a section's index"),
]


@pytest.mark.fast_cases(24)
@pytest.mark.parametrize(("field", "value", "expected"), FORGED_FIELDS)
def test_forged_fields(file, field, value, expected):
    at, form = FIELDS[field]
    data = bytearray(file.read_bytes())
    struct.pack_into("<" + form, data, at, value)
    file.write_bytes(data)
    if not expected:
        SliceFile(file).sections  # noqa: B018
        return
    with pytest.raises(GameError) as caught:
        everything(file)
    assert str(caught.value).startswith(f"Slice file {file}: ")
    assert expected in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_section_twice(tmp_path):
    path = slice_files.write(tmp_path / "a.pentago", BOARDS)
    data = bytearray(path.read_bytes())
    data[32 + 85 : 32 + 170] = data[32 : 32 + 85]
    path.write_bytes(data)
    with pytest.raises(GameError, match="Two sections are the same"):
        everything(path)


def test_sections_of_different_slices(tmp_path):
    path = slice_files.write(tmp_path / "a.pentago", {5: (0, 0), 1: (0, 0)})
    with pytest.raises(GameError, match="different numbers of marbles"):
        everything(path)


def test_boards_that_both_players_win(tmp_path):
    for kind in (0, 1):
        path = slice_files.write(tmp_path / "a.pentago", {5: (1 << 200, 1 << 200)}, kind=kind)
        with pytest.raises(GameError, match="Both players win the same board"):
            list(SliceFile(path).check())
        with pytest.raises(GameError, match="Both players win the same board"):
            Slices(tmp_path).masks(from_number(5))


def test_overlapping_blocks(tmp_path):
    """Many blocks at the location of one: together they are longer than the file."""
    path = slice_files.write(
        tmp_path / "a.pentago", {5: BOARDS[5]}, block_size=1, pack=lambda data: zlib.compress(data, 0)
    )
    data = path.read_bytes()
    assert SliceFile(path).size == len(data)
    list(SliceFile(path).check())
    first = SliceFile(path).sections[0]
    one = SliceFile(path).index(first)[:24]
    short = data[:117] + data[117 : 117 + struct.unpack("<3Q", one)[1]]
    packed = zlib.compress(one * 18)
    lying = bytearray(short + packed)
    struct.pack_into("<3Q", lying, SECTION + 61, 24 * 18, len(packed), len(short))
    path.write_bytes(lying)
    with pytest.raises(GameError, match="some must overlap"):
        list(SliceFile(path).check())


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("pack", [zlib.compress, lzma.compress], ids=["zlib", "xz"])
def test_a_block_that_would_fill_the_memory(tmp_path, pack):
    board = 5 + (5 << 16)  # its section has 18 × 18 boards in one block
    path = tmp_path / "a.pentago"

    def pack_more(data):
        return pack(data + bytes(20 << 20)) if len(data) > 10_000 else pack(data)

    slice_files.write(path, {board: (1, 2)}, pack=pack_more, block_size=5000)
    assert path.stat().st_size < 30_000
    slices = Slices(tmp_path)
    tracemalloc.start()
    try:
        with pytest.raises(GameError, match="Cannot decompress a block to 20,736 bytes"):
            slices.masks(from_number(board))
        assert tracemalloc.get_traced_memory()[1] < 12 << 20  # xz alone needs 8 MB
    finally:
        tracemalloc.stop()


def test_trailing_compressed_data(tmp_path):
    path = slice_files.write(tmp_path / "a.pentago", BOARDS, pack=lambda data: zlib.compress(data) + b"more")
    with pytest.raises(GameError, match=r"Cannot decompress .* to"):
        everything(path)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("pack", [zlib.compress, lzma.compress], ids=["zlib", "xz"])
def test_random_damage(tmp_path, pack):
    path = slice_files.write(tmp_path / "a.pentago", BOARDS, pack=pack)
    whole = path.read_bytes()
    rng = random.Random(1)
    refused = 0
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 1, 1, 2, 8))):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 255, rng.randrange(256)))
        refused += is_refused(path, data)
    assert refused > 300


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("pack", [zlib.compress, lzma.compress], ids=["zlib", "xz"])
def test_truncation(tmp_path, pack):
    path = slice_files.write(tmp_path / "a.pentago", BOARDS, pack=pack)
    whole = path.read_bytes()
    for size in range(0, len(whole), 3):
        assert is_refused(path, whole[:size]), size


def is_refused(path, data):
    path.write_bytes(data)
    message = ""
    try:
        everything(path)
    except GameError as error:
        message = str(error)
    assert message.isprintable()
    assert not message or str(path) in message or "lacks this board's section" in message
    return bool(message)


# ── no slice files at all ────────────────────────────────────────────────────────────────────────


def test_foreign_files(tmp_path):
    foreign = (
        b"",
        b"\n",
        b"pentago",
        b"PNG" * 20,
        b"pentago sections   \r\n" + bytes(99),
        random.Random(1).randbytes(5000),
    )
    for data in foreign:
        path = tmp_path / "a.pentago"
        path.write_bytes(data)
        with pytest.raises(GameError, match=r"Not a slice file|end of its first"):
            SliceFile(path)
        with pytest.raises(GameError, match="Slice file"):
            Slices(tmp_path)


def test_other_paths(tmp_path):
    with pytest.raises(GameError, match="Not a regular file"):
        SliceFile(tmp_path)
    with pytest.raises(GameError, match="Cannot read it: No such file"):
        SliceFile(tmp_path / "none")
    with pytest.raises(GameError, match="The name is not a file name"):
        SliceFile("a\0b")
    with pytest.raises(GameError, match="Cannot read it"):
        SliceFile("a" * 5000)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "a.pentago")
    with pytest.raises(GameError, match="Not a regular file"):
        SliceFile(tmp_path / "a.pentago")
    with pytest.raises(GameError, match="has no slice files"):
        Slices(tmp_path)


def test_a_removed_file(file):
    held = SliceFile(file)
    file.unlink()
    with pytest.raises(GameError, match="Cannot read it: No such file"):
        held.sections  # noqa: B018
    with pytest.raises(GameError, match="Cannot read it"):
        held.size  # noqa: B018

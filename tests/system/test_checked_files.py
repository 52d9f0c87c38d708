"""Files with checksums: any part of them is read, and no kind of file that has a result is read with a flipped bit."""

import json
import random
from collections import Counter
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError
from pentad.games.pentago.solver.level_files import LevelFiles, PageFile
from pentad.games.pente.engine import kept_analyses
from pentad.grammar.farm import key_files, partition
from pentad.grammar.farm.key_files import KeyFile, KeyFileWriter, draft_of
from pentad.kernels.buffers import array, zeros
from pentad.kernels.npz import read_npz
from pentad.play.contest import Contest, ContestTerms
from pentad.play.data import Dataset, make_games
from pentad.play.data.dataset import ShardWriter as DataWriter
from pentad.play.data.dataset import faults, manifest_of
from pentad.play.data.make import _shard_of_games, settings_of_games
from pentad.search import book
from pentad.system.checked_files import (
    BlockFile,
    BlockWriter,
    crc32s,
    read_json,
    read_whole,
    with_check,
    with_last_line,
    without_last_line,
    write_whole,
)
from tests.damage import damages, refuses_damage
from tests.properties import properties
from training.common import read_arrays
from training.pente.learn import TrainingRun


def blocks(path, parts, block, sums=crc32s, note=b""):
    """Writes a file of parts, each in blocks of so many bytes."""
    with draft_of(path).open("wb", buffering=0) as file:
        writer = BlockWriter(file, sums)
        for part in parts:
            writer.write(memoryview(bytearray(part)), block, [len(part) // 3])
        writer.complete(path, note)
    Path(file.name).replace(path)
    return path


# ── blocks ───────────────────────────────────────────────────────────────────────────────────────


@properties(60)
@given(st.lists(st.binary(max_size=50), max_size=5), st.integers(1, 60), st.data())
def test_every_part_of_a_file_is_read(tmp_path_factory, parts, block, data):
    path = blocks(tmp_path_factory.getbasetemp() / "some.blocks", parts, block, note=b"note")
    whole, file = b"".join(parts), BlockFile.at(path)
    assert (file.size, file.note) == (len(whole), b"note")
    begin = data.draw(st.integers(0, len(whole)))
    to = bytearray(data.draw(st.integers(0, len(whole) - begin)))
    file.read(begin, memoryview(to))
    assert to == whole[begin : begin + len(to)]
    with pytest.raises(GameError, match="is damaged"):
        file.read(begin, memoryview(bytearray(len(whole) - begin + 1)))


def test_only_the_blocks_that_are_read_are_verified(tmp_path):
    path = blocks(tmp_path / "some.blocks", [bytes(range(100))], 10)
    path.write_bytes(bytes([1]) + path.read_bytes()[1:])
    to = bytearray(90)
    BlockFile.at(path).read(10, memoryview(to))
    assert to == bytes(range(10, 100))
    with pytest.raises(GameError, match=r"some\.blocks is damaged"):
        BlockFile.at(path).read(9, memoryview(to))


def test_a_file_belongs_to_its_name_and_its_folder(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    path = blocks(tmp_path / "one" / "some.blocks", [b"data"], 2)
    for other in ("one/others.blocks", "two/some.blocks"):
        (tmp_path / other).write_bytes(path.read_bytes())
        with pytest.raises(GameError, match=r"\.blocks belongs to another computation"):
            BlockFile.at(tmp_path / other)


@properties(60)
@given(st.lists(st.integers(0, (1 << 32) - 1), min_size=1, max_size=40), st.data())
def test_the_sums_of_a_kernel_change_with_every_word(words, data):
    ends = [*sorted(data.draw(st.sets(st.integers(1, len(words)), max_size=4)) | {len(words)})]
    places = array([100 + 4 * end for end in ends], "int64")
    before = key_files.sums(array(words, "uint32").cast("B"), places, 100)
    for begin, end, found in zip([0, *ends], ends, before, strict=False):
        sums = [*accumulate(words[begin:end])]
        assert found == (sums[-1] * 0x9E3779B97F4A7C15 + sum(sums)) % (1 << 64)
    place, word = data.draw(st.integers(0, len(words) - 1)), data.draw(st.integers(0, (1 << 32) - 1))
    changed = [*words]
    changed[place] = word
    after = key_files.sums(array(changed, "uint32").cast("B"), places, 100)
    block = next(number for number, end in enumerate(ends) if place < end)
    expected = {block} if word != words[place] else set()
    assert {number for number in range(len(ends)) if before[number] != after[number]} == expected


# ── JSON and text ────────────────────────────────────────────────────────────────────────────────


def test_values_of_json_have_a_checksum(tmp_path):
    path = tmp_path / "some.json"
    path.write_text(json.dumps(with_check({"a": [1, 2.5, "é"], "b": None}, "me"), indent=1))
    assert read_json(path, "me") == {"a": [1, 2.5, "é"], "b": None}
    with pytest.raises(GameError, match=r"some\.json is damaged\. Buy another\."):
        read_json(path, "you", "Buy another.")
    for text in ("", "[]", "7", "{}", "[" * 9999, '{"a": 1}', '{"crc32": 7}'):
        path.write_text(text)
        with pytest.raises(GameError, match=r"some\.json is damaged\."):
            read_json(path)
    with pytest.raises(FileNotFoundError):
        read_json(tmp_path / "none.json")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r")))
@properties(40)
def test_a_text_has_a_last_line(text):
    text = text and text + "\n"
    assert without_last_line(with_last_line(text)) == text
    for other in ("", "\n", text, with_last_line(text)[:-1], with_last_line(text) + "\n", "x" + with_last_line(text)):
        with pytest.raises(ValueError, match="another checksum"):
            without_last_line(other)


# ── every kind of file ───────────────────────────────────────────────────────────────────────────


def keys_file(folder, ends):
    """A file of keys in forty segments; the ends follow if there are many keys."""
    chance, rests, counts = random.Random(1), list[int](), list[int]()
    for segment in range(40):
        held = sorted(chance.sample(range(1 << 20), 6 if ends else segment % 9 == 0))
        rests += [segment, len(held), *held] if held else []
        counts.append(len(rests))
    with KeyFileWriter(folder / "4-0-8.keys", "uint32", 0, 40) as out:
        out.add(array(rests, "uint32"), array(counts, "int64"), 5)
        out.states = len(rests)
    return folder / "4-0-8.keys"


def read_keys(path):
    file = KeyFile.at(path, "uint32")
    data = zeros(file.slots, "uint32")
    file.read(0, data)
    file.check(data)
    return file.begins(range(41)), data.tolist(), (file.low, file.high, file.states, file.kinds)


def results_file(folder):
    return blocks(folder / "4-0-8.results", [bytes(range(40))], 16)


def answer_file(folder):
    partition.once(folder, "3-0-8", lambda: {"states": 25, "file": "3-0-8.keys", "checked": []})
    return folder / "3-0-8.json"


def tables_file(folder):
    write_whole(folder / partition.TABLES, partition.pack((8, "uint32", (1, 2), array([3, 4], "int64"))))
    return folder / partition.TABLES


def pages_file(folder):
    level = LevelFiles(folder, "values-03")
    for number in range(3):
        level.write(memoryview(bytes(range(number, 30))))
    level.complete()
    return folder / "values-03-0000000.pages"


def read_pages(path):
    level, to = LevelFiles(path.parent, "values-03"), memoryview(bytearray(100))
    return [bytes(level.read(page, to)) for page in range(PageFile.at(path).end)]


def manifest_file(folder):
    make_games(folder, "pentago", count=3, seed=1)
    return folder / "manifest.json"


def shard_file(folder):
    manifest_file(folder)
    return folder / "positions-00000.parquet"


def read_shard(path):
    if found := faults(path.parent, manifest_of(path.parent)["files"]):
        raise GameError(found[0])
    return "whole"


def note_file(folder):
    """The note of a shard in a set that is not complete."""
    settings = settings_of_games(pentad.new("pentago"), ["random"], 1, 4)
    writer = DataWriter(folder, "games", settings, 2)
    writer.write_shard(0, _shard_of_games(settings, 2, 0))
    return folder / ".shard-00000.json"


def read_note(path):
    settings = settings_of_games(pentad.new("pentago"), ["random"], 1, 4)
    return DataWriter(path.parent, "games", settings, 2)._about(0)


def arrays_file(folder):
    np.savez(folder / "fit-0.npz", learned=np.arange(20, dtype=np.float32), epochs=3)
    return folder / "fit-0.npz"


def read_fit(path):
    return {name: each.tolist() for name, each in read_arrays(path).items()}


def weights_file(folder):
    np.savez_compressed(folder / "weights-0.npz", used=np.arange(20, dtype=np.int32) // 7, size=np.int32(9))
    return folder / "weights-0.npz"


def read_weights(path):
    return {name: (each.shape, each.values.tolist()) for name, each in read_npz(path).items()}


def run_file(folder):
    run = TrainingRun(folder)
    run.add("losses", (0, 0, 0.69, 0.68))
    return folder / "run.json"


def analysis_file(folder):
    here, table = pentad.new("pente"), kept_analyses.KeptTable(folder / "some.analysis", pentad.new("pente"))
    table.table.words[:8] = array(range(8), "int64")
    table.close()
    assert here
    return folder / "some.analysis"


def read_analysis(path):
    table = kept_analyses.KeptTable(path, pentad.new("pente"))
    table._lock.release()
    return table.table.words.tolist(), table.table.generation


def book_file(folder):
    pages = {"a": book.BookPage(3, (("b2 3A", 0.125), ("a1 1C", -1.0))), "b": book.BookPage(0, (("K10", 1.0),))}
    (folder / "book.tsv").write_text(book.written(pages))
    return folder / "book.tsv"


def read_book(path):
    return book.read(path.read_text(errors="replace"), path.name)


def match_file(folder):
    with match(folder):
        pass
    return folder / "match.json"


def match(folder):
    return Contest(ContestTerms("pentago", ("greedy", "random")).checked(), folder, 1)


def read_match(path):
    try:
        with match(path.parent):
            return "the same match"
    except GameError as error:  # the error may name the folder alone
        raise GameError(f"{path.name}: {error}") from None


KINDS = {
    "keys": (lambda folder: keys_file(folder, True), read_keys),
    "few keys": (lambda folder: keys_file(folder, False), read_keys),
    "results of keys": (results_file, lambda path: bytes(read_whole(path))),
    "the answer of a unit": (answer_file, lambda path: partition.answer_of(path.parent, path.stem)),
    "tables": (tables_file, lambda path: bytes(read_whole(path))),
    "pages": (pages_file, read_pages),
    "a manifest": (manifest_file, lambda path: Dataset(path.parent).manifest),
    "a shard": (shard_file, read_shard),
    "the note of a shard": (note_file, read_note),
    "a state of training": (arrays_file, read_fit),
    "weights": (weights_file, read_weights),
    "a training run": (run_file, lambda path: TrainingRun(path.parent).parts),
    "an analysis": (analysis_file, read_analysis),
    "a book": (book_file, read_book),
    "the settings of a match": (match_file, read_match),
}
# Kinds in which some changes mean nothing: blanks of JSON, dates in archives, settings that are not compared.
LENIENT = {
    "the answer of a unit", "a manifest", "the note of a shard", "a state of training", "weights", "a training run",
    "an analysis", "the settings of a match",
}  # fmt: skip
LARGE = {"a shard": 7, "a state of training": 2}  # a fast run damages every so many of their bytes


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(kept_analyses, "TABLE_ENTRIES", 1 << 6)


@pytest.mark.parametrize("name", KINDS)
def test_no_damaged_file_is_read(name, tmp_path):
    """Every byte has one bit flipped; then parts are missing, counts are huge, and the file is another one."""
    make, read = KINDS[name]
    path = make(tmp_path)
    number = refuses_damage(path, lambda: read(path), LARGE.get(name, 1), is_strict=name not in LENIENT)
    assert number > 60


def test_damage_is_of_all_kinds():
    data = bytes(range(200))
    found = [*damages(data)]
    sizes = Counter(map(len, found))
    assert sum(each != data for each in found) == len(found)
    assert sizes[200] > 200
    assert {0, 1, 199, 201} <= set(sizes)


def test_a_kernel_trusts_no_count(tmp_path):
    """Files with right checksums, but with segments that are none."""
    good = [0, 2, 5, 9, 3, 1, 7]
    for place, number in [
        (0, 9),
        (1, 0),
        (1, 1),
        (1, 4),
        (1, 1 << 31),
        (4, 0),
        (4, 40),
        (5, 0),
        (5, 2),
        (5, (1 << 32) - 1),
    ]:
        bad = [*good]
        bad[place] = number
        with KeyFileWriter(tmp_path / "bad.keys", "uint32", 0, 40) as out:
            out.add(array(bad, "uint32"), array([len(bad)] * 40, "int64"), 1)
        file, data = KeyFile.at(tmp_path / "bad.keys", "uint32"), zeros(len(bad), "uint32")
        file.read(0, data)
        with pytest.raises(GameError, match=r"bad\.keys is damaged\."):
            file.check(data)
        with pytest.raises(GameError, match=r"bad\.keys is damaged\."):
            file.begins([0, 4])
        at = array([0, len(bad)], "int64")
        assert partition.program(partition.MERGING)("largest_uint32", data, at, 0, 40) == -1

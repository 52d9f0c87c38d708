"""Files of a level: pages come back, whichever file they are in, and what is missing is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentad.game import GameError
from pentad.games.pentago.solver import level_files
from pentad.games.pentago.solver.level_files import LevelFiles, PageFile
from pentad.system.checked_files import write_whole

NAME = "values-03"
PAGES = [bytes([number]) * (10 + number) for number in range(7)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of files with two or three pages each."""
    monkeypatch.setattr(level_files, "FILE_BYTES", 21)
    return tmp_path


def written(folder: Path) -> LevelFiles:
    files = LevelFiles(folder, NAME)
    assert [files.write(memoryview(page)) for page in PAGES] == [False, True, False, True, False, True, False]
    return files


def page_of(files: LevelFiles, number: int) -> bytes:
    return bytes(files.read(number, memoryview(bytearray(100))))


def test_pages_come_back_from_their_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = written(folder)
    assert files.end == 6
    files.complete()
    files.complete()  # nothing more was written
    listed = sorted(folder.iterdir())
    assert [path.name for path in listed] == [f"{NAME}-000000{first}.pages" for first in (0, 2, 4, 6)]
    monkeypatch.setattr(Path, "glob", lambda *_: reversed(listed))  # the order of a folder can be any
    for each in (files, LevelFiles(folder, NAME)):
        each.check_complete()
        assert each.end == 7
        assert [page_of(each, number) for number in range(7)] == PAGES


def test_an_empty_level_has_no_pages(folder: Path) -> None:
    files = LevelFiles(folder, NAME)
    files.check_complete()
    assert files.end == 0
    with pytest.raises(GameError, match="Page 0 of values-03 is missing"):
        page_of(files, 0)


@pytest.mark.parametrize(("lost", "missing"), [(0, 0), (1, 2)])
def test_a_missing_file_is_noticed(folder: Path, lost: int, missing: int) -> None:
    written(folder).complete()
    sorted(folder.iterdir())[lost].unlink()
    files = LevelFiles(folder, NAME)
    with pytest.raises(GameError, match=f"Page {missing} of values-03 is missing"):
        files.check_complete()
    for number in (missing, missing + 1, 7):
        with pytest.raises(GameError, match=f"Page {number} of values-03 is missing"):
            page_of(files, number)


def test_files_whose_pages_are_unneeded_are_removed(folder: Path) -> None:
    files = written(folder)
    files.remove(lambda page: page != 3)
    assert [each.first for each in files.files] == [2]
    assert page_of(files, 3) == PAGES[3]
    files.remove()
    assert [path.name for path in folder.iterdir()] == [f".{NAME}.tmp"]
    files.discard()


def test_an_incomplete_file_can_be_discarded(folder: Path) -> None:
    files = written(folder)
    files.discard()
    files.discard()
    assert len([*folder.iterdir()]) == 3
    files.write(memoryview(PAGES[6]))
    (folder / f".{NAME}.tmp").unlink()  # somebody tidies up the folder
    files.discard()
    assert LevelFiles(folder, NAME).end == 6


def test_a_file_without_the_number_of_its_first_page_is_damaged(folder: Path) -> None:
    path = folder / f"{NAME}-0000000.pages"
    write_whole(path, b"some pages")
    with pytest.raises(GameError, match="is damaged"):
        PageFile.at(path)

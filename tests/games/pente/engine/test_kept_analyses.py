"""Kept analyses: a later one goes on from the file, and files that do not fit are refused and left alone."""

import json
import zlib

import pytest

import pentad
from pentad.game import GameError
from pentad.games.pente.engine import kept_analyses
from pentad.search.analysis import analyse
from pentad.terminal import main

BOARD = "pente"
DEPTH = 11


def position(**options):
    here = pentad.new("pente", **options)
    for move in ["K10", "L10", "N10", "L11", "K12"]:
        here = here.play(move)
    return here


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(kept_analyses, "TABLE_ENTRIES", 1 << 14)


def test_a_later_analysis_goes_on_from_the_file(tmp_path):
    file, here = tmp_path / "open.analysis", position()
    first = analyse(here, depth=DEPTH, lines=1, keep=file).report
    again = analyse(here, depth=DEPTH, lines=1, keep=str(file)).report
    assert again.depth == first.depth == DEPTH
    assert again.nodes < first.nodes / 4
    assert [path.name for path in tmp_path.iterdir()] == [file.name]  # no lock, no draft


def test_an_analysis_that_is_left_is_kept(tmp_path):
    file, here = tmp_path / "open.analysis", position()
    reports = iter(analyse(here, depth=DEPTH, lines=1, keep=file))
    while next(reports).depth < DEPTH - 1:
        pass
    reports.close()
    before = file.read_bytes()
    assert before
    plain = analyse(here, depth=DEPTH - 1, lines=1).report
    assert analyse(here, depth=DEPTH - 1, lines=1, keep=file).report.nodes < plain.nodes / 4


def test_another_position_of_the_game_goes_on_from_it(tmp_path):
    file, here = tmp_path / "open.analysis", position()
    line = analyse(here, depth=DEPTH, lines=1, keep=file).report.lines[0].moves
    after = here.play(line[0])
    plain = analyse(after, depth=DEPTH - 2, lines=1).report
    assert analyse(after, depth=DEPTH - 2, lines=1, keep=file).report.nodes < plain.nodes / 2


def header_of(file, **changes):
    line, _, words = file.read_bytes().partition(b"\n")
    file.write_bytes(json.dumps(json.loads(line) | changes).encode() + b"\n" + words)


REFUSED = {
    "empty": lambda file: file.write_bytes(b""),
    "rubbish": lambda file: file.write_bytes(b"\x00\xff" * 500),
    "half": lambda file: file.write_bytes(file.read_bytes()[:-10]),
    "a number": lambda file: file.write_bytes(b"7\n"),
    "deep": lambda file: file.write_bytes(b"[" * 3000),
    "no words": lambda file: file.write_bytes(file.read_bytes().partition(b"\n")[0] + b"\n"),
    "too many words": lambda file: file.write_bytes(
        file.read_bytes().partition(b"\n")[0] + b"\n" + zlib.compress(bytes(1 << 22))
    ),
    "another evaluation": lambda file: header_of(file, evaluation="0"),
    "another version": lambda file: header_of(file, version=0),
    "no generation": lambda file: header_of(file, generation=None),
}


@pytest.mark.parametrize("damage", REFUSED)
def test_files_that_do_not_fit_are_refused_and_left_alone(tmp_path, damage):
    file, here = tmp_path / "open.analysis", position()
    assert analyse(here, depth=2, lines=1, keep=file).report
    REFUSED[damage](file)
    before = file.read_bytes()
    with pytest.raises(GameError, match=r"open\.analysis: [^\n]{10,80}$"):
        _ = analyse(here, depth=2, lines=1, keep=file).report
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_file_of_another_game_is_refused(tmp_path):
    file = tmp_path / "open.analysis"
    assert analyse(position(), depth=2, lines=1, keep=file).report
    for other in (position(rules="keryo"), pentad.new("pente", size=15)):
        with pytest.raises(GameError, match="of this analysis is another one"):
            _ = analyse(other, depth=2, lines=1, keep=file).report
    with pytest.raises(GameError, match="Pentago cannot be kept"):
        analyse(pentad.new("pentago"), keep=file)


def test_two_analyses_of_one_file_at_once_are_refused(tmp_path):
    file = tmp_path / "open.analysis"
    reports = iter(analyse(position(), depth=5, lines=1, keep=file))
    next(reports)
    with pytest.raises(GameError, match="Another analysis uses this file"):
        _ = analyse(position(), depth=2, lines=1, keep=file).report
    reports.close()


def test_the_command(tmp_path, capsys):
    file = tmp_path / "pente.analysis"
    for _ in range(2):
        assert main(["analyse", BOARD, "--depth", "3", "--keep", str(file), "--json"]) == 0
    first, again = (
        json.loads(lines[-1])["nodes"]
        for text in [capsys.readouterr().out]
        for lines in (text.splitlines()[:3], text.splitlines()[3:])
    )
    assert again < first
    assert main(["analyse", BOARD, "--depth", "3", "--keep", str(file / "x")]) == 2
    assert main(["analyse", "pentago", "--keep", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 2

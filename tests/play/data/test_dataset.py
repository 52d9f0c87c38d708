"""Data sets: shards, manifests, resumption, and the answers to questions against the games themselves."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from pentad import new
from pentad.game import GameError, Move, Position
from pentad.play.data import Dataset, import_records, make_games, make_labels
from pentad.play.data import make as making
from pentad.play.data.dataset import ShardWriter
from pentad.play.data.keys import Keys
from pentad.record import Record
from pentad.record.formats import FORMATS, write
from pentad.system.checked_files import with_check
from pentad.system.extras import MissingExtra

AGAIN = {"count": 120, "seed": 5, "shards": 3}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("data") / "games"
    make_games(made, "pentago", **AGAIN)
    return made


def lines(data: Dataset) -> list[list[Move]]:
    return [data.moves(number) for number in range(data.statistics()["games"])]


def reached(start: Position, moves: list[Move]) -> list[Position]:
    found = [start]
    for move in moves:
        found.append(found[-1].play(move))
    return found


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def test_the_manifest_names_everything(folder: Path) -> None:
    manifest = Dataset(folder).manifest
    about = {name: manifest[name] for name in ("kind", "game", "bots", "seed", "count", "shards", "complete")}
    assert about == {"kind": "games", "game": "pentago", "bots": ["random"], **AGAIN, "complete": True}
    assert [each["name"] for each in manifest["files"]] == [
        f"{table}-0000{shard}.parquet" for table in ("games", "positions") for shard in range(3)
    ]
    assert [each["rows"] for each in manifest["files"]][:3] == [40, 40, 40]
    assert all((folder / each["name"]).stat().st_size == each["bytes"] for each in manifest["files"])


@pytest.mark.slow
def test_games_are_legal_and_end(folder: Path) -> None:
    data = Dataset(folder)
    results: Counter[str] = Counter()
    games = lines(data)
    for moves in games:
        end = reached(data.start, moves)[-1].outcome
        assert end is not None
        results["+".join(str(seat) for seat, worth in enumerate(end.returns) if worth > 0) or "draw"] += 1
    found = data.statistics()
    assert found["results"] == dict(results)
    assert found["positions"] == sum(map(len, games))
    assert found["moves"]["most"] == max(map(len, games))


@pytest.mark.slow
def test_a_tree_counts_the_moves_of_all_games(folder: Path) -> None:
    data = Dataset(folder)
    keys, games = Keys(data.start), lines(data)
    first = Counter(keys.of(data.start.play(moves[0])) for moves in games)
    branches = data.tree(data.start)
    assert {keys.of(data.start.play(each.move)): each.times for each in branches} == first
    assert [each.times for each in branches] == sorted((each.times for each in branches), reverse=True)
    here = data.start.play(branches[0].move)
    mine = [moves for moves in games if keys.of(data.start.play(moves[0])) == keys.of(here)]
    below = data.tree(here)
    assert sum(each.times for each in below) == len(mine) == branches[0].times
    ends = [reached(data.start, moves)[-1].outcome for moves in mine]
    assert sum(each.wins for each in below) == sum(end is not None and end.returns[1] > 0 for end in ends)
    assert sum(each.losses for each in below) == branches[0].wins
    assert data.tree(reached(data.start, games[0])[-1]) == []


@pytest.mark.slow
def test_a_position_is_found_in_every_symmetric_form(folder: Path) -> None:
    data = Dataset(folder)
    keys, games = Keys(data.start), lines(data)
    here = reached(data.start, games[7])[2]
    expected = [
        (number, ply)
        for number, moves in enumerate(games)
        for ply, each in enumerate(reached(data.start, moves)[:-1])
        if keys.of(each) == keys.of(here)
    ]
    assert (7, 2) in expected
    for symmetry in data.start.symmetries:
        count, found = data.search(symmetry.position(here))
        assert (count, [(each.game, each.ply) for each in found]) == (len(expected), expected)
    count, found = data.search(data.start, limit=2)
    assert (count, [each.game for each in found]) == (120, [0, 1])


def test_the_same_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    make_games(tmp_path / "again", "pentago", **AGAIN)
    assert bytes_of(tmp_path / "again") == bytes_of(folder)
    make_games(tmp_path / "other", "pentago", **(AGAIN | {"seed": 6}))
    assert bytes_of(tmp_path / "other")["games-00000.parquet"] != bytes_of(folder)["games-00000.parquet"]


def test_several_processes_make_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    make_games(tmp_path / "again", "pentago", workers=2, **AGAIN)
    assert bytes_of(tmp_path / "again") == bytes_of(folder)


def test_a_stopped_run_is_continued(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, range_ = [], making._range

    def stopped(count: int, shards: int, shard: int) -> range:
        made.append(shard)
        if made == [0, 1]:
            raise KeyboardInterrupt
        return range_(count, shards, shard)

    monkeypatch.setattr(making, "_range", stopped)
    with pytest.raises(KeyboardInterrupt):
        make_games(tmp_path / "part", "pentago", **AGAIN)
    with pytest.raises(GameError, match="is incomplete"):
        Dataset(tmp_path / "part")
    (tmp_path / "part" / ".positions-00001.parquet.1.tmp").write_bytes(b"half")
    (tmp_path / "part" / "games-00001.parquet").write_bytes(b"of a shard that is not complete")
    make_games(tmp_path / "part", "pentago", **AGAIN)
    assert made == [0, 1, 1, 2]
    assert bytes_of(tmp_path / "part") == bytes_of(folder)


def test_other_settings_do_not_mix(folder: Path) -> None:
    before = bytes_of(folder)
    with pytest.raises(GameError, match="its seed is 5, not 6"):
        make_games(folder, "pentago", **(AGAIN | {"seed": 6}))
    with pytest.raises(GameError, match="its kind is 'games', not 'labels'"):
        make_labels(folder, "pentago", count=10, seed=5)
    assert bytes_of(folder) == before


def test_labels(tmp_path: Path) -> None:
    manifest = make_labels(tmp_path / "labels", "pentago", count=3_000, seed=2, shards=2)
    assert [each["rows"] for each in manifest["files"]] == [1500, 1500]
    data = Dataset(tmp_path / "labels")
    found = data.statistics()
    assert found["labels"] == found["won"] + found["drawn"] + found["lost"] == 3_000
    assert sum(each["labels"] for each in found["by_marbles"]) == 3_000
    with pytest.raises(GameError, match=r"has labels; .* need games"):
        data.tree(data.start)


STARTS = [new("pentago"), new("pente"), new("pente", rules="gomoku", size=15), new("pentagame")]


def _can_hold(start: Position, name: str) -> bool:
    record = Record(start)
    record.play(next(iter(record.start.legal_moves)))
    try:
        write([record], FORMATS[name])
    except GameError:
        return False
    return True


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.read and each.write])
def test_records_of_every_format_are_imported(tmp_path: Path, name: str) -> None:
    kind = FORMATS[name]
    start = next(each for each in STARTS if _can_hold(each, name))
    record = Record(start)
    for _ in range(4):
        record.play(next(iter(record.end.position.legal_moves)))
    file = tmp_path / f"one{kind.suffixes[0]}"
    file.write_text(write([record], kind), encoding="utf-8")
    import_records(tmp_path / "out", [file], format_name=name, name=start.game)
    data = Dataset(tmp_path / "out")
    assert data.statistics()["games"] == 1
    assert reached(data.start, data.moves(0))[-1] == record.end.position


def test_records_that_begin_otherwise_are_left_out(tmp_path: Path) -> None:
    records = [Record(new("pentago")), Record(new("pentago", win_on_placement=False)), Record(new("pentago"))]
    for record in records:
        record.play(next(iter(record.start.legal_moves)))
    (tmp_path / "a.json").write_text(write(records, FORMATS["json"]), encoding="utf-8")
    (tmp_path / "b.json").write_text(write(records[:1], FORMATS["json"]), encoding="utf-8")
    manifest = import_records(tmp_path / "out", [tmp_path / "a.json", tmp_path / "b.json"])
    assert manifest["left_out"] == 1
    assert [each["rows"] for each in manifest["files"]][:2] == [2, 1]
    assert [row[0] for row in Dataset(tmp_path / "out").ask("SELECT number FROM games ORDER BY 1")] == [0, 1, 2]


def test_games_of_bots_and_of_more_players(tmp_path: Path) -> None:
    make_games(tmp_path / "bots", "pentago", count=2, seed=1, bots=["greedy", "random"])
    data = Dataset(tmp_path / "bots")
    assert all(reached(data.start, moves)[-1].outcome for moves in lines(data))
    make_games(tmp_path / "three", "pentago", count=2, seed=1, players=3, block=2, line=3)
    assert Dataset(tmp_path / "three").start.players == 3
    assert Dataset(tmp_path / "three").statistics()["games"] == 2


def test_the_limit_of_a_shard_is_checked_first(tmp_path: Path) -> None:
    message = r"^A shard has at most 10,000,000 labels\. For 100,000,000 make at least 10 shards\.$"
    with pytest.raises(GameError, match=message):
        make_labels(tmp_path / "no", "pentago", count=100_000_000, seed=1, shards=1)
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("table", ["games", "positions"])
def test_a_shard_that_has_lost_a_part_is_named_and_made_again(tmp_path: Path, table: str) -> None:
    made = tmp_path / "made"
    make_games(made, "pentago", **AGAIN)
    whole, file = bytes_of(made), made / f"{table}-00001.parquet"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    damaged = bytes_of(made)
    half, size = len(damaged[file.name]), len(whole[file.name])
    with pytest.raises(GameError) as error:
        Dataset(made).statistics()
    assert str(error.value) == (
        f"{file} is damaged: it has {half} of {size} bytes. Delete it and run the command that made it again."
    )
    with pytest.raises(GameError) as error:
        make_games(made, "pentago", **AGAIN)
    assert str(error.value) == (
        f"{file} is damaged: it has {half} of {size} bytes. Delete it and run the command that made it again."
    )
    assert bytes_of(made) == damaged
    file.unlink()
    with pytest.raises(GameError, match=r"-00001\.parquet is missing"):
        Dataset(made).statistics()
    make_games(made, "pentago", **AGAIN)
    assert bytes_of(made) == whole


def test_wrong_bytes_are_one_line(tmp_path: Path, folder: Path) -> None:
    make_games(tmp_path, "pentago", count=50, seed=1)
    file = tmp_path / "games-00000.parquet"
    data = bytearray(file.read_bytes())
    data[4 : len(data) // 2] = bytes(len(data) // 2 - 4)
    file.write_bytes(data)
    with pytest.raises(GameError, match=r"games-00000\.parquet is damaged: "):
        Dataset(tmp_path).ask("SELECT sum(moves), count(steps[1]) FROM games")
    with pytest.raises(GameError, match=r"^DuckDB [^\n]*: Parser Error[^\n]+$"):
        Dataset(folder).ask("SELEKT")


def test_no_games_are_a_data_set_too(tmp_path: Path) -> None:
    make_games(tmp_path / "none", "pentago", count=0, seed=1)
    data = Dataset(tmp_path / "none")
    assert (data.tree(data.start), data.search(data.start)) == ([], (0, []))
    assert data.statistics()["games"] == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"count": -1}, r"^count must be a whole number from 0"),
        ({"seed": "x"}, r"^seed must be a whole number from 0"),
        ({"shards": 0}, "^Expected 1 to 10,000 shards"),
        ({"bots": ["nobody"]}, r"^Unknown bot 'nobody'\."),
        ({"siez": 3}, "siez"),
    ],
)
def test_bad_requests_make_no_folder(tmp_path: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(GameError, match=message):
        make_games(tmp_path / "no", "pentago", **({"count": 3, "seed": 1} | change))  # type: ignore[arg-type]
    assert not (tmp_path / "no").exists()


def test_damaged_manifests(tmp_path: Path, folder: Path) -> None:
    for text in ("", "{", "[]", '{"format": 2, "kind": "games"}', json.dumps(with_check({"format": 1}))):
        (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
        with pytest.raises(GameError, match=r"manifest\.json is (damaged|not the manifest)"):
            Dataset(tmp_path)
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(GameError, match=r"exists and is not a data set\.$"):
        ShardWriter(tmp_path, "games", {}, 1)
    assert json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["format"] == 2


@pytest.mark.parametrize("package", ["pyarrow", "duckdb"])
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    needed = {
        "pyarrow": lambda: make_games(tmp_path / "x", "pentago", count=1, seed=1),
        "duckdb": lambda: Dataset(folder).statistics(),
    }
    with pytest.raises(MissingExtra, match=rf"^{package} is not installed\. For data sets, .* run: .*\[data\]'$"):
        needed[package]()
    assert not (tmp_path / "x").exists()

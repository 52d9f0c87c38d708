"""Labels of a bot: positions of its games, values of its searches, planes as bits."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from pentad import load, new
from pentad.game import GameError
from pentad.games.encoding import encoding
from pentad.play.data import Dataset, labelling, make_labels
from pentad.search.analysis import fixed_value
from tests.play.data.test_dataset import bytes_of

SMALL = {"rules": "freestyle", "size": 7, "line": 4}


@pytest.mark.parametrize(
    ("name", "bot", "options"),
    [("pente", "engine@1", SMALL), ("pentagame", "tree@1", {}), ("pentago", "tree@1", {"rows": 1, "players": 2})],
)
def test_labels_are_of_positions_by_their_searches(
    tmp_path: Path, name: str, bot: str, options: dict[str, object]
) -> None:
    make_labels(tmp_path, name, count=30, seed=2, shards=2, bot=bot, nodes=20, **options)
    data = Dataset(tmp_path)
    rows = data.ask("SELECT * FROM labels")
    names = [each[0] for each in data.connection.execute("DESCRIBE labels").fetchall()]
    assert len(rows) == 30
    coding, searched = encoding(data.start), 0
    for row in rows:
        values = dict(zip(names, row, strict=True))
        here = load(values["position"])
        assert here.outcome is None
        assert (here.options, here.ply) == (data.start.options, values["ply"])
        planes = {f"plane_{each.replace(' ', '_')}": bits for each, bits in coding.planes(here, here.turn).items()}
        assert {each: int.from_bytes(values[each], "little") for each in planes} == planes
        assert abs(values["value"]) <= 1
        searched += values["value"] != 0
    assert searched
    assert len({row[0] for row in data.ask("SELECT DISTINCT position FROM labels")}) > 15


@pytest.mark.slow
def test_a_proof_is_one() -> None:
    """Where the bot has proved a win, a deeper search finds it, too."""
    start = new("pente", **SMALL)
    proved = [label for label in islice(labelling.labels(start, "engine@2", None, 1), 150) if label.exact]
    assert proved
    for label in proved[:20]:
        assert label.value == 1
        assert fixed_value(label.position)[label.position.turn] == 1


def test_a_seed_gives_the_same_labels(tmp_path: Path) -> None:
    for folder, seed in (("one", 1), ("same", 1), ("other", 2)):
        make_labels(tmp_path / folder, "pente", count=20, seed=seed, bot="engine@1", **SMALL)
    one, same, other = (bytes_of(tmp_path / folder)["labels-00000.parquet"] for folder in ("one", "same", "other"))
    assert one == same != other


def test_a_game_without_bulk_labels_has_those_of_its_best_bot(tmp_path: Path) -> None:
    manifest = make_labels(tmp_path, "pente", count=1, seed=1, nodes=50, **SMALL)
    assert (manifest["bot"], manifest["nodes"]) == ("engine@4", 50)
    assert Dataset(tmp_path).statistics()["labels"] == 1


def test_a_game_with_few_positions_has_few_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelling, "MAX_FRUITLESS_GAMES", 5)
    options = {"rules": "freestyle", "size": 3, "line": 2}
    with pytest.raises(GameError, match=r"only [0-9]+ different positions, not 1,000"):
        make_labels(tmp_path, "pente", count=1_000, seed=1, bot="random", **options)


def test_bots_without_a_search_get_a_value_of_fixed_work() -> None:
    start = new("pentago", rows=1, block=2, line=3)
    for label in islice(labelling.labels(start, "greedy", None, 1), 5):
        assert (label.value, label.exact) == (fixed_value(label.position)[label.position.turn], False)

"""Data sets of games and exact labels in Parquet, their statistics, opening trees and position search.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     made = make_games(f"{folder}/games", "pentago", count=200, seed=1, shards=2)
...     data = Dataset(f"{folder}/games")
...     branches = data.tree(data.start)
>>> [each["rows"] for each in made["files"][:2]], sum(branch.times for branch in branches)
([100, 100], 200)
"""

from __future__ import annotations

from pentad.play.data.dataset import Progress
from pentad.play.data.make import import_records, make_games, make_labels
from pentad.play.data.queries import Dataset, Occurrence
from pentad.record.opening_tree import Branch

__all__ = ["Branch", "Dataset", "Occurrence", "Progress", "import_records", "make_games", "make_labels"]

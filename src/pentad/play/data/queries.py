"""Questions to data sets, answered by DuckDB: statistics, opening trees, position search."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pentad.game import GameError, Move, Position, bit_numbers, load, shown
from pentad.play.data.dataset import GAMES, LABELS, faults, form_faults, manifest_of, require, verify
from pentad.record.opening_tree import Branch, most_frequent


class Occurrence(NamedTuple):
    """A position in a game: the game's number, the moves before, and the result for the seat to move."""

    game: int
    ply: int
    result: int


class Dataset:
    """A data set to read.

    >>> Dataset("nowhere")
    Traceback (most recent call last):
    pentad.system.errors.GameError: nowhere is not a data set: it has no manifest.json.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.manifest = manifest_of(self.folder)
        if not self.manifest.get("complete"):
            raise GameError(
                "{folder} is incomplete. Run the command that began it again to finish it.", folder=self.folder
            )

    @cached_property
    def start(self) -> Position:
        """The position from which all games begin."""
        return load(str(self.manifest["start"]))

    @property
    def kind(self) -> str:
        """What its rows are: `games` or `labels`."""
        return str(self.manifest["kind"])

    def files(self, table: str) -> list[str]:
        """The files of a table."""
        names = [str(each["name"]) for each in self.manifest["files"]]
        found = [str(self.folder / name) for name in names if name.startswith(f"{table}-")]
        if not found:
            raise GameError(
                "{folder} has no {table}; it is a data set of {kind}.", folder=self.folder, table=table, kind=self.kind
            )
        return found

    @cached_property
    def connection(self) -> Any:
        """A connection to DuckDB with a view for each table: `games` and `positions`, or `labels`.

        The files are verified first, once by a process.
        """
        duckdb = require("duckdb")
        verify(self.folder, self.manifest["files"])
        found = duckdb.connect()
        for table in sorted({str(each["name"]).partition("-")[0] for each in self.manifest["files"]}):
            names = ", ".join("'" + file.replace("'", "''") + "'" for file in self.files(table))
            found.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet([{names}])")
        return found

    def check(self) -> list[str]:
        """What is wrong with the files of the set: their checksums, numbers of rows and columns; a line for each."""
        files = self.manifest["files"]
        found = faults(self.folder, files)
        return found or form_faults(self.folder, files)

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query in SQL."""
        connection, duckdb = self.connection, require("duckdb")
        try:
            return list(connection.execute(query, list(values)).fetchall())
        except duckdb.Error as error:
            raise GameError(
                "DuckDB could not query {folder}: {reason}",
                folder=self.folder,
                reason=str(error).splitlines()[0],
            ) from None

    @cached_property
    def _keys(self) -> Any:
        require("numpy")
        from pentad.play.data.keys import Keys

        return Keys(self.start)

    # ── questions ────────────────────────────────────────────────────────────────────────────────

    def statistics(self) -> dict[str, Any]:
        """Numbers about the whole set."""
        if "bot" in self.manifest:
            ((count, exact, mean),) = self.ask("SELECT count(*), count_if(exact), avg(value) FROM labels")
            by = self.ask("SELECT ply, count(*), count_if(exact), avg(value) FROM labels GROUP BY 1 ORDER BY 1")
            plies = [
                {"ply": ply, "labels": many, "exact": proved, "mean": round(each, 4)} for ply, many, proved, each in by
            ]
            return {"labels": count, "exact": exact, "mean": mean and round(mean, 4), "by_ply": plies}
        if self.kind == LABELS:
            ((count, wins, draws, losses),) = self.ask(
                "SELECT count(*), count_if(value = 1), count_if(value = 0), count_if(value = -1) FROM labels"
            )
            by = self.ask("SELECT marbles, count(*), avg(value) FROM labels GROUP BY 1 ORDER BY 1")
            sizes = [{"marbles": marbles, "labels": many, "mean": round(mean, 4)} for marbles, many, mean in by]
            return {"labels": count, "won": wins, "drawn": draws, "lost": losses, "by_marbles": sizes}
        ((games, least, mean, most),) = self.ask("SELECT count(*), min(moves), avg(moves), max(moves) FROM games")
        winners = self.ask("SELECT winners, count(*) FROM games GROUP BY 1 ORDER BY 1")
        ((positions, distinct),) = self.ask("SELECT count(*), count(DISTINCT key) FROM positions")
        return {
            "games": games,
            "moves": {"least": least, "mean": None if mean is None else round(mean, 2), "most": most},
            "results": {"+".join(map(str, bit_numbers(bits))) or "draw": many for bits, many in winners},
            "positions": positions,
            "distinct_positions": distinct,
        }

    def tree(self, position: Position) -> list[Branch]:
        """The moves that were played from a position or a symmetric one, the most frequent first."""
        key = self._key(position)
        rows = self.ask(
            "SELECT next, count(*), count_if(result = 1), count_if(result = 0), count_if(result = -1) "
            "FROM positions WHERE key = ? GROUP BY next",
            key,
        )
        if not rows:
            return []
        known = {int(row[0]): row[1:] for row in rows}
        moves = list(position.legal_moves)
        found: dict[int, Move] = {}
        for move, there in zip(moves, self._keys.of_all([position.play(move) for move in moves]).tolist(), strict=True):
            found.setdefault(there, move)  # of symmetric moves the first one
        return most_frequent(Branch(move, *known[there]) for there, move in found.items() if there in known)

    def search(self, position: Position, limit: int = 100) -> tuple[int, list[Occurrence]]:
        """How often a position or a symmetric one occurs, and its first occurrences."""
        if type(limit) is not int or limit < 0:
            raise GameError("limit must be 0 or more, not {limit}.", limit=shown(limit))
        key = self._key(position)
        ((count,),) = self.ask("SELECT count(*) FROM positions WHERE key = ?", key)
        rows = self.ask(
            "SELECT game, ply, result FROM positions WHERE key = ? ORDER BY game, ply LIMIT ?", key, limit
        )  # fmt: skip
        return count, [Occurrence(*row) for row in rows]

    def moves(self, number: int) -> list[Move]:
        """The moves of a game."""
        rows = self.ask("SELECT steps FROM games WHERE number = ?", number)
        if not rows:
            raise GameError("There is no game {number:,}.", number=number)
        from pentad.play.data.selfplay import replay

        return list(replay(self.start, rows[0][0]))

    def _key(self, position: Position) -> int:
        if self.kind != GAMES:
            raise GameError("{folder} has labels; trees and search need games.", folder=self.folder)
        if (position.game, position.options) != (self.start.game, self.start.options):
            raise GameError(
                "{folder} has games of {game} with other options than this position.",
                folder=self.folder,
                game=self.start.game,
            )
        return int(self._keys.of(position))

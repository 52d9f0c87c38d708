"""Making of data sets: self-play games, exact labels in bulk, and the games of record files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, cast

from pentad.game import Game, GameError, Position, game, shown
from pentad.games.parts import BulkLabels
from pentad.jobs.executors import ProcessFarm, completed, dask_farm
from pentad.jobs.worker import Answer, Jobs
from pentad.play.data.dataset import GAMES, LABELS, Progress, ShardWriter, Tables, require
from pentad.record import Record
from pentad.record.formats import decode, format_of, read
from pentad.search.bot import bot, measured_bot
from pentad.search.move_limit import Limit

RANDOM = "random"
BOT_LABELS = "labels of a bot"
SHARD = {GAMES: 10_000, LABELS: 1_000_000, BOT_LABELS: 1_000}  # rows of a shard, unless its number is given
MOST = 10**10


def make_games(
    folder: str | os.PathLike[str],
    name: str,
    *,
    count: int,
    seed: int,
    shards: int | None = None,
    bots: Sequence[str] = (RANDOM,),
    workers: int = 1,
    cluster: str | None = None,
    progress: Progress | None = None,
    **options: object,
) -> dict[str, Any]:
    """Makes games of a game with these options: random ones, or of bots, who exchange seats; returns the manifest.

    The same seed gives the same random games. A call that was stopped is continued by the same call. Several `workers`
    make a shard each at the same time; `cluster` is the address of one of Dask, whose machines share the folder.
    """
    _check(count, seed)
    start = game(name).new(**options)
    for player in bots:
        if player != RANDOM:
            bot(start.game, player)  # refuses an unknown one
    settings = settings_of_games(start, bots, seed, count)
    _keys(start)
    writer = ShardWriter(Path(folder), GAMES, settings, _shards(GAMES, count, shards))

    def remote(missing: Sequence[int]) -> Iterator[object]:
        given = {"folder": str(writer.folder.absolute()), "settings": settings, "shards": writer.shards}
        farm = ProcessFarm(__name__, workers, "process for games") if cluster is None else dask_farm(__name__, cluster)
        with farm as opened:
            yield from completed(opened, "games", [(each, {**given, "shard": each}) for each in missing])

    is_here = workers == 1 and cluster is None
    return writer.write(partial(_shard_of_games, settings, writer.shards), progress, None if is_here else remote)


def settings_of_games(start: Position, bots: Sequence[str], seed: int, count: int) -> dict[str, Any]:
    """What a data set of games is made of."""
    return _settings(start) | {"bots": list(bots), "seed": seed, "count": count}


def _shard_of_games(settings: Mapping[str, Any], shards: int, shard: int) -> Tables:
    """The games of a shard."""
    start = game(settings["game"]).new(**settings["options"])
    numbers, seed, bots = _range(settings["count"], shards, shard), settings["seed"], settings["bots"]
    keys, selfplay = _keys(start)
    if bots == [RANDOM]:
        rows = selfplay.random_games(start, keys, _seed(seed, shard), numbers.start, len(numbers))
    else:
        rows = selfplay.games_of(start, keys, bots, seed, numbers)
    return cast(Tables, rows.tables())


def _games_job(folder: str, settings: Mapping[str, Any], shards: int, shard: int) -> Iterator[Answer]:
    """Makes and writes a shard of games, as a job of a worker process."""
    try:
        ShardWriter(Path(folder), GAMES, settings, shards).write_shard(shard, _shard_of_games(settings, shards, shard))
    except OSError as error:
        raise GameError("Cannot write {folder}: {reason}.", folder=folder, reason=error.strerror or error) from None
    yield {}


def make_labels(
    folder: str | os.PathLike[str],
    name: str,
    *,
    count: int,
    seed: int,
    shards: int | None = None,
    bot: str | None = None,
    nodes: int | None = None,
    progress: Progress | None = None,
    **options: object,
) -> dict[str, Any]:
    """Makes values of positions; returns the manifest.

    They are exact values of random positions, by one pass of the game's solver for each shard; with a `bot`, and for
    games without such a solver, values of the bot's searches in its games against itself.
    """
    _check(count, seed)
    pa = require("pyarrow")
    kind = game(name)
    start = kind.new(**options)
    if bot is not None or nodes is not None or not kind.has("labels"):
        return _bot_labels(folder, start, count, seed, shards, bot, nodes, progress)
    labels = _labels_of(kind)
    settings = _settings(start) | {"seed": seed, "count": count}
    number = _shards(LABELS, count, shards)
    if type(number) is int and number > 0 and count > number * labels.MOST:  # Writer refuses other numbers
        least = -(-count // labels.MOST)
        raise GameError(
            "A shard has at most {most:,} labels. For {count:,} make at least {least:,} shards.",
            most=labels.MOST,
            count=count,
            least=least,
        )
    writer = ShardWriter(Path(folder), LABELS, settings, number)

    def make(shard: int) -> Tables:
        columns = labels.bulk(start, len(_range(count, writer.shards, shard)), _seed(seed, shard))
        return {"labels": pa.table(dict(columns))}

    return writer.write(make, progress)


def _bot_labels(
    folder: str | os.PathLike[str],
    start: Position,
    count: int,
    seed: int,
    shards: int | None,
    who: str | None,
    nodes: int | None,
    progress: Progress | None,
) -> dict[str, Any]:
    """Makes labels of a bot."""
    from pentad.play.data import labelling

    pa = require("pyarrow")
    who = who or measured_bot(start.game)
    bot(start.game, who).check(Limit(nodes=nodes))
    settings = _settings(start) | {"bot": who, "nodes": nodes, "seed": seed, "count": count}
    writer = ShardWriter(Path(folder), LABELS, settings, _shards(BOT_LABELS, count, shards))

    def make(shard: int) -> Tables:
        number = len(_range(count, writer.shards, shard))
        found = list(islice(labelling.labels(start, who, nodes, _seed(seed, shard)), number))
        if len(found) < number:
            raise GameError(
                "The games of {who} have only {count:,} different positions, not {number:,}.",
                who=who,
                count=len(found),
                number=number,
            )
        return {"labels": pa.table(dict(labelling.columns(found, start)))}

    return writer.write(make, progress)


def import_records(
    folder: str | os.PathLike[str],
    files: Iterable[str | os.PathLike[str]],
    *,
    format_name: str | None = None,
    name: str | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Makes a data set of the main lines of records in files of any format, a shard for each file.

    All games begin like the first one; `left_out` in the manifest is the number of those that do not.
    """
    paths = [Path(each) for each in files]
    if not paths:
        raise GameError("Expected files with records.")
    read_in, digests = zip(*(_records(path, format_name, name) for path in paths), strict=True)
    first = next((record for records in read_in for record in records), None)
    if first is None:
        raise GameError("The files have no games.")
    start = first.start
    games = [[record for record in records if record.start == start] for records in read_in]
    left_out = sum(map(len, read_in)) - sum(map(len, games))
    sources = [[path.name, digest] for path, digest in zip(paths, digests, strict=True)]
    keys, selfplay = _keys(start)
    writer = ShardWriter(Path(folder), GAMES, _settings(start) | {"sources": sources, "left_out": left_out}, len(paths))
    begins = [0, *accumulate(map(len, games))]

    def make(shard: int) -> Tables:
        rows = selfplay.ShardRows(keys)
        for number, record in enumerate(games[shard], begins[shard]):
            rows.add(number, start, [node.move for node in record.end.line if node.move is not None])
        return cast(Tables, rows.tables())

    return writer.write(make, progress)


# ── parts ────────────────────────────────────────────────────────────────────────────────────────


def _keys(start: Position) -> tuple[Any, Any]:
    """The keys of a game's positions, and the module that makes rows; both need numpy."""
    require("numpy")
    require("pyarrow")
    from pentad.play.data import keys, selfplay

    return keys.Keys(start), selfplay


def _labels_of(kind: Game) -> BulkLabels:
    require("numpy")
    return cast(BulkLabels, kind.module("labels"))


def _settings(start: Position) -> dict[str, Any]:
    return {"game": start.game, "options": dict(start.options), "start": start.text}


def _check(count: int, seed: int) -> None:
    for what, value in (("count", count), ("seed", seed)):
        if type(value) is not int or not 0 <= value <= MOST:
            raise GameError(
                "{what} must be a whole number from 0 to {most:,}, not {value}.",
                what=what,
                most=MOST,
                value=shown(value),
            )


def _shards(kind: str, count: int, given: int | None) -> int:
    return max(1, -(-count // SHARD[kind])) if given is None else given


def _range(count: int, shards: int, shard: int) -> range:
    """The numbers of a shard's rows."""
    return range(count * shard // shards, count * (shard + 1) // shards)


def _seed(seed: int, shard: int) -> int:
    """The seed of a shard."""
    return int.from_bytes(blake2b(f"{seed} {shard}".encode(), digest_size=7).digest(), "little")


def _records(path: Path, format_name: str | None, name: str | None) -> tuple[list[Record], str]:
    """The records of a file, and its digest."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GameError("{path} cannot be read: {reason}.", path=path, reason=error.strerror) from None
    try:
        records = read(decode(data), format_of(path.name, format_name), name)
    except GameError as error:
        raise GameError(f"{path}: {error}") from None
    return records, blake2b(data, digest_size=16).hexdigest()


JOBS: Jobs = {"games": _games_job}

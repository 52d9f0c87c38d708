"""Tournaments: round robin, gauntlet, Swiss system and knock-out, whose meetings are played as a contest."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from pentad.game import GameError
from pentad.play.contest import Contest, ContestTerms, GameResult
from pentad.play.pairings import Pairing, meetings, rotations
from pentad.play.standings import Standings


def play_tournament(
    terms: ContestTerms,
    sets: int = 1,
    *,
    rounds: int = 1,
    folder: Path | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Callable[[Standings, GameResult], None] = lambda standings, result: None,
    programs: bool = False,
    anchor: tuple[str, float] | None = None,
) -> Standings:
    """Play a tournament, or the rest of one.

    Players meet in so many `sets`; a set is an opening, played from every seat. `rounds` are those of a Swiss
    tournament. `progress` gets the standings and the last result after every game. An interrupt stops the tournament;
    finished games are saved and counted. `programs` and `cluster` as for `Contest`.
    """
    seats = terms.start().players
    if sets < 1 or rounds < 1:
        raise GameError(
            "A tournament has at least 1 set and 1 round, not {sets} and {rounds}.", sets=sets, rounds=rounds
        )
    if anchor and anchor[0] not in terms.players:
        raise GameError("The anchor {anchor} is not a player of this tournament.", anchor=anchor[0])
    standings = Standings(terms, anchor=anchor)
    system = meetings(terms.system, len(terms.players), seats, sets, rounds)
    with Contest(terms, folder, workers, programs, cluster=cluster) as contest, contextlib.suppress(KeyboardInterrupt):
        batch = next(system)
        while not standings.is_over:
            first = len(standings.meetings)
            standings.meetings += batch
            games = [
                Pairing(opening * seats + turn, opening, seating)
                for opening, meeting in enumerate(batch, first)
                for turn, seating in enumerate(rotations(meeting.players))
            ]
            points: list[Counter[int]] = [Counter() for _ in batch]
            with contextlib.closing(contest.play(games)) as results:
                for result in results:
                    standings.count(result)
                    points[result.pairing.opening - first].update(result.points)
                    progress(standings, result)
            try:
                batch = system.send(
                    [[won[player] for player in each.players] for won, each in zip(points, batch, strict=True)]
                )
            except StopIteration as end:
                standings.is_over, standings.champion = True, end.value
    return standings

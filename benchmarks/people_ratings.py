"""Methods of rating people, by simulated players with known strengths: how fast and how well each finds them.

python -m benchmarks people_ratings [--players N] [--days N] [--seed N] [--page] [--tune]

The players of a world come over time. Some improve, some leave, some come back changed; bots with known ratings take
part. All methods rate the same games. Their constants are those that did best in a world with another seed, as `--tune`
measures. The models of openskill take part where the package is installed, by `pip install openskill`. `--page` writes
the tables into docs/lab/people-ratings.md.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple, TypeAlias

from benchmarks.figures import Figure, machine
from pentad.play.contest_report import markdown_table
from pentad.play.people_ratings import (
    DAY,
    PROVISIONAL,
    Evidence,
    LadderGame,
    PlayerRating,
    RatingSystem,
    SeatEdge,
    anchored,
    attenuation,
    edges_after,
    evidence,
)
from pentad.play.rating import SCALE, SURE, Ranking, stages
from pentad.system.files import write_safely
from pentad.terminal.arguments import whole

PAGE = Path(__file__).resolve().parent.parent / "docs" / "lab" / "people-ratings.md"
BEGIN, END = "<!-- tables of benchmarks/people_ratings.py -->", "<!-- end of the tables -->"
PLAYERS, DAYS, SEED = 2000, 100, 1
AFTER = (5, 10, 20, 50, 100)  # the games of a player before its rating is compared with its strength

# ── the world ────────────────────────────────────────────────────────────────────────────────────

MEAN, SPREAD = 1000.0, 300.0  # of the people's strengths
LADDER = tuple(800.0 + 150 * rung for rung in range(9))  # the bots' strengths
WITH_BOTS = 0.15  # the share of a person's meetings
SEEN_WITHIN = 200.0  # players choose opponents by strength, with errors of this standard deviation
WANDER = 2.0  # the standard deviation of a strength's change in a game
NORMAL_SPREAD = 1.28  # makes the difference of two performances much like a logistic one


class Conditions(NamedTuple):
    """A kind of game: its numbers of seats, the first seat's edge, and how often players of equal strength draw."""

    seats: tuple[int, ...]
    edge: float
    draws: float
    is_normal: bool = False  # performances have a normal distribution, not that of Luce's model

    def edges(self, seats: int) -> list[float]:
        """What each seat is worth; the average is 0."""
        return [self.edge * ((seat == 0) - 1 / seats) for seat in range(seats)]


WORLDS = {
    "two seats": Conditions((2,), 100.0, 0.15),
    "two to five seats": Conditions((2, 3, 4, 5), 60.0, 0.05),
    "two to five seats, normal": Conditions((2, 3, 4, 5), 60.0, 0.0, True),
}


@dataclass(slots=True)
class Player:
    """A simulated player: its strength now, when it is there, and how it changes."""

    strength: float
    comes: int
    leaves: int
    activity: float  # meetings a day
    gain: float = 0.0  # what is still to be learned
    learns: float = 0.0  # the share of it in a game
    returns: int | None = None
    change_while_away: float = 0.0

    def is_there(self, day: int) -> bool:
        return self.comes <= day < self.leaves or (self.returns is not None and day >= self.returns)

    def play(self, chance: random.Random) -> None:
        """The change by a game."""
        learned = self.gain * self.learns
        self.gain -= learned
        self.strength += learned + chance.gauss(0, WANDER)


class Played(NamedTuple):
    """A game: the day, who sat where, the ranking of the seats, and the strengths then."""

    day: float
    players: tuple[int, ...]
    ranking: Ranking
    strengths: tuple[float, ...]


BOTS = range(len(LADDER))  # their numbers; those of the people follow


class World:
    """All games of some players."""

    def __init__(self, conditions: Conditions, players: int, days: int, seed: int) -> None:
        self.conditions, self.days = conditions, days
        self.chance = random.Random(seed)
        self.people = [self._player() for _ in range(players)]
        self.games = [*self._games()]

    def _player(self) -> Player:
        chance = self.chance
        comes = chance.randrange(self.days // 3)
        one = Player(chance.gauss(MEAN, SPREAD), comes, self.days, chance.lognormvariate(-0.4, 0.6))
        kind = chance.random()
        if kind < 0.25:
            one.gain, one.learns = chance.uniform(50, 400), 1 / chance.uniform(20, 80)
        elif kind < 0.4:
            one.leaves = comes + chance.randrange(1, 20)
        elif kind < 0.5:
            one.leaves = comes + chance.randrange(10, 40)
            one.returns, one.change_while_away = one.leaves + chance.randrange(30, 60), chance.gauss(-30, 80)
        return one

    def _games(self) -> Iterator[Played]:
        """The games of all days; with two seats each meeting is two games with seats swapped."""
        for day in range(self.days):
            for one in self.people:
                if one.returns == day:
                    one.strength += one.change_while_away
            meetings = [*self._meetings(day)]
            self.chance.shuffle(meetings)
            for number, seating in enumerate(meetings):
                for each in (seating, seating[::-1]) if len(seating) == 2 else (seating,):
                    yield self._game(day + number / len(meetings), each)

    def _meetings(self, day: int) -> Iterator[list[int]]:
        """The players of a day's games, seated at random; those who meet are neighbours by what others see of them."""
        chance = self.chance
        free: list[tuple[float, int]] = []
        for number, one in enumerate(self.people, len(BOTS)):
            if one.is_there(day):
                for _ in range(int(one.activity) + (chance.random() < one.activity % 1)):
                    seen = chance.gauss(one.strength, SEEN_WITHIN)
                    if chance.random() < WITH_BOTS:
                        yield chance.sample([number, min(BOTS, key=lambda bot: abs(LADDER[bot] - seen))], 2)
                    else:
                        free.append((seen, number))
        waiting = [number for _, number in sorted(free)]
        while len({*waiting}) > 1:
            size = min(chance.choice(self.conditions.seats), len({*waiting}))
            together = [*dict.fromkeys(waiting)][:size]
            for each in together:
                waiting.remove(each)
            chance.shuffle(together)
            yield together

    def _game(self, day: float, seating: Sequence[int]) -> Played:
        strengths = tuple(LADDER[each] if each in BOTS else self.people[each - len(BOTS)].strength for each in seating)
        played = Played(day, tuple(seating), self.result(strengths), strengths)
        for each in seating:
            if each not in BOTS:
                self.people[each - len(BOTS)].play(self.chance)
        return played

    def result(self, strengths: Sequence[float]) -> Ranking:
        """One winner or a draw of all; unless performances are normal, with the shares of Luce's model."""
        seats = range(len(strengths))
        values = at_seats(strengths, self.conditions.edges(len(seats)))
        if self.conditions.is_normal:
            performed = [self.chance.gauss(each, NORMAL_SPREAD) for each in values]
            best = performed.index(max(performed))
        else:
            shares = softmax(values)
            drawn = self.conditions.draws * math.prod(len(shares) * each for each in shares)
            weights = [drawn, *(each - drawn / len(shares) for each in shares)]
            best = self.chance.choices([-1, *seats], weights)[0]
        return [[*seats]] if best < 0 else [[best], [seat for seat in seats if seat != best]]


def at_seats(values: Sequence[float], edges: Sequence[float]) -> list[float]:
    """Strengths with their edges, by the natural logarithm."""
    return [(each + edge) / SCALE for each, edge in zip(values, edges, strict=True)]


def softmax(values: Sequence[float]) -> list[float]:
    top = max(values)
    odds = [math.exp(each - top) for each in values]
    total = sum(odds)
    return [each / total for each in odds]


def tiers(ranking: Ranking) -> dict[int, int]:
    """The number of each seat's tier."""
    return {seat: number for number, each in enumerate(ranking) for seat in each}


# ── methods ──────────────────────────────────────────────────────────────────────────────────────


class Method:
    """A way to rate: it is told each game, and asked for values, deviations and chances."""

    name: str
    has_deviations = True

    def begin(self, players: int) -> None:
        """Begins with the bots and so many people."""
        raise NotImplementedError

    def rate(self, game: Played, edges: Sequence[float]) -> None:
        raise NotImplementedError

    def value(self, player: int) -> float:
        raise NotImplementedError

    def deviation(self, player: int, day: float) -> float:
        raise NotImplementedError

    def chances(self, game: Played, edges: Sequence[float]) -> list[float]:
        """The expected shares of the win."""
        raise NotImplementedError


class Elo(Method):
    """Elo's ratings, with a larger factor for the first games; with more seats the mean over all pairs."""

    has_deviations = False

    def __init__(self, first: float = 160.0, then: float = 56.0, settled: int = 15) -> None:
        self.first, self.then, self.settled = first, then, settled
        self.name = "Elo"

    def begin(self, players: int) -> None:
        self.values = [*LADDER, *[MEAN] * players]
        self.games = [0] * len(self.values)

    def rate(self, game: Played, edges: Sequence[float]) -> None:
        tier = tiers(game.ranking)
        values = at_seats([self.values[each] for each in game.players], edges)
        for seat, player in enumerate(game.players):
            if player not in BOTS:
                gains = [
                    (tier[seat] < tier[other])
                    + (tier[seat] == tier[other]) / 2
                    - 1 / (1 + math.exp(its - values[seat]))
                    for other, its in enumerate(values)
                    if other != seat
                ]
                self.values[player] += (self.first if self.games[player] < self.settled else self.then) * fmean(gains)
                self.games[player] += 1

    def value(self, player: int) -> float:
        return self.values[player]

    def chances(self, game: Played, edges: Sequence[float]) -> list[float]:
        return softmax(at_seats([self.values[each] for each in game.players], edges))


def by_pairs(
    seats: Sequence[PlayerRating], edges: Sequence[float], pairs: Mapping[tuple[int, int], float]
) -> list[Evidence]:
    """A game's evidence as that of games of two, in which the first of each pair has won; each with its weight."""
    values = at_seats([each.value for each in seats], edges)
    found = [Evidence()] * len(seats)
    for (winner, loser), weight in pairs.items():
        for seat, other, score in ((winner, loser, 1), (loser, winner, 0)):
            g = attenuation(seats[other].deviation)
            chance = 1 / (1 + math.exp(g * (values[other] - values[seat])))
            found[seat] = found[seat].plus(
                Evidence(weight * g * (score - chance), weight * g**2 * chance * (1 - chance))
            )
    return found


def winners_pairs(seats: Sequence[PlayerRating], ranking: Ranking, edges: Sequence[float]) -> list[Evidence]:
    """Pairs of the winner and each other seat. With the weight 2/n they say as much of equal players as the ranks."""
    pairs: dict[tuple[int, int], float] = {}
    for everyone, best in stages(ranking):
        weight = 2 / len(everyone) / len(best)
        pairs.update({(one, other): weight for one in best for other in everyone if other != one})
    return by_pairs(seats, edges, pairs)


def all_pairs(seats: Sequence[PlayerRating], ranking: Ranking, edges: Sequence[float]) -> list[Evidence]:
    """Every two seats as if they had played a game of their own; those of a tier have drawn."""
    tier = tiers(ranking)
    pairs = [(one, other) for one in tier for other in tier if other != one and tier[one] <= tier[other]]
    return by_pairs(seats, edges, {(one, other): 0.5 if tier[one] == tier[other] else 1.0 for one, other in pairs})


SEATS = {"ranks": evidence, "winner's pairs": winners_pairs, "all pairs": all_pairs}


class Glicko(Method):
    """Glicko-2 after each game, or by rating periods of some days, with the edge known, learned or ignored."""

    def __init__(
        self,
        seats: str = "ranks",
        days: float | None = None,
        *,
        edge: str = "known",
        system: RatingSystem | None = None,
    ) -> None:
        self.system, self.days, self.edge = system or RatingSystem(), days, edge
        self.evidence = SEATS[seats]
        when = "single games" if days is None else f"periods of {days:g} days"
        self.name = f"Glicko-2, {when}, {seats}"

    def begin(self, players: int) -> None:
        bots = [PlayerRating(each, 0.0, is_fixed=True) for each in LADDER]
        self.ratings = [*bots, *[self.system.new] * players]
        self.ends = self.days or math.inf
        self.waiting: dict[int, Evidence] = {}
        self.edges: dict[int, list[SeatEdge]] = {}  # by the number of seats

    def seats(self, game: Played) -> list[PlayerRating]:
        return [self.system.at(self.ratings[each], game.day * DAY) for each in game.players]

    def known(self, edges: Sequence[float]) -> list[float]:
        """The edges as far as they are known."""
        if self.edge == "known":
            return [*edges]
        if self.edge == "ignored":
            return [0.0] * len(edges)
        return [each.value for each in self.edges.setdefault(len(edges), [SeatEdge(0.0, 60.0)] * len(edges))]

    def rate(self, game: Played, edges: Sequence[float]) -> None:
        while game.day >= self.ends:
            self._close()
        here, known = self.seats(game), self.known(edges)
        found = self.evidence(here, game.ranking, known)
        if self.edge == "learned":
            self.edges[len(here)] = edges_after(self.edges[len(here)], here, game.ranking)
        for player, rating, its in zip(game.players, here, found, strict=True):
            if self.days is not None:
                self.waiting[player] = self.waiting.get(player, Evidence()).plus(its)
            elif not rating.is_fixed:
                after = self.system.updated(rating, its)
                self.ratings[player] = replace(after, played=game.day * DAY)

    def _close(self) -> None:
        """The end of a rating period, in which those who have not played become less certain."""
        self.ends += self.days or math.inf
        evidences = [self.waiting.get(number, Evidence()) for number in range(len(self.ratings))]
        self.ratings = [self.system.updated(each, its) for each, its in zip(self.ratings, evidences, strict=True)]
        self.waiting = {}

    def value(self, player: int) -> float:
        return self.ratings[player].value

    def deviation(self, player: int, day: float) -> float:
        return self.system.at(self.ratings[player], day * DAY).deviation

    def chances(self, game: Played, edges: Sequence[float]) -> list[float]:
        here = self.seats(game)
        weight = attenuation(math.sqrt(2 * fmean(each.deviation**2 for each in here)))
        return softmax([weight * each for each in at_seats([each.value for each in here], self.known(edges))])


class OpenSkill(Method):
    """A model of openskill, with the unit by which two players of exact ratings have the chances of Elo.

    By default the package lets a deviation shrink more slowly than Weng and Lin's approximation says, by the factor
    gamma.
    """

    def __init__(self, model: str, tau: float, *, is_damped: bool = True) -> None:
        self.model, self.tau, self.is_damped = model, tau, is_damped
        self.name = f"openskill, {model}{'' if is_damped else ', gamma 1'}"

    def begin(self, players: int) -> None:
        self.beta = SCALE / math.sqrt(2)
        make = getattr(importlib.import_module("openskill.models"), self.model)
        more = {} if self.is_damped else {"gamma": lambda *of_team: 1.0}
        self.system = make(mu=MEAN, sigma=RatingSystem().deviation, beta=self.beta, tau=self.tau, **more)
        people = (self.system.rating() for _ in range(players))
        self.ratings: list[Any] = [*(self.system.rating(mu=each, sigma=0.01) for each in LADDER), *people]

    def rate(self, game: Played, edges: Sequence[float]) -> None:
        """The edge is added before a game and taken away after it, as the package has none."""
        here = [self.ratings[each] for each in game.players]
        teams = [
            [self.system.rating(mu=each.mu + edge, sigma=each.sigma)] for each, edge in zip(here, edges, strict=True)
        ]
        tier = tiers(game.ranking)
        after = self.system.rate(teams, ranks=[float(tier[seat]) for seat in range(len(here))])
        for player, (new,), edge in zip(game.players, after, edges, strict=True):
            if player not in BOTS:
                self.ratings[player] = self.system.rating(mu=new.mu - edge, sigma=new.sigma)

    def value(self, player: int) -> float:
        return float(self.ratings[player].mu)

    def deviation(self, player: int, day: float) -> float:
        return float(self.ratings[player].sigma)

    def chances(self, game: Played, edges: Sequence[float]) -> list[float]:
        """By the model's own formula, of which the unit grows with the number of seats in that of Plackett and Luce."""
        here = [self.ratings[each] for each in game.players]
        squares = [each.sigma**2 + self.beta**2 for each in here]
        unit = math.sqrt(sum(squares) if self.model == "PlackettLuce" else 2 * fmean(squares))
        return softmax([SCALE / unit * each for each in at_seats([each.mu for each in here], edges)])


CHOSEN = "Glicko-2, single games, ranks"


def methods(seats: Sequence[int]) -> list[Method]:
    """All methods; with two seats alone some of them are the same."""
    found: list[Method] = [Glicko(), Glicko(days=7), Glicko(days=30), Elo()]
    more = [("PlackettLuce", True), ("PlackettLuce", False)]
    if max(seats) > 2:
        found += [Glicko("winner's pairs"), Glicko("all pairs")]
        more += [("BradleyTerryFull", True), ("BradleyTerryPart", True)]
    if importlib.util.find_spec("openskill"):
        found += [OpenSkill(model, 2.0 if is_damped else 5.0, is_damped=is_damped) for model, is_damped in more]
    return found


def tuned() -> list[Method]:
    """Methods with other constants."""
    found: list[Method] = [Elo(first, then) for first in (120.0, 160.0, 220.0) for then in (40.0, 56.0, 72.0)]
    found += [Glicko(system=RatingSystem(volatility=each)) for each in (0.04, 0.06, 0.08, 0.12)]
    found += [Glicko(system=RatingSystem(tau=each)) for each in (0.1, 1.2)]
    for days in (7, 30):
        found += [Glicko(days=days, system=RatingSystem(volatility=each)) for each in (0.06, 0.12, 0.24)]
    if importlib.util.find_spec("openskill"):
        for is_damped in (True, False):
            found += [OpenSkill("PlackettLuce", each, is_damped=is_damped) for each in (2.0, 5.0, 10.0, 20.0)]
    return found


# ── measures ─────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Measured:
    """What a method did in a world: after numbers of games the errors, and whether the stated intervals held."""

    errors: dict[int, list[float]] = field(default_factory=lambda: {each: [] for each in AFTER})
    held: dict[int, list[bool]] = field(default_factory=lambda: {each: [] for each in AFTER})
    settled: list[int] = field(
        default_factory=list
    )  # the games after which people's ratings were first not provisional
    losses: list[float] = field(default_factory=list)  # log loss beyond that of the true chances
    rank: float = 0.0
    microseconds: float = 0.0

    def error(self, games: int) -> float:
        """The mean absolute error."""
        return fmean(map(abs, self.errors[games]))

    def within(self, games: int) -> float:
        """The share of the strengths within the stated 95 % intervals, in per cent."""
        return 100 * fmean(self.held[games])


FIRST_PREDICTED = 5  # games that a player has had before its results are predicted


def measure(world: World, method: Method) -> Measured:
    """Rates all games of a world."""
    method.begin(len(world.people))
    found, spent = Measured(), 0.0
    played, last = [0] * (len(BOTS) + len(world.people)), dict[int, float]()
    provisional = {*range(len(BOTS), len(played))}
    for game in world.games:
        edges = world.conditions.edges(len(game.players))
        if all(each in BOTS or played[each] >= FIRST_PREDICTED for each in game.players):
            shares = [(seat in game.ranking[0]) / len(game.ranking[0]) for seat in range(len(edges))]
            true, stated = softmax(at_seats(game.strengths, edges)), method.chances(game, edges)
            found.losses.append(math.fsum(s * math.log(t / e) for s, t, e in zip(shares, true, stated, strict=True)))
        began = time.process_time()
        method.rate(game, edges)
        spent += time.process_time() - began
        for player, strength in zip(game.players, game.strengths, strict=True):
            played[player] += 1
            if player in BOTS:
                continue
            last[player] = strength
            if played[player] in found.errors:
                error = method.value(player) - strength
                found.errors[played[player]].append(error)
                if method.has_deviations:
                    within = abs(error) < SURE * method.deviation(player, game.day)
                    found.held[played[player]].append(within)
            if method.has_deviations and player in provisional and method.deviation(player, game.day) <= PROVISIONAL:
                provisional.remove(player)
                found.settled.append(played[player])
    often = [each for each in last if played[each] >= 20]
    found.rank = rank_correlation([method.value(each) for each in often], [last[each] for each in often])
    found.microseconds = 1e6 * spent / len(world.games)
    return found


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's, of values that all differ.

    >>> rank_correlation([1.0, 5.0, 2.0], [10.0, 30.0, 20.0])
    1.0
    """
    ranks = [{each: rank for rank, each in enumerate(sorted(values))} for values in (one, other)]
    squares = sum((ranks[0][a] - ranks[1][b]) ** 2 for a, b in zip(one, other, strict=True))
    return 1 - 6 * squares / (len(one) * (len(one) ** 2 - 1))


# ── the edge and the bots' scale ─────────────────────────────────────────────────────────────────


def edge_after(world: World, games: Sequence[int]) -> list[float]:
    """The first seat's edge over the second as learned from so many games."""
    method = Glicko(edge="learned")
    method.begin(len(world.people))
    found = []
    for number, game in enumerate(world.games[: max(games)], 1):
        method.rate(game, world.conditions.edges(len(game.players)))
        if number in games:
            first, second = method.edges[2]
            found.append(first.value - second.value)
    return found


OLD_STRETCH, NEW_ERROR, LAST_DAYS = 1.15, 30.0, 30


class Rescaled(NamedTuple):
    """The mean of the people's errors and of their sizes, before and after they are anchored anew."""

    bias: tuple[float, float]
    error: tuple[float, float]
    shift_error: float


def rescaled(world: World, old: Sequence[float], new: Sequence[float]) -> Rescaled:
    """People rated by an old ladder, and then anchored to a new one by their last games with bots."""
    system, days = RatingSystem(), world.days - LAST_DAYS
    ratings = [PlayerRating(each, 0.0, is_fixed=True) for each in old] + [system.new] * len(world.people)
    met, last = list[LadderGame](), dict[int, float]()
    for game in world.games:
        edges, now = world.conditions.edges(len(game.players)), game.day * DAY
        bots = [seat for seat, each in enumerate(game.players) if each in BOTS]
        if bots and game.day > days:
            bot, seat = bots[0], 1 - bots[0]
            points = (seat in game.ranking[0]) / len(game.ranking[0])
            person = system.at(ratings[game.players[seat]], now)
            met.append(LadderGame(person, str(game.players[bot]), points, edges[seat] - edges[bot]))
        after = system.rated_after([ratings[each] for each in game.players], game.ranking, now, edges)
        for player, rating, strength in zip(game.players, after, game.strengths, strict=True):
            ratings[player] = rating
            if player not in BOTS and game.day > days:
                last[player] = strength
    change = anchored(met, {str(bot): PlayerRating(each, NEW_ERROR, is_fixed=True) for bot, each in enumerate(new)})
    end = world.days * DAY
    settled = {each: rating for each in last if not (rating := system.at(ratings[each], end)).is_provisional}
    before = [rating.value - last[each] for each, rating in settled.items()]
    after_it = [change.moved(rating).value - last[each] for each, rating in settled.items()]
    sizes = [fmean(map(abs, each)) for each in (before, after_it)]
    return Rescaled((fmean(before), fmean(after_it)), (sizes[0], sizes[1]), change.error(MEAN))


def ladder(stretch: float, error: float, seed: int) -> list[float]:
    """The bots' ladder as measured with errors, and stretched from its lowest rung, the anchor."""
    chance = random.Random(seed)
    above = [stretch * (each - LADDER[0]) + chance.gauss(0, error) for each in LADDER[1:]]
    return [LADDER[0], *(LADDER[0] + each for each in above)]


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def table(measured: Mapping[str, Measured]) -> str:
    """A row for each method."""
    errors_after = [f"{each} games" for each in AFTER]
    head = ("", *errors_after, "mean, 100", "within, 10", "within, 100", "log loss", "rank", "µs")
    rows = []
    for name, found in measured.items():
        within = [f"{found.within(each):.0f} %" if found.held[each] else "" for each in (10, 100)]
        errors = [f"{found.error(each):.0f}" if found.errors[each] else "" for each in AFTER]
        errors.append(f"{fmean(found.errors[100]):+.0f}" if found.errors[100] else "")
        loss = f"{1000 * fmean(found.losses):.1f}"
        rows.append((name, *errors, *within, loss, f"{found.rank:.3f}", f"{found.microseconds:.0f}"))
    return markdown_table(head, rows)


def figures_of(world: str, measured: Mapping[str, Measured]) -> list[Figure]:
    """The chosen method's figures, against those of Elo and of openskill."""
    reached = [games for games, errors in measured[CHOSEN].errors.items() if errors]
    last = reached[-1]
    rivals = [name for name in measured if name == "Elo" or name.startswith("openskill, PlackettLuce")]

    def figure(what: str, unit: str, form: str, value: Callable[[Measured], float]) -> Figure:
        against = "; ".join(f"{name} {value(measured[name]):{form}}" for name in rivals)
        return Figure(f"{world}, {what}", value(measured[CHOSEN]), unit, against)

    return [
        *(figure(f"error after {n} games", "Elo", ".0f", partial(Measured.error, games=n)) for n in reached),
        figure("log loss beyond the true chances'", "thousandths", ".1f", lambda its: 1000 * fmean(its.losses)),
        Figure(f"{world}, in the 95 % intervals after {last} games", measured[CHOSEN].within(last), "%"),
        Figure(f"{world}, games until a rating is not provisional, median", median(measured[CHOSEN].settled), "games"),
    ]


Found: TypeAlias = tuple[list[str], list[Figure]]  # parts of the page, and figures


def compare(name: str, args: argparse.Namespace) -> Found:
    """All methods in a world."""
    conditions = WORLDS[name]
    world = World(conditions, args.players, args.days, args.seed)
    measured = {}
    for method in tuned() if args.tune else methods(conditions.seats):
        name_of_method = constants(method) if args.tune else method.name
        measured[name_of_method] = measure(world, method)
        print(f"{name}: {name_of_method}", flush=True)
    heading = f"### {name[:1].upper()}{name[1:]}"
    size = f"{args.players:,} people, {len(world.games):,} games, seed {args.seed}."
    return [heading, size, table(measured)], [] if args.tune else figures_of(name, measured)


LEARNED_FROM = (100, 300, 1000, 3000, 10_000)


def edges(args: argparse.Namespace) -> Found:
    """The first player's edge: known, learned and ignored."""
    world = World(WORLDS["two seats"], args.players // 4, args.days, args.seed)
    counts = [each for each in LEARNED_FROM if each <= len(world.games)]
    losses = [
        (edge, 1000 * fmean(measure(world, Glicko(edge=edge)).losses)) for edge in ("known", "learned", "ignored")
    ]
    learned = [*zip(counts, edge_after(world, counts), strict=True)]
    true = world.conditions.edge
    parts = [
        f"### The first player's edge\n\n{args.players // 4:,} people, {len(world.games):,} games of two seats.",
        markdown_table(("edge", "log loss"), [(edge, f"{its:.1f}") for edge, its in losses]),
        markdown_table(("games", f"learned edge, of {true:.0f}"), [(f"{n:,}", f"{its:.0f}") for n, its in learned]),
    ]
    games, edge = learned[-1]
    return parts, [Figure(f"edge learned from {games:,} games", edge, "Elo", f"the true {true:.0f}")]


def ladders(args: argparse.Namespace) -> Found:
    """People anchored to a ladder that was measured anew."""
    world = World(WORLDS["two seats"], args.players // 4, args.days, args.seed)
    new = ladder(1.0, NEW_ERROR, args.seed)
    found = {"exact": rescaled(world, [*LADDER], new), "stretched": rescaled(world, ladder(OLD_STRETCH, 0, 0), new)}
    rows = [
        (name, *(f"{each:+.0f}" for each in its.bias), *(f"{each:.0f}" for each in (*its.error, its.shift_error)))
        for name, its in found.items()
    ]
    head = ("old ladder", "mean error before", "after", "mean size before", "after", "stated error of the scale")
    figures = [
        Figure(f"{name} ladder anew, people's mean error", its.bias[1], "Elo", f"{its.bias[0]:+.0f} before")
        for name, its in found.items()
    ]
    return ["### Ladders measured anew", markdown_table(head, rows)], figures


def constants(method: Method) -> str:
    """A method's name with its constants."""
    if isinstance(method, Elo):
        return f"{method.name}, {method.first:g}, {method.then:g}"
    if isinstance(method, Glicko):
        return f"{method.name}, volatility {method.system.volatility:g}, tau {method.system.tau:g}"
    assert isinstance(method, OpenSkill)
    return f"{method.name}, tau {method.tau:g}"


def main(words: Sequence[str] | None = None) -> list[Figure] | None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--players", type=whole(40, 100_000), default=PLAYERS, help=f"people (default: {PLAYERS})")
    parser.add_argument("--days", type=whole(60, 10_000), default=DAYS, help=f"days (default: {DAYS})")
    parser.add_argument("--seed", type=whole(0, 10**9), default=SEED, help=f"of the worlds (default: {SEED})")
    parser.add_argument("--page", action="store_true", help="writes the tables into docs/lab/people-ratings.md")
    parser.add_argument("--tune", action="store_true", help="measures other constants of the methods instead")
    args = parser.parse_args(words)
    runs: list[Callable[[argparse.Namespace], Found]] = [
        partial(compare, name) for name in WORLDS if not (args.tune and WORLDS[name].is_normal)
    ]
    parts, figures = [f"{machine()}."], list[Figure]()
    for run in runs if args.tune else [*runs, edges, ladders]:
        more, measured = run(args)
        print("\n\n".join(more), flush=True)
        parts += more
        figures += measured
    if args.page:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        write_safely(PAGE, "\n\n".join([before + BEGIN, *parts, END + rest.partition(END)[2]]))
    return None if args.tune else figures


if __name__ == "__main__":
    main()

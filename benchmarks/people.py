"""Scripted people against the rungs of each game's bot, and each rung against the next.

python -m benchmarks people [--only GAME] [--games N] [--step-games N] [--rungs N] [--workers N]

The people know the rules, the shapes that every player knows, and nothing of the engines. Each overlooks things at
rates of its own, has more or less vague plans, and thinks some of its ideas through. With fewer rungs the table has
those from the lowest on.
"""

from __future__ import annotations

import argparse
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise, product
from typing import NamedTuple, TypeVar, cast

from benchmarks.figures import Figure
from pentad.game import Move, Position
from pentad.games.pentagame.board import DISTANCE, FIELDS, NUMBER, OFF_BOARD, fields_of, goal, path, reach
from pentad.games.pentagame.notation import BlockStep, LeaveStep, PieceStep, TurnStep
from pentad.games.pentagame.rules import HOME_WINS, PentagamePosition
from pentad.games.pentago.board import Board as PentagoBoard
from pentad.games.pentago.board import Place
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pente.board import Board as PenteBoard
from pentad.games.pente.board import points_of
from pentad.games.pente.rules import PentePosition
from pentad.play.contest import ContestTerms
from pentad.play.match import MatchScore, play_match
from pentad.play.rating import strength
from pentad.search.bot import DEFAULT_LIMIT, Bot, BotEntry, Limit, Result, best, register
from pentad.search.levels import RUNGS
from pentad.terminal.arguments import whole

PLIES, BALANCE = 3, 0.4  # the openings of the ratings
GAMES, STEP_GAMES, LOWEST_RUNGS = 400, 1000, 5


class Habits(NamedTuple):
    """How often a person overlooks each thing, how vague its plans are, and how many ideas it thinks through."""

    win: float  # its own win
    block: float  # the opponent's
    shape: float  # in Pente an open three, in Pentago a line by a twist, in Pentagame a swap
    detail: float  # in Pente a capture, in Pentago the opponent's line by a twist, in Pentagame the place of a block
    vague: float
    ideas: int
    fours: int = 0  # the fours in a row that it foresees in Pente


PEOPLE = {
    "careless": Habits(0.10, 0.25, 0.50, 0.60, 0.40, 1),
    "casual": Habits(0.02, 0.06, 0.20, 0.30, 0.25, 1),
    "attentive": Habits(0.005, 0.02, 0.06, 0.10, 0.15, 3),
    "club": Habits(0.0, 0.003, 0.01, 0.02, 0.08, 5, fours=2),
}
WORTH = (0, 1, 6, 25, 60)  # of a possible line with so many stones, counted from the end
Idea = TypeVar("Idea")


class Person(Bot):
    """A player with habits."""

    def __init__(self, habits: Habits, seed: int | None = None) -> None:
        super().__init__(seed)
        self.habits = habits

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        return Result(self.idea(position))

    @abstractmethod
    def idea(self, position: Position) -> Move:
        """The move that the person likes best."""

    def overlooks(self, rate: float) -> bool:
        return self.random.random() < rate

    def liked(self, worths: Mapping[Idea, float], count: int, unit: float | None = None) -> list[Idea]:
        """The ideas that seem best, with errors of judgement in a unit, by default in proportion to their worths."""
        vague = self.habits.vague
        judged = {idea: worth + vague * (unit or worth) * self.random.gauss() for idea, worth in worths.items()}
        return sorted(judged, key=lambda idea: -judged[idea])[:count]


# ── Pente ────────────────────────────────────────────────────────────────────────────────────────

WIN, BLOCK, FOURS, OPEN, STOP, STONE, NEAR = 100_000, 10_000, 6_000, 3_000, 1_000, 25, 12


class Shapes(NamedTuple):
    """What a stone of one colour on each point is worth, and with which points it then completes a line."""

    worth: Mapping[int, int]
    lines: int  # the points that complete a line
    fours: Mapping[int, int]

    @property
    def double(self) -> int:
        """The points where a stone makes a four with two ends, or two fours."""
        return sum(1 << point for point, ends in self.fours.items() if ends & (ends - 1))


@lru_cache
def windows(board: PenteBoard) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Every possible line, as a set and as points."""
    return tuple((line, tuple(points_of(line))) for line, _ in board.lines)


def shapes(board: PenteBoard, mine: int, theirs: int) -> Shapes:
    """The shapes of a colour."""
    worth, fours, lines = defaultdict[int, int](int), defaultdict[int, int](int), 0
    for line, points in windows(board):
        held = line & mine
        if not held or line & theirs:
            continue
        count = held.bit_count() - board.line
        if count == -1:
            lines |= line ^ held
        for point in points:
            if not held >> point & 1:
                worth[point] += WORTH[count]
                if count == -2:
                    fours[point] |= line ^ held ^ 1 << point
    return Shapes(worth, lines, fours)


def by_fours(board: PenteBoard, mine: int, theirs: int, most: int) -> int:
    """The points that begin a win by so many fours in a row, the last of them with two ends."""
    own, found = shapes(board, mine, theirs), 0
    if shapes(board, theirs, mine).lines:
        return 0
    for point, ends in own.fours.items():
        is_double, mine_then, theirs_then = ends & (ends - 1), mine | 1 << point, theirs | ends
        if is_double or (most > 1 and by_fours(board, mine_then, theirs_then, most - 1)):
            found |= 1 << point
    return found


class PentePerson(Person):
    """Makes and stops lines and open threes, captures, and stays near the last stone."""

    def idea(self, position: Position) -> Move:
        here = cast(PentePosition, position)
        if not here.placed:
            return here.legal_moves[0]
        worths = {point: worth for point, worth in self.worths(here).items() if here.points >> point & 1}
        worths = worths or dict.fromkeys(points_of(here.points), 1.0)
        ideas = self.liked(worths, self.habits.ideas)
        stones = here.board.stones
        if len(ideas) > 1 and worths[ideas[0]] < STOP:
            ideas.sort(key=lambda point: self.reply(here, Move((stones[point],))) - worths[point])
        return Move((stones[ideas[0]],))

    def reply(self, here: PentePosition, move: Move) -> float:
        """The worth of what the opponent then makes of its own shapes, if it need not reply."""
        after, board, colour = here.play(move), here.board, here.colour
        mine, theirs = after.stones[colour], after.stones[1 - colour]
        own, other = shapes(board, theirs, mine), shapes(board, mine, theirs)
        if after.outcome or other.lines:
            return 0.0
        taken = max(self.captures(after, theirs, mine).values(), default=0)
        return max(own.worth.values(), default=0) + STONE * taken + OPEN * bool(own.double)

    def worths(self, here: PentePosition) -> dict[int, float]:
        """What each point is worth, without those of which something is overlooked."""
        board, habits, colour = here.board, self.habits, here.colour
        mine, theirs = here.stones[colour], here.stones[1 - colour]
        own, other = shapes(board, mine, theirs), shapes(board, theirs, mine)
        takes, losses = (self.captures(here, *sides) for sides in ((mine, theirs), (theirs, mine)))
        last = [here.rules.capture_win - taken for taken in (here.taken[colour], here.taken[1 - colour])]
        found: dict[int, float] = defaultdict(float)
        for point in {*own.worth, *other.worth}:
            found[point] = own.worth[point] + 0.8 * other.worth[point] + NEAR / (1 + self.distance(here, point))
        won, lost = (
            sum(1 << point for point, stones in each.items() if here.rules.capture_win and stones >= need)
            for each, need in zip((takes, losses), last, strict=True)
        )
        ahead = by_fours(board, mine, theirs, habits.fours) if habits.fours else 0
        seen, unseen = 0, 0
        for rate, points, worth in (
            (habits.win, own.lines, WIN),
            (habits.detail / 2, won, WIN),
            (habits.block, other.lines, BLOCK),
            (habits.detail, lost, BLOCK),
            (0.0, ahead, FOURS),
            (habits.shape, own.double, OPEN),
            (habits.shape, other.double, STOP),
        ):
            if self.overlooks(rate):
                unseen |= points
                continue
            seen |= points
            for point in points_of(points):
                found[point] += worth
        for each, of_a_stone in ((takes, STONE), (losses, 0.8 * STONE)):
            if not self.overlooks(habits.detail):
                for point, stones in each.items():
                    found[point] += of_a_stone * stones
        return {point: worth for point, worth in found.items() if seen >> point & 1 or not unseen >> point & 1}

    @staticmethod
    def captures(here: PentePosition, mine: int, theirs: int) -> dict[int, int]:
        """The stones that a stone of a colour would take, by its point."""
        near = points_of(neighbours(here.board, theirs) & here.empty)
        return {point: taken.bit_count() for point in near if (taken := here.takes(point, mine, theirs))}

    @staticmethod
    def distance(here: PentePosition, point: int) -> int:
        """The distance from the last stone, the larger of the coordinates'."""
        if here.last is None:
            return 3
        (row, column), (row_of_last, column_of_last) = (divmod(each, here.board.size) for each in (point, here.last))
        return max(abs(row - row_of_last), abs(column - column_of_last))


def neighbours(board: PenteBoard, stones: int) -> int:
    """The points beside stones; at the edges some of the other side, too."""
    found = 0
    for distance in (1, board.size - 1, board.size, board.size + 1):
        found |= stones << distance | stones >> distance
    return found & board.all_points


# ── Pentago ──────────────────────────────────────────────────────────────────────────────────────

MARBLE, LOST = 25.0, 1000.0


class PentagoPerson(Person):
    """Fills lines, stops those of the opponent, and then looks for the best twist."""

    def idea(self, position: Position) -> Move:
        here, habits = cast(PentagoPosition, position), self.habits
        board, places = here.board, here.board.places
        mine, theirs = here.marbles[here.turn], here.marbles[1 - here.turn]
        if here.winning_spaces and not self.overlooks(habits.win):
            return Move((places[next(iter(points_of(here.winning_spaces)))],))
        if not self.overlooks(habits.shape) and (won := self.twisted_win(here)):
            return won
        sees_lines, sees_twists = not self.overlooks(habits.block), not self.overlooks(habits.detail)
        hidden = 0 if sees_lines else board.completing(theirs, here.empty)
        spaces = {
            space: lines_through(board, mine, theirs, space) + lines_through(board, theirs, mine, space)
            for space in points_of(here.empty & ~hidden & ~here.winning_spaces or here.empty)
        }
        turns: dict[Move, float] = {}
        for space in self.liked(spaces, 3 + habits.ideas, MARBLE):
            for twist in board.twists:
                mine_then, theirs_then = board.twist(mine | 1 << space, twist), board.twist(theirs, twist)
                worth = float(line_worth(board, mine_then, theirs_then) - line_worth(board, theirs_then, mine_then))
                empty = board.all_spaces & ~(mine_then | theirs_then)
                if sees_lines and (board.has_line(theirs_then) or board.completing(theirs_then, empty)):
                    worth -= LOST
                elif sees_twists and wins_by_twist(board, theirs_then, empty):
                    worth -= LOST / 2
                turns[Move((places[space], twist))] = worth
        (move,) = self.liked(turns, 1, MARBLE)
        return Move(move[:1]) if here.winning_spaces >> board.space(*cast(Place, move[0])) & 1 else move

    @staticmethod
    def twisted_win(here: PentagoPosition) -> Move | None:
        """A turn whose twist makes a line and none of the opponent's."""
        board, mine, theirs = here.board, here.marbles[here.turn], here.marbles[1 - here.turn]
        safe = [twist for twist in board.twists if not board.has_line(board.twist(theirs, twist))]
        for space, twist in product(points_of(here.empty & ~here.winning_spaces), safe):
            if board.has_line(board.twist(mine | 1 << space, twist)):
                return Move((board.places[space], twist))
        return None


def line_worth(board: PentagoBoard, mine: int, theirs: int) -> int:
    """The worth of all lines that are still possible."""
    own = (line & mine for line in board.lines if not line & theirs)
    return sum(WORTH[held.bit_count() - board.line] for held in own if held)


def lines_through(board: PentagoBoard, mine: int, theirs: int, space: int) -> int:
    """What a marble on a space adds to the lines through it."""
    return sum(
        1 + WORTH[(line & mine).bit_count() - board.line]
        for line in board.lines
        if line >> space & 1 and not line & theirs
    )


def wins_by_twist(board: PentagoBoard, marbles: int, empty: int) -> bool:
    """Whether one more marble and a twist make a line."""
    return any(board.completing(board.twist(marbles, twist), board.twist(empty, twist)) for twist in board.twists)


# ── Pentagame ────────────────────────────────────────────────────────────────────────────────────


MOVES_TRIED, HOME, OTHERS, TURNS = 12, 100, 0.6, 0.5


class PentagamePerson(Person):
    """Brings pieces near their goals and home, and puts blocks on the opponents' paths."""

    def idea(self, position: Position) -> Move:
        here, habits = cast(PentagamePosition, position), self.habits
        seat, sees_others = here.seat, not self.overlooks(habits.block)
        misses_home, misses_swaps = self.overlooks(habits.win), self.overlooks(habits.shape)
        steps = [each for each in here.piece_moves if not self.is_missed(each, misses_home, misses_swaps)]
        near = sorted(steps or here.piece_moves, key=lambda step: -gain(step) - self.random.random())[:MOVES_TRIED]
        worths = {step: ahead(here.after_legal(step), seat, sees_others) for step in near}
        turns = {}
        for step in self.liked(worths, habits.ideas, TURNS):
            after, made = here.after_legal(step), [cast(TurnStep, step)]
            while after.due and after.seat == seat:
                made.append(self.block(after))
                after = after.after_legal(made[-1])
            turns[Move(tuple(made))] = ahead(after, seat, sees_others)
        return self.liked(turns, 1, TURNS)[0]

    @staticmethod
    def is_missed(step: PieceStep | LeaveStep, misses_home: bool, misses_swaps: bool) -> bool:
        if isinstance(step, LeaveStep):
            return False
        return (misses_home and bool(step.leaving)) or (misses_swaps and step.partner is not None)

    def block(self, here: PentagamePosition) -> BlockStep:
        """The place of a block: on the way of a piece of the opponents that is nearly home, or anywhere."""
        figure, seat, empty = here.blocks_to_put[0], here.seat, list(fields_of(here.empty))
        field = self.random.choice(empty)
        if not self.overlooks(self.habits.detail):
            ways = [way for other in range(here.players) if other != seat for way in ways_home(here, other)]
            fields = [each for way in sorted(ways, key=len)[:2] for each in way[1:] if here.empty >> each & 1]
            tried = self.random.sample(fields, min(len(fields), 2 + 2 * self.habits.ideas))
            after = {each: here.after_legal(BlockStep(seat, figure, FIELDS[each])) for each in tried}
            field = max(after, key=lambda each: ahead(after[each], seat, True), default=field)
        return BlockStep(seat, figure, FIELDS[field])


def gain(step: PieceStep | LeaveStep) -> int:
    """The steps by which a piece comes nearer to its goal, more where it comes home, less those of an opponent's."""
    if isinstance(step, LeaveStep):
        return 0
    start, to, end = NUMBER[step.start], NUMBER[step.to], goal(step.piece)
    gained = HOME if to == end else DISTANCE[start][end] - DISTANCE[to][end]
    if step.partner is None:
        return gained
    of_partner = DISTANCE[to][goal(step.partner[1])] - DISTANCE[start][goal(step.partner[1])]
    return gained + (of_partner if step.partner[0] == step.seat else -of_partner)


def ways_home(here: PentagamePosition, seat: int) -> Iterable[tuple[int, ...]]:
    """The paths of a seat's pieces that can reach their goals at once."""
    for piece, field in enumerate(here.pieces[seat]):
        if field not in (OFF_BOARD, goal(piece)) and (way := path(field, goal(piece), here.taken)):
            yield way


def left(here: PentagamePosition, seat: int) -> float:
    """The turns until three pieces of a seat are home, by a guess for each: one where the way is free."""
    turns = []
    for piece, field in enumerate(here.pieces[seat]):
        end = goal(piece)
        if field in (OFF_BOARD, end):
            turns.append(0.0 if field == OFF_BOARD else 0.7)
        elif reach(field, here.taken) >> end & 1:
            turns.append(1.0)
        else:
            turns.append(1.6 + DISTANCE[field][end] / 30)
    return sum(sorted(turns)[:HOME_WINS])


def ahead(here: PentagamePosition, seat: int, sees_others: bool) -> float:
    """The lead of a seat in turns, in which the opponents' count less."""
    others = (left(here, other) for other in range(here.players) if other != seat)
    return (OTHERS * min(others) if sees_others else 0.0) - left(here, seat)


# ── matches ──────────────────────────────────────────────────────────────────────────────────────

KINDS: Mapping[str, Callable[[Habits, int | None], Person]] = {
    "pentago": PentagoPerson,
    "pente": PentePerson,
    "pentagame": PentagamePerson,
}


def named(who: str) -> str:
    return f"{who}-person"


def invite(name: str) -> None:
    """Makes the people known as bots of a game; a name alone may be that of a rung."""
    for who, habits in PEOPLE.items():
        register(named(who), BotEntry("a scripted person", partial(KINDS[name], habits)), game=name)


def match(name: str, a: str, b: str, games: int, workers: int) -> MatchScore:
    terms = ContestTerms(name, (a, b), plies=PLIES, balance=BALANCE).checked()
    return play_match(terms, games, workers=workers)


def result(score: MatchScore) -> tuple[float, str]:
    """The points of a match in per cent, and the difference in Elo with half its 95 % interval."""
    rated = strength([*score.groups.values()])
    elo = "" if rated.elo is None or rated.error is None else f"{rated.elo:+.0f} ± {rated.error:.0f}"
    return 100 * (score.wins + score.draws / 2) / score.games, elo


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", choices=tuple(KINDS), help="one of the games (default: all)")
    parser.add_argument("--games", type=whole(0, 100_000), default=GAMES, help="games of a person and a rung")
    parser.add_argument("--step-games", type=whole(0, 100_000), default=STEP_GAMES, help="games of two rungs")
    parser.add_argument("--rungs", type=whole(1, len(RUNGS)), default=LOWEST_RUNGS, help="how many, from the lowest on")
    parser.add_argument("--workers", type=whole(1, 256), default=1, help="processes (default: 1)")
    args = parser.parse_args(words)
    figures: list[Figure] = []
    for name in [args.only] if args.only else KINDS:
        invite(name)
        rungs = [f"{best(name)}@{rung}" for rung in [*RUNGS][: args.rungs]]
        pairs = [(rung, named(who), args.games) for who in PEOPLE for rung in rungs]
        pairs += [(high, low, args.step_games) for low, high in pairwise(rungs)]
        for a, b, games in pairs:
            if games:
                score = match(name, a, b, games, args.workers)
                share, elo = result(score)
                won = f"{score.wins} – {score.draws} – {score.losses}"
                print(f"{name:10} {a:16} {b:17} {won:>15} {share:5.1f} %  {elo}", flush=True)
                figures.append(Figure(f"{name}, {a}", share, "%", f"{b}, in {games:,} games, Elo {elo}"))
    return figures


if __name__ == "__main__":
    main()

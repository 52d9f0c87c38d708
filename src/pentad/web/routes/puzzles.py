"""Routes of the puzzles page: puzzles, puzzles of the day, and checks of attempts; solutions stay on the server."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import Field

from pentad.game import GameError, Position, game, games
from pentad.play import puzzles
from pentad.play.puzzles import MOST_MOVES, Attempt, Puzzle
from pentad.web import view
from pentad.web.api import LONGEST_TURN, ChoiceInfo, Model, Refusal
from pentad.web.http import identity
from pentad.web.services import Client, Services

WRONG: dict[int | str, dict[str, Any]] = {
    404: {"model": Refusal, "description": "There is no such puzzle."},
    422: {"model": Refusal, "description": "The request is invalid; the error says why."},
}
MOST_SOLVED = 2000  # latest attempts of a person that are read
Moves = list[Annotated[str, Field(max_length=LONGEST_TURN)]]


class PuzzleInfo(Model):
    """A puzzle's goal and its difficulty from 1 to 5; `moves` is how many moves to find."""

    id: str
    game: str
    title: str
    goal: str
    colour: str
    moves: int
    difficulty: int


class PuzzleAnswer(PuzzleInfo):
    """A puzzle with its position; `notes` mention unusual rules, `next` is the next puzzle of the list."""

    position: str
    notes: list[str]
    next: str


class PuzzleList(Model):
    """Puzzles, easiest first."""

    puzzles: list[PuzzleInfo]


class DailyAnswer(Model):
    """The puzzles of a day in UTC, one for each game."""

    day: str
    puzzles: list[PuzzleAnswer]


class SolvedAnswer(Model):
    """The ids of the puzzles that the client has solved."""

    solved: list[str]


class TryQuery(Model):
    """The client's moves so far, without replies; the last is the attempt."""

    moves: Moves = Field(min_length=1, max_length=MOST_MOVES)


class HintQuery(Model):
    """The client's correct moves so far."""

    moves: Moves = Field([], max_length=MOST_MOVES)


class TryAnswer(Model):
    """The result of an attempt: `after` is the position after the move, `position` the one to continue from."""

    right: bool
    words: str
    move: str
    move_words: str
    after: str
    reply: str | None
    reply_words: str
    position: str
    over: bool


class HintAnswer(Model):
    """The first step of a correct move, with its targets."""

    words: str
    steps: list[ChoiceInfo]


class SolutionMove(Model):
    """A move of the solution: its player, the move in notation and in words, and the position after it."""

    colour: str
    move: str
    words: str
    position: str


class SolutionAnswer(Model):
    """The moves and replies of a solution."""

    position: str
    moves: list[SolutionMove]


def router(services: Services) -> APIRouter:
    """The routes of the page."""
    router = APIRouter(responses=WRONG)

    @router.get("/api/puzzles")
    async def listed(
        client: Client,
        game: Annotated[str | None, Query(max_length=40)] = None,
        difficulty: Annotated[int | None, Query(ge=1, le=5)] = None,
    ) -> PuzzleList:
        """The puzzles of one game or of all games, of one difficulty or of any."""
        return await services.background(client, _listed, [game] if game else games(), difficulty)

    @router.get("/api/puzzles/daily")
    async def daily(client: Client, day: Annotated[str | None, Query(max_length=10)] = None) -> DailyAnswer:
        """The puzzles of today, or of another day such as 2026-02-28."""
        return await services.background(client, _of_day, _day(day) if day else datetime.now(UTC).date())

    @router.get("/api/puzzles/solved")
    async def solved(request: Request) -> SolvedAnswer:
        """The puzzles that the client has solved."""
        person = await identity.known(services.store, request)
        tried = await services.store.puzzle_attempts(person.id, MOST_SOLVED) if person else []
        return SolvedAnswer(solved=sorted({each.puzzle for each in tried if each.right}))

    @router.get("/api/puzzles/{puzzle}")
    async def one(puzzle: str, client: Client) -> PuzzleAnswer:
        """A puzzle."""
        return await services.background(client, lambda: _whole(_found(puzzle)))

    @router.post("/api/puzzles/{puzzle}/try")
    async def attempt(puzzle: str, query: TryQuery, request: Request, client: Client) -> TryAnswer:
        """Whether the last move is correct, and the best reply; the result is stored for a known person."""
        of = _found(puzzle)
        tried = await services.background(client, puzzles.attempt, of, query.moves)
        person = await identity.known(services.store, request)
        if person and (tried.over or not tried.right):
            await services.store.add_puzzle_attempt(person.id, of.id, tried.right, time.time())
        return _tried(tried)

    @router.post("/api/puzzles/{puzzle}/hint")
    async def hint(puzzle: str, query: HintQuery, client: Client) -> HintAnswer:
        """The first step of a correct move."""
        return await services.background(client, _hint, _found(puzzle), query.moves)

    @router.get("/api/puzzles/{puzzle}/solution")
    async def solution(puzzle: str, client: Client) -> SolutionAnswer:
        """One line of the solution, against the best replies."""
        return await services.background(client, _solution, _found(puzzle))

    return router


def _listed(games: Sequence[str], difficulty: int | None) -> PuzzleList:
    found = [each for name in games for each in puzzles.puzzles(name)]
    return PuzzleList(puzzles=[_info(each) for each in found if difficulty in (None, each.difficulty)])


def _of_day(day: date) -> DailyAnswer:
    found = [puzzles.daily(name, day) for name in games() if puzzles.puzzles(name)]
    return DailyAnswer(day=day.isoformat(), puzzles=list(map(_whole, found)))


def _hint(found: Puzzle, moves: Moves) -> HintAnswer:
    here, move = puzzles.answer(found, moves)
    first = view.touches(here, move)[:1]
    return HintAnswer(words=first[0].label, steps=first)


def _solution(found: Puzzle) -> SolutionAnswer:
    moves = [_solution_move(here, str(move)) for here, move in puzzles.solution(found)]
    return SolutionAnswer(position=found.start.text, moves=moves)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise GameError("Expected a day such as 2026-02-28.") from None


def _found(name: str) -> Puzzle:
    try:
        return puzzles.puzzle(name)
    except GameError as error:
        raise HTTPException(404, str(error)) from None


def _next(found: Puzzle) -> str:
    """The next puzzle in the list of the same game; the first one follows the last."""
    all_of_it = puzzles.puzzles(found.game)
    return all_of_it[(all_of_it.index(found) + 1) % len(all_of_it)].id


def _info(found: Puzzle) -> PuzzleInfo:
    return PuzzleInfo(
        id=found.id,
        game=found.game,
        title=game(found.game).title,
        goal=found.goal,
        colour=found.colour,
        moves=found.moves,
        difficulty=found.difficulty,
    )


def _whole(found: Puzzle) -> PuzzleAnswer:
    facts = _info(found).model_dump()
    return PuzzleAnswer(**facts, position=found.start.text, notes=found.notes, next=_next(found))


def _tried(found: Attempt) -> TryAnswer:
    return TryAnswer(
        right=found.right,
        words=found.message,
        move=str(found.move),
        move_words=found.move_text,
        after=found.after.text,
        reply=None if found.reply is None else str(found.reply),
        reply_words=found.reply_text,
        position=found.position.text,
        over=found.over,
    )


def _solution_move(here: Position, text: str) -> SolutionMove:
    move = here.parse(text)
    return SolutionMove(
        colour=here.colour_of(here.turn), move=text, words=here.describe(move), position=here.play(move).text
    )  # fmt: skip

"""Routes of the pages of lessons and puzzles: their texts and positions, and checks of moves.

The solutions of puzzles stay on the server.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import Field

from pentad.game import GameError, Move, Position, game, names
from pentad.play import lessons, puzzles
from pentad.play.puzzles import MOST_MOVES, Checked, Puzzle
from pentad.web import view
from pentad.web.api import ChoiceInfo, Model, TurnText, refusals
from pentad.web.http import identity
from pentad.web.services import Client, Services

MISSING = refusals({404: "There is no such puzzle."})
MOST_SOLVED = 2000  # latest attempts of a person that are read


class LessonInfo(Model):
    """A lesson, without its steps."""

    game: str
    title: str
    summary: str
    steps: int


class ShownMove(Model):
    """A demonstrated move: in notation, in words, and the position after it."""

    move: str
    words: str
    position: str


class StepInfo(Model):
    """A step of a lesson. `touch` are the targets of a correct move; `show` are demonstrated moves."""

    title: str
    words: str
    position: str
    touch: list[ChoiceInfo]
    show: list[ShownMove]
    right: str


class LessonAnswer(Model):
    """A lesson with its steps."""

    game: str
    title: str
    summary: str
    steps: list[StepInfo]


class CheckQuery(Model):
    """A move to check at a step, counted from 0."""

    game: str = Field(max_length=40)
    step: int
    move: TurnText


class CheckAnswer(Model):
    """Whether the move is correct, and where it leads."""

    right: bool
    words: str
    move: str
    move_words: str
    position: str


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

    moves: list[TurnText] = Field(min_length=1, max_length=MOST_MOVES)


class HintQuery(Model):
    """The client's correct moves so far."""

    moves: list[TurnText] = Field([], max_length=MOST_MOVES)


class TryAnswer(CheckAnswer):
    """The result of an attempt: `after` is the position after the move, `position` the one to continue from."""

    after: str
    reply: str | None
    reply_words: str
    over: bool


class StepHint(Model):
    """The first step of a correct move, with its targets."""

    words: str
    steps: list[ChoiceInfo]


class SolutionMove(ShownMove):
    """A move of the solution: its player, the move in notation and in words, and the position after it."""

    colour: str


class SolutionAnswer(Model):
    """The moves and replies of a solution."""

    position: str
    moves: list[SolutionMove]


def router(services: Services) -> APIRouter:
    """The routes of the pages."""
    router = APIRouter()
    background = services.background

    @router.get("/api/lessons")
    async def listed_lessons() -> list[LessonInfo]:
        """All lessons."""
        return [
            LessonInfo(game=each.game, title=each.title, summary=each.summary, steps=len(each.steps))
            for each in lessons.lessons()
        ]

    @router.post("/api/lessons/check")
    async def check(query: CheckQuery, client: Client) -> CheckAnswer:
        """Whether a move does what a step asks for."""
        found = await background(client, lessons.check, query.game, query.step, query.move)
        return CheckAnswer(**_verdict(found), position=found.after.text)

    @router.get("/api/lessons/{name}")
    async def lesson(name: str, client: Client) -> LessonAnswer:
        """A whole lesson."""
        return await background(client, _lesson, name)

    @router.get("/api/puzzles")
    async def listed_puzzles(
        client: Client,
        game: Annotated[str | None, Query(max_length=40)] = None,
        difficulty: Annotated[int | None, Query(ge=1, le=5)] = None,
    ) -> PuzzleList:
        """The puzzles of one game or of all games, of one difficulty or of any."""
        return await background(client, _listed, [game] if game else names(), difficulty)

    @router.get("/api/puzzles/daily")
    async def daily(client: Client, day: Annotated[str | None, Query(max_length=10)] = None) -> DailyAnswer:
        """The puzzles of today, or of another day such as 2026-02-28."""
        return await background(client, _of_day, _day(day) if day else datetime.now(UTC).date())

    @router.get("/api/puzzles/solved")
    async def solved(request: Request) -> SolvedAnswer:
        """The puzzles that the client has solved."""
        person = await identity.known(services.store, request)
        tried = await services.store.puzzle_attempts(person.id, MOST_SOLVED) if person else []
        return SolvedAnswer(solved=sorted({each.puzzle for each in tried if each.right}))

    @router.get("/api/puzzles/{puzzle}", responses=MISSING)
    async def one(puzzle: str, client: Client) -> PuzzleAnswer:
        """A puzzle."""
        return await background(client, lambda: _whole(_found(puzzle)))

    @router.post("/api/puzzles/{puzzle}/try", responses=MISSING)
    async def attempt(puzzle: str, query: TryQuery, request: Request, client: Client) -> TryAnswer:
        """Whether the last move is correct, and the best reply; the result is stored for a known person."""
        of = _found(puzzle)
        tried = await background(client, puzzles.attempt, of, query.moves)
        person = await identity.known(services.store, request)
        if person and (tried.over or not tried.right):
            await services.store.add_puzzle_attempt(person.id, of.id, tried.right, time.time())
        return TryAnswer(
            **_verdict(tried),
            after=tried.after.text,
            reply=None if tried.reply is None else str(tried.reply),
            reply_words=tried.reply_text,
            position=tried.position.text,
            over=tried.over,
        )

    @router.post("/api/puzzles/{puzzle}/hint", responses=MISSING)
    async def hint(puzzle: str, query: HintQuery, client: Client) -> StepHint:
        """The first step of a correct move."""
        return await background(client, _hint, _found(puzzle), query.moves)

    @router.get("/api/puzzles/{puzzle}/solution", responses=MISSING)
    async def solution(puzzle: str, client: Client) -> SolutionAnswer:
        """One line of the solution, against the best replies."""
        return await background(client, _solution, _found(puzzle))

    return router


def _lesson(name: str) -> LessonAnswer:
    found = lessons.lesson(name)
    steps = list(map(_step_info, found.steps))
    return LessonAnswer(game=name, title=game(name).title, summary=found.summary, steps=steps)


def _step_info(step: lessons.LessonStep) -> StepInfo:
    here, show = step.start, list[ShownMove]()
    for text in step.show:
        move = here.parse(text)
        show.append(_shown(here, move))
        here = here.play(move)
    return StepInfo(
        title=step.title,
        words=step.text,
        position=step.start.text,
        touch=view.touches(step.start, step.start.parse(step.answer)) if step.answer else [],
        show=show,
        right=step.right,
    )


def _shown(here: Position, move: Move) -> ShownMove:
    return ShownMove(move=str(move), words=here.describe(move), position=here.play(move).text)


def _verdict(found: Checked) -> dict[str, Any]:
    """What the answers about a move have in common, in a lesson and in a puzzle."""
    return {"right": found.right, "words": found.message, "move": str(found.move), "move_words": found.move_text}


def _listed(games: Sequence[str], difficulty: int | None) -> PuzzleList:
    found = [each for name in games for each in puzzles.puzzles(name)]
    fitting = [each for each in found if difficulty in (None, each.difficulty)]
    return PuzzleList.model_validate({"puzzles": fitting}, from_attributes=True)


def _of_day(day: date) -> DailyAnswer:
    found = [puzzles.daily(name, day) for name in names() if puzzles.puzzles(name)]
    return DailyAnswer(day=day.isoformat(), puzzles=list(map(_whole, found)))


def _hint(found: Puzzle, moves: Sequence[str]) -> StepHint:
    here, move = puzzles.answer(found, moves)
    first = view.touches(here, move)[:1]
    return StepHint(words=first[0].label, steps=first)


def _solution(found: Puzzle) -> SolutionAnswer:
    moves = [
        SolutionMove(colour=here.colour_of(here.turn), **_shown(here, move).model_dump())
        for here, move in puzzles.solution(found)
    ]
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


def _whole(found: Puzzle) -> PuzzleAnswer:
    all_of_game = puzzles.puzzles(found.game)
    following = all_of_game[(all_of_game.index(found) + 1) % len(all_of_game)]  # the first one follows the last
    facts = PuzzleInfo.model_validate(found, from_attributes=True).model_dump()
    return PuzzleAnswer(**facts, position=found.start.text, notes=found.notes, next=following.id)

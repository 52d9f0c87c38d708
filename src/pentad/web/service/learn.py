"""Services of the pages of lessons and puzzles: their texts and positions, and checks of moves.

The solutions of puzzles stay on the server.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime
from typing import Annotated, Any, Generic

from pentad.game import GameError, Move, Position, game, names
from pentad.play import lessons, puzzles
from pentad.play.puzzles import MAX_MOVES_OF_ATTEMPT, Checked, Puzzle
from pentad.system.words import uncapitalized
from pentad.web import view
from pentad.web.api_types import ChoiceInfo, TurnText
from pentad.web.backend import Backend
from pentad.web.http import identity
from pentad.web.http.exchange import Caller, StatusError
from pentad.web.service.router import GET, POST, Body, Nothing, Posted, Route
from pentad.web.typed_json import Length, Range

MISSING = {404: "There is no such puzzle."}
MOST_SOLVED = 2000  # latest attempts of a person that are read


@dataclass(frozen=True, kw_only=True)
class LessonInfo:
    """A lesson, without its steps."""

    game: str
    title: str
    summary: str
    steps: int


@dataclass(frozen=True, kw_only=True)
class ShownMove:
    """A demonstrated move: in notation, in words, and the position after it."""

    move: str
    words: str
    position: str


@dataclass(frozen=True, kw_only=True)
class StepInfo:
    """A step of a lesson. `touch` are the targets of a correct move, and `instruction` is it in words; `show` are
    demonstrated moves.
    """

    title: str
    words: str
    position: str
    touch: list[ChoiceInfo]
    instruction: str
    show: list[ShownMove]
    right: str


@dataclass(frozen=True, kw_only=True)
class LessonAnswer:
    """A lesson with its steps."""

    game: str
    title: str
    summary: str
    steps: list[StepInfo]


@dataclass(frozen=True, kw_only=True)
class CheckQuery:
    """A move to check at a step, counted from 0."""

    game: Annotated[str, Length(40)]
    step: int
    move: TurnText


@dataclass(frozen=True, kw_only=True)
class CheckAnswer:
    """Whether the move is correct, and where it leads."""

    right: bool
    words: str
    move: str
    move_words: str
    position: str


@dataclass(frozen=True, kw_only=True)
class PuzzleInfo:
    """A puzzle's goal and its difficulty from 1 to 5; `moves` is how many moves to find."""

    id: str
    game: str
    title: str
    goal: str
    colour: str
    moves: int
    difficulty: int


@dataclass(frozen=True, kw_only=True)
class PuzzleAnswer(PuzzleInfo):
    """A puzzle with its position; `notes` mention unusual rules, `next` is the next puzzle of the list."""

    position: str
    notes: list[str]
    next: str


@dataclass(frozen=True, kw_only=True)
class PuzzleList:
    """Puzzles, easiest first."""

    puzzles: list[PuzzleInfo]


@dataclass(frozen=True, kw_only=True)
class DailyAnswer:
    """The puzzles of a day in UTC, one for each game."""

    day: str
    puzzles: list[PuzzleAnswer]


@dataclass(frozen=True, kw_only=True)
class SolvedAnswer:
    """The ids of the puzzles that the client has solved."""

    solved: list[str]


@dataclass(frozen=True, kw_only=True)
class TryQuery:
    """The client's moves so far, without replies; the last is the attempt."""

    moves: Annotated[list[TurnText], Length(MAX_MOVES_OF_ATTEMPT, 1)]


@dataclass(frozen=True, kw_only=True)
class HintQuery:
    """The client's correct moves so far."""

    moves: Annotated[list[TurnText], Length(MAX_MOVES_OF_ATTEMPT)] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class TryAnswer(CheckAnswer):
    """The result of an attempt: `after` is the position after the move, `position` the one to continue from."""

    after: str
    reply: str | None
    reply_words: str
    over: bool


@dataclass(frozen=True, kw_only=True)
class StepHint:
    """The first step of a correct move, with its targets."""

    words: str
    steps: list[ChoiceInfo]


@dataclass(frozen=True, kw_only=True)
class SolutionMove(ShownMove):
    """A move of the solution: its player, the move in notation and in words, and the position after it."""

    colour: str


@dataclass(frozen=True, kw_only=True)
class SolutionAnswer:
    """The moves and replies of a solution."""

    position: str
    moves: list[SolutionMove]


@dataclass(frozen=True)
class LessonRequest:
    """A lesson by the name of its game."""

    name: str


@dataclass(frozen=True, kw_only=True)
class ListRequest:
    """Puzzles of a game or of all games, of a difficulty or of any."""

    game: Annotated[str, Length(40)] | None = None
    difficulty: Annotated[int, Range(1, 5)] | None = None


@dataclass(frozen=True)
class DailyRequest:
    """A day such as 2026-02-28, by default today."""

    day: Annotated[str, Length(10)] | None = None


@dataclass(frozen=True)
class PuzzleRequest:
    """A puzzle by its id."""

    puzzle: str


@dataclass(frozen=True)
class OfPuzzle(Generic[Body]):
    """A request about a puzzle."""

    puzzle: str
    body: Body


async def listed_lessons(backend: Backend, caller: Caller, request: Nothing) -> list[LessonInfo]:
    """All lessons."""
    return [
        LessonInfo(game=each.game, title=each.title, summary=each.summary, steps=len(each.steps))
        for each in lessons.lessons()
    ]


async def check(backend: Backend, caller: Caller, request: Posted[CheckQuery]) -> CheckAnswer:
    """Whether a move does what a step asks for."""
    query = request.body
    found = await backend.background(caller, lessons.check, query.game, query.step, query.move)
    return CheckAnswer(**_verdict(found), position=found.after.text)


async def lesson(backend: Backend, caller: Caller, request: LessonRequest) -> LessonAnswer:
    """A whole lesson."""
    return await backend.background(caller, lesson_answer, request.name)


async def listed_puzzles(backend: Backend, caller: Caller, request: ListRequest) -> PuzzleList:
    """The puzzles of one game or of all games, of one difficulty or of any."""
    games = [request.game] if request.game else names()
    return await backend.background(caller, _listed, games, request.difficulty)


async def daily(backend: Backend, caller: Caller, request: DailyRequest) -> DailyAnswer:
    """The puzzles of today, or of another day such as 2026-02-28."""
    day = _day(request.day) if request.day else datetime.now(UTC).date()
    return await backend.background(caller, _of_day, day)


async def solved(backend: Backend, caller: Caller, request: Nothing) -> SolvedAnswer:
    """The puzzles that the client has solved."""
    person = await identity.known(backend.store, caller)
    tried = await backend.store.puzzle_attempts(person.id, MOST_SOLVED) if person else []
    return SolvedAnswer(solved=sorted({each.puzzle for each in tried if each.right}))


async def one(backend: Backend, caller: Caller, request: PuzzleRequest) -> PuzzleAnswer:
    """A puzzle."""
    return await backend.background(caller, lambda: puzzle_answer(_found(request.puzzle)))


async def attempt(backend: Backend, caller: Caller, request: OfPuzzle[TryQuery]) -> TryAnswer:
    """Whether the last move is correct, and the best reply; the result is stored for a known person."""
    of = _found(request.puzzle)
    tried = await backend.background(caller, puzzles.attempt, of, request.body.moves)
    person = await identity.known(backend.store, caller)
    if person and (tried.over or not tried.right):
        await backend.store.add_puzzle_attempt(person.id, of.id, tried.right, time.time())
    return TryAnswer(
        **_verdict(tried),
        after=tried.after.text,
        reply=None if tried.reply is None else str(tried.reply),
        reply_words=tried.reply_text,
        position=tried.position.text,
        over=tried.over,
    )


async def hint(backend: Backend, caller: Caller, request: OfPuzzle[HintQuery]) -> StepHint:
    """The first step of a correct move."""
    found = _found(request.puzzle)
    return await backend.background(caller, lambda: first_step(*puzzles.answer(found, request.body.moves)))


async def solution(backend: Backend, caller: Caller, request: PuzzleRequest) -> SolutionAnswer:
    """One line of the solution, against the best replies."""
    return await backend.background(caller, solution_answer, _found(request.puzzle))


ROUTES = (
    Route(GET, "/api/lessons", listed_lessons),
    Route(POST, "/api/lessons/check", check),
    Route(GET, "/api/lessons/{name}", lesson),
    Route(GET, "/api/puzzles", listed_puzzles),
    Route(GET, "/api/puzzles/daily", daily),
    Route(GET, "/api/puzzles/solved", solved),
    Route(GET, "/api/puzzles/{puzzle}", one, refusals=MISSING),
    Route(POST, "/api/puzzles/{puzzle}/try", attempt, refusals=MISSING),
    Route(POST, "/api/puzzles/{puzzle}/hint", hint, refusals=MISSING),
    Route(GET, "/api/puzzles/{puzzle}/solution", solution, refusals=MISSING),
)


def lesson_answer(name: str) -> LessonAnswer:
    """A game's lesson."""
    found = lessons.lesson(name)
    steps = list(map(_step_info, found.steps))
    return LessonAnswer(game=name, title=game(name).title, summary=found.summary, steps=steps)


def _step_info(step: lessons.LessonStep) -> StepInfo:
    here, show = step.start, list[ShownMove]()
    for text in step.show:
        move = here.parse(text)
        show.append(_shown(here, move))
        here = here.play(move)
    answer = step.start.parse(step.answer) if step.answer else None
    return StepInfo(
        title=step.title,
        words=step.text,
        position=step.start.text,
        touch=view.touches(step.start, answer) if answer else [],
        instruction=uncapitalized(step.start.instruction(answer)) if answer else "",
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
    return PuzzleList(puzzles=[PuzzleInfo(**_facts(each)) for each in fitting])


def _of_day(day: date) -> DailyAnswer:
    found = [puzzles.daily(name, day) for name in names() if puzzles.puzzles(name)]
    return DailyAnswer(day=day.isoformat(), puzzles=list(map(puzzle_answer, found)))


def first_step(here: Position, move: Move) -> StepHint:
    """The first step of a move, as a hint."""
    first = view.touches(here, move)[:1]
    return StepHint(words=uncapitalized(first[0].label), steps=first)


def solution_answer(found: Puzzle) -> SolutionAnswer:
    """One line of the solution of a puzzle."""
    moves = [
        SolutionMove(colour=here.colour_of(here.turn), **vars(_shown(here, move)))
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
        raise StatusError(404, str(error)) from None


def puzzle_answer(found: Puzzle) -> PuzzleAnswer:
    """A puzzle, as a page shows it."""
    all_of_game = puzzles.puzzles(found.game)
    following = all_of_game[(all_of_game.index(found) + 1) % len(all_of_game)]  # the first one follows the last
    return PuzzleAnswer(**_facts(found), position=found.start.text, notes=found.notes, next=following.id)


def _facts(found: Puzzle) -> dict[str, Any]:
    """What a list has of a puzzle."""
    return {each.name: getattr(found, each.name) for each in fields(PuzzleInfo)}

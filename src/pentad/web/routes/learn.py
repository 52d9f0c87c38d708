"""Routes of the lessons page: lessons with their steps, and checks of moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from pentad.game import Position, game
from pentad.play import lessons
from pentad.web import view
from pentad.web.api import LONGEST_TURN, ChoiceInfo, Model, Refusal
from pentad.web.services import Client, Services

WRONG: dict[int | str, dict[str, Any]] = {
    422: {"model": Refusal, "description": "The request is invalid; the error says why."}
}


class LessonInfo(Model):
    """A lesson, without its steps."""

    game: str
    title: str
    summary: str
    steps: int


class Shown(Model):
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
    show: list[Shown]
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
    move: Annotated[str, Field(max_length=LONGEST_TURN)]


class CheckAnswer(Model):
    """Whether the move is correct, and where it leads."""

    right: bool
    words: str
    move: str
    move_words: str
    position: str


def router(services: Services) -> APIRouter:
    """The routes of the page."""
    router = APIRouter(responses=WRONG)

    @router.get("/api/lessons")
    async def listed() -> list[LessonInfo]:
        """All lessons."""
        return [
            LessonInfo(game=each.game, title=each.title, summary=each.summary, steps=len(each.steps))
            for each in lessons.lessons()
        ]

    @router.post("/api/lessons/check")
    async def check(query: CheckQuery, client: Client) -> CheckAnswer:
        """Whether a move does what a step asks for."""
        found = await services.background(client, lessons.check, query.game, query.step, query.move)
        return CheckAnswer(
            right=found.right,
            words=found.message,
            move=str(found.move),
            move_words=found.move_text,
            position=found.after.text,
        )

    @router.get("/api/lessons/{name}")
    async def lesson(name: str, client: Client) -> LessonAnswer:
        """A whole lesson."""
        return await services.background(client, _whole, name)

    return router


def _whole(name: str) -> LessonAnswer:
    found = lessons.lesson(name)
    return LessonAnswer(
        game=found.game, title=game(name).title, summary=found.summary, steps=list(map(_step_info, found.steps))
    )


def _step_info(step: lessons.Step) -> StepInfo:
    touch = view.touches(step.start, step.start.parse(step.answer)) if step.answer else []
    return StepInfo(
        title=step.title,
        words=step.text,
        position=step.start.text,
        touch=touch,
        show=_shown(step.start, step.show),
        right=step.right,
    )


def _shown(here: Position, moves: Sequence[str]) -> list[Shown]:
    shown = []
    for text in moves:
        move = here.parse(text)
        words, here = here.describe(move), here.play(move)
        shown.append(Shown(move=str(move), words=words, position=here.text))
    return shown

"""The page of lessons: what each step tells and shows, and whether a move does what it asks for."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from pentad.game import Position, game
from pentad.play import lessons
from pentad.web import view
from pentad.web.api import LONGEST_TURN, ChoiceInfo, Model, Refusal
from pentad.web.services import Client, Services

WRONG: dict[int | str, dict[str, Any]] = {422: {"model": Refusal, "description": "it cannot be, and why"}}


class LessonInfo(Model):
    """A lesson, without its steps."""

    game: str
    title: str
    summary: str
    steps: int


class Shown(Model):
    """A move that is shown: in notation and in words, and the position after it."""

    move: str
    words: str
    position: str


class StepInfo(Model):
    """A step of a lesson. `touch` are the places that are touched for a move which does it; `show` is for watching."""

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
    """A move that somebody tries at a step, counted from 0."""

    game: str = Field(max_length=40)
    step: int
    move: Annotated[str, Field(max_length=LONGEST_TURN)]


class CheckAnswer(Model):
    """Whether it was what the step asks for, and where it leads."""

    right: bool
    words: str
    move: str
    move_words: str
    position: str


def router(services: Services) -> APIRouter:
    """What the page asks of the server."""
    router = APIRouter(responses=WRONG)

    @router.get("/api/lessons")
    async def listed() -> list[LessonInfo]:
        """The lessons there are."""
        return [
            LessonInfo(game=each.game, title=each.title, summary=each.summary, steps=len(each.steps))
            for each in lessons.lessons()
        ]

    @router.post("/api/lessons/check")
    async def check(query: CheckQuery, client: Client) -> CheckAnswer:
        """Whether a move does what a step asks for, by the rules of the game."""
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
        game=found.game, title=game(name).title, summary=found.summary, steps=list(map(_told, found.steps))
    )


def _told(step: lessons.Step) -> StepInfo:
    touch = view.touches(step.start, step.start.parse(step.answer)) if step.answer else []
    return StepInfo(
        title=step.title,
        words=step.text,
        position=step.start.text,
        touch=touch,
        show=_shown(step.start, step.show),
        right=step.right,
    )


def _shown(here: Position, moves: tuple[str, ...]) -> list[Shown]:
    told = []
    for text in moves:
        move = here.parse(text)
        words, here = here.describe(move), here.play(move)
        told.append(Shown(move=str(move), words=words, position=here.text))
    return told

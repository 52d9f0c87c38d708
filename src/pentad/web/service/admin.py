"""Services of the operators' page: a session by a token, what the server knows, and actions, which are logged.

Without any operator's token there is nothing at these addresses.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pentad.game import game
from pentad.play.clock import Time
from pentad.store.moderation import (
    MOST_FOUND,
    Action,
    ChatLine,
    Found,
    KnownGame,
    KnownPerson,
    KnownStudy,
    LogRow,
    PersonFound,
    ReportRow,
    StudyFound,
    checked_network,
)
from pentad.store.rows import BanRow, GameRow
from pentad.system.words import phrase
from pentad.web import refusal_texts
from pentad.web.api_types import MAX_NAME_LENGTH
from pentad.web.backend import Backend
from pentad.web.http import identity
from pentad.web.http.client_address import networks, prefix
from pentad.web.http.exchange import Caller, StatusError
from pentad.web.http.ratelimit import Rate, RateLimiter, too_many
from pentad.web.messages import Announcements
from pentad.web.operators import Operators
from pentad.web.service.reports import operators_of
from pentad.web.service.router import GET, POST, Nothing, Posted, Route
from pentad.web.typed_json import Length, Range

log = logging.getLogger(__name__)

TRIES = Rate(10, 600.0)  # tokens of one address, right or wrong
WRONG_TOKEN = "This token is not valid."
NO_SESSION = "Log in with an operator's token."
_TRIES = RateLimiter(TRIES, time.monotonic)
_THIS_MACHINE = {"this machine": 1.0}  # programs on it have no address, but their tries count, too

Number = Annotated[int, Range(0, 10**9)]
Text = Annotated[str, Length(500)]


@dataclass(frozen=True, kw_only=True)
class TokenLogin:
    """An operator's token."""

    token: Annotated[str, Length(100)]


@dataclass(frozen=True, kw_only=True)
class OperatorView:
    """The operator of this session, what all pages show, and the number of reports that wait."""

    name: str
    announcements: Announcements
    reports: int


@dataclass(frozen=True, kw_only=True)
class OperatorAction(Action):
    """What to do; `sure` is needed to ban the operator's own network."""

    sure: bool = False


@dataclass(frozen=True, kw_only=True)
class SeatOfGame:
    """A player of a game: the number of a person, or null, and the name."""

    person: int | None
    name: str


@dataclass(frozen=True, kw_only=True)
class GameFound:
    """A game as operators see it."""

    name: str
    title: str
    time: str
    moves: int
    result: str | None
    touched: float
    seats: list[SeatOfGame]


@dataclass(frozen=True, kw_only=True)
class ChatFound:
    """A chat message with its game, and its author, if known."""

    game: str
    number: int
    person: int | None
    name: str
    text: str
    at: float


@dataclass(frozen=True, kw_only=True)
class BanView:
    """A ban or a mute of a person or a network; `until` is null if it is for good."""

    kind: str
    person: int | None
    network: str | None
    name: str
    until: float | None
    reason: str
    at: float
    operator: str


@dataclass(frozen=True, kw_only=True)
class ReportView:
    """A report with a link to its place; `about` is the person whom it is about, if known."""

    number: int
    at: float
    reporter: int | None
    page: str
    place: str
    name: str
    part: int | None
    chat: int | None
    quote: str
    about: int | None
    about_name: str
    reason: str
    text: str
    done: float | None
    operator: str


@dataclass(frozen=True, kw_only=True)
class LoggedAction:
    """An action in the log."""

    number: int
    at: float
    operator: str
    kind: str
    target: str
    until: float | None
    text: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class SearchAnswer:
    """What a search has found, at most 50 of each."""

    people: list[PersonFound]
    games: list[GameFound]
    studies: list[StudyFound]
    chat: list[ChatFound]


@dataclass(frozen=True, kw_only=True)
class OpenRoom:
    """A room in which a person is now; of their network only the widest part is shown."""

    name: str
    network: str


@dataclass(frozen=True, kw_only=True)
class PersonView:
    """A person: names, the rooms in which they are now, games, studies, chat and bans, and reports about them."""

    number: int
    name: str
    names: list[str]
    rooms: list[OpenRoom]
    games: list[GameFound]
    studies: list[StudyFound]
    chat: list[ChatFound]
    bans: list[BanView]
    reports: list[ReportView]


@dataclass(frozen=True, kw_only=True)
class GameView:
    """A game with its chat, and the reports about it."""

    game: GameFound
    page: str
    chat: list[ChatFound]
    reports: list[ReportView]


@dataclass(frozen=True, kw_only=True)
class StudyView:
    """A study with the titles of its chapters, and the reports about it."""

    study: StudyFound
    page: str
    titles: list[str]
    reports: list[ReportView]


@dataclass(frozen=True)
class SearchRequest:
    """A text to search for."""

    text: Text


@dataclass(frozen=True)
class PersonRequest:
    """A person by number."""

    number: Number


@dataclass(frozen=True)
class NamedRequest:
    """A game or a study by name."""

    name: Annotated[str, Length(40)]


@dataclass(frozen=True)
class ReportsRequest:
    """Reports that wait, or those that were handled."""

    done: bool = False


@dataclass(frozen=True)
class LogRequest:
    """A part of the log: the actions before the one with this number, by default the last ones."""

    before: Number | None = None


def _admitted(backend: Backend, caller: Caller) -> tuple[Operators, str]:
    """The operators, and the name of the one who asks; `StatusError` for all others."""
    operators = _there(backend)
    name = operators.name_of(caller.operator)
    if name is None:
        raise StatusError(403, NO_SESSION)
    return operators, name


def _there(backend: Backend) -> Operators:
    operators = operators_of(backend)
    if not operators.exist:
        raise StatusError(404, refusal_texts.NOT_FOUND)
    return operators


async def log_in(backend: Backend, caller: Caller, request: Posted[TokenLogin]) -> OperatorView:
    """Begins an operator's session, whose cookie is sent with the answer."""
    operators, keys = _there(backend), networks(caller.address) or _THIS_MACHINE
    if wait := _TRIES.take(keys):
        raise StatusError(429, too_many("tries", wait))
    secret = operators.begin_session(request.body.token)
    if secret is None:
        where = next(iter(networks(caller.address)), "this machine")
        log.warning("A wrong operator's token from %s.", where)
        raise StatusError(403, WRONG_TOKEN)
    caller.new_operator = caller.operator = secret
    return await show(backend, caller, Nothing())


async def log_out(backend: Backend, caller: Caller, request: Nothing) -> None:
    """Ends an operator's session."""
    _there(backend).end_session(caller.operator)
    caller.new_operator = ""


async def show(backend: Backend, caller: Caller, request: Nothing) -> OperatorView:
    """Who is logged in, and what waits."""
    operators, name = _admitted(backend, caller)
    waiting = await operators.moderation.count_reports()
    return OperatorView(name=name, announcements=operators.announcements(), reports=waiting)


async def act(backend: Backend, caller: Caller, request: Posted[OperatorAction]) -> LoggedAction:
    """Does something, and logs it."""
    operators, name = _admitted(backend, caller)
    given = {key: value for key, value in vars(request.body).items() if key != "sure"}
    action = Action(**given)
    if action.kind == "rename":
        given["text"] = _new_name(action.text)
        action = Action(**given)
    if action.kind == "ban network" and not request.body.sure and _has(checked_network(action.target), caller):
        raise StatusError(409, phrase("{network} has your own address. Ban it nevertheless?", network=action.target))
    return logged_action(await operators.act(action, name))


def _new_name(text: str) -> str:
    name = identity.clean(text)
    if len(name) > MAX_NAME_LENGTH:
        raise StatusError(422, phrase("Expected a name of at most {most} characters.", most=MAX_NAME_LENGTH))
    return name


def _has(network: str, caller: Caller) -> bool:
    """Whether a network has the address of who asks."""
    return prefix(caller.address, int(network.rpartition("/")[2])) == network


async def search(backend: Backend, caller: Caller, request: SearchRequest) -> SearchAnswer:
    """People, games, studies and chat messages."""
    operators, _ = _admitted(backend, caller)
    return search_answer(await operators.moderation.search(request.text))


async def person(backend: Backend, caller: Caller, request: PersonRequest) -> PersonView:
    """A person."""
    operators, _ = _admitted(backend, caller)
    file = await operators.moderation.person(request.number)
    return person_view(file, backend.rooms.rooms_of(request.number), backend.rooms.world.wall())


async def game_file(backend: Backend, caller: Caller, request: NamedRequest) -> GameView:
    """A game with its chat."""
    operators, _ = _admitted(backend, caller)
    return game_view(await operators.moderation.game(request.name))


async def study_file(backend: Backend, caller: Caller, request: NamedRequest) -> StudyView:
    """A study with the titles of its chapters."""
    operators, _ = _admitted(backend, caller)
    return study_view(await operators.moderation.study(request.name))


async def reports(backend: Backend, caller: Caller, request: ReportsRequest) -> list[ReportView]:
    """Reports by players."""
    operators, _ = _admitted(backend, caller)
    return list(map(report_view, await operators.moderation.reports(done=request.done)))


async def bans(backend: Backend, caller: Caller, request: Nothing) -> list[BanView]:
    """The bans and mutes that hold."""
    operators, _ = _admitted(backend, caller)
    now = backend.rooms.world.wall()
    return [ban_view(each) for each in (await operators.moderation.state()).bans if holds(each, now)]


async def actions(backend: Backend, caller: Caller, request: LogRequest) -> list[LoggedAction]:
    """The log of what operators have done, the latest first, at most 50 actions."""
    operators, _ = _admitted(backend, caller)
    return list(map(logged_action, await operators.moderation.log(MOST_FOUND, request.before)))


REFUSALS = {403: NO_SESSION, 404: "No operator has a token."}
ROUTES = (
    Route(POST, "/api/admin/login", log_in, refusals={403: WRONG_TOKEN, 404: REFUSALS[404]}),
    Route(POST, "/api/admin/logout", log_out, status=204, refusals={404: REFUSALS[404]}),
    Route(GET, "/api/admin", show, refusals=REFUSALS),
    Route(
        POST,
        "/api/admin/actions",
        act,
        refusals={**REFUSALS, 409: "The network has the operator's own address, and `sure` is not set."},
    ),
    Route(GET, "/api/admin/search", search, refusals=REFUSALS),
    Route(GET, "/api/admin/persons/{number}", person, refusals=REFUSALS),
    Route(GET, "/api/admin/games/{name}", game_file, refusals=REFUSALS),
    Route(GET, "/api/admin/studies/{name}", study_file, refusals=REFUSALS),
    Route(GET, "/api/admin/reports", reports, refusals=REFUSALS),
    Route(GET, "/api/admin/bans", bans, refusals=REFUSALS),
    Route(GET, "/api/admin/actions", actions, refusals=REFUSALS),
)


# ── views, which `pentad admin` writes as JSON, too ──────────────────────────────────────────────


def holds(ban: BanRow, now: float) -> bool:
    """Whether a ban is not over."""
    return ban.until is None or ban.until > now


def page_of(place: str, name: str, part: int | None) -> str:
    """The page of a game or a study."""
    if place == "game":
        return f"/play/{name}"
    return f"/analyse?study={name}" + (f"&chapter={part}" if part else "")


def search_answer(found: Found) -> SearchAnswer:
    """What a search has found, as operators see it."""
    return SearchAnswer(
        people=found.people,
        games=list(map(game_found, found.games)),
        studies=found.studies,
        chat=list(map(chat_found, found.chat)),
    )


def person_view(file: KnownPerson, rooms: Mapping[str, str], now: float) -> PersonView:
    """A person as operators see them; `rooms` are those in which they are, with their networks."""
    return PersonView(
        number=file.number,
        name=file.name,
        names=file.names,
        rooms=[OpenRoom(name=name, network=network) for name, network in rooms.items()],
        games=list(map(game_found, file.games)),
        studies=file.studies,
        chat=list(map(chat_found, file.chat)),
        bans=[ban_view(each) for each in file.bans if holds(each, now)],
        reports=list(map(report_view, file.reports)),
    )


def game_view(file: KnownGame) -> GameView:
    """A game as operators see it, with its chat."""
    return GameView(
        game=game_found(file.row),
        page=page_of("game", file.row.name, None),
        chat=[chat_found(ChatLine(file.row.name, each)) for each in file.chat],
        reports=list(map(report_view, file.reports)),
    )


def study_view(file: KnownStudy) -> StudyView:
    """A study as operators see it, with the titles of its chapters."""
    return StudyView(
        study=file.study,
        page=page_of("study", file.study.name, None),
        titles=file.titles,
        reports=list(map(report_view, file.reports)),
    )


def game_found(row: GameRow) -> GameFound:
    """A game as operators see it."""
    time = Time.of(row.time)
    return GameFound(
        name=row.name,
        title=game(row.game).title,
        time=time.label if time else "",
        moves=row.moves,
        result=row.result,
        touched=row.touched,
        seats=[SeatOfGame(person=each.person, name=each.name or each.who) for each in row.seats],
    )


def chat_found(line: ChatLine) -> ChatFound:
    """A chat message as operators see it."""
    said = line.message
    return ChatFound(game=line.game, number=said.number, person=said.person, name=said.name, text=said.text, at=said.at)


def ban_view(row: BanRow) -> BanView:
    """A ban as operators see it."""
    return BanView(**{name: value for name, value in row._asdict().items() if name != "keys"})


def report_view(row: ReportRow) -> ReportView:
    """A report as operators see it."""
    it = row.report
    return ReportView(
        number=row.number,
        at=row.at,
        reporter=row.reporter,
        page=page_of(it.place, it.name, it.part),
        about_name=row.about_name,
        done=row.done,
        operator=row.operator,
        **it._asdict(),
    )


def logged_action(row: LogRow) -> LoggedAction:
    """An action in the log as operators see it."""
    return LoggedAction(number=row.number, at=row.at, operator=row.operator, **vars(row.action))

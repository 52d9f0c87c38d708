"""`pentad admin`: what the operators of a server do: search, removal, bans, reports, notices and maintenance.

The commands change the server's database, and log what they do. A running server reads the log every second.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import getpass
import ipaddress
import os
import re
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pentad.game import GameError, shorten
from pentad.system.extras import needs
from pentad.system.words import count, phrase
from pentad.terminal import streams
from pentad.terminal.arguments import CommandParser, add_database, choose, whole

if TYPE_CHECKING:
    from pentad.store.moderation import Action, ChatLine, Kind, LogRow, Moderation, ReportRow, StudyFound
    from pentad.store.rows import BanRow, GameRow
    from pentad.web.settings import Settings

T = TypeVar("T")

TOKEN_BYTES = 24
DEFAULT_PORT = 5005
HERE = ("127.0.0.1", "localhost", "::1", "0.0.0.0", "::")
MOST_SECONDS = 10 * 366 * 86400.0
_DURATION = re.compile(r"([0-9]{1,6})([mhdw])")
_UNITS = {"m": 60.0, "h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}

# What was done, by the kind of the action.
SENTENCES = {
    "remove game": "Removed the game {target}.",
    "remove study": "Removed the study {target}.",
    "remove chat": "Removed the chat message {target}.",
    "rename": "Renamed person {target} to {text}.",
    "mute": "Muted person {target} {until}.",
    "unmute": "Person {target} may write in chats again.",
    "ban person": "Banned person {target} {until}.",
    "unban person": "Lifted the ban of person {target}.",
    "ban network": "Banned the network {target} {until}.",
    "unban network": "Lifted the ban of the network {target}.",
    "handle report": "Marked report {target} as handled.",
    "notice": "All pages show this notice: {text}",
    "clear notice": "The notice is gone.",
    "close": "The server closes for maintenance at {time}.",
    "open": "The server is open.",
    "make token": "Made a token for {target}.",
    "revoke token": "Revoked the token of {target}.",
}


# ── arguments ────────────────────────────────────────────────────────────────────────────────────


def duration(text: str) -> float:
    """The seconds of a duration.

    >>> duration("90m"), duration("7d")
    (5400.0, 604800.0)
    """
    read = _DURATION.fullmatch(text.strip().lower())
    seconds = int(read[1]) * _UNITS[read[2]] if read else -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(
            phrase("Expected a time such as 30m, 12h, 7d or 2w, up to ten years, got {text}.", text=shorten(repr(text)))
        )
    return seconds


def _add_whom(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=("person", "network"), help="what WHOM is")
    parser.add_argument("whom", metavar="WHOM", help="number of a person, or a network such as 192.0.2.0/24")


def _add_person(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("person", metavar="PERSON", type=whole(0, 10**9), help="number that `search` shows")


def _add_reason(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reason", metavar="TEXT", default="", help="why, for the log and for whom it is about")


def _add_for(parser: argparse.ArgumentParser) -> None:
    what = "how long, such as 30m, 12h, 7d or 2w (default: until it is lifted)"
    parser.add_argument("--for", dest="seconds", metavar="TIME", type=duration, help=what)
    _add_reason(parser)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def _until(args: argparse.Namespace) -> float | None:
    if args.seconds == 0:
        raise GameError("--for: Expected more than no time.")
    return None if args.seconds is None else time.time() + args.seconds


# ── the database ─────────────────────────────────────────────────────────────────────────────────


def _settings(args: argparse.Namespace) -> Settings:
    with needs("web"):
        from pentad.web.settings import settings

    return settings({"database": args.database})


@contextlib.contextmanager
def _opened(args: argparse.Namespace) -> Iterator[Moderation]:
    """The moderation of the server's database, which must exist."""
    url = _settings(args).database
    with needs("web"):
        from pentad.store import Store
        from pentad.store.database import check_current
        from pentad.store.moderation import Moderation

    check_current(url)
    store = Store.open(url)
    try:
        yield Moderation(store)
    finally:
        store.close()


def _ask(args: argparse.Namespace, question: Callable[[Moderation], Coroutine[Any, Any, T]]) -> T:
    """What a question to the database finds."""
    with _opened(args) as moderation:
        return asyncio.run(question(moderation))


def operator() -> str:
    """The name in the log of who runs the command."""
    try:
        return phrase("{user} at the command line", user=getpass.getuser()[:60])
    except (OSError, KeyError):  # there is no such user
        return "command line"


def _act(args: argparse.Namespace, kind: Kind, target: object = "", **more: Any) -> int:
    """Does something, and says so."""
    with _opened(args) as moderation:
        from pentad.store.moderation import Action

        action = Action(kind=kind, target=str(target), **more)
        done = asyncio.run(moderation.act(action, operator(), time.time()))
    print(sentence(done.action))
    return 0


# ── texts ────────────────────────────────────────────────────────────────────────────────────────


def written_time(at: float) -> str:
    """A time of the wall clock, in UTC.

    >>> written_time(1796636400.0)
    '2026-12-07 09:40'
    """
    return f"{datetime.fromtimestamp(min(at, 253402300799.0), UTC):%Y-%m-%d %H:%M}"


def _until_text(until: float | None) -> str:
    return "for good" if until is None else phrase("until {time} UTC", time=written_time(until))


def sentence(action: Action) -> str:
    """What an action has done."""
    at = f"{written_time(action.until)} UTC" if action.until is not None else ""
    until = _until_text(action.until)
    return SENTENCES[action.kind].format(target=action.target, text=action.text, until=until, time=at)


def _logged(row: LogRow) -> str:
    reason = phrase(" Reason: {reason}", reason=row.action.reason) if row.action.reason else ""
    return f"{row.number}  {written_time(row.at)}  {row.operator}: {sentence(row.action)}{reason}"


def _game(row: GameRow) -> str:
    from pentad.game import game

    seats = ", ".join(
        f"{each.name or each.who}{f' ({each.person})' if each.person is not None else ''}" for each in row.seats
    )
    ended = f", {row.result}" if row.result else ""
    return f"game {row.name}: {game(row.game).title}, {seats}, {count(row.moves, 'move')}{ended}"


def _chat(line: ChatLine) -> str:
    who = f"{line.message.name} ({line.message.person})" if line.message.person is not None else line.message.name
    return f"chat {line.game}/{line.message.number}: {who}: {line.message.text}"


def _ban(row: BanRow) -> str:
    whom = f"network {row.network}" if row.network else f"person {row.person}: {row.name}"
    reason = f": {row.reason}" if row.reason else ""
    return f"{row.kind} {whom}, {_until_text(row.until)}, by {row.operator}{reason}"


def _report(row: ReportRow) -> str:
    it = row.report
    chat = f"/{it.chat} {it.quote!r}" if it.chat is not None else ""
    about = f", about {row.about_name} ({it.about})" if it.about is not None else ""
    text = f": {it.text}" if it.text else ""
    return f"{row.number}  {written_time(row.at)}  {it.reason}: {it.place} {it.name}{chat}{about}{text}"


def _print(args: argparse.Namespace, value: object, lines: Iterable[str], nothing: str) -> int:
    """Prints a result: JSON, or one line for each thing."""
    if args.json:
        from pentad.web.typed_json import written

        print(written(value))
        return 0
    listed = list(lines)
    for line in listed or [nothing]:
        print(line)
    return 0


# ── commands ─────────────────────────────────────────────────────────────────────────────────────


class AdminToken:
    """`pentad admin token`: makes, revokes and lists the tokens of operators."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", nargs="?", help="operator (default: list those with tokens)")
        parser.add_argument("--revoke", action="store_true", help="revoke the token of NAME")
        parser.add_argument(
            "--url", metavar="URL", help="address of the server, for the link (default: by its settings)"
        )
        _add_json(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        if args.name is None:
            if args.revoke:
                raise GameError("Missing argument: NAME.")
            state = _ask(args, lambda moderation: moderation.state())
            listed = [{"name": each.name, "made": each.made} for each in state.operators]
            lines = (f"{each.name}, {written_time(each.made)}" for each in state.operators)
            return _print(args, listed, lines, "No operator has a token.")
        name = _clean(args.name, "NAME")
        if args.revoke:
            return _act(args, "revoke token", name)
        root = args.url.rstrip("/") if args.url else _root(_settings(args))
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with _opened(args) as moderation:
            from pentad.web.http.identity import hash_of

            asyncio.run(moderation.add_operator(name, hash_of(token), operator(), time.time()))
        link = f"{root}/admin#token={token}"
        told = (phrase("The token is shown only now: {token}", token=token), phrase("Its page: {link}", link=link))
        return _print(args, {"name": name, "token": token, "link": link}, told, "")


def _study(study: StudyFound) -> str:
    return f"study {study.name}: {study.title}, {count(study.chapters, 'chapter')}"


def _root(settings: Settings) -> str:
    """The address of the server, as far as its settings say it."""
    if settings.public_name:
        return f"https://{settings.public_name[0]}"
    from pentad.web.http.client_address import root_of

    host = "127.0.0.1" if settings.host in HERE else settings.host
    return root_of(host, settings.port or DEFAULT_PORT)


def _clean(text: str, what: str) -> str:
    from pentad.web.http.visible_text import visible

    plain = visible(text)
    if not plain:
        raise GameError("{what} has no visible characters.", what=what)
    return plain


class AdminSearch:
    """`pentad admin search`: finds people, games, studies and chat messages."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("text", metavar="TEXT", help="part of a name, a title or a message, or a number or a name")
        _add_json(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        found = _ask(args, lambda moderation: moderation.search(args.text))
        lines = [
            *(
                f"person {each.number}: {each.name or '(no name)'}, {count(each.games, 'game')}"
                for each in found.people
            ),
            *map(_game, found.games),
            *map(_study, found.studies),
            *map(_chat, found.chat),
        ]
        return _print(args, _views().search_answer(found) if args.json else None, lines, "Nothing found.")


def _views() -> Any:
    """The functions that make what the operators' page gets."""
    from pentad.web.service import admin

    return admin


class AdminShow:
    """`pentad admin show`: prints what the server has of a person, a game or a study."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("kind", choices=("person", "game", "study"), help="what NAME is")
        parser.add_argument("name", metavar="NAME", help="number of a person, name of a game or of a study")
        _add_json(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        if args.kind == "person":
            number = whole(0, 10**9)
            try:
                who = number(args.name)
            except argparse.ArgumentTypeError as error:
                raise GameError("NAME: {error}", error=error) from None
            person = _ask(args, lambda moderation: moderation.person(who))
            lines = [
                f"person {person.number}: {', '.join(person.names) or '(no name)'}",
                *map(_ban, (each for each in person.bans if each.until is None or each.until > time.time())),
                *map(_game, person.games),
                *map(_study, person.studies),
                *map(_chat, person.chat),
                *(f"report {_report(each)}" for each in person.reports),
            ]
            return _print(args, _views().person_view(person, {}, time.time()) if args.json else None, lines, "")
        if args.kind == "game":
            game = _ask(args, lambda moderation: moderation.game(args.name))
            from pentad.store.moderation import ChatLine

            lines = [
                _game(game.row),
                *(_chat(ChatLine(args.name, each)) for each in game.chat),
                *(f"report {_report(each)}" for each in game.reports),
            ]
            return _print(args, _views().game_view(game) if args.json else None, lines, "")
        study = _ask(args, lambda moderation: moderation.study(args.name))
        lines = [
            f"study {study.study.name}: {study.study.title}",
            *(f"chapter {number}: {title}" for number, title in enumerate(study.titles, 1)),
            *(f"report {_report(each)}" for each in study.reports),
        ]
        return _print(args, _views().study_view(study) if args.json else None, lines, "")


class AdminRemove:
    """`pentad admin remove`: removes a game, a study or a chat message for good."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("kind", choices=("game", "study", "chat"), help="what NAME is")
        parser.add_argument(
            "name", metavar="NAME", help="name of a game or of a study, or GAME/NUMBER of a chat message"
        )
        _add_reason(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        return _act(args, cast("Kind", f"remove {args.kind}"), args.name, reason=args.reason)


class AdminRename:
    """`pentad admin rename`: gives a person another name, in all their games and chats, too."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        _add_person(parser)
        parser.add_argument("name", metavar="NAME", help="new name")
        _add_reason(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        from pentad.web.api_types import MAX_NAME_LENGTH

        name = _clean(args.name, "NAME")
        if len(name) > MAX_NAME_LENGTH:
            raise GameError("Expected a name of at most {most} characters.", most=MAX_NAME_LENGTH)
        return _act(args, "rename", args.person, text=name, reason=args.reason)


class AdminMute:
    """`pentad admin mute`: lets a person write in no chat."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        _add_person(parser)
        _add_for(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        return _act(args, "mute", args.person, until=_until(args), reason=args.reason)


class AdminUnmute:
    """`pentad admin unmute`: lets a person write in chats again."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        _add_person(parser)
        _add_reason(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        return _act(args, "unmute", args.person, reason=args.reason)


class AdminBan:
    """`pentad admin ban`: lets a person or a network only read."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        _add_whom(parser)
        _add_for(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        until = _until(args)
        code = _act(args, cast("Kind", f"ban {args.kind}"), args.whom, until=until, reason=args.reason)
        if args.kind == "network" and (own := own_address()) and _is_in(own, args.whom):
            streams.print_error(
                phrase("This network has your own address, {own}. `pentad admin unban` lifts the ban.", own=own)
            )
        return code


def own_address() -> str:
    """The address of the operator who is here by SSH; empty for anybody else."""
    return os.environ.get("SSH_CONNECTION", "").partition(" ")[0]


def _is_in(address: str, network: str) -> bool:
    try:
        return ipaddress.ip_address(address) in ipaddress.ip_network(network.strip(), strict=False)
    except ValueError:
        return False


class AdminUnban:
    """`pentad admin unban`: lifts the ban of a person or a network."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        _add_whom(parser)
        _add_reason(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        return _act(args, cast("Kind", f"unban {args.kind}"), args.whom, reason=args.reason)


class AdminBans:
    """`pentad admin bans`: lists the bans and mutes that hold."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        _add_json(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        now = time.time()
        state = _ask(args, lambda moderation: moderation.state())
        held = [each for each in state.bans if each.until is None or each.until > now]
        views = [_views().ban_view(each) for each in held] if args.json else []
        return _print(args, views, map(_ban, held), "Nobody is banned or muted.")


class AdminLog:
    """`pentad admin log`: lists what operators have done, the latest first."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("--last", metavar="N", type=whole(1, 10**6), default=50, help="how many (default: 50)")
        _add_json(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        found = _ask(args, lambda moderation: moderation.log(args.last))
        views = [_views().logged_action(each) for each in found] if args.json else []
        return _print(args, views, map(_logged, found), "No operator has done anything.")


class AdminReports:
    """`pentad admin reports`: lists reports by players, and marks them as handled."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("--handled", action="store_true", help="list those that were handled")
        number = whole(0, 10**9)
        parser.add_argument("--handle", metavar="NUMBER", type=number, help="mark a report as handled")
        _add_json(parser)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        if args.handle is not None:
            return _act(args, "handle report", args.handle)
        found = _ask(args, lambda moderation: moderation.reports(done=args.handled))
        views = [_views().report_view(each) for each in found] if args.json else []
        return _print(args, views, map(_report, found), "No reports.")


class AdminNotice:
    """`pentad admin notice`: shows a notice on all pages."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("text", metavar="TEXT", nargs="?", help="notice")
        parser.add_argument("--clear", action="store_true", help="show no notice")
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        if args.clear == (args.text is not None):
            raise GameError("Expected the text of a notice, or --clear.")
        return _act(args, "clear notice") if args.clear else _act(args, "notice", text=_clean(args.text, "TEXT"))


class AdminClose:
    """`pentad admin close`: closes the server for maintenance, after a countdown on all pages."""

    @staticmethod
    def add_arguments(parser: CommandParser) -> None:
        parser.add_argument("text", metavar="TEXT", nargs="?", default="", help="what to say about it")
        what = "when, such as 10m or 0m (default: 10m)"
        parser.add_argument("--in", dest="seconds", metavar="TIME", type=duration, default=600.0, help=what)
        add_database(parser)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        text = _clean(args.text, "TEXT") if args.text else ""
        return _act(args, "close", text=text, until=time.time() + args.seconds)


class AdminOpen:
    """`pentad admin open`: opens the server after maintenance, or stops the countdown."""

    add_arguments = staticmethod(add_database)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        return _act(args, "open")


COMMANDS: dict[str, tuple[Any, str]] = {
    "token": (AdminToken, "make, revoke and list the tokens of operators"),
    "search": (AdminSearch, "find people, games, studies and chat messages"),
    "show": (AdminShow, "print what the server has of a person, a game or a study"),
    "remove": (AdminRemove, "remove a game, a study or a chat message for good"),
    "rename": (AdminRename, "give a person another name, in all games and chats"),
    "mute": (AdminMute, "let a person write in no chat"),
    "unmute": (AdminUnmute, "let a person write in chats again"),
    "ban": (AdminBan, "let a person or a network only read"),
    "unban": (AdminUnban, "lift the ban of a person or a network"),
    "bans": (AdminBans, "list the bans and mutes"),
    "reports": (AdminReports, "list reports by players, and mark them as handled"),
    "notice": (AdminNotice, "show a notice on all pages"),
    "close": (AdminClose, "close the server for maintenance, after a countdown"),
    "open": (AdminOpen, "open the server after maintenance"),
    "log": (AdminLog, "list what operators have done"),
}


def add_arguments(parser: CommandParser) -> None:
    summaries = {name: summary for name, (_, summary) in COMMANDS.items()}
    choose(parser, "pentad admin", summaries, lambda name: COMMANDS[name][0])

"""`pentad play`: play in the terminal, in plain text or as JSON.

A game's module `bot` may have `SETTINGS`, from a setting's name to its help, with `bot_name(given)`, which returns
the name of the bot with these settings (as texts), and `ALIASES`, from an option's alias to its name. The module
`draw` may have `TURNED_FOR`, the colour for whose turns the board is turned round. `--prolog` answers queries with
the module `prolog` of the game's commands, if there is one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any, cast

from pentad.game import Game, GameError, game, names, shorten
from pentad.play import saved_games
from pentad.play.clock import Time
from pentad.play.seats import HUMAN, seat_number, sit, starts_program
from pentad.play.table import TIME, recorded_players, set_table, state_text
from pentad.record import Record
from pentad.search.bot import bot_title, bots
from pentad.system import files as user_files
from pentad.system.extras import has, needs
from pentad.system.progress import can_redraw
from pentad.system.words import listed, phrase
from pentad.terminal import arguments, files, streams
from pentad.terminal.arguments import CommandParser, add_whole, flag, given_with
from pentad.terminal.command_table import command_of_game, has_command
from pentad.terminal.full_screen import THEMES
from pentad.terminal.plain_line_display import PlainLineDisplay
from pentad.terminal.play_session import Display, JsonLines, Session, turned_for

MAX_MOVE_SECONDS = 3600
MIN_COLUMNS, MIN_ROWS = 40, 12  # a smaller window is not filled unless a person asks for it
CONFIGURED = "bot"  # the player name for the bot with the settings
_SETTING, _SEAT = "setting_", "seat_"  # prefixes of argparse destinations


def add_arguments(parser: CommandParser) -> None:
    kind = arguments.named_game(parser)
    aliases: Mapping[str, str] = getattr(kind.module("bot"), "ALIASES", {}) if kind else {}
    arguments.add_game(parser, required=False, aliases=aliases)
    _add_seats(parser)
    _add_settings(parser, kind)
    start = parser.add_argument_group("start of the game").add_mutually_exclusive_group()
    arguments.add_position(start)
    start.add_argument("--load", metavar="FILE", help="continue a game from a file")
    start.add_argument(
        "--resume", metavar="NAME", nargs="?", const="", help="resume a saved game (default: the latest)"
    )
    start.add_argument("--saved", action="store_true", help="list the saved games and exit")
    if kind and has_command(kind.name, "prolog"):
        start.add_argument(
            "--prolog",
            metavar="GOAL",
            nargs="?",
            const="",
            help="answer a goal of Prolog, such as 'play([size(13), difficulty(1)])' or help, and exit; without GOAL, "
            "answer queries at a prompt",
        )
    about = parser.add_argument_group("output and saving")
    about.add_argument("--record", metavar="FILE", help="also write the game to FILE after every move")
    about.add_argument("--force", action="store_true", help="let --record replace an existing file")
    flips = (flag(alias) for alias, name in aliases.items() if name == "flip")
    flip_help = "show the board from the other side"
    if kind is None:
        flip_help += "; in some games only for one colour's turns"
    elif colour := turned_for(kind):
        flip_help = phrase("turn the board around while {colour} is to move", colour=colour)
    about.add_argument("--flip", *flips, action="store_true", help=flip_help)
    about.add_argument("--list", action="store_true", help="list the pieces instead of drawing the board")
    about.add_argument("--no-colour", action="store_true", help="disable colours")
    kind_of_screen = about.add_mutually_exclusive_group()
    kind_of_screen.add_argument(
        "--screen", action="store_true", help="play in full screen, with keys and mouse (default on a terminal)"
    )
    kind_of_screen.add_argument(
        "--lines", action="store_true", help="play by typing lines (for screen readers and pipes)"
    )
    kind_of_screen.add_argument("--json", action="store_true", help="print one JSON object per line, for programs")
    about.add_argument("--theme", choices=THEMES, help="colour theme of the full screen (default: your last choice)")
    about.add_argument(
        "--no-mouse", action="store_true", help="do not use the mouse in full screen, so that you can select text"
    )


def _bots(kind: Game) -> str:
    """The bots of a game, with their names for people."""
    named = [f"{name} ({bot_title(kind.name, name)})" for name in bots(kind.name)]
    return phrase("The bots of {title} are {bots}.", title=kind.title, bots=listed(named))


def _add_seats(parser: CommandParser) -> None:
    kind = arguments.named_game(parser)
    group = parser.add_argument_group(
        "players",
        "WHO is human, a bot's name, a level such as 3, a strength such as medium, or a bot at either, such as name@3. "
        "Unless a seat is given to a human, you take the first free one; bots take the others. "
        + (_bots(kind) if kind else "`pentad games` lists the bots."),
    )
    group.add_argument(
        "--seat", metavar="N=WHO", action="append", default=[], help="who plays at seat N, counted from 0"
    )
    shown = [kind] if kind else map(game, names())
    for colour in dict.fromkeys(colour for each in shown for colour in each.colours):
        text = phrase("who plays {colour}", colour=colour)
        group.add_argument(f"--{colour}", metavar="WHO", dest=_SEAT + colour, default=argparse.SUPPRESS, help=text)
    group.add_argument(
        "--seconds",
        metavar="S",
        type=arguments.number(float, 0, MAX_MOVE_SECONDS, "a number of seconds"),
        help="time limit of the bots per move",
    )
    group.add_argument(
        "--time", metavar="M+S", type=_time, help="a clock for each player: minutes, and seconds added for each move"
    )
    add_whole(group, "--seed", 0, 2**63 - 1, "random seed of the bots")


def run(args: argparse.Namespace) -> int:
    if args.saved:
        return _list_saved()
    if getattr(args, "prolog", None) is not None:
        return _answer_queries(args)
    record, saved_game, notes = _begin(args)
    try:
        _set_time(record, args.time)
        display = _display(args)
        seats = _seats(args, record)
        notes += _programs_left_out(record, seats)
        table = set_table(record, seats, args.seed, warm_up=display.is_interactive)
        copy = None if args.record is None else Path(args.record)
        if copy:
            files.write_text(args.record, record.text, force=args.force)  # errors are found before the first move
    except GameError:
        if saved_game:
            saved_game.release()
        raise
    _exit_on_signals()
    session = Session(
        table, display, saved_game, copy, notes, args.seconds, args.seed, turned=args.flip, listed=args.list
    )
    return display.run(session)


def _answer_queries(args: argparse.Namespace) -> int:
    """Answer the goal of `--prolog`, or queries at a prompt."""
    if args.game is None:
        raise GameError("Name the game before --prolog, as in: pentad play pente --prolog")
    plain = CommandParser("play", "", [args.game, "--prolog"])
    add_arguments(plain)
    defaults = vars(plain.parse()) | {"prolog": args.prolog, "run": args.run}
    if others := [name for name, value in vars(args).items() if name not in defaults or defaults[name] != value]:
        name = flag(others[0].removeprefix(_SETTING).removeprefix(_SEAT).removeprefix("option_"))
        raise GameError(
            "{name} cannot be used with --prolog. Write options in the goal, as in play([size(13)]).", name=name
        )
    prolog = cast(Any, command_of_game(args.game, "prolog"))
    return cast(int, prolog.answer_goal(args.prolog) if args.prolog else prolog.run_prompt())


def _begin(args: argparse.Namespace) -> tuple[Record, saved_games.SavedGame | None, list[str]]:
    """The record to continue, its saved game if it has one, and messages about games that were skipped."""
    if args.resume is not None:
        arguments.refuse_options(args, "--resume")
        saved_game, record, notes = saved_games.resume(args.resume or args.game or "")
        _check_game(args, record, saved_game.name)
        return record, saved_game, notes
    if args.load is not None:
        arguments.refuse_options(args, "--load")
        record = files.choose(files.read_records(args.load, game=args.game), None, args.load)
        _check_game(args, record, args.load)
        return record, None, []
    return Record(arguments.starting_position(args)), None, []


def _time(text: str) -> Time:
    try:
        return Time.parse(text)
    except GameError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _set_time(record: Record, time: Time | None) -> None:
    if time is None:
        return
    if TIME in record.tags:
        raise GameError("The game goes on with its own time control: {tag}. Leave out --time.", tag=record.tags[TIME])
    record.tags[TIME] = time.label


def _check_game(args: argparse.Namespace, record: Record, source: str) -> None:
    if args.game not in (None, record.game.name):
        raise GameError(
            "{source} is a game of {name}, not of {game}.", source=source, name=record.game.name, game=args.game
        )


def _seats(args: argparse.Namespace, record: Record) -> dict[int, str]:
    """The players of the given seats, and the seats of the bot with the settings."""
    kind, players = record.game, record.start.players
    seats: dict[int, str] = {}
    for name, given in _given_seats(args):
        who = _bot_name(args, kind) if given == CONFIGURED and hasattr(kind.module("bot"), "SETTINGS") else given
        seat = seat_number(kind, name, players)
        if seat in seats:
            raise GameError("Seat {name} is given twice.", name=name)
        sit(kind, who, programs=True, remote=True)  # raises an error for an unknown player
        seats[seat] = who
    return seats | _fill(args, kind, recorded_players(record) | seats, players)


def _given_seats(args: argparse.Namespace) -> list[tuple[str, str]]:
    given = []
    for text in args.seat:
        seat, equals, who = text.partition("=")
        if not equals:
            raise GameError("--seat: Expected N=WHO, such as 1=greedy, got {text!r}.", text=text)
        given.append((seat, who))
    return [*given, *given_with(_SEAT, args).items()]


def _programs_left_out(record: Record, seats: Mapping[int, str]) -> list[str]:
    """Messages about bots in the record's tags that would start a program and are replaced by a person."""
    return [
        phrase(
            "The record names {who} at seat {seat}, but a record may not start programs. A human "
            "plays there instead, unless you use --seat {seat}=…",
            who=shorten(who, 120),
            seat=seat,
        )
        for seat, who in recorded_players(record).items()
        if seat not in seats and starts_program(record.game, who)
    ]


def _display(args: argparse.Namespace) -> Display:
    if args.json:
        return JsonLines()
    if _fills_screen(args):
        with needs("terminal"):
            from pentad.terminal.full_screen.app import PlayApp
        from pentad.terminal.full_screen import preferences
        from pentad.terminal.full_screen.display import FullScreen

        has_colours = not (args.no_colour or os.environ.get("NO_COLOR"))
        if args.theme:
            preferences.keep_theme(args.theme)
        return FullScreen(PlayApp, preferences.theme(), has_colours=has_colours, has_mouse=not args.no_mouse)
    if not streams.is_terminal():
        return Display()
    if not has("rich"):
        return PlainLineDisplay()
    from pentad.terminal.line_display import LineDisplay

    return LineDisplay(args.no_colour)


def _fills_screen(args: argparse.Namespace) -> bool:
    """Whether to play in full screen: if asked, or where the terminal can and nothing asks for lines."""
    can = streams.is_terminal() and can_redraw()
    if args.screen:
        if not can:
            raise GameError("--screen needs an interactive terminal.")
        return True
    can = can and has("rich") and has("textual")
    columns, rows = shutil.get_terminal_size()
    return can and not (args.lines or args.list) and columns >= MIN_COLUMNS and rows >= MIN_ROWS


def _exit_on_signals() -> None:
    """Exit in the ordinary way on SIGTERM, and on SIGHUP when the terminal closes."""

    def leave(signum: int, _: FrameType | None) -> None:
        raise SystemExit(128 + signum)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)


def _list_saved() -> int:
    each = None
    for each in saved_games.listing():
        text = phrase("Cannot read it: {reason}", reason=each.trouble) if each.record is None else _summary(each.record)
        print(f"{each.name:16} {each.changed:%Y-%m-%d %H:%M}  {text}")
    if each is None:
        print(phrase("There are no saved games in {games}.", games=user_files.games()))
    return 0


def _summary(record: Record) -> str:
    moves = len(record.moves)
    names = ", ".join(record.tags.get(f"Seat{seat}", "?") for seat in range(record.start.players))
    return f"{moves:3} move{' ' if moves == 1 else 's'}  {names}  {state_text(record)}"


# ── settings of a bot, such as `--difficulty 3` ──────────────────────────────────────────────────────


def _add_settings(parser: CommandParser, kind: Game | None) -> None:
    """Add an argument for each setting."""
    settings = cast(Mapping[str, str], getattr(kind.module("bot"), "SETTINGS", {})) if kind else {}
    if not settings or kind is None:
        return
    group = parser.add_argument_group(
        phrase("settings of the bot of {title}", title=kind.title),
        phrase(
            "The bot with these settings takes the free seats, and the seats where WHO is {configured}.",
            configured=CONFIGURED,
        ),
        argument_default=argparse.SUPPRESS,
    )
    for name, text in settings.items():
        group.add_argument(flag(name), metavar=name[0].upper(), dest=_SETTING + name, help=text.replace("%", "%%"))


def _fill(args: argparse.Namespace, kind: Game, taken: Mapping[int, str], players: int) -> dict[int, str]:
    """The bot with the settings at the free seats, except the first one if no seat has a person yet."""
    settings = given_with(_SETTING, args)
    if not settings:
        return {}
    name = _bot_name(args, kind)
    free = [seat for seat in range(players) if seat not in taken]
    if free and HUMAN not in taken.values():
        del free[0]
    if not free and name not in taken.values():
        setting = flag(next(iter(settings)))
        raise GameError(
            "{setting} needs a seat with a bot. Give it one, such as --seat 1={configured}.",
            setting=setting,
            configured=CONFIGURED,
        )
    return dict.fromkeys(free, name)


def _bot_name(args: argparse.Namespace, kind: Game) -> str:
    return cast(str, kind.module("bot").bot_name(given_with(_SETTING, args)))

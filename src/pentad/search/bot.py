"""Base class of bots, and the table of each game's bots."""

from __future__ import annotations

import json
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pkgutil import resolve_name
from typing import Any, Protocol, TypeAlias, cast

from pentad.game import Game, GameError, IllegalMove, Move, Position, did_you_mean, game, shown
from pentad.search.book import look_up
from pentad.search.levels import RUNGS, at, read_level
from pentad.search.levels import Level as Level  # part of the interface for bots
from pentad.search.move_limit import DEFAULT_LIMIT as DEFAULT_LIMIT
from pentad.search.move_limit import PYTHON_SECONDS
from pentad.search.move_limit import Limit as Limit
from pentad.search.report import Report
from pentad.search.report import Result as Result
from pentad.system.words import phrase

FALLBACK_OPPONENT = "greedy"
MAX_LINE_MOVES = 12  # the line of a report or a result is cut to it


class Forfeit(GameError):
    """A bot has lost its game: it ran out of time, crashed, or played an illegal move."""


class Bot(ABC):
    """A player that chooses moves. The same seed and positions give the same moves."""

    name = "bot"
    limited_by: frozenset[str] = frozenset()  # which of the limits `depth` and `nodes` it observes

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(seed)

    @abstractmethod
    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        """A legal move, with what the bot knows of it; `limit` is for bots that can use more or less time."""

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        """The move alone, within some seconds."""
        return self.play(position, Limit(seconds=seconds)).move

    def check(self, limit: Limit) -> None:
        """Raises GameError for a limit of nodes that the bot does not observe."""
        if limit.nodes is not None and "nodes" not in self.limited_by:
            raise GameError("The bot {name} cannot be limited to a number of nodes.", name=self.name)

    def close(self) -> None:  # noqa: B027 - most bots have nothing to stop
        """Stops everything that the bot has started; the bot can be used again."""


class Stoppable(Protocol):
    """A search that another thread can stop."""

    def stop(self) -> None: ...


Listener: TypeAlias = Callable[[Report], None]


class EngineBot(Bot):
    """A bot that searches at a level of strength."""

    kind = "engine"
    levels: Mapping[float, Level]
    limited_by = frozenset({"depth", "nodes"})
    needs_proof = False  # whether it plays moves of the opening book only where their values are exact

    def __init__(self, level: float = 5, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = f"{self.kind}-{level:.4g}"
        self.number = level
        self.level = at(self.levels, level, self.random)  # a level between two rungs is one of them for each move
        self._listener: Listener | None = None
        self._search: Stoppable | None = None  # there is none between two moves
        self._is_stopped = False

    def play(
        self,
        position: Position,
        limit: Limit = DEFAULT_LIMIT,
        *,
        listener: Listener | None = None,
        book: bool = True,
    ) -> Result:
        """The move of the opening book or of a search, with the expected line.

        The `listener` gets a report whenever the search has become deeper. Without `book` the opening book is left
        aside.
        """
        if position.outcome:
            raise IllegalMove("The game is over.")
        began = time.monotonic()
        self._search, self._is_stopped, self._listener = None, False, listener
        if limit.seconds is None and _are_engines_python():
            limit = replace(limit, seconds=PYTHON_SECONDS)
        self.level = self._level_of_move(limit)
        self._met(position)
        try:
            found = (self._known(position) if book and self.level.book else None) or self._searched(position, limit)
            self._moved(position, found.move)
        finally:
            self._search = self._listener = None
        return replace(found, seconds=time.monotonic() - began)

    def _known(self, position: Position) -> Result | None:
        """A move of the opening book."""
        known = look_up(position)
        if not known or (self.needs_proof and not known.exact):
            return None
        move = known.choose(self.random)
        value = next(value for each, value in known.moves if each == move)
        return Result(move, value, known.exact, (move,), "by the book")

    def _met(self, position: Position) -> None:
        """Called with the position before the move is chosen."""

    def _moved(self, position: Position, move: Move) -> None:
        """Called with the bot's move before it is returned."""

    def _level_of_move(self, limit: Limit) -> Level:
        """The level for the next move: between two rungs one of them; now and then a lapse."""
        level = at(self.levels, self.number, self.random)
        if level.blunder_rate and self.random.random() < level.blunder_rate:
            level = level.lapse()
        limits = {name: cast(int | None, getattr(limit, name)) for name in self.limited_by}
        given = any(each is not None for each in limits.values())
        return replace(level, **cast(Any, limits)) if given else level

    @abstractmethod
    def _searched(self, here: Any, limit: Limit) -> Result:
        """The result at a position that is not over."""

    def _report(self, longest: int) -> Report | None:
        """The report on the current search, with at most so many moves in a line; None where there is none."""
        return None

    def _last_report(self, longest: int = MAX_LINE_MOVES) -> Report | None:
        """The report on the whole search; after `stop` without the expected line, which takes some time."""
        return self._report(1 if self._is_stopped else min(longest, MAX_LINE_MOVES))

    def _deepened(self) -> None:
        """Gives the listener a report on the search so far."""
        if self._listener and not self._is_stopped and (report := self._report(MAX_LINE_MOVES)):
            self._listener(report)

    def stop(self) -> None:
        """Stops the search; `play` then returns the best move so far."""
        self._is_stopped = True
        if search := self._search:
            search.stop()


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot in its game's table: made without arguments, at one of its `levels` of strength, or from settings.

    `title` is its name for people; without one it is the bot's name.

    A bot with all `rungs` also plays at the named rungs, at any number between the levels, and at the ratings of the
    ladder (see `levels`). Settings follow a colon, `beam:depth=4`; `configure` gets their text, which may be anything.
    A bot that has only `configure` requires settings. A bot that `starts_programs` runs the program that its settings
    name, so it is available only with `programs=True`, for callers that are allowed to run programs on this machine.
    `kernels` names the modules whose kernels the bot needs for a move at a position, `later_kernels` those for the rest
    of a game; the first time on a machine they have to be compiled.
    """

    summary: str
    make: Callable[[int | None], Bot] | None = None
    make_level: Callable[[Any, int | None], Bot] | None = None
    levels: range = range(0)
    rungs: bool = False
    configure: Callable[[str, int | None], Bot] | None = None
    starts_programs: bool = False
    kernels: Callable[[Position], tuple[str, ...]] = lambda _: ()  # none for bots in plain Python
    later_kernels: Callable[[Position], tuple[str, ...]] = lambda _: ()  # none where each move needs the same
    title: str = ""


def deferred(name: str) -> Callable[..., Any]:
    """The function with the name `module:function`; a call imports the module."""

    def call(*arguments: Any, **options: Any) -> Any:
        return resolve_name(name)(*arguments, **options)

    return call


_are_engines_python = deferred("pentad.kernels.prebuilt:are_engines_python")

_registered: dict[str, dict[str, BotEntry]] = {}  # the game "" stands for the bots of every game


def register(who: str, entry: BotEntry, *, game: str = "") -> None:
    """Adds a bot to those of a game's own table, or to those of every game."""
    _registered.setdefault(game, {})[who] = entry


def bots(name: str) -> Mapping[str, BotEntry]:
    """The bots of a game, from weakest to strongest."""
    own = cast(dict[str, BotEntry], game(name).module("bot").BOTS)
    return own | _registered.get(name, {}) | _registered.get("", {})


def own_bots(name: str) -> Mapping[str, BotEntry]:
    """The bots of a game that start no programs, so that any client may request them."""
    return {who: entry for who, entry in bots(name).items() if not entry.starts_programs}


def bot_title(name: str, who: str) -> str:
    """The name of a bot for people; a bot that is not in the game's table has its name alone.

    >>> bot_title("pente", "engine@medium"), bot_title("pente", "lines-both"), bot_title("pente", "attacking@3")
    ('Computer (medium)', 'Balanced lines', 'Attacker (level 3)')
    """
    plain, level, settings = read_name(who)
    entry = entry_of(name, who)
    title = (entry.title if entry else "") or plain.capitalize()
    detail = phrase("level {level}", level=level) if level[:1].isdigit() else level or settings
    return phrase("{title} ({detail})", title=title, detail=detail) if detail else title


def default_opponent(name: str) -> str:
    """The default opponent of a newcomer at a game, in the terminal and in the browser, such as `engine@2`.

    The game's module `bot` names it as DEFAULT_OPPONENT: a bot to which a newcomer loses, but not always.
    """
    module = game(name).module("bot")
    return cast(str, getattr(module, "DEFAULT_OPPONENT", None) or fallback(name))


# Of a bot without rungs, each by its place between the lowest and the highest level.
STRENGTHS = {"easy": 0.0, "medium": 0.3, "hard": 0.7, "best": 1.0}


def strengths(name: str) -> dict[str, str]:
    """The bots that a newcomer can choose by strength: the rungs of the default opponent, from weakest to best.

    >>> list(strengths("pentago").values())[:3]
    ['engine@beginner', 'engine@easy', 'engine@casual']
    """
    opponent = default_opponent(name)
    who = read_name(opponent)[0] or best(name)
    entry = own_bots(name)[who]
    if entry.rungs:
        return {word: f"{who}@{word}" for word in RUNGS}
    if not entry.levels:
        return {"medium": opponent}
    found = {word: f"{who}@{entry.levels[round(share * (len(entry.levels) - 1))]}" for word, share in STRENGTHS.items()}
    return {word: bot for word, bot in found.items() if bot not in list(found.values())[: list(found).index(word)]}


def fallback(name: str) -> str:
    """The bot of a game that names none for some purpose: the greedy one, else its last."""
    table = own_bots(name)
    return FALLBACK_OPPONENT if FALLBACK_OPPONENT in table else list(table)[-1]


def best(name: str) -> str:
    """The game's best bot: the last one with levels, else the last one."""
    table = own_bots(name)
    return [who for who, entry in table.items() if entry.levels or not any(each.levels for each in table.values())][-1]


def measured_bot(name: str) -> str:
    """The bot whose games measure a game: the best one, at the highest level with the same work for every move.

    >>> measured_bot("pentago")
    'engine@4'
    """
    who = best(name)
    levels = own_bots(name)[who].levels
    return f"{who}@{levels[-2]}" if len(levels) > 1 else who


RATINGS = "ratings.json"  # benchmarks/ratings.py writes it into a game's folder


def ratings(name: str) -> dict[str, int]:
    """The measured Elo ratings of a game's bots and levels, by name; empty for a game without measurements.

    >>> "engine@medium" in ratings("pentago"), "greedy" in ratings("pentago")
    (True, True)
    """
    text = game(name).data(RATINGS)
    return {who: round(rated["elo"]) for who, rated in json.loads(text)["players"].items()} if text else {}


def rated_levels(name: str, who: str) -> dict[float, float]:
    """The measured Elo ratings of a bot's rungs, by their levels."""
    rated = ratings(name)
    return {number: rated[each] for word, number in RUNGS.items() if (each := f"{who}@{word}") in rated}


def name_and_settings(who: str) -> tuple[str, str | None]:
    """Splits a bot's name and settings at the colon; the settings are None without a colon.

    >>> name_and_settings("beam:depth=4"), name_and_settings("beam")
    (('beam', 'depth=4'), ('beam', None))
    """
    name, colon, settings = who.partition(":")
    return name, settings if colon else None


def read_name(who: str) -> tuple[str, str, str | None]:
    """Splits `who` into a bot's name, its level and its settings. A level alone has no name: the best bot plays.

    >>> read_name("engine@medium"), read_name("3"), read_name("hard"), read_name("beam:depth=4")
    (('engine', 'medium', None), ('', '3', None), ('', 'hard', None), ('beam', '', 'depth=4'))
    """
    plain, settings = name_and_settings(who)
    name, _, level = (f"@{plain}" if plain.isdecimal() or plain in RUNGS else plain).partition("@")
    return name, level, settings


def entry_of(name: str, who: str) -> BotEntry | None:
    """The entry in a game's table for a name, a level, or a name with a level or settings.

    >>> entry_of("pentago", "greedy@3") is bots("pentago")["greedy"], entry_of("pentago", "human")
    (True, None)
    """
    return bots(name).get(read_name(who)[0] or best(name))


def bot(
    name: str,
    who: str | None = None,
    *,
    level: float | str | None = None,
    seed: int | None = None,
    programs: bool = False,
) -> Bot:
    """A bot for a game, by its name with or without a level or settings, or by a level; by default the best one.

    A level is a number, the name of a rung such as `medium`, or a rating; it may follow the name, as in `engine@3`.
    A bot that starts a program needs `programs`. A caller that sets it must know where the name comes from.

    >>> bot("pentago", "greedy", seed=1).name, bot("pentago", "medium").name
    ('greedy', 'engine-2.5')
    """
    return bot_maker(name, who, level=level, seed=seed, programs=programs)()


def bot_maker(
    name: str,
    who: str | None = None,
    *,
    level: float | str | None = None,
    seed: int | None = None,
    programs: bool = False,
) -> Callable[[], Bot]:
    """A function that makes the bot of that name. An unknown name raises now; imports wait until the call."""
    kind: Game = game(name)
    table = bots(name)
    plain, given, settings = read_name(who) if isinstance(who, str) else ("", "", None)
    if who is None or (given and not plain):
        plain = best(name)
        if (given or level is not None) and not table[plain].levels:
            raise GameError(
                "{title} has no bot with levels. The bots are: {table}.", title=kind.title, table=", ".join(table)
            )
    if plain not in table:
        tip = did_you_mean(who, (*table, *RUNGS))
        raise GameError(
            "Unknown bot {who}. {tip}The bots of {title} are: {table}.",
            who=shown(who),
            tip=tip,
            title=kind.title,
            table=", ".join(table),
        )
    entry = table[plain]
    if entry.starts_programs and not programs:
        raise GameError(
            "The bot {name} of {title} starts a program. It can only be chosen on the command line.",
            name=plain,
            title=kind.title,
        )
    if given and (level is not None or settings is not None):
        raise GameError("{who} already names a level.", who=shown(who))
    if settings is not None:
        return partial(_configured(kind, plain, settings, level), settings, seed)
    if given:
        level = int(given) if given.isascii() and given.isdecimal() and len(given) < MAX_LEVEL_DIGITS else given
    number = None if level is None else _number(kind, plain, level)
    if entry.make_level:
        return partial(entry.make_level, entry.levels[-1] if number is None else number, seed)
    if entry.make is None:
        raise GameError(
            "The bot {name} of {title} needs settings, written as {name}:SETTINGS.", name=plain, title=kind.title
        )
    return partial(entry.make, seed)


MAX_LEVEL_DIGITS = 6


def _number(kind: Game, name: str, level: float | str) -> float:
    """The number of a bot's level; refused where the bot has no such level."""
    entry = bots(kind.name)[name]
    bot = phrase("The bot {name} of {title}", name=name, title=kind.title)
    if not entry.levels:
        raise GameError("{bot} has no levels, got {level}.", bot=bot, level=shown(level))
    number: float | None = None
    if not entry.rungs:
        number = level if type(level) is int and level in entry.levels else None
    elif isinstance(level, int | float | str) and not isinstance(level, bool):
        text = level if isinstance(level, str) else f"{level:g}"
        number = read_level(text, partial(rated_levels, kind.name, name))
    if number is None or not entry.levels[0] <= number <= entry.levels[-1]:
        raise GameError(
            "{bot} has levels {lowest} to {highest}, got {level}.",
            bot=bot,
            lowest=entry.levels[0],
            highest=entry.levels[-1],
            level=shown(level),
        )
    return int(number) if number == int(number) else number


def _configured(kind: Game, name: str, settings: str, level: float | str | None) -> Callable[[str, int | None], Bot]:
    configure = bots(kind.name)[name].configure
    if configure is None:
        raise GameError(
            "The bot {name} of {title} takes no settings, got {settings}.",
            name=name,
            title=kind.title,
            settings=shown(settings),
        )
    if level is not None:
        raise GameError("The bot {name} of {title} takes a level or settings, not both.", name=name, title=kind.title)
    return configure

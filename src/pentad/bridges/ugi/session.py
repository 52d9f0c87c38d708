"""Session of the Universal Game Interface: the state of an engine, and the reply to each line.

A command that cannot be executed is answered by one `info string` line. It changes nothing, except that after a refused
`position` there is no position: a search of the former one would answer for a board that the manager does not mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pentad.bridges.protocol_server import NOTHING, MoveRequest, ProtocolSession, Reply
from pentad.bridges.text_lines import plain
from pentad.bridges.ugi import protocol
from pentad.bridges.ugi.protocol import GAME, NO_MOVE, ProtocolError
from pentad.game import Game, GameError, Move, OptionValue, Position, game, load, names, shown, whole
from pentad.search import clock_share
from pentad.search.bot import best, bot_maker, own_bots
from pentad.search.move_limit import Limit
from pentad.search.report import Result
from pentad.system.version import __version__

IDENTITY = (f"id name pentad {__version__}", "id author the pentad developers")
BOT, LEVEL = "Bot", "Level"
ENDLESS_SECONDS = 86_400.0  # a search without a limit ends when the manager stops it


class UgiSession(ProtocolSession):
    """One conversation with a manager."""

    urgent, farewell = frozenset({"stop", "quit"}), "quit"
    while_preparing = frozenset({"ugi", "query"})
    while_searching = frozenset({"ugi", "isready", "query"})
    longest_line = protocol.MAX_LINE_LENGTH
    reports = True

    def __init__(
        self,
        name: str,
        who: str | None = None,
        *,
        level: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        seed: int | None = None,
    ) -> None:
        """`who` is the bot and `level` its level, until the manager chooses another game or another bot."""
        self.kind: Game = game(name)
        self.who, self.level, self._seed = who, level, seed
        self.options = dict(options or {})
        super().__init__(bot_maker(name, who, level=level, seed=seed))
        self._position: Position | None = self._start()

    # ── lines ────────────────────────────────────────────────────────────────────────────────────

    def word_of(self, line: str) -> str:
        return (line.split(maxsplit=1) or [""])[0]

    def take(self, line: str) -> Reply:
        word = self.word_of(line[:40])
        try:
            return self._do(*protocol.read_command(line))
        except GameError as error:
            refused = self.remark(f"Error: {error}")
            if word == "position":
                self._position = None
            return Reply((refused, f"bestmove {NO_MOVE}") if word == "go" else (refused,))

    def _do(self, word: str, rest: str) -> Reply:
        match word:
            case "ugi":
                return Reply((*IDENTITY, *self._options(), "ugiok"))
            case "isready":
                return Reply(("readyok",))
            case "setoption":
                return self._set(*protocol.read_setting(rest))
            case "uginewgame":
                self._position = self._start()
                return NOTHING
            case "position":
                self._position = self._read_position(rest)
                return NOTHING
            case "query":
                return Reply((f"response {self._answer(rest)}",))
            case "go":
                return self._go(rest)
            case "stop" | "":  # the server has already stopped the search
                return NOTHING
            case "quit":
                return Reply(ends_session=True)
        raise ProtocolError("Unknown command {word}.", word=shown(word, 40))

    # ── options ──────────────────────────────────────────────────────────────────────────────────

    def _options(self) -> Sequence[str]:
        """The lines of all options: the game and its own, the bot and its level."""
        table = own_bots(self.kind.name)
        bot = self.who or best(self.kind.name)
        lines = [protocol.write_choice(GAME, self.kind.name, names())]
        try:
            values = self._start().options
        except GameError:  # the options given do not fit together yet
            values = self.options
        lines += [
            protocol.write_option(option, values.get(name, option.default))
            for name, option in self.kind.options.items()
        ]
        lines.append(protocol.write_choice(BOT, bot, table))
        entry = table.get(bot.partition(":")[0])
        if entry and entry.levels and ":" not in bot:
            levels = entry.levels
            lines.append(protocol.write_number(LEVEL, self.level or levels[-1], levels[0], levels[-1]))
        return lines

    def _set(self, name: str, value: str) -> Reply:
        """Sets an option; after another game or bot, the options are listed again."""
        if name == GAME:
            kind = game(value)
            return self._listed() if kind is self.kind else self._become(kind, {}, None, None)
        if name == BOT:
            return self._become(self.kind, self.options, value, None)
        if name == LEVEL:
            level = whole(value)
            if level is None:
                raise ProtocolError("{level} must be a number, not {value}.", level=LEVEL, value=shown(value, 30))
            self._become(self.kind, self.options, self.who, level)
            return NOTHING
        if name not in self.kind.options:
            known = ", ".join([GAME, *self.kind.options, BOT, LEVEL])
            raise ProtocolError("Unknown option {name}. The options are: {known}.", name=shown(name, 40), known=known)
        self.options[name] = self.kind.options[name].read(value)
        return NOTHING

    def _become(self, kind: Game, options: Mapping[str, OptionValue], who: str | None, level: int | None) -> Reply:
        make = bot_maker(kind.name, who, level=level, seed=self._seed)  # raises GameError for an unknown bot or level
        if who is not None and ":" in who:
            make()  # reports invalid settings now, not at the first move
        if kind is not self.kind:
            self._position = kind.new()
        self.kind, self.options, self.who, self.level, self.make = kind, dict(options), who, level, make
        return self._listed()

    def _listed(self) -> Reply:
        return Reply(tuple(map(plain, self._options())))

    # ── positions ────────────────────────────────────────────────────────────────────────────────

    @property
    def here(self) -> Position | None:
        return self._position

    @property
    def position(self) -> Position:
        """The current position."""
        if self._position is None:
            raise ProtocolError("There is no position; the last one was refused.")
        return self._position

    def example(self) -> Position:
        here = self._position
        return self._start() if here is None or here.outcome else here

    def _start(self) -> Position:
        return self.kind.new(**self.options)

    def _read_position(self, text: str) -> Position:
        kind, _, rest = text.partition(" ")
        fen, _, moves = f" {rest} ".partition(" moves ")
        if kind == "startpos" and not fen.strip():
            return protocol.read_moves(self._start(), moves.split())
        if kind != "fen" or not fen.strip():
            raise ProtocolError("Expected startpos or fen TEXT, then moves with their words if there are any.")
        words = fen.split()
        position = load(" ".join(words if words[0] in names() else [self.kind.name, *words]))
        if position.game != self.kind.name:
            raise ProtocolError(
                "This is a position of {game}, but {option} is {name}.",
                game=position.game,
                option=GAME,
                name=self.kind.name,
            )
        return protocol.read_moves(position, moves.split())

    def _answer(self, question: str) -> str:
        here = self.position
        answers: Mapping[str, Callable[[], str]] = {
            "gameover": lambda: str(here.outcome is not None).lower(),
            "p1turn": lambda: str(here.turn == 0).lower(),
            "turn": lambda: f"p{here.turn + 1}",
            "result": lambda: protocol.write_result(here.outcome),
        }
        if question not in answers:
            raise ProtocolError(
                "Unknown query {question}. The queries are: {answers}.",
                question=shown(question, 40),
                answers=", ".join(answers),
            )
        return answers[question]()

    # ── searches ─────────────────────────────────────────────────────────────────────────────────

    def needs_engine(self, line: str, reply: Reply) -> bool:
        return reply.request is not None or self.word_of(line[:40]) == "isready"

    def _go(self, text: str) -> Reply:
        here = self.position
        if here.outcome:
            raise ProtocolError(
                "The game is over: {reason}, {score}.", reason=here.outcome.reason, score=here.outcome.score
            )
        limits = protocol.read_limits(text, here.players)
        depth, nodes = (max(limits[name], 1) if name in limits else None for name in ("depth", "nodes"))
        me = f"p{here.turn + 1}"
        turn, left = (limits[name] / 1000 if name in limits else None for name in ("movetime", f"{me}time"))
        waits = "infinite" in limits or not limits
        if turn is None and left is None and (waits or depth or nodes):
            limit = Limit(seconds=ENDLESS_SECONDS if waits else protocol.MAX_UNTIMED_SECONDS)
        else:
            increment = limits.get(f"{me}inc", 0) / 1000
            limit = clock_share.managed(turn=turn, left=left, increment=increment, played=here.ply // here.players)
        return Reply(request=MoveRequest(here, replace(limit, depth=depth, nodes=nodes), waits))

    def move_chosen(self, move: Move) -> Reply:
        return Reply((f"bestmove {protocol.write_move(move)}",))

    def no_move(self, why: str) -> Reply:
        return Reply((self.remark(f"Error: {why}"), f"bestmove {NO_MOVE}"))

    def remark(self, text: str) -> str:
        return plain(f"info string {text}")

    def searched(self, found: Result, seconds: float) -> Sequence[str]:
        return (protocol.write_info(found, round(seconds * 1000)),)

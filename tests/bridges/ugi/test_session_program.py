"""The engine of the Universal Game Interface as a program: stopping, partial lines, every kind of end, and loading."""

from __future__ import annotations

import contextlib
import queue
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import ClassVar

import pytest

from pentad import game as base
from pentad.bridges.protocol_server import ProtocolSession
from pentad.bridges.ugi.session import UgiSession
from pentad.game import new
from pentad.search.analysis import Line, Report
from pentad.search.bot import Bot, EngineBot, Level, bot, own_bots
from pentad.search.report import Result
from tests.bridges.programs import write_pieces
from tests.bridges.serving import Compiling, Serving, WaitingBot
from tests.waiting import TIMEOUT, wait_until

ENGINE = [sys.executable, "-m", "pentad", "engine"]
PATIENT = f"""
import sys
from pentad.bridges import protocol_server
from pentad.terminal import main
protocol_server.FAREWELL_SECONDS = protocol_server.EOF_SECONDS = protocol_server.STOP_SECONDS = {TIMEOUT}
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FAREWELL_SECONDS", "STOP_SECONDS"):
        monkeypatch.setattr(f"pentad.bridges.protocol_server.{name}", TIMEOUT)


@pytest.fixture
def engine() -> Iterator[subprocess.Popen[bytes]]:
    """A weak engine with pipes."""
    pipe = subprocess.PIPE
    words = [*ENGINE, "pentago", "--bot", "greedy"]
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as process:
        yield process
        process.kill()


def answers(text: str | bytes, *words: str) -> list[str]:
    """The output for the lines of a whole session."""
    data = text if isinstance(text, bytes) else text.encode()
    command = [sys.executable, "-c", PATIENT, "engine", *words]
    done = subprocess.run(command, input=data, capture_output=True, timeout=TIMEOUT)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


def found(text: str, *words: str) -> list[str]:
    """The output up to the move; the input ends after it, since its end stops a search."""
    command, pipe = [sys.executable, "-c", PATIENT, "engine", *words], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(text)
        process.stdin.flush()
        lines = []
        while not lines or not lines[-1].startswith("bestmove"):
            lines.append(process.stdout.readline().removesuffix("\n"))
            assert lines[-1]
        process.stdin.close()
        assert process.wait(TIMEOUT) == 0
    return lines


# ── lines ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_session(end):
    text = (
        "ugi\nisready\nposition startpos moves b1_1C\nquery p1turn\ngo movetime 50\nposition startpos\nquery p1turn\n"
    )
    lines = answers(text.replace("\n", end), "pentago", "--bot", "greedy", "--seed", "1")
    assert lines[0].startswith("id name pentad ")
    after = lines[lines.index("ugiok") + 1 :]
    assert [line.split()[0] for line in after] == ["readyok", "response", "info", "bestmove", "response"]
    assert (after[1], after[4]) == ("response false", "response true")
    move = after[3].split()[1]
    assert re.fullmatch(f"info time [0-9]+ pv {move}", after[2])
    assert new("pentago").play("b1 1C").play(move.replace("_", " "))


@pytest.mark.slow
def test_the_last_line_needs_no_end():
    assert answers("query p1turn") == ["response true"]
    assert answers("") == []


def test_half_lines(engine):
    write_pieces(engine, "iis", "\nis", "ready", "\r", "\nquery p1", "turn\n")
    assert engine.stdout.readline() == b"info string Error: Unknown command 'iis'.\n"
    assert engine.stdout.readline() == b"readyok\n"
    assert engine.stdout.readline() == b"response true\n"


@pytest.mark.slow
def test_rubbish():
    many = b"nobody\n\xff\xfe\x00\n" * 500
    lines = answers(many + b"y" * 3_000_000 + b"\nposition startpos moves " + b"a0_1C " * 100_000 + b"\nquery p1turn\n")
    refused = "info string Error: "
    assert sum(line.startswith(f"{refused}Unknown command") for line in lines) == 1000
    assert lines[1000:1002] == [f"{refused}The line is longer than 100000 characters."] * 2
    assert lines[1002] == f"{refused}There is no position; the last one was refused."
    assert len(lines) == 1003


# ── the end ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("how", ["quit\n", "", "stop\nquit\n"])
def test_the_end_during_a_search(how):
    words = [*ENGINE, "pente", "--bot", "beam-5", "--rules", "gomoku"]
    text = f"position startpos moves H8 H9 J9 G7\ngo infinite\n{how}"
    done = subprocess.run(words, input=text.encode(), capture_output=True, timeout=TIMEOUT)
    assert (done.returncode, done.stderr) == (0, b"")


def test_ctrl_c(engine):
    engine.stdin.write(b"isready\ngo infinite\n")
    assert engine.stdout.readline() == b"readyok\n"
    engine.send_signal(signal.SIGINT)
    assert engine.wait(TIMEOUT) == 130
    assert engine.stderr.read() == b""


def test_the_reader_leaves(engine):
    engine.stdin.write(b"isready\n")
    assert engine.stdout.readline() == b"readyok\n"
    engine.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        engine.stdin.write(b"isready\n" * 10)
    assert engine.wait(TIMEOUT) == 141
    assert engine.stderr.read() == b""


def test_the_first_commands_are_answered_before_large_imports():
    code = (
        "import sys; from pentad.terminal import main, streams\n"
        "streams.write_line = lambda line: print(line, 'numba' in sys.modules or 'numpy' in sys.modules)\n"
        "sys.exit(main(['engine', 'pentago']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"ugi\nquery p1turn\n", capture_output=True, timeout=TIMEOUT
    )
    lines = done.stdout.decode().splitlines()
    assert lines[-1] == "response true False"
    assert all(line.endswith(" False") for line in lines)


# ── searching ────────────────────────────────────────────────────────────────────────────────────


class Engine(Serving):
    """The engine's server in its own threads."""

    def __init__(self, bot: Bot, prepare: Callable[[], None] = lambda: None) -> None:
        def session(make: Callable[[], Bot]) -> ProtocolSession:
            made = UgiSession("pentago")
            made.make = make
            return made

        super().__init__(session, bot, prepare)

    def wait_for_search(self, number: int) -> None:
        wait_until(lambda: len(self.bot.requested) == number, "a search")

    def receive_move(self) -> None:
        """The move of a bot that has been stopped."""
        assert re.fullmatch("info time [0-9]+ pv a0_1C", self.receive())
        assert [self.receive(), self.receive()] == ["info string a win", "bestmove a0_1C"]


def test_stop_ends_a_search_and_plays_its_move():
    engine = Engine(WaitingBot())
    engine.send("go movetime 5000000\n")
    engine.wait_for_search(1)
    engine.send("stop\n")
    engine.receive_move()
    engine.send("stop\nisready\n")  # without a search it does nothing
    assert engine.receive() == "readyok"
    engine.send("go infinite\nstop\nquery p1turn\n")  # all three lines come at once
    engine.receive_move()
    assert engine.receive() == "response true"
    engine.send("quit\n")
    engine.thread.join(TIMEOUT)
    assert not engine.thread.is_alive()


def test_commands_during_a_search():
    """What needs no board is answered at once; the rest waits for the move, in order."""
    engine = Engine(WaitingBot())
    engine.send("go infinite\n")
    engine.wait_for_search(1)
    engine.send("isready\nquery p1turn\nposition startpos moves a0_1C\nquery p1turn\nisready\n")
    assert [engine.receive(), engine.receive()] == ["readyok", "response true"]
    engine.send("stop\n")
    engine.receive_move()
    assert [engine.receive(), engine.receive()] == ["response false", "readyok"]
    engine.send("quit\n")


def test_an_infinite_search_that_has_ended_waits_for_stop():
    bot = WaitingBot()
    engine = Engine(bot)
    engine.send("go infinite\n")
    engine.wait_for_search(1)
    bot.stopped.set()  # the search ends by itself
    engine.send("isready\n")
    assert engine.receive() == "readyok"
    engine.send("stop\n")
    engine.receive_move()
    engine.send("quit\n")


def test_a_bot_that_cannot_stop(monkeypatch):
    monkeypatch.setattr("pentad.bridges.protocol_server.STOP_SECONDS", 0.1)
    bot = WaitingBot()
    bot.stop = lambda: None
    engine = Engine(bot)
    engine.send("go infinite\n")
    engine.wait_for_search(1)
    engine.send("stop\nisready\n")
    assert engine.receive() == "info string The bot did not stop in time; this is the first legal move."
    assert re.fullmatch("info time [0-9]+ pv a0_1C", engine.receive())
    assert [engine.receive(), engine.receive()] == ["bestmove a0_1C", "readyok"]
    assert engine.server.engine._bot is None
    bot.stopped.set()
    engine.send("quit\n")


def test_loading_delays_neither_the_end_nor_the_first_commands(monkeypatch):
    monkeypatch.setattr("pentad.bridges.protocol_server.FAREWELL_SECONDS", 0.1)
    compiling = Compiling()
    engine = Engine(WaitingBot(), prepare=compiling)
    engine.send("isready\n")
    assert engine.receive() == "info string Compiling the engine, once on this machine: 25%"
    engine.send("query p1turn\nnobody\nquery turn\n")
    assert engine.receive() == "response true"
    compiling.done.set()
    assert [engine.receive() for _ in range(3)] == [
        "readyok",
        "info string Error: Unknown command 'nobody'.",
        "response p1",
    ]
    other = Compiling()
    engine = Engine(WaitingBot(), prepare=other)
    engine.send("isready\n")
    assert engine.receive().startswith("info string Compiling")
    engine.send("quit\n")
    engine.thread.join(TIMEOUT)
    assert not engine.thread.is_alive()
    other.done.set()


class FailingBot(Bot):
    def play(self, position, limit=None):
        raise RuntimeError("out of ideas\n")


def test_a_failing_bot():
    engine = Engine(FailingBot())
    engine.send("go movetime 10\n")
    assert engine.receive().startswith("info string Error: The bot failed (RuntimeError): out of ideas")
    assert engine.receive() == "bestmove none"
    engine.input.put(b"")
    engine.thread.join(TIMEOUT)
    assert not engine.thread.is_alive()


def test_another_game_is_another_engine():
    lines = answers(
        "position startpos\ngo movetime 1\nsetoption name Game value pente\nsetoption name Bot value random\n"
        "setoption name size value 9\nuginewgame\nisready\ngo movetime 1\nposition fen nothing\n",
        *("pentago", "--bot", "greedy"),
    )
    moves = [line.split()[1] for line in lines if line.startswith("bestmove")]
    assert "_" in moves[0]
    assert new("pente", size=9).parse(moves[1])
    assert lines[-1].startswith("info string Error: ")


# ── pentad's bots ────────────────────────────────────────────────────────────────────────────────


BOTS = [(name, who) for name in base.PACKAGES for who in own_bots(name)]
FEW = {("pentago", "engine"), ("pentago", "perfect"), ("pente", "engine"), ("pente", "beam-5"), ("pentagame", "tree")}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("name", "who"), [pytest.param(*each, marks=[] if each in FEW else [pytest.mark.slow]) for each in BOTS]
)
def test_every_bot_stops_and_goes_on(name, who):
    """Each search ends by `stop` alone, and its move is legal; the bot plays on."""
    options = {"pente": {"rules": "keryo"}}.get(name, {})
    player, here = UgiSession(name, who, options=options, seed=1), new(name, **options)
    serving = Serving(lambda _: player, bot(name, who))
    moves: list[str] = []
    for _ in range(3):
        serving.send(f"position startpos moves {' '.join(moves)}\ngo infinite\nisready\n")
        while serving.receive() != "readyok":
            pass
        serving.send("stop\n")
        while not (line := serving.receive()).startswith("bestmove"):
            assert line.startswith("info ")
            assert "did not stop" not in line
        moves.append(line.split()[1])
        here = here.play(moves[-1].replace("_", " "))
    serving.send("quit\n")
    serving.thread.join(TIMEOUT)
    assert not serving.thread.is_alive()


# Beyond the opening books.
OPENINGS = {
    "pentago": "a0_1C b1_2C c4_3C d1_4A",
    "pente": "K10 L12 G3 H5",
    "pentagame": "[0,0,7,0,0]_[0,13,8,1,0]",
}
DEEPENING = [
    ("pentago", "engine"), ("pentago", "tree"), ("pente", "engine"), ("pentagame", "alphabeta"), ("pentagame", "tree"),
]  # fmt: skip


def serve(name, who, options=None):
    """A server of a game's bot, after the game's opening."""
    player = UgiSession(name, who, options=options, seed=1)
    serving = Serving(lambda _: player, bot(name, who))
    serving.send(f"position startpos moves {OPENINGS[name]}\n")
    return serving


@pytest.mark.parametrize(("name", "who"), DEEPENING)
def test_a_deepening_search_says_what_it_has_found(name, who):
    serving = serve(name, who)
    serving.send("go infinite\n")
    reports = []
    while (words := serving.receive().split())[0] != "bestmove":
        reports += [words] * (words[1] == "depth")  # others tell of slow work, such as loading
        if len(reports) == 2:
            serving.send("stop\n")
    depths, nodes = ([int(words[words.index(name) + 1]) for words in reports] for name in ("depth", "nodes"))
    assert len(reports) >= 2
    assert min(depths) > 0
    assert nodes == sorted(nodes)
    assert reports[-1][reports[-1].index("pv") + 1] == words[1]
    serving.send("quit\n")


def test_a_search_without_an_end_leaves_the_book_aside():
    serving = serve("pente", "engine")
    serving.send("position startpos\ngo infinite\n")
    assert serving.receive().startswith("info depth")
    serving.send("stop\n")
    while not serving.receive().startswith("bestmove"):
        pass
    serving.send("go movetime 100\n")
    assert re.fullmatch("info time [0-9]+ score cp -?[0-9]+ pv K10", serving.receive())
    serving.send("quit\n")


@pytest.mark.parametrize(
    ("name", "who"), [*(each for each in BOTS if each not in DEEPENING and each[1] != "perfect"), ("pente", "engine")]
)
def test_other_bots_say_which_move_they_found(name, who):
    """One line, as of the engine's move from its book, whose value it says."""
    serving = serve(name, who)
    serving.send("position startpos\ngo movetime 100\n")
    info = serving.receive()
    move = next(line for line in iter(serving.receive, "") if line.startswith("bestmove")).split()[1]
    assert re.fullmatch(f"info time [0-9]+ (score cp -?[0-9]+ )?pv {re.escape(move)}", info)
    serving.send("quit\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "who", "limit"),
    [
        ("pentago", "engine", "depth 2"),
        ("pentagame", "tree", "nodes 60"),
        ("pente", "engine", "depth 2"),
        ("pentagame", "alphabeta", "depth 1"),
    ],
)
def test_limits_of_depth_and_nodes(name, who, limit):
    text = f"position startpos moves {OPENINGS[name]}\ngo {limit}\n"
    lines = found(text, name, "--bot", who, "--seed", "1")
    infos = [line.split() for line in lines if line.startswith("info depth")]
    kind, most = limit.split()
    amounts = [int(info[info.index(kind) + 1]) for info in infos]
    assert amounts == sorted(amounts)
    assert 0 < amounts[0] <= amounts[-1] <= int(most)
    assert all(-100 <= int(info[info.index("cp") + 1]) <= 100 for info in infos)
    assert infos[-1][infos[-1].index("pv") + 1] == lines[-1].split()[1]


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(("name", "who"), DEEPENING)
def test_a_listener_does_not_change_the_move(name, who):
    """The level's work is fixed, and the listener hears of more than one depth."""
    here = new(name)
    for word in OPENINGS[name].split():
        here = here.play(word.replace("_", " "))
    alone, heard = bot(name, who, level=4, seed=1), bot(name, who, level=4, seed=1)
    reports: list[Report] = []
    assert isinstance(heard, EngineBot)
    assert heard.play(here, listener=reports.append).move == alone.choose(here)
    assert len(reports) > 1
    assert all(here.play(report.lines[0].moves[0]) for report in reports)


class Deepening(EngineBot):
    """Reports the depths that it is told, until it is stopped."""

    levels: ClassVar = {5: Level()}
    report_at_end: Report | None = None

    def __init__(self) -> None:
        super().__init__()
        self.reports = queue.SimpleQueue[Report | None]()

    def _searched(self, here, limit):
        while report := self.reports.get(timeout=TIMEOUT):
            self.report_at_end = report
            self._deepened()
        return Result.of(here.legal_moves[0], self._last_report())

    def _report(self, longest):
        return self.report_at_end

    def stop(self):
        super().stop()
        self.reports.put(None)


def test_a_line_for_each_depth_while_it_searches():
    bot = Deepening()
    engine = Engine(bot)
    engine.send("go infinite\n")
    moves = new("pentago").legal_moves
    for depth in (1, 2, 3):
        line = Line((moves[0], moves[9]), (0.01 * depth, -0.01 * depth))
        bot.reports.put(Report(0, depth, 10 * depth, 0.0, (line,), exact=False))
        words = engine.receive()
        pattern = f"info depth {depth} nodes {10 * depth} time [0-9]+( nps [0-9]+)? score cp {depth} pv a0_1C a1_1A"
        assert re.fullmatch(pattern, words), words
    engine.send("stop\n")
    assert engine.receive() == "bestmove a0_1C"  # the last line has said the rest


def test_a_search_that_did_not_end_a_depth_is_reported_once_more():
    bot = Deepening()
    engine = Engine(bot)
    report = Report(0, 1, 10, 0.0, (Line((new("pentago").legal_moves[0],), (0.5, -0.5)),), exact=False)
    engine.send("go infinite\n")
    bot.reports.put(report)
    assert engine.receive().startswith("info depth 1 nodes 10 ")
    bot.report_at_end = replace(report, nodes=25)
    engine.send("stop\n")
    assert engine.receive().startswith("info depth 1 nodes 25 ")
    assert engine.receive() == "bestmove a0_1C"


@pytest.mark.slow
def test_a_proved_win_is_exact():
    board = "pentago bbbb../....../wwww../....../....../......"
    lines = found(f"position fen {board}\ngo depth 1\n", "pentago", "--seed", "1")
    assert "score cp 100 exact pv a4" in lines[0]
    assert lines[-1] == "bestmove a4"

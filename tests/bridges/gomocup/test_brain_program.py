"""The brain as a program: partial lines, many commands, every kind of end, and a start without numba."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from pentad.bridges.gomocup.brain import Brain
from pentad.bridges.protocol_server import MIN_TABLE_BYTES, ProtocolServer
from pentad.search.bot import Bot
from pentad.search.report import Result
from tests.bridges.programs import write_pieces
from tests.bridges.serving import Compiling, Serving, WaitingBot
from tests.terminal.conftest import Pentad
from tests.waiting import TIMEOUT, wait_until

BRAIN = [sys.executable, "-m", "pentad", "gomocup", "--bot", "beam-1"]
LONG = TIMEOUT  # seconds, more than anything here takes


# The server with long timeouts at the end.
PATIENT_SERVER = f"""
import sys
from pentad.bridges import protocol_server
from pentad.terminal import main
protocol_server.FAREWELL_SECONDS = protocol_server.EOF_SECONDS = protocol_server.STOP_SECONDS = {LONG}
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def brain() -> Iterator[subprocess.Popen[bytes]]:
    """A brain with pipes."""
    with subprocess.Popen(
        BRAIN, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        yield process
        process.kill()


def run_session(text: str | bytes, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Runs a brain with the lines of a whole session."""
    data = text if isinstance(text, bytes) else text.encode()
    command = [sys.executable, "-c", PATIENT_SERVER, *BRAIN[3:], *words]
    return subprocess.run(command, input=data, capture_output=True, timeout=LONG)


def answers(text: str | bytes) -> list[str]:
    done = run_session(text)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


SESSION = "START 15\nINFO timeout_turn 300\nINFO rule 1\nBEGIN\nTURN 8,8\nTAKEBACK 3,3\nABOUT\nEND\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_session_with_any_ends_of_lines(end):
    lines = answers(SESSION.replace("\n", end))
    assert lines[:2] == ["OK", "7,7"]
    assert lines[2].count(",") == 1
    assert lines[3].startswith("ERROR Cannot take back 3,3: ")
    assert lines[4].startswith('name="pentad"')
    assert len(lines) == 5


@pytest.mark.slow
def test_the_last_line_needs_no_end():
    assert answers("START 15\nABOUT")[1].startswith('name="pentad"')
    assert answers("") == []
    assert answers("ABO") == ["UNKNOWN Unknown command 'ABO'."]


def test_half_lines(brain):
    write_pieces(brain, "ST", "ART", " 15\r", "\nTU", "RN 7,", "7\n")
    assert brain.stdout.readline() == b"OK\n"
    assert brain.stdout.readline().count(b",") == 1


@pytest.mark.slow
def test_a_thousand_rapid_commands():
    lines = ["START 15"]
    lines += ["PLAY 7,7", "TURN 7,7", "TAKEBACK 7,7", "INFO time_left 5000", "ABOUT", "NOBODY"] * 150
    lines += ["BOARD", "1,1,1", "2,2,2", "DONE"] * 25
    lines = answers("\n".join(lines) + "\n")
    assert lines[0] == "OK"
    assert lines.count("7,7") == 150
    assert sum(line.startswith("ERROR Cannot place a stone on 7,7") for line in lines) == 150
    assert sum(line.startswith("UNKNOWN") for line in lines) == 150
    assert lines.count("OK") == 151
    assert len(lines) == 1 + 5 * 150 + 25


@pytest.mark.slow
def test_an_endless_board_and_an_endless_line():
    lines = answers("START 15\nBOARD\n" + "7,7,1\n" * 50_000 + "DONE\n" + "y" * 3_000_000 + "\nPLAY 3,3\n")
    assert lines == [
        "OK",
        "ERROR BOARD has more stones than the board has points, without DONE.",
        "ERROR The line is longer than 1000 characters.",
        "3,3",
    ]


def test_bytes_that_are_no_text():
    lines = answers(b"\x00\xff\xfe\nSTART 15\nTURN \xff,7\nPLAY 3,3\n")
    assert [line.split()[0] for line in lines] == ["UNKNOWN", "OK", "ERROR", "3,3"]


# ── the end ──────────────────────────────────────────────────────────────────────────────────────


def test_the_reader_leaves(brain):
    brain.stdin.write(b"ABOUT\n")
    assert brain.stdout.readline().startswith(b"name")
    brain.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        brain.stdin.write(b"ABOUT\n" * 10)
    assert brain.wait(LONG) == 141
    assert brain.stderr.read() == b""


def test_output_that_was_never_open():
    command = f"printf 'START 15\\nABOUT\\n' | {' '.join(BRAIN)} >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=LONG)
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("has_played", [False, True])
def test_ctrl_c(brain, has_played):
    """While it loads or searches; after a move it has loaded."""
    brain.stdin.write(b"START 15\n")
    assert brain.stdout.readline() == b"OK\n"
    if has_played:
        brain.stdin.write(b"INFO timeout_turn 1\nTURN 7,7\n")
        assert brain.stdout.readline().count(b",") == 1
    brain.stdin.write(b"INFO timeout_turn 60000\nTURN 3,3\n")
    brain.send_signal(signal.SIGINT)
    assert brain.wait(LONG) == 130
    assert brain.stderr.read() == b""


@pytest.mark.parametrize("how", ["END\n", ""])
def test_the_end_during_a_search(how):
    done = subprocess.run(  # the move has ten minutes
        [*BRAIN[:-1], "beam-5"],
        input=f"START 19\nINFO timeout_turn 600000\nINFO variant pente\n{PLAYED}TURN 3,3\n{how}".encode(),
        capture_output=True,
        timeout=LONG,
    )
    assert (done.returncode, done.stderr) == (0, b"")


PLAYED = "".join(f"PLAY {x},{y}\n" for x, y in [(9, 9), (10, 10), (5, 9), (10, 8), (9, 5), (8, 10)])


# ── the start ────────────────────────────────────────────────────────────────────────────────────

QUICK = """
import sys
from pentad.terminal import main, streams
def write(line):
    print(line, flush=True)
    print(sorted({"numba", "numpy", "llvmlite", "starlette", "rich"} & set(sys.modules)), flush=True)
streams.write_line = write
sys.exit(main(["gomocup", *sys.argv[1:]]))
"""


@pytest.mark.parametrize("words", [[], ["--level", "1"], ["--bot", "engine"], ["--bot", "beam:depth=2"]], ids=str)
def test_the_first_commands_are_answered_before_large_imports(words):
    with subprocess.Popen(
        [sys.executable, "-c", QUICK, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as brain:
        brain.stdin.write(b"ABOUT\n")
        brain.stdin.flush()
        assert brain.stdout.readline().startswith(b'name="pentad"')
        assert brain.stdout.readline() == b"[]\n"
        brain.kill()


def test_an_unknown_level_is_an_immediate_error(pentad: Pentad):
    answer = pentad("gomocup", "--level", "77", typed="START 15\n")
    assert (answer.code, answer.out) == (2, "")
    assert "levels" in answer.err
    for who in ("gomocup:true", "nobody", "beam:depth=much"):
        assert pentad("gomocup", "--bot", who, typed="START 15\n").code == 2


def test_within_this_process(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    for name in ("FAREWELL_SECONDS", "STOP_SECONDS"):
        monkeypatch.setattr(f"pentad.bridges.protocol_server.{name}", LONG)
    answer = pentad("gomocup", "--bot", "greedy", typed="START 15\r\nTURN 7,7\r\nEND\r\n")
    assert answer.code == 0
    assert answer.lines[0] == "OK"
    assert len(answer.lines) == 2


# ── bots with a stop, a note, threads and memory; and engines that compile ──────────────────────


class Session(Serving):
    """A brain's server in its own threads."""

    def __init__(self, bot: Bot, prepare: Callable[[], None] = lambda: None) -> None:
        super().__init__(partial(Brain, "me"), bot, prepare)


def test_stop_ends_a_search_and_plays_its_move():
    session = Session(WaitingBot())
    session.send("START 15\nINFO timeout_turn 5000000\nINFO max_memory 1000000\nBEGIN\n")
    assert session.receive() == "OK"
    wait_until(lambda: session.bot.requested)
    session.send("STOP\n")
    assert [session.receive(), session.receive()] == ["MESSAGE a win", "0,14"]
    assert (session.bot.threads, session.bot.memory) == (3, MIN_TABLE_BYTES)
    assert 4000 < session.bot.requested[0] < 5000
    session.send("TURN 7,7\nSTOP\nABOUT\n")  # the search is stopped, or short from the start
    assert session.receive() in {"MESSAGE a win", "MESSAGE time is up"}
    assert [session.receive(), session.receive()] == ["1,14", "me"]
    session.send("TURN 8,8\n")
    wait_until(lambda: len(session.bot.requested) == 3)
    session.send("END\n")
    session.thread.join(LONG)
    assert not session.thread.is_alive()


@pytest.mark.slow
def test_commands_during_a_search_are_answered_in_order():
    session = Session(WaitingBot())
    session.send("START 15\nINFO timeout_turn 300\nBEGIN\nABOUT\nTURN 3,3\nNOBODY\n")
    output = [session.receive() for _ in range(7)]
    assert output == [
        "OK",
        "MESSAGE time is up",
        "0,14",
        "me",
        "MESSAGE time is up",
        "1,14",
        "UNKNOWN Unknown command 'NOBODY'.",
    ]
    session.send("END\n")


def test_start_is_answered_when_the_engine_is_ready():
    """Until then there are progress messages, and commands that need no engine are answered."""
    compiling = Compiling()
    session = Session(WaitingBot(), prepare=compiling)
    session.send("START 15\n")
    assert session.receive() == "MESSAGE Compiling the engine, once on this machine: 25%"
    session.send("ABOUT\nINFO timeout_turn 200\nINFO timeout_turn soon\nBEGIN\nABOUT\n")
    assert session.receive() == "me"
    assert session.receive().startswith("MESSAGE INFO timeout_turn: ")
    compiling.done.set()
    assert [session.receive() for _ in range(4)] == ["OK", "MESSAGE time is up", "0,14", "me"]
    assert 0.1 < session.bot.requested[0] < 0.2  # all of the move's time
    session.send("END\n")


@pytest.mark.parametrize(
    ("lines", "game"),
    [
        ("", "pente rules=freestyle"),
        ("INFO rule 1\n", "pente rules=gomoku"),
        *((f"INFO variant {name}\n", f"pente rules={name}") for name in ("keryo", "g-pente", "ninuki42")),
    ],
)
def test_the_engine_is_prepared_for_the_rules_of_the_game(lines: str, game: str):
    session = Session(WaitingBot())
    session.send(f"{lines}START 20\n")
    assert session.receive() == "OK"
    prepared = session.warmed_up.last
    assert prepared.text.startswith(game)
    assert prepared.ply == 3
    session.send("END\n")


@pytest.mark.slow
def test_the_compiler_does_not_delay_the_end():
    compiling = Compiling()
    session = Session(WaitingBot(), prepare=compiling)
    session.send("START 15\n")
    assert session.receive().startswith("MESSAGE Compiling")
    session.send("BEGIN\nEND\n")
    session.thread.join(TIMEOUT)
    assert not session.thread.is_alive()
    compiling.done.set()
    assert session.output.empty()


def test_a_refused_board_needs_no_engine():
    session = Session(WaitingBot(), prepare=lambda: pytest.fail("the engine is not needed"))
    session.send("START 77\nABOUT\n")
    assert session.receive().startswith("ERROR")
    assert session.receive() == "me"
    session.send("END\n")


def test_max_memory_limits_the_whole_process():
    session = Session(WaitingBot())
    for info, memory in (("", 1 << 30), (f"INFO max_memory {1 << 29}\n", None), ("INFO max_memory 0\n", 1 << 30)):
        session.send(f"START 15\nINFO timeout_turn 10\n{info}BEGIN\n")
        assert [session.receive(), session.receive(), session.receive()] == ["OK", "MESSAGE time is up", "0,14"]
        if memory is None:
            rest = (1 << 29) - session.server.engine._other_bytes  # may be negative in a large process
            assert session.bot.memory == max(rest, MIN_TABLE_BYTES)
        else:
            assert session.bot.memory == memory
    session.send("END\n")


# ── pondering ─────────────────────────────────────────────────────────────────────────────


class PonderingBot(Bot):
    """Plays at once, and records whether it would ponder."""

    ponders = False

    def __init__(self) -> None:
        super().__init__(1)
        self.pondering = threading.Event()

    def play(self, position, limit=None):
        self.pondering.clear()
        if self.ponders:
            self.pondering.set()
        return Result(position.legal_moves[0])

    def stop_pondering(self):
        self.pondering.clear()


def after(session, text):
    """Whether the bot ponders after these lines."""
    session.send(f"{text}ABOUT\n")
    while session.receive() != "me":
        pass
    return session.bot.pondering.is_set()


def test_pondering_is_off_by_default():
    session = Session(PonderingBot())
    assert not after(session, "START 15\nINFO timeout_turn 100\nBEGIN\n")
    assert after(session, "INFO ponder 1\nTURN 7,7\n")
    assert not after(session, "INFO ponder 0\n")
    assert not after(session, "TURN 8,8\n")
    session.send("INFO ponder perhaps\n")
    assert session.receive() == "MESSAGE INFO ponder: ponder must be 1 or 0, not 'perhaps'."
    session.send("END\n")


@pytest.mark.parametrize(
    ("goes_on", "lines"),
    [
        (True, "INFO time_left 5000\nINFO rule 1\nINFO max_memory 99\nNOBODY\nBOARD\n1,1,1\n"),
        (True, "TURN 77,77\n"),
        (False, "STOP\n"),
        (False, "PLAY 3,3\n"),
        (False, "TAKEBACK 0,14\n"),
        (False, "RESTART\n"),
        (False, "START 19\n"),
        (False, "YXBOARD\n3,3,2\nDONE\n"),
    ],
    ids=str,
)
def test_pondering_continues_while_the_board_is_unchanged(goes_on, lines):
    session = Session(PonderingBot())
    assert after(session, "START 15\nINFO ponder 1\nINFO timeout_turn 100\nBEGIN\n")
    assert after(session, lines) == goes_on
    session.send("END\n")


@pytest.mark.parametrize("end", ["END\n", ""])
def test_pondering_ends_with_the_session(end):
    session = Session(PonderingBot())
    assert after(session, "START 15\nINFO ponder 1\nINFO timeout_turn 100\nBEGIN\n")
    session.send(end)
    session.thread.join(LONG)
    assert not session.thread.is_alive()
    assert not session.bot.pondering.is_set()


def test_the_option_ponder(pentad: Pentad, monkeypatch):
    requested = []
    monkeypatch.setattr(ProtocolServer, "run", lambda server: requested.append(server.session.ponders))
    assert [pentad("gomocup", *words).code for words in ([], ["--ponder"])] == [0, 0]
    assert requested == [None, True]


class FailingBot(Bot):
    def play(self, position, limit=None):
        raise RuntimeError("out of ideas\n")


def test_a_failing_bot_is_an_error_and_the_board_stays():
    session = Session(FailingBot())
    session.send("START 15\nTURN 7,7\nPLAY 7,7\n")
    assert session.receive() == "OK"
    assert session.receive().startswith("ERROR The bot failed (RuntimeError): out of ideas")
    assert session.receive() == "7,7"
    session.input.put(b"")
    session.thread.join(LONG)
    assert not session.thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal's signals are POSIX's")
def test_a_closed_pipe(tmp_path):
    command = f"yes ABOUT | {' '.join(BRAIN)} 2>{tmp_path / 'err'} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=LONG)
    assert done.stdout.startswith(b'name="pentad"')
    assert (tmp_path / "err").read_bytes() == b""

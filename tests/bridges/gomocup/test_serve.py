"""The brain as a program: half lines, a thousand commands, the end in all its ways, and a start without numba."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pentad import kernel
from pentad.bridges.gomocup import serve
from pentad.bridges.gomocup.brain import Brain
from pentad.bridges.gomocup.serve import LEAST_MEMORY, Server
from pentad.search.bot import Bot
from tests.terminal.conftest import Pentad
from tests.waiting import TIMEOUT, wait_until

BRAIN = [sys.executable, "-m", "pentad", "gomocup", "--bot", "beam-1"]
LONG = TIMEOUT  # seconds that nothing here takes


# Waits for its last answer longer than a manager does.
PATIENT = f"""
import sys
from pentad.bridges.gomocup import serve
from pentad.terminal import main
serve.PARTING_END = serve.PARTING_EOF = {LONG}
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENTAD_HOME", str(tmp_path / "home"))


@pytest.fixture
def brain() -> Iterator[subprocess.Popen[bytes]]:
    """A brain with pipes at all ends."""
    with subprocess.Popen(
        BRAIN, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        yield process
        process.kill()


def told(text: str | bytes, *words: str) -> subprocess.CompletedProcess[bytes]:
    """What a brain says to a whole session."""
    data = text if isinstance(text, bytes) else text.encode()
    command = [sys.executable, "-c", PATIENT, *BRAIN[3:], *words]
    return subprocess.run(command, input=data, capture_output=True, timeout=LONG)


def answers(text: str | bytes) -> list[str]:
    done = told(text)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


SESSION = "START 15\nINFO timeout_turn 300\nINFO rule 1\nBEGIN\nTURN 8,8\nTAKEBACK 3,3\nABOUT\nEND\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_session_with_any_ends_of_lines(end):
    lines = answers(SESSION.replace("\n", end))
    assert lines[:2] == ["OK", "7,7"]
    assert lines[2].count(",") == 1
    assert lines[3].startswith("ERROR 3,3")
    assert lines[4].startswith('name="pentad"')
    assert len(lines) == 5


def test_the_last_line_needs_no_end():
    assert answers("START 15\nABOUT")[1].startswith('name="pentad"')
    assert answers("") == []
    assert answers("ABO") == ["UNKNOWN 'ABO' is no command here"]


def test_half_lines(brain):
    for piece in ("ST", "ART", " 15\r", "\nTU", "RN 7,", "7\n"):
        brain.stdin.write(piece.encode())
        time.sleep(0.05)
    assert brain.stdout.readline() == b"OK\n"
    assert brain.stdout.readline().count(b",") == 1


def test_a_thousand_rapid_commands():
    lines = ["START 15"]
    lines += ["PLAY 7,7", "TURN 7,7", "TAKEBACK 7,7", "INFO time_left 5000", "ABOUT", "NOBODY"] * 150
    lines += ["BOARD", "1,1,1", "2,2,2", "DONE"] * 25
    told = answers("\n".join(lines) + "\n")
    assert told[0] == "OK"
    assert told.count("7,7") == 150
    assert sum(line.startswith("ERROR no stone can be placed on 7,7") for line in told) == 150
    assert sum(line.startswith("UNKNOWN") for line in told) == 150
    assert told.count("OK") == 151
    assert len(told) == 1 + 5 * 150 + 25


def test_an_endless_board_and_an_endless_line():
    told = answers("START 15\nBOARD\n" + "7,7,1\n" * 50_000 + "DONE\n" + "y" * 3_000_000 + "\nPLAY 3,3\n")
    assert told == [
        "OK",
        "ERROR BOARD has more stones than the board has points, and no DONE",
        "ERROR a line has at most 1000 characters",
        "3,3",
    ]


def test_bytes_that_are_no_text():
    told = answers(b"\x00\xff\xfe\nSTART 15\nTURN \xff,7\nPLAY 3,3\n")
    assert [line.split()[0] for line in told] == ["UNKNOWN", "OK", "ERROR", "3,3"]


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


def test_ctrl_c(brain):
    brain.stdin.write(b"START 15\nINFO timeout_turn 60000\nTURN 7,7\n")
    assert brain.stdout.readline() == b"OK\n"
    time.sleep(0.5)  # it may think by now, or still get ready: both end
    brain.send_signal(signal.SIGINT)
    assert brain.wait(LONG) == 130
    assert brain.stderr.read() == b""


@pytest.mark.parametrize("how", ["END\n", ""])
def test_the_end_comes_while_it_thinks(how):
    done = subprocess.run(  # which has ten minutes for its move
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
from pentad.terminal import gomocup, main
def write(line):
    print(line, flush=True)
    print(sorted({"numba", "numpy", "llvmlite", "fastapi", "rich"} & set(sys.modules)), flush=True)
gomocup._write = write
sys.exit(main(["gomocup", *sys.argv[1:]]))
"""


@pytest.mark.parametrize("words", [[], ["--level", "1"], ["--bot", "engine"], ["--bot", "beam:depth=2"]], ids=str)
def test_what_is_asked_first_is_answered_before_anything_heavy_is_imported(words):
    with subprocess.Popen(
        [sys.executable, "-c", QUICK, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as brain:
        brain.stdin.write(b"ABOUT\n")
        brain.stdin.flush()
        assert brain.stdout.readline().startswith(b'name="pentad"')
        assert brain.stdout.readline() == b"[]\n"
        brain.kill()


def test_a_level_that_is_not_there_is_told_at_once(pentad: Pentad):
    answer = pentad("gomocup", "--level", "77", typed="START 15\n")
    assert (answer.code, answer.out) == (2, "")
    assert "levels" in answer.err
    for who in ("gomocup:true", "nobody", "beam:depth=much"):
        assert pentad("gomocup", "--bot", who, typed="START 15\n").code == 2


def test_within_this_process(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serve, "PARTING_END", LONG)
    answer = pentad("gomocup", "--bot", "greedy", typed="START 15\r\nTURN 7,7\r\nEND\r\n")
    assert answer.code == 0
    assert answer.lines[0] == "OK"
    assert len(answer.lines) == 2


# ── bots with a stop, a note, threads and memory; and engines that take their time ───────────────


class Patient(Bot):
    """Thinks until it is stopped, or as long as it may."""

    threads, memory, note = 1, 1 << 30, ""

    def __init__(self) -> None:
        super().__init__(1)
        self.stopped = threading.Event()
        self.asked: list[float] = []

    def choose(self, position, *, seconds=None):
        self.stopped.clear()
        self.asked.append(seconds)
        self.last = position
        self.stopped.wait(seconds)
        self.note = "a win" if self.stopped.is_set() else "time is up"
        return position.legal_moves[0]

    def stop(self):
        self.stopped.set()


class Session:
    """A server in threads of its own."""

    def __init__(self, bot: Bot, prepare: Callable[[], None] = lambda: None) -> None:
        self.warmed_up = Patient()
        self.bot, self.input = bot, queue.SimpleQueue[bytes]()
        self.said: queue.SimpleQueue[str] = queue.SimpleQueue()
        made = iter(range(99))

        def make() -> Bot:
            if next(made) == 0:
                prepare()
                return self.warmed_up
            return bot

        self.server = Server(Brain("me"), make, self.input.get, self.said.put, threads=3)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()

    def tell(self, text: str) -> None:
        self.input.put(text.encode())

    def hear(self) -> str:
        return self.said.get(timeout=LONG)


def test_stop_ends_a_thought_and_what_was_found_is_played():
    session = Session(Patient())
    session.tell("START 15\nINFO timeout_turn 5000000\nINFO max_memory 1000000\nBEGIN\n")
    assert session.hear() == "OK"
    wait_until(lambda: session.bot.asked)
    session.tell("STOP\n")
    assert [session.hear(), session.hear()] == ["MESSAGE a win", "0,14"]
    assert (session.bot.threads, session.bot.memory) == (3, LEAST_MEMORY)  # so little has nobody
    assert 4000 < session.bot.asked[0] < 5000
    session.tell("TURN 7,7\nSTOP\nABOUT\n")  # in one breath: it is stopped, or knew before that it is in a hurry
    assert session.hear() in {"MESSAGE a win", "MESSAGE time is up"}
    assert [session.hear(), session.hear()] == ["1,14", "me"]
    session.tell("TURN 8,8\n")
    wait_until(lambda: len(session.bot.asked) == 3)
    session.tell("END\n")
    session.thread.join(LONG)
    assert not session.thread.is_alive()


def test_commands_that_come_while_it_thinks_are_answered_in_their_order():
    session = Session(Patient())
    session.tell("START 15\nINFO timeout_turn 300\nBEGIN\nABOUT\nTURN 3,3\nNOBODY\n")
    said = [session.hear() for _ in range(7)]
    assert said == [
        "OK",
        "MESSAGE time is up",
        "0,14",
        "me",
        "MESSAGE time is up",
        "1,14",
        "UNKNOWN 'NOBODY' is no command here",
    ]
    session.tell("END\n")


class Compiling:
    """An engine that is compiled until `done` is set; `share` of it is done."""

    def __init__(self) -> None:
        self.done, self.begun = threading.Event(), threading.Event()

    def __call__(self) -> None:
        kernel._notify("pente", 0.25)
        self.begun.set()
        self.done.wait(TIMEOUT)


def test_start_is_answered_when_moves_can_be_made():
    """Meanwhile the manager is told how far that is, and what needs no engine is answered."""
    compiling = Compiling()
    session = Session(Patient(), prepare=compiling)
    session.tell("START 15\n")
    assert session.hear() == "MESSAGE preparing the engine, once on this machine: 25%"
    session.tell("ABOUT\nINFO timeout_turn 200\nINFO timeout_turn soon\nBEGIN\nABOUT\n")
    assert session.hear() == "me"
    assert session.hear().startswith("MESSAGE INFO timeout_turn: ")
    compiling.done.set()
    assert [session.hear() for _ in range(4)] == ["OK", "MESSAGE time is up", "0,14", "me"]
    assert 0.1 < session.bot.asked[0] < 0.2  # all the time that a move may take
    session.tell("END\n")


@pytest.mark.parametrize(
    ("told", "game"),
    [
        ("", "pente rules=freestyle"),
        ("INFO rule 1\n", "pente rules=gomoku"),
        *((f"INFO variant {name}\n", f"pente rules={name}") for name in ("keryo", "g-pente", "ninuki42")),
    ],
)
def test_what_is_prepared_is_the_game_that_will_be_played(told: str, game: str):
    session = Session(Patient())
    session.tell(f"{told}START 20\n")
    assert session.hear() == "OK"
    prepared = session.warmed_up.last
    assert prepared.text.startswith(game)
    assert prepared.ply == 3
    session.tell("END\n")


def test_the_end_is_not_put_off_by_the_compiler():
    compiling = Compiling()
    session = Session(Patient(), prepare=compiling)
    session.tell("START 15\n")
    assert session.hear().startswith("MESSAGE preparing")
    session.tell("BEGIN\nEND\n")
    session.thread.join(TIMEOUT)
    assert not session.thread.is_alive()
    compiling.done.set()
    assert session.said.empty()


def test_a_refused_board_needs_no_engine():
    session = Session(Patient(), prepare=lambda: pytest.fail("nobody needs it"))
    session.tell("START 77\nABOUT\n")
    assert session.hear().startswith("ERROR")
    assert session.hear() == "me"
    session.tell("END\n")


def test_the_memory_that_a_manager_allows_is_for_all_that_the_process_takes():
    session = Session(Patient())
    for said, told in (("", 1 << 30), (f"INFO max_memory {1 << 29}\n", None), ("INFO max_memory 0\n", 1 << 30)):
        session.tell(f"START 15\nINFO timeout_turn 10\n{said}BEGIN\n")
        assert [session.hear(), session.hear(), session.hear()] == ["OK", "MESSAGE time is up", "0,14"]
        if told is None:
            rest = (1 << 29) - session.server.engine._without  # nothing, perhaps, in a process that does much else
            assert session.bot.memory == max(rest, LEAST_MEMORY)
        else:
            assert session.bot.memory == told
    session.tell("END\n")


# ── the other's time ─────────────────────────────────────────────────────────────────────────────


class Ponderer(Bot):
    """Plays at once, and tells whether it would go on thinking."""

    ponders = False

    def __init__(self) -> None:
        super().__init__(1)
        self.thinks = threading.Event()

    def choose(self, position, *, seconds=None):
        self.thinks.clear()
        if self.ponders:
            self.thinks.set()
        return position.legal_moves[0]

    def stop_pondering(self):
        self.thinks.clear()


def after(session, text):
    """Whether the bot thinks on when all of this has been followed."""
    session.tell(f"{text}ABOUT\n")
    while session.hear() != "me":
        pass
    return session.bot.thinks.is_set()


def test_nothing_is_thought_on_the_others_time_unless_asked():
    session = Session(Ponderer())
    assert not after(session, "START 15\nINFO timeout_turn 100\nBEGIN\n")
    assert after(session, "INFO ponder 1\nTURN 7,7\n")
    assert not after(session, "INFO ponder 0\n")
    assert not after(session, "TURN 8,8\n")
    session.tell("INFO ponder perhaps\n")
    assert session.hear() == "MESSAGE INFO ponder: ponder is 1 or 0, not 'perhaps'"
    session.tell("END\n")


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
def test_it_goes_on_while_the_board_is_as_it_was(goes_on, lines):
    session = Session(Ponderer())
    assert after(session, "START 15\nINFO ponder 1\nINFO timeout_turn 100\nBEGIN\n")
    assert after(session, lines) == goes_on
    session.tell("END\n")


@pytest.mark.parametrize("end", ["END\n", ""])
def test_it_ends_with_the_session(end):
    session = Session(Ponderer())
    assert after(session, "START 15\nINFO ponder 1\nINFO timeout_turn 100\nBEGIN\n")
    session.tell(end)
    session.thread.join(LONG)
    assert not session.thread.is_alive()
    assert not session.bot.thinks.is_set()


def test_the_command_line_asks_for_it_too(pentad: Pentad, monkeypatch):
    asked = []
    monkeypatch.setattr("pentad.terminal.gomocup.serve", lambda brain, *_, **__: asked.append(brain.ponders))
    assert [pentad("gomocup", *words).code for words in ([], ["--ponder"])] == [0, 0]
    assert asked == [None, True]


class Broken(Bot):
    def choose(self, position, *, seconds=None):
        raise RuntimeError("out of ideas\n")


def test_a_bot_that_breaks_down_is_an_error_and_the_board_stays():
    session = Session(Broken())
    session.tell("START 15\nTURN 7,7\nPLAY 7,7\n")
    assert session.hear() == "OK"
    assert session.hear().startswith("ERROR no move was found: RuntimeError: out of ideas")
    assert session.hear() == "7,7"
    session.input.put(b"")
    session.thread.join(LONG)
    assert not session.thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal's signals are POSIX's")
def test_head(tmp_path):
    command = f"yes ABOUT | {' '.join(BRAIN)} 2>{tmp_path / 'err'} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=LONG)
    assert done.stdout.startswith(b'name="pentad"')
    assert (tmp_path / "err").read_bytes() == b""

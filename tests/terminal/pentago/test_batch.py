"""`pentad solve --batch`: many boards, interruptions and bad input."""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

import pentad as library
from pentad.games.pentago import from_number, solve, to_number
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.solver.retrograde import plan_within
from pentad.jobs.pool import PoolThread
from pentad.jobs.process import WorkerDied
from pentad.system.files import Lock
from pentad.terminal.pentago import batch
from pentad.terminal.pentago.batch import Task, Workers, answer_to, estimate
from pentad.terminal.pentago.exact_values import WORDS
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import CTRL_C, Terminal
from tests.waiting import wait_until

WON, DRAWN, LOST = "5211790935814378765", "3218705911816140614", "3199595687196497322"  # each of these has 24 marbles
MIXED = ["# some boards", WON, "", "nonsense", f" {LOST} ", "pente 19/19", DRAWN, "0m"]
OPTIONS = {"moves": False, "depth": False, "seconds": None}


def random_boards(count: int, marbles: int, seed: int = 1) -> list[str]:
    """Board numbers of undecided positions that random play reaches."""
    chance, found = random.Random(seed), list[str]()
    while len(found) < count:
        position = library.new("pentago")
        while position.ply < marbles and not position.outcome:
            position = position.play(position.legal_moves[chance.randrange(len(position.legal_moves))])
        if not position.outcome:
            assert isinstance(position, PentagoPosition)
            found.append(str(to_number(position)))
    return found


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(MIXED) + "\n")
    return file


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "values.jsonl"


def words(source: Path, out: Path, *more: str) -> list[str]:
    return ["solve", "--batch", str(source), "--out", str(out), *more]


def arguments(source: Path, out: Path, **more: object) -> argparse.Namespace:
    flags = dict.fromkeys(("plain", "moves", "depth"), False)
    settings = {"seconds": None, "threads": 2, "memory": None, "cluster": None}
    return argparse.Namespace(**flags | settings | more | {"batch": str(source), "out": str(out)})


# ── what is written ──────────────────────────────────────────────────────────────────────────────


def test_a_line_for_each_board(pentad: Pentad, source: Path, out: Path):
    answer = pentad(*words(source, out))
    assert answer.code == 2
    assert answer.lines == [f"{out}: 6 boards (1 won, 1 drawn, 1 lost, 3 not solved)"]
    assert [line.split(":")[1].strip() for line in answer.err.splitlines()] == [
        f"{source}, line {number}" for number in (4, 6, 8)
    ]
    found_answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(each["line"], each["board"], each.get("value")) for each in found_answers] == [
        (2, WON, 1), (4, "nonsense", None), (5, LOST, -1), (6, "pente 19/19", None), (7, DRAWN, 0), (8, "0m", None)
    ]  # fmt: skip
    assert "board number" in found_answers[1]["error"]
    assert sorted(path.name for path in out.parent.iterdir()) == ["boards.txt", "values.jsonl"]


def test_moves_and_depth(pentad: Pentad, source: Path, out: Path):
    source.write_text(f"{WON}\n{DRAWN}m\r\n{from_number(int(LOST)).text}")
    assert pentad(*words(source, out, "--moves", "--depth")).code in (0, 2)
    first, _, third = map(json.loads, out.read_text().splitlines())
    for board, answer in ((WON, first), (LOST, third)):
        found = solve(from_number(int(board)), depth=True)
        assert answer["moves"] == {str(move): value for move, value in found.moves.items()}
        assert answer["distances"] == {str(move): turns for move, turns in found.distances.items()}
        assert (answer["value"], answer["turns"]) == (found.value, found.turns)


def test_plain_lines(pentad: Pentad, source: Path, out: Path):
    assert pentad(*words(source, out, "--plain", "--depth")).code == 2
    lines = [line.split("\t") for line in out.read_text().splitlines()]
    assert [line[:2] for line in lines] == [
        [WON, "win"], ["nonsense", "error"], [LOST, "loss"], ["pente 19/19", "error"], [DRAWN, "draw"], ["0m", "error"]
    ]  # fmt: skip
    assert [lines[0][3], lines[4][3]] == [str(solve(from_number(int(WON)), depth=True).turns), "-"]
    before = out.read_bytes()
    assert pentad(*words(source, out, "--plain", "--depth")).err == ""
    assert out.read_bytes() == before


@pytest.mark.slow
def test_many_boards_keep_their_order(pentad: Pentad, source: Path, out: Path):
    boards = random_boards(150, 27) + random_boards(6, 21) + random_boards(60, 25, seed=2)
    random.Random(5).shuffle(boards)
    source.write_text("\n".join(boards))
    assert pentad(*words(source, out)).code == 0
    found_answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert [each["board"] for each in found_answers] == boards
    for each in found_answers[::9]:
        assert each["value"] == solve(from_number(int(each["board"])), moves=False).value


def test_every_bad_line_gets_one_message(pentad: Pentad, source: Path, out: Path):
    bad = [
        b"\xff\xfe\x00",
        b"9" * 3_000_000,
        b"\0" * 20,
        b"{}",
        b"pentago",
        b"pentago x",
        b"-1",
        b"1" * 20,
        b"pentago players=3 ....../....../....../....../....../......",
        "é".encode(),
        b"\t\x0b pentago\tb",
    ]
    source.write_bytes(b"\xef\xbb\xbf" + WON.encode() + b"\r\n" + b"\n".join(bad) + b"\n" + LOST.encode())
    answer = pentad(*words(source, out))
    assert answer.code == 2
    found_answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert [each["line"] for each in found_answers] == list(range(1, len(bad) + 3))
    assert [each["line"] for each in found_answers if "error" not in each] == [1, len(bad) + 2]
    assert answer.err.count("\n") == len(bad)
    before = out.read_bytes()
    again = pentad(*words(source, out))
    assert (again.code, again.err, out.read_bytes()) == (2, "", before)


def test_only_the_first_bad_lines_are_reported(pentad: Pentad, source: Path, out: Path):
    source.write_text("x\n" * 3000)
    answer = pentad(*words(source, out))
    assert answer.err.count("\n") == batch.MOST_ERRORS + 1
    assert len(out.read_text().splitlines()) == 3000


def test_from_standard_input(pentad: Pentad, out: Path):
    assert pentad("solve", "--batch", "-", "--out", str(out), typed=f"{WON}\n{LOST}").code == 0
    assert pentad("solve", "--batch", "-", "--out", str(out), typed=f"{WON}\n{LOST}\n{DRAWN}").code == 0
    assert [json.loads(line)["value"] for line in out.read_text().splitlines()] == [1, -1, 0]


def test_nothing_to_do(pentad: Pentad, source: Path, out: Path):
    source.write_text("\n# nothing\n")
    assert pentad(*words(source, out)).lines == [f"{out}: 0 boards"]
    assert out.read_bytes() == b""


# ── going on ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_truncated_output_is_resumed(pentad: Pentad, source: Path, out: Path):
    """Cut anywhere, the complete lines stay, and the next line is solved."""
    for more in ({}, {"plain": True}, {"moves": True}):
        flags = [f"--{name}" for name in more]
        out.unlink(missing_ok=True)
        pentad(*words(source, out, *flags))
        whole = out.read_bytes()
        with source.open("rb") as boards:
            answered = [task.line for task in batch.tasks(boards)]
        for cut in {*range(0, len(whole), 7), *range(len(whole) - 3, len(whole) + 1)}:
            out.write_bytes(whole[:cut])
            here = batch.BoardBatch(arguments(source, out, **more), 10**9)
            with source.open("rb") as boards, out.open("r+b", buffering=0) as answers:
                rest = [task.line for task in here._resume(batch.tasks(boards), answers)]
            kept = whole[:cut].count(b"\n")
            assert out.read_bytes() == b"".join(whole.splitlines(keepends=True)[:kept])
            assert rest == answered[kept:]
        out.write_bytes(whole[: len(whole) * 2 // 3] + b"\0" * 9)
        assert pentad(*words(source, out, *flags)).code == 2
        assert out.read_bytes() == whole


FOREIGN = {
    "another board": lambda lines: [lines[0].replace(WON.encode(), DRAWN.encode()), *lines[1:]],
    "another order": lambda lines: [lines[1], lines[0]],
    "more than was asked": lambda lines: [*lines, lines[-1]],
    "a text": lambda lines: [b"a text that somebody wrote\n"],
    "half a text": lambda lines: [b"a text that somebody wro"],
    "half a text behind": lambda lines: [*lines[:3], b"and a remark"],
    "an object": lambda lines: [b'{"line": 2}\n'],
    "no object": lambda lines: [lines[0][:-5] + b"\n"],
    "another value": lambda lines: [lines[0].replace(b'"value": 1', b'"value": 7')],
    "a list for a value": lambda lines: [lines[0].replace(b'"value": 1', b'"value": []')],
    "zeros": lambda lines: [b"\0" * 999 + b"\n"],
    "a line without end": lambda lines: [b"x" * (3 << 20)],
}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("case", FOREIGN)
def test_foreign_output_is_left_unchanged(case: str, pentad: Pentad, source: Path, out: Path):
    if not out.exists():
        pentad(*words(source, out))
    out.write_bytes(b"".join(FOREIGN[case](out.read_bytes().splitlines(keepends=True))))
    before = out.read_bytes()
    answer = pentad(*words(source, out))
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert f"{out} is not the output of this batch" in answer.err
    assert out.read_bytes() == before


def test_other_options_are_refused(pentad: Pentad, source: Path, out: Path):
    pentad(*words(source, out))
    before = out.read_bytes()
    for flag in ("--moves", "--depth", "--plain"):
        answer = pentad(*words(source, out, flag))
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert out.read_bytes() == before


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 50, bytes(range(128, 256)) * 9 + b"\n" * 300])
def test_binary_input_is_refused(pentad: Pentad, tmp_path: Path, out: Path, data: bytes):
    source = tmp_path / "picture.png"
    source.write_bytes(data)
    answer = pentad(*words(source, out))
    assert (answer.code, answer.out, answer.err) == (2, "", f"pentad: --batch: {source} is not a text file.\n")
    assert not out.exists()


def test_a_line_that_is_not_utf8_is_an_error(pentad: Pentad, tmp_path: Path, out: Path):
    source = tmp_path / "boards.txt"
    source.write_bytes(f"{MIXED[0]}\n".encode() * 20 + b"# J\xfcrgen\n")
    assert "line 21: The line is not valid UTF-8." in pentad(*words(source, out)).err
    assert json.loads(out.read_text())["line"] == 21


def test_unusable_files_are_refused(pentad: Pentad, source: Path, out: Path, tmp_path: Path):
    cases = [
        (tmp_path / "none", out, "--batch: "),
        (tmp_path, out, "This is a folder"),
        (Path("a\0b"), out, "is not a file name."),
        (source, tmp_path, "is not a regular file."),
        (source, Path("/dev/null"), "is not a regular file."),
        (source, Path("-"), "not standard output"),
        (source, tmp_path / "none/x", f"There is no folder {tmp_path / 'none'}"),
        (source, Path("a\0b"), "is not a file name."),
        (source, source, "is also the input file."),
        (source, Path("x" * 300), "The file name is too long."),
    ]
    for boards, answers, message in cases:
        answer = pentad(*words(boards, answers))
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), (boards, answers)
        assert message in answer.err
    assert source.read_text() == "\n".join(MIXED) + "\n"


def test_only_one_process_writes_an_output(pentad: Pentad, source: Path, out: Path):
    with Lock(out.with_name(f".{out.name}.lock"), "busy"):
        answer = pentad(*words(source, out))
    assert (answer.code, answer.err) == (2, f"pentad: Another process is writing {out}.\n")


def test_a_full_disk(pentad: Pentad, source: Path, out: Path, monkeypatch: pytest.MonkeyPatch):
    write = batch.BoardBatch._write

    def full(self: batch.BoardBatch, *args: object):
        if self.done == 2:
            raise OSError(28, "No space left on device")
        write(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(batch.BoardBatch, "_write", full)
    answer = pentad(*words(source, out))
    assert answer.code == 2
    assert answer.err.splitlines()[-1].endswith("The disk is full.")
    monkeypatch.undo()
    assert pentad(*words(source, out)).lines[0].startswith(f"{out}: 6 boards")


# ── killed and stopped ───────────────────────────────────────────────────────────────────────────


def children(pid: int) -> list[int]:
    """The running workers of a process."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            words = path.with_name("cmdline").read_text().split("\0")
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z" and "pentad.jobs" in words:
            found.append(int(path.parent.name))
    return found


def are_gone(pids: list[int]) -> bool:
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() and "Z" not in _state(pid) for pid in pids), "their end")
    return True


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc to see processes in")
def test_a_killed_batch_is_resumed(pentad: Pentad, source: Path, out: Path):
    boards = random_boards(40, 22)
    source.write_text("\n".join(boards))
    process = subprocess.Popen([sys.executable, "-m", "pentad", *words(source, out, "--moves")])
    wait_until(lambda: out.exists() and out.read_bytes().count(b"\n") >= 3, "the third board")
    workers = children(process.pid)
    process.kill()
    process.wait()
    assert are_gone(workers)
    done = out.read_bytes().count(b"\n")
    assert done >= 3
    with out.open("r+b") as file:  # a killed process may end in the middle of a line
        file.truncate(out.stat().st_size - 5)
    assert pentad(*words(source, out, "--moves")).code == 0
    found_answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert [each["board"] for each in found_answers] == boards


@pytest.mark.slow
def test_a_batch_stopped_by_ctrl_c_is_resumed(pentad: Pentad, source: Path, out: Path):
    boards = random_boards(6, 22) + random_boards(12, 19, seed=3)
    source.write_text("\n".join(boards))
    with Terminal(*words(source, out), columns=100) as terminal:
        if terminal.expect(f" of {len(boards)}  ", f"{out}: ") != f"{out}: ":
            terminal.type(CTRL_C)
            terminal.expect("Run the same command again to continue.")
            assert terminal.wait() == 130
            assert out.read_bytes().count(b"\n") < len(boards)
        assert "Traceback" not in terminal.shown
    assert pentad(*words(source, out)).code == 0
    assert [json.loads(line)["board"] for line in out.read_text().splitlines()] == boards


def numbered(texts: list[str]) -> Iterator[Task]:
    return iter([Task(number, text) for number, text in enumerate(texts, 1)])


@pytest.mark.slow
def test_a_worker_that_is_killed():
    """Its board is tried again; nothing is lost, and the order stays."""
    boards = random_boards(12, 22)
    answers = []
    others = set(children(os.getpid()))  # processes of other tests
    for task, answer in Workers(2, 10**9, OPTIONS).answers(numbered(boards), lambda share: None):
        if len(answers) in (0, 5):
            os.kill(min(set(children(os.getpid())) - others), signal.SIGKILL)
        answers.append((task.text, answer["value"]))
    assert answers == [(board, solve(from_number(int(board)), moves=False).value) for board in boards]


def test_a_worker_that_dies_after_its_last_answer(monkeypatch: pytest.MonkeyPatch):
    """Nothing is left to be tried again."""
    boards = random_boards(12, 22)

    def submit(pool: PoolThread, job: str, given: dict[str, Any], *, slots: int, on_answer: Callable[[Any], None]):
        for text, _ in given["lines"]:
            on_answer({"solution": {"value": text}})
        result = Future[Any]()
        result.set_exception(WorkerDied(-9))
        return result

    monkeypatch.setattr(PoolThread, "submit", submit)
    answers = list(Workers(2, 10**9, OPTIONS).answers(numbered(boards), lambda share: None))
    assert [(task.text, answer) for task, answer in answers] == [(board, {"value": board}) for board in boards]


@pytest.mark.slow
def test_a_board_that_kills_its_worker_twice():
    board = random_boards(1, 17)[0]
    killed, shares = [], [0.0]
    others = set(children(os.getpid()))  # processes of other tests

    def kill(share: float):
        is_at_work = share % 1 and share != shares[-1]
        shares.append(share)
        for pid in set(children(os.getpid())) - others - {*killed} if is_at_work and len(killed) < 2 else ():
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    workers = Workers(1, 10**9, OPTIONS | {"moves": True})
    answers = [answer for _, answer in workers.answers(numbered([board, WON]), kill)]
    if len(killed) < 2:
        pytest.skip("the worker finished before it was killed")
    assert "was killed by signal 9" in answers[0]["error"]
    assert answers[1]["value"] == 1


# ── within a budget ──────────────────────────────────────────────────────────────────────────────


def test_a_large_board_is_solved_alone(monkeypatch: pytest.MonkeyPatch):
    board = random_boards(1, 20)[0]
    work, alone = estimate(Task(1, board), 10**9)
    assert (alone, work > 10**6) == (False, True)
    assert estimate(Task(1, board), 10**6) == (work, True)
    half = plan_within(1, 16, 16, 1).memory  # what it needs at the least
    workers, submitted = Workers(2, half * 3 // 2, OPTIONS), {}
    texts = [WON, board, LOST, DRAWN]
    submit = PoolThread.submit

    def note(pool: PoolThread, job: str, given: dict[str, Any], **more: Any):
        submitted[tuple(text for text, _ in given["lines"])] = (more["slots"], given["memory"], given["threads"])
        return submit(pool, job, given, **more)

    monkeypatch.setattr(PoolThread, "submit", note)
    values = [answer["value"] for _, answer in workers.answers(numbered(texts), lambda share: None)]
    assert values == [solve(from_number(int(text)), moves=False).value for text in texts]
    assert submitted[(board,)] == (2, workers.memory, 2)
    others = {key: submitted[key] for key in submitted if board not in key}
    assert sum(map(len, others)) == 3
    assert set(others.values()) == {(1, workers.part, 1)}


def test_an_error_names_the_limit():
    quiet = lambda made, of: None  # noqa: E731
    assert "the limit is 100 kB" in answer_to(DRAWN, OPTIONS, 100_000, 1, quiet)["error"]
    won = "pentago bbbb../....../wwww../....../....../......"
    assert answer_to(won, OPTIONS | {"moves": True}, 50_000_000, 1, quiet)["proved"]["a4"] == 1
    assert list(answer_to(DRAWN, OPTIONS | {"moves": True}, 100_000, 1, quiet)) == ["error"]
    assert list(answer_to("x", OPTIONS, 10**9, 1, quiet)) == ["error"]
    assert WORDS[answer_to(DRAWN, OPTIONS, 10**9, 1, quiet)["value"]] == "draw"

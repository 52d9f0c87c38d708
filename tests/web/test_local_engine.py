"""The engine of the user's machine: which pages may reach it, its answers, and the command that serves it."""

import json
import signal
import socket
import sys
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

import pentad
from pentad.game import GameError
from pentad.terminal import command_line
from pentad.web.local_engine import read_origin
from tests.waiting import TIMEOUT
from tests.web.local_engine_process import serving, start

SITE = "https://pentad.example"


def page_at(address: str, origin: str | None = SITE, **headers: str) -> Any:
    """The connection of a page."""
    where = f"{address}/api/study/engine"
    return connect(where, origin=None if origin is None else Origin(origin), additional_headers=headers)


def ask(socket: ClientConnection, **message: object) -> list[dict[str, object]]:
    """The answers to a request, up to the last."""
    socket.send(json.dumps({"number": 1, **message}))
    answers: list[dict[str, object]] = []
    while not answers or answers[-1]["type"] not in ("done", "error"):
        answers.append(json.loads(socket.recv(TIMEOUT)))
    return answers


@pytest.mark.slow
def test_only_allowed_pages_reach_it() -> None:
    with serving("--allow", f"{SITE}/analyse", "--allow", "http://127.0.0.1:5005") as (_, address):
        for origin in (SITE, "http://127.0.0.1:5005", None):  # a program sends no origin
            with page_at(address, origin):
                pass
        for origin in ("https://other.example", "http://pentad.example", f"{SITE}:8443", "null"):
            with pytest.raises(InvalidStatus) as refused, page_at(address, origin):
                pass
            assert refused.value.response.status_code == 403
        with pytest.raises(InvalidStatus), page_at(address, SITE, Host="rebound.example"):  # a name made to point here
            pass


@pytest.mark.slow
def test_it_analyses_and_a_signal_ends_it() -> None:
    here = pentad.new("pentago", win_on_placement=True).play("a2 1C")
    with serving("--allow", SITE) as (process, address):
        with page_at(address) as page:
            *_, report, done = ask(page, type="analyse", position=here.text, seconds=0.5, lines=2)
            assert done["type"] == "done"
            lines = report["lines"]
            assert isinstance(lines, list)
            assert here.parse(lines[0]["moves"][0]) in here.legal_moves
            refused = ask(page, type="analyse", position="nonsense", seconds=1)
            assert refused[-1]["type"] == "error"
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT) == 0
        assert process.stderr
        assert process.stderr.read() == ""


@pytest.mark.slow
def test_a_bot_answers_with_its_move() -> None:
    here = pentad.new("pente")
    with serving("--allow", SITE, "--bot", "greedy") as (_, address), page_at(address) as page:
        *_, report, done = ask(page, type="analyse", position=here.text, seconds=1, values=True)
        assert (done["type"], report["player"], report["exact"]) == ("done", "greedy", False)
        [line] = report["lines"]  # type: ignore[misc]
        assert here.parse(line["moves"][0]) in here.legal_moves
        assert line["values"] is None
        [*_, refused] = ask(page, type="review", record='[Game "pente"]', seconds=1)
        assert refused["error"] == "greedy only suggests moves; it gives no evaluation."


@pytest.mark.slow
def test_a_program_answers_with_its_move() -> None:
    here = pentad.new("pentago")
    engine = f"ugi:{sys.executable} -m pentad engine pentago --bot random"
    with serving("--allow", SITE, "--bot", engine) as (_, address), page_at(address) as page:
        for _ in range(2):
            *_, report, _ = ask(page, type="analyse", position=here.text, seconds=1)
            assert here.parse(report["lines"][0]["moves"][0]) in here.legal_moves  # type: ignore[index]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--serve"], "Which site's page may use the engine?"),
        (["--serve", "--allow", "pentad.example"], "Expected the address of a site"),
        (["--serve", "nonsense", "--allow", SITE], "Expected a port from 1 to 65535"),
        (["--serve", "--allow", SITE, "--seed", "3"], "--seed cannot be used with --serve"),
        (["pente", "--serve", "--allow", SITE], "GAME cannot be used with --serve"),
        (["--allow", SITE], "--allow needs --serve."),
    ],
)
def test_bad_arguments_are_one_line(words: list[str], error: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["engine", *words]) == 2
    shown = capsys.readouterr()
    assert error in shown.err
    assert shown.err.count("\n") == 1
    assert not shown.out


@pytest.mark.slow
def test_a_port_in_use_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = start("--serve", str(taken.getsockname()[1]), "--allow", SITE)
        _, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 2
    assert "is taken" in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pentad.example",
        "ws://pentad.example",
        "https://",
        "https://a:b@c",
        "http://x:0",
        "//x",
        "https://[",
        "null",
    ],
)
def test_origins_that_cannot_be_read(text: str) -> None:
    with pytest.raises(GameError, match="address of a site"):
        read_origin(text)

"""Recovery codes, and what a server without accounts does not load."""

from __future__ import annotations

import subprocess
import sys

import httpx

from pentad.web.authentication import fits, hash_of_code, new_code
from pentad.web.http.identity import COOKIE
from pentad.web.http.security import COME_AGAIN
from tests.web.server_process import Server


def test_a_code_fits_its_hash_however_it_is_typed() -> None:
    code = new_code()
    assert len(set(code) - {"-"}) > 5
    assert code != new_code()
    hashed = hash_of_code(code)
    assert hashed.startswith("$argon2id$")
    assert fits(hashed, f" {code.upper().replace('-', ' ')}\n")
    assert not fits(hashed, new_code())
    assert not fits(None, code)


def test_a_server_without_accounts_loads_none_of_their_libraries() -> None:
    program = "import sys, pentad.web.app; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "starlette" in found.stdout.split()
    assert {"argon2", "webauthn", "confusable_homoglyphs", "cryptography"}.isdisjoint(found.stdout.split())


def test_sockets_end_with_the_secret_that_opened_them(server: Server) -> None:
    room, guest = server.make(seats=["human", "open"], name="Uma")

    def post(path: str, key: str, body: object = None) -> httpx.Response:
        return httpx.post(f"{server.url}{path}", json=body, headers={"Cookie": f"{COOKIE}={key}"})

    with server.join(room, guest) as before:
        before.receive("state")
        key = post("/api/sign-up", guest[COOKIE], {"name": "Uma"}).cookies[COOKIE]
        assert before.close_code() == COME_AGAIN
    with server.join(room, {COOKIE: key}) as after, server.join(room, guest) as stranger:
        assert [each["yours"] for each in after.receive("state")["seats"]] == [True, False]
        assert [each["yours"] for each in stranger.receive("state")["seats"]] == [False, False]
        assert post("/api/sign-out", key).status_code == 204
        assert after.close_code() == COME_AGAIN

"""Rate limits of an address."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from pentad.web.http import ratelimit, security
from pentad.web.http.ratelimit import Rate, RateLimiter
from pentad.web.http.security import ASK, BEGIN, SecurityMiddleware
from tests.web.app import URL, app_with


def test_a_burst_is_followed_by_single_requests() -> None:
    now = [0.0]
    limiter = RateLimiter(Rate(3, 30.0), lambda: now[0])
    assert [limiter.take({"192.0.2.1": 1}) for _ in range(5)] == [0.0, 0.0, 0.0, 10.0, 10.0]
    assert limiter.take({"192.0.2.2": 1}) == 0.0
    now[0] = 9.0
    assert limiter.take({"192.0.2.1": 1}) == 1.0
    now[0] = 10.0
    assert limiter.take({"192.0.2.1": 1}) == 0.0
    assert limiter.take({"192.0.2.1": 1}) == 10.0
    now[0] = 100.0
    assert [limiter.take({"192.0.2.1": 1}) for _ in range(4)] == [0.0, 0.0, 0.0, 10.0]


def test_a_program_on_this_machine_has_no_limit() -> None:
    limiter = RateLimiter(Rate(1, 10.0), lambda: 0.0)
    assert not any(limiter.take({}) for _ in range(10))
    assert not any(limiter.reserve({}) for _ in range(10))


def test_reservations_beyond_the_limit_wait() -> None:
    now = [0.0]
    limiter = RateLimiter(Rate(2, 4.0), lambda: now[0])
    assert [limiter.reserve({"192.0.2.1": 1}) for _ in range(4)] == [0.0, 0.0, 2.0, 4.0]
    now[0] = 100.0
    assert limiter.reserve({"192.0.2.1": 1}) == 0.0


def test_the_oldest_addresses_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratelimit, "MOST_KNOWN", 10)
    limiter = RateLimiter(Rate(2, 100.0), lambda: 0.0)
    for number in range(30):
        assert limiter.take({f"{number}": 1}) == 0.0
    assert len(limiter._within) == 10
    assert [limiter.take({"29": 1}), limiter.take({"29": 1}) > 0] == [0.0, True]


def test_a_flood_of_new_addresses_does_not_reset_one_over_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratelimit, "MOST_KNOWN", 10)
    limiter = RateLimiter(Rate(2, 100.0), lambda: 0.0)
    while not limiter.take({"192.0.2.1": 1}):
        pass
    for number in range(1000):
        limiter.take({f"{number}": 1})
    assert limiter.take({"192.0.2.1": 1}) > 0


def test_refusals_are_counted_until_the_bucket_is_full() -> None:
    now = [0.0]
    limiter = RateLimiter(Rate(2, 10.0), lambda: now[0])
    for _ in range(5):
        limiter.take({"192.0.2.1": 1})
    assert limiter.refused({"192.0.2.1": 1}) == 3
    now[0] = 5.0
    assert limiter.take({"192.0.2.1": 1}) == 0.0
    assert limiter.refused({"192.0.2.1": 1}) == 3
    now[0] = 100.0
    assert limiter.take({"192.0.2.1": 1}) == 0.0
    assert limiter.refused({"192.0.2.1": 1}) == 0


def test_each_key_has_its_share_of_the_rate() -> None:
    now = [0.0]
    limiter = RateLimiter(Rate(2, 8.0), lambda: now[0])
    first, second, third = ({"wide": 2, narrow: 1} for narrow in ("first", "second", "third"))
    assert [limiter.take(first) for _ in range(3)] == [0.0, 0.0, 4.0]
    assert [limiter.take(second) for _ in range(3)] == [0.0, 0.0, 4.0]  # what is refused counts nowhere
    assert limiter.take(third) == 2.0  # the wide key has four
    assert limiter.refused(third) == 2  # by the wide key, at the last try of the second one, too
    assert limiter.refused({}) == 0
    now[0] = 2.0
    assert limiter.take(third) == 0.0
    assert limiter.take({"other": 1, "third": 1}) == 0.0


# ── over HTTP ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bucket refills."""
    monkeypatch.setattr(security, "RateLimiter", lambda rate, _: RateLimiter(rate, lambda: 0.0))


Ask = Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]


def flood(app: SecurityMiddleware, ask: Ask, times: int, **headers: str) -> list[httpx.Response]:
    """The responses to several requests through a proxy on this machine."""

    async def whole() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=URL, headers=headers) as client:
            return [await ask(client) for _ in range(times)]

    return asyncio.run(whole())


def statuses(answers: list[httpx.Response]) -> list[int]:
    return [answer.status_code for answer in answers]


async def name(client: httpx.AsyncClient) -> httpx.Response:
    return await client.put("/api/me", json={"name": "Mallory"})


async def board(client: httpx.AsyncClient) -> httpx.Response:
    return await client.post("/api/board", json={"position": "nonsense"})


@pytest.mark.slow
def test_only_the_flooding_address_is_refused(tmp_path: Path, frozen: None) -> None:
    with app_with(tmp_path) as app:
        mallory = {"X-Forwarded-For": "192.0.2.1"}
        answers = flood(app, name, BEGIN.most + 2, **mallory)
        assert statuses(answers) == [200] * BEGIN.most + [429] * 2
        assert answers[-1].json() == {"error": "Too many requests from your address. Try again in 2 seconds."}
        assert answers[-1].headers["Retry-After"] == "2"
        assert statuses(flood(app, board, 1, **mallory)) == [422]  # stores nothing, and has a limit of its own
        assert statuses(flood(app, name, 1, **{"X-Forwarded-For": "192.0.2.2"})) == [200]
        assert statuses(flood(app, name, 1)) == [200]


def test_a_network_is_refused_whose_addresses_are_all_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frozen: None
) -> None:
    monkeypatch.setattr(security, "ASK", Rate(1, 1000.0))
    with app_with(tmp_path) as app:

        def ask(address: str) -> int:
            return statuses(flood(app, board, 1, **{"X-Forwarded-For": address}))[0]

        answers = Counter(ask(f"2001:db8:1:{number:x}00::1") for number in range(20))
        assert answers == {422: 16, 429: 4}
        assert ask("2001:db8:2::1") == 422


@pytest.mark.slow
def test_the_proxys_entry_wins_over_a_forged_header(tmp_path: Path, frozen: None) -> None:
    with app_with(tmp_path) as app:
        answers = []
        for forged in ("127.0.0.1", "::1", "nonsense", "10.0.0.1, 10.0.0.2"):
            header = {"X-Forwarded-For": f"{forged}, 2001:db8::1"}
            answers += statuses(flood(app, name, BEGIN.most // 4, **header))
        assert answers == [200] * BEGIN.most
        assert statuses(flood(app, name, 1, **{"X-Forwarded-For": "2001:db8::2"})) == [429]
        assert statuses(flood(app, name, 1, **{"X-Forwarded-For": "2001:db8:0:1::2"})) == [200]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/board"),
        ("GET", "/api/board.svg"),
        ("POST", "/api/study/read"),
        ("POST", "/api/study/edit"),
        ("GET", "/api/puzzles"),
        ("POST", "/api/puzzles/x/try"),
        ("GET", "/api/lessons/pente"),
        ("POST", "/api/models/ferry/step"),
        ("GET", "/api/models/ferry/grammar.zip"),
        ("GET", "/api/rooms/x/record"),
        ("GET", "/play/x"),
    ],
)
def test_every_expensive_route_has_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frozen: None, method: str, path: str
) -> None:
    monkeypatch.setattr(security, "ASK", Rate(3, 3000.0))

    async def ask(client: httpx.AsyncClient) -> httpx.Response:
        return await client.request(method, path, json={} if method == "POST" else None)

    with app_with(tmp_path) as app:
        answers = flood(app, ask, 4, **{"X-Forwarded-For": "192.0.2.1"})
        assert 429 not in statuses(answers[:3])
        assert answers[3].status_code == 429
        assert answers[3].headers["Retry-After"] == "1000"
        assert 429 not in statuses(flood(app, ask, 10))


@pytest.mark.slow
def test_a_class_behind_one_address_stays_below_the_limits(tmp_path: Path) -> None:
    """Forty persons at once: a page, their games, the lobby, a board or two."""

    async def look(client: httpx.AsyncClient) -> httpx.Response:
        for path in ("/", "/api/games", "/api/me", "/api/mine", "/api/lobby", "/api/health", "/static/style.css"):
            answer = await client.get(path)
            assert answer.status_code == 200, path
        return await board(client)

    with app_with(tmp_path) as app:
        assert statuses(flood(app, look, 40, **{"X-Forwarded-For": "192.0.2.1"})) == [422] * 40
    assert ASK.most >= 600


def test_repeated_refusals_are_delayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "ASK", Rate(1, 3000.0))
    monkeypatch.setattr(security, "HOLD_AFTER", 3)
    held: list[float] = []

    async def sleep(seconds: float) -> None:
        held.append(seconds)

    with app_with(tmp_path) as app:
        monkeypatch.setattr(security.asyncio, "sleep", sleep)  # type: ignore[attr-defined]
        answers = flood(app, board, 6, **{"X-Forwarded-For": "192.0.2.1"})
    assert statuses(answers) == [422] + [429] * 5
    assert held == [security.HOLD] * 2

"""Every kind of request to real engines, for every game."""

import asyncio
from contextlib import aclosing

import pytest

from pentad.game import Position, load, new
from pentad.record import Record
from pentad.search.move_limit import Limit
from pentad.web.engines import Engines, WorkerFailed
from tests.cases import slow

PENTAGO = load("pentago bbwwbb/w.w.wb/.wb.ww/bw.bbw/b.wwbb/.wwb.b")
STARTS = [
    PENTAGO,
    slow(new("pentago", players=4), id="pentago-4"),
    new("pente"),
    new("pentagame"),
    slow(new("pentagame", players=5), id="pentagame-5"),
]


FOUR = load("pentago b...../.w..../..b.../...w../....../......")  # marbles: neither in the book nor solved


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("start", STARTS, ids=lambda start: f"{start.game}-{start.players}")
def test_every_request_is_answered(start: Position):
    async def test() -> None:
        engines = Engines(2, 4000)
        try:
            move = await engines.move(start, None, seed=1, limit=Limit(seconds=0.1), owner="a")
            assert move in map(str, start.legal_moves)
            hint, claim = await engines.hint(start, seconds=0.1, owner="a")
            assert hint in map(str, start.legal_moves)
            assert (claim == "wins in 1 move") == (start is PENTAGO)
            async with aclosing(engines.analysis(start, seconds=0.2, lines=2, owner="a")) as reports:
                report = [report async for report in reports][-1]
            assert 1 <= len(report["lines"]) <= 2
            best = report["lines"][0]
            assert best["words"] == start.describe(start.parse(best["moves"][0]))
            assert len(best["values"]) == start.players
            assert best["value"] == best["values"][start.turn]
            checked = await engines.check(start, move, seconds=0.1, owner="a")
            assert checked == {"loses": False, "words": ""}
            tried = await engines.attempt(start, move, best=move, played="", seconds=0.1, owner="a")
            assert tried == {"right": True, "words": "Good move."}
            record = Record(start)
            record.play(move)
            plies = [ply async for ply in engines.review(record.text, seconds=0.1, owner="a")]
            assert [ply["move"] for ply in plies] == [move, None]
            assert all(len(ply["values"]) == len(ply["chances"]) == start.players for ply in plies)
            assert len(plies[-1]["accuracies"]) == start.players
        finally:
            await engines.close()

    asyncio.run(test())


def test_exact_values_of_every_move():
    async def test() -> None:
        engines = Engines(1, 4000)
        try:
            answer = await engines.values(PENTAGO, owner="a")
            assert answer["value"] == 1
            assert set(answer["moves"]) == {*map(str, PENTAGO.legal_moves)}
            assert answer["moves"]["b1"] == 1
            assert answer["moves"]["b3 1C"] == -1
            for position, why in [
                (new("pente"), r"^Pente has no exact values\.$"),
                (new("pentagame"), r"^Pentagame has no exact values\.$"),
                (new("pentago", players=3), r"^Exact values are known for two players only, not for 3\.$"),
                (FOUR, "^The exact value of this board is not known here. Boards with up to 3 marbles are in the book"),
            ]:
                with pytest.raises(WorkerFailed, match=why):
                    await engines.values(position, owner="a")
        finally:
            await engines.close()

    asyncio.run(test())


def test_the_book_s_values_come_first_and_need_no_memory():
    async def test() -> None:
        engines = Engines(1, 400)  # too little for a solver
        try:
            for moves, value, unknown in (((), 1, 0), (("a0 4C",), 0, 0), (("a0 4C", "b1 2A", "c3 1A"), 0, 259)):
                here = new("pentago")
                for move in moves:
                    here = here.play(move)
                assert engines.solves_at_once(here)
                answers = [answer async for answer in engines.solved(here, lines=2, owner="a")]
                values, report = answers
                assert (values["value"], values["how"], values["unknown"]) == (value, "book", unknown)
                assert report["exact"]
                assert [line["value"] for line in report["lines"]] == [value, value]
                assert all(values["moves"][line["moves"][0]] == value for line in report["lines"])
            assert not engines.solves_at_once(FOUR)
            assert (await engines.hint(new("pentago"), seconds=1.0, owner="a"))[1] == "wins"
        finally:
            await engines.close()

    asyncio.run(test())


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("position", [PENTAGO, load("pentago rows=1 cols=1 block=4 line=4 bb../w..w/...b/.w..")])
def test_the_best_lines_follow_exact_values(position: Position):
    async def test() -> None:
        engines = Engines(1, 4000)
        try:
            async with aclosing(engines.solved(position, lines=3, owner="a")) as answers:
                first, *reports = [answer async for answer in answers]
            assert set(first["moves"]) == {*map(str, position.legal_moves)}
            assert reports
            for report in reports:
                assert report["exact"]
                assert report["seat"] == position.turn
                values = [first["moves"][line["moves"][0]] for line in report["lines"]]
                assert values == [line["value"] for line in report["lines"]]
                assert values == sorted(first["moves"].values(), reverse=True)[: len(values)]
        finally:
            await engines.close()

    asyncio.run(test())


def test_what_is_solved_at_once():
    engines = Engines(1, 4000)
    marbles = "bwbwbwbwbwbwbwbwbwbwbwbwbwbwbwbwbwbw"
    for count, at_once in [(0, False), (17, False), (18, True), (30, True)]:
        rows = "/".join((marbles[:count] + "." * (36 - count))[row : row + 6] for row in range(0, 36, 6))
        assert engines.solves_at_once(load(f"pentago line=6 {rows}")) is at_once
    assert not engines.solves_at_once(new("pente"))
    assert not engines.solves_at_once(new("pentago", players=3, rows=1, cols=1, line=3))

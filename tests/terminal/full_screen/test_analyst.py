"""The analysis beside the board."""

from __future__ import annotations

import pentad
from pentad.game import Position
from pentad.search.analysis import Report
from pentad.terminal.full_screen.analyst import Analyst
from tests.waiting import wait_until


def test_the_analyst_looks_at_the_last_position_only():
    seen: list[Position] = []

    def found(position: Position, _: Report) -> None:
        seen.append(position)

    analyst = Analyst(found, lambda reason: None)
    first, second = pentad.new("pente"), pentad.new("pente").play("K10")
    analyst.look_at(first)
    wait_until(lambda: seen, "a report")
    analyst.look_at(second)
    wait_until(lambda: seen[-1] is second, "a report on the second position")
    analyst.look_at(None)
    analyst.close()
    assert not analyst._thread.is_alive()


def test_an_analyst_who_never_looked_can_be_closed():
    Analyst(lambda position, report: None, lambda reason: None).close()

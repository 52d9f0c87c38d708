"""The docs, the dashboard and the alerts name the metrics and lines of the log that there are, and no others."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pentad.jobs import pool
from pentad.system import metrics
from pentad.web import monitoring
from pentad.web.http.log_kinds import KINDS
from pentad.web.http.refusal_reasons import Reason

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "monitoring.md").read_text(encoding="utf-8")
DASHBOARD = json.loads((ROOT / "deploy" / "grafana.json").read_text(encoding="utf-8"))
ALERTS = (ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8")
ENDINGS = ("_bucket", "_count", "_sum")  # of the numbers of a histogram
OF_PROCESSES = {  # those that every client of Prometheus has
    "process_cpu_seconds_total",
    "process_max_fds",
    "process_open_fds",
    "process_resident_memory_bytes",
    "process_start_time_seconds",
}

importlib.import_module("pentad.web.serve")  # it loads all modules that count


def tables(title: str) -> Iterator[list[str]]:
    """The rows of the tables with this title in the first cell of their heads, without the quotes of code."""
    for table in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE):
        head, _, *rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()]
        if head[0] == title:
            yield from rows


def kinds() -> dict[str, str]:
    """The kind of each metric by its name."""
    return {name: each.kind for name, each in metrics.ALL.items() if name.startswith("pentad_")} | {
        gauge.name: "gauge" for gauge in monitoring.GAUGES
    }


def test_the_page_has_every_metric() -> None:
    own = [each for each in metrics.ALL.values() if each.name.startswith("pentad_")]
    expected = [(each.name, each.kind, each.labels, each.about) for each in own]
    expected += [(gauge.name, "gauge", gauge.labels, gauge.about) for gauge in monitoring.GAUGES]
    found = [
        (name.strip("`"), kind, tuple(re.findall(r"`(\w+)`", labels)), about)
        for name, kind, labels, about in tables("metric")
    ]
    assert sorted(found) == sorted(expected)


def test_the_page_has_every_kind_of_line() -> None:
    assert {name.strip("`"): text.strip("`") for name, text, _ in tables("kind")} == KINDS
    assert all(meaning.endswith(".") for *_, meaning in tables("kind"))


def test_the_page_has_every_reason() -> None:
    ends = [pool.DIED, pool.FROZEN, pool.SILENT, pool.CANCELLED, pool.DONE, pool.MEMORY, pool.SURPLUS, pool.STOPPED]
    assert sorted(name.strip("`") for name, _ in tables("reason")) == sorted([*Reason, *ends])


def expressions(part: Any) -> Iterator[str]:
    """The expressions in a part of the dashboard."""
    if isinstance(part, dict):
        for name, each in part.items():
            if name in ("expr", "definition"):
                yield each
            else:
                yield from expressions(each)
    elif isinstance(part, list):
        for each in part:
            yield from expressions(each)


def alerts() -> list[str]:
    return re.findall(r"^ +expr: (.+(?:\n {10,}.+)*)", ALERTS, re.MULTILINE)


def names_in(expression: str) -> set[str]:
    """The metrics in an expression."""
    return set(re.findall(r"\b(?:pentad|process)_\w+", expression))


def metric_of(name: str) -> str:
    """The metric that has a number of this name; `KeyError` if there is none."""
    for ending in ENDINGS:
        if name.endswith(ending) and kinds().get(name.removesuffix(ending)) == "histogram":
            return name.removesuffix(ending)
    if kinds().get(name) in ("counter", "gauge") or name in OF_PROCESSES:
        return name
    raise KeyError(name)


@pytest.mark.parametrize(
    "what", [pytest.param(list(expressions(DASHBOARD)), id="dashboard"), pytest.param(alerts(), id="alerts")]
)
def test_every_expression_is_about_metrics_that_exist(what: list[str]) -> None:
    assert len(what) > 8
    for expression in what:
        assert names_in(expression), expression
        for name in names_in(expression):
            metric_of(name)
        assert expression.count("(") == expression.count(")")


def test_only_what_grows_has_a_rate() -> None:
    for expression in (*expressions(DASHBOARD), *alerts()):
        rated = set(re.findall(r"(?:rate|increase)\((\w+)", expression))
        counted = {each for each in names_in(expression) if kinds().get(metric_of(each)) in ("counter", "histogram")}
        assert {each for each in rated if kinds().get(metric_of(each)) == "gauge"} == set()
        assert {each for each in counted if each not in rated} == set(), expression


def test_the_dashboard_shows_every_metric() -> None:
    shown = {metric_of(name) for expression in expressions(DASHBOARD) for name in names_in(expression)}
    assert set(kinds()) - shown == set()


def test_the_dashboard_is_whole() -> None:
    panels = DASHBOARD["panels"]
    assert DASHBOARD["schemaVersion"] >= 39
    assert len({each["id"] for each in panels}) == len(panels)
    places = [each["gridPos"] for each in panels]
    cells = [(place["x"] + x, place["y"] + y) for place in places for x in range(place["w"]) for y in range(place["h"])]
    assert len(cells) == len(set(cells))  # no panel lies over another one
    assert max(x for x, _ in cells) < 24
    for panel in panels:
        assert panel["title"]
        assert panel["type"] in ("row", "stat", "timeseries")
        assert panel["type"] == "row" or all(each["expr"] and each["refId"] for each in panel["targets"])


def test_every_alert_says_what_is_wrong() -> None:
    names = re.findall(r"^      - alert: (\w+)$", ALERTS, re.MULTILINE)
    assert len(names) == len(set(names)) == len(alerts()) == ALERTS.count("summary:") == ALERTS.count("severity:")

"""Reports on rule sets: their games, their words and their page."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pentad import new
from pentad.game import GameError
from pentad.play import contest, rule_report
from pentad.play.contest import play_game
from pentad.play.match import play_match
from pentad.play.plots import alone, ticks
from pentad.play.rule_measures import MEASURES
from pentad.play.rule_report import (
    Measured,
    RuleReport,
    as_html,
    as_json,
    as_text,
    form_of,
    play_rule_sets,
    plots_of,
    rule_sets,
    rules_of,
    terms_of,
)
from pentad.record import Record
from pentad.search.bot import measured_bot

SMALL = new("pentago", rows=1, cols=2, block=2, line=3)
THREE = new("pente", rules="freestyle", size=5, line=3)


def measured(*starts, games=6, **more) -> list[Measured]:
    settings = {name: more.pop(name) for name in ("seed", "plies") if name in more}
    return play_rule_sets([terms_of(start, "greedy", **settings).checked() for start in starts], games, **more)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["tournament_rule=false"], ["pente opening=centre"]),
        (["rules=keryo", "size=13"], ["pente rules=keryo size=13"]),
        (["overline"], ["pente overline=false"]),
        (["five"], ["pente five=stands", "pente five=unbroken"]),
        (["size=13", "poof"], ["pente size=13 poof=true"]),
        (["pentago", "rows=3"], ["pentago rows=3"]),
        (["pentagame"], ["pentagame"]),
    ],
)
def test_rule_sets_by_words(words, expected):
    assert [rules_of(start) for start in rule_sets(new("pente"), [words])] == ["pente", *expected]


def test_options_are_over_those_of_the_first_rule_set():
    found = rule_sets(new("pente", size=13), [["rules=keryo"], ["pente", "rules=keryo"]])
    assert [rules_of(start) for start in found] == ["pente size=13", "pente rules=keryo size=13", "pente rules=keryo"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sise=13"], r"^Pente has no option sise\."),
        (["size"], "^Option size needs a value:"),
        (["size=99"], "^Option size must be a whole number"),
        (["rules=pente"], r"^The rule set pente is listed twice\.$"),
        (["opening=centre", "tournament_rule=true"], "contradicts"),
    ],
)
def test_wrong_rule_sets_are_one_line(words, message):
    with pytest.raises(GameError, match=message):
        rule_sets(new("pente"), [words])


def test_default_bots_do_the_same_work_everywhere():
    assert [measured_bot(name) for name in ("pente", "pentago", "pentagame")] == ["engine@4", "engine@4", "tree@4"]


@pytest.mark.slow
def test_a_seed_gives_the_same_report_with_any_number_of_processes():
    reports = [as_json(RuleReport(measured(SMALL, THREE, workers=workers))) for workers in (1, 2)]
    assert reports[0] == reports[1]
    assert reports[0] != as_json(RuleReport(measured(SMALL, THREE, seed=2, workers=1)))


@pytest.mark.slow
def test_a_cluster_gives_the_same_report():
    assert as_json(RuleReport(measured(SMALL, cluster="local", workers=2))) == as_json(RuleReport(measured(SMALL)))


def test_games_are_saved_and_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    whole = as_json(RuleReport(measured(SMALL, THREE, workers=1)))
    seen = []

    def stop(done: int, is_saved: bool) -> None:
        seen.append(is_saved)
        if done == 8:
            raise KeyboardInterrupt

    part = measured(SMALL, THREE, folder=tmp_path, workers=1, progress=stop)
    assert [len(each.course_by_game) for each in part] == [6, 2]
    played = []
    monkeypatch.setattr(contest, "play_game", lambda *given: played.append(given[1].number) or play_game(*given))
    assert as_json(RuleReport(measured(SMALL, THREE, folder=tmp_path, workers=1))) == whole
    assert played == [2, 3, 4, 5]
    assert seen == [False] * 8
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names == ["pentago-rows-1-block-2-line-3", "pente-rules-freestyle-size-5-line-3"]
    with pytest.raises(GameError, match="has the games of a report"):
        play_match(contest.ContestTerms("pentago", ("greedy", "random")).checked(), 1, folder=tmp_path / names[0])


def test_games_have_values_and_the_last_one_is_the_result(tmp_path: Path):
    measured(THREE, games=3, folder=tmp_path, workers=1)
    for file in tmp_path.glob("*/games/*.pentad"):
        record = Record.read(file.read_text(encoding="utf-8"))
        values = [node.value for node in record.main_line]
        assert values[:2] == [None, None]  # moves of the opening have no value
        assert all(value is not None and abs(value.number) <= 1 for value in values[2:])
        last, seat = values[-1], record.main_line[-1].played[0].turn
        assert last is not None
        assert (last.number, last.exact) == (record.outcome.returns[seat], True)


def test_exact_values_where_there_are_any(tmp_path: Path):
    """On Pentago's board of 6 × 6 the solver knows the values from some number of marbles on."""
    play_rule_sets([terms_of(new("pentago"), "random", plies=24).checked()], 1, folder=tmp_path, workers=1)
    (file,) = tmp_path.glob("*/games/*.pentad")
    nodes = Record.read(file.read_text(encoding="utf-8")).main_line[24:]
    assert nodes
    assert all(node.value is not None and node.value.exact for node in nodes)


def test_text_and_json_agree():
    report = RuleReport(measured(SMALL, THREE, workers=1))
    text, data = as_text(report), json.loads(as_json(report))
    first, second = data["rule_sets"]
    assert (first["rules"], second["rules"]) == (rules_of(SMALL), rules_of(THREE))
    assert f"{rules_of(SMALL)}: 6 games" in text
    assert f"{rules_of(THREE)} less {rules_of(SMALL)}:" in text
    length = form_of(MEASURES["length"])
    assert length(first["measures"]["length"]["value"]) in text
    difference = data["differences"][0]["measures"]["length"]
    assert difference["value"] == second["measures"]["length"]["value"] - first["measures"]["length"]["value"]
    assert sum(first["lengths"].values()) == sum(first["endings"].values()) == 6
    assert sum(first["points_by_seat"]) == pytest.approx(1)
    assert first["measures"]["edge"]["value"] == pytest.approx(first["points_by_seat"][0] - 0.5)


def test_the_page_is_one_file_with_described_plots():
    report = RuleReport(measured(SMALL, THREE, workers=1), command="pentad report <script>")
    page = as_html(report)
    assert "<script>" not in page
    assert "src=" not in page
    assert "href=" not in page
    for name, plot in plots_of(report).items():
        root = ET.fromstring(plot)
        assert root.attrib["role"] == "img"
        texts = {each.attrib["id"]: each.text for each in root if "id" in each.attrib}
        assert texts[root.attrib["aria-labelledby"]] == name
        assert texts[root.attrib["aria-describedby"]]
        assert plot in page
        assert ET.fromstring(alone(plot)).find("{http://www.w3.org/2000/svg}style") is not None
    assert page.count("<svg") == len(plots_of(report))
    assert as_html(report) == page


def test_one_game_has_no_intervals():
    report = RuleReport(measured(THREE, games=1, workers=1))
    assert "(" not in as_text(report).splitlines()[3]
    assert "<svg" in as_html(report)


def test_all_draws_and_no_changes_of_the_lead(monkeypatch: pytest.MonkeyPatch):
    """A game without choices: every measure that no game has is said to be missing."""
    start = new("pente", rules="freestyle", size=3, line=3, opening="free")
    report = RuleReport(measured(start, games=4, plies=0, workers=1))
    assert as_html(report).startswith("<!doctype html>")
    monkeypatch.setattr(rule_report, "lead_by_part", lambda courses: [])
    assert "Lead of the winner" not in plots_of(report)


@pytest.mark.parametrize(("low", "high", "count"), [(0, 1, 6), (0.1, 0.2, 6), (-3, 12, 3), (99, 101, 5), (0, 36000, 4)])
def test_axes_have_round_numbers(low, high, count):
    found = ticks(low, high)
    assert len(found) == count
    assert all(low <= each <= high for each in found)

"""The runner of the benchmarks: by name, with their options."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import benchmarks, main, run


def test_without_a_name_it_lists_the_benchmarks(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == benchmarks()
    assert "rules           Speed of the rules in plain Python" in "\n".join(rows)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(SystemExit, match="There is no benchmark 'rule'"):
        main(["rule"])


def test_a_run_has_figures_with_its_options_and_its_machine() -> None:
    found = run("drawing", ["--turns", "2"])
    assert found is not None
    assert found.command == "python -m benchmarks drawing --turns 2"
    assert found.machine
    assert found.date
    assert found.commit
    drawings = [each for each in found.figures if each.name.endswith("a drawing")]
    assert [each.name for each in drawings] == ["pentago, a drawing", "pente, a drawing", "pentagame, a drawing"]
    assert all(each.value > 0 and each.unit == "ms" for each in drawings)


def test_no_option_of_a_trial_is_taken_for_a_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    """Pente is a rule set of trials, and a benchmark too."""
    with pytest.raises(SystemExit):
        main(["trial", "--rules", "pente", "--games", "1"])
    assert "--games" in capsys.readouterr().err

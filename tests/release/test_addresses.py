"""The project's addresses: one table has them, and the other files repeat it."""

from __future__ import annotations

from pathlib import Path

import pytest

from release import addresses

ROOT = Path(__file__).parents[2]


def test_every_file_has_the_addresses_of_the_table():
    assert [path.name for path, _ in addresses.changed(ROOT)] == [], "run python -m release.addresses"


@pytest.mark.parametrize("name", addresses.LINES)
def test_every_line_of_an_address_is_in_its_file_once(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    for line in addresses.LINES[name]:
        assert text.splitlines().count(line.format_map(addresses.urls(ROOT))) == 1


def test_other_addresses_are_written(tmp_path):
    for name in addresses.LINES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / name).read_text(encoding="utf-8")
        if name == "pyproject.toml":
            text = text.replace(f'Source = "{addresses.urls(ROOT)["Source"]}"', 'Source = "https://a.org/b"')
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = dict(addresses.changed(tmp_path))
    assert {path.relative_to(tmp_path).as_posix() for path in made} == set(addresses.LINES)
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    assert addresses.urls(tmp_path)["Issues"] == "https://a.org/b/issues"
    assert "repository-code: https://a.org/b\n" in (tmp_path / "CITATION.cff").read_text(encoding="utf-8")

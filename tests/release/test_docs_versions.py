"""The docs site in several versions: its folders, the theme's list of versions, and the page that leads to one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from release import docs_versions
from release.docs_versions import add, main
from release.tools import ReleaseError


def site(folder: Path, text: str) -> Path:
    """A site with a page."""
    (folder / "page").mkdir(parents=True, exist_ok=True)
    (folder / "page" / "index.html").write_text(text, encoding="utf-8")
    return folder


def versions(folder: Path) -> list[tuple[str, list[str]]]:
    entries = json.loads((folder / "versions.json").read_text(encoding="utf-8"))
    assert [each["title"] for each in entries] == [each["version"] for each in entries]
    return [(each["version"], each["aliases"]) for each in entries]


def page(folder: Path, version: str) -> str:
    return (folder / version / "page" / "index.html").read_text(encoding="utf-8")


def start(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8").partition("url=")[2].partition('/"')[0]


def test_an_alias_moves_to_the_next_release_and_the_first_page_leads_there(tmp_path):
    folder = tmp_path / "all"
    folder.mkdir()
    add(site(tmp_path / "a", "new"), "dev", folder)
    assert start(folder) == "dev"
    add(site(tmp_path / "b", "first"), "0.9.0", folder, ["latest"])
    add(site(tmp_path / "c", "second"), "0.10.0", folder, ["latest"])
    add(site(tmp_path / "d", "newer"), "dev", folder)
    assert versions(folder) == [("dev", []), ("0.10.0", ["latest"]), ("0.9.0", [])]
    names = ("dev", "latest", "0.10.0", "0.9.0")
    assert [page(folder, each) for each in names] == ["newer", "second", "second", "first"]
    assert start(folder) == "latest"
    assert (folder / ".nojekyll").exists()


def test_a_version_built_again_has_no_file_of_before_and_keeps_its_aliases(tmp_path):
    add(site(tmp_path / "a", "one"), "1.0", tmp_path, ["latest"])
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "other.html").touch()
    add(tmp_path / "b", "1.0", tmp_path)
    assert versions(tmp_path) == [("1.0", ["latest"])]
    for name in ("1.0", "latest"):
        assert [path.name for path in (tmp_path / name).iterdir()] == ["other.html"]


@pytest.mark.parametrize("names", [["../up"], [""], ["a/b"], ["1.1", ".git"], ["1.1", "1.0"], ['"']])
def test_a_name_that_is_none_or_taken_is_refused(tmp_path, names):
    folder = tmp_path / "all"
    folder.mkdir()
    add(site(tmp_path / "a", "one"), "1.0", folder)
    before = sorted(folder.rglob("*"))
    with pytest.raises(ReleaseError, match=r"name of a version|is a version already"):
        add(tmp_path / "a", names[0], folder, names[1:])
    assert sorted(folder.rglob("*")) == before


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(docs_versions, "build", lambda version: site(tmp_path / "site", version))
    assert main(["1.0", str(tmp_path / "all"), "--alias", "latest", "--alias", "stable"]) == 0
    assert versions(tmp_path / "all") == [("1.0", ["latest", "stable"])]
    assert page(tmp_path / "all", "stable") == "1.0"

    def fail(version: str) -> Path:
        raise ReleaseError("The docs cannot be built: a link leads nowhere")

    monkeypatch.setattr(docs_versions, "build", fail)
    assert main(["1.1", str(tmp_path / "all")]) == 1
    assert "a link leads nowhere" in capsys.readouterr().err
    assert versions(tmp_path / "all") == [("1.0", ["latest", "stable"])]


def test_a_build_knows_its_version_and_is_strict(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(
        docs_versions, "run", lambda what, command, folder, environment: calls.append((command, environment))
    )
    assert docs_versions.build("1.0") == docs_versions.ROOT / "site"
    ((command, environment),) = calls
    assert command[-4:] == ["zensical", "build", "--clean", "--strict"]
    assert environment["MIKE_DOCS_VERSION"] == "1.0"

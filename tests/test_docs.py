"""The docs site: every page is in its navigation, every link leads somewhere, every API page finds its objects."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import pentad
import pentad.games.pentagame
import pentad.games.pentago
import pentad.games.pente
import pentad.grammar
import pentad.record

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_site_builds_without_warnings(tmp_path):
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    made = (tmp_path / "site" / "reference" / "api").rglob("*.html")
    pages = "".join(page.read_text(encoding="utf-8") for page in made)
    shown = {name.rpartition(".")[2] for name in re.findall(r'<h[2-6] id="(pentad[\w.]*)"', pages)}
    assert sorted(exported() - shown) == []
    assert "legal_moves" in pages


def exported() -> set[str]:
    """The functions and classes that the packages export."""
    packages = (pentad, pentad.games.pentago, pentad.games.pente, pentad.games.pentagame, pentad.record, pentad.grammar)
    return {
        name
        for package in packages
        for name in package.__all__
        if callable(getattr(package, name)) and not name.startswith("_")
    }


def test_the_first_page_of_the_api_shows_what_the_package_exports():
    page = (ROOT / "docs" / "reference" / "api" / "pentad.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^::: pentad\.(\w+)$", page, re.MULTILINE)) == sorted(pentad.__all__)


def test_paths_on_the_pages_exist():
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        paths = re.findall(r"`((?:src|tests|docs|examples|benchmarks)/[\w./-]+)`", page.read_text(encoding="utf-8"))
        assert (page.name, [path for path in paths if not (ROOT / path).exists()]) == (page.name, [])


def test_the_table_of_changes_names_files_that_exist():
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Where to change what")[2]
    paths = re.findall(r"`(src/[^`]+)`", table.partition("\n## ")[0])
    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


PAGE = '<head></head><div class="language-pycon highlight"><pre><code>&gt;&gt;&gt; 1</code></pre></div>'


def head(tmp_path, page=PAGE, **extra):
    """What the playground adds to the page tutorial/."""
    spec = importlib.util.spec_from_file_location("playground", ROOT / "docs" / "extensions" / "playground.py")
    playground = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(playground)
    config = SimpleNamespace(docs_dir=str(tmp_path), extra=extra)
    playground.on_config(config)
    made = playground.on_post_page(page, page=SimpleNamespace(url="tutorial/"), config=config)
    return made.removeprefix("<head>").partition("</head>")[0]


def test_a_page_has_the_playground_if_a_site_is_there(tmp_path):
    assert head(tmp_path) == ""
    (tmp_path / "try").mkdir()
    (tmp_path / "try" / "python.js").write_text("1", encoding="utf-8")
    loaded = head(tmp_path)
    (worker,) = re.findall(r'content="\.\./try/python\.js\?(\w+)"', loaded)
    for path in re.findall(r'"\.\./((?:javascripts|stylesheets)/[\w.]+)"', loaded):
        assert (ROOT / "docs" / path).exists()
    assert loaded.count('"../') == 3
    (tmp_path / "try" / "python.js").write_text("2", encoding="utf-8")
    assert worker not in head(tmp_path)  # browsers load the new one
    assert head(tmp_path, playground="other/") == ""


def test_the_playground_can_have_another_address_on_the_host(tmp_path):
    assert 'content="/pentad/python.js"' in head(tmp_path, playground="/pentad")


@pytest.mark.parametrize("kind", ["language-text highlight", "language-pycon no-run highlight"])
def test_a_page_without_examples_that_can_run_has_no_playground(tmp_path, kind):
    assert head(tmp_path, PAGE.replace("language-pycon highlight", kind), playground="/pentad/") == ""

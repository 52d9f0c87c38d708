"""The docs site: every page is in its navigation, every link leads somewhere, every API page finds its objects."""

from __future__ import annotations

import html
import importlib.util
import json
import re
import tomllib

import pytest

import pentad
import pentad.games.pentagame
import pentad.games.pentago
import pentad.games.pente
import pentad.grammar
import pentad.record
from pentad.games.pentagame import formats as pentagame_formats
from pentad.games.pente.engine import kept_analyses
from pentad.play.data import dataset
from pentad.record import formats
from pentad.store import schema
from release import addresses
from release.docs_versions import add
from tests.docs_site import ROOT, VERSION, broken_links, build, copy_sources, run_zensical, skipped_headings


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    place = tmp_path_factory.mktemp("docs")
    copy_sources(place)
    return build(place)


def test_the_pages_of_the_api_show_what_the_packages_export(site):
    pages = "".join(page.read_text(encoding="utf-8") for page in (site / "reference" / "api").rglob("*.html"))
    shown = {name.rpartition(".")[2] for name in re.findall(r'<h[2-6] id="(pentad[\w.]*)"', pages)}
    assert sorted(exported() - shown) == []
    assert "legal_moves" in pages


def test_signatures_have_their_types(site):
    page = (site / "reference" / "api" / "pentad" / "index.html").read_text(encoding="utf-8")
    signature = html.unescape(re.sub(r"<[^>]+>", "", page.partition('id="pentad.perft"')[2].partition("</pre>")[0]))
    assert "depth: int" in signature


def test_every_link_of_the_site_leads_somewhere(site):
    assert broken_links(site) == []


def test_no_page_skips_a_level_of_headings(site):
    assert skipped_headings(site) == []


def test_every_page_finds_the_list_of_versions_and_names_its_own(site, tmp_path):
    """The theme asks for the list beside the folder of a version, of which the canonical addresses have the name."""
    add(site, VERSION, tmp_path, ["latest"])
    pages = [page for page in tmp_path.rglob("*.html") if page != tmp_path / "index.html" and page.name != "404.html"]
    assert len(pages) > 50
    for page in pages:
        text = page.read_text(encoding="utf-8")
        config = json.loads(
            text.partition('<script id="__config" type="application/json">')[2].partition("</script>")[0]
        )
        assert config["version"] == {"default": "latest", "provider": "mike"}
        assert (page.parent / config["base"] / ".." / "versions.json").resolve() == tmp_path / "versions.json"
        relative = page.relative_to(tmp_path).as_posix().partition("/")[2].removesuffix("index.html")
        assert f'<link rel="canonical" href="{addresses.urls(ROOT)["Documentation"]}{VERSION}/{relative}">' in text


def test_a_broken_link_and_a_missing_anchor_fail_the_build(site):
    page = site.parent / "docs" / "wrong.md"
    page.write_text("# Wrong\n\n[no page](none.md) and [no anchor](index.md#none)\n", encoding="utf-8")
    done = run_zensical(site.parent)
    page.unlink()
    assert done.returncode != 0
    assert "page does not exist" in done.stdout + done.stderr
    assert "anchor does not exist" in done.stdout + done.stderr


def test_pages_of_the_laboratory_are_in_no_part_of_the_site(site):
    assert list((ROOT / "docs" / "lab").glob("*.md")) != []
    found = json.loads((site / "search.json").read_text(encoding="utf-8"))["items"]
    assert not (site / "lab").exists()
    assert [each["location"] for each in found if each["location"].startswith("lab/")] == []


@pytest.mark.parametrize(
    ("query", "page"), [("new game", "how-to/add-a-game/"), ("reinforcement learning", "how-to/learners/")]
)
def test_the_title_of_a_page_has_the_words_that_readers_search_for(site, query, page):
    """The search ranks words of titles first."""
    items = json.loads((site / "search.json").read_text(encoding="utf-8"))["items"]
    titles = {each["location"]: each["title"].lower() for each in items}
    assert query in titles[page]


def test_the_navigation_has_every_page_once():
    def listed(entries):
        for entry in entries:
            values = entry.values() if isinstance(entry, dict) else [entry]
            for value in values:
                yield from listed(value) if isinstance(value, list) else [value]

    docs = ROOT / "docs"
    pages = {page.relative_to(docs).as_posix() for page in docs.rglob("*.md")}
    settings = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    left_out = {page for page in pages if page.startswith(tuple(settings["exclude_docs"].split()))}
    assert sorted(listed(settings["nav"])) == sorted(pages - left_out)


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


def test_the_versions_on_the_page_about_stability_are_those_of_the_sources():
    page = (ROOT / "docs" / "reference" / "stability.md").read_text(encoding="utf-8")
    versions = (
        f"| database of the server | {schema.LAST_MIGRATION} |",
        f'`"pentad": {formats.VERSION}`',
        f'`"pentagame": {pentagame_formats.VERSION}`',
        f'`"format": {dataset.FORMAT}`',
        f"| kept analyses (`--keep`) | {kept_analyses.VERSION}, ",
    )
    assert [each for each in versions if each not in page] == []


@pytest.fixture(scope="module")
def playground():
    spec = importlib.util.spec_from_file_location("playground", ROOT / "docs" / "extensions" / "playground.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_examples_have_a_worker_if_a_site_is_there(playground, tmp_path):
    assert playground.worker_address("try/", tmp_path, "tutorial/") is None
    (tmp_path / "try").mkdir()
    (tmp_path / "try" / "python.js").write_text("1", encoding="utf-8")
    first = playground.worker_address("try/", tmp_path, "tutorial/")
    assert re.fullmatch(r"\.\./try/python\.js\?\w+", first)
    assert playground.worker_address("try/", tmp_path, "") == first.removeprefix("../")
    (tmp_path / "try" / "python.js").write_text("2", encoding="utf-8")
    assert playground.worker_address("try/", tmp_path, "tutorial/") != first  # browsers load the new one
    assert playground.worker_address("other/", tmp_path, "tutorial/") is None


def test_the_worker_can_have_another_address_on_the_host(playground, tmp_path):
    assert playground.worker_address("/pentad", tmp_path, "tutorial/") == "/pentad/python.js"


@pytest.mark.parametrize("kind", ["language-pycon", "language-python", "language-pycon module-pentad"])
def test_an_example_is_marked_once(playground, kind):
    marked = playground.marked(f'<div class="{kind} highlight"><pre>', "/python.js")
    assert marked == f'<div class="{kind} highlight" data-python="/python.js"><pre>'
    assert playground.marked(marked, "/python.js") == marked


@pytest.mark.parametrize("kind", ["language-text", "language-pycon no-run", "language-python doc-signature"])
def test_what_cannot_run_is_not_marked(playground, kind):
    block = f'<div class="{kind} highlight"><pre>'
    assert playground.marked(block, "/python.js") == block

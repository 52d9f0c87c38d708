"""The folder of a site: its layout, its links, and what is said when it cannot be made. Nothing is downloaded."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest

import pentad
from pentad.game import GameError, names
from pentad.kernels.backends import sources_hash
from pentad.terminal import command_line
from pentad.web.instant import drawings, engines
from pentad.web.site import build as building
from pentad.web.site import pyodide, trial
from pentad.web.site.browser.worker import files_for
from pentad.web.site.build import COMPRESSED, LATER, MARKER, archive, build, package_files, packed_files
from release import library_builder as maker
from tests.waiting import wait_until

PAGES = (
    "index.html",
    *(f"{name}/index.html" for name in ("play", "games", "analyse", "review", "puzzles", "learn", "models")),
)
LIBRARY = "pente.engine.search_kernels.wasm32.so"
Tree = dict[str, bytes]


def package(**more: bytes) -> bytes:
    """A package like Pyodide's, with small files."""
    library = io.BytesIO()
    with zipfile.ZipFile(library, "w") as archive:
        for name in ("json/__init__.py", "idlelib/run.py", "encodings/utf_8.py", "encodings/big5.py"):
            archive.writestr(name, f"# {name}\n")
    files = {
        "pyodide.mjs": b"export const loadPyodide = null;\n",
        "pyodide-lock.json": json.dumps({"info": {"version": "1"}, "packages": {"numpy": {}}}).encode(),
        "pyodide.asm.mjs": b"export default null;\n",
        "pyodide.asm.wasm": b"\0asm",
        "python_stdlib.zip": library.getvalue(),
        **more,
    }
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(f"package/{name}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def digest_of(data: bytes) -> str:
    import base64

    return f"sha512-{base64.b64encode(hashlib.sha512(data).digest()).decode()}"


@pytest.fixture
def pyodide_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package of a small Pyodide, which counts as the right one; the user's own is not seen."""
    monkeypatch.setenv("PENTAD_HOME", str(tmp_path / "home"))
    file = tmp_path / "pyodide.tgz"
    file.write_bytes(package())
    monkeypatch.setattr(pyodide, "INTEGRITY", digest_of(file.read_bytes()))
    return file


@pytest.fixture
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of libraries that fits the sources, as a wheel has it; no game has a module that plays at once."""
    folder = tmp_path / "libraries"
    write_libraries(folder)
    monkeypatch.setattr(engines, "OF_WHEEL", folder)
    monkeypatch.setattr(drawings, "covered", list[str])
    return folder


def write_libraries(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {"sources": sources_hash(), "modules": {}, "libraries": {LIBRARY: "hash"}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / LIBRARY).write_bytes(b"a library")


Make = Callable[..., Tree]


@pytest.fixture
def make(tmp_path: Path, pyodide_file: Path, libraries: Path) -> Make:
    """Builds a site and returns its files."""

    def build_here(name: str = "site", **more: str) -> Tree:
        build(tmp_path / name, pyodide_package=pyodide_file, **more)
        return tree(tmp_path / name)

    return build_here


def tree(folder: Path) -> Tree:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_layout_of_the_folder(make: Make) -> None:
    files = make()
    plain = {name for name in files if not name.endswith(".gz")}
    top = {name for name in plain if "/" not in name}
    assert top == {"index.html", "worker.js", "embed.js", "python.js", MARKER}
    assert {name.partition("/")[0] for name in plain - top} == {
        "embed",
        "play",
        "games",
        "analyse",
        "review",
        "puzzles",
        "learn",
        "models",
        "static",
        "python",
    }
    assert set(PAGES) <= plain
    (place,) = {name.split("/")[1] for name in plain if name.startswith("static/")}
    for name in (
        "server.js",
        "addresses.js",
        "instant/relay.js",
        "instant/room.js",
        "instant/worker.js",
        "style.css",
        "dom.js",
        "play/page.js",
        "python/python.js",
        "python/pyodide.mjs",
        "python/version.js",
    ):
        assert f"static/{place}/{name}" in plain
    assert f"static/{place}/worker.js" not in plain
    assert files["python.js"].decode() == f'import "./static/{place}/python/python.js";\n'
    for name in plain:  # the folders of Python's files have their hashes as names
        if name.startswith("python/"):
            assert name.split("/")[1] == hashlib.sha256(files[name]).hexdigest()[:16]
    python = {name.split("/", 2)[2] for name in plain if name.startswith("python/")}
    assert {"pentad.zip", "python_stdlib.zip", "pyodide.asm.wasm", f"kernels/prebuilt/{LIBRARY}"} <= python


def test_the_package_for_browsers_reads_gxl(tmp_path: Path) -> None:
    """With the standard library of a page and no more."""
    with zipfile.ZipFile(io.BytesIO(archive(packed_files({"modules": {}, "libraries": {}})))) as packed:
        packed.extractall(tmp_path)
    program = f"""
import sys
sys.modules |= dict.fromkeys({sorted(pyodide.ABSENT)!r})
sys.path.insert(0, {str(tmp_path)!r})
from pentad.grammar import explore
from pentad.grammar.grammar import from_files, to_files
from pentad.grammar.models import new
files = to_files(new("tictactoe", rows=2, cols=2, line=2))
assert files["start.gst"].startswith(b"<?xml")
print(explore(from_files("small", files), engine="general").states)
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("7\n", "")


@pytest.mark.slow
def test_every_file_has_a_compressed_copy_of_itself(make: Make) -> None:
    files = make()
    for name, data in files.items():
        if name.endswith(".gz"):
            assert gzip.decompress(data) == files[name.removesuffix(".gz")]
            assert data[4:8] == bytes(4)  # the header has no time
        elif name.startswith("python/") or name.endswith(COMPRESSED):
            assert f"{name}.gz" in files, name


def test_nothing_is_offered_that_needs_a_server(make: Make) -> None:
    files = make()
    for name in ("index.html", "games/index.html"):
        shown = re.sub(r"<(\w+)[^>]* data-friends[^>]*>.*?</\1>", "", files[name].decode(), flags=re.DOTALL)
        assert re.findall(r"\ba friend|a stranger|to join", shown) == [], name


class Links(HTMLParser):
    """The addresses in a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src", "action") and value]


@pytest.mark.slow
def test_all_addresses_are_relative_and_lead_to_files(make: Make) -> None:
    files = make()
    base = "http://host/some/folder/"
    for page in PAGES:
        address = urljoin(base, page.removesuffix("index.html"))
        links = [each for each in Links(files[page].decode()).found if not each.startswith(("#", "data:"))]
        assert len(links) > 8
        for link in links:
            assert not link.startswith("/"), (page, link)
            found = urldefrag(urljoin(address, link)).url
            if not found.startswith(base):
                assert link.startswith("https://"), (page, link)
                continue
            name = found.removeprefix(base).partition("?")[0]
            assert (f"{name}index.html" if name.endswith("/") or not name else name) in files, (page, link)
    (manifest,) = (name for name in files if name.endswith("manifest.webmanifest"))
    app = json.loads(files[manifest])
    assert urljoin(f"{base}{manifest}", app["start_url"]) == base
    assert urljoin(f"{base}{manifest}", app["scope"]) == base
    for icon in app["icons"]:
        assert urljoin(f"{base}{manifest}", icon["src"]).removeprefix(base) in files


@pytest.mark.slow
def test_styles_and_scripts_name_only_files_of_the_site(make: Make) -> None:
    files = make()
    for name, data in files.items():
        if not name.startswith("static/") or not name.endswith((".js", ".css")):
            continue
        found = re.findall(r'(?:\bfrom |\bimport\(|^import )"([^"]+)"|url\("?([^")]+)"?\)', data.decode())
        for link in (script or style for script, style in found):
            if link.startswith(("data:", "#")) or link.endswith(".d.ts"):
                continue
            assert link.startswith(".") or name.endswith(".css"), (name, link)
            assert urljoin(name, link) in files, (name, link)


@pytest.mark.slow
def test_the_service_worker_keeps_all_pages_and_their_files(make: Make) -> None:
    files = make()
    worker = files["worker.js"].decode()
    kept = json.loads(re.search(r"^const FILES = (\[.*?\]);", worker, re.DOTALL | re.MULTILINE)[1])  # type: ignore[index]
    python = json.loads(re.search(r"^const PYTHON = (\[.*?\]);", worker, re.DOTALL | re.MULTILINE)[1])  # type: ignore[index]
    wanted = {name for name in files if name.startswith("static/") and not name.endswith((".gz", "preview.png"))}
    assert {name for name in kept if name.startswith("static/")} == wanted
    assert {name for name in kept if not name.startswith("static/")} == {
        "./",
        "play/",
        "games/",
        "analyse/",
        "review/",
        "puzzles/",
        "learn/",
        "models/",
        "embed/",
        "embed.js",
    }
    assert set(python) == {name for name in files if name.startswith("python/") and not name.endswith(".gz")}


@pytest.mark.slow
def test_python_gets_what_pages_need_and_no_more(make: Make) -> None:
    files = make()
    (packed,) = (data for name, data in files.items() if name.endswith("/pentad.zip"))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = set(archive.namelist())
        manifest = json.loads(archive.read("pentad/kernels/prebuilt/manifest.json"))
    assert {"pentad/web/site/browser/server.py", "pentad/web/service/play.py"} <= names
    kernels = [name for name in names if name.endswith("kernels.py")]
    logic = ("bisimulation", "fixpoint", "statistics")  # small systems are examined in Python
    of_small_systems = ("game_kernels", *(f"logic/{name}_kernels" for name in logic))
    assert sorted(kernels) == [f"pentad/grammar/{name}.py" for name in of_small_systems]
    assert not [name for name in names if name.startswith("pentad/terminal/")]
    assert manifest["libraries"] == {LIBRARY: "hash"}
    (library,) = (data for name, data in files.items() if name.endswith("/python_stdlib.zip"))
    with zipfile.ZipFile(io.BytesIO(library)) as archive:
        assert set(archive.namelist()) == {"json/__init__.py", "encodings/utf_8.py"}


@pytest.mark.slow
def test_two_builds_are_equal_and_another_server_is_another_version(make: Make) -> None:
    first = make("one")
    assert make("two") == first
    other = make("three", friends_server="https://friends.example")
    places = [{name.split("/")[1] for name in each if name.startswith("static/")} for each in (first, other)]
    assert places[0] != places[1]
    assert of_python(other) == of_python(first)


def of_python(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Python's files; the answers that are always the same name the server."""
    return {name: data for name, data in files.items() if name.startswith("python/") and "/answers.json" not in name}


@pytest.mark.slow
@pytest.mark.parametrize("url", ["https://example.org/games", "https://example.org/games/"])
def test_previews_of_links_have_whole_addresses_if_the_address_of_the_site_is_known(make: Make, url: str) -> None:
    def properties(name: str) -> dict[str, str]:
        return dict(re.findall(r'<meta property="(og:[a-z]+)" content="([^"]*)">', files[name].decode()))

    files = make(url=url)
    (picture,) = (name for name in files if re.fullmatch(r"static/\w+/preview\.png", name))
    for page, folder in (("index.html", ""), ("puzzles/index.html", "puzzles/")):
        tags = properties(page)
        assert tags["og:url"] == f"https://example.org/games/{folder}"
        assert tags["og:image"] == f"https://example.org/games/{picture}"
    files = make()
    assert properties("puzzles/index.html")["og:image"] == f"../{picture}"
    assert "og:url" not in properties("puzzles/index.html")


@pytest.mark.slow
def test_a_site_is_built_again_in_its_place(make: Make, tmp_path: Path) -> None:
    first = make()
    (tmp_path / "site" / "static" / "old").mkdir()
    (tmp_path / "site" / "static" / "old" / "file.js").write_text("old", encoding="utf-8")
    (tmp_path / "site" / "CNAME").write_text("pentad.example\n", encoding="utf-8")  # the host keeps this file there
    again = make()
    assert again.pop("CNAME") == b"pentad.example\n"
    assert again == first


@pytest.mark.slow
def test_an_interrupted_build_can_be_repeated(make: Make, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / MARKER).write_text("pentad\n", encoding="utf-8")
    (tmp_path / "site" / "index.html").write_text("half", encoding="utf-8")
    assert b"</html>" in make()["index.html"]


# ── failures ─────────────────────────────────────────────────────────────────────────────────────


def run(capsys: pytest.CaptureFixture[str], *args: str | Path) -> tuple[int, str, str]:
    """The exit code and the output of `pentad site`."""
    code = command_line.main(["site", *map(str, args)])
    return code, *capsys.readouterr()


def error(capsys: pytest.CaptureFixture[str], *args: str | Path) -> str:
    """The one line of a failed command."""
    code, out, line = run(capsys, *args)
    assert (code, out, line.count("\n")) == (2, "", 1)
    return line


def test_the_command(make: Make, pyodide_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, line = run(capsys, tmp_path / "new" / "site", "--pyodide", pyodide_file)
    assert (code, line) == (0, "")
    assert re.search(
        r"new/site: \d+ files, \d+\.\d MB\. Try it with:\n  python3 -m http\.server --directory .*new/site\n$", out
    )
    assert (tmp_path / "new" / "site" / "index.html").exists()


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, line = run(capsys, "--help")
    assert (code, line) == (0, "")
    for word in ("DIR", "--url URL", "--server URL", "--pyodide FILE", "python3 -m http.server"):
        assert word in out


@pytest.mark.parametrize(
    "url", ["example.org", "ftp://example.org/", "https://", "https://example.org/?a=1", "https://[/"]
)
def test_an_address_that_is_none(make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str) -> None:
    line = error(capsys, tmp_path / "site", "--url", url)
    assert line == f"pentad: Expected the address of a site, such as https://example.org/pentad/, got {url}.\n"
    assert not (tmp_path / "site").exists()


def test_a_foreign_folder_stays_as_it_is(
    make: Make, pyodide_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("long work", encoding="utf-8")
    assert "foreign is not empty, and has no site of pentad." in error(capsys, foreign, "--pyodide", pyodide_file)
    assert tree(foreign) == {"thesis.tex": b"long work"}


@pytest.mark.slow
def test_a_file_in_the_place_of_the_folder(
    make: Make, pyodide_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("text", encoding="utf-8")
    assert "file" in error(capsys, tmp_path / "file", "--pyodide", pyodide_file)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "text"


def test_another_package_of_pyodide(make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.tgz"
    other.write_bytes(package(more=b"more"))
    assert f"{other} is not the package pyodide {pyodide.VERSION}." in error(
        capsys, tmp_path / "site", "--pyodide", other
    )
    missing = tmp_path / "missing.tgz"
    assert str(missing) in error(capsys, tmp_path / "site", "--pyodide", missing)
    assert not (tmp_path / "site").exists()


def test_without_npm(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    line = error(capsys, tmp_path / "site")
    assert "Install npm, which downloads it, or give its package with --pyodide FILE." in line


def npm(monkeypatch: pytest.MonkeyPatch, data: bytes | None, said: str = "") -> list[list[str]]:
    """An npm that leaves a file, or fails; the list of its calls."""
    calls: list[list[str]] = []

    def pack(command: list[str], *, cwd: str, **how: object) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        if data is not None:
            Path(cwd, pyodide.ARCHIVE).write_bytes(data)
        return subprocess.CompletedProcess(command, 0 if data is not None else 1, "", said)

    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(pyodide.subprocess, "run", pack)  # type: ignore[attr-defined]
    return calls


def test_npm_fails(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    npm(monkeypatch, None, "npm error code E404\nnpm error network\n")
    assert f"npm cannot download Pyodide {pyodide.VERSION}: npm error network" in error(capsys, tmp_path / "site")
    npm(monkeypatch, None)
    assert "npm cannot download Pyodide" in error(capsys, tmp_path / "site")


def test_npm_gives_another_package(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    npm(monkeypatch, b"another")
    assert "The downloaded package pyodide" in error(capsys, tmp_path / "site")
    assert not list((tmp_path / "home").rglob("*.tgz"))


def test_the_download_is_kept_for_the_next_time(
    make: Make, pyodide_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = npm(monkeypatch, pyodide_file.read_bytes())
    first, second = pyodide.files(), pyodide.files()
    assert first == second
    assert [call[1:3] for call in calls] == [["pack", f"pyodide@{pyodide.VERSION}"]]
    (kept,) = (tmp_path / "home").rglob("*.tgz")
    kept.write_bytes(b"damaged")
    assert pyodide.files() == first
    assert len(calls) == 2


# ── the package and the engines ──────────────────────────────────────────────────────────────────


def test_a_new_file_of_the_package_is_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "PACKAGE", tmp_path)
    for name in (
        "games/pente/engine/net.new",
        "grammar/models/LICENSE",
        "terminal/help.new",
        "games/pente/__pycache__/rules.pyc",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"data")
    assert set(package_files()) == {"games/pente/engine/net.new", "grammar/models/LICENSE"}


def test_later_files_are_brought_for_a_job_of_their_game() -> None:
    later = [name for name in package_files() if building._is_one_of(name, LATER)]
    assert all(any(fnmatchcase(name, each) for name in later) for each in LATER)
    brought = [name for game in names() for name in files_for({"position": pentad.new(game).text}, later, "wasm32")]
    assert sorted(brought) == sorted(later)


def test_a_package_without_a_file_that_it_opens_is_refused(
    make: Make, pyodide_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(building, "LEFT_OUT", (*building.LEFT_OUT, "*.npz"))
    line = error(capsys, tmp_path / "site", "--pyodide", pyodide_file)
    assert "not whole: it opens games/pentagame/engine/weights.npz, which it lacks." in line
    assert not (tmp_path / "site").exists()


def test_what_a_package_lacks() -> None:
    files = packed_files({"modules": {}, "libraries": {}})
    lines = trial.lacking(archive(files | {"pentad/kernels/buffers.py": b"import numpy\n"}), building.PACKAGE)
    assert "pentad.kernels.buffers fails: ModuleNotFoundError: No module named 'numpy'" in lines
    lines = trial.lacking(
        archive(files | {"pentad/kernels/buffers.py": b"import statistics\n"}), building.PACKAGE, pyodide.ABSENT
    )
    assert "pentad.kernels.buffers fails: ModuleNotFoundError: Python in a page has no statistics." in lines
    assert trial.lacking(archive(files), building.PACKAGE, pyodide.ABSENT) == ()
    ended = trial.lacking(archive(files | {"pentad/__init__.py": b"import os\nos._exit(3)\n"}), building.PACKAGE)
    assert ended == ("its start ended with exit code 3: ",)


# ── the engines ──────────────────────────────────────────────────────────────────────────────────


def test_engines_of_other_sources_and_half_ones_are_not_used(libraries: Path) -> None:
    assert engines.folder() == libraries
    manifest = libraries / engines.MANIFEST
    current = manifest.read_bytes()
    manifest.write_text(json.dumps({**json.loads(current), "sources": "old"}), encoding="utf-8")
    assert not engines.is_whole(libraries)
    manifest.write_bytes(current[:20])
    assert not engines.is_whole(libraries)
    manifest.write_bytes(current)
    assert engines.is_whole(libraries)
    (libraries / LIBRARY).unlink()
    assert not engines.is_whole(libraries)


@pytest.fixture
def no_engines(libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No engines for browsers in the package, and none in the cache."""
    shutil.rmtree(libraries)
    monkeypatch.setattr(engines.cache, "folder", lambda: tmp_path / "kernels")
    return tmp_path / "kernels" / engines.IN_CACHE


def test_an_installation_without_engines(
    make: Make,
    no_engines: Path,
    pyodide_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(engines, "CHECKOUT", tmp_path)
    line = error(capsys, tmp_path / "s", "--pyodide", pyodide_file)
    assert line == "pentad: The engines for browsers are missing from this installation of pentad. Wheels have them.\n"
    assert not (tmp_path / "s").exists()


def test_a_checkout_without_what_compiles_engines(
    make: Make,
    no_engines: Path,
    pyodide_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    line = error(capsys, tmp_path / "s", "--pyodide", pyodide_file)
    launcher = Path(building.__file__).parents[4] / "pentad"
    assert launcher.exists()
    assert f"must be compiled first. Run {launcher} site DIR, which installs what that takes." in line
    assert not (tmp_path / "s").exists()


@pytest.mark.slow
def test_a_checkout_makes_engines_once_and_keeps_them(
    no_engines: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The real thing for a small table of kernels; the second run goes on where the first was stopped."""
    pytest.importorskip("ziglang")
    small, broken = "pentad.grammar.logic.fixpoint_kernels", "pentad.no_such_kernels"
    monkeypatch.setattr(maker, "modules", lambda: [small, broken])
    monkeypatch.setattr(maker, "instant_modules", list)
    with pytest.raises(GameError, match=f"^{broken} cannot be compiled: "):
        engines.folder()
    wait_until((no_engines / f"{small}.json").exists, "the first table")
    kept = {path: path.stat().st_mtime_ns for path in no_engines.iterdir() if small in path.name}
    monkeypatch.setattr(maker, "modules", lambda: [small])
    assert engines.folder() == no_engines
    assert engines.folder() == no_engines
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert capfd.readouterr().out.endswith(f"Compiling the engines for browsers, only once …\n100% {small}\n")
    manifest = json.loads((no_engines / engines.MANIFEST).read_bytes())
    assert set(manifest["libraries"]) == {
        f"grammar.logic.fixpoint_kernels.{level}.so" for level in ("wasm32", "wasm32-simd")
    }

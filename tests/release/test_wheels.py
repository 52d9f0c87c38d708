"""Wheels with machine code: their files and bytes, and what does not become a wheel."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pentad.kernels import backends, cache, processors
from pentad.web.instant import engines
from release import board_package, checks, library_builder, sbom, wheels
from release.__main__ import main
from release.platforms import PLATFORMS, TARGETS
from release.tools import ReleaseError, run
from tests.web.site.kept_site import check_tools

SOURCE = b"NATIVE = {}\n"
PURE = {
    "pentad/__init__.py": b"",
    "pentad/games/pente/some_kernels.py": SOURCE,
    "pentad-1.0.dist-info/METADATA": b"Name: pentad\n",
    "pentad-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}
PREBUILT = wheels.PREBUILT
TAG = f"py3-none-{PLATFORMS['linux-x86_64'].tag}"


def made(sources: str | None = None) -> dict[str, bytes]:
    """Libraries with their manifest, of the sources in `PURE`."""
    library = b"machine code"
    manifest = {
        "sources": sources or backends.sources_hash_of({"games/pente/some_kernels.py": SOURCE}),
        "modules": {"pentad.games.pente.some_kernels": {}},
        "libraries": {"games.pente.some_kernels.x86-64-v2.so": hashlib.sha256(library).hexdigest()},
    }
    return {"games.pente.some_kernels.x86-64-v2.so": library, "manifest.json": json.dumps(manifest).encode()}


def platform_wheel() -> dict[str, bytes]:
    return wheels.tagged(wheels.with_libraries(PURE, made(), PREBUILT), TAG)


def test_a_wheel_has_its_libraries_tags_and_record(tmp_path):
    path = tmp_path / "a.whl"
    wheels.write(path, platform_wheel())
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert files["pentad/kernels/prebuilt/games.pente.some_kernels.x86-64-v2.so"] == b"machine code"
    assert files["pentad-1.0.dist-info/WHEEL"].decode().splitlines() == [
        "Wheel-Version: 1.0",
        "Root-Is-Purelib: false",
        "Tag: py3-none-manylinux2014_x86_64",
        "Tag: py3-none-manylinux_2_17_x86_64",
        "Tag: py3-none-musllinux_1_1_x86_64",
    ]
    rows = {name: size for name, _, size in csv.reader(io.StringIO(files["pentad-1.0.dist-info/RECORD"].decode()))}
    sizes = {name: str(len(data)) for name, data in files.items()}
    assert rows == sizes | {"pentad-1.0.dist-info/RECORD": ""}
    assert files["pentad-1.0.dist-info/METADATA"] == PURE["pentad-1.0.dist-info/METADATA"]  # equal in all wheels


def test_the_same_files_give_the_same_bytes(tmp_path):
    files = platform_wheel()
    for name, order in (("a", files), ("b", dict(reversed(files.items())))):
        wheels.write(tmp_path / name, order)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_libraries_of_other_sources_do_not_become_a_wheel():
    with pytest.raises(ReleaseError, match=r"sources 0123, the wheel has [0-9a-f]+\.$"):
        wheels.with_libraries(PURE, made("0123"), PREBUILT)
    changed = PURE | {"pentad/games/pente/some_kernels.py": SOURCE + b"\n"}
    with pytest.raises(ReleaseError, match="the wheel has"):
        wheels.with_libraries(changed, made(), PREBUILT)
    with pytest.raises(ReleaseError, match="changed after linking"):
        wheels.with_libraries(PURE, made() | {"games.pente.some_kernels.x86-64-v2.so": b"other"}, PREBUILT)
    manifest = json.loads(made()["manifest.json"]) | {"libraries": {}}
    with pytest.raises(ReleaseError, match=r"No library .* pentad\.games\.pente\.some_kernels\.$"):
        wheels.with_libraries(PURE, {"manifest.json": json.dumps(manifest).encode()}, PREBUILT)


def test_all_sources_of_kernels_count():
    package = {each.relative_to(backends.PACKAGE).as_posix(): each.read_bytes() for each in backends.sources()}
    assert backends.sources_hash_of(package | {"games/pente/rules.py": b"another"}) == backends.sources_hash()
    assert {"kernels/program.py", "games/pente/board.py", "games/pente/engine/constants.py"} < set(package)
    for name in package:
        assert backends.sources_hash_of(package | {name: package[name] + b"#"}) != backends.sources_hash()


def test_a_library_of_windows_has_no_time():
    data = bytearray(range(200))
    data[0x3C:0x40] = (0x80).to_bytes(4, "little")
    assert library_builder.without_time(bytes(data)) == bytes(data[:136]) + bytes(4) + bytes(data[140:])


def test_a_tool_that_fails_ends_the_release_with_its_last_line():
    program = "import sys; print('some\\nreason', file=sys.stderr); sys.exit(3)"
    with pytest.raises(ReleaseError, match=r"^It fails: reason$"):
        run("It fails", [sys.executable, "-c", program])
    with pytest.raises(ReleaseError, match=r"^It fails: there is no message$"):
        run("It fails", [sys.executable, "-c", "import sys; sys.exit(3)"])


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("CITATION.cff", "version: 9.9\n", "CITATION.cff does not name version 1.2."),
        ("CITATION.cff", "version: 1.2\ndate-released: 2026-01-02\n", "date-released: 2026-01-01"),
        ("CHANGELOG.md", "## 1.2 (unreleased)\n", "CHANGELOG.md needs the heading"),
        ("CHANGELOG.md", "## 1.1 (2026-01-01)\n", "CHANGELOG.md needs the heading"),
        ("CHANGELOG.md", "## 1.2 (2026-13-01)\n", "CHANGELOG.md needs the heading"),
    ],
)
def test_every_file_names_the_version(tmp_path, monkeypatch, file, text, message):
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    (tmp_path / "src/pentad/system").mkdir(parents=True)
    good = {
        "src/pentad/system/version.py": '__version__ = "1.2"\n',
        "CITATION.cff": "version: 1.2\ndate-released: 2026-01-01\n",
        "CHANGELOG.md": "# Changelog\n\n## 1.2 (2026-01-01)\n\n## 1.1 (2025-01-01)\n",
    }
    for name, content in good.items():
        (tmp_path / name).write_text(content)
    assert (checks.version(), checks.date()) == ("1.2", "2026-01-01")
    (tmp_path / file).write_text(text)
    with pytest.raises(ReleaseError, match=message.replace(".", r"\.")):
        checks.version()


@pytest.mark.parametrize(("address", "is_refused"), [("https://a.example/b", True), ("https://a.org/b", False)])
@pytest.mark.parametrize("name", ["Source", "Documentation"])
def test_a_release_needs_the_addresses_of_the_project(tmp_path, monkeypatch, name, address, is_refused):
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    table = {"Source": "https://a.org", "Documentation": "https://b.org"} | {name: address}
    lines = [f'{name} = "{address}"' for name, address in table.items()]
    (tmp_path / "pyproject.toml").write_text("\n".join(["[project.urls]", *lines]), encoding="utf-8")
    with pytest.raises(ReleaseError, match="a placeholder") if is_refused else contextlib.nullcontext():
        checks.check_addresses()


def test_checksums_are_those_that_sha256sum_reads(tmp_path):
    files = [tmp_path / "b", tmp_path / "a"]
    for each in files:
        each.write_text(each.name)
    checks.write_checksums(files, tmp_path)
    done = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "a: OK\nb: OK\n"


def test_a_folder_that_cannot_be_written(tmp_path, capsys, monkeypatch):
    (tmp_path / "file").touch()
    assert main(["wheels", str(tmp_path / "file")]) == 1
    assert capsys.readouterr().err.startswith("pentad: ")
    monkeypatch.setattr(checks, "version", lambda: "1.2")
    for each in ("check_addresses", "check_sources"):
        monkeypatch.setattr(checks, each, lambda: None)
    assert main(["release", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"pentad: {tmp_path} is not empty.\n"


def test_a_release_has_a_bill_of_materials_and_checksums(tmp_path, monkeypatch, capsys):
    for each in ("check_addresses", "check_sources", "check_metadata"):
        monkeypatch.setattr(checks, each, lambda *_: None)
    monkeypatch.setattr(checks, "version", lambda: "1.2")
    monkeypatch.setattr(checks, "date", lambda: "2026-01-01")
    monkeypatch.setattr(checks, "try_installation", lambda path: "Python")
    monkeypatch.setattr(checks, "try_server", lambda wheel, environment: environment)

    def build(kind, folder):
        path = folder / "pentad-1.2.tar.gz"
        path.write_bytes(b"sources")
        return path

    def make(folder, names):
        path = folder / "pentad-1.2-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            for name in sbom.BUNDLED:
                archive.writestr(name, b"a font")
        return [path]

    def pack(folder):
        path = folder / "pentad-board-1.2.tgz"
        path.write_bytes(b"scripts")
        return path

    monkeypatch.setattr(wheels, "build", build)
    monkeypatch.setattr(wheels, "make", make)
    monkeypatch.setattr(board_package, "make", pack)
    assert main(["release", str(tmp_path / "files")]) == 0
    assert "pentad-1.2-py3-none-any.whl: installed as a server." in capsys.readouterr().out
    names = ["pentad-1.2-py3-none-any.whl", "pentad-1.2.cdx.json", "pentad-1.2.tar.gz", "pentad-board-1.2.tgz"]
    assert sorted(each.name for each in (tmp_path / "files").iterdir()) == ["SHA256SUMS", *names]
    sums = (tmp_path / "files" / "SHA256SUMS").read_text(encoding="utf-8")
    assert [line.partition("  ")[2] for line in sums.splitlines()] == names


@pytest.mark.parametrize("words", [[], ["wheels"], ["wheels", "x", "--only", "solaris"], ["no such command"]])
def test_bad_words(words, capsys):
    assert main(words) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("pentad: ")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The pure wheel and the wheel of this platform."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        pytest.skip("needs Linux on x86-64")
    return wheels.make(tmp_path_factory.mktemp("wheels"), ["linux-x86_64"])


@pytest.mark.slow
def test_a_wheel_built_twice_has_the_same_bytes(built, tmp_path):
    for one, other in zip(built, wheels.make(tmp_path, ["linux-x86_64"]), strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


@pytest.mark.slow
def test_a_wheel_plays_without_numba(built):
    checks.check_metadata(built)
    assert [checks.runs_here(each) for each in built] == [True, True]
    assert checks.try_installation(built[0]) == "Python, then as compiled kernels"
    assert checks.try_installation(built[1]) == "prebuilt machine code"
    with zipfile.ZipFile(built[1]) as archive:
        manifest = json.loads(archive.read("pentad/kernels/prebuilt/manifest.json"))
    assert sorted(manifest["modules"]) == sorted(cache.compiled_lines())
    assert manifest["sources"] == backends.sources_hash()


@pytest.mark.slow
def test_a_server_is_installed_from_the_lock_file_and_its_licenses_are_known(built, tmp_path):
    packages = checks.try_server(built[1], tmp_path / "server")
    bill = sbom.write(tmp_path, "0.1.0", "2026-12-01", built, packages)
    components = json.loads(bill.read_text(encoding="utf-8"))["components"]
    unlicensed = {each["name"] for each in components if "licenses" not in each}
    assert unlicensed <= {"resvg-py", "tzdata"}  # the first one states none, the other one is for Windows


@pytest.mark.slow
def test_the_pure_wheel_makes_a_site_with_the_engines_that_it_brings(tmp_path):
    pytest.importorskip("hatchling")
    check_tools()
    place = engines.folder()
    names = [engines.MANIFEST, *json.loads((place / engines.MANIFEST).read_bytes())["libraries"]]
    pure = wheels.read(wheels.build("wheel", tmp_path / "build"))
    made = {name: (place / name).read_bytes() for name in names}
    wheels.write(tmp_path / "a.whl", wheels.with_libraries(pure, made, wheels.OF_SITE))
    with zipfile.ZipFile(tmp_path / "a.whl") as archive:
        archive.extractall(tmp_path / "installed")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pentad", "site", tmp_path / "site"],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "installed"), "PENTAD_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Compiling" not in done.stdout
    assert {path.name for path in (tmp_path / "site").glob("python/*/kernels/prebuilt/*.so")} == set(names[1:])
    assert not list((tmp_path / "cache").rglob("*.so"))


SOLVED = """
import sys
sys.path.insert(0, sys.argv[1])
from pentad.kernels import processors
from pentad.games.pentago import from_number, solve
print(processors.this_level(), solve(from_number(4312211864716913874)).value)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processor", "level"), [("qemu64", "x86-64"), ("Nehalem", "x86-64-v2"), ("Haswell", "x86-64-v3")]
)
def test_an_old_processor_runs_the_code_of_its_level(built, tmp_path, processor, level):
    emulator = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")
    if emulator is None:
        pytest.skip("qemu-user is not installed")
    with zipfile.ZipFile(built[1]) as archive:
        archive.extractall(tmp_path)
    python = os.path.realpath(sys.executable)
    command = [emulator, "-cpu", processor, python, "-S", "-I", "-c", SOLVED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{level} 1\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TARGETS))
def test_symbols_are_read_back(tmp_path, name, monkeypatch):
    """A small table for each platform: it is linked, and what it lacks or needs is refused."""
    module = "training.pente.learn_kernels"
    monkeypatch.setattr(library_builder, "modules", lambda: [module])
    monkeypatch.setattr(library_builder, "instant_modules", list)
    platform = TARGETS[name]
    files = library_builder.make([name], tmp_path)[name]
    assert len(files) == 1 + len(platform.levels) + ("x86-64" in platform.levels)
    library = next(Path(tmp_path / name).glob(f"{processors.library_stem(module, '')}*.{platform.suffix}"))
    with pytest.raises(ReleaseError, match=f"{library.name} lacks no_such_kernel"):
        library_builder.check_symbols(library, platform, ["no_such_kernel"])
    broken = tmp_path / "broken.so"
    broken.write_bytes(library.read_bytes()[:100])
    with pytest.raises(ReleaseError):
        library_builder.check_symbols(broken, platform, ["no_such_kernel"])

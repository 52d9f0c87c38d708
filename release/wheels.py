"""Wheels: the pure one, and one for each platform, which brings the libraries of its kernels."""

from __future__ import annotations

import base64
import hashlib
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from pentad.kernels.backends import sources_hash_of
from release import library_builder
from release.platforms import BROWSER, PLATFORMS
from release.tools import PYTHON, run

ROOT = Path(__file__).resolve().parents[1]
PURE_TAG, PREBUILT = "py3-none-any", "pentad/kernels/prebuilt"
OF_SITE = "pentad/web/instant/libraries"  # those of the page without a server, in every wheel
OLDEST = (1980, 2, 2, 0, 0, 0)  # the time of every file in a wheel


def make(folder: Path, names: Sequence[str]) -> list[Path]:
    """Writes the pure wheel and the wheels of some platforms; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        pure = build("wheel", Path(place))
        made = library_builder.make([*names, BROWSER], Path(place))
        files = with_libraries(read(pure), made[BROWSER], OF_SITE)
        wheels = {pure.name: files}
        for name in names:
            tag = f"py3-none-{PLATFORMS[name].tag}"
            wheels[pure.name.replace(PURE_TAG, tag)] = tagged(with_libraries(files, made[name], PREBUILT), tag)
    for file_name, contents in wheels.items():
        write(folder / file_name, contents)
    return [folder / each for each in wheels]


def build(kind: str, folder: Path) -> Path:
    """Builds the pure wheel or the source distribution of this checkout in an empty folder."""
    folder = folder.resolve()
    run(f"The {kind} cannot be built", [*PYTHON, "hatchling", "build", "--target", kind, "--directory", folder], ROOT)
    (path,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return path


def read(path: Path) -> dict[str, bytes]:
    """The files of a wheel by their names, without its record."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


def with_libraries(files: Mapping[str, bytes], made: Mapping[str, bytes], folder: str) -> dict[str, bytes]:
    """The files of a wheel, with libraries in a folder; refuses those that were made from other sources."""
    package = {name.removeprefix("pentad/"): data for name, data in files.items() if name.startswith("pentad/")}
    library_builder.check_manifest(made, sources_hash_of(package))
    return dict(files) | {f"{folder}/{name}": data for name, data in made.items()}


def tagged(files: Mapping[str, bytes], tag: str) -> dict[str, bytes]:
    """The files of a platform's wheel."""
    (description,) = (name for name in files if name.endswith(".dist-info/WHEEL"))
    platforms = tag.removeprefix("py3-none-").split(".")
    tags = "".join(f"Tag: py3-none-{each}\n" for each in platforms)
    lines = files[description].decode().splitlines(keepends=True)
    kept = "".join(line for line in lines if not line.startswith(("Tag:", "Root-Is-Purelib:")))
    return dict(files) | {description: f"{kept}Root-Is-Purelib: false\n{tags}".encode()}


def write(path: Path, files: Mapping[str, bytes]) -> None:
    """Writes a wheel. The same files give the same bytes: they are sorted, and have no times."""
    (record,) = {f"{name.partition('/')[0]}/RECORD" for name in files if ".dist-info/" in name}
    rows = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in sorted(files.items())]
    draft = path.with_name(f".{path.name}.tmp")
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in [*sorted(files.items()), (record, "".join([*rows, f"{record},,\n"]).encode())]:
            info = zipfile.ZipInfo(name, OLDEST)
            info.external_attr, info.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    draft.replace(path)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")

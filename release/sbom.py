"""The bill of materials of a release, `pentad-VERSION.cdx.json`, in the format CycloneDX.

It names the files of the release, what they contain from others, and the packages that `deploy/requirements.txt`
installs. What only builds or tests pentad is not in it.
"""

from __future__ import annotations

import hashlib
import json
import uuid
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from release import lock
from release.lock import Pinned
from release.tools import ReleaseError

SPECIFICATION = "1.6"
PLACE_OF_IDS = uuid.UUID("7d6c1a0e-3c2b-4f57-9a0d-1f3f5f1b8e55")  # serial numbers are names in this namespace
Component = dict[str, Any]


class Bundled(NamedTuple):
    """A file of the wheels that others have made."""

    name: str
    version: str
    license: Mapping[str, str]  # by its SPDX identifier or by its name


OPEN_FONT = {"id": "OFL-1.1"}
BUNDLED = {
    "pentad/drawing/raster/DejaVuSans.ttf": Bundled("DejaVu Sans", "2.37", {"name": "DejaVu Fonts License"}),
    "pentad/drawing/raster/DejaVuSans-Bold.ttf": Bundled("DejaVu Sans Bold", "2.37", {"name": "DejaVu Fonts License"}),
    "pentad/web/static/fonts/fraunces.woff2": Bundled("Fraunces", "", OPEN_FONT),
    "pentad/web/static/fonts/inter.woff2": Bundled("Inter", "", OPEN_FONT),
}


def write(folder: Path, version: str, date: str, files: Sequence[Path], installed: Path) -> Path:
    """Writes the bill of a release with these files; `installed` has the packages that the lock file installs."""
    wheel = next(path for path in files if path.suffix == ".whl")
    with zipfile.ZipFile(wheel) as archive:
        bundled = {name: archive.read(name) for name in BUNDLED}
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}
    text = json.dumps(bill(version, date, hashes, bundled, lock.checked(), licenses(installed)), indent=2) + "\n"
    check(text)
    path = folder / f"pentad-{version}.cdx.json"
    path.write_text(text, encoding="utf-8")
    return path


def check(text: str) -> None:
    """Refuses a bill that is not in the format."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    if error := JsonStrictValidator(SchemaVersion.from_version(SPECIFICATION)).validate_str(text):
        raise ReleaseError(f"The bill of materials is not valid: {str(error).splitlines()[0]}")


def licenses(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The licenses of the packages in a folder, by their names."""
    found = dict[str, list[dict[str, Any]]]()
    for distribution in metadata.distributions(path=[str(folder)]):
        about = distribution.metadata
        name = str(about["Name"]).lower().replace("_", "-").replace(".", "-")
        classifiers = [each.rpartition(" :: ")[2] for each in about.get_all("Classifier") or () if "License" in each]
        line = about["License"].partition("\n")[0] if "License" in about else ""
        if "License-Expression" in about:
            found[name] = [{"expression": about["License-Expression"]}]
        elif named := classifiers or ([line] if line else []):
            found[name] = [{"license": {"name": each}} for each in named]
    return found


def bill(
    version: str,
    date: str,
    files: Mapping[str, str],
    bundled: Mapping[str, bytes],
    packages: Sequence[Pinned],
    known: Mapping[str, list[dict[str, Any]]],
) -> dict[str, Any]:
    """The bill of a release: its files by their hashes, those of others in them, and a server's packages."""
    pentad = _package("pentad", version)
    root = pentad | {
        "type": "application",
        "licenses": [{"license": {"id": "MIT"}}],
        "externalReferences": [_distribution(name, [code]) for name, code in files.items()],
    }
    fonts = [_font(path, data) for path, data in bundled.items()]
    libraries = [_library(each, known.get(each.name)) for each in packages]
    found = {
        "$schema": f"http://cyclonedx.org/schema/bom-{SPECIFICATION}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": SPECIFICATION,
        "version": 1,
        "metadata": {"timestamp": f"{date}T00:00:00Z", "component": root},
        "components": [*fonts, *libraries],
        "dependencies": _dependencies(pentad["bom-ref"], fonts, packages),
    }
    return {"serialNumber": uuid.uuid5(PLACE_OF_IDS, json.dumps(found)).urn} | found


def _package(name: str, version: str) -> Component:
    address = f"pkg:pypi/{name}@{version}"
    return {"bom-ref": address, "name": name, "version": version, "purl": address}


def _library(package: Pinned, known: list[dict[str, Any]] | None) -> Component:
    """A package of a server. It is optional, since pentad without extras needs none."""
    found = _package(package.name, package.version) | {"type": "library", "scope": "optional"}
    found["externalReferences"] = [_distribution(found["purl"], package.hashes)]
    return found | ({"licenses": known} if known else {})


def _font(path: str, data: bytes) -> Component:
    about = BUNDLED[path]
    return {
        "bom-ref": f"file:{path}",
        "type": "file",
        "name": about.name,
        **({"version": about.version} if about.version else {}),
        "licenses": [{"license": dict(about.license)}],
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()}],
        "properties": [{"name": "path", "value": path}],
    }


def _distribution(url: str, hashes: Iterable[str]) -> dict[str, Any]:
    return {"type": "distribution", "url": url, "hashes": [{"alg": "SHA-256", "content": each} for each in hashes]}


def _dependencies(root: str, fonts: Sequence[Component], packages: Sequence[Pinned]) -> list[dict[str, Any]]:
    """What each component needs, from the lock file's comments."""
    needs: dict[str, list[str]] = {root: [each["bom-ref"] for each in fonts]}
    needs |= {each["bom-ref"]: [] for each in fonts}
    references = {each.name: _package(each.name, each.version)["bom-ref"] for each in packages}
    needs |= {each: [] for each in references.values()}
    for package in packages:
        for name in package.needed_by:
            needs[root if name.startswith("pentad ") else references[name]].append(references[package.name])
    return [{"ref": each, "dependsOn": sorted(of)} for each, of in needs.items()]

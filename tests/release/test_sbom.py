"""The bill of materials of a release: its components, their hashes, and what needs what."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from release import lock, sbom
from release.lock import Pinned
from release.tools import ReleaseError
from tests.cases import together

SOURCE = lock.ROOT / "src"
CODE = "0123456789abcdef" * 4
PACKAGES = [
    Pinned("psycopg", "3.2", "", (CODE,), ("pentad (pyproject.toml)",)),
    Pinned("psycopg-binary", "3.2", "implementation_name != 'pypy'", (CODE, CODE[::-1]), ("psycopg",)),
]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A release: a wheel with nothing but the files of others, a source distribution, and the bill."""
    wheel, sources = tmp_path / "pentad-0.1.0-py3-none-any.whl", tmp_path / "pentad-0.1.0.tar.gz"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in sbom.BUNDLED:
            archive.write(SOURCE / name, name)
    sources.write_bytes(b"sources")
    about = tmp_path / "installed" / "Starlette-1.dist-info" / "METADATA"
    about.parent.mkdir(parents=True)
    about.write_text("Name: Starlette\nVersion: 1\nLicense-Expression: BSD-3-Clause\n", encoding="utf-8")
    return sbom.write(tmp_path, "0.1.0", "2026-12-01", [wheel, sources], tmp_path / "installed")


def test_a_bill_is_valid_and_has_the_fields_that_every_bill_needs(written):
    assert written.name == "pentad-0.1.0.cdx.json"  # the name that CycloneDX recommends
    found = json.loads(written.read_text(encoding="utf-8"))
    assert (found["bomFormat"], found["specVersion"], found["version"]) == ("CycloneDX", "1.6", 1)
    assert uuid.UUID(found["serialNumber"])
    assert datetime.fromisoformat(found["metadata"]["timestamp"])
    components = [found["metadata"]["component"], *found["components"]]
    for each in components:
        assert {"type", "name", "bom-ref"} <= set(each)
        assert each["licenses"] or each["type"] == "library" if "licenses" in each else each["type"] == "library"
    references = [each["bom-ref"] for each in components]
    assert len(set(references)) == len(references)
    assert [each["ref"] for each in found["dependencies"]] == references
    assert {each for entry in found["dependencies"] for each in entry["dependsOn"]} == set(references[1:])


def test_it_has_the_hashes_of_the_release_and_of_what_is_in_it(written):
    found = json.loads(written.read_text(encoding="utf-8"))
    for each in found["metadata"]["component"]["externalReferences"]:
        assert each["hashes"] == [{"alg": "SHA-256", "content": digest(written.parent / each["url"])}]
    fonts = [each for each in found["components"] if each["type"] == "file"]
    assert [each["properties"][0]["value"] for each in fonts] == [*sbom.BUNDLED]
    for each in fonts:
        assert each["hashes"][0]["content"] == digest(SOURCE / each["properties"][0]["value"])
    libraries = {each["name"]: each for each in found["components"] if each["type"] == "library"}
    for package in lock.checked():
        library = libraries.pop(package.name)
        assert library["version"] == package.version
        assert library["purl"] == f"pkg:pypi/{package.name}@{package.version}"
        assert [each["content"] for each in library["externalReferences"][0]["hashes"]] == [*package.hashes]
        assert library.get("licenses") == ([{"expression": "BSD-3-Clause"}] if package.name == "starlette" else None)
    assert not libraries


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_needs_are_those_of_the_lock_file():
    found = sbom.bill("0.1.0", "2026-12-01", {}, {}, PACKAGES, {})
    needs = {each["ref"]: each["dependsOn"] for each in found["dependencies"]}
    psycopg, binary = "pkg:pypi/psycopg@3.2", "pkg:pypi/psycopg-binary@3.2"
    assert needs == {"pkg:pypi/pentad@0.1.0": [psycopg], psycopg: [binary], binary: []}


def test_the_same_release_has_the_same_bill():
    one, same, other = (sbom.bill(each, "2026-12-01", {}, {}, PACKAGES, {}) for each in ("0.1.0", "0.1.0", "0.2.0"))
    assert one == same
    assert one["serialNumber"] != other["serialNumber"]


@together(
    ("old", "new"),
    [
        ('"type": "library"', '"type": "thing"'),
        ('"bomFormat": "CycloneDX"', '"bomFormat": "cyclone"'),
        (CODE, "0"),
        ('"version": 1', '"version": 0'),
        ('"dependencies"', '"needs"'),
        (":00:00Z", ""),
    ],
)
def test_a_bill_that_is_not_valid_is_refused_in_a_line(old, new):
    text = json.dumps(sbom.bill("0.1.0", "2026-12-01", {}, {}, PACKAGES, {}))
    sbom.check(text)
    assert old in text
    with pytest.raises(ReleaseError, match=r"^The bill of materials is not valid: ") as error:
        sbom.check(text.replace(old, new))
    assert len(str(error.value).splitlines()) == 1


def test_everything_in_the_package_that_others_have_made_is_listed():
    """Fonts and compiled code are always somebody's, and so is what lies beside a license."""
    made_by_others = {
        path for path in SOURCE.rglob("*") if re.search(r"\.(ttf|otf|woff2?|wasm|so|dll|jar)$", path.name)
    }
    assert {path.relative_to(SOURCE).as_posix() for path in made_by_others} == set(sbom.BUNDLED)
    licensed = {path.parent for path in SOURCE.rglob("*") if re.match(r"(?i)licen[cs]e|copying|notice", path.name)}
    assert licensed == {path.parent for path in made_by_others}


def test_licenses_are_expressions_or_names(tmp_path):
    texts = {
        "a_b": "License-Expression: MIT",
        "c": "Classifier: License :: OSI Approved :: BSD License\nLicense: a long text",
        "d": "License: Apache-2.0\n        and a long text",
        "e": "License: \nSummary: nothing",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}-1.dist-info").mkdir()
        (tmp_path / f"{name}-1.dist-info" / "METADATA").write_text(f"Name: {name}\nVersion: 1\n{text}\n")
    assert sbom.licenses(tmp_path) == {
        "a-b": [{"expression": "MIT"}],
        "c": [{"license": {"name": "BSD License"}}],
        "d": [{"license": {"name": "Apache-2.0"}}],
    }

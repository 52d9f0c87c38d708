"""Known vulnerabilities of what a server is installed with: the packages of `deploy/requirements.txt`.

`python -m release.audit` asks PyPI by pip-audit, or with `--osv URL` a service with OSV's interface. The exit code is 0
if no vulnerability is known, 1 if one is, and 2 if a package could not be looked up.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from release import lock
from release.lock import Pinned
from release.tools import PYTHON, ReleaseError

SECONDS_TO_ANSWER = 15


class Finding(NamedTuple):
    """What a service says of a package."""

    package: str
    vulnerabilities: tuple[str, ...]
    is_known: bool  # to the service


def audit(packages: Sequence[Pinned], osv: str = "") -> list[Finding]:
    """Looks the packages up; raises ReleaseError if the service does not answer."""
    with tempfile.TemporaryDirectory() as place:
        requirements = Path(place, "requirements.txt")
        # Markers are left out: packages for other systems are looked up, too.
        requirements.write_text("".join(f"{each.name}=={each.version}\n" for each in packages), encoding="utf-8")
        command = [
            *(*PYTHON, "pip_audit", "--requirement", requirements, "--no-deps", "--disable-pip", "--format", "json"),
            *("--progress-spinner", "off", "--cache-dir", place, "--timeout", str(SECONDS_TO_ANSWER)),
            *(("--vulnerability-service", "osv", "--osv-url", osv) if osv else ()),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return read(done.stdout, done.stderr, packages)


def read(answer: str, errors: str, packages: Sequence[Pinned]) -> list[Finding]:
    """What pip-audit has found; without a finding for each package it has failed, whatever its exit code."""
    try:
        found = {each["name"]: each for each in json.loads(answer)["dependencies"]}
        return [_finding(each, found[each.name]) for each in packages]
    except (ValueError, LookupError, TypeError):
        reason = (errors.strip() or "pip-audit has no answer").splitlines()[-1]
        raise ReleaseError(f"The vulnerability service could not be reached: {reason[:300]}") from None


def _finding(package: Pinned, found: dict[str, list[dict[str, list[str]]]]) -> Finding:
    described = []
    for each in found.get("vulns", []):
        fixed = f", fixed in {', '.join(each['fix_versions'])}" if each["fix_versions"] else ""
        described.append(f"{' '.join([str(each['id']), *each['aliases']])}{fixed}")
    return Finding(f"{package.name} {package.version}", tuple(described), "skip_reason" not in found)


def report(findings: Sequence[Finding]) -> int:
    """Prints what was found; returns the exit code."""
    for each in findings:
        for vulnerability in each.vulnerabilities:
            print(f"{each.package}: {vulnerability}")
    unknown = [each.package for each in findings if not each.is_known]
    if unknown and len(unknown) == len(findings):
        message = f"The vulnerability service could not be reached, or knows none of the {len(unknown)} packages."
        print(f"audit: {message}", file=sys.stderr)
    elif unknown:
        print(f"audit: The vulnerability service does not know {', '.join(unknown)}.", file=sys.stderr)
    if any(each.vulnerabilities for each in findings):
        return 1
    if unknown:
        return 2
    print(f"{len(findings)} packages, no known vulnerabilities")
    return 0


def main(words: Sequence[str]) -> int:
    """Looks up the packages of the lock file; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m release.audit", description="Looks for known vulnerabilities.")
    parser.add_argument("--osv", metavar="URL", default="", help="ask this service, which has OSV's interface")
    given = parser.parse_args(words)
    try:
        return report(audit(lock.checked(), given.osv))
    except (ReleaseError, OSError) as error:
        print(f"audit: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

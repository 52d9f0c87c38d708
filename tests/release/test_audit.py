"""The audit of the lock file: vulnerabilities are named, and no answer is never "no vulnerabilities"."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from release import audit, lock
from release.lock import Pinned
from release.tools import ReleaseError
from tests.cases import together

PACKAGES = [Pinned("starlette", "1.10.0", "", (), ()), Pinned("tzdata", "2026.6", "sys_platform == 'win32'", (), ())]
HARMLESS = [{"name": each.name, "version": each.version, "vulns": []} for each in PACKAGES]
UNKNOWN = {"name": "tzdata", "skip_reason": "Dependency not found"}
BAD = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["1.10.1"], "description": "bad"}


def answer(*dependencies: object) -> str:
    return json.dumps({"dependencies": dependencies, "fixes": []})


def test_no_vulnerability(capsys):
    assert audit.report(audit.read(answer(*HARMLESS), "", PACKAGES)) == 0
    assert capsys.readouterr() == ("2 packages, no known vulnerabilities\n", "")


def test_a_vulnerability_is_named_with_the_version_that_mends_it(capsys):
    found = [HARMLESS[0] | {"vulns": [BAD, BAD | {"id": "PYSEC-2", "fix_versions": [], "aliases": []}]}, UNKNOWN]
    assert audit.report(audit.read(answer(*found), "", PACKAGES)) == 1
    out, err = capsys.readouterr()
    assert out == "starlette 1.10.0: PYSEC-1 CVE-1, fixed in 1.10.1\nstarlette 1.10.0: PYSEC-2\n"
    assert "does not know tzdata 2026.6" in err


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ([HARMLESS[0], UNKNOWN], "does not know tzdata 2026.6"),
        ([UNKNOWN | {"name": "starlette"}, UNKNOWN], "could not be reached, or knows none of the 2 packages"),
    ],
)
def test_a_package_that_the_service_does_not_know_is_not_harmless(capsys, found, message):
    assert audit.report(audit.read(answer(*found), "", PACKAGES)) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert message in err


@together(
    "text",
    [
        *("", "[]", "null", "{}", "\0", '{"dependencies": 1}', answer(*HARMLESS)[:-9], answer(HARMLESS[0])),
        answer(HARMLESS[0], {"name": "tzdata", "vulns": [{}]}),
        answer(HARMLESS[0], "tzdata"),
    ],
)
def test_half_an_answer_is_none(text):
    with pytest.raises(ReleaseError, match=r"^The vulnerability service could not be reached: last$"):
        audit.read(text, "first\nlast\n", PACKAGES)


class Service(BaseHTTPRequestHandler):
    """A service with OSV's interface that knows one vulnerability, of Starlette."""

    def do_POST(self) -> None:
        package = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["package"]
        ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "999"}]}]
        known = {"id": "PYSEC-1", "aliases": ["CVE-1"], "affected": [{"package": package, "ranges": ranges}]}
        body = json.dumps({"vulns": [known]} if package["name"] == "starlette" else {}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_the_command_asks_a_service(service, capsys):
    assert audit.main(["--osv", service]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    (version,) = (each.version for each in lock.checked() if each.name == "starlette")
    assert line == f"starlette {version}: PYSEC-1 CVE-1, fixed in 999"


@pytest.mark.slow
def test_a_service_that_is_not_there(capsys):
    assert audit.main(["--osv", "http://127.0.0.1:9/"]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert err.startswith("audit: The vulnerability service could not be reached: ")

"""nginx and Caddy with the files of `deploy/`, on ports of loopback, before a real server."""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import httpx
from websockets.sync.client import ClientConnection, connect

from release.programs import system_program
from tests.deploy.shipped import DEPLOY, NAME, replaced
from tests.waiting import TIMEOUT, wait_until


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


class Proxy:
    """A proxy with TLS on a port of loopback, and its certificate for `NAME`, which it signed itself."""

    program: str

    def __init__(self, folder: Path, server_port: int) -> None:
        self.folder = folder
        self.http_port, self.https_port = free_port(), free_port()
        self.certificate, self.key = folder / "certificate.pem", folder / "key.pem"
        names = f"subjectAltName=DNS:{NAME}"
        request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
        request += ["-addext", names, "-keyout", str(self.key), "-out", str(self.certificate)]
        subprocess.run(request, check=True, capture_output=True)
        self.trust = ssl.create_default_context(cafile=self.certificate)
        with (folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                self.command(server_port), stdout=log, stderr=log, env=os.environ | {"XDG_DATA_HOME": str(folder)}
            )

    def command(self, server_port: int) -> list[str]:
        """Writes the proxy's settings, and returns the command that starts it in the foreground."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        wait_until(self._answers, f"the start of {self.program}")
        return self

    def _answers(self) -> bool:
        assert self._process.poll() is None, (self.folder / "log").read_text(encoding="utf-8")
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.https_port)).close()
            return True
        return False

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(TIMEOUT)

    @contextlib.contextmanager
    def client(self, address: str = "127.0.0.1", **headers: str) -> Iterator[httpx.Client]:
        """A client with this address. It does not know the name's address, and so names the site in its requests."""
        transport = httpx.HTTPTransport(local_address=address, verify=self.trust)
        with httpx.Client(
            transport=transport,
            base_url=f"https://127.0.0.1:{self.https_port}",
            headers={"Host": NAME, **headers},
            timeout=TIMEOUT,
        ) as client:
            client.event_hooks = {"request": [_name_the_site]}
            yield client

    @contextlib.contextmanager
    def socket(self, path: str, cookie: str = "") -> Iterator[ClientConnection]:
        """A WebSocket of a page of the site."""
        line = socket.create_connection(("127.0.0.1", self.https_port), TIMEOUT)
        headers: dict[str, str] = {"Cookie": cookie} if cookie else {}
        with connect(
            f"wss://{NAME}{path}",
            sock=line,
            ssl=self.trust,
            origin=f"https://{NAME}",  # type: ignore[arg-type]
            additional_headers=headers,
            open_timeout=TIMEOUT,
            max_size=None,
            max_queue=None,
        ) as found:
            yield found


def _name_the_site(request: httpx.Request) -> None:
    request.extensions["sni_hostname"] = NAME


class Nginx(Proxy):
    """nginx."""

    program = "nginx"

    def command(self, server_port: int) -> list[str]:
        site = replaced(
            (DEPLOY / "nginx.conf").read_text(encoding="utf-8"),
            ("listen 80;", f"listen 127.0.0.1:{self.http_port};"),
            ("    listen [::]:80;\n", ""),
            ("listen 443 ssl", f"listen 127.0.0.1:{self.https_port} ssl"),
            ("    listen [::]:443 ssl http2;\n", ""),
            ("127.0.0.1:5005", f"127.0.0.1:{server_port}"),
            (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(self.certificate)),
            (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(self.key)),
            ("/var/cache/nginx/pentad", str(self.folder / "cache")),
        )
        # What Debian's nginx.conf has around the files of sites.
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"{kind}_temp_path {self.folder / kind};\n" for kind in kinds)
        user = "user root;\n" if os.geteuid() == 0 else ""
        whole = (
            f"{user}daemon off;\npid {self.folder / 'pid'};\nerror_log stderr;\nevents {{}}\n"
            f"http {{\naccess_log off;\ngzip on;\n{paths}{site}}}\n"
        )
        (self.folder / "nginx.conf").write_text(whole, encoding="utf-8")
        return [system_program(self.program), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]


class Caddy(Proxy):
    """Caddy."""

    program = "caddy"

    def command(self, server_port: int) -> list[str]:
        ports = f"http_port {self.http_port}\n\thttps_port {self.https_port}\n\tdefault_bind 127.0.0.1\n\tadmin off"
        site = replaced(
            (DEPLOY / "Caddyfile").read_text(encoding="utf-8"),
            ("{\n\tservers {", f"{{\n\t{ports}\n\tservers {{"),
            (f"{{$PENTAD_NAME:{NAME}}} {{", f"{{$PENTAD_NAME:{NAME}}} {{\n\ttls {self.certificate} {self.key}\n"),
            ("127.0.0.1:5005", f"127.0.0.1:{server_port}"),
            ("lb_try_duration 15s", f"lb_try_duration {TIMEOUT:.0f}s"),  # a busy machine starts a server slowly
        )
        path = self.folder / "Caddyfile"
        path.write_text(site, encoding="utf-8")
        return [system_program(self.program), "run", "--adapter", "caddyfile", "--config", str(path)]


PROXIES: dict[str, type[Proxy]] = {"nginx": Nginx, "Caddy": Caddy}

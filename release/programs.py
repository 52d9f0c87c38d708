"""Programs beside Python that some tests need: browsers, node with its packages, PostgreSQL."""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from release.tools import ReleaseError, run

SCRIPTS = "checks of the scripts"
UNITS, PROXIES = "tests of the units", "tests of the proxies"
PROXY_PACKAGES = ("nginx", "caddy", "openssl")  # openssl makes a certificate for the tests
MUST_RUN = ("browser tests", "tests in Firefox", SCRIPTS, UNITS, PROXIES)  # where CI is set
OLDEST_NODE = (18, 18)


def has_chromium() -> bool:
    """Whether chromium is installed, with or without windows, and the library that Playwright's programs need."""
    browser = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    return bool(browser and (sys.platform != "linux" or ctypes.util.find_library("atomic")))


def has_firefox() -> bool:
    """Whether Firefox is installed."""
    return bool(shutil.which("firefox-esr") or shutil.which("firefox"))


def has_node() -> bool:
    """Whether node is new enough, and npm is installed."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    version = subprocess.run([node, "-p", "process.versions.node"], capture_output=True, text=True).stdout.split(".")
    return len(version) > 1 and tuple(map(int, version[:2])) >= OLDEST_NODE


def has_postgresql() -> bool:
    """Whether PostgreSQL is installed, where Debian puts it or on the path."""
    return bool(shutil.which("initdb") or any(Path("/usr/lib/postgresql").glob("*/bin/initdb")))


def system_program(name: str) -> str:
    """The path of a program that Debian keeps in a folder for administrators; empty if it is not installed."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])) or ""


def has_proxies() -> bool:
    """Whether nginx and Caddy are installed, and what their tests need."""
    return all(map(system_program, PROXY_PACKAGES))


def has_systemd() -> bool:
    """Whether systemd's program that reads units is installed; systemd itself need not run."""
    return bool(system_program("systemd-analyze"))


@dataclass(frozen=True)
class Program:
    """A program, the tests that need it, and Debian's packages of it."""

    tests: str
    name: str
    packages: tuple[str, ...]
    is_installed: Callable[[], bool]
    for_slow_tests: bool = False  # other tests do not need it
    only_in_ci: bool = False  # elsewhere it is not installed for the tests: it is large, or starts a server


PROGRAMS = (
    Program("browser tests", "chromium", ("chromium-headless-shell", "libatomic1", "fonts-dejavu-core"), has_chromium),
    Program("tests in Firefox", "Firefox", ("firefox-esr",), has_firefox, for_slow_tests=True),
    Program(SCRIPTS, "node {}.{} or newer".format(*OLDEST_NODE), ("nodejs", "npm"), has_node, only_in_ci=True),
    Program("PostgreSQL tests", "PostgreSQL", ("postgresql",), has_postgresql),
    Program(UNITS, "systemd", ("systemd",), has_systemd, only_in_ci=True),
    Program(PROXIES, "nginx with Caddy", PROXY_PACKAGES, has_proxies, for_slow_tests=True, only_in_ci=True),
)


def prepare(is_slow: bool) -> dict[str, str]:
    """Installs the programs that are missing, as root on Debian; returns the tests that are skipped, with reasons."""
    missing = [each for each in PROGRAMS if (is_slow or not each.for_slow_tests) and not each.is_installed()]
    debian = shutil.which("apt-get")
    if debian and os.geteuid() == 0:
        may_install = [each for each in missing if os.environ.get("CI") or not each.only_in_ci]
        install_packages([package for each in may_install for package in each.packages])
    return {
        each.tests: f"{each.name} is not installed{'; apt install ' + ' '.join(each.packages) if debian else ''}"
        for each in missing
        if not each.is_installed()
    }


def install_packages(packages: Sequence[str]) -> None:
    """Installs Debian's packages; prints a line if it fails."""
    if not packages:
        return
    print(f"Installing for the tests with apt-get: {', '.join(packages)} …", file=sys.stderr, flush=True)
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
    environment = os.environ | {"PATH": path, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    try:
        for command in (["apt-get", "update"], install):
            run("apt-get failed", command, environment=environment)
    except ReleaseError as error:
        print(error, file=sys.stderr, flush=True)


def install_node_packages(root: Path) -> None:
    """Installs the packages of the scripts' checks when package-lock.json has changed; raises ReleaseError."""
    import fcntl  # Windows, which runs pytest alone, has none

    wanted, stamp = root / "package-lock.json", root / "node_modules" / "pentad-stamp"
    with wanted.open(encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # one run at a time
        text = file.read()
        if stamp.exists() and stamp.read_text(encoding="utf-8") == text:
            return
        print("Installing the checks of the scripts with npm …", file=sys.stderr, flush=True)
        run("npm failed", ["npm", "ci", "--no-audit", "--no-fund", "--no-update-notifier"], root)
        stamp.write_text(text, encoding="utf-8")

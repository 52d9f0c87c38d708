"""Follows the page about deploying: installs a Debian in a folder, starts its systemd, and runs the page's commands.

`python -m tests.deploy.walk FOLDER WHEELS` needs root, debootstrap, systemd-container, the ports 80, 443 and 5005, and
the network for the packages of Debian and Python. FOLDER may have the Debian of an earlier run. WHEELS is what
`./pentad wheels` has made. Two lines are not the page's: the name leads to this machine, and Caddy makes the
certificate itself. Each section is printed with its time.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.console_blocks import blocks
from tests.deploy.shipped import DEPLOY, NAME, ROOT, replaced
from tests.waiting import wait_until

PAGE = ROOT / "docs" / "how-to" / "deploy.md"
SECTIONS = ("Install", "Start", "Backups", "Update")
PACKAGES = "systemd,systemd-sysv,dbus,ca-certificates,curl"
BEFORE_CADDY = (
    f"sed -i 's/^.*{NAME}.* {{$/&\\n\\ttls internal/' /etc/caddy/Caddyfile; echo 127.0.0.1 {NAME} >> /etc/hosts"
)
PLAYS = f"""curl --silent --show-error --fail --insecure --retry 30 --retry-all-errors https://{NAME}/api/health
curl --silent --show-error --fail --insecure --json '{{"game": "pentago", "seats": ["human", "open"]}}' https://{NAME}/api/rooms
journalctl --no-pager --unit pentad --unit pentad-backup --lines 20
systemd-analyze security --no-pager pentad pentad-backup | grep Overall
systemctl list-units --no-pager --failed
test -z "$(systemctl list-units --failed --no-legend)"
"""


def commands(section: str) -> str:
    """The commands of a section of the page."""
    text = PAGE.read_text(encoding="utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    found = "".join(block.text for block in blocks(text) if block.language == "sh")
    assert found, section
    return found


def first_process(machine: int) -> int:
    """The process of systemd that a process of systemd-nspawn has started; 0 if it does not run yet."""
    for child in Path(f"/proc/{machine}/task/{machine}/children").read_text(encoding="utf-8").split():
        with suppress(OSError):
            status = Path(f"/proc/{child}/status").read_text(encoding="utf-8")
            if re.search(r"^NSpid:.*\t1$", status, re.MULTILINE):
                return int(child)
    return 0


@contextmanager
def booted(folder: Path) -> Iterator[int]:
    """The process of systemd in a folder, which runs as on a machine of its own."""
    command = [
        "systemd-nspawn",
        "--register=no",
        "--keep-unit",
        "--quiet",
        "--boot",
        "--console=pipe",
        "-D",
        str(folder),
    ]
    machine = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: first_process(machine.pid), "the start of the machine")
        init = first_process(machine.pid)
        state = "systemctl is-system-running --wait | grep --extended-regexp 'running|degraded'"
        wait_until(lambda: run(init, state, check=False) == 0, "the start of systemd")
        yield init
    finally:
        machine.terminate()
        machine.wait()


def run(init: int, script: str, *, check: bool = True) -> int:
    """Runs commands of a shell as root of the machine; returns the exit code."""
    place = f"/proc/{init}/root"
    enter = ["nsenter", "-t", str(init), *["-m", "-u", "-i", "-p", "-n", "-C"], f"--root={place}", f"--wd={place}/root"]
    shell = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "bash", "-ec", script]
    return subprocess.run([*enter, *shell], check=check, cwd="/").returncode


def main(folder: Path, wheels: Path) -> None:
    """Walks from an empty folder to a server that answers, is backed up and is updated."""
    if not (folder / "etc").exists():
        subprocess.run(["debootstrap", f"--include={PACKAGES}", "trixie", str(folder)], check=True)
    shutil.copytree(DEPLOY, folder / "root" / "deploy", dirs_exist_ok=True)
    shutil.copytree(wheels, folder / "root" / "wheels", dirs_exist_ok=True)
    shutil.copyfile("/etc/resolv.conf", folder / "etc" / "resolv.conf")
    begun = time.monotonic()
    with booted(folder) as init:
        for section in SECTIONS:
            script = commands(section)
            if section == "Start":
                script = replaced(script, ("systemctl restart caddy", f"{BEFORE_CADDY}\nsystemctl restart caddy"))
            start = time.monotonic()
            run(init, f"set -x\n{script}")
            print(f"== {section}: {time.monotonic() - start:.0f} s", flush=True)
            if section != "Install":
                run(init, PLAYS)
    print(f"== together: {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())

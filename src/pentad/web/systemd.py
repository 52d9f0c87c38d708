"""Services of systemd: the sockets that it has opened for this process, and notes about the process's state."""

from __future__ import annotations

import contextlib
import os
import socket

from pentad.game import GameError

FIRST_FILE = 3  # the first open file that systemd passes on
PROCESS, COUNT, NOTES = "LISTEN_PID", "LISTEN_FDS", "NOTIFY_SOCKET"


def inherited_listener() -> socket.socket | None:
    """The socket that systemd listens on for this process, as a socket unit says; None without one."""
    meant_for, count = os.environ.get(PROCESS, ""), os.environ.get(COUNT, "")
    if meant_for != str(os.getpid()) or count in ("", "0"):
        return None
    for name in (PROCESS, COUNT, "LISTEN_FDNAMES"):  # they are not meant for this process's workers
        os.environ.pop(name, None)
    if count != "1":
        raise GameError("Expected one socket of systemd, got {count}.", count=count)
    try:
        os.set_inheritable(FIRST_FILE, False)
        listener = socket.socket(fileno=FIRST_FILE)
    except OSError as error:
        raise GameError("Cannot use the socket of systemd: {reason}.", reason=error.strerror or error) from None
    is_tcp = listener.family in (socket.AF_INET, socket.AF_INET6) and listener.type == socket.SOCK_STREAM
    if is_tcp and listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        return listener
    listener.close()
    raise GameError("The socket of systemd must listen on a TCP port.")


def notify(state: str) -> None:
    """Tells systemd the state of the service, such as READY=1, if it has asked for that."""
    path = os.environ.get(NOTES, "")
    if not path or not hasattr(socket, "AF_UNIX"):
        return
    address = f"\0{path[1:]}" if path.startswith("@") else path
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notes:
        notes.connect(address)
        notes.sendall(state.encode())

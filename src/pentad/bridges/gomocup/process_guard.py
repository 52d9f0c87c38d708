"""Stands between pentad and a program that it has started: when pentad is gone, however that came, so is the program.

Run as a file, `guard.py NUMBER COMMAND…`, in a session of its own, where NUMBER is a socket to pentad. It starts the
program with its own standard input and output, tells on the socket how the program ended, and leaves nothing over.
"""

import os
import signal
import socket
import subprocess
import sys
import threading


def main() -> None:
    lifeline = socket.socket(fileno=int(sys.argv[1]))
    lifeline.set_inheritable(False)
    try:
        program = subprocess.Popen(sys.argv[2:])
    except (OSError, ValueError) as error:
        lifeline.sendall(f"it cannot be started: {getattr(error, 'strerror', None) or error}".encode())
        return
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # so that they close when the program closes them
        os.dup2(nowhere, number)
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()
    code = program.wait()
    try:
        lifeline.sendall((f"it ended with code {code}" if code >= 0 else f"it was ended by signal {-code}").encode())
    finally:
        os.killpg(0, signal.SIGKILL)  # whatever the program has started, and this


def _watch(lifeline: socket.socket) -> None:
    """Wait until pentad closes its end, or is no more."""
    try:
        lifeline.recv(1)
    finally:
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()

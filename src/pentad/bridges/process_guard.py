"""Guard process between pentad and an external program: it ends the program when pentad ends, for whatever reason.

It is run as a file, `process_guard.py NUMBER COMMAND…`, in its own session, where NUMBER is a socket to pentad. It
starts the program with its own standard input and output, sends the reason of the program's end to the socket, and
kills all processes of the session.
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
        reason = getattr(error, "strerror", None) or error
        lifeline.sendall(f"The program cannot be started ({reason}).".encode())
        return
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # so that the pipes close when the program closes them
        os.dup2(nowhere, number)
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()
    code = program.wait()
    try:
        end = f"ended with code {code}" if code >= 0 else f"was ended by signal {-code}"
        lifeline.sendall(f"The program {end}.".encode())
    finally:
        os.killpg(0, signal.SIGKILL)  # the program's children, and this process


def _watch(lifeline: socket.socket) -> None:
    """Waits until pentad closes its end of the socket or ends."""
    try:
        lifeline.recv(1)
    finally:
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()

"""A small brain for tests, run as a program: `small_brain.py BEHAVIOUR`. It plays the first free point.

good, slow, crashing, leaving, silent, lying, occupied, garbled, refusing, deaf, talkative, flooding, endless (a line),
noisy (on stderr), halves, crlf, cr, suggesting, hung (ignores the end, and has started a child), swapping, staying,
adding.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

# Answers instead of the second move.
WRONG_ANSWERS = {
    "silent": "",
    "lying": "{size},{size}",
    "occupied": "{occupied}",
    "garbled": "K10, I think \x00\xff",
    "refusing": "ERROR I will not",
}
EOL = {"crlf": "\r\n", "cr": "\r"}


class SmallBrain:
    def __init__(self, behaviour: str) -> None:
        self.behaviour, self.size, self.moves = behaviour, 15, 0
        self.taken: set[tuple[int, int]] = set()

    def send(self, text: str) -> None:
        data = (text + EOL.get(self.behaviour, "\n")).encode()
        pieces = [data[i : i + 2] for i in range(0, len(data), 2)] if self.behaviour == "halves" else [data]
        for piece in pieces:
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
            time.sleep(0.005 if self.behaviour == "halves" else 0)

    def place(self, text: str) -> None:
        x, y = text.split(",")[:2]
        self.taken.add((int(x), int(y)))

    def answer(self) -> None:
        self.moves += 1
        if self.moves > 1:
            self.misbehave()
            if self.behaviour in WRONG_ANSWERS:
                x, y = next(iter(self.taken))
                self.send(WRONG_ANSWERS[self.behaviour].format(size=self.size, occupied=f"{x},{y}"))
                return
        for i in range(50 if self.behaviour == "talkative" else 0):
            self.send(f"MESSAGE thinking {i}")
            self.send("DEBUG " + "x" * 5000)
            self.send("")
        size = self.size
        point = next(f"{x},{y}" for y in range(size) for x in range(0, size, 2) if (x, y) not in self.taken)
        if self.behaviour == "suggesting":
            self.send(f"SUGGEST {point}")
        else:
            self.place(point)
            self.send(point)

    def misbehave(self) -> None:
        if self.behaviour == "slow":
            time.sleep(30)
        if self.behaviour == "crashing":
            raise RuntimeError("out of ideas")
        if self.behaviour == "leaving":
            sys.exit(3)
        for _ in range(200 if self.behaviour == "noisy" else 0):
            sys.stderr.write("y" * 100_000 + "\nz\n")
        while self.behaviour == "endless":
            sys.stdout.buffer.write(b"y" * 1_000_000)
        while self.behaviour == "flooding":
            self.send("MESSAGE " + "y" * 100)

    def swap(self, stones: list[str]) -> None:
        for stone in stones:
            self.place(stone)
        if not stones:
            self.send("0,0 5,5 9,2")
        elif self.behaviour == "adding" and len(stones) == 3:
            self.send("1,9 8,8")
        else:
            self.send("11,11" if self.behaviour == "staying" else "SWAP")

    def board(self, stones: list[str]) -> None:
        for stone in stones:
            self.place(stone)
        self.answer()

    def run(self) -> None:
        listing: list[str] | None = None
        ends = self.board
        for line in sys.stdin:
            word, _, rest = line.strip().partition(" ")
            print("heard", line.strip(), file=sys.stderr)
            if self.behaviour == "deaf":
                continue
            if listing is not None:
                if word == "DONE":
                    stones, listing = listing, None
                    ends(stones)
                else:
                    listing.append(word)
            elif word == "START":
                self.size, self.taken = int(rest), set()
                self.send("OK")
            elif word == "BEGIN":
                self.answer()
            elif word == "TURN":
                self.place(rest)
                self.answer()
            elif word == "PLAY":
                self.place(rest)
                self.send(rest)
            elif word in ("BOARD", "SWAP2BOARD"):
                ends = self.board if word == "BOARD" else self.swap
                self.taken, listing = set(), []
            elif word == "END":
                break


def hang(pid_file: Path) -> None:
    """Ignores all input and SIGTERM, and starts a child."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    pid_file.write_text(f"{os.getpid()} {child.pid}")
    while True:
        time.sleep(1)


if __name__ == "__main__":
    if sys.argv[1] == "hung":
        hang(Path(sys.argv[2]))
    SmallBrain(sys.argv[1]).run()

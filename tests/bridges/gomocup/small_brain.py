"""A small brain for tests, run as a program: `small_brain.py WAY`. It plays the first free point, and has its ways.

good, slow, crashing, leaving, silent, lying, occupied, garbled, refusing, deaf, talkative, flooding, halves, crlf, cr,
suggesting, hung (ignores the end, and has started a child), swapping, staying, adding.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

# What it says instead of its second move.
INSTEAD = {
    "silent": "",
    "lying": "{size},{size}",
    "occupied": "{occupied}",
    "garbled": "K10, I think \x00\xff",
    "refusing": "ERROR I will not",
}
EOL = {"crlf": "\r\n", "cr": "\r"}


class SmallBrain:
    def __init__(self, way: str) -> None:
        self.way, self.size, self.moves = way, 15, 0
        self.taken: set[tuple[int, int]] = set()

    def say(self, text: str) -> None:
        data = (text + EOL.get(self.way, "\n")).encode()
        pieces = [data[i : i + 2] for i in range(0, len(data), 2)] if self.way == "halves" else [data]
        for piece in pieces:
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
            time.sleep(0.005 if self.way == "halves" else 0)

    def place(self, text: str) -> None:
        x, y = text.split(",")[:2]
        self.taken.add((int(x), int(y)))

    def answer(self) -> None:
        self.moves += 1
        if self.moves > 1:
            self.misbehave()
            if self.way in INSTEAD:
                x, y = next(iter(self.taken))
                self.say(INSTEAD[self.way].format(size=self.size, occupied=f"{x},{y}"))
                return
        for i in range(50 if self.way == "talkative" else 0):
            self.say(f"MESSAGE thinking {i}")
            self.say("DEBUG " + "x" * 5000)
            self.say("")
        size = self.size
        point = next(f"{x},{y}" for y in range(size) for x in range(0, size, 2) if (x, y) not in self.taken)
        if self.way == "suggesting":
            self.say(f"SUGGEST {point}")
        else:
            self.place(point)
            self.say(point)

    def misbehave(self) -> None:
        if self.way == "slow":
            time.sleep(30)
        if self.way == "crashing":
            raise RuntimeError("out of ideas")
        if self.way == "leaving":
            sys.exit(3)
        while self.way == "flooding":
            self.say("MESSAGE " + "y" * 100)

    def swap(self, stones: list[str]) -> None:
        for stone in stones:
            self.place(stone)
        if not stones:
            self.say("0,0 5,5 9,2")
        elif self.way == "adding" and len(stones) == 3:
            self.say("1,9 8,8")
        else:
            self.say("11,11" if self.way == "staying" else "SWAP")

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
            if self.way == "deaf":
                continue
            if listing is not None:
                if word == "DONE":
                    stones, listing = listing, None
                    ends(stones)
                else:
                    listing.append(word)
            elif word == "START":
                self.size, self.taken = int(rest), set()
                self.say("OK")
            elif word == "BEGIN":
                self.answer()
            elif word == "TURN":
                self.place(rest)
                self.answer()
            elif word == "PLAY":
                self.place(rest)
                self.say(rest)
            elif word in ("BOARD", "SWAP2BOARD"):
                ends = self.board if word == "BOARD" else self.swap
                self.taken, listing = set(), []
            elif word == "END":
                break


def hang(told: Path) -> None:
    """Hear nothing, end for nobody who asks, and have a child."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    told.write_text(f"{os.getpid()} {child.pid}")
    while True:
        time.sleep(1)


if __name__ == "__main__":
    if sys.argv[1] == "hung":
        hang(Path(sys.argv[2]))
    SmallBrain(sys.argv[1]).run()

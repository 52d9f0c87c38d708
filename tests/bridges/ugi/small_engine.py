"""A small engine of classic Pentago for tests, run as a program: `small_engine.py BEHAVIOUR`. It plays the first move.

good, talkative, halves, crlf; slow, silent, garbled, wordless, resigning, lying, occupied, crashing, leaving, flooding,
endless, noisy; stopping (answers `stop` alone), late (answers each search during the next one too), stubborn (ignores
`quit`), dumb (says nothing at all), other (plays another game), chatting (says something for ever before `ugiok`).
"""

import sys
import time

WRONG_MOVES = {
    "garbled": b"bestmove \xff\xfe\x00",
    "wordless": b"bestmove",
    "resigning": b"info string I am lost\nbestmove none",
    "lying": b"bestmove z9_1C",
    "occupied": b"bestmove {occupied}_1C",
}


class SmallEngine:
    def __init__(self, behaviour: str) -> None:
        self.behaviour, self.moves = behaviour, 0
        self.rows: list[str] = []

    def send(self, text: str) -> None:
        data = (text + ("\r\n" if self.behaviour == "crlf" else "\n")).encode()
        size = 2 if self.behaviour == "halves" else len(data)
        for i in range(0, len(data), size):
            sys.stdout.buffer.write(data[i : i + size])
            sys.stdout.buffer.flush()

    def spaces(self, sign: str) -> list[str]:
        return [f"{'abcdef'[r]}{c}" for r, row in enumerate(self.rows) for c, each in enumerate(row) if each == sign]

    def go(self) -> None:
        self.moves += 1
        if self.moves > 1:
            self.misbehave()
        if self.moves > 1 and self.behaviour in WRONG_MOVES:
            occupied = next(iter(self.spaces("b") + self.spaces("w")))
            answer = WRONG_MOVES[self.behaviour].replace(b"{occupied}", occupied.encode())
            sys.stdout.buffer.write(answer + b"\n")
            sys.stdout.buffer.flush()
        elif self.behaviour not in ("stopping", "silent") or (self.behaviour == "silent" and self.moves == 1):
            self.answer()

    def answer(self) -> None:
        for i in range(50 if self.behaviour == "talkative" else 0):
            self.send(f"info depth {i} score cp 3 pv " + "a0_1C " * 5000)
            self.send("\x00 nonsense \u00e4")
            self.send("")
        self.send(f"bestmove {self.spaces('.')[0]}_4A ponder a0_1C")

    def misbehave(self) -> None:
        match self.behaviour:
            case "slow":
                time.sleep(600)
            case "crashing":
                raise RuntimeError("out of ideas")
            case "leaving":
                sys.exit(3)
            case "flooding":
                while True:
                    sys.stdout.buffer.write(b"info string more\n" * 10_000)
            case "endless":
                while True:
                    sys.stdout.buffer.write(b"y" * 1_000_000)
            case "noisy":
                for _ in range(200):
                    sys.stderr.write("y" * 100_000 + "\nz\n")

    def run(self) -> None:
        for line in sys.stdin:
            word, _, rest = line.strip().partition(" ")
            if self.behaviour == "dumb":
                continue
            match word:
                case "ugi":
                    while self.behaviour == "chatting":
                        self.send("info string still loading")
                    if self.behaviour == "other":
                        self.send("option name Game type combo default chess var chess var go")
                    self.send("ugiok")
                case "isready":
                    if self.behaviour == "late" and self.moves:
                        self.send("bestmove a0_1C")  # this answers the last search
                    self.send("readyok")
                case "position":
                    self.rows = rest.split()[-1].split("/")
                case "go":
                    self.go()
                case "stop":
                    if self.behaviour == "stopping":
                        self.answer()
                case "quit":
                    if self.behaviour != "stubborn":
                        return
                    time.sleep(600)


if __name__ == "__main__":
    SmallEngine(sys.argv[1]).run()

"""A fake worker: the name of the bot, or of the job, says how it behaves. Run as `python fake.py NICE`."""

import json
import os
import sys
import threading
import time
from pathlib import Path

LOCK = threading.Lock()  # the lines of two threads must not be mixed, however long it takes to write one


def say(text: str) -> None:
    with LOCK:
        print(text, flush=True)


def send(**fields: object) -> None:
    say(json.dumps(fields))


def beat(number: int, over: threading.Event) -> None:
    while not over.wait(0.5):
        send(id=number, note="alive")


def answer(line: str) -> None:
    question = json.loads(line)
    number, given = question["id"], question["given"]
    wish, _, what = (given.get("who") or "").partition(":")
    over = threading.Event()
    if wish == "start":  # it starts very slowly
        time.sleep(float(what))
    send(id=number, note="begun")
    if wish not in ("mute", "spin"):
        threading.Thread(target=beat, args=(number, over), daemon=True).start()
    if wish == "mute":
        send(id=number, note="compiling", what="pente", share=None)
        time.sleep(1000)
    if wish == "spin":
        send(id=number, note="compiling", what="pente", share=None)
        while not Path(what).exists():
            pass
        send(id=number, note="compiling", what="", share=None)
    if wish == "sleep":
        time.sleep(float(what))
    elif wish == "invalid":
        say("\n".join(["no JSON", "[1, 2", '{"id": 99, "end": true}', "[" * 100_000]))
    elif wish == "only-invalid":
        say("no JSON\n" * 1000)
    elif wish == "too-long":
        say("x" * (5 << 20))
    elif wish == "die":
        os._exit(1)
    elif wish == "once" and not Path(what).exists():
        Path(what).touch()
        time.sleep(1000)
    elif wish == "compiling":
        send(id=number, note="compiling", what="pente", share=0.25)
        time.sleep(float(what))
        send(id=number, note="compiling", what="", share=None)
    if question["job"] == "review":
        first = len(given["known"])
        for ply in range(first, 4):
            send(id=number, answer={"ply": ply, "move": "a", "chances": [0.5, 0.5], "seat": ply % 2, "loss": 0.0})
            time.sleep(1000 if ply == first + 1 else 0)
    if question["job"] == "analysis" and given["seconds"] == 33:
        send(id=number, answer={"depth": 1})
        time.sleep(1000)
    elif question["job"] == "analysis":
        for depth in range(1, 1001):
            send(id=number, answer={"depth": depth})
    elif question["job"] == "size":
        send(id=number, answer={"megabytes": 250})
    elif question["job"] == "values":
        time.sleep(0.02)
        send(id=number, answer={"value": 0, "moves": {}, "unknown": 0, "pid": os.getpid(), "memory": given["memory"]})
    elif given.get("impatient"):
        send(id=number, answer={"move": "simple", "simpler": True})
    else:
        send(id=number, answer={"move": f"{os.getpid()} {sys.argv[1]}", "claim": ""})
    over.set()
    send(id=number, end=True, memory=10**9 if wish == "fat" else 1)


if __name__ == "__main__":
    for line in sys.stdin:
        answer(line)

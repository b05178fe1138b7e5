"""A small engine that plays tic-tac-toe by UGI: the first free cell. Its argument is a way to fail.

It runs without the package, as another author's program does.
"""

from __future__ import annotations

import os
import sys
import time

CELLS = "a1 b1 c1 a2 b2 c2 a3 b3 c3".split()


def say(text: str) -> None:
    print(text, flush=True)


def introduce(way: str) -> None:
    if way == "crashes at the start":
        sys.exit("no licence found")
    if way == "stalls at the start":
        time.sleep(1000)
    if way == "says no ugiok":
        say("id name Small")
        return
    say("id name Small\nid author nobody\nnonsense \x00\noption name Book type string default")
    say("option name Skill Level type spin default 3 min 0 max 9\noption name broken\nugiok")


def introduce_by_uci() -> None:
    say("option name UCI_Variant type combo default chess var chess var breakthrough")
    say("option name VariantPath type string default <empty>\nuciok")


def get_ready(way: str) -> None:
    if way != "is never ready":
        say("readyok")


def move(way: str, played: list[str]) -> None:
    best = next(cell for cell in CELLS if cell not in played)
    if way == "crashes in a move":
        print("assertion failed\n", file=sys.stderr)
        os._exit(3)
    if way == "closes its output":
        os.close(1)
        time.sleep(1000)
    if way == "stalls in a move":
        time.sleep(1000)
    if way == "floods":
        while True:
            os.write(1, b"info depth 1 score cp 1 pv a1\n" * 1000)
    if way == "writes a line without end":
        while True:
            os.write(1, b"x" * 65536)
    if way == "moves illegally":
        best = played[0] if played else "d4"
    if way == "answers without a move":
        os.write(2, b"where am I?")
        best = "0000"
    if way == "answers with garbage":
        best = "%%%"
    if way == "answers with nothing":
        best = ""
    if way == "prints garbage before":
        os.write(1, b"\xff\xfe garbage\nbest move is\ninfo depth x score cp\ninfo\n\n")
    if way == "writes to standard error":
        sys.stderr.write("first\n" + "noise " * 100_000 + "\nlast\n")
    if way == "speaks in halves of lines":
        for part in ("info depth 7 sco", "re cp -12 pv a1", "\nbest", f"move {best}"):
            os.write(1, part.encode())
            time.sleep(0.01)
        best = ""
        say("")
        return
    say(f"info depth 4 score cp 25 pv {best}")
    say(f"bestmove {best}")


def main(way: str) -> None:
    played: list[str] = []
    for line in sys.stdin:
        words = line.split()
        if words[0] == "ugi":
            introduce(way)
        elif words[0] == "uci":
            introduce_by_uci()
        elif words[0] == "isready":
            get_ready(way)
        elif words[0] == "position":
            played = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[0] == "go":
            if way == "waits for stop":
                continue
            if way == "repeats what it was told":
                print(" ".join(words), file=sys.stderr, flush=True)
            move(way, played)
        elif words[0] == "stop":
            if way == "waits for stop":
                move(way, played)
        elif words[0] == "quit":
            break
        elif way == "repeats what it was told":
            print(line.strip(), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])

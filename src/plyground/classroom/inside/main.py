"""Runs a student's file: `python -I -S -B main.py KIND FILE [FOLDER]...`.

KIND is derby, breakthrough or plain; the folders hold packages that the file may import.

The referee is at the other end of standard input and output. Messages are JSON, one per line:

    {"type": "begin", ...}   the file is loaded    ->  {"type": "ready", "name": "player"}
    {"type": "turn", ...}    it chooses a move     ->  {"type": "move", "move": ..., "depth": ...}
    {"type": "over"}         the process ends with status 0

Before the student's code runs, both pipes are moved out of its reach (`channel.py`): standard input
is empty, and standard output goes to standard error. A message has one of three results: an answer,
the end of this process with status 1 and the reason on standard error, or no answer in time.

This folder needs nothing but Python. It may be mounted anywhere, read-only.
"""

import os
import site
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))


def main() -> None:
    # Python compiles this file at every start, and imported modules only once.
    sys.path.insert(0, FOLDER)
    from runner import run_player

    sys.path += sys.argv[3:]
    site.setquit()  # `exit` and `quit`, which -S leaves out and students use
    run_player(FOLDER, sys.argv[1], sys.argv[2])


if __name__ == "__main__":
    main()

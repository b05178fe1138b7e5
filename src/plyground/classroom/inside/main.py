"""Runs a student's file: `python -I -B main.py KIND FILE [FOLDER]...`.

KIND is derby, breakthrough or plain; the folders hold packages that the file may import.

The referee sits at the other end of standard input and output and speaks JSON, a line a message:

    {"type": "begin", ...}   the file is loaded    ->  {"type": "ready", "name": "player"}
    {"type": "turn", ...}    it chooses a move     ->  {"type": "move", "move": ..., "depth": ...}
    {"type": "over"}         the process ends with status 0

Before any of the student's code runs, both pipes are out of its way (`wire.py`): it reads nothing
on standard input, and what it prints goes to standard error. Whatever it does, one of three things
comes of a message: an answer, the end of this process with status 1 and the reason on standard
error, or silence.

This folder needs nothing but Python. It may be mounted anywhere, read-only.
"""

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))


def main() -> None:
    # This file is compiled anew at every start, so that all there is to do is done elsewhere.
    sys.path.insert(0, FOLDER)
    from seat import take_seat

    sys.path += sys.argv[3:]
    take_seat(FOLDER, sys.argv[1], sys.argv[2])


if __name__ == "__main__":
    main()

"""The program of the second process that compiles rules (`compiler_process.py`).

Messages are bytes after their length. The first one it gets is a request, pickled. It answers with
READY, or with nothing if it does not find the game that was ordered. Then it gets the names of
parts, one at a time, and answers with the bitcode of each, or with nothing if it does not compile.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import struct
import sys
import threading
from collections.abc import Callable
from typing import IO, NamedTuple

READY = b"ready"
LENGTH = struct.Struct("<Q")
LONGEST_MESSAGE = 1 << 28
"""Bytes. The code of a game's rules is far shorter."""


class CompileRequest(NamedTuple):
    """What is to be compiled."""

    source: str
    """The name or file by which the game is found."""
    digest: str
    board: bytes
    """The fields of the board, pickled."""
    arrays: str
    """The types of its arrays."""


def send(stream: IO[bytes], message: bytes) -> None:
    """Raises OSError."""
    stream.write(LENGTH.pack(len(message)) + message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Raises EOFError if the stream ends first, or has something else than a message."""
    (length,) = LENGTH.unpack(_read(stream, LENGTH.size))
    if length > LONGEST_MESSAGE:
        raise EOFError
    return _read(stream, length)


def _read(stream: IO[bytes], length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


def main() -> None:
    # The game's own code must neither read nor write the messages.
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    for descriptor, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY)):
        nothing = os.open(os.devnull, mode)
        os.dup2(nothing, descriptor)
        os.close(nothing)
    gc.disable()  # it takes a tenth of the time, and this process ends soon
    # Numba imports SciPy where it finds it. Only linear algebra needs it.
    sys.modules["scipy"] = None  # type: ignore[assignment]
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests, waiting), daemon=True).start()
    compile_part = _prepared(pickle.loads(waiting.get()))
    send(answers, b"" if compile_part is None else READY)
    while compile_part is not None:
        send(answers, compile_part(waiting.get().decode()))


def _read_requests(requests: IO[bytes], waiting: queue.SimpleQueue[bytes]) -> None:
    """End this process with the one that started it, whatever it is doing."""
    while True:
        try:
            waiting.put(receive(requests))
        except (OSError, EOFError):
            os._exit(0)


def _prepared(request: CompileRequest) -> Callable[[str], bytes] | None:
    """What compiles parts of the game that was ordered; None if it is not found here."""
    from plyground.core.registry import find_game
    from plyground.search.binding.bound_rules import BoundRules
    from plyground.search.binding.layout import describe_arrays
    from plyground.search.binding.sources import digest_of

    try:
        game = find_game(request.source)
        board = game.freeze_board(game.rules.board_class(*pickle.loads(request.board)))
        digest = digest_of(game.rules)
    except Exception:  # of the game's code
        return None
    if digest != request.digest or describe_arrays(board) != request.arrays:
        return None
    from plyground.search.binding.exports import export

    bound = BoundRules(game, digest)

    def compile_part(part: str) -> bytes:
        try:
            return export(bound, part, board)
        except Exception:  # the compiler's errors have no common ancestor
            return b""

    return compile_part

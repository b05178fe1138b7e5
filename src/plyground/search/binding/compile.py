"""Binding a game to the kernels: its rules compiled, and cached on disk for the next process.

`bind(game)` gives a `Bound`. Each of its kernels is a function of the search package, compiled for
this game alone (`search/binding/dispatch.py` is where a kernel's `play(game, ...)` becomes the
game's). Compiled code is kept on disk (`search/binding/code_cache.py`). After an edit of the game
its digest is another one, and the next search compiles anew.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core.errors import NumbaError

from plyground.core.contract import COMPILED, Function
from plyground.core.errors import GameFileError, PlygroundError, line_within
from plyground.core.game import Game
from plyground.search.binding import bound_rules
from plyground.search.binding.bound_rules import BoundRules
from plyground.search.binding.code_cache import empty_folder, folder_name, locked_folder
from plyground.search.binding.diagnostics import explain_rule
from plyground.search.binding.sources import digest_of

_listeners: list[Callable[[str], None]] = []
_lock = threading.Lock()
"""For what all games share: the rules that are bound already, and Numba's settings."""


def announce(listener: Callable[[str], None]) -> None:
    """Call this listener, with a sentence, whenever a kernel has to be compiled."""
    _listeners.append(listener)


def bind(game: Game) -> Bound:
    """The game bound to the kernels; always the same object for the same rules."""
    if numba.config.DISABLE_JIT:
        raise PlygroundError(
            "NUMBA_DISABLE_JIT is set, and the search runs compiled or not at all: unset it"
        )
    digest = digest_of(game.rules)
    with _lock:
        bound = bound_rules.by_digest.get(digest)
        if not isinstance(bound, Bound):
            bound = bound_rules.by_digest[digest] = Bound(game, digest)
        return bound


class Bound(BoundRules):
    """A game whose rules can be compiled into kernels."""

    def __init__(self, game: Game, digest: str) -> None:
        super().__init__(game, digest)
        self._kernels: dict[Function, Any] = {}
        self._prepared = 0.0
        self._preparing_since: float | None = None
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        return f"<Bound {self.game.name} {self.digest}>"

    @property
    def seconds_preparing(self) -> float:
        """Spent so far on compiling kernels or loading them from disk, also on what is under way:
        a time limit for something without a clock of its own can leave that out."""
        # In this order: what ends between the two lines is counted twice for a moment, not never.
        since = self._preparing_since
        return self._prepared + (0.0 if since is None else time.monotonic() - since)

    def run(self, function: Function, *arguments: Any) -> Any:
        """Call a kernel. An error in the game's own code names the game's file."""
        kernel = self._kernels.get(function) or self.prepare(function, *arguments)
        try:
            return kernel(self, *arguments)
        except NumbaError as error:
            raise self._explained(error) from error
        except PlygroundError:
            raise
        except Exception as error:
            message = f": {error}" if str(error) else ""
            raise GameFileError(
                self.game.rules.path,
                line_within(self.game.rules.path, error),
                f"the compiled rules raised {type(error).__name__}{message}",
            ) from error

    def prepare(self, function: Function, *arguments: Any) -> Any:
        """The kernel for arguments of these types, from disk or compiled now and kept there.

        Call this before the clock starts that a kernel runs against.
        """
        with self._lock:
            if function in self._kernels:
                return self._kernels[function]
            signature = tuple(numba.typeof(argument) for argument in (self, *arguments))
            self._preparing_since = started = time.monotonic()
            try:
                kernel = self._cached(function, signature) or _compiled(function, signature)
            except Exception as error:  # the compiler's errors have no common ancestor
                raise self._explained(error) from error
            finally:
                self._prepared += time.monotonic() - started
                self._preparing_since = None
            self._kernels[function] = kernel
            return kernel

    def _cached(self, function: Function, signature: tuple[Any, ...]) -> Any:
        """The kernel from disk, or compiled and kept there; None if the disk cannot be used.

        An error of the compiler is raised. Any other may come of a damaged file or a full disk,
        which is no fault of the rules: the folder is emptied, and filled anew.
        """
        source = os.fsencode(self.game.rules.path) + self.game.variant.encode()
        name = folder_name(self.game.name, source, self.digest)
        with contextlib.suppress(OSError), locked_folder(name) as folder:
            for _ in range(2):
                if not any(folder.glob(f"*/*.{function.__qualname__}-*.nbi")):
                    self._announce_compiling()
                try:
                    return _compiled(function, signature, folder)
                except NumbaError:
                    raise
                except Exception:
                    empty_folder(folder)
        return None

    def _announce_compiling(self) -> None:
        for listener in _listeners:
            listener(f"compiling {self.game.name} for this machine; later runs start at once")

    def _explained(self, error: Exception) -> PlygroundError:
        """The error of the compiler, in terms of the rule at fault and of its own file and line."""
        board_type = numba.typeof(self.pack_board(self.game.board()))
        for name in COMPILED:
            problem = explain_rule(self, name, board_type)
            if problem is not None:
                return problem
        return GameFileError(self.game.rules.path, None, f"the rules do not compile: {error}")


def _compiled(function: Function, signature: tuple[Any, ...], folder: Path | None = None) -> Any:
    """A kernel for these types, kept in the folder if there is one."""
    kernel = njit(nogil=True)(function)
    if folder is not None:
        _cache_in(folder, kernel)
    kernel.compile(signature)
    return kernel


def _cache_in(folder: Path, kernel: Any) -> None:
    """Have Numba keep a kernel's code in this folder. It takes the place from its settings."""
    with _lock:
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            kernel.enable_caching()
        finally:
            numba.config.CACHE_DIR = previous
    # Where Numba cannot write it goes elsewhere by itself, even among our sources.
    if not Path(kernel.stats.cache_path).is_relative_to(folder):
        raise OSError(f"{folder} cannot be written")

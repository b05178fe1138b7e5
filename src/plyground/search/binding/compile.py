"""Binding a game to the kernels: its rules compiled, and cached on disk for the next process.

`bind(game)` gives a `Bound`. Each of its kernels is a function of the search package, compiled for
this game alone (`search/binding/dispatch.py` is where a kernel's `play(game, ...)` becomes the
game's). What was compiled is kept in a folder of its own, named by a digest of everything that went
into it: the game's functions and constants, the search package, Numba. Edit the game, and the next
search compiles anew; no stale code can be found. A lock on the folder keeps two processes from
writing it at once. The folders live in `~/.cache/plyground`, or where PLYGROUND_CACHE says.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import njit, types
from numba.core.errors import NumbaError

from plyground.core.contract import COMPILED, Field, Function
from plyground.core.errors import GameFileError, PlygroundError, line_within
from plyground.core.game import Game
from plyground.search.binding.native import native
from plyground.search.binding.sources import DIGEST_LENGTH, digest_of, reachable_functions

SCALARS = {"int64": types.int64, "uint64": types.uint64, "bool": types.boolean}
KEPT_DIGESTS = 3
"""How many compiled versions of one game stay on disk: going back to the last edit stays quick."""

STEM_LENGTH = 40
"""How much of a game's name its folder shows; names of folders may not be long."""
SOURCE_HASH_LENGTH = 8

_listeners: list[Callable[[str], None]] = []


def announce(listener: Callable[[str], None]) -> None:
    """Tell this listener, in a sentence, whenever a kernel has to be compiled."""
    _listeners.append(listener)


def bind(game: Game) -> Bound:
    """The game bound to the kernels; always the same object for the same rules."""
    if numba.config.DISABLE_JIT:
        raise PlygroundError(
            "NUMBA_DISABLE_JIT is set, and the search runs compiled or not at all: unset it"
        )
    digest = digest_of(game.rules)
    with _shared:
        if digest not in _bound:
            _bound[digest] = Bound(game, digest)
        return _bound[digest]


_bound: dict[str, Bound] = {}
_shared = threading.Lock()
"""For what all games share: the dictionary above, and Numba's settings."""


def bound_by_key(digest: str) -> Bound:
    return _bound[digest]


class Bound:
    """A game whose rules can be compiled into kernels."""

    def __init__(self, game: Game, digest: str) -> None:
        self.game = game
        self.digest = digest
        # The compiler has a type of its own for tuples whose fields are all alike; this picks it.
        self.state_type = types.BaseTuple.from_types(
            [_field_type(field) for field in game.rules.state_fields], game.rules.state_class
        )
        self._rules: dict[str, Any] = {}
        self._kernels: dict[Function, Any] = {}
        self._prepared = 0.0
        self._preparing_since: float | None = None
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        return f"<Bound {self.game.name} {self.digest}>"

    @property
    def seconds_preparing(self) -> float:
        """Spent so far on compiling kernels or getting them from disk, also on what is under way:
        whoever limits the time of something that has no clock of its own can leave that out."""
        # In this order: what ends between the two lines is counted twice for a moment, not never.
        since = self._preparing_since
        return self._prepared + (0.0 if since is None else time.monotonic() - since)

    # What goes in

    def pack_state(self, state: Any) -> Any:
        """A state as kernels take it: words of 64 bits marked as unsigned."""
        return _packed(self.game.rules.state_class, self.game.rules.state_fields, state)

    def pack_board(self, board: Any) -> Any:
        return _packed(self.game.rules.board_class, self.game.rules.board_fields, board)

    def compiled(self, name: str) -> Any:
        """One rule, compiled. The compiler asks for these; tests may call them directly."""
        if name not in self._rules:
            copies = _compilable(self.game.rules.function(name), self.digest)
            self._rules[name] = copies
        return self._rules[name]

    # What runs

    def run(self, function: Function, *arguments: Any) -> Any:
        """Call a kernel. What goes wrong in the game's own code is said of the game's file."""
        kernel = self._kernels.get(function) or self.prepare(function, *arguments)
        try:
            return kernel(self, *arguments)
        except NumbaError as error:
            raise self._explained(error) from error
        except PlygroundError:
            raise
        except Exception as error:
            told = f": {error}" if str(error) else ""
            raise GameFileError(
                self.game.rules.path,
                line_within(self.game.rules.path, error),
                f"the compiled rules raised {type(error).__name__}{told}",
            ) from error

    def prepare(self, function: Function, *arguments: Any) -> Any:
        """The kernel for arguments of these types, from disk or compiled now and kept there.

        Whoever runs a kernel against a clock calls this before the clock starts.
        """
        import plyground.search.binding.dispatch  # noqa: F401  teaches the compiler what a game is

        with self._lock:
            if function in self._kernels:
                return self._kernels[function]
            signature = tuple(numba.typeof(argument) for argument in (self, *arguments))
            self._preparing_since = started = time.monotonic()
            try:
                kernel = self._kept(function, signature) or _compiled(function, signature)
            except Exception as error:  # the compiler's errors have no common ancestor
                raise self._explained(error) from error
            finally:
                self._prepared += time.monotonic() - started
                self._preparing_since = None
            self._kernels[function] = kernel
            return kernel

    def _kept(self, function: Function, signature: tuple[Any, ...]) -> Any:
        """The kernel from disk, or compiled and kept there; None if the disk is of no use.

        A complaint of the compiler is raised. Anything else may come of a damaged file or a full
        disk, which is no fault of the rules: the folder is emptied, and filled anew.
        """
        with contextlib.suppress(OSError), _cache_folder(_folder_name(self)) as folder:
            for _ in range(2):
                if not any(folder.glob(f"*/*.{function.__qualname__}-*.nbi")):
                    self._say_compiling()
                try:
                    return _compiled(function, signature, folder)
                except NumbaError:
                    raise
                except Exception:
                    _empty(folder)
        return None

    def _say_compiling(self) -> None:
        for listener in _listeners:
            listener(f"compiling {self.game.name} for this machine; later runs start at once")

    def _explained(self, error: Exception) -> PlygroundError:
        """The error of the compiler, said of the rule at fault and of its own file and line."""
        from plyground.search.binding.diagnostics import explain_rule

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


def _field_type(field: Field) -> Any:
    scalar = SCALARS[field.kind]
    return types.UniTuple(scalar, field.length) if field.length else scalar


def _packed(tuple_class: type[Any], fields: tuple[Field, ...], values: Any) -> Any:
    if all(field.kind != "uint64" for field in fields):
        return values
    packed = []
    for field, value in zip(fields, values, strict=True):
        if field.kind == "uint64":
            value = tuple(map(np.uint64, value)) if field.length else np.uint64(value)
        packed.append(value)
    return tuple_class(*packed)


def _compilable(function: Function, digest: str) -> Any:
    """The function and every plain function it calls, compiled; the originals stay as they are.

    Rules are plain Python and call plain Python, which the compiler does not do by itself. So each
    function is copied with globals in which the functions it calls are compiled ones.
    """
    reachable = reachable_functions(function)
    compiled: dict[Function, Any] = {}
    for original, _ in reachable:
        copy = FunctionType(
            original.__code__,
            dict(original.__globals__),
            original.__name__,
            original.__defaults__,
            original.__closure__,
        )
        copy.__kwdefaults__ = original.__kwdefaults__
        copy.__module__ = original.__module__
        # Symbols are named after functions. Two versions of a function that were compiled in two
        # processes and are loaded from disk into one must not share a symbol.
        copy.__qualname__ = f"{original.__qualname__}_{digest}"
        compiled[original] = native(copy)
    for original, called in reachable:
        namespace = compiled[original].py_func.__globals__
        namespace.update({name: compiled[callee] for name, callee in called.items()})
    return compiled[function]


# The cache on disk


def wanted_cache_root() -> Path:
    """The folder that should hold all compiled code."""
    given = os.environ.get("PLYGROUND_CACHE")
    if given:
        return Path(given)
    from platformdirs import user_cache_path

    root = user_cache_path("plyground", appauthor=False)
    if root.parts[0] == "~":
        raise RuntimeError("the home folder is not known")
    return root


def cached_games(root: Path) -> list[Path]:
    """The folders of compiled games. Whatever else lies in the cache folder is not ours."""
    return [lock.parent for lock in root.glob(f"*-{'[0-9a-f]' * DIGEST_LENGTH}/lock")]


@cache
def cache_root() -> Path:
    """The folder that holds all compiled code; a temporary one where none can be written."""
    try:
        root = wanted_cache_root()
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
    except (OSError, RuntimeError) as error:
        root = Path(tempfile.mkdtemp(prefix="plyground-"))
        atexit.register(shutil.rmtree, root, ignore_errors=True)
        print(
            f"plyground: the cache folder cannot be written ({error}); compiled code is lost"
            " after this run. Set PLYGROUND_CACHE to a folder of yours.",
            file=sys.stderr,
        )
    return root


def _folder_name(bound: Bound) -> str:
    """The name of a game's folder: its versions differ only in the digest, after the last dash."""
    stem = re.sub(r"[^\w.]", "_", bound.game.name)[:STEM_LENGTH]
    source = os.fsencode(bound.game.rules.path) + bound.game.variant.encode()
    return f"{stem}-{hashlib.sha256(source).hexdigest()[:SOURCE_HASH_LENGTH]}-{bound.digest}"


@contextlib.contextmanager
def _cache_folder(name: str) -> Iterator[Path]:
    """The folder of one compiled game, ours alone while we are in it."""
    folder = cache_root() / name
    with contextlib.ExitStack() as held:
        while not _lock(folder, held):
            pass
        yield folder
        with contextlib.suppress(OSError):
            _forget_old(folder)


def _lock(folder: Path, held: contextlib.ExitStack) -> bool:
    """Make the folder and wait for its lock; False if someone removed it in the meantime."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = held.enter_context(open(folder / "lock", "w"))  # noqa: SIM115  held by the caller
        fcntl.flock(lock, fcntl.LOCK_EX)
        return os.path.samestat(os.fstat(lock.fileno()), os.stat(folder / "lock"))
    except FileNotFoundError:
        return False


def _cache_in(folder: Path, kernel: Any) -> None:
    """Have Numba keep a kernel's code in this folder. It takes the place from its settings."""
    with _shared:
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            kernel.enable_caching()
        finally:
            numba.config.CACHE_DIR = previous
    # Where Numba cannot write it goes elsewhere by itself, even among our sources.
    if not Path(kernel.stats.cache_path).is_relative_to(folder):
        raise OSError(f"{folder} cannot be written")


def _empty(folder: Path) -> None:
    """Drop all that a folder of ours holds, but not its lock."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != "lock":
            path.unlink(missing_ok=True)


def remove_cached(folder: Path) -> bool:
    """Remove the folder of a compiled game, unless a process is at work in it or it is not ours."""
    try:
        with open(folder / "lock", "r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _empty(folder)
            # The lock goes last: whoever waits for it finds that it is gone, and starts again.
            (folder / "lock").unlink()
            folder.rmdir()
    except OSError:
        return False
    return True


def _forget_old(folder: Path) -> None:
    """Drop the oldest compiled versions of the same game."""
    folder.touch()
    game = folder.name.rpartition("-")[0]
    versions = [
        other
        for other in cached_games(folder.parent)
        if other != folder and other.name.rpartition("-")[0] == game
    ]
    for old in sorted(versions, key=_age)[KEPT_DIGESTS - 1 :]:
        remove_cached(old)


def _age(folder: Path) -> float:
    try:
        return -folder.stat().st_mtime
    except OSError:
        return 0.0

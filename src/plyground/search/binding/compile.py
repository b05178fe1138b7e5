"""Binding a game to the kernels: machine code for each, cached on disk for the next process.

`bind(game)` gives a `Bound`. It runs kernels on positions of its game. A kernel is compiled once
for all games (`kernels.py`), each rule once for each version of a game (`exports.py`), and both are
linked for the game (`linking.py`). A second process compiles some of the rules
(`compiler_process.py`). All three steps are cached on disk (`code_cache.py`) under
digests of their sources, so an edit of a game compiles that game's rules and nothing else.

A program that finds all on disk does not import the compiler, which takes half a second: what needs
it is imported where something has to be compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.core.contract import COMPILED, Function
from plyground.core.errors import GameFileError, PlygroundError
from plyground.core.game import Game
from plyground.search.binding.bound_rules import BoundRules
from plyground.search.binding.code_cache import (
    KERNEL,
    folder_name,
    folder_path,
    locked_folder,
    read_code,
    write_code,
)
from plyground.search.binding.layout import PackedBoard, describe, describe_arrays
from plyground.search.binding.linking import (
    PREFIX,
    CompiledError,
    LoadedKernel,
    link,
    undefined_symbols,
)
from plyground.search.binding.sources import DIGEST_LENGTH, digest_of, kernel_digest
from plyground.search.garbage_collection import no_garbage_collection

if TYPE_CHECKING:
    from plyground.search.binding.compiler_process import SharedCompiler

bound_by_digest: dict[str, Bound] = {}
"""The games that were bound in this process."""

_listeners: list[Callable[[str], None]] = []
_lock = threading.Lock()


def announce(listener: Callable[[str], None]) -> None:
    """Call this listener, with a sentence, whenever something has to be compiled."""
    _listeners.append(listener)


def bind(game: Game) -> Bound:
    """The game bound to the kernels; always the same object for the same rules."""
    game.require_compilable()
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        raise PlygroundError(
            "NUMBA_DISABLE_JIT is set, and the search runs compiled or not at all: unset it"
        )
    digest = digest_of(game.rules)
    with _lock:
        if digest not in bound_by_digest:
            bound_by_digest[digest] = Bound(game, digest)
        return bound_by_digest[digest]


def is_linked(game: Game, kernel: str) -> bool:
    """Whether the machine code of a kernel, by its module and name, is on disk for this game."""
    folder = folder_path(_folder(game, digest_of(game.rules)))
    return any(folder.glob(f"{kernel}-*.o"))


def compile_kernel(function: Function, *arguments: Any) -> None:
    """Compile a kernel for arguments of these types and keep it on disk, without any game."""
    if _kernel_on_disk(function, arguments) is None:
        _compiled_kernel(function, arguments)


def has_kernel(function: Function) -> bool:
    """Whether a kernel is compiled on disk, for arguments of whatever types."""
    return any(folder_path(_kernel_folder(function)).glob("*.bc"))


def _folder(game: Game, digest: str) -> str:
    source = os.fsencode(game.rules.path) + game.variant.encode()
    return folder_name(game.name, source, digest)


class Bound(BoundRules):
    """A game whose rules can be linked to kernels."""

    def __init__(self, game: Game, digest: str) -> None:
        super().__init__(game, digest)
        self._kernels: dict[Function, LoadedKernel] = {}
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

    def run(self, function: Function, *arguments: Any) -> int:
        """Call a kernel. An error in the game's own code names the game's file."""
        kernel = self._kernels.get(function) or self.prepare(function, *arguments)
        try:
            return kernel(*arguments)
        except CompiledError as error:
            path = self.game.rules.path
            _, file, line = error.place or ("", "", None)
            message = f": {error}" if str(error) else ""
            raise GameFileError(
                path,
                line if file and os.path.realpath(file) == os.path.realpath(path) else None,
                f"the compiled rules raised {type(error.error).__name__}{message}",
            ) from error

    def prepare(self, function: Function, *arguments: Any) -> LoadedKernel:
        """The kernel for arguments of these types, from disk or compiled now and kept there.

        Call this before the clock starts that a kernel runs against.
        """
        with self._lock:
            if function in self._kernels:
                return self._kernels[function]
            self._preparing_since = started = time.monotonic()
            try:
                kernel = self._linked(function, arguments)
            finally:
                self._prepared += time.monotonic() - started
                self._preparing_since = None
            self._kernels[function] = kernel
            return kernel

    def _linked(self, function: Function, arguments: tuple[Any, ...]) -> LoadedKernel:
        """The kernel with this game's rules."""
        boards = [item.source for item in arguments if isinstance(item, PackedBoard)]
        board = boards[0] if boards else self.game.board()
        # Boards whose arrays have other types are other code.
        variant = _short(describe_arrays(board))
        folder = _folder(self.game, self.digest)
        name = f"{_code_name(function, arguments)}-{variant}.o"
        code = read_code(folder_path(folder), name)
        if code is None:
            with _writable(folder) as path:
                code = _cached(path, name, lambda: self._link(function, arguments, board, path))
        return LoadedKernel(code)

    @no_garbage_collection()  # a tenth of the time to compile, for 20 megabytes
    def _link(
        self, function: Function, arguments: tuple[Any, ...], board: Any, path: Path | None
    ) -> bytes:
        from plyground.search.binding.compiler_process import SharedCompiler

        self._announce_compiling(path is not None)
        with SharedCompiler(self.game, self.digest, partial(self._export, board)) as compiler:
            kernel = _kernel_on_disk(function, arguments)
            rules = COMPILED if kernel is None else undefined_symbols(kernel, PREFIX)
            compiler.start(board, _not_in(path, rules))
            if kernel is None:
                from plyground.search.binding.kernels import rules_called

                compiler.expect(_not_in(path, rules_called(function)))
                kernel = _compiled_kernel(function, arguments)
            parts = self._parts(undefined_symbols(kernel, PREFIX), board, path, compiler)
        return link(kernel, parts)

    def _parts(
        self, symbols: Iterable[str], board: Any, path: Path | None, compiler: SharedCompiler
    ) -> list[bytes]:
        """The pieces of the game's rules that define these symbols."""
        from plyground.search.binding.exports import part_of

        variant = _short(str(self.board_type(board)))
        parts = sorted({part_of(symbol) for symbol in symbols})
        names = {part: f"{part}-{variant}.bc" for part in parts}
        found = {part: None if path is None else read_code(path, names[part]) for part in parts}
        compiled = compiler.compile([part for part in parts if found[part] is None])
        for part, code in compiled.items():
            _keep(path, names[part], code)
        return [found[part] or compiled[part] for part in parts]

    def _export(self, board: Any, part: str) -> bytes:
        """A piece of the game's rules. An error of the compiler names the rule at fault."""
        from plyground.search.binding.exports import export

        try:
            return export(self, part, board)
        except Exception as error:  # the compiler's errors have no common ancestor
            raise self._explained(error, board) from error

    def _announce_compiling(self, kept: bool) -> None:
        later = "; later runs start at once" if kept else ""
        for listener in _listeners:
            listener(f"compiling {self.game.name} for this machine{later}")

    def _explained(self, error: Exception, board: Any) -> PlygroundError:
        """The error of the compiler, in terms of the rule at fault and of its own file and line."""
        from plyground.search.binding.diagnostics import explain_rule

        board_type = self.board_type(board)
        for name in COMPILED:
            problem = explain_rule(self, name, board_type)
            if problem is not None:
                return problem
        return GameFileError(self.game.rules.path, None, f"the rules do not compile: {error}")


def _kernel_on_disk(function: Function, arguments: tuple[Any, ...]) -> bytes | None:
    """The bitcode of a kernel, which all games share."""
    folder = folder_path(_kernel_folder(function))
    return read_code(folder, f"{_code_name(function, arguments)}.bc")


def _compiled_kernel(function: Function, arguments: tuple[Any, ...]) -> bytes:
    """The same, compiled now unless another process has just done it."""
    from plyground.search.binding.kernels import kernel_bitcode

    with _writable(_kernel_folder(function)) as path:
        name = f"{_code_name(function, arguments)}.bc"
        return _cached(path, name, lambda: kernel_bitcode(function, arguments))


def _kernel_folder(function: Function) -> str:
    """Each kernel has a folder of its own, so that two processes can compile two of them."""
    digest = kernel_digest()[:DIGEST_LENGTH]
    return folder_name(KERNEL + function.__name__, function.__module__.encode(), digest)


def _not_in(path: Path | None, parts: Iterable[str]) -> list[str]:
    """Those of these pieces of which there is no file, for boards of whatever types."""
    return [part for part in parts if path is None or not any(path.glob(f"{part}-*.bc"))]


@contextlib.contextmanager
def _writable(folder: str) -> Iterator[Path | None]:
    """A folder of the cache, locked while inside; None if the disk cannot be used."""
    with contextlib.ExitStack() as held:
        try:
            path = held.enter_context(locked_folder(folder))
        except OSError:
            path = None
        yield path


def _cached(path: Path | None, name: str, make: Callable[[], bytes]) -> bytes:
    """A file of the cache; made now, and kept if possible, if it is missing or damaged."""
    code = None if path is None else read_code(path, name)
    if code is None:
        code = make()
        _keep(path, name, code)
    return code


def _keep(path: Path | None, name: str, code: bytes) -> None:
    """Write a file of the cache if possible."""
    if path is not None:
        with contextlib.suppress(PlygroundError, OSError):
            write_code(path, name, code)


def _code_name(function: Function, arguments: tuple[Any, ...]) -> str:
    return f"{function.__module__}.{function.__qualname__}-{_short(describe(arguments))}"


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]

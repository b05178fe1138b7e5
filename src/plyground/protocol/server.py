"""An engine for any game behind a pipe: reads commands of UGI or UCI, and answers them.

UGI, the Universal Game Interface, is UCI, the Universal Chess Interface, without chess: the players
are p1 and p2, and the engine can be asked whose turn it is and how a game ended. Positions and
moves are single tokens (`protocol/notation.py`). UCI is for the games that Fairy-Stockfish plays,
in its notation.

Commands are read while a search runs. A line that makes no sense is answered with `info string`
and one sentence, and has no other effect.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Sequence

from plyground import __version__
from plyground.core.errors import FormatError, GameOver, IllegalMove, LimitError, PlygroundError
from plyground.core.game import Game, Options, Position
from plyground.protocol.fairy_stockfish import VariantNotation, variant_of, variants_of
from plyground.protocol.info import MILLISECONDS, write_info
from plyground.protocol.notation import GameNotation, Notation
from plyground.protocol.options import EngineOption, find_option
from plyground.protocol.scores import whole_number
from plyground.search.memory_limit import machine_memory
from plyground.search.result import MAX_THREADS, Limits, SearchResult, limits_for_move
from plyground.search.searcher import (
    UNLIMITED,
    Algorithm,
    Searcher,
    SearcherSettings,
    make_searcher,
)
from plyground.search.time_management import LEAST_SECONDS, move_seconds

AUTHOR = "the plyground developers"
NO_MOVE = "0000"
"""The best move of a game that is over."""

HASH, THREADS, FEATURES, OVERHEAD = "Hash", "Threads", "Features", "Move Overhead"
EVALUATION, AUTOMATIC = "Evaluation", "automatic"
VARIANT = "UCI_Variant"

DEFAULT_MEMORY = 64
LONGEST_OVERHEAD = 5000
DEFAULT_OVERHEAD = 10
"""Milliseconds that a move loses between the two programs; of game clocks only."""

CLOCKS = {"p1time": "time 0", "p2time": "time 1", "p1inc": "increment 0", "p2inc": "increment 1"}
CHESS_CLOCKS = {"wtime": "time 0", "btime": "time 1", "winc": "increment 0", "binc": "increment 1"}
NUMBERS = {**CLOCKS, **CHESS_CLOCKS} | {
    name: name for name in ("movetime", "depth", "nodes", "movestogo")
}
"""The words of `go` that a number follows."""

STOP_INTERVAL = 0.005
"""Seconds between two attempts to stop a search, which forgets the first one if it just begins."""
STOP_PATIENCE = 20.0
"""Seconds in which every search stops; one that does not is in a loop of the game's own rules."""

Write = Callable[[str], None]


class EngineServer:
    """Answers the lines of one client. `write` sends a line to it, from any thread."""

    def __init__(
        self,
        game: Game,
        options: Options | None = None,
        *,
        write: Write,
        announce: Callable[[], None] = lambda: None,
    ) -> None:
        """The options are those of the board on which the game starts. `announce` is called before
        something may have to be compiled. Raises LimitError for a game that cannot be."""
        game.require_compilable()
        self._game, self._announce = game, announce
        self._own_notation = GameNotation(game, options)
        self._notation: Notation = self._own_notation
        self._position = self._notation.start()
        self._start = self._position
        self._send = _Output(write).send
        self._values: dict[str, str] = {}
        self._variant = ""
        self._searcher: Searcher | None = None
        self._running: _RunningSearch | None = None
        self._plain_commands: dict[str, Callable[[], None]] = {
            "ugi": self._begin_ugi,
            "uci": self._begin_uci,
            "isready": self._become_ready,
            "uginewgame": self._begin_game,
            "ucinewgame": self._begin_game,
            "stop": self._stop,
        }
        self._commands: dict[str, Callable[[Sequence[str]], None]] = {
            "setoption": self._set_option,
            "position": self._set_position,
            "query": self._answer_query,
            "go": self._go,
        }
        """Those that have arguments."""

    def serve(self, lines: Iterable[str]) -> None:
        """Answer until `quit` or the end of the input. A search under way is stopped then."""
        try:
            for line in lines:
                words = line.split()
                if words == ["quit"]:
                    break
                if words:
                    self._answer(words)
        finally:
            self._stop()

    def _answer(self, words: Sequence[str]) -> None:
        try:
            if words[0] in self._commands:
                self._commands[words[0]](words[1:])
            elif words[0] in self._plain_commands:
                self._plain_commands[words[0]]()
            else:
                known = ", ".join([*self._plain_commands, *self._commands, "quit"])
                raise FormatError(f"there is no command {words[0]!r:.60}; commands: {known}")
        except PlygroundError as error:
            self._say(str(error))

    def _say(self, sentence: str) -> None:
        self._send(f"info string {' '.join(sentence.split())}")

    # Before a game

    def _begin_ugi(self) -> None:
        self._refuse_searching("ugi")
        self._variant, self._notation = "", self._own_notation
        self._introduce("ugiok")

    def _begin_uci(self) -> None:
        self._refuse_searching("uci")
        self._choose_variant(variant_of(self._start).name)
        self._introduce("uciok")

    def _introduce(self, last: str) -> None:
        self._position = self._notation.start()
        self._send(f"id name plyground {__version__} {self._game.title}")
        self._send(f"id author {AUTHOR}")
        for option in self._options():
            self._send(option.text)
        self._send(last)

    def _options(self) -> list[EngineOption]:
        """What can be set. The value of each is its default until then."""
        options = [
            EngineOption(HASH, "spin", str(DEFAULT_MEMORY), 1, machine_memory()),
            EngineOption(THREADS, "spin", "1", 1, MAX_THREADS),
            EngineOption(FEATURES, "string", "play"),
            EngineOption(EVALUATION, "string", AUTOMATIC),
            EngineOption(OVERHEAD, "spin", str(DEFAULT_OVERHEAD), 0, LONGEST_OVERHEAD),
        ]
        if self._variant:
            names = tuple(variant.name for variant in variants_of(self._game))
            options.append(EngineOption(VARIANT, "combo", self._variant, choices=names))
        return options

    def _set_option(self, words: Sequence[str]) -> None:
        """`setoption name NAME value VALUE`"""
        self._refuse_searching("setoption")
        if words[:1] != ["name"]:
            raise FormatError("an option is set by: setoption name NAME value VALUE")
        at = words.index("value") if "value" in words else len(words)
        option = find_option(self._options(), " ".join(words[1:at]))
        value = option.check(" ".join(words[at + 1 :]))
        if option.name == VARIANT:
            self._choose_variant(value)
            return
        if option.name == FEATURES:
            from plyground.search.features import read_features

            read_features(value)
        if option.name == EVALUATION and value != AUTOMATIC:
            from plyground.search.net.evaluation import check_evaluation

            check_evaluation(value)
        self._values[option.name] = value
        if option.name != OVERHEAD:
            self._searcher = None

    def _choose_variant(self, name: str) -> None:
        variant = next(one for one in variants_of(self._game) if one.name == name)
        self._variant, self._notation = name, VariantNotation(self._game, variant)
        self._position = self._notation.start()

    def _become_ready(self) -> None:
        """The first time, what positions and searches need is loaded or compiled."""
        if self._running is None or not self._running.is_under_way:
            self._prepare()
        self._send("readyok")

    def _prepare(self) -> Searcher:
        """The searcher, which is made if there is none with these options."""
        if self._searcher is None:
            evaluation = self._values.get(EVALUATION, AUTOMATIC)
            settings = SearcherSettings(
                threads=int(self._values.get(THREADS, 1)),
                memory=int(self._values.get(HASH, DEFAULT_MEMORY)),
                features=self._values.get(FEATURES),
                evaluation=None if evaluation == AUTOMATIC else evaluation,
            )
            self._game.preload()
            self._announce()
            self._searcher = make_searcher(Algorithm.ENGINE, self._game, settings)
        return self._searcher

    def _refuse_searching(self, command: str) -> None:
        if self._running is not None and self._running.is_under_way:
            raise FormatError(f"{command} is refused while a search runs: stop it first")

    # A game

    def _begin_game(self) -> None:
        """Nothing that was searched in earlier games is remembered."""
        self._refuse_searching("a new game")
        self._position = self._notation.start()
        if self._searcher is not None:
            self._searcher.clear()

    def _set_position(self, words: Sequence[str]) -> None:
        """`position startpos|fen POSITION [moves MOVE ...]`"""
        self._refuse_searching("position")
        at = words.index("moves", 2) if "moves" in words[2:] else len(words)
        if words[:1] == ["fen"] and at > 1:
            position = self._notation.read_position(" ".join(words[1:at]))
        elif words[:1] == ["startpos"] and (len(words) == 1 or words[1] == "moves"):
            at, position = 1, self._notation.start()
        else:
            raise FormatError(
                "a position is: position startpos, or: position fen POSITION; then perhaps:"
                " moves MOVE ..."
            )
        for number, token in enumerate(words[at + 1 :], 1):
            try:
                position = position.play(self._notation.read_move(position, token))
            except (IllegalMove, GameOver, FormatError) as error:
                raise FormatError(f"move {number}: {error}; the position is as before") from None
        self._position = position

    def _answer_query(self, words: Sequence[str]) -> None:
        """`query p1turn|gameover|result`"""
        position = self._position
        if words == ["p1turn"]:
            answer = "true" if position.turn == 0 else "false"
        elif words == ["gameover"]:
            answer = "true" if position.is_over else "false"
        elif words == ["result"]:
            answer = _result(position)
        else:
            raise FormatError("a query is one of: p1turn, gameover, result")
        self._send(f"response {answer}")

    # Searching

    def _go(self, words: Sequence[str]) -> None:
        """`go [p1time MS] [p2time MS] [p1inc MS] [p2inc MS] [movetime MS] [depth N] [nodes N]
        [infinite]`, and for UCI `wtime` and so on. Without a limit it is infinite."""
        received = time.perf_counter()
        self._refuse_searching("go")
        numbers, ignored = _read_go(words)
        if ignored:
            self._say(f"go does not know, and ignores: {' '.join(ignored)}")
        position = self._position
        if position.is_over:
            self._say(f"the game is over ({position.outcome.reason}): there is no move")
            self._send(f"bestmove {NO_MOVE}")
            return
        seconds = self._seconds(numbers)
        limits = UNLIMITED
        if seconds is not None or "depth" in numbers or "nodes" in numbers:
            limits = Limits(numbers.get("depth"), numbers.get("nodes"), seconds)
        searcher = self._prepare()
        if seconds is not None:
            left = max(LEAST_SECONDS, seconds - (time.perf_counter() - received))
            limits = limits_for_move(position, Limits(limits.depth, limits.nodes, left))
        waits = "infinite" in words or limits is UNLIMITED
        self._running = _RunningSearch(searcher, position, limits, self._notation, self._send)
        self._running.start(waits_for_stop=waits)

    def _seconds(self, numbers: dict[str, int]) -> float | None:
        """The time for a move: its own limit, or a part of the game's clock."""
        found = []
        if "movetime" in numbers:
            if numbers["movetime"] <= 0:
                raise LimitError("movetime is a number of milliseconds above 0")
            found.append(numbers["movetime"] / MILLISECONDS)
        turn = self._position.turn
        if f"time {turn}" in numbers:
            found.append(
                move_seconds(
                    numbers[f"time {turn}"] / MILLISECONDS,
                    max(0, numbers.get(f"increment {turn}", 0)) / MILLISECONDS,
                    numbers.get("movestogo"),
                    int(self._values.get(OVERHEAD, DEFAULT_OVERHEAD)) / MILLISECONDS,
                )
            )
        return min(found, default=None)

    def _stop(self) -> None:
        if self._running is not None:
            self._running.stop()


class _Output:
    """Whole lines, one after another, whichever thread sends them."""

    def __init__(self, write: Write) -> None:
        self._write, self._lock = write, threading.Lock()

    def send(self, line: str) -> None:
        with self._lock:
            self._write(line)


class _RunningSearch:
    """A search in a thread of its own, which sends lines with its progress and its answer."""

    def __init__(
        self,
        searcher: Searcher,
        position: Position,
        limits: Limits,
        notation: Notation,
        send: Write,
    ) -> None:
        self._searcher, self._position, self._limits = searcher, position, limits
        self._notation, self._send = notation, send
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._is_answered = False
        self._has_shown = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._waits_for_stop = False

    def start(self, *, waits_for_stop: bool) -> None:
        """An infinite search answers when it is stopped, even if it has nothing more to find."""
        self._waits_for_stop = waits_for_stop
        self._thread.start()

    @property
    def is_under_way(self) -> bool:
        """Whether its best move is still to come. The client may send the next command as soon as
        it has read it, when the thread has not ended yet."""
        return not self._is_answered

    def stop(self) -> None:
        """Returns when the best move has been sent."""
        self._stopped.set()
        until = time.perf_counter() + STOP_PATIENCE
        while self._thread.is_alive() and time.perf_counter() < until:
            self._searcher.stop()
            self._thread.join(STOP_INTERVAL)

    def _run(self) -> None:
        with contextlib.suppress(OSError):  # the client has closed the pipe: the input ends too
            try:
                result = self._searcher.search(self._position, self._limits, progress=self._show)
            except PlygroundError as error:
                self._answer(NO_MOVE, f"info string {' '.join(str(error).split())}")
                return
            if self._waits_for_stop:
                self._stopped.wait()
            best = self._notation.write_move(self._position, result.move)
            self._answer(best, None if self._has_shown else write_info(result, self._notation))

    def _answer(self, best: str, line: str | None) -> None:
        """Send a last line, if there is one, and the best move. No line comes after it."""
        with self._lock:
            self._is_answered = True
            if line is not None:
                self._send(line)
            self._send(f"bestmove {best}")

    def _show(self, result: SearchResult) -> None:
        """Called by a thread of the search, which may be late."""
        line = write_info(result, self._notation)
        with self._lock:
            if not self._is_answered:
                self._has_shown = True
                self._send(line)


def _read_go(words: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    """The numbers of `go` by their names, and the words that it does not know."""
    numbers: dict[str, int] = {}
    ignored: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in NUMBERS:
            text = next(rest, "")
            number = whole_number(text)
            if number is None:
                raise FormatError(f"go {word}: a whole number comes next, not {text!r:.60}")
            numbers[NUMBERS[word]] = number
        elif word != "infinite":
            ignored.append(word)
    return numbers, ignored


def _result(position: Position) -> str:
    if not position.is_over:
        return "none"
    winner = position.outcome.winner
    return "draw" if winner is None else f"p{winner + 1}win"

"""A program that speaks UGI or UCI as a player, for one game after another.

Nothing here waits without a limit: for a program that starts, gets ready or has to move. One that
stays silent is ended, and every kind of failure is a Fault with an ending of its own. After a fault
the player is closed, and starts the program anew for the next game.

The wall clock counts, as between programs everywhere: from `go` to `bestmove`, without what the
host of a virtual machine took from the program's cores.
"""

from __future__ import annotations

import math
import os
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

from plyground.core.errors import FormatError, GameOver, IllegalMove
from plyground.core.game import Game, Position
from plyground.core.outcome import Ending
from plyground.core.printable import printable
from plyground.players.entrants import Entrant, EntrantContext, LastingEntrant
from plyground.players.line_process import LineProcess, LineTooLong, NoLine, ProcessClosed
from plyground.players.move_history import MoveHistory
from plyground.players.move_timer import MoveTimer
from plyground.players.notation import PlayerSpec
from plyground.players.player import Choice, Clock, Fault
from plyground.players.program import NotStarted
from plyground.players.program_log import NOTE, RECEIVED, SENT, ProgramLog
from plyground.protocol.fairy_stockfish import VariantNotation, variant_of
from plyground.protocol.info import MILLISECONDS, Info, read_info
from plyground.protocol.notation import GameNotation, Notation
from plyground.protocol.options import EngineOption, find_option, read_option
from plyground.search.result import Limits

START_SECONDS = 30.0
"""For a program to start and to introduce itself."""
READY_SECONDS = 120.0
"""For `isready`: a program may have to load or to compile something."""
STOP_SECONDS = 2.0
"""For the answer to `stop`, which is sent when the time for a move is up."""
LONGEST_MOVE = 600.0
"""For a move without a limit of time."""
QUIT_SECONDS = 0.5
"""In which a program ends by itself after `quit`."""
EXIT_SECONDS = 0.5
"""In which a program that has closed its pipe may end, so that its status is known."""
DEFAULT_LIMITS = Limits(seconds=1.0)
"""Of a move, where neither the player nor the clock has one."""

VARIANT = "UCI_Variant"
VARIANT_FILE = "VariantPath"
"""The option by which Fairy-Stockfish is given a file with variants."""
NO_MOVES = ("0000", "(none)", "none", "null", "resign")
"""What programs answer if they have no move."""
LONGEST_SENTENCE = 200


class _ProtocolWords(NamedTuple):
    """The words in which the two protocols differ."""

    begin: str
    begun: str
    new_game: str
    times: tuple[str, str]
    increments: tuple[str, str]


WORDS = {
    "ugi": _ProtocolWords("ugi", "ugiok", "uginewgame", ("p1time", "p2time"), ("p1inc", "p2inc")),
    "uci": _ProtocolWords("uci", "uciok", "ucinewgame", ("wtime", "btime"), ("winc", "binc")),
}


class EngineProgram:
    """A program behind a pipe, started for the first game and kept for the next."""

    def __init__(
        self,
        command: Sequence[str] | str,
        protocol: str = "ugi",
        options: Mapping[str, str] | None = None,
        *,
        name: str | None = None,
        limits: Limits | None = None,
        start_seconds: float = START_SECONDS,
        ready_seconds: float = READY_SECONDS,
        stop_seconds: float = STOP_SECONDS,
        longest_move: float = LONGEST_MOVE,
        log: ProgramLog | None = None,
    ) -> None:
        """`options` are the program's own, set before its first game; for UCI, `variant` stands for
        UCI_Variant. `limits` are those of each move, besides the clock's."""
        self._log = log
        self._command = split_command(command)
        if not self._command:
            raise FormatError("a program is a command, such as: plyground engine breakthrough")
        self._protocol, self._words = protocol, WORDS[protocol]
        self._options = dict(options or {})
        self.name = os.path.basename(self._command[0]) if name is None else name
        self._limits = limits
        self._start_seconds, self._ready_seconds = start_seconds, ready_seconds
        self._stop_seconds, self._longest_move = stop_seconds, longest_move
        self._process: LineProcess | None = None
        self._variant = ""
        """The variant that the program was set to."""
        self._notation: Notation | None = None
        self._history: MoveHistory | None = None
        self._own_move: int | None = None
        self._moves = 0
        self._errors = ""

    @property
    def stderr(self) -> str:
        """What the program wrote to its standard error since it was started, without the middle if
        it is long. It is kept after the program has ended."""
        return self._errors if self._process is None else self._process.stderr

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        if self._process is not None and self._process.status is not None:
            self.close()
        if self._protocol == "uci":
            variant = variant_of(position)
            self._notation = VariantNotation(position.game, variant)
            self._check_variant(variant.name)
        else:
            self._notation = GameNotation(position.game)
        if self._process is None:
            self._start()
        if self._protocol == "uci":
            self._set_variant(variant.name)
        self._history, self._own_move, self._moves = MoveHistory(position), None, 0
        self._send(self._words.new_game)
        self._await_readiness()

    def choose(self, position: Position, clock: Clock) -> Choice:
        assert self._notation is not None, "begin comes first"
        assert self._history is not None
        self._moves += 1
        self._history.advance_to(position, self._own_move)
        self._await_readiness()  # whatever was written before it belongs to no answer
        self._send(self._position_command())
        go, limit = self._go_command(clock)
        timer = MoveTimer()
        self._send(go)
        token, info = self._read_move(position, timer.started + limit)
        took = timer.stop()
        move = self._legal_move(position, token)
        self._own_move = move
        return Choice(
            position.move_text(move),
            took.seconds,
            stolen=took.stolen,
            depth=info.depth,
            value=info.value,
        )

    def close(self) -> None:
        """Ends the program. What it wrote to its standard error is kept."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.status is None:
            self._note(SENT, "quit")
            process.send(b"quit")
            process.wait(QUIT_SECONDS)
        self._note(NOTE, "it is ended")
        self._bury(process)

    def _bury(self, process: LineProcess) -> None:
        process.close()
        self._errors = process.stderr
        if self._log is not None:
            self._log.write_errors(b"")  # one that was killed may have left a line without an end
            self._log.close()

    # Starting

    def _start(self) -> None:
        self._note(NOTE, f"starting {shlex.join(self._command)}")
        on_errors = None if self._log is None else self._log.write_errors
        try:
            self._process = LineProcess(self._command, environment=os.environ, on_errors=on_errors)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            self._note(NOTE, f"it cannot be started: {reason}")
            raise NotStarted(f"cannot start {self._command[0]!r}: {reason}") from None
        self._variant = ""
        try:
            offered = self._introduction()
            self._set_options(offered)
        except FormatError as error:
            self.close()
            raise FormatError(f"{self.name}: {error}") from None

    def _introduction(self) -> list[EngineOption]:
        """The options that the program offers."""
        self._send(self._words.begin)
        offered = []
        until = time.perf_counter() + self._start_seconds
        while (words := self._read_words(until, "start"))[:1] != [self._words.begun]:
            option = read_option(words) if words[:1] == ["option"] else None
            if option is not None:
                offered.append(option)
        return offered

    def _set_options(self, offered: list[EngineOption]) -> None:
        for name, value in self._options.items():
            if self._protocol == "uci" and name in ("variant", VARIANT):
                continue
            option = find_option(offered, name)
            checked = option.check(value)
            self._send(f"setoption name {option.name}" + (f" value {checked}" if checked else ""))

    def _check_variant(self, name: str) -> None:
        given = self._options.get("variant", self._options.get(VARIANT, name))
        if given != name:
            raise FormatError(f"{self.name}: this board is variant {name}, not {given!r}")

    def _set_variant(self, name: str) -> None:
        """Another variant than in the last game, or the first one. Only now, since another option
        may be a file with variants: the program is asked again which ones it has."""
        if self._variant == name:
            return
        offered = self._introduction()
        try:
            find_option(offered, VARIANT).check(name)
        except FormatError as error:
            self.close()
            has_files = any(option.name == VARIANT_FILE for option in offered)
            hint = f"; {VARIANT_FILE} takes a file with more of them" if has_files else ""
            raise FormatError(f"{self.name}: {error}{hint}") from None
        self._send(f"setoption name {VARIANT} value {name}")
        self._variant = name

    # Asking

    def _position_command(self) -> str:
        assert self._notation is not None
        assert self._history is not None
        start = self._history.start
        words = ["position"]
        if start == self._notation.start():
            words.append("startpos")
        else:
            words += ["fen", self._notation.write_position(start)]
        if self._history.moves:
            words.append("moves")
        for position, move in self._history.moves:
            words.append(self._notation.write_move(position, move))
        return " ".join(words)

    def _go_command(self, clock: Clock) -> tuple[str, float]:
        """The command to move, and the seconds after which the program is told to stop."""
        limits, words, ends = self._limits, ["go"], []
        on_clock = clock.remaining is not None and math.isfinite(clock.remaining[clock.side])
        if on_clock:
            assert clock.remaining is not None
            own = clock.remaining[clock.side]
            for side, left in enumerate(clock.remaining):
                shown = left if math.isfinite(left) else own
                words.append(f"{self._words.times[side]} {max(1, int(shown * MILLISECONDS))}")
            increment = int(clock.increment * MILLISECONDS)
            words += [f"{word} {increment}" for word in self._words.increments]
        elif limits is None and clock.seconds is None:
            limits = DEFAULT_LIMITS
        if clock.limit is not None and math.isfinite(clock.limit):
            ends.append(clock.limit)
        times = [] if clock.seconds is None else [clock.seconds]
        if limits is not None:
            times += [] if limits.seconds is None else [limits.seconds]
            words += [] if limits.depth is None else [f"depth {limits.depth}"]
            words += [] if limits.nodes is None else [f"nodes {limits.nodes}"]
        if times:
            words.append(f"movetime {max(1, int(min(times) * MILLISECONDS))}")
            if not ends:
                ends.append(min(times) + self._stop_seconds)
        return " ".join(words), min(ends, default=self._longest_move)

    def _await_readiness(self) -> None:
        self._send("isready")
        until = time.perf_counter() + self._ready_seconds
        while self._read_words(until, "get ready") != ["readyok"]:
            pass

    def _read_move(self, position: Position, until: float) -> tuple[str, Info]:
        """The move that the program answers, as it writes it, and what it said about it."""
        info, has_stopped = Info(), False
        while True:
            try:
                words = self._read_line(until).split()
            except NoLine:
                if has_stopped:
                    self._raise_silent("move")
                has_stopped = True
                self._send("stop")
                until = time.perf_counter() + self._stop_seconds
                continue
            if words[:1] == ["info"]:
                found = read_info(position, words[1:])
                if found.value is not None or (found.depth is not None and info.value is None):
                    info = found  # a depth without a score may be one that has only begun
            elif words[:1] == ["bestmove"]:
                return " ".join(words[1:2]), info

    def _legal_move(self, position: Position, token: str) -> int:
        assert self._notation is not None
        try:
            return self._notation.read_move(position, token)
        except (IllegalMove, FormatError, GameOver) as error:
            if not token or token in NO_MOVES:
                self._fail(Ending.GARBAGE, f"{self.name} answered without a move ({token!r})")
            self._fail(Ending.ILLEGAL, f"{self.name}: {error}")

    # The process

    def _send(self, line: str) -> None:
        assert self._process is not None, "begin comes first"
        self._note(SENT, line)
        self._process.send(line.encode())

    def _note(self, sign: str, text: str) -> None:
        if self._log is not None:
            self._log.write(sign, text)

    def _read_words(self, until: float, what: str) -> list[str]:
        try:
            return self._read_line(until).split()
        except NoLine:
            self._raise_silent(what)

    def _read_line(self, until: float) -> str:
        """The next line. Raises NoLine at the time `until`, even if there are always more."""
        assert self._process is not None, "begin comes first"
        if time.perf_counter() >= until:
            raise NoLine
        try:
            line = self._process.read_line(until).decode(errors="replace")
            self._note(RECEIVED, line)
            return line
        except LineTooLong:
            self._fail(Ending.GARBAGE, f"{self.name} wrote a line that does not end")
        except ProcessClosed:
            self._fail(Ending.CRASHED, f"{self.name} {self._end_text()}")

    def _end_text(self) -> str:
        """How the program ended, and the last that it wrote about it."""
        assert self._process is not None
        status = self._process.wait(EXIT_SECONDS)
        when = f"in move {self._moves}" if self._moves else "before the game began"
        if status is None:
            how = f"closed its pipe {when}"
        else:
            by = f"by signal {-status}" if status < 0 else f"with status {status}"
            how = f"ended {when}, {by}"
        lines = self._process.stderr.splitlines()
        said = next((line.strip() for line in reversed(lines) if line.strip()), "")
        shown = printable(said[:LONGEST_SENTENCE])
        return f"{how}: {shown}" if shown else how

    def _raise_silent(self, what: str) -> NoReturn:
        self._fail(Ending.SILENT, f"{self.name} did not answer when it was asked to {what}")

    def _fail(self, ending: Ending, reason: str) -> NoReturn:
        """A program that has failed is ended at once: it need not understand `quit`."""
        process, self._process = self._process, None
        self._note(NOTE, f"{ending.value}: {reason}")
        if process is not None:
            self._bury(process)
        raise Fault(ending, reason)


def split_command(command: Sequence[str] | str) -> list[str]:
    """A command in words, as a shell would read it; on Windows a backslash is part of a path."""
    if not isinstance(command, str):
        return list(command)
    on_windows = sys.platform == "win32"
    try:
        words = shlex.split(command, posix=not on_windows)
    except ValueError as error:
        raise FormatError(f"the command {command!r} cannot be read: {error}") from None
    return [word.strip('"') for word in words] if on_windows else words


def make_entrant(game: Game, spec: PlayerSpec, context: EntrantContext) -> Entrant:
    """What plays for `ugi:COMMAND` and `uci:COMMAND`."""
    depth, nodes = (spec.option(name) for name in ("depth", "nodes"))
    limits = None
    if spec.has_limits:
        limits = Limits(
            None if depth is None else int(depth),
            None if nodes is None else int(nodes),
            spec.seconds,
        )
    if spec.kind == "uci":
        variant_of(game.start(dict(context.options)))
    program = EngineProgram(
        spec.target,
        spec.kind,
        spec.own_options,
        name=spec.name,
        limits=limits,
        log=None if context.log is None else ProgramLog(context.log, spec.name),
    )
    return LastingEntrant(program)

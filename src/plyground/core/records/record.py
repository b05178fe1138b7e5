"""The record of a game: who played, every move with its clock and evaluation, and how it ended.

A record holds texts, not positions, so that it outlives the program that wrote it. `positions`
plays it through and checks it. `docs/records.md` describes its two formats, text for people and
JSON Lines for programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Self

from plyground.core.errors import FileError, FormatError, GameOver, IllegalMove, PlygroundError
from plyground.core.files import write_atomically
from plyground.core.game import Game, Options, Position
from plyground.core.notebook_html import beside, verbatim
from plyground.core.outcome import Ending, Outcome
from plyground.core.records.data import Ply, RecordData
from plyground.core.records.json_format import read_json, write_json
from plyground.core.records.text_format import SIGNATURE, read_text, write_text
from plyground.core.registry import find_game

__all__ = ["GameRecord", "Ply", "load_games", "read_games", "save_games"]

MAX_BYTES = 1 << 24
"""Of one record. A file of JSON Lines may hold any number of them."""


@dataclass(frozen=True)
class GameRecord(RecordData):
    """The record of one game, finished or not. Changing it gives a new record."""

    _last: Position | None = field(default=None, init=False, compare=False, repr=False)

    @classmethod
    def of(cls, data: RecordData) -> Self:
        return cls(**{part.name: getattr(data, part.name) for part in fields(RecordData)})

    # Making a record

    @classmethod
    def begin(
        cls,
        position: Position,
        *,
        options: Options | None = None,
        players: tuple[str, str] | None = None,
        date: str = "",
        event: str = "",
        clock: str = "",
    ) -> GameRecord:
        """The record of a game that begins here, with no move played yet.

        `options` are those that the board was made with. They are needed where the position's text
        does not tell the board; a FormatError says so.
        """
        game = position.game
        record = cls(
            game=game.rules.path if game.rules.path.endswith(".py") and game.is_file else game.name,
            start=position.text,
            options=tuple((name, str(value)) for name, value in (options or {}).items()),
            players=game.players if players is None else players,
            date=date,
            event=event,
            clock=clock,
            outcome=position.outcome if position.is_over else None,
        )
        restored = record.first_position(game)
        if restored != position:
            raise FormatError(
                "the position's text does not tell its board: give the options it was made with"
            )
        return record._at(position)

    @classmethod
    def from_moves(
        cls, position: Position, moves: Iterable[int | str], *, options: Options | None = None
    ) -> GameRecord:
        """The record of these moves, played from a position."""
        record = cls.begin(position, options=options)
        for move in moves:
            record = record.append(move)
        return record

    def append(
        self,
        move: int | str,
        *,
        seconds: float | None = None,
        evaluation: int | None = None,
        depth: int | None = None,
        comment: str = "",
    ) -> GameRecord:
        """The record with one more move, checked; if it ends the game, with the outcome."""
        if self.outcome is not None:
            raise GameOver(f"the game is over ({self.outcome.reason}): no move can be played")
        before = self.last_position()
        number = before.parse_move(move) if isinstance(move, str) else move
        after = before.play(number)
        ply = Ply(before.move_text(number), seconds, evaluation, depth, comment)
        outcome = after.outcome if after.is_over else None
        return replace(self, plies=(*self.plies, ply), outcome=outcome)._at(after)

    def undo(self, count: int = 1) -> GameRecord:
        """The record without its last moves, and so without an outcome."""
        if not 0 <= count <= len(self.plies):
            played = len(self.plies)
            raise IllegalMove(f"{count} moves cannot be taken back: {played} have been played")
        earlier = self.positions()[len(self.plies) - count]
        kept = self.plies[: len(self.plies) - count]
        return replace(self, plies=kept, outcome=None)._at(earlier)

    def ended(self, outcome: Outcome) -> GameRecord:
        """The record of a game that did not end by its rules: see `Ending`."""
        if self.outcome is not None:
            raise GameOver(f"the game is over already ({self.outcome.reason})")
        record = replace(self, outcome=outcome)
        return record if self._last is None else record._at(self._last)

    def _at(self, position: Position) -> GameRecord:
        """This record, knowing its last position, so that appending need not replay it."""
        object.__setattr__(self, "_last", position)
        return self

    # Playing it through

    def positions(self, game: Game | None = None) -> tuple[Position, ...]:
        """Every position from the start to the last. Each move is checked, and the outcome.

        A built-in game is found by its name. The game of a user's own file must be given: reading a
        record never runs a program that the record names.
        """
        positions = [self.first_position(game)]
        for number, ply in enumerate(self.plies, 1):
            try:
                positions.append(positions[-1].play(ply.move))
            except (IllegalMove, GameOver) as error:
                problem = f"move {number}: {error}"
                raise FormatError(problem, source=self.source, line=ply.line) from None
        self._check_outcome_of(positions[-1])
        self._at(positions[-1])
        return tuple(positions)

    def first_position(self, game: Game | None = None) -> Position:
        """The position that the game began with."""
        game = self._find_game(game)
        needs_options = not hasattr(game.module, "parse_position")
        try:
            return game.position(self.start, dict(self.options) if needs_options else None)
        except FormatError as error:
            problem = f"the start position: {error}"
            raise FormatError(problem, source=self.source, line=self.line) from None

    def last_position(self) -> Position:
        return self.positions()[-1] if self._last is None else self._last

    def _find_game(self, game: Game | None) -> Game:
        if game is None and self._last is not None:
            return self._last.game
        is_file = self.game.endswith(".py")
        if game is None and is_file:
            raise FormatError(
                f"this record is of the game in {self.game}, a program: it is run only if it is"
                " given with the record",
                source=self.source,
            )
        if game is None:
            return find_game(self.game)
        if game.name != (Path(self.game).stem if is_file else self.game):
            raise FormatError(f"this record is of {self.game}, not of {game.name}")
        return game

    def _check_outcome_of(self, last: Position) -> None:
        if self.outcome is None or self.outcome.ending is not Ending.FINISHED:
            return
        line = self.plies[-1].line if self.plies else self.line
        if not last.is_over:
            problem = (
                "the result says that the game is finished, but after the last move it goes on"
            )
            raise FormatError(problem, source=self.source, line=line)
        found = (last.outcome.winner, last.outcome.utility)
        if found != (self.outcome.winner, self.outcome.utility):
            problem = (
                f"the result is given as {self.outcome.score} with utility {self.outcome.utility},"
                f" but the moves lead to {last.outcome.score} with utility {last.outcome.utility}"
            )
            raise FormatError(problem, source=self.source, line=line)

    # Reading and writing

    @property
    def text(self) -> str:
        """The record as people read it; `from_text` reads it back."""
        return write_text(self)

    def _repr_html_(self) -> str:
        """In a notebook: the last position and the text. The game of a user's own file is not known
        to a record that was read from disk; then there is no picture."""
        try:
            picture = self.last_position().svg()
        except PlygroundError:
            picture = ""
        return beside(picture, verbatim(self.text))

    @classmethod
    def from_text(cls, text: str) -> Self:
        return cls.of(read_text(text))

    @property
    def json(self) -> str:
        """The record as one line of JSON; `from_json` reads it back."""
        return write_json(self)

    @classmethod
    def from_json(cls, line: str, number: int = 1) -> Self:
        """The record in a line of JSON; `number` is the line's, for errors to name."""
        return cls.of(read_json(line, number))

    def save(self, path: str | Path) -> None:
        """Write the record: as JSON Lines if the name ends in .jsonl, otherwise as text."""
        save_games(path, [self])

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The one record in a file of either format."""
        games = [cls.of(game) for game in read_games(path)]
        if len(games) != 1:
            raise FormatError(f"there are {len(games)} games in it, not one", source=str(path))
        return games[0]


# Files


def save_games(path: str | Path, games: Iterable[GameRecord]) -> None:
    """Write records to a file: as JSON Lines if its name ends in .jsonl, otherwise one, as text."""
    path = Path(path)
    if path.suffix == ".jsonl":
        parts = [_encode(game.json + "\n", path) for game in games]
    else:
        parts = [_encode(game.text, path) for game in games]
        if len(parts) != 1:
            problem = f"{len(parts)} games: a text holds one, a file named .jsonl any number"
            raise FormatError(problem, source=str(path))
    write_atomically(path, b"".join(parts))


def _encode(part: str, path: Path) -> bytes:
    data = part.encode()
    if len(data) > MAX_BYTES:
        problem = f"a record of {len(data)} bytes could not be read again: at most {MAX_BYTES}"
        raise FormatError(problem, source=str(path))
    return data


def load_games(path: str | Path) -> list[GameRecord]:
    """Every record in a file of either format; an error names the file and the line."""
    return list(read_games(path))


def read_games(path: str | Path) -> Iterator[GameRecord]:
    """The records of a file of either format, one after another: a file of any length fits. An
    error names the file and the line."""
    source = str(path)
    try:
        with Path(path).open("rb") as file:
            beginning = file.read(len(SIGNATURE) + 3).removeprefix(b"\xef\xbb\xbf")
            file.seek(0)
            if beginning.startswith(SIGNATURE.encode()):
                yield _read_whole(file.read(MAX_BYTES + 1), source)
            elif beginning.lstrip()[:1] == b"{" or (not beginning and source.endswith(".jsonl")):
                yield from _read_lines(iter(lambda: file.readline(MAX_BYTES + 1), b""), source)
            else:
                raise FormatError(
                    f"neither a record ('{SIGNATURE} 1' is its first line) nor JSON Lines",
                    source=source,
                    line=1,
                )
    except OSError as error:
        raise FileError(f"{path}: cannot read: {error.strerror}") from None


def _read_whole(data: bytes, source: str) -> GameRecord:
    if len(data) > MAX_BYTES:
        raise FormatError(f"a record has at most {MAX_BYTES} bytes", source=source)
    try:
        record = GameRecord.from_text(_decode(data, 1))
    except FormatError as error:
        raise error.within(source) from None
    return replace(record, source=source)


def _read_lines(lines: Iterator[bytes], source: str) -> Iterator[GameRecord]:
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_BYTES:
            problem = f"a record has at most {MAX_BYTES} bytes"
            raise FormatError(problem, source=source, line=number)
        if not line.strip():
            continue
        try:
            record = GameRecord.from_json(_decode(line, number).removeprefix("\ufeff"), number)
        except FormatError as error:
            raise error.within(source) from None
        yield replace(record, source=source)


def _decode(data: bytes, first_line: int) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise FormatError(f"not UTF-8 text: byte {data[error.start]:#04x}", line=line) from None

"""The store: a SQLite file in which every game of a match is kept as soon as it is over.

A game is identified by its conditions, its two players and its opening, so that no game is played
twice, whichever command asks for it. `docs/arena.md` documents the tables.

Each game is one transaction: a killed program loses none that was added. Transactions are synced
to the disk every SYNC_INTERVAL seconds, so that a power cut costs at most the games of that time,
which are played again.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, Self

from plyground.arena.conditions import Conditions, Contestant
from plyground.arena.pair import FinishedGame, GameUnderWay
from plyground.core.errors import FileError
from plyground.core.files import check_can_be_written

DEFAULT_PATH = Path("arena.db")
VERSION = 1
"""Of the tables."""
APPLICATION_ID = 0x506C7941
"""Marks a SQLite file as ours."""
SYNC_INTERVAL = 0.25
BUSY_SECONDS = 30.0
"""How long a program waits for another that writes."""
BUSY_INTERVAL = 0.01
OLDEST_SQLITE = (3, 24)
"""The first with ON CONFLICT. Clusters have old ones, so that the tables are not STRICT, which is
newer (3.37); stores with such tables are read like others."""

SCHEMA = """
CREATE TABLE conditions (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    document TEXT NOT NULL CHECK (json_valid(document))
);
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    digest TEXT NOT NULL,
    UNIQUE (text, digest)
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    conditions TEXT NOT NULL REFERENCES conditions (id),
    first INTEGER NOT NULL REFERENCES players (id),
    second INTEGER NOT NULL REFERENCES players (id),
    opening INTEGER NOT NULL,
    winner INTEGER CHECK (winner IN (0, 1)),
    utility INTEGER NOT NULL,
    ending TEXT NOT NULL,
    reason TEXT NOT NULL,
    plies INTEGER NOT NULL,
    first_seconds REAL NOT NULL,
    second_seconds REAL NOT NULL,
    first_depth REAL,
    second_depth REAL,
    record TEXT NOT NULL CHECK (json_valid(record)),
    finished REAL NOT NULL,
    UNIQUE (conditions, first, second, opening)
);
CREATE TABLE failures (
    conditions TEXT NOT NULL REFERENCES conditions (id),
    first INTEGER NOT NULL REFERENCES players (id),
    second INTEGER NOT NULL REFERENCES players (id),
    opening INTEGER NOT NULL,
    reason TEXT NOT NULL,
    UNIQUE (conditions, first, second, opening)
);
CREATE TABLE events (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    conditions TEXT NOT NULL REFERENCES conditions (id),
    players TEXT NOT NULL CHECK (json_valid(players)),
    command TEXT NOT NULL CHECK (json_valid(command)),
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    started REAL NOT NULL,
    updated REAL NOT NULL,
    status TEXT NOT NULL,
    host TEXT NOT NULL,
    process INTEGER NOT NULL
);
CREATE TABLE under_way (
    event TEXT NOT NULL REFERENCES events (id),
    first INTEGER NOT NULL REFERENCES players (id),
    second INTEGER NOT NULL REFERENCES players (id),
    opening INTEGER NOT NULL,
    record TEXT NOT NULL CHECK (json_valid(record)),
    updated REAL NOT NULL,
    UNIQUE (event, first, second, opening)
);
"""

GAME_COLUMNS = (
    "conditions, first, second, opening, winner, utility, ending, reason, plies, first_seconds,"
    " second_seconds, first_depth, second_depth, record, finished"
)
EVENT_COLUMNS = (
    "id, kind, conditions, players, command, settings, started, updated, status, host, process"
)
READ_GAMES = (
    "SELECT games.id, games.conditions, conditions.game, a.text, b.text, opening, winner,"
    " utility, ending, reason, plies, first_seconds, second_seconds, first_depth,"
    " second_depth, finished, a.digest, b.digest FROM games"
    " JOIN conditions ON conditions.id = games.conditions"
    " JOIN players a ON a.id = games.first JOIN players b ON b.id = games.second"
)
"""The columns of `StoredGame`."""
ADD_PLAYER = "INSERT OR IGNORE INTO players (text, digest) VALUES (?, ?)"
FIND_PLAYER = "SELECT id FROM players WHERE (text, digest) = (?, ?)"
END_UNDER_WAY = "DELETE FROM under_way WHERE (event, first, second, opening) = (?, ?, ?, ?)"


class StoreError(FileError):
    """A file that is no store, or cannot be used as one."""


@dataclass(frozen=True)
class StoredGame:
    """A game of the store. The record is read apart: `Store.record`."""

    id: int
    conditions: str
    game: str
    first: str
    """The notation of the player who moved first."""
    second: str
    opening: int
    winner: int | None
    utility: int
    ending: str
    reason: str
    plies: int
    first_seconds: float
    second_seconds: float
    first_depth: float | None
    second_depth: float | None
    finished: float
    """Seconds since 1970."""
    first_digest: str = ""
    """Of the first player's version; see `Contestant.digest`."""
    second_digest: str = ""

    @property
    def score(self) -> float:
        """Of the first player: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == 0)

    @property
    def result(self) -> str:
        return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[self.winner]


@dataclass(frozen=True)
class StoredFailure:
    """A game that could not be played, through no player's fault."""

    first: str
    """The notation of the player who moved first."""
    second: str
    opening: int
    reason: str

    @property
    def text(self) -> str:
        return f"opening {self.opening + 1}, {self.first} against {self.second}: {self.reason}"


@dataclass(frozen=True)
class StoredEvent:
    """A match, tournament or test that was started with a store."""

    id: str
    kind: str
    conditions: str
    game: str
    players: tuple[str, ...]
    command: tuple[str, ...]
    settings: dict[str, Any]
    started: float
    updated: float
    status: str
    host: str
    process: int
    player_ids: tuple[int, ...] = ()
    """In the table of players."""

    @property
    def is_running(self) -> bool:
        """Whether its program is still there, as far as this machine can tell."""
        return self.status == "running" and _is_alive(self.host, self.process, self.updated)

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who plays whom, as indices of `players`."""
        everyone = list(combinations(range(len(self.players)), 2))
        return [(one, other) for one, other in self.settings.get("pairings", everyone)]

    @property
    def total(self) -> int | None:
        """Games of the whole event, if it said how many."""
        pairs: int | None = self.settings.get("pairs")
        return None if pairs is None else 2 * pairs * len(self.pairings)


@dataclass(frozen=True)
class GameFilter:
    """Which games of an event are wanted."""

    player: str | None = None
    """A notation."""
    result: Literal["win", "draw", "loss"] | None = None
    """Of the player; without one, of the player who moved first."""
    ending: str | None = None
    after: int = 0
    """Games that were added after the one with this number."""


def _is_alive(host: str, process: int, updated: float) -> bool:
    if host != socket.gethostname():
        return time.time() - updated < 60
    return process_is_running(process)


def process_is_running(process: int) -> bool:
    """Whether there is a process with this number."""
    if os.name == "nt":  # there is no signal that only asks
        import ctypes

        windows: Any = getattr(ctypes, "windll")  # noqa: B009  other systems have none
        handle = windows.kernel32.OpenProcess(0x1000, False, process)
        if handle:
            windows.kernel32.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def check_sqlite() -> None:
    """Raise StoreError if the SQLite of this Python is too old."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError(
            f"results are kept with SQLite {'.'.join(map(str, OLDEST_SQLITE))} or later, and this"
            f" Python has {sqlite3.sqlite_version}: use another Python"
        )


class Store:
    """One SQLite file. A store may be open in several programs, of which each may add games."""

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        self.path = path = Path(path)
        if not create and not path.is_file():
            raise StoreError(f"{path}: there is no such file of results")
        check_sqlite()
        self._synced = 0.0
        self._players: dict[tuple[str, str], int] = {}
        try:
            # The web app reads from threads; each use holds a lock of its own.
            self._file = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._prepare()
        except sqlite3.Error as error:
            if isinstance(error, sqlite3.OperationalError):
                check_can_be_written(path)  # SQLite writes beside a file that it only reads, too
            raise StoreError(f"{path}: {error}") from None

    def _prepare(self) -> None:
        tables = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        application = self._file.execute("PRAGMA application_id").fetchone()[0]
        version = self._file.execute("PRAGMA user_version").fetchone()[0]
        if tables and application != APPLICATION_ID:
            raise StoreError(f"{self.path}: this is a database of another program")
        if tables and version != VERSION:
            raise StoreError(
                f"{self.path}: its tables have version {version}, and this plyground reads version"
                f" {VERSION}"
            )
        self._use_log()
        if not tables:
            with self._transaction():
                # Another program may have come first.
                if not self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    for statement in SCHEMA.split(";"):
                        self._file.execute(statement)
                    self._file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                    self._file.execute(f"PRAGMA user_version = {VERSION}")

    def _use_log(self) -> None:
        """Write ahead: readers do not wait for writers. SQLite itself does not wait here for a
        program that has just opened the file."""
        until = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                self._file.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(BUSY_INTERVAL)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it or nothing. It is synced if the last sync was some time ago."""
        now = time.monotonic()
        syncs = now >= self._synced + SYNC_INTERVAL
        try:
            if self._file.in_transaction:  # Ctrl-C came between its beginning and what follows
                self._file.execute("ROLLBACK")
            self._file.execute(f"PRAGMA synchronous = {'FULL' if syncs else 'NORMAL'}")
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._file.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._file.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from None
        if syncs:
            self._synced = time.monotonic()

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # Writing

    def add_conditions(self, conditions: Conditions) -> None:
        document = json.dumps(conditions.document)
        with self._transaction():
            self._file.execute(
                "INSERT OR IGNORE INTO conditions VALUES (?, ?, ?)",
                (conditions.id, conditions.game.name, document),
            )

    def player_id(self, contestant: Contestant) -> int:
        key = contestant.spec.text, contestant.digest
        if key not in self._players:
            with self._transaction():
                self._file.execute(ADD_PLAYER, key)
            found = self._file.execute(FIND_PLAYER, key)
            self._players[key] = found.fetchone()[0]
        return self._players[key]

    def add_game(
        self,
        event: str,
        conditions: Conditions,
        contestants: Sequence[Contestant],
        game: FinishedGame,
    ) -> StoredGame | None:
        """Keep a finished game. Returns None if it was there already, played by another run."""
        first, second = (self.player_id(contestants[side]) for side in (game.first, game.second))
        key = conditions.id, first, second, game.opening
        row = (
            *key,
            game.winner,
            game.utility,
            game.ending,
            game.reason,
            game.plies,
            *game.seconds,
            *game.depths,
            game.record,
            time.time(),
        )
        marks = ", ".join("?" * len(row))
        with self._transaction():
            added = self._file.execute(
                f"INSERT OR IGNORE INTO games ({GAME_COLUMNS}) VALUES ({marks})", row
            )
            self._file.execute(
                "DELETE FROM failures WHERE (conditions, first, second, opening) = (?, ?, ?, ?)",
                key,
            )
            self._file.execute(END_UNDER_WAY, (event, first, second, game.opening))
            self._file.execute("UPDATE events SET updated = ? WHERE id = ?", (time.time(), event))
        if not added.rowcount:
            return None
        return StoredGame(*self._rows(f"{READ_GAMES} WHERE games.id = ?", (added.lastrowid,))[0])

    def add_failure(
        self,
        conditions: Conditions,
        contestants: Sequence[Contestant],
        sides: tuple[int, int],
        opening: int,
        reason: str,
    ) -> None:
        """Keep that a game could not be played, which no player is to blame for."""
        first, second = (self.player_id(contestants[side]) for side in sides)
        with self._transaction():
            self._file.execute(
                "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?)",
                (conditions.id, first, second, opening, reason),
            )

    def show_game(self, event: str, contestants: Sequence[Contestant], game: GameUnderWay) -> None:
        """Keep how far a game under way has come, for the page Arena."""
        first, second = (self.player_id(contestants[side]) for side in (game.first, game.second))
        row = event, first, second, game.opening, game.record, time.time()
        with self._transaction():
            self._file.execute("INSERT OR REPLACE INTO under_way VALUES (?, ?, ?, ?, ?, ?)", row)

    def hide_game(
        self, event: str, contestants: Sequence[Contestant], sides: tuple[int, int], opening: int
    ) -> None:
        """A game that was under way is not played on."""
        first, second = (self.player_id(contestants[side]) for side in sides)
        with self._transaction():
            self._file.execute(END_UNDER_WAY, (event, first, second, opening))

    def start_event(
        self,
        event: str,
        kind: str,
        conditions: Conditions,
        contestants: Sequence[Contestant],
        *,
        command: Sequence[str] = (),
        settings: dict[str, Any] | None = None,
    ) -> None:
        """Keep that a match, tournament or test is run by this process."""
        players = [self.player_id(one) for one in contestants]
        now = time.time()
        with self._transaction():
            # A run that was killed has left them.
            self._file.execute("DELETE FROM under_way WHERE event = ?", (event,))
            self._file.execute(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET command = excluded.command,"
                " settings = excluded.settings, updated = excluded.updated, status = 'running',"
                " host = excluded.host, process = excluded.process",
                (
                    event,
                    kind,
                    conditions.id,
                    json.dumps(players),
                    json.dumps(list(command)),
                    json.dumps(settings or {}),
                    now,
                    now,
                    socket.gethostname(),
                    os.getpid(),
                ),
            )

    def end_event(self, event: str, status: str) -> None:
        with self._transaction():
            self._file.execute("DELETE FROM under_way WHERE event = ?", (event,))
            self._file.execute(
                "UPDATE events SET status = ?, updated = ? WHERE id = ?",
                (status, time.time(), event),
            )

    def merge(self, other: Store) -> int:
        """Add the games of another store that are not in this one. Returns how many there were."""
        added = 0
        with self._transaction():
            for row in other._rows("SELECT id, game, document FROM conditions"):
                self._file.execute("INSERT OR IGNORE INTO conditions VALUES (?, ?, ?)", row)
            own: dict[int, int] = {}
            for number, text, digest in other._rows("SELECT id, text, digest FROM players"):
                self._file.execute(ADD_PLAYER, (text, digest))
                found = self._file.execute(FIND_PLAYER, (text, digest))
                own[number] = found.fetchone()[0]
            marks = ", ".join("?" * len(GAME_COLUMNS.split(",")))
            for row in other._rows(f"SELECT {GAME_COLUMNS} FROM games"):
                added += self._file.execute(
                    f"INSERT OR IGNORE INTO games ({GAME_COLUMNS}) VALUES ({marks})",
                    (row[0], own[row[1]], own[row[2]], *row[3:]),
                ).rowcount
            self._file.execute(
                "DELETE FROM failures WHERE (conditions, first, second, opening) IN"
                " (SELECT conditions, first, second, opening FROM games)"
            )
            for row in other._rows(f"SELECT {EVENT_COLUMNS} FROM events"):
                players = json.dumps([own[number] for number in json.loads(row[3])])
                ended = "stopped" if row[8] == "running" else row[8]
                self._file.execute(
                    "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (*row[:3], players, *row[4:8], ended, *row[9:]),
                )
        return added

    # Reading

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        try:
            return self._file.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from None

    def played(
        self, conditions: Conditions, contestants: Sequence[Contestant]
    ) -> set[tuple[int, int, int]]:
        """The games that are there: the players who moved first and second, and the opening."""
        numbers = {self.player_id(one): number for number, one in enumerate(contestants)}
        rows = self._rows(
            "SELECT first, second, opening FROM games WHERE conditions = ?", (conditions.id,)
        )
        return {
            (numbers[first], numbers[second], opening)
            for first, second, opening in rows
            if first in numbers and second in numbers
        }

    def games(
        self,
        *,
        conditions: str | None = None,
        players: Iterable[tuple[str, str]] | None = None,
        game: str | None = None,
        player: str | None = None,
        ending: str | None = None,
    ) -> list[StoredGame]:
        """Games in the order of their openings. `players` are notations with digests: games between
        two of them. `player` is a part of a notation."""
        wanted: dict[str, Any] = {
            "games.conditions = ?": conditions,
            "conditions.game = ?": game,
            "games.ending = ?": ending,
        }
        clauses = [clause for clause, value in wanted.items() if value is not None]
        values: list[Any] = [value for value in wanted.values() if value is not None]
        if player is not None:
            clauses.append("(instr(a.text, ?) OR instr(b.text, ?))")
            values += [player, player]
        if players is not None:
            keys = [f"{text}\n{digest}" for text, digest in players]
            marks = ", ".join("?" * len(keys))
            for alias in "ab":
                clauses.append(f"{alias}.text || char(10) || {alias}.digest IN ({marks})")
                values += keys
        where = f" WHERE {' AND '.join(clauses)}" if clauses else ""
        rows = self._rows(
            f"{READ_GAMES}{where} ORDER BY games.conditions, opening, games.id", values
        )
        return [StoredGame(*row) for row in rows]

    def event_games(
        self,
        event: StoredEvent,
        wanted: GameFilter = GameFilter(),
        *,
        newest: int | None = None,
        offset: int = 0,
    ) -> list[StoredGame]:
        """Games of an event in the order in which they were added; with `newest` only so many, the
        last one first, after those that `offset` leaves out."""
        where, values = _event_clause(event, wanted)
        order = "ORDER BY games.id"
        if newest is not None:
            order = "ORDER BY games.id DESC LIMIT ? OFFSET ?"
            values = [*values, newest, offset]
        rows = self._rows(f"{READ_GAMES} WHERE {where} {order}", values)
        return [StoredGame(*row) for row in rows]

    def count_event_games(self, event: StoredEvent, wanted: GameFilter = GameFilter()) -> int:
        where, values = _event_clause(event, wanted)
        players = "JOIN players a ON a.id = games.first JOIN players b ON b.id = games.second"
        joined = players if wanted.player is not None else ""
        query = f"SELECT count(*) FROM games {joined} WHERE {where}"
        return int(self._rows(query, values)[0][0])

    @property
    def data_version(self) -> int:
        """Another number after another program has changed the store."""
        return int(self._rows("PRAGMA data_version")[0][0])

    def record(self, game: int) -> str | None:
        """The record of a game as a line of JSON; None if there is no such game."""
        rows = self._rows("SELECT record FROM games WHERE id = ?", (game,))
        return rows[0][0] if rows else None

    def conditions(self, name: str) -> str:
        """The document of conditions, as JSON."""
        rows = self._rows("SELECT document FROM conditions WHERE id = ?", (name,))
        return str(rows[0][0]) if rows else "{}"

    def find_game(
        self,
        conditions: Conditions,
        contestants: Sequence[Contestant],
        sides: tuple[int, int],
        opening: int,
    ) -> StoredGame | None:
        """The game of these players and this opening, if it has been played."""
        first, second = (self.player_id(contestants[side]) for side in sides)
        rows = self._rows(
            f"{READ_GAMES} WHERE (games.conditions, first, second, opening) = (?, ?, ?, ?)",
            (conditions.id, first, second, opening),
        )
        return StoredGame(*rows[0]) if rows else None

    def failures(
        self, conditions: Conditions, contestants: Sequence[Contestant]
    ) -> list[StoredFailure]:
        """The games of these players that could not be played."""
        return self._failures(conditions.id, [self.player_id(one) for one in contestants])

    def failures_of(self, event: StoredEvent) -> list[StoredFailure]:
        """The games of an event that could not be played."""
        wanted = {frozenset((event.players[a], event.players[b])) for a, b in event.pairings}
        pairs = event.settings.get("pairs")
        return [
            failure
            for failure in self._failures(event.conditions, event.player_ids)
            if frozenset((failure.first, failure.second)) in wanted
            and (pairs is None or failure.opening < pairs)
        ]

    def _failures(self, conditions: str, players: Sequence[int]) -> list[StoredFailure]:
        marks = ", ".join("?" * len(players))
        rows = self._rows(
            "SELECT a.text, b.text, opening, reason FROM failures"
            " JOIN players a ON a.id = first JOIN players b ON b.id = second"
            f" WHERE conditions = ? AND first IN ({marks}) AND second IN ({marks})"
            " ORDER BY opening, first",
            (conditions, *players, *players),
        )
        return [StoredFailure(*row) for row in rows]

    def under_way(self, event: str) -> list[tuple[str, str, int, str]]:
        """The games that an event is playing: both notations, the opening, the record so far."""
        return self._rows(
            "SELECT a.text, b.text, opening, record FROM under_way"
            " JOIN players a ON a.id = under_way.first JOIN players b ON b.id = under_way.second"
            " WHERE event = ? ORDER BY opening, a.text",
            (event,),
        )

    def events(self) -> list[StoredEvent]:
        """The latest first."""
        notations = dict(self._rows("SELECT id, text FROM players"))
        games = dict(self._rows("SELECT id, game FROM conditions"))
        rows = self._rows(f"SELECT {EVENT_COLUMNS} FROM events ORDER BY updated DESC")
        return [
            StoredEvent(
                id=row[0],
                kind=row[1],
                conditions=row[2],
                game=games[row[2]],
                players=tuple(notations[number] for number in json.loads(row[3])),
                command=tuple(json.loads(row[4])),
                settings=json.loads(row[5]),
                started=row[6],
                updated=row[7],
                status=row[8],
                host=row[9],
                process=row[10],
                player_ids=tuple(json.loads(row[3])),
            )
            for row in rows
        ]


def _event_clause(event: StoredEvent, wanted: GameFilter) -> tuple[str, list[Any]]:
    """A condition of SQL, and its values."""
    numbers = event.player_ids
    sides = [(numbers[one], numbers[other]) for one, other in event.pairings]
    sides += [(other, one) for one, other in sides]
    rows = ", ".join(["(?, ?)"] * len(sides))
    # The plus keeps SQLite from its index where few games are new: they are the last rows.
    index = "+" if wanted.after else ""
    clauses = [
        f"{index}games.conditions = ?",
        "games.id > ?",
        f"(first, second) IN (VALUES {rows})",
    ]
    values: list[Any] = [event.conditions, wanted.after, *(one for pair in sides for one in pair)]
    if "pairs" in event.settings:
        clauses.append("opening < ?")
        values.append(event.settings["pairs"])
    if wanted.player is not None:
        clauses.append("? IN (a.text, b.text)")
        values.append(wanted.player)
    if wanted.ending is not None:
        clauses.append("ending = ?")
        values.append(wanted.ending)
    if wanted.result == "draw":
        clauses.append("winner IS NULL")
    elif wanted.result is not None and wanted.player is None:
        clauses.append("winner = ?")
        values.append(0 if wanted.result == "win" else 1)
    elif wanted.result is not None:
        first, second = ("a", "b") if wanted.result == "win" else ("b", "a")
        clauses.append(f"CASE winner WHEN 0 THEN {first}.text WHEN 1 THEN {second}.text END = ?")
        values.append(wanted.player)
    return " AND ".join(clauses), values

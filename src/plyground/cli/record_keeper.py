"""Keeps the record of a game while it is played: whatever happens, the file has every move."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plyground.cli.session import Session
from plyground.core.errors import PlygroundError
from plyground.core.records.record import GameRecord


@dataclass
class RecordKeeper:
    """Writes records of one session, and never over a file that it has not written itself."""

    path: Path | None
    """Where the record is kept all the time; None if it is not."""
    options: Mapping[str, str]
    players: tuple[str, str]
    clock: str
    date: str = field(default_factory=lambda: datetime.date.today().isoformat())
    _ours: set[Path] = field(default_factory=set)

    def keep(self, session: Session) -> None:
        if self.path is not None:
            self.save_as(session, self.path)

    def save_as(self, session: Session, path: Path) -> None:
        if path not in self._ours and path.exists():
            raise PlygroundError(f"{path} exists already; choose another name for the record")
        self.record_of(session).save(path)
        self._ours.add(path)

    def record_of(self, session: Session) -> GameRecord:
        record = GameRecord.begin(
            session.start,
            options=self.options,
            players=self.players,
            date=self.date,
            clock=self.clock,
        )
        for ply in session.plies:
            searched = ply.result is not None and ply.result.depth > 0
            record = record.append(
                ply.move,
                seconds=round(ply.seconds, 3),
                evaluation=ply.result.value if ply.result is not None and searched else None,
                depth=ply.result.depth if ply.result is not None and searched else None,
            )
        return record if session.resigned is None else record.ended(session.resigned)

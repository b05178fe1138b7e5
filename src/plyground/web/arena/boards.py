"""Boards: the games of an event that are under way, as views of positions.

Each game has a slot. When it is over, the slot shows how it ended until another game takes it, so
that boards neither flicker nor change their places.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from plyground.core.game import Game, Position
from plyground.core.records.record import GameRecord
from plyground.search.result import value_text
from plyground.web.descriptions import position_view, result_model
from plyground.web.protocol.arena import BoardModel

MOST_SLOTS = 12

GameKey = tuple[str, str, int]
"""A game of an event: the notations of the players by side, and the opening."""


@dataclass
class Slot:
    """One game. A record that goes on with the one before it is not played through again."""

    key: GameKey
    is_over: bool = False
    _start: str = ""
    _moves: tuple[str, ...] = ()
    _before: Position | None = None
    _position: Position | None = None
    _seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    _values: list[str | None] = field(default_factory=lambda: [None, None])
    _record: GameRecord | None = None

    def show(self, record: GameRecord, game: Game) -> None:
        moves = tuple(ply.move for ply in record.plies)
        if (
            self._position is None
            or record.start != self._start
            or moves[: len(self._moves)] != self._moves
        ):
            self._start, self._moves = record.start, ()
            self._before, self._position = None, record.first_position(game)
            self._seconds, self._values = [0.0, 0.0], [None, None]
        for ply in record.plies[len(self._moves) :]:
            position = self._position
            side = position.turn
            self._seconds[side] += ply.seconds or 0.0
            if ply.evaluation is not None:
                self._values[side] = value_text(position, ply.evaluation)
            self._before, self._position = position, position.play(ply.move)
        self._moves, self._record = moves, record

    def model(self, event: str, number: int) -> BoardModel | None:
        if self._position is None or self._record is None:
            return None
        record = self._record
        last = self._moves[-1] if self._moves else None
        return BoardModel(
            event=event,
            slot=number,
            players=record.players,
            opening=self.key[2] + 1,
            ply=len(self._moves),
            move=last,
            clock=record.clock,
            seconds=(self._seconds[0], self._seconds[1]),
            values=(self._values[0], self._values[1]),
            view=position_view(self._position, self._before, last),
            result=None if record.outcome is None else result_model(record.outcome),
        )


class Boards:
    """The slots of one event."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.slots: list[Slot] = []
        self.under_way = 0

    def update(
        self, under_way: Iterable[tuple[GameKey, str]], finished: Iterable[tuple[GameKey, str]]
    ) -> None:
        """Show how far the games are. Records are lines of JSON; those of `finished` are needed
        only for games that have a slot (`wants`)."""
        for key, record in finished:
            for slot in self.slots:
                if slot.key == key and not slot.is_over:
                    slot.show(GameRecord.from_json(record), self._game)
                    slot.is_over = True
        shown = {slot.key: slot for slot in self.slots if not slot.is_over}
        playing = list(under_way)
        self.under_way = len(playing)
        for key in shown.keys() - {key for key, _ in playing}:
            shown[key].is_over = True  # broken off
        for key, record in playing:
            place = shown.get(key) or self._slot_for(key)
            if place is not None:
                place.show(GameRecord.from_json(record), self._game)

    def wants(self, key: GameKey) -> bool:
        """Whether the end of this game would be shown."""
        return any(slot.key == key and not slot.is_over for slot in self.slots)

    def show_finished(self, key: GameKey, record: str) -> None:
        """Show a game that is over, where there is nothing else to show."""
        slot = Slot(key, is_over=True)
        slot.show(GameRecord.from_json(record), self._game)
        self.slots[:1] = [slot]

    def _slot_for(self, key: GameKey) -> Slot | None:
        slot = Slot(key)
        for number, other in enumerate(self.slots):
            if other.is_over:
                self.slots[number] = slot
                return slot
        if len(self.slots) == MOST_SLOTS:
            return None
        self.slots.append(slot)
        return slot

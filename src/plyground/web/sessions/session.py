"""A table: one game with all that belongs to it, as a document.

It holds the tree of positions, who plays, the clock, and how it ended. Nothing here reads a file,
a network or the time of day: whoever calls says what time it is (`now`, in seconds of a clock that
never goes back), and asks searches for the moves that `to_think` wants. Whatever is refused raises
a PlygroundError and leaves the table as it was; every change makes `version` grow.
"""

from __future__ import annotations

from collections.abc import Sequence

from plyground.core.game import Game
from plyground.core.outcome import Ending, Outcome
from plyground.core.position import Position
from plyground.web.protocol.models import PlayerSpec
from plyground.web.sessions.game_clock import Clock, Stopwatch
from plyground.web.sessions.live import Live, steered
from plyground.web.sessions.setup import Answer, Headers, Setup
from plyground.web.sessions.variations import Node, TableError, Variations


class Table:
    """One game. Of use in one thread at a time."""

    def __init__(self, name: str, setup: Setup, moves: Sequence[str] = ()) -> None:
        """A new table; `moves` are played before anybody's time runs."""
        if setup.live is not None and not setup.game.is_live:
            raise TableError(f"{setup.game.title} cannot be played live")
        if setup.live is not None and setup.clock is not None:
            raise TableError("a live game has its own beat: it cannot have a clock as well")
        self.id = name
        self.version = 1
        self.setup = setup
        self.tree = Variations(setup.first_position())
        for move in moves:
            self.tree.extend(self.tree.child(self.tree.head, move))
        self.current = self.tree.head
        self.players = setup.players
        self.headers = Headers()
        clock, live = setup.clock, setup.live
        self.clock = None if clock is None else Clock.new(clock.seconds, clock.increment)
        self.live = None if live is None else Live(live.seconds)
        self.watch = Stopwatch()
        self.paused = False
        self.awake = False
        """Whether anybody looks on. While nobody does, no time runs."""
        self.ended: Outcome | None = None
        """How it ended, if not by its rules."""

    # What it is like

    @property
    def game(self) -> Game:
        return self.setup.game

    @property
    def head(self) -> Node:
        return self.tree.nodes[self.tree.head]

    @property
    def position(self) -> Position:
        """Where the game is."""
        return self.head.position

    @property
    def result(self) -> Outcome | None:
        if self.ended is not None:
            return self.ended
        return self.position.outcome if self.position.is_over else None

    @property
    def mover(self) -> int | None:
        """Whose turn it is; nobody's once the game is over."""
        return None if self.result is not None else self.position.turn

    @property
    def to_think(self) -> int | None:
        """The player for whom a search should find a move now, if any."""
        going_on = self.awake and not self.paused
        if self.live is not None:
            going_on = self.awake and self.live.running
        mover = self.mover if going_on else None
        return None if mover is None or self.is_human(mover) else mover

    def is_human(self, player: int) -> bool:
        return self.players[player].kind == "human"

    @property
    def is_free(self) -> bool:
        """Whether nobody but people play here, without a clock: a table for looking at things."""
        people = self.is_human(0) and self.is_human(1)
        return people and self.clock is None and self.live is None

    def moves_to(self, node: int) -> list[str]:
        return self.tree.moves_to(node)

    # Moves

    def play(self, node: int, move: str, now: float) -> None:
        """A person's move of the game."""
        mover = self._require_mover()
        if self.live is not None:
            raise TableError("this game is live: it is steered with keys")
        if node != self.tree.head:
            raise TableError("the game is at another position by now: a move is played there")
        if not self.is_human(mover):
            raise TableError(f"it is {self._name(mover)}'s turn, which the computer plays")
        if self.flag(now):
            raise TableError(f"the move came too late: {self._name(mover)} ran out of time")
        child = self.tree.child(node, move)
        spent = self.watch.read(now)
        if self.clock is not None:
            self.clock.charge(mover, spent)
        self._advance(child, now, Answer(move, spent))
        self.current = child

    def answer(self, node: int, answer: Answer, now: float) -> bool:
        """A search's move. False if nobody waits for it: the game has moved on, or is paused."""
        mover = self.to_think
        if node != self.tree.head or mover is None or self.live is not None:
            return False
        seconds = answer.seconds or 0.0
        if self.clock is not None and not self.clock.is_enough(mover, seconds):
            self._lose_on_time(mover, now)
            return True
        child = self.tree.child(node, answer.move)
        if self.clock is not None:
            self.clock.charge(mover, seconds)
        follow = self.current == node
        self._advance(child, now, answer)
        if follow:
            self.current = child
        return True

    def _advance(self, child: int, now: float, answer: Answer) -> None:
        """The game goes on to a child of its head."""
        node = self.tree.nodes[child]
        node.seconds = None if answer.seconds is None else round(answer.seconds, 3)
        node.value, node.depth = answer.value, answer.depth
        self.tree.extend(child)
        self.watch.reset()
        self._changed(now)

    def takeback(self, now: float) -> None:
        """Back to the last earlier position in which a person was to move; or a resignation alone.

        The time that the moves took is given back.
        """
        if self.live is not None and self.live.running:
            raise TableError("the game is running: pause it first")
        if self.ended is None or self.ended.ending is not Ending.RESIGNED:
            self._cut(self._length_before_last_human_move())
        self.ended = None
        self.current = self.tree.head
        self._changed(now)

    def _length_before_last_human_move(self) -> int:
        for length in range(len(self.tree.main) - 1, 0, -1):
            if self.is_human(self.tree.nodes[self.tree.main[length - 1]].position.turn):
                return length
        raise TableError("there is nothing to take back")

    def _cut(self, length: int) -> None:
        main = self.tree.main
        if self.clock is not None:
            for before, after in zip(main[length - 1 :], main[length:], strict=False):
                seconds = self.tree.nodes[after].seconds
                if seconds is not None:
                    self.clock.give_back(self.tree.nodes[before].position.turn, seconds)
        self.tree.cut(length)
        self.watch.reset()

    # Looking around

    def try_move(self, node: int, move: str, now: float) -> None:
        """Show what a move leads to, anywhere. The game itself stays where it is, but for a game
        that is only being looked at: there a move at its end carries it on."""
        child = self.tree.child(node, move)
        if node == self.tree.head and self.is_free and self.result is None:
            self.tree.extend(child)
        self.current = child
        self._changed(now)

    def go_to(self, node: int, now: float) -> None:
        self.current = self.tree.node(node).id
        self._changed(now)

    def comment(self, node: int, text: str, now: float) -> None:
        self.tree.node(node).comment = text
        self._changed(now)

    def remove(self, node: int, now: float) -> None:
        """Forget a variation."""
        parent = self.tree.remove(node)
        if self.current not in self.tree.nodes:
            self.current = parent
        self._changed(now)

    def promote(self, node: int, now: float) -> None:
        """Make a variation the game's own line, where only people have played, without a clock."""
        self.tree.node(node)
        if not self.is_free:
            raise TableError(
                "what was played against the computer or the clock stays: let humans play both"
                " sides, without a clock, to choose another main line"
            )
        if node not in self.tree.main:
            self.tree.promote(node)
            self.ended = None
            self.watch.reset()
        self.current = node
        self._changed(now)

    # Who plays, and whether

    def resign(self, player: int | None, now: float) -> None:
        """A person gives up: the one named, or whose turn it is, or who plays alone."""
        mover = self._require_mover()
        humans = [side for side in (0, 1) if self.is_human(side)]
        if player is None:
            player = mover if mover in humans or not humans else humans[0]
        if player not in humans:
            raise TableError(f"{self._name(player)} is played by the computer, which plays on")
        if not self.flag(now):
            self._pay(mover, now)
            self.ended = Outcome.resignation(player, self._name(player))
        self._stop_live()
        self._changed(now)

    def set_players(self, players: tuple[PlayerSpec, PlayerSpec], now: float) -> None:
        """Who plays from now on. Who was at it pays for the time until now."""
        mover = self.mover
        stays = mover is not None and self.is_human(mover) and players[mover].kind == "human"
        if mover is not None and not stays and not self.flag(now):
            self._pay(mover, now)
        if players != self.players:
            self.headers.names = ("", "")
        self.players = players
        self._changed(now)

    def pause(self, now: float) -> None:
        """Searches wait, and no time runs. People may move all the same."""
        self.paused = True
        self._stop_live()
        self._changed(now)

    def resume(self, now: float) -> None:
        self.paused = False
        if self.live is not None:
            self.live.running = self.result is None
        self._changed(now)

    def rest(self, now: float) -> None:
        """Nobody looks on any more (since `now`): no time runs, and nobody thinks."""
        self.awake = False
        self._stop_live()
        self._changed(now)

    def wake(self, now: float) -> None:
        """Somebody looks on."""
        if not self.awake:
            self.awake = True
            self._changed(now)

    # Live games

    def run_live(
        self, running: bool | None, seconds: float | None, restart: bool, now: float
    ) -> None:
        """Start or stop a live game, change its speed, or begin anew (it runs then)."""
        live = self._require_live()
        if restart:
            self._cut(1)
            self.ended, self.current, live.key = None, self.tree.head, None
            running = True if running is None else running
        if seconds is not None:
            live.seconds = seconds
        if running is not None:
            self.paused = not running
            live.running = running and self.result is None
        self._changed(now)

    def steer(self, key: str) -> None:
        """A key of the person who steers. It counts at the next ply of theirs."""
        self._require_live().key = key

    def beat(self, answer: Answer | None, now: float) -> None:
        """One ply of a live game: what was steered or answered, else the idle move."""
        live, mover = self._require_live(), self._require_mover()
        if answer is None or self.is_human(mover):
            key = live.take_key() if self.is_human(mover) else None
            answer = Answer(self.position.move_text(steered(self.position, key)))
        self._advance(self.tree.child(self.tree.head, answer.move), now, answer)
        self.current = self.tree.head
        if self.result is not None:
            self._stop_live()

    def _require_live(self) -> Live:
        if self.live is None:
            raise TableError("this game is not live")
        return self.live

    def _stop_live(self) -> None:
        if self.live is not None:
            self.live.running, self.live.key = False, None

    # Time

    def flag_in(self, now: float) -> float | None:
        """Seconds until the flag of the person to move falls; None if it cannot."""
        mover = self.mover
        if self.clock is None or mover is None or self.watch.since is None:
            return None
        spent = self.watch.read(now)
        return self.clock.left[mover] - spent if self.clock.is_enough(mover, spent) else 0.0

    def flag(self, now: float) -> bool:
        """End the game if the time of the person to move has run out."""
        mover = self.mover
        if mover is None or self.flag_in(now) != 0.0:
            return False
        self._lose_on_time(mover, now)
        return True

    def time_left(self, now: float, worked: float = 0.0) -> tuple[float, float]:
        """The time of both sides; `worked` is what a search has spent on the move so far."""
        assert self.clock is not None, "only a table with a clock has time"
        left = list(self.clock.left)
        mover = self.mover
        if mover is not None:
            spent = self.watch.read(now) if self.is_human(mover) else worked
            left[mover] = max(0.0, left[mover] - spent)
        return left[0], left[1]

    def _pay(self, mover: int, now: float) -> None:
        """Charge a person for the time since the turn began, though no move was made."""
        if self.clock is not None:
            self.clock.left[mover] -= self.watch.read(now)
        self.watch.reset()

    def _lose_on_time(self, player: int, now: float) -> None:
        assert self.clock is not None
        self.clock.left[player] = 0.0
        self.ended = Outcome.out_of_time(player, self._name(player))
        self.watch.reset()
        self._changed(now)

    def _changed(self, now: float) -> None:
        """Something has changed. The stopwatch runs exactly while a person is to move."""
        self.version += 1
        mover = self.mover
        waits = mover is not None and self.is_human(mover) and self.live is None
        if waits and self.awake and not self.paused:
            self.watch.start(now)
        else:
            self.watch.stop(now)

    # Words

    def _name(self, player: int) -> str:
        return self.game.players[player]

    def _require_mover(self) -> int:
        if self.result is not None:
            raise TableError(f"the game is over: {self.result.reason}")
        return self.position.turn

    @property
    def names(self) -> tuple[str, str]:
        """The players as lists and records call them."""
        first, second = (
            given or spec.kind for given, spec in zip(self.headers.names, self.players, strict=True)
        )
        return first, second

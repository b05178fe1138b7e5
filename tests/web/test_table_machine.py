"""Whatever is done at a table, in whatever order: the tree and the clock hold."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from plyground.core.errors import PlygroundError
from plyground.core.records.record import GameRecord
from plyground.web.protocol.models import ClockSpec, PlayerSpec
from plyground.web.sessions.session_record import record_of
from plyground.web.sessions.setup import HUMAN, Answer
from plyground.web.sessions.variations import ROOT, TableError
from tests.web.table_builders import ENGINE, new_table, reloaded, told


class AnyTable(RuleBasedStateMachine):
    """A table of tic-tac-toe that everything happens to. A refusal changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.table = new_table()

    @initialize(clock=st.sampled_from([None, ClockSpec(seconds=50, increment=1)]))
    def begin(self, clock: ClockSpec | None) -> None:
        self.table = new_table(clock=clock)

    def attempt(self, action: Any) -> None:
        before = told(self.table, self.now)
        try:
            action()
        except TableError as error:
            if "too late" not in str(error):
                assert told(self.table, self.now) == before
        except PlygroundError:
            assert told(self.table, self.now) == before
        else:
            assert self.table.version > before["version"]

    def some_node(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from([*self.table.tree.nodes, 999]))

    @rule(seconds=st.sampled_from([0.0, 1.0, 9.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        moves = self.table.position.legal_moves
        text = data.draw(st.sampled_from([self.table.position.move_text(m) for m in moves] or "-"))
        self.attempt(lambda: self.table.play(self.table.tree.head, text, self.now))

    @rule(data=st.data())
    def try_move(self, data: st.DataObject) -> None:
        node = self.some_node(data)
        text = data.draw(st.sampled_from(["a1", "b2", "c3", "a3", "zz"]))
        self.attempt(lambda: self.table.try_move(node, text, self.now))

    @precondition(lambda self: self.table.to_think is not None)
    @rule(data=st.data(), seconds=st.sampled_from([0.0, 0.5, 30.0]))
    def answer(self, data: st.DataObject, seconds: float) -> None:
        position = self.table.position
        move = position.move_text(data.draw(st.sampled_from(position.legal_moves)))
        assert self.table.answer(self.table.tree.head, Answer(move, seconds, 1, 1), self.now)

    @rule(data=st.data())
    def go_to(self, data: st.DataObject) -> None:
        node = self.some_node(data)
        self.attempt(lambda: self.table.go_to(node, self.now))

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        node = self.some_node(data)
        self.attempt(lambda: self.table.remove(node, self.now))

    @rule(data=st.data())
    def promote(self, data: st.DataObject) -> None:
        node = self.some_node(data)
        self.attempt(lambda: self.table.promote(node, self.now))

    @rule(data=st.data())
    def comment(self, data: st.DataObject) -> None:
        node = self.some_node(data)
        self.attempt(lambda: self.table.comment(node, "!", self.now))

    @rule()
    def takeback(self) -> None:
        self.attempt(lambda: self.table.takeback(self.now))

    @rule(player=st.sampled_from([None, 0, 1]))
    def resign(self, player: int | None) -> None:
        self.attempt(lambda: self.table.resign(player, self.now))

    @rule(first=st.sampled_from([HUMAN, ENGINE]), second=st.sampled_from([HUMAN, ENGINE]))
    def change_players(self, first: PlayerSpec, second: PlayerSpec) -> None:
        self.attempt(lambda: self.table.set_players((first, second), self.now))

    @rule(action=st.sampled_from(["pause", "resume", "rest", "flag"]))
    def change_time(self, action: str) -> None:
        getattr(self.table, action)(self.now)
        self.table.wake(self.now)

    @rule()
    def reload(self) -> None:
        before = told(self.table, self.now)
        self.table = reloaded(self.table, self.now)
        self.table.awake = True
        after = told(self.table, self.now)
        assert {**before, "version": 0} == {**after, "version": 0}
        self.table.go_to(self.table.current, self.now)

    @invariant()
    def the_tree_holds(self) -> None:
        tree = self.table.tree
        assert tree.main[0] == ROOT
        for before, after in zip(tree.main, tree.main[1:], strict=False):
            assert tree.nodes[after].parent == before
        for number, node in tree.nodes.items():
            assert number == node.id < tree.next_id
            children = [tree.nodes[child] for child in node.children]
            assert len({child.move for child in children}) == len(children)
            for child in children:
                assert child.parent == number
                assert child.id > number
                assert child.position == node.position.play(child.move or "")
        assert self.table.current in tree.nodes
        assert set(tree.below(ROOT)) == set(tree.nodes)

    @invariant()
    def the_clock_holds(self) -> None:
        table = self.table
        if table.clock is not None:
            assert min(table.time_left(self.now)) >= 0
        runs = table.watch.since is not None
        mover = table.mover
        waits = mover is not None and table.is_human(mover) and not table.paused
        assert runs == (waits and table.awake)

    @invariant()
    def the_record_can_be_written(self) -> None:
        record = record_of(self.table)
        assert GameRecord.from_text(record.text) == record


TestAnyTable = AnyTable.TestCase

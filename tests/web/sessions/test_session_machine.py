"""Whatever is done at a session, in whatever order: the tree and the clock hold."""

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
from plyground.web.protocol.models import ClockSpec, PlayerSpecModel
from plyground.web.sessions.import_export import export_record
from plyground.web.sessions.session import HUMAN, ChosenMove
from plyground.web.sessions.variation_tree import ROOT, SessionError
from tests.web.session_builders import ENGINE, interface_view, new_session, reloaded


class AnySession(RuleBasedStateMachine):
    """A session of tic-tac-toe with any actions. A refused action changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.session = new_session()

    @initialize(clock=st.sampled_from([None, ClockSpec(seconds=50, increment=1)]))
    def begin(self, clock: ClockSpec | None) -> None:
        self.session = new_session(clock=clock)

    def attempt(self, action: Any) -> None:
        before = interface_view(self.session, self.now)
        try:
            action()
        except SessionError as error:
            if "too late" not in str(error):
                assert interface_view(self.session, self.now) == before
        except PlygroundError:
            assert interface_view(self.session, self.now) == before
        else:
            assert self.session.version > before["version"]

    def some_node(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from([*self.session.tree.nodes, 999]))

    @rule(seconds=st.sampled_from([0.0, 1.0, 9.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        position = self.session.position
        texts = [position.move_text(move) for move in position.legal_moves]
        text = data.draw(st.sampled_from(texts or "-"))
        self.attempt(lambda: self.session.play(self.session.tree.head, text, self.now))

    @rule(data=st.data())
    def try_move(self, data: st.DataObject) -> None:
        node = self.some_node(data)
        text = data.draw(st.sampled_from(["a1", "b2", "c3", "a3", "zz"]))
        self.attempt(lambda: self.session.try_move(node, text, self.now))

    @precondition(lambda self: self.session.searching_player is not None)
    @rule(data=st.data(), seconds=st.sampled_from([0.0, 0.5, 30.0]))
    def search_move(self, data: st.DataObject, seconds: float) -> None:
        position = self.session.position
        move = position.move_text(data.draw(st.sampled_from(position.legal_moves)))
        assert self.session.play_search_move(
            self.session.tree.head, ChosenMove(move, seconds, 1, 1), self.now
        )

    @rule(data=st.data())
    def go_to(self, data: st.DataObject) -> None:
        node = self.some_node(data)
        self.attempt(lambda: self.session.go_to(node, self.now))

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        node = self.some_node(data)
        self.attempt(lambda: self.session.remove(node, self.now))

    @rule(data=st.data())
    def promote(self, data: st.DataObject) -> None:
        node = self.some_node(data)
        self.attempt(lambda: self.session.promote(node, self.now))

    @rule(data=st.data())
    def comment(self, data: st.DataObject) -> None:
        node = self.some_node(data)
        self.attempt(lambda: self.session.comment(node, "!", self.now))

    @rule()
    def takeback(self) -> None:
        self.attempt(lambda: self.session.takeback(self.now))

    @rule(player=st.sampled_from([None, 0, 1]))
    def resign(self, player: int | None) -> None:
        self.attempt(lambda: self.session.resign(player, self.now))

    @rule(first=st.sampled_from([HUMAN, ENGINE]), second=st.sampled_from([HUMAN, ENGINE]))
    def change_players(self, first: PlayerSpecModel, second: PlayerSpecModel) -> None:
        self.attempt(lambda: self.session.set_players((first, second), self.now))

    @rule(action=st.sampled_from(["pause", "resume", "suspend", "check_flag"]))
    def change_time(self, action: str) -> None:
        getattr(self.session, action)(self.now)
        self.session.watch(self.now)

    @rule()
    def reload(self) -> None:
        before = interface_view(self.session, self.now)
        self.session = reloaded(self.session, self.now)
        self.session.is_watched = True
        after = interface_view(self.session, self.now)
        assert {**before, "version": 0} == {**after, "version": 0}
        self.session.go_to(self.session.current, self.now)

    @invariant()
    def the_tree_holds(self) -> None:
        tree = self.session.tree
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
        assert self.session.current in tree.nodes
        assert all(tree.path(number)[0] == ROOT for number in tree.nodes)

    @invariant()
    def the_clock_holds(self) -> None:
        session = self.session
        if session.clock is not None:
            assert min(session.time_left(self.now)) >= 0
        runs = session.stopwatch.since is not None
        mover = session.player_to_move
        waits = mover is not None and session.is_human(mover) and not session.paused
        assert runs == (waits and session.is_watched)

    @invariant()
    def the_record_can_be_written(self) -> None:
        record = export_record(self.session)
        assert GameRecord.from_text(record.text) == record


TestAnySession = AnySession.TestCase

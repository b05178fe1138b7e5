"""Students' files for Fishing Derby: the package that they know, and whole games with them."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom.interfaces.derby import DerbyInterface
from plyground.core.game import Position
from plyground.core.registry import find_game
from tests.classroom.derby_messages import Referee, messages_of
from tests.classroom.student_processes import STUDENTS, StudentProcess, inside, play_game
from tests.paths import DATA

DERBY = find_game("derby")
INTERFACE = DerbyInterface()
STAY, UP = 0, 1


def random_start(seed: int, fish: int = 40, plies: int = 30) -> Position:
    """Crowded, so that fish share cells and swim into hooks that wait for them."""
    return DERBY.start({"board": "random", "seed": seed, "fish": fish, "plies": plies})


def scenario(plies: int, *fish: tuple[int, int, int, str], hooks: Any = ((0, 19), (5, 19))) -> Any:
    return DERBY.position(
        json.dumps(
            {
                "init_fishes": {
                    str(number): {"init_pos": [x, y], "score": score}
                    for number, (x, y, score, _) in enumerate(fish)
                },
                "init_players": {"0": hooks[0], "1": hooks[1]},
                "sequence": {
                    str(number): [int(code) for code in (codes * plies)[:plies]]
                    for number, (_, _, _, codes) in enumerate(fish)
                },
                "params": {"n_seq": plies},
            }
        )
    )


def assert_same(state: Any, position: Position) -> None:
    here = position.state
    places = DERBY.module.fish_places(position.board, here)
    assert state.player == state.get_player() == here.ply % 2
    assert state.get_hook_positions() == {
        0: (here.green_x, here.green_y),
        1: (here.red_x, here.red_y),
    }
    assert state.get_player_scores() == (here.green_points, here.red_points)
    held = (here.green_fish, here.red_fish)
    assert state.player_caught == dict(enumerate(held))
    assert state.get_caught() == tuple(None if fish < 0 else fish for fish in held)
    assert state.get_fish_positions() == places
    assert list(state.fish_positions) == sorted(places)


def assert_same_tree(node: Any, position: Position, plies: int) -> int:
    """Compare all nodes so many plies deep; returns how many these were."""
    assert_same(node.state, position)
    assert node.player == node.state.player
    if plies == 0:
        return 1
    children = node.compute_and_get_children()
    assert not children or children is node.compute_and_get_children()
    holds = node.state.get_caught()[node.player] is not None
    expected = [UP] if holds else [0, 1, 2, 3, 4]
    if node.depth == len(node.observations):
        expected = []
    assert [child.move for child in children] == expected
    count = 1
    if position.is_over:  # the sea is empty: to the rules nothing follows
        return count
    for child in children:
        assert (child.parent, child.depth) == (node, node.depth + 1)
        move = child.move if child.move in position.legal_moves else STAY
        count += assert_same_tree(child, position.after(move), plies - 1)
    return count


# The package, against the rules of this house


@pytest.mark.parametrize("seed", range(12))
def test_trees_agree_with_the_rules_all_through_random_games(seed: int) -> None:
    chance = random.Random(seed)
    position = random_start(seed)
    nodes = 0
    while not position.is_over:
        if position.turn == 0:
            message = messages_of(position, position)[1]
            node = inside("fishing_game_core.game_tree").Node(message=message, player=0)
            assert len(node.observations) == position.board.plies - position.state.ply
            nodes += assert_same_tree(node, position, 3)
        position = position.play(chance.choice(position.legal_moves))
    assert nodes > 200


@pytest.mark.parametrize("name", ["cove", "race", "current", "crowd", "pier"])
def test_long_lines_agree_with_the_rules(name: str) -> None:
    chance = random.Random(name)
    start = position = DERBY.start({"board": name})
    node = inside("fishing_game_core.game_tree").Node(message=messages_of(start, start)[1])
    while not position.is_over:
        child = chance.choice(node.compute_and_get_children())
        codes = node.observations[node.depth]
        once_more = node.compute_next_state(node.state, child.move, codes)
        assert vars(once_more) == vars(child.state)
        move = child.move if child.move in position.legal_moves else STAY
        node, position = child, position.after(move)
        assert_same(node.state, position)
    for _ in range(len(node.observations) - node.depth):
        node = node.compute_and_get_children()[0]
    assert node.compute_and_get_children() == []


def test_a_game_can_begin_in_the_middle() -> None:
    middle = random_start(3)
    for _ in range(10):
        middle = middle.play(middle.legal_moves[0])
    first, turn = messages_of(middle, middle)
    places = DERBY.module.fish_places(middle.board, middle.state)
    assert set(first) == {f"fish{fish}" for fish in places} | {"game_over"}
    node = inside("fishing_game_core.game_tree").Node(message=turn)
    assert_same_tree(node, middle, 3)


def test_the_messages_are_those_of_the_course() -> None:
    start = scenario(
        4, (1, 18, 11, "8"), (3, 3, -7, "0123"), (9, 9, -1, "8"), hooks=((1, 19), (5, 19))
    )
    after = start.play("down").play("stay")
    first, turn, later = messages_of(start, start, after)
    assert first == {
        "fish0": {"type": 11, "score": 11},
        "fish1": {"type": 6, "score": -7},
        "fish2": {"type": 12, "score": -1},
        "game_over": False,
    }
    assert turn == {
        "game_over": False,
        "hooks_positions": {0: (1, 19), 1: (5, 19)},
        "fishes_positions": {0: (1, 18), 1: (3, 3), 2: (9, 9)},
        "observations": {0: [8, 8, 8, 8], 1: [0, 1, 2, 3], 2: [8, 8, 8, 8]},
        "fish_scores": {0: 11, 1: -7, 2: -1},
        "player_scores": {0: 0, 1: 0},
        "caught_fish": {0: None, 1: None},
    }
    assert later["caught_fish"] == {0: 0, 1: None}
    assert later["observations"][1] == [2, 3]
    landed = messages_of(start, start, after.play("up").play("stay"))[2]
    assert landed["player_scores"] == {0: 11, 1: 0}
    for part in ("fishes_positions", "observations", "fish_scores"):
        assert set(landed[part]) == {1, 2}


def test_each_fish_follows_its_own_codes_after_another_was_landed() -> None:
    start = scenario(6, (0, 18, 2, "8"), (9, 5, 1, "0"), (12, 5, 1, "1"))
    node = inside("fishing_game_core.game_tree").Node(message=messages_of(start, start)[1])
    for action in (2, 0, 1, 0, 0):
        children = node.compute_and_get_children()
        node = children[0] if len(children) == 1 else children[action]
    assert node.state.get_fish_positions() == {1: (9, 10), 2: (12, 0)}
    assert node.state.get_player_scores() == (2, 0)


def test_where_no_fish_is_left_there_are_children_until_the_day_is_over() -> None:
    start = scenario(4, (1, 19, 3, "8"))
    node = inside("fishing_game_core.game_tree").Node(message=messages_of(start, start)[1])
    node = node.compute_and_get_children()[4]
    assert node.state.get_player_scores() == (3, 0)
    for _ in range(3):
        assert node.state.get_fish_positions() == {}
        assert [child.move for child in node.compute_and_get_children()] == [0, 1, 2, 3, 4]
        node = node.children[0]
    assert node.compute_and_get_children() == []


def integer_keys(part: Any) -> Any:
    """What JSON has made texts of."""
    return {int(key): value for key, value in part.items()} if isinstance(part, dict) else part


def as_in_the_data(state: Any) -> dict[str, Any]:
    return {
        "player": state.get_player(),
        "scores": list(state.get_player_scores()),
        "caught": list(state.get_caught()),
        "hooks": [list(state.get_hook_positions()[player]) for player in (0, 1)],
        "fish": {str(fish): list(place) for fish, place in state.get_fish_positions().items()},
    }


def test_trees_agree_with_those_that_the_course_itself_computes() -> None:
    """363 nodes with all their children. Where a fish was landed, the course's tree gives the fish
    behind it the codes of a neighbour: there, and only there, ours differs."""
    game_tree = inside("fishing_game_core.game_tree")
    nodes, after_landings = 0, 0
    for line in (DATA / "derby_course_tree.jsonl").read_text().splitlines():
        game = json.loads(line)
        message = {name: integer_keys(part) for name, part in game["message"].items()}
        for part in ("hooks_positions", "fishes_positions"):
            message[part] = {number: tuple(place) for number, place in message[part].items()}
        for expected in game["nodes"]:
            node = game_tree.Node(message=message, player=0)
            for move in expected["walk"]:
                node = next(c for c in node.compute_and_get_children() if c.move == move)
            nodes += 1
            assert node.depth == expected["depth"]
            assert as_in_the_data(node.state) == expected["state"]
            children = node.compute_and_get_children()
            assert [c.move for c in children] == [c["move"] for c in expected["children"]]
            left = set(expected["state"]["fish"])
            is_after_landing = left < set(game["message"]["fishes_positions"]) and left
            for child, other in zip(children, expected["children"], strict=True):
                ours, theirs = as_in_the_data(child.state), dict(other["state"])
                if is_after_landing:
                    after_landings += ours["fish"] != theirs["fish"]
                    ours.pop("fish")
                    theirs.pop("fish")
                    if ours != theirs:  # a fish that swims elsewhere may be caught there
                        assert ours["hooks"] == theirs["hooks"]
                        continue
                assert ours == theirs
    assert nodes == 363
    assert after_landings > 0


def test_a_state_and_a_node_have_the_attributes_and_methods_of_the_course() -> None:
    game_tree = inside("fishing_game_core.game_tree")
    state = game_tree.State(2)
    assert (state.player, state.player_scores, state.fish_positions) == (None, {}, {})
    state.set_hook_positions((1, 2, 3, 4))
    state.set_player_scores(5, -6)
    state.set_fish_scores({0: 3, 7: -2})
    state.set_fish_positions(0, (1, 2))
    state.set_fish_positions(7, (3, 4))
    state.set_caught((None, 7))
    state.set_player(0)
    assert (state.player, state.player_scores[0], state.player_scores[1]) == (0, 5, -6)
    assert state.hook_positions == {0: (1, 2), 1: (3, 4)}
    assert (state.player_caught[0], state.player_caught[1]) == (-1, 7)
    assert state.get_fish_scores() == state.fish_scores == {0: 3, 7: -2}
    assert "caught={0: -1, 1: 7}" in repr(state)
    state.remove_fish(7)
    assert state.get_fish_positions() == {0: (1, 2)}
    node = game_tree.Node(root=False)
    assert (node.children, node.parent, node.move, node.depth) == ([], None, None, 0)
    assert (node.state, node.observations, node.probability) == (None, {}, 1.0)
    child = node.add_child(state, 3, 1, {0: [8]}, 0.5)
    assert node.children == [child]
    assert (child.move, child.state, child.parent, child.depth) == (3, state, node, 1)
    assert (child.observations, child.probability, child.player) == ({0: [8]}, 0.5, 0)
    plain = node.add_child(state, 2)
    assert (plain.depth, plain.observations, plain.probability) == (0, {}, 1.0)
    assert copy.deepcopy(child).state.get_fish_positions() == {0: (1, 2)}
    with pytest.raises(TypeError, match=r"Node\(message=msg\)"):
        game_tree.Node()


def test_children_are_of_the_class_of_their_parent() -> None:
    game_tree = inside("fishing_game_core.game_tree")

    class Mine(game_tree.Node):  # type: ignore[misc, name-defined]
        def __init__(self, root: bool = True, message: Any = None, player: int = 0) -> None:
            super().__init__(root, message, player)
            self.value = 0

    start = scenario(5, (3, 3, 3, "0"))
    for kind in ("made", "assigned"):
        if kind == "made":
            node = Mine(message=messages_of(start, start)[1])
        else:
            node = game_tree.Node(message=messages_of(start, start)[1])
            node.__class__ = Mine
        grandchildren = [
            grandchild
            for child in node.compute_and_get_children()
            for grandchild in child.compute_and_get_children()
        ]
        assert len(grandchildren) == 25
        assert all(
            type(grandchild) is Mine and grandchild.value == 0 for grandchild in grandchildren
        )


def test_a_subclass_may_have_its_own_next_state() -> None:
    game_tree = inside("fishing_game_core.game_tree")
    calls = []

    class Mine(game_tree.Node):  # type: ignore[misc, name-defined]
        def compute_next_state(self, current_state: Any, act: int, observations: Any) -> Any:
            calls.append(act)
            return super().compute_next_state(current_state, act, observations)

    start = scenario(5, (3, 3, 3, "0"))
    message = messages_of(start, start)[1]
    own = Mine(message=message).compute_and_get_children()
    usual = game_tree.Node(message=message).compute_and_get_children()
    assert calls == [0, 1, 2, 3, 4]
    assert [repr(child.state) for child in own] == [repr(child.state) for child in usual]


def test_what_a_player_changes_in_one_state_changes_no_other() -> None:
    start = scenario(5, (3, 3, 3, "0"), (4, 4, 5, "1"))
    node = inside("fishing_game_core.game_tree").Node(message=messages_of(start, start)[1])
    first, second = node.compute_and_get_children()[:2]
    before = repr(second.state), second.state.get_fish_scores().copy()
    first.state.get_fish_scores().clear()
    first.state.player_scores[0] = 99
    first.state.fish_positions[0] = (0, 0)
    assert (repr(second.state), second.state.get_fish_scores()) == before
    assert node.state.get_fish_scores() == {0: 3, 1: 5}


def test_the_parts_of_a_step_are_there_one_by_one() -> None:
    game_tree = inside("fishing_game_core.game_tree")
    start = scenario(5, (3, 3, 3, "0"), (4, 4, 5, "1"))
    node = game_tree.Node(message=messages_of(start, start)[1])
    hooks = node.compute_new_hook_states({0: (0, 19), 1: (5, 18)}, 1, (-1, 0))
    assert hooks == [0, 19, 4, 18]
    after = game_tree.State(2)
    node.compute_new_fish_states(after, {0: (3, 3), 1: (4, 4)}, [0, 1], 0, (1, None))
    assert after.get_fish_positions() == {0: (3, 4), 1: (4, 5)}
    after = game_tree.State(2)
    node.compute_new_fish_states(after, {0: (3, 3), 1: (4, 4)}, [0, 1], 0, (None, 1))
    assert after.get_fish_positions() == {0: (3, 4), 1: (4, 4)}


def test_a_node_made_by_hand_takes_the_codes_in_the_order_of_the_fish() -> None:
    game_tree = inside("fishing_game_core.game_tree")
    node, state = game_tree.Node(root=False), game_tree.State(0)
    state.set_player(0)
    state.set_player_scores(0, 0)
    state.set_caught((None, None))
    state.set_hook_positions((0, 19, 10, 19))
    state.set_fish_positions(4, (3, 3))
    state.set_fish_positions(2, (6, 6))
    after = node.compute_next_state(state, 0, [0, 1])
    assert after.get_fish_positions() == {4: (3, 2), 2: (6, 7)}


def test_steps_wrap_to_the_sides_and_stop_at_floor_surface_and_the_other_boat() -> None:
    move = inside("fishing_game_core.game_tree").Node(root=False).xy_move
    assert move((0, 5), (-1, 0)) == (19, 5)
    assert move((19, 5), (1, 0), (0, 19)) == (19, 5)
    assert move((19, 5), (1, 0), (1, 19)) == (0, 5)
    assert move((4, 19), (1, 1)) == (5, 19)
    assert move((4, 0), (-1, -1)) == (3, 0)


def test_fish_on_the_rods_and_fish_that_are_landed_are_found_in_a_state() -> None:
    game_tree = inside("fishing_game_core.game_tree")
    state = game_tree.State(0)
    state.set_hook_positions((1, 19, 3, 4))
    for fish, place in {5: (3, 4), 2: (3, 4), 8: (1, 19)}.items():
        state.set_fish_positions(fish, place)
    assert game_tree.compute_caught_fish(state, (8, None)) == ([None, 2], [8, None])
    assert game_tree.compute_caught_fish(state, (None, 5)) == ([None, 5], [8, None])


def test_the_shared_names_and_numbers_are_those_of_the_course() -> None:
    shared = inside("fishing_game_core.shared")
    assert shared.ACTION_TO_STR == {0: "stay", 1: "up", 2: "down", 3: "left", 4: "right"}
    assert shared.ACT_TO_MOVES == {0: (0, 0), 1: (0, 1), 2: (0, -1), 3: (-1, 0), 4: (1, 0)}
    assert [shared.OBS_TO_MOVES[code] for code in range(9)] == [
        *((0, 1), (0, -1), (-1, 0), (1, 0)),
        *((-1, 1), (1, 1), (-1, -1), (1, -1), (0, 0)),
    ]
    assert {code: shared.MOVES_TO_OBS[move] for code, move in shared.OBS_TO_MOVES.items()} == {
        code: code for code in range(9)
    }
    assert [shared.TYPE_TO_SCORE[kind] for kind in range(18)] == [
        *(1, 2, 3, 4, 5, 6, -7, 7, 8, 9, 10, 11),
        *(-1, -2, -3, -4, -5, -6),
    ]


# The controller's pipes


def test_a_player_is_ready_when_it_waits_for_its_first_turn() -> None:
    start = DERBY.start()
    referee = Referee(INTERFACE.turn(start, 0.075), {"type": "over"})
    pipe = inside("derby").Pipe(referee, INTERFACE.begin(start, 0, 0.075))
    assert pipe.poll()
    pipe.recv()
    assert referee.answers == []
    assert pipe.poll()
    assert referee.answers == [("ready", {})]
    pipe.recv()
    assert referee.answers == [("ready", {})]
    pipe.send({"action": "up", "search_time": None, "depth": 4})
    assert referee.answers[1:] == [("move", {"move": "up", "depth": 4})]
    assert pipe.recv() == {"game_over": True}


def test_a_turn_is_answered_once() -> None:
    start = DERBY.start()
    referee = Referee(INTERFACE.turn(start, 0.075))
    pipe = inside("derby").Pipe(referee, INTERFACE.begin(start, 0, 0.075))
    with pytest.raises(RuntimeError, match="before the first one"):
        pipe.send({"action": "up"})
    pipe.recv()
    pipe.recv()
    pipe.send({"action": "up"})
    with pytest.raises(RuntimeError, match="twice in one turn"):
        pipe.send({"action": "down"})
    assert len(referee.answers) == 2


# Files as students write them


@pytest.mark.parametrize("file", ["derby_new_template", "derby_old_template", "derby_alpha_beta"])
def test_a_file_in_the_style_of_courses_plays_a_whole_game(file: str) -> None:
    start = DERBY.start({"board": "random", "seed": 5, "fish": 6, "plies": 40})
    end = play_game(STUDENTS / f"{file}.py", INTERFACE, start)
    assert end.is_over


def test_a_package_of_the_same_name_beside_the_file_is_not_used(tmp_path: Path) -> None:
    other = tmp_path / "fishing_game_core"
    other.mkdir()
    for name in ("__init__", "game_tree", "player_utils", "shared"):
        (other / f"{name}.py").write_text("raise RuntimeError('the wrong one')")
    file = tmp_path / "player.py"
    file.write_text((STUDENTS / "derby_new_template.py").read_text())
    assert play_game(file, INTERFACE, DERBY.start()).is_over


def test_a_folder_of_files_may_use_any_names(tmp_path: Path) -> None:
    (tmp_path / "derby.py").write_text("from wire import ACTION\n")
    (tmp_path / "wire.py").write_text("ACTION = 'down'\n")
    (tmp_path / "random.py").write_text(
        "from fishing_game_core.player_utils import PlayerController\n"
        "from derby import ACTION\n"
        "class PlayerControllerMinimax(PlayerController):\n"
        "    def player_loop(self):\n"
        "        self.receiver()\n"
        "        while True:\n"
        "            self.receiver()\n"
        "            self.sender({'action': ACTION, 'search_time': None})\n"
    )
    start = DERBY.start()
    with StudentProcess("derby", tmp_path / "random.py") as student:
        assert student.ask(INTERFACE.begin(start, 0, 1.0)) == {"type": "ready"}
        assert student.ask(INTERFACE.turn(start, 1.0)) == {
            "type": "move",
            "move": "down",
            "depth": None,
        }


def test_the_depth_of_a_player_is_told() -> None:
    start = DERBY.start()
    with StudentProcess("derby", STUDENTS / "derby_alpha_beta.py") as student:
        assert student.ask(INTERFACE.begin(start, 0, 1.0)) == {"type": "ready"}
        answer = student.ask(INTERFACE.turn(start, 1.0))
        assert answer is not None
        assert answer["depth"] >= 0

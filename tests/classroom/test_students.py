"""Files as students write them, one for every trait that was met: each plays a whole game, in the
sandbox."""

from __future__ import annotations

import textwrap
from contextlib import closing

import pytest

from plyground.arena.referee import UNTIMED, PlayedGame, Terms, play_game
from plyground.classroom.sandbox import cannot_be_built
from plyground.classroom.student_process import start_player
from plyground.classroom.submission import Submission
from plyground.core.game import Position
from plyground.core.outcome import Ending
from plyground.core.registry import find_game
from plyground.players.simple import random_player

pytestmark = pytest.mark.skipif(cannot_be_built() is not None, reason=str(cannot_be_built()))

DERBY = find_game("derby")
BREAKTHROUGH = find_game("breakthrough")

HEAD = """
from fishing_game_core.game_tree import Node, State
from fishing_game_core.player_utils import PlayerController
from fishing_game_core.shared import *
"""
LOOP = """
class PlayerControllerHuman(PlayerController):
    def player_loop(self):
        while True:
            msg = self.receiver()
            if msg["game_over"]:
                return

class PlayerControllerMinimax(PlayerController):
    def __init__(self):
        super(PlayerControllerMinimax, self).__init__()

    def player_loop(self):
        first_msg = self.receiver()
        while True:
            msg = self.receiver()
            node = Node(message=msg, player=0)
            best_move = self.search_best_next_move(initial_tree_node=node)
            self.sender({"action": best_move, "search_time": None})

"""
SEARCH = """
    def search_best_next_move(self, initial_tree_node):
        children = initial_tree_node.compute_and_get_children()
        return ACTION_TO_STR[max(children, key=self.value).move]

    def value(self, node):
        green, red = node.state.get_player_scores()
        return green - red
"""

DERBY_FILES: dict[str, dict[str, str]] = {
    "the template": {"player.py": HEAD + LOOP + SEARCH},
    "the older template, with a model and other parameters": {
        "player.py": HEAD
        + """
class PlayerControllerMinimax(PlayerController):
    def __init__(self):
        super(PlayerControllerMinimax, self).__init__()

    def player_loop(self):
        first_msg = self.receiver()
        model = self.initialize_model(initial_data=first_msg)
        while True:
            msg = self.receiver()
            node = Node(message=msg, player=0)
            best_move = self.search_best_next_move(model, node, 4)
            self.sender({"action": best_move, "search_time": 0.05})

    def initialize_model(self, initial_data):
        return [initial_data[fish]["score"] for fish in initial_data if fish != "game_over"]

    def search_best_next_move(self, model, initial_tree_node, depth):
        assert len(model) == 4
        return ACTION_TO_STR[initial_tree_node.compute_and_get_children()[-1].move]
"""
    },
    "helpers beside the file": {
        "player.py": HEAD
        + "from helpers.best import best_of\nimport consts\n"
        + LOOP
        + """
    def search_best_next_move(self, initial_tree_node):
        return ACTION_TO_STR[best_of(initial_tree_node, consts.DEPTH)]
""",
        "consts.py": "DEPTH = 2\n",
        "helpers/__init__.py": "",
        "helpers/best.py": "from consts import DEPTH\n"
        "def best_of(node, depth):\n    return node.compute_and_get_children()[-1].move\n",
    },
    "neighbours called like modules of the standard library": {
        "player.py": HEAD
        + "import random, bisect, struct\nfrom test import TEST\nfrom code import CODE\n"
        + LOOP
        + """
    def search_best_next_move(self, initial_tree_node):
        assert (random.MINE, bisect.MINE, struct.MINE, TEST, CODE) == (1, 2, 3, 4, 5)
        return "stay"
""",
        "random.py": "MINE = 1\n",
        "bisect.py": "MINE = 2\n",
        "struct/__init__.py": "MINE = 3\n",
        "test.py": "TEST = 4\n",
        "code.py": "CODE = 5\n",
    },
    "prints": {"player.py": HEAD + LOOP + SEARCH.replace("green - red", "print(green) or 0")},
    "the settings of the course": {
        "player.py": HEAD
        + LOOP
        + """
    def search_best_next_move(self, initial_tree_node):
        assert self.settings.space_subdivisions == 20
        assert self.settings.time_threshold == 5.0
        return "stay"
"""
    },
    "numpy": {
        "player.py": HEAD
        + "import numpy as np\n"
        + LOOP
        + """
    def search_best_next_move(self, initial_tree_node):
        children = initial_tree_node.compute_and_get_children()
        scores = np.array([child.state.get_player_scores() for child in children])
        return ACTION_TO_STR[children[int(np.argmax(scores[:, 0]))].move]
"""
    },
    "threads over the children of the root": {
        "player.py": HEAD
        + "from concurrent.futures import ThreadPoolExecutor\n"
        + LOOP
        + """
    def search_best_next_move(self, initial_tree_node):
        children = initial_tree_node.compute_and_get_children()
        with ThreadPoolExecutor() as executor:
            values = list(executor.map(self.value, children))
        return ACTION_TO_STR[children[values.index(max(values))].move]

    def value(self, node):
        return max(child.state.get_player_scores()[0] for child in node.compute_and_get_children())
"""
    },
    "a pool of processes": {
        "player.py": HEAD
        + "import multiprocessing\ndef square(number):\n    return number * number\n"
        + LOOP.replace(
            "first_msg = self.receiver()",
            "first_msg = self.receiver(); self.pool = multiprocessing.Pool(2)",
        )
        + """
    def search_best_next_move(self, initial_tree_node):
        assert self.pool.map(square, [1, 2, 3]) == [1, 4, 9]
        return "stay"
"""
    },
    "an alarm": {
        "player.py": HEAD
        + "import signal\nclass TimeUp(Exception): pass\n"
        + LOOP
        + """
    def up(self, number, frame):
        raise TimeUp

    def search_best_next_move(self, initial_tree_node):
        signal.signal(signal.SIGALRM, self.up)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        try:
            while True:
                pass
        except TimeUp:
            return "stay"
"""
    },
    "copies of nodes and states": {
        "player.py": HEAD
        + "import copy\n"
        + LOOP
        + """
    def search_best_next_move(self, initial_tree_node):
        twin = copy.deepcopy(initial_tree_node)
        state = copy.copy(twin.state)
        assert len(twin.compute_and_get_children()) == len(
            initial_tree_node.compute_and_get_children())
        return ACTION_TO_STR[twin.children[0].move]
"""
    },
    "a subclass of Node": {
        "player.py": HEAD
        + """
class MinimaxNode(Node):
    def __init__(self, root, heur=0):
        super().__init__(root)
        self.heur = heur
    def __lt__(self, other):
        return self.heur < other.heur
"""
        + LOOP
        + """
    def search_best_next_move(self, initial_tree_node):
        initial_tree_node.__class__ = MinimaxNode
        children = initial_tree_node.compute_and_get_children()
        for child in children:
            child.heur = child.state.get_player_scores()[0]
        children.sort()
        return ACTION_TO_STR[children[-1].move]
"""
    },
    "the end of the process when the game is over": {
        "player.py": HEAD
        + "import sys\n"
        + LOOP.replace(
            "msg = self.receiver()\n            node",
            "msg = self.receiver_pipe.recv()\n"
            "            if msg['game_over']: sys.exit(0)\n            node",
        )
        + SEARCH
    },
    "a log in the current folder": {
        "player.py": HEAD + "import logging\n"
        "logging.basicConfig(filename='minimax.log', level=logging.DEBUG)\n"
        + LOOP
        + """
    def search_best_next_move(self, initial_tree_node):
        logging.debug("to move")
        open("times.txt", "a").write("1\\n")
        return "stay"
"""
    },
    "a look whether there is a message": {
        "player.py": HEAD
        + LOOP.replace(
            "msg = self.receiver()\n            node",
            "while not self.receiver_pipe.poll(0.01): pass\n"
            "            msg = self.receiver()\n            node",
        )
        + SEARCH
    },
    "an index into the children until the observations are used up": {
        "player.py": HEAD
        + LOOP
        + """
    def search_best_next_move(self, initial_tree_node):
        node = initial_tree_node
        while node.depth < len(node.observations):
            node = node.compute_and_get_children()[0]
        return "down"
"""
    },
}


def play(game_start: Position, files: dict[str, str], seconds: float = 5.0) -> PlayedGame:
    submission = Submission("ann", {path: text.encode() for path, text in files.items()})
    path, interface = submission.player(game_start.game)
    player = start_player(submission, path, interface, trusted=False)
    with closing(player):
        return play_game(game_start, [player, random_player(3)], (Terms(seconds), UNTIMED))


@pytest.mark.parametrize("trait", DERBY_FILES)
def test_a_player_of_fishing_derby_plays_that_has(trait: str) -> None:
    start = DERBY.start({"board": "random", "seed": 4, "fish": 4, "plies": 16})
    played = play(start, DERBY_FILES[trait])
    assert played.outcome.ending is Ending.FINISHED, played.outcome.reason


AGENT = """
class Agent:
    def __init__(self, color, oppopnentColor, time{default}):
        self.color, self.other, self.timeToMove = color, oppopnentColor, time

    def move(self, board):
{move}
"""
ANY_MOVE = """
from_cells, to_cells = board.getPiecesPossibleLocations(self.color)
return from_cells[-1], to_cells[-1][0]
"""


def agent(move: str = ANY_MOVE, default: str = "=None", before: str = "") -> str:
    indented = textwrap.indent(textwrap.dedent(move).strip(), " " * 8)
    return before + AGENT.format(move=indented, default=default)


BREAKTHROUGH_FILES: dict[str, dict[str, str]] = {
    "a misspelt parameter": {"agent.py": agent()},
    "a time that it needs": {"agent.py": agent(default="")},
    "one parameter more": {"agent.py": agent(default="=10, height=5")},
    "an alarm of whole seconds": {
        "agent.py": agent(
            "signal.alarm(self.timeToMove)\n"
            + ANY_MOVE.replace("return", "signal.alarm(0); return"),
            before="import signal\n",
        )
    },
    "boards of its own": {
        "agent.py": agent(
            "assert Board(6, 6, 2).board == Board().initilizeBoard()\n"
            "twin = copy.deepcopy(board)\n"
            "assert twin.travelOverBoard(self.color) == board.travelOverBoard(self.color)\n"
            "assert len(twin.travelOverBoard('B')) == twin.getNumberOfArmy('B')\n"
            "row, column = twin.travelOverBoard(self.color)[-1]\n"
            "assert twin.getSpecialPiecesPossibleLocations(self.color, row, column, 1) == \\\n"
            "    twin.getPiecePossibeLocations(self.color, row, column)\n"
            "assert twin.PLAYER_ROW_NUMBER == 2\n" + ANY_MOVE,
            before="import copy\nfrom board import Board\n",
        )
    },
    "a board with more methods beside it": {
        "agent.py": agent(
            "assert board.worth('W') >= 0\n" + ANY_MOVE.replace("getPieces", "pieces")
        ),
        "board.py": """
class Board:
    def __init__(self, n_rows=6, n_cols=6, player_row_number=2):
        self.n_rows, self.n_cols, self.board = n_rows, n_cols, None
    def worth(self, color):
        return sum(row.count(color) for row in self.board)
    def piecesPossibleLocations(self, color):
        found = [((r, c), [(r + 1, c)]) for r in range(5) for c in range(6)
                 if self.board[r][c] == color and self.board[r + 1][c] == "E"]
        return zip(*found)
""".replace("zip(*found)", "[f for f, _ in found], [t for _, t in found]"),
    },
    "a board beside it that is the course's": {
        "agent.py": agent(before="from board import Board, MAX\n"),
        "board.py": "MAX = 9\nclass Board:\n    def win(self, color):\n        return False\n",
    },
    "a tree of copies beside it": {
        "agent.py": agent(
            "return Tree(board, self.color).best()", before="from tree import Tree\n"
        ),
        "tree.py": "from node import Node\nclass Tree(Node):\n    pass\n",
        "node.py": """
import copy
class Node:
    def __init__(self, board, color):
        self.children = []
        from_cells, to_cells = board.getPiecesPossibleLocations(color)
        for cell, targets in zip(from_cells, to_cells):
            for target in targets:
                after = copy.deepcopy(board)
                after.changePieceLocation(color, cell, target)
                self.children.append((cell, target, after))
    def best(self):
        return max(self.children, key=lambda child: child[1][0])[:2]
""",
    },
}


@pytest.mark.parametrize("trait", BREAKTHROUGH_FILES)
def test_an_agent_of_breakthrough_plays_that_has(trait: str) -> None:
    played = play(BREAKTHROUGH.start(), BREAKTHROUGH_FILES[trait], 5.0)
    assert played.outcome.ending is Ending.FINISHED, played.outcome.reason


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (
            {"agent.py": agent("signal.alarm(0.5)", before="import signal\n")},
            "cannot be interpreted as an integer in move, line 8 of agent.py; signal.alarm needs",
        ),
        (
            {"agent.py": agent("if self.color == 'W':\n    return None\n")},
            "in move 1 the player answered None, in move, line 8; a move is ((row, column),",
        ),
        (
            {"agent.py": agent("return 1 / 0")},
            "ann failed in move 1: ZeroDivisionError: division by zero in move, line 7 of agent.py",
        ),
        (
            {"agent.py": agent(before="import tensorflow_of_nobody\n")},
            "line 1 of agent.py; tensorflow_of_nobody is neither among the files that were",
        ),
        (
            {"agent.py": agent("import sys; sys.exit()")},
            "in move 1: it ended its own process before the game was over in move, line 7",
        ),
        (
            {"agent.py": agent("quit() if board is None else exit()")},
            "in move 1: it ended its own process before the game was over in move, line 7",
        ),
        (
            {"agent.py": agent("return self.move(board)")},
            "; its functions call each other without end, or deeper than Python allows",
        ),
    ],
)
def test_what_went_wrong_is_told_with_function_and_line(
    files: dict[str, str], sentence: str
) -> None:
    played = play(BREAKTHROUGH.start(), files)
    assert sentence in played.outcome.reason

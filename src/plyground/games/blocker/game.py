"""Blocker: eat more than the other, or wall it in."""

from __future__ import annotations

from plyground.core.errors import FormatError
from plyground.games.blocker.boards import BOARDS
from plyground.games.blocker.diagram import (
    AGENTS,
    EXAMPLE,
    MAX_EATEN,
    MAX_TEXT,
    Diagram,
    cell_text,
    is_file,
    read_file,
    read_line,
    write_line,
)
from plyground.games.blocker.generator import random_diagram
from plyground.games.blocker.layout import (
    cell_name,
    make_board,
    places,
    read_state,
    show_state,
)
from plyground.games.blocker.rules import (
    BLOCK,
    EAT,
    EITHER,
    MAX_MOVES,
    MOVER,
    REPEATS,
    Board,
    State,
    evaluate,
    identity,
    is_lost,
    key,
    moves,
    neighbour,
    noisy,
    over,
    play,
    start,
    utility,
)

TITLE = "Blocker"
SUMMARY = "Two agents eat and build walls: eat more than the other, or wall it in."
PLAYERS = ("A", "B")
COLOURS = ("#2d5fa8", "#e08a1e")
RULES = """
- Agent A moves first, B second; they take turns. What is outside the board is wall.
- A step goes up, right, down or left into a cell that is no wall. Agents may share a cell.
- `eat` is possible on food only: the cell becomes empty. To walk onto food is not to eat it.
- `block` is possible on an empty cell only, and makes it a wall. The agent stands in it then and
  may step off, but no agent can step onto it again, nor eat or block in it. If the other agent is
  on the same cell, both stand in the wall.
- The game is over when no food is left: the agent that ate more wins, and equal numbers are a draw.
  It is also over when an agent cannot move: that agent loses, whatever was eaten. There is no
  passing, and no rule against repeating a position, so a game need not end.

Two readings of "cannot move" are in use. With `stuck=either` both agents are looked at all the
time, and the game is over as soon as one of them has no move, also out of turn; if neither has one,
it is a draw. With `stuck=mover` only the agent to move is looked at.

An agent on food can eat and an agent on an empty cell can block. So only an agent in a wall can be
stuck.
"""
MOVES = ("up", "right", "down", "left", "eat", "block")
KEYS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft", " ", " ")
"""Eating and blocking share a key: never are both possible."""
RANDOM = "random"
STUCK = {"either": EITHER, "mover": MOVER}
CHOICES = {"board": (*BOARDS, RANDOM), "stuck": tuple(STUCK)}
OPTION_TEXTS = {
    "board": "one of the built-in boards, or `random`",
    "stuck": "who loses for being unable to move: `either` agent at any time, or only the `mover`",
    "seed": "of a random board: the same seed draws the same board everywhere",
    "width": "columns of a random board",
    "height": "rows of a random board",
    "food": "pieces of food on a random board, at least 1",
    "walls": "per cent of a random board's cells, up to 90; fewer where more would divide it",
}
SEED, WIDTH, HEIGHT, FOOD, WALLS = 0, 7, 7, 5, 30
"""The defaults of a random board. Walls are per cent of the cells."""
BEGAN = "began"
STUCK_WORD = "stuck="


def new_board(
    board: str = "official",
    stuck: str = "either",
    seed: int = SEED,
    width: int = WIDTH,
    height: int = HEIGHT,
    food: int = FOOD,
    walls: int = WALLS,
) -> Board:
    """A built-in board, or one drawn at random, to which alone the last five options belong."""
    reading = read_stuck(stuck)
    if board == RANDOM:
        return make_board(random_diagram(seed, width, height, food, walls), reading)
    if (seed, width, height, food, walls) != (SEED, WIDTH, HEIGHT, FOOD, WALLS):
        raise FormatError(
            "the options seed, width, height, food and walls belong to board=random;"
            f" the board {board!r} is as it is"
        )
    return make_board(read_file(BOARDS[board]), reading)


def read_stuck(word: str) -> int:
    if word not in STUCK:
        raise FormatError(f"stuck must be one of {', '.join(STUCK)}, not {word[:40]!r}")
    return STUCK[word]


# Moves


def move_limit(board: Board) -> int:
    return len(MOVES)


def move_text(board: Board, state: State, move: int) -> str:
    return MOVES[move]


def parse_move(board: Board, state: State, text: str) -> int:
    """A move by its name or its first letter; -1 for what is no move at all."""
    wanted = text.lower()
    for move, name in enumerate(MOVES):
        if wanted in (name, name[0]):
            return move
    return -1


def touches(board: Board, state: State, move: int) -> tuple[str, ...]:
    """The agent's cell, and for a step the next one; its own alone to eat or to block."""
    cell = state.a if state.turn == 0 else state.b
    cells = [cell] if move in (EAT, BLOCK) else [cell, neighbour(board, cell, move)]
    where = places(board)
    return tuple(cell_name(*divmod(where[one], board.width)) for one in cells)


def move_key(board: Board, state: State, move: int) -> str:
    return KEYS[move]


# Positions


def position_text(board: Board, state: State) -> str:
    """The position, the reading of `stuck` if it is not the default, and how play began."""
    parts = [write_line(show_state(board, state))]
    if board.stuck == MOVER:
        parts.append(f"{STUCK_WORD}mover")
    begin = start(board)
    if state != begin:
        parts += [BEGAN, write_line(show_state(board, begin))]
    return " ".join(parts)


def parse_position(text: str, stuck: str = "") -> tuple[Board, State]:
    """A position on one line, or a board file. `stuck` is for texts that do not say it."""
    if len(text) > MAX_TEXT:
        raise FormatError(f"{len(text)} characters are more than any board of this game has")
    text = text.removeprefix("\ufeff")
    if is_file(text):
        board = make_board(read_file(text), read_stuck(stuck or "either"), line=1)
        return board, start(board)
    words = text.split()
    says_stuck = len(words) > 3 and words[3].startswith(STUCK_WORD)
    given = words.pop(3).removeprefix(STUCK_WORD) if says_stuck else ""
    if given and stuck and read_stuck(given) != read_stuck(stuck):
        raise FormatError(f"the position says {STUCK_WORD}{given}, the option says {stuck}")
    reading = read_stuck(given or stuck or "either")
    if len(words) == 3:
        board = begin_with(read_line(words), reading)
        return board, start(board)
    if len(words) == 7 and words[3] == BEGAN:
        board = begin_with(read_line(words[4:]), reading)
        return board, read_state(board, read_line(words[:3]))
    raise FormatError(
        "a position is the rows from the top, whose turn it is and what A and B have eaten,"
        f" like {EXAMPLE!r}"
    )


def begin_with(diagram: Diagram, stuck: int) -> Board:
    if max(diagram.eaten) > MAX_EATEN:
        raise FormatError(f"play can begin with at most {MAX_EATEN} eaten")
    return make_board(diagram, stuck)


# Views


def picture(board: Board, state: State) -> str:
    """The rows with all columns aligned, and a line with the rest."""
    rows = [list(map(cell_text, row)) for row in show_state(board, state).rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [" ".join(map(str.center, row, widths)).rstrip() for row in rows]
    return "\n".join([*lines, "", caption(board, state)])


def svg(board: Board, state: State) -> str:
    from plyground.games.blocker.view import draw

    mover = "" if over(board, state) else AGENTS[state.turn]
    return draw(show_state(board, state), TITLE, caption(board, state), mover=mover)


def caption(board: Board, state: State) -> str:
    news = ending(board, state) if over(board, state) else f"{AGENTS[state.turn]} to move"
    return f"{news} (eaten: A {state.eaten_a}, B {state.eaten_b})"


def ending(board: Board, state: State) -> str:
    a_lost, b_lost = is_lost(board, state, 0), is_lost(board, state, 1)
    if a_lost and b_lost:
        return "neither agent can move"
    if a_lost or b_lost:
        return f"{AGENTS[b_lost]} cannot move"
    if state.eaten_a == state.eaten_b:
        return "the food is gone, and both ate as much"
    more, less = max(state.eaten_a, state.eaten_b), min(state.eaten_a, state.eaten_b)
    return f"the food is gone, and {AGENTS[state.eaten_b == more]} ate more, {more} to {less}"

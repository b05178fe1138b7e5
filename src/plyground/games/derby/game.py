"""Fishing Derby: two boats, one sea, and fish whose ways are known."""

from __future__ import annotations

from functools import cache

from plyground.core.errors import FormatError
from plyground.games.derby.boards import BOARDS, RANDOM, random_scenario
from plyground.games.derby.rules import (
    MAX_MOVES,
    NONE,
    POINT,
    SIZE,
    STAY,
    SURFACE,
    Board,
    State,
    bounds,
    evaluate,
    identity,
    key,
    moved,
    moves,
    over,
    play,
    score,
    score_of,
    start,
    turn,
    utility,
)
from plyground.games.derby.scenario import cell_name, parse_position, place_of, position_text
from plyground.games.derby.sea import MAX_CODES, MAX_FISH, MAX_PLIES, make_board

TITLE = "Fishing Derby"
SUMMARY = "Two boats fish one round sea; whoever lands more points by the end of the day wins."
PLAYERS = ("Green", "Red")
COLOURS = ("#2e8b57", "#c8443a")
RULES = """
- The sea has 20 columns and 20 rows. Columns wrap around; row 0 is the sea floor, row 19 the
  surface. A hook hangs straight under its boat. Green moves first and the players take turns.
- In a ply every free fish swims one step of its own, fixed in advance and known to both. Then the
  mover's hook goes one step up, down, left or right, or stays. It cannot leave the water, nor enter
  the column of the other boat, also not by wrapping around; an impossible step is a `stay`.
- Then both hooks can catch, also that of the player who did not move: a hook with an empty rod
  takes the fish in its cell, and of several the lowest-numbered.
- A player with a fish on the rod can only reel it up, one row in each of their plies. At the
  surface it is landed at once and its score credited, good or bad: a penalty fish must be landed,
  too. There are 18 types of fish, worth 1 to 11 points or -1 to -7.
- The game ends when no fish is left, or with the day, after a fixed number of plies. What is still
  on a rod then scores nothing. More points win, equal points are a draw. A ply takes half a second
  of the fishing day: 900 plies are 7 minutes and 30 seconds.
"""

ACTIONS = ("stay", "up", "down", "left", "right")
"""By number; the numbers and first letters will do as well."""

KEYS = (" ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight")

CHOICES = {"board": (*BOARDS, RANDOM)}
OPTION_TEXTS = {
    "board": "a day at sea by its name, or `random`",
    "seed": "of a random day: the same seed draws the same day everywhere",
    "fish": "fish of a random day, 1 to 64",
    "plies": "length of a random day, 1 to 10,000 plies",
    "first_stay": "whether the first ply can only be `stay`, as in the course's own program",
}

PLIES_PER_SECOND = 2


def new_board(
    board: str = "cove", seed: int = 0, fish: int = 5, plies: int = 120, first_stay: bool = False
) -> Board:
    """A built-in day by its name, or a random one; seed, fish and plies say which."""
    if not 1 <= fish <= MAX_FISH or not 1 <= plies <= MAX_PLIES or fish * plies > MAX_CODES:
        raise FormatError(
            f"{fish} fish and {plies} plies: a day has 1 to {MAX_FISH} fish, 1 to {MAX_PLIES}"
            f" plies, and at most {MAX_CODES} for all fish together"
        )
    if board == RANDOM:
        return make_board(random_scenario(seed, fish, plies), first_stay=first_stay)
    if (seed, fish, plies) != (0, 5, 120):
        raise FormatError(
            f"seed, fish and plies go with board={RANDOM}; the board {board!r} has its own"
        )
    return _built_in(board, first_stay)


@cache
def _built_in(board: str, first_stay: bool) -> Board:
    return make_board(BOARDS[board], first_stay=first_stay)


def move_limit(board: Board) -> int:
    return len(ACTIONS)


def longest_game(board: Board) -> int:
    return board.plies


def move_text(board: Board, state: State, move: int) -> str:
    return ACTIONS[move]


def touches(board: Board, state: State, move: int) -> tuple[str, ...]:
    """The cell of the mover's hook, and the one that it goes to; its own alone to stay."""
    here = hook_of(board, state)
    return (
        (cell_name(*here),) if move == STAY else (cell_name(*here), cell_name(*moved(*here, move)))
    )


def hook_of(board: Board, state: State) -> tuple[int, int]:
    """Where the mover's hook is."""
    if turn(board, state) == 0:
        return state.green_x, state.green_y
    return state.red_x, state.red_y


def move_key(board: Board, state: State, move: int) -> str:
    return KEYS[move]


def idle(board: Board, state: State) -> int:
    """The hook stays where it is, or goes on reeling in."""
    legal = legal_moves(board, state)
    return STAY if STAY in legal else legal[0]


def legal_moves(board: Board, state: State) -> list[int]:
    out = [0] * MAX_MOVES
    return out[: moves(board, state, out)]


def parse_move(board: Board, state: State, text: str) -> int:
    """An action by its name, first letter or number; -1 for what is none.

    An impossible one, such as `up` at the surface, is `stay`, as the rules have it.
    """
    wanted = text.strip().lower()
    legal = legal_moves(board, state)
    for action, name in enumerate(ACTIONS):
        if wanted in (name, name[0], str(action)):
            return action if action in legal or len(legal) == 1 else ACTIONS.index("stay")
    return -1


# Pictures


def clock_text(ply: int) -> str:
    """The time of the fishing day: a ply is half a second."""
    minutes, seconds = divmod(ply // PLIES_PER_SECOND, 60)
    return f"{minutes:02}:{seconds:02}"


def fish_places(board: Board, state: State) -> dict[int, tuple[int, int]]:
    """Where every fish is that has not been landed."""
    places = {}
    for fish in range(board.fish):
        if state.swimming >> fish & 1:
            x, y = place_of(board, min(state.ply, board.plies), fish)
            places[fish] = x, y
    if state.green_fish != NONE:
        places[state.green_fish] = state.green_x, state.green_y
    if state.red_fish != NONE:
        places[state.red_fish] = state.red_x, state.red_y
    return places


def picture(board: Board, state: State) -> str:
    """The sea in characters: boats above, lines, hooks as J with the fish they hold, fish by their
    scores, a plus where several are in one cell."""
    sea = {(x, y): "." for x in range(SIZE) for y in range(SIZE)}
    held = (state.green_fish, state.red_fish)
    for fish, place in sorted(fish_places(board, state).items(), reverse=True):
        if fish not in held:
            sea[place] = f"{score_of(board, fish)}{'+' if sea[place] != '.' else ''}"
    hooks = ((state.green_x, state.green_y), (state.red_x, state.red_y))
    for (x, y), fish in zip(hooks, held, strict=True):
        for row in range(y + 1, SIZE):
            sea[x, row] = "|" if sea[x, row] == "." else sea[x, row]
        sea[x, y] = "J" if fish == NONE else f"J{score_of(board, fish)}"
    boats = ["  "] * SIZE
    for name, (x, _) in zip(PLAYERS, hooks, strict=True):
        boats[x] = f" {name[0]}"
    points = f"{PLAYERS[0]} {state.green_points}, {PLAYERS[1]} {state.red_points}"
    time = f"{clock_text(state.ply)} of {clock_text(board.plies)}"
    lines = [
        f"{points}; {time}, ply {state.ply} of {board.plies}",
        "   " + " ".join(boats),
    ]
    for y in range(SURFACE, -1, -1):
        lines.append(f"{y:>2} " + "".join(f"{sea[x, y]:>2} " for x in range(SIZE)))
    lines.append("   " + "".join(f"{x:>2} " for x in range(SIZE)))
    return "\n".join(line.rstrip() for line in lines)


def svg(board: Board, state: State) -> str:
    from plyground.games.derby.view import draw

    here = hook_of(board, state)
    targets = [] if over(board, state) else legal_moves(board, state)
    words = caption(board, state)
    return draw(
        board,
        state,
        fish_places(board, state),
        [moved(*here, move) for move in targets],
        clock_text(state.ply),
        f"{TITLE}: {words}",
        words,
    )


def caption(board: Board, state: State) -> str:
    if over(board, state):
        return ending(board, state)
    player = turn(board, state)
    reels = (state.green_fish, state.red_fish)[player] != NONE
    return f"{PLAYERS[player]} {'reels in' if reels else 'to move'}"


def ending(board: Board, state: State) -> str:
    why = "the day is over" if state.ply >= board.plies else "the sea is empty"
    return f"{why}, {PLAYERS[0]} has {state.green_points} and {PLAYERS[1]} {state.red_points}"

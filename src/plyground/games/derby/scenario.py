"""Scenario files: the JSON of the course that invented the game, read and written.

    {"custom": true,
     "init_fishes":  {"0": {"init_pos": [1, 19], "score": -1}, ...},
     "init_players": {"0": [0, 19], "1": [5, 19]},
     "sequence":     {"0": [8, 8, 8], ...},
     "params":       {"n_seq": 3}}

Two things are our own, and absent where they would say nothing: `"first_stay": true` among the
params, and `"state"` for a game under way:

    "state": {"ply": 2, "hooks": [[0, 18], [5, 19]], "held": [1, null], "landed": [0],
              "points": [0, -1]}

Other keys are let be: the files that are around have some. Every error names the entry that is
wrong and the line it is on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn

from plyground.core.errors import FormatError
from plyground.games.derby.rules import NONE, SIZE, SURFACE, Board, State, cell_of, score_of, start
from plyground.games.derby.sea import STEPS, Fish, Scenario, codes_of, make_board

MAX_FISH = 64
MAX_PLIES = 10_000
"""A real day has 900."""
MAX_CODES = 64_000
"""Of all fish together; what is worked out for each takes 1.6 kB."""
MAX_TEXT = 4_000_000
"""The codes of the largest scenario, generously laid out. Longer texts are refused unread."""

SCORES = (-7, 11)
"""The lowest and the highest score. There is none of 0."""


def parse_position(text: str, *, first_stay: bool = False) -> tuple[Board, State]:
    """The board and the state that a text describes. `first_stay` adds that rule to it."""
    reader = _ScenarioReader(text)
    document = reader.document
    fish = reader.part(document, "init_fishes", "an object with an entry for each fish")
    count = len(fish)
    if not 1 <= count <= MAX_FISH:
        reader.refuse(("init_fishes",), f"{count} fish: there are 1 to {MAX_FISH}")
    parameters = reader.part(document, "params", 'an object such as {"n_seq": 900}')
    plies = reader.number(parameters, ("params",), "n_seq", 1, MAX_PLIES)
    if plies * count > MAX_CODES:
        reader.refuse(
            ("params", "n_seq"),
            f"{plies} plies for each of {count} fish are {plies * count} codes;"
            f" at most {MAX_CODES} are possible",
        )
    first = parameters.get("first_stay", False)
    if not isinstance(first, bool):
        reader.refuse(("params", "first_stay"), f"{_shown(first)}: it is true or false")
    players = reader.part(
        document, "init_players", 'an object such as {"0": [0, 19], "1": [5, 19]}'
    )
    hooks = tuple(reader.place(players, ("init_players",), str(player)) for player in range(2))
    if hooks[0][0] == hooks[1][0]:
        reader.refuse(("init_players", "1"), _same_column(hooks[0][0]))
    sequences = reader.part(document, "sequence", "an object with the codes of each fish")
    scenario = Scenario(
        plies,
        (hooks[0], hooks[1]),
        tuple(_read_fish(reader, fish, sequences, number, plies) for number in range(count)),
    )
    board = make_board(scenario, first_stay=first or first_stay)
    if "state" not in document:
        return board, start(board)
    return board, _read_state(reader, document, board)


def _read_fish(
    reader: _ScenarioReader,
    fish: dict[str, Any],
    sequences: dict[str, Any],
    number: int,
    plies: int,
) -> Fish:
    name = str(number)
    path = ("init_fishes", name)
    if not isinstance(fish.get(name), dict):
        reader.refuse(
            ("init_fishes",),
            f'"{name}" is missing or no object; {len(fish)} fish have the names "0" to'
            f' "{len(fish) - 1}", each with "init_pos" and "score"',
        )
    x, y = reader.place(fish[name], path, "init_pos")
    score = reader.number(fish[name], path, "score", *SCORES)
    if score == 0:
        reader.refuse((*path, "score"), "0: a score is from -7 to -1 or from 1 to 11")
    codes = sequences.get(name)
    if not isinstance(codes, list) or len(codes) != plies:
        has = f"{len(codes)} codes" if isinstance(codes, list) else "no list"
        reader.refuse(
            ("sequence", name), f"{has}: every fish has a list of n_seq codes, here {plies}"
        )
    for code in codes:
        if type(code) is not int or not 0 <= code < len(STEPS):
            reader.refuse(
                ("sequence", name), f"{_shown(code)} is no code: they are the numbers from 0 to 8"
            )
    return Fish(x, y, score, tuple(codes))


def _read_state(reader: _ScenarioReader, document: dict[str, Any], board: Board) -> State:
    state = reader.part(document, "state", "an object, or left out at the start of the day")
    ply = reader.number(state, ("state",), "ply", 0, board.plies)
    hooks = reader.pair(state, "hooks", "two places such as [[0, 19], [5, 19]]")
    places = [reader.as_place(hook, ("state", "hooks")) for hook in hooks]
    if places[0][0] == places[1][0]:
        reader.refuse(("state", "hooks"), _same_column(places[0][0]))
    held = reader.pair(state, "held", "two fish or nulls such as [3, null]")
    landed = state.get("landed")
    if not isinstance(landed, list):
        reader.refuse(("state", "landed"), "a list of the fish that were landed belongs here")
    gone = [fish for fish in held if fish is not None] + landed
    for fish in gone:
        if type(fish) is not int or not 0 <= fish < board.fish:
            reader.refuse(("state",), f"{_shown(fish)} is no fish: they are 0 to {board.fish - 1}")
    if len(set(gone)) != len(gone):
        reader.refuse(("state",), "a fish is on both rods, or on a rod and landed, or landed twice")
    for place, fish in zip(places, held, strict=True):
        if fish is not None and place[1] == SURFACE:
            reader.refuse(("state", "held"), f"fish {fish} is at the surface: it would be landed")
    points = reader.pair(state, "points", "two numbers such as [3, -1]")
    worth = sum(score_of(board, fish) for fish in landed)
    if any(type(number) is not int for number in points) or sum(points) != worth:
        reader.refuse(
            ("state", "points"), f"two whole numbers that add up to {worth}, the landed fish's"
        )
    if sorted(landed) != landed:
        reader.refuse(("state", "landed"), "the fish must be in the order of their numbers")
    return State(
        ply,
        ((1 << board.fish) - 1) & ~sum(1 << fish for fish in gone),
        *places[0],
        *places[1],
        *(NONE if fish is None else fish for fish in held),
        *points,
    )


def _same_column(column: int) -> str:
    return f"both boats are in column {column}; each needs one of its own"


class _ScenarioReader:
    """A document. Errors name the entry and its line."""

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > MAX_TEXT:
            raise FormatError(f"{len(text)} characters are more than any scenario has")
        try:
            document = json.loads(text, object_pairs_hook=_no_key_twice)
        except json.JSONDecodeError as error:
            raise FormatError(f"not JSON: {error.msg}", line=error.lineno) from None
        except RecursionError:
            raise FormatError("not a scenario: lists within lists, far too deep") from None
        except ValueError as error:
            # A number of thousands of digits, or a key that is given twice.
            raise FormatError(f"not a scenario: {error}") from None
        if not isinstance(document, dict):
            raise FormatError(
                'not a scenario: that is a JSON object with "init_fishes", "init_players",'
                ' "sequence" and "params"'
            )
        self.document: dict[str, Any] = document

    def refuse(self, path: Sequence[str], problem: str) -> NoReturn:
        name = ".".join(f'"{part}"' if part.isdigit() else part for part in path)
        raise FormatError(f"{name}: {problem}", line=self._line(path))

    def _line(self, path: Sequence[str]) -> int | None:
        """The line with the last part of a path that is there, looked for one part at a time."""
        at = 0
        for part in path:
            found = self.text.find(f'"{part}"', at)
            if found < 0:
                break
            at = found
        return self.text.count("\n", 0, at) + 1

    def part(self, document: dict[str, Any], name: str, right: str) -> dict[str, Any]:
        found = document.get(name)
        if not isinstance(found, dict):
            self.refuse((name,), f"{right} belongs here")
        return found

    def number(
        self, holder: dict[str, Any], path: tuple[str, ...], name: str, low: int, high: int
    ) -> int:
        found = holder.get(name)
        if type(found) is not int or not low <= found <= high:
            has = "missing" if name not in holder else _shown(found)
            self.refuse((*path, name), f"{has}: a whole number from {low} to {high} belongs here")
        return found

    def place(self, holder: dict[str, Any], path: tuple[str, ...], name: str) -> tuple[int, int]:
        return self.as_place(holder.get(name), (*path, name))

    def as_place(self, found: Any, path: tuple[str, ...]) -> tuple[int, int]:
        if (
            not isinstance(found, list)
            or len(found) != 2
            or any(type(number) is not int or not 0 <= number < SIZE for number in found)
        ):
            self.refuse(
                path, f"{_shown(found)}: a place is [column, row], both from 0 to {SIZE - 1}"
            )
        return found[0], found[1]

    def pair(self, holder: dict[str, Any], name: str, right: str) -> list[Any]:
        found = holder.get(name)
        if not isinstance(found, list) or len(found) != 2:
            self.refuse(("state", name), f"{right} belong here, green's first")
        return found


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {name[:40]!r} is given twice in one object")
        found[name] = value
    return found


def _shown(value: object) -> str:
    try:
        text = json.dumps(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= 40 else text[:40] + "..."


# Writing


def position_text(board: Board, state: State) -> str:
    """A scenario file in one line, with "state" if the game has left its start."""
    every = range(board.fish)
    parameters: dict[str, Any] = {"n_seq": board.plies}
    if board.first_stay:
        parameters["first_stay"] = True
    document: dict[str, Any] = {
        "custom": True,
        "init_fishes": {
            str(fish): {"init_pos": place_of(board, 0, fish), "score": score_of(board, fish)}
            for fish in every
        },
        "init_players": {"0": list(board.green_start), "1": list(board.red_start)},
        "sequence": {str(fish): codes_of(board, fish) for fish in every},
        "params": parameters,
    }
    if state != start(board):
        document["state"] = {
            "ply": state.ply,
            "hooks": [[state.green_x, state.green_y], [state.red_x, state.red_y]],
            "held": [None if fish == NONE else fish for fish in (state.green_fish, state.red_fish)],
            "landed": landed_fish(board, state),
            "points": [state.green_points, state.red_points],
        }
    return json.dumps(document, separators=(",", ":"))


def cell_name(x: int, y: int) -> str:
    """What a cell is called in the picture."""
    return f"c{x}r{y}"


def place_of(board: Board, ply: int, fish: int) -> list[int]:
    """Column and row of a fish that swims, at a ply."""
    return list(divmod(cell_of(board, ply, fish), SIZE))


def landed_fish(board: Board, state: State) -> list[int]:
    held = (state.green_fish, state.red_fish)
    return [
        fish for fish in range(board.fish) if not state.swimming >> fish & 1 and fish not in held
    ]

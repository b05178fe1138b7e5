"""Reads a scenario file. It loads pydantic: only `parse_position` imports it.

The models check what can be said of one part, the functions what several must have in common.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError, WrapValidator, model_validator

from plyground.core.errors import FormatError
from plyground.core.validation import OpenDocument, parse_json, read_document, refusal
from plyground.games.derby.rules import NONE, SIZE, SURFACE, Board, State, score_of, start
from plyground.games.derby.sea import (
    MAX_CODES,
    MAX_FISH,
    MAX_PLIES,
    STEPS,
    TYPE_SCORES,
    Fish,
    Scenario,
    make_board,
)

MAX_TEXT = 4_000_000
"""The codes of the largest scenario, generously laid out. Longer texts are refused unread."""
MAX_POINTS = MAX_FISH * max(TYPE_SCORES)
MISSING: Any = Field(default=None, validate_default=True)
"""The default of what must be there: null, which is refused with what would be right."""


def _right(words: str) -> WrapValidator:
    """What an error says that is about the whole value; one in an object's entry stays as it is."""

    def read(value: Any, check: Any) -> Any:
        try:
            return check(value)
        except ValidationError:
            if isinstance(value, dict):
                raise
            raise ValueError(words) from None

    return WrapValidator(read)


def _check_score(score: int) -> int:
    if score not in TYPE_SCORES:
        raise ValueError(
            f"a score is from {min(TYPE_SCORES)} to -1 or from 1 to {max(TYPE_SCORES)}"
        )
    return score


def _check_columns(hooks: Hooks) -> Hooks:
    if hooks[0][0] == hooks[1][0]:
        raise ValueError(f"both boats are in column {hooks[0][0]}; each needs one of its own")
    return hooks


def _check_order(landed: list[int]) -> list[int]:
    if sorted(landed) != landed:
        raise ValueError("the fish must be in the order of their numbers")
    return landed


# JSON has no tuples: where strict types are asked for, lists are none.
Coordinate = Annotated[int, Field(ge=0, lt=SIZE)]
SeaPlace = Annotated[
    tuple[Coordinate, Coordinate],
    Field(strict=False),
    _right(f"a place is [column, row], both from 0 to {SIZE - 1}"),
]
Hooks = tuple[SeaPlace, SeaPlace]
Codes = Annotated[
    list[Annotated[int, Field(ge=0, lt=len(STEPS))]],
    _right(f"a list of codes, which are the numbers from 0 to {len(STEPS) - 1}, belongs here"),
]
FishNumber = Annotated[int, Field(ge=0, lt=MAX_FISH)]
Points = Annotated[int, Field(ge=-MAX_POINTS, le=MAX_POINTS)]


class FishDocument(OpenDocument):
    init_pos: SeaPlace = MISSING
    score: Annotated[int, AfterValidator(_check_score)]


class PlayersDocument(OpenDocument):
    green: Annotated[SeaPlace, Field(alias="0")]
    red: Annotated[SeaPlace, Field(alias="1")]

    @model_validator(mode="after")
    def _check_columns(self) -> PlayersDocument:
        _check_columns((self.green, self.red))
        return self


class ParametersDocument(OpenDocument):
    n_seq: Annotated[int, Field(ge=1, le=MAX_PLIES)]
    first_stay: bool = False


class StateDocument(OpenDocument):
    ply: Annotated[int, Field(ge=0)]
    hooks: Annotated[
        Hooks,
        Field(strict=False),
        _right("two places such as [[0, 19], [5, 19]] belong here, green's first"),
        AfterValidator(_check_columns),
    ] = MISSING
    held: Annotated[
        tuple[FishNumber | None, FishNumber | None],
        Field(strict=False),
        _right("two fish or nulls such as [3, null] belong here, green's first"),
    ] = MISSING
    landed: Annotated[
        list[FishNumber],
        _right("a list of the numbers of the landed fish belongs here"),
        AfterValidator(_check_order),
    ] = MISSING
    points: Annotated[
        tuple[Points, Points],
        Field(strict=False),
        _right("two whole numbers such as [3, -1] belong here, green's first"),
    ] = MISSING

    @property
    def caught(self) -> list[int]:
        return [fish for fish in self.held if fish is not None] + self.landed

    @model_validator(mode="after")
    def _check_fish(self) -> StateDocument:
        if len(set(self.caught)) != len(self.caught):
            raise ValueError("a fish is on both rods, or on a rod and landed, or landed twice")
        for (_, row), fish in zip(self.hooks, self.held, strict=True):
            if fish is not None and row == SURFACE:
                raise ValueError(f"held fish {fish} is at the surface: it would be landed")
        return self


class ScenarioDocument(OpenDocument):
    init_fishes: Annotated[
        dict[str, FishDocument],
        Field(min_length=1, max_length=MAX_FISH),
        _right('an object such as {"0": {"init_pos": [1, 19], "score": -1}} belongs here'),
    ] = MISSING
    init_players: Annotated[
        PlayersDocument, _right('an object such as {"0": [0, 19], "1": [5, 19]} belongs here')
    ] = MISSING
    sequence: Annotated[
        dict[str, Codes], _right('an object such as {"0": [8, 8, 8]} belongs here')
    ] = MISSING
    params: Annotated[
        ParametersDocument, _right('an object such as {"n_seq": 900} belongs here')
    ] = MISSING
    state: (
        Annotated[
            StateDocument, _right("an object belongs here, or nothing at the start of the day")
        ]
        | None
    ) = None


def read_scenario(text: str, *, first_stay: bool) -> tuple[Board, State]:
    if len(text) > MAX_TEXT:
        raise FormatError(f"{len(text)} characters are more than any scenario has")
    document = read_document(ScenarioDocument, parse_json(text), "a scenario", text=text)
    players, parameters = document.init_players, document.params
    scenario = Scenario(parameters.n_seq, (players.green, players.red), _fish(text, document))
    board = make_board(scenario, first_stay=parameters.first_stay or first_stay)
    return board, start(board) if document.state is None else _state(text, document.state, board)


def _fish(text: str, document: ScenarioDocument) -> tuple[Fish, ...]:
    plies, count = document.params.n_seq, len(document.init_fishes)
    if plies * count > MAX_CODES:
        problem = (
            f"{plies} plies for each of {count} fish are {plies * count} codes;"
            f" at most {MAX_CODES} are possible"
        )
        raise refusal(text, ("params", "n_seq"), problem)
    found = []
    for name in map(str, range(count)):
        if name not in document.init_fishes:
            names = f'{count} fish have the names "0" to "{count - 1}"'
            raise refusal(text, ("init_fishes",), f'"{name}" is missing; {names}')
        fish, codes = document.init_fishes[name], document.sequence.get(name, [])
        if len(codes) != plies:
            problem = f"{len(codes)} codes; every fish has a list of n_seq codes, here {plies}"
            raise refusal(text, ("sequence", name), problem)
        found.append(Fish(*fish.init_pos, fish.score, tuple(codes)))
    return tuple(found)


def _state(text: str, state: StateDocument, board: Board) -> State:
    if state.ply > board.plies:
        raise refusal(text, ("state", "ply"), f"must be at most {board.plies}, the last one")
    for fish in state.caught:
        if fish >= board.fish:
            problem = f"{fish} is no fish; they are 0 to {board.fish - 1}"
            raise refusal(text, ("state",), problem)
    worth = sum(score_of(board, fish) for fish in state.landed)
    if sum(state.points) != worth:
        problem = f"must add up to {worth}, the score of the landed fish"
        raise refusal(text, ("state", "points"), problem)
    green_fish, red_fish = (NONE if fish is None else fish for fish in state.held)
    return State(
        state.ply,
        ((1 << board.fish) - 1) & ~sum(1 << fish for fish in state.caught),
        *state.hooks[0],
        *state.hooks[1],
        green_fish,
        red_fish,
        *state.points,
    )

"""What the web app receives and answers, over HTTP and over its two WebSockets.

Whatever comes in is read by one of these models before anything is done with it: unknown fields are
refused, every text and list has a longest length, every number a range. What goes out is described
by them too, so that `/api/openapi.json` tells all of it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, model_validator

from plyground.core.errors import PlygroundError
from plyground.core.outcome import Ending
from plyground.core.values import LONGEST
from plyground.search.searcher import OPTIONS, Algorithm, limits_for

MAX_POSITION = 60_000
"""Characters of a position, or of a file: with what goes around it, it fits a message."""
MAX_MOVES = 2000
MAX_THREADS = 64
MAX_MEMORY = 1 << 16
"""MiB."""
LONGEST_CLOCK = 86_400.0
"""Seconds: no game and no thought takes more than a day."""

Name = Annotated[str, Field(min_length=1, max_length=100)]
MoveText = Annotated[str, Field(min_length=1, max_length=1000)]
PositionText = Annotated[str, Field(max_length=MAX_POSITION)]
Comment = Annotated[str, Field(max_length=10_000)]
TableId = Annotated[str, Field(pattern=r"^[a-z0-9]{12}$")]
NodeId = Annotated[StrictInt, Field(ge=0, le=1_000_000)]
Player = Literal[0, 1]
OptionValue = StrictBool | Annotated[StrictInt, Field(ge=-(1 << 63), lt=1 << 63)] | PositionText
Options = Annotated[dict[Name, OptionValue], Field(max_length=40)]
Seconds = Annotated[float, Field(gt=0, le=LONGEST_CLOCK)]
Depth = Annotated[StrictInt, Field(ge=1, le=LONGEST)]
Nodes = Annotated[StrictInt, Field(ge=1, le=10**18)]
Threads = Annotated[StrictInt, Field(ge=1, le=MAX_THREADS)]
Kind = Literal["engine", "alpha-beta", "minimax", "monte-carlo", "perfect", "random"]


class Received(BaseModel):
    """Something that was sent to us: nothing unknown in it, no infinite number."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


class Told(BaseModel):
    """Something that we send."""

    model_config = ConfigDict(frozen=True)


# What several messages hold


class Place(Received):
    """A position: the start of a game or a position's text, then moves."""

    game: Name
    text: PositionText | None = Field(default=None, description="A position; default: the start.")
    options: Options | None = Field(default=None, description="Of the board, as GameCard lists.")
    moves: list[MoveText] | None = Field(default=None, max_length=MAX_MOVES)


class PlayerSpec(Received):
    """Who plays a side. What means nothing to a kind of player is refused."""

    kind: Literal["human"] | Kind
    seconds: Seconds | None = None
    depth: Depth | None = None
    nodes: Nodes | None = None
    threads: Threads | None = None

    @model_validator(mode="after")
    def check(self) -> PlayerSpec:
        if self.kind == "human":
            if (self.seconds, self.depth, self.nodes, self.threads) != (None, None, None, None):
                raise ValueError("a human has no seconds, depth, nodes or threads")
            return self
        check_limits(self.kind, self.depth, self.nodes, self.seconds, self.threads)
        if self.kind == "minimax" and self.depth is None:
            raise ValueError("minimax needs a depth")
        return self


def check_limits(
    kind: Kind,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    threads: int | None,
) -> None:
    """Refuse what means nothing to a kind of search, in words that a reader of the API knows."""
    algorithm = Algorithm(kind)
    try:
        limits_for(algorithm, depth=depth, nodes=nodes, seconds=seconds)
    except PlygroundError as error:
        raise ValueError(str(error)) from None
    if threads is not None and "threads" not in OPTIONS[algorithm]:
        raise ValueError(f"threads mean nothing to {kind}")


class Result(Told):
    """How a game ended."""

    winner: Player | None = Field(description="None for a draw.")
    score: str = Field(description="1-0, 0-1 or 1/2-1/2: the first player's part, the second's.")
    reason: str
    ending: Ending


class Move(Told):
    """A legal move."""

    text: str
    touches: list[str] = Field(description="The cells that a person touches for it, in order.")
    key: str = Field(description="The key that plays it at once, as the DOM names it; or empty.")


class View(Told):
    """A position as people see it."""

    text: str = Field(description="The position in the game's own notation.")
    turn: Player
    player: str = Field(description="The name of the side whose turn it is.")
    over: bool
    result: Result | None
    score: int | None = Field(description="The margin so far, in games that keep one.")
    svg: str
    picture: str = Field(description="The position in characters.")
    moves: list[Move]
    last: list[str] = Field(description="The cells of the move that led here.")


class GameOption(Told):
    """An option of a game's board."""

    name: str
    kind: Literal["number", "word", "flag"]
    default: bool | int | str
    choices: list[str] | None = Field(description="The words that it may be, if they are few.")
    with_text: bool = Field(description="Whether it may go with a position's text.")


class GameCard(Told):
    """A game, as the home page shows it."""

    name: str
    title: str
    summary: str
    players: tuple[str, str]
    file: bool = Field(description="Whether it is a file of the user's own.")
    point: int = Field(description="What a point of score is worth in a value; 0: no points.")
    live: bool = Field(description="Whether it can be played live, without waiting for moves.")
    options: list[GameOption]


# Tables: games that are being played, and what was made of them


class ClockSpec(Received):
    seconds: Seconds
    increment: float = Field(default=0.0, ge=0, le=3600, description="Seconds after each move.")


class LiveSpec(Received):
    seconds: float = Field(default=0.5, ge=0.05, le=10, description="Seconds of a ply.")


class NewTable(Received):
    """A game to set up. `like` takes the settings of another table; `swap` turns its sides."""

    game: Name | None = None
    options: Options | None = None
    text: PositionText | None = None
    moves: list[MoveText] | None = Field(default=None, max_length=MAX_MOVES)
    players: tuple[PlayerSpec, PlayerSpec] | None = None
    clock: ClockSpec | None = None
    live: LiveSpec | None = None
    like: TableId | None = None
    swap: StrictBool = False

    @model_validator(mode="after")
    def check(self) -> NewTable:
        if self.game is None and self.like is None:
            raise ValueError("a table needs a game, or another table to be like")
        if self.swap and self.like is None:
            raise ValueError("swap goes with like: it turns the sides of another table")
        return self


class OpenFile(Received):
    """A file that was chosen on the home page."""

    name: Annotated[str, Field(min_length=1, max_length=255)]
    text: PositionText
    game: Name | None = Field(default=None, description="Whose file it is, if several can read it.")


class Opened(Told):
    id: str


class Problem(Told):
    """Every error, in one sentence."""

    message: str


class SeveralGames(Problem):
    games: list[str]


class TableCard(Told):
    """A saved game, as the home page lists it."""

    id: str
    game: str
    title: str
    players: list[str]
    plies: int
    result: Result | None
    changed: str = Field(description="ISO 8601 time.")


class Node(Told):
    """A position of a table's tree: what a move made of its parent."""

    id: int
    parent: int | None
    move: str | None
    turn: Player
    seconds: float | None
    value: int | None
    value_text: str | None
    depth: int | None
    comment: str


class Clock(Told):
    seconds: float
    increment: float
    left: tuple[float, float]
    running: Player | None


class Live(Told):
    seconds: float
    running: bool


class Thought(Told):
    depth: int
    nodes: int
    value_text: str


class Table(Told):
    """All of a table. The socket sends it on connecting and after every change."""

    type: Literal["table"] = "table"
    id: str
    version: int = Field(description="Grows with every change.")
    game: GameCard
    options: dict[str, Any]
    start: str
    nodes: list[Node]
    main: list[int] = Field(description="The nodes of the game's own line.")
    head: int = Field(description="The last node of main.")
    current: int = Field(description="The node that is on show.")
    view: View
    players: tuple[PlayerSpec, PlayerSpec]
    names: tuple[str, str] = Field(description="The players as records call them.")
    clock: Clock | None
    thinking: Player | None
    paused: bool
    result: Result | None
    live: Live | None
    progress: Thought | None

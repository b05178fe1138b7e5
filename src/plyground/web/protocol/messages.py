"""The messages of the two WebSockets, /api/tables/{id}/socket and /api/think.

`TABLE_MESSAGE` and `THINK_MESSAGE` read what clients send; the other models tell what they hear.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, TypeAdapter, model_validator

from plyground.web.protocol.models import (
    MAX_MEMORY,
    Comment,
    Depth,
    Kind,
    MoveText,
    NodeId,
    Nodes,
    Place,
    Player,
    PlayerSpec,
    Received,
    Seconds,
    Table,
    Threads,
    Told,
    check_limits,
)

Number = Annotated[StrictInt, Field(ge=0, lt=1 << 53)]
"""What JavaScript can count to."""
Reference = Number | Annotated[str, Field(max_length=100)]

# To a table


class ToTable(Received):
    ref: Reference | None = Field(default=None, description="Comes back with an error.")


class Play(ToTable):
    """A move of the game, by the human whose turn it is."""

    type: Literal["play"]
    node: NodeId = Field(description="The head: where the move is played.")
    move: MoveText


class Try(ToTable):
    """A variation anywhere, shown at once; at the end of a game that is only looked at, a move."""

    type: Literal["try"]
    node: NodeId
    move: MoveText


class GoTo(ToTable):
    """Show another node."""

    type: Literal["goto"]
    node: NodeId


class Takeback(ToTable):
    """Back to the last position where a human was to move."""

    type: Literal["takeback"]


class Hint(ToTable):
    """Ask the engine for a move."""

    type: Literal["hint"]


class Resign(ToTable):
    type: Literal["resign"]
    player: Player | None = None


class Players(ToTable):
    """Who plays from now on."""

    type: Literal["players"]
    players: tuple[PlayerSpec, PlayerSpec]


class Pause(ToTable):
    """Engines wait."""

    type: Literal["pause"]


class Resume(ToTable):
    type: Literal["resume"]


class RunLive(ToTable):
    """Start, stop, speed or restart a live game."""

    type: Literal["live"]
    running: StrictBool | None = None
    seconds: Annotated[float, Field(ge=0.05, le=10)] | None = None
    restart: StrictBool = False


class Steer(ToTable):
    """A key in a live game."""

    type: Literal["steer"]
    key: Annotated[str, Field(max_length=30)]


class SetComment(ToTable):
    type: Literal["comment"]
    node: NodeId
    text: Comment


class Remove(ToTable):
    """Forget a variation."""

    type: Literal["remove"]
    node: NodeId


class Promote(ToTable):
    """Make a variation the main line."""

    type: Literal["promote"]
    node: NodeId


TableMessage = Annotated[
    Play
    | Try
    | GoTo
    | Takeback
    | Hint
    | Resign
    | Players
    | Pause
    | Resume
    | RunLive
    | Steer
    | SetComment
    | Remove
    | Promote,
    Field(discriminator="type"),
]
TABLE_MESSAGE: TypeAdapter[TableMessage] = TypeAdapter(TableMessage)


# From a table


class ErrorReply(Told):
    """What was wrong with a message. The socket stays open."""

    type: Literal["error"] = "error"
    ref: int | str | None = None
    id: int | None = None
    message: str


class HintReply(Told):
    type: Literal["hint"] = "hint"
    node: int = Field(description="The position that it is for.")
    move: str
    touches: list[str]
    value_text: str


class TableNotice(Told):
    """A search takes longer, for the first time only: a game is compiled."""

    type: Literal["notice"] = "notice"
    text: str


TableReply = Table | HintReply | TableNotice | ErrorReply


# To think


class ToThink(Received):
    id: Number = Field(description="Chosen by the client; comes back with every reply.")


class Search(ToThink):
    """Search a position; without a limit (engine only) until it is stopped."""

    type: Literal["search"]
    place: Place
    lines: Annotated[StrictInt, Field(ge=1, le=5)] = 1
    algorithm: Kind = "engine"
    threads: Threads = 1
    depth: Depth | None = None
    seconds: Seconds | None = None
    nodes: Nodes | None = None

    @model_validator(mode="after")
    def check(self) -> Search:
        threads = None if self.threads == 1 else self.threads
        check_limits(self.algorithm, self.depth, self.nodes, self.seconds, threads)
        if self.lines > 1 and self.algorithm != "engine":
            raise ValueError(f"{self.algorithm} gives one line; only the engine gives more")
        unlimited = (self.depth, self.seconds, self.nodes) == (None, None, None)
        if unlimited and self.algorithm in ("alpha-beta", "minimax", "monte-carlo"):
            raise ValueError(f"{self.algorithm} needs a limit: a depth, seconds or nodes")
        return self


class Solve(ToThink):
    """Solve a position, and tell what every legal move is worth."""

    type: Literal["solve"]
    place: Place
    memory: Annotated[StrictInt, Field(ge=1, le=MAX_MEMORY, description="MiB.")] | None = None


class Review(ToThink):
    """Search every position of a game, and mark its mistakes."""

    type: Literal["review"]
    place: Place
    seconds: Annotated[float, Field(gt=0, le=60)] = 0.1


class Tree(ToThink):
    """Search as a textbook does, and tell every step."""

    type: Literal["tree"]
    place: Place
    depth: Annotated[StrictInt, Field(ge=1, le=60)]
    algorithm: Literal["minimax", "alpha-beta"] = "alpha-beta"
    ordering: StrictBool = False
    table: StrictBool = False
    budget: Annotated[StrictInt, Field(ge=1, le=5000)] = 2000


class Stop(ToThink):
    """Stop what has this id."""

    type: Literal["stop"]


ThinkMessage = Annotated[Search | Solve | Review | Tree | Stop, Field(discriminator="type")]
THINK_MESSAGE: TypeAdapter[ThinkMessage] = TypeAdapter(ThinkMessage)


# What thinking answers


class FromThink(Told):
    id: int


class Line(Told):
    value: int
    value_text: str
    moves: list[str]
    touches: list[str] = Field(description="Of the first move.")


class SearchReply(FromThink):
    type: Literal["progress", "done"]
    depth: int
    selective_depth: int
    nodes: int
    seconds: float
    proven: bool
    lines: list[Line]


class Advance(FromThink):
    """How far a solver has come."""

    type: Literal["advance"]
    text: str
    part: float | None


class Notice(FromThink):
    """Something takes longer, for the first time only: a game is compiled."""

    type: Literal["notice"]
    text: str


class Stopped(FromThink):
    """What had this id is stopped, or had ended."""

    type: Literal["stopped"]


class SolvedMove(Told):
    text: str
    touches: list[str]
    utility: int | None = Field(description="None where it was not decided in the time given.")
    plies: int | None
    words: str
    best: bool


class Solved(FromThink):
    type: Literal["solved"]
    method: str
    value_text: str
    utility: int
    plies: int | None
    moves: list[SolvedMove]
    line: list[str]
    nodes: int
    counted: str = Field(description="What the nodes are.")
    seconds: float


class Reviewed(FromThink):
    """A position of the game, after `ply` moves."""

    type: Literal["reviewed"]
    ply: int
    value: int
    value_text: str
    proven: bool
    best: str | None


class Mark(Told):
    ply: int
    kind: Literal["mistake", "blunder"]
    better: str
    words: str


class ReviewDone(FromThink):
    type: Literal["done"]
    marks: list[Mark]


class TreeNode(Told):
    id: int
    parent: int | None
    ply: int
    move: str | None
    turn: Player
    alpha: int | None
    beta: int | None
    window: bool
    value: int | None
    value_text: str | None
    leaf: str | None


class Cut(Told):
    node: int
    reason: str
    moves: list[str]
    below: int | None = Field(description="States below these moves, where they were counted.")


class TreeReply(FromThink):
    type: Literal["tree"]
    nodes: list[TreeNode]
    cuts: list[Cut]
    steps: list[list[Any]] = Field(
        description="Of the kinds enter, leaf, better, cut and value, each with its node."
    )
    line: list[int]
    visited: int
    cut: int
    minimax_visited: int | None
    value: int | None
    value_text: str | None
    truncated: str | None


ThinkReply = (
    SearchReply
    | Advance
    | Solved
    | Reviewed
    | ReviewDone
    | TreeReply
    | Stopped
    | Notice
    | ErrorReply
)

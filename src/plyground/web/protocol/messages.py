"""The messages of the two WebSockets, /api/tables/{id}/socket and /api/think.

`SESSION_REQUEST` and `ANALYSIS_REQUEST` validate what clients send. `SessionReply` and
`AnalysisReply` describe what the server sends.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, TypeAdapter, model_validator

from plyground.web.protocol.models import (
    MAX_MEMORY,
    ClockModel,
    DepthLimit,
    EvaluationWord,
    MoveText,
    NodeId,
    NodeLimit,
    Place,
    PlayerSpecModel,
    Received,
    SearchKind,
    SecondsLimit,
    Sent,
    Side,
    Table,
    Text,
    Thought,
    ThreadCount,
    check_search,
)

Number = Annotated[StrictInt, Field(ge=0, lt=1 << 53)]
"""Whole numbers that JavaScript represents exactly."""
MAX_REFERENCE = 100
Reference = Number | Annotated[str, Field(max_length=MAX_REFERENCE)]

# Requests to a session


class SessionRequestBase(Received):
    ref: Reference | None = Field(default=None, description="Comes back with an error.")


class Play(SessionRequestBase):
    """A move of the game, by the human whose turn it is."""

    type: Literal["play"]
    node: NodeId = Field(description="The head: where the move is played.")
    move: MoveText


class Try(SessionRequestBase):
    """A variation anywhere, shown at once; in a game of two humans without a clock, a move at the
    end of the game's own line."""

    type: Literal["try"]
    node: NodeId
    move: MoveText


class GoTo(SessionRequestBase):
    """Show another node."""

    type: Literal["goto"]
    node: NodeId


class Takeback(SessionRequestBase):
    """Back to the last position where a human was to move."""

    type: Literal["takeback"]


class Hint(SessionRequestBase):
    """Ask the engine for a move."""

    type: Literal["hint"]


class Resign(SessionRequestBase):
    type: Literal["resign"]
    player: Side | None = None


class Players(SessionRequestBase):
    """Who plays from now on."""

    type: Literal["players"]
    players: tuple[PlayerSpecModel, PlayerSpecModel]


class Pause(SessionRequestBase):
    """Engines wait."""

    type: Literal["pause"]


class Resume(SessionRequestBase):
    type: Literal["resume"]


class RunLive(SessionRequestBase):
    """Start, stop, speed or restart a live game."""

    type: Literal["live"]
    running: StrictBool | None = None
    seconds: Annotated[float, Field(ge=0.05, le=10)] | None = None
    restart: StrictBool = False


class Steer(SessionRequestBase):
    """A key in a live game."""

    type: Literal["steer"]
    key: Annotated[str, Field(max_length=30)]


class SetComment(SessionRequestBase):
    type: Literal["comment"]
    node: NodeId
    text: Text


class Remove(SessionRequestBase):
    """Forget a variation."""

    type: Literal["remove"]
    node: NodeId


class Promote(SessionRequestBase):
    """Make a variation the main line."""

    type: Literal["promote"]
    node: NodeId


SessionRequest = Annotated[
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
SESSION_REQUEST: TypeAdapter[SessionRequest] = TypeAdapter(SessionRequest)


# Replies of a session


class ErrorReply(Sent):
    """What is wrong with a request. The socket stays open."""

    type: Literal["error"] = "error"
    ref: int | str | None = None
    id: int | None = None
    message: str


class HintReply(Sent):
    type: Literal["hint"] = "hint"
    node: int = Field(description="The position that it is for.")
    move: str
    touches: list[str]
    value_text: str


class TableNotice(Sent):
    """A search takes longer, for the first time only, since a game is compiled; or the file of the
    game has changed."""

    type: Literal["notice"] = "notice"
    text: str


class TableProgress(Sent):
    """Progress of the search for a move: replaces `progress` and `clock` of the table with this
    `version`."""

    type: Literal["progress"] = "progress"
    version: int
    progress: Thought
    clock: ClockModel | None


SessionReply = Table | TableProgress | HintReply | TableNotice | ErrorReply


# Requests for analysis


class AnalysisRequestBase(Received):
    id: Number = Field(description="Chosen by the client; comes back with every reply.")


class Search(AnalysisRequestBase):
    """Search a position; without a limit (engine only) until it is stopped."""

    type: Literal["search"]
    place: Place
    lines: Annotated[StrictInt, Field(ge=1, le=5)] = 1
    algorithm: SearchKind = "engine"
    threads: ThreadCount = 1
    depth: DepthLimit | None = None
    seconds: SecondsLimit | None = None
    nodes: NodeLimit | None = None
    evaluation: EvaluationWord | None = Field(
        default=None, description="Of the engine; default: learned if there is one, else own."
    )

    @model_validator(mode="after")
    def check(self) -> Search:
        limits = {"depth": self.depth, "nodes": self.nodes, "seconds": self.seconds}
        check_search(self.algorithm, limits, threads=self.threads, evaluation=self.evaluation)
        if self.lines > 1 and self.algorithm != "engine":
            raise ValueError(f"{self.algorithm} gives one line; only the engine gives more")
        if set(limits.values()) == {None} and self.algorithm in (
            "alpha-beta",
            "minimax",
            "monte-carlo",
        ):
            raise ValueError(f"{self.algorithm} needs a limit: a depth, seconds or nodes")
        return self


class Solve(AnalysisRequestBase):
    """Solve a position, with the value of every legal move."""

    type: Literal["solve"]
    place: Place
    memory: Annotated[StrictInt, Field(ge=1, le=MAX_MEMORY, description="MiB.")] | None = None


class Review(AnalysisRequestBase):
    """Search every position of a game, and mark its mistakes."""

    type: Literal["review"]
    place: Place
    seconds: Annotated[float, Field(gt=0, le=60)] = 0.1


class TreeModel(AnalysisRequestBase):
    """Search as a textbook does, with every step."""

    type: Literal["tree"]
    place: Place
    depth: Annotated[StrictInt, Field(ge=1, le=60)]
    algorithm: Literal["minimax", "alpha-beta"] = "alpha-beta"
    ordering: StrictBool = False
    table: StrictBool = False
    budget: Annotated[StrictInt, Field(ge=1, le=5000)] = 2000


class Stop(AnalysisRequestBase):
    """Stop the request with this id."""

    type: Literal["stop"]


AnalysisRequest = Annotated[Search | Solve | Review | TreeModel | Stop, Field(discriminator="type")]
ANALYSIS_REQUEST: TypeAdapter[AnalysisRequest] = TypeAdapter(AnalysisRequest)


# Replies of analysis


class AnalysisReplyBase(Sent):
    id: int


class LineModel(Sent):
    value: int
    value_text: str
    moves: list[str]
    touches: list[str] = Field(description="Of the first move.")


class SearchReply(AnalysisReplyBase):
    type: Literal["progress", "done"]
    depth: int
    selective_depth: int
    nodes: int
    seconds: float
    proven: bool
    evaluation: EvaluationWord | None = Field(
        description="What values rest on that are not proven; None for a search without any."
    )
    lines: list[LineModel]


class Advance(AnalysisReplyBase):
    """Progress of a solver."""

    type: Literal["advance"]
    text: str
    part: float | None


class Notice(AnalysisReplyBase):
    """Something takes longer, for the first time only: a game is compiled."""

    type: Literal["notice"]
    text: str


class Stopped(AnalysisReplyBase):
    """The request with this id is stopped, or had ended."""

    type: Literal["stopped"]


class SolvedMove(Sent):
    text: str
    touches: list[str]
    utility: int | None = Field(description="None where it was not decided in the time given.")
    plies: int | None
    words: str
    best: bool


class Solved(AnalysisReplyBase):
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


class Reviewed(AnalysisReplyBase):
    """A position of the game, after `ply` moves."""

    type: Literal["reviewed"]
    ply: int
    value: int
    value_text: str
    proven: bool
    best: str | None


class Mark(Sent):
    ply: int
    kind: Literal["mistake", "blunder"]
    better: str
    words: str


class ReviewDone(AnalysisReplyBase):
    type: Literal["done"]
    marks: list[Mark]


class TreeNodeModel(Sent):
    id: int
    parent: int | None
    ply: int
    move: str | None
    turn: Side
    alpha: int | None
    beta: int | None
    window: bool
    value: int | None
    value_text: str | None
    leaf: str | None


class CutModel(Sent):
    node: int
    reason: str
    moves: list[str]
    below: int | None = Field(description="States below these moves, where they were counted.")


class TreeReply(AnalysisReplyBase):
    type: Literal["tree"]
    nodes: list[TreeNodeModel]
    cuts: list[CutModel]
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


AnalysisReply = (
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

"""Models of the documented interface: HTTP requests and responses, and parts of socket messages.

Every request is validated by one of these models before it is used: unknown fields are refused,
texts and lists have a greatest length, numbers have a range. Responses are described by models too,
so `/api/openapi.json` is complete. The interface calls a game session a table.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, model_validator

from plyground.core.errors import PlygroundError
from plyground.core.outcome import Ending
from plyground.core.values import LONGEST
from plyground.search.searcher import Algorithm, check_options, limits_for

MAX_POSITION = 60_000
"""Characters of a position or a file. With the rest of its message it stays below MAX_BODY."""
MAX_MOVES = 2000
MAX_THREADS = 64
MAX_MEMORY = 1 << 16
"""MiB."""
MAX_SECONDS = 86_400.0
"""The longest clock and the longest search: a day."""

ShortName = Annotated[str, Field(min_length=1, max_length=100)]
MoveText = Annotated[str, Field(min_length=1, max_length=1000)]
PositionText = Annotated[str, Field(max_length=MAX_POSITION)]
Text = Annotated[str, Field(max_length=10_000)]
SessionId = Annotated[str, Field(pattern=r"^[a-z0-9]{12}$")]
NodeId = Annotated[StrictInt, Field(ge=0, le=1_000_000)]
Side = Literal[0, 1]
OptionValue = StrictBool | Annotated[StrictInt, Field(ge=-(1 << 63), lt=1 << 63)] | PositionText
OptionValues = Annotated[dict[ShortName, OptionValue], Field(max_length=40)]
SecondsLimit = Annotated[float, Field(gt=0, le=MAX_SECONDS)]
DepthLimit = Annotated[StrictInt, Field(ge=1, le=LONGEST)]
NodeLimit = Annotated[StrictInt, Field(ge=1, le=10**18)]
ThreadCount = Annotated[StrictInt, Field(ge=1, le=MAX_THREADS)]
EvaluationWord = Literal["own", "none", "learned"]
SearchKind = Literal["engine", "alpha-beta", "minimax", "monte-carlo", "perfect", "random"]


class InterfaceModel(BaseModel):
    """A model whose schema has the name of its class, without the suffix `Model`.

    A model has the suffix if another class has its documented name: Node, PlayerSpec, Result;
    Event is a class of the browser. In `protocol.d.ts` the same holds.
    """

    def __init_subclass__(cls, **settings: Any) -> None:
        cls.__name__ = cls.__qualname__ = cls.__name__.removesuffix("Model")
        super().__init_subclass__(**settings)


class Received(InterfaceModel):
    """Data from a client or a file: no unknown fields, no infinite numbers."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


class Sent(InterfaceModel):
    """Data that the server sends."""

    model_config = ConfigDict(frozen=True)


# Parts of several messages


class Place(Received):
    """A position: the start of a game or a position's text, then moves."""

    game: ShortName
    text: PositionText | None = Field(default=None, description="A position; default: the start.")
    options: OptionValues | None = Field(
        default=None, description="Of the board, as GameCard lists."
    )
    moves: list[MoveText] | None = Field(default=None, max_length=MAX_MOVES)


class PlayerSpecModel(Received):
    """Who plays a side. A limit that a kind of player does not have is refused."""

    kind: Literal["human", SearchKind]
    seconds: SecondsLimit | None = None
    depth: DepthLimit | None = None
    nodes: NodeLimit | None = None
    threads: ThreadCount | None = None
    evaluation: EvaluationWord | None = Field(
        default=None, description="Of the engine; default: learned if there is one, else own."
    )

    @model_validator(mode="after")
    def check(self) -> PlayerSpecModel:
        if self.kind == "human":
            if any(value is not None for name, value in self if name != "kind"):
                raise ValueError("a human has no seconds, depth, nodes, threads or evaluation")
            return self
        limits = {"depth": self.depth, "nodes": self.nodes, "seconds": self.seconds}
        check_search(self.kind, limits, threads=self.threads, evaluation=self.evaluation)
        if self.kind == "minimax" and self.depth is None:
            raise ValueError("minimax needs a depth")
        return self


def check_search(kind: SearchKind, limits: dict[str, Any], **options: object) -> None:
    """Refuse limits and options that a kind of search does not have."""
    try:
        limits_for(Algorithm(kind), **limits)
        check_options(Algorithm(kind), **options)
    except PlygroundError as error:
        raise ValueError(str(error)) from None


class ResultModel(Sent):
    """How a game ended."""

    winner: Side | None = Field(description="None for a draw.")
    score: str = Field(description="1-0, 0-1 or 1/2-1/2: the first player's part, the second's.")
    reason: str
    ending: Ending


class Move(Sent):
    """A legal move."""

    text: str
    touches: list[str] = Field(description="The cells that a person touches for it, in order.")
    key: str = Field(description="The key that plays it at once, as the DOM names it; or empty.")


class View(Sent):
    """A position as people see it."""

    text: str = Field(description="The position in the game's own notation.")
    turn: Side
    player: str = Field(description="The name of the side to move.")
    over: bool
    result: ResultModel | None
    score: int | None = Field(description="The margin so far, in games that keep one.")
    svg: str
    picture: str = Field(description="The position in characters.")
    moves: list[Move]
    last: list[str] = Field(description="The cells of the move that led here.")


class GameOption(Sent):
    """An option of a game's board."""

    name: str
    kind: Literal["number", "word", "flag"]
    default: bool | int | str
    choices: list[str] | None = Field(description="The words that it may be, if they are few.")
    with_text: bool = Field(description="Whether it may go with a position's text.")
    text: str = Field(description="What it means, in a line; may be empty.")


class LevelModel(Sent):
    """A computer player by its strength."""

    name: str
    text: str = Field(description="How it plays, in a line.")
    player: PlayerSpecModel
    default: bool = Field(description="Whether it is offered to a person who has chosen nothing.")
    rating: int | None = Field(description="Elo points within this game, where it was measured.")


class GameCard(Sent):
    """A game, as the home page shows it."""

    name: str
    title: str
    summary: str
    rules: str = Field(
        description="Paragraphs and lists of plain markdown, with `code` and *emphasis*."
    )
    players: tuple[str, str]
    colours: tuple[str, str] = Field(description='Of the players, such as "#2d5fa8".')
    file: bool = Field(description="Whether it is a file of the user's own.")
    point: int = Field(description="What a point of score is worth in a value; 0: no points.")
    live: bool = Field(description="Whether it can be played live, without waiting for moves.")
    options: list[GameOption]
    levels: list[LevelModel] = Field(description="From the weakest to the strongest.")
    ready: bool = Field(
        description="In the list of all games: false while its engine is still to be compiled."
    )


class Evaluations(Sent):
    """How the engine can value positions of a board."""

    choices: list[EvaluationWord] = Field(
        description="own: by the game's own function; learned: by a net that `plyground learn` has"
        " made for this board; none: by nothing but the points so far."
    )
    automatic: EvaluationWord = Field(description="What it uses if none is named.")


# Game sessions


class ClockSpec(Received):
    seconds: SecondsLimit
    increment: float = Field(default=0.0, ge=0, le=3600, description="Seconds after each move.")


class LiveSpec(Received):
    seconds: float = Field(default=0.5, ge=0.05, le=10, description="Seconds of a ply.")


class NewTable(Received):
    """A game to set up. `like` takes the settings of another table; `swap` turns its sides."""

    game: ShortName | None = None
    options: OptionValues | None = None
    text: PositionText | None = None
    moves: list[MoveText] | None = Field(default=None, max_length=MAX_MOVES)
    players: tuple[PlayerSpecModel, PlayerSpecModel] | None = None
    clock: ClockSpec | None = None
    live: LiveSpec | None = None
    like: SessionId | None = None
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
    game: ShortName | None = Field(
        default=None, description="Whose file it is, if several can read it."
    )


class Opened(Sent):
    id: str


class Problem(Sent):
    """Every error, in one sentence."""

    message: str


class SeveralGames(Problem):
    games: list[str]


class TableCard(Sent):
    """A saved game, as the home page lists it."""

    id: str
    game: str
    title: str
    players: list[str]
    plies: int
    result: ResultModel | None
    changed: str = Field(description="ISO 8601 time.")


class NodeModel(Sent):
    """A position of a table's tree: what a move made of its parent."""

    id: int
    parent: int | None
    move: str | None
    turn: Side
    seconds: float | None
    value: int | None
    value_text: str | None
    depth: int | None
    evaluation: EvaluationWord | None = Field(description="What the value of a search rests on.")
    comment: str


class ClockModel(Sent):
    seconds: float
    increment: float
    left: tuple[float, float]
    running: Side | None


class Live(Sent):
    seconds: float
    running: bool
    preparing: bool = Field(
        description="Whether it runs, but waits for the search of a computer player to be compiled."
    )


class Thought(Sent):
    """Progress of the search for a move of the game."""

    depth: int
    nodes: int
    value_text: str
    evaluation: EvaluationWord | None = Field(description="None for a search without any.")


class Table(Sent):
    """All of a table. The socket sends it on connecting and after every change."""

    type: Literal["table"] = "table"
    id: str
    version: int = Field(description="Grows with every change.")
    game: GameCard
    options: dict[str, Any]
    start: str
    nodes: list[NodeModel]
    main: list[int] = Field(description="The nodes of the game's own line.")
    head: int = Field(description="The last node of main.")
    current: int = Field(description="The node on show.")
    view: View
    players: tuple[PlayerSpecModel, PlayerSpecModel]
    names: tuple[str, str] = Field(description="The players as records call them.")
    clock: ClockModel | None
    thinking: Side | None
    paused: bool
    result: ResultModel | None
    live: Live | None
    progress: Thought | None

"""Models of the arena: events that are set up, watched and stopped, and their games.

`ARENA_REQUEST` validates what a page sends on the socket /api/arena/socket, and `ArenaReply`
describes what the server sends there.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, TypeAdapter, model_validator

from plyground.web.protocol.messages import ErrorReply
from plyground.web.protocol.models import (
    ClockSpec,
    OptionValues,
    Received,
    ResultModel,
    SecondsLimit,
    Sent,
    ShortName,
    Side,
    View,
)

MOST_PLAYERS = 20
MOST_GAMES = 100_000
"""Of an event that a page starts."""
LARGEST_SEED = (1 << 31) - 1
GAMES_PAGE = 200
"""Games that one request lists."""

EventKind = Literal["match", "tournament", "sprt"]
EventId = Annotated[str, Field(pattern=r"^[0-9a-f]{20}$")]
EventStatus = Literal["starting", "running", "stopped", "finished"]
PlayerText = Annotated[str, Field(max_length=1000)]
Natural = Annotated[StrictInt, Field(ge=0, le=1_000_000_000)]
EloValue = Annotated[float, Field(ge=-1000, le=1000)]
Chance = Annotated[float, Field(gt=0, lt=0.5)]

# Setting up an event


class TestSpec(Received):
    """The hypotheses of a sequential test."""

    elo0: EloValue = 0.0
    elo1: EloValue = 10.0
    alpha: Chance = 0.05
    beta: Chance = 0.05
    model: Literal["normalized", "logistic"] = "normalized"


class NewEvent(Received):
    """A match, tournament or sequential test to start, as its command line describes it."""

    kind: EventKind
    game: ShortName
    options: OptionValues | None = Field(default=None, description="Of the board.")
    players: list[PlayerText] = Field(
        min_length=2, max_length=MOST_PLAYERS, description="In the notation of players."
    )
    games: Annotated[StrictInt, Field(ge=2, le=MOST_GAMES)] = Field(
        default=100,
        description="Of a match; of each two players of a tournament; at most, of a test.",
    )
    gauntlet: StrictBool = Field(
        default=False, description="In a tournament only the first player meets all others."
    )
    seconds: SecondsLimit | None = Field(default=None, description="For a move.")
    clock: ClockSpec | None = Field(default=None, description="Instead, for a whole game.")
    openings: Literal["random", "boards", "generator"] = "random"
    plies: Annotated[StrictInt, Field(ge=0, le=200)] = Field(
        default=4, description="Random moves of an opening."
    )
    balanced: StrictBool = False
    seed: Annotated[StrictInt, Field(ge=0, le=LARGEST_SEED)] = 0
    proven: Natural = Field(default=0, description="Nodes that may prove a result; 0: do not.")
    agreed: Natural = Field(default=0, description="Moves of agreement that end a game; 0: do not.")
    longest: Natural = Field(default=0, description="Moves after which it is a draw; 0: never.")
    test: TestSpec | None = Field(default=None, description="Of a sequential test.")

    @model_validator(mode="after")
    def check(self) -> NewEvent:
        if self.seconds is not None and self.clock is not None:
            raise ValueError("seconds are for each move and clock for a whole game: give one")
        return self


class FieldProblem(Sent):
    """What is wrong with a field of the form."""

    field: str = Field(description='Such as "players.1"; empty for the event as a whole.')
    message: str


class CheckedEvent(Sent):
    """Whether an event could be started."""

    problems: list[FieldProblem]
    command: str = Field(description="The same event on the command line.")


class StartedEvent(Sent):
    run: int = Field(description="The number of the run; `runs` on the socket tell its event.")


# Watching


class EventCard(Sent):
    """An event of the store, as the page lists it."""

    id: str
    kind: EventKind
    game: str
    title: str = Field(description="Of the game.")
    players: list[str] = Field(description="Their names.")
    games: int
    total: int | None
    status: EventStatus
    own: bool = Field(description="Whether this server runs it, and can stop it.")
    updated: float = Field(description="Seconds since 1970.")


class RunModel(Sent):
    """A command that this server has started."""

    number: int
    command: str
    event: str | None = Field(description="Once the store has it.")
    state: Literal["starting", "running", "ended", "failed"]
    message: str = Field(description="Why it failed.")


class Arena(Sent):
    """The events of the store, the latest first. Sent on connecting and after every change."""

    type: Literal["arena"] = "arena"
    store: str = Field(description="The path of the file.")
    problem: str | None = Field(description="Why it cannot be read.")
    engines: bool = Field(description="Whether pages may start programs (ugi: and uci:).")
    events: list[EventCard]
    runs: list[RunModel]


class EventPlayer(Sent):
    text: str = Field(description="Its notation.")
    name: str
    games: int
    wins: int
    draws: int
    losses: int
    faults: int = Field(description="Games that it lost by a fault of its own.")
    seconds_a_move: float
    depth: float | None
    rating: float | None = Field(description="In events of more than two players.")
    rating_error: float | None


class CrossCell(Sent):
    """The games between two players, counted for the first of them."""

    player: int
    opponent: int
    wins: int
    draws: int
    losses: int


class CurvePoint(Sent):
    games: int
    elo: float
    low: float | None = Field(description="None where the results give no bound.")
    high: float | None
    llr: float | None


class MatchResult(Sent):
    """What the games of two players say about the first of them."""

    score: float
    pairs: tuple[int, int, int, int, int] = Field(description="With 0, 1/2, 1, 3/2 and 2 points.")
    elo: float
    elo_low: float | None
    elo_high: float | None
    elo_text: str
    superiority: float
    curve: list[CurvePoint]


class TestResult(Sent):
    """How far a sequential test is."""

    llr: float
    lower: float
    upper: float
    decision: Literal["H0", "H1", "continue"]
    why: str
    remaining: int = Field(description="Games that it may still take: an estimate.")


class EventModel(Sent):
    """The results of the event that a page watches. Sent after every change."""

    type: Literal["event"] = "event"
    card: EventCard
    command: str
    facts: list[str] = Field(description="The conditions of its games, in words.")
    players: list[EventPlayer] = Field(description="In the order of the event.")
    cross: list[CrossCell]
    match: MatchResult | None = Field(description="Of two players.")
    test: TestResult | None
    first_mover_score: float
    endings: dict[str, int]
    notes: list[str] = Field(description="What a reader of the ratings has to know.")
    failures: list[str] = Field(description="Why games could not be played; the latest ones.")
    failed: int = Field(description="How many could not be played.")


class BoardModel(Sent):
    """A game of the event that a page watches, under way or just over."""

    type: Literal["board"] = "board"
    event: str
    slot: int = Field(description="From 0. The next game takes the slot of one that is over.")
    players: tuple[str, str] = Field(description="By side.")
    opening: int = Field(description="From 1.")
    ply: int
    move: str | None
    clock: str = Field(description="The time control, in words.")
    seconds: tuple[float, float] = Field(description="That each side has used.")
    values: tuple[str | None, str | None] = Field(description="What each side thought last.")
    view: View
    result: ResultModel | None


class BoardsModel(Sent):
    """How many games are under way, of which each slot shows one."""

    type: Literal["boards"] = "boards"
    event: str
    slots: int
    under_way: int
    problem: str | None = Field(description="Why the boards cannot be shown.")


class Watch(Received):
    """Send the results and boards of this event, instead of those of another."""

    type: Literal["watch"]
    event: EventId


class Unwatch(Received):
    """Send the list of events only."""

    type: Literal["unwatch"]


ArenaRequest = Annotated[Watch | Unwatch, Field(discriminator="type")]
ARENA_REQUEST: TypeAdapter[ArenaRequest] = TypeAdapter(ArenaRequest)
ArenaReply = Arena | EventModel | BoardModel | BoardsModel | ErrorReply


# Finished games


class FinishedGameModel(Sent):
    id: int
    first: str = Field(description="The name of the player who moved first.")
    second: str
    opening: int = Field(description="From 1.")
    winner: Side | None
    score: str
    ending: str
    reason: str
    plies: int
    finished: float = Field(description="Seconds since 1970.")


class GamesPage(Sent):
    """Some games of an event, the latest first."""

    total: int = Field(description="How many games fit the filter.")
    games: list[FinishedGameModel]

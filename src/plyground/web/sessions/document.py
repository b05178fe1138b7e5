"""A table as it is kept in a file: one JSON document, which a damaged disk or a stranger may have
changed. Reading it checks everything, down to the legality of every move."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, ValidationError

from plyground.core.errors import FormatError, PlygroundError, UnknownGame
from plyground.core.outcome import Ending, Outcome
from plyground.core.records.checks import MAX_UTILITY
from plyground.core.records.record import Ply
from plyground.core.values import INFINITY, LONGEST
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.models import (
    LONGEST_CLOCK,
    ClockSpec,
    Comment,
    LiveSpec,
    MoveText,
    Name,
    NodeId,
    Options,
    Player,
    PlayerSpec,
    PositionText,
    Received,
    Result,
    TableId,
)
from plyground.web.protocol.validation import problem_in
from plyground.web.sessions.session import Table
from plyground.web.sessions.setup import Headers, Setup
from plyground.web.sessions.variations import MAX_NODES, ROOT, Node
from plyground.web.sessions.view import table_card

Text = Annotated[str, Field(max_length=10_000)]
TimeLeft = Annotated[float, Field(ge=0, le=1e9)]


class SavedNode(Received):
    id: NodeId
    parent: NodeId | None = None
    move: MoveText | None = None
    seconds: Annotated[float, Field(ge=0, le=1e9)] | None = None
    value: Annotated[StrictInt, Field(ge=-INFINITY, le=INFINITY)] | None = None
    depth: Annotated[StrictInt, Field(ge=0, le=LONGEST)] | None = None
    comment: Comment = ""


class SavedOutcome(Received):
    winner: Player | None
    utility: Annotated[StrictInt, Field(ge=-MAX_UTILITY, le=MAX_UTILITY)]
    ending: Ending
    reason: Text


class SavedHeaders(Received):
    names: tuple[Text, Text] = ("", "")
    date: Text = ""
    event: Text = ""
    clock: Text = ""
    tags: tuple[tuple[Text, Text], ...] = Field(default=(), max_length=1000)


class SavedCard(Received):
    """What lists show, so that they need not play the game through."""

    title: Text
    players: tuple[Text, Text]
    plies: Annotated[StrictInt, Field(ge=0, le=MAX_NODES)]
    winner: Player | None = None
    score: Literal["1-0", "0-1", "1/2-1/2"] | None = None
    reason: Text = ""
    ending: Ending = Ending.FINISHED

    @property
    def result(self) -> Result | None:
        if self.score is None:
            return None
        return Result(winner=self.winner, score=self.score, reason=self.reason, ending=self.ending)


class SavedTable(Received):
    format: Literal["plyground table"] = "plyground table"
    format_version: Literal[1] = 1
    id: TableId
    version: Annotated[StrictInt, Field(ge=1, lt=1 << 53)]
    game: Name
    file: Text | None = None
    """The path of a user's own game. It is told to people, and never opened because of this."""
    options: Options = Field(default_factory=dict)
    text: PositionText | None = None
    players: tuple[PlayerSpec, PlayerSpec]
    clock: ClockSpec | None = None
    left: tuple[TimeLeft, TimeLeft] | None = None
    spent: Annotated[float, Field(ge=0, le=LONGEST_CLOCK)] = 0.0
    live: LiveSpec | None = None
    paused: StrictBool = False
    nodes: list[SavedNode] = Field(min_length=1, max_length=MAX_NODES)
    next_id: NodeId
    main: list[NodeId] = Field(min_length=1, max_length=MAX_NODES)
    current: NodeId
    ended: SavedOutcome | None = None
    headers: SavedHeaders = SavedHeaders()
    card: SavedCard
    changed: Annotated[str, Field(max_length=40)]


def write_document(table: Table, now: float, changed: str) -> str:
    """The table as the text of a file. `changed` is the time of day, as ISO 8601 writes it."""
    setup, game = table.setup, table.game
    card = table_card(table, changed)
    saved = SavedTable(
        id=table.id,
        version=table.version,
        game=game.name,
        file=game.rules.path if game.is_file else None,
        options=dict(setup.options),
        text=setup.text,
        players=table.players,
        clock=setup.clock,
        left=None if table.clock is None else (table.clock.left[0], table.clock.left[1]),
        spent=min(table.watch.read(now), LONGEST_CLOCK),
        live=None if table.live is None else LiveSpec(seconds=table.live.seconds),
        paused=table.paused,
        nodes=[_saved_node(node) for node in table.tree.nodes.values()],
        next_id=table.tree.next_id,
        main=table.tree.main,
        current=table.current,
        ended=None if table.ended is None else SavedOutcome(**vars(table.ended)),
        headers=SavedHeaders(**vars(table.headers)),
        card=SavedCard(
            title=card["title"],
            players=tuple(card["players"]),
            plies=card["plies"],
            **(card["result"] or {}),
        ),
        changed=changed,
    )
    return saved.model_dump_json(exclude_defaults=False, exclude_none=True)


def _saved_node(node: Node) -> SavedNode:
    return SavedNode(
        id=node.id,
        parent=node.parent,
        move=node.move,
        seconds=node.seconds,
        value=node.value,
        depth=node.depth,
        comment=node.comment,
    )


def parse_document(text: str | bytes) -> SavedTable:
    """The document in a text, as far as it can be checked without playing it through."""
    try:
        return SavedTable.model_validate_json(text)
    except ValidationError as error:
        raise FormatError(problem_in(error.errors(include_url=False))) from None


def restore(saved: SavedTable, catalogue: Catalogue) -> Table:
    """The table of a document, every move of it checked."""
    try:
        game = catalogue.find(saved.game)
    except UnknownGame:
        raise UnknownGame(_gone(saved)) from None
    setup = Setup(
        game=game,
        options=dict(saved.options),
        text=saved.text,
        players=saved.players,
        clock=saved.clock,
        live=saved.live,
    )
    table = Table(saved.id, setup)
    _restore_tree(table, saved)
    table.version = saved.version
    table.paused = saved.paused
    table.headers = Headers(**dict(saved.headers))
    table.watch.spent = saved.spent
    if table.clock is not None and saved.left is not None:
        table.clock.left = list(saved.left)
    if saved.ended is not None and not table.position.is_over:
        ended = saved.ended
        table.ended = Outcome(ended.winner, ended.utility, ended.ending, ended.reason)
    return table


def _restore_tree(table: Table, saved: SavedTable) -> None:
    tree = table.tree
    if saved.nodes[0].id != ROOT:
        raise FormatError("the first position must be number 0, the start")
    for node in saved.nodes[1:]:
        if node.id < tree.next_id or node.parent is None or node.move is None:
            raise FormatError(f"position {node.id} is out of order, or no move leads to it")
        tree.next_id = node.id
        try:
            made = tree.child(node.parent, node.move)
        except PlygroundError as error:
            raise FormatError(f"position {node.id}: {error}") from None
        if made != node.id:
            raise FormatError(f"position {node.id} is the same as position {made}")
    for node in saved.nodes:
        _check_texts(node)
        kept = tree.nodes[node.id]
        kept.seconds, kept.value, kept.depth = node.seconds, node.value, node.depth
        kept.comment = node.comment
    if saved.main[0] != ROOT:
        raise FormatError("the game must begin with position 0, the start")
    for step in saved.main[1:]:
        tree.extend(step)
    tree.next_id = max(tree.next_id, saved.next_id)
    table.current = tree.node(saved.current).id


def _check_texts(node: SavedNode) -> None:
    """What a record cannot hold cannot be here either."""
    Ply(node.move or "start", node.seconds, node.value, node.depth, node.comment)


def _gone(saved: SavedTable) -> str:
    if saved.file is None:
        return f"this is a game of {saved.game}, and there is no such game here"
    return (
        f"this is a game of {saved.game}, which is played by the file {saved.file}; to see it,"
        f" start: plyground serve {saved.file}"
    )

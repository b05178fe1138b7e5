"""Tables and records: a game goes out as one, and comes back as a table.

A record holds the main line with all that is known of it. Variations stay with the table.
"""

from __future__ import annotations

from datetime import date

from plyground.core.errors import FormatError
from plyground.core.records.record import GameRecord
from plyground.search.searcher import Algorithm, limits_for, limits_text
from plyground.web.protocol.models import PlayerSpec
from plyground.web.sessions.file_import import Opening
from plyground.web.sessions.session import Table
from plyground.web.sessions.setup import Headers, Setup
from plyground.web.sessions.variations import MAX_NODES, ROOT

COMMENT = "comment"
"""The tag that holds what was said before the first move."""


def record_of(table: Table) -> GameRecord:
    """The record of the game as it is now."""
    headers, root = table.headers, table.tree.nodes[ROOT]
    record = GameRecord.begin(
        root.position,
        options=table.setup.options,
        players=table.names,
        date=headers.date,
        event=headers.event,
        clock=clock_text(table),
    )
    for step in table.tree.main[1:]:
        node = table.tree.nodes[step]
        assert node.move is not None, "only the start has no move before it"
        record = record.append(
            node.move,
            seconds=node.seconds,
            evaluation=node.value,
            depth=node.depth,
            comment=node.comment,
        )
    tags = headers.tags + (((COMMENT, root.comment),) if root.comment else ())
    if table.ended is not None:
        record = record.ended(table.ended)
    return GameRecord(
        game=record.game,
        start=record.start,
        options=record.options,
        players=record.players,
        date=record.date,
        event=record.event,
        clock=record.clock,
        plies=record.plies,
        outcome=record.outcome,
        tags=tags,
    )


def clock_text(table: Table) -> str:
    """The time control in words: the clock's, or what the searches were given for a move."""
    if table.clock is not None:
        return table.clock.words
    if table.headers.clock:
        return table.headers.clock
    said = [_limits_words(player) for player in table.players if player.kind != "human"]
    return ", ".join(dict.fromkeys(text for text in said if text))


def _limits_words(player: PlayerSpec) -> str:
    if player.kind in ("perfect", "random"):
        return ""
    limits = limits_for(
        Algorithm(player.kind), depth=player.depth, nodes=player.nodes, seconds=player.seconds
    )
    return f"{player.kind} {limits_text(limits)}"


def table_of(name: str, opening: Opening) -> Table:
    """The table that a file becomes: two humans, and all that a record says."""
    text = opening.start.text
    table = Table(name, Setup(opening.game, dict(opening.options), text))
    record = opening.record
    if record is None:
        return table
    if len(record.plies) >= MAX_NODES:
        raise FormatError(f"{len(record.plies)} moves: a table holds at most {MAX_NODES - 1}")
    tree = table.tree
    for ply in record.plies:
        node = tree.nodes[tree.child(tree.head, ply.move)]
        node.seconds, node.value, node.depth = ply.seconds, ply.evaluation, ply.depth
        node.comment = ply.comment
        tree.extend(node.id)
    tags = dict(record.tags)
    tree.nodes[ROOT].comment = tags.pop(COMMENT, "")
    table.headers = Headers(
        names=record.players,
        date=record.date,
        event=record.event,
        clock=record.clock,
        tags=tuple(tags.items()),
    )
    if not table.position.is_over:
        table.ended = record.outcome
    table.current = ROOT
    return table


def today() -> str:
    return date.today().isoformat()

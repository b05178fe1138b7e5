"""`plyground results`: the games of a store: shown, filtered, exported, merged."""

from __future__ import annotations

import csv
import io
import re
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from plyground.arena.store import Store, StoredGame
from plyground.arena.summary import EventSummary
from plyground.cli.arena_output import write_records
from plyground.cli.arguments import AsJson
from plyground.cli.output import print_json, print_table, say, table
from plyground.core.errors import FileError, PlygroundError
from plyground.core.files import check_can_be_written, write_atomically
from plyground.core.outcome import Ending

EXAMPLES = (
    "plyground results arena.db",
    "plyground results arena.db --player perfect --game tictactoe --games",
    "plyground results arena.db --export games.csv",
    "plyground results arena.db --ending finished --export games.jsonl",
    "plyground results all.db --merge arena.db",
)

CSV_COLUMNS = (
    "game, first, second, opening, score, ending, reason, plies, first_seconds, second_seconds,"
    " first_depth, second_depth, conditions, first_digest, second_digest"
).split(", ")

SHOWN_OF_DIGEST = 8
"""Hexadecimal digits."""
NO_DIGEST = "unknown"
"""The version of a player whose games were kept without one."""


def results(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A store, such as arena.db.")],
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Only the games of this game.")
    ] = None,
    player: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only players whose text has this in it.")
    ] = None,
    ending: Annotated[
        str | None, typer.Option(metavar="WORD", help="Only games that ended so, such as illegal.")
    ] = None,
    list_games: Annotated[
        bool, typer.Option("--games", help="Every game instead of a line for each two players.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the games: .csv a table, .jsonl their records."),
    ] = None,
    merge: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Add the games of another store first."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show, filter, export and merge the games that matches have kept."""
    if ending is not None and ending not in {one.value for one in Ending}:
        known = ", ".join(one.value for one in Ending)
        raise PlygroundError(f"no game ends {ending!r}; endings: {known}")
    if export is not None:
        _check_export(export)
    with ExitStack() as opened:
        # All of them are opened before one is merged: a wrong one changes nothing.
        sources = [opened.enter_context(Store(other, create=False)) for other in merge or ()]
        store = opened.enter_context(Store(path, create=bool(merge)))
        for source in sources:
            say(f"{store.merge(source)} games added from {source.path}")
        games = store.games(game=game, player=player, ending=ending)
        if export is not None:
            _export(export, games, store)
            say(f"written: {export}, {len(games)} games")
    if as_json:
        if list_games:
            print_json([_line(one) for one in games])
        else:
            print_json([_match_json(*one) for one in _matches(games)])
    elif list_games:
        _print_games(games)
    else:
        _print_matches(games)


def _check_export(path: Path) -> None:
    """Refuse a file that cannot be written before anything is merged."""
    if path.suffix not in (".csv", ".jsonl"):
        raise FileError(f"{path}: games are exported to a file that ends in .csv or .jsonl")
    check_can_be_written(path)


def _export(path: Path, games: list[StoredGame], store: Store) -> None:
    if path.suffix == ".jsonl":
        write_records(path, games, store)
    else:
        text = io.StringIO()
        writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows({name: _line(game)[name] for name in CSV_COLUMNS} for game in games)
        write_atomically(path, text.getvalue().encode())


def _line(game: StoredGame) -> dict[str, object]:
    return {**vars(game), "score": game.score}


def _with_versions(games: list[StoredGame]) -> list[StoredGame]:
    """The games with names for their players. Where a player took part in several versions, its
    name tells which one it was: they are different players."""
    versions: dict[str, set[str]] = {}
    for game in games:
        versions.setdefault(game.first, set()).add(game.first_digest)
        versions.setdefault(game.second, set()).add(game.second_digest)

    def name(text: str, digest: str) -> str:
        if len(versions[text]) == 1:
            return text
        is_hash = re.fullmatch("[0-9a-f]+", digest)
        return f"{text} [{digest[:SHOWN_OF_DIGEST] if is_hash else digest or NO_DIGEST}]"

    return [
        replace(
            game,
            first=name(game.first, game.first_digest),
            second=name(game.second, game.second_digest),
        )
        for game in games
    ]


def _matches(games: list[StoredGame]) -> list[tuple[StoredGame, EventSummary]]:
    """The first game of each match among the games, and all of its games counted."""
    found: dict[tuple[str, frozenset[str]], tuple[StoredGame, EventSummary]] = {}
    for game in _with_versions(games):
        players = game.first, game.second
        key = game.conditions, frozenset(players)
        _, summary = found.setdefault(key, (game, EventSummary(players)))
        summary.add(game)
    return list(found.values())


def _match_json(game: StoredGame, summary: EventSummary) -> dict[str, object]:
    (own, other), known = summary.players, summary.estimate
    return {
        "game": game.game,
        "conditions": game.conditions,
        "player": game.first,
        "opponent": game.second,
        "player_digest": game.first_digest,
        "opponent_digest": game.second_digest,
        "games": summary.games,
        "wins": own.wins,
        "draws": own.draws,
        "losses": own.losses,
        "elo": known.elo,
        "elo_interval": known.elo_interval.ends(),
        "faults": {game.first: dict(own.faults), game.second: dict(other.faults)},
    }


def _print_matches(games: list[StoredGame]) -> None:
    if not games:
        print("no games")
        return
    shown = table(
        "game", "player", "opponent", ">games", ">won", ">drawn", ">lost", ">Elo", ">faults"
    )
    for game, summary in _matches(games):
        own, other = summary.players
        shown.add_row(
            *(game.game, game.first, game.second),
            *(str(count) for count in (own.games, own.wins, own.draws, own.losses)),
            summary.estimate.elo_text,
            f"{own.faults.total()} : {other.faults.total()}",
        )
    print_table(shown)


def _print_games(games: list[StoredGame]) -> None:
    shown = table("first", "second", ">opening", "result", "ended", "reason")
    for one in _with_versions(games):
        opening = str(one.opening + 1)
        shown.add_row(one.first, one.second, opening, one.result, one.ending, one.reason)
    print_table(shown)

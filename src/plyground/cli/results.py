"""`plyground results`: the games of a store: shown, filtered, exported, merged."""

from __future__ import annotations

import csv
import io
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from plyground.arena.store import Store, StoredGame
from plyground.arena.summary import summarize
from plyground.cli.arena_output import interval_json, write_records
from plyground.cli.arguments import AsJson
from plyground.cli.output import print_json, print_table, say, table
from plyground.core.errors import FileError, PlygroundError
from plyground.core.files import write_atomically
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
    " first_depth, second_depth, conditions"
).split(", ")


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
    with closing(Store(path, create=bool(merge))) as store:
        for other in merge or ():
            with closing(Store(other, create=False)) as source:
                say(f"{store.merge(source)} games added from {other}")
        games = store.games(game=game, player=player, ending=ending)
        if export is not None:
            _export(export, games, store)
            say(f"written: {export}, {len(games)} games")
    if as_json:
        print_json([_line(one) for one in games] if list_games else _summaries(games))
    elif list_games:
        _print_games(games)
    else:
        _print_summaries(games)


def _export(path: Path, games: list[StoredGame], store: Store) -> None:
    if path.suffix == ".jsonl":
        write_records(path, games, store)
    elif path.suffix == ".csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows({name: _line(game)[name] for name in CSV_COLUMNS} for game in games)
        write_atomically(path, text.getvalue().encode())
    else:
        raise FileError(f"{path}: games are exported to a file that ends in .csv or .jsonl")


def _line(game: StoredGame) -> dict[str, object]:
    return {**vars(game), "score": game.score}


def _pairings(games: list[StoredGame]) -> list[tuple[str, str, str, str]]:
    """Game, conditions and both players of each match among the games, in order."""
    found: dict[tuple[str, str, frozenset[str]], tuple[str, str, str, str]] = {}
    for game in games:
        key = game.game, game.conditions, frozenset((game.first, game.second))
        found.setdefault(key, (game.game, game.conditions, game.first, game.second))
    return list(found.values())


def _summaries(games: list[StoredGame]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for name, conditions, first, second in _pairings(games):
        own = [one for one in games if one.conditions == conditions]
        summary = summarize(own, first, second)
        known = summary.estimate
        rows.append(
            {
                "game": name,
                "conditions": conditions,
                "player": first,
                "opponent": second,
                "games": summary.games,
                "wins": summary.own.wins,
                "draws": summary.own.draws,
                "losses": summary.own.losses,
                "elo": known.elo,
                "elo_interval": interval_json(known.elo_interval),
                "faults": {
                    first: dict(summary.own.faults),
                    second: dict(summary.other.faults),
                },
            }
        )
    return rows


def _print_summaries(games: list[StoredGame]) -> None:
    if not games:
        print("no games")
        return
    shown = table(
        "game", "player", "opponent", ">games", ">won", ">drawn", ">lost", ">Elo", ">faults"
    )
    for name, conditions, first, second in _pairings(games):
        own = [one for one in games if one.conditions == conditions]
        summary = summarize(own, first, second)
        faults = summary.own.faults.total(), summary.other.faults.total()
        shown.add_row(
            name,
            first,
            second,
            *(str(n) for n in (summary.games, summary.own.wins, summary.own.draws)),
            str(summary.own.losses),
            summary.estimate.elo_text,
            f"{faults[0]} : {faults[1]}",
        )
    print_table(shown)


def _print_games(games: list[StoredGame]) -> None:
    shown = table("first", "second", ">opening", "result", "ended", "reason")
    for one in games:
        score = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[one.score]
        shown.add_row(one.first, one.second, str(one.opening + 1), score, one.ending, one.reason)
    print_table(shown)

"""Games, positions and results as models of the interface: `GameCard`, `View`, `Result`."""

from __future__ import annotations

from inspect import Parameter
from typing import Literal

from plyground.core.errors import NoScore
from plyground.core.game import Game, Position
from plyground.core.outcome import Outcome
from plyground.web.protocol.models import GameCard, GameOption, Move, Result, Side, View


def game_card(game: Game) -> GameCard:
    return GameCard(
        name=game.name,
        title=game.title,
        summary=game.summary,
        players=game.players,
        file=game.is_file,
        point=game.rules.point,
        live=game.is_live,
        options=[_option(game, name, parameter) for name, parameter in game.options.items()],
    )


def _option(game: Game, name: str, parameter: Parameter) -> GameOption:
    default = parameter.default
    choices = game.choices.get(name)
    return GameOption(
        name=name,
        kind=_kind(default),
        default=default,
        choices=None if choices is None else list(choices),
        with_text=name in game.position_options,
    )


def _kind(default: object) -> Literal["number", "word", "flag"]:
    if isinstance(default, bool):
        return "flag"
    return "number" if isinstance(default, int) else "word"


def result_model(outcome: Outcome) -> Result:
    return Result(
        winner=0 if outcome.winner == 0 else 1 if outcome.winner == 1 else None,
        score=outcome.score,
        reason=outcome.reason,
        ending=outcome.ending,
    )


def position_view(
    position: Position, before: Position | None = None, last: int | None = None
) -> View:
    """A position as people see it. `last` is the move that led to it, from `before`."""
    turn: Side = 1 if not position.is_over and position.turn == 1 else 0
    touched = before.touches(last) if before is not None and last is not None else ()
    return View(
        text=position.text,
        turn=turn,
        player=position.game.players[turn],
        over=position.is_over,
        result=result_model(position.outcome) if position.is_over else None,
        score=_score(position),
        svg=position.svg(),
        picture=position.picture,
        moves=[_move(position, move) for move in position.legal_moves],
        last=list(touched),
    )


def _move(position: Position, move: int) -> Move:
    return Move(
        text=position.move_text(move),
        touches=list(position.touches(move)),
        key=position.move_key(move),
    )


def _score(position: Position) -> int | None:
    try:
        return position.score
    except NoScore:
        return None

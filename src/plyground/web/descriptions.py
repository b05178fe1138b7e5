"""Games, positions and results as models of the interface: `GameCard`, `View`, `Result`."""

from __future__ import annotations

from typing import Literal

from plyground.core.game import Game, Option, Position
from plyground.core.outcome import Outcome
from plyground.web.levels import level_models
from plyground.web.protocol.models import GameCard, GameOption, Move, ResultModel, Side, View


def game_card(game: Game, *, ready: bool = True) -> GameCard:
    return GameCard(
        name=game.name,
        title=game.title,
        summary=game.summary,
        rules=game.rules_text,
        players=game.players,
        colours=game.colours,
        file=game.is_file,
        point=game.rules.point,
        live=game.is_live,
        options=[_option(game, name, each.default) for name, each in game.options.items()],
        levels=level_models(game.name),
        ready=ready,
    )


def _option(game: Game, name: str, default: Option) -> GameOption:
    choices = game.choices.get(name)
    number_or_word: Literal["number", "word"] = "number" if isinstance(default, int) else "word"
    return GameOption(
        name=name,
        kind="flag" if isinstance(default, bool) else number_or_word,
        default=default,
        choices=None if choices is None else list(choices),
        with_text=name in game.position_options,
        text=game.option_texts.get(name, ""),
    )


def result_model(outcome: Outcome) -> ResultModel:
    return ResultModel.model_validate(outcome, from_attributes=True)


def position_view(
    position: Position, before: Position | None = None, last: str | None = None
) -> View:
    """A position as people see it. `last` is the move that led to it, from `before`."""
    turn: Side = 1 if not position.is_over and position.turn == 1 else 0
    touched: tuple[str, ...] = ()
    if before is not None and last is not None:
        touched = before.touches(before.parse_move(last))
    return View(
        text=position.text,
        turn=turn,
        player=position.game.players[turn],
        over=position.is_over,
        result=result_model(position.outcome) if position.is_over else None,
        score=None if "score" in position.game.rules.defaults else position.score,
        svg=position.svg(),
        picture=position.picture,
        moves=[
            Move(
                text=position.move_text(move),
                touches=list(position.touches(move)),
                key=position.move_key(move),
            )
            for move in position.legal_moves
        ],
        last=list(touched),
    )

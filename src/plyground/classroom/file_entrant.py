"""A student's file as an entrant of a match. A process of its own plays each game."""

from __future__ import annotations

from pathlib import Path

from plyground.classroom import sandbox
from plyground.classroom.interfaces import NoInterface, keep_compiled
from plyground.classroom.student_process import remove_leftovers, start_player
from plyground.classroom.submission import Submission
from plyground.core.game import Game
from plyground.core.processes import notice_ends_of_children
from plyground.players.entrants import Entrant, EntrantContext, FreshEntrant
from plyground.players.notation import PlayerError, PlayerSpec
from plyground.players.player import Player


def make_entrant(game: Game, spec: PlayerSpec, context: EntrantContext) -> Entrant:
    """Raises a PlygroundError if there is no sandbox, or the file defines no player."""
    notice_ends_of_children()
    why = None if context.trusted else sandbox.cannot_be_built()
    if why is not None:
        raise sandbox.NoSandbox(f"{why}; for a file of your own at home there is --trust")
    submission = Submission(spec.name, {Path(spec.target).name: context.source})
    try:
        path, interface = submission.player(game, dict(context.options))
    except NoInterface as error:
        raise PlayerError(f"{spec.target}: {error}") from None
    keep_compiled()
    remove_leftovers()

    def start(seed: int) -> Player:
        return start_player(submission, path, interface, trusted=context.trusted)

    return FreshEntrant(start)

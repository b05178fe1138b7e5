"""Which evaluation a search uses: the game's own, none, or a net.

People write it as a word or a file: `own`, `none`, `learned` (the net that was adopted on this
machine or comes with plyground) or the path of a net. Without a word it is `learned` where there is
such a net, else `own`.

A net is used for the rules and the board for which it was learned, and for no others: its file is
named after the fingerprint of both.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from plyground.core.errors import FormatError, LimitError
from plyground.core.game import Game, same_board
from plyground.search.net.files import SUFFIX, read_net
from plyground.search.net.net import Net, fingerprint

OWN, NONE, LEARNED = "own", "none", "learned"
WORDS = (OWN, NONE, LEARNED)

SHIPPED = Path(__file__).parent / "shipped"
"""The nets that come with plyground."""


def nets_folder() -> Path:
    """Where nets lie that were adopted on this machine."""
    given = os.environ.get("PLYGROUND_NETS")
    if given:
        return Path(given)
    from platformdirs import user_data_path

    return user_data_path("plyground", appauthor=False) / "nets"


def net_name(game: Game, board: Any) -> str:
    """The name of the file of an adopted net."""
    return f"{game.name}-{_fingerprint_of(game, board)}{SUFFIX}"


def check_evaluation(text: str) -> None:
    """Raise FormatError for a text that is neither a word nor the file of a net."""
    if text in WORDS:
        return
    if not text.endswith(SUFFIX):
        raise FormatError(
            f"evaluation {text!r:.80}: it is own, none, learned or the file of a net (*{SUFFIX})"
        )
    read_net(Path(text))


class EvaluationChoice:
    """What one search was told to use, for one board after another."""

    def __init__(self, game: Game, told: str | Net | None) -> None:
        self._game = game
        self._word = None if isinstance(told, Net) else told
        self._name, self._net = "this net", told if isinstance(told, Net) else None
        if isinstance(told, str) and told not in WORDS:
            check_evaluation(told)
            self._name, self._net = told, read_net(Path(told))

    def for_board(self, board: Any) -> Net | str:
        """The net for this board, or the word `own` or `none`. Raises LimitError if a net was asked
        for and there is none that fits."""
        if self._net is not None:
            check_fit(self._net, self._game, board, self._name)
            return self._net
        if self._word in (OWN, NONE):
            return str(self._word)
        found = find_net(self._game, board)
        if found is None and self._word == LEARNED:
            raise LimitError(
                f"no evaluation of {self._game.name} was learned for these rules and this board;"
                f" `plyground learn {self._game.name}` learns one"
            )
        return OWN if found is None else found

    def name_of(self, chosen: Net | str) -> str:
        """What `for_board` returned, as results name it: a word, or the file that was given."""
        if isinstance(chosen, str):
            return chosen
        return LEARNED if self._word in (None, LEARNED) else self._word


def check_fit(net: Net, game: Game, board: Any, name: str) -> None:
    """Raise LimitError if a net was not learned for these rules and this board."""
    if net.game != game.name:
        raise LimitError(f"{name} was learned for {net.game}, not for {game.name}")
    if net.fingerprint != _fingerprint_of(game, board) or not net.layout.fits(game.rules):
        options = ", ".join(f"{option}={value}" for option, value in net.options.items())
        raise LimitError(
            f"{name} was learned for {net.game} with {options or 'its usual board'}: this is"
            " another board, or the rules have changed since"
        )


def find_net(game: Game, board: Any) -> Net | None:
    """The net adopted on this machine, or the one that comes with plyground, if it fits."""
    path = learned_file(game, board)
    if path is None:
        return None
    net = read_net(path)
    check_fit(net, game, board, str(path))
    return net


def learned_file(game: Game, board: Any) -> Path | None:
    """The file of that net."""
    if game.variant or not game.can_be_compiled:
        return None  # a caller has chosen other rules or another evaluation
    for folder in (nets_folder(), SHIPPED):
        if not any(folder.glob(f"{game.name}-*{SUFFIX}")):
            continue
        path = folder / net_name(game, board)
        if path.is_file():
            return path
    return None


def automatic(game: Game, board: Any) -> str:
    """What is used for a board without a word: `learned` or `own`."""
    return OWN if find_net(game, board) is None else LEARNED


class _SameBoard:
    """A board that can be looked up: boards may hold arrays, which cannot be hashed."""

    def __init__(self, game: Game, board: Any) -> None:
        self.game, self.board = game, board

    def __hash__(self) -> int:
        return hash((self.game, tuple(value for value in self.board if isinstance(value, int))))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _SameBoard)
            and self.game is other.game
            and same_board(self.board, other.board)
        )


@lru_cache(maxsize=64)
def _known_fingerprint(looked_up: _SameBoard) -> str:
    return fingerprint(looked_up.game, looked_up.board)


def _fingerprint_of(game: Game, board: Any) -> str:
    """Some milliseconds of random games, once for each board."""
    return _known_fingerprint(_SameBoard(game, board))

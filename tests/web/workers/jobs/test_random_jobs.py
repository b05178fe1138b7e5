"""Jobs of all kinds at random."""

from __future__ import annotations

import json
import os
import random

import pytest

from plyground.core.errors import PlygroundError
from plyground.core.registry import find_game, game_names
from plyground.web.protocol.messages import ANALYSIS_REQUEST
from plyground.web.workers.search_cache import SearchCache
from tests.web.workers.job_runner import Message, do


def test_whatever_a_page_may_ask_ends_in_a_result_or_in_a_sentence(cache: SearchCache) -> None:
    choose = random.Random(1)
    for _ in range(60):
        question = _any_question(choose)
        message = ANALYSIS_REQUEST.validate_python({**question, "id": 1})
        job = message.model_dump(exclude={"id"}, exclude_none=True)
        if question["place"]["moves"][-1:] == ["nonsense"]:
            with pytest.raises(PlygroundError, match=r"^move \d+: [^\n]+$"):
                do(job, cache=cache)
        else:
            json.dumps(do(job, cache=cache), allow_nan=False)


def _any_question(choose: random.Random) -> Message:
    name = choose.choice(game_names())
    position, moves = find_game(name).start(), []
    for _ in range(choose.randrange(12)):
        if position.is_over:
            break
        moves.append(position.move_text(choose.choice(position.legal_moves)))
        position = position.play(moves[-1])
    where = {"game": name, "moves": moves + choose.choice([[], [], [], ["nonsense"]])}
    return choose.choice(
        [
            {"type": "search", "place": where, "nodes": 500, "lines": choose.randint(1, 5)},
            {"type": "search", "place": where, "algorithm": "monte-carlo", "nodes": 50},
            {"type": "search", "place": where, "algorithm": "minimax", "depth": 2},
            {"type": "search", "place": where, "depth": 3, "threads": os.cpu_count() or 1},
            {"type": "review", "place": where, "seconds": 0.002},
            {"type": "tree", "place": where, "depth": 4, "budget": 200, "ordering": True},
        ]
    )

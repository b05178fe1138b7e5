"""plyground from Python: games, positions, the engine, the textbook. Run it: python library.py"""

from __future__ import annotations

from pathlib import Path

from plyground import Engine, Limits, Position, SearchResult, find_game, game_names
from plyground.search.textbook import alpha_beta, minimax


def look_at_positions() -> Position:
    """A position is a value: playing a move gives a new one and leaves the old one as it was."""
    print("Games:", ", ".join(game_names()))
    breakthrough = find_game("breakthrough")
    start = breakthrough.start({"rows": 6, "columns": 6})
    position = start.play("b2c3").play("e5e4")
    print(position.picture)
    print("The same as text:", position.text)
    print("Legal moves:", ", ".join(position.move_text(move) for move in position.legal_moves))
    assert breakthrough.position(position.text) == position
    assert len(start.legal_moves) == 16
    return position


def ask_the_engine(position: Position) -> None:
    """An engine belongs to one game and remembers what it has found. The first use compiles."""
    engine = Engine(position.game, memory=16, threads=1)

    def show(result: SearchResult) -> None:
        print(f"depth {result.depth:2}  {result.value_text:>8}  {' '.join(result.line_text[:6])}")

    result = engine.search(position, Limits(depth=8, seconds=5), progress=show)
    print("Best move:", position.move_text(result.move), "after", result.nodes, "nodes")


def read_the_textbook() -> None:
    """The searches of the books: slow, plain, and right. Here tic-tac-toe, four moves in."""
    position = find_game("tictactoe").start()
    for move in position.legal_moves[:4]:
        position = position.play(move)
    full, pruned = minimax(position), alpha_beta(position)
    print("Minimax:   ", full.value_text, "from", full.nodes, "nodes")
    print("Alpha-beta:", pruned.value_text, "from", pruned.nodes, "nodes")
    assert full.value == pruned.value


def play_your_own_game() -> None:
    """A game of your own is a file; the engine plays it against itself to the end."""
    nim = find_game(str(Path(__file__).parent / "nim.py"))
    engine = Engine(nim, memory=1)
    position = nim.start()
    while not position.is_over:
        result = engine.search(position, Limits(depth=20))
        print(f"{position.text}: {position.move_text(result.move)} ({result.value_text})")
        position = position.play(result.move)
    print(position.outcome.reason)


if __name__ == "__main__":
    ask_the_engine(look_at_positions())
    read_the_textbook()
    play_your_own_game()

"""The games. A folder here with a `game.py` in it is a game: there is no other registration."""

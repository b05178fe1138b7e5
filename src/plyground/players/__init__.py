"""Players: who chooses a move from a position, given limits."""

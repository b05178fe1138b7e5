"""The exhaustive solver: alpha-beta to the end of the game, with exact bounds in its table."""

"""Searches over any game: the textbook ones to read, the compiled ones to win."""

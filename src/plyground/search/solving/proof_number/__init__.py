"""Proof-number search: who wins a game without draws or repetition."""

"""Retrograde analysis: every reachable state, worked back from finished games."""

"""Tests of plyground.search.solving.retrograde."""

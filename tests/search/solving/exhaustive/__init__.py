"""Tests of plyground.search.solving.exhaustive."""

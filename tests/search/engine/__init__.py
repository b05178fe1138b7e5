"""Tests of plyground.search.engine."""

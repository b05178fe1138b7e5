"""Tests of plyground.search.solving."""

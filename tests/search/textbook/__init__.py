"""Tests of plyground.search.textbook.algorithms."""

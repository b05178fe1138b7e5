"""Tests of plyground.search.binding."""

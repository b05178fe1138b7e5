"""Tests of plyground.search."""

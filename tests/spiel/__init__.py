"""Tests of `plyground.spiel`."""

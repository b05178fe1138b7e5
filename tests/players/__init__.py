"""Tests of plyground.players."""

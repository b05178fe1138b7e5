"""Tests of plyground.core."""

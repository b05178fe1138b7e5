"""Tests of plyground.arena."""

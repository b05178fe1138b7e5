"""Tests of plyground.core.records."""

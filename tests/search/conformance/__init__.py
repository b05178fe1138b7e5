"""Tests of plyground.search.conformance."""

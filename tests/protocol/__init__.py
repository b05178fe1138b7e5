"""Tests of plyground.protocol."""

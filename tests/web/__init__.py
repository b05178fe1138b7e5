"""Tests of plyground.web."""

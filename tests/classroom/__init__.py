"""Tests of plyground.classroom."""

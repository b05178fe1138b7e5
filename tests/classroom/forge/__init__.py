"""Tests of plyground.classroom.forge."""

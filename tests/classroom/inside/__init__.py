"""Tests of plyground.classroom.inside."""

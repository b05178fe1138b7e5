"""Tests of plyground.classroom.interfaces."""

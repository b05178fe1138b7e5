"""Tests of plyground.lab."""

"""Tests of plyground.web.protocol."""

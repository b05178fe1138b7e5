"""Tests of plyground.web.sessions."""

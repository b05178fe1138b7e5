"""Tests of the page Arena, from the server's side."""

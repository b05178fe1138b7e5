"""Tests of plyground.web.routes."""

"""Tests of plyground.web.workers."""

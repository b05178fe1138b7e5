"""Tests of plyground.web.workers.jobs."""

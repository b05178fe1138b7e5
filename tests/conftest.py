"""Settings for every test."""

from __future__ import annotations

from hypothesis import settings

# The same examples every time, and no clock: a busy machine must not fail a test.
settings.register_profile("plyground", deadline=None, derandomize=True)
settings.load_profile("plyground")

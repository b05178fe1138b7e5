"""Tests of the README, the pages of docs and the examples."""

"""Tests of users' own games in the web app."""

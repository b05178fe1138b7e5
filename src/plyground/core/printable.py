"""Texts that others chose, made fit for a terminal, a page or a line of a log."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with a question mark for each character that cannot be printed, as a line end."""
    return "".join(mark if mark.isprintable() else "?" for mark in text)

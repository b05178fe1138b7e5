"""HTML by which results and records draw themselves in a notebook. It loads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape


def beside(picture: str, content: str) -> str:
    """An SVG picture, of which there may be none, and something to the right of it."""
    frame = f'<div style="flex:none;max-width:40%">{picture}</div>' if picture else ""
    style = "display:flex;gap:1.5em;align-items:flex-start"
    return f'<div style="{style}">{frame}<div>{content}</div></div>'


def table(facts: Mapping[str, str]) -> str:
    """Names and what they are, row by row."""
    rows = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(text)}</td></tr>'
        for name, text in facts.items()
    )
    return f"<table>{rows}</table>"


def verbatim(text: str) -> str:
    return f'<pre style="white-space:pre-wrap;margin:0">{escape(text)}</pre>'

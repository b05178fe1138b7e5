"""Texts as single tokens: in a protocol of lines and words, a move or a position is one word.

A text of printable ASCII characters without spaces and without `%` is its own token: `a2a3`. Every
other byte of its UTF-8 form is written as `%` and two hexadecimal digits, as in addresses of the
web: `3/3/3 x` is `3/3/3%20x`. A single `%` is the empty text.
"""

from __future__ import annotations

import re

from plyground.core.errors import FormatError

EMPTY = "%"
ESCAPED = re.compile("(?:%[0-9A-Fa-f]{2})+")
PLAIN = frozenset(range(0x21, 0x7F)) - {ord("%")}
"""The bytes that stand for themselves."""


def to_token(text: str) -> str:
    """A text as one word; `from_token` reads it back."""
    if not text:
        return EMPTY
    data = text.encode("utf-8", errors="surrogatepass")
    return "".join(chr(byte) if byte in PLAIN else f"%{byte:02X}" for byte in data)


def from_token(token: str) -> str:
    """The text that a token stands for. Characters that need no escape here may have one."""
    if token == EMPTY:
        return ""
    if "%" in ESCAPED.sub("", token):
        raise FormatError(f"{token!r}: % stands before two hexadecimal digits")
    return ESCAPED.sub(lambda run: _decode(run[0]), token)


def _decode(escaped: str) -> str:
    try:
        return bytes.fromhex(escaped.replace("%", "")).decode("utf-8", errors="surrogatepass")
    except UnicodeDecodeError:
        raise FormatError(f"{escaped!r} is not text in UTF-8") from None

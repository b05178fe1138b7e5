"""The frame of an HTML page that the package writes to a file, with its colours in light and dark.

A page is one file without scripts or external files. Its content security policy allows only its
own style, so that nothing else works even if a text were not escaped.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #2b2f36; --paper: #fbfaf5; --line: #d8d2c2;
  --faint: #5c626b; --good: #22633f; --bad: #9c2f24; --link: #1f4f8f; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceae3; --paper: #1d1f23; --line: #3d4149;
  --faint: #a9aeb8; --good: #7fcb9d; --bad: #f0958a; --link: #9cc3f5; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0.2rem; } h2 { margin-top: 2.5rem; }
h1, h2, h3, p, li { overflow-wrap: anywhere; }
a { color: var(--link); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.faint { color: var(--faint); }
"""
"""The rules of all pages; each page adds its own."""


def html_page(title: str, style: str, content: str) -> str:
    """A whole page: `title` is a text, `style` is added to STYLE, `content` is HTML."""
    whole = STYLE + style
    policy = f"default-src 'none'; style-src {policy_hash(whole)}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{whole}</style>
</head>
<body>
<main>
{content}</main>
</body>
</html>
"""


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def policy_hash(text: str) -> str:
    """A style or script as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

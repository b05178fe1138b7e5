"""The few lines of SVG that every drawing needs. Views of games build on these."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr


def element(tag: str, content: str = "", /, **attributes: object) -> str:
    """One element. In a name one underscore stands for a hyphen, two for a colon."""
    written = "".join(
        f" {name.replace('__', ':').replace('_', '-')}={quoteattr(_number(value))}"
        for name, value in attributes.items()
    )
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def label(x: float, y: float, text: str, **attributes: object) -> str:
    """A text whose middle is at (x, y)."""
    return element(
        "text",
        escape(text),
        x=x,
        y=y,
        text_anchor="middle",
        dominant_baseline="central",
        **attributes,
    )


def document(width: float, height: float, content: str, title: str) -> str:
    """A whole picture, which scales to its frame and tells screen readers what it shows."""
    # An element a line, as far as it cannot matter: pictures are kept as files, and compared.
    lines = (element("title", escape(title)) + content).replace("/><", "/>\n<")
    return element(
        "svg",
        lines,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_number(width)} {_number(height)}",
        width=width,
        height=height,
        role="img",
        font_family="system-ui, sans-serif",
    )


def text_svg(picture: str) -> str:
    """A drawing in characters as a picture: the view of a game that has none of its own."""
    lines = picture.splitlines() or [""]
    width = 20 + 9.7 * max(len(line) for line in lines)
    height = 20 + 20 * len(lines)
    rows = "".join(
        element("tspan", escape(line) or " ", x=10, y=24 + 20 * row)
        for row, line in enumerate(lines)
    )
    text = element(
        "text", rows, font_family="monospace", font_size=16, fill="#222", xml__space="preserve"
    )
    paper = element("rect", width=width, height=height, fill="#fdfcf7")
    return document(width, height, paper + text, lines[0])


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)

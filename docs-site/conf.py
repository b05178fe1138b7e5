"""How Sphinx builds the documentation site (`make docs`) from the repository's Markdown pages.

The folder of the sources is the repository itself, so that the links of the pages lead where they
lead on disk: to other pages, to pictures, and to source files, which become downloads. The site
loads nothing from elsewhere and works from a folder.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from plyground import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]

project = "plyground"
author = "The plyground developers"
project_copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "README"
include_patterns = ["*.md", "docs/**", "docs-site/*.rst"]
exclude_patterns = [".*", "benchmarks", "build", "dist", "examples", "src", "tests"]
suppress_warnings = ["myst.header"]  # a record's page begins with a heading of the second level
myst_heading_anchors = 4
default_role = "literal"  # what docstrings have in backticks

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "plyground"
html_extra_path = ["index.html"]
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # it fetches pages, which a browser forbids in a folder
html_theme_options = {"footer_icons": []}

CONTENTS = """

```{toctree}
:hidden:
:caption: Documentation
:maxdepth: 1

%s
```
"""
"""Added to the first page: the pages in the order of their index, which is the navigation."""

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:]+)\)")


def prepare(app: Sphinx, name: str, content: list[str]) -> None:
    """Pages are written for GitHub: add what a site needs, and leave out links to folders."""
    folder = (ROOT / name).parent
    content[0] = LINK.sub(
        lambda link: link[1] if (folder / link[2]).is_dir() else link[0], content[0]
    )
    if name == root_doc:
        content[0] += CONTENTS % "\n".join(pages())


def pages() -> list[str]:
    """Every page, in the order in which the index of the documentation lists them."""
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    listed = [link[2] for link in LINK.finditer(index) if link[2].endswith(".md")]
    found = [(ROOT / "docs" / target).resolve().relative_to(ROOT) for target in listed]
    return [
        "docs/README",
        *(path.with_suffix("").as_posix() for path in found),
        "docs-site/reference",
    ]


def setup(app: Sphinx) -> None:
    app.connect("source-read", prepare)

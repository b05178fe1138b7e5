"""Tables as comma-separated values, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from plyground.core.printable import printable

FORMULA = re.compile(r"""(^|[,;|])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])""")
"""Where a spreadsheet could find a formula: at the beginning, or after a character that it may take
for a separator. The wide signs are read as the usual ones."""


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as comma-separated values under a line of names; unknown values are empty."""
    file = io.StringIO()
    if rows:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return file.getvalue()


def cell_text(text: str) -> str:
    """A text for a cell that others chose: without formulas, tabs and line ends."""
    return FORMULA.sub(r"\1'", printable(text))

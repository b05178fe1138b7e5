"""The notebook of the examples shows what its cells show today."""

from __future__ import annotations

from typing import Any

import pytest

from tests.docs.notebook import executed, read

DOCUMENT = read()


def code_cells(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in document["cells"] if cell["cell_type"] == "code"]


def test_every_cell_shows_what_the_notebook_holds() -> None:
    for stored, now in zip(code_cells(DOCUMENT), code_cells(executed(DOCUMENT)), strict=True):
        assert now["outputs"] == stored["outputs"], (
            f"`make golden` runs the notebook anew; this cell differs:\n{''.join(stored['source'])}"
        )


@pytest.mark.parametrize("kind", ["image/svg+xml", "text/html"])
def test_pictures_are_part_of_the_notebook_and_load_nothing(kind: str) -> None:
    drawn = [
        "".join(output["data"][kind])
        for cell in code_cells(DOCUMENT)
        for output in cell["outputs"]
        if kind in output.get("data", {})
    ]
    assert drawn
    for picture in drawn:
        assert "<svg" in picture
        assert "<script" not in picture
        assert "href=" not in picture
        assert "url(" not in picture.replace("url(#", "")


def test_the_notebook_names_a_kernel_and_has_no_cell_without_an_id() -> None:
    assert DOCUMENT["metadata"]["kernelspec"]["name"] == "python3"
    assert (DOCUMENT["nbformat"], DOCUMENT["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in DOCUMENT["cells"]]
    assert len(ids) == len(set(ids))

"""Fixtures for tests of the web app."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.fake_pool import Site, open_site


@pytest.fixture(scope="module")
def _module_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with open_site(tmp_path_factory.mktemp("home")) as found:
        yield found


@pytest.fixture
def site(_module_site: Site) -> Iterator[Site]:
    """A server with a fake worker pool, without any session."""
    yield _module_site
    _module_site.clear()

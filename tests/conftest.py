"""Settings and hooks for every test, and the fixtures that several folders share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.skips import pytest_make_collect_report, pytest_runtest_makereport

if TYPE_CHECKING:
    from tests.web.fake_pool import Site

__all__ = ["pytest_make_collect_report", "pytest_runtest_makereport"]

# The same examples every time, and no clock: a busy machine must not fail a test.
settings.register_profile("plyground", deadline=None, derandomize=True)
settings.load_profile("plyground")


@pytest.fixture(scope="module")
def _module_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    from tests.web.fake_pool import open_site  # only tests of the web app have to load it

    with open_site(tmp_path_factory.mktemp("home")) as found:
        yield found


@pytest.fixture
def site(_module_site: Site) -> Iterator[Site]:
    """A server whose workers are played by the test, without any table yet."""
    yield _module_site
    _module_site.clear()

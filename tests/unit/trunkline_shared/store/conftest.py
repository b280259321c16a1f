"""A store of each kind that the whole mesh may share, for the tests of what it offers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.trunkline_shared.store.record_stores import settings_of
from trunkline_shared.store.settings import StoreSettings


@pytest.fixture(params=["memory", "redis"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which store is tested."""
    return str(request.param)


@pytest.fixture
def settings(kind: str, tmp_path: Path) -> Iterator[StoreSettings]:
    """Where the store is."""
    with settings_of("files" if kind == "memory" else kind, tmp_path) as found:
        yield found

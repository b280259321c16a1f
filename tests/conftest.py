"""What every test has."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """One backend: the mesh runs on asyncio."""
    return "asyncio"

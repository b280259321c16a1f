"""What every test has."""

from collections.abc import AsyncIterator

import pytest

from tests.samples import GITHUB_OPENAPI
from trunkline_shared.testing.github import GitHubStandIn
from trunkline_shared.testing.openapi import OpenApiGuard


@pytest.fixture
def anyio_backend() -> str:
    """One backend: the mesh runs on asyncio."""
    return "asyncio"


@pytest.fixture
async def github() -> AsyncIterator[GitHubStandIn]:
    """An empty GitHub; fails the test when a request or an answer breaks its OpenAPI contract."""
    async with GitHubStandIn(guard=OpenApiGuard(GITHUB_OPENAPI)) as stand_in:
        yield stand_in

"""The world of the tests of sessions: a server that asks its callers, behind a router."""

from collections.abc import AsyncIterator

import pytest

from tests.interaction.asking_server import Asking
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import running


@pytest.fixture
def asking() -> Asking:
    """What the server does."""
    return Asking()


@pytest.fixture
async def mesh(asking: Asking) -> AsyncIterator[Mesh]:
    """A router with that server behind it."""
    async with running(asking.server) as url, routing({"a": url}) as mesh:
        yield mesh

"""What every test has."""

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from opentelemetry import trace

from tests.samples import GITHUB_OPENAPI

if TYPE_CHECKING:
    from tests.redis_process import RedisProcess
    from trunkline_shared.testing.github import GitHubStandIn

# No test is about time: what is slow on a busy machine is measured in bench/.
settings.register_profile("trunkline", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("trunkline")


@pytest.fixture
def anyio_backend() -> str:
    """One backend: the mesh runs on asyncio."""
    return "asyncio"


@pytest.fixture(autouse=True)
def _nothing_left_that_traces() -> Iterator[None]:
    """With a provider of the whole process, clients of later tests leave spans of their own."""
    yield
    provider = trace.get_tracer_provider()
    assert isinstance(provider, trace.ProxyTracerProvider), "give the tracer to what is tested"


@pytest.fixture
async def github() -> AsyncIterator["GitHubStandIn"]:
    """An empty GitHub; fails the test when a request or an answer breaks its OpenAPI contract."""
    # openapi-core takes a second to import: only tests that ask for GitHub pay it.
    from trunkline_shared.testing.github import GitHubStandIn  # noqa: PLC0415 - see above
    from trunkline_shared.testing.openapi import OpenApiGuard  # noqa: PLC0415 - see above

    async with GitHubStandIn(guard=OpenApiGuard(GITHUB_OPENAPI)) as stand_in:
        yield stand_in


@pytest.fixture
def redis_process() -> Iterator["RedisProcess"]:
    """A Redis of the test's own; skipped on a machine without one, which CI may not be."""
    # The client takes half a second to import.
    from tests.redis_process import running_redis  # noqa: PLC0415 - see above

    with running_redis() as process:
        yield process

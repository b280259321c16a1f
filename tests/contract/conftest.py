"""GitHub stand-ins for the contract tests, and somebody to ask them."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.contract.caller import Caller
from tests.samples import GITHUB_OPENAPI
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import Demo, GitHubStandIn, seed_demo
from trunkline_shared.testing.openapi import OpenApiGuard


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def github(clock: FakeClock) -> AsyncIterator[GitHubStandIn]:
    """A GitHub at the test's own time; requests may be wrong here, answers may not."""
    guard = OpenApiGuard(GITHUB_OPENAPI, requests=False)
    async with GitHubStandIn(clock=clock, guard=guard) as stand_in:
        yield stand_in


@pytest.fixture
def demo(github: GitHubStandIn) -> Demo:
    return seed_demo(github.state)


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    timeout = aiohttp.ClientTimeout(total=5)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        yield session


@pytest.fixture
def writer(github: GitHubStandIn, demo: Demo, session: aiohttp.ClientSession) -> Caller:
    """The demo's user, who may write."""
    return Caller(session=session, base=github.url, token=demo.token.secret)

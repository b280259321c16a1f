"""The official conformance suite against the SDK's everything-server behind the router."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.suite import Verdict, before, everything, judged
from tests.from_registries import node_packages

pytestmark = [pytest.mark.anyio, pytest.mark.node, pytest.mark.timeout(400)]

PATHS = ["/servers/everything/mcp", "/mcp"]
HEADERS = {"http-header-validation", "http-custom-header-server-validation"}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The everything-server, which speaks every revision."""
    with everything() as url:
        yield url


async def through_router(server: str, path: str, revision: str, results: Path) -> Verdict:
    """Run what a revision requires against a router with the everything-server behind it."""
    packages = node_packages()
    async with asyncio.timeout(120), before(server) as router:
        asking = ("server", "--url", router + path, "--requirements", revision)
        return await judged(packages, results, *asking)


@pytest.mark.requirement("gateway.conformance-modern")
@pytest.mark.parametrize("path", PATHS)
async def test_all_of_2026_07_28_passes(server: str, path: str, tmp_path: Path) -> None:
    """The 37 scenarios that it requires, and both of headers that are not scored yet."""
    verdict = await through_router(server, path, "2026-07-28", tmp_path)
    assert verdict.code == 0, verdict.told
    assert len(verdict.passed) >= 37, verdict.told
    assert verdict.passed >= HEADERS, verdict.told


@pytest.mark.requirement("gateway.conformance-legacy")
@pytest.mark.parametrize("path", PATHS)
async def test_all_of_2025_11_25_passes(server: str, path: str, tmp_path: Path) -> None:
    """The 30 scenarios that it requires, sessions and questions to the client among them."""
    verdict = await through_router(server, path, "2025-11-25", tmp_path)
    assert verdict.code == 0, verdict.told
    assert len(verdict.passed) >= 30, verdict.told

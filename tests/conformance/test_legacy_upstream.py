"""The suite against a server of before 2026-07-28 behind the router, asked in both eras."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.suite import Verdict, before, everything, judged
from tests.from_registries import node_packages

pytestmark = [pytest.mark.anyio, pytest.mark.node, pytest.mark.timeout(400)]

NEED_A_MODERN_SERVER = {
    f"input-required-result-{way}"
    for way in (
        "basic-elicitation",
        "basic-list-roots",
        "basic-sampling",
        "capability-check",
        "ignore-extra-params",
        "missing-input-response",
        "multi-round",
        "multiple-input-requests",
        "non-tool-request",
        "request-state",
        "result-type",
        "tampered-state",
        "validate-input",
    )
}
"""Their tools answer `input_required` themselves, which no older revision has."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The everything-server as of before 2026-07-28."""
    with everything("--legacy") as url:
        yield url


async def through_router(server: str, revision: str, results: Path) -> Verdict:
    """Run what a revision requires with the server's own era being the older one."""
    packages = node_packages()
    async with asyncio.timeout(120), before(server) as router:
        asking = ("server", "--url", f"{router}/mcp", "--requirements", revision)
        return await judged(packages, results, *asking)


@pytest.mark.requirement("gateway.conformance-bridged")
async def test_a_legacy_client_misses_nothing(server: str, tmp_path: Path) -> None:
    """All that 2025-11-25 requires, over two sessions that know nothing of each other."""
    verdict = await through_router(server, "2025-11-25", tmp_path)
    assert verdict.code == 0, verdict.told
    assert len(verdict.passed) >= 30, verdict.told


@pytest.mark.requirement("gateway.conformance-bridged")
async def test_a_modern_client_misses_what_the_server_cannot_say(
    server: str, tmp_path: Path
) -> None:
    """All that 2026-07-28 requires, but for fixtures that answer in words of that revision."""
    verdict = await through_router(server, "2026-07-28", tmp_path)
    failed = {name for name, checks in verdict.failures.items() if checks}
    scored = {name for name in failed if not name.startswith("tasks-")}
    assert scored <= NEED_A_MODERN_SERVER, verdict.told
    assert len(verdict.passed) >= 37 - len(NEED_A_MODERN_SERVER), verdict.told

"""Two processes whose Basecamp token ends at the same moment, over a directory and over Redis."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.redis_process import running_redis
from trunkline_shared.testing.basecamp.authorization import DISCOVERY, AuthorizationStandIn
from trunkline_shared.testing.basecamp.grants import Granted
from trunkline_shared.vendor.credential import fingerprint_of

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
PROGRAM = "tests.interaction.renewing_process"
PATIENCE_S = 40


@pytest.fixture
async def authorization() -> AsyncIterator[AuthorizationStandIn]:
    async with AuthorizationStandIn() as stand_in, asyncio.timeout(PATIENCE_S):
        yield stand_in


@pytest.fixture(params=["files", "redis"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Where the processes keep what they share: the URL of a Redis, or a directory."""
    if request.param == "redis":
        with running_redis() as process:
            yield process.url, str(tmp_path / "unused")
    else:
        yield "", str(tmp_path / "state")


@asynccontextmanager
async def renewing(
    authorization: AuthorizationStandIn, granted: Granted, place: tuple[str, str]
) -> AsyncIterator[Process]:
    """Run a process with these tokens; it is killed at the end if it still runs."""
    grants = authorization.grants
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}  # noqa: TID251 - what a program needs to run
    given = {
        "BASECAMP_ACCESS_TOKEN": granted.access_token,
        "BASECAMP_REFRESH_TOKEN": granted.refresh_token,
        "BASECAMP_CLIENT_ID": grants.client_id,
        "BASECAMP_CLIENT_SECRET": grants.client_secret,
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", PROGRAM, authorization.token_url, *place),
        cwd=ROOT,
        env=kept | given,
        stdout=PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def said(process: Process, beginning: str) -> str:
    """Return the rest of the next line, which begins so."""
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode().rstrip()
    assert line.startswith(beginning), line
    return line.removeprefix(beginning).strip()


@pytest.mark.requirement("basecamp.refresh-once")
async def test_two_processes_that_are_refused_at_once_send_one_refresh(
    authorization: AuthorizationStandIn, place: tuple[str, str]
) -> None:
    """The request is held until both want another token; both go on with the same new one."""
    granted = authorization.grants.authorize()
    authorization.grants.expire(granted.access_token)
    gate = authorization.hold_renewals()
    async with AsyncExitStack() as opened:
        both = [
            await opened.enter_async_context(renewing(authorization, granted, place))
            for _ in range(2)
        ]
        for process in both:
            await said(process, "wants")
        await gate.reached()
        assert len(authorization.requests.matching("GET", DISCOVERY)) == 2
        gate.release()
        fresh = [await said(process, "has") for process in both]
        for process in both:
            await said(process, "was let in as jason@")
            assert await process.wait() == 0
    assert fresh[0] == fresh[1] != fingerprint_of(granted.access_token)
    assert len(authorization.renewals) == 1
    assert (authorization.grants.renewed, authorization.grants.reused) == (1, 0)


@pytest.mark.requirement("basecamp.refresh-persisted")
async def test_a_process_killed_before_its_answer_leaves_the_refresh_token_to_the_next(
    authorization: AuthorizationStandIn, tmp_path: Path
) -> None:
    """Its hold ends with it, and Launchpad, which keeps its refresh tokens, takes it again."""
    authorization.grants.rotates = False
    granted = authorization.grants.authorize()
    authorization.grants.expire(granted.access_token)
    place = ("", str(tmp_path))
    gate = authorization.hold_renewals()
    async with renewing(authorization, granted, place) as process:
        await gate.reached()
        process.kill()
        await process.wait()
    authorization.faults.clear()
    async with renewing(authorization, granted, place) as process:
        await said(process, "wants")
        fresh = await said(process, "has")
        await said(process, "was let in as jason@")
    assert fresh != fingerprint_of(granted.access_token)


@pytest.mark.requirement("basecamp.refresh-persisted")
async def test_a_process_killed_after_its_answer_has_kept_the_token(
    authorization: AuthorizationStandIn, place: tuple[str, str]
) -> None:
    """Whatever uses the new token, it is in the store by then: the next process needs no other."""
    granted = authorization.grants.authorize()
    authorization.grants.expire(granted.access_token)
    gate = authorization.hold_renewals()
    async with renewing(authorization, granted, place) as process:
        await gate.reached()
        used = authorization.faults.hold("GET", DISCOVERY)
        gate.release()
        await used.reached()
        process.kill()
        await process.wait()
    async with renewing(authorization, granted, place) as process:
        assert await said(process, "has")
        await said(process, "was let in as jason@")
    assert len(authorization.renewals) == 1

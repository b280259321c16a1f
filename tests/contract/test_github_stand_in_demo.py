"""The demo's data: of every kind, and the same each time."""

import asyncio
import sys

import aiohttp
import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import Demo, GitHubStandIn, seed_demo

pytestmark = pytest.mark.anyio

REPO = "/repos/acme/widgets"
PATHS = (
    REPO,
    f"{REPO}/issues/1",
    f"{REPO}/issues/1/comments?per_page=100",
    f"{REPO}/issues/2/comments",
    f"{REPO}/issues/3/comments",
    f"{REPO}/pulls/2",
)


async def documents(session: aiohttp.ClientSession, clock: FakeClock) -> list[str]:
    """Return what a fresh demo answers, its own address replaced."""
    async with GitHubStandIn(clock=clock) as github:
        token = seed_demo(github.state).token.secret
        caller = Caller(session=session, base=github.url, token=token)
        return [(await caller.ask("GET", path)).text.replace(github.url, "") for path in PATHS]


async def test_the_demo_is_the_same_each_time(session: aiohttp.ClientSession) -> None:
    """Ids, times and texts do not depend on when it runs."""
    early, late = FakeClock(1_700_000_000), FakeClock(1_800_000_000)
    assert await documents(session, early) == await documents(session, late)


async def test_the_demo_has_conversations_of_every_kind(writer: Caller, demo: Demo) -> None:
    """Two pages of comments, deleted account, bot, minimised, own marker, reaction, lock."""
    first = (await writer.ask("GET", f"{REPO}/issues/1/comments")).headers["Link"]
    assert 'rel="next"' in first
    comments = (await writer.ask("GET", f"{REPO}/issues/1/comments?per_page=100")).json
    assert [one["user"] for one in comments].count(None) == 1
    assert {one["user"]["type"] for one in comments if one["user"]} == {"User", "Bot"}
    assert any(one["minimized"] for one in comments)
    assert any(one["reactions"]["total_count"] for one in comments)
    of_pull = (await writer.ask("GET", f"{REPO}/issues/2/comments")).json
    marked = [one for one in of_pull if one["body"].startswith("<!-- trunkline:marker=progress")]
    assert [one["user"]["login"] for one in marked] == ["demo"]
    assert (await writer.ask("GET", f"{REPO}/issues/3")).json["locked"] is True
    assert len(demo.pull.review_comments) == 2


async def test_it_runs_on_its_own_and_says_where(session: aiohttp.ClientSession) -> None:
    """`python -m trunkline_shared.testing.github` prints its URL, serves, ends on SIGTERM."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "trunkline_shared.testing.github", "--mount", "/api/v3"),
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(20):
        assert process.stdout is not None
        url = (await process.stdout.readline()).decode().strip()
        assert url.endswith("/api/v3")
        caller = Caller(session=session, base=url, token="demo-token")
        assert (await caller.ask("GET", f"{REPO}/issues/1")).status == 200
        process.terminate()
        assert await process.wait() == 0
